"""The scalars panel: decides which rows of a series the browser lacks, and encodes them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import traitlets

from tbwidget.logs.tagorder import in_order
from tbwidget.options.colors import run_color
from tbwidget.options.common import LogValueOptions, NamedRangeOptions, StepOverviewOptions, TimeAxisOptions
from tbwidget.options.traits import Number, option
from tbwidget.panels.declare import Panel, PreviewChart, PreviewLine
from tbwidget.panels.descriptions import shown_names
from tbwidget.panels.scalar_answers import scalars_table, superseded
from tbwidget.panels.scalar_buckets import bucket_width
from tbwidget.panels.scalar_options import CompareOptions, ScalarAxisOptions, SmoothingOptions, is_smoothable
from tbwidget.panels.scalar_rows import rows_entry, with_buckets
from tbwidget.wire.content import SeriesContent, SeriesCounts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tbwidget.logs.accessors import Logs
    from tbwidget.logs.series import Scalars
    from tbwidget.panels.scalar_rows import ScalarSeries
    from tbwidget.wire.columns import Columns
    from tbwidget.wire.content import Reduced


WHOLE_SERIES = 4096
"""Upper bound for the points of a series that is sent whole when it is on the screen.

Twin of the constant in js/src/lines/series.ts.
"""

FINE_ROWS = 2048
"""Upper bound for the buckets of a longer series in its finest version."""

COARSE_ROWS = 64
"""Upper bound for the rows of the coarse version, which is sent first: all points of a short series, else buckets."""


COARSE_TOTAL = 2_000_000
"""Upper bound for the rows of all coarse versions together: with very many series, each gets fewer."""

POINT_BYTES = 24
"""Upper bound for the bytes of a point in a message."""

_BUCKET_BYTES = 7 * 8


class Sent(NamedTuple):
    """The rows of a series that the browser has, if no message was lost. They do not depend on earlier messages."""

    revision: int
    total: int
    """Points of the whole series."""
    width: int
    """Points of a row: 1, or more for buckets."""


@dataclass(frozen=True, slots=True)
class Part:
    """Rows for the browser. It keeps the first `keep` rows that it has and appends these, from point `start` on."""

    keep: int
    start: int
    sent: Sent


def fine_width(total: int) -> int:
    """Return the points of a row of the finest version that is sent."""
    return 1 if total <= WHOLE_SERIES else bucket_width(total, FINE_ROWS)


def coarse_width(total: int, rows: int = COARSE_ROWS) -> int:
    """Return the points of a row of the coarse version."""
    return bucket_width(total, rows)


def next_part(series: ScalarSeries, width: int, sent: Sent | None) -> Part | None:
    """Return the part that the browser lacks to have `series` in rows of `width` points; None for nothing.

    `sent` describes what the browser has; None means nothing, or nothing certain. A sequence of parts gives the same
    rows as a single one of the grown series.
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
    """Encode a part without its names, and add its columns to the message."""
    total, width = part.sent.total, part.sent.width
    entry = rows_entry(series, range(part.start, total, width), columns, run)
    if width > 1:
        entry["last"] = _as_json(float(series.value[total - 1]))
    if total > WHOLE_SERIES:  # the browser has shorter ones whole, and computes it
        entry["smoothable"] = is_smoothable(series.value)
    return {"keep": part.keep, "total": total, "superseded": series.superseded, **entry}


def _as_json(value: float) -> float | str:
    """Return the number, or a text for one that JSON cannot hold."""
    return value if math.isfinite(value) else repr(value)


def detail_of(total: int, inside: range, rows: int, held: int = 1) -> range | None:
    """Return a segment of a long series in about `rows` narrower rows: range(first point, end, points of a row).

    It covers the buckets that contain points `inside`, and one more on either side. These are buckets of the full
    version of `total` points, or of `held` points if the browser has wider ones. None if rows get no narrower.
    """
    base = max(fine_width(total), held)
    start = max(0, inside.start // base - 1) * base
    end = min(total, ((inside.stop - 1) // base + 2) * base)
    width = 1 if end - start <= rows else bucket_width(end - start, rows // 2)
    return range(start, end, width) if width < base else None


def detail_entry(series: ScalarSeries, segment: range, columns: Columns, run: str) -> dict[str, Any]:
    """Encode a segment like a part. It begins at point `from`, and `total` counts its own points."""
    entry = rows_entry(series, segment, columns, run)
    total = segment.stop - segment.start
    return {"from": segment.start, "keep": 0, "total": total, "superseded": 0, **entry}


class ScalarsContent(SeriesContent):
    """Series of scalars, as points or as buckets of points."""

    kind = "scalars"
    prefetch_bytes = 32_000_000
    # A full and a coarse part.
    max_bytes = max(POINT_BYTES * WHOLE_SERIES, _BUCKET_BYTES * FINE_ROWS) + _BUCKET_BYTES * COARSE_ROWS

    def read(self, logs: Logs, run: str, tag: str) -> Scalars:
        """Return the series. Raises KeyError if it is gone."""
        return logs.scalars(run, tag)

    def full_size(self, series: ScalarSeries) -> int:
        """Estimate its bytes in full."""
        return min(len(series), WHOLE_SERIES) * POINT_BYTES

    def coarse_is_full(self, series: ScalarSeries, counts: SeriesCounts) -> bool:
        """Whether its coarse version is its full one."""
        return coarse_width(len(series), _coarse_rows(counts)) == fine_width(len(series))

    def next_part(self, series: ScalarSeries, sent: Sent | None, counts: SeriesCounts, *, fine: bool) -> Part | None:
        """Return the part that the browser lacks to have it coarsely, or in full; None for nothing."""
        total = len(series)
        return next_part(series, fine_width(total) if fine else coarse_width(total, _coarse_rows(counts)), sent)

    def prepare(self, many: Sequence[ScalarSeries], counts: SeriesCounts) -> Sequence[ScalarSeries]:
        """Return the series with computed buckets of their coarse versions."""
        rows = _coarse_rows(counts)
        return with_buckets(many, lambda total: coarse_width(total, rows))

    def entry(self, series: ScalarSeries, part: Part, columns: Columns, run: str) -> dict[str, Any]:
        """Encode a part."""
        return entry_of(series, part, columns, run)

    def detail(
        self, series: ScalarSeries, _sent: Sent | None, inside: range, share: float, reduced: Reduced | None
    ) -> tuple[range, int] | None:
        """Return a segment in narrower rows, and the width that its rows had."""
        total, rows = len(series), round(WHOLE_SERIES * share)
        held = 1 if reduced is None else reduced.width
        found = detail_of(total, inside, rows if reduced is None else min(rows, reduced.rows), held)
        return None if found is None else (found, max(held, fine_width(total)))

    def detail_entry(self, series: ScalarSeries, segment: range, columns: Columns, run: str) -> dict[str, Any]:
        """Encode a segment."""
        return detail_entry(series, segment, columns, run)


def _coarse_rows(counts: SeriesCounts) -> int:
    return max(16, min(COARSE_ROWS, COARSE_TOTAL // max(1, counts.total)))


SCALARS = ScalarsContent()


_MAX_LINES = 20
_MAX_POINTS = 200_000
"""Upper bound for the points of a chart, which limits the time of reading. Further lines are left out."""


def scalars_preview(logs: Logs, pinned: Sequence[str], _language: str = "en") -> Iterator[PreviewChart]:
    """Yield the charts of all tags that have finite values, `pinned` ones first."""
    by_run = logs.tags().get("scalars", {})
    known = dict.fromkeys(in_order({tag for run in logs.runs for tag in by_run.get(run, ())}))
    numbers = logs.source.run_numbers()
    names = shown_names(logs, "scalars")
    for tag in (*(tag for tag in pinned if tag in known), *(tag for tag in known if tag not in pinned)):
        lines = list(_lines(logs, tag, [run for run in by_run if tag in by_run[run]], numbers))
        if lines:
            yield PreviewChart(names.get(tag, tag), lines, is_along_steps=True)


def _lines(logs: Logs, tag: str, runs: Sequence[str], numbers: dict[str, int]) -> Iterator[PreviewLine]:
    left = _MAX_POINTS
    for run in runs[:_MAX_LINES]:
        try:
            scalars = logs.scalars(run, tag)
        except KeyError:  # removed since it was listed
            continue
        left -= len(scalars)
        if left < 0:
            return
        shown = np.isfinite(scalars.value) & (np.abs(scalars.value) < 1e300)  # noqa: PLR2004 (differences are finite)
        if shown.any():
            color = run_color(numbers.get(run, 0))
            yield PreviewLine(run, color, scalars.step[shown].astype(np.float64), scalars.value[shown])


class ScalarsOptions(traitlets.HasTraits):
    """Options of scalar charts alone."""

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
        NamedRangeOptions,
        ScalarsOptions,
        SmoothingOptions,
        LogValueOptions,
        ScalarAxisOptions,
        CompareOptions,
        StepOverviewOptions,
    ),
    view="ScalarsView",
    view_doc="The scalar charts of a log directory, and nothing else.",
    requests={"superseded": superseded, "table": scalars_table},
    preview=scalars_preview,
)
