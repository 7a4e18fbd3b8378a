"""What could not be read, and where."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from tbwidget.reasons import Reason, text_reason

MOST_LISTED = 1000
"""Problems of each sort kept of one file."""


class Problem(NamedTuple):
    """Something in a log directory that was passed over; everything else was read."""

    path: str
    """Relative to the log directory."""
    offset: int | None
    """Bytes from the start of the file, where it is about a place in one."""
    message: str
    """What is wrong, in English."""

    @property
    def code(self) -> str:
        """A stable identifier of what is wrong; docs/problems.md lists them."""
        return text_reason(self.message).code

    @property
    def arguments(self) -> dict[str, Any]:
        """The values in the message, by name; JSON can hold them."""
        return text_reason(self.message).arguments

    @property
    def place(self) -> str:
        """Path, and offset where there is one."""
        return self.path if self.offset is None else f"{self.path} at byte {self.offset}"

    def __str__(self) -> str:
        """Path, offset and message in one line."""
        return f"{self.place}: {self.message}"


class ValueProblems:
    """Problems with values of one file, found by those who asked for them: in whichever thread, without a lock."""

    def __init__(self, name: str, changed: Callable[[], None]) -> None:
        """`name` is that of the file, relative to the log directory; `changed` is called when there are others."""
        self._name = name
        self._changed = changed
        self._found: dict[tuple[int, int], Problem] = {}
        self._ended = False

    def __iter__(self) -> Iterator[Problem]:
        """Those found so far."""
        return iter(list(self._found.values()))

    def add(self, offset: int, place: int, reason: Reason) -> None:
        """Add a problem with a value: that of its record at the offset, at its place in the event. Once for each."""
        if self._ended or (offset, place) in self._found or len(self._found) >= MOST_LISTED:
            return
        self._found[offset, place] = Problem(self._name, offset, reason)
        self._changed()

    def end(self) -> None:
        """Take no more: the file is another one now."""
        self._ended = True
