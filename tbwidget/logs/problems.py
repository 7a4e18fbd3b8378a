"""What could not be read, and where."""

from __future__ import annotations

from typing import NamedTuple

_LONGEST = 200


def shortened(text: str) -> str:
    """A text from a log, cut to a length that a message can bear."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def describe(error: BaseException) -> str:
    """What was raised, in words that a message can bear."""
    try:
        text = str(error)
    except Exception:  # noqa: BLE001 (an error that cannot even say what it is)
        text = ""
    return shortened(f"{type(error).__name__}: {text}" if text else type(error).__name__)


class Problem(NamedTuple):
    """Something in a log directory that was passed over; everything else was read."""

    path: str
    """Relative to the log directory."""
    offset: int | None
    """Bytes from the start of the file, where it is about a place in one."""
    message: str

    def __str__(self) -> str:
        """Path, offset and message in one line."""
        place = self.path if self.offset is None else f"{self.path} at byte {self.offset}"
        return f"{place}: {self.message}"
