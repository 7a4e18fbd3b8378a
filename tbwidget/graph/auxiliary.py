"""Nodes taken out of a scope's main drawing: sinks, and those so widely connected that they hide the rest.

The bounds are TensorBoard's (tensorboard/plugins/graph/tf_graph_common/render.ts).
"""

from __future__ import annotations

import math
from collections.abc import Collection
from enum import IntEnum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tbwidget.graph.arrays import Bools, Ints

FEWEST_NODES = 15
"""Scopes with fewer children keep those with many edges."""

FEWEST_DEGREE = 5
"""A node with fewer neighbours is never taken out for them."""

MOST_CONTROL_EDGES = 4
"""A node with more has its control edges drawn as shortcuts."""

_IN_SPREAD, _OUT_SPREAD = 1, 4  # interquartile ranges above the third quartile
_FIRST_QUARTILE, _THIRD_QUARTILE = 0.25, 0.75


class Area(IntEnum):
    """Where a child of a scope is drawn."""

    MAIN = 0
    IN = 1
    """Among those taken out because many edges lead into them."""
    OUT = 2
    """Among those taken out because many edges leave them, and sinks."""


class Extraction(NamedTuple):
    """What is taken out of a scope."""

    area: npt.NDArray[np.uint8]
    """`Area` of each child."""
    shortcut: Bools
    """Of each edge: drawn as a mark at either end instead of a line."""


def extract(
    source: Ints,
    target: Ints,
    control_only: Bools,
    sinks: Bools,
    annotated: Bools,
    *,
    kept: Collection[int] = (),
    removed: Collection[int] = (),
) -> Extraction:
    """Decide which children of a scope are taken out, from the edges between them.

    `control_only` says of each edge whether it carries no data; `sinks` which children are taken out whenever they have
    no edges out (NoOp); `annotated` which have embedded nodes beside them. The user may have `kept` or `removed` some.
    """
    count = len(sinks)
    area = np.zeros(count, np.uint8)
    stays = np.zeros(count, np.bool_)
    stays[list(kept)] = True
    area[list(removed)] = Area.OUT
    apart = source != target
    outgoing = np.bincount(source[apart], minlength=count)
    area[sinks & (outgoing == 0) & (area == Area.MAIN) & ~stays] = Area.OUT
    if int((area == Area.MAIN).sum()) >= FEWEST_NODES:
        candidates = (area == Area.MAIN) & ~stays
        visible = apart & (area[source] == Area.MAIN) & (area[target] == Area.MAIN)
        into = _degrees(target, control_only, visible, count)
        out_of = _degrees(source, control_only, visible, count)
        main = area == Area.MAIN
        area[candidates & (into > _bound(into[main], _IN_SPREAD))] = Area.IN
        area[candidates & (out_of > _bound(out_of[main], _OUT_SPREAD)) & (area == Area.MAIN)] = Area.OUT
    shortcut = (area[source] != Area.MAIN) | (area[target] != Area.MAIN)
    controls = np.bincount(np.concatenate((source[control_only], target[control_only])), minlength=count)
    crowded = controls > MOST_CONTROL_EDGES
    asked = stays[source] | stays[target]
    shortcut |= control_only & (crowded[source] | crowded[target]) & ~asked
    # What has lost all its edges to shortcuts, or has nothing but marks beside it, moves aside too.
    drawn = ~shortcut & apart
    degree = np.bincount(np.concatenate((source[drawn], target[drawn])), minlength=count)
    had = np.bincount(np.concatenate((source[shortcut], target[shortcut])), minlength=count)
    alone = (degree == 0) & ((had > 0) ^ annotated) & (area == Area.MAIN) & ~stays
    area[alone] = np.where(outgoing[alone] > 0, Area.OUT, Area.IN)
    return Extraction(area, shortcut)


def _degrees(ends: Ints, control_only: Bools, visible: Bools, count: int) -> Ints:
    """Neighbours by data edges, or by control edges for a node that has no others."""
    data = np.bincount(ends[visible & ~control_only], minlength=count)
    control = np.bincount(ends[visible & control_only], minlength=count)
    return np.where(data > 0, data, control)


def _bound(degrees: Ints, spread: int) -> float:
    """The degree above which a node is taken out."""
    ordered = np.sort(degrees)
    first, third = (
        float(ordered[min(math.floor(share * len(ordered) + 0.5), len(ordered) - 1)])
        for share in (_FIRST_QUARTILE, _THIRD_QUARTILE)
    )
    return max(third + spread * (third - first), FEWEST_DEGREE - 1)
