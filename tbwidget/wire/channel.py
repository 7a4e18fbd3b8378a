"""What to send next: turns a log directory that grows into messages of bounded size, paced, that survive loss.

Nothing here knows of widgets or threads: whoever sends asks `Channel.next_message(now)`, always from one thread;
others only post to its inbox. WIRE.md describes the messages.
"""

from __future__ import annotations

import threading
import time
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from tbwidget.logs.threads import thread_time
from tbwidget.reasons import Reason
from tbwidget.wire.blobs import Answers
from tbwidget.wire.clients import Clients, viewport_of
from tbwidget.wire.detail import Zoom
from tbwidget.wire.draft import CONTENT_BYTES, PROTOCOL, Draft, DraftMark, Message, Room
from tbwidget.wire.failures import RETRY_AFTER, RETRY_CHANGED_AFTER
from tbwidget.wire.idle_clock import IdleClock
from tbwidget.wire.inbox import (
    Announcement,
    BrowserMessage,
    Bye,
    Cancel,
    Drawn,
    Inbox,
    ViewReport,
    parse_message,
)
from tbwidget.wire.keys import LISTED_A_SECOND, Listing
from tbwidget.wire.pace import (
    BLOBS_COMPOSING,
    FIRST_COMPOSING,
    INTERVAL,
    LIVE_BYTES,
    LONGEST_COMPOSING,
    LONGEST_OPENING,
    OLDER_SHARE,
    Pace,
)
from tbwidget.wire.queue import BEFORE_UNASKED, BLOBS, OPENING, Urgency, WorkQueue
from tbwidget.wire.requests import MOST_VALUE_BYTES
from tbwidget.wire.schedule import Schedule
from tbwidget.wire.state import ChannelState
from tbwidget.wire.status import Status

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from tbwidget.logs import Changes
    from tbwidget.logs.accessors import Logs
    from tbwidget.wire.content import Answer, Content, Key
    from tbwidget.wire.keys import Source
    from tbwidget.wire.worker import Workers


class Channel:
    """The messages of one dashboard.

    `contents` are what travels, in the order in which they are sent. `idle_clock` says when the kernel was sure to
    hear. `workers` make what takes long. With a `room`, beyond which nothing will be taken, blobs and series
    share each message, and blobs larger than a quarter of it are left out: for pages that are saved.
    """

    def __init__(
        self,
        logs: Logs,
        contents: Sequence[Content],
        *,
        idle_clock: IdleClock | None = None,
        room: Room | None = None,
        workers: Workers | None = None,
    ) -> None:
        self._logs = logs
        self._clock = idle_clock or IdleClock(cell_runs=None)
        self._inbox = Inbox()
        self._clients = Clients(self._clock)
        self._pace = Pace()
        self._queue = WorkQueue()
        self._listing = Listing({content.kind: content.first_tags for content in contents})
        self._status = Status(logs, self._clock)
        self._zoom = Zoom()
        self._state = ChannelState(
            logs=logs,
            listing=self._listing,
            queue=self._queue,
            pace=self._pace,
            status=self._status,
            zoom=self._zoom,
            workers=workers,
            vanished=lambda key: self._schedule.remove(key),  # noqa: PLW0108 (there is no schedule yet)
            room=room or Room(),
        )
        self._schedule = Schedule(contents, self._state, self._clients, reports=room is None)
        self._catalog = self._schedule.catalog
        self._failures = self._schedule.failures
        self._streams = self._schedule.streams
        self._answers = Answers()
        self._found: dict[Key, None] = {}
        self._keyframe_open = self._keyframe_begins = False
        self._catalog_changed = True
        self._list_again_at = float("-inf")
        self._data_changed = False
        self._shares = room is not None
        self._begun_blob: Key | None = None  # the newest one, of which some pieces were sent
        self._leaves_at = float("inf")  # the message that is being composed; of the real clock
        self._older_at = float("-inf")
        """When blobs of older items may be sent again."""
        self._has_sent_data = False
        self.opening = True
        """What the logs held at first was not all sent yet; from the thread that sends."""
        self._opening_ends = float("inf")
        self._filled = False
        """Unasked blobs were sent, as many as there were at first; from then on they are live."""

    # From any thread.

    def notify(self, changes: Changes) -> None:
        """Post what the follower has read."""
        self._inbox.notify(changes)

    def receive(self, content: object) -> BrowserMessage:
        """Post what a browser sent, and return it parsed."""
        message = parse_message(content)
        on_subshell = threading.current_thread() is not threading.main_thread()
        self._inbox.receive(message, on_subshell=on_subshell)
        return message

    def post_answer(self, request: str, answer: Answer | str) -> None:
        """Post the answer to a request, or the reason why there is none."""
        self._inbox.post_answer(request, answer)

    def repeat(self) -> None:
        """Send everything again: a message was lost on this side."""
        self._inbox.repeat()

    def connect(self) -> None:
        """Send everything again: a page connected that may have nothing, and may not make itself heard."""
        self._inbox.connect()

    # From the thread that sends.

    def is_abandoned(self, now: float) -> bool:
        """Whether no client has been heard for long, although the kernel would have heard."""
        return not self._inbox.has_client and self._clients.are_gone(now)

    @property
    def busy(self) -> bool:
        """There is more to send than news."""
        return self._queue.busy or len(self._answers) > 0

    @property
    def unnamed(self) -> int:
        """Keys of which nothing was sent yet, or for which there was no room."""
        return len(self._state.room.unnamed.union(self._queue[Urgency.KEYFRAME], self._queue[Urgency.NEW]))

    def next_message(self, now: float) -> tuple[Message | None, float]:
        """The message due at `now` (seconds of a monotonic clock), or None; and the seconds until the next may be."""
        # Somebody waits for the first one that has data: that waits for one step of the reading, not at every turn.
        with nullcontext() if self._has_sent_data else self._logs.source.exclusive():
            return self._next_message(now)

    def _next_message(self, now: float) -> tuple[Message | None, float]:
        self._apply_posts(now)
        self._pace.recover(now)
        ready, was_ready = self._logs.source.ready, self._state.was_ready
        self._pace.out_of_window = self._clients.are_out_of_window
        if (wait := self._pace.wait(now, reading=not ready, answers=bool(self._answers))) > 0:
            return None, wait
        if self._catalog_changed and (now >= self._list_again_at or ready != was_ready):
            self._catalog_changed = False
            kinds = self._schedule.list_keys(ready=ready)
            self._list_again_at = now + len(self._catalog.keys) / LISTED_A_SECOND
            self._status.catalog_changed(kinds)
        elif self._found:
            self._schedule.add(self._found, ready=ready)
        self._found = {}
        if self._data_changed:
            self._data_changed = False
            self._pace.data_changed()
            if was_ready:  # what the first pass found is not news
                self._status.data_changed(now)
        self._state.was_ready = ready
        if self._pace.keyframe_due(now):
            self._begin_keyframe(now)
        # Of the first reading nothing is news.
        allowance = self._pace.news_allowance(now) if was_ready else float("inf")
        begun = time.monotonic()
        message, news = self._compose(now, allowance, ready=ready)
        if self.opening and ready:
            self._opening_ends = min(self._opening_ends, now + LONGEST_OPENING)
            self.opening = any(self._queue[urgency] for urgency in OPENING) and now < self._opening_ends
        if message is None:
            return None, self._idle_wait(now, reading=not ready)
        self._pace.sent(now, message.size, news if was_ready else 0, message.blob_bytes, self._state.seq)
        self._pace.rest(now, 0 if ready else time.monotonic() - begun)
        return message, self._pace.wait(now, reading=not ready, answers=bool(self._answers))

    def close(self) -> None:
        """Take back the problems that were reported. From any thread, once nobody asks for messages any more."""
        self._failures.close()

    def _idle_wait(self, now: float, *, reading: bool) -> float:
        """Seconds until it is worth asking again when nothing was to be sent."""
        queue = self._queue
        listing = self._list_again_at - now if self._catalog_changed else float("inf")
        soonest = min(self._zoom.wait(now), queue.resume_at - now, self._status.wait(now), listing)
        wait = min(self._pace.idle_wait(now, reading=reading), max(INTERVAL, soonest))
        waits = queue.has_news or queue[Urgency.NEWEST_BLOB] or queue[Urgency.OLDER_BLOB]
        return min(wait, self._pace.news_wait(now)) if waits else wait

    # What was posted.

    def _apply_posts(self, now: float) -> None:
        if self._state.workers is not None:
            self._state.workers.deliver()
        if (post := self._inbox.drain()) is not None:
            self._catalog_changed |= post.catalog
            self._apply_changes(post.changed, now)
            if post.repeat:
                self._pace.ask_keyframe()
            for _ in range(post.connections):
                self._pace.ask_keyframe(newcomers=True)
                self._clients.connect(now)
            for request, answer in post.answers:
                self._answers.add(request, answer)
            for message, on_subshell in post.messages:
                self._apply_message(message, now, on_subshell=on_subshell)
        if self._clients.expire(now):
            self._schedule.apply_viewports()

    def _apply_changes(self, changed: Collection[Source], now: float) -> None:
        self._data_changed |= bool(changed)
        for source in changed:
            for key in self._catalog.keys_of(source):
                if key in self._catalog.keys:
                    self._queue.add_changed(key, now)
                elif key not in self._catalog.left_out:
                    self._found[key] = None
                if self._state.was_ready:
                    self._status.has_news(key)

    def _apply_message(self, message: BrowserMessage, now: float, *, on_subshell: bool) -> None:
        has_viewport_ended = self._clients.hear(now, message, on_subshell=on_subshell)
        if isinstance(message, Announcement | ViewReport | Drawn):
            self._pace.heard()
        match message:
            case Announcement(is_complete=False):
                self._pace.ask_keyframe()
            case ViewReport():
                viewport = viewport_of(message, self._listing, on_subshell=on_subshell)
                self._clients.show(message.view, viewport)
                self._schedule.apply_viewports()
                self._schedule.want(viewport)
            case Bye() if has_viewport_ended:
                self._schedule.apply_viewports()
            case Drawn(seq, behind):
                self._pace.page_drew(now, seq, behind)
            case Cancel(ids):
                self._answers.cancel(ids)
            case _:
                pass

    # What is to be sent.

    def _begin_keyframe(self, now: float) -> None:
        asked, known = self._pace.asked, self._pace.known
        self._state.keyframe += 1
        self._keyframe_open = self._keyframe_begins = True
        self._pace.keyframe_begun(now)
        self._status.forget()
        self._schedule.begin_keyframe(asked=asked, known=known)

    def _compose(self, now: float, allowance: float, *, ready: bool) -> tuple[Message | None, int]:
        """The next message, with at most `allowance` bytes of news but for the last of them; and how many these are."""
        draft = self._schedule.draft()
        self._leaves_at = time.monotonic() + (LONGEST_COMPOSING if self._has_sent_data else FIRST_COMPOSING)
        live = self._add_news(draft, allowance, now)
        if self._answers:
            self._answers.send(draft, MOST_VALUE_BYTES)
        if self._queue.busy:
            live += self._fill(draft, allowance - live, now)
        elif self._state.was_ready:
            self._filled = True
        closes = self._keyframe_open and not self._queue[Urgency.KEYFRAME]
        left_out, seen = len(self._catalog.left_out), bool(self._catalog.keys)
        # Nothing that is out of the window can be late on the screen.
        unsent = 0.0 if self._pace.out_of_window else self._queue.oldest_wait(self._state.visible, now)
        share = self._pace.share
        status, is_new = self._status.compose(
            now, ready=ready, left_out=left_out, seen=seen, unsent=unsent, share=share
        )
        if draft.is_empty and not (closes or is_new or self._pace.heartbeat_due(now)):
            return None, 0
        self._status.sent(status, draft.size)
        self._has_sent_data |= not draft.is_empty
        self._state.seq += 1
        head: dict[str, Any] = {
            "type": "data",
            "protocol": PROTOCOL,
            "seq": self._state.seq,
            "keyframe": self._state.keyframe,
            "begins": self._keyframe_begins,
            "ends": closes,
            "status": status,
        }
        self._keyframe_begins = False
        if closes:
            self._keyframe_open = False
            self._pace.keyframe_ended(now)
        return draft.message(head), live

    def _add_news(self, draft: Draft, allowance: float, now: float) -> int:
        """Add news, the oldest first, so that none waits for ever; returns how many bytes."""
        queue = self._queue
        queue.resume(now)
        self._send_all(draft, Urgency.NEWS, now, min(allowance, LIVE_BYTES if self.busy else CONTENT_BYTES))
        # Of the first reading nothing is news.
        self._pace.news_added(now, all_of_them=not (queue[Urgency.NEWS] and self._state.was_ready))
        for key in self._zoom.regrown(now):
            queue.add(Urgency.REGROWN, key)
        self._send_all(draft, Urgency.REGROWN, now, allowance)
        draft.blob_limit = allowance
        self._send_all(draft, Urgency.NEWS_BLOB, now, allowance)
        draft.blob_limit = float("inf")
        return draft.size

    def _fill(self, draft: Draft, allowance: float, now: float) -> int:
        """Add what is no news, the most urgent first, as long as there is room; returns how many bytes are live."""
        queue, live = self._queue, 0
        self._continue_blob(draft, now)
        for urgency in BEFORE_UNASKED:
            if urgency == Urgency.WANTED:
                self._schedule.put_newest_first()
            if urgency == Urgency.WANTED and self._shares:
                draft.blob_limit = self._state.room.share
                self._send_all(draft, Urgency.NEWEST_BLOB, now, draft.blob_limit)
                draft.blob_limit = float("inf")
            self._send_all(draft, urgency, now)
        for urgency in (Urgency.NEWEST_BLOB, Urgency.UNASKED, Urgency.OLDER_BLOB):
            # The first message has something to show, though it may not name everything.
            is_early = urgency == Urgency.NEWEST_BLOB and not self._has_sent_data
            if ((queue[Urgency.KEYFRAME] or queue[Urgency.NEW]) and not is_early) or not queue[urgency]:
                continue
            if urgency == Urgency.UNASKED:
                if self._pace.keeps_up and not any(queue[before] for before in BEFORE_UNASKED):
                    self._send_all(draft, urgency, now)
                continue
            added = self._add_blobs(draft, urgency, now, allowance - live)
            live += added if self._filled else 0
        if self._state.was_ready and not self._filled:
            first = (Urgency.KEYFRAME, Urgency.NEW, Urgency.NEWEST_BLOB, Urgency.OLDER_BLOB)
            self._filled = not any(queue[urgency] for urgency in first)
        return live

    def _continue_blob(self, draft: Draft, now: float) -> None:
        """Where room is limited, send the rest of a blob before all else: parts of it are worth nothing."""
        key, queue = self._begun_blob, self._queue[Urgency.NEWEST_BLOB]
        if self._shares and key is not None and key in queue and self._streams[key.kind].fits(draft):
            del queue[key]
            if self._send(draft, Urgency.NEWEST_BLOB, key, now):
                self._queue.add_first(Urgency.NEWEST_BLOB, key)
            else:
                self._begun_blob = None

    def _add_blobs(self, draft: Draft, urgency: Urgency, now: float, allowance: float) -> int:
        """Add blobs that nobody is known to look at; returns how many bytes."""
        workers = self._state.workers
        is_occupied = workers is not None and workers.items.is_occupied(urgency)
        if urgency == Urgency.OLDER_BLOB and (now < self._older_at or is_occupied):
            return 0
        before, begun = draft.size, thread_time()
        if self._filled:
            draft.blob_limit = before + allowance
        self._send_all(draft, urgency, now, draft.blob_limit)
        draft.blob_limit = float("inf")
        if urgency == Urgency.OLDER_BLOB and not self._shares:
            self._older_at = now + (thread_time() - begun) / OLDER_SHARE
        return draft.size - before

    def _send_all(self, draft: Draft, urgency: Urgency, now: float, most: float = float("inf")) -> None:
        """Send the keys of this urgency, as long as there is room and time, up to this size of the message."""
        queue, leaves_at = self._queue[urgency], self._leaves_at
        if urgency in BLOBS:
            leaves_at = self._state.blobs_until = min(leaves_at, time.monotonic() + BLOBS_COMPOSING)
        # Where time is up, one key is sent all the same, or slow keys of other urgencies would keep this one out for
        # ever. The first message with data alone leaves at once, with one blob.
        may_stop = not self._has_sent_data and urgency != Urgency.NEWEST_BLOB
        while queue and draft.size < most:
            if may_stop and time.monotonic() > leaves_at and not draft.is_empty:
                return
            may_stop = True
            key = self._schedule.first_news_blob() if urgency == Urgency.NEWS_BLOB else next(iter(queue))
            if urgency >= Urgency.NEWEST_BLOB and not self._streams[key.kind].may_push():
                found = next((key for key in queue if self._streams[key.kind].may_push()), None)
                if found is None:
                    return
                key = found
            if not self._streams[key.kind].fits(draft) or self._state.room.is_over:
                return
            del queue[key]
            if self._send(draft, urgency, key, now):
                self._queue.add_first(urgency, key)
                if urgency == Urgency.NEWEST_BLOB:
                    self._begun_blob = key
                return
            if urgency == Urgency.NEWS and not self._queue.is_pending(key):
                self._queue.settle(key)

    def _send(self, draft: Draft, urgency: Urgency, key: Key, now: float) -> bool:
        """Send something of one key; whether there is more of it for which there was no room.

        What fails takes nothing else with it, whatever it raises.
        """
        failure = self._failures.get(key)
        if failure is not None:
            if urgency == Urgency.NEWS and now < failure.at + RETRY_CHANGED_AFTER:
                # The card says that the key failed; the page is not behind because of it.
                self._queue.settle(key)
                self._queue.defer(key, failure.at + RETRY_CHANGED_AFTER)
                return False
            if urgency == Urgency.KEYFRAME and now < failure.at + RETRY_AFTER:
                draft.add_failed(key, failure.reason)
                return False
            if urgency not in (Urgency.NEWS, Urgency.KEYFRAME):
                return False
        mark = draft.mark()
        try:
            more = self._streams[key.kind].send(urgency, draft, key, now)
        except KeyboardInterrupt:  # a snapshot is composed in the main thread
            raise
        except BaseException as error:  # noqa: BLE001 (a library may raise SystemExit, or a panic of its own)
            draft.roll_back(mark)
            self._fail(draft, key, error, now)
            return False
        if draft.is_too_large:
            return self._put_off(draft, mark, key, now)
        if self._state.room.is_exceeded(draft, more=more):
            draft.roll_back(mark)
            self._schedule.refuse(urgency, key)
            return False
        if failure is not None and self._failures.clear(key) and key in self._catalog.keys:
            self._queue.add(self._streams[key.kind].unasked(), key)
        return more

    def _put_off(self, draft: Draft, mark: DraftMark, key: Key, now: float) -> bool:
        """Leave the key that was added last to the next message; one that is too large for any message fails."""
        added = draft.size
        draft.roll_back(mark)
        if draft.is_empty:
            self._fail(draft, key, ValueError(Reason("message-too-large", bytes=added - draft.size)), now)
            return False
        self._streams[key.kind].reset(key)
        return key in self._catalog.keys

    def _fail(self, draft: Draft, key: Key, error: BaseException, now: float) -> None:
        if key not in self._catalog.keys:
            return
        self._queue.remove(key)
        self._streams[key.kind].reset(key)
        draft.add_failed(key, self._failures.add(key, error, now))
