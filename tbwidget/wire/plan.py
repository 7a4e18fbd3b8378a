"""Plan one message: which keys wait, with which priority, and in which order they are sent.

`plan` is a pure function of the situation when a message is composed. Its steps are carried out by the channel, one
after the other, until the message is full.
"""

from __future__ import annotations

from collections import OrderedDict
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

from tbwidget.wire.message import MAX_CONTENT_BYTES
from tbwidget.wire.scheduler import MAX_UPDATE_BYTES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from tbwidget.wire.content import Group, Key


class Priority(IntEnum):
    """Why a key waits; the most urgent first."""

    UPDATE = 0
    """It changed."""
    STALE_DETAIL = 1
    """A visible segment of it was sent in detail, and it grew since then."""
    UPDATE_BLOB = 2
    """The blob of a new newest item, or a document, changed."""
    KEYFRAME = 3
    """The keyframe has not named it yet."""
    NEW = 4
    """It was never sent."""
    VISIBLE = 5
    """It is on the screen, as far as is known, and is to be sent in full."""
    RESEND = 6
    """It changed, and a new client may lack its first rows."""
    DETAIL = 7
    """A visible segment of it is to be sent in detail."""
    VISIBLE_BLOB = 8
    """Its newest blob, or the document, is on the screen."""
    NEWEST_BLOB = 9
    """Its newest blob, or the document, may come on the screen later."""
    PREFETCH = 10
    """It is to be sent in full, as it may come on the screen later."""
    OLDER_BLOB = 11
    """Blobs of its older items may come on the screen later."""


BEFORE_PREFETCH = tuple(one for one in Priority if Priority.KEYFRAME <= one < Priority.NEWEST_BLOB)
"""Everything that is needed now, but for updates."""

BLOBS = (Priority.UPDATE_BLOB, Priority.VISIBLE_BLOB, Priority.NEWEST_BLOB, Priority.OLDER_BLOB)
"""Priorities whose blobs are read and encoded one by one, which may take long."""

OPENING = (*BEFORE_PREFETCH, Priority.NEWEST_BLOB, Priority.PREFETCH)
"""Priorities of the data of the initial scan, but for older blobs."""

FIRST = (Priority.KEYFRAME, Priority.NEW, Priority.NEWEST_BLOB, Priority.OLDER_BLOB)
"""Priorities that must be empty before blobs off the screen count as updates."""


class Backlog:
    """The keys that wait, by priority, each in the order in which they were added. A key may have several."""

    def __init__(self) -> None:
        self._queues: tuple[OrderedDict[Key, None], ...] = tuple(OrderedDict() for _ in Priority)
        self._deferred: dict[Key, None] = {}
        self._changed_at: dict[Group, dict[Key, float]] = {}
        """When each key first changed since its last update was sent, by kind and tag; the earliest comes first.

        It stays while the update is deferred. By kind and tag, because few of these are on the screen, and very
        many keys may wait.
        """
        self.resume_at = float("inf")
        """When deferred updates are due."""

    def __getitem__(self, priority: Priority) -> OrderedDict[Key, None]:
        """The keys of one priority."""
        return self._queues[priority]

    def add(self, priority: Priority, key: Key) -> None:
        """Add a key behind all others of this priority, unless it waits already."""
        self._queues[priority].setdefault(key)

    def add_changed(self, key: Key, now: float) -> None:
        """Add a key that changed, unless it waits for that already."""
        self._queues[Priority.UPDATE].setdefault(key)
        self._changed_at.setdefault(key.group, {}).setdefault(key, now)

    def settle(self, key: Key) -> None:
        """Forget when a key changed: its update was sent, or cannot be sent for now."""
        changed_at = self._changed_at.get(key.group, {})
        changed_at.pop(key, None)
        if not changed_at:
            self._changed_at.pop(key.group, None)

    def oldest_wait(self, groups: Collection[Group], now: float) -> float:
        """Seconds that the oldest unsent change of these kinds and tags has waited; 0 where there is none."""
        changes = (self._changed_at[group] for group in groups if group in self._changed_at)
        return max((now - next(iter(times.values())) for times in changes), default=0.0)

    def add_first(self, priority: Priority, key: Key) -> None:
        """Put a key before all others of this priority."""
        self._queues[priority].setdefault(key)
        self._queues[priority].move_to_end(key, last=False)

    def set(self, priority: Priority, keys: Iterable[Key]) -> None:
        """Replace all keys of this priority."""
        keys = dict.fromkeys(keys)
        self._queues[priority].clear()
        self._queues[priority].update(keys)

    def prepend(self, priority: Priority, keys: Iterable[Key]) -> None:
        """Put keys before all others of this priority."""
        self.set(priority, [*keys, *self._queues[priority]])

    def discard(self, priority: Priority, key: Key) -> None:
        """Remove a key, if it waits."""
        self._queues[priority].pop(key, None)
        if priority == Priority.UPDATE:
            self.settle(key)

    def remove(self, key: Key) -> None:
        """Remove a key everywhere."""
        for queue in (*self._queues, self._deferred):
            queue.pop(key, None)
        self.settle(key)

    @property
    def busy(self) -> bool:
        """There is more than updates."""
        return any(self._queues[Priority.KEYFRAME :])

    @property
    def has_updates(self) -> bool:
        """There are updates."""
        return any(self._queues[: Priority.KEYFRAME])

    def defer(self, key: Key, until: float) -> None:
        """Send no update of a key before then."""
        self._deferred[key] = None
        self.resume_at = min(self.resume_at, until)

    def is_pending(self, key: Key) -> bool:
        """Whether an update of a key waits, deferred or not."""
        return key in self._queues[Priority.UPDATE] or key in self._deferred

    def resume_all(self) -> None:
        """Reconsider the deferred updates with the next message: other keys are on the screen."""
        if self._deferred:
            self.resume_at = float("-inf")

    def resume(self, now: float) -> None:
        """Add the deferred updates that are due."""
        if now >= self.resume_at:
            self.resume_at = float("inf")
            for key in self._deferred:
                self.add(Priority.UPDATE, key)
            self._deferred.clear()


UNLIMITED = float("inf")

_NAMING = (Priority.KEYFRAME, Priority.NEW)
"""The first of `BEFORE_PREFETCH`: until they are empty, browsers do not know all keys."""


class Step(NamedTuple):
    """Add the keys of one priority to a message."""

    priority: Priority
    max_size: float = UNLIMITED
    """Size of the message in bytes up to which keys are added."""
    is_update: bool = False
    """Its bytes count as updates, whose rate is limited."""
    after: tuple[Priority, ...] = ()
    """Skip this step while keys of these priorities wait."""
    only: Key | None = None
    """Add this key alone."""


class Situation(NamedTuple):
    """The facts that a plan depends on."""

    is_busy: bool = False
    """There is more to send than updates."""
    is_first: bool = False
    """No message had data yet."""
    was_ready: bool = True
    """The initial scan had ended when the last message was composed."""
    has_caught_up: bool = False
    """The blobs of the initial scan were sent. From then on, blobs off the screen count as updates."""
    may_send_older: bool = True
    """Blobs of older items have not had their share of a core."""
    blob_share: float | None = None
    """Bytes of a message that blobs may take before series; None if nothing limits all messages together."""
    open_blob: Key | None = None
    """The key whose blob was begun and must be finished."""


class Plan(NamedTuple):
    """The steps of one message. Answers to requests come between the two lists."""

    updates: list[Step]
    """Steps for keys that changed."""
    others: list[Step]
    """Steps for keys that were never sent, that are on the screen, and that may come on it."""


def plan(situation: Situation) -> Plan:
    """Return what to send, the most urgent first."""
    return Plan(_updates(situation), _others(situation))


def _updates(situation: Situation) -> list[Step]:
    most = MAX_UPDATE_BYTES if situation.is_busy else MAX_CONTENT_BYTES
    return [
        Step(Priority.UPDATE, most, is_update=True),
        Step(Priority.STALE_DETAIL, is_update=True),
        Step(Priority.UPDATE_BLOB, is_update=True),
    ]


def _others(situation: Situation) -> list[Step]:
    steps = [Step(priority) for priority in BEFORE_PREFETCH]
    if situation.blob_share is not None:
        steps.insert(len(_NAMING), Step(Priority.NEWEST_BLOB, situation.blob_share))
        if situation.open_blob is not None:
            # Some pieces of a blob without the others would waste the space that they take.
            steps.insert(0, Step(Priority.NEWEST_BLOB, only=situation.open_blob))
    is_update = situation.has_caught_up
    # The first message has something to show, though it may not name everything.
    steps.append(Step(Priority.NEWEST_BLOB, is_update=is_update, after=() if situation.is_first else _NAMING))
    # Series off the screen do not get ahead of updates.
    updates = (Priority.UPDATE,) if situation.was_ready else ()
    steps.append(Step(Priority.PREFETCH, after=(*BEFORE_PREFETCH, *updates)))
    if situation.may_send_older:
        steps.append(Step(Priority.OLDER_BLOB, is_update=is_update, after=_NAMING))
    return steps
