"""Where the numbers stand in records of one layout or another, and how they are sliced out of many at once.

Protobuf does not tell where the scalars of a serialized event lie. Known are the forms in which writers put them: a
simple value, or a tensor of one element of fixed size. All others are left to protobuf.
"""

from __future__ import annotations

import secrets
import sys
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import as_strided

from tbwidget.records import limits
from tbwidget.records.files.checksums import contributions
from tbwidget.records.files.framing import FOOTER, HEADER
from tbwidget.records.files.wire import BYTES, FIXED32, FIXED64, Field, MalformedMessageError, fields, varint
from tbwidget.records.values.tensors import content_format

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


_WORD = 8  # bytes
_LOWEST = 0 if sys.byteorder == "little" else np.dtype(np.intp).itemsize - 1  # the least byte of an integer
STEP_AT = 10  # 09 wall time (8 bytes) 10 step

Int64s = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]
UInt64s = npt.NDArray[np.uint64]

# New in each process. A record that collides with a layout is one whose checksum collides too: none by accident, and
# who forges one gains no more than a wrong number in a log of his own.
_random = np.random.default_rng(secrets.randbits(128))
_WEIGHTS = _random.integers(1 << 63, 1 << 64, limits.MAX_LAYOUT_RECORD_BYTES // 8, np.uint64) | np.uint64(1)


class Block(NamedTuple):
    """Records of a window that were read by column, n of them with m numbers each, in the order of the window."""

    records: Int64s
    """n indices of records in the window."""
    wall_time: npt.NDArray[np.float64]
    step: Int64s
    value: npt.NDArray[np.float64]
    """float64[n, m]"""
    tag: npt.NDArray[np.int32]
    """int32[n, m]"""
    layouts: Int64s
    """The layouts found, as `LayoutTable.values` counts."""
    first: Int64s
    """The first record of each of them."""
    ambiguous: npt.NDArray[np.bool_] | None
    """bool[n, m]: numbers in tensors that are not declared as scalars; None where there are none."""


class LayoutRef(NamedTuple):
    """A layout, as an index into its group."""

    group: LayoutGroup
    entry: int


class LayoutGroup:
    """All layouts whose records have one length and their numbers at the same offsets."""

    def __init__(self, length: int, head: int, slots: tuple[Slot, ...]) -> None:
        self.slots = slots
        self.head = head
        sizes = [int(slot.format[-1]) for slot in slots]
        self.constant = np.ones(length, np.bool_)
        self.constant[1:9] = self.constant[STEP_AT:head] = False
        for slot, size in zip(slots, sizes, strict=True):
            self.constant[slot.offset : slot.offset + size] = False
        mask = np.zeros(-(-length // _WORD) * _WORD, np.uint8)
        mask[:length][self.constant] = 0xFF
        self.mask = mask.view("<u8")
        """Mask that selects the constant bytes, word by word."""
        frame = (np.ones(HEADER, np.bool_), self.constant, np.zeros(FOOTER, np.bool_))
        self.fixed = np.concatenate(frame)
        """The bytes of a whole record, header and footer included, that are the same in all records of a layout."""
        by_format: dict[str, list[int]] = {}
        for number, slot in enumerate(slots):
            by_format.setdefault(slot.format, []).append(number)
        self.formats = [(form, np.array(numbers)) for form, numbers in by_format.items()]
        values = [
            [slots[n].offset + i for n in numbers for i in range(int(form[-1]))] for form, numbers in by_format.items()
        ]
        self.columns = [np.array(places, np.int64) for places in (range(1, 9), range(STEP_AT, head), *values)]
        """Where the bytes of each field stand: of wall time, step, and the values of each format."""
        self.key = np.empty(0, np.uint64)  # of each layout below
        self.keys = np.empty(0, np.uint64)  # the same, sorted
        self.order = np.empty(0, np.int64)  # of the layouts below, by key
        self.layouts = np.empty(0, np.int64)  # as LayoutTable.values counts
        self.tags = np.empty((0, len(slots)), np.int32)
        self.ambiguous = np.empty((0, len(slots)), np.bool_)  # tensors that are not declared as scalars
        self.any_ambiguous = False
        self.crc = np.empty(0, np.uint32)  # of the record with all varying bytes zero, where that is how it is checked
        self.by_table = np.count_nonzero(~self.constant) <= limits.MAX_VARYING_BYTES
        self.seen_hashes = np.empty(0, np.uint64)  # hashes met before in too great a variety to learn them all; sorted

    def hashes(self, rows: UInt8s) -> UInt64s:
        """One number for the constant bytes of each row."""
        width, words = len(self.constant), len(self.mask)
        hashes = np.empty(len(rows), np.uint64)
        together = max(1, limits.MAX_HASHED_BYTES // (words * _WORD))
        for begin in range(0, len(rows), together):
            some = rows[begin : begin + together, :width]
            padded = np.empty((len(some), words * _WORD), np.uint8)
            padded[:, :width] = some
            content = padded.view("<u8")
            content &= self.mask
            np.matmul(content, _WEIGHTS[:words], out=hashes[begin : begin + together])
        return hashes

    def fields(self, rows: UInt8s) -> list[UInt8s]:
        """The bytes that vary, apart from the footers: of wall time, step, and the values of each format."""
        size = max(self.head - STEP_AT, 0)
        step = rows[:, STEP_AT : STEP_AT + size] if size > _WORD else _copied(rows, STEP_AT, _WORD)[:, :size]
        values = [
            _copied(rows, int(columns[0]), len(columns))
            if len(numbers) == 1
            else _gathered(rows, columns[:: int(form[-1])], int(form[-1]))
            for (form, numbers), columns in zip(self.formats, self.columns[2:], strict=True)
        ]
        return [_copied(rows, 1, _WORD), step, *values]

    def varying_crc(self, fields: list[UInt8s], varies: npt.NDArray[np.bool_] | None = None) -> npt.NDArray[np.uint32]:
        """The part of each row's CRC that comes from its varying bytes, or from those that vary here."""
        width, columns, content = len(self.constant), np.concatenate(self.columns), np.concatenate(fields, axis=1)
        if varies is not None and not varies[columns].all():
            chosen = np.flatnonzero(varies[columns])
            columns, content = columns[chosen], content[:, chosen]
        # One table of all columns, so that a few calls of numpy do: beside a cell that computes in Python each may have
        # to wait for the interpreter's lock.
        table = contributions(width)[width - 1 - columns].ravel()
        crc = np.empty(len(content), np.uint32)
        together = min(limits.MAX_CHECKSUMMED_BYTES // max(1, len(columns)), len(content))
        places = np.empty((len(columns), together), np.intp)
        places[:] = np.arange(len(columns))[:, None] << 8
        lowest = places.view(np.uint8)[:, _LOWEST :: places.itemsize]
        for first in range(0, len(content), max(1, together)):
            some = content[first : first + together].T
            count = some.shape[1]
            lowest[:, :count] = some
            found = table.take(places[:, :count], mode="clip")  # none is out of the table
            np.bitwise_xor.reduce(found, axis=0, out=crc[first : first + together])
        return crc

    def add(
        self,
        hashes: UInt64s,
        tags: npt.NDArray[np.int32],
        ambiguous: npt.NDArray[np.bool_],
        crc: npt.NDArray[np.uint32],
        first: int,
    ) -> None:
        """Add layouts by the hashes of their constant bytes; `LayoutTable.values` counts them from `first` on.

        `crc` belongs to a record with all varying bytes zero, or to the record itself, where the whole of it is checked
        each time.
        """
        self.layouts = np.concatenate((self.layouts, np.arange(first, first + len(hashes))))
        self.tags = np.concatenate((self.tags, tags))
        self.ambiguous = np.concatenate((self.ambiguous, ambiguous))
        self.any_ambiguous = bool(self.ambiguous.any())
        self.crc = np.concatenate((self.crc, crc))
        self.key = np.concatenate((self.key, hashes))
        self.order = np.argsort(self.key, kind="stable")
        self.keys = self.key[self.order]

    def block(self, records: Int64s, fields: list[UInt8s], found: Int64s) -> Block:
        """Return the content of rows (at least one) whose layouts repeat `found`, which are indices into `layouts`."""
        repeats = len(records) // len(found)
        first = np.full(len(self.layouts), -1)
        first[found[::-1]] = records[: len(found)][::-1]  # the last assignment stays
        present = np.flatnonzero(first >= 0)
        wall_time, step, *values = fields
        value = np.empty((len(records), len(self.slots)))
        with np.errstate(invalid="ignore"):  # of signaling NaN
            for (form, numbers), content in zip(self.formats, values, strict=True):
                value[:, numbers if len(self.formats) > 1 else slice(None)] = content.view(form)
        return Block(
            records,
            wall_time.view("<f8")[:, 0],
            varints(step),
            value,
            np.tile(self.tags[found], (repeats, 1)),
            self.layouts[present],
            first[present],
            np.tile(self.ambiguous[found], (repeats, 1)) if self.any_ambiguous else None,
        )

    def find(self, hashes: UInt64s) -> Int64s:
        """Which of the layouts here each row is of; -1: none."""
        if not len(self.keys):
            return np.full(len(hashes), -1)
        if len(hashes) < limits.MIN_RECORDS_IN_ORDER:
            return self._search(hashes)
        # As a training goes on, layouts come again in the order in which they were met first.
        found = self._search(hashes[:1]) + np.arange(len(hashes))
        found %= len(self.key)
        others = np.flatnonzero(self.key[found] != hashes)
        if len(others):
            found[others] = self._search(hashes[others])
        return found

    def _search(self, hashes: UInt64s) -> Int64s:
        near = np.searchsorted(self.keys, hashes)
        near[near == len(self.keys)] = 0
        return np.where(self.keys[near] == hashes, self.order[near], -1)


def rows_at(raw: UInt8s, starts: Int64s, size: int) -> UInt8s:
    """uint8[n, size]: `size` bytes from each start on, copied as one item each: half as slow as byte by byte."""
    items: npt.NDArray[np.void] = np.ndarray((len(raw) - size + 1,), f"V{size}", raw.data, 0, (1,))
    return items[starts].view(np.uint8).reshape(len(starts), size)


def _copied(rows: UInt8s, begin: int, size: int) -> UInt8s:
    """Some columns of all rows, close together: a number in one go, which is quicker than byte by byte."""
    return rows[:, begin : begin + size].view(f"<u{size}").copy().view(np.uint8)


def _gathered(rows: UInt8s, offsets: Int64s, size: int) -> UInt8s:
    """The numbers at these offsets of all rows, close together: each copied as one item."""
    first = rows[:, :size].view(f"<u{size}")
    items = as_strided(first, (len(rows), rows.shape[1] - size + 1), (rows.strides[0], 1), writeable=False)
    return np.ascontiguousarray(items[:, offsets]).view(np.uint8)


def varints(content: UInt8s) -> Int64s:
    """The varints that rows hold, as int64 with all 64 bits; zero where there is none."""
    number = np.zeros(len(content), np.uint64)
    for place in reversed(range(content.shape[1])):
        number <<= np.uint64(7)
        number |= content[:, place] & np.uint8(0x7F)
    return number.view(np.int64)
