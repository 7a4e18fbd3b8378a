"""Points of many tags that stay together, sorted by tag, until somebody asks for one of them.

A column for each tag, made at once, would cost more than its points where those are few.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tbwidget.logs.columns import Points

_MOST_TIMES = 4  # as many points as behind it may a bundle have, to be merged with what is behind it

Int64s = npt.NDArray[np.int64]


class Bundle:
    """Points of one stretch of a file, tag by tag, those of each tag in the order written."""

    __slots__ = ("_bounds", "_left", "_places", "_tags", "left", "points", "stretch")

    def __init__(self, tags: npt.NDArray[np.integer], bounds: Int64s, stretch: int, points: Points) -> None:
        """Of `tags`, sorted and each there once, number i has the points from `bounds[i]` on to `bounds[i + 1]`."""
        self._tags = tags
        self._bounds = bounds
        self._places: dict[int, tuple[int, int, int]] = {}  # of each tag that is left; empty until one is asked for
        self._left = np.ones(len(tags), np.bool_)
        self.left = len(tags)
        """How many tags were not taken out yet."""
        self.stretch = stretch
        self.points = points.frozen()

    def __len__(self) -> int:
        return len(self.points.step)

    def tags(self) -> list[int]:
        """Those that were not taken out yet."""
        found: list[int] = self._tags[self._left].tolist()
        return found

    def take(self, tag: int) -> Points | None:
        """Take out the points of a tag; None: there are none, or they were taken before."""
        if not self._places:
            left, bounds = np.flatnonzero(self._left), self._bounds
            places = zip(left.tolist(), bounds[left].tolist(), bounds[left + 1].tolist(), strict=True)
            self._places = dict(zip(self.tags(), places, strict=True))
        found = self._places.pop(tag, None)
        if found is None:
            return None
        place, begin, end = found
        self._left[place] = False
        self.left -= 1
        step, wall_time, value = self.points
        return Points(step[begin:end], wall_time[begin:end], value[begin:end])

    def parts(self) -> tuple[npt.NDArray[np.integer], Int64s]:
        """The tags left, and how many points each has."""
        return self._tags[self._left], np.diff(self._bounds)[self._left]

    def is_left(self) -> npt.NDArray[np.bool_] | slice:
        """Which of the points belong to tags that are left."""
        return slice(None) if self._left.all() else np.repeat(self._left, np.diff(self._bounds))


def without_gaps(bundle: Bundle) -> Bundle:
    """What is left of it, in arrays that hold nothing else."""
    return _merged([bundle])


def merge(bundles: list[Bundle]) -> None:
    """Merge the last of some bundles, in place: each with what comes behind it, unless it is much larger.

    So points are copied a few times at most, however often this is done.
    """
    begin = len(bundles) - 1
    size = len(bundles[begin]) if bundles else 0
    while begin > 0 and bundles[begin - 1].stretch == bundles[begin].stretch:
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
    tags = np.concatenate([of_bundle for of_bundle, _ in parts])
    order = np.argsort(tags, kind="stable")
    counts = np.concatenate([of_bundle for _, of_bundle in parts])[order]
    ends = np.cumsum(counts)
    begins = np.empty(len(tags), np.int64)  # of the points of each part, where parts are in the order of the bundles
    begins[order] = ends - counts
    distinct = np.flatnonzero(np.diff(tags[order], prepend=-1))
    bounds = np.append((ends - counts)[distinct], ends[-1:])
    cuts = np.cumsum([len(of_bundle) for of_bundle, _ in parts])[:-1]
    places = [
        (bundle.is_left(), to, of_bundle)
        for bundle, to, (_, of_bundle) in zip(bundles, np.split(begins, cuts), parts, strict=True)
    ]
    stretch, columns = bundles[0].stretch, [list(bundle.points) for bundle in bundles]
    bundles.clear()
    merged = [_gathered([column.pop(0) for column in columns], places, int(counts.sum())) for _ in Points._fields]
    return Bundle(tags[order][distinct], bounds, stretch, Points(*merged))


_Place = tuple[npt.NDArray[np.bool_] | slice, Int64s, Int64s]


def _gathered(columns: list[npt.NDArray[Any]], places: Sequence[_Place], size: int) -> npt.NDArray[Any]:
    """One column of all bundles; `places` has which points of each are left, where its parts go, and their sizes."""
    whole = np.empty(size, columns[0].dtype)
    for column, (left, to, counts) in zip(columns, places, strict=True):
        before = np.cumsum(counts) - counts
        whole[np.repeat(to - before, counts) + np.arange(counts.sum())] = column[left]
    return whole
