"""Plan messages: which keys wait, with which priority, what one message takes in order, and when it may leave.

`plan` is a pure function: from facts about keys, viewports, pace and time it returns the steps of one message, in
order, each with its byte budget. A step names a priority and not its keys, because the size of a key is known only when
it is encoded. So the channel takes the keys of each step from the `Backlog`, one after the other, until the budget is
spent.

The two classes keep the state that these facts come from. `Backlog` holds the keys that wait: viewports and updates put
them there in order (planner.py). `SendScheduler` is the pace: arithmetic on times and sizes handed in, without a clock.
"""

from __future__ import annotations

from collections import OrderedDict
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

from tbwidget.wire.message import MAX_CONTENT_BYTES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from tbwidget.wire.content import Group, Key


class Priority(IntEnum):
    """Why a key waits; the most urgent first."""

    UPDATE = 0
    """It changed."""
    STALE_DETAIL = 1
    """A visible segment of it was sent in detail, and it grew since then."""
    UPDATE_BLOB = 2
    """The blob of a new newest item, or a document, changed."""
    KEYFRAME = 3
    """The keyframe has not named it yet."""
    NEW = 4
    """It was never sent."""
    VISIBLE = 5
    """It is on the screen, as far as is known, and is to be sent in full."""
    RESEND = 6
    """It changed, and a new client may lack its first rows."""
    DETAIL = 7
    """A visible segment of it is to be sent in detail."""
    VISIBLE_BLOB = 8
    """Its newest blob, or the document, is on the screen."""
    NEWEST_BLOB = 9
    """Its newest blob, or the document, may come on the screen later."""
    PREFETCH = 10
    """It is to be sent in full, as it may come on the screen later."""
    OLDER_BLOB = 11
    """Blobs of its older items may come on the screen later."""


BEFORE_PREFETCH = tuple(one for one in Priority if Priority.KEYFRAME <= one < Priority.NEWEST_BLOB)
"""Everything that is needed now, but for updates."""

BLOBS = (Priority.UPDATE_BLOB, Priority.VISIBLE_BLOB, Priority.NEWEST_BLOB, Priority.OLDER_BLOB)
"""Priorities whose blobs are read and encoded one by one, which may take long."""

OPENING = (*BEFORE_PREFETCH, Priority.NEWEST_BLOB, Priority.PREFETCH)
"""Priorities of the data of the initial scan, but for older blobs."""

FIRST = (Priority.KEYFRAME, Priority.NEW, Priority.NEWEST_BLOB, Priority.OLDER_BLOB)
"""Priorities that must be empty before blobs off the screen count as updates."""


class Backlog:
    """The keys that wait, by priority, each in the order in which they were added. A key may have several."""

    def __init__(self) -> None:
        self._queues: tuple[OrderedDict[Key, None], ...] = tuple(OrderedDict() for _ in Priority)
        self._deferred: dict[Key, None] = {}
        self._changed_at: dict[Group, dict[Key, float]] = {}
        """When each key first changed since its last update was sent, by kind and tag; the earliest comes first.

        It stays while the update is deferred. By kind and tag, because few of these are on the screen, and very
        many keys may wait.
        """
        self.resume_at = float("inf")
        """When deferred updates are due."""

    def __getitem__(self, priority: Priority) -> OrderedDict[Key, None]:
        """The keys of one priority."""
        return self._queues[priority]

    def add(self, priority: Priority, key: Key) -> None:
        """Add a key behind all others of this priority, unless it waits already."""
        self._queues[priority].setdefault(key)

    def add_changed(self, key: Key, now: float) -> None:
        """Add a key that changed, unless it waits for that already."""
        self._queues[Priority.UPDATE].setdefault(key)
        self._changed_at.setdefault(key.group, {}).setdefault(key, now)

    def settle(self, key: Key) -> None:
        """Forget when a key changed: its update was sent, or cannot be sent for now."""
        changed_at = self._changed_at.get(key.group, {})
        changed_at.pop(key, None)
        if not changed_at:
            self._changed_at.pop(key.group, None)

    def oldest_wait(self, groups: Collection[Group], now: float) -> float:
        """Seconds that the oldest unsent change of these kinds and tags has waited; 0 where there is none."""
        changes = (self._changed_at[group] for group in groups if group in self._changed_at)
        return max((now - next(iter(times.values())) for times in changes), default=0.0)

    def add_first(self, priority: Priority, key: Key) -> None:
        """Put a key before all others of this priority."""
        self._queues[priority].setdefault(key)
        self._queues[priority].move_to_end(key, last=False)

    def set(self, priority: Priority, keys: Iterable[Key]) -> None:
        """Replace all keys of this priority."""
        keys = dict.fromkeys(keys)
        self._queues[priority].clear()
        self._queues[priority].update(keys)

    def discard(self, priority: Priority, key: Key) -> None:
        """Remove a key, if it waits."""
        self._queues[priority].pop(key, None)
        if priority == Priority.UPDATE:
            self.settle(key)

    def remove(self, key: Key) -> None:
        """Remove a key everywhere."""
        for queue in (*self._queues, self._deferred):
            queue.pop(key, None)
        self.settle(key)

    @property
    def busy(self) -> bool:
        """There is more than updates."""
        return any(self._queues[Priority.KEYFRAME :])

    @property
    def has_updates(self) -> bool:
        """There are updates."""
        return any(self._queues[: Priority.KEYFRAME])

    def defer(self, key: Key, until: float) -> None:
        """Send no update of a key before then."""
        self._deferred[key] = None
        self.resume_at = min(self.resume_at, until)

    def is_pending(self, key: Key) -> bool:
        """Whether an update of a key waits, deferred or not."""
        return key in self._queues[Priority.UPDATE] or key in self._deferred

    def resume(self, now: float) -> None:
        """Add the deferred updates that are due."""
        if now >= self.resume_at:
            self.resume_at = float("inf")
            for key in self._deferred:
                self.add(Priority.UPDATE, key)
            self._deferred.clear()


NAMING = (Priority.KEYFRAME, Priority.NEW)
"""The first of `BEFORE_PREFETCH`: until they are empty, browsers do not know all keys."""


class Step(NamedTuple):
    """Add the keys of one priority to a message."""

    priority: Priority
    max_size: float = float("inf")
    """Size of the message in bytes up to which keys are added."""
    is_update: bool = False
    """Its bytes count as updates, whose rate is limited."""
    after: tuple[Priority, ...] = ()
    """Skip this step while keys of these priorities wait."""
    only: Key | None = None
    """Add this key alone."""


def plan(
    *,
    is_busy: bool = False,
    is_first: bool = False,
    was_ready: bool = True,
    has_caught_up: bool = False,
    may_send_older: bool = True,
    blob_share: float | None = None,
    open_blob: Key | None = None,
) -> tuple[Step, ...]:
    """Return what to send, the most urgent first: keys that changed, others, and what may come on the screen.

    Answers to requests come behind the keys that changed. The arguments are the facts that a plan depends on:

    - `is_busy`: there is more to send than updates;
    - `is_first`: no message had data yet;
    - `was_ready`: the initial scan had ended when the last message was composed;
    - `has_caught_up`: the blobs of the initial scan were sent. From then on, blobs off the screen count as updates;
    - `may_send_older`: blobs of older items have not had their share of a core;
    - `blob_share`: bytes of a message that blobs may take before series; None if nothing limits all messages together;
    - `open_blob`: the key whose blob was begun and must be finished.
    """
    others = [Step(priority) for priority in BEFORE_PREFETCH]
    if blob_share is not None:
        others.insert(len(NAMING), Step(Priority.NEWEST_BLOB, blob_share))
        if open_blob is not None:
            # Some pieces of a blob without the others would waste the space that they take.
            others.insert(0, Step(Priority.NEWEST_BLOB, only=open_blob))
    # The first message has something to show, though it may not name everything.
    others.append(Step(Priority.NEWEST_BLOB, is_update=has_caught_up, after=() if is_first else NAMING))
    # Series off the screen do not get ahead of updates.
    updates = (Priority.UPDATE,) if was_ready else ()
    others.append(Step(Priority.PREFETCH, after=(*BEFORE_PREFETCH, *updates)))
    if may_send_older:
        others.append(Step(Priority.OLDER_BLOB, is_update=has_caught_up, after=NAMING))
    return (
        Step(Priority.UPDATE, MAX_UPDATE_BYTES if is_busy else MAX_CONTENT_BYTES, is_update=True),
        Step(Priority.STALE_DETAIL, is_update=True),
        Step(Priority.UPDATE_BLOB, is_update=True),
        *others,
    )


INTERVAL = 0.1
"""Seconds between two messages at least: 10 a second. Jupyter's server drops messages of a kernel that sends many."""

OUT_OF_WINDOW_INTERVAL = 1.0
"""Seconds between two messages while every view of the dashboard is scrolled out of the browser's window."""

UPDATE_RATE = 1e6
"""Bytes a second of updates on average, whatever else is sent."""

UPDATE_BURST = 250e3
"""Bytes of updates that may leave at once after a silence."""

BEHIND = 2.0
"""Seconds of more updates than may leave, after which series off the screen travel coarsely."""

FAR_BEHIND = 10.0
"""Seconds of more updates than may leave, after which all series travel coarsely."""

MAX_UPDATE_BYTES = 250_000
"""Bytes of updates in a message while there is more to send."""

PAGE_BEHIND = 2.0
"""Seconds by which a page may be behind before updates are sent less often."""

MIN_SHARE = 1 / 16
"""Smallest share of the usual rate at which updates are sent while a page is behind."""

REDUCE_INTERVAL = 2.0
"""Seconds between two reductions: the page needs some time to show what one does."""

RECOVERY_INTERVAL = 3.0
"""Seconds without a page that is behind after which the share is raised by `RECOVERY`."""

RECOVERY = 1 / 8

OFF_SCREEN_INTERVAL = 1.0
"""Seconds between two updates of a series off the screen while a page is behind, at the full share."""

REPORT_DELAY = 5.0
"""Seconds that a page's report may be under way; an older one waited for the end of a cell, and is obsolete."""

CLOCK_TOLERANCE = 0.5
"""Seconds by which a page may say that it is further behind than the message is old."""

REMEMBERED_MESSAGES = 5_000
"""Messages whose time is kept, to tell how old a report is."""

KEYFRAME_GAPS = (1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
"""Seconds from the end of a keyframe to the next while no browser has been heard; the last repeats."""

KEYFRAME_PERIOD = 30.0
"""Seconds between keyframes once a browser has been heard, if data changed: a lost message heals without a request."""

KEYFRAME_RATE = 100e3
"""Bytes a second that these may take on average: large ones come less often."""

RESYNC_GAP = 2.0
"""Seconds between keyframes that were asked for."""

NEW_CLIENT_GAP = 0.5
"""Seconds between keyframes for a page that may have come and cannot make itself heard."""

MAX_KEYFRAME_S = 15.0
"""Seconds that a keyframe under way may take before one that was asked for begins all the same."""

HEARTBEAT = 10.0
"""Seconds of silence after which a bare status is sent: the only sign that the kernel lives."""

SCAN_IDLE_RATIO = 1.0
"""Idle time after a message of the initial scan, as a multiple of the time to compose it."""

SCAN_IDLE_SHARE = 1 / 4
"""Fraction of elapsed time to stay idle during the initial scan: each message makes the page draw on the same cores."""

MAX_SCAN_IDLE_S = 2.0
"""Upper bound for that idle time in seconds, since a scan may take hours."""

MAX_COMPOSING_S = 1.0
"""Seconds after which a message leaves with what it holds: on a slow disk, reading for all of it may take minutes."""

MAX_FIRST_COMPOSING_S = 0.05
"""Seconds after which the first message with data leaves: a user waits, and the scan goes on beside it."""

MAX_BLOBS_COMPOSING_S = 0.1
"""Seconds after which a message leaves that takes blobs: updates wait while the next one is made."""

OLDER_SHARE = 1 / 50
"""Share of a core for blobs of older items off the screen: a cell may train beside them."""

MAX_OPENING_S = 10.0
"""Seconds after the initial scan in which its data are sent as if the scan was still going on."""

SCAN_REPORT_INTERVAL_S = 0.25
"""Seconds between reports on the progress of the initial scan."""


class SendScheduler:
    """Decides when the messages of one channel leave. Times are seconds of one monotonic clock."""

    def __init__(self) -> None:
        self.is_keyframe_asked = True
        """A keyframe is wanted: the first one, or one a browser asked for."""
        self.is_keyframe_required = False
        """A keyframe is to begin soon: keys vanished, which only a keyframe tells."""
        self.is_heard = False
        """A browser was heard: keyframes are repeated only when data change, or on request."""
        self.has_changed = False
        """The logs hold something new since the last keyframe began."""
        self.out_of_window = False
        """Every view is scrolled out of the window."""
        self._has_new_client = False
        self._not_before = 0.0
        self._reading_since = 0.0
        """When the first message left."""
        self.backs_off_until = float("-inf")
        """End of the idle time while the logs are being read."""
        self._last_sent = float("-inf")
        self._begun_at = float("-inf")
        self._ended_at: float | None = None
        self._repeats = 0
        self._keyframe_bytes = 0.0
        # From this moment on, the updates sent so far keep to their rate.
        self._updates_settled_at = float("-inf")
        self._behind_since: float | None = None
        self.share = 1.0
        """Share of the usual rate at which updates are sent; below 1 while a page says that it is behind."""
        self._share_changed_at = float("-inf")
        self._page_behind_at = float("-inf")
        self._update_sent_at = float("-inf")
        self._sent_at: OrderedDict[int, float] = OrderedDict()

    def ask_keyframe(self, *, for_new_client: bool = False) -> None:
        """Send everything again soon; for a new client as at first, until a browser is heard.

        This ends after some keyframes: the client may have gone.
        """
        self.is_keyframe_asked = True
        if for_new_client:
            self._has_new_client = True
            self.is_heard = False
            self._repeats = 0

    def wait(self, now: float, *, reading: bool = False, answers: bool = False) -> float:
        """Seconds until a message may leave; `reading`: the logs are being read; `answers`: a request is answered."""
        earliest = self._not_before
        if reading and not answers:
            earliest = max(earliest, self.backs_off_until)
        if self.out_of_window and not answers:
            earliest = max(earliest, self._last_sent + OUT_OF_WINDOW_INTERVAL)
        return max(0.0, earliest - now)

    def page_drew(self, now: float, seq: int, behind: float) -> None:
        """Slow down for a page that says it has drawn message `seq`, `behind` seconds late.

        A report that is obsolete or impossible changes nothing.
        """
        if (sent_at := self._sent_at.get(seq)) is None:
            return
        # A page cannot be later than the message is old; it may believe so after a clock has jumped. An infinite number
        # fails this comparison, and NaN fails any.
        age = now - sent_at
        if not max(PAGE_BEHIND, age - REPORT_DELAY) < behind <= age + CLOCK_TOLERANCE:
            return
        self._page_behind_at = now
        if now >= self._share_changed_at + REDUCE_INTERVAL and self.share > MIN_SHARE:
            self.share /= 2
            self._share_changed_at = now

    def recover(self, now: float) -> None:
        """Raise the share again step by step once no page has been behind for some time."""
        if self.share < 1 and now >= max(self._page_behind_at, self._share_changed_at) + RECOVERY_INTERVAL:
            self.share = min(1.0, self.share + RECOVERY)
            self._share_changed_at = now

    @property
    def off_screen_interval(self) -> float:
        """Seconds between two updates of a series off the screen at least."""
        return OFF_SCREEN_INTERVAL / self.share if self.share < 1 else 0.0

    def update_allowance(self, now: float) -> float:
        """Return how many bytes of updates may leave now. An excess delays the updates after it."""
        if self.share < 1 and now < self._update_sent_at + INTERVAL / self.share:
            return 0.0
        return min(self._burst, (now - self._updates_settled_at) * UPDATE_RATE * self.share)

    @property
    def _burst(self) -> float:
        """Bytes of updates that may leave at once."""
        return UPDATE_RATE * OUT_OF_WINDOW_INTERVAL if self.out_of_window else UPDATE_BURST

    def update_wait(self, now: float) -> float:
        """Return the seconds until updates may leave."""
        again = self._update_sent_at + INTERVAL / self.share
        return max(INTERVAL, self._updates_settled_at + INTERVAL - now, again - now)

    def updates_added(self, now: float, *, all_of_them: bool) -> None:
        """Note that updates were put into a message: all of them, or as many as may leave."""
        if all_of_them:
            self._behind_since = None
        elif self._behind_since is None:
            self._behind_since = now

    def is_behind(self, now: float, *, on_screen: bool) -> bool:
        """Whether updates have exceeded their rate for so long that a series is to travel coarsely."""
        return self._behind_since is not None and now > self._behind_since + (FAR_BEHIND if on_screen else BEHIND)

    def idle_wait(self, now: float, *, reading: bool) -> float:
        """Seconds until it is worth asking again when nothing was to be sent."""
        due = min(self._last_sent + HEARTBEAT, self.keyframe_at)
        wait = max(INTERVAL, due - now)
        return min(wait, SCAN_REPORT_INTERVAL_S) if reading else wait

    @property
    def is_keyframe_open(self) -> bool:
        """A keyframe has begun, and its last message has not left."""
        return self._ended_at is None and self._begun_at > float("-inf")

    def heartbeat_due(self, now: float) -> bool:
        """Whether silence has lasted long enough for a bare status."""
        return now >= self._last_sent + HEARTBEAT

    def keyframe_begun(self, now: float) -> None:
        """A keyframe begins."""
        self.is_keyframe_asked = self.is_keyframe_required = False
        self._begun_at = now
        self._ended_at = None
        self._keyframe_bytes = 0.0
        self.has_changed = False

    def keyframe_ended(self, now: float) -> None:
        """Its last message leaves."""
        self._ended_at = now
        self._repeats += 1
        if self._has_new_client and self._repeats > len(KEYFRAME_GAPS):
            self.is_heard = True

    def sent(self, now: float, size: int, updates: float, blobs: int = 0, seq: int = 0, composing: float = 0.0) -> None:
        """Note that message `seq` of `size` bytes left, with these bytes of `updates` and pieces of `blobs`.

        A message of the initial scan took `composing` seconds. This stays idle after it: the reader needs the core.
        """
        self._sent_at[seq] = now
        if len(self._sent_at) > REMEMBERED_MESSAGES:
            self._sent_at.popitem(last=False)
        if self._last_sent == float("-inf"):
            self._reading_since = now
        self._last_sent = now
        self._not_before = now + max(INTERVAL, (1 + SCAN_IDLE_RATIO) * composing)
        self.backs_off_until = now + min(SCAN_IDLE_SHARE * (now - self._reading_since), MAX_SCAN_IDLE_S)
        self._keyframe_bytes += max(0, size - max(updates, blobs))
        if updates:
            rate = UPDATE_RATE * self.share
            self._updates_settled_at = max(self._updates_settled_at, now - self._burst / rate) + updates / rate
            self._update_sent_at = now

    @property
    def keyframe_at(self) -> float:
        """When a keyframe is to begin."""
        if self.is_keyframe_asked or self.is_keyframe_required:
            # One that is under way ends first, or the last of many series would never be sent.
            gap = RESYNC_GAP if self.is_heard else NEW_CLIENT_GAP
            return self._begun_at + (MAX_KEYFRAME_S if self.is_keyframe_open else gap)
        if self._ended_at is None:
            return float("inf")
        if not self.is_heard:
            gap = KEYFRAME_GAPS[min(self._repeats, len(KEYFRAME_GAPS)) - 1]
            return self._ended_at + max(gap, self._keyframe_bytes / UPDATE_RATE)
        if not self.has_changed:
            return float("inf")
        return self._ended_at + max(KEYFRAME_PERIOD, self._keyframe_bytes / KEYFRAME_RATE)
