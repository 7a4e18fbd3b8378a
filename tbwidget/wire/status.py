"""Compose the status of each message: how far the scan has come, problems, how old the updates are."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

from tbwidget.logs.source import Progress
from tbwidget.texts import escape_surrogates
from tbwidget.wire.columns import MAX_WALL_TIME
from tbwidget.wire.message import HEAD_BYTES, MAX_DIRECTORIES_BYTES, MAX_MESSAGE_BYTES, fitting, problem_list
from tbwidget.wire.redaction import places_of, wire_title

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tbwidget.logs.accessors import Logs
    from tbwidget.logs.problems import Problem
    from tbwidget.wire.clients import IdleClock
    from tbwidget.wire.columns import Timed
    from tbwidget.wire.content import Key

FRESH = 600.0
"""Seconds by which the wall time of new points may differ from the kernel's clock where something is written now."""

SETTLED = 0.25
"""Seconds for which a cell must run, or none, before that alone is worth a message: many cells are shorter."""

_WORTH_A_MESSAGE = (
    "ready", "read", "exists", "problems", "left_out", "kinds", "empty_files", "share", "polled", "reading"
)  # fmt: skip


class Status:
    """Asks the logs as seldom as it can: progress and problems cost a pass over every file."""

    def __init__(self, logs: Logs, clock: IdleClock, time_of_day: Callable[[], float] = time.time) -> None:
        self._logs = logs
        self._clock = clock
        self._time_of_day = time_of_day
        self._problems: list[Problem] = []
        self._kinds: list[str] = []
        self._empty_files = 0
        self._progress = Progress("listing")
        self._final = False
        self._newest = float("-inf")
        self._newest_update = float("-inf")
        self._changed: set[Key] = set()
        self._changed_at: float | None = None
        self._sent: dict[str, Any] = {}
        self._title = wire_title(logs)
        self._places: list[tuple[str, str]] = []
        self._places_sent = 0

    def catalog_changed(self, kinds: list[str]) -> None:
        """There are other files or problems than before; of these kinds there are data."""
        self._kinds = kinds
        self._problems = self._logs.problems
        self._empty_files = self._logs.source.empty_files
        self._final = False

    def data_changed(self, now: float, keys: Iterable[Key]) -> None:
        """Something new was read after the first pass; these keys changed."""
        self._changed_at = now
        self._changed.update(keys)

    def note_newest(self, key: Key, rows: Timed) -> None:
        """Rows of a key travel; the last of them may be the newest of all."""
        if not len(rows):
            return
        written = float(rows.wall_time[-1])
        if written < MAX_WALL_TIME:
            self._newest = max(self._newest, written)
        if self._changed and key in self._changed:
            self._changed.discard(key)
            # With several writers, the one closest to now counts.
            now = self._time_of_day()
            self._newest_update = min(self._newest_update, written, key=lambda at: abs(at - now))

    def forget(self) -> None:
        """The browser may hold nothing: everything is to be sent again."""
        self._sent = {}
        self._title, self._places = wire_title(self._logs), places_of(self._logs)
        self._places_sent = 0

    def compose(
        self, now: float, *, ready: bool, left_out: int, seen: bool, unsent: float = 0.0, share: float = 1.0
    ) -> tuple[dict[str, Any], bool]:
        """The status at `now`, and whether it holds something new.

        `ready`: the initial scan has ended, and browsers were told the names of everything that it found. `seen`: the
        directory is known to hold something. `unsent`: seconds that the oldest visible update has been waiting.
        `share`: share of the usual rate at which updates are sent.
        """
        if not self._final:
            self._progress = self._logs.source.progress
            self._final = ready
        status = {
            "ready": ready,
            "read": [self._progress.bytes_read, self._progress.bytes_found],
            "path": self._title,
            "exists": seen or self._logs.source.exists,
            "newest": self._newest if abs(self._newest) < MAX_WALL_TIME else None,
            "age": None if self._changed_at is None else round(now - self._changed_at, 3),
            "fresh": abs(self._time_of_day() - self._newest_update) < FRESH,
            "clock": [round(now, 3), round(self._time_of_day(), 3)],
            "unsent": round(unsent, 3),
            "share": share,
            "cell": self._clock.cell_runs,
            "left_out": left_out,
            "problems": len(self._problems),
            "kinds": self._kinds,
            "empty_files": self._empty_files,
        }
        progress = self._progress
        if not ready and progress.phase != "ready":
            files = [progress.files_read, progress.files]
            status["reading"] = [progress.phase, progress.entries, *files, progress.bytes_fetched]
        if (polled := self._logs.source.poll_interval) is not None:
            status["polled"] = polled
        cell_is_new = status["cell"] != self._sent.get("cell") and self._clock.settled_for(now) >= SETTLED
        is_new = cell_is_new or any(status.get(name) != self._sent.get(name) for name in _WORTH_A_MESSAGE)
        return status, is_new or self._places_sent < len(self._places)

    def wait(self, now: float) -> float:
        """Seconds until a change of the cell is worth a message; infinite where there was none."""
        changed = self._clock.cell_runs != self._sent.get("cell")
        return max(0.0, SETTLED - self._clock.settled_for(now)) if changed else float("inf")

    def sent(self, status: dict[str, Any], content_bytes: int = 0) -> None:
        """The status is sent, in a message whose entries take `content_bytes`.

        The list of problems goes with it if their number is new, the directories if it is the first, and as many of the
        places as fit.
        """
        if not self._sent:
            status["directories"] = self._directories()
        if status["problems"] != self._sent.get("problems"):
            status["problem_list"] = problem_list(self._problems)
        if (begin := self._places_sent) < len(self._places) or not self._sent:
            space = MAX_MESSAGE_BYTES - HEAD_BYTES - content_bytes - len(json.dumps(status))
            places = fitting(self._places[begin:], space)
            self._places_sent = begin + len(places)
            status["places"] = places
            if begin or self._places_sent < len(self._places):
                status |= {"places_from": begin, "places_left": len(self._places) - self._places_sent}
        self._sent = {name: status.get(name) for name in (*_WORTH_A_MESSAGE, "cell")}

    def _directories(self) -> list[list[str]]:
        """Return names and paths as `load` takes them; none where one is no Unicode text, or all are too long."""
        pairs = [[root.name, root.path] for root in self._logs.source.roots]
        text = json.dumps(pairs, ensure_ascii=False)
        return pairs if text == escape_surrogates(text) and len(json.dumps(pairs)) <= MAX_DIRECTORIES_BYTES else []
