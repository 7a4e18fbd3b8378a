"""Long series in few rows: buckets that say how many points they hold, from where to where, and between which values.

No spike is lost: the extremes of a bucket are those of its points.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tbwidget.records.indices import reduceat

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


def buckets_from(values: NDArray[np.float64], begin: NDArray[np.int64], end: NDArray[np.int64]) -> Buckets:
    """The buckets of these first and last points, from the first `begin` on without gaps up to the last value."""
    if not len(begin):
        nothing = np.empty(0)
        return Buckets(begin, end, nothing, nothing, nothing, np.empty(0, np.int64))
    counts = end - begin + 1
    with np.errstate(over="ignore", invalid="ignore"):
        mean = reduceat(np.add, values, begin) / counts
    # A sum is finite only where all values are; where it is not, they may be too large for it.
    if np.isfinite(mean).all():
        gaps = np.zeros(len(begin), np.int64)
        smallest, largest = reduceat(np.minimum, values, begin), reduceat(np.maximum, values, begin)
    else:
        finite = np.isfinite(values)
        held = reduceat(np.add, finite, begin, dtype=np.int64)
        gaps = counts - held
        smallest = reduceat(np.minimum, np.where(finite, values, np.inf), begin)
        largest = reduceat(np.maximum, np.where(finite, values, -np.inf), begin)
        mean = _means(np.where(finite, values, 0.0), begin, np.maximum(held, 1))
        for column in (smallest, largest, mean):
            column[held == 0] = np.nan
    # Rounding must not lead out of the bucket: the mean of equal values is that value.
    return Buckets(begin, end, np.minimum(np.maximum(mean, smallest), largest), smallest, largest, gaps)


def _means(values: NDArray[np.float64], begin: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.float64]:
    with np.errstate(over="ignore", invalid="ignore"):
        mean: NDArray[np.float64] = reduceat(np.add, values, begin) / counts
    for row in np.flatnonzero(~np.isfinite(mean)):  # sums of the largest doubles
        bucket = slice(begin[row], begin[row + 1] if row + 1 < len(begin) else None)
        mean[row] = (values[bucket] / counts[row]).sum()
    return mean


def extremes(values: NDArray[np.float64], width: int) -> NDArray[np.int64]:
    """Places of the least and of the greatest value of each bucket of `width`, ascending; none twice.

    What is not finite counts as neither; a bucket without a finite value gives its first place.
    """
    rows = -(-len(values) // width)
    padded = np.full(rows * width, np.nan)
    padded[: len(values)] = np.where(np.isfinite(values), values, np.nan)
    table = padded.reshape(rows, width)
    hollow = np.isnan(table)
    begin = np.arange(rows) * width
    least = begin + np.where(hollow, np.inf, table).argmin(axis=1)
    greatest = begin + np.where(hollow, -np.inf, table).argmax(axis=1)
    return np.unique(np.concatenate((least, greatest)))
