"""Long series drawn from few points: the smallest and largest of each bucket, so that no spike is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

POINTS_PER_BUCKET = 3
"""A bucket gives at most its smallest, its largest and its first non-finite value."""


def bucket_width(count: int, limit: int) -> int:
    """Points a bucket so that `count` points give at most `limit`: 1 keeps all, else a power of two.

    Powers of two let buckets stay where they are while a series grows: only when their number doubles are they redrawn.
    """
    if count <= limit:
        return 1
    # One point more than the buckets give: the last of the series always travels.
    most = max(1, (limit - 1) // POINTS_PER_BUCKET)
    width = 2
    while -(-count // width) > most:
        width *= 2
    return width


def representatives(values: NDArray[np.float64], width: int, start: int = 0) -> NDArray[np.int64]:
    """Indices, ascending, of the points that stand for `values[start:]` in buckets of `width`; `start` begins a bucket.

    The first point of the series and its last are always among them.
    """
    count = len(values)
    if width == 1:
        return np.arange(start, count)
    whole = start + (count - start) // width * width
    found = [_extremes(values[start:whole].reshape(-1, width)) + start]
    if whole < count:
        found.append(_extremes(values[whole:].reshape(1, -1)) + whole)
    if count > start:
        found.append(np.array([count - 1] if start else [0, count - 1]))
    return np.unique(np.concatenate(found))


def _extremes(buckets: NDArray[np.float64]) -> NDArray[np.int64]:
    """Flat indices of the finite smallest and largest of each row, and of its first non-finite value."""
    if buckets.size == 0:
        return np.empty(0, np.int64)
    finite = np.isfinite(buckets)
    lowest = np.where(finite, buckets, np.inf).argmin(axis=1)
    highest = np.where(finite, buckets, -np.inf).argmax(axis=1)
    origin = np.arange(len(buckets)) * buckets.shape[1]
    broken = np.flatnonzero(~finite.all(axis=1))
    first_gap = origin[broken] + finite[broken].argmin(axis=1)
    return np.concatenate([origin + lowest, origin + highest, first_gap])
