"""Small numpy helpers for graphs: adjacency, closures, components, ancestors, descendants and paths."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tbwidget.records.indices import bincount, repeat

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


class Adjacency(NamedTuple):
    """Lists of numbers by row. Row i has `items[start[i]:start[i + 1]]`."""

    start: Ints
    items: Ints

    def of(self, row: int) -> Ints:
        """The numbers of one row."""
        found: Ints = self.items[self.start[row] : self.start[row + 1]]
        return found

    def gather(self, rows: Ints) -> Ints:
        """The numbers of some rows, one after the other."""
        found: Ints = self.items[ranges(self.start[rows], self.start[rows + 1])]
        return found


def adjacency(rows: npt.NDArray[np.signedinteger], items: Ints, count: int) -> Adjacency:
    """List the items of each of `count` rows; within a row they keep their order."""
    order = np.argsort(rows, kind="stable")
    start = np.zeros(count + 1, np.int64)
    np.cumsum(bincount(rows, minlength=count), out=start[1:])
    return Adjacency(start, items[order])


def ranges(begin: Ints, end: Ints) -> Ints:
    """All numbers of the ranges from `begin` to `end`, one range after the other."""
    lengths = end - begin
    total = int(lengths.sum())
    if total == 0:
        return np.zeros(0, np.int64)
    ends = np.cumsum(lengths)
    numbers: Ints = np.arange(total) + repeat(begin - ends + lengths, lengths)
    return numbers


def distinct(values: Ints) -> Ints:
    """The distinct values in ascending order: `numpy.unique`, which takes longer by hashing."""
    ordered = np.sort(values)
    fresh = np.ones(len(ordered), np.bool_)
    fresh[1:] = ordered[1:] != ordered[:-1]
    return ordered[fresh]


def closure(starts: Ints, neighbors: Adjacency) -> Bools:
    """Nodes that can be reached from `starts`, those themselves only if a way leads back to them."""
    reached = np.zeros(len(neighbors.start) - 1, np.bool_)
    frontier = starts
    while len(frontier):
        found = np.unique(neighbors.gather(frontier))
        frontier = found[~reached[found]]
        reached[frontier] = True
    return reached


def components(count: int, left: Ints, right: Ints) -> Ints:
    """The weakly connected component of each of `count` nodes: the smallest node in it.

    Labels hook onto smaller ones and jump to their own label, so that long chains take few rounds.
    """
    label = np.arange(count)
    while len(left):
        one, other = label[left], label[right]
        np.minimum.at(label, np.maximum(one, other), np.minimum(one, other))
        while True:
            jumped = label[label]
            if (jumped == label).all():
                break
            label = jumped
        open_ = label[left] != label[right]
        left, right = left[open_], right[open_]
    return label


class Relations:
    """The edges of a graph from both sides.

    networkx has the same algorithms, but a `DiGraph` of 54,417 nodes takes longer to build than these take to answer.
    """

    def __init__(self, count: int, source: Ints, target: Ints) -> None:
        self.following: Adjacency = adjacency(source, target, count)
        self.leading: Adjacency = adjacency(target, source, count)

    def ancestors(self, node: int) -> Ints:
        """Return the nodes with a path to this one, without it."""
        return self._others(node, self.leading)

    def descendants(self, node: int) -> Ints:
        """Return the nodes with a path from this one, without it."""
        return self._others(node, self.following)

    def path(self, source: int, target: int) -> list[int] | None:
        """Return a shortest path along the edges, both ends included; None if there is none."""
        before = {source: source}
        queue = deque([source])
        while queue and target not in before:
            node = queue.popleft()
            for following in self.following.of(node).tolist():
                if following not in before:
                    before[following] = node
                    queue.append(following)
        if target not in before:
            return None
        way = [target]
        while way[-1] != source:
            way.append(before[way[-1]])
        return way[::-1]

    @staticmethod
    def _others(node: int, neighbors: Adjacency) -> Ints:
        reached = closure(np.array([node]), neighbors)
        reached[node] = False
        return np.flatnonzero(reached)
