"""Histograms along their steps, as percentiles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tbwidget.figures.bins import BASIS_POINTS, MEDIAN, counted_bins, percentiles
from tbwidget.figures.parts import Part, Series
from tbwidget.figures.timed import TimedFigure, points_of, x_of
from tbwidget.panels.histograms import places_of, stride_for

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from tbwidget.logs.kinds.histograms import Histograms

MAX_STEPS = 200
"""Steps of a series at most, evenly spaced, and the newest."""

_SHADES = [0.08, 0.16, 0.24, 0.32]
"""Opacities of the bands from the outermost one to the median."""

_BANDS, _MEDIAN = "bands", "median"


class DistributionFigure(TimedFigure):
    """The percentiles of histograms along steps or times: bands between them, and a line for the median."""

    kind = "histograms"
    unlisted = frozenset({_BANDS})

    def __init__(self, logs: Any, **options: Any) -> None:
        self._known: dict[Series, tuple[int, dict[int, NDArray[np.float64]]]] = {}  # by revision and place
        super().__init__(logs, **options)

    def _contents(
        self, wanted: Sequence[Series], changed: Callable[[Series], bool]
    ) -> Mapping[Part, dict[str, Any] | None]:
        drawn = {series: self._percentiles(series) if changed(series) else None for series in wanted}
        self._known = {series: held for series, held in self._known.items() if series in drawn}
        found: dict[Part, dict[str, Any] | None] = {}
        for name in (_BANDS, _MEDIAN):
            for series, columns in drawn.items():
                y = columns and (columns[1] if name == _BANDS else columns[1][MEDIAN])
                found[Part(series, name)] = {"x": columns[0], "y": y} if columns else None
        return found

    def _percentiles(self, series: Series) -> tuple[Any, NDArray[np.float64]] | None:
        """Places on the x axis, and percentiles by rows; None where the series is gone by now."""
        try:
            histograms = self._logs.histograms(*series)
        except KeyError:
            return None
        places = places_of(len(histograms), stride_for(len(histograms), MAX_STEPS))
        table = self._table(series, histograms, places)
        x = x_of(histograms, self.x)[places]
        return points_of(x, table, self.x)

    def _table(self, series: Series, histograms: Histograms, places: NDArray[np.int64]) -> NDArray[np.float64]:
        """float64[percentiles, places]: each histogram is read once."""
        revision, known = self._known.get(series, (histograms.revision, {}))
        if revision != histograms.revision:
            known = {}
        missing = [place for place in places.tolist() if place not in known]
        buckets = histograms.decode(missing)
        for index, place in enumerate(missing):
            known[place] = percentiles(*counted_bins(buckets, index))
        kept = {place: known[place] for place in places.tolist()}
        self._known[series] = histograms.revision, kept
        return np.array([*kept.values()]).reshape(-1, len(BASIS_POINTS)).T

    def _mark(self, part: Part, contents: Mapping[str, Any], wanted: Sequence[Series]) -> Any:
        rows = len(BASIS_POINTS) if part.name == _BANDS else 1
        style = self._style(part, wanted, rows)
        if part.name == _BANDS:
            style |= {
                "fill": "between",
                "fill_opacities": [*_SHADES, *_SHADES[::-1], 0],
                "opacities": [0.25] * rows,
                "stroke_width": 0.5,
            }
        return self.lines(contents, **style)
