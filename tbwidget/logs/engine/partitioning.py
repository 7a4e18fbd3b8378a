"""Points of many tags, as a file holds them, sorted by tag; a column for each tag that is asked for.

A column for each tag, made at once, would cost more than its points where those are few. So points of many tags stay
together until one of them is asked for. Tags that are written together have the same steps and wall times, which are
kept once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tbwidget.logs.columns import Column, Points
from tbwidget.records.indices import repeat

_MAX_PENDING = 1 << 21  # points kept in the order of the file before they are sorted by tag
_MIN_CHUNK_POINTS = 1 << 16  # that stay together, sorted, until a tag is asked for

Int64s = npt.NDArray[np.int64]
Tags = npt.NDArray[np.integer]


class ChunkLayout(NamedTuple):
    """Tags, places and points of a chunk."""

    tags: Tags
    counts: Tags
    offsets: Sequence[Tags]
    session: int
    points: Points


class Series(NamedTuple):
    """Points of one session of a tag, in the order written."""

    tag: int
    session: int
    parts: list[Points]


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


class RestoredPoints(NamedTuple):
    """Points that another process has read, of these tags and perhaps of fewer."""

    tags: Collection[int]
    load: Callable[[], list[Chunk]]


class _Pending(NamedTuple):
    """Points in the order of the file."""

    tags: Tags
    session: int | Int64s
    points: Points


class TagPartitioner:
    """Points added in the order of the file; a column for each tag."""

    def __init__(self, restored: RestoredPoints | None = None) -> None:
        """Hold points that were restored; they are loaded when one is needed."""
        self.changed: set[int] = set()
        """Tags with other points since the owner last took them over; complete once flushed."""
        self._columns: dict[int, Column] = {}
        self._chunks: list[Chunk] = []  # in the order of the file, behind what the columns hold of the same tags
        self._parts: set[int] = set()  # tags whose column is a part of a chunk's arrays
        self._pending: list[_Pending] = []
        self._count = 0  # points pending
        self._whole: ChunkLayout | None = None  # the only chunk, as long as it and its parts hold all points
        self._restored = restored  # the first chunks, until they are loaded

    def restore(self, points: RestoredPoints | None) -> None:
        """Hold these points, while there are no others."""
        self._restored = points

    def _load(self) -> None:
        """Take over the points that were restored; if that raises, they stay to be loaded."""
        if self._restored:
            self._chunks = self._restored.load()
            self._restored = None
            self._whole = self._chunks[0].layout() if len(self._chunks) == 1 else None

    def contents(self) -> ChunkLayout | list[Series]:
        """All points added so far: as the only chunk, or one series after the other."""
        self.flush()
        if self._whole is not None:
            return self._whole
        found: dict[int, list[Series]] = {}
        for tag, column in self._columns.items():
            points, sessions = column.points(), column.sessions
            ends = [*(session.begin for session in sessions[1:]), len(points.step)]
            first = column.last_session - len(sessions) + 1  # only whether neighbors differ matters
            found[tag] = [
                Series(tag, first + number, [points.select(slice(session.begin, end))])
                for number, (session, end) in enumerate(zip(sessions, ends, strict=True))
            ]
        for chunk in self._chunks:
            for tag, points in chunk.series():
                series = found.setdefault(tag, [])
                if series and series[-1].session == chunk.session:
                    series[-1].parts.append(points)
                else:
                    series.append(Series(tag, chunk.session, [points]))
        return [each for series in found.values() for each in series]

    def add(self, tags: Tags, session: int | Int64s, points: Points) -> None:
        """Add points that follow those added before; all of one session of the file, or each of its own."""
        if len(tags):
            self._load()
            self._pending.append(_Pending(tags, session, points))
            self._count += len(tags)
            if self._count > _MAX_PENDING:
                self.flush()

    def extend(self, chunks: Sequence[Chunk]) -> None:
        """Add chunks of points that follow those added before."""
        self.flush()
        if chunks:
            self._whole = None if self._columns or self._chunks or len(chunks) > 1 else chunks[0].layout()
            self._chunks += chunks
            self.changed.update(*(chunk.tags() for chunk in chunks))

    def finish(self) -> None:
        """Sort by tag all points added, where no more come for now."""
        if self._restored:
            return
        self.flush()
        if not self._parts.isdisjoint(self.changed):
            # Some tags have left the chunk's arrays, and the others keep them: copy these, so that no point is stored
            # twice.
            for tag in [tag for chunk in self._chunks for tag in chunk.tags()]:
                self._gather(tag)
            for tag in self._parts:
                self._columns[tag].unshare()
            self._parts = set()

    def column(self, tag: int) -> Column | None:
        """The points of a tag added so far; None: none."""
        self.flush()
        self._gather(tag)
        return self._columns.get(tag)

    def clear(self) -> None:
        """Forget all points: the tags that had some have changed."""
        self.changed |= self._columns.keys()
        if self._restored:
            self.changed.update(self._restored.tags)
            self._restored = None
        self.changed.update(*(chunk.tags() for chunk in self._chunks))
        self.changed.update(*(pending.tags.tolist() for pending in self._pending))
        self._columns, self._chunks, self._parts = {}, [], set()
        self._pending, self._count, self._whole = [], 0, None

    def flush(self) -> None:
        """Sort by tag all points added: many windows at once, since there may be very many tags."""
        self._load()
        if not self._count:
            return
        tags = np.concatenate([pending.tags for pending in self._pending])
        period = _period(tags)
        order, bounds = _by_tag(tags, period)
        session = _each(self._pending, order)
        if (session[bounds[:-1]] != session[bounds[1:] - 1]).any():
            bounds = np.unique(np.concatenate((bounds, 1 + np.flatnonzero(np.diff(session)))))
        firsts = bounds[:-1]
        tags = tags[order[firsts]]
        parts = [list(column) for column in zip(*(pending.points for pending in self._pending), strict=True)]
        self._pending, self._count = [], 0
        together = len(order) >= _MIN_CHUNK_POINTS or not (self._columns or self._chunks)
        if together and (session[firsts] == session[0]).all():
            counts = np.diff(bounds)
            step, steps = _shared(_joined(parts[0]), order, firsts, counts, period)
            wall_time, times = _shared(_joined(parts[1]), order, firsts, counts, period)
            shared = Points(step, wall_time, _joined(parts[2]).take(order, mode="clip"))
            chunk = Chunk(tags, counts, (steps, times, firsts), int(session[0]), shared)
            self._whole = None if self._columns or self._chunks else chunk.layout()
            self._chunks.append(chunk)
            self.changed.update(chunk.tags())
            return
        points = Points(*map(np.concatenate, parts))
        found = zip(tags.tolist(), firsts.tolist(), bounds[1:].tolist(), session[firsts].tolist(), strict=True)
        for tag, first, last, its_session in found:
            self._gather(tag)
            self._columns.setdefault(tag, Column()).append(points.select(order[first:last]), its_session)
            self.changed.add(tag)
            self._whole = None

    def _gather(self, tag: int) -> None:
        """Put what chunks hold of a tag into its column."""
        parts = [(points, chunk.session) for chunk in self._chunks if (points := chunk.pop(tag)) is not None]
        if len(parts) == 1 and tag not in self._columns:
            self._columns[tag] = Column(*parts[0])
            self._parts.add(tag)
        else:
            for points, session in parts:
                self._columns.setdefault(tag, Column()).append(points, session)
        if any(chunk.is_empty for chunk in self._chunks):
            self._chunks = [chunk for chunk in self._chunks if not chunk.is_empty]


def _joined(parts: list[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    """The column of these parts; frees them, as there may be very many points."""
    whole = np.concatenate(parts) if len(parts) > 1 else parts[0]
    parts.clear()
    return whole


def _shared(
    column: npt.NDArray[Any], order: Int64s, firsts: Int64s, counts: Int64s, period: int
) -> tuple[npt.NDArray[Any], Int64s]:
    """Sort a column, but for numbers of tags that have the same as the one before; return where each tag's are."""
    same = np.zeros(len(counts), np.bool_)
    if period:
        bits = column.view(np.int64).reshape(-1, period)  # 0 and -0 are two times
        same[1:] = (bits[:, 1:] == bits[:, :-1]).all(axis=0)
        return column.reshape(-1, period).T[~same].ravel(), (np.cumsum(~same) - 1) * counts
    column = column.take(order, mode="clip")  # which is quicker: none is out of range
    bits = column.view(np.int64)
    for first, last in pairwise(np.flatnonzero(np.diff(counts, prepend=-1, append=-1)).tolist()):
        if last - first > 1:  # tags with equally many points
            table = bits[firsts[first] : firsts[last - 1] + counts[first]].reshape(last - first, -1)
            same[first + 1 : last] = (table[1:] == table[:-1]).all(axis=1)
    if not same.any():
        return column, firsts
    return column[repeat(~same, counts)], np.cumsum(counts * ~same) - counts


def _by_tag(tags: Tags, period: int) -> tuple[Int64s, Int64s]:
    """Sort the tags stably; return the order, and where each tag begins and ends in it."""
    if period:
        order = np.arange(len(tags)).reshape(-1, period).T.ravel()
        return order, np.arange(0, len(tags) + 1, len(tags) // period)
    order = _stable_order(tags)
    in_order = tags.take(order, mode="clip")
    changes = np.flatnonzero(in_order[1:] != in_order[:-1]) + 1
    return order, np.concatenate(([0], changes, [len(tags)]))


def _period(tags: Tags) -> int:
    """Count the tags of a round, in which each comes once, always in the same order; 0 without rounds."""
    period = 1 + int((tags[1:] == tags[0]).argmax()) if len(tags) > 1 else 0
    if not period or len(tags) % period or (tags[period:] != tags[:-period]).any():
        return 0
    return period if len(np.unique(tags[:period])) == period else 0


def _each(parts: list[_Pending], order: Int64s) -> Int64s:
    """The session of each point, in this order."""
    first = parts[0].session
    if isinstance(first, int) and all(isinstance(part.session, int) and part.session == first for part in parts):
        return np.broadcast_to(np.int64(first), len(order))
    return np.concatenate([np.broadcast_to(part.session, len(part.tags)) for part in parts])[order]


def _stable_order(tags: Tags) -> Int64s:
    """Return the order that sorts the tags stably; numpy sorts 16 bits in linear time."""
    order = np.argsort(tags.astype(np.uint16), kind="stable")
    if tags.max() >= 1 << 16:
        order = order[np.argsort((tags[order] >> 16).astype(np.uint16), kind="stable")]
    return order
