"""The keys that wait to be sent, by urgency."""

from __future__ import annotations

from collections import OrderedDict
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from tbwidget.wire.content import Key


class Urgency(IntEnum):
    """Why a key waits; the most urgent first."""

    NEWS = 0
    """It changed."""
    REGROWN = 1
    """A stretch of it is looked at closely, and it grew since that was sent."""
    NEWS_BLOB = 2
    """What changed is a blob: that of a new newest item, or a document."""
    KEYFRAME = 3
    """The keyframe has not named it yet."""
    NEW = 4
    """It was never sent."""
    WANTED = 5
    """To be sent in full: it is on the screen, as far as is known."""
    AGAIN = 6
    """It changed, and was not sent from the first row on since somebody may have come."""
    DETAIL = 7
    """A stretch of it is looked at closely."""
    WANTED_BLOB = 8
    """The newest blob, or the document, is to be sent: it is on the screen."""
    NEWEST_BLOB = 9
    """Likewise, though nobody is known to look at it."""
    UNASKED = 10
    """To be sent in full, though nobody is known to look at it."""
    OLDER_BLOB = 11
    """Blobs of older items are to be sent, though nobody is known to look at them."""


BEFORE_UNASKED = (
    Urgency.KEYFRAME,
    Urgency.NEW,
    Urgency.WANTED,
    Urgency.AGAIN,
    Urgency.DETAIL,
    Urgency.WANTED_BLOB,
)
"""What is neither news nor unasked."""

BLOBS = (Urgency.NEWS_BLOB, Urgency.WANTED_BLOB, Urgency.NEWEST_BLOB, Urgency.OLDER_BLOB)
"""What is read and encoded one by one, which may take long."""

OPENING = (*BEFORE_UNASKED, Urgency.NEWEST_BLOB, Urgency.UNASKED)
"""What is sent of logs that were opened, but for older blobs."""


class WorkQueue:
    """Keys in the order of their urgency, then in that in which they were added. A key may be in several."""

    def __init__(self) -> None:
        self._queues: tuple[OrderedDict[Key, None], ...] = tuple(OrderedDict() for _ in Urgency)
        self._deferred: dict[Key, None] = {}
        self._changed_at: dict[tuple[str, str], dict[Key, float]] = {}
        """When each key first changed since its last update was sent, by kind and tag; the earliest comes first.

        It stays while the update is deferred. By kind and tag, because few of these are on the screen, and very
        many keys may wait.
        """
        self.resume_at = float("inf")
        """When news that rest are to be looked at again."""

    def __getitem__(self, urgency: Urgency) -> OrderedDict[Key, None]:
        """The keys of one urgency."""
        return self._queues[urgency]

    def add(self, urgency: Urgency, key: Key) -> None:
        """Add a key behind all others of this urgency, unless it is there."""
        self._queues[urgency].setdefault(key)

    def add_changed(self, key: Key, now: float) -> None:
        """Add a key that changed, unless it waits for that already."""
        self._queues[Urgency.NEWS].setdefault(key)
        self._changed_at.setdefault((key.kind, key.tag), {}).setdefault(key, now)

    def settle(self, key: Key) -> None:
        """Forget when a key changed: its update was sent, or cannot be sent for now."""
        group = key.kind, key.tag
        changed_at = self._changed_at.get(group, {})
        changed_at.pop(key, None)
        if not changed_at:
            self._changed_at.pop(group, None)

    def oldest_wait(self, groups: Collection[tuple[str, str]], now: float) -> float:
        """Seconds that the oldest unsent change of these kinds and tags has waited; 0 where there is none."""
        changes = (self._changed_at[group] for group in groups if group in self._changed_at)
        return max((now - next(iter(times.values())) for times in changes), default=0.0)

    def add_first(self, urgency: Urgency, key: Key) -> None:
        """Put a key before all others of this urgency."""
        self._queues[urgency].setdefault(key)
        self._queues[urgency].move_to_end(key, last=False)

    def set(self, urgency: Urgency, keys: Iterable[Key]) -> None:
        """Replace all keys of this urgency."""
        keys = dict.fromkeys(keys)
        self._queues[urgency].clear()
        self._queues[urgency].update(keys)

    def prepend(self, urgency: Urgency, keys: Iterable[Key]) -> None:
        """Put keys before all others of this urgency."""
        self.set(urgency, [*keys, *self._queues[urgency]])

    def discard(self, urgency: Urgency, key: Key) -> None:
        """Remove a key, if it is there."""
        self._queues[urgency].pop(key, None)
        if urgency == Urgency.NEWS:
            self.settle(key)

    def remove(self, key: Key) -> None:
        """Remove a key everywhere."""
        for queue in (*self._queues, self._deferred):
            queue.pop(key, None)
        self.settle(key)

    def first(self, urgency: Urgency) -> Key | None:
        """The first key of this urgency."""
        return next(iter(self._queues[urgency]), None)

    def pop(self, urgency: Urgency) -> Key:
        """Take the first key of this urgency."""
        return self._queues[urgency].popitem(last=False)[0]

    @property
    def busy(self) -> bool:
        """There is more than news."""
        return any(self._queues[Urgency.KEYFRAME :])

    @property
    def has_news(self) -> bool:
        """There are news."""
        return any(self._queues[: Urgency.KEYFRAME])

    def defer(self, key: Key, until: float) -> None:
        """There are news of it, which are not to be sent before then."""
        self._deferred[key] = None
        self.resume_at = min(self.resume_at, until)

    def is_pending(self, key: Key) -> bool:
        """Whether an update of the key waits, deferred or not."""
        return key in self._queues[Urgency.NEWS] or key in self._deferred

    def resume_all(self) -> None:
        """Look at the news that were deferred again at the next occasion: other keys are on the screen."""
        if self._deferred:
            self.resume_at = float("-inf")

    def resume(self, now: float) -> None:
        """Add the news that were deferred, if it is time."""
        if now >= self.resume_at:
            self.resume_at = float("inf")
            for key in self._deferred:
                self.add(Urgency.NEWS, key)
            self._deferred.clear()
