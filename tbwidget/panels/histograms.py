"""The histograms panel: a series and what the browser already holds of it, in; the histograms to send, out.

Sent are those at every `stride`-th place of the series, a power of two, and the newest. So it does not matter which
messages brought them; and to hold fewer, the browser leaves out every other one. Only what is sent is read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
import traitlets

from tbwidget.options.common import OverlayRunsOptions, TimeAxisOptions
from tbwidget.options.traits import option
from tbwidget.panels.declare import Panel
from tbwidget.panels.histogram_bins import LEAST_ROW_BYTES, MOST_ROW_BYTES, Bins, chosen, compact, moments, together
from tbwidget.panels.histogram_bins import entry_of as bins_entry
from tbwidget.panels.histogram_table import histograms_table
from tbwidget.wire.columns import Timed, add_times, start_of
from tbwidget.wire.content import SeriesContent, SeriesCounts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tbwidget.logs.accessors import Logs
    from tbwidget.logs.kinds.histograms import Histograms
    from tbwidget.wire.columns import Columns
    from tbwidget.wire.content import Reduced

COARSE_STEPS = 8
"""Histograms of the coarse version at most, beside the newest."""

SERIES_BYTES = 256_000
"""What a series takes in full at most."""


LEAST_BYTES = 16_000
"""And at least: runs of one tag share four times as much."""

COARSE_BYTES = 64_000
"""What a series takes coarsely at most, and all of them together."""
COARSE_TOTAL = 16_000_000

AROUND_BYTES = 64_000
"""What the histograms about the linked step take, about; and how many they are on either side at most."""
MOST_AROUND = 16

USUAL_BYTES = 1_000
"""What a histogram takes before any was read."""

AT_ONCE = 32
"""Histograms that are read from their files at once: of a hundred thousand bins each, more would fill the memory."""

_MOST_RUNS = 4
_REST = 0.01
_LONGEST_REST = 5.0


class HistogramSeries(Timed, Protocol):
    """What is needed of `tbwidget.logs.Histograms`."""

    def read(self, places: NDArray[np.int64]) -> Bins:
        """The bins of the histograms at these places, which ascend."""


class Sent(NamedTuple):
    """What the browser holds of a series, if no message was lost."""

    revision: int
    total: int
    """Histograms of the series itself."""
    stride: int
    weight: float
    """Bytes that a histogram takes on average: a single large one does not keep the others from being sent."""
    fine: bool
    """There are as many as there is room for."""


@dataclass(frozen=True, slots=True)
class Part:
    """Histograms for the browser: it keeps the first `keep` of those it has, by the new stride, and appends these."""

    keep: int
    places: NDArray[np.int64]
    """Where in the series they are."""
    bins: Bins
    sent: Sent


def stride_for(total: int, most: int) -> int:
    """Places from one histogram that is sent to the next, so that `total` give at most `most` of them."""
    stride = 1
    while -(-total // stride) > most:
        stride *= 2
    return stride


def places_of(total: int, stride: int, keep: int = 0) -> NDArray[np.int64]:
    """The places at `stride`, from the one numbered `keep` on, and the newest."""
    places = np.arange(keep * stride, total, stride)
    newest = total - 1
    return places if total == 0 or newest % stride == 0 else np.append(places, newest)


def next_part(series: HistogramSeries, sent: Sent | None, *, fine: bool, budget: int) -> Part | None:
    """What to send so that the browser holds the series coarsely, or as `fine` as the `budget` allows; None if it does.

    `sent` is what the browser holds, None when nothing.
    """
    total = len(series)
    continues = sent is not None and sent.revision == series.revision and sent.total <= total
    held = sent if continues else None
    stride = stride_for(total, COARSE_STEPS)
    if fine:
        room, weight = float(budget), held.weight if held is not None else 0.0
        if not weight:
            # How much a histogram takes is seen from a few of them.
            few = compact(series.read(places_of(total, stride)))
            weight, room = _weight(few), budget - min(few.shared, budget // 2)
        stride = stride_for(total, max(1, int(room / max(1.0, weight))))
    if held is not None and held.fine >= fine:
        stride = max(stride, held.stride)
    elif held is not None and held.stride > stride:
        held = None  # what is missing lies between what is held: all is sent anew
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
    """The histograms at these places, or at as many as the budget has room for; and how far apart these are then.

    Of too many, those at multiples of twice the stride stay, counted from `first`, and so on; and the `newest`.
    """
    held: list[tuple[NDArray[np.int64], Bins]] = []
    last = int(places[-1]) if len(places) else first
    while True:
        few, places = places[:AT_ONCE], places[AT_ONCE:]
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
    """Bytes that they take at least, however much alike they are."""
    return len(bins.counts) + LEAST_ROW_BYTES * len(bins.lengths)


def segment_of(total: int, sent: Sent, inside: range, budget: int) -> range | None:
    """Places of the histograms `inside`, closer together than what was sent; None where nothing is gained."""
    start = inside.start // sent.stride * sent.stride
    end = min(total, ((inside.stop - 1) // sent.stride + 1) * sent.stride)
    stride = stride_for(end - start, max(1, int(budget / max(1.0, sent.weight))))
    return range(start, end, stride) if stride < sent.stride else None


def around(total: int, sent: Sent, at: int, budget: int) -> range | None:
    """A place and those beside it, where the browser does not hold all of them.

    Between neighbors nothing is left out, so that one can go from one to the next; it is the same range for some of
    them, so that this does not ask for another every time.
    """
    if sent.stride == 1:
        return None
    most = int(budget / max(1.0, sent.weight)) // 3
    block = 1 if most < 1 else min(MOST_AROUND, 1 << (most.bit_length() - 1))
    begin = at // block * block
    return range(max(0, begin - block), min(total, begin + 2 * block)) if most else range(at, at + 1)


def entry_of(series: HistogramSeries, part: Part, columns: Columns, run: str) -> dict[str, Any]:
    """The part as it travels, without its names; its columns are added to those of the message."""
    entry = _rows(series, part.places, part.bins, columns, run)
    return {"stride": part.sent.stride, "fine": part.sent.fine, "keep": part.keep, "total": part.sent.total, **entry}


def segment_entry(series: HistogramSeries, segment: range, columns: Columns, run: str) -> dict[str, Any]:
    """A segment as it travels: its histograms begin at place `from`, and it covers `total` places."""
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
    """Histograms of the logs, with their bins as they are sent."""

    def __init__(self, histograms: Histograms) -> None:
        self._histograms = histograms
        self.step, self.wall_time = histograms.step, histograms.wall_time
        self.revision, self.superseded = histograms.revision, histograms.superseded

    def __len__(self) -> int:
        """Histograms."""
        return len(self.step)

    def read(self, places: NDArray[np.int64]) -> Bins:
        """The bins of the histograms at these places."""
        held = self._histograms.decode(places.tolist())
        mean, deviation = moments(held.num, held.sum, held.sum_squares)
        return Bins(np.diff(held.offsets), held.left, held.right, held.counts, mean, deviation)


class HistogramsContent(SeriesContent):
    """Series of histograms, at every place or at some."""

    kind = "histograms"
    prefetch_bytes = 2_000_000
    # What is new of it, and once more coarsely: beside their budgets, each may be a single monstrous histogram.
    max_bytes = SERIES_BYTES + COARSE_BYTES + 2 * MOST_ROW_BYTES
    cheap_to_read = False
    first_tags = 6
    follows_linked_step = True

    def read(self, logs: Logs, run: str, tag: str) -> Readable:
        """The series. Raises KeyError where it is gone."""
        return Readable(logs.histograms(run, tag))

    def full_size(self, series: HistogramSeries) -> int:
        """Bytes that it takes in full, about."""
        return min(len(series) * USUAL_BYTES, SERIES_BYTES)

    def min_interval(self, counts: SeriesCounts) -> float:
        """Seconds between two parts with new rows at least: reading one costs half a millisecond."""
        return min(_LONGEST_REST, counts.total * _REST)

    def coarse_is_full(self, series: HistogramSeries, _counts: SeriesCounts) -> bool:
        """Whether its coarse version is its full one."""
        return len(series) <= COARSE_STEPS

    def next_part(self, series: HistogramSeries, sent: Sent | None, counts: SeriesCounts, *, fine: bool) -> Part | None:
        """What to send so that the browser holds it coarsely, or in full; None when it already does."""
        if fine:
            budget = max(LEAST_BYTES, SERIES_BYTES * _MOST_RUNS // max(_MOST_RUNS, counts.runs))
        else:
            budget = min(COARSE_BYTES, COARSE_TOTAL // max(1, counts.total))
        return next_part(series, sent, fine=fine, budget=budget)

    def entry(self, series: HistogramSeries, part: Part, columns: Columns, run: str) -> dict[str, Any]:
        """The part as it travels."""
        return entry_of(series, part, columns, run)

    def detail(
        self, series: HistogramSeries, sent: Sent | None, inside: range, share: float, reduced: Reduced | None
    ) -> tuple[range, int] | None:
        """A segment of which more histograms are sent."""
        if sent is None:
            return None
        if reduced is not None:
            sent = sent._replace(stride=max(sent.stride, reduced.width))
        found = segment_of(len(series), sent, inside, round(SERIES_BYTES * share))
        return None if found is None else (found, sent.stride)

    def linked_detail(
        self, series: HistogramSeries, sent: Sent | None, at: int, share: float
    ) -> tuple[range, int] | None:
        """The histogram at that place and its neighbors."""
        found = None if sent is None else around(len(series), sent, at, round(AROUND_BYTES * share))
        return None if found is None or sent is None else (found, sent.stride)

    def detail_entry(self, series: HistogramSeries, segment: range, columns: Columns, run: str) -> dict[str, Any]:
        """A segment as it travels."""
        return segment_entry(series, segment, columns, run)


HISTOGRAMS = HistogramsContent()


class HistogramsOptions(traitlets.HasTraits):
    """What can be chosen for histograms alone."""

    histogram_mode = option(
        traitlets.Enum(("offset", "overlay", "heatmap"), default_value="offset"),
        """How histograms are drawn: each step on its own line ("offset"), all on one baseline ("overlay"), or as colors
        over steps and values ("heatmap"). Type: "offset", "overlay" or "heatmap". Default: "offset".""",
    )
    bins = option(
        traitlets.Enum(("even", "written"), default_value="even"),
        """Bins of the drawn histograms. "even": 28 to 42 bins of a round width, the same for all steps and runs of a
        card; zooming into values narrows them. The count of a logged bin is spread uniformly over its width, and each
        even bin gets its share; a logged bin of zero width goes to the even bin that contains it. So areas and sums are
        kept. "written": the bins as logged. Type: "even" or "written". Default: "even".""",
    )
    log_counts = option(
        traitlets.List(traitlets.Unicode()),
        """Tags whose histograms have a logarithmic count axis. Type: list of str. Default: [].""",
    )


PANEL = Panel(
    name="histograms",
    contents=(HISTOGRAMS,),
    options=(TimeAxisOptions, HistogramsOptions, OverlayRunsOptions),
    view="HistogramsView",
    view_doc="The histograms of a log directory, and nothing else.",
    requests={"table": histograms_table},
)
