"""Scalars by column: records of one layout are sliced together, not parsed one by one.

A training loop writes the same few records over and over: same tags, same metadata, same order. Two of them differ in
nothing but wall time, step and values, which have the same offsets. So protobuf parses one record of each *layout*.
From then on a record is recognized by a hash of its constant bytes, and its numbers are sliced out. Its checksum is the
layout's constant part XOR the contributions of the bytes that vary.

Records that are not recognized, or whose checksum fails here, are left to protobuf.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

import google_crc32c
import numpy as np
import numpy.typing as npt
from google.protobuf.message import DecodeError

from tbwidget.proto.event_pb2 import Event
from tbwidget.records import limits
from tbwidget.records.columnar.cycles import LayoutIndex, read_cycle
from tbwidget.records.columnar.groups import (
    STEP_AT,
    Block,
    Int64s,
    LayoutGroup,
    UInt8s,
    UInt64s,
    rows_at,
    value_slots,
)
from tbwidget.records.files.checksums import masked, masked_checksum, unmask
from tbwidget.records.files.framing import FOOTER, HEADER, Buffer, Frames, period_of
from tbwidget.records.indices import bincount, reduceat
from tbwidget.records.values.batch import is_addressed
from tbwidget.records.values.summary import TagInfo, TagTable, read_value

_MAX_STEP = 10  # bytes of a varint


class _Backoff:
    """Whether to look for something in a window: less and less often where it was hardly ever found."""

    def __init__(self) -> None:
        self._pause = self._waiting = 0

    def is_worth_trying(self) -> bool:
        """Whether to look this time."""
        self._waiting = max(0, self._waiting - 1)
        return not self._waiting

    def note_result(self, rows: int, left: int) -> None:
        """Note how many of the rows were left."""
        self._pause = min(2 * self._pause + 2, limits.MAX_BACKOFF_WINDOWS) if left > rows // 2 else 0
        self._waiting = self._pause


class _Form(_Backoff):
    """Records of one length whose summary begins in the same place."""

    def __init__(self) -> None:
        super().__init__()
        self.group: list[LayoutGroup] = []


# numpy calls cost more than one number is worth
_UNPACK = {
    name: struct.Struct(code).unpack_from
    for name, code in {
        "<f2": "<e", "<f4": "<f", "<f8": "<d", "i1": "<b", "<i2": "<h", "<i4": "<i", "<i8": "<q",
        "u1": "<B", "<u2": "<H", "<u4": "<I", "<u8": "<Q",
    }.items()
}  # fmt: skip


class LayoutTable:
    """The layouts known so far, shared by all files of a log directory. One thread at a time."""

    def __init__(self, tags: TagTable) -> None:
        self.tags = tags
        self.values: list[list[tuple[int, TagInfo]]] = []
        """Tags of the values of each layout, with what those declare."""
        self._infos: dict[TagInfo, TagInfo] = {}  # so that tags which declare the same share it in memory
        self.epoch = 0
        """How often the table was emptied: numbers of layouts hold within one epoch."""
        self._forms: dict[tuple[int, int], _Form] = {}
        self._index = LayoutIndex()  # of layouts that may come in a cycle
        self._cycles = _Backoff()

    def forget(self) -> None:
        """Forget all layouts."""
        self.epoch += 1
        self.values, self._infos, self._forms, self._index = [], {}, {}, LayoutIndex()

    def read(self, data: Buffer, frames: Frames) -> Iterator[Block]:
        """Read what has a layout, length by length; records in none of the blocks are left to protobuf."""
        if len(self.values) > limits.MAX_LAYOUTS:
            self.forget()  # blocks name layouts by their number, so they are forgotten between windows only
        raw = np.frombuffer(data, np.uint8)
        left = np.ones(len(frames.starts), np.bool_)
        for begin, end in frames.repeats:
            if end - begin >= limits.MIN_RECORDS_IN_CYCLES and self._cycles.is_worth_trying():
                for block in self._read_repeat(data, raw, frames, begin, end):
                    left[block.records] = False
                    yield block
                self._cycles.note_result(end - begin, int(left[begin:end].sum()))
        yield from self._read_any(data, raw, frames, np.flatnonzero(left))

    def _read_repeat(self, data: Buffer, raw: UInt8s, frames: Frames, begin: int, end: int) -> Iterator[Block]:
        """Read records whose lengths repeat, as far as their layouts do, too."""
        size, learned = limits.FIRST_SAMPLE_RECORDS, False
        while size <= limits.MAX_SAMPLE_RECORDS and 2 * size <= end - begin:
            numbers = self._index.look_up(data, frames, begin, size)
            if numbers is None:
                if learned:
                    return
                # The first of them may be odd ones out.
                learned, last = True, min(begin + limits.MAX_LEARNED_RECORDS, end)
                yield from self._read_any(data, raw, frames, np.arange(begin, last))
                begin = last
                continue
            period = period_of(numbers)
            if not period:
                size *= 4
                continue
            others = np.flatnonzero(numbers[:-period] != numbers[period:])
            first = int(others[-1]) + 1 if len(others) else 0
            begin += first
            numbers = numbers[first : first + period]
            cycle = self._index.refs(numbers)
            if end - begin < limits.MIN_RECORDS_PER_CYCLE_LENGTH * len({group for group, _ in cycle}):
                return
            repeats = yield from read_cycle(raw, int(frames.starts[begin]), cycle, begin, (end - begin) // period)
            if repeats * period < limits.MIN_RECORDS_IN_CYCLES:
                return
            begin += repeats * period

    def _read_any(self, data: Buffer, raw: UInt8s, frames: Frames, chosen: Int64s) -> Iterator[Block]:
        """Read some of the records, length by length."""
        lengths = frames.lengths[chosen]
        if len(lengths) and (lengths == lengths[0]).all():
            yield from self._read_length(data, raw, frames, chosen, int(lengths[0]))
            return
        short = lengths.astype(np.int16) if len(lengths) and lengths.max() < 1 << 15 else lengths
        order = np.argsort(short, kind="stable")  # a radix sort for 16 bits
        sorted_lengths = lengths[order]
        bounds = np.flatnonzero(np.diff(sorted_lengths, prepend=-1, append=-1))
        for begin, end in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
            if end - begin >= limits.MIN_RECORDS_OF_LENGTH:
                records = chosen[order[begin:end]]
                yield from self._read_length(data, raw, frames, records, int(sorted_lengths[begin]))

    def _read_length(self, data: Buffer, raw: UInt8s, frames: Frames, records: Int64s, length: int) -> Iterator[Block]:
        """Read records of one length, separately for each length of the step."""
        if (
            len(records) < limits.MIN_RECORDS_OF_LENGTH
            or not limits.MIN_LAYOUT_RECORD_BYTES <= length <= limits.MAX_LAYOUT_RECORD_BYTES
        ):
            return
        rows = rows_at(raw, frames.starts[records] + HEADER, length + FOOTER)
        going = rows[:, 9] == 0x10  # noqa: PLR2004 (field 2, varint)
        steps = going.astype(np.int8)
        for at in range(STEP_AT, STEP_AT + _MAX_STEP):
            going &= rows[:, at] >= 0x80  # noqa: PLR2004 (more of the varint follows)
            if not going.any():
                break
            steps += going
        steps[steps > _MAX_STEP] = -1
        steps[rows[:, 0] != 0x09] = -1  # noqa: PLR2004 (field 1, fixed64)
        present = np.flatnonzero(bincount(steps + 1)) - 1
        for size in present.tolist():
            if size < 0:
                continue
            chosen = np.flatnonzero(steps == size) if len(present) > 1 else None
            if chosen is not None and len(chosen) < limits.MIN_RECORDS_OF_LENGTH:
                continue
            yield from self._read_form(
                data,
                frames,
                records if chosen is None else records[chosen],
                rows if chosen is None else rows[chosen],
                STEP_AT + size if size else STEP_AT - 1,
            )

    def _read_form(self, data: Buffer, frames: Frames, records: Int64s, rows: UInt8s, head: int) -> Iterator[Block]:
        """Read records that have one length and their summary in the same place."""
        form = self._forms.setdefault((rows.shape[1] - FOOTER, head), _Form())
        if not form.is_worth_trying():
            return
        known, count = form.group, len(records)
        known[:] = [group for group in known if len(group.layouts) or len(group.seen_hashes)]
        tried = 0
        while len(records) and tried <= len(known):
            fresh = tried == len(known)
            if fresh and not self._start_group(known, rows, head):
                break
            group = known[tried]
            hashes = group.hashes(rows)
            found = group.find(hashes)
            missing = found < 0
            if missing.any() and self._learn(group, rows, hashes, missing, head):
                found = group.find(hashes)
                missing = found < 0
            if missing.any():
                hit = np.flatnonzero(~missing)
                if len(hit):
                    yield from self._block(data, frames, group, records[hit], rows[hit], found[hit])
                records, rows = records[missing], rows[missing]
            else:
                yield from self._block(data, frames, group, records, rows, found)
                records = records[:0]
            tried += 1
        if not any(len(group.seen_hashes) for group in known):  # those may be known at second sight
            form.note_result(count, len(records))

    def _start_group(self, known: list[LayoutGroup], rows: UInt8s, head: int) -> bool:
        """Begin a new layout group from the first row that has a layout at all."""
        if len(known) >= limits.MAX_LAYOUT_GROUPS:
            return False
        for row in rows[: limits.MAX_UNPARSED_RECORDS]:
            slots = value_slots(row[:-FOOTER].tobytes(), head)
            if slots is not None and all(group.slots != slots for group in known):
                known.append(LayoutGroup(rows.shape[1] - FOOTER, head, slots))
                return True
        return False

    def _learn(
        self, group: LayoutGroup, rows: UInt8s, hashes: UInt64s, missing: npt.NDArray[np.bool_], head: int
    ) -> bool:
        """Add the layouts of rows that are not known yet; where there are nearly as many as rows, at second sight."""
        candidates = np.flatnonzero(missing)
        distinct, first = _distinct(hashes[candidates])
        rows = rows[candidates[first]]
        if len(rows) > max(limits.MIN_RECORDS_OF_LENGTH, len(candidates) // 2):
            again = _among(distinct, group.seen_hashes)
            if len(group.seen_hashes) < limits.MAX_SEEN_HASHES:
                group.seen_hashes = np.sort(np.concatenate((group.seen_hashes, distinct[~again])))
            rows, distinct = rows[again], distinct[again]
        before = len(group.layouts)
        self._learn_parsed(group, rows, distinct, head)
        return len(group.layouts) > before

    def _learn_parsed(self, group: LayoutGroup, rows: UInt8s, hashes: UInt64s, head: int) -> None:
        """Add the layouts of rows, each parsed."""
        varying = group.varying_crc(group.fields(rows)) if group.by_table else np.zeros(len(rows), np.uint32)
        failures = 0
        learned, crcs, values = [], [], []
        for index, (row, crc) in enumerate(zip(rows, varying.tolist(), strict=True)):
            record = row[:-FOOTER].tobytes()
            infos = self._parse(record, group) if value_slots(record, head) == group.slots else None
            true_crc: int = google_crc32c.value(record)
            if infos is None or masked(true_crc) != int.from_bytes(row[-FOOTER:].tobytes(), "little"):
                failures += 1
                if failures > limits.MAX_UNPARSED_RECORDS:
                    break
                continue
            learned.append(index)
            crcs.append(true_crc ^ crc)
            values.append(infos)
        if not learned:
            return
        tags = np.array([[tag for tag, _ in infos] for infos in values], np.int32)
        ambiguous = np.array([[is_addressed(info, 0.0) for _, info in infos] for infos in values], np.bool_)
        rows, hashes = rows[learned], hashes[learned]
        if len(rows) <= limits.MAX_SAMPLE_RECORDS // 2:  # which could be a cycle
            self._index.add(group, rows)
        group.add(hashes, tags, ambiguous, np.array(crcs, np.uint32), len(self.values))
        self.values += values

    def _parse(self, record: bytes, group: LayoutGroup) -> list[tuple[int, TagInfo]] | None:
        """Describe the values of a record; None unless protobuf reads the same numbers as its slots hold."""
        try:
            values = Event.FromString(record).summary.value
        except DecodeError:
            return None
        if len(values) != len(group.slots):
            return None
        infos = []
        for value, slot in zip(values, group.slots, strict=True):
            tag, info, number = read_value(value, self.tags)
            # Their texts are compared: 0 is not -0, and NaN is NaN, whatever its bits.
            if number is None or repr(float(_UNPACK[slot.format](record, slot.offset)[0])) != repr(number):
                return None
            infos.append((tag, self._infos.setdefault(info, info)))
        return infos

    def _block(
        self, data: Buffer, frames: Frames, group: LayoutGroup, records: Int64s, rows: UInt8s, found: Int64s
    ) -> Iterator[Block]:
        """The numbers of rows whose layouts are known, without those whose checksums do not hold."""
        stored = rows[:, -FOOTER:].view("<u4")[:, 0].copy()
        fields = group.fields(rows)
        if not group.by_table:
            begins = (frames.starts[records] + HEADER).tolist()
            length = rows.shape[1] - FOOTER
            valid = np.array([masked_checksum(bytes(data[b : b + length])) for b in begins], np.uint32) == stored
        else:
            valid = (group.crc[found] ^ group.varying_crc(fields)) == unmask(stored)
        if not valid.all():
            records, found, fields = records[valid], found[valid], [field[valid] for field in fields]
        if len(records):
            yield group.block(records, fields, found)


def _distinct(numbers: UInt64s) -> tuple[UInt64s, Int64s]:
    """The distinct ones among the numbers, and the first index of each, in the order of those."""
    order = np.argsort(numbers)
    in_order = numbers[order]
    begins = np.flatnonzero(np.concatenate((in_order[:1] == in_order[:1], in_order[1:] != in_order[:-1])))
    first = np.sort(reduceat(np.minimum, order, begins))
    return numbers[first], first


def _among(numbers: UInt64s, known: UInt64s) -> npt.NDArray[np.bool_]:
    """Which of the numbers are among others, which are sorted; `np.isin` would import masked arrays, for 10 ms."""
    if not len(known):
        return np.zeros(len(numbers), np.bool_)
    near = np.searchsorted(known, numbers)
    near[near == len(known)] = 0
    found: npt.NDArray[np.bool_] = known[near] == numbers
    return found
