"""The colours of a figure on a dark page: js/src/figure.ts, the twin, paints them there, also while a cell runs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import anywidget
import ipywidgets
import traitlets

from tbwidget.choices.colours import run_colour
from tbwidget.export.bundle import asset


class FigureTheme(anywidget.AnyWidget):
    """Belongs to a figure and is not shown: tells the page which colours its marks have where the page is dark."""

    _esm = asset("figure.js")

    marks = traitlets.List(traitlets.Instance(ipywidgets.Widget)).tag(sync=True, **ipywidgets.widget_serialization)
    pairs: Any = traitlets.Dict(help="The colour on a dark page, by that on a light one.").tag(sync=True)

    def paint(self, marks: Iterable[Any], numbers: Iterable[int]) -> None:
        """Have these marks painted, as far as they have the colours of the runs with these numbers."""
        with self.hold_sync():
            self.pairs = {run_colour(number): run_colour(number, "dark") for number in numbers}
            self.marks = [mark for mark in marks if mark.has_trait("colors")]
