"""The layouts of charts that trainings write for TensorBoard's custom scalars, with the scalars that these charts draw.

The layout of a run travels as JSON: `{"categories": [{"title", "closed", "charts": [{"title", "tags": [...],
"series": [[value, lower, upper], ...]}]}]}`. The browser matches the regular expressions in `tags`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from tbwidget.options.common import LogValueOptions, NamedRangeOptions, StepOverviewOptions, TimeAxisOptions
from tbwidget.panels.declare import Panel
from tbwidget.panels.scalar_answers import scalars_table, superseded
from tbwidget.panels.scalar_options import CompareOptions, ScalarAxisOptions, SmoothingOptions
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
        """Encode it as JSON."""
        categories = [
            {
                "title": category.title,
                "closed": category.closed,
                "charts": [
                    {
                        "title": chart.title,
                        "tags": list(chart.tags),
                        # Escaped like the names of scalars, which these must equal.
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
        """Return one key for each run."""
        return run, ""

    def read(self, logs: Logs, run: str, _tag: str) -> LayoutDocument:
        """Return the last layout that was written."""
        return LayoutDocument(logs.custom_scalars(run))


PANEL = Panel(
    name="custom_scalars",
    contents=(CustomScalarsContent(), SCALARS),
    options=(
        TimeAxisOptions,
        NamedRangeOptions,
        ScalarsOptions,
        SmoothingOptions,
        LogValueOptions,
        ScalarAxisOptions,
        CompareOptions,
        StepOverviewOptions,
    ),
    view="CustomScalarsView",
    view_doc="The charts of several scalars that a training laid out for TensorBoard, and nothing else.",
    requests={"superseded": superseded, "table": scalars_table},
)
