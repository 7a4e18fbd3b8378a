"""Which rows of a series have the steps that are looked at. As rows are only appended, each is looked at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from tbwidget.wire.content import Series


@dataclass(slots=True)
class VisibleRows:
    """What was found in a series so far, of the same steps every time."""

    inside: range | None = None
    """From the first to behind the last row whose step is in sight; None without any."""
    at: int | None = None
    """The row that stands for the linked step: of the largest step up to it, the last; None without any."""
    _at_step: int = 0
    _revision: int | None = None
    _rows: int = 0

    def look_at(self, series: Series, steps: tuple[float, float] | None, linked: float | None) -> None:
        """Look at the rows that are new."""
        if self._revision != series.revision or self._rows > len(series):
            self.inside, self.at, self._rows, self._revision = None, None, 0, series.revision
        begin, step = self._rows, series.step[self._rows :]
        self._rows = len(series)
        if steps is not None and len(found := np.flatnonzero((step >= steps[0]) & (step <= steps[1]))):
            first = begin + int(found[0]) if self.inside is None else self.inside.start
            self.inside = range(first, begin + int(found[-1]) + 1)
        if linked is not None and len(found := np.flatnonzero(step <= linked)):
            # The last of equal ones.
            nearest = found[len(found) - 1 - int(np.argmax(step[found][::-1]))]
            if self.at is None or step[nearest] >= self._at_step:
                self.at, self._at_step = begin + int(nearest), int(step[nearest])
