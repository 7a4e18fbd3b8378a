"""Which segments of long series the browsers look at closely, and which of these are to be sent (again)."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tbwidget.wire.clients import Focus
from tbwidget.wire.keys import Group

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tbwidget.wire.content import Key, Series, SeriesContent
    from tbwidget.wire.keys import Keys


@dataclass(slots=True)
class VisibleRows:
    """Rows of a series that were found so far, always for the same steps."""

    inside: range | None = None
    """From the first to behind the last row whose step is visible; None without any."""
    at: int | None = None
    """The row that stands for the linked step: of the largest step up to it, the last; None without any."""
    _at_step: int = 0
    _revision: int | None = None
    _rows: int = 0

    def look_at(self, series: Series, steps: tuple[float, float] | None, linked: float | None) -> None:
        """Look at the rows that are new."""
        if self._revision != series.revision or self._rows > len(series):
            self.inside, self.at, self._rows, self._revision = None, None, 0, series.revision
        begin, step = self._rows, series.step[self._rows :]
        self._rows = len(series)
        if steps is not None and len(found := np.flatnonzero((step >= steps[0]) & (step <= steps[1]))):
            first = begin + int(found[0]) if self.inside is None else self.inside.start
            self.inside = range(first, begin + int(found[-1]) + 1)
        if linked is not None and len(found := np.flatnonzero(step <= linked)):
            # The last of equal ones.
            nearest = found[len(found) - 1 - int(np.argmax(step[found][::-1]))]
            if self.at is None or step[nearest] >= self._at_step:
                self.at, self._at_step = begin + int(nearest), int(step[nearest])


USUAL_SERIES = 48
"""Series in sight whose stretches are sent in their usual size: smaller ones, the more there are."""

MIN_DETAIL_SHARE = 1 / 16
"""Of that size they have nevertheless."""

REGROWN_PERIOD = 1.0
"""Seconds between two looks at what grew while it was looked at closely."""

TAIL_PERIOD = 4.0
"""Seconds for which what came behind may stay in a bucket, if it is less than one."""

_NOTHING = Focus()


class DetailTracker:
    """What is looked at closely. Times are seconds of one monotonic clock."""

    def __init__(self) -> None:
        self._focus: Mapping[Group, Focus] = {}
        self._share = 1.0
        self._visible: dict[Key, tuple[Focus, VisibleRows]] = {}
        self._sent: dict[tuple[Key, bool], tuple[int, range, int, float]] = {}
        self._grown: OrderedDict[Key, None] = OrderedDict()
        self._look_again_at = self._now = float("-inf")

    def set_focus(self, focus: Mapping[Group, Focus]) -> None:
        """This is looked at now."""
        self._focus = focus

    def line_up(self, groups: Iterable[Group], all_keys: Keys) -> OrderedDict[Key, None]:
        """The series looked at closely, in the order of `groups`."""
        keys = OrderedDict.fromkeys(key for group in groups if group in self._focus for key in all_keys.of(group))
        self._share = max(MIN_DETAIL_SHARE, min(1.0, USUAL_SERIES / max(1, len(keys))))
        self._visible = {key: visible for key, visible in self._visible.items() if key in keys}
        return keys

    def stretches(self, key: Key, content: SeriesContent, series: Any, sent: Any) -> Iterator[tuple[range, bool]]:
        """What of a series is to be sent in detail now, and has not been; True: for it lies about the linked step."""
        focus = self._focus.get(Group(key.kind, key.tag), _NOTHING)
        known = self._visible.get(key)
        visible = known[1] if known is not None and known[0] == focus else VisibleRows()
        self._visible[key] = focus, visible
        visible.look_at(series, focus.steps, focus.linked if content.follows_linked_step else None)
        for linked, closer in (
            (False, visible.inside and content.detail(series, sent, visible.inside, self._share, focus.reduced)),
            (True, visible.at is not None and content.linked_detail(series, sent, visible.at, self._share)),
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

    def remove(self, key: Key) -> None:
        """A series vanished."""
        self.forget(key)
        self._visible.pop(key, None)
        self._grown.pop(key, None)

    def grew(self, key: Key, *, follows_linked_step: bool) -> None:
        """A series has more points, or wider buckets, than before."""
        focus = self._focus.get(Group(key.kind, key.tag)) if self._focus else None
        if focus is not None and (focus.steps is not None or follows_linked_step):
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
