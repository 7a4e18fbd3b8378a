"""A cache of graphs and their encodings, shared by all dashboards of a log directory."""

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

MAX_NODES = 150_000
"""Upper bound for the nodes of all cached graphs of a directory, about 1.2 kB each. One graph is always kept."""

MAX_ENCODED_BYTES = 32_000_000
"""Upper bound for the encodings of a directory. One graph always keeps its encodings."""


class KeptGraph:
    """One graph, read when it is first asked for, by one thread at a time."""

    def __init__(self, logs: Logs, run: str, name: str, revision: Hashable) -> None:
        self.revision = revision
        """Changes when the graph is written again."""
        self.nodes = 0
        """Number of nodes in memory."""
        self.size = 0
        """Bytes of all encodings."""
        self._logs = weakref.ref(logs)  # the logs are the key of the cache that holds this graph
        self._run, self._name = run, name
        self._lock = threading.RLock()
        self._graph: Graph | None = None
        self._encoded: dict[Callable[[Graph], bytes], bytes] = {}

    def graph(self) -> Graph:
        """Return the graph, and read it first if necessary. Raises what `Logs.graph` raises."""
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
        """Return the result of `encode`, computed once."""
        with self._lock:
            data = self._encoded.get(encode)
            if data is None:
                data = self._encoded[encode] = encode(self.graph())
                self.size += len(data)
                if (logs := self._logs()) is not None:
                    _of(logs).shrink(self)
            return data

    def drop_graph(self) -> None:
        """Drop the graph from the cache; current users keep their reference."""
        self._graph, self.nodes = None, 0


class _Cache:
    """The graphs of one directory, the least recently used first."""

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
        """Drop graphs and encodings beyond the bounds, but keep the graph in use."""
        with self._lock:
            others = [(key, kept) for key, kept in self._kept.items() if kept is not used]
            nodes = used.nodes + sum(kept.nodes for _, kept in others)
            size = used.size + sum(kept.size for _, kept in others)
            for key, kept in others:
                if nodes > MAX_NODES:
                    nodes -= kept.nodes
                    kept.drop_graph()
                if size > MAX_ENCODED_BYTES:
                    size -= kept.size
                    del self._kept[key]


_caches: weakref.WeakKeyDictionary[Logs, _Cache] = weakref.WeakKeyDictionary()
_lock = threading.Lock()


def _of(logs: Logs) -> _Cache:
    with _lock:
        return _caches.setdefault(logs, _Cache())


def kept_graph(logs: Logs, run: str, name: str) -> KeptGraph:
    """Return a graph of a run, without reading it yet. Raises KeyError if there is none."""
    return _of(logs).get(logs, run, name)
