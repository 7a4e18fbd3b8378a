"""Messages read field by field, very many at once, and the payloads of values, classified by a few bytes of each.

A cursor reads the fields of one message a row. It knows the order in which protobuf writes them, each once at most. A
row that has others, or the same in another order, is no longer `good`: protobuf decides whether it is valid.

For histograms, images and audio clips it suffices that protobuf would accept them. Tensors with one dtype
and shape and as many values in the same field are one *class* and have one form: the first of each is parsed by
protobuf, which decides. A payload whose fields are not in the order of its writers is not `good`: protobuf reads it.
Nor is a tensor of one number: most of these have a layout, which is quicker.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import count, repeat
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from google.protobuf.message import DecodeError

from tbwidget.proto import tensor_pb2 as pb
from tbwidget.records import limits
from tbwidget.records.files.framing import Buffer
from tbwidget.records.values.forms import CODES, STRING_TENSORS, tensor_form
from tbwidget.records.values.tensors import scalar_value

Int64s = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]
Bools = npt.NDArray[np.bool_]

PADDING = bytes(16)
"""Padding behind the bytes in which messages are read: a cursor may look this far ahead."""
_CONTINUED = 0x80  # a byte of a varint that is not its last
_MAX_LENGTH = 3  # bytes of a length: a record that is read so is shorter than 2 MB
_MAX_NUMBER = 10  # bytes of a varint of 64 bits


class Parts(NamedTuple):
    """A field in all rows; `begin` and `end` are meaningless where a row has none."""

    there: Bools
    begin: Int64s
    end: Int64s

    def of(self, rows: Int64s) -> Parts:
        """The field in some of the rows."""
        return Parts(self.there[rows], self.begin[rows], self.end[rows])


def pieces(data: Buffer, raw: UInt8s, begin: Int64s, end: Int64s) -> Iterable[bytes]:
    """The bytes that lie from each `begin` to each `end`; quickly, where all are alike, as they often are."""
    size = int(end[0] - begin[0]) if len(begin) else 0
    if 0 < size <= limits.MAX_COMPARED_BYTES and (end - begin == size).all():
        found = raw[begin[:, None] + np.arange(size)]
        if (found == found[0]).all():
            return repeat(found[0].tobytes(), len(begin))
    return [bytes(data[first:last]) for first, last in zip(begin.tolist(), end.tolist(), strict=True)]


def varints(raw: UInt8s, at: Int64s, most: int = _MAX_NUMBER) -> tuple[Int64s, Int64s, Bools]:
    """The varints at these places, as int64 with all 64 bits; where they end; and which have no more than `most` bytes.

    Behind the last place there are PADDING bytes at least.
    """
    byte = raw[at]
    value = (byte & np.uint8(0x7F)).astype(np.uint64)
    more: Bools = byte >= _CONTINUED
    after, fits = at + 1, np.ones(len(at), np.bool_)
    for place in range(1, most):
        if not np.count_nonzero(more):
            break
        byte = raw[at + place]
        value |= (byte & np.uint8(0x7F)).astype(np.uint64) * more << np.uint64(7 * place)
        after += more
        if place == _MAX_NUMBER - 1:
            fits = ~more | (byte <= 1)
        more = more & (byte >= _CONTINUED)
    return value.view(np.int64), after, fits & ~more


class Cursor:
    """Reads the fields of messages that lie from `begin` to `end` in `raw`, in the order of their numbers."""

    def __init__(self, raw: UInt8s, begin: Int64s, end: Int64s) -> None:
        self.raw = raw
        self.at, self.end = begin, end
        self.good: Bools = np.ones(len(begin), np.bool_)
        """Rows that are as expected so far."""
        self._read_keys()

    def _read_keys(self) -> None:
        """Read the next key of each row; 0, which is no key, at its end."""
        self._key = self.raw[self.at] * (self.at < self.end)

    def _pass(self, there: Bools, begin: Int64s, after: Int64s, well: Bools | None = None) -> Parts:
        """Move behind a field in the rows that have it; a row whose field exceeds its end stays in place."""
        passed = there & (after <= self.end)
        if well is not None:
            passed &= well
        self.good &= passed == there
        self.at = np.where(passed, after, self.at)
        self._read_keys()
        return Parts(passed, begin, self.at)

    def fixed(self, key: int, size: int) -> Parts:
        """A field of 4 or 8 bytes."""
        there: Bools = self._key == key
        if not np.count_nonzero(there):
            return Parts(there, self.at, self.at)
        return self._pass(there, self.at + 1, self.at + (1 + size))

    def content(self, key: int, width: int = 1) -> Parts:
        """A field of bytes, which are a multiple of `width`."""
        there: Bools = self._key == key
        if not np.count_nonzero(there):
            return Parts(there, self.at, self.at)
        length, begin, well = varints(self.raw, self.at + 1, _MAX_LENGTH)
        if width > 1:
            well &= length % width == 0
        return self._pass(there, begin, begin + length, well)

    def number(self, key: int) -> Int64s:
        """A varint; 0 where there is none."""
        there: Bools = self._key == key
        if not np.count_nonzero(there):
            return np.zeros(len(there), np.int64)
        value, after, well = varints(self.raw, self.at + 1)
        return value * self._pass(there, self.at + 1, after, well).there

    def ended(self) -> Bools:
        """Rows that hold nothing but the fields that were read."""
        ended: Bools = self.good & (self.at == self.end)
        return ended


_CONTENT, _STRINGS = 0x22, 0x42  # keys of fields of TensorProto
_FIXED = {_CONTENT: 1, 0x2A: 4, 0x32: 8}  # those whose values lie in a row, and bytes of a value: also floats, doubles
_VARINTS = (0x3A, 0x52, 0x5A, 0x6A)  # int_val, int64_val, bool_val, half_val
_CONTINUED_BYTES = bytes(range(0x80, 0x100))  # bytes of varints that are not their last
_NO_VARINTS = re.compile(rb"[\x80-\xff]{9}[^\x00\x01]|[\x80-\xff]\Z", re.DOTALL)


_Fields = Sequence[tuple[Any, ...]]
"""The fields of a message: a method of `Cursor` that reads each, its key and its size."""

HISTOGRAM: _Fields = (
    *((Cursor.fixed, key, 8) for key in (0x09, 0x11, 0x19, 0x21, 0x29)),
    *((Cursor.content, key, 8) for key in (0x32, 0x3A)),  # limits and counts
)
IMAGE: _Fields = (*((Cursor.number, key) for key in (0x08, 0x10, 0x18)), (Cursor.content, 0x22))
AUDIO: _Fields = (
    (Cursor.fixed, 0x0D, 4),
    *((Cursor.number, key) for key in (0x10, 0x18)),
    *((Cursor.content, key) for key in (0x22, 0x2A)),
)


def have_fields(raw: UInt8s, part: Parts, fields: _Fields) -> Bools:
    """Which of these messages have these fields, and no others."""
    cursor = Cursor(raw, part.begin, part.end)
    for read, *given in fields:
        read(cursor, *given)
    return cursor.ended()


_TensorClass = tuple[int, int]
"""What all tensors of one class share: form (-1: they are no tensors, or of one number), samples."""


def _numbering() -> defaultdict[bytes, int]:
    """A number for each piece of bytes that is asked for."""
    return defaultdict(count(0).__next__)


class TensorClassifier:
    """The sorts of tensors met in a file."""

    def __init__(self) -> None:
        self._heads = _numbering()
        self._classes: dict[int, _TensorClass] = {}

    def classify(self, data: Buffer, raw: UInt8s, part: Parts) -> tuple[Bools, Int64s, Int64s]:
        """Return which of these tensors are good, their forms as places in `forms.FORMS`, and their samples."""
        if len(self._heads) > limits.MAX_TENSOR_CLASSES or len(self._classes) > limits.MAX_TENSOR_CLASSES:
            self._heads, self._classes = _numbering(), {}
        cursor = Cursor(raw, part.begin, part.end)
        cursor.number(0x08)
        cursor.content(0x12)
        cursor.number(0x18)
        head_end = cursor.at
        field, counts = _values(data, cursor)
        good = cursor.ended() & (head_end - part.begin <= limits.MAX_TENSOR_HEAD_BYTES)
        rows = np.flatnonzero(good)
        heads = self._heads
        head = np.array([heads[piece] for piece in pieces(data, raw, part.begin[rows], head_end[rows])], np.int64)
        # Lengths have three bytes of seven bits at most, and so have counts.
        keys, firsts, of_sort = np.unique(
            head << 32 | field[rows] << 24 | counts[rows], return_index=True, return_inverse=True
        )
        firsts = rows[firsts]
        found = np.array(
            [
                self._classes.get(key) or self._learn(key, bytes(data[first:last]))
                for key, first, last in zip(
                    keys.tolist(), part.begin[firsts].tolist(), part.end[firsts].tolist(), strict=True
                )
            ],
            np.int64,
        ).reshape(-1, 2)[of_sort.ravel()]
        form, samples = np.full(len(good), -1), np.ones(len(good), np.int64)
        form[rows], samples[rows] = found.T
        good[rows] = found[:, 0] >= 0
        return good, form, samples

    def _learn(self, key: int, content: bytes) -> _TensorClass:
        try:
            tensor = pb.TensorProto.FromString(content)
        except DecodeError:
            return -1, 1
        if scalar_value(tensor) is not None:
            described = -1, 1
        else:
            form, elements = tensor_form(tensor)
            described = CODES[form], elements if form in STRING_TENSORS else 1
        self._classes[key] = described
        return described


def _values(data: Buffer, cursor: Cursor) -> tuple[Int64s, Int64s]:
    """The key of the field that holds each tensor's values (0: there is none), and how many."""
    field = np.zeros(len(cursor.at), np.int64)
    count = field.copy()
    for key in (*_FIXED, *_VARINTS):
        part = cursor.content(key, _FIXED.get(key, 1))
        if np.count_nonzero(part.there):
            cursor.good &= ~part.there | (field == 0)
            field[part.there] = key
            if key in _FIXED:
                count += (part.end - part.begin) // _FIXED[key] * part.there
            else:
                _count_varints(data, part, count, cursor.good)
    strings = np.zeros(len(field), np.bool_)
    for _ in range(limits.MAX_STRINGS):
        part = cursor.content(_STRINGS)
        if not np.count_nonzero(part.there):
            break
        strings |= part.there
        count += part.there
    cursor.good &= ~strings | (field == 0)
    field[strings] = _STRINGS
    return field, count


def _count_varints(data: Buffer, part: Parts, count: Int64s, good: Bools) -> None:
    """Add how many varints there are to `count`, and take what are none out of `good`."""
    rows = np.flatnonzero(part.there)
    counts = []
    for first, last in zip(part.begin[rows].tolist(), part.end[rows].tolist(), strict=True):
        content = bytes(data[first:last])
        if content.isascii():
            counts.append(last - first)
        else:
            counts.append(-1 if _NO_VARINTS.search(content) else len(content.translate(None, _CONTINUED_BYTES)))
    count[rows] = counts
    good[rows[count[rows] < 0]] = False
