"""Long series in few rows: buckets that say how many points they hold, from where to where, and between which values.

No spike is lost: the extremes of a bucket are those of its points.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Buckets(NamedTuple):
    """Columns of one length, one row a bucket; only finite values count."""

    begin: NDArray[np.int64]
    """Index of the bucket's first point, in the series."""
    end: NDArray[np.int64]
    """Index of its last."""
    mean: NDArray[np.float64]
    """NaN, as are smallest and largest, where no value is finite."""
    smallest: NDArray[np.float64]
    largest: NDArray[np.float64]
    gaps: NDArray[np.int64]
    """Values that are not finite."""


def bucket_width(count: int, rows: int) -> int:
    """Points a bucket so that `count` points give at most `rows` of them: 1 keeps all, else a power of two.

    Powers of two let buckets stay where they are while a series grows: only when their number doubles are they redrawn.
    """
    width = 1
    while -(-count // width) > rows:
        width *= 2
    return width


def buckets(values: NDArray[np.float64], width: int, start: int = 0) -> Buckets:
    """`values[start:]` in buckets of `width`, the last of them perhaps shorter; `start` begins a bucket."""
    count = len(values)
    whole = start + (count - start) // width * width
    parts = [_whole(values[start:whole].reshape(-1, width))]
    if whole < count:
        parts.append(_whole(values[whole:].reshape(1, -1)))
    begin = np.arange(start, count, width)
    end = np.minimum(begin + width, count) - 1
    mean, smallest, largest, gaps = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    return Buckets(begin, end, mean, smallest, largest, gaps)


def _whole(
    rows: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """Mean, smallest, largest and number of gaps of each row."""
    if rows.size == 0:
        return np.empty(0), np.empty(0), np.empty(0), np.empty(0, np.int64)
    finite = np.isfinite(rows)
    if finite.all():
        gaps = np.zeros(len(rows), np.int64)
        smallest, largest = rows.min(axis=1), rows.max(axis=1)
        mean = _means(rows, np.full(len(rows), rows.shape[1]))
    else:
        held = finite.sum(axis=1)
        gaps = rows.shape[1] - held
        smallest = np.where(finite, rows, np.inf).min(axis=1)
        largest = np.where(finite, rows, -np.inf).max(axis=1)
        mean = _means(np.where(finite, rows, 0.0), np.maximum(held, 1))
        for column in (smallest, largest, mean):
            column[held == 0] = np.nan
    # Rounding must not lead out of the bucket: the mean of equal values is that value.
    return np.clip(mean, smallest, largest), smallest, largest, gaps


def _means(rows: NDArray[np.float64], counts: NDArray[np.int64]) -> NDArray[np.float64]:
    with np.errstate(over="ignore", invalid="ignore"):
        mean: NDArray[np.float64] = rows.sum(axis=1) / counts
    lost = ~np.isfinite(mean)  # sums of the largest doubles
    mean[lost] = (rows[lost] / counts[lost, None]).sum(axis=1)
    return mean
