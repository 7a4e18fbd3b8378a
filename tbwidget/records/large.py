"""Records above 64 kB, too large to be read whole just to list their contents: read without their long parts.

Protobuf parses the rest of each value, so that it means the same as in a small record. Numbers are short and complete.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from struct import Struct

import numpy as np
from google.protobuf.message import DecodeError

from tbwidget.proto.event_pb2 import Event, SessionLog
from tbwidget.proto.summary_pb2 import Summary
from tbwidget.records import limits
from tbwidget.records.files.framing import HEADER
from tbwidget.records.files.storage import OpenFile
from tbwidget.records.files.wire import (
    BYTES,
    FIXED64,
    VARINT,
    Field,
    MalformedMessageError,
    Span,
    field_spans,
    fields,
    length_delimited,
    varint,
)
from tbwidget.records.resync import Check, data_is_valid
from tbwidget.records.values.attachments import META_GRAPH, RUN_GRAPH, RUN_METADATA, STEP_GRAPH, Attachment, holds_graph
from tbwidget.records.values.batch import Addresses, Batch, Occurrence, is_addressed
from tbwidget.records.values.forms import CODES
from tbwidget.records.values.summary import TagInfo, TagTable, read_value
from tbwidget.texts import decode_text

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


_SEVERAL = bytes(16)  # two elements at least of any packed field
_ODD = bytes(17)  # the content of no one number
_STRING_VAL = 8  # field of TensorProto

# Treatment of long fields of a message: None keeps them, bytes replace them, and all others are left out.
_Parts = dict[int, "_Parts | bytes | None"]
_TENSOR_PARTS: _Parts = {
    **dict.fromkeys((5, 6, 7, 9, 10, 11, 12, 13, 16, 17), _SEVERAL),
    2: None,
    4: _ODD,
    _STRING_VAL: b"",
    18: _ODD,
}
_VALUE_PARTS: _Parts = {
    1: None,
    3: b"",
    4: {},
    5: {},
    6: {5: None},
    7: None,
    8: _TENSOR_PARTS,
    9: {1: {1: None}, 2: None, 3: None},
}
_SESSION_PARTS: _Parts = {}
_TAGGED_PARTS: _Parts = {1: None}


def parse_large_record(record: LargeRecord, tags: TagTable) -> Batch:
    """The numbers, addresses and graphs of one record. Raises MalformedMessageError where that is no event.

    The checksum of the record is not verified yet.
    """
    try:
        event = outline(record)
        contents = _Contents(record, event, tags)
    except DecodeError as error:
        raise MalformedMessageError(str(error), record.offset) from error
    numbers, others = len(contents.values), len(contents.places)
    return Batch(
        1,
        tag=np.array(contents.number_tags, np.int32),
        step=np.full(numbers, event.step, np.int64),
        wall_time=np.full(numbers, event.wall_time),
        value=np.array(contents.values, np.float64),
        restart=np.zeros(contents.restarts, np.int64),
        restart_record=np.zeros(contents.restarts, np.int64),
        occurrences=[Occurrence(0, *named) for named in contents.infos],
        attachments=contents.attachments,
        addresses=Addresses(
            record=np.zeros(others, np.int64),
            place=np.array(contents.places, np.int64),
            tag=np.array(contents.tags, np.int32),
            step=np.full(others, event.step, np.int64),
            wall_time=np.full(others, event.wall_time),
            samples=np.array(contents.samples, np.int64),
            form=np.array(contents.forms, np.int64),
        )
        if others
        else None,
        first_wall_time=event.wall_time,
        last_wall_time=event.wall_time,
    )


class _Contents:
    """Columns of what one event holds."""

    def __init__(self, record: LargeRecord, event: Outline, tags: TagTable) -> None:
        self.number_tags, self.values = array("i"), array("d")
        self.places, self.tags, self.samples, self.forms = array("L"), array("i"), array("L"), array("B")
        self.infos: dict[tuple[int, TagInfo], None] = {}  # a set that keeps its order
        self.attachments: list[Attachment] = []
        self.restarts = 0
        if event.what == SUMMARY:
            for place, span in enumerate(summary_values(record, event)):
                self._add_value(place, *_value(record, span), tags)
        elif event.what in GRAPHS:
            self.attachments.append(Attachment(0, RUN_GRAPH if event.what == GRAPHS[0] else META_GRAPH, ""))
        elif event.what == SESSION_LOG:
            log = b"".join(_kept(record, part, _SESSION_PARTS)[0] for part in event.parts)
            self.restarts = int(SessionLog.FromString(log).status == SessionLog.START)
        elif event.what == TAGGED_RUN_METADATA:
            tagged = b"".join(_kept(record, part, _TAGGED_PARTS)[0] for part in event.parts)
            tag = decode_text(_Tagged.FromString(tagged).tag)
            self.attachments.append(Attachment(0, RUN_METADATA, tag))
            if any(_holds_graph(record, part) for part in event.parts):
                self.attachments.append(Attachment(0, STEP_GRAPH, tag))

    def _add_value(self, place: int, value: Summary.Value, cut: int, tags: TagTable) -> None:
        tag, info, number = read_value(value, tags, cut=cut)
        self.infos[tag, info if info.samples == 1 else info._replace(samples=1)] = None
        if number is not None:
            self.number_tags.append(tag)
            self.values.append(number)
        if is_addressed(info, number):
            self.places.append(place)
            self.tags.append(tag)
            self.samples.append(info.samples)
            self.forms.append(CODES[info.form])


_Tagged = type(Event().tagged_run_metadata)
_RUN_METADATA = 2  # of TaggedRunMetadata


def _holds_graph(record: LargeRecord, part: Span) -> bool:
    """Whether the metadata hold a graph besides the statistics of a step."""
    held = field_spans(record, part).spans.get(_RUN_METADATA, ())
    return any(holds_graph(record, span) for span in held)


def _value(record: LargeRecord, span: Span) -> tuple[Summary.Value, int]:
    """A value without its long parts; and how many bytes of its tensor, if it is one, were left out."""
    if span.end - span.begin <= limits.MAX_WHOLE_VALUE_BYTES:
        return Summary.Value.FromString(record.get(*span)), 0
    kept, cut = _kept(record, span, _VALUE_PARTS)
    return Summary.Value.FromString(kept), cut


def _kept(record: LargeRecord, span: Span, parts: _Parts) -> tuple[bytes, int]:
    """The bytes of a message without its long parts; and how many bytes of a tensor were left out."""
    kept, cut, size = [], 0, 0
    of_tensor = parts is _TENSOR_PARTS
    for part in fields(record, *span):
        length = part.end - part.begin
        inside = parts.get(part.number, ...)
        if inside is None:
            piece = record.name(part)
        elif length > limits.MAX_KEPT_FIELD_BYTES and isinstance(inside, dict):
            content, within = _kept(record, Span(part.begin, part.end), inside)
            cut += within
            piece = length_delimited(part.number, content)
        elif size > limits.MAX_KEPT_VALUE_BYTES:
            cut += length if of_tensor else 0
            continue
        elif length <= limits.MAX_KEPT_FIELD_BYTES:
            piece = record.get(part.key, part.end)
        else:
            # Strings are still as many as they were.
            cut += length if of_tensor and part.number != _STRING_VAL else 0
            if not isinstance(inside, bytes):
                continue
            piece = length_delimited(part.number, inside)
        size += len(piece)
        kept.append(piece)
    return b"".join(kept), cut
