"""Work done in turns by the event loop, where no thread can be started: what is due at once, the rest between cells."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_AFTER_FAILURE = 1.0  # seconds until the next turn after one that raised


class Turns:
    """Calls `turn`, which does one thing that is due, and returns the seconds until another may be.

    Where no event loop runs, only `take` does that.
    """

    def __init__(self, turn: Callable[[], float]) -> None:
        self._turn = turn
        self._taking = False
        self._again = False
        self._ended = False
        self._later: asyncio.TimerHandle | None = None

    def take(self) -> None:
        """Do one thing, if one is due; what it leads to asks for more while it is done, which is then done, too."""
        if self._ended:
            return
        if self._taking:
            self._again = True
            return
        self._taking = True
        wait = _AFTER_FAILURE
        try:
            wait = self._turn()
            if self._again:
                self._again = False
                wait = self._turn()
        finally:
            self._taking = False
            self.take_later(wait)

    def take_later(self, wait: float) -> None:
        """Do the next thing after so many seconds, instead of when it was to be done."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # what a loop does later stays
            return
        if self._later is not None:
            self._later.cancel()
            self._later = None
        if not self._ended:
            self._later = loop.call_later(wait, self.take)

    def end(self) -> None:
        """Do nothing more."""
        self._ended = True
        if self._later is not None:
            self._later.cancel()
            self._later = None
