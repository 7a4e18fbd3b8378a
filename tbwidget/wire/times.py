"""When the rows of a series were written, as it travels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tbwidget.wire.columns import Columns
    from tbwidget.wire.content import Timed

LATEST = 1e12
"""Wall times beyond this (seconds since the epoch) are nonsense, not dates."""


def start_of(series: Timed) -> float | None:
    """Wall time of the very first row; None if that is no time."""
    start = float(series.wall_time[0]) if len(series) else 0.0
    return start if abs(start) < LATEST else None


def add_times(series: Timed, times: NDArray[np.float64], columns: Columns, run: str) -> int:
    """Add wall times of rows, counted from the start of the series; returns the row in the table."""
    if not len(times):
        return columns.add_raw(times)
    start, end = float(series.wall_time[0]), float(series.wall_time[-1])
    if not abs(start) < LATEST:
        return columns.add_raw(times)
    offsets = times - start
    if not (np.abs(offsets) < LATEST).all():
        # Beyond all dates float32 would lose the times of the others; those themselves are no times.
        offsets = np.where(np.abs(offsets) < LATEST, offsets, np.nan)
        return columns.add_raw(offsets)
    return columns.add_times(offsets, end - start, run)
