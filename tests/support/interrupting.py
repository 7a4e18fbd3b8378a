"""Interrupts work in any line of some modules, as Ctrl-C or a lack of memory does."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


class Stopper:
    """Raises in the `at`-th executed line of some modules."""

    def __init__(self, at: int, error: BaseException, parts: tuple[str, ...]) -> None:
        self.left = at
        self._error = error
        self._parts = parts

    def __call__(self, frame: FrameType, _what: str, _argument: object) -> Callable[..., Any] | None:
        return self.line if frame.f_code.co_filename.endswith(self._parts) else None

    def line(self, _frame: FrameType, what: str, _argument: object) -> Callable[..., Any]:
        if what == "line":
            self.left -= 1
            if not self.left:
                raise self._error
        return self.line


def interrupted(work: Callable[[], object], stopper: Stopper) -> bool:
    """Return whether `work` raised the stopper's exception."""
    before = sys.gettrace()
    sys.settrace(stopper)
    try:
        work()
    except (KeyboardInterrupt, MemoryError):
        return True
    finally:
        sys.settrace(before)
    return False
