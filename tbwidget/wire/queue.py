"""The keys that wait to be sent, by urgency."""

from __future__ import annotations

import math
from collections import OrderedDict
from enum import IntEnum
from itertools import islice
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


MAX_SEARCHED = 1_000
"""Keys that are looked at for the oldest change on the screen, at most."""


class WorkQueue:
    """Keys in the order of their urgency, then in that in which they were added. A key may be in several."""

    def __init__(self) -> None:
        self._queues: tuple[OrderedDict[Key, float], ...] = tuple(OrderedDict() for _ in Urgency)
        """With the time at which each key of NEWS changed first since it was sent; infinite for others."""
        self._deferred: OrderedDict[Key, float] = OrderedDict()
        self.resume_at = float("inf")
        """When news that rest are to be looked at again."""

    def __getitem__(self, urgency: Urgency) -> OrderedDict[Key, float]:
        """The keys of one urgency."""
        return self._queues[urgency]

    def add(self, urgency: Urgency, key: Key) -> None:
        """Add a key behind all others of this urgency, unless it is there."""
        self._queues[urgency].setdefault(key, math.inf)

    def add_changed(self, key: Key, now: float) -> None:
        """Add a key that changed, unless it waits for that already."""
        self._queues[Urgency.NEWS].setdefault(key, now)

    def waiting_since(self, groups: Collection[tuple[str, str]]) -> float:
        """When the first of the changes waiting was noticed, among keys of these kinds and tags; infinite for none.

        The oldest wait first, so a key far behind in the queue is not worth looking for.
        """
        news = islice(self._queues[Urgency.NEWS].items(), MAX_SEARCHED)
        return next((at for key, at in news if (key.kind, key.tag) in groups), math.inf)

    def add_first(self, urgency: Urgency, key: Key) -> None:
        """Put a key before all others of this urgency."""
        self._queues[urgency].setdefault(key, math.inf)
        self._queues[urgency].move_to_end(key, last=False)

    def set(self, urgency: Urgency, keys: Iterable[Key]) -> None:
        """Replace all keys of this urgency."""
        keys = dict.fromkeys(keys, math.inf)
        self._queues[urgency].clear()
        self._queues[urgency].update(keys)

    def prepend(self, urgency: Urgency, keys: Iterable[Key]) -> None:
        """Put keys before all others of this urgency."""
        self.set(urgency, [*keys, *self._queues[urgency]])

    def discard(self, urgency: Urgency, key: Key) -> None:
        """Remove a key, if it is there."""
        self._queues[urgency].pop(key, None)

    def remove(self, key: Key) -> None:
        """Remove a key everywhere."""
        for queue in (*self._queues, self._deferred):
            queue.pop(key, None)

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
        self._deferred[key] = until
        self.resume_at = min(self.resume_at, until)

    def resume_all(self) -> None:
        """Look at the news that were deferred again at the next occasion: other keys are on the screen."""
        if self._deferred:
            self.resume_at = float("-inf")

    def resume(self, now: float) -> None:
        """Add the news that were deferred, if it is time."""
        if now >= self.resume_at:
            self.resume_at = float("inf")
            for key in self._deferred:
                self.add_changed(key, now)
            self._deferred.clear()
