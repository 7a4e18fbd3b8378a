"""Points of many tags, as a file holds them, sorted into a column for each tag."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tbwidget.logs.columns import Column, Points, joined

_FEW = 64  # points
_FEWEST_EACH = 64  # points a tag, from which a window is worth sorting on its own
_MOST_PENDING = 1 << 20  # points kept in the order of the file before they are sorted by tag
_ENOUGH, _ENOUGH_EACH = 1 << 18, 256  # such, at all and a tag, that are sorted at once: sorting takes memory
_FEWEST_TOGETHER = 1 << 16  # points that stay together, sorted, until somebody asks for a tag


class _Pending(NamedTuple):
    """Points in the order of the file."""

    tags: npt.NDArray[np.integer]
    stretch: int | npt.NDArray[np.int64]
    points: Points


class _Batch(NamedTuple):
    """Points sorted by tag: a column for each, made at once, would cost more than its points where those are few."""

    parts: dict[int, tuple[int, int]]
    """Begin and end of the points of each tag whose column does not hold them yet."""
    stretch: int
    points: Points


class Sorter:
    """Takes points in the order of the file; gives a column for each tag."""

    def __init__(self) -> None:
        self.changed: set[int] = set()
        """Tags with other points since the owner last looked; complete once settled."""
        self._columns: dict[int, Column] = {}
        self._batches: list[_Batch] = []  # in the order of the file, before what the columns hold of the same tags
        self._pending: list[_Pending] = []
        self._count = 0  # points pending
        self._variety = 0  # tags that a window held, at most
        self._shared: dict[int, Column] = {}  # columns that hold parts of arrays whose other parts others hold
        self._shared_count = 0  # points in such arrays

    def add(self, tags: npt.NDArray[np.integer], stretch: int | npt.NDArray[np.int64], points: Points) -> None:
        """Take points that follow those taken before; all of one stretch of the file, or each of its own."""
        if not len(tags):
            return
        if isinstance(stretch, int) and not self._pending and self._add_sorted(tags, stretch, points):
            return
        self._pending.append(_Pending(tags, stretch, points))
        self._count += len(tags)
        if self._count > min(max(_ENOUGH, _ENOUGH_EACH * self._variety), _MOST_PENDING):
            self.settle()

    def _add_sorted(self, tags: npt.NDArray[np.integer], stretch: int, points: Points) -> bool:
        """Take points of few tags right away, while they are in the caches; False if there are too many tags."""
        if len(tags) < _FEWEST_EACH:
            return False
        order = _stable_order(tags)
        tags = tags[order]
        bounds = np.flatnonzero(np.diff(tags, prepend=-1, append=-1))
        self._variety = max(self._variety, len(bounds) - 1)
        if len(bounds) * _FEWEST_EACH > len(tags):
            return False
        points = points.taken(order)
        parts = zip(tags[bounds[:-1]].tolist(), bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)
        if not self._columns and not self._batches:  # many files end in their first window
            self._keep_together({tag: (first, last) for tag, first, last in parts}, stretch, points)
            return True
        for tag, first, last in parts:
            self._append(tag, points.taken(slice(first, last)), stretch)
            self._shared[tag] = self._columns[tag]
        self._shared_count += len(tags)
        if self._shared_count > _ENOUGH:
            self._settle_shared()
        return True

    def column(self, tag: int) -> Column | None:
        """The points of a tag taken so far; None: none."""
        self.settle()
        if self._batches:
            self._gather(tag)
        return self._columns.get(tag)

    def clear(self) -> None:
        """Forget all points: the tags that had some have changed."""
        self.settle()
        self.changed |= self._columns.keys()
        self.changed.update(*(batch.parts for batch in self._batches))
        self._columns, self._batches = {}, []

    def settle(self) -> None:
        """Sort by tag what was taken: many windows at once, since there may be very many tags."""
        self._settle_shared()
        if not self._count:
            return
        if self._count <= _FEW:
            self._settle_few()
            return
        tags = np.concatenate([pending.tags for pending in self._pending])
        order = _stable_order(tags)
        tags = tags[order]
        bounds = np.flatnonzero(np.diff(tags, prepend=-1, append=-1))
        stretch = _each(self._pending, order)
        if (stretch[bounds[:-1]] != stretch[bounds[1:] - 1]).any():
            bounds = np.unique(np.concatenate((bounds, 1 + np.flatnonzero(np.diff(stretch)))))
        points = joined([pending.points for pending in self._pending])
        self._pending, self._count = [], 0
        firsts = bounds[:-1].tolist()
        found = zip(tags[firsts].tolist(), firsts, bounds[1:].tolist(), stretch[firsts].tolist(), strict=True)
        if len(tags) >= _FEWEST_TOGETHER and (stretch[firsts] == stretch[0]).all():
            parts = {tag: (first, last) for tag, first, last, _ in found}
            self._keep_together(parts, int(stretch[0]), points.taken(order))
            return
        for tag, first, last, its_stretch in found:
            self._append(tag, points.taken(order[first:last]), its_stretch)

    def _keep_together(self, parts: dict[int, tuple[int, int]], stretch: int, points: Points) -> None:
        self._batches.append(_Batch(parts, stretch, points))
        self.changed |= parts.keys()

    def _gather(self, tag: int) -> None:
        """Put what batches hold of a tag into its column."""
        parts = [(batch, *batch.parts.pop(tag)) for batch in self._batches if tag in batch.parts]
        if not parts:
            return
        if tag not in self._columns and all(batch.stretch == parts[0][0].stretch for batch, _, _ in parts):
            self._columns[tag] = Column.of(_joined_parts(parts), parts[0][0].stretch)
        else:
            column = self._columns.setdefault(tag, Column())
            for batch, first, last in parts:
                column.append(batch.points.taken(slice(first, last)), batch.stretch)
        if not all(batch.parts for batch, _, _ in parts):
            self._batches = [batch for batch in self._batches if batch.parts]

    def _settle_shared(self) -> None:
        for column in self._shared.values():
            column.settle()
        self._shared.clear()
        self._shared_count = 0

    def _settle_few(self) -> None:
        """Sort by tag without numpy, whose calls cost more than so few points do."""
        waiting, self._pending, self._count = self._pending, [], 0
        for tags, stretch, points in waiting:
            places: dict[tuple[int, int], list[int]] = {}
            stretches = [stretch] * len(tags) if isinstance(stretch, int) else stretch.tolist()
            for place, key in enumerate(zip(tags.tolist(), stretches, strict=True)):
                places.setdefault(key, []).append(place)
            for (tag, its_stretch), where in places.items():
                self._append(tag, points.taken(np.array(where)), its_stretch)

    def _append(self, tag: int, points: Points, stretch: int) -> None:
        if self._batches:
            self._gather(tag)
        column = self._columns.get(tag)
        if column is None:
            column = self._columns[tag] = Column()
        column.append(points, stretch)
        self.changed.add(tag)


def _joined_parts(parts: list[tuple[_Batch, int, int]]) -> Points:
    """Parts of batches, one behind the other; a lone one is not copied."""
    if len(parts) == 1:
        batch, first, last = parts[0]
        return batch.points.taken(slice(first, last))
    return Points(
        np.concatenate([batch.points.step[first:last] for batch, first, last in parts]),
        np.concatenate([batch.points.wall_time[first:last] for batch, first, last in parts]),
        np.concatenate([batch.points.value[first:last] for batch, first, last in parts]),
    )


def _each(parts: list[_Pending], order: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The stretch of each point, in this order."""
    first = parts[0].stretch
    if isinstance(first, int) and all(isinstance(part.stretch, int) and part.stretch == first for part in parts):
        return np.broadcast_to(np.int64(first), len(order))
    return np.concatenate([np.broadcast_to(part.stretch, len(part.tags)) for part in parts])[order]


def _stable_order(tags: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
    """The order that sorts the tags and keeps that of equal ones; numpy sorts 16 bits in linear time."""
    order = np.argsort(tags.astype(np.uint16), kind="stable")
    if tags.max() >= 1 << 16:
        order = order[np.argsort((tags[order] >> 16).astype(np.uint16), kind="stable")]
    return order
