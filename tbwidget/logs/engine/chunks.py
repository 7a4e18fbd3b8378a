"""Points of many tags that stay together, sorted by tag, until one of them is asked for.

A column for each tag, made at once, would cost more than its points where those are few.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tbwidget.logs.columns import Points

Int64s = npt.NDArray[np.int64]


class Offsets(NamedTuple):
    """Where the first point of each tag lies in each column; tags with the same steps share a place."""

    step: Int64s
    wall_time: Int64s
    value: Int64s


class Chunk:
    """Points of one session of a file, tag by tag; each tag's are in the order written."""

    __slots__ = ("_columns", "_places", "points", "session")

    def __init__(
        self, tags: npt.NDArray[np.integer], counts: Int64s, offsets: Offsets, session: int, points: Points
    ) -> None:
        """`tags` has each tag once, with the number of its points, at least one, and where they begin."""
        self._columns = (tags, counts, *offsets)
        self._places: dict[int, tuple[int, ...]] | None = None  # of each tag left; made when one is asked for
        self.session = session
        self.points = points.frozen()

    def tags(self) -> list[int]:
        """Tags whose points are still here."""
        found: list[int] = self._columns[0].tolist() if self._places is None else list(self._places)
        return found

    @property
    def is_empty(self) -> bool:
        """Whether the points of all tags were removed."""
        return self._places == {}

    def pop(self, tag: int) -> Points | None:
        """Remove and return the points of a tag; None if they are not here."""
        if self._places is None:
            tags, *places = (column.tolist() for column in self._columns)
            self._places = dict(zip(tags, zip(*places, strict=True), strict=True))
        found = self._places.pop(tag, None)
        if found is None:
            return None
        count, *begins = found
        return Points(*(column[begin : begin + count] for column, begin in zip(self.points, begins, strict=True)))


def chunk_of(tags: npt.NDArray[np.integer], bounds: Int64s, session: int, points: Points) -> Chunk:
    """Make a chunk of points that are sorted by tag: tag number i has `bounds[i]` up to `bounds[i + 1]`."""
    offsets = bounds[:-1]
    return Chunk(tags, np.diff(bounds), Offsets(offsets, offsets, offsets), session, points)
