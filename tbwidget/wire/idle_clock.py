"""Count the time in which the kernel was sure to hear the browser: plain arithmetic on times handed in."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

PROMPT_S = 2.0
"""Seconds within which a kernel that can hear answers itself."""

ASK_INTERVAL_S = 5.0
"""Seconds between two such questions at least."""


class IdleClock:
    """Counts the seconds in which no cell runs and the kernel answers itself: only then is it sure to hear the browser.

    Times are of one monotonic clock. It is shared by the dashboards of a kernel; methods may be called from any thread.
    """

    def __init__(
        self,
        *,
        cell_runs: bool | None = True,
        ask: Callable[[Callable[[float], None]], object] | None = None,
    ) -> None:
        """`cell_runs`: whether a cell runs now; None if that cannot be known, which counts as a cell that never ends.

        `ask` has the kernel's main loop call a function with the time; None for a kernel without a main loop. It finds
        out whether a button's callback keeps the loop, which then hears no client although no cell runs. Once `ask`
        has raised, it is not called again, and all time without a cell counts: that loop has ended, or a window
        system's loop (`%gui qt`) replaces it. There callbacks wait for messages, so a late answer means nothing.
        """
        self._known = cell_runs is not None
        self._running = 0 if cell_runs is False else 1
        """Cells that run, one within the other."""
        self._idle = 0.0
        self._idle_since = 0.0
        self._changed_at = float("-inf")
        self._ask = ask
        self._asked_at: float | None = None
        """When a question was put that is not answered yet."""
        self._ask_again_at = float("-inf")
        self._lock = threading.Lock()
        self._listeners: dict[object, Callable[[], None]] = {}

    def cell_begins(self, now: float) -> None:
        """A cell begins, perhaps one that another one runs."""
        with self._lock:
            if self._running == 0:
                self._idle += self._heard_until(now) - self._idle_since
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
        """Seconds so far in which no cell ran and the kernel could hear."""
        with self._lock:
            return self._idle if self._running else self._idle + self._heard_until(now) - self._idle_since

    def check(self, now: float) -> None:
        """Find out whether the kernel can hear, if that is worth asking."""
        with self._lock:
            ask = self._ask
            if ask is None or self._running or self._asked_at is not None or now < self._ask_again_at:
                return
            self._asked_at, self._ask_again_at = now, now + ASK_INTERVAL_S
        try:
            ask(self._answered)
        except Exception:  # noqa: BLE001 (whatever a kernel that ends raises)
            with self._lock:
                self._ask = self._asked_at = None

    def _answered(self, now: float) -> None:
        with self._lock:
            if not self._running:
                self._idle_since += now - self._heard_until(now)
            self._asked_at = None

    def _heard_until(self, now: float) -> float:
        """Until when, of the time since no cell ran, the kernel is taken to have heard. With the lock."""
        if self._asked_at is None or now - self._asked_at <= PROMPT_S:
            return now
        return max(self._asked_at, self._idle_since)

    @property
    def cell_runs(self) -> bool | None:
        """Whether a cell runs now; None if that is unknown."""
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
