"""The projector: embeddings as points, with their metadata, vectors and sprites. A row of each index is a step.

The module `projector_blobs` describes the blobs of rows. The requests `projector.points`, `projector.vectors` and
`projector.sprites` give those that were not pushed: their arguments are `run`, `tag` and `step`, decimal text, "0" for
an embedding without a step. `projector_answers` describes the requests for projections and neighbors.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tbwidget.logs.kinds.embeddings import split_name, tagged_embeddings
from tbwidget.options.common import NamedRangeOptions, TimeAxisOptions
from tbwidget.panels.declare import Panel
from tbwidget.panels.projector_answers import hold, keep, neighbors, project, saved, stop
from tbwidget.panels.projector_blobs import points_blob, reduced_points, sprite_blob, vectors_blob
from tbwidget.panels.projector_options import ProjectorOptions
from tbwidget.panels.projector_preview import preview
from tbwidget.panels.projector_vectors import embedding_named
from tbwidget.panels.projector_view import check_color, check_label, check_method, check_selected, projection
from tbwidget.wire.content import Answer, Handler, ItemsContent

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tbwidget.logs.accessors import Logs
    from tbwidget.logs.kinds.embeddings import Embedding
    from tbwidget.wire.columns import Columns

Make = Callable[["Logs", str, "Embedding"], bytes]
Reduce = Callable[[bytes], bytes | None]


class Steps:
    """The embeddings of one tag by their steps."""

    revision = 1
    superseded = 0

    def __init__(self, logs: Logs, run: str, embeddings: Sequence[Embedding], identity: Sequence[Hashable]) -> None:
        """Take embeddings in the order of their steps, and what tells whether the blob of each is the same."""
        self.logs, self.run = logs, run
        self.embeddings = embeddings
        self.identity = identity
        self.step: NDArray[np.int64] = np.array([embedding.step or 0 for embedding in embeddings], np.int64)
        self.wall_time: NDArray[np.float64] = np.array([embedding.wall_time for embedding in embeddings], np.float64)

    def __len__(self) -> int:
        """Count the steps."""
        return len(self.embeddings)


class EmbeddingsContent(ItemsContent):
    """One of the three things that travel of an embedding."""

    def __init__(
        self, kind: str, prefetch_bytes: int, parts: tuple[int, ...], make: Make, reduce: Reduce = lambda _blob: None
    ) -> None:
        """`make` reads the files that these `parts` of `Embedding.revisions` stand for; `reduce` is `reduced`."""
        self.kind, self.prefetch_bytes = kind, prefetch_bytes
        self._parts, self._make, self._reduce = parts, make, reduce

    @property
    def sources(self) -> tuple[str, ...]:
        """All three are made of embeddings."""
        return ("embeddings",)

    def key_of(self, run: str, tag: str) -> tuple[str, str]:
        """All steps of a name are one."""
        return run, split_name(tag)[0]

    def read(self, logs: Logs, run: str, tag: str) -> Steps:
        """The steps; none of their files are read."""
        found = tagged_embeddings(logs.source, run, tag)
        if not found:
            raise KeyError(f"no embedding {tag!r} in run {run!r}")
        by_step = {embedding.step or 0: embedding for embedding in found}  # "a", "a:0" and "a:00" are one
        found = [by_step[step] for step in sorted(by_step)]
        if self.kind == SPRITES:
            found = [embedding for embedding in found if embedding.sprite_path]
        identity = [(one.name, *(one.revisions[part] for part in self._parts)) for one in found]
        return Steps(logs, run, found, identity)

    def entry(self, index: Steps, rows: slice, columns: Columns) -> dict[str, Any]:  # noqa: ARG002 (nothing to add)
        """Nothing beside what all items have."""
        return {}

    def blob(self, index: Steps, row: int) -> Callable[[], bytes]:
        """Return a function that makes the blob, which may take seconds."""
        return lambda: self._make(index.logs, index.run, index.embeddings[row])

    def reduced(self, blob: bytes) -> bytes | None:
        """Return the points with rounded coordinates; None of vectors and sprites."""
        return self._reduce(blob)


SPRITES = "embedding_sprites"


def _request(make: Make) -> Handler:
    """Answers with the blob of a row."""

    def answer(logs: Logs, args: Mapping[str, Any], _is_cancelled: Callable[[], bool]) -> Answer:
        run, embedding = embedding_named(logs, args.get("run"), args.get("tag"), args.get("step"))
        return Answer(data=make(logs, run, embedding))

    return answer


PANEL = Panel(
    name="projector",
    contents=(
        EmbeddingsContent("embeddings", 64_000_000, (0, 1), points_blob, reduced_points),
        EmbeddingsContent("embedding_vectors", 64_000_000, (0,), vectors_blob),
        EmbeddingsContent(SPRITES, 32_000_000, (0, 2), sprite_blob),
    ),
    options=(TimeAxisOptions, NamedRangeOptions, ProjectorOptions),
    view="ProjectorView",
    view_doc="The embeddings of a log directory, and nothing else.",
    view_options={
        "method": "projector_method",
        "dimensions": "projector_dimensions",
        "components": "projector_components",
        "color": "projector_color",
        "label": "projector_label",
        "metric": "projector_metric",
        "neighbors": "projector_neighbors",
        "umap_neighbors": "projector_umap_neighbors",
        "umap_min_dist": "projector_umap_min_dist",
        "perplexity": "projector_perplexity",
        "axes": "projector_axes",
        "selected": "projector_selected",
    },
    checks={
        "projector_color": check_color,
        "projector_label": check_label,
        "projector_method": check_method,
        "projector_selected": check_selected,
    },
    view_results={"projection": projection},
    requests={
        "points": _request(points_blob),
        "vectors": _request(vectors_blob),
        "sprites": _request(sprite_blob),
        "neighbors": neighbors,
        "project": project,
        "stop": stop,
        "keep": keep,
    },
    hold=hold,
    saved=saved,
    preview=preview,
)
