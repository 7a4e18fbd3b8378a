"""Rows of scalars as columns of a message: points, or buckets of long series, computed for many series at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from tbwidget.panels.scalar_buckets import buckets_from
from tbwidget.records.indices import reduceat, repeat
from tbwidget.wire.columns import Timed, add_times, pack_values, start_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from tbwidget.panels.scalar_buckets import Buckets
    from tbwidget.wire.columns import Columns, Packed

_BATCH_POINTS = 1 << 19
"""Points of a batch whose buckets are computed in common calls: some tens of series."""

_MAX_PREPARED_POINTS = 1 << 21
"""Points whose buckets are computed before the first of them is sent, in a few hundredths of a second."""


class ScalarSeries(Timed, Protocol):
    """The part of `tbwidget.Scalars` that is used here."""

    @property
    def value(self) -> NDArray[np.float64]:
        """One value for each step."""


class _Packed(NamedTuple):
    """Encoded statistics of the points of some buckets."""

    mean: Packed
    smallest: Packed
    largest: Packed
    gaps: NDArray[np.int64] | None
    """Number of values of each bucket that are not finite; None if there are none."""


class BucketedSeries:
    """A series whose buckets of one width are already computed."""

    __slots__ = ("packed", "revision", "step", "superseded", "value", "wall_time", "width")

    def __init__(self, series: ScalarSeries, width: int, packed: _Packed) -> None:
        self.step = series.step
        self.wall_time = series.wall_time
        self.value = series.value
        self.revision = series.revision
        self.superseded = series.superseded
        self.width = width
        self.packed = packed

    def __len__(self) -> int:
        """Count the points."""
        return len(self.step)


def with_buckets(many: Sequence[ScalarSeries], width_of: Callable[[int], int]) -> list[ScalarSeries]:
    """Return the series, with computed buckets where `width_of` a series' length is more than one point.

    Several series share each call of numpy. A call costs more than the points of one series, and beside a cell that
    computes in Python it may wait for the interpreter's lock. Long series gain nothing and stay as they are. So does
    the rest once `_MAX_PREPARED_POINTS` are used up, because nothing is sent in the meantime.
    """
    found = list(many)
    together: list[int] = []
    count, left = 0, _MAX_PREPARED_POINTS
    for place, series in enumerate(many):
        size = len(series)
        if width_of(size) == 1 or size >= _BATCH_POINTS or size > left:
            continue
        together.append(place)
        count += size
        left -= size
        if count >= _BATCH_POINTS:
            _put_buckets(found, together, width_of)
            together, count = [], 0
    _put_buckets(found, together, width_of)
    return found


def _put_buckets(series: list[ScalarSeries], places: Sequence[int], width_of: Callable[[int], int]) -> None:
    """Compute the buckets of several series in common calls."""
    if not places:
        return
    counts = [len(series[place]) for place in places]
    widths = [width_of(count) for count in counts]
    rows = [-(-count // width) for count, width in zip(counts, widths, strict=True)]
    before = np.cumsum(counts) - counts
    # A bucket begins behind the points of the previous series, at its index within its own series.
    place_in_series = np.arange(sum(rows)) - repeat(np.cumsum(rows) - rows, rows)
    begin = place_in_series * repeat(np.asarray(widths), rows) + repeat(np.asarray(before), rows)
    end = np.append(begin[1:], sum(counts)) - 1
    few = buckets_from(np.concatenate([series[place].value for place in places]), begin, end)
    for place, width, packed in zip(places, widths, _packed(few, rows), strict=True):
        series[place] = BucketedSeries(series[place], width, packed)


def _packed(few: Buckets, rows: Sequence[int]) -> Iterator[_Packed]:
    """Encode the buckets of several series, each with its number of `rows`, at least one."""
    first = np.cumsum(rows) - rows
    with np.errstate(over="ignore", invalid="ignore"):
        spread = reduceat(np.fmax, few.largest, first) - reduceat(np.fmin, few.smallest, first)
    spread[~np.isfinite(spread)] = 0.0  # nothing, or too much for arithmetic
    exactly = np.zeros(len(first))
    columns = zip(
        pack_values(few.mean, first, spread),
        pack_values(few.smallest, first, exactly),
        pack_values(few.largest, first, exactly),
        strict=True,
    )
    some = few.gaps.any()
    for at, size, packed in zip(first.tolist(), rows, columns, strict=True):
        gaps = few.gaps[at : at + size]
        yield _Packed(*packed, gaps if some and gaps.any() else None)


def rows_entry(series: ScalarSeries, segment: range, columns: Columns, run: str) -> dict[str, Any]:
    """Encode the points of a range. The step of the range is the number of points in a row."""
    first, end, width = segment.start, segment.stop, segment.step
    part = first, end, width  # ranges of one element are equal, whatever their steps
    step, wall_time = series.step, series.wall_time
    entry = {"revision": series.revision, "width": width, "start": start_of(series)}
    if width == 1:
        entry["step"] = columns.add_part(step, part, lambda: columns.add_steps(step[first:end]))
        entry["wall"] = columns.add_part(
            wall_time, (run, part), lambda: add_times(series, wall_time[first:end], columns, run)
        )
        entry["value"] = columns.add_values(series.value[first:end])
        return entry
    if isinstance(series, BucketedSeries) and segment == range(0, len(series), series.width):
        packed = series.packed
    else:
        begin = np.arange(first, end, width)
        # Only the last rows of a long series are new, and the rows before them must cost nothing.
        buckets = buckets_from(series.value[first:end], begin - first, _last_of(segment) - first)
        (packed,) = _packed(buckets, [len(begin)])
    # Very many series may share their steps and times, which are then encoded once.
    entry["first"] = columns.add_part(step, ("first", part), lambda: columns.add_steps(step[first:end:width]))
    entry["step"] = columns.add_part(step, part, lambda: columns.add_steps(step[_last_of(segment)]))
    entry["wall"] = columns.add_part(
        wall_time, (run, part), lambda: add_times(series, wall_time[_last_of(segment)], columns, run)
    )
    entry["value"] = columns.add_packed(packed.mean)
    entry["min"] = columns.add_packed(packed.smallest)
    entry["max"] = columns.add_packed(packed.largest)
    entry["gaps"] = columns.add_same(0, len(segment)) if packed.gaps is None else columns.add_counts(packed.gaps)
    return entry


def _last_of(segment: range) -> NDArray[np.int64]:
    """Return the index of the last point of each row."""
    begin = np.arange(segment.start, segment.stop, segment.step)
    last: NDArray[np.int64] = np.minimum(begin + segment.step, segment.stop) - 1
    return last
