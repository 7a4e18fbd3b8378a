"""A graph that a program holds, as a log directory that holds nothing else: for those that show log directories."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tbwidget.logs.engine.catalog import RUN_GRAPH_TAG
from tbwidget.logs.kinds.registry import GRAPHS
from tbwidget.logs.logdir import LogDir

if TYPE_CHECKING:
    from collections.abc import Callable

    from tbwidget.graph import Graph
    from tbwidget.logs.problems import Problem

_RUN = "."


class HeldGraph(LogDir):
    """The run "." with a run graph. There is no directory: nothing is read, and nobody follows it."""

    def __init__(self, graph: Graph, name: str = "graph") -> None:
        """`name` is shown where a log directory's path would be."""
        super().__init__(name)
        self.path = Path(name)
        self._graph = graph

    @property
    def runs(self) -> list[str]:
        """The one run."""
        return [_RUN]

    def run_numbers(self) -> dict[str, int]:
        """Of the one run."""
        return {_RUN: 0}

    def tags(self) -> dict[str, dict[str, list[str]]]:
        """The one graph."""
        return {GRAPHS: {_RUN: [RUN_GRAPH_TAG]}}

    def graph(self, run: str, name: str | None = None) -> Graph:
        """The graph. Raises KeyError for any other."""
        if run != _RUN or name not in (None, RUN_GRAPH_TAG):
            raise KeyError(f"no graph {name!r} in run {run!r}")
        return self._graph

    def graph_revision(self, run: str, name: str) -> int:
        """Always the same. Raises KeyError for any other graph."""
        self.graph(run, name)
        return 0

    @property
    def problems(self) -> list[Problem]:
        """What could not be shown."""
        with self._lock:
            return list(self._failures.problems(lambda _run, _tag: True))

    @property
    def empty_files(self) -> int:
        """There are no files."""
        return 0

    @property
    def ready(self) -> bool:
        """Always."""
        return True

    @property
    def progress(self) -> tuple[int, int]:
        """Nothing is read."""
        return 0, 0

    def refresh(self) -> bool:
        """Nothing changes."""
        return False

    def hold(self) -> None:
        """Nobody needs to follow it."""

    def flush_writers(self) -> Callable[[], None]:
        """Do nothing: no writer writes it."""
        return lambda: None

    def release(self) -> None:
        """Nobody followed it."""
