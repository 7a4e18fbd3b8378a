"""The keys that there are, kind by kind, by tag, in natural order; kept while new ones come one by one."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Any, NamedTuple

from tbwidget.logs.natural import natural_key
from tbwidget.texts import escape_surrogates
from tbwidget.wire.content import Key
from tbwidget.wire.draft import LONGEST_NAME, wire_size

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

MOST_KEYS = 100_000
"""Keys beyond this number are counted, not sent."""

LISTED_A_SECOND = 2_000
"""Keys that are listed again in a second at most: what appears and vanishes is mostly known without that."""


class Group(NamedTuple):
    """A kind and a tag: what the runs of one card share."""

    kind: str
    tag: str


def longest_name(key: Key) -> int:
    """Bytes of the longer one of a key's names, as it travels."""
    return max(wire_size(key.run), wire_size(key.tag))


class Listing:
    """All keys. To add one costs little; the order is worked out when it is asked for."""

    def __init__(self, first_tags: Mapping[str, int]) -> None:
        """`first_tags`: of each kind, how many tags come first; the kinds in their order."""
        self._first_tags = first_tags
        self._ranks = {kind: rank for rank, kind in enumerate(first_tags)}
        self._by_group: dict[Group, list[Key]] = {}
        self._sort_keys: dict[Group, tuple[int, Any]] = {}
        self._by_wire_name: dict[str, str] = {}
        self._count = 0
        self._order: list[Key] | None = []
        self._first: list[Group] | None = None

    def __len__(self) -> int:
        """Count the keys."""
        return self._count

    def has_room_for(self, key: Key) -> bool:
        """Whether one more key can be sent: there is room, and its names are not monstrous."""
        return self._count < MOST_KEYS and longest_name(key) <= LONGEST_NAME

    def add(self, key: Key) -> None:
        """Add a key that is not there yet."""
        group = Group(key.kind, key.tag)
        if group not in self._by_group:
            self._by_group[group] = []
            self._by_wire_name[escape_surrogates(key.tag)] = key.tag
            self._sort_keys[group] = self._ranks[key.kind], natural_key(key.tag)
            self._first = None
        self._by_group[group].append(key)
        self._count += 1
        self._order = None

    def remove(self, key: Key) -> None:
        """Remove a key that is there."""
        group = Group(key.kind, key.tag)
        keys = self._by_group[group]
        keys.remove(key)
        if not keys:
            del self._by_group[group], self._sort_keys[group]
            if not any((kind, key.tag) in self._by_group for kind in self._ranks):
                self._by_wire_name.pop(escape_surrogates(key.tag), None)
            self._first = None
        self._count -= 1
        self._order = None

    def of(self, group: Group) -> Sequence[Key]:
        """The keys of a kind and a tag, one a run."""
        return self._by_group.get(group, ())

    def runs_beside(self, key: Key) -> int:
        """How many keys there are of the same kind and tag."""
        return len(self._by_group.get((key[0], key[2]), ()))  # type: ignore[call-overload]

    def groups_named(self, tags: Iterable[str], kinds: Iterable[str] | None = None) -> list[Group]:
        """What a browser calls so (bytes that are no UTF-8 traveled as escapes), of these kinds; None: of all."""
        named = dict.fromkeys(self._by_wire_name.get(tag, tag) for tag in tags)
        order = self._ranks if kinds is None else [kind for kind in dict.fromkeys(kinds) if kind in self._ranks]
        return [Group(kind, tag) for tag in named for kind in order]

    def first_groups(self) -> list[Group]:
        """What stands on the first screens: of each kind the first tags in natural order."""
        if self._first is None:
            key = self._sort_keys.__getitem__
            self._first = [
                group
                for kind, count in self._first_tags.items()
                for group in heapq.nsmallest(count, (group for group in self._by_group if group.kind == kind), key=key)
            ]
        return self._first

    def order(self) -> list[Key]:
        """All keys: kinds in their order, tags in natural order, and of each its runs."""
        if self._order is None:
            runs = {key.run for keys in self._by_group.values() for key in keys}
            ranks = {run: rank for rank, run in enumerate(sorted(runs, key=natural_key))}
            for keys in self._by_group.values():
                keys.sort(key=lambda key: ranks[key.run])
            groups = sorted(self._by_group, key=self._sort_keys.__getitem__)
            self._order = [key for group in groups for key in self._by_group[group]]
        return self._order

    def sorted(self, keys: Iterable[Key]) -> list[Key]:
        """Those of the keys, in their order."""
        wanted = set(keys)
        return [key for key in self.order() if key in wanted] if wanted else []
