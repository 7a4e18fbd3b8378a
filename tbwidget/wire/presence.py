"""Whether anybody looks: plain arithmetic on times handed in."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

SILENCE = 60.0
"""Seconds in which the kernel could hear and heard nothing, after which a dashboard sends no more."""

PROMPT = 2.0
"""Seconds within which a kernel answers itself that can hear."""

ASKING = 5.0
"""Seconds at least between two such questions."""

ARRIVAL = 2.0
"""Seconds within which a page that connects may be heard before its connection is noticed."""

MOST_VIEWS = 64

LONGEST_ID = 100


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
        """`cell_runs`: whether a cell runs now; None where nobody can know, which counts as one that never ends.

        `ask` has the kernel's main loop call what it is given, with the time: a loop that is kept by a button's
        callback hears nobody, though no cell runs. None where there is no such loop. Once `ask` has raised it is not
        called again, and all time in which no cell runs counts: that loop has ended, or the loop of a window system
        (`%gui qt`) runs in its place and its callbacks wait for messages, so that a late answer means nothing there.
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
            self._asked_at, self._ask_again_at = now, now + ASKING
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
        if self._asked_at is None or now - self._asked_at <= PROMPT:
            return now
        return max(self._asked_at, self._idle_since)

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


@dataclass(slots=True)
class _LastHeard:
    """When somebody was heard last."""

    idle_before: float = 0.0
    """Seconds of the clock then."""
    at: float = 0.0
    is_heard_in_cells: bool = False
    """They were heard while a cell ran, and would be again."""

    def is_old(self, now: float, idle: float, *, cell_runs: bool) -> bool:
        if self.is_heard_in_cells and cell_runs:
            return now - self.at > SILENCE
        return idle - self.idle_before > SILENCE


class Presence:
    """What one dashboard knows of those who look at it.

    Of several pages some may be heard while a cell runs and others not. So each view is missed by itself, once it could
    have been heard and was not for long.
    """

    def __init__(self, clock: IdleClock) -> None:
        self._clock = clock
        self._last = _LastHeard()
        """Of anything that was heard."""
        self._views: dict[str, _LastHeard] = {}
        """Of each view that named itself and has not ended."""
        self._unheard = 0
        """Pages that came while a cell ran and have not been heard."""
        self._unheard_since = _LastHeard()
        self._arrived_at = float("-inf")
        """When a page was heard whose connection had not been noticed yet."""
        self._lock = threading.Lock()

    def heard(self, now: float, message: object = None, *, on_subshell: bool = False) -> None:
        """A browser sent a message, or the dashboard was just made."""
        idle, in_cell = self._clock.idle_seconds(now), on_subshell and self._clock.cell_runs is True
        fields = message if isinstance(message, dict) else {}
        kind, view, views = fields.get("type"), fields.get("view"), fields.get("views")
        named = views if isinstance(views, list) else [view]
        with self._lock:
            self._last = _LastHeard(idle, now, in_cell or self._last.is_heard_in_cells)
            if kind == "bye":
                self._views.pop(str(view), None)
                return
            for name in named[:MOST_VIEWS]:
                if isinstance(name, str) and len(name) <= LONGEST_ID and (name in self._views or self._has_room):
                    known = self._views.get(name)
                    hears = in_cell or (known is not None and known.is_heard_in_cells)
                    self._views[name] = _LastHeard(idle, now, hears)
            if kind == "hello" or (kind == "here" and fields.get("complete") is not True):
                self._arrived(now)

    def connected(self, now: float) -> None:
        """A page came that may not make itself heard before the cell ends."""
        idle = self._clock.idle_seconds(now)
        with self._lock:
            if now - self._arrived_at <= ARRIVAL:
                self._arrived_at = float("-inf")
            else:
                self._unheard += 1
                self._unheard_since = _LastHeard(idle, now)

    def gone(self, now: float) -> bool:
        """Nothing was heard for long, although the kernel would have heard."""
        self._clock.check(now)
        idle, cell_runs = self._clock.idle_seconds(now), self._clock.cell_runs is True
        with self._lock:
            old = [name for name, sign in self._views.items() if sign.is_old(now, idle, cell_runs=cell_runs)]
            for name in old:
                del self._views[name]
            if self._unheard_since.is_old(now, idle, cell_runs=cell_runs):
                self._unheard = 0
            return not self._views and not self._unheard and self._last.is_old(now, idle, cell_runs=cell_runs)

    def _arrived(self, now: float) -> None:
        """A page says that it has come, or has come back. With the lock."""
        if self._unheard:
            self._unheard -= 1
        else:
            self._arrived_at = now

    @property
    def _has_room(self) -> bool:
        return len(self._views) < MOST_VIEWS
