"""CRC-32C as event files use it: of one piece of bytes, and of many rows at once.

A record is `u64 length, u32 masked CRC of those 8 bytes, data, u32 masked CRC of the data`, all
little-endian; a masked CRC is the CRC rotated right by 15 bits plus a constant (tensorflow/core/lib/hash/crc32c.h).

CRC is linear over XOR: the CRC of a row is the CRC of zeros, XORed with one contribution of each byte. A contribution
depends only on the byte and on how many bytes follow it. So rows that differ in a few bytes need only the contributions
of these bytes.
"""

from __future__ import annotations

import google_crc32c
import numpy as np
import numpy.typing as npt

UInt32s = npt.NDArray[np.uint32]
UInt8s = npt.NDArray[np.uint8]

_POLYNOMIAL = 0x82F63B78  # Castagnoli, bits reversed
_MASK_DELTA = 0xA282EAD8
_LENGTH_BYTES = 8


def masked_checksum(data: bytes) -> int:
    """The masked CRC-32C of `data`, as it stands behind it in the file."""
    return masked(google_crc32c.value(data))


def masked(crc: int) -> int:
    """A CRC as it stands in the file."""
    return (((crc >> 15) | (crc << 17)) + _MASK_DELTA) & 0xFFFFFFFF


def unmask(masked: UInt32s) -> UInt32s:
    """The CRCs behind masked ones."""
    rotated = masked - np.uint32(_MASK_DELTA)  # wraps, as meant
    return (rotated >> np.uint32(17)) | (rotated << np.uint32(15))


def _mask(crc: UInt32s) -> UInt32s:
    return ((crc >> np.uint32(15)) | (crc << np.uint32(17))) + np.uint32(_MASK_DELTA)


def _byte_table() -> UInt32s:
    table = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        table = np.where(table & 1, (table >> 1) ^ np.uint32(_POLYNOMIAL), table >> 1).astype(np.uint32)
    return table


_BYTE = _byte_table()
_contributions = _BYTE[None, :]


def contributions(following: int) -> UInt32s:
    """Contribution of each byte value to the CRC: uint32[>= following, 256]; row n is for n bytes behind the byte."""
    # Two threads that grow it at once build the same rows; the name is bound once, whole.
    global _contributions  # noqa: PLW0603 (a table that grows; building it whole would cost 2 MB at import)
    table = _contributions
    if len(table) < following:
        grown = np.empty((max(following, 2 * len(table), 64), 256), np.uint32)
        grown[: len(table)] = table
        for n in range(len(table), len(grown)):
            before = grown[n - 1]
            grown[n] = _BYTE[before & np.uint32(0xFF)] ^ (before >> np.uint32(8))
        _contributions = table = grown
    return table


_LENGTH_TABLE = contributions(_LENGTH_BYTES)
_ZERO_LENGTH_CRC = np.uint32(google_crc32c.value(bytes(_LENGTH_BYTES)))


def length_checksums(lengths: npt.NDArray[np.int64]) -> UInt32s:
    """The masked CRC that belongs to each record length (its 8 bytes, little-endian)."""
    crc = np.full(len(lengths), _ZERO_LENGTH_CRC, np.uint32)
    if len(lengths):
        highest = int(np.bitwise_or.reduce(lengths)) & 0xFFFFFFFFFFFFFFFF
        rows = lengths.astype("<i8").view(np.uint8).reshape(-1, _LENGTH_BYTES)
        for place in range((highest.bit_length() + 7) // 8):  # higher bytes are zero and add nothing
            crc ^= _LENGTH_TABLE[_LENGTH_BYTES - 1 - place][rows[:, place]]
    return _mask(crc)
