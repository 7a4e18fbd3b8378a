"""The layouts of charts that trainings write for TensorBoard's custom scalars, with the scalars that these charts draw.

A layout travels as JSON, of each run: `{"categories": [{"title", "closed", "charts": [{"title", "tags": [...],
"series": [[value, lower, upper], ...]}]}]}`. Which tags the regular expressions in `tags` match, the browser finds out.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from tbwidget.options.common import LogValueOptions, TimeAxisOptions
from tbwidget.panels.declare import Panel
from tbwidget.panels.scalar_axes import ScalarAxisOptions, SmoothingOptions
from tbwidget.panels.scalar_compare import CompareOptions
from tbwidget.panels.scalar_superseded import superseded
from tbwidget.panels.scalar_table import scalars_table
from tbwidget.panels.scalars import SCALARS, ScalarsOptions
from tbwidget.texts import escape_surrogates
from tbwidget.wire.content import DocumentContent

if TYPE_CHECKING:
    from tbwidget.logs.accessors import Logs
    from tbwidget.logs.kinds.custom_scalars import Layout


class LayoutDocument(NamedTuple):
    """The layout of a run."""

    revision: Layout

    def encode(self) -> bytes:
        """As JSON."""
        categories = [
            {
                "title": category.title,
                "closed": category.closed,
                "charts": [
                    {
                        "title": chart.title,
                        "tags": list(chart.tags),
                        # As the names of scalars travel, which these are to equal.
                        "series": [
                            [*map(escape_surrogates, (series.value, series.lower, series.upper))]
                            for series in chart.series
                        ],
                    }
                    for chart in category.charts
                ],
            }
            for category in self.revision.categories
        ]
        return json.dumps({"categories": categories}).encode("ascii")


class CustomScalarsContent(DocumentContent):
    """The layouts, one a run."""

    kind = "custom_scalars"
    prefetch_bytes = 1_000_000

    def key_of(self, run: str, _tag: str) -> tuple[str, str]:
        """One document a run."""
        return run, ""

    def read(self, logs: Logs, run: str, _tag: str) -> LayoutDocument:
        """The layout that was written last."""
        return LayoutDocument(logs.custom_scalars(run))


PANEL = Panel(
    name="custom_scalars",
    contents=(CustomScalarsContent(), SCALARS),
    options=(TimeAxisOptions, ScalarsOptions, SmoothingOptions, LogValueOptions, ScalarAxisOptions, CompareOptions),
    view="CustomScalarsView",
    view_doc="The charts of several scalars that a training laid out for TensorBoard, and nothing else.",
    requests={"superseded": superseded, "table": scalars_table},
)
