"""Points of many tags, as a file holds them, sorted into a column for each tag."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tbwidget.logs.columns import Column, Points, joined
from tbwidget.logs.engine.bundles import Bundle, Int64s, bundle_of, merge, without_gaps
from tbwidget.logs.engine.tag_cycles import TagCycle, tag_cycle_of

_FEW = 64  # points
_FEWEST_SORTED, _FEWEST_EACH = 1 << 12, 64  # points, at all and a tag, from which a window is sorted on its own
_MOST_PENDING = 1 << 20  # points kept in the order of the file before they are sorted by tag
_ENOUGH, _ENOUGH_EACH = 1 << 18, 256  # such, at all and a tag, that are sorted at once: sorting takes memory
_MOST_IN_CYCLE = 1 << 21  # points kept in the order of the file where their tags come in a cycle
_FEWEST_TOGETHER = 1 << 16  # points that stay together, sorted, until somebody asks for a tag


class _Pending(NamedTuple):
    """Points in the order of the file."""

    tags: npt.NDArray[np.integer]
    session: int | npt.NDArray[np.int64]
    points: Points


class Sorter:
    """Points added in the order of the file; a column for each tag."""

    def __init__(self) -> None:
        self.changed: set[int] = set()
        """Tags with other points since the owner last looked; complete once settled."""
        self._columns: dict[int, Column] = {}
        self._bundles: list[Bundle] = []  # in the order of the file, behind what the columns hold of the same tags
        self._parts: set[int] = set()  # tags whose column is a part of a bundle's arrays
        self._cycle: TagCycle | None = None  # of the points added last; nothing is pending then
        self._pending: list[_Pending] = []
        self._count = 0  # points pending
        self._variety = 0  # tags in a window, as seen in some
        self._shared: dict[int, Column] = {}  # columns that hold parts of arrays whose other parts others hold
        self._shared_count = 0  # points in such arrays

    def add(self, tags: npt.NDArray[np.integer], session: int | npt.NDArray[np.int64], points: Points) -> None:
        """Add points that follow those added before; all of one session of the file, or each of its own."""
        if not len(tags):
            return
        if isinstance(session, int) and not self._pending:
            if self._add_to_cycle(tags, session, points) or self._add_sorted(tags, session, points):
                return
        else:
            self._settle_cycle()
        self._pending.append(_Pending(tags, session, points))
        self._count += len(tags)
        if self._count > min(max(_ENOUGH, _ENOUGH_EACH * self._variety), _MOST_PENDING):
            self.settle()

    def _add_to_cycle(self, tags: npt.NDArray[np.integer], session: int, points: Points) -> bool:
        """Add points whose tags go on in the cycle of those before, or begin one; False if they do not."""
        if self._cycle is not None and not self._cycle.continues(tags, session):
            self._settle_cycle()
        if self._cycle is None:
            self._cycle = tag_cycle_of(tags, session) if len(tags) >= _FEWEST_SORTED else None
            if self._cycle is None:
                return False
        self._cycle.add(points)
        if self._cycle.count > _MOST_IN_CYCLE:
            self._settle_cycle()
        return True

    def _settle_cycle(self) -> None:
        cycle, self._cycle = self._cycle, None
        if cycle is not None:
            self._keep_together(cycle.bundle())

    def _add_sorted(self, tags: npt.NDArray[np.integer], session: int, points: Points) -> bool:
        """Sort points of few tags right away, while they are in the caches; False if there are too many tags."""
        if len(tags) < _FEWEST_SORTED:
            return False
        order, bounds = _by_tag(tags)
        self._variety = max(self._variety, len(bounds) - 1)
        if len(bounds) * _FEWEST_EACH > len(tags):
            return False
        points = points.select(order)
        tags = tags[order[bounds[:-1]]]
        if not self._columns and not self._bundles:  # many files end in their first window
            self._keep_together(bundle_of(tags, bounds, session, points))
            return True
        for tag, first, last in zip(tags.tolist(), bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
            self._append(tag, points.select(slice(first, last)), session)
            self._shared[tag] = self._columns[tag]
        self._shared_count += len(tags)
        if self._shared_count > _ENOUGH:
            self._settle_shared()
        return True

    def finish(self) -> None:
        """Sort by tag all points added, where no more come for now."""
        self.settle()
        if not self._parts.isdisjoint(self.changed):
            # What a bundle held is about to be in memory twice: for some have grown, and the others keep its arrays.
            for tag in self._parts:
                self._columns[tag].detach()
            self._parts = set()
            self._bundles = [without_gaps(bundle) for bundle in self._bundles]
        merge(self._bundles)

    def column(self, tag: int) -> Column | None:
        """The points of a tag added so far; None: none."""
        if self._count or self._shared or self._cycle:
            self.settle()
        if self._bundles:
            self._gather(tag)
        return self._columns.get(tag)

    def clear(self) -> None:
        """Forget all points: the tags that had some have changed."""
        self.changed |= self._columns.keys()
        self.changed.update(*(bundle.tags() for bundle in self._bundles))
        self.changed.update(*(pending.tags.tolist() for pending in self._pending))
        self.changed.update(self._cycle.tags.tolist() if self._cycle else ())
        self._columns, self._bundles, self._parts, self._cycle = {}, [], set(), None
        self._pending, self._count, self._shared, self._shared_count = [], 0, {}, 0

    def settle(self) -> None:
        """Sort by tag all points added: many windows at once, since there may be very many tags."""
        self._settle_shared()
        self._settle_cycle()
        if not self._count:
            return
        if self._count <= _FEW:
            self._settle_few()
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
        together = len(order) >= _FEWEST_TOGETHER or not (self._columns or self._bundles)
        if together and (session[firsts] == session[0]).all():
            self._keep_together(bundle_of(tags, bounds, int(session[0]), points.select(order)))
            return
        found = zip(tags.tolist(), firsts.tolist(), bounds[1:].tolist(), session[firsts].tolist(), strict=True)
        for tag, first, last, its_session in found:
            self._append(tag, points.select(order[first:last]), its_session)

    def _keep_together(self, bundle: Bundle) -> None:
        self._bundles.append(bundle)
        self.changed.update(bundle.tags())

    def _gather(self, tag: int) -> None:
        """Put what bundles hold of a tag into its column."""
        parts = []
        for bundle in self._bundles:
            points = bundle.pop(tag)
            if points is not None:
                parts.append((points, bundle.session))
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
        for tags, session, points in waiting:
            places: dict[tuple[int, int], list[int]] = {}
            sessions = [session] * len(tags) if isinstance(session, int) else session.tolist()
            for place, key in enumerate(zip(tags.tolist(), sessions, strict=True)):
                places.setdefault(key, []).append(place)
            for (tag, its_session), where in places.items():
                self._append(tag, points.select(np.array(where)), its_session)

    def _append(self, tag: int, points: Points, session: int) -> None:
        if self._bundles:
            self._gather(tag)
        column = self._columns.get(tag)
        if column is None:
            column = self._columns[tag] = Column()
        column.append(points, session)
        self.changed.add(tag)


def _by_tag(tags: npt.NDArray[np.integer]) -> tuple[Int64s, Int64s]:
    """The order that sorts the tags and keeps that of equal ones; and where each tag begins and ends in it."""
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
    """The order that sorts the tags and keeps that of equal ones; numpy sorts 8 and 16 bits in linear time."""
    highest = int(tags.max())
    if highest < 1 << 8:
        return np.argsort(tags.astype(np.uint8), kind="stable")
    order = np.argsort(tags.astype(np.uint16), kind="stable")
    if highest >= 1 << 16:
        order = order[np.argsort((tags[order] >> 16).astype(np.uint16), kind="stable")]
    return order
