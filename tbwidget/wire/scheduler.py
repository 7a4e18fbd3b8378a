"""Decide when the next message may leave, and when everything is sent again: arithmetic on times handed in."""

from __future__ import annotations

from collections import OrderedDict

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
        self.is_heard = False
        """A browser was heard."""
        self.out_of_window = False
        """Every view is scrolled out of the window."""
        self._has_new_client = False
        self._is_keyframe_required = False
        self._not_before = 0.0
        self._reading_since: float | None = None
        """When the first message left."""
        self._backs_off_until = float("-inf")
        """While the logs are being read."""
        self._last_sent = float("-inf")
        self._begun_at = float("-inf")
        self._ended_at: float | None = None
        self._repeats = 0
        self._changed_since_keyframe = False
        self._keyframe_bytes = 0
        # From this moment on, the updates sent so far keep to their rate.
        self._updates_settled_at = float("-inf")
        self._behind_since: float | None = None
        self.share = 1.0
        """Share of the usual rate at which updates are sent; below 1 while a page says that it is behind."""
        self._share_changed_at = float("-inf")
        self._page_behind_at = float("-inf")
        self._update_sent_at = float("-inf")
        self._sent_at: OrderedDict[int, float] = OrderedDict()

    def hear(self) -> None:
        """Note that a browser was heard: keyframes are repeated only when data change, or on request."""
        self.is_heard = True

    def ask_keyframe(self, *, for_new_client: bool = False) -> None:
        """Send everything again soon; for a new client as at first, until a browser is heard.

        This ends after some keyframes: the client may have gone.
        """
        self.is_keyframe_asked = True
        if for_new_client:
            self._has_new_client = True
            self.is_heard = False
            self._repeats = 0

    def require_keyframe(self) -> None:
        """Begin a keyframe soon: only a keyframe tells that keys vanished."""
        self._is_keyframe_required = True

    def data_changed(self) -> None:
        """The logs hold something new."""
        self._changed_since_keyframe = True

    def wait(self, now: float, *, reading: bool = False, answers: bool = False) -> float:
        """Seconds until a message may leave; `reading`: the logs are being read; `answers`: a request is answered."""
        earliest = self._not_before
        if reading and not answers:
            earliest = max(earliest, self._backs_off_until)
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
        due = min(self._last_sent + HEARTBEAT, self._keyframe_at())
        wait = max(INTERVAL, due - now)
        return min(wait, SCAN_REPORT_INTERVAL_S) if reading else wait

    def keyframe_due(self, now: float) -> bool:
        """Whether a keyframe is to begin."""
        return now >= self._keyframe_at()

    def heartbeat_due(self, now: float) -> bool:
        """Whether silence has lasted long enough for a bare status."""
        return now >= self._last_sent + HEARTBEAT

    def keyframe_begun(self, now: float) -> None:
        """A keyframe begins."""
        self.is_keyframe_asked = self._is_keyframe_required = False
        self._begun_at = now
        self._ended_at = None
        self._keyframe_bytes = 0
        self._changed_since_keyframe = False

    def keyframe_ended(self, now: float) -> None:
        """Its last message leaves."""
        self._ended_at = now
        self._repeats += 1
        if self._has_new_client and self._repeats > len(KEYFRAME_GAPS):
            self.is_heard = True

    def sent(self, now: float, size: int, updates: int, blobs: int = 0, seq: int = 0) -> None:
        """Note that message `seq` of `size` bytes left, with these bytes of `updates` and pieces of `blobs`."""
        self._sent_at[seq] = now
        if len(self._sent_at) > REMEMBERED_MESSAGES:
            self._sent_at.popitem(last=False)
        self._last_sent = now
        self._not_before = now + INTERVAL
        self._keyframe_bytes += max(0, size - max(updates, blobs))
        if updates:
            rate = UPDATE_RATE * self.share
            self._updates_settled_at = max(self._updates_settled_at, now - self._burst / rate) + updates / rate
            self._update_sent_at = now

    def back_off(self, now: float, composing: float) -> None:
        """Stay idle after a message of the initial scan that took `composing` seconds: the reader needs the core."""
        if self._reading_since is None:
            self._reading_since = now
        self._not_before = max(self._not_before, now + (1 + SCAN_IDLE_RATIO) * composing)
        self._backs_off_until = now + min(SCAN_IDLE_SHARE * (now - self._reading_since), MAX_SCAN_IDLE_S)

    def end_backoff(self) -> None:
        """End the idle time: a user opens something else, and waits for it."""
        self._backs_off_until = float("-inf")

    def _keyframe_at(self) -> float:
        begun_and_open = self._ended_at is None and self._begun_at > float("-inf")
        if self.is_keyframe_asked or self._is_keyframe_required:
            # One that is under way ends first, or the last of many series would never be sent.
            gap = RESYNC_GAP if self.is_heard else NEW_CLIENT_GAP
            return self._begun_at + (MAX_KEYFRAME_S if begun_and_open else gap)
        if self._ended_at is None:
            return float("inf")
        if not self.is_heard:
            gap = KEYFRAME_GAPS[min(self._repeats, len(KEYFRAME_GAPS)) - 1]
            return self._ended_at + max(gap, self._keyframe_bytes / UPDATE_RATE)
        if not self._changed_since_keyframe:
            return float("inf")
        return self._ended_at + max(KEYFRAME_PERIOD, self._keyframe_bytes / KEYFRAME_RATE)
