"""The bytes of a file that were read, remembered by their checksum: whether they are still the same."""

from __future__ import annotations

import zlib
from array import array
from typing import Self

from tbwidget.records import limits
from tbwidget.records.files.framing import Buffer
from tbwidget.records.files.storage import OpenFile


class Fingerprint:
    """Parts of a file, in the order of the file, and the CRC of all of them."""

    def __init__(self) -> None:
        self._bounds = array("q")  # where each part begins and ends
        self._crc = 0

    @property
    def state(self) -> tuple[list[int], int]:
        """Where each part begins and ends, and the CRC: `restored` makes an equal one."""
        return self._bounds.tolist(), self._crc

    @classmethod
    def restored(cls, bounds: list[int], crc: int) -> Self:
        """Return one with the state of another."""
        made = cls()
        made._bounds, made._crc = array("q", bounds), crc
        return made

    def add(self, begin: int, data: Buffer) -> None:
        """Add bytes that were read from `begin` on, behind those added before."""
        if self._bounds and self._bounds[-1] == begin:
            self._bounds[-1] += len(data)
        else:
            self._bounds.extend((begin, begin + len(data)))
        self._crc = zlib.crc32(data, self._crc)

    def matches(self, file: OpenFile) -> bool:
        """Whether all of these bytes are what they were; reads them again."""
        crc, bounds = 0, iter(self._bounds)
        for begin, end in zip(bounds, bounds, strict=True):
            for offset in range(begin, end, limits.FINGERPRINT_CHUNK):
                crc = zlib.crc32(file.read_at(offset, min(limits.FINGERPRINT_CHUNK, end - offset)), crc)
        return crc == self._crc
