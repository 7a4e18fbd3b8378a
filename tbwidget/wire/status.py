"""What each message says besides its contents: how far reading has come, what went wrong, how old the news are."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from tbwidget.wire.draft import problem_list
from tbwidget.wire.redaction import places_of, wire_title
from tbwidget.wire.times import LATEST

if TYPE_CHECKING:
    from collections.abc import Callable

    from tbwidget.logs import LogDir, Problem
    from tbwidget.wire.content import Key, Timed
    from tbwidget.wire.presence import IdleClock

FRESH = 600.0
"""Seconds by which the wall time of new points may differ from the kernel's clock where something is written now."""

SETTLED = 0.25
"""Seconds for which a cell must run, or none, before that alone is worth a message: many cells are shorter."""

_NEWS = ("ready", "read", "exists", "problems", "left_out", "kinds", "empty_files")


class Status:
    """Asks the logs as seldom as it can: progress and problems cost a look at every file."""

    def __init__(self, logs: LogDir, clock: IdleClock, time_of_day: Callable[[], float] = time.time) -> None:
        self._logs = logs
        self._clock = clock
        self._time_of_day = time_of_day
        self._problems: list[Problem] = []
        self._kinds: list[str] = []
        self._empty_files = 0
        self._progress = (0, 0)
        self._final = False
        self._newest = float("-inf")
        self._newest_news = float("-inf")
        self._news: set[Key] = set()
        self._changed_at: float | None = None
        self._sent: dict[str, Any] = {}
        self._sent_cell: bool | None = None

    def catalog_changed(self, kinds: list[str]) -> None:
        """There are other files or problems than before; of these kinds there are data."""
        self._kinds = kinds
        self._problems = self._logs.problems
        self._empty_files = self._logs.empty_files
        self._final = False

    def data_changed(self, now: float) -> None:
        """Something new was read."""
        self._changed_at = now

    def has_news(self, key: Key) -> None:
        """A key changed after the first pass."""
        self._news.add(key)

    def note_newest(self, key: Key, rows: Timed) -> None:
        """Rows of a key travel; the last of them may be the newest of all."""
        if not len(rows):
            return
        written = float(rows.wall_time[-1])
        if written < LATEST:
            self._newest = max(self._newest, written)
        if self._news and key in self._news:
            self._news.discard(key)
            # Of several writers whichever is closest to now.
            now = self._time_of_day()
            self._newest_news = min(self._newest_news, written, key=lambda at: abs(at - now))

    def forget(self) -> None:
        """The browser may hold nothing: everything is to be sent again."""
        self._sent = {}

    def compose(self, now: float, *, ready: bool, left_out: int, seen: bool) -> tuple[dict[str, Any], bool]:
        """The status at `now`, and whether it holds something new; `seen`: the directory is known to hold something."""
        if not self._final:
            self._progress = self._logs.progress
            self._final = ready
        status = {
            "ready": ready,
            "read": list(self._progress),
            "path": wire_title(self._logs),
            "exists": seen or self._logs.exists,
            "newest": self._newest if abs(self._newest) < LATEST else None,
            "age": None if self._changed_at is None else round(now - self._changed_at, 3),
            "fresh": abs(self._time_of_day() - self._newest_news) < FRESH,
            "cell": self._clock.cell_runs,
            "left_out": left_out,
            "problems": len(self._problems),
            "kinds": self._kinds,
            "empty_files": self._empty_files,
        }
        cell_is_new = status["cell"] != self._sent_cell and self._clock.settled_for(now) >= SETTLED
        return status, cell_is_new or any(status[name] != self._sent.get(name) for name in _NEWS)

    def wait(self, now: float) -> float:
        """Seconds until a change of the cell is worth a message; infinite where there was none."""
        changed = self._clock.cell_runs != self._sent_cell
        return max(0.0, SETTLED - self._clock.settled_for(now)) if changed else float("inf")

    def sent(self, status: dict[str, Any]) -> None:
        """The status is sent: with the list of problems, if their number is new, and first of all with the places."""
        if not self._sent:
            status["places"] = places_of(self._logs)
        if status["problems"] != self._sent.get("problems"):
            status["problem_list"] = problem_list(self._problems)
        self._sent = {name: status[name] for name in _NEWS}
        self._sent_cell = status["cell"]
