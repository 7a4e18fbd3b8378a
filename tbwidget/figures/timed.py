"""Figures along steps or times, and figures at one step."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar

import bqplot
import numpy as np
import traitlets

from tbwidget.figures.live import TEXT, LiveFigure
from tbwidget.figures.ranges import RangeMarks, spans_of
from tbwidget.options.traits import NamedRanges

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from tbwidget.figures.parts import Series
    from tbwidget.figures.ranges import Span
    from tbwidget.wire.columns import Timed

_LAST_DATE = 8.64e15  # ms since the epoch, in browsers

_MAX_SEARCHED = 32  # lines whose points place named ranges along times

_LABELS = {"step": "step", "relative": "time since the start (s)", "wall": "time"}


class TimedFigure(LiveFigure):
    """A figure with steps or times from left to right, and values upwards."""

    x = traitlets.Enum(tuple(_LABELS), default_value="step", help="What runs from left to right.")

    redraws: ClassVar[tuple[str, ...]] = ("named_ranges",)

    named_ranges = NamedRanges(help="Ranges of steps with names: bands, or a line where first and last step are equal.")

    def __init__(self, logs: Any, **options: Any) -> None:
        self._ranges: RangeMarks | None = None
        super().__init__(logs, **options)

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

    def _annotate(self, wanted: Sequence[Series]) -> None:
        if self._ranges is None and self.named_ranges:
            self._ranges = made = RangeMarks(self.x_scale, TEXT)
            self._common = [made.bands, made.names]
            self._own_parts.append(made.height)
            self.marks = [made.bands, *self.marks, made.names]
        if self._ranges is not None:
            ranges = self.named_ranges
            spans = [(name, span) for name, *steps in ranges for span in self._spans(*steps, wanted=wanted)]
            self._ranges.fill(spans, self.visible or self._extent(), "datetime64[ms]" if self.x == "wall" else "f8")

    def _spans(self, first: int, last: int, *, wanted: Sequence[Series]) -> list[Span]:
        """Where a range is on the x axis; along times, where the lines were at its steps."""
        if self.x == "step":
            return [(first, last)]
        return spans_of(first, last, map(self._places, wanted[:_MAX_SEARCHED]))

    def _places(self, series: Series) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        with suppress(KeyError):
            held = getattr(self._logs, self.kind)(*series)
            x = x_of(held, self.x)
            return held.step[known := np.abs(x) <= _LAST_DATE], x[known]
        return np.empty(0, np.int64), np.empty(0)

    def _extent(self) -> tuple[float, float]:
        """Return the ends of all lines on the x axis."""
        x = [np.asarray(mark.x).astype("f8") for mark in self._marks.values() if len(mark.x)]
        return (min(map(np.nanmin, x)), max(map(np.nanmax, x))) if x else (0.0, 1.0)


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
