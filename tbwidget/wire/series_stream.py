"""Send the series of one kind: coarsely at first, in full where they are on the screen, then new rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tbwidget.wire.backlog import Priority
from tbwidget.wire.content import SeriesCounts

if TYPE_CHECKING:
    from tbwidget.wire.content import Key, Series, SeriesContent
    from tbwidget.wire.draft import MessageBuilder
    from tbwidget.wire.state import ChannelState


@dataclass(slots=True)
class SeriesTrack:
    """State of one series."""

    is_full: bool = False
    """It travels in full; else in its coarse version."""
    sent: Any = None
    """Rows of a browser that saw every message; of the content's own type."""
    updated_at: float = float("-inf")
    """When an update of it was sent last."""
    last_full_keyframe: int = 0
    """Last keyframe in which the whole series was sent at this resolution."""
    last_full_seq: int = 0
    """Number of the message that did so."""


class SeriesStream:
    """The series of one kind."""

    def __init__(self, content: SeriesContent, state: ChannelState) -> None:
        self.content = content
        self._state = state
        self._tracks: dict[Key, SeriesTrack] = {}
        self._prefetched_bytes = 0

    def add(self, key: Key, *, is_small: bool) -> None:
        """Add a series that appeared; `is_small`: there is so little that it travels in full at once."""
        self._state.series_count += key not in self._tracks
        self._tracks[key] = SeriesTrack(is_small)

    def remove(self, key: Key) -> None:
        """Remove a series that vanished."""
        del self._tracks[key]
        self._state.series_count -= 1
        self._state.details.remove(key)

    def reset(self, key: Key) -> None:
        """Forget what browsers hold of a series."""
        self._tracks[key] = SeriesTrack(self._tracks[key].is_full)
        self._state.details.forget(key)

    def size(self, key: Key) -> int:
        """Return about how many bytes a series takes in full."""
        return self.content.full_size(self._state.read(self.content.read, key))

    def begin_keyframe(self, *, is_small: bool, asked: bool) -> None:
        """Begin a keyframe; `is_small`: all series travel in full at once; `asked`: prefetch as many as at first."""
        if is_small:
            for track in self._tracks.values():
                track.is_full, track.sent = True, None
        if asked:
            self._prefetched_bytes = 0

    def wanted(self, key: Key, seq: int, *, lacking: bool) -> tuple[Priority, ...]:
        """Return how to send a series of a viewport: in full, if it travels coarsely or the page lacks it."""
        track = self._tracks[key]
        again = lacking and track.last_full_seq <= seq
        if again:
            track.last_full_keyframe = 0
            self._state.details.forget(key)
        return (Priority.VISIBLE,) if again or not track.is_full else ()

    def unasked(self) -> Priority:
        """Return how to send more of a new series off the screen."""
        return Priority.PREFETCH

    def fits(self, builder: MessageBuilder) -> bool:
        """Whether any part of a series fits."""
        return builder.fits_series(self.content.max_bytes)

    def may_push(self) -> bool:
        """Whether series may be prefetched: during the initial scan, only those that are cheap to read."""
        return self._state.was_ready or self.content.cheap_to_read

    def send(self, priority: Priority, builder: MessageBuilder, key: Key, now: float) -> bool:
        """Add the due part of a series to the message: always all of it."""
        if (track := self._tracks.get(key)) is None:
            return False
        if priority == Priority.UPDATE and now < (until := track.updated_at + self._min_interval(key)):
            self._state.backlog.defer(key, until)
            return False
        if priority == Priority.PREFETCH and not (track.is_full or self._prefetched_bytes < self.content.push_bytes):
            return False
        series = self._read(priority, key)
        if priority == Priority.UPDATE:
            self._send_update(builder, key, track, series, now)
        elif priority == Priority.KEYFRAME:
            self._send_keyframe(builder, key, track, series)
        elif priority == Priority.NEW:
            self._send(builder, key, track, series, None)
        elif priority in (Priority.DETAIL, Priority.STALE_DETAIL):
            self._send_details(builder, key, track, series)
        else:
            is_prefetch, before = priority == Priority.PREFETCH and not track.is_full, builder.size
            self._send_in_full(builder, key, track, series)
            self._prefetched_bytes += builder.size - before if is_prefetch else 0
        return False

    def _read(self, priority: Priority, key: Key) -> Series:
        read = self.content.read
        if not self.content.cheap_to_read:
            return self._state.read(read, key)
        counts = self._counts(key)
        coarsely = priority in (Priority.KEYFRAME, Priority.NEW)
        prepare = (lambda many: self.content.prepare(many, counts)) if coarsely else None
        found: Series = self._state.read_ahead(read, key, priority, prepare)
        return found

    def _send_update(self, builder: MessageBuilder, key: Key, track: SeriesTrack, series: Series, now: float) -> None:
        """Send new rows; coarsely, if there were too many for long."""
        self._state.backlog.discard(Priority.NEW, key)
        state, on_screen = self._state, (key.kind, key.tag) in self._state.on_screen
        if track.is_full and state.scheduler.is_behind(now, on_screen=on_screen):
            track.is_full = False
            # It travels in full after all others, or before them.
            state.backlog.add(Priority.PREFETCH, key)
            state.backlog[Priority.PREFETCH].move_to_end(key, last=not on_screen)
        self._send(builder, key, track, series, track.sent)
        track.updated_at = now
        # A client that came after the keyframe cannot use appended rows alone.
        if track.last_full_keyframe < state.full_required_since and (self.content.cheap_to_read or on_screen):
            state.backlog.add(Priority.RESEND, key)

    def _send_keyframe(self, builder: MessageBuilder, key: Key, track: SeriesTrack, series: Series) -> None:
        """A keyframe names each series from its first row on: coarsely, where browsers may hold it in full."""
        counts = self._counts(key)
        if not track.is_full or self.content.coarse_is_full(series, counts):
            track.sent = None
        self._send(builder, key, track, series, track.sent)
        # Browsers that hold it in full, now up to its end, ignore this.
        if track.last_full_keyframe < self._state.keyframe and (
            part := self.content.next_part(series, None, counts, fine=False)
        ):
            builder.add_series(self.content, key, series, part)

    def _send_in_full(self, builder: MessageBuilder, key: Key, track: SeriesTrack, series: Series) -> None:
        """Send a series in full, unless that was done since the last keyframe for new clients began."""
        track.is_full = True
        whole = track.last_full_keyframe >= self._state.full_required_since
        self._send(builder, key, track, series, track.sent if whole else None)

    def _send_details(self, builder: MessageBuilder, key: Key, track: SeriesTrack, series: Series) -> None:
        """Send the visible segment of a long series in narrower rows than its full version has."""
        self._state.backlog.discard(Priority.STALE_DETAIL, key)
        for stretch, linked in self._state.details.stretches(key, self.content, series, track.sent):
            builder.add_detail(self.content, key, series, stretch, linked=linked)

    def _send(self, builder: MessageBuilder, key: Key, track: SeriesTrack, series: Series, sent: Any) -> None:
        self._state.backlog.discard(Priority.UPDATE, key)
        part = self.content.next_part(series, sent, self._counts(key), fine=track.is_full)
        if part is None:
            return
        builder.add_series(self.content, key, series, part)
        self._state.note_rows(key, series)
        if sent is not None:
            self._state.details.grew(key, follows_linked_step=self.content.follows_linked_step)
        track.sent = part.sent
        if part.keep == 0:
            track.last_full_keyframe, track.last_full_seq = self._state.keyframe, self._state.seq + 1

    def _min_interval(self, key: Key) -> float:
        """Seconds between two updates of a series at least: longer off the screen, while a page is behind."""
        state = self._state
        interval = self.content.min_interval(self._counts(key))
        return interval if (key.kind, key.tag) in state.visible else max(interval, state.scheduler.off_screen_interval)

    def _counts(self, key: Key) -> SeriesCounts:
        return SeriesCounts(self._state.series_count, len(self._state.keys.of((key.kind, key.tag))))
