"""Even bins and percentiles, which figures draw of histograms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tbwidget.logs.kinds.histograms import Buckets

_ENDLESS = 8e307  # edges beyond stand for no end at all: writers use ±1.8e308
_COUNTLESS = 1e250  # more than anybody could have counted
_LARGEST = 1.79e308
_WIDTHS = (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
_FINEST = 1e-12  # narrower bins, relative to where they are, are lost in rounding
_NARROWEST = 1e-300  # parts of narrower ranges are lost in rounding: they are drawn as one value
_MAX_AT_ONCE = 4_000_000

BASIS_POINTS = (0, 668, 1587, 3085, 5000, 6915, 8413, 9332, 10_000)
"""Percentiles in units of 1/10,000, as in dashboards: minimum, half deviations of a normal distribution, maximum."""

MEDIAN = 4


def counted_bins(buckets: Buckets, index: int) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Left and right ends and counts of one histogram's bins as they can be drawn: finite, with something in them."""
    part = slice(buckets.offsets[index], buckets.offsets[index + 1])
    left, right, counts = buckets.left[part], buckets.right[part], buckets.counts[part]
    has_left, has_right = np.abs(left) < _ENDLESS, np.abs(right) < _ENDLESS
    held = (counts > 0) & (counts < _COUNTLESS) & (has_left | has_right)
    # A bin without an end counts as a value at its other end.
    left, right = np.where(has_left, left, right)[held], np.where(has_right, right, left)[held]
    return np.minimum(left, right), np.maximum(left, right), counts[held]


def even_edges(low: float, high: float, bins: int) -> NDArray[np.float64]:
    """Edges of about `bins` bins of one round width from `low` to `high`; they are multiples of that width."""
    if not high / 2 - low / 2 > _NARROWEST:
        margin = max(abs(low) * 0.05, 0.5)
        low, high = low - margin, high + margin
    least = (high / 2 - low / 2) / bins * 2
    power = 10.0 ** np.floor(np.log10(least))
    width = next((power * each for each in _WIDTHS if power * each >= least * (1 - 1e-9)), power * 10)
    if not np.isfinite(width) or width <= _FINEST * max(abs(low), abs(high)):
        return np.linspace(low, high, bins + 1)
    places = np.arange(np.floor(low / width + 1e-9), np.ceil(high / width - 1e-9) + 1)
    with np.errstate(over="ignore"):
        edges = places * width
    # As decimals: 3 · 0.1 is no edge, 0.3 is.
    return np.array([float(f"{edge:.15g}") for edge in np.clip(edges, -_LARGEST, _LARGEST)])


def even_counts(
    left: NDArray[np.float64], right: NDArray[np.float64], counts: NDArray[np.float64], edges: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Counts between these edges: a bin is spread evenly over its width, one without width goes to one of them."""
    below = np.zeros(len(edges))
    step = max(1, _MAX_AT_ONCE // len(edges))
    with np.errstate(all="ignore"):
        for first in range(0, len(counts), step):
            part = slice(first, first + step)
            width = right[part] - left[part]
            share = np.clip((edges[:, None] - left[part]) / np.where(width > 0, width, np.inf), 0, 1)
            # The last edge belongs to the last bin.
            passed = edges[:, None] > left[part]
            passed[-1] |= left[part] == edges[-1]
            below += (np.where(width > 0, share, passed) * counts[part]).sum(axis=1)
    return np.maximum(np.diff(below), 0.0)


def percentiles(
    left: NDArray[np.float64], right: NDArray[np.float64], counts: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The values below which `BASIS_POINTS` of the counts lie, by interpolation within the bin; NaN without counts."""
    if not len(counts):
        return np.full(len(BASIS_POINTS), np.nan)
    sums = np.cumsum(counts)
    below = np.array(BASIS_POINTS) / 10_000 * sums[-1]
    # A point that falls between two bins is the end of neither but the beginning of the second; the last is its end.
    place = np.minimum(np.searchsorted(sums, below, "right"), len(sums) - 1)
    before = np.where(place > 0, sums[place - 1], 0.0)
    share = np.minimum(1.0, (below - before) / (sums[place] - before))
    found: NDArray[np.float64] = left[place] * (1 - share) + right[place] * share
    return found
