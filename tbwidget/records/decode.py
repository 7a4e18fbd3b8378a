"""From framed records to what a log directory keeps of them: numbers in columns, and what else was met.

Layouts take what they know (`layouts.py`), plain protobuf parsing takes the rest, and both are put together in the
order in which the records were written.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from google.protobuf.message import DecodeError

from tbwidget.proto.event_pb2 import Event, SessionLog
from tbwidget.records.checksums import masked_checksum
from tbwidget.records.forms import CODES, NUMBER
from tbwidget.records.framing import FOOTER, HEADER, Buffer, Frames
from tbwidget.records.layouts import LayoutTable
from tbwidget.records.places import Block
from tbwidget.records.values import ValueInfo, read_value, text

_FEWEST_RECORDS = 32  # below, layouts are not worth their set-up

RUN_GRAPH, META_GRAPH, RUN_METADATA = "run graph", "meta graph", "run metadata"
"""What an event may hold beside a summary."""


class Addresses(NamedTuple):
    """Where the values are that are read when asked for: one entry a value, in the order written."""

    record: npt.NDArray[np.int64]
    place: npt.NDArray[np.int64]
    """Index of the value in its event."""
    tag: npt.NDArray[np.int32]
    step: npt.NDArray[np.int64]
    wall_time: npt.NDArray[np.float64]
    samples: npt.NDArray[np.int64]
    """Strings in a string tensor; 1 for all else."""
    form: npt.NDArray[np.int64]
    """Places in `forms.FORMS`."""


_Address = tuple[int, int, int, int, float, int, int]
_NUMBER = CODES[NUMBER]
_NOWHERE = np.empty(0, np.int64)


def addresses(found: Sequence[_Address]) -> Addresses:
    """The columns of these rows, of which there is one at least."""
    record, place, tag, step, wall_time, count, form = zip(*found, strict=True)
    return Addresses(
        np.array(record, np.int64),
        np.array(place, np.int64),
        np.array(tag, np.int32),
        np.array(step, np.int64),
        np.array(wall_time, np.float64),
        np.array(count, np.int64),
        np.array(form, np.int64),
    )


def is_addressed(info: ValueInfo, number: float | None) -> bool:
    """Whether a value is to be found again: all but numbers, and numbers in tensors that may be no scalars."""
    return number is None or (info.form == NUMBER and info.plugin != "scalars")


class Extra(NamedTuple):
    """A graph or run metadata, which an event may hold beside a summary."""

    record: int
    what: str
    tag: str


class Seen(NamedTuple):
    """A value met, at a record."""

    record: int
    info: ValueInfo


@dataclass(slots=True)
class Batch:
    """What a window of records holds. Columns have one entry a number, in the order written."""

    records: int
    """How many records were taken; less than were framed if one of them is damaged."""
    damaged: bool
    """The record behind those has a data checksum that does not hold."""
    tag: npt.NDArray[np.int32]
    step: npt.NDArray[np.int64]
    wall_time: npt.NDArray[np.float64]
    value: npt.NDArray[np.float64]
    restart: npt.NDArray[np.int64]
    """Where in the columns each SessionLog START falls: before that number."""
    restart_record: npt.NDArray[np.int64]
    """The records of those."""
    seen: list[Seen] = field(default_factory=list)
    """Every value that says something which none before has said, in the order written; some of the others, too."""
    extras: list[Extra] = field(default_factory=list)
    """Graphs and run metadata met."""
    addresses: Addresses | None = None
    """Of every value that is no number, and of numbers in tensors that do not say they are scalars."""
    unreadable: list[tuple[int, str]] = field(default_factory=list)
    """Records whose checksums hold but which are no events: (record, message)."""
    first_wall_time: float | None = None
    """Of the first event, seconds since the epoch."""
    last_wall_time: float | None = None
    """The largest of all events; NaN does not count."""


class Met:
    """What a file has shown so far: values like those say nothing new about their tags."""

    def __init__(self) -> None:
        self.silent: set[int] = set()
        """Tags of which there was a simple value without metadata."""
        self._epoch = -1
        self._layouts = np.zeros(0, np.bool_)

    def of(self, table: LayoutTable) -> npt.NDArray[np.bool_]:
        """Whether each layout of the table was met; to be marked by the caller."""
        if self._epoch != table.epoch:
            self._epoch, self._layouts = table.epoch, np.zeros(0, np.bool_)
        if len(self._layouts) < len(table.infos):
            self._layouts = np.concatenate((self._layouts, np.zeros(len(table.infos), np.bool_)))
        return self._layouts


class _Plain:
    """Records parsed one by one."""

    def __init__(self, table: LayoutTable, silent: set[int]) -> None:
        self.table = table
        self.records: list[int] = []  # one entry a number, as the lists below
        self.numbers: list[tuple[int, int, float, float]] = []  # tag, step, wall time, value
        self.seen: list[Seen] = []
        self.extras: list[Extra] = []
        self.addresses: list[_Address] = []
        self.unreadable: list[tuple[int, str]] = []
        self.restarts: list[int] = []  # records
        self.wall_times: list[tuple[int, float]] = []  # record, wall time
        self._silent = silent

    def read(self, data: Buffer, frames: Frames, records: list[int]) -> int | None:
        """Read the records, up to the first whose data checksum does not hold: that one's index."""
        for record in records:
            begin = int(frames.starts[record]) + HEADER
            end = begin + int(frames.lengths[record])
            content = bytes(data[begin:end])
            if masked_checksum(content) != int.from_bytes(data[end : end + FOOTER], "little"):
                return record
            try:
                event = Event.FromString(content)
            except DecodeError:
                self.unreadable.append((record, "the checksums hold, but this is no event"))
                continue
            self.wall_times.append((record, event.wall_time))
            self._take(record, event)
        return None

    def _take(self, record: int, event: Event) -> None:
        what = event.WhichOneof("what")
        if what == "summary":
            self._take_values(record, event)
        elif what == "session_log":
            if event.session_log.status == SessionLog.START:
                self.restarts.append(record)
        elif what == "graph_def":
            self.extras.append(Extra(record, RUN_GRAPH, ""))
        elif what == "meta_graph_def":
            self.extras.append(Extra(record, META_GRAPH, ""))
        elif what == "tagged_run_metadata":
            self.extras.append(Extra(record, RUN_METADATA, text(event.tagged_run_metadata.tag)))

    def _take_values(self, record: int, event: Event) -> None:
        step, wall_time = event.step, event.wall_time
        for place, value in enumerate(event.summary.value):
            if value.WhichOneof("value") == "simple_value" and not value.HasField("metadata"):
                tag = self.table.tags.number(value.tag or value.node_name)
                if tag in self._silent:
                    self.records.append(record)
                    self.numbers.append((tag, step, wall_time, value.simple_value))
                    continue
                self._silent.add(tag)
            info, number = read_value(value, self.table.tags)
            if number is not None:
                self.records.append(record)
                self.numbers.append((info.tag, step, wall_time, number))
            if is_addressed(info, number):
                self.addresses.append((record, place, info.tag, step, wall_time, info.samples, CODES[info.form]))
            self.seen.append(Seen(record, info))


def decode(data: Buffer, frames: Frames, table: LayoutTable, met: Met) -> Batch:
    """Read the records framed in `data`, up to the first whose data checksum does not hold."""
    count = len(frames.starts)
    blocks = list(table.read(data, frames)) if count >= _FEWEST_RECORDS else []
    left = np.ones(count, np.bool_)
    for block in blocks:
        left[_span(block.records)] = False
    plain = _Plain(table, met.silent)
    damaged = plain.read(data, frames, np.flatnonzero(left).tolist())
    if damaged is not None:
        count = damaged
        blocks = [_before(block, damaged) for block in blocks if block.records[0] < damaged]
    if not blocks:
        return _plain_batch(plain, count, damaged=damaged is not None)
    numbers = np.zeros(count, np.int64)  # in each record
    plain_records = np.array(plain.records, np.int64)
    np.add.at(numbers, plain_records, 1)
    for block in blocks:
        numbers[_span(block.records)] = block.value.shape[1]
    ends = np.cumsum(numbers)
    total = int(ends[-1]) if count else 0
    batch = Batch(
        records=count,
        damaged=damaged is not None,
        tag=np.empty(total, np.int32),
        step=np.empty(total, np.int64),
        wall_time=np.empty(total),
        value=np.empty(total),
        restart=(ends - numbers)[plain.restarts] if plain.restarts else _NOWHERE,
        restart_record=np.array(plain.restarts, np.int64) if plain.restarts else _NOWHERE,
        seen=_all_seen(plain, blocks, table, met.of(table)),
        extras=plain.extras,
        unreadable=plain.unreadable,
        addresses=_all_addresses(plain, blocks),
    )
    for block in blocks:
        _place_block(batch, block, ends - numbers)
    if plain.numbers:
        # The numbers of one record follow each other in both orders.
        where = _places(plain_records, ends - numbers)
        tag, step, wall_time, value = zip(*plain.numbers, strict=True)
        batch.tag[where], batch.step[where], batch.wall_time[where], batch.value[where] = tag, step, wall_time, value
    _note_wall_times(batch, plain, blocks)
    return batch


def _plain_batch(plain: _Plain, count: int, *, damaged: bool) -> Batch:
    """All was parsed one by one, so it is in order: the way of a file that grows by a few records."""
    columns: tuple[Sequence[float], ...] = tuple(zip(*plain.numbers, strict=True)) or ((), (), (), ())
    batch = Batch(
        records=count,
        damaged=damaged,
        tag=np.array(columns[0], np.int32),
        step=np.array(columns[1], np.int64),
        wall_time=np.array(columns[2], np.float64),
        value=np.array(columns[3], np.float64),
        restart=np.array([bisect_left(plain.records, restart) for restart in plain.restarts], np.int64)
        if plain.restarts
        else _NOWHERE,
        restart_record=np.array(plain.restarts, np.int64) if plain.restarts else _NOWHERE,
        seen=plain.seen,
        extras=plain.extras,
        unreadable=plain.unreadable,
        addresses=addresses(plain.addresses) if plain.addresses else None,
    )
    _note_wall_times(batch, plain, [])
    return batch


def _span(records: npt.NDArray[np.int64]) -> slice | npt.NDArray[np.int64]:
    """The same records, as a slice if they follow each other; they are in order."""
    begin, end = int(records[0]), int(records[-1]) + 1
    return slice(begin, end) if end - begin == len(records) else records


def _before(block: Block, record: int) -> Block:
    keep = block.records < record
    return Block(
        block.records[keep],
        block.wall_time[keep],
        block.step[keep],
        block.value[keep],
        block.tag[keep],
        block.layouts,
        block.first,
        None if block.unsaid is None else block.unsaid[keep],
    )


def _all_seen(plain: _Plain, blocks: list[Block], table: LayoutTable, met: npt.NDArray[np.bool_]) -> list[Seen]:
    first_records: dict[int, int] = {}  # of the layouts not met before; blocks come in no order
    for block in blocks:
        fresh = np.flatnonzero(~met[block.layouts])
        if not len(fresh):
            continue
        firsts = block.first[fresh]
        kept = block.records[np.searchsorted(block.records[:-1], firsts)] == firsts
        for record, layout in zip(firsts[kept].tolist(), block.layouts[fresh[kept]].tolist(), strict=True):
            first_records[layout] = min(record, first_records.get(layout, record))
    if not first_records:
        return plain.seen
    met[list(first_records)] = True
    found = [Seen(record, info) for layout, record in first_records.items() for info in table.infos[layout]]
    return sorted([*plain.seen, *found], key=lambda seen: seen.record)


def _all_addresses(plain: _Plain, blocks: list[Block]) -> Addresses | None:
    parts = [addresses(plain.addresses)] if plain.addresses else []
    for block in blocks:
        if block.unsaid is not None:
            row, place = np.nonzero(block.unsaid)
            parts.append(
                Addresses(
                    block.records[row],
                    place,
                    block.tag[row, place],
                    block.step[row],
                    block.wall_time[row],
                    np.ones(len(row), np.int64),
                    np.full(len(row), _NUMBER),
                )
            )
    if len(parts) <= 1:
        return parts[0] if parts else None
    order = np.argsort(np.concatenate([part.record for part in parts]), kind="stable")
    return Addresses(*(np.concatenate(columns)[order] for columns in zip(*parts, strict=True)))


def _place_block(batch: Batch, block: Block, begins: npt.NDArray[np.int64]) -> None:
    width = block.value.shape[1]
    begin, end = int(begins[block.records[0]]), int(begins[block.records[-1]]) + width
    if end - begin == block.value.size:
        # One behind the other, as they mostly are.
        batch.tag[begin:end] = block.tag.ravel()
        batch.step[begin:end].reshape(-1, width)[:] = block.step[:, None]
        batch.wall_time[begin:end].reshape(-1, width)[:] = block.wall_time[:, None]
        batch.value[begin:end] = block.value.ravel()
        return
    where = begins[block.records]
    if width == 1:
        batch.tag[where] = block.tag[:, 0]
        batch.step[where] = block.step
        batch.wall_time[where] = block.wall_time
        batch.value[where] = block.value[:, 0]
        return
    grid = where[:, None] + np.arange(width)
    batch.tag[grid] = block.tag
    batch.step[grid] = block.step[:, None]
    batch.wall_time[grid] = block.wall_time[:, None]
    batch.value[grid] = block.value


def _places(records: npt.NDArray[np.int64], begins: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Where each of the numbers goes, for numbers listed record by record."""
    first_of_record = np.searchsorted(records, records)
    where: npt.NDArray[np.int64] = begins[records] + np.arange(len(records)) - first_of_record
    return where


def _note_wall_times(batch: Batch, plain: _Plain, blocks: list[Block]) -> None:
    firsts = plain.wall_times[:1]
    lasts = [wall_time for _, wall_time in plain.wall_times]
    for block in blocks:
        if len(block.records):
            # Records of a block are in the order of the window.
            firsts.append((int(block.records[0]), float(block.wall_time[0])))
            last = float(block.wall_time.max())
            lasts.append(last if last == last else float(np.fmax.reduce(block.wall_time)))  # noqa: PLR0124 (NaN)
    if firsts:
        batch.first_wall_time = min(firsts, key=lambda first: first[0])[1]
        batch.last_wall_time = float(np.fmax.reduce(lasts))
