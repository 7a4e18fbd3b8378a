"""Lines of scalars, as few points that lose no extreme and are cut where steps go back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import bqplot
import numpy as np
import traitlets
from numpy.typing import NDArray

from tbwidget.figures.parts import Part, Series
from tbwidget.figures.smoothing import NOT_SMOOTHED, Smoothing, smoothed
from tbwidget.figures.timed import TimedFigure, points_of, x_of
from tbwidget.logs.kinds.registry import SCALARS
from tbwidget.options.traits import Number
from tbwidget.panels.scalar_buckets import bucket_width, extremes
from tbwidget.panels.scalar_options import MAX_WINDOW, SMOOTHING_KINDS, is_smoothable

MAX_POINTS = 1_000
"""Points of one line."""
MAX_OF_ALL = 20_000
"""Points of all lines together: a page draws no more of them smoothly as SVG."""

MAX_BREAKS = 32
"""Breaks of a line; with more, the steps have no order that pieces could follow, and the line leads back."""

_MIN_INSIDE = 2
_ENDS = 2  # points of a stretch at least
_SHARE_OUTSIDE = 4
"""One of this many points goes to the range outside the view, so that a line shows while the user pans."""

_LINE, _RAW = "line", "raw"


class ScalarFigure(TimedFigure):
    """Scalars along their steps or times: a line a run and tag; behind it, when smoothed, a faint one as written."""

    kind = SCALARS
    unlisted = frozenset({_RAW})
    redraws = ("named_ranges", "smoothing", "smoothing_kind", "smoothing_window")

    smoothing = Number(0.0, min=0.0, max=0.999, help='Weight of the past, of the kind "ema"; 0 for none.')
    smoothing_kind = traitlets.Enum(SMOOTHING_KINDS, default_value="ema", help="How lines are smoothed.")
    smoothing_window = traitlets.Int(20, min=1, max=MAX_WINDOW, help='Points that "mean" and "gaussian" average.')

    def _contents(
        self, wanted: Sequence[Series], changed: Callable[[Series], bool]
    ) -> Mapping[Part, dict[str, Any] | None]:
        kind = self.smoothing_kind
        chosen = Smoothing(kind, self.smoothing if kind == "ema" else self.smoothing_window)
        names = [_RAW, _LINE] if chosen.changes else [_LINE]
        most = min(MAX_POINTS, MAX_OF_ALL // max(1, len(wanted) * len(names)))
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
        return self.lines(contents, **style)


def breaks_of(step: NDArray[np.int64]) -> NDArray[np.int64]:
    """The places with which another line begins, since steps go back there: a restart, or several writers."""
    breaks = np.flatnonzero(step[1:] < step[:-1]) + 1
    return breaks if len(breaks) <= MAX_BREAKS else breaks[:0]


def few_places(
    x: NDArray[np.float64], values: NDArray[np.float64], most: int, visible: tuple[float, float] | None = None
) -> NDArray[np.int64]:
    """Places of at most `most` (8 or more) points, ascending, the least and the greatest of each stretch among them.

    `visible` is the visible range of the x axis, which gets most of the points.
    """
    count = len(values)
    if count <= most:
        return np.arange(count)
    inside = _inside(x, visible) if visible is not None else None
    if inside is None or inside == (0, count):
        return _extremes(values, 0, count, most)
    begin, end = inside
    outside = count - (end - begin)
    spared = most // _SHARE_OUTSIDE
    before = min(begin, max(_ENDS, begin * spared // outside))
    after = min(count - end, max(_ENDS, spared - before))
    parts = ((0, begin, before), (begin, end, most - before - after), (end, count, after))
    return np.concatenate([_extremes(values, first, last, room) for first, last, room in parts if last > first])


def _inside(x: NDArray[np.float64], visible: tuple[float, float]) -> tuple[int, int] | None:
    """The visible range of places, and one more on either side; None if x does not ascend, or none is visible."""
    if (x[1:] < x[:-1]).any():
        return None
    begin, end = int(np.searchsorted(x, visible[0], "left")), int(np.searchsorted(x, visible[1], "right"))
    return (max(0, begin - 1), min(len(x), end + 1)) if end - begin >= _MIN_INSIDE else None


def _extremes(values: NDArray[np.float64], begin: int, end: int, most: int) -> NDArray[np.int64]:
    """Places from `begin` to `end`: the first and the last, and the minimum and the maximum of each bucket.

    A bucket without a finite value gives one of its places, so that the line has its gap.
    """
    count = end - begin
    if count <= most:
        return np.arange(begin, end)
    if most < 2 * _ENDS:  # no room for a bucket
        return np.array([begin, end - 1], np.int64)
    inner = extremes(values[begin:end], bucket_width(count, (most - _ENDS) // 2))
    return begin + np.union1d(inner, (0, count - 1))


def in_pieces(
    x: NDArray[np.float64], y: NDArray[np.float64], places: NDArray[np.int64], breaks: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The points at these places, with a gap (NaN) in the line where another piece begins."""
    x, y = x[places], np.where(np.isfinite(y[places]), y[places], np.nan)
    if len(breaks):
        pieces = np.searchsorted(breaks, places, "right")
        cuts = np.flatnonzero(pieces[1:] != pieces[:-1]) + 1
        x, y = np.insert(x, cuts, x[cuts]), np.insert(y, cuts, np.nan)
    return x, y
