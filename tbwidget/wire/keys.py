"""Which keys a channel has, in which order, and the runs that they belong to."""

from __future__ import annotations

import heapq
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from tbwidget.logs.natural import natural_key
from tbwidget.texts import escape_surrogates
from tbwidget.wire.content import Content, DocumentContent, Key
from tbwidget.wire.draft import LONGEST_NAME, wire_size

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from tbwidget.wire.content import Timed

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


MAX_LONG_NAMES = 20
"""Keys with names that are too long that are remembered, to be named as problems; all of them are counted."""

Source = tuple[str, str, str]
"""(kind, run, tag), as `LogDir` names what it holds."""


class Catalog:
    """The keys that are sent, and those that are left out because there are too many."""

    def __init__(self, contents: Sequence[Content], listing: Listing) -> None:
        self._listing = listing
        self._ranks = {content.kind: rank for rank, content in enumerate(contents)}
        self._contents = contents
        self._by_source: dict[str, list[Content]] = {}
        for content in contents:
            for source in content.sources:
                self._by_source.setdefault(source, []).append(content)
        self._joined = {content.kind for content in contents if isinstance(content, DocumentContent)}
        self._members: dict[Key, frozenset[Source]] = {}
        """What documents are made of."""
        self.keys: set[Key] = set()
        self.left_out: set[Key] = set()
        self.long_names: set[Key] = set()
        """Some of those that never fit into a message because of their names."""
        self.runs: set[str] = set()

    def keys_of(self, source: Source) -> list[Key]:
        """The keys that something of the logs belongs to."""
        kind, run, tag = source
        return [Key(content.kind, *content.key_of(run, tag)) for content in self._by_source.get(kind, ())]

    def compare(self, all_tags: dict[str, dict[str, list[str]]]) -> tuple[list[Key], list[Key], list[Key]]:
        """What is new, what is gone, and which documents are made of other things than before."""
        listed: dict[Key, None] = {}
        members: dict[Key, set[Source]] = {}
        self.runs = set()
        for content in self._contents:
            for source in content.sources:
                for run, tags in all_tags.get(source, {}).items():
                    self.runs.add(run)
                    for tag in tags:
                        key = Key(content.kind, *content.key_of(run, tag))
                        listed[key] = None
                        if key.kind in self._joined:
                            members.setdefault(key, set()).add((source, run, tag))
        gone = [key for key in self.keys if key not in listed]
        joined = {key: frozenset(sources) for key, sources in members.items()}
        changed = [key for key in joined if key in self.keys and joined[key] != self._members.get(key)]
        self._members = joined
        self.left_out = set()
        return [key for key in listed if key not in self.keys], gone, changed

    def add(self, keys: Iterable[Key]) -> list[Key]:
        """Add new keys, as far as there is room for them; returns these in their order."""
        added = []
        natural = cache(natural_key)  # a name is that of many keys
        for key in sorted(keys, key=lambda key: (self._ranks[key.kind], natural(key.tag), natural(key.run))):
            if not self._listing.has_room_for(key):
                self.left_out.add(key)
                if len(self.long_names) < MAX_LONG_NAMES and longest_name(key) > LONGEST_NAME:
                    self.long_names.add(key)
                continue
            self._listing.add(key)
            self.keys.add(key)
            if key.run:
                self.runs.add(key.run)
            added.append(key)
        return added

    def remove(self, key: Key) -> None:
        """A key is gone."""
        self.keys.remove(key)
        self._listing.remove(key)


class NumberedRuns(Protocol):
    """The part of a `LogSource` that is needed here."""

    def run_numbers(self) -> dict[str, int]:
        """A number for each run, the same for all who ask."""


class RunNumbers:
    """Numbers by run. Provisional (places in natural order) until the first pass has ended; then none changes."""

    def __init__(self, logs: NumberedRuns) -> None:
        self._logs = logs
        self._numbers: dict[str, int] = {}
        self._sent: dict[str, int] = {}
        self._final = False
        self.changed: dict[str, None] = {}
        """Runs whose numbers are others than those sent last."""

    def of(self, run: str) -> int:
        """The number of a run, which is sent now; -1 if it has none yet."""
        number = self._numbers.get(run, -1)
        self._sent[run] = number
        self.changed.pop(run, None)
        return number

    def update(self, runs: Collection[str], *, ready: bool) -> None:
        """There are these runs now."""
        if not ready:
            self._numbers = {run: place for place, run in enumerate(sorted(runs, key=natural_key))}
        elif not self._final or not all(run in self._numbers for run in runs):
            self._numbers = self._logs.run_numbers()
            self._final = True
        else:
            return
        self.changed = {run: None for run, number in self._sent.items() if self._numbers.get(run, number) != number}


MOST_SELECTED = 500
"""Of more runs than this, the browser shows the newest; keep in step with js/src/options/runselection.ts."""

NEWEST = 50
"""How many of them; keep in step, too."""


class NewestRuns:
    """The wall time of the first point of each run, as far as the runs' rows have been read."""

    def __init__(self) -> None:
        self._began: dict[str, float] = {}

    def note(self, run: str, rows: Timed) -> None:
        """Rows of a run travel."""
        if len(rows):
            began = float(rows.wall_time[0])
            if began < self._began.get(run, float("inf")):
                self._began[run] = began

    def among(self, runs: Collection[str]) -> frozenset[str] | None:
        """Those that began last; None where there are so few that all are shown."""
        if len(runs) <= MOST_SELECTED:
            return None
        began = self._began
        order = heapq.nlargest(NEWEST, runs, key=lambda run: (began.get(run, float("-inf")), natural_key(run)))
        return frozenset(order)
