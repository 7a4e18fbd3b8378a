"""Points of many tags, as a file holds them, sorted into a column for each tag."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tbwidget.logs.bundles import Bundle, Int64s, merge, without_gaps
from tbwidget.logs.columns import Column, Points, joined

_FEW = 64  # points
_FEWEST_SORTED, _FEWEST_EACH = 1 << 12, 64  # points, at all and a tag, from which a window is sorted on its own
_MOST_PENDING = 1 << 20  # points kept in the order of the file before they are sorted by tag
_ENOUGH, _ENOUGH_EACH = 1 << 18, 256  # such, at all and a tag, that are sorted at once: sorting takes memory
_MOST_DEALT = 128  # tags that come in turn; with more, sorting is as quick
_FEWEST_TOGETHER = 1 << 16  # points that stay together, sorted, until somebody asks for a tag


class _Pending(NamedTuple):
    """Points in the order of the file."""

    tags: npt.NDArray[np.integer]
    stretch: int | npt.NDArray[np.int64]
    points: Points


class Sorter:
    """Takes points in the order of the file; gives a column for each tag."""

    def __init__(self) -> None:
        self.changed: set[int] = set()
        """Tags with other points since the owner last looked; complete once settled."""
        self._columns: dict[int, Column] = {}
        self._bundles: list[Bundle] = []  # in the order of the file, behind what the columns hold of the same tags
        self._parts: set[int] = set()  # tags whose column is a part of a bundle's arrays
        self._pending: list[_Pending] = []
        self._count = 0  # points pending
        self._variety = 0  # tags in a window, as seen in some
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
        if len(tags) < _FEWEST_SORTED:
            return False
        dealt = _dealt(tags, points)
        if dealt is not None:
            tags, bounds, points = dealt
            self._variety = max(self._variety, len(tags))
        else:
            order, bounds = _by_tag(tags)
            self._variety = max(self._variety, len(bounds) - 1)
            if len(bounds) * _FEWEST_EACH > len(tags):
                return False
            points = points.taken(order)
            tags = tags[order[bounds[:-1]]]
        if not self._columns and not self._bundles:  # many files end in their first window
            self._keep_together(Bundle(tags, bounds, stretch, points))
            return True
        for tag, first, last in zip(tags.tolist(), bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
            self._append(tag, points.taken(slice(first, last)), stretch)
            self._shared[tag] = self._columns[tag]
        self._shared_count += len(tags)
        if self._shared_count > _ENOUGH:
            self._settle_shared()
        return True

    def finish(self) -> None:
        """Sort by tag what was taken, where no more is to come for now."""
        self.settle()
        if not self._parts.isdisjoint(self.changed):
            # What a bundle held is about to be in memory twice: for some have grown, and the others keep its arrays.
            for tag in self._parts:
                self._columns[tag].own()
            self._parts = set()
            self._bundles = [without_gaps(bundle) for bundle in self._bundles]
        merge(self._bundles)

    def column(self, tag: int) -> Column | None:
        """The points of a tag taken so far; None: none."""
        if self._count or self._shared:
            self.settle()
        if self._bundles:
            self._gather(tag)
        return self._columns.get(tag)

    def clear(self) -> None:
        """Forget all points: the tags that had some have changed."""
        self.changed |= self._columns.keys()
        self.changed.update(*(bundle.tags() for bundle in self._bundles))
        self.changed.update(*(pending.tags.tolist() for pending in self._pending))
        self._columns, self._bundles, self._parts = {}, [], set()
        self._pending, self._count, self._shared, self._shared_count = [], 0, {}, 0

    def settle(self) -> None:
        """Sort by tag what was taken: many windows at once, since there may be very many tags."""
        self._settle_shared()
        if not self._count:
            return
        if self._count <= _FEW:
            self._settle_few()
            return
        tags = np.concatenate([pending.tags for pending in self._pending])
        order, bounds = _by_tag(tags)
        stretch = _each(self._pending, order)
        if (stretch[bounds[:-1]] != stretch[bounds[1:] - 1]).any():
            bounds = np.unique(np.concatenate((bounds, 1 + np.flatnonzero(np.diff(stretch)))))
        points = joined([pending.points for pending in self._pending])
        self._pending, self._count = [], 0
        firsts = bounds[:-1]
        tags = tags[order[firsts]]
        together = len(order) >= _FEWEST_TOGETHER or not (self._columns or self._bundles)
        if together and (stretch[firsts] == stretch[0]).all():
            self._keep_together(Bundle(tags, bounds, int(stretch[0]), points.taken(order)))
            return
        found = zip(tags.tolist(), firsts.tolist(), bounds[1:].tolist(), stretch[firsts].tolist(), strict=True)
        for tag, first, last, its_stretch in found:
            self._append(tag, points.taken(order[first:last]), its_stretch)

    def _keep_together(self, bundle: Bundle) -> None:
        self._bundles.append(bundle)
        self.changed.update(bundle.tags())

    def _gather(self, tag: int) -> None:
        """Put what bundles hold of a tag into its column."""
        parts = []
        for bundle in self._bundles:
            points = bundle.take(tag)
            if points is not None:
                parts.append((points, bundle.stretch))
        if not parts:
            return
        points, stretch = parts[0]
        if len(parts) == 1 and tag not in self._columns:
            self._columns[tag] = Column(points, stretch)
            self._parts.add(tag)
        else:
            column = self._columns.setdefault(tag, Column())
            for points, stretch in parts:
                column.append(points, stretch)
        if bundle.left and len(self._bundles) == 1:
            return
        self._bundles = [bundle for bundle in self._bundles if bundle.left]

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
        if self._bundles:
            self._gather(tag)
        column = self._columns.get(tag)
        if column is None:
            column = self._columns[tag] = Column()
        column.append(points, stretch)
        self.changed.add(tag)


class _Turn(NamedTuple):
    """Tags that come in turn, each once, again and again; the last turn may be cut."""

    period: int
    places: Int64s
    """Where in a turn each tag is, by tag."""
    bounds: Int64s
    """Where the points of each tag begin among those sorted by tag; and where they end."""


def _turn_of(tags: npt.NDArray[np.integer]) -> _Turn | None:
    again = tags[1:] == tags[0]
    period = 1 + int(again.argmax()) if len(again) else 0
    if not period or not again[period - 1] or (tags[period:] != tags[:-period]).any():
        return None
    places = tags[:period].argsort()
    distinct = tags[places]
    if (distinct[1:] == distinct[:-1]).any():
        return None
    return _Turn(period, places, np.append(0, np.cumsum((len(tags) - 1 - places) // period + 1)))


def _dealt(tags: npt.NDArray[np.integer], points: Points) -> tuple[npt.NDArray[np.integer], Int64s, Points] | None:
    """The points tag by tag, if few tags come in turn: dealing them out is quicker than any order.

    Which tags there are, where the points of each begin, and the points; None if tags do not come so.
    """
    if not (tags[1 : _MOST_DEALT + 1] == tags[0]).any():
        return None
    turn = _turn_of(tags)
    if turn is None or len(tags) < _FEWEST_EACH * turn.period:
        return None
    period, order, bounds = turn
    places = list(zip(order.tolist(), bounds[:-1].tolist(), bounds[1:].tolist(), strict=True))
    dealt = Points(*(np.empty(len(column), column.dtype) for column in points))
    for source, target in zip(points, dealt, strict=True):
        for place, first, last in places:
            target[first:last] = source[place::period]
    return tags[order], bounds, dealt


def _by_tag(tags: npt.NDArray[np.integer]) -> tuple[Int64s, Int64s]:
    """The order that sorts the tags and keeps that of equal ones; and where each tag begins and ends in it."""
    turn = _turn_of(tags)
    if turn is None:
        order = _stable_order(tags)
        return order, np.flatnonzero(np.diff(tags[order], prepend=-1, append=-1))
    counts = np.diff(turn.bounds)
    order = np.arange(len(tags))
    order -= np.repeat(turn.bounds[:-1], counts)
    order *= turn.period
    order += np.repeat(turn.places, counts)
    return order, turn.bounds


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
