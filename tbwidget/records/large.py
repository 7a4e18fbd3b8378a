"""Records too large to be read whole only to know what they hold: a walk over their bytes that skips what is long."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from struct import Struct
from typing import NamedTuple

from tbwidget.records.framing import HEADER
from tbwidget.records.resync import Check, data_is_true, read_at

LARGE = 1 << 16
"""Bytes of data above which a record is large, whatever else is known of it."""

_LEAST_READ, _MOST_READ = 1 << 12, 1 << 16
_LONGEST_NAME = 1 << 20  # bytes
_MOST_PARTS = 1 << 16  # in which a message may lie, to be merged
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5  # wire types
_WALL_TIME, _STEP, _GRAPH, _META_GRAPH = 1, 2, 4, 9  # fields of Event
_ONE_OF = frozenset(range(3, 10))
SUMMARY, SESSION_LOG, TAGGED_RUN_METADATA = 5, 7, 8
"""Fields of Event."""
GRAPHS = (_GRAPH, _META_GRAPH)
_VALUE = 1  # of Summary
_double = Struct("<d").unpack


class StrangeError(ValueError):
    """The bytes are no event, or none that can be understood in pieces."""


class Span(NamedTuple):
    """A part of a file."""

    begin: int
    end: int


class Field(NamedTuple):
    """A field of a message, and where it lies in the file."""

    number: int
    wire_type: int
    key: int  # where the field begins
    begin: int  # of its value, behind key and length
    end: int


class LargeRecord:
    """A record in an open file, of which no more is read than is asked for."""

    def __init__(self, descriptor: int, offset: int, length: int, known: bytes, is_true: Check = data_is_true) -> None:
        """`known` are the bytes of the file from the offset on, as far as they were read."""
        self._is_true = is_true
        self.offset = offset
        self.length = length
        self.data = Span(offset + HEADER, offset + HEADER + length)
        self._descriptor = descriptor
        self._begin, self._bytes = offset, known
        self._wanted = _LEAST_READ

    def is_true(self) -> bool:
        """Whether its data checksum holds; reads all of it, in constant memory."""
        return self._is_true(self._descriptor, self.offset, self.length)

    def get(self, begin: int, end: int) -> bytes:
        """Bytes of the file. Raises StrangeError where it ends before."""
        if begin < self._begin or end > self._begin + len(self._bytes):
            known = self._begin + len(self._bytes)
            # Bytes that follow each other are wanted in ever greater pieces.
            self._wanted = min(2 * self._wanted, _MOST_READ) if self._begin <= begin <= known else _LEAST_READ
            wanted = min(max(self._wanted, end - begin), self.data.end - begin)
            self._begin, self._bytes = begin, read_at(self._descriptor, begin, wanted)
            if len(self._bytes) < end - begin:
                raise StrangeError("the file ends within the record")
        return self._bytes[begin - self._begin : end - self._begin]

    def fields(self, begin: int, end: int) -> Iterator[Field]:
        """The fields of a message. Raises StrangeError where it is none."""
        at = begin
        while at < end:
            key = at
            tag, at = self._varint(at, end)
            wire_type = tag & 7
            if wire_type == _BYTES:
                length, at = self._varint(at, end)
                after = at + length
            elif wire_type == _VARINT:
                after = self._varint(at, end)[1]
            elif wire_type in (_FIXED32, _FIXED64):
                after = at + (4 if wire_type == _FIXED32 else 8)
            else:
                raise StrangeError("a field of a kind that no event has")
            if after > end:
                raise StrangeError("a field that is longer than its message")
            yield Field(tag >> 3, wire_type, key, at, after)
            at = after

    def _varint(self, at: int, end: int) -> tuple[int, int]:
        place = at - self._begin
        if at < end and 0 <= place < len(self._bytes):
            byte = self._bytes[place]
            if byte < 0x80:  # noqa: PLR2004 (most have one byte)
                return byte, at + 1
        data = self.get(at, min(at + 10, end))
        value = shift = 0
        for place, byte in enumerate(data):
            value |= (byte & 0x7F) << shift
            if byte < 0x80:  # noqa: PLR2004 (the continuation bit)
                return value, at + place + 1
            shift += 7
        raise StrangeError("a number without an end")

    def number(self, part: Field) -> int:
        """The value of a varint field, as int64."""
        value = self._varint(part.begin, part.end)[0] & (1 << 64) - 1
        return value - (1 << 64) if value >> 63 else value

    def name(self, part: Field) -> bytes:
        """A field with its key and length, which holds a name. Raises StrangeError where it is too long for one."""
        if part.end - part.begin > _LONGEST_NAME:
            raise StrangeError(f"a name of {part.end - part.begin} bytes")
        return self.get(part.key, part.end)


@dataclass(slots=True)
class Outline:
    """Where the parts of an event lie."""

    step: int = 0
    wall_time: float = 0.0
    what: int = 0
    """The field of Event that it holds beside those; 0: none."""
    parts: list[Span] = field(default_factory=list)
    """The values of that field: several pieces of a summary are one."""


def outline(record: LargeRecord) -> Outline:
    """The fields of an event, its long ones unread. Raises StrangeError."""
    made = Outline()
    for part in record.fields(*record.data):
        if part.number == _WALL_TIME and part.wire_type == _FIXED64:
            made.wall_time = _double(record.get(part.begin, part.end))[0]
        elif part.number == _STEP and part.wire_type == _VARINT:
            made.step = record.number(part)
        elif part.number in _ONE_OF and part.wire_type == _BYTES:
            if part.number != made.what or part.number in GRAPHS:
                made.parts.clear()  # the last one stands, but messages are merged
            if len(made.parts) >= _MOST_PARTS:
                raise StrangeError("a message in too many pieces")
            made.what = part.number
            made.parts.append(Span(part.begin, part.end))
    return made


def summary_values(record: LargeRecord, made: Outline) -> Iterator[Span]:
    """Where the values of a summary lie. Raises StrangeError."""
    if made.what == SUMMARY:
        for part in made.parts:
            for value in record.fields(*part):
                if value.number == _VALUE and value.wire_type == _BYTES:
                    yield Span(value.begin, value.end)
