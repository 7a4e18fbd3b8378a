"""The screen: the boxes of opened scopes, and all edges between them.

In each view, every edge of the graph that is not inlined is in exactly one of the groups.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from tbwidget.graph.arrays import Ints, ranges
from tbwidget.graph.folding import Fold, Kind
from tbwidget.graph.metaedges import EdgeGroups, group_edges
from tbwidget.graph.roles import Role
from tbwidget.graph.shapes import shape_text
from tbwidget.graph.structure import Structure


class BoxKind(IntEnum):
    """Kind of a box on the screen."""

    NODE = 0
    SCOPE = 1
    LAYER = 2
    """A scope made of names that begin alike."""
    STACK = 3
    """Things alike; open, it shows one of them."""
    MISSING = 4
    """A node that inputs name and that is not in the graph."""


@dataclass(slots=True)
class View:
    """Boxes and edges in columns. A box follows its parent."""

    path: list[str] = field(default_factory=list)
    """Path of each box: the strict name of a node or scope; for a box of the fold, its label below its scope's name."""
    label: list[str] = field(default_factory=list)
    """Text on each box: the last part of its path; for a call in a trace of torch, the operation."""
    kind: list[BoxKind] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    """Box around it; -1 at the top."""
    item: list[int] = field(default_factory=list)
    """Node or scope of the hierarchy; -1 for a box of the fold."""
    op: list[str] = field(default_factory=list)
    """Op of each node; empty for other boxes."""
    held: list[Ints] = field(default_factory=list)
    """Items of the hierarchy that it is or, made by the fold, holds: what it cost is the sum over them."""
    nodes: list[int] = field(default_factory=list)
    """Nodes inside, inlined ones included."""
    copies: list[int] = field(default_factory=list)
    """Members of a stack, else 1."""
    odd: list[list[str]] = field(default_factory=list)
    """For a stack: siblings called alike and built differently."""
    unordered: list[bool] = field(default_factory=list)
    """For a stack: its members lead to one another by way of other boxes, in an order that is not shown."""
    alike: list[int] = field(default_factory=list)
    """Equal for scopes, or stacks of scopes, of the same structure; -1 if no other has it."""
    role: list[Role] = field(default_factory=list)
    """The role of each box."""
    open: list[bool] = field(default_factory=list)
    edges: EdgeGroups = field(init=False)
    """Edges between boxes by number. An edge from a box to itself stands for hidden edges inside."""
    shapes: list[str] = field(default_factory=list)
    """Shape of each group of edges that carries one tensor of known shape; else empty."""

    def __len__(self) -> int:
        """Number of boxes."""
        return len(self.path)


class _ViewBuilder:
    """Builds a view, scope by scope from the root."""

    def __init__(
        self, graph: Structure, opened: Collection[str], ungrouped: Collection[str], grouped: Collection[str]
    ) -> None:
        self.graph = graph
        self.opened = opened
        self.ungrouped = ungrouped
        self.grouped = grouped
        self.view = View()
        self.shown = np.full(graph.hierarchy.count, -1, np.int64)  # box of each node
        self._waiting: deque[tuple[int, int, str]] = deque()  # scopes to be filled: scope, box, path

    def build_boxes(self) -> View:
        """Fill the root, then everything opened in it; the view has no edges yet."""
        self._waiting.append((self.graph.hierarchy.root, -1, ""))
        while self._waiting:
            self._fill(*self._waiting.popleft())
        return self.view

    def build(self) -> View:
        """Boxes and edges."""
        self.build_boxes()
        inlining = self.graph.inlining
        source, target = self.shown[inlining.source], self.shown[inlining.target]
        self.view.edges = group_edges(source, target, inlining.edge, self.graph.tensors)
        self.view.shapes = _tensor_shapes(self.graph, self.view.edges)
        return self.view

    def _fill(self, scope: int, box: int, path: str) -> None:
        fold, children = self.graph.fold(scope)
        before = f"{path}/" if path else ""
        gone = {name[len(before) :] for name in self.ungrouped if name.startswith(before)}
        gone |= {fold.labels[stack] for stack in fold.optional if before + fold.labels[stack] not in self.grouped}
        if gone.intersection(fold.labels):
            fold = fold.without(gone)
        inside: dict[int, list[int]] = {}
        for number, around in enumerate(fold.parent.tolist()):
            if around >= 0:
                inside.setdefault(around, []).append(number)
        waiting = deque((number, box) for number in np.flatnonzero(fold.parent < 0).tolist())
        standing_for_all: set[int] = set()
        while waiting:
            number, around = waiting.popleft()
            held = _children_in(number, inside, len(children))
            made = self._box(fold, number, around, path, children, children[held], is_member=number in standing_for_all)
            if not self.view.open[made] or number < len(children):
                continue
            within = inside[number]
            if fold.kind[number] == Kind.STACK:
                first = fold.members[number][0]
                within = inside[first] if fold.kind[first] == Kind.MEMBER else [first]
                standing_for_all.update({first}.intersection(within))
            waiting.extend((other, made) for other in within)

    def _box(
        self, fold: Fold, number: int, around: int, path: str, children: Ints, held: Ints, *, is_member: bool
    ) -> int:
        view, hierarchy = self.view, self.graph.hierarchy
        made = len(view)
        nodes = hierarchy.order[ranges(hierarchy.begin[held], hierarchy.end[held])]
        item = int(children[number]) if number < len(children) else -1
        label = fold.labels[number] if item < 0 else hierarchy.labels[item]
        name = f"{path}/{label}" if path else label
        self.shown[nodes] = made
        view.path.append(name)
        view.label.append(label)
        view.kind.append(self._kind(fold.kind[number], item))
        view.parent.append(around)
        view.item.append(item)
        view.op.append(self.graph.nodes.ops[self.graph.nodes.op[item]] if 0 <= item < hierarchy.count else "")
        view.held.append(held)
        view.nodes.append(int((nodes < self.graph.nodes.count).sum()))
        view.copies.append(len(fold.members.get(number, ())) or 1)
        view.odd.append(fold.odd.get(number, []))
        view.unordered.append(number in fold.unordered)
        first = fold.members[number][0] if number in fold.members else number
        view.alike.append(self.graph.alike.get(int(children[first]), -1) if first < len(children) else -1)
        view.role.append(self.graph.roles.of_all(held))
        # A stack opens together with the one member that it shows.
        is_open = (name in self.opened or is_member) and view.kind[made] not in {BoxKind.NODE, BoxKind.MISSING}
        view.open.append(is_open)
        if is_open and item >= 0:
            self._waiting.append((item, made, name))
        return made

    def _kind(self, kind: Kind, item: int) -> BoxKind:
        if item < 0:
            return BoxKind.STACK if kind == Kind.STACK else BoxKind.LAYER
        if item > self.graph.hierarchy.count:
            return BoxKind.SCOPE
        return BoxKind.MISSING if self.graph.is_missing(item) else BoxKind.NODE


def _children_in(number: int, inside: dict[int, list[int]], children: int) -> list[int]:
    """The children of a scope that a box of its fold is or holds."""
    held, waiting = [], [number]
    while waiting:
        box = waiting.pop()
        if box < children:
            held.append(box)
        else:
            waiting.extend(inside[box])
    return held


def _tensor_shapes(graph: Structure, edges: EdgeGroups) -> list[str]:
    """Shapes of the tensors that each group carries alone."""
    nodes, lists = graph.nodes, graph.shapes.lists
    texts = [""] * len(edges.data)
    for group in np.flatnonzero(edges.data > 0).tolist():
        members = edges.members[edges.first[group] : edges.first[group + 1]]
        data = members[nodes.slot[members] >= 0]
        edge = int(data[0])
        source, slot, value = nodes.source[edge], int(nodes.slot[edge]), int(nodes.shape_value[nodes.source[edge]])
        alone = (nodes.source[data] == source).all() and (nodes.slot[data] == slot).all()
        if alone and value >= 0 and slot < len(lists[value]):
            texts[group] = shape_text(lists[value][slot])
    return texts


class Revealed(NamedTuple):
    """Scopes that must be open for a node to be on the screen."""

    opened: list[str]
    """Paths of boxes."""
    ungrouped: list[str]
    """Paths of stacks that would show another thing of their kind."""


def reveal(graph: Structure, item: int) -> Revealed:
    """Find what must be open, and not be made, for an item to be on the screen where no optional stack is made."""
    hierarchy = graph.hierarchy
    opened: list[str] = []
    ungrouped: list[str] = []
    while item != hierarchy.root:
        scope = int(hierarchy.parent[item])
        path = hierarchy.path(scope)
        fold, children = graph.fold(scope)
        inside = np.flatnonzero(children == item)
        box = int(inside[0]) if len(inside) else -1
        if path:
            opened.append(path)
        while box >= 0:
            around = int(fold.parent[box])
            if around >= 0 and fold.kind[around] != Kind.MEMBER:
                if around in fold.optional:
                    break
                name = f"{path}/{fold.labels[around]}" if path else fold.labels[around]
                hidden = fold.kind[around] == Kind.STACK and fold.members[around][0] != box
                (ungrouped if hidden else opened).append(name)
            box = around
        item = scope
    return Revealed(opened, ungrouped)


def make_boxes(graph: Structure, opened: Collection[str]) -> View:
    """The boxes on the screen when those with the paths `opened` are open, without the edges between them."""
    return _ViewBuilder(graph, opened, (), ()).build_boxes()


def make_view(
    graph: Structure, opened: Collection[str] = (), ungrouped: Collection[str] = (), grouped: Collection[str] = ()
) -> View:
    """The boxes on the screen when those with the paths `opened` are open, and the edges between them.

    Stacks and layers whose paths are in `ungrouped` are not made; optional stacks are made only if their paths are in
    `grouped`. A stack opens together with the member that it shows.
    """
    return _ViewBuilder(graph, opened, ungrouped, grouped).build()
