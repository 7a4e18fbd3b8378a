"""Graphs and embeddings that a program holds, as sources of logs without files."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from tbwidget.logs.kinds.embeddings import KIND as EMBEDDINGS
from tbwidget.logs.kinds.embeddings import PLUGIN as PROJECTOR_PLUGIN
from tbwidget.logs.kinds.embeddings import Embedding, HeldEmbeddings, Sprite
from tbwidget.logs.kinds.graphs import GRAPHS_PLUGIN, RUN_GRAPH_TAG
from tbwidget.logs.kinds.graphs import KIND as GRAPHS
from tbwidget.logs.problems import Problem, ReportedProblems
from tbwidget.logs.series import NO_DESCRIBED_TAGS, DescribedTags, TagMetadata
from tbwidget.logs.source import Changes, Progress
from tbwidget.logs.vectors import FirstLabels, Labels
from tbwidget.reasons import Reason, text_reason

if TYPE_CHECKING:
    from tbwidget.graph import Graph
    from tbwidget.logs.checkpoints import Checkpoint
    from tbwidget.logs.items import Attachment, Items
    from tbwidget.logs.kinds.declare import OwnFile
    from tbwidget.logs.roots import Root
    from tbwidget.logs.series import Scalars
    from tbwidget.logs.vectors import Vectors

_RUN = "."


class _InMemory:
    """A `LogSource`: the run "." with tags of one kind, which never change."""

    exists = True
    ready = True
    progress = Progress("ready")
    empty_files = 0
    polled_at: float | None = None
    poll_interval: float | None = None

    def __init__(self, kind: str, plugin: str, tags: list[str], title: str) -> None:
        """`title` is shown where a log directory's path would be."""
        self.title = title
        self._kind, self._plugin, self._tags = kind, plugin, tags
        self.paths: dict[str, Path | str] = {}
        self.roots: tuple[Root, ...] = ()
        self.checkpoint_roots: tuple[Root, ...] = ()
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
        """Return the tags of the one kind."""
        return {self._kind: {_RUN: list(self._tags)}}

    def tags_of(self, run: str) -> dict[str, list[str]]:
        """Return the tags of the one kind."""
        self._check_run(run)
        return {self._kind: list(self._tags)}

    def kind(self, run: str, tag: str) -> str | None:
        """Return the one kind for its tags."""
        self._check_run(run)
        return self._kind if tag in self._tags else None

    def metadata(self, run: str, tag: str) -> TagMetadata:
        """Return the name of the plugin, and nothing else."""
        if self.kind(run, tag) is None:
            raise KeyError(f"no tag {tag!r} in run {run!r}")
        return TagMetadata(self._plugin, tag, "")

    def described_tags(self) -> DescribedTags:
        """Return none: data of a program have no metadata."""
        return NO_DESCRIBED_TAGS

    def run_numbers(self) -> dict[str, int]:
        """Return 0 for the one run."""
        return {_RUN: 0}

    def checkpoints(self, run: str) -> list[Checkpoint]:
        """Return no checkpoints."""
        self._check_run(run)
        return []

    def every_checkpoint(self) -> list[tuple[Checkpoint, tuple[str, ...]]]:
        """Return no checkpoints."""
        return []

    def checkpoints_revision(self) -> Hashable:
        """Return the same value always."""
        return ()

    def runs_with_checkpoints(self) -> list[str]:
        """Return no runs."""
        return []

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
        """Return no graphs."""
        self._check_run(run)
        return {}

    def attachment(self, run: str, what: str, tag: str = "") -> Attachment | None:  # noqa: ARG002 (there are none)
        """Return None: there are no events."""
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
        """Do nothing: what never changes is not followed."""

    def release(self) -> None:
        """Do nothing: what never changes is not followed."""

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


class InMemoryGraph(_InMemory):
    """The run "." with a run graph."""

    def __init__(self, graph: Graph, title: str = "graph") -> None:
        super().__init__(GRAPHS.name, GRAPHS_PLUGIN, [RUN_GRAPH_TAG], title)
        self._graph = graph

    def graphs(self, run: str) -> dict[str, Graph]:
        """Return the graph."""
        self._check_run(run)
        return {RUN_GRAPH_TAG: self._graph}


class HeldEmbedding(Embedding):
    """An embedding that a program holds; it never changes, and has no file."""

    wall_time = math.nan
    size = 0
    metadata_size = 0
    revisions = (0, 0, 0)
    waits = None

    def __init__(self, name: str, vectors: Vectors, labels: Labels | None = None, sprite: Sprite | None = None) -> None:
        self._set_name(name)
        self._held = vectors, labels, sprite

    @property
    def vectors(self) -> Vectors:
        """The array."""
        return self._held[0]

    def first_labels(self, most_rows: int | None, most_columns: int | None) -> FirstLabels | None:  # noqa: ARG002
        """Return all metadata: they are in memory."""
        labels = self._held[1]
        return None if labels is None else FirstLabels(labels, len(labels.rows), len(labels.columns), is_ragged=False)

    def read_sprite(self) -> Sprite | None:
        """Return the images that were given, as one."""
        return self._held[2]

    def report(self, path: str, reason: Reason) -> None:
        """Do nothing: there is no file."""

    def shape_contradiction(self, vectors: Vectors) -> Reason | None:  # noqa: ARG002 (nothing declares a shape)
        """Return None: only a configuration declares a shape."""
        return None

    @property
    def vectors_path(self) -> str:
        """Name of the argument of `show_embedding`."""
        return "array"

    @property
    def metadata_path(self) -> str:
        """Name of the argument of `show_embedding`."""
        return "metadata" if self._held[1] else ""

    @property
    def sprite_path(self) -> str:
        """Name of the argument of `show_embedding`."""
        return "images" if self._held[2] else ""


class InMemoryEmbeddings(_InMemory):
    """The run "." with some embeddings."""

    def __init__(self, embeddings: list[Embedding], title: str = "embedding") -> None:
        self._held = HeldEmbeddings(embeddings)
        super().__init__(EMBEDDINGS.name, PROJECTOR_PLUGIN, self._held.tags, title)

    def own_files(self, run: str) -> list[OwnFile]:
        """Return the embeddings, in place of files."""
        self._check_run(run)
        return [self._held]
