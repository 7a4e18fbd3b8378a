"""One file on remote storage: bytes that a poll fetched before they are read, and others by requests of its own."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext, suppress
from typing import TYPE_CHECKING, Protocol

from tbwidget.records.files.storage import NotFetchedError, Range

if TYPE_CHECKING:
    from tbwidget.records.files.storage import Status

_FIRST_AHEAD = 1 << 20  # bytes fetched where one file is read on; twice as many each time,
_MAX_AHEAD = 1 << 24  # and this at most
_MAX_KEPT = 1 << 27  # bytes of one file that are kept until it is read, but for the last pieces
_PIECES_KEPT = 8


class Fetched:
    """The bytes of one file that were fetched, in the order in which they came."""

    def __init__(self) -> None:
        self.pieces: list[tuple[int, bytes]] = []
        self._ahead = _FIRST_AHEAD
        self._dropped: list[tuple[int, int]] = []
        self._drops = True

    def _size(self) -> int:
        return sum(len(piece) for _, piece in self.pieces)

    def find(self, offset: int, size: int) -> bytes | None:
        """Return `size` bytes from `offset` on, if one piece holds all of them."""
        for begin, piece in reversed(self.pieces):
            if begin <= offset and offset + size <= begin + len(piece):
                return piece[offset - begin : offset - begin + size]
        return None

    def ahead(self, begin: int) -> int:
        """Bytes to fetch where the file is read on: more each time, but not behind a jump."""
        last, piece = self.pieces[-1]
        follows = last <= begin <= last + len(piece) + _FIRST_AHEAD
        self._ahead = min(2 * self._ahead, _MAX_AHEAD) if follows else _FIRST_AHEAD
        return self._ahead

    def add(self, begin: int, data: bytes) -> None:
        """Keep a piece, and drop old ones where there are many; none once a dropped one was asked for again."""
        self._drops = self._drops and not any(first <= begin < end for first, end in self._dropped)
        self.pieces.append((begin, data))
        while self._drops and len(self.pieces) > _PIECES_KEPT and self._size() > _MAX_KEPT:
            first, piece = self.pieces.pop(0)
            self._dropped.append((first, first + len(piece)))


def joined(ranges: Sequence[tuple[int, int]], gap: int) -> list[tuple[int, int]]:
    """Return ranges of one file in order, those at most `gap` bytes apart as one."""
    found: list[tuple[int, int]] = []
    for begin, end in sorted(ranges):
        if found and begin <= found[-1][1] + gap:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((begin, end))
    return found


NEAR = 1 << 16
"""Bytes between two ranges of a file that are fetched as one."""


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
