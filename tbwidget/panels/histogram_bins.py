"""The bins of several histograms on the wire, exactly as the writer made them.

Most writers cut in one of two ways: evenly between the smallest and the largest value, or along a grid that is the same
for all steps. Then only the differences between steps travel.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tbwidget.records.indices import reduceat, repeat
from tbwidget.wire.columns import Columns, exact_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


MAX_BINS = 2048
"""Upper bound for the bins of a histogram that is sent. Beyond it, neighboring bins are joined."""

UNEVEN = 2.0**-10
"""Fraction of its width by which a bin may differ from an even one. No screen shows a thousandth of a bin."""

MIN_ROW_BYTES = 64
"""Bytes of a histogram without its bins: step, time, ends, moments."""

MAX_ROW_BYTES = MAX_BINS * 24 + MIN_ROW_BYTES
"""Upper bound for a histogram in a message."""


@dataclass(frozen=True, eq=False)
class Bins:
    """The bins of several histograms in common columns, histogram by histogram."""

    lengths: NDArray[np.int64]
    """Bins of each histogram."""
    left: NDArray[np.float64]
    """Left edges of all bins; the next two columns have their right edges and counts."""
    right: NDArray[np.float64]
    counts: NDArray[np.float64]
    mean: NDArray[np.float64]
    """Mean of each histogram as its writer declares it; NaN if it does not."""
    deviation: NDArray[np.float64]
    """Standard deviation of each histogram as its writer declares it; NaN if it does not."""

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Index of the first bin of each histogram."""
        starts: NDArray[np.int64] = np.cumsum(self.lengths) - self.lengths
        return starts

    @cached_property
    def encoding(self) -> EdgeEncoding:
        """The shortest encoding of the edges."""
        return _edge_encoding(self)

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """Upper estimate of the bytes of each histogram in a message, without the shared grid."""
        return self.lengths * (self.encoding.edge_bytes + exact_bytes(self.counts)) + MIN_ROW_BYTES

    @property
    def size(self) -> int:
        """Bytes of all histograms in a message."""
        return int(self.sizes.sum()) + self.shared

    @property
    def shared(self) -> int:
        """Bytes of the shared grid."""
        return 0 if self.encoding.grid is None else self.encoding.grid.nbytes


_END_OF_POWERS = 1e20


def _powers() -> NDArray[np.float64]:
    edge, edges = 1e-12, []
    while edge < _END_OF_POWERS:
        edges.append(edge)
        edge *= 1.1
    return np.array([*(-edge for edge in reversed(edges)), 0.0, *edges])


POWERS = _powers()
"""The default edges of TensorFlow 1, torch and tensorboardX: ±1e-12 · 1.1^k."""


def moments(
    num: NDArray[np.float64], total: NDArray[np.float64], squares: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return mean and standard deviation from number, sum and sum of squares; NaN for an empty histogram."""
    with np.errstate(all="ignore"):
        mean = total / np.where(num > 0, num, np.nan)
        spread = squares / np.where(num > 0, num, np.nan) - mean * mean
        # Rounding makes the variance of equal values slightly negative.
        return mean, np.sqrt(np.where(spread < 0, 0.0, spread))


def compact(bins: Bins) -> Bins:
    """Return the histograms without empty bins at either end, with at most `MAX_BINS` bins each."""
    rows = repeat(np.arange(len(bins.lengths)), bins.lengths)
    full = np.flatnonzero(bins.counts != 0)
    begin = np.searchsorted(rows[full], np.arange(len(bins.lengths)), "left")
    end = np.searchsorted(rows[full], np.arange(len(bins.lengths)), "right")
    some = end > begin
    first, last = np.zeros_like(bins.lengths), np.full_like(bins.lengths, -1)
    first[some], last[some] = full[begin[some]], full[end[some] - 1]
    if (last - first + 1 == bins.lengths).all():
        kept = bins
    else:
        position = np.arange(len(rows))
        keep = (position >= first[rows]) & (position <= last[rows])
        left, right, counts = (column[keep] for column in (bins.left, bins.right, bins.counts))
        kept = Bins(last - first + 1, left, right, counts, bins.mean, bins.deviation)
    return kept if (kept.lengths <= MAX_BINS).all() else _joined(kept)


def _joined(bins: Bins) -> Bins:
    """Join neighboring bins of histograms that have too many."""
    group = -(-bins.lengths // MAX_BINS)
    lengths = -(-bins.lengths // np.maximum(group, 1))
    within = np.arange(lengths.sum()) - repeat(np.cumsum(lengths) - lengths, lengths)
    heads = repeat(bins.starts, lengths) + within * repeat(group, lengths)
    left = reduceat(np.fmin, bins.left, heads)
    right = reduceat(np.fmax, bins.right, heads)
    # An invalid count must not spoil the sum with its neighbors.
    counts = np.where((bins.counts > 0) & np.isfinite(bins.counts), bins.counts, 0.0)
    with np.errstate(over="ignore"):
        counts = reduceat(np.add, counts, heads)
    return Bins(lengths, left, right, counts, bins.mean, bins.deviation)


def chosen(bins: Bins, rows: NDArray[np.int64]) -> Bins:
    """Return some of the histograms, in ascending order."""
    keep = np.zeros(len(bins.lengths), bool)
    keep[rows] = True
    every = repeat(keep, bins.lengths)
    left, right, counts = (column[every] for column in (bins.left, bins.right, bins.counts))
    return Bins(bins.lengths[rows], left, right, counts, bins.mean[rows], bins.deviation[rows])


def together(parts: Sequence[Bins]) -> Bins:
    """Concatenate all histograms of all parts."""
    if len(parts) == 1:
        return parts[0]

    def column(name: str) -> NDArray[np.float64]:
        return np.concatenate([np.empty(0), *(getattr(part, name) for part in parts)])

    lengths = np.concatenate([np.empty(0, np.int64), *(part.lengths for part in parts)])
    return Bins(lengths, *(column(name) for name in ("left", "right", "counts", "mean", "deviation")))


@dataclass(frozen=True, slots=True)
class EdgeEncoding:
    """An encoding of the edges of bins: explicit, even, or on a grid."""

    edge_bytes: int
    """Bytes of the edges of one bin in a message."""
    low: NDArray[np.float64] | None = None
    """Left end of each histogram, NaN for an empty one; None if bins are not contiguous."""
    high: NDArray[np.float64] | None = None
    inner_edges: NDArray[np.float64] | None = None
    """Edges between the ends; None if they are even or on a grid."""
    at: NDArray[np.int64] | None = None
    """Index on the grid of the first edge between the ends; None without a grid."""
    grid: NDArray[np.float64] | None = None
    """The edges of the grid; None for `POWERS`."""


def _edge_encoding(bins: Bins) -> EdgeEncoding:
    inside = np.ones(len(bins.left), bool)
    inside[bins.starts[bins.lengths > 0]] = False
    inner_edges = bins.left[inside]
    if not np.array_equal(inner_edges, bins.right[:-1][inside[1:]]):
        return EdgeEncoding(16)
    low, high = _ends(bins)
    if _even(bins, low, high):
        return EdgeEncoding(0, low, high)
    lengths = np.maximum(bins.lengths - 1, 0)
    if (at := _grid_offsets(POWERS, inner_edges, lengths)) is not None:
        return EdgeEncoding(0, low, high, at=at)
    grid = np.unique(inner_edges)
    if 2 * len(grid) <= len(inner_edges) and (at := _grid_offsets(grid, inner_edges, lengths)) is not None:
        return EdgeEncoding(0, low, high, at=at, grid=grid)
    return EdgeEncoding(8, low, high, inner_edges)


def entry_of(bins: Bins, columns: Columns) -> dict[str, Any]:
    """Encode the bins, and add their columns to the message."""
    entry: dict[str, Any] = {"bins": columns.add_counts(bins.lengths), "count": columns.add_exact(bins.counts)}
    if not np.isnan(bins.mean).all():
        entry["mean"] = columns.add_values(bins.mean)
        entry["deviation"] = columns.add_values(bins.deviation)
    encoding = bins.encoding
    if encoding.low is None or encoding.high is None:
        return {**entry, "left": columns.add_raw(bins.left), "right": columns.add_raw(bins.right)}
    entry["low"], entry["high"] = columns.add_values(encoding.low), columns.add_values(encoding.high)
    if encoding.at is not None:
        entry["at"] = columns.add_counts(encoding.at)
    if encoding.grid is not None:
        entry["grid"] = columns.add_raw(encoding.grid)
    if encoding.inner_edges is not None:
        entry["edge"] = columns.add_raw(encoding.inner_edges)
    return entry


def _ends(bins: Bins) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    low, high = np.full(len(bins.lengths), np.nan), np.full(len(bins.lengths), np.nan)
    some = bins.lengths > 0
    low[some] = bins.left[bins.starts[some]]
    high[some] = bins.right[(bins.starts + bins.lengths - 1)[some]]
    return low, high


def _even(bins: Bins, low: NDArray[np.float64], high: NDArray[np.float64]) -> bool:
    """Whether all bins of each histogram have the same width."""
    within = np.arange(len(bins.left)) - repeat(bins.starts, bins.lengths)
    with np.errstate(all="ignore"):
        width = repeat((high - low) / bins.lengths, bins.lengths)
        off = np.abs(repeat(low, bins.lengths) + within * width - bins.left)
        return bool((off <= UNEVEN * width).all())


def _grid_offsets(
    grid: NDArray[np.float64], inner_edges: NDArray[np.float64], lengths: NDArray[np.int64]
) -> NDArray[np.int64] | None:
    """Return the grid index where each histogram's inner edges begin; None unless all are consecutive grid edges."""
    starts = np.cumsum(lengths) - lengths
    at = np.zeros(len(lengths), np.int64)
    some = lengths > 0
    at[some] = np.searchsorted(grid, inner_edges[starts[some]])
    position = repeat(at - starts, lengths) + np.arange(len(inner_edges))
    if position.max(initial=0) >= len(grid):
        return None
    return at if np.array_equal(grid[position], inner_edges) else None
