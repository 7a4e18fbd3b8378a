"""What of the series of one kind is sent when: coarse first, in full where it is looked at, then what is new."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tbwidget.wire.content import SeriesCounts
from tbwidget.wire.queue import Urgency

if TYPE_CHECKING:
    from tbwidget.wire.content import Key, Series, SeriesContent
    from tbwidget.wire.draft import Draft
    from tbwidget.wire.state import ChannelState


@dataclass(slots=True)
class Track:
    """What the channel knows of one series."""

    fine: bool = False
    """It travels in full; else in its coarse version."""
    sent: Any = None
    """What browsers hold that saw every message."""
    news_at: float = float("-inf")
    """When news of it traveled last."""
    whole_since: int = 0
    """The last keyframe after whose beginning the series traveled, in this version, from its first row on."""
    whole_seq: int = 0
    """The message that brought it so."""


class SeriesStream:
    """The series of one kind."""

    def __init__(self, content: SeriesContent, state: ChannelState) -> None:
        self.content = content
        self._state = state
        self._tracks: dict[Key, Track] = {}
        self._pushed_bytes = 0

    def add(self, key: Key, *, fine: bool) -> None:
        """A series appeared; `fine`: it travels in full at once."""
        self._state.series_count += key not in self._tracks
        self._tracks[key] = Track(fine)

    def remove(self, key: Key) -> None:
        """A series vanished."""
        del self._tracks[key]
        self._state.series_count -= 1
        self._state.zoom.remove(key)

    def reset(self, key: Key) -> None:
        """It is not known what browsers hold of a series."""
        self._tracks[key] = Track(self._tracks[key].fine)
        self._state.zoom.forget(key)

    def size(self, key: Key) -> int:
        """Bytes that a series takes in full, about."""
        series = self._state.read(self.content.read, key)
        return 0 if series is None else self.content.full_size(series)

    def begin_keyframe(self, *, few: bool, asked: bool) -> None:
        """With `few` series all travel in full at once; if one asked, as many unasked as at first."""
        if few:
            for track in self._tracks.values():
                track.fine, track.sent = True, None
        if asked:
            self._pushed_bytes = 0

    def wanted(self, key: Key, seq: int, *, lacking: bool) -> tuple[Urgency, ...]:
        """A viewport shows a series in full: where it lacks that, or where the series travels coarsely."""
        track = self._tracks[key]
        again = lacking and track.whole_seq <= seq
        if again:
            track.whole_since = 0
            self._state.zoom.forget(key)
        return (Urgency.WANTED,) if again or not track.fine else ()

    def unasked(self) -> Urgency:
        """A new series is sent in full, too."""
        return Urgency.UNASKED

    def fits(self, draft: Draft) -> bool:
        """Whether there is room for a series, whatever is sent of it."""
        return draft.fits_series(self.content.max_bytes)

    def may_push(self) -> bool:
        """Whether now is the time to send what nobody asked for: not while what was read is sent over and over."""
        return self._state.was_ready or self.content.cheap_to_read

    def send(self, urgency: Urgency, draft: Draft, key: Key, now: float) -> bool:
        """Add to the message what is to be sent of a series: always all of it."""
        if (track := self._tracks.get(key)) is None:
            return False
        if urgency == Urgency.NEWS and now < (until := track.news_at + self._min_interval(key)):
            self._state.queue.defer(key, until)
            return False
        if urgency == Urgency.UNASKED and not (track.fine or self._pushed_bytes < self.content.push_bytes):
            return False
        if (series := self._read(urgency, key)) is not None:
            if urgency == Urgency.NEWS:
                self._send_news(draft, key, track, series, now)
            elif urgency == Urgency.KEYFRAME:
                self._send_keyframe(draft, key, track, series)
            elif urgency == Urgency.NEW:
                self._send(draft, key, track, series, None)
            elif urgency in (Urgency.DETAIL, Urgency.REGROWN):
                self._send_details(draft, key, track, series)
            else:
                unasked, before = urgency == Urgency.UNASKED and not track.fine, draft.size
                self._send_in_full(draft, key, track, series)
                self._pushed_bytes += draft.size - before if unasked else 0
        return False

    def _read(self, urgency: Urgency, key: Key) -> Series | None:
        read = self.content.read
        if not self.content.cheap_to_read:
            return self._state.read(read, key)
        counts = self._counts(key)
        coarsely = urgency in (Urgency.KEYFRAME, Urgency.NEW)
        prepare = (lambda many: self.content.prepare(many, counts)) if coarsely else None
        found: Series | None = self._state.read_ahead(read, key, urgency, prepare)
        return found

    def _send_news(self, draft: Draft, key: Key, track: Track, series: Series, now: float) -> None:
        """Send new rows: coarsely, where there are too many."""
        self._state.queue.discard(Urgency.NEW, key)
        state, on_screen = self._state, (key.kind, key.tag) in self._state.on_screen
        if track.fine and state.pace.is_behind(now, on_screen=on_screen):
            track.fine = False
            # It travels in full after all others, or before them.
            state.queue.add(Urgency.UNASKED, key)
            state.queue[Urgency.UNASKED].move_to_end(key, last=not on_screen)
        self._send(draft, key, track, series, track.sent)
        track.news_at = now
        # Whoever came since the keyframe cannot use mere additions.
        if track.whole_since < state.needed_since and (self.content.cheap_to_read or on_screen):
            state.queue.add(Urgency.AGAIN, key)

    def _send_keyframe(self, draft: Draft, key: Key, track: Track, series: Series) -> None:
        """A keyframe names each series from its first row on: coarsely, where browsers may hold it in full."""
        counts = self._counts(key)
        if not track.fine or self.content.coarse_is_full(series, counts):
            track.sent = None
        self._send(draft, key, track, series, track.sent)
        # Browsers that hold it in full, now up to its end, ignore this.
        if track.whole_since < self._state.keyframe and (
            part := self.content.next_part(series, None, counts, fine=False)
        ):
            draft.add_series(self.content, key, series, part)

    def _send_in_full(self, draft: Draft, key: Key, track: Track, series: Series) -> None:
        """Send a series in full, unless that has been done since the keyframe began that was for newcomers."""
        track.fine = True
        whole = track.whole_since >= self._state.needed_since
        self._send(draft, key, track, series, track.sent if whole else None)

    def _send_details(self, draft: Draft, key: Key, track: Track, series: Series) -> None:
        """Send the stretch of a long series that is in sight in narrower rows than its full version has."""
        self._state.queue.discard(Urgency.REGROWN, key)
        for stretch, linked in self._state.zoom.stretches(key, self.content, series, track.sent):
            draft.add_detail(self.content, key, series, stretch, linked=linked)

    def _send(self, draft: Draft, key: Key, track: Track, series: Series, sent: Any) -> None:
        self._state.queue.discard(Urgency.NEWS, key)
        part = self.content.next_part(series, sent, self._counts(key), fine=track.fine)
        if part is None:
            return
        draft.add_series(self.content, key, series, part)
        self._state.note_rows(key, series)
        if sent is not None:
            self._state.zoom.grew(key, follows_linked_step=self.content.follows_linked_step)
        track.sent = part.sent
        if part.keep == 0:
            track.whole_since, track.whole_seq = self._state.keyframe, self._state.seq + 1

    def _min_interval(self, key: Key) -> float:
        """Seconds between two updates of a series at least: longer off the screen, while a page is behind."""
        state = self._state
        interval = self.content.min_interval(self._counts(key))
        return interval if (key.kind, key.tag) in state.visible else max(interval, state.pace.off_screen_interval)

    def _counts(self, key: Key) -> SeriesCounts:
        return SeriesCounts(self._state.series_count, self._state.listing.runs_beside(key))
