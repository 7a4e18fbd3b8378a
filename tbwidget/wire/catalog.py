"""Which keys a channel has: those of the logs, as each content makes keys of them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from tbwidget.logs.natural import natural_key
from tbwidget.wire.content import Content, DocumentContent, Key
from tbwidget.wire.draft import LONGEST_NAME
from tbwidget.wire.listing import longest_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tbwidget.wire.listing import Listing

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
