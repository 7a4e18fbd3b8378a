"""One scope folded: its children put under stacks, members and layers, without losing any of them.

In the order in which it is done:

1. Nodes that add up gradients join the scope of the gradients. The control flow of loops goes into one scope. Children
   whose names begin with the name of a layer go into a scope of that name, if nothing outside is between them.
2. In scopes that are still wide, hubs are set aside; connected components of the same structure become one stack. So
   does bookkeeping that is alike.
3. Sibling scopes whose names differ in numbers alone and whose structure is the same become one stack if the order of
   the flow is still seen: if each leads to the next, or if all have the same boxes before and behind them.
4. Where more than `MOST_UNFOLDED` boxes are left, short chains that repeat become scopes; so do boxes between two that
   all data pass. Where more than `MOST_AT_ONCE` boxes are left, so do parts that repeat and that data leave at one box
   alone.
5. Siblings that are alike in name and structure become stacks whatever the flow: where more than `MOST_IN_ORDER` boxes
   are left, and elsewhere if the user asks for it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import islice

import numpy as np

from tbwidget.graph.arrays import Ints, adjacency, components, distinct
from tbwidget.graph.classes import Hashes, mix, ranks, refined, sums
from tbwidget.graph.folding.motifs import Flow
from tbwidget.graph.folding.patterns import TO, common_label, layers, pattern
from tbwidget.graph.roles import LARGE_SHARE
from tbwidget.records.indices import bincount

FEWEST_REPEATS = 3
"""Equal boxes that make a stack."""

WIDE = 16
"""Scopes with fewer boxes stay as they are, but for sibling scopes that repeat."""

MOST_UNFOLDED = 30
"""Boxes of a scope in which no chains and regions are folded: the shape of a model says more than their number."""

MOST_IN_ORDER = 400
"""Boxes of a scope up to which the order of the flow counts for more than their number."""

MOST_AT_ONCE = 60
"""Boxes of a scope that can be taken in at a glance."""

MOST_CHECKED = 4_000
"""Children of a scope up to which layers are only made where they leave the flow as it is."""

MOST_ODD = 100
"""Siblings of a stack that are named as built differently."""

_GRADIENTS, _GRADIENTS_AND_SUMS, _LOOP_CONTROL = "gradients", "gradients and sums", "loop control"
"""Labels of scopes made here."""

_HUB_DEGREE, _HUB_SPREAD = 8, 4  # a hub has more neighbors than 8, and than Q3 + 4 interquartile ranges


class Kind(IntEnum):
    """Kind of a box of a folded scope."""

    CHILD = 0
    """A child of the scope: node or scope."""
    LAYER = 1
    """A scope made of names that begin alike."""
    STACK = 2
    """Equal members, one of which is drawn."""
    MEMBER = 3
    """One of several connected nodes that repeat as a whole."""


@dataclass(slots=True)
class Fold:
    """A tree between a scope and its children: boxes 0 to n - 1 are the children, those behind were made here."""

    parent: Ints
    """Box around each box; -1 for those at the top."""
    kind: list[Kind]
    labels: list[str]
    """Of the boxes made here, distinct among those; empty for children."""
    odd: dict[int, list[str]] = field(default_factory=dict)
    """For a stack: labels of siblings of the same pattern that are built differently, the first `MOST_ODD`."""
    members: dict[int, list[int]] = field(default_factory=dict)
    """For a stack: the boxes in it; the first stands for all."""
    unordered: set[int] = field(default_factory=set)
    """Stacks whose members lead to one another by way of other boxes: in what order is not seen."""
    optional: set[int] = field(default_factory=set)
    """Stacks that are only made if the user asks for them."""

    @property
    def top(self) -> Ints:
        """The box at the top that each box is in, or is."""
        top = np.arange(len(self.parent))
        while True:
            around = self.parent[top]
            if (around < 0).all():
                return top
            top = np.where(around < 0, top, around)

    def undone(self, labels: Collection[str]) -> Fold:
        """The fold without the stacks and layers of these labels: what they hold stands where they stood."""
        gone = np.array([bool(label) and label in labels for label in self.labels], np.bool_)
        held = np.isin(self.parent, np.flatnonzero(gone & (np.array(self.kind) == Kind.STACK)))
        gone |= held & (np.array(self.kind) == Kind.MEMBER)  # a member is nothing without its stack
        parent = self.parent.copy()
        while True:
            inside = (parent >= 0) & gone[parent]
            if not inside.any():
                break
            parent[inside] = parent[parent[inside]]
        kept = np.flatnonzero(~gone)
        number = np.full(len(parent) + 1, -1, np.int64)
        number[kept] = np.arange(len(kept))
        boxes = kept.tolist()
        parents = number[parent[kept]]

        def members_of(stack: int) -> list[int]:
            members = self.members[stack]
            return (
                np.flatnonzero(parents == number[stack]).tolist() if gone[members].any() else number[members].tolist()
            )

        return Fold(
            parents,
            [self.kind[box] for box in boxes],
            [self.labels[box] for box in boxes],
            {int(number[box]): odd for box, odd in self.odd.items() if not gone[box]},
            {int(number[box]): members_of(box) for box in self.members if not gone[box]},
            {int(number[box]) for box in self.unordered if not gone[box]},
            {int(number[box]) for box in self.optional if not gone[box]},
        )


class _Folding:
    """A fold being made."""

    def __init__(
        self,
        labels: Sequence[str],
        called: Sequence[str],
        scopes: Sequence[bool],
        source: Ints,
        target: Ints,
        kinds: Hashes,
    ) -> None:
        self.names = list(called)  # of all boxes, those of children included
        self.parent = [-1] * len(labels)
        self.kind = [Kind.CHILD] * len(labels)
        self.source, self.target, self.edge_kinds = source, target, kinds
        self.unordered: set[int] = set()
        self.optional: set[int] = set()
        self.odd: dict[int, list[str]] = {}
        self.members: dict[int, list[int]] = {}
        self.scopes = scopes
        self._children = len(labels)
        self._used = dict.fromkeys(labels, 1)

    def box(self, kind: Kind, label: str, inside: Sequence[int]) -> int:
        """Put boxes into a new one."""
        made = len(self.parent)
        number = self._used[label] = self._used.get(label, 0) + 1
        while number > 1 and f"{label} ({number})" in self._used:
            number += 1
        name = label if number == 1 else f"{label} ({number})"
        self._used.setdefault(name, 1)
        self.parent.append(-1)
        self.kind.append(kind)
        self.names.append(name)
        for other in inside:
            self.parent[other] = made
        if kind == Kind.STACK:
            self.members[made] = list(inside)
        return made

    def tops(self) -> Ints:
        """The top box of each child."""
        top = np.arange(self._children)
        parent = np.array(self.parent, np.int64)
        while True:
            around = parent[top]
            if (around < 0).all():
                return top
            top = np.where(around < 0, top, around)

    def flow(self) -> Flow:
        """The data edges between the boxes at the top."""
        top = self.tops()
        data = (self.edge_kinds & np.uint64(1)) == 1
        boxes = len(self.parent)
        source, target = np.divmod(distinct(top[self.source[data]] * boxes + top[self.target[data]]), boxes)
        return Flow(distinct(top).tolist(), zip(source.tolist(), target.tolist(), strict=True))

    @property
    def width(self) -> int:
        """Number of boxes at the top."""
        return self.parent.count(-1)

    def finish(self, structure: Hashes) -> Fold:
        """What was made; of each stack those of its name are odd whose structure is another one."""
        named: dict[str, list[int]] = {}
        of_box: dict[int, str] = {}
        for box, kind in enumerate(self.kind):
            if kind == Kind.LAYER or (kind == Kind.CHILD and self.scopes[box]):
                of_box[box] = pattern(self.names[box])
                named.setdefault(of_box[box], []).append(box)
        for stack, members in self.members.items():
            patterns = dict.fromkeys(of_box[box] for box in members if box in of_box)
            kinds = {structure[box] for box in members if box in of_box}
            alike = (box for name in patterns for box in named[name] if structure[box] not in kinds)
            self.odd[stack] = [self.names[box] for box in islice(alike, MOST_ODD)]
        labels = [""] * self._children + self.names[self._children :]
        parent = np.array(self.parent, np.int64)
        return Fold(parent, self.kind, labels, self.odd, self.members, self.unordered, self.optional)


def is_plain(children: int, scopes: int) -> bool:
    """Whether a scope with these numbers of children and of child scopes has nothing to fold."""
    return children < WIDE and scopes < FEWEST_REPEATS


def plain_fold(children: int) -> Fold:
    """The fold of a scope in which nothing is folded."""
    return Fold(np.full(children, -1, np.int64), [Kind.CHILD] * children, [""] * children)


def fold_scope(
    labels: Sequence[str],
    classes: Hashes,
    scopes: Sequence[bool],
    source: Ints,
    target: Ints,
    kinds: Hashes,
    *,
    called: Sequence[str] | None = None,
    loops: Collection[int] = (),
    aside: Mapping[int, float] | None = None,
) -> Fold:
    """Fold the children of a scope: their labels, structure classes, and which are scopes; and the edges between them.

    Edges are pairs of children with a kind each. Boxes are named after what the children are `called`, else after their
    labels; `loops` are children that are control flow of loops; `aside` are those drawn beside the others, with their
    shares of the graph's nodes. Whatever the fold, each child is in it once.
    """
    if is_plain(len(labels), sum(scopes)):
        return plain_fold(len(labels))
    folding = _Folding(labels, called or labels, scopes, source, target, kinds)
    structure = classes.copy()
    candidates = [child for child, scope in enumerate(scopes) if scope]
    if len(labels) >= WIDE:
        made, structure = _fold_layers(folding, structure, loops)
        candidates += made
        if folding.width >= WIDE:
            _fold_components(folding, structure)
            _fold_aside(folding, aside or {}, structure)
    _fold_siblings(folding, candidates, structure)
    if folding.width > MOST_UNFOLDED:
        made, structure = _fold_motifs(folding, structure)
        _fold_siblings(folding, made, structure)
        candidates = [*range(len(labels)), *candidates, *made]
    _fold_unordered(folding, list(dict.fromkeys(candidates)), structure)
    return folding.finish(structure)


def _fold_layers(folding: _Folding, structure: Hashes, loops: Collection[int]) -> tuple[list[int], Hashes]:
    """Make a scope of each layer, gradients and loops included; gives those, and the structure of all boxes."""
    held = _gradients(folding)
    if len(loops) >= FEWEST_REPEATS:
        held[_LOOP_CONTROL] = sorted(loops)
    taken = {child for inside in held.values() for child in inside}
    for child, layer in enumerate(layers(folding.names)):
        if layer is not None and child not in taken:
            held.setdefault(layer, []).append(child)
    flow = folding.flow() if len(structure) <= MOST_CHECKED else None
    made = []
    for layer, inside in held.items():
        if flow is None or flow.can_merge(inside):
            made.append(folding.box(Kind.LAYER, layer, inside))
            if flow is not None:
                flow.merge(inside, made[-1])
    around = np.array(folding.parent[: len(structure)], np.int64)
    inner = (around[folding.source] == around[folding.target]) & (around[folding.source] >= 0)
    source, target = folding.source[inner], folding.target[inner]
    rank = ranks(len(structure), source, target).astype(np.uint64)
    hashes = refined(mix(structure + mix(rank)), source, target, folding.edge_kinds[inner])
    held_in = around >= 0
    return made, _with_structures(structure, hashes[held_in], around[held_in] - len(structure), len(made))


def _with_structures(structure: Hashes, hashes: Hashes, rows: Ints, count: int) -> Hashes:
    """The structure of boxes, and of `count` further ones that hold what has these hashes."""
    return np.concatenate((structure, mix(sums(mix(hashes), rows, count))))


def _gradients(folding: _Folding) -> dict[str, list[int]]:
    """The scopes of gradients with the nodes that add these up, by a label for all; nothing where no node does.

    These are nodes that read what such a scope puts out, and nothing else or for the scope itself.
    """
    scopes = [child for child, name in enumerate(folding.names) if folding.scopes[child] and "gradient" in name.lower()]
    data = (folding.edge_kinds & np.uint64(1)) == 1
    source, target = folding.source[data], folding.target[data]
    count = len(folding.names)
    inside = np.zeros(count, np.bool_)
    inside[scopes] = True
    free = ~np.array(folding.scopes, np.bool_)
    while scopes:
        fed, feeding, other = (np.zeros(count, np.bool_) for _ in range(3))
        fed[target[inside[source]]] = True
        other[target[~inside[source]]] = True
        feeding[source[inside[target]]] = True
        found = free & ~inside & fed & (~other | feeding)
        if not found.any():
            break
        inside |= found
    members = np.flatnonzero(inside).tolist()
    # TensorFlow 1 has a scope of that name already.
    label = _GRADIENTS_AND_SUMS if _GRADIENTS in folding.names else _GRADIENTS
    return {label: members} if len(members) > len(scopes) else {}


def _fold_aside(folding: _Folding, aside: Mapping[int, float], structure: Hashes) -> None:
    """Make stacks of bookkeeping that is alike, in which no data flow is to be seen: `cond`, `cond_1`, `cond_2`."""
    alike: dict[tuple[str, int], list[int]] = {}
    for box in aside:
        if folding.parent[box] < 0:
            name = pattern(folding.names[box]).removesuffix("_#")
            alike.setdefault((name, int(structure[box])), []).append(box)
    # A larger one would not be drawn beside the others.
    groups = [
        boxes
        for boxes in alike.values()
        if len(boxes) >= FEWEST_REPEATS and sum(aside[box] for box in boxes) <= LARGE_SHARE
    ]
    if groups:
        flow = folding.flow()
        for boxes in groups:
            if flow.can_merge(boxes):
                flow.merge(boxes, _stack_of(folding, boxes))


def _fold_siblings(folding: _Folding, candidates: Sequence[int], structure: Hashes) -> None:
    """Make stacks of siblings that are alike in name and structure, if the order of the flow is still seen."""
    groups = _siblings(folding, candidates, structure)
    if groups:
        flow = folding.flow()
        for group in groups:
            for boxes in flow.mergeable(group):
                flow.merge(boxes, _stack_of(folding, boxes))


def _fold_unordered(folding: _Folding, candidates: Sequence[int], structure: Hashes) -> None:
    """Make a stack of all siblings that are alike, only if the user asks for it where there are not too many boxes."""
    is_crowded = folding.width > MOST_IN_ORDER
    groups = _siblings(folding, candidates, structure)
    if groups:
        flow = folding.flow()
        for group in groups:
            is_ordered = flow.are_parallel(group) or flow.are_chain(group)
            stack = _stack_of(folding, group)
            flow.merge(group, stack)
            if not is_ordered:
                folding.unordered.add(stack)
            if not is_crowded:
                folding.optional.add(stack)


def _siblings(folding: _Folding, candidates: Sequence[int], structure: Hashes) -> list[list[int]]:
    """Group boxes at the top that are alike in name and structure; at least `FEWEST_REPEATS`."""
    alike: dict[tuple[str, int], list[int]] = {}
    for box in candidates:
        if folding.parent[box] < 0:
            alike.setdefault((pattern(folding.names[box]), int(structure[box])), []).append(box)
    return [boxes for boxes in alike.values() if len(boxes) >= FEWEST_REPEATS]


def _stack_of(folding: _Folding, boxes: Sequence[int]) -> int:
    """One stack of siblings."""
    return folding.box(Kind.STACK, common_label([folding.names[box] for box in boxes]), boxes)


def _fold_motifs(folding: _Folding, structure: Hashes) -> tuple[list[int], Hashes]:
    """Make scopes of chains that repeat, regions and cones; gives those, and the structure of all boxes."""
    first = len(folding.parent)
    # Boxes that folding has made so far have no equals.
    kinds = [int(one) for one in structure] + [-1 - box for box in range(len(structure), first)]
    flow = folding.flow()
    for chain in flow.chains(dict(enumerate(kinds))):
        flow.merge(chain, _layer(folding, kinds, chain, f"{folding.names[chain[0]]} {TO} {folding.names[chain[-1]]}"))
    if len(flow.following) > MOST_UNFOLDED:
        for region in flow.regions():
            flow.merge(region, _layer(folding, kinds, region, _ending(folding, region)))
    if MOST_AT_ONCE < len(flow.following) <= MOST_CHECKED:
        for cone in flow.cones(dict(enumerate(kinds)), MOST_AT_ONCE):
            _layer(folding, kinds, cone, _ending(folding, cone))
    made = list(range(first, len(folding.parent)))
    return made, np.array([kind % 2**64 for kind in kinds], np.uint64)


def _ending(folding: _Folding, inside: Sequence[int]) -> str:
    """The label for boxes that data leave at the last one."""
    return f"{folding.names[inside[-1]]} +{len(inside) - 1}"


def _layer(folding: _Folding, kinds: list[int], inside: Sequence[int], label: str) -> int:
    """Make a scope of some boxes; its kind lists their kinds."""
    made = folding.box(Kind.LAYER, label, inside)
    held = mix(np.array([kinds[box] % 2**64 for box in inside], np.uint64))
    kinds.append(int(mix(sums(held, np.zeros(len(inside), np.int64), 1))[0]))
    return made


def _fold_components(folding: _Folding, structure: Hashes) -> None:
    """Make stacks of connected boxes that repeat, once the hubs are out of the way."""
    boxes, row = np.unique(folding.tops(), return_inverse=True)
    count = len(boxes)
    source, target = row[folding.source], row[folding.target]
    apart = source != target
    source, target, kinds = source[apart], target[apart], folding.edge_kinds[apart]
    hub = _hubs(count, source, target)
    inner = ~hub[source] & ~hub[target]
    component = components(count, source[inner], target[inner])
    rank = ranks(count, source[inner], target[inner]).astype(np.uint64)
    labels = mix(structure[boxes] + mix(rank))
    labels[hub] = mix(mix(np.flatnonzero(hub).astype(np.uint64)))  # each hub is like no other
    labels = refined(labels, source, target, kinds, rounds=1)
    labels[hub] = 0
    labels = refined(labels, source[inner], target[inner], kinds[inner])
    free = np.flatnonzero(~hub)
    firsts, place = np.unique(component[free], return_inverse=True)
    alike = mix(sums(mix(labels[free]), place, len(firsts)))
    inside = adjacency(place, boxes[free], len(firsts))
    _, class_of, repeats = np.unique(alike, return_inverse=True, return_counts=True)
    by_class = adjacency(class_of, np.arange(len(firsts)), len(repeats))
    repeated = [by_class.of(number) for number in np.flatnonzero(repeats >= FEWEST_REPEATS).tolist()]
    stacks = [
        _stack(folding, [inside.of(number).tolist() for number in group.tolist()])
        for group in sorted(repeated, key=lambda group: int(group[0]))
    ]
    if stacks:
        folding.unordered |= folding.flow().on_cycles() & set(stacks)


def _stack(folding: _Folding, members: list[list[int]]) -> int:
    """One stack of components, each a list of boxes."""
    if all(len(member) == 1 for member in members):
        boxes = [member[0] for member in members]
    else:
        boxes = [
            folding.box(Kind.MEMBER, f"{folding.names[member[0]]} +{len(member) - 1}", member) for member in members
        ]
    label = common_label([folding.names[member[0]] for member in members])
    more = f" +{len(members[0]) - 1}" if len(members[0]) > 1 else ""
    return folding.box(Kind.STACK, label + more, boxes)


def _hubs(count: int, source: Ints, target: Ints) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Hubs: boxes with very many neighbors, which hide how the others are connected."""
    pairs = np.unique(np.concatenate((source * count + target, target * count + source)))
    degree = bincount(pairs // count, minlength=count)
    ordered = np.sort(degree)
    first, third = int(ordered[count // 4]), int(ordered[3 * count // 4])
    return degree > max(_HUB_DEGREE, third + _HUB_SPREAD * (third - first))
