"""The scalars panel: a series and what the browser already holds of it, in; the rows to send, out."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import traitlets

from tbwidget.options.common import LogValueOptions, TimeAxisOptions
from tbwidget.options.traits import Number, option
from tbwidget.panels.declare import Panel
from tbwidget.panels.scalar_axes import ScalarAxisOptions, SmoothingOptions, is_smoothable
from tbwidget.panels.scalar_buckets import bucket_width
from tbwidget.panels.scalar_compare import CompareOptions
from tbwidget.panels.scalar_rows import rows_entry, with_buckets
from tbwidget.panels.scalar_still import scalars_still
from tbwidget.panels.scalar_superseded import superseded
from tbwidget.panels.scalar_table import scalars_table
from tbwidget.wire.content import SeriesContent, SeriesCounts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tbwidget.logs.accessors import Logs
    from tbwidget.logs.series import Scalars
    from tbwidget.panels.scalar_rows import ScalarSeries
    from tbwidget.wire.columns import Columns
    from tbwidget.wire.content import Reduced

WHOLE_SERIES = 4096
"""A series of up to this many points travels whole when it is looked at.

Keep in step with js/src/lines/series.ts.
"""

FINE_ROWS = 2048
"""Buckets of a longer series at most, at its finest."""

COARSE_ROWS = 64
"""Rows of the coarse version, in which every series travels first: its points if there are no more, else buckets."""


COARSE_TOTAL = 2_000_000
"""Rows of all coarse versions together: with very many series, each gets fewer."""

POINT_BYTES = 24
"""What a point takes in a message at most."""

_BUCKET_BYTES = 7 * 8


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


def next_part(series: ScalarSeries, width: int, sent: Sent | None) -> Part | None:
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


def entry_of(series: ScalarSeries, part: Part, columns: Columns, run: str) -> dict[str, Any]:
    """The part as it travels, without its names; its columns are added to those of the message."""
    total, width = part.sent.total, part.sent.width
    entry = rows_entry(series, range(part.start, total, width), columns, run)
    if width > 1:
        entry["last"] = _as_json(float(series.value[total - 1]))
    if total > WHOLE_SERIES:  # the browser sees shorter ones whole
        entry["smoothable"] = is_smoothable(series.value)
    return {"keep": part.keep, "total": total, "superseded": series.superseded, **entry}


def _as_json(value: float) -> float | str:
    """Return the number, or a text for one that JSON cannot hold."""
    return value if math.isfinite(value) else repr(value)


def detail_of(total: int, inside: range, rows: int, held: int = 1) -> range | None:
    """A segment of a long series in narrower rows, about `rows` of them: range(first point, end, points a row).

    It covers whole buckets of the full version of the series of `total` points, or of `held` points where the browser
    has these: those in which points `inside` lie, and one more on either side. None where there is nothing to gain.
    """
    base = max(fine_width(total), held)
    start = max(0, inside.start // base - 1) * base
    end = min(total, ((inside.stop - 1) // base + 2) * base)
    width = 1 if end - start <= rows else bucket_width(end - start, rows // 2)
    return range(start, end, width) if width < base else None


def detail_entry(series: ScalarSeries, segment: range, columns: Columns, run: str) -> dict[str, Any]:
    """A segment as it travels: like a part, but that it begins at point `from`, and `total` are its own points."""
    entry = rows_entry(series, segment, columns, run)
    total = segment.stop - segment.start
    return {"from": segment.start, "keep": 0, "total": total, "superseded": 0, **entry}


class ScalarsContent(SeriesContent):
    """Series of scalars, in points or in buckets of points."""

    kind = "scalars"
    prefetch_bytes = 32_000_000
    # What is new of it, and once more coarsely.
    max_bytes = max(POINT_BYTES * WHOLE_SERIES, _BUCKET_BYTES * FINE_ROWS) + _BUCKET_BYTES * COARSE_ROWS

    def read(self, logs: Logs, run: str, tag: str) -> Scalars:
        """The series. Raises KeyError where it is gone."""
        return logs.scalars(run, tag)

    def full_size(self, series: ScalarSeries) -> int:
        """Bytes that it takes in full, about."""
        return min(len(series), WHOLE_SERIES) * POINT_BYTES

    def coarse_is_full(self, series: ScalarSeries, counts: SeriesCounts) -> bool:
        """Whether its coarse version is its full one."""
        return coarse_width(len(series), _coarse_rows(counts)) == fine_width(len(series))

    def next_part(self, series: ScalarSeries, sent: Sent | None, counts: SeriesCounts, *, fine: bool) -> Part | None:
        """What to send so that the browser holds it coarsely, or in full; None when it already does."""
        total = len(series)
        return next_part(series, fine_width(total) if fine else coarse_width(total, _coarse_rows(counts)), sent)

    def prepare(self, many: Sequence[ScalarSeries], counts: SeriesCounts) -> Sequence[ScalarSeries]:
        """The same series, with the buckets of their coarse versions."""
        rows = _coarse_rows(counts)
        return with_buckets(many, lambda total: coarse_width(total, rows))

    def entry(self, series: ScalarSeries, part: Part, columns: Columns, run: str) -> dict[str, Any]:
        """The part as it travels."""
        return entry_of(series, part, columns, run)

    def detail(
        self, series: ScalarSeries, _sent: Sent | None, inside: range, share: float, reduced: Reduced | None
    ) -> tuple[range, int] | None:
        """A segment in narrower rows."""
        total, rows = len(series), round(WHOLE_SERIES * share)
        held = 1 if reduced is None else reduced.width
        found = detail_of(total, inside, rows if reduced is None else min(rows, reduced.rows), held)
        return None if found is None else (found, max(held, fine_width(total)))

    def detail_entry(self, series: ScalarSeries, segment: range, columns: Columns, run: str) -> dict[str, Any]:
        """A segment as it travels."""
        return detail_entry(series, segment, columns, run)


def _coarse_rows(counts: SeriesCounts) -> int:
    return max(16, min(COARSE_ROWS, COARSE_TOTAL // max(1, counts.total)))


SCALARS = ScalarsContent()


class ScalarsOptions(traitlets.HasTraits):
    """What can be chosen for lines alone."""

    smoothing = option(
        Number(0.6, min=0.0, max=0.999),
        """Weight of earlier values in smoothed lines if `smoothing_kind` is "ema"; 0 means no smoothing. Type: float, 0
        to 0.999. Default: 0.6.""",
    )


PANEL = Panel(
    name="scalars",
    contents=(SCALARS,),
    options=(
        TimeAxisOptions,
        ScalarsOptions,
        SmoothingOptions,
        LogValueOptions,
        ScalarAxisOptions,
        CompareOptions,
    ),
    view="ScalarsView",
    view_doc="The scalar charts of a log directory, and nothing else.",
    requests={"superseded": superseded, "table": scalars_table},
    still=scalars_still,
)
