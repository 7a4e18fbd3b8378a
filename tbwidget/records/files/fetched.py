"""Bytes of a file that were fetched before they are read, and how many more to fetch with them."""

from __future__ import annotations

from collections.abc import Sequence

_FIRST_AHEAD = 1 << 20  # bytes fetched where one file is read on; twice as many each time,
_MAX_AHEAD = 1 << 24  # and at most
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
