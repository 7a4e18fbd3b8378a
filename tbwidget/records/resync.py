"""The way back after damage: the next valid record behind a place where none is."""

from __future__ import annotations

from collections.abc import Callable

import google_crc32c
import numpy as np

from tbwidget.records import limits
from tbwidget.records.files.checksums import length_checksums, unmask
from tbwidget.records.files.framing import FOOTER, FRAME, HEADER, windows
from tbwidget.records.files.storage import OpenFile

UNBELIEVABLE = 1 << 31
"""Bytes of data from which a length is damage, whatever its checksum says: protobuf messages end there."""


def data_is_valid(file: OpenFile, offset: int, length: int) -> bool:
    """Whether the data checksum holds of the record whose header begins at `offset`, in constant memory."""
    position, left, crc = offset + HEADER, length, 0
    while left:
        chunk = file.read_at(position, min(left, limits.MAX_SEARCH_BYTES))
        if not chunk:
            return False
        crc = google_crc32c.extend(crc, chunk)
        position += len(chunk)
        left -= len(chunk)
    footer = file.read_at(position, FOOTER)
    return len(footer) == FOOTER and crc == int(unmask(np.frombuffer(footer, "<u4"))[0])


Check = Callable[[OpenFile, int, int], bool]
"""Whether a record is valid: takes what `data_is_valid` takes."""


class ChecksumBudget:
    """Checks the records of one file, up to a limit on the bytes whose checksum turns out not to hold.

    A forged file may hold very many headers that claim millions of bytes each. Once the limit is spent, long records
    count as invalid unread.
    """

    def __init__(self, size: int) -> None:
        """Start with a budget for a file of `size` bytes."""
        self._left = limits.SEARCH_BUDGET_BYTES + size

    def is_valid(self, file: OpenFile, offset: int, length: int) -> bool:
        """Whether the data checksum holds of the record whose header begins at `offset`: as `data_is_valid`."""
        if length > self._left:
            return False
        valid = data_is_valid(file, offset, length)
        self._left -= 0 if valid else length
        return valid


class Search:
    """Searches a file for the first valid record that begins at or behind `start`, a piece at a time.

    A valid record has data, both its checksums hold, and it lies whole in the file's first `size` bytes.
    """

    def __init__(self, start: int, size: int, is_valid: Check) -> None:
        self.found: int | None = None
        """Where the record begins; None: not found yet."""
        self._position = start
        self._size = size
        self._is_valid = is_valid
        self._pending: int | None = None
        self._wanted = limits.FIRST_SEARCH_BYTES

    @property
    def ended(self) -> bool:
        """There is nothing more to search."""
        return self.found is not None or self._position + FRAME > self._size

    @property
    def searched(self) -> int:
        """Where to begin when the file has grown: no valid record begins before, nor will one."""
        return self._position if self._pending is None else self._pending

    def search(self, file: OpenFile, most: int = limits.SEARCH_STEP_BYTES) -> None:
        """Search about `most` bytes, counting those that were checksummed in vain."""
        while most > 0 and not self.ended:
            chunk = file.read_at(self._position, min(self._wanted, self._size - self._position))
            self._wanted = min(2 * self._wanted, limits.MAX_SEARCH_BYTES)
            if len(chunk) < HEADER:  # cut while it is searched
                self._size = self._position
                return
            most -= len(chunk) + self._check_headers(file, chunk)
            if self.found is None:
                self._position += len(chunk) - HEADER + 1
                if not chunk.strip(b"\0"):  # a hole, perhaps of very many bytes
                    data = file.next_data(self._position, self._size)
                    self._position = max(self._position, data - HEADER + 1)

    def _check_headers(self, file: OpenFile, chunk: bytes) -> int:
        """Check the headers in a chunk; return the bytes that were checksummed in vain."""
        in_vain = 0
        for begin, length in _candidates(chunk):
            offset = self._position + begin
            if offset + FRAME + length > self._size:
                self._pending = offset if self._pending is None else self._pending
            elif self._is_valid(file, offset, length):
                self.found = self._position = offset
                self._pending = None
                break
            else:
                in_vain += length
        return in_vain


def _candidates(chunk: bytes) -> list[tuple[int, int]]:
    """Where a header with a believable length and a valid length checksum begins: (offset, length)."""
    raw = np.frombuffer(chunk, np.uint8)
    count = len(raw) - HEADER + 1
    if count <= 0:
        return []
    zero = raw == 0
    believable = zero[4 : 4 + count] & zero[5 : 5 + count] & zero[6 : 6 + count] & zero[7 : 7 + count]
    believable &= raw[3 : 3 + count] < 0x80  # noqa: PLR2004 (a length below 2**31)
    # Zeros on end are a hole, and records without data hold nothing to find.
    believable &= ~(zero[:count] & zero[1 : 1 + count] & zero[2 : 2 + count] & zero[3 : 3 + count])
    offsets = np.flatnonzero(believable)
    headers = windows(raw, HEADER)[offsets]
    lengths = headers[:, :8].copy().view("<i8")[:, 0]
    valid = headers[:, 8:].copy().view("<u4")[:, 0] == length_checksums(lengths)
    return list(zip(offsets[valid].tolist(), lengths[valid].tolist(), strict=True))
