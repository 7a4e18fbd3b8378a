"""A repeated task of the event loop, in place of a thread where none can be started; it runs between cells."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_AFTER_FAILURE = 1.0  # seconds until the next step after one that raised


class EventLoopTask:
    """Calls `step`, which does one thing that is due, and returns the seconds until another may be.

    Where no event loop runs, only `run` does that.
    """

    def __init__(self, step: Callable[[], float]) -> None:
        self._step = step
        self._running = False
        self._again = False
        self._ended = False
        self._later: asyncio.TimerHandle | None = None

    def run(self) -> None:
        """Do one thing, if one is due; what it leads to asks for more while it is done, which is then done, too."""
        if self._ended:
            return
        if self._running:
            self._again = True
            return
        self._running = True
        wait = _AFTER_FAILURE
        try:
            wait = self._step()
            if self._again:
                self._again = False
                wait = self._step()
        finally:
            self._running = False
            self.run_later(wait)

    def run_later(self, wait: float) -> None:
        """Do the next thing after so many seconds, instead of when it was to be done."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # what a loop does later stays
            return
        if self._later is not None:
            self._later.cancel()
            self._later = None
        if not self._ended:
            self._later = loop.call_later(wait, self.run)

    def end(self) -> None:
        """Do nothing more."""
        self._ended = True
        if self._later is not None:
            self._later.cancel()
            self._later = None
