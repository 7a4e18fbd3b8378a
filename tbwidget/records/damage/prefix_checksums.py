"""Whether long records are valid, at a bounded cost for each, however many claim to be.

A file may hold very many headers that claim millions of bytes each. To checksum all of those bytes again and again
would never end, so once much was checksummed in vain, checksums are put together from those of the file's beginnings:
of all bytes up to the end of a record, less what those up to its begin contribute to it (CRC is linear; the operator
is that of zlib's crc32_combine).
"""

from __future__ import annotations

import google_crc32c
import numpy as np

from tbwidget.records import limits
from tbwidget.records.damage.resync import data_is_valid
from tbwidget.records.files.checksums import unmask
from tbwidget.records.files.framing import FOOTER, HEADER
from tbwidget.records.files.storage import OpenFile

_POLYNOMIAL = 0x82F63B78  # Castagnoli, bits reversed: the highest bit stands for x to the power 0
_ONE, _X = 1 << 31, 1 << 30


def _product(a: int, b: int) -> int:
    """The product of two polynomials modulo that of CRC-32C."""
    made = 0
    while a:
        if a & _ONE:
            made ^= b
        a = a << 1 & 0xFFFFFFFF
        b = b >> 1 ^ (_POLYNOMIAL if b & 1 else 0)
    return made


def _squares() -> list[int]:
    """The polynomials x to the powers 1, 2, 4, 8 ..."""
    found = [_X]
    while len(found) < 64:  # noqa: PLR2004 (bits of a length, and three for the bits of a byte)
        found.append(_product(found[-1], found[-1]))
    return found


_SQUARES = _squares()


def _followed(crc: int, count: int) -> int:
    """What a CRC contributes to that of the same bytes with `count` more behind them."""
    bits, place = count << 3, 0
    while bits:
        if bits & 1:
            crc = _product(_SQUARES[place], crc)
        bits, place = bits >> 1, place + 1
    return crc


class PrefixChecksums:
    """Tells whether records of one file are valid, as long as the file stays as it is."""

    def __init__(self) -> None:
        self._in_vain = 0
        self._beginnings = [0]  # CRCs of the first 0, 1, 2 ... blocks

    def is_valid(self, file: OpenFile, offset: int, length: int) -> bool:
        """Whether the data checksum holds of the record whose header begins at `offset`: as `data_is_valid`."""
        if length < limits.LONG_RECORD or self._in_vain < limits.CHECKSUMMED_IN_VAIN:
            valid = data_is_valid(file, offset, length)
            self._in_vain += 0 if valid else length
            return valid
        begin, end = offset + HEADER, offset + HEADER + length
        before, after = self._up_to(file, begin), self._up_to(file, end)
        footer = file.read_at(end, FOOTER)
        if before is None or after is None or len(footer) < FOOTER:
            return False
        return after ^ _followed(before, length) == int(unmask(np.frombuffer(footer, "<u4"))[0])

    def _up_to(self, file: OpenFile, end: int) -> int | None:
        """The CRC of all bytes of the file up to `end`; None if it has not so many."""
        whole, rest = divmod(end, limits.PREFIX_BLOCK)
        while len(self._beginnings) <= whole:
            block = file.read_at((len(self._beginnings) - 1) * limits.PREFIX_BLOCK, limits.PREFIX_BLOCK)
            if len(block) < limits.PREFIX_BLOCK:
                return None
            self._beginnings.append(google_crc32c.extend(self._beginnings[-1], block))
        part = file.read_at(whole * limits.PREFIX_BLOCK, rest) if rest else b""
        crc: int = google_crc32c.extend(self._beginnings[whole], part)
        return crc if len(part) == rest else None
