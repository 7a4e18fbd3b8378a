"""Auxiliary boxes of a scope, drawn beside the main drawing: bookkeeping, and small scalars with very many readers.

The bound for "very many" is TensorBoard's (tensorboard/plugins/graph/tf_graph_common/render.ts). TensorBoard takes out
every box beyond it; here the boxes of the model stay.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from enum import IntEnum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tbwidget.graph.arrays import Bools, Ints
from tbwidget.graph.roles import Role
from tbwidget.records.indices import bincount

MIN_NODES = 15
"""Scopes with fewer children keep sources that many of them read."""

MIN_DEGREE = 5
"""A source with fewer readers is never taken out."""

MAX_CONTROL_EDGES = 4
"""A node with more has its control edges drawn as shortcuts."""

_SPREAD = 4  # interquartile ranges above the third quartile
_FIRST_QUARTILE, _THIRD_QUARTILE = 0.25, 0.75


class Area(IntEnum):
    """Where a child of a scope is drawn."""

    MAIN = 0
    IN = 1
    """Auxiliary, with more incoming than outgoing edges. Only the user takes out such boxes."""
    OUT = 2
    """Auxiliary, with at least as many outgoing edges."""


class Extraction(NamedTuple):
    """Children that are extracted from a scope."""

    area: npt.NDArray[np.uint8]
    """`Area` of each child."""
    shortcut: Bools
    """Whether each edge is drawn as a mark at either end instead of a line."""


def extract(
    source: Ints,
    target: Ints,
    control_only: Bools,
    role: npt.NDArray[np.uint8],
    *,
    kept: Collection[int] = (),
    removed: Collection[int] = (),
) -> Extraction:
    """Decide which children of a scope become auxiliary, from the edges between them, each pair of ends once.

    `control_only` tells for each edge whether it carries no data; `role` is the `Role` of each child. The user may have
    `kept` or `removed` some children. An edge of a kept child is drawn unless the user removed its other end, and a
    child with a drawn edge is not taken out. If all children would be taken out, only the removed ones are.
    """
    made = _Extracting(source, target, control_only, len(role))
    made.apply_choices(kept, removed)
    by_hand = made.area.copy(), made.shortcut.copy()
    made.take((role == Role.BOOKKEEPING) & made.free, Area.OUT)
    # Otherwise it would be drawn apart from its one neighbor, such as the variable that it initializes.
    made.shorten((role == Role.LARGE) & made.free & (made.neighbors != 1))
    if int(made.free.sum()) >= MIN_NODES:
        out_of = made.degrees(source)
        many = out_of > _bound(out_of[made.free])
        made.take((role == Role.SCALARS) & made.free & many, Area.OUT)
    if made.area.all() and not by_hand[0].all():
        made.area, made.shortcut = by_hand
    made.shorten_control_edges()
    return Extraction(made.area, made.shortcut)


class _Extracting:
    """The steps of an extraction."""

    def __init__(self, source: Ints, target: Ints, control_only: Bools, count: int) -> None:
        self.source, self.target, self.control_only, self.count = source, target, control_only, count
        self.area = np.zeros(count, np.uint8)
        self.shortcut = np.zeros(len(source), np.bool_)
        self._stays = np.zeros(count, np.bool_)
        self._asked = np.zeros(len(source), np.bool_)  # edges that are drawn because an end of them is kept

    @property
    def free(self) -> Bools:
        """Children in the main drawing about which the user has said nothing."""
        free: Bools = (self.area == Area.MAIN) & ~self._stays
        return free

    @property
    def neighbors(self) -> Ints:
        """Drawn edges of each child, at either end."""
        return self._ends(self.source) + self._ends(self.target)

    def apply_choices(self, kept: Collection[int], removed: Collection[int]) -> None:
        """Do what the user asked for."""
        self._stays[list(kept)] = True
        gone = np.zeros(self.count, np.bool_)
        gone[list(removed)] = True
        self._stays &= ~gone
        leaving = self._ends(self.source) > self._ends(self.target)
        self.take(gone & leaving, Area.OUT)
        self.take(gone & ~leaving, Area.IN)
        self._asked = (self._stays[self.source] | self._stays[self.target]) & ~gone[self.source] & ~gone[self.target]

    def take(self, chosen: Bools, area: Area) -> None:
        """Make shortcuts of the edges of some children; those without others are out."""
        self.shorten(chosen)
        self.area[chosen & (self.neighbors == 0)] = area

    def shorten(self, chosen: Bools) -> None:
        """Make shortcuts of the edges of some children."""
        self.shortcut |= (chosen[self.source] | chosen[self.target]) & ~self._asked

    def degrees(self, ends: Ints) -> Ints:
        """Neighbors by data edges, or by control edges for a child that has no others."""
        data = self._ends(ends, ~self.control_only)
        return np.where(data > 0, data, self._ends(ends))

    def shorten_control_edges(self) -> None:
        """Make shortcuts of control edges where there are many."""
        control = self._ends(self.source, self.control_only) + self._ends(self.target, self.control_only)
        crowded = control > MAX_CONTROL_EDGES
        self.shortcut |= self.control_only & (crowded[self.source] | crowded[self.target]) & ~self._asked

    def _ends(self, ends: Ints, among: Bools | None = None) -> Ints:
        """How many drawn edges each child is an end of; those that lead back to it are none."""
        drawn = ~self.shortcut & (self.source != self.target)
        return bincount(ends[drawn if among is None else drawn & among], minlength=self.count)


def _bound(degrees: Ints) -> float:
    """The degree above which a source is taken out."""
    ordered = np.sort(degrees)
    first, third = (
        float(ordered[min(math.floor(share * len(ordered) + 0.5), len(ordered) - 1)])
        for share in (_FIRST_QUARTILE, _THIRD_QUARTILE)
    )
    return max(third + _SPREAD * (third - first), MIN_DEGREE - 1)
