"""Figures along steps or times, and figures at one step."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar

import bqplot
import numpy as np
import traitlets

from tbwidget.figures.live import LiveFigure

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from tbwidget.figures.parts import Series
    from tbwidget.wire.columns import Timed

_LAST_DATE = 8.64e15  # ms since the epoch, in browsers

_LABELS = {"step": "step", "relative": "time since the start (s)", "wall": "time"}


class TimedFigure(LiveFigure):
    """A figure with steps or times from left to right, and values upwards."""

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


class StepFigure(LiveFigure):
    """A figure of values at one step, each of which is read once."""

    redraws: ClassVar[tuple[str, ...]] = ("step",)

    step = traitlets.Int(None, allow_none=True, help="The last value up to this step; None for the newest.")

    def __init__(self, logs: Any, **options: Any) -> None:
        self._read: dict[Series, tuple[object, Any]] = {}  # by what was read
        super().__init__(logs, **options)

    def _read_once(self, wanted: Sequence[Series], changed: Callable[[Series], bool]) -> dict[Series, Any]:
        """What the figure draws of each series, without those that have nothing at the step."""
        before, self._read = self._read, {}
        for series in wanted:
            with suppress(KeyError):  # gone since it was listed
                found = self._at_step(series)
                if found is not None:
                    key, read = found
                    known = before.get(series)
                    self._read[series] = known if known and known[0] == key and not changed(series) else (key, read())
        return {series: value for series, (_, value) in self._read.items() if value is not None}

    def _at_step(self, series: Series) -> tuple[object, Callable[[], Any]] | None:
        """Which value is drawn, and how to read it; None where there is none so early. Raises KeyError."""
        raise NotImplementedError


def last_up_to(steps: NDArray[np.int64], step: int | None) -> int | None:
    """The place of the last value at this step, or before; without a step the newest. None where there is none."""
    if step is None:
        return len(steps) - 1 if len(steps) else None
    held = steps[steps <= step]
    return int(np.flatnonzero(steps == held.max())[-1]) if len(held) else None


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
