"""The static preview of scalars: a chart for each tag, with the lines of the runs in their colors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tbwidget.options.colors import run_color
from tbwidget.panels.declare import PreviewChart, PreviewLine

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tbwidget.logs.accessors import Logs

_MAX_LINES = 20
_MAX_POINTS = 200_000
"""Upper bound for the points of a chart, which limits the time of reading. Further lines are left out."""


def scalars_preview(logs: Logs, pinned: Sequence[str]) -> Iterator[PreviewChart]:
    """Yield the charts of all tags that have finite values, `pinned` ones first."""
    by_run = logs.tags().get("scalars", {})
    known = dict.fromkeys(tag for run in logs.runs for tag in by_run.get(run, ()))
    numbers = logs.source.run_numbers()
    for tag in (*(tag for tag in pinned if tag in known), *(tag for tag in known if tag not in pinned)):
        lines = list(_lines(logs, tag, [run for run in by_run if tag in by_run[run]], numbers))
        if lines:
            yield PreviewChart(tag, lines)


def _lines(logs: Logs, tag: str, runs: Sequence[str], numbers: dict[str, int]) -> Iterator[PreviewLine]:
    left = _MAX_POINTS
    for run in runs[:_MAX_LINES]:
        try:
            scalars = logs.scalars(run, tag)
        except KeyError:  # removed since it was listed
            continue
        left -= len(scalars)
        if left < 0:
            return
        shown = np.isfinite(scalars.value) & (np.abs(scalars.value) < 1e300)  # noqa: PLR2004 (differences are finite)
        if shown.any():
            color = run_color(numbers.get(run, 0))
            yield PreviewLine(run, color, scalars.step[shown].astype(np.float64), scalars.value[shown])
