"""Histograms at one step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import bqplot
import numpy as np
import traitlets

from tbwidget.figures.bins import counted_bins, even_counts, even_edges
from tbwidget.figures.live import LiveFigure
from tbwidget.figures.parts import Part, Series
from tbwidget.records.indices import repeat

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

_STAIRS = "stairs"

_Drawn: TypeAlias = "tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]"
"""Left and right ends, and counts."""


class HistogramFigure(LiveFigure):
    """Counts in even bins, at one step: an outline for each run and tag, all on the same bins."""

    kind = "histograms"
    own_options = (*LiveFigure.own_options, "step", "bins")

    step = traitlets.Int(None, allow_none=True, help="The last histogram up to this step; None for the newest.")
    bins = traitlets.Int(30, min=1, max=500, help="About how many bins, each of the same round width.")

    def __init__(self, logs: Any, **options: Any) -> None:
        self._read: dict[Series, tuple[tuple[int, int], Any]] = {}
        super().__init__(logs, **options)

    @traitlets.default("x_scale")
    def _x_scale(self) -> Any:
        return bqplot.LinearScale()

    @traitlets.default("y_scale")
    def _y_scale(self) -> Any:
        return bqplot.LinearScale(min=0.0)

    def _figure_options(self) -> dict[str, Any]:
        return {"padding_y": 0.0}  # bars stand on the axis

    def _wire(self, options: Mapping[str, Any]) -> None:
        super()._wire(options)
        self.observe(self.redraw, ["step", "bins"])

    def _axes(self) -> list[Any]:
        return [
            self.axis(self.x_scale, "value", grid_lines="none", tick_format=".3~g", label_offset="36px"),
            self.axis(self.y_scale, "count", side="left", tick_format=".3~s"),
        ]

    def _contents(
        self, wanted: Sequence[Series], changed: Callable[[Series], bool]
    ) -> Mapping[Part, dict[str, Any] | None]:
        self._read = {series: held for series, held in self._read.items() if series in set(wanted)}
        bins = {series: found for series in wanted if (found := self._bins(series, afresh=changed(series))) is not None}
        lefts, rights = ([each[side] for each in bins.values() if len(each[2])] for side in (0, 1))
        if not lefts:
            return {Part(series, _STAIRS): {"x": np.empty(0), "y": np.empty(0)} for series in bins}
        low, high = min(float(left.min()) for left in lefts), max(float(right.max()) for right in rights)
        edges = even_edges(low, high, self.bins)
        x = repeat(edges, 2)
        return {
            Part(series, _STAIRS): {
                "x": x,
                "y": np.pad(repeat(even_counts(*each, edges), 2), 1),
            }
            for series, each in bins.items()
        }

    def _bins(self, series: Series, *, afresh: bool) -> _Drawn | None:
        """The bins at the step; None where no histogram is so early, or they are gone."""
        try:
            histograms = self._logs.histograms(*series)
        except KeyError:
            return None
        place = last_up_to(histograms.step, self.step)
        if place is None:
            return None
        key = (place, int(histograms.step[place]))
        if afresh or self._read.get(series, (None, None))[0] != key:
            self._read[series] = key, counted_bins(histograms.decode([place]), 0)
        found: _Drawn = self._read[series][1]
        return found

    def _mark(self, part: Part, contents: Mapping[str, Any], wanted: Sequence[Series]) -> Any:
        return bqplot.Lines(
            **contents,
            scales={"x": self.x_scale, "y": self.y_scale},
            fill="bottom",
            fill_opacities=[0.25],
            **{**self._style(part, wanted), "stroke_width": 1.5},
        )


def last_up_to(steps: NDArray[np.int64], step: int | None) -> int | None:
    """The place of the last value at this step, or before; without a step the newest. None where there is none."""
    held = steps if step is None else steps[steps <= step]
    if not len(held):
        return None
    newest = len(steps) - 1 if step is None else None
    return newest if newest is not None else int(np.flatnonzero(steps == held.max())[-1])
