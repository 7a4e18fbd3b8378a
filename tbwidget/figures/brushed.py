"""What is selected and what is in sight on the x axis of a figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bqplot
import numpy as np
import traitlets

from tbwidget.figures.parts import numbers, place


class BrushedFigure(bqplot.Figure):  # type: ignore[misc] # bqplot has no types
    """A `bqplot.Figure` in which places on the x axis are selected by dragging, or by setting `selected`."""

    x_scale: Any

    selected: Any = traitlets.Tuple(
        traitlets.Float(),
        traitlets.Float(),
        default_value=None,
        allow_none=True,
        help="First and last place on the x axis that the brush spans, or None. May be set.",
    )

    brush: Any = None
    """An interaction: dragging selects places on the x axis, which `selected` says."""

    def _make_brush(self) -> None:
        self.brush = bqplot.interacts.BrushIntervalSelector(scale=self.x_scale)
        self.brush.observe(self._on_brush, "selected")
        self.observe(self._on_selected, "selected")

    def _on_brush(self, change: Any) -> None:
        ends = change.new
        self.selected = None if ends is None or len(ends) != 2 else tuple(sorted(map(float, numbers(ends))))  # noqa: PLR2004

    def _on_selected(self, change: Any) -> None:
        ends = self.brush.selected
        if change.new is None:
            if ends is not None and len(ends):
                self.brush.selected = None
                self.brush.reset()
        elif ends is None or not np.array_equal(numbers(ends), change.new):
            ends = np.array(change.new, np.float64)
            dates = isinstance(self.x_scale, bqplot.DateScale)
            self.brush.selected = (ends * 1e3).astype("datetime64[ms]") if dates else ends

    def _forget_brushed(self, removed: Sequence[Any]) -> None:
        """Take marks that will be closed from those that the brush tells, in the page, what it selects of them."""
        kept = [mark for mark in self.brush.marks if not any(mark is other for other in removed)]
        if len(kept) < len(self.brush.marks):
            self.brush.marks = kept

    @property
    def visible(self) -> tuple[float, float] | None:
        """The ends of what is in sight on the x axis (ms since the epoch, where it is dates); None for all."""
        first, last = getattr(self.x_scale, "min", None), getattr(self.x_scale, "max", None)
        return None if first is None or last is None else (place(first), place(last))
