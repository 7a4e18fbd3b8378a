"""Whether anybody looks: plain arithmetic on times handed in."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

SILENCE = 60.0
"""Seconds in which the kernel could hear and heard nothing, after which a dashboard sends no more."""


class IdleClock:
    """Counts the seconds in which no cell runs: only then is the kernel sure to hear the browser.

    Times are of one monotonic clock. It is shared by the dashboards of a kernel; methods may be called from any thread.
    """

    def __init__(self, *, cell_runs: bool | None = True) -> None:
        """`cell_runs`: whether a cell runs now; None where nobody can know, which counts as one that never ends."""
        self._known = cell_runs is not None
        self._running = 0 if cell_runs is False else 1
        """Cells that run, one within the other."""
        self._idle = 0.0
        self._idle_since = 0.0
        self._changed_at = float("-inf")
        self._lock = threading.Lock()
        self._listeners: dict[object, Callable[[], None]] = {}

    def cell_begins(self, now: float) -> None:
        """A cell begins, perhaps one that another one runs."""
        with self._lock:
            if self._running == 0:
                self._idle += now - self._idle_since
                self._changed_at = now
            self._known = True
            self._running += 1
        self._notify()

    def cell_ends(self, now: float) -> None:
        """A cell ends; some end without having begun, because they were empty."""
        with self._lock:
            if self._running == 1:
                self._idle_since = self._changed_at = now
            self._known = True
            self._running = max(0, self._running - 1)
        self._notify()

    def idle_seconds(self, now: float) -> float:
        """Seconds so far in which no cell ran."""
        with self._lock:
            return self._idle if self._running else self._idle + now - self._idle_since

    @property
    def cell_runs(self) -> bool | None:
        """Whether a cell runs now; None where nobody knows."""
        return bool(self._running) if self._known else None

    def settled_for(self, now: float) -> float:
        """Seconds since that changed."""
        return now - self._changed_at

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call back, from the thread of the cell, when a cell begins or ends; returns how to end that."""
        token = object()
        self._listeners[token] = callback
        return lambda: self._listeners.pop(token, None) and None

    def _notify(self) -> None:
        for callback in list(self._listeners.values()):
            callback()


class Presence:
    """What one dashboard knows of those who look at it."""

    def __init__(self, clock: IdleClock) -> None:
        self._clock = clock
        self._heard_at = 0.0

    def heard(self, now: float) -> None:
        """A browser sent something, or the dashboard was just made."""
        self._heard_at = self._clock.idle_seconds(now)

    def gone(self, now: float) -> bool:
        """Nothing was heard for long, although the kernel would have heard."""
        return self._clock.idle_seconds(now) - self._heard_at > SILENCE
