"""A message being put together, and the bounds that none exceeds."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tbwidget.panels.columns import Columns
from tbwidget.panels.kinds import KINDS

if TYPE_CHECKING:
    from tbwidget.logs import Problem
    from tbwidget.panels.kinds import Part

PROTOCOL = 4
"""Version of the messages; keep in step with js/src/wire/protocol.ts."""

MESSAGE_BYTES = 1_000_000
"""No message is larger, its header included."""

MOST_PROBLEMS = 50
"""Problems beyond this number are counted, not sent."""

LONGEST_PROBLEM = 250
"""Characters of a problem's path, and of its message; the rest is cut."""

LONGEST_NAME = 4096
"""Bytes of a run's or tag's name; series with longer ones are counted, not sent."""

ENTRY_BYTES = 400
"""What a series takes in a header at most, without its names and columns."""

ESCAPED = 6
"""Bytes that one byte of a name may become in JSON."""

_MOST_COLUMNS = 12
_TABLE_BYTES = 100 * _MOST_COLUMNS
# A series may be said twice in a message: what is new of it, and coarsely.
_SERIES_BYTES = 2 * (_TABLE_BYTES + ENTRY_BYTES) + 2 * ESCAPED * LONGEST_NAME
_STATUS_BYTES = ESCAPED * (2 * LONGEST_PROBLEM * MOST_PROBLEMS + LONGEST_NAME)

ALL_SERIES_BYTES = MESSAGE_BYTES - _STATUS_BYTES
"""What the series of a message may take."""

Key = tuple[str, str]
"""Run and tag of a series."""


@dataclass(slots=True)
class Message:
    """One message to the browser: a JSON header and one buffer of columns."""

    header: dict[str, Any]
    buffer: bytes
    size: int
    """Bytes of its series."""


class Draft:
    """A message being put together."""

    def __init__(self) -> None:
        self.columns = Columns()
        self.series: list[dict[str, Any]] = []
        self.details: list[dict[str, Any]] = []
        self._runs: dict[str, int] = {}
        self._tags: dict[str, int] = {}
        self._names = 0

    @property
    def size(self) -> int:
        """Bytes of the message so far without its status, at most."""
        entries = len(self.series) + len(self.details)
        return self.columns.size + self.columns.table_size + self._names + ENTRY_BYTES * entries

    def room(self, kind: str) -> bool:
        """Whether there is room for another series of this kind, however long."""
        return self.size + KINDS[kind].most_bytes + _SERIES_BYTES < ALL_SERIES_BYTES

    def add(self, kind: str, key: Key, series: Any, part: Part) -> None:
        """Add what a series has to say."""
        entry = KINDS[kind].entry(series, part, self.columns, key[0])
        self.series.append({"kind": kind, **self._names_of(key), **entry})

    def add_detail(self, kind: str, key: Key, series: Any, stretch: range, *, linked: bool = False) -> None:
        """Add a stretch of a series in detail; or what lies about the `linked` step."""
        entry = KINDS[kind].stretch_entry(series, stretch, self.columns, key[0])
        self.details.append({"kind": kind, **self._names_of(key), **entry, **({"linked": True} if linked else {})})

    def message(self, head: dict[str, Any]) -> Message:
        """The message as it leaves, beginning with `head`."""
        header = {
            **head,
            "runs": list(self._runs),
            "tags": list(self._tags),
            "columns": self.columns.table,
            "series": self.series,
            "details": self.details,
        }
        return Message(header, self.columns.buffer(), self.size)

    def _names_of(self, key: Key) -> dict[str, int]:
        return {"run": self._name(self._runs, key[0]), "tag": self._name(self._tags, key[1])}

    def _name(self, table: dict[str, int], name: str) -> int:
        known = wire_name(name)
        if known not in table:
            self._names += len(json.dumps(known)) + 2
        return table.setdefault(known, len(table))


def wire_name(name: str) -> str:
    """A name as it travels: bytes that are no UTF-8 (surrogates here) become visible escapes, so names differ still."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8")


def wire_size(name: str) -> int:
    """Bytes of a name as it travels."""
    return len(name.encode("utf-8", "backslashreplace"))


def problem_list(problems: list[Problem]) -> list[list[str | None]]:
    """The first problems as they travel."""
    return [
        [
            wire_name(problem.path)[-LONGEST_PROBLEM:],
            None if problem.offset is None else str(problem.offset),
            wire_name(problem.message)[:LONGEST_PROBLEM],
        ]
        for problem in problems[:MOST_PROBLEMS]
    ]
