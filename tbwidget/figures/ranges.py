"""Named ranges of steps in a figure: bands behind its lines, and their names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bqplot
import numpy as np

from tbwidget.figures.parts import short_label

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

_GRAY = "rgba(127, 127, 127, 0.5)"
_FILL_OPACITY = 0.25
_LETTER_SHARE = 0.013  # of the figure's width that a letter of a name takes, about
_ROW_SHARE = 0.06  # of the figure's height, from a name to the one below it
_REACH = 1_000  # widths of the figure to which bands reach on either side: SVG has no larger numbers

Span = tuple[float, float]


class RangeMarks:
    """A mark of bands, which span the figure's height whatever its y axis shows, and one of their names."""

    def __init__(self, x_scale: Any, color: str) -> None:
        self.height = bqplot.LinearScale(min=0.0, max=1.0, allow_padding=False)
        # Only data stretch the x axis.
        scales = {"x": x_scale, "y": self.height}
        shared = {"x": np.empty(0), "y": np.empty(0), "scales": scales, "preserve_domain": {"x": True}}
        self.bands = bqplot.Lines(fill="inside", colors=[_GRAY], stroke_width=1, **shared)
        text = {"colors": [color], "default_size": 11, "font_weight": "normal", "x_offset": 3, "y_offset": 12}
        self.names = bqplot.Label(**text, **shared)

    def fill(self, ranges: Sequence[tuple[str, Span]], visible: Span, dtype: str) -> None:
        """Write where they are. A name begins where its band does, or ends at the right edge, below others there."""
        is_log = isinstance(self.bands.scales["x"], bqplot.LogScale)
        ranges = [(name, span) for name, span in ranges if span[1] > 0 or not is_log]
        spans = np.array([visible, *(span for _, span in ranges)], np.float64)
        if is_log:  # a band from step 0 begins at the left edge
            spans = np.log10(np.maximum(spans, 0.5))
        low, high = spans[0]
        width = (high - low) or 1.0
        spans = np.clip(spans, low - _REACH * width, high + _REACH * width)
        rows = [(name, *span) for (name, _), span in zip(ranges, spans[1:], strict=True)]
        names: list[tuple[float, float, str]] = []
        ends: list[float] = []
        for name, first, last in sorted(rows, key=lambda row: row[1]):
            if last >= low and first <= high:
                text = short_label(name)
                length = sum(1 if letter.isascii() else 2 for letter in text) * _LETTER_SHARE * width
                begin = max(min(first, high - length), low)
                row = next((row for row, end in enumerate(ends) if end <= begin), len(ends))
                ends[row : row + 1] = [begin + length]
                names.append((begin, 1 - _ROW_SHARE * row, text))
        corners = np.array([[first, first, last, last] for _, first, last in rows])
        begins = np.array([x for x, _, _ in names])
        with self.bands.hold_sync(), self.names.hold_sync():
            self.bands.x = (10**corners if is_log else corners).astype(dtype)
            self.bands.y = np.tile([0.0, 1.0, 1.0, 0.0], (len(rows), 1))
            self.bands.labels = [name for name, _, _ in rows]
            self.bands.fill_opacities = [_FILL_OPACITY] * len(rows)
            self.names.x = (10**begins if is_log else begins).astype(dtype)
            self.names.y = np.array([y for _, y, _ in names])
            self.names.text = np.array([text for _, _, text in names], str)


def spans_of(first: int, last: int, lines: Iterable[tuple[NDArray[np.int64], NDArray[np.float64]]]) -> list[Span]:
    """Return where lines, as steps and places, are at these steps or between the points around them, in order."""
    found: list[Span] = []
    for step, x in lines:
        at = x[(step >= first) & (step <= last)]
        if not len(at) and (step > last).any():
            at = x[step < first][-1:]
        found += [(at.min(), at.max())] if len(at) else []
    merged: list[Span] = []
    for begin, end in sorted(found):
        if merged and begin <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((begin, end))
    return merged
