"""The bins of several histograms as they travel: as many, as narrow and as full as the writer made them.

Most writers cut in one of two ways: evenly between the least and the greatest value, or along a grid that is the same
for all steps. Then only what differs from step to step travels.
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


MOST_BINS = 2048
"""Bins of a histogram that travel at most; of more, neighbors are joined."""

UNEVEN = 2.0**-10
"""Share of its width by which a bin may differ from an even one: no screen shows less than a thousandth of a bin."""

LEAST_ROW_BYTES = 64
"""What a histogram takes beside its bins: step, time, ends, moments."""

MOST_ROW_BYTES = MOST_BINS * 24 + LEAST_ROW_BYTES
"""What a histogram takes in a message at most."""


@dataclass(frozen=True, eq=False)
class Bins:
    """The bins of histograms, one histogram after the other."""

    lengths: NDArray[np.int64]
    """Bins of each histogram."""
    left: NDArray[np.float64]
    """Edges and counts of all bins."""
    right: NDArray[np.float64]
    counts: NDArray[np.float64]
    mean: NDArray[np.float64]
    """Of each histogram, as its writer says it; NaN where it says nothing."""
    deviation: NDArray[np.float64]
    """Standard deviation, likewise."""

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Where each histogram begins."""
        starts: NDArray[np.int64] = np.cumsum(self.lengths) - self.lengths
        return starts

    @cached_property
    def encoding(self) -> EdgeEncoding:
        """The shortest way to say where the bins are."""
        return _edge_encoding(self)

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """Bytes that each histogram takes in a message, about, and not less; without what all share."""
        return self.lengths * (self.encoding.edge_bytes + exact_bytes(self.counts)) + LEAST_ROW_BYTES

    @property
    def size(self) -> int:
        """Bytes that all of them take."""
        return int(self.sizes.sum()) + self.shared

    @property
    def shared(self) -> int:
        """Bytes that they share."""
        return 0 if self.encoding.grid is None else self.encoding.grid.nbytes


_END_OF_POWERS = 1e20


def _powers() -> NDArray[np.float64]:
    edge, edges = 1e-12, []
    while edge < _END_OF_POWERS:
        edges.append(edge)
        edge *= 1.1
    return np.array([*(-edge for edge in reversed(edges)), 0.0, *edges])


POWERS = _powers()
"""The edges between which TensorFlow 1, torch and tensorboardX count unless told otherwise: ±1e-12 · 1.1^k."""


def moments(
    num: NDArray[np.float64], total: NDArray[np.float64], squares: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean and standard deviation from number, sum and sum of squares; NaN where there is nothing to divide by."""
    with np.errstate(all="ignore"):
        mean = total / np.where(num > 0, num, np.nan)
        spread = squares / np.where(num > 0, num, np.nan) - mean * mean
        # Rounding leaves a little less than nothing of what was equal.
        return mean, np.sqrt(np.where(spread < 0, 0.0, spread))


def compact(bins: Bins) -> Bins:
    """The same without empty bins at either end, and with `MOST_BINS` a histogram at most."""
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
    return kept if (kept.lengths <= MOST_BINS).all() else _joined(kept)


def _joined(bins: Bins) -> Bins:
    """Neighboring bins counted as one, where there are too many."""
    group = -(-bins.lengths // MOST_BINS)
    lengths = -(-bins.lengths // np.maximum(group, 1))
    within = np.arange(lengths.sum()) - repeat(np.cumsum(lengths) - lengths, lengths)
    heads = repeat(bins.starts, lengths) + within * repeat(group, lengths)
    left = reduceat(np.fmin, bins.left, heads)
    right = reduceat(np.fmax, bins.right, heads)
    # What is no count must not take those of its neighbors with it.
    counts = np.where((bins.counts > 0) & np.isfinite(bins.counts), bins.counts, 0.0)
    with np.errstate(over="ignore"):
        counts = reduceat(np.add, counts, heads)
    return Bins(lengths, left, right, counts, bins.mean, bins.deviation)


def chosen(bins: Bins, rows: NDArray[np.int64]) -> Bins:
    """Some of the histograms, in ascending order."""
    keep = np.zeros(len(bins.lengths), bool)
    keep[rows] = True
    every = repeat(keep, bins.lengths)
    left, right, counts = (column[every] for column in (bins.left, bins.right, bins.counts))
    return Bins(bins.lengths[rows], left, right, counts, bins.mean[rows], bins.deviation[rows])


def together(parts: Sequence[Bins]) -> Bins:
    """All histograms of all parts."""
    if len(parts) == 1:
        return parts[0]

    def column(name: str) -> NDArray[np.float64]:
        return np.concatenate([np.empty(0), *(getattr(part, name) for part in parts)])

    lengths = np.concatenate([np.empty(0, np.int64), *(part.lengths for part in parts)])
    return Bins(lengths, *(column(name) for name in ("left", "right", "counts", "mean", "deviation")))


@dataclass(frozen=True, slots=True)
class EdgeEncoding:
    """How histograms are cut into bins."""

    edge_bytes: int
    """What the edges of a bin take in a message."""
    low: NDArray[np.float64] | None = None
    """Left end of each histogram, NaN where it is empty; None where bins do not follow one on the other."""
    high: NDArray[np.float64] | None = None
    inner_edges: NDArray[np.float64] | None = None
    """Edges between the ends, where neither evenness nor a grid tells them."""
    at: NDArray[np.int64] | None = None
    """Where on the grid the first edge between the ends is."""
    grid: NDArray[np.float64] | None = None
    """None with `at`: the grid is `POWERS`."""


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
    """The bins as they travel; their columns are added to those of the message."""
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
    """All bins of each histogram are of one width."""
    within = np.arange(len(bins.left)) - repeat(bins.starts, bins.lengths)
    with np.errstate(all="ignore"):
        width = repeat((high - low) / bins.lengths, bins.lengths)
        off = np.abs(repeat(low, bins.lengths) + within * width - bins.left)
        return bool((off <= UNEVEN * width).all())


def _grid_offsets(
    grid: NDArray[np.float64], inner_edges: NDArray[np.float64], lengths: NDArray[np.int64]
) -> NDArray[np.int64] | None:
    """Where on the grid each histogram's inner_edges begin, if all are consecutive edges of the grid."""
    starts = np.cumsum(lengths) - lengths
    at = np.zeros(len(lengths), np.int64)
    some = lengths > 0
    at[some] = np.searchsorted(grid, inner_edges[starts[some]])
    position = repeat(at - starts, lengths) + np.arange(len(inner_edges))
    if position.max(initial=0) >= len(grid):
        return None
    return at if np.array_equal(grid[position], inner_edges) else None
