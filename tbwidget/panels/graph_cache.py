"""Graphs of log directories that were read, and what was encoded of them: once for all dashboards of a directory."""

from __future__ import annotations

import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING

from tbwidget.logs.kinds.graphs import graph_revision
from tbwidget.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Hashable

    from tbwidget.graph import Graph
    from tbwidget.logs.accessors import Logs

MOST_NODES = 150_000
"""Nodes, of all graphs of a directory, that are kept for the next question; some 1.2 kB each. At least one graph is."""

MOST_BYTES = 32_000_000
"""Likewise what was encoded."""


class KeptGraph:
    """One graph, read when it is first asked for, by one thread at a time."""

    def __init__(self, logs: Logs, run: str, name: str, revision: Hashable) -> None:
        self.revision = revision
        """Another one when the graph is written again."""
        self.nodes = 0
        """Nodes of it that are in memory."""
        self.size = 0
        """Bytes of what was encoded."""
        self._logs = weakref.ref(logs)  # which holds this one
        self._run, self._name = run, name
        self._lock = threading.RLock()
        self._graph: Graph | None = None
        self._encoded: dict[Callable[[Graph], bytes], bytes] = {}

    def graph(self) -> Graph:
        """The graph. Raises what `Logs.graph` raises."""
        with self._lock:
            graph, logs = self._graph, self._logs()
            if graph is None:
                if logs is None:
                    raise KeyError(Reason("graph-closed"))
                graph = self._graph = logs.graph(self._run, self._name)
                self.nodes = graph.node_count
                _of(logs).shrink(self)
            return graph

    def encoded(self, encode: Callable[[Graph], bytes]) -> bytes:
        """What `encode` makes of it."""
        with self._lock:
            data = self._encoded.get(encode)
            if data is None:
                data = self._encoded[encode] = encode(self.graph())
                self.size += len(data)
                if (logs := self._logs()) is not None:
                    _of(logs).shrink(self)
            return data

    def drop_graph(self) -> None:
        """Keep the graph itself no longer; what uses it goes on."""
        self._graph, self.nodes = None, 0


class _Cache:
    """The graphs of one directory, the one that was asked for least recently first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, str], KeptGraph] = OrderedDict()

    def get(self, logs: Logs, run: str, name: str) -> KeptGraph:
        revision = graph_revision(logs.source, run, name)
        with self._lock:
            kept = self._kept.get((run, name))
            if kept is None or kept.revision != revision:
                kept = self._kept[run, name] = KeptGraph(logs, run, name, revision)
            self._kept.move_to_end((run, name))
        return kept

    def shrink(self, used: KeptGraph) -> None:
        """Drop what is beyond the bounds, but not what is used now."""
        with self._lock:
            others = [(key, kept) for key, kept in self._kept.items() if kept is not used]
            nodes = used.nodes + sum(kept.nodes for _, kept in others)
            size = used.size + sum(kept.size for _, kept in others)
            for key, kept in others:
                if nodes > MOST_NODES:
                    nodes -= kept.nodes
                    kept.drop_graph()
                if size > MOST_BYTES:
                    size -= kept.size
                    del self._kept[key]


_caches: weakref.WeakKeyDictionary[Logs, _Cache] = weakref.WeakKeyDictionary()
_lock = threading.Lock()


def _of(logs: Logs) -> _Cache:
    with _lock:
        return _caches.setdefault(logs, _Cache())


def kept_graph(logs: Logs, run: str, name: str) -> KeptGraph:
    """A graph of a run by its name. Raises KeyError where there is none; nothing is read yet."""
    return _of(logs).get(logs, run, name)
