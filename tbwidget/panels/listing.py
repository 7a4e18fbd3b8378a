"""The series there are, kind by kind, by tag, in natural order; kept while new ones come one by one."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Any

from tbwidget.logs.natural import natural_key
from tbwidget.panels.draft import LONGEST_NAME, Key, wire_name, wire_size

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MOST_SERIES = 100_000
"""Series beyond this number are counted, not sent."""

LISTED_A_SECOND = 2_000
"""Series that are listed anew in a second at most: what appears and what vanishes is mostly told without that."""


class Listing:
    """Keys of series. To add one costs little; the order is worked out when it is asked for."""

    def __init__(self) -> None:
        self._by_tag: dict[str, list[Key]] = {}
        self._sort_keys: dict[str, tuple[int, Any]] = {}
        self._by_wire_name: dict[str, str] = {}
        self._count = 0
        self._order: list[Key] | None = []
        self._first: list[str] | None = None
        self._first_counts: tuple[int, ...] = ()

    def __len__(self) -> int:
        """Count the series."""
        return self._count

    def takes(self, key: Key) -> bool:
        """Whether one more series can be sent: there is room, and its names are not monstrous."""
        return self._count < MOST_SERIES and max(wire_size(key[0]), wire_size(key[1])) <= LONGEST_NAME

    def add(self, key: Key, rank: int = 0) -> None:
        """Add a series that is not there yet, behind all of a smaller rank."""
        tag = key[1]
        if tag not in self._by_tag:
            self._by_tag[tag] = []
            self._by_wire_name[wire_name(tag)] = tag
            self._sort_keys[tag] = rank, natural_key(tag)
            self._first = None
        self._by_tag[tag].append(key)
        self._count += 1
        self._order = None

    def remove(self, key: Key) -> None:
        """Remove a series that is there."""
        keys = self._by_tag[key[1]]
        keys.remove(key)
        if not keys:
            del self._by_tag[key[1]], self._sort_keys[key[1]]
            self._by_wire_name.pop(wire_name(key[1]), None)
            self._first = None
        self._count -= 1
        self._order = None

    def of(self, tag: str) -> Sequence[Key]:
        """The series of a tag."""
        return self._by_tag.get(tag, ())

    def tags_named(self, names: Iterable[str]) -> list[str]:
        """The tags that a browser calls so: bytes that are no UTF-8 travelled as escapes."""
        return [self._by_wire_name.get(name, name) for name in names]

    def first_tags(self, *counts: int) -> list[str]:
        """The first tags in natural order: of each rank, so many."""
        if self._first is None or self._first_counts != counts:
            key = self._sort_keys.__getitem__
            ranks = [[tag for tag in self._by_tag if key(tag)[0] == rank] for rank in range(len(counts))]
            self._first = [
                tag for rank, count in zip(ranks, counts, strict=True) for tag in heapq.nsmallest(count, rank, key=key)
            ]
            self._first_counts = counts
        return self._first

    def order(self) -> list[Key]:
        """All series: tags in natural order, and of each its runs."""
        if self._order is None:
            runs = {run for keys in self._by_tag.values() for run, _ in keys}
            ranks = {run: rank for rank, run in enumerate(sorted(runs, key=natural_key))}
            for keys in self._by_tag.values():
                keys.sort(key=lambda key: ranks[key[0]])
            tags = sorted(self._by_tag, key=self._sort_keys.__getitem__)
            self._order = [key for tag in tags for key in self._by_tag[tag]]
        return self._order

    def sorted(self, keys: Iterable[Key]) -> list[Key]:
        """Those of the series, in their order."""
        wanted = set(keys)
        return [key for key in self.order() if key in wanted] if wanted else []
