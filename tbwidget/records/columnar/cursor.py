"""Serialized messages read field by field, very many at once: the fields of one protobuf message a row.

A cursor knows the order in which protobuf writes fields, each once at most. A row that has others, or the same in
another order, is no longer `good`: such a message may be valid, too, but protobuf decides that.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import repeat
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tbwidget.records import limits
from tbwidget.records.files.framing import Buffer

Int64s = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]
Bools = npt.NDArray[np.bool_]

PADDING = bytes(16)
"""Padding behind the bytes in which messages are read: a cursor may look this far ahead."""
_CONTINUED = 0x80  # a byte of a varint that is not its last
_MAX_LENGTH = 3  # bytes of a length: a record that is read so is shorter than 2 MB
_MAX_NUMBER = 10  # bytes of a varint of 64 bits


class Parts(NamedTuple):
    """A field in all rows; `begin` and `end` are meaningless where a row has none."""

    there: Bools
    begin: Int64s
    end: Int64s

    def of(self, rows: Int64s) -> Parts:
        """The field in some of the rows."""
        return Parts(self.there[rows], self.begin[rows], self.end[rows])


def pieces(data: Buffer, raw: UInt8s, begin: Int64s, end: Int64s) -> Iterable[bytes]:
    """The bytes that lie from each `begin` to each `end`; quickly, where all are alike, as they often are."""
    size = int(end[0] - begin[0]) if len(begin) else 0
    if 0 < size <= limits.MAX_COMPARED_BYTES and (end - begin == size).all():
        found = raw[begin[:, None] + np.arange(size)]
        if (found == found[0]).all():
            return repeat(found[0].tobytes(), len(begin))
    return [bytes(data[first:last]) for first, last in zip(begin.tolist(), end.tolist(), strict=True)]


def varints(raw: UInt8s, at: Int64s, most: int = _MAX_NUMBER) -> tuple[Int64s, Int64s, Bools]:
    """The varints at these places, as int64 with all 64 bits; where they end; and which have no more than `most` bytes.

    Behind the last place there are PADDING bytes at least.
    """
    byte = raw[at]
    value = (byte & np.uint8(0x7F)).astype(np.uint64)
    more: Bools = byte >= _CONTINUED
    after, fits = at + 1, np.ones(len(at), np.bool_)
    for place in range(1, most):
        if not np.count_nonzero(more):
            break
        byte = raw[at + place]
        value |= (byte & np.uint8(0x7F)).astype(np.uint64) * more << np.uint64(7 * place)
        after += more
        if place == _MAX_NUMBER - 1:
            fits = ~more | (byte <= 1)
        more = more & (byte >= _CONTINUED)
    return value.view(np.int64), after, fits & ~more


class Cursor:
    """Reads the fields of messages that lie from `begin` to `end` in `raw`, in the order of their numbers."""

    def __init__(self, raw: UInt8s, begin: Int64s, end: Int64s) -> None:
        self.raw = raw
        self.at, self.end = begin, end
        self.good: Bools = np.ones(len(begin), np.bool_)
        """Rows that are as expected so far."""
        self._read_keys()

    def _read_keys(self) -> None:
        """Read the next key of each row; 0, which is no key, at its end."""
        self._key = self.raw[self.at] * (self.at < self.end)

    def _pass(self, there: Bools, begin: Int64s, after: Int64s, well: Bools | None = None) -> Parts:
        """Move behind a field in the rows that have it; a row whose field exceeds its end stays in place."""
        passed = there & (after <= self.end)
        if well is not None:
            passed &= well
        self.good &= passed == there
        self.at = np.where(passed, after, self.at)
        self._read_keys()
        return Parts(passed, begin, self.at)

    def fixed(self, key: int, size: int) -> Parts:
        """A field of 4 or 8 bytes."""
        there: Bools = self._key == key
        if not np.count_nonzero(there):
            return Parts(there, self.at, self.at)
        return self._pass(there, self.at + 1, self.at + (1 + size))

    def content(self, key: int, width: int = 1) -> Parts:
        """A field of bytes, which are a multiple of `width`."""
        there: Bools = self._key == key
        if not np.count_nonzero(there):
            return Parts(there, self.at, self.at)
        length, begin, well = varints(self.raw, self.at + 1, _MAX_LENGTH)
        if width > 1:
            well &= length % width == 0
        return self._pass(there, begin, begin + length, well)

    def number(self, key: int) -> Int64s:
        """A varint; 0 where there is none."""
        there: Bools = self._key == key
        if not np.count_nonzero(there):
            return np.zeros(len(there), np.int64)
        value, after, well = varints(self.raw, self.at + 1)
        return value * self._pass(there, self.at + 1, after, well).there

    def ended(self) -> Bools:
        """Rows that hold nothing but the fields that were read."""
        ended: Bools = self.good & (self.at == self.end)
        return ended
