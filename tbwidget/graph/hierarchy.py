"""The tree of name scopes: `a/b/c` is node c in scope `a/b` in scope `a`.

A node whose name is a scope too goes into it under a strict name, as in TensorBoard: `a` beside `a/b` becomes `a/(a)`
(tensorboard/plugins/graph/tf_graph_common/graph.ts). Only nodes drawn as boxes make scopes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tbwidget.graph.arrays import Adjacency, Bools, Ints, adjacency
from tbwidget.records.indices import bincount

MAX_DEPTH = 256
"""Levels of scopes that a name is split into; the rest stays one name."""

_SCOPES_A_NODE = 4  # no more are made on average: in real graphs 0.7


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """A tree in columns. Its items are the nodes, by their number, then the scopes; the root is the first scope."""

    count: int
    """Number of nodes."""
    parent: Ints
    """Scope that each item stands in; -1 for the root."""
    depth: Ints
    """0 for the root."""
    labels: list[str]
    """Label of each item within its scope."""
    children: Adjacency
    """Children of each item: nodes, then scopes."""
    order: Ints
    """The nodes, scope by scope: an item holds `order[begin[item]:end[item]]`."""
    begin: Ints
    end: Ints
    below: dict[tuple[int, str], int]
    """Each scope, by its parent and its label."""

    @property
    def root(self) -> int:
        """The item that everything stands in."""
        return self.count

    @property
    def size(self) -> int:
        """Number of items."""
        return len(self.parent)

    def path(self, item: int) -> str:
        """The strict name of an item, from the root on."""
        labels = []
        while item != self.root:
            labels.append(self.labels[item])
            item = int(self.parent[item])
        return "/".join(reversed(labels))

    def scope(self, path: str) -> int | None:
        """The scope with this path, the root's being empty; None if there is none."""
        scope: int | None = self.root
        for label in path.split("/") if path else ():
            scope = self.below.get((scope, label)) if scope is not None else None
        return scope

    def node(self, path: str) -> int | None:
        """The node of this strict name; None if there is none."""
        scope: int | None = self.root
        begin = 0
        while scope is not None:
            rest = path[begin:]  # of names that are not taken apart to their end, a label has slashes
            for child in self.children.of(scope).tolist():
                if child < self.count and self.labels[child] == rest:
                    return int(child)
            label, slash, _ = rest.partition("/")
            begin += len(label) + 1
            scope = self.below.get((scope, label)) if slash else None
        return None

    def nodes(self, item: int) -> Ints:
        """All nodes in an item, at whatever depth."""
        return self.order[self.begin[item] : self.end[item]]


class _Scopes:
    """Scopes met, each a segment of a name below another."""

    def __init__(self, first: int, most: int) -> None:
        self.first = first
        self.parents = [-1]
        self.labels = [""]
        self.below: dict[tuple[int, str], int] = {}
        self._most = most
        self.known: dict[str, tuple[int, int]] = {"": (first, 0), "/": (first, 0)}
        """By what stands before a node's label: the scope that it stands in, and where its label begins."""

    def search(self, around: str, *, make: bool) -> tuple[int, int]:
        """Find, or make, the scope that nodes stand in whose names begin like this, up to the last slash."""
        scope, begin, steps = self.first, 0, MAX_DEPTH
        cut = around.rfind("/", 0, -1)
        outer = self.known.get(around[: cut + 1])
        if outer is not None and outer[1] == cut + 1:  # that scope is complete
            scope, begin = outer
            steps -= around.count("/") - 1
        for _ in range(steps):
            cut = around.find("/", begin)
            if cut <= begin:  # none, or nothing before it
                break
            key = scope, around[begin:cut]
            found = self.below.get(key)
            if found is None:
                if not make or len(self.labels) >= self._most:
                    break
                found = self.below[key] = self.first + len(self.labels)
                self.parents.append(scope)
                self.labels.append(key[1])
            scope, begin = found, cut + 1
        self.known[around] = scope, begin
        return scope, begin


def build_hierarchy(names: Sequence[str], shown: Bools) -> Hierarchy:
    """Put nodes into scopes by their names. Nodes not `shown` make no scopes, and use the innermost existing one."""
    count = len(names)
    scopes = _Scopes(count, _SCOPES_A_NODE * count + MAX_DEPTH)
    parents = [0] * count
    labels = [""] * count
    boxes = np.flatnonzero(shown).tolist()
    known = scopes.known
    for make, chosen in ((True, boxes), (False, np.flatnonzero(~shown).tolist())):
        for node in chosen:
            name = names[node]
            around = name[: name.rfind("/") + 1]
            found = known.get(around)
            if found is None:
                found = scopes.search(around, make=make)
            parents[node] = found[0]
            labels[node] = name[found[1] :]
    below = scopes.below
    taken: set[tuple[int, str]] | None = None
    for node in range(count):
        scope = below.get((parents[node], labels[node]))
        if scope is not None:
            taken = taken or set(zip(parents, labels, strict=True))
            label = f"({labels[node]})"
            while (scope, label) in taken or (scope, label) in below:
                label = f"({label})"
            taken.add((scope, label))
            parents[node], labels[node] = scope, label
    return _finished(count, parents + scopes.parents, labels + scopes.labels, below)


def _finished(count: int, parents: list[int], labels: list[str], below: dict[tuple[int, str], int]) -> Hierarchy:
    """Add depths, children and the order of nodes. Every scope comes after its parent."""
    size = len(parents)
    parent = np.array(parents, np.int64)
    own = bincount(parent[:count], minlength=size)
    total, depth = own.tolist(), [0] * size
    for scope in range(size - 1, count, -1):
        total[parents[scope]] += total[scope]
    begins, cursor = [0] * size, own.tolist()
    for scope in range(count + 1, size):
        above = parents[scope]
        begins[scope] = cursor[above]
        cursor[above] += total[scope]
        cursor[scope] += begins[scope]
        depth[scope] = depth[above] + 1
    begin, depths = np.array(begins, np.int64), np.array(depth, np.int64)
    order = np.argsort(begin[parent[:count]], kind="stable")
    begin[order] = np.arange(count)
    depths[:count] = depths[parent[:count]] + 1
    end = begin + np.array(total, np.int64)
    end[:count] = begin[:count] + 1
    items = np.concatenate((np.arange(count), np.arange(count + 1, size)))
    return Hierarchy(count, parent, depths, labels, adjacency(parent[items], items, size), order, begin, end, below)
