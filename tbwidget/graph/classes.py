"""Structure classes: which scopes are built alike, at every size.

A scope's class says which ops and classes stand in it and how they are connected, found by the Weisfeiler-Lehman
method over its children, innermost scopes first. Besides its neighborhood, a child's place in the scope counts: how
many edges the longest way to it has. Classes are 64-bit hashes that depend on nothing else, so that they can be
compared between graphs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from tbwidget.graph.arrays import Bools, Ints, adjacency, distinct
from tbwidget.graph.hierarchy import Hierarchy
from tbwidget.graph.metaedges import MetaEdges
from tbwidget.records.indices import bincount

Hashes = npt.NDArray[np.uint64]

ROUNDS = 4
"""How many edges around a child its neighborhood reaches."""

_HIGHEST_RANK = 10_000
_FACTORS = tuple(np.uint64(factor) for factor in (0xBF58476D1CE4E5B9, 0x94D049BB133111EB, 0x9E3779B97F4A7C15))


def mix(values: Hashes) -> Hashes:
    """Spread the bits of each number, so that sums identify their terms (the finalizer of splitmix64)."""
    values = values + _FACTORS[2]
    values = (values ^ (values >> np.uint64(30))) * _FACTORS[0]
    values = (values ^ (values >> np.uint64(27))) * _FACTORS[1]
    mixed: Hashes = values ^ (values >> np.uint64(31))
    return mixed


def text_hashes(texts: Iterable[str]) -> Hashes:
    """A number for each text, the same in every process."""
    digests = [hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest() for text in texts]
    return np.frombuffer(b"".join(digests), "<u8").astype(np.uint64)


def sums(values: Hashes, rows: Ints, count: int) -> Hashes:
    """The sum of the values of each of `count` rows, modulo 2**64."""
    total = np.zeros(count, np.uint64)
    np.add.at(total, rows, values)
    return total


def refined(labels: Hashes, source: Ints, target: Ints, kind: Hashes, rounds: int = ROUNDS) -> Hashes:
    """Labels that tell nodes apart by their neighborhood, from both sides, with the kinds of the edges to it."""
    count = len(labels)
    for _ in range(rounds if len(source) else 1):
        coming = sums(mix(labels[source] + kind), target, count)
        going = sums(mix(labels[target] ^ kind), source, count)
        labels = mix(labels + mix(coming) * _FACTORS[0] + mix(going + _FACTORS[2]) * _FACTORS[1])
    return labels


def edge_kinds(data: Ints, control: Ints) -> Hashes:
    """Properties that distinguish groups of edges: data, control, or both."""
    kinds: Hashes = (np.minimum(data, 1) + 2 * np.minimum(control, 1)).astype(np.uint64)
    return kinds


def ranks(count: int, source: Ints, target: Ints) -> Ints:
    """How many edges the longest way to each node has. Self loops do not count.

    On cycles, behind them, and beyond the highest rank that is counted, it is -1.
    """
    straight = source != target
    following = adjacency(source[straight], target[straight], count)
    waiting = bincount(target[straight], minlength=count)
    rank = np.full(count, -1, np.int64)
    frontier = np.flatnonzero(waiting == 0)
    level = 0
    while len(frontier) and level < _HIGHEST_RANK:
        rank[frontier] = level
        level += 1
        reached = following.gather(frontier)
        np.subtract.at(waiting, reached, 1)
        frontier = distinct(reached[waiting[reached] == 0])
    return rank


def structure_classes(hierarchy: Hierarchy, meta: MetaEdges, ops: Hashes, shown: Bools) -> Hashes:
    """Return the class of each item: a hash of a node's op, or of a scope's structure.

    Inlined nodes, which are not `shown`, are ignored.
    """
    count, size, parent = hierarchy.count, hierarchy.size, hierarchy.parent
    groups = meta.groups
    classes = np.zeros(size, np.uint64)
    classes[:count] = ops
    height = _heights(hierarchy)
    rank = ranks(size, groups.source, groups.target).astype(np.uint64)
    kind = edge_kinds(groups.data, groups.control)
    items = np.concatenate((np.flatnonzero(shown), np.arange(count + 1, size)))
    by_height = adjacency(height[parent[items]], items, int(height.max(initial=0)) + 1)
    groups_by_height = adjacency(height[meta.scope], np.arange(len(meta.scope)), len(by_height.start) - 1)
    local = np.zeros(size, np.int64)
    for level in range(1, len(by_height.start) - 1):
        children, edges = by_height.of(level), groups_by_height.of(level)
        local[children] = np.arange(len(children))
        labels = mix(classes[children] + mix(rank[children]))
        labels = refined(labels, local[groups.source[edges]], local[groups.target[edges]], kind[edges])
        scopes, row = np.unique(parent[children], return_inverse=True)
        classes[scopes] = mix(sums(mix(labels), row, len(scopes)))
    empty = (height == 1) & (classes == 0)
    empty[:count] = False
    classes[empty] = mix(np.zeros(1, np.uint64))[0]
    return classes


def _heights(hierarchy: Hierarchy) -> Ints:
    """Scopes in one another within each item, itself included."""
    height = [0] * hierarchy.size
    parent = hierarchy.parent.tolist()
    for scope in range(hierarchy.size - 1, hierarchy.count - 1, -1):
        height[scope] += 1
        above = parent[scope]
        if above >= 0:
            height[above] = max(height[above], height[scope])
    return np.array(height, np.int64)
