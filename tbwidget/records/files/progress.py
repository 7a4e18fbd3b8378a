"""How far a poll has come, and the way to stop it from another thread."""

from __future__ import annotations


class StoppedError(Exception):
    """The poll that waited for this was stopped."""


class PollProgress:
    """The count of entries that one poll has listed. Other threads read it, and may stop the poll."""

    __slots__ = ("entries", "is_stopped")

    def __init__(self) -> None:
        self.entries = 0
        """Files and directories met so far."""
        self.is_stopped = False

    def add(self, count: int) -> None:
        """Count further entries. Raises StoppedError once the poll is stopped."""
        self.entries += count
        self.check()

    def check(self) -> None:
        """Raise StoppedError once the poll is stopped."""
        if self.is_stopped:
            raise StoppedError
