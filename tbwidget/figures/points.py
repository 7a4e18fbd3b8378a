"""A series as the few points that a figure draws: cut where steps go back, no extreme lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tbwidget.panels.scalar_buckets import bucket_width, extremes

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_BREAKS = 32
"""Of more, the steps are in no order that a line could follow, and it leads back."""

_LEAST_INSIDE = 2
_ENDS = 2  # points of a stretch at least
_SHARE_OUTSIDE = 4
"""Of the points, one of so many goes to what is out of sight: enough to be there while one pans."""


def breaks_of(step: NDArray[np.int64]) -> NDArray[np.int64]:
    """The places with which another line begins, since steps go back there: a restart, or several writers."""
    breaks = np.flatnonzero(step[1:] < step[:-1]) + 1
    return breaks if len(breaks) <= MOST_BREAKS else breaks[:0]


def few_places(
    x: NDArray[np.float64], values: NDArray[np.float64], most: int, visible: tuple[float, float] | None = None
) -> NDArray[np.int64]:
    """Places of at most `most` (8 or more) points, ascending, the least and the greatest of each stretch among them.

    `visible` are the ends of what is in sight on the x axis, which most of the points are for.
    """
    count = len(values)
    if count <= most:
        return np.arange(count)
    inside = _inside(x, visible) if visible is not None else None
    if inside is None or inside == (0, count):
        return _extremes(values, 0, count, most)
    begin, end = inside
    outside = count - (end - begin)
    spared = most // _SHARE_OUTSIDE
    before = min(begin, max(_ENDS, begin * spared // outside))
    after = min(count - end, max(_ENDS, spared - before))
    parts = ((0, begin, before), (begin, end, most - before - after), (end, count, after))
    return np.concatenate([_extremes(values, first, last, room) for first, last, room in parts if last > first])


def _inside(x: NDArray[np.float64], visible: tuple[float, float]) -> tuple[int, int] | None:
    """The range of places in sight, and one more on either side; None if x does not ascend, or none is."""
    if (x[1:] < x[:-1]).any():
        return None
    begin, end = int(np.searchsorted(x, visible[0], "left")), int(np.searchsorted(x, visible[1], "right"))
    return (max(0, begin - 1), min(len(x), end + 1)) if end - begin >= _LEAST_INSIDE else None


def _extremes(values: NDArray[np.float64], begin: int, end: int, most: int) -> NDArray[np.int64]:
    """Places from `begin` to `end`: the first and the last, and of each bucket those of its least and its greatest.

    A bucket without a finite value gives one of its places, so that the line has its gap.
    """
    count = end - begin
    if count <= most:
        return np.arange(begin, end)
    if most < 2 * _ENDS:  # no room for a bucket
        return np.array([begin, end - 1], np.int64)
    inner = extremes(values[begin:end], bucket_width(count, (most - _ENDS) // 2))
    return begin + np.union1d(inner, (0, count - 1))


def in_pieces(
    x: NDArray[np.float64], y: NDArray[np.float64], places: NDArray[np.int64], breaks: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The points at these places, with a gap (NaN) in the line where another piece begins."""
    x, y = x[places], np.where(np.isfinite(y[places]), y[places], np.nan)
    if len(breaks):
        pieces = np.searchsorted(breaks, places, "right")
        cuts = np.flatnonzero(pieces[1:] != pieces[:-1]) + 1
        x, y = np.insert(x, cuts, x[cuts]), np.insert(y, cuts, np.nan)
    return x, y
