"""A graph that a program holds, as a source of logs without files."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from tbwidget.logs.kinds.graphs import GRAPHS_PLUGIN, KIND, RUN_GRAPH_TAG
from tbwidget.logs.problems import Problem, ReportedProblems
from tbwidget.logs.series import TagMetadata
from tbwidget.logs.source import Changes, Progress
from tbwidget.reasons import text_reason

if TYPE_CHECKING:
    from tbwidget.graph import Graph
    from tbwidget.logs.items import Attachment, Items
    from tbwidget.logs.kinds.declare import OwnFile
    from tbwidget.logs.roots import Root
    from tbwidget.logs.series import Scalars

_RUN = "."


class InMemoryGraph:
    """A `LogSource`: the run "." with a run graph, which never changes."""

    exists = True
    ready = True
    progress = Progress("ready")
    empty_files = 0
    poll_interval: float | None = None

    def __init__(self, graph: Graph, title: str = "graph") -> None:
        """`title` is shown where a log directory's path would be."""
        self.title = title
        self.paths: dict[str, Path | str] = {}
        self.roots: tuple[Root, ...] = ()
        self._graph = graph
        self._reported = ReportedProblems()
        self._lock = Lock()

    def stop(self) -> None:
        """Nothing is read."""

    def resume(self) -> None:
        """Nothing is read."""

    @property
    def runs(self) -> list[str]:
        """The one run."""
        return [_RUN]

    @property
    def problems(self) -> list[Problem]:
        """Problems with what could not be shown."""
        with self._lock:
            return list(self._reported.problems(lambda _run, _tag: True))

    def tags(self) -> dict[str, dict[str, list[str]]]:
        """Return the graph alone."""
        return {KIND.name: {_RUN: [RUN_GRAPH_TAG]}}

    def tags_of(self, run: str) -> dict[str, list[str]]:
        """Return the graph alone."""
        self._check_run(run)
        return {KIND.name: [RUN_GRAPH_TAG]}

    def kind(self, run: str, tag: str) -> str | None:
        """Return the kind of the graph's tag."""
        self._check_run(run)
        return KIND.name if tag == RUN_GRAPH_TAG else None

    def metadata(self, run: str, tag: str) -> TagMetadata:
        """Return the metadata of a run graph."""
        if self.kind(run, tag) is None:
            raise KeyError(f"no tag {tag!r} in run {run!r}")
        return TagMetadata(GRAPHS_PLUGIN, tag, "")

    def run_numbers(self) -> dict[str, int]:
        """Return 0 for the one run."""
        return {_RUN: 0}

    def directory_of(self, run: str) -> str:
        """Return "", as no directory has a name."""
        self._check_run(run)
        return ""

    def scalars(self, run: str, tag: str, *, superseded: bool = False) -> Scalars:  # noqa: ARG002 (there are none)
        """Raise KeyError: there are no scalars."""
        raise KeyError(f"no tag {tag!r} of kind scalars in run {run!r}")

    def items(self, run: str, tag: str, kind: str, *, superseded: bool = False) -> Items:  # noqa: ARG002 (there are none)
        """Raise KeyError: there are no values."""
        raise KeyError(f"no tag {tag!r} of kind {kind} in run {run!r}")

    def graphs(self, run: str) -> dict[str, Graph]:
        """Return the graph."""
        self._check_run(run)
        return {RUN_GRAPH_TAG: self._graph}

    def attachment(self, run: str, what: str, tag: str = "") -> Attachment | None:  # noqa: ARG002 (there are none)
        """Return None: the graph is no event's."""
        self._check_run(run)
        return None

    def own_files(self, run: str) -> list[OwnFile]:
        """Return no files."""
        self._check_run(run)
        return []

    def exclusive(self) -> AbstractContextManager[None]:
        """Block nothing, as nothing scans."""
        return nullcontext()

    def refresh(self) -> bool:
        """Return False: nothing changes."""
        return False

    def subscribe(self, callback: Callable[[Changes], None], *, held: bool = False) -> Callable[[], None]:  # noqa: ARG002
        """Never call back."""
        return lambda: None

    def hold(self) -> None:
        """Do nothing: a graph is not followed."""

    def release(self) -> None:
        """Do nothing: a graph is not followed."""

    def flush_writers(self) -> Callable[[], None]:
        """Do nothing: no writer writes it."""
        return lambda: None

    def report_failure(self, kind: str, run: str, tag: str, reason: str) -> None:
        """List a problem until `clear_failure`."""
        with self._lock:
            self._reported.add_failure(kind, run, tag, text_reason(reason))

    def clear_failure(self, kind: str, run: str, tag: str) -> None:
        """Withdraw a problem."""
        with self._lock:
            self._reported.remove_failure(kind, run, tag)

    def report_problems(self, source: str, problems: list[Problem]) -> None:
        """List problems in place of those that the same `source` reported before."""
        with self._lock:
            self._reported.replace(source, problems)

    @staticmethod
    def _check_run(run: str) -> None:
        if run != _RUN:
            raise KeyError(f"no run {run!r}")
