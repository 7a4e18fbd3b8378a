"""What to send next: turns a log directory that grows into messages of bounded size, paced, that survive loss.

Nothing here knows of widgets, threads or clocks: `Feed.next_message(now)` is asked by whoever sends. WIRE.md describes
the messages.
"""

from __future__ import annotations

import json
import math
import threading
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tbwidget.logs.natural import natural_key
from tbwidget.panels.columns import Columns
from tbwidget.panels.pace import Pace
from tbwidget.panels.scalars import WHOLE_SERIES, Sent, next_part

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tbwidget.logs import Changes, LogDir, Problem

PROTOCOL = 1
"""Version of the messages; keep in step with js/src/wire/protocol.ts."""

MESSAGE_BYTES = 1_000_000
"""No message is larger, its header included."""

LIVE_BYTES = 250_000
"""What news may take of a message while a keyframe is under way."""

FIRST_TAGS = 12
"""Tags, in natural order, that travel in full before any other: about a first screen."""

FEW_SERIES = 200
"""Up to this many series, all travel in full at once."""

FINE_BYTES = 32_000_000
"""Series travel in full until about this much has gone; the others stay coarse."""

COARSE_POINTS = 256
"""Points of a series in its coarse version, fewer when there are very many series."""

COARSE_TOTAL = 2_000_000
"""Points of all coarse versions together."""

MOST_SERIES = 100_000
"""Series beyond this number are counted, not sent."""

MOST_PROBLEMS = 50
"""Problems beyond this number are counted, not sent."""

LONGEST_PROBLEM = 250
"""Characters of a problem's path, and of its message; the rest is cut."""

LONGEST_NAME = 4096
"""Bytes of a run's or tag's name; series with longer ones are counted, not sent."""

ENTRY_BYTES = 220
"""What a series takes in a header at most, without its names."""

LATEST = 1e12
"""Wall times beyond this (seconds since the epoch) are nonsense, not dates."""

ESCAPED = 6
"""Bytes that one byte of a name may become in JSON."""

Key = tuple[str, str]


@dataclass(slots=True)
class Message:
    """One message to the browser: a JSON header and one buffer of columns."""

    header: dict[str, Any]
    buffer: bytes
    size: int
    """Bytes of its series."""


@dataclass(slots=True)
class _Track:
    """What the feed knows of one series."""

    limit: int = WHOLE_SERIES
    sent: Sent | None = None
    seq: int = 0
    """Number of the message that carried it last."""


@dataclass(slots=True)
class _Work:
    """Series waiting to be sent, by urgency."""

    keyframe: deque[Key] = field(default_factory=deque)
    news: dict[Key, None] = field(default_factory=dict)
    finer: deque[Key] = field(default_factory=deque)


class Feed:
    """The stream of messages for one dashboard. Every method may be called from any thread."""

    def __init__(self, logs: LogDir) -> None:
        self._logs = logs
        self._lock = threading.RLock()
        self._pace = Pace()
        self._tracks: dict[Key, _Track] = {}
        self._order: list[Key] = []
        self._work = _Work()
        self._seq = 0
        self._keyframe = 0
        self._keyframe_open = False
        self._keyframe_begins = False
        self._fine_bytes = 0
        self._left_out = 0
        self._problems: list[Problem] = []
        self._catalog_changed = True
        self._was_ready = False
        self._pending_change = False
        self._changed_at: float | None = None
        self._newest = float("-inf")
        self._told: dict[str, Any] = {}

    def changed(self, changes: Changes) -> None:
        """Take note of what the follower has read."""
        with self._lock:
            self._pending_change = True
            self._catalog_changed |= changes.catalog
            for kind, run, tag in changes.series:
                if kind == "scalars":
                    self._work.news[run, tag] = None

    def hello(self, *, complete: bool) -> None:
        """Say that a browser is listening, and whether it holds everything sent so far."""
        with self._lock:
            self._pace.heard()
            if not complete:
                self._pace.ask_keyframe()

    def next_message(self, now: float) -> tuple[Message | None, float]:
        """The message due at `now` (seconds of a monotonic clock), or None; and the seconds until the next may be."""
        with self._lock:
            wait = self._pace.wait(now)
            if wait > 0:
                return None, wait
            ready, was_ready = self._logs.ready, self._was_ready
            if self._catalog_changed:
                self._catalog_changed = False
                self._list_series()
                self._problems = self._logs.problems
            if self._pending_change:
                self._pending_change = False
                self._pace.data_changed()
                if was_ready:  # what the first pass found is not news
                    self._changed_at = now
            self._was_ready = ready
            if self._pace.keyframe_due(now):
                self._begin_keyframe(now)
            burst = self._keyframe_open or bool(self._work.finer) or not was_ready
            message = self._compose(now, ready=ready)
            if message is None:
                return None, self._pace.idle_wait(now, reading=not ready)
            self._pace.sent(now, message.size, burst=burst)
            return message, self._pace.wait(now)

    def _list_series(self) -> None:
        """Compare the logs' series with ours: new ones are news, a vanished one asks for a keyframe."""
        listed: set[Key] = set()
        left_out = 0
        for run, tags in self._logs.tags().get("scalars", {}).items():
            for tag in tags:
                fits = max(_wire_size(run), _wire_size(tag)) <= LONGEST_NAME
                if fits and len(listed) < MOST_SERIES:
                    listed.add((run, tag))
                else:
                    left_out += 1
        self._left_out = left_out
        if gone := self._tracks.keys() - listed:
            for key in gone:
                del self._tracks[key]
            self._pace.ask_keyframe()
        new = listed - self._tracks.keys()
        if new or gone:
            run_ranks = _ranks(run for run, _ in listed)
            tag_ranks = _ranks(tag for _, tag in listed)
            self._order = sorted(listed, key=lambda key: (tag_ranks[key[1]], run_ranks[key[0]]))
            self._set_limits(new)

    def _set_limits(self, new: set[Key]) -> None:
        """Give new series their first resolution, and line up those that shall be refined."""
        few = len(self._order) <= FEW_SERIES
        first = set(list(dict.fromkeys(tag for _, tag in self._order))[:FIRST_TAGS])
        coarse = max(16, min(COARSE_POINTS, COARSE_TOTAL // len(self._order))) if self._order else COARSE_POINTS
        for key in self._order:
            if key in new:
                fine = few or key[1] in first
                self._tracks[key] = _Track(limit=WHOLE_SERIES if fine else coarse)
                self._work.news[key] = None
                if not fine:
                    self._work.finer.append(key)

    def _begin_keyframe(self, now: float) -> None:
        self._keyframe += 1
        self._keyframe_open = self._keyframe_begins = True
        self._pace.keyframe_begun(now)
        self._work.keyframe = deque(self._order)
        self._told = {}

    def _compose(self, now: float, *, ready: bool) -> Message | None:
        draft = _Draft()
        self._add_news(draft, LIVE_BYTES if self._work.keyframe else ALL_SERIES_BYTES)
        while self._work.keyframe and draft.room(ALL_SERIES_BYTES):
            self._add(draft, self._work.keyframe.popleft(), whole=True)
        while self._work.finer and not self._work.keyframe and draft.room(ALL_SERIES_BYTES):
            self._refine(draft, self._work.finer.popleft())
        closes = self._keyframe_open and not self._work.keyframe
        status = self._status(now, ready=ready)
        told = {name: status[name] for name in ("ready", "read", "exists", "problems", "left_out")}
        if not (draft.series or closes or told != self._told or self._pace.heartbeat_due(now)):
            return None
        if status["problems"] != self._told.get("problems"):
            status["problem_list"] = self._problem_list()
        self._told = told
        self._seq += 1
        for key in draft.keys:
            self._tracks[key].seq = self._seq
        header = {
            "type": "data",
            "protocol": PROTOCOL,
            "seq": self._seq,
            "keyframe": self._keyframe,
            "begins": self._keyframe_begins,
            "ends": closes,
            "status": status,
            "runs": list(draft.runs),
            "tags": list(draft.tags),
            "columns": draft.columns.table,
            "series": draft.series,
        }
        self._keyframe_begins = False
        if closes:
            self._keyframe_open = False
            self._pace.keyframe_ended(now)
        return Message(header, draft.columns.buffer(), draft.size)

    def _add_news(self, draft: _Draft, budget: int) -> None:
        """Oldest news first, so that none waits for ever; what the keyframe is about to carry can wait for it."""
        waiting = set(self._work.keyframe)
        while self._work.news and draft.room(budget):
            key = next(iter(self._work.news))
            del self._work.news[key]
            if key not in waiting:
                self._add(draft, key, whole=False)

    def _refine(self, draft: _Draft, key: Key) -> None:
        track = self._tracks.get(key)
        if track is not None and self._fine_bytes < FINE_BYTES:
            track.limit = WHOLE_SERIES
            before = draft.size
            self._add(draft, key, whole=False)
            self._fine_bytes += draft.size - before

    def _add(self, draft: _Draft, key: Key, *, whole: bool) -> None:
        """Put what a series has to say into the draft; `whole`: as if the browser held nothing of it."""
        track = self._tracks.get(key)
        if track is None:
            return
        try:
            series = self._logs.scalars(*key)
        except KeyError:  # gone since it was listed; the next listing says so
            self._catalog_changed = True
            return
        part = next_part(series, track.limit, None if whole else track.sent)
        if part is None:
            return
        self._work.news.pop(key, None)
        if len(series) and math.isfinite(written := float(series.wall_time[-1])):
            self._newest = max(self._newest, written)
        entry = {
            "run": draft.name(draft.runs, key[0]),
            "tag": draft.name(draft.tags, key[1]),
            "base": track.seq if part.keep else 0,
            "keep": part.keep,
            "step": draft.columns.add_steps(part.step),
            "value": draft.columns.add_values(part.value),
            "total": part.sent.total,
            "superseded": series.superseded,
            "width": part.sent.width,
        }
        track.sent = part.sent
        draft.series.append(entry)
        draft.keys.append(key)

    def _status(self, now: float, *, ready: bool) -> dict[str, Any]:
        read, found = self._logs.progress
        return {
            "ready": ready,
            "read": [read, found],
            "path": wire_name(str(self._logs.path))[-LONGEST_NAME:],
            "exists": self._logs.path.is_dir(),
            "newest": self._newest if abs(self._newest) < LATEST else None,
            "age": None if self._changed_at is None else round(now - self._changed_at, 3),
            "left_out": self._left_out,
            "problems": len(self._problems),
        }

    def _problem_list(self) -> list[list[str | None]]:
        return [
            [
                wire_name(problem.path)[-LONGEST_PROBLEM:],
                None if problem.offset is None else str(problem.offset),
                wire_name(problem.message)[:LONGEST_PROBLEM],
            ]
            for problem in self._problems[:MOST_PROBLEMS]
        ]


class _Draft:
    """A message being put together."""

    def __init__(self) -> None:
        self.columns = Columns()
        self.series: list[dict[str, int]] = []
        self.keys: list[Key] = []
        self.runs: dict[str, int] = {}
        self.tags: dict[str, int] = {}
        self._names = 0

    @property
    def size(self) -> int:
        """Bytes of the message so far without its status, at most."""
        return self.columns.size + self._names + ENTRY_BYTES * len(self.series)

    def room(self, budget: int) -> bool:
        """Whether another series, however long, keeps the message within `budget`."""
        return self.size + _SERIES_BYTES < budget

    def name(self, table: dict[str, int], name: str) -> int:
        """Row of a name in the message's table of runs or tags."""
        known = wire_name(name)
        if known not in table:
            self._names += len(json.dumps(known)) + 2
        return table.setdefault(known, len(table))


_SERIES_BYTES = 16 * WHOLE_SERIES + ENTRY_BYTES + 2 * ESCAPED * LONGEST_NAME
_STATUS_BYTES = ESCAPED * (2 * LONGEST_PROBLEM * MOST_PROBLEMS + LONGEST_NAME)
ALL_SERIES_BYTES = MESSAGE_BYTES - _STATUS_BYTES


def wire_name(name: str) -> str:
    """A name as it travels: bytes that are no UTF-8 (surrogates here) become visible escapes, so names differ still."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8")


def _wire_size(name: str) -> int:
    return len(name.encode("utf-8", "backslashreplace"))


def _ranks(names: Iterable[str]) -> dict[str, int]:
    """Place of each name in the natural order."""
    return {name: rank for rank, name in enumerate(sorted(set(names), key=natural_key))}
