"""The charts of embeddings in a static preview: the first two principal components, colored by a column."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from tbwidget.language import worded
from tbwidget.logs.kinds.embeddings import EmbeddingError
from tbwidget.logs.natural import natural_key
from tbwidget.options.colors import run_color
from tbwidget.panels.declare import PreviewChart, PreviewLine
from tbwidget.panels.projector_vectors import kept_vectors, peek_vectors

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from tbwidget.logs.accessors import Logs
    from tbwidget.logs.kinds.embeddings import Embedding
    from tbwidget.logs.vectors import Labels

MAX_BYTES = 2_000_000
"""Bytes of vectors that are read for a picture, in about 0.1 s. Larger ones are drawn if they were read before."""

MAX_METADATA_BYTES = 4_000_000
"""Bytes of metadata that are read for a picture; without larger ones, points have one color."""

_MAX_CELLS = 1_000_000  # that are looked at for a column that colors
_CATEGORIES = range(2, 21)  # values of a column that colors
_GRAY = "#9a9a9a"


def preview(logs: Logs, pinned: Sequence[str], language: str = "en") -> Iterator[PreviewChart]:
    """Return the newest step of each embedding; `pinned` tags before others."""
    by_run = logs.tags().get("embeddings", {})
    newest: dict[tuple[str, str], Embedding] = {}
    for run in by_run:
        for embedding in logs.embeddings(run):
            known = newest.get((embedding.tag, run))
            if known is None or (embedding.step or 0) >= (known.step or 0):
                newest[embedding.tag, run] = embedding
    for tag, run in sorted(newest, key=lambda key: (key[0] not in pinned, natural_key(key[0]), natural_key(key[1]))):
        embedding = newest[tag, run]
        try:
            lines = list(_lines(logs, run, embedding))
        except EmbeddingError:  # its card says so
            continue
        if lines:
            name = embedding.name
            title = worded("{name} of {run}", language, name=name, run=run) if len(by_run) > 1 else name
            yield PreviewChart(title, lines, are_points=True)


def _lines(logs: Logs, run: str, embedding: Embedding) -> Iterator[PreviewLine]:
    """Yield the points of each color."""
    kept, is_remote = peek_vectors(logs, run, embedding), logs.source.poll_interval is not None
    if kept is None:
        if is_remote or embedding.size > MAX_BYTES or embedding.waits is not None:
            return
        kept = kept_vectors(logs, run, embedding)
    if not kept.vectors.size:
        return
    coordinates = np.zeros((2, len(kept.vectors)))
    count = min(2, kept.vectors.shape[1])
    coordinates[:count] = kept.principal.project(kept.vectors, count)
    is_placed = np.isfinite(coordinates).all(axis=0)
    groups = None if is_remote else _groups(embedding, len(is_placed))
    if groups is None:
        groups = np.zeros(len(is_placed), np.intp)
    for group in np.unique(groups[is_placed]).tolist():
        x, y = coordinates[:, is_placed & (groups == group)]
        yield PreviewLine(str(group), _GRAY if group < 0 else run_color(group), x, y)


def _groups(embedding: Embedding, points: int) -> NDArray[np.intp] | None:
    """Return a number for each point by the first column with few values, -1 where it has none; None without one."""
    size = embedding.metadata_size
    if size is None or size > MAX_METADATA_BYTES:
        return None
    columns = max(1, _MAX_CELLS // points)
    try:
        found = embedding.first_labels(points, columns)
    except EmbeddingError:  # its card says so
        return None
    if found is None:
        return None
    labels = found.labels
    for place in range(min(columns, max(1, len(labels.columns)))):
        values = _values(_cells(labels, place, points))
        if len(values) in _CATEGORIES:
            numbers = {value: number for number, value in enumerate(sorted(values, key=natural_key))}
            groups = np.full(points, -1, np.intp)
            for point, cell in enumerate(_cells(labels, place, points)):
                groups[point] = numbers.get(cell, -1)
            return groups
    return None


def _cells(labels: Labels, place: int, points: int) -> Iterator[str]:
    for row in islice(labels.rows, points):
        yield row if isinstance(row, str) else row[place] if place < len(row) else ""


def _values(cells: Iterable[str]) -> set[str]:
    """Return the values of a column, no more than make it one that does not color."""
    found: set[str] = set()
    for cell in cells:
        if cell:
            found.add(cell)
            if len(found) >= _CATEGORIES.stop:
                break
    return found
