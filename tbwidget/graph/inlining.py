"""Constants and summaries, drawn beside the nodes they belong to instead of as boxes of their own.

TensorBoard inlines ops that match `Const` beside their consumers, and ops that match `^[a-zA-Z]+Summary$` beside
what they record (tensorboard/plugins/graph/tf_graph_common/graph.ts); the inputs of an inlined node become its
consumers'. Here the summaries of the second version are inlined too, and what a torch trace needs beside its calls.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tbwidget.graph.arrays import Bools, Ints, adjacency, closure, ranges
from tbwidget.graph.attributes import attribute_text
from tbwidget.graph.parse import Nodes
from tbwidget.graph.torch import CONSTANT, held_value
from tbwidget.records.indices import bincount, repeat

_SUMMARY = re.compile(r"[a-zA-Z]+Summary(V2)?")
_PLUMBING = frozenset({"prim::ListConstruct", "prim::TupleConstruct"})
_PARAMETER = "prim::GetAttr"
_MAX_ROUNDS = 16  # of inlined nodes that feed one another: in real graphs three or four
_MAX_ATTEMPTS = 8  # in which chains of them are shortened, by one each
_MAX_GROWTH = 4  # times the edges: beyond, what has many inputs and many consumers is better drawn than inlined


class Inlined(IntEnum):
    """Kind of a drawing beside a node."""

    NOT = 0
    CONSTANT = 1
    SUMMARY = 2
    PARAMETER = 3
    """A weight or submodule that a torch trace fetches."""
    PLUMBING = 4
    """A list that a torch trace builds for a call."""


class Inlining(NamedTuple):
    """Which nodes are inlined, and the edges that remain between the others."""

    kind: npt.NDArray[np.uint8]
    """`Inlined`, of each name."""
    source: Ints
    """Source of each remaining edge."""
    target: Ints
    edge: Ints
    """The edge of the graph whose tensor it carries."""


def inline(nodes: Nodes) -> Inlining:
    """Decide which nodes are inlined, and lead the edges of the graph past them.

    A node that would vanish from the screen stays a box: an unread constant, a summary of constants alone, cycles, and
    nodes that would multiply the edges.
    """
    kind = _kinds(nodes)
    attempts = 0
    while True:
        inside = kind != Inlined.NOT
        if attempts == _MAX_ATTEMPTS:  # what reads something inlined is drawn, so that none feed one another
            kind[nodes.target[inside[nodes.source] & inside[nodes.target]]] = Inlined.NOT
            inside = kind != Inlined.NOT
        attempts += 1
        source, target, edge, unresolved = _lead_past(inside, nodes.source, nodes.target)
        if not len(unresolved):
            break
        kind[unresolved] = Inlined.NOT
    kind.flags.writeable = False
    order = np.argsort(edge, kind="stable")
    return Inlining(kind, source[order], target[order], edge[order])


def _lead_past(inside: Bools, sources: Ints, targets: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Sources, targets and original edges of what connects the others; and which nodes could not be passed."""
    out = np.flatnonzero(inside[sources])
    onward = adjacency(sources[out], targets[out], len(inside))
    edge = np.flatnonzero(~inside[sources])
    source, target = sources[edge], targets[edge]
    most = _MAX_GROWTH * len(sources) + 1000
    for _ in range(_MAX_ROUNDS):
        into = inside[target]
        if not into.any():
            return source, target, edge, np.zeros(0, np.int64)
        begin, end = onward.start[target[into]], onward.start[target[into] + 1]
        if int((end - begin).sum()) + len(source) > most:
            break
        entering = repeat(np.flatnonzero(into), end - begin)
        rest = ~into
        source = np.concatenate((source[rest], source[entering]))
        target = np.concatenate((target[rest], onward.items[ranges(begin, end)]))
        edge = np.concatenate((edge[rest], edge[entering]))
    return source, target, edge, np.unique(target[inside[target]])


def _kinds(nodes: Nodes) -> npt.NDArray[np.uint8]:
    kinds = np.array([_kind(op) for op in nodes.ops], np.uint8)
    kind = kinds[nodes.op]
    source, target = nodes.source, nodes.target
    # The module that a torch trace fetches a weight from is no node of its graph.
    only_for_parameters = np.arange(len(kind)) >= nodes.count
    only_for_parameters[source[kind[target] != Inlined.PARAMETER]] = False
    kind[only_for_parameters] = Inlined.PARAMETER
    summary = kind == Inlined.SUMMARY
    beside_consumer = (kind != Inlined.NOT) & ~summary
    beside_consumer[bincount(source, minlength=len(kind)) == 0] = False
    kind[~beside_consumer & ~summary] = Inlined.NOT
    # Summaries of something shown, and summaries of those.
    of_shown = summary[target] & ~beside_consumer[source] & ~summary[source] & ~nodes.control
    anchored = np.zeros(len(kind), np.bool_)
    anchored[target[of_shown]] = True
    anchored = _spread(anchored, summary, source, target)
    kind[summary & ~anchored] = Inlined.NOT
    # A node counts as read if its consumer is shown, or inlined beside a shown node.
    read = beside_consumer[source] & ~beside_consumer[target]
    anchored = np.zeros(len(kind), np.bool_)
    anchored[source[read]] = True
    anchored = _spread(anchored, beside_consumer, target, source)
    kind[beside_consumer & ~anchored] = Inlined.NOT
    return kind


def _kind(op: str) -> Inlined:
    if _SUMMARY.fullmatch(op):
        return Inlined.SUMMARY
    if op == _PARAMETER:
        return Inlined.PARAMETER
    if op in _PLUMBING:
        return Inlined.PLUMBING
    return Inlined.CONSTANT if "Const" in op else Inlined.NOT


def _spread(anchored: Bools, among: Bools, source: Ints, target: Ints) -> Bools:
    """Add what can be reached from the anchored ones, all within `among`."""
    within = np.flatnonzero(among[source] & among[target])
    neighbors = adjacency(source[within], target[within], len(among))
    return anchored | closure(np.flatnonzero(anchored), neighbors)


MAX_LIST_ITEMS, MAX_LIST_DEPTH = 20, 2
"""Things in a list that are said, and lists in one another."""

_MAX_CHARACTERS = 80


class Annotation(NamedTuple):
    """Something inlined beside a node."""

    name: str
    """Index of the inlined node."""
    kind: Inlined
    label: str
    """The value of a constant, the name of a parameter or summary, or the content of a list."""


def annotation(name: str, op: str, kind: Inlined, attributes: dict[str, Any], inside: Sequence[str]) -> Annotation:
    """Return the annotation of an inlined node. The label of a list says what is `inside`."""
    last = name.rpartition("/")[2]
    held = attributes.get("attr")
    if kind == Inlined.PLUMBING:
        label = f"[{', '.join(inside)}]"
    elif isinstance(held, str) and op.startswith("prim::"):
        label = held_value(held) or ("None" if op == CONSTANT else op.rpartition("::")[2])
    elif kind == Inlined.CONSTANT and "value" in attributes:
        label = attribute_text(attributes["value"])
    else:
        label = last
    return Annotation(name, kind, label if len(label) <= _MAX_CHARACTERS else f"{label[:_MAX_CHARACTERS]}…")
