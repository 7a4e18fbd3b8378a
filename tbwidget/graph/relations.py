"""Ancestors and descendants of a node, and paths between nodes."""

from __future__ import annotations

from collections import deque

import numpy as np

from tbwidget.graph.arrays import Adjacency, Ints, adjacency, closure


class Relations:
    """The edges of a graph from both sides, without control edges if so wished."""

    def __init__(self, count: int, source: Ints, target: Ints) -> None:
        self.following: Adjacency = adjacency(source, target, count)
        self.leading: Adjacency = adjacency(target, source, count)

    def ancestors(self, node: int) -> Ints:
        """All nodes from which a way leads to this one, which is not among them."""
        return self._others(node, self.leading)

    def descendants(self, node: int) -> Ints:
        """All nodes to which a way leads from this one, which is not among them."""
        return self._others(node, self.following)

    def path(self, source: int, target: int) -> list[int] | None:
        """A shortest way along the edges, both ends included; None if there is none."""
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
