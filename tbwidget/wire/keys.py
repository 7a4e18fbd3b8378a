"""Know the keys of a channel: their order and runs, how much of each was sent, and why some failed.

`Stream` is the base class of what sends the keys of one content, with a `KeyState` for each.
"""

from __future__ import annotations

import heapq
import logging
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tbwidget.logs.natural import natural_key
from tbwidget.logs.tagorder import group_key, place_of, sort_key
from tbwidget.reasons import Reason, reason_of
from tbwidget.texts import escape_surrogates, shorten
from tbwidget.wire.content import Content, DocumentContent, Group, Key, SeriesContent
from tbwidget.wire.message import MAX_NAME_BYTES
from tbwidget.wire.plan import Priority

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from tbwidget.logs.accessors import Logs
    from tbwidget.logs.source import LogSource
    from tbwidget.wire.columns import Timed
    from tbwidget.wire.message import Blob, ByteBudget, MessageBuilder
    from tbwidget.wire.plan import Backlog, SendScheduler
    from tbwidget.wire.status import Status
    from tbwidget.wire.worker import Worker, Workers

log = logging.getLogger("tbwidget")

MAX_KEYS = 100_000
"""Keys beyond this number are counted, not sent."""

MAX_LISTED_PER_S = 2_000
"""Keys that are listed again in a second at most: what appears and vanishes is mostly known without that."""


MAX_LONG_NAMES = 20
"""Keys with names that are too long that are remembered, to be named as problems; all of them are counted."""

Source = tuple[str, str, str]
"""(kind, run, tag), as `LogDir` names what it holds."""


def longest_name(key: Key) -> int:
    """Bytes of the longer one of a key's names, as it travels."""
    return max(len(name.encode("utf-8", "backslashreplace")) for name in (key.run, key.tag))


class _Section:
    """The groups of one kind whose cards stand in one section."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.sort_keys: dict[Group, tuple[int, str, int, str]] = {}
        self._best: int | None = None

    def add(self, group: Group, key: tuple[int, str, int, str]) -> None:
        """Add a group, with what sorts it here."""
        self.sort_keys[group] = key
        if self._best is not None:
            self._best = min(self._best, key[0])

    def remove(self, group: Group) -> None:
        """Remove a group that is gone."""
        del self.sort_keys[group]
        self._best = None

    @property
    def place(self) -> tuple[int, bool, str]:
        """The key that sorts it among the sections of its kind: the rank of its best card, and its name."""
        if self._best is None:
            self._best = min(key[0] for key in self.sort_keys.values())
        return group_key(self._name, self._best)


class Keys:
    """The keys of one channel. Adding one costs little; the order is worked out when it is asked for."""

    def __init__(self, contents: Sequence[Content]) -> None:
        """Take the contents in the order of their kinds."""
        self._contents = contents
        self._ranks = {content.kind: rank for rank, content in enumerate(contents)}
        self._by_source: dict[str, list[Content]] = {}
        for content in contents:
            for source in content.sources:
                self._by_source.setdefault(source, []).append(content)
        self.series = {content.kind for content in contents if isinstance(content, SeriesContent)}
        """The kinds whose keys are series."""
        self.series_count = 0
        self._members: dict[Key, frozenset[Source]] = {}
        """The sources of each document."""
        self._by_group: dict[Group, list[Key]] = {}
        self._sections: dict[str, dict[str, _Section]] = {content.kind: {} for content in contents}
        self._by_wire_name: dict[str, str] = {}
        self._order: list[Key] | None = []
        self._first: list[Group] | None = None
        self.all: set[Key] = set()
        """The keys that are sent."""
        self.left_out: set[Key] = set()
        """The keys that are not sent: there are too many, or their names are too long."""
        self.long_names: set[Key] = set()
        """Some of those that are left out because of their names."""
        self.runs: set[str] = set()

    def of_source(self, source: Source) -> list[Key]:
        """Return the keys that something of the logs belongs to."""
        kind, run, tag = source
        return [Key(content.kind, *content.key_of(run, tag)) for content in self._by_source.get(kind, ())]

    def compare(self, all_tags: Mapping[str, Mapping[str, Sequence[str]]]) -> tuple[list[Key], list[Key], list[Key]]:
        """Return which keys are new, which are gone, and which documents are made of other things than before."""
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
                        if isinstance(content, DocumentContent):
                            members.setdefault(key, set()).add((source, run, tag))
        gone = [key for key in self.all if key not in listed]
        joined = {key: frozenset(sources) for key, sources in members.items()}
        changed = [key for key in joined if key in self.all and joined[key] != self._members.get(key)]
        self._members = joined
        self.left_out = set()
        return [key for key in listed if key not in self.all], gone, changed

    def add(self, keys: Iterable[Key]) -> list[Key]:
        """Add new keys; return those that are not left out, in their order."""
        added = []
        natural, place = cache(natural_key), cache(sort_key)  # many keys share a name
        for key in sorted(keys, key=lambda key: (self._ranks[key.kind], place(key.tag), natural(key.run))):
            has_long_name = longest_name(key) > MAX_NAME_BYTES
            if has_long_name or len(self.all) >= MAX_KEYS:
                self.left_out.add(key)
                if has_long_name and len(self.long_names) < MAX_LONG_NAMES:
                    self.long_names.add(key)
                continue
            group = key.group
            if group not in self._by_group:
                self._by_group[group] = []
                self._by_wire_name[escape_surrogates(key.tag)] = key.tag
                sections, name = self._sections[key.kind], place_of(key.tag).group
                if name not in sections:
                    sections[name] = _Section(name)
                sections[name].add(group, place(key.tag))
                self._first = None
            self._by_group[group].append(key)
            self.all.add(key)
            self.series_count += key.kind in self.series
            if key.run:
                self.runs.add(key.run)
            added.append(key)
        self._order = None if added else self._order
        return added

    def remove(self, key: Key) -> None:
        """Remove a key that is gone."""
        self.all.remove(key)
        self.series_count -= key.kind in self.series
        group = key.group
        keys = self._by_group[group]
        keys.remove(key)
        if not keys:
            del self._by_group[group]
            sections, name = self._sections[key.kind], place_of(key.tag).group
            sections[name].remove(group)
            if not sections[name].sort_keys:
                del sections[name]
            if not any((kind, key.tag) in self._by_group for kind in self._ranks):
                self._by_wire_name.pop(escape_surrogates(key.tag), None)
            self._first = None
        self._order = None

    def of(self, group: Group) -> Sequence[Key]:
        """Return the keys of a kind and a tag, one a run."""
        return self._by_group.get(group, ())

    def groups_named(self, tags: Iterable[str], kinds: Iterable[str] | None = None) -> list[Group]:
        """Return the groups of tags as a browser spells them, with escapes for invalid UTF-8. None: of all kinds."""
        named = dict.fromkeys(self._by_wire_name.get(tag, tag) for tag in tags)
        order = self._ranks if kinds is None else [kind for kind in dict.fromkeys(kinds) if kind in self._ranks]
        return [Group(kind, tag) for tag in named for kind in order]

    def first_groups(self) -> list[Group]:
        """Return what stands on the first screens: of each kind the first tags in the order of their cards."""
        if self._first is None:
            self._first = []
            for content in self._contents:
                left = content.first_tags
                for section in self._sections_of(content):
                    if left <= 0:
                        break
                    found = heapq.nsmallest(left, section.sort_keys, key=section.sort_keys.__getitem__)
                    self._first += found
                    left -= len(found)
        return self._first

    def order(self) -> list[Key]:
        """Return all keys: kinds in their order, tags in that of their cards, and of each its runs."""
        if self._order is None:
            ranks = {run: rank for rank, run in enumerate(sorted({key.run for key in self.all}, key=natural_key))}
            for keys in self._by_group.values():
                keys.sort(key=lambda key: ranks[key.run])
            sections = [section for content in self._contents for section in self._sections_of(content)]
            groups = (sorted(section.sort_keys, key=section.sort_keys.__getitem__) for section in sections)
            self._order = [key for section in groups for group in section for key in self._by_group[group]]
        return self._order

    def _sections_of(self, content: Content) -> list[_Section]:
        return sorted(self._sections[content.kind].values(), key=lambda section: section.place)

    def sorted(self, keys: Iterable[Key]) -> list[Key]:
        """Return some of the keys, in their order."""
        wanted = set(keys)
        return [key for key in self.order() if key in wanted] if wanted else []


class RunNumbers:
    """Numbers by run. Provisional (places in natural order) until the first pass has ended; then none changes."""

    def __init__(self, logs: LogSource) -> None:
        self._logs = logs
        self._numbers: dict[str, int] = {}
        self._sent: dict[str, int] = {}
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
        if ready:
            self._numbers = self._logs.run_numbers()
        else:
            self._numbers = {run: place for place, run in enumerate(sorted(runs, key=natural_key))}
        self.changed = {run: None for run, number in self._sent.items() if self._numbers.get(run, number) != number}


MAX_SELECTED_RUNS = 500
"""Upper bound for runs that the browser shows without a choice. Keep in step with js/src/options/runselection.ts."""

NEWEST_RUN_COUNT = 50
"""Number of newest runs that it shows beyond that. Keep in step with the same file."""


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
        """Return the runs that began last; None if the browser shows all of them."""
        if len(runs) <= MAX_SELECTED_RUNS:
            return None
        began = self._began
        order = heapq.nlargest(
            NEWEST_RUN_COUNT, runs, key=lambda run: (began.get(run, float("-inf")), natural_key(run))
        )
        return frozenset(order)


RETRY_AFTER = 30.0
"""Seconds after which a keyframe tries again what failed."""

RETRY_CHANGED_AFTER = 5.0
"""Seconds after which it is tried again when it changed: trying may cost as much as it did to fail."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a key failed, and when."""

    reason: Reason
    at: float


class Failures:
    """The keys of one channel that failed; without `logs` none is listed as a problem."""

    def __init__(self, logs: LogSource | None) -> None:
        self._logs = logs
        self._failed: dict[Key, Failure] = {}

    def get(self, key: Key) -> Failure | None:
        """Why and when a key failed; None if it did not."""
        return self._failed.get(key)

    def add(self, key: Key, error: BaseException, now: float) -> Reason:
        """A key failed; returns the reason, as it is shown."""
        reason = reason_of(error)
        if key not in self._failed:
            # Not every handler takes text that is no UTF-8.
            tag, run = shorten(repr(key.tag)), shorten(repr(key.run))
            log.warning("%s %s of run %s: %s", key.kind, tag, run, escape_surrogates(reason))
        self._failed[key] = Failure(reason, now)
        if self._logs is not None:
            self._logs.report_failure(*key, reason)
        return reason

    def clear(self, key: Key) -> bool:
        """A key was sent; True if it had failed before."""
        if self._failed.pop(key, None) is None:
            return False
        if self._logs is not None:
            self._logs.clear_failure(*key)
        return True

    def close(self) -> None:
        """Nothing is sent any more: what failed here may be readable for others."""
        for key in list(self._failed):
            self.clear(key)


_AHEAD = 200
"""Keys that are read at once."""

_Read = TypeVar("_Read")


class GoneError(Exception):
    """The logs do not hold a key any more."""


@dataclass(slots=True)
class ChannelState:
    """Owned by the thread that sends."""

    logs: Logs
    keys: Keys
    backlog: Backlog
    scheduler: SendScheduler
    status: Status
    workers: Workers | None
    """Make what takes long; None: it is made where it is sent."""
    budget: ByteBudget
    """Bytes that its messages may take."""
    blobs_until: float = float("inf")
    """When no further blob is to be made for this message; of the real clock."""
    seq: int = 0
    """Number of the last message."""
    keyframe: int = 0
    """Number of the keyframe that began last."""
    full_required_since: int = 0
    """The last keyframe that began for browsers that may hold nothing: everything is to be sent in full again."""
    was_ready: bool = False
    """The first pass over the directory had ended when the last message was composed."""
    on_screen: Collection[Group] = field(default_factory=dict)
    """Groups of the reported viewports, and the first groups in order."""
    in_view: Collection[Group] = field(default_factory=frozenset)
    """Groups of the reported viewports alone."""
    newest: NewestRuns = field(default_factory=NewestRuns)
    """The runs that are shown first, if there are very many."""
    ahead: dict[Key, Any] = field(default_factory=dict)
    """Series that were read for this message before their turn came."""

    @property
    def visible(self) -> Collection[Group]:
        """Groups on the screen: the reported ones, else the first ones in order."""
        return self.in_view or self.on_screen

    def note_rows(self, key: Key, rows: Timed) -> None:
        """Rows of a key travel."""
        self.status.note_newest(key, rows)
        self.newest.note(key.run, rows)

    def read_ahead(
        self,
        read: Callable[[Logs, str, str], Any],
        key: Key,
        priority: Priority,
        prepare: Callable[[Sequence[Any]], Sequence[Any]],
    ) -> Any:
        """Read a series as `read` does, together with the next ones, because each wait for the reader is long.

        `prepare` makes the series ready to be sent, all at once. Without it, the coarse versions of 2,000 series take
        twice as long while a cell computes in Python.
        """
        if key not in self.ahead and self.backlog[priority]:
            following = [each for each in islice(self.backlog[priority], _AHEAD) if each.kind == key.kind]
            found: dict[Key, Any] = {}
            try:
                with self.logs.source.exclusive():
                    for each in (key, *following):
                        found[each] = read(self.logs, each.run, each.tag)
                found = dict(zip(found, prepare(list(found.values())), strict=True))
            except KeyboardInterrupt:
                raise
            except BaseException:  # noqa: BLE001, S110 (what fails is seen when its turn comes; others go as read)
                pass
            self.ahead |= found
        return self.ahead[key] if key in self.ahead else self.read(read, key)

    def read(self, read: Callable[[Logs, str, str], _Read], key: Key) -> _Read:
        """Return what a content's `read` gives of a key. GoneError if it is gone."""
        try:
            return read(self.logs, key.run, key.tag)
        except KeyError as error:
            raise GoneError from error


@dataclass(slots=True)
class KeyState:
    """State of one key: how much of it clients hold if no message was lost, and the blob under way."""

    keyframe: int = 0
    """Last keyframe that began before a key was sent from its first row on, or a document's revision was named."""
    sent_seq: int = 0
    """Last message in which it was sent whole, at its present resolution."""
    open: Blob | None = None
    """Blob whose pieces were not all sent."""


_KeyState = TypeVar("_KeyState", bound=KeyState)


class Stream(Generic[_KeyState]):
    """Sends the keys of one content. Each sort of content has a subclass."""

    prefetch = Priority.NEWEST_BLOB
    """How more of a new key off the screen is sent."""

    def __init__(self, state: ChannelState, new: Callable[[], _KeyState], worker: Worker | None = None) -> None:
        self._state = state
        self._new = new
        self._worker = worker
        self._keys: dict[Key, _KeyState] = {}
        self._prefetched_bytes = 0

    def add(self, key: Key) -> None:
        """Add a key that appeared."""
        self._keys[key] = self._new()

    def remove(self, key: Key) -> None:
        """Remove a key that vanished."""
        self._withdraw(key, self._keys.pop(key))

    def reset(self, key: Key) -> None:
        """Forget what clients hold of a key."""
        self._withdraw(key, self._keys[key])
        self._keys[key] = self._new()

    def is_open(self, key: Key) -> bool:
        """Whether some pieces of a blob of a key were sent, and others were not."""
        return key in self._keys and self._keys[key].open is not None

    def restart(self) -> None:
        """Send everything again, from the first byte on: a keyframe begins for clients that may hold nothing."""
        self._prefetched_bytes = 0

    def may_prefetch(self) -> bool:
        """Whether keys off the screen may be sent now."""
        return True

    def _withdraw(self, key: Key, state: _KeyState) -> None:
        """Make nothing of a key that was not begun."""

    def _send_open(self, builder: MessageBuilder, blob: Blob, *, is_prefetch: bool) -> bool:
        """Add pieces of a blob to the message; return whether the blob is complete then."""
        before = builder.size
        is_complete = blob.send(builder)
        self._prefetched_bytes += builder.size - before if is_prefetch else 0
        return is_complete
