"""Figures along steps or times."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bqplot
import numpy as np
import traitlets

from tbwidget.figures.live import LiveFigure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tbwidget.wire.columns import Timed

_LAST_DATE = 8.64e15  # ms since the epoch, in browsers

_LABELS = {"step": "step", "relative": "time since the start (s)", "wall": "time"}


class TimedFigure(LiveFigure):
    """A figure with steps or times from left to right, and values upwards."""

    own_options = (*LiveFigure.own_options, "x")

    x = traitlets.Enum(tuple(_LABELS), default_value="step", help="What runs from left to right.")

    @traitlets.default("x_scale")
    def _x_scale(self) -> Any:
        return bqplot.DateScale() if self.x == "wall" else bqplot.LinearScale()

    @traitlets.default("y_scale")
    def _y_scale(self) -> Any:
        return bqplot.LinearScale()

    def _axes(self) -> list[Any]:
        return [
            self.axis(self.x_scale, _LABELS[self.x], grid_lines="none", label_offset="36px"),
            self.axis(self.y_scale, side="left", tick_format=".3~g"),
        ]


def x_of(scalars: Timed, x: str) -> NDArray[np.float64]:
    """Where the points are from left to right: steps, seconds since the first with a time, ms since the epoch."""
    if x == "step":
        return scalars.step.astype(np.float64)
    with np.errstate(all="ignore"):
        if x == "wall":
            return scalars.wall_time * 1e3
        times = scalars.wall_time
        known = np.flatnonzero(np.abs(times) <= _LAST_DATE / 1e3)
        return times - (times[known[0]] if len(known) else 0.0)


def points_of(x: NDArray[np.float64], y: NDArray[np.float64], what: str) -> tuple[Any, NDArray[np.float64]]:
    """The same for bqplot, which takes dates for a DateScale; points without a place on the axis are left out."""
    held = np.abs(x) <= _LAST_DATE
    if what == "step" or held.all():
        return (x.astype("datetime64[ms]") if what == "wall" else x), y
    return points_of(x[held], y[held], what)
