"""How long a run may be quiet before it counts as stalled, by the pauses that it has made."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from tbwidget.logs.alerts.rules import AlertRules
    from tbwidget.logs.series import Scalars

_RECENT = 1024  # points that the pauses are taken from
_PAUSES = 2.0  # how many times as long as its recurring pauses a run may be quiet

LIVE_S = 120.0
"""Seconds after its last point for which a run counts as live. Twin of LIVE_S in js/src/wire/runfacts.ts."""

LIVE_INTERVALS = 3
"""The same in intervals between its points. Twin of LIVE_INTERVALS there."""


def is_live(scalars: Scalars, now: float) -> bool:
    """Whether points came lately, by the pace of the series; `now` is in seconds since the epoch."""
    if not len(scalars):
        return False
    first, last = float(scalars.wall_time[0]), float(scalars.wall_time[-1])
    interval = (last - first) / (len(scalars) - 1) if len(scalars) > 1 else 0.0
    return now - last < max(LIVE_S, LIVE_INTERVALS * interval)


def usual_interval(scalars: Scalars) -> float:
    """Return the median of the seconds between recent points; infinite where there are too few."""
    gaps = _gaps(scalars)
    return float(np.median(gaps)) if len(gaps) else math.inf


def quiet_limit(scalars: Scalars, rules: AlertRules) -> float:
    """Return after how many seconds without a point a run with this series is stalled.

    Evaluations and checkpoints make longer pauses than steps do. A pause that came only once does not count.
    """
    gaps = _gaps(scalars)
    if not len(gaps) or rules.stalled_intervals is None:
        return math.inf
    recurring = float(np.partition(gaps, -2)[-2]) if len(gaps) > 1 else float(gaps[0])
    return max(rules.stalled_intervals * float(np.median(gaps)), _PAUSES * recurring, rules.stalled_seconds)


def _gaps(scalars: Scalars) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    with np.errstate(invalid="ignore"):
        gaps = np.diff(scalars.wall_time[-_RECENT:])
    return gaps[(gaps >= 0) & np.isfinite(gaps)]
