"""Send the series of one kind: coarsely at first, in full where they are on the screen, then new rows and details."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from tbwidget.wire.clients import Focus
from tbwidget.wire.content import Group, SeriesCounts
from tbwidget.wire.keys import KeyState, Stream
from tbwidget.wire.message import ENTRY_BYTES, MAX_CONTENT_BYTES
from tbwidget.wire.plan import Priority

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tbwidget.wire.content import Key, Series, SeriesContent
    from tbwidget.wire.keys import ChannelState, Keys
    from tbwidget.wire.message import MessageBuilder


_ENTRIES = 2 * (1_200 + ENTRY_BYTES)
"""Bytes of a series in a message beside its rows: tables and entries of its new rows, and of its coarse version."""

_NOTHING = Focus()


@dataclass(slots=True)
class VisibleRows:
    """Rows of a series that were found so far, always for the same steps."""

    focus: Focus = _NOTHING
    """The steps that the viewports show in detail."""
    inside: range | None = None
    """From the first to behind the last row whose step is visible; None without any."""
    at: int | None = None
    """The row that stands for the linked step: of the largest step up to it, the last; None without any."""
    _revision: int | None = None
    _rows: int = 0

    def update(self, series: Series, steps: tuple[float, float] | None, linked: float | None) -> None:
        """Find the visible rows among those that are new."""
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
            if self.at is None or step[nearest] >= series.step[self.at]:
                self.at = begin + int(nearest)


MAX_SMALL_KEYS = 200
"""Upper bound for the keys of a directory whose series are named in full, while a message is not half full."""

USUAL_SERIES = 48
"""Visible series whose segments have their usual size; with more series they are smaller."""

MIN_DETAIL_SHARE = 1 / 16
"""Smallest share of the usual size that a segment has."""

REGROWN_PERIOD = 1.0
"""Seconds between two updates of the details of series that grow."""

SentDetail = tuple[int, range, int, float]
"""A detail that was sent: revision and rows of the series, width of its rows otherwise, and when."""

TAIL_PERIOD = 4.0
"""Seconds for which new rows behind a segment may stay out of it, if they are less than a bucket."""


class DetailTracker:
    """Finds visible segments of long series that were not sent. Times are seconds of a monotonic clock."""

    def __init__(self) -> None:
        self.focus: Mapping[Group, Focus] = {}
        """The groups that viewports show in detail."""
        self._share = 1.0
        self._grown: OrderedDict[Key, None] = OrderedDict()
        self._details_due_at = self._now = float("-inf")

    def line_up(self, groups: Iterable[Group], all_keys: Keys) -> OrderedDict[Key, None]:
        """Return the series that viewports show in detail, in the order of `groups`."""
        keys = OrderedDict.fromkeys(key for group in groups if group in self.focus for key in all_keys.of(group))
        self._share = max(MIN_DETAIL_SHARE, min(1.0, USUAL_SERIES / max(1, len(keys))))
        return keys

    def segments(
        self, key: Key, content: SeriesContent, series: Any, track: SeriesState
    ) -> Iterator[tuple[range, bool]]:
        """Return the segments of a series that are due and were not sent; True: it surrounds the linked step."""
        focus, visible = self.focus.get(key.group, _NOTHING), track.visible
        if visible is None or visible.focus != focus:
            visible = track.visible = VisibleRows(focus)
        visible.update(series, focus.steps, focus.linked if content.follows_linked_step else None)
        for linked, closer in (
            (False, visible.inside and content.detail(series, track.sent, visible.inside, self._share, focus.reduced)),
            (True, visible.at is not None and content.linked_detail(series, track.sent, visible.at, self._share)),
        ):
            if not closer:
                continue
            found, base = closer
            before, segment, width, at = track.details.get(linked, (None, found, base, 0.0))
            if (before, segment.start, segment.step, width) == (series.revision, found.start, found.step, base):
                if found.stop == segment.stop:
                    continue
                # A segment travels whole, so it is not sent for every new point behind it.
                if abs(found.stop - segment.stop) < base and self._now < at + TAIL_PERIOD:
                    self._grown[key] = None
                    continue
            track.details[linked] = series.revision, found, base, self._now
            yield found, linked

    def grew(self, key: Key, *, follows_linked_step: bool) -> None:
        """Note that a series has more points, or wider buckets, than before."""
        focus = self.focus.get(key.group) if self.focus else None
        if focus is not None and (focus.steps is not None or follows_linked_step):
            self._grown[key] = None

    def regrown(self, now: float) -> OrderedDict[Key, None]:
        """Return the series whose details are stale; none before the period has passed."""
        self._now = now
        if not self._grown or now < self._details_due_at:
            return OrderedDict()
        grown, self._grown = self._grown, OrderedDict()
        self._details_due_at = now + REGROWN_PERIOD
        return grown

    def wait(self, now: float) -> float:
        """Return the seconds until `regrown` has something; infinity if nothing grew."""
        return max(0.0, self._details_due_at - now) if self._grown else float("inf")


@dataclass(slots=True)
class SeriesState(KeyState):
    """State of one series."""

    is_full: bool = False
    """It travels in full; else in its coarse version."""
    sent: Any = None
    """Rows of a client that saw every message; of the content's own type."""
    updated_at: float = float("-inf")
    """When an update of it was sent last."""
    visible: VisibleRows | None = None
    """The rows that viewports showed in detail last."""
    details: dict[bool, SentDetail] = field(default_factory=dict)
    """The details that were sent, unless clients may have lost them; True: the one around the linked step."""


class SeriesStream(Stream[SeriesState]):
    """The series of one kind."""

    prefetch = Priority.PREFETCH

    def __init__(self, content: SeriesContent, state: ChannelState, details: DetailTracker) -> None:
        super().__init__(state, SeriesState)
        self.content = content
        self._details = details

    def reset(self, key: Key) -> None:
        """Forget what clients hold of a series."""
        self._keys[key] = SeriesState(is_full=self._keys[key].is_full)

    def restart(self) -> None:
        """Send details again, too."""
        super().restart()
        for track in self._keys.values():
            track.details.clear()

    def wanted(self, key: Key, seq: int, *, lacking: bool) -> tuple[Priority, ...]:
        """Return how to send a series of a viewport: in full, if it travels coarsely or the page lacks it."""
        track = self._keys[key]
        again = lacking and track.sent_seq <= seq
        if again:
            track.keyframe = 0
            track.details.clear()
        return (Priority.VISIBLE,) if again or not track.is_full else ()

    def fits(self, builder: MessageBuilder) -> bool:
        """Whether any part of a series fits."""
        return builder.space > self.content.max_bytes + _ENTRIES

    def may_prefetch(self) -> bool:
        """Whether series may be prefetched: during the initial scan, only those that are cheap to read."""
        return self._state.was_ready or self.content.cheap_to_read

    def send(self, priority: Priority, builder: MessageBuilder, key: Key, now: float) -> bool:
        """Add the due part of a series to the message: always all of it."""
        if (track := self._keys.get(key)) is None:
            return False
        state, content = self._state, self.content
        counts = SeriesCounts(state.keys.series_count, len(state.keys.of(key.group)))
        interval = content.min_interval(counts)
        if key.group not in state.visible:  # updates off the screen are rarer while a page is behind
            interval = max(interval, state.scheduler.off_screen_interval)
        if priority == Priority.UPDATE and now < track.updated_at + interval:
            state.backlog.defer(key, track.updated_at + interval)
            return False
        is_prefetch, before = priority == Priority.PREFETCH and not track.is_full, builder.size
        if is_prefetch and self._prefetched_bytes >= content.prefetch_bytes:
            return False
        series = self._read(priority, key, counts)
        if priority == Priority.UPDATE:
            self._send_update(builder, key, track, series, counts, now)
        elif priority in (Priority.KEYFRAME, Priority.NEW):
            self._name(builder, key, track, series, counts)
        elif priority in (Priority.DETAIL, Priority.STALE_DETAIL):
            # The visible segment of a long series, in narrower rows than its full version has.
            state.backlog.discard(Priority.STALE_DETAIL, key)
            for segment, is_linked in self._details.segments(key, content, series, track):
                entry = content.detail_entry(series, segment, builder.columns, key.run)
                builder.add("details", key, {**entry, "linked": True} if is_linked else entry)
        else:
            # In full, unless that was done since the last keyframe for new clients began.
            track.is_full = True
            whole = track.keyframe >= state.full_required_since
            self._send(builder, key, track, series, counts, track.sent if whole else None)
            self._prefetched_bytes += builder.size - before if is_prefetch else 0
        return False

    def _read(self, priority: Priority, key: Key, counts: SeriesCounts) -> Series:
        read, coarsely = self.content.read, priority in (Priority.KEYFRAME, Priority.NEW)
        if not self.content.cheap_to_read:
            return self._state.read(read, key)
        found: Series = self._state.read_ahead(
            read, key, priority, lambda many: self.content.prepare(many, counts) if coarsely else many
        )
        return found

    def _send_update(
        self, builder: MessageBuilder, key: Key, track: SeriesState, series: Series, counts: SeriesCounts, now: float
    ) -> None:
        """Send new rows; coarsely, if there were too many for long."""
        self._state.backlog.discard(Priority.NEW, key)
        state, on_screen = self._state, key.group in self._state.on_screen
        if track.is_full and state.scheduler.is_behind(now, on_screen=on_screen):
            track.is_full = False
            # It travels in full after all others, or before them.
            state.backlog.add(Priority.PREFETCH, key)
            state.backlog[Priority.PREFETCH].move_to_end(key, last=not on_screen)
        self._send(builder, key, track, series, counts, track.sent)
        track.updated_at = now
        # A client that came after the keyframe cannot use appended rows alone.
        if track.keyframe < state.full_required_since and (self.content.cheap_to_read or on_screen):
            state.backlog.add(Priority.RESEND, key)

    def _name(
        self, builder: MessageBuilder, key: Key, track: SeriesState, series: Series, counts: SeriesCounts
    ) -> None:
        """Name a series from its first row on: coarsely, where browsers may hold it in full, and many keys follow."""
        state, content = self._state, self.content
        is_small = len(state.keys.all) <= MAX_SMALL_KEYS and state.budget.blob_share is None
        if is_small and builder.size + content.full_size(series) < MAX_CONTENT_BYTES / 2:
            track.is_full, track.sent = True, None
        elif not track.is_full or content.coarse_is_full(series, counts):
            track.sent = None
        self._send(builder, key, track, series, counts, track.sent)
        # Browsers that hold it in full, now up to its end, ignore this.
        if track.keyframe < state.keyframe and (part := content.next_part(series, None, counts, fine=False)):
            builder.add("series", key, content.entry(series, part, builder.columns, key.run))

    def _send(
        self, builder: MessageBuilder, key: Key, track: SeriesState, series: Series, counts: SeriesCounts, sent: Any
    ) -> None:
        self._state.backlog.discard(Priority.UPDATE, key)
        part = self.content.next_part(series, sent, counts, fine=track.is_full)
        if part is None:
            return
        builder.add("series", key, self.content.entry(series, part, builder.columns, key.run))
        self._state.note_rows(key, series)
        if sent is not None:
            self._details.grew(key, follows_linked_step=self.content.follows_linked_step)
        track.sent = part.sent
        if part.keep == 0:
            track.keyframe, track.sent_seq = self._state.keyframe, self._state.seq + 1
