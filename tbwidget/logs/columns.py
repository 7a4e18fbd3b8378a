"""One series that only grows: columns, appended in pieces, handed out as snapshots."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

_MAX_PIECES = 64

ADDRESS = np.dtype([("offset", "<i8"), ("session", "<u4"), ("place", "<u4"), ("samples", "<u4"), ("form", "u1")])
"""Where in its file a value is that is read when asked for: offset of its record, index in the event; and which
session of the file wrote it, how many strings it has, and its form as `forms.FORMS` counts."""


class Points(NamedTuple):
    """Columns of n points, read-only."""

    step: npt.NDArray[np.int64]
    wall_time: npt.NDArray[np.float64]
    value: npt.NDArray[Any]
    """float64[n] of a series of numbers, ADDRESS[n] of any other."""

    def select(self, where: slice | npt.NDArray[np.bool_] | npt.NDArray[np.int64]) -> Points:
        """Some of the points."""
        return Points(self.step[where], self.wall_time[where], self.value[where])

    def frozen(self) -> Points:
        """The same arrays, made read-only."""
        if self.step.flags.writeable:  # the columns are so together
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
        np.concatenate([points.value for points in parts]) if parts else np.empty(0),
    )


_NONE = Points(np.empty(0, np.int64), np.empty(0), np.empty(0))
NO_ADDRESSES = Points(np.empty(0, np.int64), np.empty(0), np.empty(0, ADDRESS)).frozen()
"""Points of a series without values."""


class Session(NamedTuple):
    """Points that one writer wrote without a restart."""

    begin: int
    """Index of its first point."""
    step: int
    """Its first step."""


class Column:
    """The points of one tag, in the order written: of one file, or of all files of a run."""

    __slots__ = ("_count", "_handed_out", "_pieces", "_session", "_storage", "sessions")

    def __init__(self, points: Points | None = None, session: int = -1) -> None:
        """`points` are the first (at least one), read-only parts of arrays whose other parts other columns hold."""
        self._storage = points or _NONE
        self._count = len(self._storage.step)  # points in the storage; behind them is room to grow
        self._handed_out = points is not None  # callers may hold a view of the storage
        self._pieces: list[Points] = []
        self._session = session
        self.sessions: list[Session] = [Session(0, points.step.item(0))] if points else []

    def __len__(self) -> int:
        return self._count + sum(len(piece.step) for piece in self._pieces)

    def append(self, points: Points, session: int) -> None:
        """Add points (at least one) of one session of the file. Their arrays belong to the column from then on."""
        if session != self._session:
            self.sessions.append(Session(len(self), int(points.step[0])))
            self._session = session
        self._pieces.append(points)
        if len(self._pieces) > _MAX_PIECES:
            self.flush()

    @property
    def last_session(self) -> int:
        """Number of the session that its last points are of."""
        return self._session

    def points(self) -> Points:
        """All points so far; later appends do not change the arrays that it returns.

        Where memory is short, it raises and stays as it was.
        """
        self.flush()
        self._handed_out = True
        full = self._count == len(self._storage.step)
        return (self._storage if full else self._storage.select(slice(self._count))).frozen()

    def unshare(self) -> None:
        """Copy the points out of arrays that other columns share."""
        if self._storage.step.base is not None:
            step, wall_time, value = self._storage.select(slice(self._count))
            self._storage, self._handed_out = Points(step.copy(), wall_time.copy(), value.copy()), False

    def flush(self) -> None:
        """Bring the pieces into one storage; what lies there stays where it is as long as there is room."""
        if not self._pieces:
            return
        total = len(self)
        if not self._count and len(self._pieces) == 1 and self._pieces[0].step.base is None:
            self._storage, self._count = self._pieces.pop(), total
            return
        if total > len(self._storage.step):
            # Room to grow only for what has grown before: most series are read once.
            self._enlarge(total + total // 16 if self._count else total)
        begin = self._count
        for piece in self._pieces:
            end = begin + len(piece.step)
            for target, source in zip(self._storage, piece, strict=True):
                target[begin:end] = source
            begin = end
        # At once: whatever interrupts the copying, it is begun again.
        self._count, self._pieces = total, []

    def _enlarge(self, room: int) -> None:
        """Make room for this many points: in place, so that they are in memory once, if no caller holds a view."""
        if self._count and not self._handed_out:
            before = len(self._storage.step)
            try:
                for column in self._storage:
                    column.resize(room, refcheck=False)
            except Exception:
                for column in self._storage:
                    if len(column) != before:
                        column.resize(before, refcheck=False)
                raise
            return
        storage = Points(np.empty(room, np.int64), np.empty(room), np.empty(room, self._pieces[0].value.dtype))
        if self._count:
            for target, source in zip(storage, self._storage, strict=True):
                target[: self._count] = source[: self._count]
        self._storage, self._handed_out = storage, False
