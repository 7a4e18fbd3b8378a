"""Where a legend hides least of the lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tbwidget.figures.parts import place

if TYPE_CHECKING:
    from numpy.typing import NDArray

STYLE = {"font-size": "8px"}
"""Of the box, whose width bqplot gives in em: about the width of a letter of the names in it."""

PLACES = ("top-right", "top-left", "bottom-left", "bottom-right", "top", "bottom", "left", "right")

MOST_NAMES = 10

_SHARE = 0.7  # of the height
_LINE = 16  # CSS pixels that bqplot gives each name, and each letter where it places a legend to the right
_LETTER = 8
_WIDTHS = (500.0, 1_100.0)  # of the area of the lines: how wide a page is, only the page knows
_HEIGHT = 400.0  # of a figure that nobody has given a height, about
_LEAST_HEIGHT = 60.0
_ENOUGH = 150  # points of a line that are looked at, about
_SLACK = 0.002  # of the points: for fewer, a legend does not move


def free_place(figure: Any, marks: Iterable[Any]) -> str:
    """The place for the legend of a figure's own marks, which share its scales; where it is now if it has none."""
    lines = [mark for mark in marks if hasattr(mark, "display_legend")]
    listed = [mark for mark in lines if mark.display_legend and mark.labels]
    now = str(figure.legend_location)
    if not listed:
        return now
    letters = max(len(mark.labels[0]) for mark in listed)
    curves = curves_of([mark for mark in lines if mark.visible], figure.x_scale, figure.y_scale)
    return best_place(curves, letters, len(listed), _height(figure), now)


def most_names(figure: Any) -> int:
    """How many names a legend may have: more would hide what they are about."""
    return min(MOST_NAMES, int(_SHARE * _height(figure) / _LINE))


def _height(figure: Any) -> float:
    """Of the area of the lines, in CSS pixels."""
    given = re.fullmatch(r"(\d+)px", figure.layout.height or "")
    # The user may have set some of the margins alone.
    margins = sum(float(figure.fig_margin.get(side, 0)) for side in ("top", "bottom"))
    return max(_LEAST_HEIGHT, (float(given[1]) if given else _HEIGHT) - margins)


class Curve(NamedTuple):
    """What is drawn of a line, in parts of the area: 0 to 1 from left to right, and from the top down."""

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    filled: bool
    """The area below belongs to it."""


def best_place(curves: Sequence[Curve], letters: int, names: int, height: float, now: str) -> str:
    """One of `PLACES` for so many names of at most so many letters, in an area `height` CSS pixels high.

    It stays where it is now, as long as that is about as good as any other.
    """
    hidden = dict.fromkeys(PLACES, 0)
    for width in _WIDTHS:
        for where in PLACES:
            left, right, top, bottom = _box(where, letters, names, width, height)
            for x, y, filled in curves:
                inside = (x >= left) & (x <= right) & (y <= bottom)
                hidden[where] += int((inside if filled else inside & (y >= top)).sum())
    best = min(PLACES, key=lambda where: hidden[where])
    slack = _SLACK * len(_WIDTHS) * sum(len(curve.x) for curve in curves)
    return now if now in hidden and hidden[now] <= hidden[best] + slack else best


def _box(where: str, letters: int, names: int, width: float, height: float) -> tuple[float, float, float, float]:
    """Left, right, top and bottom end of a legend, as bqplot places it, in parts of the area."""
    lines = names + 1
    if where.endswith("right"):
        left = width - _LINE * (letters + 2) - 8
    else:
        left = 8.0 if where.endswith("left") else width / 2 - 16
    if where.startswith("top"):
        top = 8.0
    else:
        top = (height if where.startswith("bottom") else height / 2) - _LINE * (lines + 1) + 8
    right, bottom = left + _LETTER * (letters + 2), top + _LINE * lines
    return left / width, right / width, top / height, bottom / height


def curves_of(marks: Sequence[Any], x_scale: Any, y_scale: Any) -> list[Curve]:
    """What is in sight of lines that share these scales."""
    lines = [
        (_thinned(_plain(mark.x, x_scale)), _thinned(_plain(row, y_scale)), mark.fill == "bottom")
        for mark in marks
        for row in np.atleast_2d(mark.y)
        if len(mark.x) and row.shape == np.shape(mark.x)
    ]
    if not lines:
        return []
    x_ends = _ends(x_scale, [x for x, _, _ in lines])
    y_ends = _ends(y_scale, [y for _, y, _ in lines])
    with np.errstate(all="ignore"):
        return [
            Curve((x - x_ends[0]) / (x_ends[1] - x_ends[0]), (y_ends[1] - y) / (y_ends[1] - y_ends[0]), filled)
            for x, y, filled in lines
        ]


def _plain(values: Any, scale: Any) -> NDArray[np.float64]:
    """Places on a scale as numbers that are spread evenly."""
    values = np.asarray(values)
    numbers: NDArray[np.float64] = (values.astype("datetime64[ms]") if values.dtype.kind == "M" else values).astype(
        np.float64
    )
    with np.errstate(all="ignore"):
        return np.log(numbers) if type(scale).__name__ == "LogScale" else numbers


def _thinned(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """About as many points of a line as decide where a legend is; of few points, some between them."""
    count = len(values)
    places = np.linspace(0, count - 1, _ENOUGH)
    return np.interp(places, np.arange(count), values)


def _ends(scale: Any, columns: Sequence[NDArray[np.float64]]) -> tuple[float, float]:
    """The ends of what is in sight: those of the scale, or else of all values."""
    values = np.concatenate(columns)
    values = values[np.isfinite(values)]
    given = [
        None if end is None else float(_plain(place(end), scale))
        for end in (getattr(scale, "min", None), getattr(scale, "max", None))
    ]
    low, high = (values.min(), values.max()) if len(values) else (0.0, 1.0)
    first, last = low if given[0] is None else given[0], high if given[1] is None else given[1]
    return (float(first), float(last)) if last > first else (float(first) - 1, float(first) + 1)
