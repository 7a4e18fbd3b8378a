"""The distributions panel: percentiles of histograms along their steps, which the browser computes of their bins."""

from __future__ import annotations

from tbwidget.options.common import (
    LogValueOptions,
    NamedRangeOptions,
    OverlayRunsOptions,
    StepOverviewOptions,
    TimeAxisOptions,
)
from tbwidget.panels.declare import Panel
from tbwidget.panels.histograms import HISTOGRAMS, histograms_table

PANEL = Panel(
    name="distributions",
    contents=(HISTOGRAMS,),
    options=(TimeAxisOptions, NamedRangeOptions, LogValueOptions, StepOverviewOptions, OverlayRunsOptions),
    view="DistributionsView",
    view_doc="""The percentiles of histograms along their steps, and nothing else.

They are computed of the bins that the page holds: of very long series, not of every step until one zooms in.""",
    requests={"table": histograms_table},
)
