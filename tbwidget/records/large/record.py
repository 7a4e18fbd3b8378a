"""Records too large to be read whole just to list their contents: their fields, without reading the long ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from struct import Struct

from tbwidget.records import limits
from tbwidget.records.damage.resync import Check, data_is_valid
from tbwidget.records.files.framing import HEADER
from tbwidget.records.files.storage import OpenFile
from tbwidget.records.files.wire import BYTES, FIXED64, VARINT, Field, MalformedMessageError, Span, fields, varint

LARGE = 1 << 16
"""Bytes of data above which a record is large, whatever else is known of it."""

_WALL_TIME, _STEP, _GRAPH, _META_GRAPH = 1, 2, 4, 9  # fields of Event
_ONE_OF = frozenset(range(3, 10))
SUMMARY, SESSION_LOG, TAGGED_RUN_METADATA = 5, 7, 8
"""Fields of Event."""
GRAPHS = (_GRAPH, _META_GRAPH)
_VALUE = 1  # of Summary
_double = Struct("<d").unpack


class LargeRecord:
    """A record in an open file; only requested bytes are read."""

    def __init__(self, file: OpenFile, offset: int, length: int, known: bytes, is_valid: Check = data_is_valid) -> None:
        """`known` are the bytes of the file from the offset on, as far as they were read."""
        self._is_valid = is_valid
        self.offset = offset
        self.length = length
        self.data = Span(offset + HEADER, offset + HEADER + length)
        self._file = file
        self._begin, self._bytes = offset, known
        self._wanted = limits.MIN_LARGE_READ_BYTES

    def is_valid(self) -> bool:
        """Whether its data checksum holds; reads all of it, in constant memory."""
        return self._is_valid(self._file, self.offset, self.length)

    def get(self, begin: int, end: int) -> bytes:
        """Bytes of the file. Raises MalformedMessageError where it ends before."""
        if begin < self._begin or end > self._begin + len(self._bytes):
            known = self._begin + len(self._bytes)
            # Bytes that follow each other are wanted in ever greater pieces.
            follows = self._begin <= begin <= known
            self._wanted = (
                min(2 * self._wanted, limits.MAX_LARGE_READ_BYTES) if follows else limits.MIN_LARGE_READ_BYTES
            )
            wanted = min(max(self._wanted, end - begin), self.data.end - begin)
            self._begin, self._bytes = begin, self._file.read_at(begin, wanted)
            if len(self._bytes) < end - begin:
                raise MalformedMessageError("the file ends within the record", begin)
        return self._bytes[begin - self._begin : end - self._begin]

    def __getitem__(self, offset: int) -> int:
        """A byte of the file."""
        place = offset - self._begin
        return self._bytes[place] if 0 <= place < len(self._bytes) else self.get(offset, offset + 1)[0]

    def number(self, part: Field) -> int:
        """The value of a varint field, as int64."""
        value = varint(self, part.begin, part.end)[0] & (1 << 64) - 1
        return value - (1 << 64) if value >> 63 else value

    def name(self, part: Field) -> bytes:
        """A field with its key and length, which holds a name. Raises MalformedMessageError where it is too long."""
        if part.end - part.begin > limits.MAX_NAME_BYTES:
            raise MalformedMessageError(f"a name of {part.end - part.begin} bytes", part.key)
        return self.get(part.key, part.end)


@dataclass(slots=True)
class Outline:
    """Where the parts of an event lie."""

    step: int = 0
    wall_time: float = 0.0
    what: int = 0
    """The field of Event that it holds besides those; 0: none."""
    parts: list[Span] = field(default_factory=list)
    """The values of that field: several pieces of a summary are one."""


def outline(record: LargeRecord) -> Outline:
    """The fields of an event, its long ones unread. Raises MalformedMessageError."""
    made = Outline()
    for part in fields(record, *record.data):
        if part.number == _WALL_TIME and part.wire_type == FIXED64:
            made.wall_time = _double(record.get(part.begin, part.end))[0]
        elif part.number == _STEP and part.wire_type == VARINT:
            made.step = record.number(part)
        elif part.number in _ONE_OF and part.wire_type == BYTES:
            if part.number != made.what or part.number in GRAPHS:
                made.parts.clear()  # the last one stands, but messages are merged
            if len(made.parts) >= limits.MAX_MESSAGE_PIECES:
                raise MalformedMessageError("a message in too many pieces", part.key)
            made.what = part.number
            made.parts.append(Span(part.begin, part.end))
    return made


def summary_values(record: LargeRecord, made: Outline) -> Iterator[Span]:
    """Where the values of a summary lie. Raises MalformedMessageError."""
    if made.what == SUMMARY:
        for part in made.parts:
            for value in fields(record, *part):
                if value.number == _VALUE and value.wire_type == BYTES:
                    yield Span(value.begin, value.end)
