"""Fingers and a pen as native input, which Playwright lacks. Positions are CSS pixels of the window."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import CDPSession, Page

Place = tuple[float, float]

STEPS = 8
"""Moves between the positions of a gesture."""

_sessions: WeakKeyDictionary[Page, list[CDPSession]] = WeakKeyDictionary()


def _session_of(page: Page) -> CDPSession:
    session = page.context.new_cdp_session(page)
    _sessions.setdefault(page, []).append(session)
    return session


def remove_all(page: Page) -> None:
    """Remove fingers and pens from a page. After fingers, it has a mouse again once it has been loaded again."""
    for session in _sessions.pop(page, []):
        session.detach()


def _between(start: Sequence[Place], end: Sequence[Place]) -> list[list[Place]]:
    return [
        [
            (x + (x_end - x) * i / STEPS, y + (y_end - y) * i / STEPS)
            for (x, y), (x_end, y_end) in zip(start, end, strict=True)
        ]
        for i in range(1, STEPS + 1)
    ]


class Touch:
    """Fingers on the screen."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._session: CDPSession = _session_of(page)
        self._session.send("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 5})

    def tap(self, place: Place) -> None:
        """Touch a position, and let go."""
        self._send("touchStart", [place])
        self._send("touchEnd", [])

    def press(self, place: Place, seconds: float) -> None:
        """Touch a position for some seconds."""
        self._send("touchStart", [place])
        self._page.wait_for_timeout(1000 * seconds)
        self._send("touchEnd", [])

    def drag_after(self, seconds: float, start: Place, end: Place) -> None:
        """Touch a position for some seconds, and drag from there."""
        self._send("touchStart", [start])
        self._page.wait_for_timeout(1000 * seconds)
        for places in _between([start], [end]):
            self._send("touchMove", places)
        self._send("touchEnd", [])

    def drag(self, start: Sequence[Place], end: Sequence[Place]) -> None:
        """Put a finger on each of the positions, move each to its end, and lift them: one drags, two pinch."""
        self._send("touchStart", start)
        for places in _between(start, end):
            self._send("touchMove", places)
        self._send("touchEnd", [])

    def _send(self, kind: str, places: Sequence[Place]) -> None:
        points = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(places)]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


class Pen:
    """A pen, which hovers over the screen before it touches it."""

    def __init__(self, page: Page) -> None:
        self._session: CDPSession = _session_of(page)

    def hover(self, place: Place) -> None:
        """Come near a position."""
        self._send("mouseMoved", place)

    def drag(self, start: Place, end: Place) -> None:
        """Draw a line."""
        self.hover(start)
        self._send("mousePressed", start, button="left", buttons=1, clickCount=1)
        for ((x, y),) in _between([start], [end]):
            self._send("mouseMoved", (x, y), button="left", buttons=1)
        self._send("mouseReleased", end, button="left", clickCount=1)

    def _send(self, kind: str, place: Place, **more: Any) -> None:
        x, y = place
        self._session.send("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, "pointerType": "pen", **more})
