"""When a file is tried again whose reading raised an unexpected error."""

from __future__ import annotations

import time

from tbwidget.records.files.storage import Status, Storage

_FIRST_DELAY = 1.0  # s
_MAX_DELAY = 300.0  # s


class Retry:
    """Whether and when a file is worth reading from its start again.

    An error of the file system is tried at every poll. Anything else would happen again, so the file is left alone
    until it changes or, where memory was short, for a while. Each failure in a row doubles the delay, so that a file
    that grows all the time is not read from its start all the time; for a single record that was passed over it is not
    unless that is forced.
    """

    def __init__(self, storage: Storage, path: str) -> None:
        self._storage, self._path = storage, path
        self._delay = _FIRST_DELAY
        self._due: float | None = None  # monotonic; None: nothing failed
        self._short_of_memory = self._gave_up = False
        self._status: Status | None = None

    def failed(self, error: Exception, *, gave_up: bool = True) -> None:
        """Reading the file raised this; without `gave_up`, only a record was passed over."""
        if self._due is None:
            self._due = time.monotonic() + self._delay
            self._delay = min(2 * self._delay, _MAX_DELAY)
        self._short_of_memory |= isinstance(error, MemoryError)
        self._gave_up |= gave_up or self._short_of_memory
        self._status = self._status_now()

    def is_due(self, *, force: bool) -> bool:
        """Whether it is time to read the file from its start; `force` skips the delay."""
        if self._due is None or not (force or (self._gave_up and time.monotonic() >= self._due)):
            return False
        return self._short_of_memory or self._status_now() != self._status

    @property
    def has_failed(self) -> bool:
        """Whether the file is to be read from its start again."""
        return self._due is not None

    def begin(self) -> None:
        """The file is read from its start."""
        self._due, self._short_of_memory, self._gave_up = None, False, False

    def succeeded(self) -> None:
        """The file was read to its end."""
        if self._due is None:
            self._delay = _FIRST_DELAY

    def _status_now(self) -> Status | None:
        try:
            return self._storage.status(self._path)
        except OSError:
            return None
