"""Where the numbers lie in a serialised event, found by walking its bytes.

protobuf tells what the values are, not where they stand. This walk tells where, for the forms in which writers put
scalars (a simple value, or a tensor of one element with its bytes in a row), and gives up on everything else:
the plain path reads that.
"""

from __future__ import annotations

from typing import NamedTuple

from tbwidget.records.tensors import content_format

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5  # wire types
_SUMMARY_VALUE = 1
_TAG, _SIMPLE_VALUE, _NODE_NAME, _TENSOR, _METADATA = 1, 2, 7, 8, 9  # fields of Summary.Value
_DTYPE, _SHAPE, _VERSION, _CONTENT, _FLOAT_VAL, _DOUBLE_VAL = 1, 2, 3, 4, 5, 6  # fields of TensorProto
_DT_FLOAT, _DT_DOUBLE = 1, 2


class Slot(NamedTuple):
    """Where one number stands in a record, and in which numpy format."""

    offset: int
    format: str


class _Field(NamedTuple):
    number: int
    wire_type: int
    start: int  # of the value, behind tag and length
    end: int


class _Strange(Exception):  # noqa: N818 (not an error: the record goes the plain way)
    """The bytes are not of a form that this walk knows."""


def value_slots(record: bytes, head: int) -> tuple[Slot, ...] | None:
    """The slots of all values of the event's summary, which begins at `head` and must end the record.

    None if any value is something else than one number in a fixed place.
    """
    try:
        summary = _fields(record, head, len(record))
        if len(summary) != 1 or (summary[0].number, summary[0].wire_type) != (5, _BYTES):
            return None
        slots = []
        for value in _fields(record, summary[0].start, summary[0].end):
            _expect((value.number, value.wire_type) == (_SUMMARY_VALUE, _BYTES))
            slots.append(_value_slot(record, value))
    except (_Strange, IndexError):
        return None
    return tuple(slots) or None


def tag_span(record: bytes, head: int) -> slice | None:
    """Where the tag of the only value stands, in a record that has slots; None if there are more, or it has no tag."""
    summary = _fields(record, head, len(record))[0]
    values = _fields(record, summary.start, summary.end)
    tags = [field for field in _fields(record, values[0].start, values[0].end) if field.number == _TAG]
    return slice(tags[0].start, tags[0].end) if len(values) == len(tags) == 1 and tags[0].start < tags[0].end else None


def _expect(condition: bool) -> None:  # noqa: FBT001 (reads like assert)
    if not condition:
        raise _Strange


def _value_slot(record: bytes, value: _Field) -> Slot:
    slot: Slot | None = None
    seen: set[int] = set()
    for field in _fields(record, value.start, value.end):
        _expect(field.number not in seen)  # merged fields are protobuf's business
        seen.add(field.number)
        if field.number == _SIMPLE_VALUE and field.wire_type == _FIXED32:
            _expect(slot is None)
            slot = Slot(field.start, "<f4")
        elif field.number == _TENSOR and field.wire_type == _BYTES:
            _expect(slot is None)
            slot = _tensor_slot(record, field)
        else:
            _expect(field.number in (_TAG, _NODE_NAME, _METADATA) and field.wire_type == _BYTES)
    if slot is None:
        raise _Strange
    return slot


def _tensor_slot(record: bytes, tensor: _Field) -> Slot:
    fields = {field.number: field for field in _fields(record, tensor.start, tensor.end)}
    dtype_field = fields.pop(_DTYPE, None)
    if dtype_field is None:
        raise _Strange
    dtype = _varint(record, dtype_field.start)[0]
    fields.pop(_SHAPE, None)  # protobuf judges the number of elements
    fields.pop(_VERSION, None)
    _expect(len(fields) == 1)
    (field,) = fields.values()
    known = {
        _CONTENT: content_format(dtype),
        _FLOAT_VAL: "<f4" if dtype == _DT_FLOAT else None,
        _DOUBLE_VAL: "<f8" if dtype == _DT_DOUBLE else None,
    }.get(field.number)
    if known is None:
        raise _Strange
    size = int(known[-1])
    _expect(field.wire_type == _BYTES or (field.number != _CONTENT and field.wire_type in (_FIXED32, _FIXED64)))
    _expect(field.end - field.start == size)
    return Slot(field.start, known)


def _fields(record: bytes, start: int, end: int) -> list[_Field]:
    fields = []
    while start < end:
        key, start = _varint(record, start)
        wire_type = key & 7
        if wire_type == _VARINT:
            after = _varint(record, start)[1]
        elif wire_type == _BYTES:
            length, start = _varint(record, start)
            after = start + length
        elif wire_type in (_FIXED32, _FIXED64):
            after = start + (4 if wire_type == _FIXED32 else 8)
        else:
            raise _Strange
        _expect(after <= end)
        fields.append(_Field(key >> 3, wire_type, start, after))
        start = after
    return fields


def _varint(record: bytes, start: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = record[start]
        start += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:  # noqa: PLR2004 (the continuation bit)
            return value, start
        shift += 7
        _expect(shift < 70)  # noqa: PLR2004 (ten bytes at most)
