"""The histograms panel: decides which histograms of a series the browser lacks, and encodes them.

The browser gets every `stride`-th histogram of a series, where the stride is a power of two, and the newest. So the
result does not depend on how they were split into messages, and the browser halves them by dropping every other one.
Only histograms that are sent are read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
import traitlets

from tbwidget.options.common import NamedRangeOptions, OverlayRunsOptions, StepOverviewOptions, TimeAxisOptions
from tbwidget.options.traits import option
from tbwidget.panels.declare import Panel
from tbwidget.panels.histogram_bins import MAX_ROW_BYTES, MIN_ROW_BYTES, Bins, chosen, compact, moments, together
from tbwidget.panels.histogram_bins import entry_of as bins_entry
from tbwidget.panels.tables import POINT_BYTES, Rows, table_of
from tbwidget.wire.columns import Timed, add_times, start_of
from tbwidget.wire.content import SeriesContent, SeriesCounts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tbwidget.logs.accessors import Logs
    from tbwidget.logs.kinds.histograms import Histograms
    from tbwidget.wire.columns import Columns
    from tbwidget.wire.content import Reduced


COARSE_STEPS = 8
"""Upper bound for the histograms of the coarse version, without the newest."""

SERIES_BYTES = 256_000
"""Byte budget of a series in full."""


MIN_SERIES_BYTES = 16_000
"""Lower bound of that budget. With more than four runs, a tag's runs share four budgets."""

COARSE_BYTES = 64_000
"""Byte budget of the coarse version of a series."""
COARSE_TOTAL = 16_000_000
"""Byte budget of all coarse versions together."""

AROUND_BYTES = 64_000
"""Byte budget of the histograms around the linked step."""
MAX_AROUND = 16
"""Upper bound for their number on either side."""

USUAL_BYTES = 1_000
"""Estimate of the bytes of a histogram before any was read."""

READ_HISTOGRAMS = 32
"""Histograms to read at once. More of them, with a hundred thousand bins each, would fill the memory."""

_MAX_FULL_RUNS = 4  # runs of a tag that get a whole budget each
_INTERVAL_S, _MAX_INTERVAL_S = 0.01, 5.0  # between two parts, by series


class HistogramSeries(Timed, Protocol):
    """The part of `tbwidget.Histograms` that is used here."""

    def read(self, places: NDArray[np.int64]) -> Bins:
        """Return the bins of the histograms at these ascending places."""


class Sent(NamedTuple):
    """The histograms of a series that the browser has, if no message was lost."""

    revision: int
    total: int
    """Histograms of the series itself."""
    stride: int
    weight: float
    """Average bytes of a histogram. An average, so that a single large one does not hold up the others."""
    fine: bool
    """Whether this is the full version, which the byte budget limits."""


@dataclass(frozen=True, slots=True)
class Part:
    """Histograms for the browser. It keeps the first `keep` that it has, at the new stride, and appends these."""

    keep: int
    places: NDArray[np.int64]
    """Their indices in the series."""
    bins: Bins
    sent: Sent


def stride_for(total: int, most: int) -> int:
    """Return the smallest stride, a power of two, that leaves at most `most` of `total` histograms."""
    stride = 1
    while -(-total // stride) > most:
        stride *= 2
    return stride


def places_of(total: int, stride: int, keep: int = 0) -> NDArray[np.int64]:
    """Return the places at `stride`, without the first `keep`, and the newest."""
    places = np.arange(keep * stride, total, stride)
    newest = total - 1
    return places if total == 0 or newest % stride == 0 else np.append(places, newest)


def next_part(series: HistogramSeries, sent: Sent | None, *, fine: bool, budget: int) -> Part | None:
    """Return the part that the browser lacks to have the series coarsely, or as `fine` as the `budget` allows.

    `sent` describes what the browser has; None means nothing. The result is None if nothing is missing.
    """
    total = len(series)
    continues = sent is not None and sent.revision == series.revision and sent.total <= total
    held = sent if continues else None
    stride = stride_for(total, COARSE_STEPS)
    if fine:
        room, weight = float(budget), held.weight if held is not None else 0.0
        if not weight:
            # A few histograms tell how large the others are.
            few = compact(series.read(places_of(total, stride)))
            weight, room = _weight(few), budget - min(few.shared, budget // 2)
        stride = stride_for(total, max(1, int(room / max(1.0, weight))))
    if held is not None and held.fine >= fine:
        stride = max(stride, held.stride)
    elif held is not None and held.stride > stride:
        held = None  # the missing ones lie between those it has, so all are sent
    if held is not None and (held.total, held.stride, held.fine) == (total, stride, fine):
        return None
    keep = -(-held.total // stride) if held is not None else 0
    closest = stride
    places, bins, stride = _fitting(series, places_of(total, stride, keep), stride, budget, newest=total - 1)
    keep = -(-keep // (stride // closest))
    weight = _weight(bins)
    if held is not None and keep + len(places) > 0:
        weight = (keep * held.weight + len(places) * weight) / (keep + len(places))
    return Part(keep, places, bins, Sent(series.revision, total, stride, weight, fine))


def _weight(bins: Bins) -> float:
    return float(bins.sizes.mean()) if len(bins.lengths) else 0.0


def _fitting(
    series: HistogramSeries,
    places: NDArray[np.int64],
    stride: int,
    budget: int,
    *,
    first: int = 0,
    newest: int | None = None,
) -> tuple[NDArray[np.int64], Bins, int]:
    """Return as many of the histograms at these places as the budget allows, and their stride.

    While there are too many, the stride doubles: only places at its multiples, counted from `first`, and the `newest`
    stay.
    """
    held: list[tuple[NDArray[np.int64], Bins]] = []
    last = int(places[-1]) if len(places) else first
    while True:
        few, places = places[:READ_HISTOGRAMS], places[READ_HISTOGRAMS:]
        if len(few):
            held.append((few, compact(series.read(few))))
        bins = together([bins for _, bins in held]) if len(places) == 0 else None
        size = sum(_least(bins) for _, bins in held) if bins is None else bins.size
        if size > budget and stride <= last - first:
            stride *= 2
            stay = [_stay(some, first, stride, newest) for some, _ in held]
            held = [(some[kept], chosen(bins, kept)) for kept, (some, bins) in zip(stay, held, strict=True)]
            places = places[_stay(places, first, stride, newest)]
        elif bins is not None:
            return np.concatenate([np.empty(0, np.int64), *(some for some, _ in held)]), bins, stride


def _stay(places: NDArray[np.int64], first: int, stride: int, newest: int | None) -> NDArray[np.int64]:
    return np.flatnonzero(((places - first) % stride == 0) | (places == newest))


def _least(bins: Bins) -> int:
    """Return a lower bound of their bytes, which holds even if they are all alike."""
    return len(bins.counts) + MIN_ROW_BYTES * len(bins.lengths)


def segment_of(total: int, sent: Sent, inside: range, budget: int) -> range | None:
    """Return the places `inside` at a smaller stride than was sent; None if no smaller one fits."""
    start = inside.start // sent.stride * sent.stride
    end = min(total, ((inside.stop - 1) // sent.stride + 1) * sent.stride)
    stride = stride_for(end - start, max(1, int(budget / max(1.0, sent.weight))))
    return range(start, end, stride) if stride < sent.stride else None


def around(total: int, sent: Sent, at: int, budget: int) -> range | None:
    """Return a range of places around one; None if the browser has all of them.

    The range has no gaps, so that the user can go from step to step. Neighboring places share a range, so that not
    every step causes a request.
    """
    if sent.stride == 1:
        return None
    most = int(budget / max(1.0, sent.weight)) // 3
    block = 1 if most < 1 else min(MAX_AROUND, 1 << (most.bit_length() - 1))
    begin = at // block * block
    return range(max(0, begin - block), min(total, begin + 2 * block)) if most else range(at, at + 1)


def entry_of(series: HistogramSeries, part: Part, columns: Columns, run: str) -> dict[str, Any]:
    """Encode a part without its names, and add its columns to the message."""
    entry = _rows(series, part.places, part.bins, columns, run)
    return {"stride": part.sent.stride, "fine": part.sent.fine, "keep": part.keep, "total": part.sent.total, **entry}


def segment_entry(series: HistogramSeries, segment: range, columns: Columns, run: str) -> dict[str, Any]:
    """Encode a segment: its histograms begin at place `from`, and it covers `total` places."""
    found = np.arange(segment.start, segment.stop, segment.step)
    places, bins, stride = _fitting(series, found, segment.step, SERIES_BYTES, first=segment.start)
    entry = _rows(series, places, bins, columns, run)
    return {"from": segment.start, "stride": stride, "keep": 0, "total": segment.stop - segment.start, **entry}


def _rows(series: HistogramSeries, places: NDArray[np.int64], bins: Bins, columns: Columns, run: str) -> dict[str, Any]:
    return {
        "revision": series.revision,
        "superseded": series.superseded,
        "start": start_of(series),
        "step": columns.add_steps(series.step[places]),
        "wall": add_times(series, series.wall_time[places], columns, run),
        **bins_entry(bins, columns),
    }


class Readable:
    """Histograms of the logs whose bins are read as `Bins`."""

    def __init__(self, histograms: Histograms) -> None:
        self._histograms = histograms
        self.step, self.wall_time = histograms.step, histograms.wall_time
        self.revision, self.superseded = histograms.revision, histograms.superseded

    def __len__(self) -> int:
        """Count the histograms."""
        return len(self.step)

    def read(self, places: NDArray[np.int64]) -> Bins:
        """Return the bins of the histograms at these places."""
        held = self._histograms.decode(places.tolist())
        mean, deviation = moments(held.num, held.sum, held.sum_squares)
        return Bins(np.diff(held.offsets), held.left, held.right, held.counts, mean, deviation)


class HistogramsContent(SeriesContent):
    """Series of histograms, whole or at a stride."""

    kind = "histograms"
    prefetch_bytes = 2_000_000
    # A full and a coarse part. Each may exceed its budget by a single huge histogram.
    max_bytes = SERIES_BYTES + COARSE_BYTES + 2 * MAX_ROW_BYTES
    cheap_to_read = False
    first_tags = 6
    follows_linked_step = True

    def read(self, logs: Logs, run: str, tag: str) -> Readable:
        """Return the series. Raises KeyError if it is gone."""
        return Readable(logs.histograms(run, tag))

    def full_size(self, series: HistogramSeries) -> int:
        """Estimate its bytes in full."""
        return min(len(series) * USUAL_BYTES, SERIES_BYTES)

    def min_interval(self, counts: SeriesCounts) -> float:
        """Return the minimum seconds between two parts with new rows, because reading one costs half a millisecond."""
        return min(_MAX_INTERVAL_S, counts.total * _INTERVAL_S)

    def coarse_is_full(self, series: HistogramSeries, _counts: SeriesCounts) -> bool:
        """Whether its coarse version is its full one."""
        return len(series) <= COARSE_STEPS

    def next_part(self, series: HistogramSeries, sent: Sent | None, counts: SeriesCounts, *, fine: bool) -> Part | None:
        """Return the part that the browser lacks to have it coarsely, or in full; None for nothing."""
        if fine:
            budget = max(MIN_SERIES_BYTES, SERIES_BYTES * _MAX_FULL_RUNS // max(_MAX_FULL_RUNS, counts.runs))
        else:
            budget = min(COARSE_BYTES, COARSE_TOTAL // max(1, counts.total))
        return next_part(series, sent, fine=fine, budget=budget)

    def entry(self, series: HistogramSeries, part: Part, columns: Columns, run: str) -> dict[str, Any]:
        """Encode a part."""
        return entry_of(series, part, columns, run)

    def detail(
        self, series: HistogramSeries, sent: Sent | None, inside: range, share: float, reduced: Reduced | None
    ) -> tuple[range, int] | None:
        """Return a segment to send at a smaller stride, and the stride that it had."""
        if sent is None:
            return None
        if reduced is not None:
            sent = sent._replace(stride=max(sent.stride, reduced.width))
        found = segment_of(len(series), sent, inside, round(SERIES_BYTES * share))
        return None if found is None else (found, sent.stride)

    def linked_detail(
        self, series: HistogramSeries, sent: Sent | None, at: int, share: float
    ) -> tuple[range, int] | None:
        """Return the places around the linked step, and the stride that they had."""
        found = None if sent is None else around(len(series), sent, at, round(AROUND_BYTES * share))
        return None if found is None or sent is None else (found, sent.stride)

    def detail_entry(self, series: HistogramSeries, segment: range, columns: Columns, run: str) -> dict[str, Any]:
        """Encode a segment."""
        return segment_entry(series, segment, columns, run)


HISTOGRAMS = HistogramsContent()


def _table_rows(logs: Logs, run: str, tag: str, first: int, revision: int | None, room: int) -> Rows:
    series = logs.histograms(run, tag)
    first = first if revision == series.revision else 0
    total = len(series)
    end, size = first, 0
    lengths: list[NDArray[np.int64]] = [np.empty(0, np.int64)]
    columns: list[list[NDArray[np.float64]]] = [[np.empty(0)], [np.empty(0)], [np.empty(0)]]
    while end < total and size < room:
        few = range(end, min(total, end + READ_HISTOGRAMS))
        held = series.decode(few)
        lengths.append(np.diff(held.offsets))
        for column, more in zip(columns, (held.left, held.right, held.counts), strict=True):
            column.append(more)
        size += POINT_BYTES * (len(few) + len(held.counts))
        end = few.stop
    cells = [np.concatenate(column) for column in columns]
    step, wall_time = series.step[first:end], series.wall_time[first:end]
    return Rows(first, total, series.revision, step, wall_time, np.concatenate(lengths), cells)


histograms_table = table_of("histograms", _table_rows)
"""Answers with the bins of histograms; columns: left edges, right edges, counts. An unreadable one has no bins."""


class HistogramsOptions(traitlets.HasTraits):
    """Options of histograms alone."""

    histogram_mode = option(
        traitlets.Enum(("offset", "overlay", "heatmap"), default_value="offset"),
        """How histograms are drawn: each step on its own line ("offset"), all on one baseline ("overlay"), or as colors
        over steps and values ("heatmap"). Type: "offset", "overlay" or "heatmap". Default: "offset".""",
    )
    bins = option(
        traitlets.Enum(("even", "written"), default_value="even"),
        """Bins of the drawn histograms. "even": 28 to 42 bins of a round width, the same for all steps and runs of a
        card; zooming into values narrows them. The count of a logged bin is spread uniformly over its width, and each
        even bin gets its share; a logged bin of zero width goes to the even bin that contains it. This preserves areas
        and sums. "written": the bins as logged. Type: "even" or "written". Default: "even".""",
    )
    log_counts = option(
        traitlets.List(traitlets.Unicode()),
        """Tags whose histograms have a logarithmic count axis. Type: list of str. Default: [].""",
    )


PANEL = Panel(
    name="histograms",
    contents=(HISTOGRAMS,),
    options=(TimeAxisOptions, NamedRangeOptions, HistogramsOptions, StepOverviewOptions, OverlayRunsOptions),
    view="HistogramsView",
    view_doc="The histograms of a log directory, and nothing else.",
    requests={"table": histograms_table},
)
