"""One series of numbers that only grows: columns, appended in pieces, handed out as snapshots."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

_MOST_PIECES = 64


class Points(NamedTuple):
    """Columns of n points, read-only."""

    step: npt.NDArray[np.int64]
    wall_time: npt.NDArray[np.float64]
    value: npt.NDArray[np.float64]

    def taken(self, where: slice | npt.NDArray[np.bool_] | npt.NDArray[np.int64]) -> Points:
        """Some of the points."""
        return Points(self.step[where], self.wall_time[where], self.value[where])

    def copied(self) -> Points:
        """The same points in arrays of their own."""
        return Points(self.step.copy(), self.wall_time.copy(), self.value.copy())

    def frozen(self) -> Points:
        """The same arrays, made read-only."""
        for column in self:
            column.flags.writeable = False
        return self


def joined(parts: list[Points]) -> Points:
    """The points of all parts, one after the other."""
    if len(parts) == 1:
        return parts[0]
    return Points(
        np.concatenate([np.empty(0, np.int64), *(points.step for points in parts)]),
        np.concatenate([np.empty(0), *(points.wall_time for points in parts)]),
        np.concatenate([np.empty(0), *(points.value for points in parts)]),
    )


class Stretch(NamedTuple):
    """Points that one writer wrote without a restart."""

    begin: int
    """Index of its first point."""
    step: int
    """Its first step."""


class Column:
    """The points of one tag in one file, in the order written."""

    __slots__ = ("_count", "_pieces", "_storage", "_stretch", "stretches")

    def __init__(self) -> None:
        self._storage: Points | None = None
        self._count = 0  # points in the storage; behind them is room to grow
        self._pieces: list[Points] = []
        self._stretch = -1
        self.stretches: list[Stretch] = []

    def __len__(self) -> int:
        return self._count + sum(len(piece.step) for piece in self._pieces)

    def append(self, points: Points, stretch: int) -> None:
        """Add points (at least one) that were written in the given stretch of the file."""
        if stretch != self._stretch:
            self.stretches.append(Stretch(len(self), int(points.step[0])))
            self._stretch = stretch
        self._pieces.append(points)
        if len(self._pieces) > _MOST_PIECES:
            self._settle()

    def points(self) -> Points:
        """All points so far; later appends do not change what was handed out."""
        self._settle()
        if self._storage is None:
            return Points(np.empty(0, np.int64), np.empty(0), np.empty(0))
        return self._storage.taken(slice(self._count)).frozen()

    def _settle(self) -> None:
        """Bring the pieces into one storage; what lies there stays where it is as long as there is room."""
        if not self._pieces:
            return
        total = len(self)
        if self._storage is None or total > len(self._storage.step):
            # Room to grow only for what has grown before: most series are read once.
            room = total if self._storage is None else total + total // 8
            storage = Points(np.empty(room, np.int64), np.empty(room), np.empty(room))
            if self._storage is not None:
                for target, source in zip(storage, self._storage, strict=True):
                    target[: self._count] = source[: self._count]
            self._storage = storage
        for piece in self._pieces:
            end = self._count + len(piece.step)
            for target, source in zip(self._storage, piece, strict=True):
                target[self._count : end] = source
            self._count = end
        self._pieces.clear()
