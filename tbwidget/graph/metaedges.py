"""Meta edges: all edges from one child of a scope, or from inside it, to another child, joined into one.

As in TensorBoard, a meta edge belongs to the innermost scope around both ends
(tensorboard/plugins/graph/tf_graph_common/hierarchy.ts). Unlike there, its size counts only the tensors that it
carries, rather than all outputs of its source.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tbwidget.graph.arrays import Bools, Ints, ranges
from tbwidget.graph.hierarchy import Hierarchy
from tbwidget.records.indices import reduceat


@dataclass(frozen=True, slots=True)
class EdgeGroups:
    """Edges between pairs of items as groups, in columns."""

    source: Ints
    """Item that the edges leave, of each group."""
    target: Ints
    data: Ints
    """How many data edges."""
    control: Ints
    reference: Ints
    """How many of the data edges are references."""
    size: npt.NDArray[np.float64]
    """Elements in all tensors carried; an unknown dimension counts as 1."""
    first: Ints
    """The edges of group i are `members[first[i]:first[i + 1]]`."""
    members: Ints


@dataclass(frozen=True, slots=True)
class MetaEdges:
    """The groups of all scopes; the groups of one scope follow each other."""

    groups: EdgeGroups
    scope: Ints
    """Scope around both ends, of each group; ascending."""

    def within(self, scope: int) -> slice:
        """The groups of one scope."""
        return slice(*np.searchsorted(self.scope, (scope, scope + 1)).tolist())


@dataclass(frozen=True, slots=True)
class Tensors:
    """Tensors that the edges of a graph carry, to be summed up by group."""

    control: Bools
    reference: Bools
    size: npt.NDArray[np.float64]
    """Elements."""


def group_edges(source: Ints, target: Ints, edge: Ints, tensors: Tensors) -> EdgeGroups:
    """Put edges with the same ends together, ordered by source and target."""
    span = int(max(source.max(initial=0), target.max(initial=0))) + 1
    order = np.argsort(source * span + target, kind="stable")
    source, target, members = source[order], target[order], edge[order]
    fresh = np.ones(len(order), np.bool_)
    fresh[1:] = (source[1:] != source[:-1]) | (target[1:] != target[:-1])
    first = np.append(np.flatnonzero(fresh), len(order))
    begin = first[:-1]
    control = _counts(tensors.control[members], begin)
    return EdgeGroups(
        source[begin],
        target[begin],
        np.diff(first) - control,
        control,
        _counts(tensors.reference[members], begin),
        reduceat(np.add, tensors.size[members], begin) if len(begin) else np.zeros(0),
        first,
        members,
    )


def meta_edges(hierarchy: Hierarchy, source: Ints, target: Ints, edge: Ints, tensors: Tensors) -> MetaEdges:
    """Lift both ends of each edge to the children of the innermost scope around them. Self loops stay at their node."""
    left, right = source.copy(), target.copy()
    parent, depth = hierarchy.parent, hierarchy.depth
    for one, other in ((left, right), (right, left)):
        deeper = np.flatnonzero(depth[one] > depth[other])
        while len(deeper):
            one[deeper] = parent[one[deeper]]
            deeper = deeper[depth[one[deeper]] > depth[other[deeper]]]
    apart = np.flatnonzero(parent[left] != parent[right])
    while len(apart):
        left[apart] = parent[left[apart]]
        right[apart] = parent[right[apart]]
        apart = apart[parent[left[apart]] != parent[right[apart]]]
    groups = group_edges(left, right, edge, tensors)
    scope = parent[groups.source]
    order = np.argsort(scope, kind="stable")
    return MetaEdges(reordered(groups, order), scope[order])


def reordered(groups: EdgeGroups, order: Ints) -> EdgeGroups:
    """The groups in another order, or some of them."""
    begin, end = groups.first[order], groups.first[order + 1]
    return EdgeGroups(
        groups.source[order],
        groups.target[order],
        groups.data[order],
        groups.control[order],
        groups.reference[order],
        groups.size[order],
        np.append(0, np.cumsum(end - begin)),
        groups.members[ranges(begin, end)],
    )


def _counts(flags: Bools, begin: Ints) -> Ints:
    return reduceat(np.add, flags.astype(np.int64), begin) if len(begin) else np.zeros(0, np.int64)
