"""Warnings about options of the projector that have no effect: unknown columns and rows, methods that cannot run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tbwidget.logs.unknown import did_you_mean
from tbwidget.panels.projector_columns import ONLY_COLUMN
from tbwidget.panels.projector_jobs import asked_parameters, check_package, task_for
from tbwidget.panels.projector_vectors import kept_vectors
from tbwidget.panels.projector_view import shown_embedding
from tbwidget.wire.content import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tbwidget.logs.accessors import Logs
    from tbwidget.logs.kinds.embeddings import Embedding

MAX_PAGE_POINTS = 10_000
"""Points up to which the page computes UMAP itself; keep in step with js/src/panels/projector/umap/runner.ts."""

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
