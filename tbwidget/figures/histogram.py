"""Histograms at one step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import bqplot
import numpy as np
import traitlets

from tbwidget.figures.bins import counted_bins, even_counts, even_edges
from tbwidget.figures.parts import Part, Series
from tbwidget.figures.timed import StepFigure, last_up_to
from tbwidget.records.indices import repeat

_STAIRS = "stairs"


class HistogramFigure(StepFigure):
    """Counts in even bins, at one step: an outline for each run and tag, all on the same bins."""

    kind = "histograms"
    redraws = ("step", "bins")

    bins = traitlets.Int(30, min=1, max=500, help="About how many bins, each of the same round width.")

    @traitlets.default("x_scale")
    def _x_scale(self) -> Any:
        return bqplot.LinearScale()

    @traitlets.default("y_scale")
    def _y_scale(self) -> Any:
        return bqplot.LinearScale(min=0.0)

    def _figure_options(self) -> dict[str, Any]:
        return {"padding_y": 0.0}  # bars stand on the axis

    def _axes(self) -> list[Any]:
        return [
            self.axis(self.x_scale, "value", grid_lines="none", tick_format=".3~g", label_offset="36px"),
            self.axis(self.y_scale, "count", side="left", tick_format=".3~s"),
        ]

    def _contents(
        self, wanted: Sequence[Series], changed: Callable[[Series], bool]
    ) -> Mapping[Part, dict[str, Any] | None]:
        bins: dict[Series, tuple[Any, Any, Any]] = self._read_once(wanted, changed)
        lefts, rights = ([each[side] for each in bins.values() if len(each[2])] for side in (0, 1))
        if not lefts:
            return {Part(series, _STAIRS): {"x": np.empty(0), "y": np.empty(0)} for series in bins}
        low, high = min(float(left.min()) for left in lefts), max(float(right.max()) for right in rights)
        edges = even_edges(low, high, self.bins)
        x = repeat(edges, 2)
        heights = {series: np.pad(repeat(even_counts(*each, edges), 2), 1) for series, each in bins.items()}
        return {Part(series, _STAIRS): {"x": x, "y": y} for series, y in heights.items()}

    def _at_step(self, series: Series) -> tuple[object, Callable[[], Any]] | None:
        histograms = self._logs.histograms(*series)
        place = last_up_to(histograms.step, self.step)
        if place is None:
            return None
        return (place, int(histograms.step[place])), lambda: counted_bins(histograms.decode([place]), 0)

    def _mark(self, part: Part, contents: Mapping[str, Any], wanted: Sequence[Series]) -> Any:
        style = self._style(part, wanted) | {"stroke_width": 1.5}
        return self.lines(contents, fill="bottom", fill_opacities=[0.25], **style)
