"""How many names a legend has, and where it hides least of the lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tbwidget.figures.parts import place
from tbwidget.records.indices import repeat

STYLE = {"font-size": "8px"}
"""Style of the legend's box. bqplot sets its width in em: this is about the width of a letter of the names in it."""

PLACES = {
    "top-right": (2, 2),
    "top-left": (0, 2),
    "bottom-left": (0, 0),
    "bottom-right": (2, 0),
    "top": (1, 2),
    "bottom": (1, 0),
    "left": (0, 1),
    "right": (2, 1),
}
"""Places of a legend, with the thirds of the x axis and of the y axis that it covers there, about."""

MAX_NAMES = 10

_TOP = 2

_MAX_HEIGHT_SHARE = 0.7  # of the figure's area that a legend may take
_LINE_PX = 16  # bqplot's height of a name
_HEIGHT_PX = 400.0  # about the height of a figure for which the user gives none
_MIN_HEIGHT_PX = 60.0
_POINTS = 150  # of each line that are compared
_SLACK = 0.002  # share of the points: for a smaller gain, a legend does not move


def most_names(figure: Any) -> int:
    """Return how many names a legend may have: more would hide the lines that they name."""
    given = re.fullmatch(r"(\d+)px", figure.layout.height or "")
    # The user may have set some of the margins alone.
    margins = sum(float(figure.fig_margin.get(side, 0)) for side in ("top", "bottom"))
    height = max(_MIN_HEIGHT_PX, (float(given[1]) if given else _HEIGHT_PX) - margins)
    return min(MAX_NAMES, int(_MAX_HEIGHT_SHARE * height / _LINE_PX))


def free_place(figure: Any, marks: Iterable[Any], *, is_top_free: bool = True) -> str:
    """Return where a legend hides least of these marks, which share the figure's scales. Other marks may be at the top.

    That is its present place, as long as this is about as good as any other, or nothing is listed.
    """
    now = str(figure.legend_location)
    lines = [mark for mark in marks if hasattr(mark, "display_legend") and mark.visible and len(mark.x)]
    rows = [(mark, row) for mark in lines for row in np.atleast_2d(mark.y) if row.shape == np.shape(mark.x)]
    if not rows or not any(mark.display_legend and mark.labels for mark in lines):
        return now
    x, y = _thirds(figure.x_scale, [mark.x for mark, _ in rows]), _thirds(figure.y_scale, [row for _, row in rows])
    is_filled = repeat(np.array([mark.fill == "bottom" for mark, _ in rows]), _POINTS)
    hidden = {
        where: np.count_nonzero((x == column) & ((y == row) | (is_filled & (y > row))))
        for where, (column, row) in PLACES.items()
        if row < _TOP or is_top_free
    }
    best = min(hidden, key=hidden.__getitem__)
    return now if now in hidden and hidden[now] <= hidden[best] + _SLACK * len(x) else best


def _thirds(scale: Any, columns: Sequence[Any]) -> NDArray[np.int64]:
    """Return the thirds of an axis, 0 to 2, that hold `_POINTS` points of each line; another number out of view."""
    with np.errstate(all="ignore"):
        values = np.concatenate([_numbers(column, scale) for column in columns])
        finite = values[np.isfinite(values)]
        ends = (getattr(scale, "min", None), getattr(scale, "max", None))
        low, high = (None if end is None else _numbers([place(end)], scale)[0] for end in ends)
        low = finite.min(initial=np.inf) if low is None else low
        high = finite.max(initial=-np.inf) if high is None else high
        found: NDArray[np.int64] = np.floor(2.999 * (values - low) / (high - low if high > low else 1)).astype(np.int64)
    return found


def _numbers(values: Any, scale: Any) -> NDArray[np.float64]:
    """Return `_POINTS` points of a line, as numbers that are spread evenly along the axis."""
    values = np.asarray(values)
    numbers: NDArray[np.float64] = (values.astype("datetime64[ms]") if values.dtype.kind == "M" else values).astype(
        np.float64
    )
    numbers = np.interp(np.linspace(0, len(numbers) - 1, _POINTS), np.arange(len(numbers)), numbers)
    if type(scale).__name__ == "LogScale":
        np.log(numbers, out=numbers)
    return numbers
