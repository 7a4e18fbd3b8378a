"""Colors of a figure that follow the page's theme, also while a cell runs; js/src/figure.ts is the twin."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import anywidget
import ipywidgets
import traitlets

from tbwidget.export.bundle import asset
from tbwidget.options.colors import run_color


class FigurePage(anywidget.AnyWidget):
    """Belongs to a figure and is not shown: tells the page which colors its marks have where the page is dark.

    The page names the line near the pointer by itself, in figures of its class.
    """

    _esm = asset("figure.js")

    figure_class = traitlets.Unicode(help="A class that the figure alone has.").tag(sync=True)
    marks = traitlets.List(traitlets.Instance(ipywidgets.Widget)).tag(sync=True, **ipywidgets.widget_serialization)
    pairs: Any = traitlets.Dict(help="The color on a dark page, by that on a light one.").tag(sync=True)

    def __init__(self, figure: Any) -> None:
        super().__init__(figure_class=f"tbwidget-figure-{figure.model_id}")
        figure.add_class(self.figure_class)

    def paint(self, marks: Iterable[Any], numbers: Iterable[int]) -> None:
        """Have these marks painted, as far as they have the colors of the runs with these numbers."""
        with self.hold_sync():
            self.pairs = {run_color(number): run_color(number, "dark") for number in numbers}
            self.marks = [mark for mark in marks if mark.has_trait("colors")]
