"""Locates the fields of a serialized protobuf message without parsing their content.

See https://protobuf.dev/programming-guides/encoding/. Groups are in no message of event files, so they count as damage.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from tbwidget.reasons import Reason

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
"""Wire types."""
_MORE = 0x80  # the bit of a varint's byte that says that another follows
_MAX_VARINT = 10  # bytes


class Span(NamedTuple):
    """Where some bytes begin and end."""

    begin: int
    end: int


class MalformedMessageError(ValueError):
    """The bytes are no message."""

    def __init__(self, detail: str, offset: int) -> None:
        super().__init__(Reason("malformed-message", detail=detail))
        self.detail = detail
        self.offset = offset
        """Where the field begins that cannot be read."""


class Source(Protocol):
    """Bytes by their offset: of memory, or of a file."""

    def __getitem__(self, offset: int, /) -> int:
        """The byte there."""


class Field(NamedTuple):
    """A field of a message."""

    number: int
    wire_type: int
    key: int
    """Offset of the field."""
    begin: int
    """Offset of its value, behind key and length."""
    end: int
    """Offset behind its value."""


def fields(source: Source, begin: int, end: int) -> Iterator[Field]:
    """The fields of the message from `begin` to `end`. Raises MalformedMessageError, having given those before."""
    for tag, key, start, after in _fields(source, begin, end):
        yield Field(tag >> 3, tag & 7, key, start, after)


def _fields(source: Source, begin: int, end: int) -> Iterator[tuple[int, int, int, int]]:
    """The fields as plain tuples, which cost less: number and wire type in one, `key`, `begin`, `end`."""
    at = begin
    while at < end:
        key = at
        tag = source[at]
        at += 1
        if tag & _MORE:
            tag, at = varint(source, key, end)
        wire_type = tag & 7
        if wire_type == BYTES:
            length = source[at] if at + 1 < end else _MORE
            if length < _MORE:
                at += 1
            elif at + 1 < end and source[at + 1] < _MORE:
                # Two bytes, as most nodes of a graph have: read here, a call costs as much as all else.
                length += source[at + 1] - 1 << 7
                at += 2
            else:
                length, at = varint(source, at, end)
            after = at + length
        elif wire_type == VARINT:
            after = varint(source, at, end)[1]
        elif wire_type == FIXED32:
            after = at + 4
        elif wire_type == FIXED64:
            after = at + 8
        else:
            raise MalformedMessageError("a field of a type that no event has", key)
        if after > end:
            raise MalformedMessageError("a field that is longer than its message", key)
        yield tag, key, at, after
        at = after


def varint(source: Source, at: int, end: int) -> tuple[int, int]:
    """The varint at an offset, and where it ends. Raises MalformedMessageError where it goes beyond `end`."""
    value, begin = 0, at
    for shift in range(0, 7 * min(end - begin, _MAX_VARINT), 7):
        byte = source[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if not byte & _MORE:
            return value, at
    raise MalformedMessageError("a number without an end", begin)


class FieldSpans(NamedTuple):
    """The length-delimited fields of a message."""

    spans: dict[int, list[Span]]
    """Spans of the occurrences of each field, by its number."""
    broken: int | None
    """Offset of the first field that cannot be read; None if all can be."""


def field_spans(source: Source, within: Span) -> FieldSpans:
    """Find the length-delimited fields of a message."""
    spans: dict[int, list[Span]] = {}
    last, found = -1, []
    try:
        for tag, _, begin, end in _fields(source, *within):
            if tag & 7 == BYTES:
                if tag != last:
                    last, found = tag, spans.setdefault(tag >> 3, [])
                found.append(Span(begin, end))
    except MalformedMessageError as error:
        return FieldSpans(spans, error.offset)
    return FieldSpans(spans, None)


def length_delimited(number: int, content: bytes) -> bytes:
    """A serialized field of bytes."""
    return _encoded_varint(number << 3 | BYTES) + _encoded_varint(len(content)) + content


def _encoded_varint(number: int) -> bytes:
    made = bytearray()
    while number >= _MORE:
        made.append(number & 0x7F | _MORE)
        number >>= 7
    made.append(number)
    return bytes(made)
