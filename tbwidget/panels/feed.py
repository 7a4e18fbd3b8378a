"""What to send next: turns a log directory that grows into messages of bounded size, paced, that survive loss.

Nothing here knows of widgets, threads or clocks: `Feed.next_message(now)` is asked by whoever sends. WIRE.md describes
the messages.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from tbwidget.logs.natural import natural_key
from tbwidget.panels.draft import ALL_SERIES_BYTES, PROTOCOL, Draft, Key, Message
from tbwidget.panels.kinds import KINDS, Crowd
from tbwidget.panels.listing import LISTED_A_SECOND, Listing
from tbwidget.panels.pace import INTERVAL, LIVE_BYTES, Pace
from tbwidget.panels.status import Status
from tbwidget.panels.work import Track, Work
from tbwidget.panels.zoom import Zoom

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tbwidget.logs import Changes, LogDir
    from tbwidget.panels.times import Timed

FEW_SERIES = 200
"""Up to this many series travel in full at once, if they fit into one message."""


class Feed:
    """The stream of messages for one dashboard. Every method may be called from any thread."""

    def __init__(self, logs: LogDir, kinds: Sequence[str] = tuple(KINDS)) -> None:
        self._logs = logs
        self._kinds = kinds
        self._lock = threading.RLock()
        self._pace = Pace()
        self._status = Status(logs)
        self._tracks: dict[Key, Track] = {}
        self._listing = Listing()
        self._heard_of: dict[Key, str] = {}
        self._view: list[str] = []
        self._zoom = Zoom()
        self._work = Work()
        self._seq = 0
        self._keyframe = self._anew = 0
        self._keyframe_open = self._keyframe_begins = False
        self._unasked_bytes = dict.fromkeys(kinds, 0)
        self._refused: set[Key] = set()
        self._catalog_changed = True
        self._list_again_at = float("-inf")
        self._was_ready = False
        self._pending_change = False

    def changed(self, changes: Changes) -> None:
        """Take note of what the follower has read."""
        with self._lock:
            self._pending_change = True
            self._catalog_changed |= changes.catalog
            for kind, run, tag in changes.series:
                if kind not in self._kinds:
                    continue
                track = self._tracks.get((run, tag))
                if track is not None and track.kind == kind:
                    self._work.news[run, tag] = None
                elif track is None and (run, tag) not in self._refused:
                    self._heard_of[run, tag] = kind

    def hello(self, *, complete: bool) -> None:
        """Say that a browser is listening, and whether it holds everything sent so far."""
        with self._lock:
            self._pace.heard()
            if not complete:
                self._pace.ask_keyframe()

    def view(
        self,
        tags: Iterable[str],
        want: Iterable[str],
        seq: int,
        steps: tuple[float, float] | None = None,
        near: Iterable[str] | None = None,
        linked: float | None = None,
    ) -> None:
        """Say which tags are on the screen, in its order, and which steps: the first and the last; None for all.

        Of the tags, `want` were held by the browser in less than full detail when it had seen message `seq`; the steps
        are those of `near`, None for every tag. All of them point out the step `linked`.
        """
        with self._lock:
            self._pace.heard()
            self._view = self._listing.tags_named(tags)
            near = self._view if near is None else self._listing.tags_named(near)
            self._zoom.look(self._view, near, steps, linked)
            later, self._work.wanted = self._work.wanted, OrderedDict()
            wanted = set(self._listing.tags_named(want))
            for tag in self._view:
                for key in self._listing.of(tag):
                    track = self._tracks[key]
                    wants = tag in wanted and track.whole_seq <= seq
                    if wants:
                        track.whole_since = 0
                        self._zoom.forget(key)
                    if wants or not track.fine:
                        self._work.wanted[key] = None
            for key in self._work.finer:
                later[key] = None
            self._work.finer = later
            self._work.details = self._zoom.line_up(self._view, self._listing)

    @property
    def busy(self) -> bool:
        """There is more to send than news."""
        work = self._work
        return bool(work.keyframe or work.fresh or work.wanted or work.again or work.details or work.finer)

    def next_message(self, now: float) -> tuple[Message | None, float]:
        """The message due at `now` (seconds of a monotonic clock), or None; and the seconds until the next may be."""
        with self._lock:
            wait = self._pace.wait(now)
            if wait > 0:
                return None, wait
            ready, was_ready = self._logs.ready, self._was_ready
            if self._catalog_changed and (now >= self._list_again_at or ready != was_ready):
                self._catalog_changed = False
                kinds = self._list_series()
                self._list_again_at = now + len(self._tracks) / LISTED_A_SECOND
                self._status.catalog_changed(kinds)
            elif self._heard_of:
                self._welcome(self._heard_of)
            if self._pending_change:
                self._pending_change = False
                self._pace.data_changed()
                if was_ready:  # what the first pass found is not news
                    self._status.data_changed(now)
            self._was_ready = ready
            if self._pace.keyframe_due(now):
                self._begin_keyframe(now)
            # Of the first reading nothing is news.
            allowance = self._pace.news_allowance(now) if was_ready else float("inf")
            message, news = self._compose(now, allowance, ready=ready)
            if message is None:
                return None, self._idle_wait(now, reading=not ready)
            self._pace.sent(now, message.size, news if was_ready else 0)
            return message, self._pace.wait(now)

    def _idle_wait(self, now: float, *, reading: bool) -> float:
        """Seconds until it is worth asking again when nothing was to be sent."""
        wait = min(self._pace.idle_wait(now, reading=reading), max(INTERVAL, self._zoom.wait(now)))
        wait = min(wait, max(INTERVAL, self._work.rest_until - now))
        if self._catalog_changed:
            wait = min(wait, max(INTERVAL, self._list_again_at - now))
        return min(wait, self._pace.news_wait(now)) if self._work.news or self._work.regrown else wait

    # Which series there are.

    def _list_series(self) -> list[str]:
        """Compare the logs' series with ours, and put in order all that waits; returns the kinds that have data."""
        all_tags = self._logs.tags()
        listed = {
            (run, tag): kind for kind in self._kinds for run, tags in all_tags.get(kind, {}).items() for tag in tags
        }
        for key, track in list(self._tracks.items()):
            if listed.get(key) != track.kind:
                self._lose(key)
        self._refused = set()
        self._welcome({key: kind for key, kind in listed.items() if key not in self._tracks})
        work = self._work
        work.fresh = OrderedDict.fromkeys(self._listing.sorted(work.fresh))
        work.finer = OrderedDict.fromkeys(self._listing.sorted(work.finer))
        work.wanted = OrderedDict.fromkeys(key for key in self._on_screen() if key in work.wanted)
        return list(all_tags)

    def _welcome(self, kinds: dict[Key, str]) -> None:
        """Line up new series: coarse soon, in full later."""
        self._heard_of = {}
        new = []
        ranks = {kind: rank for rank, kind in enumerate(self._kinds)}
        for key in sorted(kinds, key=lambda key: (ranks[kinds[key]], natural_key(key[1]), natural_key(key[0]))):
            if self._listing.takes(key):
                self._listing.add(key, ranks[kinds[key]])
                self._tracks[key] = Track(kinds[key])
                new.append(key)
            else:
                self._refused.add(key)
        first, few = self._first_tags(), self._few()
        for key in new:
            if (track := self._tracks.get(key)) is not None:
                track.fine = few
                self._work.fresh[key] = None
                (self._work.wanted if key[1] in first else self._work.finer)[key] = None

    def _lose(self, key: Key) -> None:
        """A series vanished."""
        del self._tracks[key]
        self._zoom.forget(key)
        self._listing.remove(key)
        self._pace.relist()

    def _first_tags(self) -> dict[str, None]:
        """What is on the screen: the view last told, and where all begins."""
        return dict.fromkeys(
            (*self._view, *self._listing.first_tags(*(KINDS[kind].first_tags for kind in self._kinds)))
        )

    def _on_screen(self) -> list[Key]:
        return [key for tag in self._first_tags() for key in self._listing.of(tag)]

    # What of them is to be sent.

    def _begin_keyframe(self, now: float) -> None:
        anew = self._pace.asked
        first = self._keyframe == 0
        self._keyframe += 1
        self._keyframe_open = self._keyframe_begins = True
        repeated = not self._pace.known
        self._pace.keyframe_begun(now)
        self._status.forget()
        few = self._few()  # which drops series that have vanished
        order = self._listing.order()
        self._work.keyframe = OrderedDict.fromkeys(order)
        self._work.fresh.clear()
        for key in order if few else ():
            self._tracks[key].fine, self._tracks[key].sent = True, None
        if anew and not first:
            self._unasked_bytes = dict.fromkeys(self._kinds, 0)
        # A browser that needs all that is said gets all in full; one that is only assured of what it holds does not.
        if anew or repeated:
            self._anew = self._keyframe
            self._work.wanted = OrderedDict.fromkeys(self._on_screen())
        if anew:
            self._zoom.forget()
            self._work.details = self._zoom.line_up(self._view, self._listing)
            self._work.finer = OrderedDict.fromkeys(key for key in order if key not in self._work.wanted)

    def _few(self) -> bool:
        """All series fit into one message."""
        if len(self._tracks) > FEW_SERIES:
            return False
        weight = 0
        for key in list(self._tracks):
            series = self._series(key)
            weight += KINDS[self._tracks[key].kind].weight(series) if series is not None else 0
        return weight < ALL_SERIES_BYTES // 2

    def _compose(self, now: float, allowance: float, *, ready: bool) -> tuple[Message | None, int]:
        """The next message, with at most `allowance` bytes of news but for the last of them; and how many these are."""
        draft = Draft()
        work = self._work
        self._add_news(draft, min(allowance, LIVE_BYTES if self.busy else ALL_SERIES_BYTES), now)
        work.regrown.update(self._zoom.regrown(now))
        while draft.size < allowance and self._fits(draft, work.regrown):
            self._detail(draft, work.regrown.popitem(last=False)[0])
        news = draft.size
        self._fill(draft)
        closes = self._keyframe_open and not work.keyframe
        status, telling = self._status.compose(now, ready=ready, left_out=len(self._refused), seen=bool(self._tracks))
        if not (draft.series or draft.details or closes or telling or self._pace.heartbeat_due(now)):
            return None, 0
        self._status.telling(status)
        self._seq += 1
        head: dict[str, Any] = {
            "type": "data",
            "protocol": PROTOCOL,
            "seq": self._seq,
            "keyframe": self._keyframe,
            "begins": self._keyframe_begins,
            "ends": closes,
            "status": status,
        }
        self._keyframe_begins = False
        if closes:
            self._keyframe_open = False
            self._pace.keyframe_ended(now)
        return draft.message(head), news

    def _fill(self, draft: Draft) -> None:
        """Add what is no news, the most urgent first, as long as there is room."""
        work = self._work
        queues = (
            (work.keyframe, self._name),
            (work.fresh, self._start),
            (work.wanted, self._refine),
            (work.again, self._refine_unasked),
            (work.details, self._detail),
        )
        for queue, say in queues:
            while self._fits(draft, queue):
                say(draft, queue.popitem(last=False)[0])
        while self._pace.keeps_up and not any(queue for queue, _ in queues) and self._fits(draft, work.finer):
            track = self._tracks.get(next(iter(work.finer)))
            if track is not None and not (self._was_ready or KINDS[track.kind].is_cheap):
                break  # what is still being read is sent over and over
            self._refine_unasked(draft, work.finer.popitem(last=False)[0])

    def _fits(self, draft: Draft, queue: OrderedDict[Key, None]) -> bool:
        """Whether there is room for the first of these series."""
        key = next(iter(queue), None)
        if key is None:
            return False
        track = self._tracks.get(key)
        return track is None or draft.room(track.kind)

    def _add_news(self, draft: Draft, budget: float, now: float) -> None:
        """Oldest news first, so that none waits for ever; coarsely, where there are too many."""
        self._work.wake(now)
        while draft.size < budget and self._fits(draft, self._work.news):
            key = self._work.news.popitem(last=False)[0]
            track = self._tracks.get(key)
            if track is not None and now < track.rests_until:
                self._work.rest(key, track.rests_until)
                continue
            self._work.fresh.pop(key, None)
            if track is not None and (series := self._series(key)) is not None:
                kind, on_screen = KINDS[track.kind], key[1] in self._first_tags()
                if track.fine and self._pace.is_behind(now, on_screen=on_screen):
                    track.fine = False
                    self._work.put_off(key, on_screen=on_screen)
                self._send(draft, key, series, track.sent)
                track.rests_until = now + kind.rest(self._crowd(key))
                # Whoever came since the keyframe cannot use mere additions.
                if track.whole_since < self._anew and (kind.is_cheap or on_screen):
                    self._work.again[key] = None
        # Of the first reading nothing is news.
        self._pace.news_told(now, all_of_them=not (self._work.news and self._was_ready))

    def _start(self, draft: Draft, key: Key) -> None:
        """Send a new series for the first time."""
        if (series := self._series(key)) is not None:
            self._work.news.pop(key, None)
            self._send(draft, key, series, None)

    def _name(self, draft: Draft, key: Key) -> None:
        """A keyframe says each series from its first row on: coarsely, where browsers may hold it in full."""
        if (series := self._series(key)) is None:
            return
        track = self._tracks[key]
        self._work.news.pop(key, None)
        kind, crowd = KINDS[track.kind], self._crowd(key)
        if not track.fine or kind.is_small(series, crowd):
            track.sent = None
        self._send(draft, key, series, track.sent)
        # Those that hold it in full, now up to its end, leave it at that.
        if track.whole_since < self._keyframe and (part := kind.next_part(series, None, crowd, fine=False)):
            draft.add(track.kind, key, series, part)

    def _refine(self, draft: Draft, key: Key) -> None:
        """Send a series in full, unless that has been done since the keyframe began."""
        if (series := self._series(key)) is None:
            return
        track = self._tracks[key]
        track.fine = True
        self._work.news.pop(key, None)
        self._send(draft, key, series, track.sent if track.whole_since >= self._anew else None)

    def _refine_unasked(self, draft: Draft, key: Key) -> None:
        """Send a series in full that nobody is known to look at, as long as that is not too much."""
        track = self._tracks.get(key)
        if track is not None and (track.fine or self._unasked_bytes[track.kind] < KINDS[track.kind].unasked_bytes):
            unasked, before = not track.fine, draft.size
            self._refine(draft, key)
            self._unasked_bytes[track.kind] += draft.size - before if unasked else 0

    def _detail(self, draft: Draft, key: Key) -> None:
        """Send the stretch of a long series that is in sight in narrower rows than its full version has."""
        if (series := self._series(key)) is None:
            return
        self._work.regrown.pop(key, None)
        track = self._tracks[key]
        for stretch, linked in self._zoom.stretches(key, series, track):
            draft.add_detail(track.kind, key, series, stretch, linked=linked)

    def _send(self, draft: Draft, key: Key, series: Timed, sent: Any) -> None:
        track = self._tracks[key]
        part = KINDS[track.kind].next_part(series, sent, self._crowd(key), fine=track.fine)
        if part is None:
            return
        draft.add(track.kind, key, series, part)
        self._status.carried(series)
        if sent is not None:
            self._zoom.grew(key, track.kind)
        track.sent = part.sent
        if part.keep == 0:
            track.whole_since, track.whole_seq = self._keyframe, self._seq + 1

    def _series(self, key: Key) -> Timed | None:
        track = self._tracks.get(key)
        if track is None:
            return None
        try:
            return KINDS[track.kind].read(self._logs, *key)
        except KeyError:
            self._lose(key)
            return None

    def _crowd(self, key: Key) -> Crowd:
        return Crowd(len(self._tracks), len(self._listing.of(key[1])))
