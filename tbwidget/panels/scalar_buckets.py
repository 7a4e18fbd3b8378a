"""Long series in few rows: buckets with the first and last point, mean, minimum and maximum.

No spike is lost, because a bucket keeps the extremes of its points.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tbwidget.records.indices import reduceat

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Buckets(NamedTuple):
    """Columns with one row for each bucket. Only finite values count."""

    begin: NDArray[np.int64]
    """Index in the series of the bucket's first point."""
    end: NDArray[np.int64]
    """Index of its last point."""
    mean: NDArray[np.float64]
    """Mean, like smallest and largest NaN if no value is finite."""
    smallest: NDArray[np.float64]
    largest: NDArray[np.float64]
    gaps: NDArray[np.int64]
    """Number of values that are not finite."""


def bucket_width(count: int, rows: int) -> int:
    """Return the points of a bucket, a power of two, so that `count` points fill at most `rows` buckets.

    A width of 1 keeps all points. With powers of two, the buckets of a growing series stay until their width doubles.
    """
    width = 1
    while -(-count // width) > rows:
        width *= 2
    return width


def buckets_from(values: NDArray[np.float64], begin: NDArray[np.int64], end: NDArray[np.int64]) -> Buckets:
    """Compute the buckets with these first and last points, which cover the values without gaps."""
    if not len(begin):
        nothing = np.empty(0)
        return Buckets(begin, end, nothing, nothing, nothing, np.empty(0, np.int64))
    counts = end - begin + 1
    with np.errstate(over="ignore", invalid="ignore"):
        mean = reduceat(np.add, values, begin) / counts
    # A finite sum proves that all values are finite. An infinite one may also come from huge finite values.
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
    # Rounding must not push the mean out of the range: the mean of equal values is that value.
    return Buckets(begin, end, np.minimum(np.maximum(mean, smallest), largest), smallest, largest, gaps)


def _means(values: NDArray[np.float64], begin: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.float64]:
    with np.errstate(over="ignore", invalid="ignore"):
        mean: NDArray[np.float64] = reduceat(np.add, values, begin) / counts
    for row in np.flatnonzero(~np.isfinite(mean)):  # sums of the largest doubles
        bucket = slice(begin[row], begin[row + 1] if row + 1 < len(begin) else None)
        mean[row] = (values[bucket] / counts[row]).sum()
    return mean


def extremes(values: NDArray[np.float64], width: int) -> NDArray[np.int64]:
    """Return the distinct places of the minimum and the maximum of each bucket of `width`, ascending.

    Values that are not finite do not count. A bucket without a finite value gives its first place.
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
