"""When the next message may leave, and when everything is sent again: plain arithmetic on times handed in."""

from __future__ import annotations

from collections import OrderedDict

INTERVAL = 0.1
"""Seconds between two messages at least: 10 a second. Jupyter's server drops messages of a kernel that sends many."""

OUT_OF_WINDOW_INTERVAL = 1.0
"""Seconds between two messages while every view of the dashboard is scrolled out of the browser's window."""

LIVE_RATE = 1e6
"""Bytes a second of news on average, whatever else is sent."""

LIVE_BURST = 250e3
"""Bytes of news that may leave at once after a silence."""

BEHIND = 2.0
"""Seconds for which there may be more news than may leave; from then on, what is not on the screen travels coarsely."""

FAR_BEHIND = 10.0
"""Likewise, until all of them do."""

LIVE_BYTES = 250_000
"""What news may take of a message while there is more to send."""

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

NEWCOMERS_GAP = 0.5
"""Likewise where a page may have come that cannot make itself heard."""

LONGEST_KEYFRAME = 15.0
"""Seconds that a keyframe under way may take before one that was asked for begins all the same."""

HEARTBEAT = 10.0
"""Seconds of silence after which a bare status is sent: the only sign that the kernel lives."""

READING_REST = 1.0
"""During the first reading the thread that sends rests for so many times as long as it took to compose a message."""

READING_SHARE = 1 / 4
"""And so much of the time since the first message: the page draws after each, on the cores that the reading needs."""

LONGEST_REST = 2.0
"""Seconds of that at most, since reading may take hours."""

LONGEST_COMPOSING = 1.0
"""Seconds after which a message leaves with what it holds: on a slow disk, reading for all of it may take minutes."""

FIRST_COMPOSING = 0.05
"""Likewise for the first message that has data, but for one blob: somebody waits, and the logs are still being read."""

BLOBS_COMPOSING = 0.1
"""Likewise while it takes blobs: to make one may take long, and both news and the blobs before it wait for that."""

OLDER_SHARE = 1 / 50
"""Of a core that blobs may take which nobody asked for, where there are newer ones: a cell may train beside them."""

LONGEST_OPENING = 10.0
"""Seconds after the first pass for which what it found may be sent as if it was still going on."""

READING_POLL = 0.25
"""Seconds between looks at the progress of the first pass."""


class Pace:
    """The timetable of one channel. Times are seconds of one monotonic clock."""

    def __init__(self) -> None:
        self.asked = True
        """A keyframe is wanted: the first one, or one a browser asked for."""
        self.known = False
        """A browser was heard."""
        self.out_of_window = False
        """Every view is scrolled out of the window."""
        self._newcomers = False
        self._relisting = False
        self._not_before = 0.0
        self._reading_since: float | None = None
        """When the first message left."""
        self._rests_until = float("-inf")
        """While the logs are being read."""
        self._last_sent = float("-inf")
        self._begun_at = float("-inf")
        self._ended_at: float | None = None
        self._repeats = 0
        self._changed_since_keyframe = False
        self._keyframe_bytes = 0
        # News sent so far keep to their rate from this moment on.
        self._news_settled_at = float("-inf")
        self._behind_since: float | None = None
        self.share = 1.0
        """Share of the usual rate at which updates are sent; below 1 while a page says that it is behind."""
        self._share_changed_at = float("-inf")
        self._page_behind_at = float("-inf")
        self._news_sent_at = float("-inf")
        self._sent_at: OrderedDict[int, float] = OrderedDict()

    def heard(self) -> None:
        """A browser answered: keyframes need not be repeated unasked."""
        self.known = True

    def ask_keyframe(self, *, newcomers: bool = False) -> None:
        """Everything is to be sent again, soon; for newcomers as it was at first, until a browser is heard.

        But not for ever: who came may have gone.
        """
        self.asked = True
        if newcomers:
            self._newcomers = True
            self.known = False
            self._repeats = 0

    def relist(self) -> None:
        """Keys vanished, which only a keyframe says."""
        self._relisting = True

    def data_changed(self) -> None:
        """The logs hold something new."""
        self._changed_since_keyframe = True

    def wait(self, now: float, *, reading: bool = False, answers: bool = False) -> float:
        """Seconds until a message may leave; `reading`: the logs are being read; `answers`: a request is answered."""
        earliest = self._not_before
        if reading and not answers:
            earliest = max(earliest, self._rests_until)
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

    def news_allowance(self, now: float) -> float:
        """Bytes of news that may leave now. What exceeds it is made up for before any other news leave."""
        if self.share < 1 and now < self._news_sent_at + INTERVAL / self.share:
            return 0.0
        return min(self._burst, (now - self._news_settled_at) * LIVE_RATE * self.share)

    @property
    def _burst(self) -> float:
        """Bytes of news that may leave at once."""
        return LIVE_RATE * OUT_OF_WINDOW_INTERVAL if self.out_of_window else LIVE_BURST

    def news_wait(self, now: float) -> float:
        """Seconds until news may leave."""
        again = self._news_sent_at + INTERVAL / self.share
        return max(INTERVAL, self._news_settled_at + INTERVAL - now, again - now)

    def news_added(self, now: float, *, all_of_them: bool) -> None:
        """News were put into a message: all that there are, or as many as may leave."""
        if all_of_them:
            self._behind_since = None
        elif self._behind_since is None:
            self._behind_since = now

    @property
    def keeps_up(self) -> bool:
        """The last message had room for all news."""
        return self._behind_since is None

    def is_behind(self, now: float, *, on_screen: bool) -> bool:
        """Whether there have been too many news for so long that those of a series are to travel coarsely."""
        return self._behind_since is not None and now > self._behind_since + (FAR_BEHIND if on_screen else BEHIND)

    def idle_wait(self, now: float, *, reading: bool) -> float:
        """Seconds until it is worth asking again when nothing was to be sent."""
        due = min(self._last_sent + HEARTBEAT, self._keyframe_at())
        wait = max(INTERVAL, due - now)
        return min(wait, READING_POLL) if reading else wait

    def keyframe_due(self, now: float) -> bool:
        """Whether a keyframe is to begin."""
        return now >= self._keyframe_at()

    def heartbeat_due(self, now: float) -> bool:
        """Whether silence has lasted long enough for a bare status."""
        return now >= self._last_sent + HEARTBEAT

    def keyframe_begun(self, now: float) -> None:
        """A keyframe begins."""
        self.asked = self._relisting = False
        self._begun_at = now
        self._ended_at = None
        self._keyframe_bytes = 0
        self._changed_since_keyframe = False

    def keyframe_ended(self, now: float) -> None:
        """Its last message leaves."""
        self._ended_at = now
        self._repeats += 1
        if self._newcomers and self._repeats > len(KEYFRAME_GAPS):
            self.known = True

    def sent(self, now: float, size: int, news: int, blobs: int = 0, seq: int = 0) -> None:
        """Message `seq` of `size` bytes left, of which `news` were news, and `blobs` pieces of blobs."""
        self._sent_at[seq] = now
        if len(self._sent_at) > REMEMBERED_MESSAGES:
            self._sent_at.popitem(last=False)
        self._last_sent = now
        self._not_before = now + INTERVAL
        self._keyframe_bytes += max(0, size - max(news, blobs))
        if news:
            rate = LIVE_RATE * self.share
            self._news_settled_at = max(self._news_settled_at, now - self._burst / rate) + news / rate
            self._news_sent_at = now

    def rest(self, now: float, composing: float) -> None:
        """The last message took so long to compose, while the logs are being read: others wait for that, too."""
        if self._reading_since is None:
            self._reading_since = now
        self._not_before = max(self._not_before, now + (1 + READING_REST) * composing)
        self._rests_until = now + min(READING_SHARE * (now - self._reading_since), LONGEST_REST)

    def end_rest(self) -> None:
        """Somebody looks at something else than before, and waits for that."""
        self._rests_until = float("-inf")

    def _keyframe_at(self) -> float:
        begun_and_open = self._ended_at is None and self._begun_at > float("-inf")
        if self.asked or self._relisting:
            # One that is under way ends first, or the last of many series would never be sent.
            gap = RESYNC_GAP if self.known else NEWCOMERS_GAP
            return self._begun_at + (LONGEST_KEYFRAME if begun_and_open else gap)
        if self._ended_at is None:
            return float("inf")
        if not self.known:
            gap = KEYFRAME_GAPS[min(self._repeats, len(KEYFRAME_GAPS)) - 1]
            return self._ended_at + max(gap, self._keyframe_bytes / LIVE_RATE)
        if not self._changed_since_keyframe:
            return float("inf")
        return self._ended_at + max(KEYFRAME_PERIOD, self._keyframe_bytes / KEYFRAME_RATE)
