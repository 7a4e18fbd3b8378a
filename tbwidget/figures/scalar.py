"""Lines of scalars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bqplot
import numpy as np
import traitlets

from tbwidget.figures.parts import Part, Series
from tbwidget.figures.points import breaks_of, few_places, in_pieces
from tbwidget.figures.smoothing import NOT_SMOOTHED, Smoothing, smoothed
from tbwidget.figures.timed import TimedFigure, points_of, x_of
from tbwidget.logs.kinds.registry import SCALARS
from tbwidget.options.traits import Number
from tbwidget.panels.scalar_axes import MOST_WINDOW, SMOOTHING_KINDS, is_smoothable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


MOST_POINTS = 1_000
"""Of a line."""
MOST_OF_ALL = 20_000
"""Points of all lines together: a page draws no more of them smoothly as SVG."""

_LINE, _RAW = "line", "raw"


class ScalarFigure(TimedFigure):
    """Scalars along their steps or times: a line a run and tag; behind it, when smoothed, a faint one as written."""

    kind = SCALARS
    unlisted = frozenset({_RAW})
    own_options = (*TimedFigure.own_options, "smoothing", "smoothing_kind", "smoothing_window")

    smoothing = Number(0.0, min=0.0, max=0.999, help='Weight of the past, of the kind "ema"; 0 for none.')
    smoothing_kind = traitlets.Enum(SMOOTHING_KINDS, default_value="ema", help="How lines are smoothed.")
    smoothing_window = traitlets.Int(20, min=1, max=MOST_WINDOW, help='Points that "mean" and "gaussian" average.')

    def _wire(self, options: Mapping[str, Any]) -> None:
        super()._wire(options)
        self.observe(self.redraw, ["smoothing", "smoothing_kind", "smoothing_window"])

    def _contents(
        self, wanted: Sequence[Series], changed: Callable[[Series], bool]
    ) -> Mapping[Part, dict[str, Any] | None]:
        kind = self.smoothing_kind
        chosen = Smoothing(kind, self.smoothing if kind == "ema" else self.smoothing_window)
        names = [_RAW, _LINE] if chosen.changes else [_LINE]
        most = min(MOST_POINTS, MOST_OF_ALL // max(1, len(wanted) * len(names)))
        found: dict[Part, dict[str, Any] | None] = {}
        for name in names:
            smoothing = chosen if name == _LINE else NOT_SMOOTHED
            for series in wanted:
                found[Part(series, name)] = self._line(series, smoothing, most) if changed(series) else None
        return found

    def _line(self, series: Series, smoothing: Smoothing, most: int) -> dict[str, Any] | None:
        """The points of a line; None where it is gone by now."""
        try:
            scalars = self._logs.scalars(*series)
        except KeyError:
            return None
        x, breaks = x_of(scalars, self.x), breaks_of(scalars.step)
        y = smoothed(scalars.value, smoothing, breaks) if is_smoothable(scalars.value) else scalars.value
        if isinstance(self.y_scale, bqplot.LogScale):
            y = np.where(y > 0, y, np.nan)
        places = few_places(x, y, most - len(breaks), self.visible)
        return dict(zip(("x", "y"), points_of(*in_pieces(x, y, places, breaks), self.x), strict=True))

    def _mark(self, part: Part, contents: Mapping[str, Any], wanted: Sequence[Series]) -> Any:
        style = self._style(part, wanted)
        if part.name == _RAW:
            style |= {"opacities": [0.4], "stroke_width": 1}
        scales = {"x": self.x_scale, "y": self.y_scale}
        return bqplot.Lines(**{"x": np.empty(0), "y": np.empty(0), **contents}, scales=scales, **style)
