"""Everything that is derived from a graph's nodes and edges, each computed once, when first asked for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from tbwidget.graph import torch
from tbwidget.graph.arrays import Bools, Ints
from tbwidget.graph.auxiliary import Extraction, extract
from tbwidget.graph.classes import Hashes, edge_kinds, structure_classes, text_hashes
from tbwidget.graph.folding import Fold, fold_scope, is_plain, plain_fold
from tbwidget.graph.hierarchy import Hierarchy, build_hierarchy
from tbwidget.graph.inlining import Inlined, Inlining, inline
from tbwidget.graph.metaedges import MetaEdges, Tensors, meta_edges
from tbwidget.graph.parse import Nodes
from tbwidget.graph.roles import Role, Roles, loop_control
from tbwidget.graph.series import Series, find_series
from tbwidget.graph.shapes import Shapes


def scoped(names: Sequence[str]) -> list[str]:
    """The names of an ONNX graph with scopes: modules stand before a slash or a dot, and there may be one in front."""
    paths = [name.replace(".", "/").strip("/") or name for name in names]
    taken = set(paths)
    times: dict[str, int] = {}
    for place, path in enumerate(paths):
        number = times[path] = times.get(path, 0) + 1
        while number > 1 and f"{path}'{number}" in taken:
            number += 1
        if number > 1:
            times[path] = number
            paths[place] = f"{path}'{number}"
            taken.add(paths[place])
    return paths


class Structure:
    """How the nodes of a graph are nested, connected and alike."""

    def __init__(self, nodes: Nodes, *, is_onnx: bool = False) -> None:
        self.nodes = nodes
        self._is_onnx = is_onnx
        self._folds: dict[int, tuple[Fold, Ints]] = {}

    @cached_property
    def inlining(self) -> Inlining:
        """Nodes that are drawn beside other nodes."""
        return inline(self.nodes)

    @cached_property
    def hierarchy(self) -> Hierarchy:
        """The tree of scopes."""
        names = scoped(self.nodes.names) if self._is_onnx else self.nodes.names
        return build_hierarchy(names, self.inlining.kind == Inlined.NOT)

    @cached_property
    def shapes(self) -> Shapes:
        """Shapes of outputs."""
        return Shapes(self.nodes.shape_values)

    @cached_property
    def tensors(self) -> Tensors:
        """Tensor that each edge carries."""
        nodes = self.nodes
        return Tensors(nodes.control, nodes.reference, self.shapes.sizes(nodes.shape_value[nodes.source], nodes.slot))

    @cached_property
    def meta(self) -> MetaEdges:
        """Edges between the children of each scope."""
        inlining = self.inlining
        return meta_edges(self.hierarchy, inlining.source, inlining.target, inlining.edge, self.tensors)

    @cached_property
    def classes(self) -> Hashes:
        """Structure class of each item."""
        ops = text_hashes(self.nodes.ops)[self.nodes.op]
        return structure_classes(self.hierarchy, self.meta, ops, self.inlining.kind == Inlined.NOT)

    @cached_property
    def is_torch(self) -> bool:
        """Whether it is a trace of torch, whose nodes are better called by what they do."""
        return torch.is_trace(self.nodes.ops)

    @cached_property
    def roles(self) -> Roles:
        """The roles of items and boxes."""
        return Roles(self.nodes, self.hierarchy, self.inlining, self.meta, self.tensors)

    @cached_property
    def alike(self) -> dict[int, int]:
        """For scopes whose structure another has too, a number for each structure, the most frequent first."""
        scopes = np.arange(self.hierarchy.count + 1, self.hierarchy.size)
        _, kind, times = np.unique(self.classes[scopes], return_inverse=True, return_counts=True)
        order = np.argsort(-times, kind="stable")
        number = np.full(len(times), -1, np.int64)
        repeated = order[times[order] > 1]
        number[repeated] = np.arange(len(repeated))
        chosen = number[kind] >= 0
        return dict(zip(scopes[chosen].tolist(), number[kind[chosen]].tolist(), strict=True))

    @cached_property
    def _boxed(self) -> Bools:
        """Which items are boxes: all but inlined nodes."""
        boxed = np.ones(self.hierarchy.size, np.bool_)
        boxed[: self.hierarchy.count] = self.inlining.kind == Inlined.NOT
        return boxed

    @cached_property
    def _loop_control(self) -> Bools:
        """Which items are control flow of loops."""
        control = np.zeros(self.hierarchy.size, np.bool_)
        control[: self.hierarchy.count] = loop_control(self.nodes)
        return control

    @cached_property
    def _places(self) -> Ints:
        """Number of each item among the boxes of its scope; -1 until that scope is used."""
        return np.full(self.hierarchy.size, -1, np.int64)

    def is_missing(self, item: int) -> bool:
        """Whether an item is a node that inputs name and that is not in the graph."""
        return self.nodes.count <= item < self.hierarchy.count

    def label(self, item: int) -> str:
        """The label of an item within its scope; for a node in a trace of torch, what it does."""
        label = self.hierarchy.labels[item]
        if not self.is_torch or item >= self.hierarchy.count:
            return label
        if self.inlining.kind[item] != Inlined.NOT:  # with scopes in front that hold nothing else
            label = label.rpartition("/")[2]
        return torch.call_label(label, self.nodes.ops[self.nodes.op[item]])

    def children(self, scope: int) -> Ints:
        """Items that are boxes in a scope: nodes, then scopes."""
        children = self.hierarchy.children.of(scope)
        boxes: Ints = children[self._boxed[children]]
        return boxes

    def fold(self, scope: int) -> tuple[Fold, Ints]:
        """The fold of a scope, and its children by the number they have in it."""
        known = self._folds.get(scope)
        if known is None:
            children = self.children(scope)
            if is_plain(len(children), int((children > self.hierarchy.count).sum())):
                known = self._folds[scope] = plain_fold(len(children)), children
                return known
            children, source, target, groups = self._within(scope)
            kinds = edge_kinds(self.meta.groups.data[groups], self.meta.groups.control[groups])
            scopes = (children > self.hierarchy.count).tolist()
            labels = [self.hierarchy.labels[item] for item in children.tolist()]
            loops = np.flatnonzero(self._loop_control[children]).tolist()
            called = [self.label(item) for item in children.tolist()]
            bookkeeping = np.flatnonzero(self.roles.of_items[children] == Role.BOOKKEEPING).tolist()
            aside = {child: self.roles.share(int(children[child])) for child in bookkeeping}
            fold = fold_scope(
                labels, self.classes[children], scopes, source, target, kinds, called=called, loops=loops, aside=aside
            )
            known = self._folds[scope] = fold, children
        return known

    def series(self, scope: int) -> list[Series]:
        """The series among the children of a scope; members are items."""
        children = self.children(scope)
        found = []
        for scopes in (False, True):
            items = children[(children > self.hierarchy.count) == scopes].tolist()
            kinds = [int(self.classes[item]) for item in items]
            found += find_series(items, [self.hierarchy.labels[item] for item in items], kinds, scopes=scopes)
        return found

    def extraction(self, scope: int, kept: Ints, removed: Ints) -> tuple[Extraction, Ints]:
        """Return which children of a scope become auxiliary, and the children in the order of their numbers there."""
        children, source, target, groups = self._within(scope)
        place = {item: number for number, item in enumerate(children.tolist())}
        extraction = extract(
            source,
            target,
            self.meta.groups.data[groups] == 0,
            self.roles.of_items[children],
            kept=[place[item] for item in kept.tolist() if item in place],
            removed=[place[item] for item in removed.tolist() if item in place],
        )
        return extraction, children

    def _within(self, scope: int) -> tuple[Ints, Ints, Ints, slice]:
        """Children of a scope, the edges between them by their numbers, and where their groups are."""
        children, place = self.children(scope), self._places
        place[children] = np.arange(len(children))
        groups = self.meta.within(scope)
        return children, place[self.meta.groups.source[groups]], place[self.meta.groups.target[groups]], groups
