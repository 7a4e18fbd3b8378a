"""The projection that a view of the projector shows, and warnings about options without effect, in Python."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tbwidget.logs.natural import natural_key
from tbwidget.logs.unknown import did_you_mean
from tbwidget.panels.projector_columns import ONLY_COLUMN
from tbwidget.panels.projector_jobs import JOBS, Floats, asked_parameters, check_package, task_for
from tbwidget.panels.projector_options import COMPONENTS
from tbwidget.panels.projector_vectors import MAX_PAGE_POINTS, kept_vectors
from tbwidget.wire.content import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tbwidget.logs.accessors import Logs
    from tbwidget.logs.kinds.embeddings import Embedding
    from tbwidget.panels.projector_vectors import KeptVectors


class Projection(NamedTuple):
    """The points of one embedding in two or three dimensions."""

    method: str
    """ "pca", "umap" or "tsne"."""
    parameters: Mapping[str, Any]
    """By name: the `components` of PCA; `neighbors`, `min_dist` and `metric` of UMAP; `perplexity` and `metric` of
    t-SNE, as they were computed. `page_dimensions` where the page computed UMAP: from the vectors, or from so many of
    their principal components."""
    coordinates: Floats
    """float32[n, 2] or float32[n, 3], read-only; NaN where a vector has values that are not finite."""
    variance: tuple[float, ...] | None
    """Share of each component in the variance of all points; None but for PCA."""
    name: str
    """Name of the embedding, such as "default:00003"."""
    step: int | None
    """Its step; None where its name has none."""
    run: str
    """The run that it belongs to."""


def projection(logs: Logs, board: Any) -> Projection | None:
    """The projection of the first embedding of the shown runs, at the linked step or else the newest, or None.

    Principal components are computed when this is read. UMAP and t-SNE are what was computed for the page, or UMAP by
    the page, with the present options; None until that is finished and the kernel, once idle, has it, and for custom
    axes. A warning says why they cannot be computed here.
    Raises EmbeddingError where the vectors cannot be read.
    """
    found = shown_embedding(logs, board)
    if found is None:
        return None
    run, embedding = found
    method, dimensions = board.projector_method, board.projector_dimensions
    asked = asked_parameters(method, lambda option: getattr(board, option))
    if method != "pca" and asked is None:  # axes of the user's own
        return None
    kept = kept_vectors(logs, run, embedding)
    names = (embedding.name, embedding.step, run)
    if asked is None:
        return _principal(kept, board.projector_components, dimensions, names)
    try:
        task = task_for(kept.summary, method, dimensions, asked)
        result = JOBS.result(task)
        if result is None:
            check_package(method)
    except Refusal as refusal:
        warnings.warn(f"there is no projection: {refusal}", UserWarning, stacklevel=3)
        return None
    if result is None:
        return None
    by_page = {} if result.held is None else {"page_dimensions": result.held}
    return Projection(method, {**dict(task.parameters), **by_page}, result.coordinates.T, None, *names)


def shown_embedding(logs: Logs, board: Any) -> tuple[str, Embedding] | None:
    """The embedding that comes first in the view, and its run."""
    with_embeddings = logs.tags().get("embeddings", {})
    selected = board.selected_runs
    runs = [run for run in with_embeddings if selected is None or run in selected]
    embeddings = logs.embeddings(runs[0]) if runs else []
    if not embeddings:
        return None
    first = min((one.tag for one in embeddings), key=natural_key)
    steps = sorted((one for one in embeddings if one.tag == first), key=lambda one: one.step or 0)
    linked = board.linked_step
    until = [one for one in steps if linked is None or (one.step or 0) <= linked]
    return runs[0], until[-1] if until else steps[0]


def _principal(kept: KeptVectors, chosen: list[int], dimensions: int, names: tuple[str, int | None, str]) -> Projection:
    made = kept.principal
    there = range(1, min(COMPONENTS, len(made.fractions)) + 1)
    # As the page: components that there are not are replaced by the first of the others.
    components = [*(one for one in chosen if one in there), *(one for one in there if one not in chosen)][:dimensions]
    rows = [one - 1 for one in components]
    coordinates = np.zeros((len(kept.vectors), dimensions), np.float32)
    coordinates[:, : len(rows)] = made.project(kept.vectors, len(there))[rows].T
    coordinates[~made.has_place] = np.nan
    coordinates.flags.writeable = False
    return Projection("pca", {"components": components}, coordinates, tuple(made.fractions[rows].tolist()), *names)


_MAX_LISTED = 5


def check_color(logs: Logs, board: Any) -> str | None:
    """Warn of a color by a column that no embedding has."""
    return _check_column(logs, board.projector_color)


def check_label(logs: Logs, board: Any) -> str | None:
    """Warn of labels from a column that no embedding has."""
    return _check_column(logs, board.projector_label)


def check_selected(logs: Logs, board: Any) -> str | None:
    """Warn of selected rows that no embedding has. Raises EmbeddingError where vectors cannot be read."""
    selected: list[int] = board.projector_selected
    most = 0
    for run, embedding in _embeddings(logs) if selected else ():
        most = max(most, len(kept_vectors(logs, run, embedding).vectors))
        if max(selected) < most:
            return None
    beyond = [row for row in selected if row >= most]
    if not beyond or most == 0:
        return None
    listed = ", ".join(map(str, beyond[:_MAX_LISTED])) + (", …" if len(beyond) > _MAX_LISTED else "")
    return f"no embedding has the row {listed}; rows are counted from 0 to {most - 1}"


def check_method(logs: Logs, board: Any) -> str | None:
    """Warn of a projection that cannot be computed. Raises EmbeddingError where vectors cannot be read."""
    method = board.projector_method
    asked = asked_parameters(method, lambda option: getattr(board, option))
    if asked is None:
        return None
    found = shown_embedding(logs, board)
    try:
        summary = None if found is None else kept_vectors(logs, *found).summary
        if method != "umap" or (summary is not None and summary.rows > MAX_PAGE_POINTS):
            check_package(method)
        if summary is not None:
            task_for(summary, method, board.projector_dimensions, asked)
    except Refusal as refusal:
        return str(refusal)
    return None


def _check_column(logs: Logs, name: str | None) -> str | None:
    if not name:
        return None
    known: dict[str, None] = {}
    has_embeddings = False
    for _, embedding in _embeddings(logs):
        has_embeddings = True
        labels = embedding.labels
        if labels is not None:
            known.update(dict.fromkeys(labels.columns or (ONLY_COLUMN,)))
        if name in known:
            return None
    if not has_embeddings:
        return None
    return f"no embedding has a column {name!r}{did_you_mean(name, known, 'column')}"


def _embeddings(logs: Logs) -> Iterator[tuple[str, Embedding]]:
    """Runs and their embeddings, the newest step of each name; other steps have the same rows and columns as a rule."""
    for run in logs.tags().get("embeddings", {}):
        newest: dict[str, Embedding] = {}
        for embedding in logs.embeddings(run):
            known = newest.get(embedding.tag)
            if known is None or (embedding.step or 0) >= (known.step or 0):
                newest[embedding.tag] = embedding
        for embedding in newest.values():
            yield run, embedding
