"""Which runs began last: of very many the browser shows these first, so they are sent first."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

from tbwidget.logs.natural import natural_key

if TYPE_CHECKING:
    from collections.abc import Collection

    from tbwidget.wire.content import Timed

MOST_SELECTED = 500
"""Of more runs than this, the browser shows the newest; keep in step with js/src/options/runselection.ts."""

NEWEST = 50
"""How many of them; keep in step, too."""


class NewestRuns:
    """The wall time of the first point of each run, as far as the runs' rows have been read."""

    def __init__(self) -> None:
        self._began: dict[str, float] = {}

    def note(self, run: str, rows: Timed) -> None:
        """Rows of a run travel."""
        if len(rows):
            began = float(rows.wall_time[0])
            if began < self._began.get(run, float("inf")):
                self._began[run] = began

    def among(self, runs: Collection[str]) -> frozenset[str] | None:
        """Those that began last; None where there are so few that all are shown."""
        if len(runs) <= MOST_SELECTED:
            return None
        began = self._began
        order = heapq.nlargest(NEWEST, runs, key=lambda run: (began.get(run, float("-inf")), natural_key(run)))
        return frozenset(order)
