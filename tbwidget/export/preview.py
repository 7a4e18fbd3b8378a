"""The static preview of a dashboard, for places that show no widgets: a line of text, and the first charts as a PNG."""

from __future__ import annotations

import base64
import io
import time
from contextvars import ContextVar
from functools import cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from tbwidget.language import counted, worded
from tbwidget.panels.declare import PreviewChart, PreviewParallel, PreviewTable
from tbwidget.panels.registry import PANELS
from tbwidget.records.indices import reduceat, repeat
from tbwidget.texts import escape_surrogates

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from PIL import Image, ImageDraw

    from tbwidget.logs.accessors import Logs
    from tbwidget.panels.declare import Panel, PreviewPart
    from tbwidget.records.values.arrays import Array


# Pixels. A picture is as wide as the output of a notebook on most screens.
_COLUMNS = 3
_CELL = (280, 168)
_PLOT = (52, 30, 268, 142)  # left, top, right, bottom in its cell
_WIDTH = _COLUMNS * _CELL[0]
_AXES = (84, 52, 800, 186)  # left, top, right, bottom in a row of its own
_AXES_HEIGHT = 218
_TICK_APART = 14  # labels of an axis
_LINE = 20  # of a table
_TABLE_TOP = 30
_APART = 22  # columns of a table
_CELL_WIDTH = 220  # of a table, at most
_HEAD = 30
_LEGEND = 20
_FINE = 3  # lines are drawn so much larger, and scaled down

_MAX_NAME_CHARACTERS = 40  # of a run
_MAX_CELLS = 6
_MIN_NAME_WIDTH, _MAX_NAME_WIDTH = 30, 90  # of a range of steps
_INK, _QUIET, _RULE, _BAND, _PAPER = "#212121", "#6b6b6b", "#e4e4e4", "#eeeeee", "#ffffff"


NamedRange = tuple[str, int, int]
"""Name, first step, last step."""


def preview(
    logs: Logs,
    head: str,
    pinned: Sequence[str] = (),
    panels: Iterable[Panel] = PANELS,
    ranges: Sequence[NamedRange] = (),
    language: str = "en",
) -> bytes | None:
    """Draw the first parts of these panels, `pinned` ones first, below a line of text; None without any.

    Charts along steps have `ranges` behind their lines. A language other than English is one that `can_write` knows.
    """
    token = _written.set(language)
    try:
        return _preview(logs, head, pinned, panels, ranges)
    finally:
        _written.reset(token)


def _preview(
    logs: Logs, head: str, pinned: Sequence[str], panels: Iterable[Panel], ranges: Sequence[NamedRange]
) -> bytes | None:
    rows: list[list[PreviewPart]] = []
    left = _MAX_CELLS
    for part in (part for panel in panels if panel.preview for part in panel.preview(logs, pinned, _written.get())):
        is_wide = not isinstance(part, PreviewChart)
        if is_wide or not rows or len(rows[-1]) == _COLUMNS or not isinstance(rows[-1][0], PreviewChart):
            rows.append([])
        rows[-1].append(part)
        left -= _COLUMNS if is_wide else 1
        if left <= 0:
            break
    return _png(head, rows, ranges) if rows else None


def _png(head: str, rows: Sequence[Sequence[PreviewPart]], ranges: Sequence[NamedRange]) -> bytes:
    from PIL import Image, ImageDraw  # noqa: PLC0415 (only where something is drawn)

    charts = [part for row in rows for part in row if isinstance(part, PreviewChart) and not part.are_points]
    runs = {line.run: line.color for chart in charts for line in chart.lines}
    top = _HEAD + (_LEGEND if len(runs) > 1 else 0)
    picture = Image.new("RGB", (_WIDTH, top + sum(map(_height_of, rows))), _PAPER)
    draw = ImageDraw.Draw(picture)
    _text(draw, (12, 9), head, _QUIET, _WIDTH - 24)
    if len(runs) > 1:
        _legend(draw, runs, _WIDTH - 12)
    for row in rows:
        for number, part in enumerate(row):
            at = number * _CELL[0], top
            _text(draw, (at[0] + 12, top + 9), part.title, _INK, (_CELL[0] if len(row) > 1 else _WIDTH) - 24)
            if isinstance(part, PreviewChart):
                _paint_chart(picture, at, part, ranges if part.is_along_steps else ())
            elif isinstance(part, PreviewParallel):
                _paint_parallel(picture, top, part)
            else:
                _paint_table(draw, top, part)
        top += _height_of(row)
    file = io.BytesIO()
    picture.quantize(128, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(file, "PNG")
    return file.getvalue()


def _height_of(row: Sequence[PreviewPart]) -> int:
    first = row[0]
    if isinstance(first, PreviewTable):
        return _TABLE_TOP + _LINE * (1 + len(first.rows)) + 10
    return _AXES_HEIGHT if isinstance(first, PreviewParallel) else _CELL[1]


def _paint_chart(picture: Image.Image, at: tuple[int, int], chart: PreviewChart, ranges: Sequence[NamedRange]) -> None:
    from PIL import ImageDraw  # noqa: PLC0415

    left, top = at
    draw = ImageDraw.Draw(picture)
    bands = _bands(chart, ranges)
    picture.paste(_plot(chart, bands), (left + _PLOT[0], top + _PLOT[1]))
    free = 0.0
    for name, start, _ in bands:
        room = _PLOT[2] - _PLOT[0] - start - 2
        if start >= free and room >= _MIN_NAME_WIDTH:
            line = _cut(draw, name, min(_MAX_NAME_WIDTH, int(room)))
            _text(draw, (left + _PLOT[0] + int(start) + 2, top + _PLOT[1]), line, _QUIET, _MAX_NAME_WIDTH)
            free = start + 2 + draw.textlength(line, _font())
    (first, last), (low, high) = _ranges(chart)
    for y, label in ((_PLOT[1] - 5, high), (_PLOT[3] - 7, low)):
        _text(draw, (left + _PLOT[0] - 5, top + y), f"{label:.3g}", _QUIET, _PLOT[0], "r")
    _text(draw, (left + _PLOT[0], top + _PLOT[3] + 5), _along(first), _QUIET, 100)
    _text(draw, (left + _PLOT[2], top + _PLOT[3] + 5), _along(last), _QUIET, 100, "r")


def _paint_parallel(picture: Image.Image, top: int, parallel: PreviewParallel) -> None:
    """Lines across the axes; a missing value is below its axis."""
    from PIL import Image, ImageDraw  # noqa: PLC0415

    count = len(parallel.axes)
    gap = (_AXES[2] - _AXES[0]) / max(1, count - 1)
    lefts = [round(_AXES[0] + place * gap) for place in range(count)]
    height, missing = _AXES[3] - _AXES[1], _AXES[3] + 16
    is_missing = any(np.isnan(line.y).any() for line in parallel.lines)
    size = (_WIDTH * _FINE, (_AXES_HEIGHT - _AXES[1] + 6) * _FINE)
    drawing = Image.new("RGB", size, _PAPER)
    lines = ImageDraw.Draw(drawing)
    for line in parallel.lines:
        ys = np.where(np.isnan(line.y), missing, _AXES[3] - np.nan_to_num(line.y) * height) - _AXES[1] + 6
        points = [(left * _FINE, y * _FINE) for left, y in zip(lefts, ys.tolist(), strict=True)]
        lines.line(points, line.color, _FINE + 1)
    picture.paste(drawing.resize((_WIDTH, size[1] // _FINE), Image.Resampling.BOX), (0, top + _AXES[1] - 6))
    draw = ImageDraw.Draw(picture)
    for axis, left in zip(parallel.axes, lefts, strict=True):
        draw.line([(left, top + _AXES[1]), (left, top + _AXES[3])], _QUIET, 1)
        width = int(gap) - 8 if count > 1 else _WIDTH
        name = _cut(draw, axis.title, min(width, 2 * (_WIDTH - left), 2 * left))
        _text(draw, (left - int(draw.textlength(name, _font()) / 2), top + 31), name, _INK, _WIDTH)
        last = float("inf")
        for place, label in axis.ticks:
            y = round(_AXES[3] - place * height)
            if last - y >= _TICK_APART:
                _label(draw, left, top + y, label, width)
                last = y
        if is_missing:
            _label(draw, left, top + missing, "-", width)


def _label(draw: ImageDraw.ImageDraw, left: int, y: int, text: str, most: int) -> None:
    """Write left of an axis, above the lines."""
    line = _cut(draw, text, most - 10)
    width = int(draw.textlength(line, _font()))
    draw.rectangle([left - width - 8, y - 6, left - 4, y + 6], _PAPER)
    draw.line([(left - 3, y), (left, y)], _QUIET, 1)
    _text(draw, (left - 6, y - 7), line, _QUIET, most, "r")


def _paint_table(draw: ImageDraw.ImageDraw, top: int, table: PreviewTable) -> None:
    """Paint as many columns as there is room for; the first has the color of its row."""
    left, first = 28, top + _TABLE_TOP
    for column, title in enumerate(table.head):
        cells = [_cut(draw, text, _CELL_WIDTH) for text in (title, *(texts[column] for _, texts in table.rows))]
        width = max(int(draw.textlength(text, _font())) for text in cells)
        if left + width > _WIDTH - 12 and column > 0:
            _text(draw, (left, first), "...", _QUIET, 20)
            break
        is_text = any(text and not _is_number(text) for text in cells[1:])
        for row, text in enumerate(cells):
            at = (left if is_text else left + width, first + row * _LINE)
            _text(draw, at, text, _QUIET if row == 0 else _INK, _WIDTH, "l" if is_text else "r")
        left += width + _APART
    for row, (color, _) in enumerate(table.rows, 1):
        y = first + row * _LINE
        draw.line([(12, y - 3), (_WIDTH - 12, y - 3)], _RULE, 1)
        draw.ellipse([13, y + 3, 21, y + 11], color)


def _along(x: float) -> str:
    """An end of the x axis: a step, or the value of a hyperparameter."""
    return f"{x:.0f}" if x == round(x) else f"{x:.3g}"


def _legend(draw: ImageDraw.ImageDraw, runs: Mapping[str, str], right: int) -> None:
    """Which color is which run, of as many as one line holds."""
    left, font = 12, _font()
    for run, color in runs.items():
        name = _line_of(run)[:_MAX_NAME_CHARACTERS]
        end = left + 14 + int(draw.textlength(name, font))
        if end > right - 20:
            _text(draw, (left, _HEAD - 1), "...", _QUIET, 20)
            break
        draw.rectangle([left, _HEAD + 4, left + 8, _HEAD + 8], color)
        _text(draw, (left + 14, _HEAD - 1), name, _INK, right)
        left = end + 16


def _bands(chart: PreviewChart, ranges: Sequence[NamedRange]) -> list[tuple[str, float, float]]:
    """Return the ranges that a chart shows, from left to right, with their ends in pixels from the edge of the plot."""
    (first, last), _ = _ranges(chart)
    scale = (_PLOT[2] - _PLOT[0]) / (last - first or 1)
    shown = [(name, max(start, first), min(end, last)) for name, start, end in ranges if end >= first and start <= last]
    return sorted(((name, (a - first) * scale, (b - first) * scale) for name, a, b in shown), key=itemgetter(1))


def _plot(chart: PreviewChart, bands: Sequence[tuple[str, float, float]]) -> Image.Image:
    """The lines or points upon the bands alone, smooth at their edges."""
    from PIL import Image, ImageDraw  # noqa: PLC0415

    width, height = _PLOT[2] - _PLOT[0], _PLOT[3] - _PLOT[1]
    across, down = width * _FINE, height * _FINE
    picture = Image.new("RGB", (across, down), _PAPER)
    draw = ImageDraw.Draw(picture)
    for _, start, end in bands:
        draw.rectangle([start * _FINE, 0, max(end, start + 1) * _FINE, down], _BAND if start < end else _QUIET)
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


def _ranges(chart: PreviewChart) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the ranges of the x and y axes."""
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


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _text(draw: ImageDraw.ImageDraw, at: tuple[int, int], text: str, color: str, most: int, side: str = "l") -> None:
    """A line of text, cut to `most` pixels."""
    font, line = _font(), _cut(draw, text, most)
    left = at[0] if side == "l" else at[0] - int(draw.textlength(line, font))
    draw.text((left, at[1]), line, color, font)


def _cut(draw: ImageDraw.ImageDraw, text: str, most: int) -> str:
    font, line = _font(), _line_of(text)
    if draw.textlength(line, font) > most:
        while line and draw.textlength(line + "...", font) > most:
            line = line[:-1]
        line += "..."
    return line


def _line_of(text: str) -> str:
    """The text on one line, in letters that the font has."""
    line = " ".join(escape_surrogates(text).split())[:200]
    try:
        _font().getlength(line)
    except UnicodeEncodeError:  # an old Pillow's own font has no other letters
        line = line.encode("latin-1", "replace").decode("latin-1")
    return line


_FONTS = {
    "ko": (
        "NotoSansCJK-Regular.ttc",
        "NotoSansKR-Regular.otf",
        "NotoSansKR-Regular.ttf",
        "NanumGothic.ttf",
        "AppleSDGothicNeo.ttc",
        "malgun.ttf",
    )
}
"""Fonts that are installed where people read a language, by it; Pillow's own has Latin letters alone."""

_written: ContextVar[str] = ContextVar("language", default="en")
"""The language of the picture that is drawn."""


def can_write(language: str) -> bool:
    """Whether there is a font for a language."""
    return language not in _FONTS or _font_of(language) is not None


def _font() -> Any:
    return _font_of(_written.get()) or _font_of("en")


@cache
def _font_of(language: str) -> Any | None:
    """The first of a language's fonts that is installed; of English Pillow's own, as installed fonts differ."""
    from PIL import ImageFont  # noqa: PLC0415

    for name in _FONTS.get(language, ()):
        try:
            return ImageFont.truetype(name, 12)
        except OSError:
            continue
    if language in _FONTS:
        return None
    try:
        return ImageFont.load_default(12)
    except TypeError:  # before Pillow 10.1
        return ImageFont.load_default()


_MAX_RUNS = 3  # that the line of text names


def summary(logs: Logs, language: str = "en") -> str:
    """Return the first runs by name, and the number of tags of each kind, as one line."""
    runs, tags = logs.runs, logs.tags()
    if not runs:
        return worded("no runs yet", language)
    names = [_short(escape_surrogates(run)) for run in runs[:_MAX_RUNS]]
    more = ", …" if len(runs) > len(names) else ""
    counts = [f"{worded(_words(kind), language)} {len(set().union(*by_run.values()))}" for kind, by_run in tags.items()]
    listed = f"{counted(len(runs), 'run', language)} ({', '.join(names)}{more})"
    return worded("{runs}; tags: {counts}", language, runs=listed, counts=", ".join(counts)) if counts else listed


def _short(name: str) -> str:
    line = " ".join(name.split())
    return line if len(line) <= _MAX_NAME_CHARACTERS else f"{line[: _MAX_NAME_CHARACTERS - 1]}…"


def _words(kind: str) -> str:
    return kind.replace("_", " ")


_POLL_S = 0.005


def wait_for_logs(logs: Logs, most: float) -> None:
    """Wait for the end of the initial scan, at most `most` seconds."""
    until = time.monotonic() + most
    while not logs.source.ready and time.monotonic() < until:
        time.sleep(_POLL_S)


def preview_bundle(
    logs: Logs,
    name: str,
    pinned: Sequence[str],
    panels: Iterable[Panel],
    ranges: Sequence[NamedRange] = (),
    language: str | None = None,
) -> dict[str, str]:
    """Return a static preview by MIME types, of the data that has been read. `name` and so on are the widget's.

    Without a language, or in the picture without a font for it, it is in English.
    """
    if not logs.source.ready:
        return {"text/plain": name}
    now = time.strftime("%Y-%m-%d %H:%M")

    def words(language: str) -> str:
        return worded("{summary}, as of {time}", language, summary=summary(logs, language), time=now)

    try:
        drawn = language if language is not None and can_write(language) else "en"
        picture = preview(logs, words(drawn), pinned, panels, ranges, drawn)
    except Exception:  # noqa: BLE001 (a dashboard is shown whatever becomes of its picture)
        picture = None
    found = {"text/plain": f"{name}: {words(language or 'en')}"}
    return found if picture is None else {**found, "image/png": base64.b64encode(picture).decode("ascii")}


def described(bundle: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """The metadata of such a bundle: a text in place of the picture, in nbconvert's classic and basic pages."""
    return {"image/png": {"alt": bundle["text/plain"]}} if "image/png" in bundle else {}
