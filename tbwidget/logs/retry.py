"""When a file is tried again whose reading raised what nobody foresaw."""

from __future__ import annotations

import os
import time

_FIRST_DELAY = 1.0  # s
_LONGEST_DELAY = 300.0  # s


class Retry:
    """Whether and when a file is worth reading from its start again.

    An error of the file system is tried at every look. Anything else would happen again, so the file is left alone
    until it changes or, where memory was short, for a while. Each failure in a row doubles the delay, so that a file
    that grows all the time is not read from its start all the time; for a single record that was passed over it is not
    unless that is forced.
    """

    def __init__(self) -> None:
        self._delay = _FIRST_DELAY
        self._due: float | None = None  # monotonic; None: nothing failed
        self._short_of_memory = self._gave_up = False
        self._status: tuple[int, ...] = ()

    @property
    def pending(self) -> bool:
        """Something failed since the file was begun."""
        return self._due is not None

    def failed(self, error: Exception, path: str, *, gave_up: bool = True) -> None:
        """Reading the file raised this; without `gave_up`, only a record was passed over."""
        if self._due is None:
            self._due = time.monotonic() + self._delay
            self._delay = min(2 * self._delay, _LONGEST_DELAY)
        self._short_of_memory |= isinstance(error, MemoryError)
        self._gave_up |= gave_up or self._short_of_memory
        self._status = _status(path)

    def is_due(self, path: str, *, force: bool) -> bool:
        """Whether it is time to read the file from its start; with `force` there is no delay."""
        if self._due is None or not (force or (self._gave_up and time.monotonic() >= self._due)):
            return False
        return self._short_of_memory or _status(path) != self._status

    def begin(self) -> None:
        """The file is read from its start."""
        self._due, self._short_of_memory, self._gave_up = None, False, False

    def succeeded(self) -> None:
        """The file was read to its end."""
        if self._due is None:
            self._delay = _FIRST_DELAY


def _status(path: str) -> tuple[int, ...]:
    try:
        status = os.stat(path)
    except OSError:
        return ()
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns
