"""Where the scalars of a serialized event lie, which protobuf does not tell.

Known are the forms in which writers put them: a simple value, or a tensor of one element of fixed size. All others are
left to protobuf.
"""

from __future__ import annotations

from typing import NamedTuple

from tbwidget.records.files.wire import BYTES, FIXED32, FIXED64, Field, MalformedMessageError, fields, varint
from tbwidget.records.values.dtypes import content_format

_SUMMARY_VALUE = 1
_TAG, _SIMPLE_VALUE, _NODE_NAME, _TENSOR, _METADATA = 1, 2, 7, 8, 9  # fields of Summary.Value
_DTYPE, _SHAPE, _VERSION, _CONTENT, _FLOAT_VAL, _DOUBLE_VAL = 1, 2, 3, 4, 5, 6  # fields of TensorProto
_DT_FLOAT, _DT_DOUBLE = 1, 2


class Slot(NamedTuple):
    """Where one number stands in a record, and in which numpy format."""

    offset: int
    format: str


class _UnknownForm(Exception):  # noqa: N818 (not an error: protobuf reads the record)
    """The bytes are not of a known form."""


def value_slots(record: bytes, head: int) -> tuple[Slot, ...] | None:
    """The slots of all values of the event's summary, which begins at `head` and must end the record.

    None if any value is something else than one number in a fixed place.
    """
    try:
        summary = list(fields(record, head, len(record)))
        if len(summary) != 1 or (summary[0].number, summary[0].wire_type) != (5, BYTES):
            return None
        slots = []
        for value in fields(record, summary[0].begin, summary[0].end):
            _expect((value.number, value.wire_type) == (_SUMMARY_VALUE, BYTES))
            slots.append(_value_slot(record, value))
    except (_UnknownForm, MalformedMessageError):
        return None
    return tuple(slots) or None


def _expect(condition: bool) -> None:  # noqa: FBT001 (reads like assert)
    if not condition:
        raise _UnknownForm


def _value_slot(record: bytes, value: Field) -> Slot:
    slot: Slot | None = None
    seen: set[int] = set()
    for field in fields(record, value.begin, value.end):
        _expect(field.number not in seen)  # merged fields are protobuf's business
        seen.add(field.number)
        if field.number == _SIMPLE_VALUE and field.wire_type == FIXED32:
            _expect(slot is None)
            slot = Slot(field.begin, "<f4")
        elif field.number == _TENSOR and field.wire_type == BYTES:
            _expect(slot is None)
            slot = _tensor_slot(record, field)
        else:
            _expect(field.number in (_TAG, _NODE_NAME, _METADATA) and field.wire_type == BYTES)
    if slot is None:
        raise _UnknownForm
    return slot


def _tensor_slot(record: bytes, tensor: Field) -> Slot:
    held = {field.number: field for field in fields(record, tensor.begin, tensor.end)}
    dtype_field = held.pop(_DTYPE, None)
    if dtype_field is None:
        raise _UnknownForm
    dtype = varint(record, dtype_field.begin, dtype_field.end)[0]
    held.pop(_SHAPE, None)  # protobuf checks the number of elements
    held.pop(_VERSION, None)
    _expect(len(held) == 1)
    (field,) = held.values()
    known = {
        _CONTENT: content_format(dtype),
        _FLOAT_VAL: "<f4" if dtype == _DT_FLOAT else None,
        _DOUBLE_VAL: "<f8" if dtype == _DT_DOUBLE else None,
    }.get(field.number)
    if known is None:
        raise _UnknownForm
    size = int(known[-1])
    _expect(field.wire_type == BYTES or (field.number != _CONTENT and field.wire_type in (FIXED32, FIXED64)))
    _expect(field.end - field.begin == size)
    return Slot(field.begin, known)
