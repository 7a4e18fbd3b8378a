"""The flow between the boxes of a scope, and what repeats in it: chains, parallel boxes, regions, cones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

MAX_CHAIN = 4
"""Boxes in a chain that repeats."""

MIN_REPEATS = 3
"""Chains alike, and regions in one scope, that are folded."""

MAX_CLIMBED = 1_000_000
"""Steps toward the exits of a scope: an edge of a large comb takes as many as there are boxes."""

_MAX_ROUNDS = 40  # kinds of chains in one scope

Neighbors = dict[int, set[int]]


class Flow:
    """Boxes by number, and which of them data lead to and come from; a box is no neighbor of itself."""

    def __init__(self, boxes: Iterable[int], edges: Iterable[tuple[int, int]]) -> None:
        self.following: Neighbors = {box: set() for box in boxes}
        self.leading: Neighbors = {box: set() for box in self.following}
        for source, target in edges:
            if source != target:
                self.following[source].add(target)
                self.leading[target].add(source)

    def merge(self, members: Collection[int], made: int) -> None:
        """Replace boxes by one that holds them."""
        inside = set(members)
        for along, against in ((self.following, self.leading), (self.leading, self.following)):
            ends = set().union(*(along.pop(member) for member in members)) - inside
            for end in ends:
                against[end] -= inside
                against[end].add(made)
            along[made] = ends

    def between(self, members: Iterable[int]) -> set[int]:
        """Return the other boxes on paths from member to member."""
        inside = set(members)
        behind, before = (
            _reach(along, set().union(*(along[member] for member in inside)) - inside, inside)
            for along in (self.following, self.leading)
        )
        return behind & before

    def can_merge(self, members: Iterable[int]) -> bool:
        """Whether boxes as one would be on no cycle that none of them is on already."""
        inside = set(members)
        between = self.between(inside)
        return not between or all(
            any(other in _reach(self.following, {member}) & _reach(self.leading, {member}) for member in inside)
            for other in between
        )

    def on_cycles(self) -> set[int]:
        """Boxes that lead to themselves by way of others: the strongly connected components of several boxes."""
        left_last: list[int] = []
        met: set[int] = set()
        for start in self.following:
            path = [] if start in met else [(start, iter(self.following[start]))]
            met.add(start)
            while path:
                box, others = path[-1]
                other = next((other for other in others if other not in met), None)
                if other is None:
                    left_last.append(box)
                    path.pop()
                else:
                    met.add(other)
                    path.append((other, iter(self.following[other])))
        found: set[int] = set()
        taken: set[int] = set()
        for box in reversed(left_last):
            if box not in taken:
                component = _reach(self.leading, {box}, taken)
                taken |= component
                found |= component if len(component) > 1 else set()
        return found

    def are_chain(self, members: Collection[int]) -> bool:
        """Whether one member leads to the next, and they can be merged."""
        inside = set(members)
        left = {member: len(self.leading[member] & inside) for member in members}
        free = [member for member in members if left[member] == 0]
        steps = 0
        while len(free) == 1:
            steps += 1
            for other in self.following[free.pop()] & inside:
                left[other] -= 1
                if left[other] == 0:
                    free.append(other)
        return steps == len(inside) and self.can_merge(members)

    def are_parallel(self, members: Sequence[int]) -> bool:
        """Whether all members have the same boxes before and behind them."""
        leading, following = self.leading[members[0]], self.following[members[0]]
        return all(self.leading[member] == leading and self.following[member] == following for member in members)

    def mergeable(self, boxes: Sequence[int]) -> list[list[int]]:
        """Return the groups of equal boxes that can be merged without hiding the order of the flow.

        A group is a chain, or its boxes have the same neighbors. It has all boxes or at least `MIN_REPEATS`.
        """
        if self.are_parallel(boxes) or self.are_chain(boxes):
            return [list(boxes)]
        parallel: dict[tuple[frozenset[int], frozenset[int]], list[int]] = {}
        runs: list[list[int]] = [[]]
        for box in boxes:
            parallel.setdefault((frozenset(self.leading[box]), frozenset(self.following[box])), []).append(box)
            if runs[-1] and box not in self.following[runs[-1][-1]]:
                runs.append([])
            runs[-1].append(box)
        chains = [run for run in runs if len(run) >= MIN_REPEATS and self.are_chain(run)]
        taken = {box for run in chains for box in run}
        apart = ([box for box in alike if box not in taken] for alike in parallel.values())
        return chains + [alike for alike in apart if len(alike) >= MIN_REPEATS]

    def chains(self, kinds: Mapping[int, int]) -> list[list[int]]:
        """Chains of 2 to 4 boxes whose kinds repeat. Edges enter them at the first, and leave at the last.

        Kinds that cover most boxes come first.
        """
        found: list[list[int]] = []
        paths = self._paths()
        for _ in range(_MAX_ROUNDS):
            counts = _repeats(paths, kinds)
            repeated = [gram for gram, count in counts.items() if count >= MIN_REPEATS]
            if not repeated:
                break
            best = max(repeated, key=lambda gram: (counts[gram] * len(gram), len(gram)))
            rest: list[list[int]] = []
            for path in paths:
                begin = last = 0
                while begin + len(best) <= len(path):
                    piece = path[begin : begin + len(best)]
                    if tuple(kinds[box] for box in piece) == best:
                        found.append(piece)
                        rest.append(path[last:begin])
                        begin = last = begin + len(best)
                    else:
                        begin += 1
                rest.append(path[last:])
            paths = [path for path in rest if len(path) > 1]
        return found

    def _paths(self) -> list[list[int]]:
        """The longest paths between whose boxes nothing enters and nothing leaves."""
        after: dict[int, int] = {}
        for box, others in self.following.items():
            for other in others if len(others) == 1 else ():
                if len(self.leading[other]) == 1:
                    after[box] = other
        reached = set(after.values())
        paths = []
        for box in after:
            if box not in reached:
                path = [box]
                while path[-1] in after:
                    path.append(after[path[-1]])
                paths.append(path)
        return paths

    def regions(self) -> list[list[int]]:
        """Boxes between two that all data pass, one after the other: each region ends with such a box.

        Only data from one entry to one exit count, those with most boxes between them. None where cycles are among
        them, or where there are fewer than `MIN_REPEATS` regions.
        """
        following, leading = self.following, self.leading
        entry = max(
            (box for box in following if not leading[box]), key=lambda box: len(_reach(following, {box})), default=-1
        )
        behind = _reach(following, {entry}) if entry >= 0 else set()
        ends = [box for box in sorted(behind) if not following[box]]
        leave = max(ends, key=lambda box: len(_reach(leading, {box}) & behind), default=-1)
        main = behind & _reach(leading, {leave}) if leave >= 0 else set()
        order = self._ordered(main)
        if len(order) < len(main):
            return []
        found: list[list[int]] = []
        between: list[int] = []
        waiting = 0  # edges between visited and other nodes
        for box in order:
            waiting -= len(leading[box] & main)
            if waiting > 0:
                between.append(box)
            elif between:
                found.append(self._closed(between, box, main))
                between = []
            waiting += len(following[box] & main)
        found = [region for region in found if 0 < 2 * len(region) < len(following)]
        return found if len(found) >= MIN_REPEATS else []

    def cones(self, kinds: Mapping[int, int], most: int) -> list[list[int]]:
        """Return parts that data leave at their last box only, so that at most `most` boxes are left.

        These parts can be merged whatever enters them. They are as large as possible while half of the boxes are in
        repeated parts. The result is empty if that is impossible, if there are cycles, or if a part would hold half of
        the boxes.
        """
        order = self._ordered(set(self.following))
        if len(order) < len(self.following):
            return []
        exits = self._exits(order)
        if not exits or sum(exit_box < 0 for exit_box in exits.values()) > most:
            return []
        best: list[list[int]] = []
        least = 2
        while least < len(order) // 4:
            parts = self._parts(order, exits, least)
            least += max(1, least // 4)
            if len(parts) > most:
                continue
            if max(len(part) for part in parts) > len(order) // 2:
                break
            alike = Counter(tuple(sorted(kinds[box] for box in part)) for part in parts)
            repeating = (kind for kind, times in alike.items() if times >= MIN_REPEATS and len(set(kind)) > 1)
            repeated = sum(len(kind) * alike[kind] for kind in repeating)
            if 2 * repeated >= len(order):
                best = parts
        return [part for part in best if len(part) > 1]

    def _exits(self, order: Sequence[int]) -> dict[int, int]:
        """Return the immediate postdominator of each box, the nearest one that all its data pass; -1 for none.

        Empty if finding them takes too long.
        """
        exits: dict[int, int] = {}
        depth = {-1: 0}
        climbed = 0
        for box in reversed(order):
            found = -2
            for other in self.following[box]:
                at = other
                while found not in {-2, at}:
                    climbed += 1
                    if depth[at] >= depth[found]:
                        at = exits[at]
                    else:
                        found = exits[found]
                found = at
            if climbed > MAX_CLIMBED:
                return {}
            exits[box] = max(found, -1)
            depth[box] = depth[exits[box]] + 1
        return exits

    def _parts(self, order: Sequence[int], exits: Mapping[int, int], least: int) -> list[list[int]]:
        """Boxes with those before them that leave by them, a part as soon as it holds `least`; its exit is the last."""
        place = {box: number for number, box in enumerate(order)}
        waiting: dict[int, list[int]] = {}
        found = []
        for box in order:
            part = [*waiting.pop(box, ()), box]
            if len(part) < least and exits[box] >= 0:
                waiting.setdefault(exits[box], []).extend(part)
                continue
            # From some of them data may first pass a part that is complete already.
            inside = {box}
            for other in sorted(part[:-1], key=place.__getitem__, reverse=True):
                if self.following[other] <= inside:
                    inside.add(other)
                else:
                    found.append([other])
            found.append([other for other in part if other in inside])
        return found

    def _closed(self, between: list[int], last: int, main: set[int]) -> list[int]:
        """Extend a region by boxes that only it reads; empty if a box outside reads one inside."""
        inside = {*between, last}
        if any(not self.following[box] <= inside for box in between):
            return []
        waiting = list(inside)
        while waiting:
            for other in self.leading[waiting.pop()] - inside - main:
                if self.following[other] <= inside:
                    inside.add(other)
                    waiting.append(other)
        return [*sorted(inside - {last}), last]

    def _ordered(self, among: set[int]) -> list[int]:
        """Boxes such that each stands behind those before it; those on cycles and behind them are left out."""
        left = {box: len(self.leading[box] & among) for box in among}
        order = sorted(box for box in among if left[box] == 0)
        for box in order:  # which grows
            for other in sorted(self.following[box] & among):
                left[other] -= 1
                if left[other] == 0:
                    order.append(other)
        return order


def _repeats(paths: Iterable[Sequence[int]], kinds: Mapping[int, int]) -> dict[tuple[int, ...], int]:
    """How often each chain of kinds, not all the same, is in paths, without overlap."""
    counts: dict[tuple[int, ...], int] = {}
    for path in paths:
        ends: dict[tuple[int, ...], int] = {}
        for begin in range(len(path)):
            for length in range(2, min(MAX_CHAIN, len(path) - begin) + 1):
                gram = tuple(kinds[box] for box in path[begin : begin + length])
                if len(set(gram)) > 1 and ends.get(gram, 0) <= begin:
                    ends[gram] = begin + length
                    counts[gram] = counts.get(gram, 0) + 1
    return counts


def _reach(along: Neighbors, starts: set[int], barred: Collection[int] = ()) -> set[int]:
    """Boxes that can be reached from some boxes, these included, without entering barred ones."""
    met, waiting = set(starts), list(starts)
    while waiting:
        for other in along[waiting.pop()]:
            if other not in met and other not in barred:
                met.add(other)
                waiting.append(other)
    return met
