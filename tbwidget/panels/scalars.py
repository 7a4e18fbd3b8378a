"""The scalars panel: a series and what the browser already holds of it, in; the rows to send, out."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from tbwidget.panels.decimate import Buckets, bucket_width, buckets

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tbwidget.panels.columns import Columns

WHOLE_SERIES = 4096
"""A series of up to this many points travels whole when it is looked at; keep in step with js/src/wire/coarsen.ts."""

FINE_ROWS = 2048
"""Buckets of a longer series at most, at its finest."""

COARSE_ROWS = 64
"""Rows of the coarse version, in which every series travels first: its points if there are no more, else buckets."""

LATEST = 1e12
"""Wall times beyond this (seconds since the epoch) are nonsense, not dates."""


class Series(Protocol):
    """What is needed of `tbwidget.logs.Scalars`."""

    @property
    def step(self) -> NDArray[np.int64]:
        """Steps, in the order written."""

    @property
    def wall_time(self) -> NDArray[np.float64]:
        """Wall times, as many."""

    @property
    def value(self) -> NDArray[np.float64]:
        """Values, as many."""

    @property
    def revision(self) -> int:
        """Changes when points did that were there before."""

    @property
    def superseded(self) -> int:
        """Points left out because a restart wrote them anew."""

    def __len__(self) -> int:
        """Points."""


class Sent(NamedTuple):
    """What the browser holds of a series, if no message was lost: the same rows for whoever gets there."""

    revision: int
    total: int
    """Points of the series itself."""
    width: int
    """Points a row: 1, or those of a bucket."""


@dataclass(frozen=True, slots=True)
class Part:
    """Rows for the browser: it keeps the first `keep` of those it has and appends these, from point `start` on."""

    keep: int
    start: int
    sent: Sent


def fine_width(total: int) -> int:
    """Points a row of the finest version that is sent."""
    return 1 if total <= WHOLE_SERIES else bucket_width(total, FINE_ROWS)


def coarse_width(total: int, rows: int = COARSE_ROWS) -> int:
    """Points a row of the coarse version."""
    return bucket_width(total, rows)


def next_part(series: Series, width: int, sent: Sent | None) -> Part | None:
    """What to send so that the browser holds `series` in rows of `width` points; None when it already does.

    `sent` is what it holds, None when nothing (or nothing certain). Sending parts one after the other always ends in
    the same rows as sending the grown series at once.
    """
    total = len(series)
    now = Sent(series.revision, total, width)
    if sent == now:
        return None
    continues = sent is not None and sent.revision == now.revision and sent.width == width and sent.total <= total
    # The last bucket stays open until it is full.
    keep = sent.total // width if sent is not None and continues else 0
    return Part(keep, keep * width, now)


def entry_of(series: Series, part: Part, columns: Columns, run: str) -> dict[str, Any]:
    """The part as it travels, without its names; its columns are added to those of the message."""
    entry = _rows(series, range(part.start, part.sent.total, part.sent.width), columns, run)
    return {"keep": part.keep, "total": part.sent.total, "superseded": series.superseded, **entry}


def detail_of(series: Series, steps: tuple[float, float], rows: int) -> range | None:
    """A stretch of a long series in narrower rows, about `rows` of them: range(first point, end, points a row).

    It covers whole buckets of the series' full version, those in which steps lie between the two given, and one more
    on either side. None where there is nothing to gain.
    """
    total, base = len(series), fine_width(len(series))
    inside = np.flatnonzero((series.step >= steps[0]) & (series.step <= steps[1])) if base > 1 else np.empty(0)
    if not len(inside):
        return None
    start = max(0, int(inside[0]) // base - 1) * base
    end = min(total, (int(inside[-1]) // base + 2) * base)
    width = 1 if end - start <= rows else bucket_width(end - start, rows // 2)
    return range(start, end, width) if width < base else None


def detail_entry(series: Series, stretch: range, columns: Columns, run: str) -> dict[str, Any]:
    """A stretch as it travels: like a part, but that it begins at point `from`, and `total` are its own points."""
    entry = _rows(series, stretch, columns, run)
    total = stretch.stop - stretch.start
    return {"from": stretch.start, "keep": 0, "total": total, "superseded": 0, **entry}


def _rows(series: Series, stretch: range, columns: Columns, run: str) -> dict[str, Any]:
    first, end, width = stretch.start, stretch.stop, stretch.step
    start = float(series.wall_time[0]) if len(series) else 0.0
    entry = {"revision": series.revision, "width": width, "start": start if abs(start) < LATEST else None}
    if width == 1:
        entry["step"] = columns.add_steps(series.step[first:end])
        entry["wall"] = _times(series, series.wall_time[first:end], columns, run)
        entry["value"] = columns.add_values(series.value[first:end])
    else:
        few = buckets(series.value[:end], width, first)
        entry["first"] = columns.add_steps(series.step[few.begin])
        entry["step"] = columns.add_steps(series.step[few.end])
        entry["wall"] = _times(series, series.wall_time[few.end], columns, run)
        entry["value"] = columns.add_values(few.mean, _spread(few))
        entry["min"] = columns.add_values(few.smallest)
        entry["max"] = columns.add_values(few.largest)
        entry["gaps"] = columns.add_counts(few.gaps)
    return entry


def _times(series: Series, times: NDArray[np.float64], columns: Columns, run: str) -> int:
    if not len(times):
        return columns.add_raw(times)
    start, end = float(series.wall_time[0]), float(series.wall_time[-1])
    if not abs(start) < LATEST:
        return columns.add_raw(times)
    offsets = times - start
    if not (np.abs(offsets) < LATEST).all():
        # Beyond all dates float32 would lose the times of the others; those themselves are no times.
        offsets = np.where(np.abs(offsets) < LATEST, offsets, np.nan)
        return columns.add_raw(offsets)
    return columns.add_times(offsets, end - start, run)


def _spread(few: Buckets) -> float:
    """What the values span; 0 if that is nothing, or too much for arithmetic."""
    held = few.smallest[np.isfinite(few.smallest)]
    with np.errstate(over="ignore"):
        spread = float(np.nanmax(few.largest) - held.min()) if len(held) else 0.0
    return spread if math.isfinite(spread) else 0.0
