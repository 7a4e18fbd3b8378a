"""The way back after damage: the next true record behind a place where none is."""

from __future__ import annotations

import os
from collections.abc import Callable

import google_crc32c
import numpy as np

from tbwidget.records.checksums import length_checksums, unmask
from tbwidget.records.framing import FOOTER, FRAME, HEADER, windows

UNBELIEVABLE = 1 << 31
"""Bytes of data from which a length is damage, whatever its checksum says: protobuf messages end there."""

_FIRST_CHUNK, _CHUNK = 1 << 12, 1 << 20  # most damage is short
_BUDGET = 1 << 28  # bytes checksummed for nothing in one search, beside those searched: forged headers cost no more


def read_at(descriptor: int, offset: int, size: int) -> bytes:
    """`size` bytes from `offset` on; fewer only where the file ends."""
    data = os.pread(descriptor, size, offset)
    if len(data) == size or not data:
        return data
    parts = [data]
    while len(data) and (size := size - len(data)):
        offset += len(data)
        data = os.pread(descriptor, size, offset)
        parts.append(data)
    return b"".join(parts)


def data_is_true(descriptor: int, offset: int, length: int) -> bool:
    """Whether the data checksum holds of the record whose header begins at `offset`, in constant memory."""
    position, left, crc = offset + HEADER, length, 0
    while left:
        chunk = read_at(descriptor, position, min(left, _CHUNK))
        if not chunk:
            return False
        crc = google_crc32c.extend(crc, chunk)
        position += len(chunk)
        left -= len(chunk)
    footer = read_at(descriptor, position, FOOTER)
    return len(footer) == FOOTER and crc == int(unmask(np.frombuffer(footer, "<u4"))[0])


Check = Callable[[int, int, int], bool]
"""Whether a record is true: takes what `data_is_true` takes."""


def find_record(descriptor: int, start: int, size: int, is_true: Check = data_is_true) -> tuple[int | None, int]:
    """Search a file of `size` bytes for the first true record that begins at or behind `start`.

    A true record has data, both its checksums hold, and it lies whole in the file. Returns its offset, or None;
    and where to begin when the file has grown: the first header that may still become a true record.
    """
    pending: int | None = None
    budget = _BUDGET + size - start
    position, wanted = start, _FIRST_CHUNK
    while position + FRAME <= size:
        chunk = read_at(descriptor, position, min(wanted, size - position))
        wanted = min(2 * wanted, _CHUNK)
        for offset, length in _candidates(chunk):
            if position + offset + FRAME + length > size:
                pending = position + offset if pending is None else pending
            elif length <= budget:
                if is_true(descriptor, position + offset, length):
                    return position + offset, position + offset
                budget -= length
        if len(chunk) < HEADER:
            break
        position += len(chunk) - HEADER + 1
    return None, max(start, size - HEADER + 1 if pending is None else pending)


def _candidates(chunk: bytes) -> list[tuple[int, int]]:
    """Where a header with a believable length and a true length checksum begins: (offset, length)."""
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
    true = headers[:, 8:].copy().view("<u4")[:, 0] == length_checksums(lengths)
    return list(zip(offsets[true].tolist(), lengths[true].tolist(), strict=True))
