"""Histograms: v1 messages and v2 tensors alike, as left and right edges and counts.

The forms follow tensorboard/data_compat.py (v1 to v2) and plugins/histogram/summary_v2.py (`[k, 3]`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from tbwidget.logs.kinds.declare import Kind, Table
from tbwidget.logs.sequences import ItemSequence, ReadOnlyArrays, readable
from tbwidget.reasons import Reason, reason_of
from tbwidget.records.indices import repeat
from tbwidget.records.values import forms
from tbwidget.records.values.arrays import Array, TensorError, floats_of
from tbwidget.texts import pluralize

if TYPE_CHECKING:
    from tbwidget.logs.source import LogSource
    from tbwidget.proto.summary_pb2 import Summary

_COLUMNS = 3  # left, right, count

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Histogram(ReadOnlyArrays):
    """One histogram of k buckets, as written: nothing is rounded, ordered or made whole."""

    step: int
    wall_time: float
    """Seconds since the epoch."""
    left: Floats
    """float64[k]: where each bucket begins."""
    right: Floats
    """float64[k]: where it ends; zero width is possible."""
    counts: Floats
    """float64[k]; writers may have written fractions and negative ones."""
    min: float | None = None
    """Smallest number counted; like the next four None in the newer form (a tensor), which does not carry it."""
    max: float | None = None
    num: float | None = None
    sum: float | None = None
    sum_squares: float | None = None

    @property
    def edges(self) -> Floats | None:
        """float64[k + 1] where each bucket begins at the end of the one before; None otherwise, and without buckets."""
        if not len(self.left) or not np.array_equal(self.left[1:], self.right[:-1]):
            return None
        edges = np.append(self.left, self.right[-1])
        edges.flags.writeable = False
        return edges

    def __repr__(self) -> str:
        """Say at which step, how many buckets and over which range."""
        if not len(self.left):
            return f"Histogram(step {self.step}, no buckets)"
        with np.errstate(all="ignore"):
            total = self.counts.sum()
        buckets = f"{pluralize(len(self.left), 'bucket')} from {self.left[0]:g} to {self.right[-1]:g}"
        return f"Histogram(step {self.step}, {buckets}, {total:g} counted)"


@dataclass(frozen=True, slots=True, eq=False)
class Buckets:
    """The buckets of m histograms in a row. All arrays are read-only."""

    offsets: Indices
    """int64[m + 1]: the buckets of histogram i are those from offsets[i] up to offsets[i + 1]."""
    left: Floats
    """float64[offsets[-1]], as the next two."""
    right: Floats
    counts: Floats
    num: Floats
    """float64[m], as the next two: numbers counted; NaN where the form written does not carry it."""
    sum: Floats
    sum_squares: Floats

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        for column in (getattr(self, each.name) for each in fields(self)):
            column.flags.writeable = False

    def __len__(self) -> int:
        """Count the histograms."""
        return len(self.offsets) - 1

    def __repr__(self) -> str:
        """Say how many histograms and buckets there are."""
        return f"Buckets({pluralize(len(self), 'histogram')}, {pluralize(len(self.left), 'bucket')})"


class Histograms(ItemSequence[Histogram]):
    """The histograms of one tag of one run, n of them in the order written; `h[i]` is a `Histogram`."""

    def decode(self, indices: Iterable[int] | None = None) -> Buckets:
        """Read all histograms, or some, into common arrays. An unreadable one becomes a problem and has no buckets."""
        wanted = list(range(len(self)) if indices is None else indices)
        found = dict.fromkeys(wanted, _NO_BUCKETS)
        for index, value in readable(self._items, found):
            try:
                found[index] = buckets_of(value)
            except ValueError as error:
                self._items.report_invalid(index, reason_of(error))
        return concatenated([found[index] for index in wanted])

    def _decode(self, index: int, value: Summary.Value) -> Histogram:
        left, right, counts, _ = buckets_of(value)
        for column in (left, right, counts):
            column.flags.writeable = False
        histo = value.histo
        moments = (histo.min, histo.max, histo.num, histo.sum, histo.sum_squares) if value.HasField("histo") else ()
        return Histogram(int(self.step[index]), float(self.wall_time[index]), left, right, counts, *moments)


_OneHistogram = tuple[Floats, Floats, Floats, tuple[float, float, float]]
"""Left and right edges and counts of its buckets; `num`, `sum` and `sum_squares`."""

_NO_MOMENTS = (np.nan, np.nan, np.nan)
_NO_BUCKETS: _OneHistogram = (np.empty(0), np.empty(0), np.empty(0), _NO_MOMENTS)


def buckets_of(value: Summary.Value) -> _OneHistogram:
    """Return the buckets of a value. Raises TensorError if it is no histogram.

    Empty v1 buckets at both ends are left out, and v1 gets its real outer edges. v2 keeps all buckets.
    """
    if not value.HasField("histo"):
        table = floats_of(value.tensor)
        if table.ndim != 2 or table.shape[1] != _COLUMNS:  # noqa: PLR2004 (rows and columns)
            raise TensorError(Reason("histogram-shape", shape=list(table.shape)))
        return table[:, 0], table[:, 1], table[:, 2], _NO_MOMENTS
    histo = value.histo
    counts, limits = np.array(histo.bucket, np.float64), np.array(histo.bucket_limit, np.float64)
    if len(limits) < len(counts) - 1:
        raise TensorError(Reason("histogram-lengths", counts=len(counts), limits=len(limits)))
    # One limit too few, or further ones, stand at ends, which are the smallest and largest number anyway.
    edges = np.zeros(len(counts) + 1)
    edges[1 : len(limits) + 1] = limits[: len(counts)]
    filled = np.flatnonzero(counts)
    first, end = (filled[0], filled[-1] + 1) if len(filled) else (0, 0)
    if len(filled):
        edges[first], edges[end] = histo.min, histo.max
    moments = histo.num, histo.sum, histo.sum_squares
    return edges[first:end], edges[first + 1 : end + 1], counts[first:end], moments


def concatenated(histograms: Sequence[_OneHistogram]) -> Buckets:
    """Return the buckets of several histograms, one histogram after the other."""
    lefts, rights, counts, moments = zip(*histograms, strict=True) if histograms else ((), (), (), ())
    offsets = np.cumsum([0, *map(len, counts)], dtype=np.int64)
    columns = (np.concatenate([np.empty(0), *parts]) for parts in (lefts, rights, counts))
    return Buckets(offsets, *columns, *np.array(moments, np.float64).reshape(-1, 3).T)


def _table(histograms: Histograms) -> dict[str, Array]:
    buckets = histograms.decode()
    lengths = np.diff(buckets.offsets)
    return {
        "step": repeat(histograms.step, lengths),
        "wall_time": repeat(histograms.wall_time, lengths),
        "left": buckets.left,
        "right": buckets.right,
        "count": buckets.counts,
    }


def histograms(source: LogSource, run: str, tag: str, *, superseded: bool = False) -> Histograms:
    """Return the histograms of a tag, in the order written.

    Values that a restart wrote again are left out unless `superseded` is true.

    Raises:
        KeyError: The run or the tag does not exist, or the tag holds another kind of data.

    Example:
        >>> logs.histograms("run1", "weights")[-1].counts
    """
    return Histograms(source.items(run, tag, KIND.name, superseded=superseded))


KIND = Kind(
    "histograms",
    plugins=("histograms",),
    forms=frozenset({forms.HISTO, forms.TRIPLES, forms.SIX_TRIPLES}),
    table=Table(_table, dict.fromkeys(("left", "right", "count"), np.float64)),
)
