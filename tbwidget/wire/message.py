"""Build messages within their bounds: entries, columns, and blobs cut into pieces."""

from __future__ import annotations

import json
from collections import deque
from dataclasses import dataclass
from json.encoder import encode_basestring_ascii
from typing import TYPE_CHECKING, Any, TypeVar

from tbwidget.reasons import text_reason
from tbwidget.texts import escape_surrogates
from tbwidget.wire.columns import Columns, ColumnsSavepoint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tbwidget.logs.problems import Problem
    from tbwidget.wire.content import Answer, Key

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

MAX_DIRECTORIES_BYTES = 16_000
"""Upper bound for the list of directories as JSON: a longer one is not sent."""

MAX_PROBLEM_LENGTH = 250
"""Characters of a problem's path, and of its message; the rest is cut."""

MAX_NAME_BYTES = 4096
"""Bytes of a run's or tag's name; what has longer ones is counted, not sent."""

ENTRY_BYTES = 400
"""Bytes that a series counts for at least in a header, without its names and columns: each costs the page some time."""

_PIECE_ENTRY = 1_000
_NAME_BYTES = 2 * 6 * MAX_NAME_BYTES  # of a run and a tag: each byte may become six in JSON
HEAD_BYTES = 8_000
"""Upper bound for the fields of fixed size, and for what Jupyter puts around a message, in bytes."""

_CHARACTER_BYTES = 12  # of JSON that one character of text may become
_STATUS_BYTES = PROBLEM_LIST_BYTES + MAX_DIRECTORIES_BYTES + _CHARACTER_BYTES * MAX_NAME_BYTES + HEAD_BYTES

MAX_CONTENT_BYTES = MAX_MESSAGE_BYTES - _STATUS_BYTES
"""Upper bound for all entries of a message, in bytes."""


_LARGEST_BLOB = 1 / 4  # of the budget
_LARGEST_REDUCED_BLOB = 1 / 2  # of the budget: it was made smaller for the sake of the others already

MAX_REFUSED = 200
"""Keys that do not fit into a budget, at most: then nothing more is worth a try."""


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

Savepoint = tuple[ColumnsSavepoint, tuple[int, ...], int, int, tuple[int, int]]
"""A state of a message to go back to: columns, entries of each list, runs, tags, and bytes."""


class MessageBuilder:
    """A message being put together."""

    def __init__(self, number_of: Callable[[str], int] = lambda _run: -1) -> None:
        self.columns = Columns()
        self.entries: dict[str, list[dict[str, Any]]] = {
            name: [] for name in ("series", "details", "items", "documents", "pieces", "answers", "failed")
        }
        """Fields of the message that list what it carries."""
        self.blob_limit = float("inf")
        """Pieces of blobs are added up to this size of the message."""
        self._number_of = number_of
        self._runs: dict[str, int] = {}
        self._numbers: list[int] = []
        self._tags: dict[str, int] = {}
        self._entry_bytes = 0
        self._blob_bytes = 0

    @property
    def size(self) -> int:
        """Upper bound for the message so far in bytes, without its status."""
        return self.columns.size + self.columns.table_size + self._entry_bytes

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
        return not any(self.entries.values()) and not self._runs

    def savepoint(self) -> Savepoint:
        """Return the state of the message, for `rollback`."""
        lengths = tuple(map(len, self.entries.values()))
        counts = self._entry_bytes, self._blob_bytes
        return self.columns.savepoint(), lengths, len(self._runs), len(self._tags), counts

    def rollback(self, savepoint: Savepoint) -> None:
        """Remove everything that was added since."""
        columns, lengths, runs, tags, (self._entry_bytes, self._blob_bytes) = savepoint
        self.columns.rollback(columns)
        for entries, length in zip(self.entries.values(), lengths, strict=True):
            del entries[length:]
        for table, length in ((self._runs, runs), (self._tags, tags)):
            while len(table) > length:
                table.popitem()
        del self._numbers[runs:]

    def add(self, name: str, key: Key | None, entry: dict[str, Any]) -> None:
        """Add an entry to one of the lists: of a key, or of none."""
        named = {} if key is None else {"kind": key.kind, "run": self.add_run(key.run), "tag": self._tag(key.tag)}
        entry = {**named, **entry}
        size = len(json.dumps(entry)) + len(", ")
        self._entry_bytes += max(ENTRY_BYTES, size) if name in ("series", "details") else size
        self.entries[name].append(entry)

    def add_piece(
        self, of: str, key: Key | None, name: int | str, data: bytes | memoryview, start: int, size: int
    ) -> None:
        """Add bytes of a blob of `size` bytes, from byte `start` on."""
        row = self.columns.add_bytes(data)
        self._blob_bytes += len(data)
        self.add("pieces", key, {"of": of, "id": name, "from": start, "size": size, "bytes": row})

    def message(self, head: dict[str, Any]) -> Message:
        """Return the message as it leaves, beginning with `head`."""
        names = {"runs": list(self._runs), "numbers": self._numbers, "tags": list(self._tags)}
        header = {**head, **names, "columns": self.columns.table, **self.entries}
        return Message(header, self.columns.buffer(), self.size, self._blob_bytes)

    def add_run(self, run: str) -> int:
        """Add a run with its number, whatever else is said of it; return its row in the table."""
        name = escape_surrogates(run)
        if name not in self._runs:
            self._numbers.append(number := self._number_of(run))
            self._entry_bytes += len(encode_basestring_ascii(name)) + len(str(number)) + 4
        return self._runs.setdefault(name, len(self._runs))

    def _tag(self, tag: str) -> int:
        name = escape_surrogates(tag)
        if name not in self._tags:
            self._entry_bytes += len(encode_basestring_ascii(name)) + 2
        return self._tags.setdefault(name, len(self._tags))


class ByteBudget:
    """Bytes that the messages of a channel may take in all; without a number, as many as there are."""

    def __init__(self, total: float = float("inf")) -> None:
        self.left = total
        """Bytes that the next message may take."""
        self.largest_blob = _LARGEST_BLOB * total
        """Upper bound for a blob that is prefetched, in bytes."""
        self.largest_reduced_blob = _LARGEST_REDUCED_BLOB * total
        """The same for one that was reduced to fit."""
        self.blob_share = None if total == float("inf") else min(MAX_CONTENT_BYTES, total) / 2
        """Bytes of a message that blobs may take before series have theirs; None: as many as there are."""
        self.refused: dict[Key, bool] = {}
        """Keys that did not fit, or not wholly, and whether they were named."""

    def fits_blob(self, builder: MessageBuilder, size: int) -> bool:
        """Whether a blob of this size is likely to fit, beginning in this message."""
        left = self.left - builder.size if self.left >= MAX_CONTENT_BYTES else builder.blob_space
        return size <= self.largest_blob and size * (1 + _PIECE_ENTRY / MIN_PIECE_BYTES) <= left


def wire_value(value: Any, text: Callable[[str], str] = escape_surrogates) -> Any:
    """Return a value for JSON with each text as it travels: one that is no UTF-8 would stop the whole message."""
    if isinstance(value, str):
        return text(value)
    if isinstance(value, dict):
        return {wire_value(name, text): wire_value(held, text) for name, held in value.items()}
    return [wire_value(one, text) for one in value] if isinstance(value, list | tuple) else value


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


MIN_PIECE_BYTES = 16_000
"""Lower bound for a piece in bytes, unless it is the rest: less is not worth an entry."""

MAX_VALUE_BYTES = 100_000
"""Bytes of an answer's value as JSON; more belongs into its data."""

ANSWER_BYTES = 512_000
"""Upper bound for the answers in one message, in bytes."""


@dataclass(slots=True)
class Blob:
    """One blob, and how much of it was sent."""

    of: str
    """Its owner: "item", "document" or "answer"."""
    key: Key | None
    name: int | str
    """The item's id, the document's revision, or the request's id."""
    data: bytes
    sent: int = 0
    """Bytes that were sent."""
    begun: bool = False
    """Its first piece was sent, or the entry of the answer that it belongs to."""

    def send(self, builder: MessageBuilder) -> bool:
        """Add as many pieces to the message as fit; return whether the blob is complete then."""
        while not self.begun or self.sent < len(self.data):
            left, space = len(self.data) - self.sent, builder.blob_space
            if space < min(left, MIN_PIECE_BYTES):
                return False
            size = min(left, space, MAX_PIECE_BYTES)
            piece = memoryview(self.data)[self.sent : self.sent + size]
            builder.add_piece(self.of, self.key, self.name, piece, self.sent, len(self.data))
            self.sent += size
            self.begun = True
        return True


class Answers:
    """Answers to requests that are not sent yet, the oldest first."""

    def __init__(self) -> None:
        self.waiting: deque[tuple[dict[str, Any], Blob]] = deque()
        """Entry and blob of each."""

    def add(self, request: str, answer: Answer | str) -> None:
        """Add an answer, or the reason why there is none, in place of an older one to the same request."""
        self.cancel([request])
        if isinstance(answer, str):
            data, said = b"", {"ok": False, **wire_reason(answer)}
        else:
            data, said = answer.data, {"ok": True, "value": answer.value}
        entry = {"request": request, **said, "size": len(data)}
        self.waiting.append((entry, Blob("answer", None, request, data)))

    def cancel(self, requests: Iterable[str]) -> None:
        """Drop the answers to these requests."""
        dropped = set(requests)
        self.waiting = deque(one for one in self.waiting if one[1].name not in dropped)

    def send(self, builder: MessageBuilder) -> None:
        """Add as much as fits into the part of the message that is meant for answers."""
        builder.blob_limit = builder.size + ANSWER_BYTES
        while self.waiting and builder.size < builder.blob_limit and builder.space > MAX_VALUE_BYTES:
            entry, blob = self.waiting[0]
            if not blob.begun:
                builder.add("answers", None, entry)
                blob.begun = True
            if blob.data and not blob.send(builder):
                break
            self.waiting.popleft()
        builder.blob_limit = float("inf")
