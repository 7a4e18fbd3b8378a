"""What each message says besides series: how far reading has come, what went wrong, how old the news are."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from tbwidget.panels.draft import LONGEST_NAME, problem_list, wire_name
from tbwidget.panels.times import LATEST, Timed

if TYPE_CHECKING:
    from tbwidget.logs import LogDir, Problem

_TELLING = ("ready", "read", "exists", "problems", "left_out", "kinds")


class Status:
    """Asks the logs as seldom as it can: progress and problems cost a look at every file."""

    def __init__(self, logs: LogDir) -> None:
        self._logs = logs
        self._problems: list[Problem] = []
        self._kinds: list[str] = []
        self._progress = (0, 0)
        self._final = False
        self._newest = float("-inf")
        self._changed_at: float | None = None
        self._told: dict[str, Any] = {}

    def catalog_changed(self, kinds: list[str]) -> None:
        """There are other files or problems than before; of these kinds there are data."""
        self._kinds = kinds
        self._problems = self._logs.problems
        self._final = False

    def data_changed(self, now: float) -> None:
        """Something new was read."""
        self._changed_at = now

    def carried(self, series: Timed) -> None:
        """A series travels; its last point may be the newest of all."""
        if len(series) and (written := float(series.wall_time[-1])) < LATEST:
            self._newest = max(self._newest, written)

    def forget(self) -> None:
        """The browser may hold nothing: all is to be told anew."""
        self._told = {}

    def compose(self, now: float, *, ready: bool, left_out: int, seen: bool) -> tuple[dict[str, Any], bool]:
        """The status at `now`, and whether it tells something new; `seen`: the directory is known to hold something."""
        if not self._final:
            self._progress = self._logs.progress
            self._final = ready
        status = {
            "ready": ready,
            "read": list(self._progress),
            "path": wire_name(str(self._logs.path))[-LONGEST_NAME:],
            "exists": seen or os.path.isdir(self._logs.path),  # noqa: PTH112 (Path.is_dir raises where a mount is lost)
            "newest": self._newest if abs(self._newest) < LATEST else None,
            "age": None if self._changed_at is None else round(now - self._changed_at, 3),
            "left_out": left_out,
            "problems": len(self._problems),
            "kinds": self._kinds,
        }
        return status, any(status[name] != self._told.get(name) for name in _TELLING)

    def telling(self, status: dict[str, Any]) -> None:
        """The status leaves: with the list of problems, if their number is news."""
        if status["problems"] != self._told.get("problems"):
            status["problem_list"] = problem_list(self._problems)
        self._told = {name: status[name] for name in _TELLING}
