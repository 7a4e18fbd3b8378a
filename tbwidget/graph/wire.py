"""Where the fields of a serialised message lie, without parsing what is in them.

A graph is a long list of small messages. Walking over the list costs little, keeps no copy of it, and damage in one of
them leaves the others readable.
"""

from __future__ import annotations

from typing import NamedTuple

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5  # wire types
_MORE = 0x80  # the bit of a varint that says that another byte follows
_LONGEST_VARINT = 10  # bytes


Span = tuple[int, int]
"""Where some bytes begin and end."""


class Walk(NamedTuple):
    """The length-delimited fields of a message."""

    spans: dict[int, list[Span]]
    """Of each field's occurrences, by its number."""
    broken: int | None
    """Offset at which the message could not be followed any further; None if it was whole."""


def walk_fields(data: bytes, within: Span) -> Walk:  # noqa: C901 (the hot loop over a graph, in one piece)
    """Find the length-delimited fields of the message that lies `within` the data."""
    spans: dict[int, list[Span]] = {}
    position, end = within
    start = position
    last, found = -1, []
    try:
        while position < end:
            start = position
            key = data[position]
            position += 1
            if key & _MORE:
                key, position = _varint(data, start)
            wire_type = key & 7
            if wire_type == _BYTES:
                length = data[position]
                position += 1
                if length & _MORE:
                    length, position = _varint(data, position - 1)
                following = position + length
                if following > end:
                    return Walk(spans, start)
                if key != last:
                    last, found = key, spans.setdefault(key >> 3, [])
                found.append((position, following))
                position = following
            elif wire_type == _VARINT:
                position = _varint(data, position)[1]
            elif wire_type == _FIXED32:
                position += 4
            elif wire_type == _FIXED64:
                position += 8
            else:
                return Walk(spans, start)
    except (IndexError, ValueError):
        return Walk(spans, start)
    return Walk(spans, None if position == end else start)


def _varint(data: bytes, position: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 7 * _LONGEST_VARINT, 7):
        byte = data[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if not byte & _MORE:
            return value, position
    raise ValueError("a number of more than ten bytes")
