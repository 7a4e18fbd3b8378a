"""Which stretches of long series the browser looks at closely, and which of them are to be sent (again)."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from tbwidget.panels.kinds import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tbwidget.panels.draft import Key
    from tbwidget.panels.listing import Listing
    from tbwidget.panels.work import Track

USUAL_SERIES = 48
"""Series in sight whose stretches are sent in their usual size: smaller ones, the more there are."""

LEAST_SHARE = 1 / 16
"""Of that size they have nevertheless."""

REGROWN_PERIOD = 1.0
"""Seconds between two looks at what grew while it was looked at closely."""

TAIL_PERIOD = 4.0
"""Seconds for which what came behind may stay in a bucket, if it is less than one."""


class Zoom:
    """What is looked at closely. Times are seconds of one monotonic clock."""

    def __init__(self) -> None:
        self.steps: tuple[float, float] | None = None
        """The first and the last step in sight; None for all."""
        self._tags: frozenset[str] = frozenset()
        self._share = 1.0
        self._sent: dict[Key, tuple[int, range, int, float]] = {}
        self._grown: OrderedDict[Key, None] = OrderedDict()
        self._look_again_at = self._now = float("-inf")

    def look(self, tags: Iterable[str], steps: tuple[float, float] | None) -> None:
        """The browser looks at these steps of these tags."""
        self.steps = steps
        self._tags = frozenset(tags) if steps is not None else frozenset()

    def line_up(self, tags: Iterable[str], listing: Listing) -> OrderedDict[Key, None]:
        """The series looked at closely, in the order of `tags`."""
        keys = OrderedDict.fromkeys(key for tag in tags if tag in self._tags for key in listing.of(tag))
        self._share = max(LEAST_SHARE, min(1.0, USUAL_SERIES / max(1, len(keys))))
        return keys

    def stretch(self, key: Key, series: Any, track: Track) -> range | None:
        """What of a series is to be sent in detail now; None if nothing is, or has been already."""
        if self.steps is None:
            return None
        closer = KINDS[track.kind].stretch(series, track.sent, self.steps, self._share)
        if closer is None:
            return None
        found, base = closer
        if (sent := self._sent.get(key)) is not None:
            revision, stretch, width, at = sent
            same = (revision, stretch.start, stretch.step, width) == (series.revision, found.start, found.step, base)
            if same and found.stop == stretch.stop:
                return None
            # A stretch travels whole: not with every point that comes behind it.
            if same and abs(found.stop - stretch.stop) < base and self._now < at + TAIL_PERIOD:
                self._grown[key] = None
                return None
        self._sent[key] = series.revision, found, base, self._now
        return found

    def forget(self, key: Key | None = None) -> None:
        """What was sent of a series, or of all, may not be held any more."""
        if key is None:
            self._sent.clear()
        else:
            self._sent.pop(key, None)

    def grew(self, key: Key) -> None:
        """A series has more points, or wider buckets, than before."""
        if key[1] in self._tags:
            self._grown[key] = None

    def regrown(self, now: float) -> OrderedDict[Key, None]:
        """Series that grew while they were looked at closely; none before it is time to look again."""
        self._now = now
        if not self._grown or now < self._look_again_at:
            return OrderedDict()
        grown, self._grown = self._grown, OrderedDict()
        self._look_again_at = now + REGROWN_PERIOD
        return grown

    def wait(self, now: float) -> float:
        """Seconds until it is time to look again; infinite where nothing grew."""
        return max(0.0, self._look_again_at - now) if self._grown else float("inf")
