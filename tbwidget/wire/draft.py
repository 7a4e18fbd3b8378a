"""A message being put together, and the bounds that none exceeds."""

from __future__ import annotations

import json
from dataclasses import dataclass
from json.encoder import encode_basestring_ascii
from typing import TYPE_CHECKING, Any, TypeVar

from tbwidget.reasons import Reason, text_reason
from tbwidget.texts import escape_surrogates
from tbwidget.wire.columns import Columns, ColumnsSavepoint

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tbwidget.logs.problems import Problem
    from tbwidget.wire.content import Key, Part, SeriesContent

PROTOCOL = 5
"""Version of the messages; keep in step with js/src/wire/protocol.ts."""

MAX_MESSAGE_BYTES = 1_000_000
"""No message is larger, its header included."""

MAX_PIECE_BYTES = 512_000
"""No piece of a blob is larger; larger blobs travel in several."""

MAX_LISTED_PROBLEMS = 50
"""Problems beyond this number are counted, not sent."""

PROBLEM_LIST_BYTES = 60_000
"""Upper bound for the list of problems as JSON: the rest is counted, not sent."""

MAX_PROBLEM_LENGTH = 250
"""Characters of a problem's path, and of its message; the rest is cut."""

MAX_NAME_BYTES = 4096
"""Bytes of a run's or tag's name; what has longer ones is counted, not sent."""

ENTRY_BYTES = 400
"""Bytes that a series counts for at least in a header, without its names and columns: each costs the page some time."""

ESCAPED = 6
"""Bytes that one byte of a name may become in JSON."""

_MAX_COLUMNS = 12
_TABLE_BYTES = 100 * _MAX_COLUMNS
_PIECE_ENTRY = 1_000
_NAME_BYTES = 2 * ESCAPED * MAX_NAME_BYTES
# A series may be in a message twice: what is new of it, and coarsely.
_SERIES_BYTES = 2 * (_TABLE_BYTES + ENTRY_BYTES) + _NAME_BYTES
HEAD_BYTES = 8_000
"""Upper bound for the fields of fixed size, and for what Jupyter puts around a message, in bytes."""

_CHARACTER_BYTES = 12  # of JSON that one character of text may become
_STATUS_BYTES = PROBLEM_LIST_BYTES + _CHARACTER_BYTES * MAX_NAME_BYTES + HEAD_BYTES

MAX_CONTENT_BYTES = MAX_MESSAGE_BYTES - _STATUS_BYTES
"""Upper bound for all entries of a message, in bytes."""


_LARGEST_BLOB = 1 / 4  # of the budget
_SMALL_TOTAL = 3 / 8  # of the budget

_MAX_REFUSED = 200
"""Keys that are read in vain, at most: then nothing more is tried."""


@dataclass(slots=True)
class Message:
    """One message to the browser: a JSON header and one buffer of columns."""

    header: dict[str, Any]
    buffer: bytes
    size: int
    """Upper bound for its entries, names and columns in bytes: without its status."""
    blob_bytes: int = 0
    """Bytes of these that are pieces of blobs."""


_Row = TypeVar("_Row")

Savepoint = tuple[ColumnsSavepoint, tuple[int, ...], int, int, tuple[int, int, int]]
"""A state of a message to go back to: columns, entries of each list, runs, tags, and bytes."""


class MessageBuilder:
    """A message being put together."""

    def __init__(self, number_of: Callable[[str], int] = lambda _run: -1) -> None:
        self.columns = Columns()
        self.series: list[dict[str, Any]] = []
        self.details: list[dict[str, Any]] = []
        self.items: list[dict[str, Any]] = []
        self.documents: list[dict[str, Any]] = []
        self.pieces: list[dict[str, Any]] = []
        self.answers: list[dict[str, Any]] = []
        self.failed: list[dict[str, Any]] = []
        self._lists = (
            self.series,
            self.details,
            self.items,
            self.documents,
            self.pieces,
            self.answers,
            self.failed,
        )
        self.blob_limit = float("inf")
        """Pieces of blobs are added up to this size of the message."""
        self._number_of = number_of
        self._runs: dict[str, int] = {}
        self._numbers: list[int] = []
        self._tags: dict[str, int] = {}
        self._names = 0
        self._measured = 0
        self._blob_bytes = 0

    @property
    def size(self) -> int:
        """Upper bound for the message so far in bytes, without its status."""
        return self.columns.size + self.columns.table_size + self._names + self._measured

    @property
    def is_too_large(self) -> bool:
        """More was added than a message may hold."""
        return self.size > MAX_CONTENT_BYTES

    @property
    def space(self) -> int:
        """Bytes that a new entry may take beside its names."""
        return MAX_CONTENT_BYTES - self.size - _NAME_BYTES

    @property
    def blob_space(self) -> int:
        """Bytes that a piece of a blob may take."""
        return int(min(self.space - _PIECE_ENTRY, self.blob_limit - self.size))

    @property
    def is_empty(self) -> bool:
        """Nothing was added."""
        return not any(self._lists) and not self._runs

    def fits_series(self, max_bytes: int) -> bool:
        """Whether a series fits that takes at most `max_bytes`."""
        return self.size + max_bytes + _SERIES_BYTES < MAX_CONTENT_BYTES

    def savepoint(self) -> Savepoint:
        """Return the state of the message, for `rollback`."""
        lengths = tuple(map(len, self._lists))
        counts = self._names, self._measured, self._blob_bytes
        return self.columns.savepoint(), lengths, len(self._runs), len(self._tags), counts

    def rollback(self, savepoint: Savepoint) -> None:
        """Remove everything that was added since."""
        columns, lengths, runs, tags, (self._names, self._measured, self._blob_bytes) = savepoint
        self.columns.rollback(columns)
        for entries, length in zip(self._lists, lengths, strict=True):
            del entries[length:]
        for table, length in ((self._runs, runs), (self._tags, tags)):
            while len(table) > length:
                table.popitem()
        del self._numbers[runs:]

    def add_run(self, run: str) -> None:
        """Add a run's number, whatever else is said of it."""
        self._run(run)

    def add_series(self, content: SeriesContent, key: Key, series: Any, part: Part) -> None:
        """Add a part of a series."""
        entry = content.entry(series, part, self.columns, key.run)
        self._add(self.series, {"kind": key.kind, **self._names_of(key), **entry}, ENTRY_BYTES)

    def add_detail(
        self, content: SeriesContent, key: Key, series: Any, stretch: range, *, linked: bool = False
    ) -> None:
        """Add a stretch of a series in detail; or what lies about the `linked` step."""
        entry = content.detail_entry(series, stretch, self.columns, key.run)
        marked = {"linked": True} if linked else {}
        self._add(self.details, {"kind": key.kind, **self._names_of(key), **entry, **marked}, ENTRY_BYTES)

    def add_items(self, key: Key, entry: dict[str, Any]) -> None:
        """Add rows of an index of items."""
        self._add(self.items, {"kind": key.kind, **self._names_of(key), **entry})

    def add_document(self, key: Key, revision: int, size: int) -> None:
        """Add that a document exists in this revision, with `size` bytes."""
        self._add(self.documents, {"kind": key.kind, **self._names_of(key), "revision": revision, "size": size})

    def add_piece(
        self, of: str, key: Key | None, name: int | str, data: bytes | memoryview, start: int, size: int
    ) -> None:
        """Add bytes of a blob of `size` bytes, from byte `start` on."""
        names = {} if key is None else {"kind": key.kind, **self._names_of(key)}
        row = self.columns.add_bytes(data)
        self._blob_bytes += len(data)
        self._add(self.pieces, {"of": of, **names, "id": name, "from": start, "size": size, "bytes": row})

    def add_unreadable_item(self, key: Key, item: int, reason: Reason) -> None:
        """Add that an item's blob cannot be read."""
        entry = {"of": "item", "kind": key.kind, **self._names_of(key), "id": item}
        self._add(self.pieces, {**entry, "from": 0, "size": 0, **wire_reason(reason)})

    def add_answer(self, entry: dict[str, Any]) -> None:
        """Add the answer to a request, or its refusal."""
        self._add(self.answers, entry)

    def add_failed(self, key: Key, reason: Reason) -> None:
        """Add that a key cannot be read or encoded."""
        self._add(self.failed, {"kind": key.kind, **self._names_of(key), **wire_reason(reason)})

    def message(self, head: dict[str, Any]) -> Message:
        """The message as it leaves, beginning with `head`."""
        header = {
            **head,
            "runs": list(self._runs),
            "numbers": self._numbers,
            "tags": list(self._tags),
            "columns": self.columns.table,
            "series": self.series,
            "details": self.details,
            "items": self.items,
            "documents": self.documents,
            "pieces": self.pieces,
            "answers": self.answers,
            "failed": self.failed,
        }
        return Message(header, self.columns.buffer(), self.size, self._blob_bytes)

    def _add(self, entries: list[dict[str, Any]], entry: dict[str, Any], least: int = 0) -> None:
        self._measured += max(least, len(json.dumps(entry)) + len(", "))
        entries.append(entry)

    def _names_of(self, key: Key) -> dict[str, int]:
        return {"run": self._run(key.run), "tag": self._tag(key.tag)}

    def _run(self, run: str) -> int:
        name = escape_surrogates(run)
        if name not in self._runs:
            self._numbers.append(number := self._number_of(run))
            self._names += len(encode_basestring_ascii(name)) + len(str(number)) + 4
        return self._runs.setdefault(name, len(self._runs))

    def _tag(self, tag: str) -> int:
        name = escape_surrogates(tag)
        if name not in self._tags:
            self._names += len(encode_basestring_ascii(name)) + 2
        return self._tags.setdefault(name, len(self._tags))


class ByteBudget:
    """Bytes that the messages of a channel may take in all; without a number, as many as there are."""

    def __init__(self, total: float = float("inf")) -> None:
        self.left = total
        """Bytes that the next message may take."""
        self.largest_blob = _LARGEST_BLOB * total
        """Bytes of a blob that is sent unasked at most."""
        self.small_total = min(MAX_CONTENT_BYTES / 2, _SMALL_TOTAL * total)
        """Series that take no more travel in full at once."""
        self.blob_share = min(MAX_CONTENT_BYTES, total) / 2
        """Bytes of a message that blobs may take before series have theirs."""
        self.refused: set[Key] = set()
        """Keys that did not fit, or not wholly."""
        self.unnamed: set[Key] = set()
        """Keys among them that were not even named."""

    @property
    def is_exhausted(self) -> bool:
        """So much did not fit that nothing more is worth a try."""
        return len(self.refused) > _MAX_REFUSED

    def is_exceeded(self, builder: MessageBuilder, *, more: bool) -> bool:
        """Whether a message has become too large; `more`: the last key has more to send."""
        return builder.size > self.left or (more and self.left < MAX_CONTENT_BYTES)

    def refuse(self, key: Key, *, is_named: bool) -> None:
        """Give up a key that did not fit; `is_named`: some of it was sent."""
        self.refused.add(key)
        if not is_named:
            self.unnamed.add(key)


def wire_size(name: str) -> int:
    """Bytes of a name as it travels."""
    return len(name.encode("utf-8", "backslashreplace"))


def wire_value(value: Any) -> Any:
    """Return a value for JSON with each text as it travels: one that is no UTF-8 would stop the whole message."""
    if isinstance(value, str):
        return escape_surrogates(value)
    if isinstance(value, dict):
        return {wire_value(name): wire_value(held) for name, held in value.items()}
    return [wire_value(one) for one in value] if isinstance(value, list | tuple) else value


def wire_reason(reason: str) -> dict[str, Any]:
    """A reason as it travels: its text, its code, and its arguments."""
    given = text_reason(reason)
    return {"reason": escape_surrogates(given), "code": given.code, "arguments": wire_value(given.arguments)}


def problem_list(problems: Sequence[Problem]) -> list[list[Any]]:
    """The first problems as they travel, up to `PROBLEM_LIST_BYTES`."""
    rows = [
        [
            escape_surrogates(problem.path)[-MAX_PROBLEM_LENGTH:],
            None if problem.offset is None else str(problem.offset),
            escape_surrogates(problem.message)[:MAX_PROBLEM_LENGTH],
            problem.code,
            wire_value(problem.arguments),
        ]
        for problem in problems[:MAX_LISTED_PROBLEMS]
    ]
    return fitting(rows, PROBLEM_LIST_BYTES)


def fitting(rows: Sequence[_Row], max_bytes: int) -> list[_Row]:
    """The first rows of a list that take no more than `max_bytes` together as JSON."""
    fit: list[_Row] = []
    for row in rows:
        max_bytes -= len(json.dumps(row)) + len(", ")
        if max_bytes < 0:
            break
        fit.append(row)
    return fit
