"""What a feed knows of each series, and which series wait to be sent."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from tbwidget.panels.draft import Key


@dataclass(slots=True)
class Track:
    """What the feed knows of one series."""

    kind: str
    fine: bool = False
    """It travels in full; else in its coarse version."""
    sent: Any = None
    """What browsers hold that saw every message."""
    rests_until: float = float("-inf")
    """When news of it may travel again."""
    whole_since: int = 0
    """The last keyframe after whose begin the series travelled, in this version, from its first row on."""
    whole_seq: int = 0
    """The message that brought it so."""


def _queue() -> OrderedDict[Key, None]:
    return OrderedDict()


@dataclass(slots=True)
class Work:
    """Series waiting to be sent, by urgency."""

    news: OrderedDict[Key, None] = field(default_factory=_queue)
    resting: OrderedDict[Key, None] = field(default_factory=_queue)
    """Of which there are news, too soon after the last."""
    keyframe: OrderedDict[Key, None] = field(default_factory=_queue)
    """What the keyframe has not named yet."""
    fresh: OrderedDict[Key, None] = field(default_factory=_queue)
    """Never sent yet."""
    wanted: OrderedDict[Key, None] = field(default_factory=_queue)
    """To be sent in full: on the screen, as far as is known."""
    again: OrderedDict[Key, None] = field(default_factory=_queue)
    """Changed, and not sent from the first row on since somebody may have come."""
    details: OrderedDict[Key, None] = field(default_factory=_queue)
    """Of which a stretch is in sight."""
    regrown: OrderedDict[Key, None] = field(default_factory=_queue)
    """Of which a stretch is in sight, and which grew since it was sent."""
    finer: OrderedDict[Key, None] = field(default_factory=_queue)
    """To be sent in full: the others."""
    rest_until: float = float("inf")
    """When news that rest are to be looked at again."""

    def rest(self, key: Key, until: float) -> None:
        """There are news of it, but not before then."""
        self.resting[key] = None
        self.rest_until = min(self.rest_until, until)

    def wake(self, now: float) -> None:
        """Look at news that have rested, if it is time."""
        if now >= self.rest_until:
            self.rest_until = float("inf")
            while self.resting:
                self.news[self.resting.popitem(last=False)[0]] = None

    def put_off(self, key: Key, *, on_screen: bool) -> None:
        """A series travels coarsely for now: in full after all others, or before them."""
        self.finer[key] = None
        self.finer.move_to_end(key, last=not on_screen)
