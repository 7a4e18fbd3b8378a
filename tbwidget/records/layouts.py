"""The fast path for scalars: records of one layout are read by column, not one by one.

A training loop writes the same few records over and over: same tags, same metadata, same order. Two of them differ in
nothing but wall time, step and values, which stand in the same places. So one record of each *layout* is parsed
with protobuf, and from then on a record is recognised by a hash of its constant bytes, its checksum is the
layout's constant part XOR the contributions of the bytes that vary, and its numbers are sliced out.

What is not recognised, and what fails its checksum here, is left to the plain path, which decides.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from google.protobuf.message import DecodeError
from numpy.lib.stride_tricks import sliding_window_view

from tbwidget.proto.event_pb2 import Event
from tbwidget.records.checksums import contributions, masked_checksum, unmask
from tbwidget.records.framing import FOOTER, HEADER, Frames
from tbwidget.records.values import TagTable, ValueInfo, read_value
from tbwidget.records.wire import Slot, value_slots

_SHORTEST, _LONGEST = 19, 1 << 17  # bytes of a record that may have a layout
_FEWEST_ROWS = 16  # below, the plain path is quicker
_MOST_PLACES = 16  # sets of places kept for records of one length and form
_MOST_REMEMBERED = 1 << 18  # hashes of records that were not worth a layout when they were met first
_LONGEST_PAUSE = 64  # windows
_FAILURES = 8  # records of one length and form that are no layouts, before the rest goes the plain way
_MOST_LAYOUTS = 200_000  # then the table starts anew
_STEP_AT = 10  # 09 wall time (8 bytes) 10 step
_LONGEST_STEP = 10  # bytes of a varint
_TABLE_COST = 160  # varying bytes from which a checksum of the whole record is cheaper than so many look-ups

Int64s = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]
UInt64s = npt.NDArray[np.uint64]

# New in each process. A record that collides with a layout is one whose checksum collides too: none by accident, and
# who forges one gains no more than a wrong number in a log of his own.
_WEIGHTS = np.random.default_rng(secrets.randbits(128)).integers(
    1 << 63, 1 << 64, _LONGEST // 8, np.uint64
) | np.uint64(1)


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
    """The layouts met, as `LayoutTable.infos` counts."""
    first: Int64s
    """The first record of each of them."""


class _Places:
    """All layouts whose records have one length and their numbers in the same places."""

    def __init__(self, length: int, head: int, slots: tuple[Slot, ...]) -> None:
        self.slots = slots
        self.head = head
        sizes = [int(slot.format[-1]) for slot in slots]
        self.constant = np.ones(length, np.bool_)
        self.constant[1:9] = self.constant[_STEP_AT:head] = False
        for slot, size in zip(slots, sizes, strict=True):
            self.constant[slot.offset : slot.offset + size] = False
        self.varying = np.flatnonzero(~self.constant)
        by_format: dict[str, list[int]] = {}
        for number, slot in enumerate(slots):
            by_format.setdefault(slot.format, []).append(number)
        self.columns = [
            (form, np.array(numbers), np.array([slots[n].offset + i for n in numbers for i in range(int(form[-1]))]))
            for form, numbers in by_format.items()
        ]
        self.keys = np.empty(0, np.uint64)  # sorted
        self.order = np.empty(0, np.int64)  # of the layouts below, by key
        self.layouts = np.empty(0, np.int64)  # as LayoutTable.infos counts
        self.tags = np.empty((0, len(slots)), np.int32)
        self.crc = np.empty(0, np.uint32)  # of the record with all varying bytes zero, where that is how it is checked
        self.by_table = len(self.varying) <= _TABLE_COST
        self.remembered = np.empty(0, np.uint64)  # hashes met before in too great a variety to learn them all

    def hashes(self, rows: UInt8s) -> UInt64s:
        """One number for the constant bytes of each row."""
        width = len(self.constant)
        padded = np.zeros((len(rows), -(-width // 8) * 8), np.uint8)
        np.multiply(rows[:, :width], self.constant, out=padded[:, :width])
        hashes: UInt64s = padded.view("<u8") @ _WEIGHTS[: padded.shape[1] // 8]
        return hashes

    def varying_crc(self, rows: UInt8s) -> npt.NDArray[np.uint32]:
        """The part of each row's CRC that comes from its varying bytes."""
        width = len(self.constant)
        table = contributions(width)
        crc = np.zeros(len(rows), np.uint32)
        for place in self.varying.tolist():
            crc ^= table[width - 1 - place].take(rows[:, place])
        return crc

    def add(self, learned: list[tuple[int, int, list[int], int]]) -> None:
        """Add layouts: the hash of each, its number, the tags of its values, and the CRC of its constant bytes."""
        hashes, layouts, tags, crcs = zip(*learned, strict=True)
        self.layouts = np.concatenate((self.layouts, np.array(layouts, np.int64)))
        self.tags = np.concatenate((self.tags, np.array(tags, np.int32)))
        self.crc = np.concatenate((self.crc, np.array(crcs, np.uint32)))
        keys = np.empty(len(self.order) + len(hashes), np.uint64)
        keys[self.order] = self.keys
        keys[len(self.order) :] = hashes
        self.order = np.argsort(keys, kind="stable")
        self.keys = keys[self.order]

    def find(self, hashes: UInt64s) -> Int64s:
        """Which of the layouts here each row is of; -1: none."""
        if not len(self.keys):
            return np.full(len(hashes), -1)
        near = np.searchsorted(self.keys, hashes)
        near[near == len(self.keys)] = 0
        return np.where(self.keys[near] == hashes, self.order[near], -1)


class _Form:
    """Records of one length whose summary begins in the same place."""

    def __init__(self) -> None:
        self.places: list[_Places] = []
        self._pause = self._waiting = 0

    def is_worth_trying(self) -> bool:
        """Whether to look for layouts in this window: less and less often where hardly any record had one."""
        self._waiting = max(0, self._waiting - 1)
        return not self._waiting

    def judge(self, rows: int, left: int) -> None:
        """Take note of how many of the rows had no layout."""
        self._pause = min(2 * self._pause + 2, _LONGEST_PAUSE) if left > rows // 2 else 0
        self._waiting = self._pause


class LayoutTable:
    """The layouts met so far, shared by all files of a log directory. One thread at a time."""

    def __init__(self, tags: TagTable) -> None:
        self.tags = tags
        self.infos: list[tuple[ValueInfo, ...]] = []
        """What the values of each layout are."""
        self.epoch = 0
        """How often the layouts were numbered anew."""
        self._forms: dict[tuple[int, int], _Form] = {}

    def read(self, data: bytes, frames: Frames) -> Iterator[Block]:
        """Read what has a layout, length by length; records in none of the blocks are for the plain path."""
        if len(self.infos) > _MOST_LAYOUTS:
            # Blocks name layouts by their number, so the list only starts anew between windows.
            self.infos, self._forms = [], {}
            self.epoch += 1
        raw = np.frombuffer(data, np.uint8)
        lengths = frames.lengths
        short = lengths.astype(np.int16) if len(lengths) and lengths.max() < 1 << 15 else lengths
        order = np.argsort(short, kind="stable")  # a radix sort for 16 bits
        sorted_lengths = lengths[order]
        bounds = np.flatnonzero(np.diff(sorted_lengths, prepend=-1, append=-1))
        for begin, end in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
            length = int(sorted_lengths[begin])
            if end - begin < _FEWEST_ROWS or not _SHORTEST <= length <= _LONGEST:
                continue
            records = order[begin:end]
            rows = sliding_window_view(raw, length + FOOTER)[frames.starts[records] + HEADER]
            yield from self._read_length(data, frames, records, rows)

    def _read_length(self, data: bytes, frames: Frames, records: Int64s, rows: UInt8s) -> Iterator[Block]:
        """Read records of one length, those of each length of step apart."""
        steps = np.where(
            rows[:, 9] == 0x10,  # noqa: PLR2004 (field 2, varint)
            1 + (rows[:, _STEP_AT : _STEP_AT + _LONGEST_STEP] < 0x80).argmax(1).astype(np.int8),  # noqa: PLR2004
            np.int8(0),
        )
        steps[rows[:, 0] != 0x09] = -1  # noqa: PLR2004 (field 1, fixed64)
        present = np.flatnonzero(np.bincount(steps + 1)) - 1
        for size in present.tolist():
            if size < 0:
                continue
            chosen = np.flatnonzero(steps == size) if len(present) > 1 else None
            if chosen is not None and len(chosen) < _FEWEST_ROWS:
                continue
            yield from self._read_form(
                data,
                frames,
                records if chosen is None else records[chosen],
                rows if chosen is None else rows[chosen],
                _STEP_AT + size if size else _STEP_AT - 1,
            )

    def _read_form(self, data: bytes, frames: Frames, records: Int64s, rows: UInt8s, head: int) -> Iterator[Block]:
        """Read records that have one length and their summary in the same place."""
        form = self._forms.setdefault((rows.shape[1] - FOOTER, head), _Form())
        if not form.is_worth_trying():
            return
        known, count = form.places, len(records)
        known[:] = [places for places in known if len(places.layouts) or len(places.remembered)]
        tried = 0
        while len(records) and tried <= len(known):
            fresh = tried == len(known)
            if fresh and not self._meet(known, rows, head):
                break
            places = known[tried]
            hashes = places.hashes(rows)
            found = places.find(hashes)
            missing = found < 0
            if missing.any() and self._learn(places, rows, hashes, missing, head):
                found = places.find(hashes)
                missing = found < 0
            if missing.any():
                hit = np.flatnonzero(~missing)
                if len(hit):
                    yield from self._block(data, frames, places, records[hit], rows[hit], found[hit])
                records, rows = records[missing], rows[missing]
            else:
                yield from self._block(data, frames, places, records, rows, found)
                records = records[:0]
            tried += 1
        if not any(len(places.remembered) for places in known):  # those may be known at second sight
            form.judge(count, len(records))

    def _meet(self, known: list[_Places], rows: UInt8s, head: int) -> bool:
        """Begin a new set of places from the first rows that have layouts at all."""
        if len(known) >= _MOST_PLACES:
            return False
        for row in rows[:_FAILURES]:
            slots = value_slots(row[:-FOOTER].tobytes(), head)
            if slots is not None and all(places.slots != slots for places in known):
                known.append(_Places(rows.shape[1] - FOOTER, head, slots))
                return True
        return False

    def _learn(self, places: _Places, rows: UInt8s, hashes: UInt64s, missing: npt.NDArray[np.bool_], head: int) -> bool:
        """Add the layouts of rows that are not known yet; where there are nearly as many as rows, at second sight."""
        candidates = np.flatnonzero(missing)
        distinct, first = np.unique(hashes[candidates], return_index=True)
        if len(distinct) > max(_FEWEST_ROWS, len(candidates) // 2):
            again = np.isin(distinct, places.remembered)
            if len(places.remembered) < _MOST_REMEMBERED:
                places.remembered = np.concatenate((places.remembered, distinct[~again]))
            distinct, first = distinct[again], first[again]
        rows = rows[candidates[first]]
        varying = places.varying_crc(rows) if places.by_table else np.zeros(len(rows), np.uint32)
        failures = 0
        learned: list[tuple[int, int, list[int], int]] = []
        for key, row, crc in zip(distinct.tolist(), rows, varying.tolist(), strict=True):
            record = row[:-FOOTER].tobytes()
            infos = self._parse(record, places) if value_slots(record, head) == places.slots else None
            if infos is None or masked_checksum(record) != int.from_bytes(row[-FOOTER:].tobytes(), "little"):
                failures += 1
                if failures > _FAILURES:
                    break
                continue
            true_crc = int(unmask(np.array([masked_checksum(record)], np.uint32))[0])
            learned.append((key, len(self.infos), [info.tag for info in infos], true_crc ^ crc))
            self.infos.append(infos)
        if learned:
            places.add(learned)
        return bool(learned)

    def _parse(self, record: bytes, places: _Places) -> tuple[ValueInfo, ...] | None:
        """What the values of a record are, if protobuf reads the same numbers from it as its slots hold."""
        try:
            values = Event.FromString(record).summary.value
        except DecodeError:
            return None
        if len(values) != len(places.slots):
            return None
        infos = []
        for value, slot in zip(values, places.slots, strict=True):
            info, number = read_value(value, self.tags)
            sliced = np.frombuffer(record, slot.format, 1, slot.offset).astype(np.float64)
            if number is None or sliced.tobytes() != np.float64(number).tobytes():
                return None
            infos.append(info)
        return tuple(infos)

    def _block(
        self, data: bytes, frames: Frames, places: _Places, records: Int64s, rows: UInt8s, found: Int64s
    ) -> Iterator[Block]:
        """The numbers of rows whose layouts are known, without those whose checksums do not hold."""
        stored = rows[:, -FOOTER:].copy().view("<u4")[:, 0]
        if not places.by_table:
            begins = (frames.starts[records] + HEADER).tolist()
            length = rows.shape[1] - FOOTER
            true = np.array([masked_checksum(data[b : b + length]) for b in begins], np.uint32) == stored
        else:
            true = (places.crc[found] ^ places.varying_crc(rows)) == unmask(stored)
        if not true.all():
            records, rows, found = records[true], rows[true], found[true]
        if not len(records):
            return
        value = np.empty((len(rows), len(places.slots)))
        for form, numbers, columns in places.columns:
            value[:, numbers] = rows.take(columns, axis=1).view(form)
        first = np.full(len(places.layouts), -1)
        first[found[::-1]] = records[::-1]  # the last assignment stays
        met = np.flatnonzero(first >= 0)
        yield Block(
            records,
            rows[:, 1:9].copy().view("<f8")[:, 0],
            _steps(rows, places.head),
            value,
            places.tags[found],
            places.layouts[met],
            first[met],
        )


def _steps(rows: UInt8s, head: int) -> Int64s:
    """The varints that end at `head`, as int64 with all 64 bits; zero where there is none."""
    step = np.zeros(len(rows), np.uint64)
    for place in range(_STEP_AT, head):
        step |= (rows[:, place] & np.uint8(0x7F)).astype(np.uint64) << np.uint64(7 * (place - _STEP_AT))
    return step.view(np.int64)
