"""Turn a growing log directory into messages of bounded size, at a bounded pace, that make up for lost ones.

The channel knows neither widgets nor threads. One thread calls `Channel.next_message(now)`; all others only post to its
inbox. `plan.py` decides the order of a message, and docs/wire.md describes its format.
"""

from __future__ import annotations

import threading
import time
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from tbwidget.logs.threads import thread_time
from tbwidget.reasons import Reason
from tbwidget.wire.clients import (
    Announcement,
    BrowserMessage,
    Cancel,
    Clients,
    Drawn,
    IdleClock,
    Inbox,
    Other,
    ViewReport,
    parse_message,
    viewport_of,
)
from tbwidget.wire.keys import MAX_LISTED_PER_S, RETRY_AFTER, RETRY_CHANGED_AFTER, ChannelState, GoneError, Keys
from tbwidget.wire.message import (
    MAX_CONTENT_BYTES,
    MAX_REFUSED,
    PROTOCOL,
    Answers,
    ByteBudget,
    Message,
    MessageBuilder,
    Savepoint,
    wire_reason,
)
from tbwidget.wire.plan import (
    BLOBS,
    FIRST,
    INTERVAL,
    MAX_BLOBS_COMPOSING_S,
    MAX_COMPOSING_S,
    MAX_FIRST_COMPOSING_S,
    MAX_OPENING_S,
    NAMING,
    OLDER_SHARE,
    OPENING,
    Backlog,
    Priority,
    SendScheduler,
    Step,
    plan,
)
from tbwidget.wire.planner import Planner
from tbwidget.wire.status import Status

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from tbwidget.logs.accessors import Logs
    from tbwidget.logs.source import Changes
    from tbwidget.wire.content import Answer, Content, Key
    from tbwidget.wire.keys import Source
    from tbwidget.wire.worker import Workers


class Channel:
    """The messages of one dashboard.

    `contents` are what travels, in the order in which they are sent. `idle_clock` says when the kernel was sure to
    hear. `workers` make what takes long. With a `budget`, beyond which nothing will be taken, blobs and series
    share each message, and blobs larger than a quarter of it are left out: for pages that are saved.
    """

    def __init__(
        self,
        logs: Logs,
        contents: Sequence[Content],
        *,
        idle_clock: IdleClock | None = None,
        budget: ByteBudget | None = None,
        workers: Workers | None = None,
    ) -> None:
        self._clock = idle_clock or IdleClock(cell_runs=None)
        self._inbox = Inbox()
        self._clients = Clients(self._clock)
        self._scheduler = SendScheduler()
        self._backlog = Backlog()
        self._keys = Keys(contents)
        self._status = Status(logs, self._clock)
        self._state = ChannelState(
            logs, self._keys, self._backlog, self._scheduler, self._status, workers, budget or ByteBudget()
        )
        self._planner = Planner(contents, self._state)
        self._answers = Answers()
        self._found: dict[Key, None] = {}
        self._keyframe_begins = False
        self._catalog_changed = True
        self._list_again_at = float("-inf")
        self._older_at = float("-inf")
        """When blobs of older items may be sent again."""
        self._has_sent_data = False
        self.opening = True
        """Data of the initial scan are still to be sent. For the thread that sends."""
        self._opening_ends = float("inf")
        self._has_named_all = False
        """Everything that the initial scan found was named: from then on, browsers may say that they are up to date."""
        self._has_caught_up = False
        """The blobs of the initial scan were sent. From then on, blobs that are only prefetched count as updates."""
        # These belong to the message that is being composed.
        self._leaves_at = float("inf")
        """Latest time for it to leave, by the real clock."""
        self._update_space = float("inf")
        """Bytes of updates that it may still hold."""

    # From any thread.

    def notify(self, changes: Changes) -> None:
        """Post what the follower has read."""
        with self._inbox.opened() as post:
            post.changed.update(dict.fromkeys(changes.series))
            post.catalog |= changes.catalog

    def receive(self, content: object) -> BrowserMessage:
        """Post what a browser sent, and return it parsed."""
        message = parse_message(content)
        on_subshell = threading.current_thread() is not threading.main_thread()
        with self._inbox.opened() as post:
            post.messages.append((message, on_subshell))
        return message

    def note_client(self) -> None:
        """Post that a client shows a sign of life without a message; it says nothing about subshells."""
        with self._inbox.opened() as post:
            post.messages.append((Other(), False))

    def post_answer(self, request: str, answer: Answer | str) -> None:
        """Post the answer to a request, or the reason why there is none."""
        with self._inbox.opened() as post:
            post.answers.append((request, answer))

    def connect(self) -> None:
        """Send everything again: a page connected that may have nothing, and may not make itself heard."""
        with self._inbox.opened() as post:
            post.connections += 1

    # From the thread that sends.

    def repeat(self) -> None:
        """Send everything again: a message was lost on this side."""
        self._scheduler.ask_keyframe()

    def is_abandoned(self, now: float) -> bool:
        """Whether no client has been heard for long, although the kernel would have heard."""
        return not self._inbox.has_client and self._clients.are_gone(now)

    @property
    def busy(self) -> bool:
        """There is more to send than updates."""
        return self._backlog.busy or bool(self._answers.waiting)

    @property
    def unnamed(self) -> int:
        """Keys without anything sent: they wait, or did not fit."""
        refused = (key for key, is_named in self._state.budget.refused.items() if not is_named)
        return len({*refused, *self._backlog[Priority.KEYFRAME], *self._backlog[Priority.NEW]})

    def next_message(self, now: float) -> tuple[Message | None, float]:
        """The message due at `now` (seconds of a monotonic clock), or None; and the seconds until the next may be."""
        # A user waits for the first message with data: it waits for the reader once, and not for every series.
        # Without workers this thread encodes documents. It must not hold the reader then: another thread may encode
        # the same document, and wait for the reader.
        is_first = not self._has_sent_data and self._state.workers is not None
        with self._state.logs.source.exclusive() if is_first else nullcontext():
            self._apply_posts(now)
            self._scheduler.recover(now)
            ready, was_ready = self._state.logs.source.ready, self._state.was_ready
            self._scheduler.out_of_window = self._clients.are_out_of_window
            if (wait := self._scheduler.wait(now, reading=not ready, answers=bool(self._answers.waiting))) > 0:
                return None, wait
            # The reader says that the first pass has ended before it tells what the last part of it found.
            if ready != was_ready or (self._catalog_changed and now >= self._list_again_at):
                self._catalog_changed = False
                self._planner.list_keys(ready=ready)
                self._list_again_at = now + len(self._keys.all) / MAX_LISTED_PER_S
            elif self._found:
                self._planner.add(self._found, ready=ready)
            self._found = {}
            self._state.was_ready = ready
            if now >= self._scheduler.keyframe_at:
                self._keyframe_begins = True
                self._planner.begin_keyframe(now)
            # The initial scan never counts as an update.
            allowance = self._scheduler.update_allowance(now) if was_ready else float("inf")
            begun = time.monotonic()
            message = self._compose(now, allowance, ready=ready)
            if self.opening and ready:
                self._opening_ends = min(self._opening_ends, now + MAX_OPENING_S)
                self.opening = any(self._backlog[priority] for priority in OPENING) and now < self._opening_ends
            if message is None:
                return None, self._idle_wait(now, reading=not ready)
            updates = allowance - self._update_space if was_ready else 0
            composing = 0.0 if ready else time.monotonic() - begun
            self._scheduler.sent(now, message.size, updates, message.blob_bytes, self._state.seq, composing)
            return message, self._scheduler.wait(now, reading=not ready, answers=bool(self._answers.waiting))

    def close(self) -> None:
        """Take back the problems that were reported. From any thread, after the last message."""
        self._planner.failures.close()

    def _idle_wait(self, now: float, *, reading: bool) -> float:
        """Seconds until it is worth asking again when nothing was to be sent."""
        queue = self._backlog
        listing = self._list_again_at - now if self._catalog_changed else float("inf")
        soonest = min(self._planner.details.wait(now), queue.resume_at - now, self._status.wait(now), listing)
        wait = min(self._scheduler.idle_wait(now, reading=reading), max(INTERVAL, soonest))
        waits = queue.has_updates or queue[Priority.NEWEST_BLOB] or queue[Priority.OLDER_BLOB]
        return min(wait, self._scheduler.update_wait(now)) if waits else wait

    # The posts of other threads.

    def _apply_posts(self, now: float) -> None:
        results = () if self._state.workers is None else self._state.workers.results
        while results:
            results.popleft()()
        post = self._inbox.drain()
        self._catalog_changed |= post.catalog
        self._apply_changes(post.changed, now)
        for _ in range(post.connections):
            self._scheduler.ask_keyframe(for_new_client=True)
            self._clients.connect(now)
        for request, answer in post.answers:
            self._answers.add(request, answer)
        for message, on_subshell in post.messages:
            self._apply_message(message, now, on_subshell=on_subshell)
        if self._clients.expire(now):
            self._planner.apply_viewports(self._clients)

    def _apply_changes(self, changed: Collection[Source], now: float) -> None:
        # What is derived from other contents says itself when it has changed.
        keys = [
            key
            for source in changed
            for key in self._keys.of_source(source)
            if source[0] == key.kind or not self._planner.streams[key.kind].content.is_derived
        ]
        for key in keys:
            if key in self._keys.all:
                self._backlog.add_changed(key, now)
            elif key not in self._keys.left_out:
                self._found[key] = None
        self._scheduler.has_changed |= bool(changed)
        is_derived = bool(keys) and all(self._planner.streams[key.kind].content.is_derived for key in keys)
        if changed and not is_derived and self._state.was_ready:  # the initial scan never counts as an update
            self._status.data_changed(now, keys)

    def _apply_message(self, message: BrowserMessage, now: float, *, on_subshell: bool) -> None:
        if self._clients.hear(now, message, on_subshell=on_subshell):
            self._planner.apply_viewports(self._clients)
        if isinstance(message, Announcement | ViewReport | Drawn):
            self._scheduler.is_heard = True
        match message:
            case Announcement(is_complete=False):
                self._scheduler.ask_keyframe()
            case ViewReport(view, fields):
                viewport = viewport_of(fields, self._keys.groups_named, on_subshell=on_subshell)
                self._clients.show(view, viewport)
                self._planner.apply_viewports(self._clients)
                self._planner.want(viewport)
            case Drawn(seq, behind):
                self._scheduler.page_drew(now, seq, behind)
            case Cancel(ids):
                self._answers.cancel(ids)
            case _:
                pass

    # One message.

    def _compose(self, now: float, allowance: float, *, ready: bool) -> Message | None:
        """Return the next message, with `allowance` bytes of updates, but for what the last one exceeds that by."""
        builder = self._planner.begin_message()
        self._leaves_at = time.monotonic() + (MAX_COMPOSING_S if self._has_sent_data else MAX_FIRST_COMPOSING_S)
        self._update_space = allowance - builder.size
        backlog, was_ready = self._backlog, self._state.was_ready
        backlog.resume(now)
        newest = next(iter(backlog[Priority.NEWEST_BLOB]), None)
        steps = plan(
            is_busy=self.busy,
            is_first=not self._has_sent_data,
            was_ready=was_ready,
            has_caught_up=self._has_caught_up,
            may_send_older=now >= self._older_at,
            blob_share=self._state.budget.blob_share,
            open_blob=newest if newest is not None and self._planner.streams[newest.kind].is_open(newest) else None,
        )
        for step in steps:
            if step.priority < Priority.KEYFRAME:
                self._carry_out(step, builder, now)
        # The initial scan never counts as an update.
        self._scheduler.updates_added(now, all_of_them=not (backlog[Priority.UPDATE] and was_ready))
        if self._answers.waiting:
            self._answers.send(builder)
        for step in steps if backlog.busy else ():
            if step.priority >= Priority.KEYFRAME:
                self._carry_out(step, builder, now)
        self._has_caught_up |= was_ready and not any(backlog[priority] for priority in FIRST)
        self._has_named_all |= ready and not any(backlog[priority] for priority in NAMING)
        closes = self._scheduler.is_keyframe_open and not backlog[Priority.KEYFRAME]
        left_out, seen = len(self._keys.left_out), bool(self._keys.all)
        # Nothing that is out of the window can be late on the screen.
        unsent = 0.0 if self._scheduler.out_of_window else backlog.oldest_wait(self._state.visible, now)
        share = self._scheduler.share
        status, is_new = self._status.compose(
            now, ready=self._has_named_all, left_out=left_out, seen=seen, unsent=unsent, share=share
        )
        if builder.is_empty and not (closes or is_new or self._scheduler.heartbeat_due(now)):
            return None
        self._status.sent(status, builder.size)
        self._has_sent_data |= not builder.is_empty
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
            self._scheduler.keyframe_ended(now)
        return builder.message(head)

    def _carry_out(self, step: Step, builder: MessageBuilder, now: float) -> None:
        """Add the keys of one step to the message."""
        backlog, priority = self._backlog, step.priority
        if priority == Priority.STALE_DETAIL:
            for key in self._planner.details.regrown(now):
                backlog.add(priority, key)
        elif priority == Priority.VISIBLE:
            self._planner.put_newest_first()
        if not backlog[priority] or any(backlog[other] for other in step.after):
            return
        if priority == Priority.OLDER_BLOB and (workers := self._state.workers) and workers.items.is_occupied(priority):
            return
        begin, begun = builder.size, thread_time()
        limit = min(step.max_size, begin + self._update_space if step.is_update else step.max_size)
        if priority in BLOBS:
            builder.blob_limit = limit
        self._send_all(step, builder, now, limit)
        builder.blob_limit = float("inf")
        if step.is_update:
            self._update_space -= builder.size - begin
        if priority == Priority.OLDER_BLOB and self._state.budget.blob_share is None:
            self._older_at = now + (thread_time() - begun) / OLDER_SHARE

    def _send_all(self, step: Step, builder: MessageBuilder, now: float, limit: float) -> None:
        """Send the keys of a step while there is space and time, up to this size of the message."""
        priority, leaves_at = step.priority, self._leaves_at
        if priority in BLOBS:
            leaves_at = self._state.blobs_until = min(leaves_at, time.monotonic() + MAX_BLOBS_COMPOSING_S)
        queue = self._backlog[priority]
        # When time is up, one key is sent all the same, or slow keys of other priorities would keep this one out for
        # ever. The first message with data alone leaves at once, with one blob.
        may_stop = not self._has_sent_data and priority != Priority.NEWEST_BLOB
        while queue and builder.size < limit:
            if may_stop and time.monotonic() > leaves_at and not builder.is_empty:
                return
            may_stop = True
            key = step.only or self._planner.next_key(priority)
            if step.only is not None and step.only not in queue:  # it failed in this message
                return
            is_exhausted = len(self._state.budget.refused) > MAX_REFUSED
            if key is None or not self._planner.streams[key.kind].fits(builder) or is_exhausted:
                return
            del queue[key]
            if self._send(builder, priority, key, now):
                self._backlog.add_first(priority, key)
                return
            if step.only is not None:
                return
            if priority == Priority.UPDATE and not self._backlog.is_pending(key):
                self._backlog.settle(key)

    def _send(self, builder: MessageBuilder, priority: Priority, key: Key, now: float) -> bool:
        """Add something of one key; return whether there is more of it for which there was no space.

        A key that fails takes nothing else with it, whatever it raises.
        """
        if self._waits_for_retry(builder, priority, key, now):
            return False
        savepoint, before = builder.savepoint(), builder.size
        try:
            more = self._planner.streams[key.kind].send(priority, builder, key, now)
        except GoneError:
            builder.rollback(savepoint)
            self._planner.remove(key)
            return False
        except KeyboardInterrupt:  # a snapshot is composed in the main thread
            raise
        except BaseException as error:  # noqa: BLE001 (a library may raise SystemExit, or a panic of its own)
            builder.rollback(savepoint)
            self._fail(builder, key, error, now)
            return False
        if builder.size > MAX_CONTENT_BYTES:
            return self._put_off(builder, savepoint, key, now)
        left = self._state.budget.left
        # A blob for which this message has no share left may have one of the next.
        waits = priority in BLOBS and builder.size == before
        if builder.size > left or (more and left < MAX_CONTENT_BYTES and not waits):
            builder.rollback(savepoint)
            self._planner.refuse(priority, key)
            return False
        if self._planner.failures.clear(key):
            self._backlog.add(self._planner.streams[key.kind].prefetch, key)
        return more

    def _waits_for_retry(self, builder: MessageBuilder, priority: Priority, key: Key, now: float) -> bool:
        """Return whether a key failed before and is not to be tried again now."""
        failure = self._planner.failures.get(key)
        if failure is None:
            return False
        if priority == Priority.UPDATE and now < failure.at + RETRY_CHANGED_AFTER:
            # The card says that the key failed; the page is not behind because of it.
            self._backlog.settle(key)
            self._backlog.defer(key, failure.at + RETRY_CHANGED_AFTER)
            return True
        if priority == Priority.KEYFRAME and now < failure.at + RETRY_AFTER:
            builder.add("failed", key, wire_reason(failure.reason))
            return True
        return priority not in (Priority.UPDATE, Priority.KEYFRAME)

    def _put_off(self, builder: MessageBuilder, savepoint: Savepoint, key: Key, now: float) -> bool:
        """Leave the key that was added last to the next message; one that is too large for any message fails."""
        added = builder.size
        builder.rollback(savepoint)
        if builder.is_empty:
            self._fail(builder, key, ValueError(Reason("message-too-large", bytes=added - builder.size)), now)
            return False
        self._planner.streams[key.kind].reset(key)
        return True

    def _fail(self, builder: MessageBuilder, key: Key, error: BaseException, now: float) -> None:
        if key not in self._keys.all:
            return
        self._backlog.remove(key)
        self._planner.streams[key.kind].reset(key)
        builder.add("failed", key, wire_reason(self._planner.failures.add(key, error, now)))
