"""One file on remote storage: bytes that a poll fetched, and others by requests of its own."""

from __future__ import annotations

from contextlib import nullcontext, suppress
from typing import TYPE_CHECKING, Protocol

from tbwidget.records.files.fetched import Fetched, joined
from tbwidget.records.files.storage import NotFetchedError, Range

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tbwidget.records.files.storage import Status

NEAR = 1 << 16
"""Bytes between two ranges of a file that are fetched as one."""

_MAX_AHEAD = 1 << 24  # bytes that are fetched at once where a file is read on


class Ranges(Protocol):
    """The part of a storage that a file needs."""

    def fetched(self, path: str, offset: int, size: int) -> bytes | None:
        """Return bytes that a poll fetched; None where it did not. Raises what kept it from that."""

    def read_ranges(self, ranges: Sequence[Range], size: int | None = None) -> list[bytes | OSError]:
        """Request ranges of a file of `size` bytes; return the bytes of each, or its error."""


class RemoteFile:
    """A file as of the last listing. Nothing is kept open."""

    def __init__(self, storage: Ranges, path: str, status: Status, *, fetched: bool) -> None:
        """With `fetched`, only fetched bytes are read."""
        self._storage, self._path, self._status, self._only_fetched = storage, path, status, fetched
        self._own = Fetched()
        self._last: tuple[int, bytes] = (0, b"")  # where the last answer begins, and its bytes

    def status(self) -> Status:
        """As of the last listing."""
        return self._status

    def read_at(self, offset: int, size: int) -> bytes:
        """Read fetched bytes; others are asked for, unless the reader holds its lock."""
        size = max(0, min(size, self._status.size - offset))
        if not size:
            return b""
        found = self._own.find(offset, size)
        if found is None:
            with suppress(OSError) if not self._only_fetched else nullcontext():
                found = self._storage.fetched(self._path, offset, size)
        if found is not None:
            return found
        wanted = Range(self._path, offset, offset + size)
        if self._only_fetched:
            raise NotFetchedError(wanted)
        begin, data = self._last
        if not (begin <= offset and offset + size <= begin + len(data)):
            # Read on, as a large graph is, more each time; after a jump no more than is asked for.
            end = offset + size
            if data and begin <= offset <= begin + len(data):
                end = min(max(end, offset + min(2 * len(data), _MAX_AHEAD)), self._status.size)
            answer = self._storage.read_ranges([Range(self._path, offset, end)], self._status.size)[0]
            if isinstance(answer, OSError):
                raise answer
            begin, data = self._last = offset, answer
        return data[offset - begin : offset - begin + size]

    def read_into(self, offset: int, buffer: memoryview) -> int:
        """Copy fetched bytes."""
        data = self.read_at(offset, len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def next_data(self, offset: int, size: int) -> int:
        """Return the offset: no storage tells."""
        return min(offset, size)

    def fetch(self, ranges: Sequence[tuple[int, int]]) -> None:
        """Fetch by one call, for this open file alone."""
        end = self._status.size
        inside = [(first, min(last, end)) for first, last in ranges if first < end]
        wanted = [Range(self._path, *each) for each in joined(inside, NEAR)]
        answers = self._storage.read_ranges(wanted, end) if wanted else []
        if answers and isinstance(answers[0], OSError) and not any(isinstance(answer, bytes) for answer in answers):
            raise answers[0]
        for each, answer in zip(wanted, answers, strict=True):
            if isinstance(answer, bytes):
                self._own.add(each.begin, answer)

    def close(self) -> None:
        """Drop the bytes."""
        self._own, self._last = Fetched(), (0, b"")
