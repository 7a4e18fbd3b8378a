"""Rows of scalars as columns of a message: points as they are, long series in buckets, many of those at once."""

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

_AT_ONCE = 1 << 19
"""Points whose buckets are worked out at once, about: some tens of series, so that the calls for them cost little."""

_MOST_POINTS = 1 << 21
"""Points whose buckets are worked out before the first of them is sent: a few hundredths of a second."""


class ScalarSeries(Timed, Protocol):
    """What is needed of `tbwidget.Scalars`."""

    @property
    def value(self) -> NDArray[np.float64]:
        """Values, as many."""


class _Packed(NamedTuple):
    """What the points of some buckets are like, as it travels."""

    mean: Packed
    smallest: Packed
    largest: Packed
    gaps: NDArray[np.int64] | None
    """Values of each bucket that are not finite; None where all are."""


class BucketedSeries:
    """A series whose buckets of one width are known already."""

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
    """The same series; those that travel in rows of several points, as many as `width_of` their length, with buckets.

    A call of numpy costs more than the points of a series do, and beside a cell that computes in Python it may have to
    wait for the interpreter's lock: so several series share one. Long series gain nothing by that, and stay as they
    are, as do those for which it would take long before anything is sent.
    """
    found = list(many)
    together: list[int] = []
    count, left = 0, _MOST_POINTS
    for place, series in enumerate(many):
        size = len(series)
        if width_of(size) == 1 or size >= _AT_ONCE or size > left:
            continue
        together.append(place)
        count += size
        left -= size
        if count >= _AT_ONCE:
            _put_buckets(found, together, width_of)
            together, count = [], 0
    _put_buckets(found, together, width_of)
    return found


def _put_buckets(series: list[ScalarSeries], places: Sequence[int], width_of: Callable[[int], int]) -> None:
    """Work out the buckets of some of the series at once."""
    if not places:
        return
    counts = [len(series[place]) for place in places]
    widths = [width_of(count) for count in counts]
    rows = [-(-count // width) for count, width in zip(counts, widths, strict=True)]
    before = np.cumsum(counts) - counts
    # Where each bucket begins: its place among those of its series, behind the points of the series before.
    place_in_series = np.arange(sum(rows)) - repeat(np.cumsum(rows) - rows, rows)
    begin = place_in_series * repeat(np.asarray(widths), rows) + repeat(np.asarray(before), rows)
    end = np.append(begin[1:], sum(counts)) - 1
    few = buckets_from(np.concatenate([series[place].value for place in places]), begin, end)
    for place, width, packed in zip(places, widths, _packed(few, rows), strict=True):
        series[place] = BucketedSeries(series[place], width, packed)


def _packed(few: Buckets, rows: Sequence[int]) -> Iterator[_Packed]:
    """The buckets of several series one behind the other, each with so many `rows` (at least one)."""
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
    """The points of a range, so many a row as its step says, as they travel: columns, and what tells their meaning."""
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
        # Of a long series only the last rows are new: what lies before them must cost nothing.
        buckets = buckets_from(series.value[first:end], begin - first, _last_of(segment) - first)
        (packed,) = _packed(buckets, [len(begin)])
    # What series share is not worked out again: there may be very many.
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
    """The last point of each row."""
    begin = np.arange(segment.start, segment.stop, segment.step)
    last: NDArray[np.int64] = np.minimum(begin + segment.step, segment.stop) - 1
    return last
