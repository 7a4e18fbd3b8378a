"""Whether anybody looks: plain arithmetic on times handed in."""

from __future__ import annotations

SILENCE = 60.0
"""Seconds in which the kernel could hear and heard nothing, after which a dashboard sends no more."""


class Ears:
    """Counts the seconds in which the kernel could hear: while no cell runs. Times are of one monotonic clock."""

    def __init__(self, *, cell_runs: bool = True) -> None:
        self._running = 1 if cell_runs else 0
        """Cells that run, one within the other."""
        self._open = 0.0
        self._open_since = 0.0

    def cell_begins(self, now: float) -> None:
        """A cell begins, perhaps one that another one runs."""
        if self._running == 0:
            self._open += now - self._open_since
        self._running += 1

    def cell_ends(self, now: float) -> None:
        """A cell ends; some end without having begun, because they were empty."""
        if self._running == 1:
            self._open_since = now
        self._running = max(0, self._running - 1)

    def open_for(self, now: float) -> float:
        """Seconds, so far, in which the kernel could hear."""
        return self._open if self._running else self._open + now - self._open_since


class Presence:
    """What one dashboard knows of those who look at it."""

    def __init__(self, ears: Ears) -> None:
        self._ears = ears
        self._heard_at = 0.0

    def heard(self, now: float) -> None:
        """Somebody said something, or the dashboard was just made."""
        self._heard_at = self._ears.open_for(now)

    def gone(self, now: float) -> bool:
        """Nobody has said anything for long, although the kernel would have heard."""
        return self._ears.open_for(now) - self._heard_at > SILENCE
