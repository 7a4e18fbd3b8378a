"""What a feed knows of each series, and which series wait to be sent."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field

from tbwidget.panels.draft import Key
from tbwidget.panels.scalars import Sent


@dataclass(slots=True)
class Track:
    """What the feed knows of one series."""

    fine: bool = False
    """It travels in full; else in its coarse version."""
    sent: Sent | None = None
    """What browsers hold that saw every message."""
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
