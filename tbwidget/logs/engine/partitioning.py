"""Points of many tags, as a file holds them, sorted into a column for each tag."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tbwidget.logs.columns import Column, Points, joined
from tbwidget.logs.engine.chunks import Chunk, ChunkLayout, Int64s, TagCycle, tag_cycle_of

_MIN_CYCLE_POINTS = 1 << 12  # of a window in which a cycle of tags is looked for
_MAX_CYCLE_POINTS = 1 << 21  # kept in the order of the file where their tags come in a cycle
_MAX_PENDING = 1 << 18  # points kept in the order of the file before they are sorted by tag
_MIN_CHUNK_POINTS = 1 << 16  # that stay together, sorted, until a tag is asked for


class _Pending(NamedTuple):
    """Points in the order of the file."""

    tags: npt.NDArray[np.integer]
    session: int | npt.NDArray[np.int64]
    points: Points


class Series(NamedTuple):
    """Points of one session of a tag, in the order written."""

    tag: int
    session: int
    parts: list[Points]


class TagPartitioner:
    """Points added in the order of the file; a column for each tag."""

    def __init__(self) -> None:
        self.changed: set[int] = set()
        """Tags with other points since the owner last took them over; complete once flushed."""
        self._columns: dict[int, Column] = {}
        self._chunks: list[Chunk] = []  # in the order of the file, behind what the columns hold of the same tags
        self._parts: set[int] = set()  # tags whose column is a part of a chunk's arrays
        self._cycle: TagCycle | None = None  # of the points added last; nothing is pending then
        self._pending: list[_Pending] = []
        self._count = 0  # points pending
        self._whole: ChunkLayout | None = None  # the only chunk, as long as it and its parts hold all points
        self._restored: tuple[Collection[int], Callable[[], list[Chunk]]] | None = None  # tags; loads the first chunks

    def restore(self, tags: Collection[int], load: Callable[[], list[Chunk]]) -> None:
        """Hold the points of these tags, and perhaps of fewer, that `load` returns when one of them is needed."""
        self._restored = tags, load

    def _load(self) -> None:
        """Take over the points that were restored; if that raises, they stay to be loaded."""
        if self._restored:
            self._chunks = self._restored[1]()
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

    def add(self, tags: npt.NDArray[np.integer], session: int | npt.NDArray[np.int64], points: Points) -> None:
        """Add points that follow those added before; all of one session of the file, or each of its own."""
        if not len(tags):
            return
        self._load()
        if isinstance(session, int) and not self._pending and self._add_to_cycle(tags, session, points):
            return
        self._flush_cycle()
        self._pending.append(_Pending(tags, session, points))
        self._count += len(tags)
        if self._count > _MAX_PENDING:
            self.flush()

    def _add_to_cycle(self, tags: npt.NDArray[np.integer], session: int, points: Points) -> bool:
        """Add points whose tags go on in the cycle of those before, or begin one; False if they do not."""
        if self._cycle is not None and not self._cycle.continues(tags, session):
            self._flush_cycle()
        if self._cycle is None:
            self._cycle = tag_cycle_of(tags, session) if len(tags) >= _MIN_CYCLE_POINTS else None
            if self._cycle is None:
                return False
        self._cycle.add(points)
        if self._cycle.count > _MAX_CYCLE_POINTS:
            self._flush_cycle()
        return True

    def _flush_cycle(self) -> None:
        cycle, self._cycle = self._cycle, None
        if cycle is not None:
            self._keep_together(cycle.chunk())

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
        self._load()
        if self._count or self._cycle:
            self.flush()
        if self._chunks:
            self._gather(tag)
        return self._columns.get(tag)

    def clear(self) -> None:
        """Forget all points: the tags that had some have changed."""
        self.changed |= self._columns.keys()
        if self._restored:
            self.changed.update(self._restored[0])
            self._restored = None
        self.changed.update(*(chunk.tags() for chunk in self._chunks))
        self.changed.update(*(pending.tags.tolist() for pending in self._pending))
        self.changed.update(self._cycle.tags.tolist() if self._cycle else ())
        self._columns, self._chunks, self._parts, self._cycle = {}, [], set(), None
        self._pending, self._count, self._whole = [], 0, None

    def flush(self) -> None:
        """Sort by tag all points added: many windows at once, since there may be very many tags."""
        self._load()
        self._flush_cycle()
        if not self._count:
            return
        tags = np.concatenate([pending.tags for pending in self._pending])
        order, bounds = _by_tag(tags)
        session = _each(self._pending, order)
        if (session[bounds[:-1]] != session[bounds[1:] - 1]).any():
            bounds = np.unique(np.concatenate((bounds, 1 + np.flatnonzero(np.diff(session)))))
        points = joined([pending.points for pending in self._pending])
        self._pending, self._count = [], 0
        firsts = bounds[:-1]
        tags = tags[order[firsts]]
        together = len(order) >= _MIN_CHUNK_POINTS or not (self._columns or self._chunks)
        if together and (session[firsts] == session[0]).all():
            chunk = Chunk(tags, np.diff(bounds), [firsts] * 3, int(session[0]), points.select(order))
            self._keep_together(chunk)
            return
        found = zip(tags.tolist(), firsts.tolist(), bounds[1:].tolist(), session[firsts].tolist(), strict=True)
        for tag, first, last, its_session in found:
            self._append(tag, points.select(order[first:last]), its_session)

    def _keep_together(self, chunk: Chunk) -> None:
        self._whole = None if self._columns or self._chunks else chunk.layout()
        self._chunks.append(chunk)
        self.changed.update(chunk.tags())

    def _gather(self, tag: int) -> None:
        """Put what chunks hold of a tag into its column."""
        parts = []
        for chunk in self._chunks:
            points = chunk.pop(tag)
            if points is not None:
                parts.append((points, chunk.session))
        if not parts:
            return
        points, session = parts[0]
        if len(parts) == 1 and tag not in self._columns:
            self._columns[tag] = Column(points, session)
            self._parts.add(tag)
        else:
            column = self._columns.setdefault(tag, Column())
            for points, session in parts:
                column.append(points, session)
        if any(chunk.is_empty for chunk in self._chunks):
            self._chunks = [chunk for chunk in self._chunks if not chunk.is_empty]

    def _append(self, tag: int, points: Points, session: int) -> None:
        if self._chunks:
            self._gather(tag)
        column = self._columns.get(tag)
        if column is None:
            column = self._columns[tag] = Column()
        column.append(points, session)
        self.changed.add(tag)
        self._whole = None


def _by_tag(tags: npt.NDArray[np.integer]) -> tuple[Int64s, Int64s]:
    """Sort the tags stably; return the order, and where each tag begins and ends in it."""
    order = _stable_order(tags)
    in_order = tags[order]
    changes = np.flatnonzero(in_order[1:] != in_order[:-1]) + 1
    return order, np.concatenate(([0], changes, [len(tags)]))


def _each(parts: list[_Pending], order: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The session of each point, in this order."""
    first = parts[0].session
    if isinstance(first, int) and all(isinstance(part.session, int) and part.session == first for part in parts):
        return np.broadcast_to(np.int64(first), len(order))
    return np.concatenate([np.broadcast_to(part.session, len(part.tags)) for part in parts])[order]


def _stable_order(tags: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
    """Return the order that sorts the tags stably; numpy sorts 8 and 16 bits in linear time."""
    highest = int(tags.max())
    if highest < 1 << 8:
        return np.argsort(tags.astype(np.uint8), kind="stable")
    order = np.argsort(tags.astype(np.uint16), kind="stable")
    if highest >= 1 << 16:
        order = order[np.argsort((tags[order] >> 16).astype(np.uint16), kind="stable")]
    return order
