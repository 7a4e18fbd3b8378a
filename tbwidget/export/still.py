"""A still picture of a dashboard, for where no widget can be shown: the first charts, as a PNG."""

from __future__ import annotations

import io
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from tbwidget.panels.registry import PANELS
from tbwidget.records.indices import reduceat, repeat
from tbwidget.texts import escape_surrogates

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from PIL import Image, ImageDraw

    from tbwidget.logs.accessors import Logs
    from tbwidget.panels.declare import Panel, StillChart
    from tbwidget.records.values.arrays import Array

# Pixels. A picture is as wide as the output of a notebook on most screens.
_COLUMNS = 3
_CELL = (280, 168)
_PLOT = (52, 30, 268, 142)  # left, top, right, bottom in its cell
_HEAD = 30
_LEGEND = 20
_FINE = 3  # lines are drawn so much larger, and scaled down

_LONGEST_NAME = 40  # characters of a run in the legend
_MOST_CELLS = 6
_INK, _QUIET, _RULE, _PAPER = "#212121", "#6b6b6b", "#e4e4e4", "#ffffff"


def still(logs: Logs, head: str, pinned: Sequence[str] = (), panels: Iterable[Panel] = PANELS) -> bytes | None:
    """The first charts of these panels, `pinned` ones before others, below a line of text; None without any."""
    charts = (chart for panel in panels if panel.still for chart in panel.still(logs, pinned))
    found = list(islice(charts, _MOST_CELLS))
    return _png(head, found) if found else None


def _png(head: str, charts: Sequence[StillChart]) -> bytes:
    from PIL import Image, ImageDraw  # noqa: PLC0415 (only where something is drawn)

    columns = min(_COLUMNS, len(charts))
    runs = {line.run: line.color for chart in charts if not chart.are_points for line in chart.lines}
    head_height = _HEAD + (_LEGEND if len(runs) > 1 else 0)
    size = (_COLUMNS * _CELL[0], head_height + -(-len(charts) // _COLUMNS) * _CELL[1])
    plots = [_plot(chart) for chart in charts]
    picture = Image.new("RGB", size, _PAPER)
    draw = ImageDraw.Draw(picture)
    _text(draw, (12, 9), head, _QUIET, size[0] - 24)
    if len(runs) > 1:
        _legend(draw, runs, size[0] - 12)
    for number, (chart, plot) in enumerate(zip(charts, plots, strict=True)):
        left, top = number % columns * _CELL[0], head_height + number // columns * _CELL[1]
        picture.paste(plot, (left + _PLOT[0], top + _PLOT[1]))
        _text(draw, (left + 12, top + 9), chart.title, _INK, _CELL[0] - 24)
        (first, last), (low, high) = _ranges(chart)
        for y, label in ((_PLOT[1] - 5, high), (_PLOT[3] - 7, low)):
            _text(draw, (left + _PLOT[0] - 5, top + y), f"{label:.3g}", _QUIET, _PLOT[0], "r")
        _text(draw, (left + _PLOT[0], top + _PLOT[3] + 5), _along(first), _QUIET, 100)
        _text(draw, (left + _PLOT[2], top + _PLOT[3] + 5), _along(last), _QUIET, 100, "r")
    file = io.BytesIO()
    picture.quantize(128, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(file, "PNG")
    return file.getvalue()


def _along(x: float) -> str:
    """An end of the x axis: a step, or the value of a hyperparameter."""
    return f"{x:.0f}" if x == round(x) else f"{x:.3g}"


def _legend(draw: ImageDraw.ImageDraw, runs: Mapping[str, str], right: int) -> None:
    """Which color is which run, of as many as one line holds."""
    left, font = 12, _font()
    for run, color in runs.items():
        name = _line_of(run)[:_LONGEST_NAME]
        end = left + 14 + int(draw.textlength(name, font))
        if end > right - 20:
            _text(draw, (left, _HEAD - 1), "...", _QUIET, 20)
            break
        draw.rectangle([left, _HEAD + 4, left + 8, _HEAD + 8], color)
        _text(draw, (left + 14, _HEAD - 1), name, _INK, right)
        left = end + 16


def _plot(chart: StillChart) -> Image.Image:
    """The lines or points alone, smooth at their edges."""
    from PIL import Image, ImageDraw  # noqa: PLC0415

    width, height = _PLOT[2] - _PLOT[0], _PLOT[3] - _PLOT[1]
    across, down = width * _FINE, height * _FINE
    picture = Image.new("RGB", (across, down), _PAPER)
    draw = ImageDraw.Draw(picture)
    for part in range(3):
        rule = min(down - 1, part * down // 2)
        draw.line([(0, rule), (across, rule)], _RULE, _FINE)
    (first, last), (low, high) = _ranges(chart)
    for line in chart.lines:
        x = (line.x - first) / (last - first or 1) * (across - 1)
        y = (high - line.y) / (high - low or 1) * (down - 1) if high > low else np.full(len(x), down / 2)
        if chart.are_points:
            _mark(picture, x, y, line.color)
            continue
        points = _extremes(x, y)
        if len(points) == 1:
            (x0, y0), r = points[0], 2 * _FINE
            draw.ellipse([x0 - r, y0 - r, x0 + r, y0 + r], line.color)
        draw.line(points, line.color, 2 * _FINE - 1)
    return picture.resize((width, height), Image.Resampling.BOX)


def _mark(picture: Image.Image, x: Array, y: Array, color: str) -> None:
    """Draw any number of points, as small squares."""
    from PIL import Image  # noqa: PLC0415

    mask = np.zeros((picture.height, picture.width), np.bool_)
    across, down = x.astype(np.intp), y.astype(np.intp)
    for right in range(-_FINE, _FINE):
        for below in range(-_FINE, _FINE):
            mask[np.clip(down + below, 0, picture.height - 1), np.clip(across + right, 0, picture.width - 1)] = True
    picture.paste(color, (0, 0), Image.fromarray(mask))


def _extremes(x: Array, y: Array) -> list[tuple[float, float]]:
    """The line in order of x; where points are close, the first, the least, the greatest and the last of each pixel."""
    order = np.argsort(x, kind="stable")
    x, y = x[order], y[order]
    column = np.floor(x / _FINE).astype(np.int64)
    starts = np.flatnonzero(np.diff(column, prepend=-1))
    if 4 * len(starts) >= len(x):
        return list(zip(x.tolist(), y.tolist(), strict=True))
    ends = np.append(starts[1:], len(x)) - 1
    rows = np.column_stack([y[starts], reduceat(np.minimum, y, starts), reduceat(np.maximum, y, starts), y[ends]])
    return list(zip(repeat(x[starts], 4).tolist(), rows.ravel().tolist(), strict=True))


def _ranges(chart: StillChart) -> tuple[tuple[float, float], tuple[float, float]]:
    """What the axes show: across, then down."""
    ranges = _range([line.x for line in chart.lines]), _range([line.y for line in chart.lines])
    if not chart.has_one_scale:
        return ranges
    (first, last), (low, high) = ranges
    width, height = _PLOT[2] - _PLOT[0], _PLOT[3] - _PLOT[1]
    unit = max((last - first) / width, (high - low) / height) / 2  # half of a pixel
    across, down = (first + last) / 2, (low + high) / 2
    return (across - unit * width, across + unit * width), (down - unit * height, down + unit * height)


def _range(columns: Sequence[Array]) -> tuple[float, float]:
    return min(float(column.min()) for column in columns), max(float(column.max()) for column in columns)


def _text(draw: ImageDraw.ImageDraw, at: tuple[int, int], text: str, color: str, most: int, side: str = "l") -> None:
    """A line of text, cut to `most` pixels."""
    font, line = _font(), _line_of(text)
    if draw.textlength(line, font) > most:
        while line and draw.textlength(line + "...", font) > most:
            line = line[:-1]
        line += "..."
    left = at[0] if side == "l" else at[0] - int(draw.textlength(line, font))
    draw.text((left, at[1]), line, color, font)


def _line_of(text: str) -> str:
    """The text on one line, in letters that the font has."""
    line = " ".join(escape_surrogates(text).split())[:200]
    try:
        _font().getlength(line)
    except UnicodeEncodeError:  # an old Pillow's own font has no other letters
        line = line.encode("latin-1", "replace").decode("latin-1")
    return line


@cache
def _font() -> Any:
    """Pillow's own: installed fonts differ from machine to machine."""
    from PIL import ImageFont  # noqa: PLC0415

    try:
        return ImageFont.load_default(12)
    except TypeError:  # before Pillow 10.1
        return ImageFont.load_default()
