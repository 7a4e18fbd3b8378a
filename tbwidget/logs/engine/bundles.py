"""Points of many tags that stay together, sorted by tag, until somebody asks for one of them.

A column for each tag, made at once, would cost more than its points where those are few.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tbwidget.logs.columns import Points
from tbwidget.records.indices import reduceat, repeat

_MOST_TIMES = 4  # as many points as behind it may a bundle have, to be merged with what is behind it

Int64s = npt.NDArray[np.int64]


class Offsets(NamedTuple):
    """Where the first point of each tag lies in each of the columns: of tags that have the same steps, in one place."""

    step: Int64s
    wall_time: Int64s
    value: Int64s


class Bundle:
    """Points of one session of a file, tag by tag, those of each tag in the order written."""

    __slots__ = ("_counts", "_left", "_offsets", "_places", "_tags", "left", "points", "session")

    def __init__(
        self, tags: npt.NDArray[np.integer], counts: Int64s, offsets: Offsets, session: int, points: Points
    ) -> None:
        """`tags` are sorted, each there once, with the number of points of each, one at least, and where they begin."""
        self._tags = tags
        self._counts = counts
        self._offsets = offsets
        self._places: dict[int, tuple[int, int, int, int, int]] = {}  # of each tag left; empty until one is asked for
        self._left = np.ones(len(tags), np.bool_)
        self.left = len(tags)
        """How many tags are left."""
        self.session = session
        self.points = points.frozen()

    def __len__(self) -> int:
        return int(self._counts.sum())

    def tags(self) -> list[int]:
        """Those that are left."""
        found: list[int] = self._tags[self._left].tolist()
        return found

    def pop(self, tag: int) -> Points | None:
        """Remove and return the points of a tag; None: there are none left."""
        if not self._places:
            left = np.flatnonzero(self._left)
            columns = (left, self._counts[left], *(offsets[left] for offsets in self._offsets))
            places = zip(*(column.tolist() for column in columns), strict=True)
            self._places = dict(zip(self.tags(), places, strict=True))
        found = self._places.pop(tag, None)
        if found is None:
            return None
        place, count, step, wall_time, value = found
        self._left[place] = False
        self.left -= 1
        points = self.points
        return Points(
            points.step[step : step + count],
            points.wall_time[wall_time : wall_time + count],
            points.value[value : value + count],
        )

    def parts(self) -> tuple[npt.NDArray[np.integer], Int64s, Offsets]:
        """The tags left, how many points each has, and where they begin."""
        left = self._left
        return self._tags[left], self._counts[left], Offsets(*(offsets[left] for offsets in self._offsets))


def bundle_of(tags: npt.NDArray[np.integer], bounds: Int64s, session: int, points: Points) -> Bundle:
    """Of `tags`, sorted and each there once, number i has the points from `bounds[i]` on to `bounds[i + 1]`."""
    offsets = bounds[:-1]
    return Bundle(tags, np.diff(bounds), Offsets(offsets, offsets, offsets), session, points)


def without_gaps(bundle: Bundle) -> Bundle:
    """What is left of it, in arrays that hold nothing else."""
    return _merged([bundle])


def merge(bundles: list[Bundle]) -> None:
    """Merge the last of some bundles, in place: each with what comes behind it, unless it is much larger.

    So points are copied a few times at most, however often this is done.
    """
    begin = len(bundles) - 1
    size = len(bundles[begin]) if bundles else 0
    while begin > 0 and bundles[begin - 1].session == bundles[begin].session:
        if len(bundles[begin - 1]) > _MOST_TIMES * size:
            break
        begin -= 1
        size += len(bundles[begin])
    if begin < len(bundles) - 1:
        several = bundles[begin:]
        del bundles[begin:]
        bundles.append(_merged(several))


def _merged(bundles: list[Bundle]) -> Bundle:
    """All that is left in one bundle. The list is emptied, so that most points are in memory once at any time."""
    parts = [bundle.parts() for bundle in bundles]
    first_tags = parts[0][0]
    alike = all(np.array_equal(tags, first_tags) for tags, _, _ in parts)
    tags = np.concatenate([of_bundle for of_bundle, _, _ in parts])
    order = np.argsort(tags, kind="stable")
    counts = np.concatenate([of_bundle for _, of_bundle, _ in parts])[order]
    distinct = np.flatnonzero(np.diff(tags[order], prepend=-1))
    totals = reduceat(np.add, counts, distinct) if len(distinct) else counts
    session, columns = bundles[0].session, [list(bundle.points) for bundle in bundles]
    bundles.clear()
    merged, offsets = [], []
    for number in range(len(Points._fields)):
        places = [(of_bundle[number], each) for _, each, of_bundle in parts]
        kept = _distinct(places) if alike else np.ones(len(distinct), np.bool_)
        chosen = repeat(kept, np.diff(np.append(distinct, len(order))))  # of the parts, in order
        ends = np.cumsum(np.where(chosen, counts, 0))
        to = np.empty(len(tags), np.int64)  # of the points of each part; -1: others are the same
        to[order] = np.where(chosen, ends - counts, -1)
        offsets.append((ends - counts)[distinct][kept][np.cumsum(kept) - 1])
        cuts = np.cumsum([len(of_bundle) for of_bundle, _, _ in parts])[:-1]
        size = int(ends[-1]) if len(ends) else 0
        merged.append(_gathered([column.pop(0) for column in columns], places, np.split(to, cuts), size))
    return Bundle(tags[order][distinct], totals, Offsets(*offsets), session, Points(*merged))


_Place = tuple[Int64s, Int64s]


def _distinct(places: Sequence[_Place]) -> npt.NDArray[np.bool_]:
    """Which of the tags, that are the same in all bundles, do not lie in the places of the tag before."""
    kept = np.zeros(len(places[0][0]), np.bool_)
    kept[:1] = True
    for column in (column for place in places for column in place):
        kept[1:] |= column[1:] != column[:-1]
    return kept


def _gathered(
    columns: list[npt.NDArray[Any]], places: Sequence[_Place], to: Sequence[Int64s], size: int
) -> npt.NDArray[Any]:
    """One column of all bundles; `places` has where its parts begin in each, and their sizes; `to` where they go."""
    whole = np.empty(size, columns[0].dtype)
    for column, (offsets, counts), targets in zip(columns, places, to, strict=True):
        chosen = targets >= 0
        sizes = counts[chosen]
        before = np.cumsum(sizes) - sizes
        each = np.arange(sizes.sum())
        whole[repeat(targets[chosen] - before, sizes) + each] = column[repeat(offsets[chosen] - before, sizes) + each]
    return whole
