"""Points of many tags that stay together, sorted by tag, until one of them is asked for.

A column for each tag, made at once, would cost more than its points where those are few.

Tags often come in the same order again and again, as a training loop writes them. In the order of the file their points
are a table with a row a round and a column a tag. Kept so until there are many, they are sorted by tag by transposing
the table, in few calls of numpy. Steps and wall times are found to be the same for tags that are written together, and
kept once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tbwidget.logs.columns import Points

Int64s = npt.NDArray[np.int64]
Tags = npt.NDArray[np.integer]
Bools = npt.NDArray[np.bool_]


class ChunkLayout(NamedTuple):
    """Tags, places and points of a chunk."""

    tags: Tags
    counts: Tags
    offsets: Sequence[Tags]
    session: int
    points: Points


class Chunk:
    """Points of one session of a file, tag by tag; each tag's are in the order written."""

    __slots__ = ("_columns", "_places", "points", "session")

    def __init__(self, tags: Tags, counts: Int64s, offsets: Sequence[Int64s], session: int, points: Points) -> None:
        """`tags` has each tag once, with the number of its points, at least one.

        `offsets` say where its first point lies in each of the three columns of points; tags with the same steps share
        a place there.
        """
        self._columns = (tags, counts, *offsets)
        self._places: dict[int, tuple[int, ...]] | None = None  # of each tag left; made when one is asked for
        self.session = session
        self.points = points.frozen()

    def tags(self) -> list[int]:
        """Tags whose points are still here."""
        found: list[int] = self._columns[0].tolist() if self._places is None else list(self._places)
        return found

    def layout(self) -> ChunkLayout:
        """Return the tags, places and points that it was made of."""
        tags, counts, *offsets = self._columns
        return ChunkLayout(tags, counts, offsets, self.session, self.points)

    def series(self) -> Iterator[tuple[int, Points]]:
        """Each tag that is still here, with its points."""
        for tag, place in self._located().items():
            yield tag, self._points_at(place)

    @property
    def is_empty(self) -> bool:
        """Whether the points of all tags were removed."""
        return self._places == {}

    def pop(self, tag: int) -> Points | None:
        """Remove and return the points of a tag; None if they are not here."""
        found = self._located().pop(tag, None)
        return None if found is None else self._points_at(found)

    def _located(self) -> dict[int, tuple[int, ...]]:
        if self._places is None:
            tags, *places = (column.tolist() for column in self._columns)
            self._places = dict(zip(tags, zip(*places, strict=True), strict=True))
        return self._places

    def _points_at(self, place: tuple[int, ...]) -> Points:
        count, *begins = place
        return Points(*(column[begin : begin + count] for column, begin in zip(self.points, begins, strict=True)))


class TagCycle:
    """Points of one session of a file, from a first round on."""

    def __init__(self, tags: Tags, session: int) -> None:
        """`tags` are the tags of a round, each once."""
        self.tags = tags
        self.count = 0
        """Points added."""
        self._session = session
        self._windows: list[Points] = []
        # Whether each tag had the same steps, and wall times, as the one before it in the round.
        self._same = tuple(np.append(False, np.ones(len(tags) - 1, np.bool_)) for _ in range(2))

    def continues(self, tags: Tags, session: int) -> bool:
        """Whether these are the next tags of the cycle."""
        at = self.count % len(self.tags)
        following = np.concatenate((self.tags[at:], self.tags[:at]))
        return session == self._session and bool((tags == np.resize(following, len(tags))).all())

    def add(self, points: Points) -> None:
        """Add the next points. Their arrays belong to the cycle from then on."""
        at = self.count % len(self.tags)
        for number, same in enumerate(self._same):
            if same.any():
                column = points[number].view(np.int64)  # by their bits: 0 and -0 are two times
                # A window may begin within a round.
                same[at] &= not at or bool(column[0] == self._windows[-1][number].view(np.int64)[-1])
                _compare(same, column, at)
        self._windows.append(points)
        self.count += len(points.step)

    def chunk(self) -> Chunk:
        """All points added, sorted by tag. The cycle has none afterwards."""
        period, windows = len(self.tags), self._windows
        self._windows = []
        columns = [list(column) for column in zip(*windows, strict=True)]
        windows.clear()
        rounds = -(-self.count // period)
        counts = np.full(period, rounds)
        counts[self.count - (rounds - 1) * period :] -= 1
        kept = [*(np.flatnonzero(~same) for same in self._same), None]
        points = Points(
            *(_transposed(column, period, rounds, which) for column, which in zip(columns, kept, strict=True))
        )
        places = [np.cumsum(~same) - 1 for same in self._same]
        offsets = [rounds * place for place in [*places, np.arange(period)]]
        self.count = 0
        return Chunk(self.tags, counts, offsets, self._session, points)


def tag_cycle_of(tags: Tags, session: int) -> TagCycle | None:
    """The cycle that these tags are the beginning of, two rounds at least; None if they are of none."""
    period = _round_length(tags)
    return TagCycle(tags[:period].copy(), session) if period and 2 * period <= len(tags) else None


def _round_length(tags: Tags) -> int:
    """Count the tags in a round of a cycle, in which each comes once; 0 without a cycle. The last round may be cut."""
    again = tags[1:] == tags[0]
    period = 1 + int(again.argmax()) if len(again) else 0
    if not period or not again[period - 1] or (tags[period:] != tags[:-period]).any():
        return 0
    of_round = np.sort(tags[:period])
    return 0 if (of_round[1:] == of_round[:-1]).any() else period


def _compare(same: Bools, column: npt.NDArray[Any], at: int) -> None:
    """Take out of `same` the tags for which a column, that begins `at` this place of a round, has other values."""
    period = len(same)
    head = -at % period
    whole = head + (len(column) - head) // period * period if len(column) > head else head
    for part, place in ((column[:head], at), (column[whole:], 0)):
        same[place + 1 : place + len(part)] &= part[1:] == part[:-1]
    rounds = column[head:whole].reshape(-1, period)
    same[1:] &= (rounds[:, 1:] == rounds[:, :-1]).all(axis=0)


def _transposed(
    windows: Sequence[npt.NDArray[Any]], period: int, rounds: int, kept: npt.NDArray[np.int64] | None
) -> npt.NDArray[Any]:
    """One column of all windows, tag by tag, with room for as many rounds each; only of the tags that are `kept`.

    Each tag's values come one behind the other; of tags whose last round is missing the last one is anything.
    """
    every = np.arange(period)
    chosen = every if kept is None else kept
    table = np.empty((len(chosen), rounds), windows[0].dtype)
    at = row = 0
    for window in windows:
        begin = 0
        while begin < len(window):
            if at or len(window) - begin < period:
                some = window[begin : begin + period - at]
                first, last = np.searchsorted(chosen, (at, at + len(some)))
                table[first:last, row] = some[chosen[first:last] - at]
                begin, at = begin + len(some), at + len(some)
                if at == period:
                    at, row = 0, row + 1
            else:
                count = (len(window) - begin) // period
                rows = window[begin : begin + count * period].reshape(count, period)
                table[:, row : row + count] = (rows if kept is None else rows[:, kept]).T
                begin, row = begin + count * period, row + count
    return table.ravel()
