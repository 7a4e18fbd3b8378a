"""Which stretches of long series the browser looks at closely, and which of them are to be sent (again)."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from tbwidget.panels.kinds import KINDS
from tbwidget.panels.sight import Sight

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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
        self._steps: tuple[float, float] | None = None
        self._linked: float | None = None
        self._near: frozenset[str] = frozenset()
        self._seen: frozenset[str] = frozenset()
        self._share = 1.0
        self._sights: dict[Key, Sight] = {}
        self._sent: dict[tuple[Key, bool], tuple[int, range, int, float]] = {}
        self._grown: OrderedDict[Key, None] = OrderedDict()
        self._look_again_at = self._now = float("-inf")

    def look(
        self, tags: Iterable[str], near: Iterable[str], steps: tuple[float, float] | None, linked: float | None
    ) -> None:
        """The browser looks at these tags: of those `near` at the steps given, None: all. `linked` is pointed out."""
        if (steps, linked) != (self._steps, self._linked):
            self._sights.clear()
        self._steps, self._linked = steps, linked
        self._near = frozenset(near) if steps is not None else frozenset()
        self._seen = frozenset(tags) if linked is not None else frozenset()

    def line_up(self, tags: Iterable[str], listing: Listing) -> OrderedDict[Key, None]:
        """The series looked at closely, in the order of `tags`."""
        keys = OrderedDict.fromkeys(
            key for tag in tags if tag in self._near or tag in self._seen for key in listing.of(tag)
        )
        self._share = max(LEAST_SHARE, min(1.0, USUAL_SERIES / max(1, len(keys))))
        self._sights = {key: sight for key, sight in self._sights.items() if key in keys}
        return keys

    def stretches(self, key: Key, series: Any, track: Track) -> Iterator[tuple[range, bool]]:
        """What of a series is to be sent in detail now, and has not been; True: for it lies about the linked step."""
        kind = KINDS[track.kind]
        sight = self._sights.setdefault(key, Sight())
        sight.look_at(series, self._steps if key[1] in self._near else None, self._linked if kind.links else None)
        for linked, closer in (
            (False, sight.inside and kind.stretch(series, track.sent, sight.inside, self._share)),
            (True, sight.at is not None and kind.around(series, track.sent, sight.at, self._share)),
        ):
            if closer and self._is_new((key, linked), series.revision, *closer):
                yield closer[0], linked

    def _is_new(self, of: tuple[Key, bool], revision: int, found: range, base: int) -> bool:
        if (sent := self._sent.get(of)) is not None:
            before, stretch, width, at = sent
            same = (before, stretch.start, stretch.step, width) == (revision, found.start, found.step, base)
            if same and found.stop == stretch.stop:
                return False
            # A stretch travels whole: not with every point that comes behind it.
            if same and abs(found.stop - stretch.stop) < base and self._now < at + TAIL_PERIOD:
                self._grown[of[0]] = None
                return False
        self._sent[of] = revision, found, base, self._now
        return True

    def forget(self, key: Key | None = None) -> None:
        """What was sent of a series, or of all, may not be held any more."""
        if key is None:
            self._sent.clear()
        else:
            self._sent.pop((key, False), None)
            self._sent.pop((key, True), None)

    def grew(self, key: Key, kind: str) -> None:
        """A series has more points, or wider buckets, than before."""
        if key[1] in self._near or (key[1] in self._seen and KINDS[kind].links):
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
