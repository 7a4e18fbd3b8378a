"""Folds one scope: puts its children under stacks, members and layers, without losing any of them.

The steps are:

1. Nodes that add up gradients join the scope of the gradients. The control flow of loops goes into one scope. Children
   whose names begin with the name of a layer go into a scope of that name, if nothing outside is between them.
2. In scopes that are still wide, hubs are set aside, and connected components of equal structure become one stack. So
   do equal boxes of bookkeeping.
3. Sibling scopes of equal structure whose names differ only in numbers become one stack if that keeps the order of the
   flow visible: if each leads to the next, or if all have the same neighbors.
4. With more than `MAX_UNFOLDED` boxes left, short repeated chains become scopes, and so do the boxes between two that
   all data pass. With more than `MAX_VISIBLE_BOXES` left, so do repeated parts that data leave at one box only.
5. Siblings of like names and equal structure become stacks regardless of the flow, if more than `MAX_IN_ORDER` boxes
   are left or if the user asks for it.
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

MIN_REPEATS = 3
"""Lower bound for the members of a stack."""

WIDE = 16
"""Scopes with fewer boxes are not folded, except for repeated sibling scopes."""

MAX_UNFOLDED = 30
"""Scopes with fewer boxes get no chains and regions, because they would hide the shape of the model."""

MAX_IN_ORDER = 400
"""Up to this number of boxes, a visible order of the flow matters more than fewer boxes."""

MAX_VISIBLE_BOXES = 60
"""About as many boxes of a scope can be grasped at a glance."""

MAX_CHECKED = 4_000
"""With more children, layers are made without checking that they keep the flow."""

MAX_ODD = 100
"""Upper bound for the listed siblings of a stack that have another structure."""

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
    """Equal members, drawn as one box."""
    MEMBER = 3
    """One of several connected nodes that repeat as a whole."""


@dataclass(slots=True)
class Fold:
    """A tree between a scope and its children: boxes 0 to n - 1 are the children, those behind were made here."""

    parent: Ints
    """Box around each box; -1 for those at the top."""
    kind: list[Kind]
    labels: list[str]
    """Distinct labels of the boxes made here; empty for children."""
    odd: dict[int, list[str]] = field(default_factory=dict)
    """For a stack: labels of siblings of the same pattern that are built differently, the first `MAX_ODD`."""
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

    def without(self, labels: Collection[str]) -> Fold:
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
        self.names = list(called)  # by number of the box, children included
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
        """Return the fold. Siblings with the name of a stack and another structure are its odd ones."""
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
            self.odd[stack] = [self.names[box] for box in islice(alike, MAX_ODD)]
        labels = [""] * self._children + self.names[self._children :]
        parent = np.array(self.parent, np.int64)
        return Fold(parent, self.kind, labels, self.odd, self.members, self.unordered, self.optional)


def is_plain(children: int, scopes: int) -> bool:
    """Whether a scope with these numbers of children and of child scopes has nothing to fold."""
    return children < WIDE and scopes < MIN_REPEATS


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
    """Fold the children of a scope, given their labels, structure classes, which are scopes, and edges between them.

    Edges are pairs of children with a kind each. Boxes get their names from `called`, else from the labels of children.
    `loops` are children that are control flow of loops. `aside` are auxiliary children, with their shares of the
    graph's nodes. Each child is in the fold exactly once.
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
    if folding.width > MAX_UNFOLDED:
        made, structure = _fold_motifs(folding, structure)
        _fold_siblings(folding, made, structure)
        candidates = [*range(len(labels)), *candidates, *made]
    _fold_unordered(folding, list(dict.fromkeys(candidates)), structure)
    return folding.finish(structure)


def _fold_layers(folding: _Folding, structure: Hashes, loops: Collection[int]) -> tuple[list[int], Hashes]:
    """Make a scope of each layer, gradients and loops included; gives those, and the structure of all boxes."""
    held = _gradients(folding)
    if len(loops) >= MIN_REPEATS:
        held[_LOOP_CONTROL] = sorted(loops)
    taken = {child for inside in held.values() for child in inside}
    for child, layer in enumerate(layers(folding.names)):
        if layer is not None and child not in taken:
            held.setdefault(layer, []).append(child)
    flow = folding.flow() if len(structure) <= MAX_CHECKED else None
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
        if len(boxes) >= MIN_REPEATS and sum(aside[box] for box in boxes) <= LARGE_SHARE
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
    is_crowded = folding.width > MAX_IN_ORDER
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
    """Group boxes at the top that are alike in name and structure; at least `MIN_REPEATS`."""
    alike: dict[tuple[str, int], list[int]] = {}
    for box in candidates:
        if folding.parent[box] < 0:
            alike.setdefault((pattern(folding.names[box]), int(structure[box])), []).append(box)
    return [boxes for boxes in alike.values() if len(boxes) >= MIN_REPEATS]


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
    if len(flow.following) > MAX_UNFOLDED:
        for region in flow.regions():
            flow.merge(region, _layer(folding, kinds, region, _ending(folding, region)))
    if MAX_VISIBLE_BOXES < len(flow.following) <= MAX_CHECKED:
        for cone in flow.cones(dict(enumerate(kinds)), MAX_VISIBLE_BOXES):
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
    repeated = [by_class.of(number) for number in np.flatnonzero(repeats >= MIN_REPEATS).tolist()]
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
