"""One window of records decoded: numbers in columns, addresses of other values, new information about tags.

Records of a known layout are sliced by column (`columnar/layouts.py`), and other values are located by column
(`columnar/events.py`). Protobuf parses the rest one by one. The results are merged in the order written. Records whose
decoding raises are passed over, one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt
from google.protobuf.message import DecodeError

from tbwidget.proto.event_pb2 import Event, SessionLog
from tbwidget.reasons import Reason
from tbwidget.records import limits
from tbwidget.records.columnar.events import EventCache, ParsedEvents, parse_events
from tbwidget.records.columnar.groups import Block, Int64s
from tbwidget.records.columnar.layouts import LayoutTable
from tbwidget.records.files.checksums import masked_checksum
from tbwidget.records.files.framing import FOOTER, HEADER, Buffer, Frames
from tbwidget.records.files.wire import MalformedMessageError, Span
from tbwidget.records.indices import bincount, repeat
from tbwidget.records.large import LargeRecord, parse_large_record
from tbwidget.records.values.attachments import (
    CHECKPOINT,
    META_GRAPH,
    RUN_GRAPH,
    RUN_METADATA,
    STEP_GRAPH,
    Attachment,
    LoggedCheckpoint,
    holds_graph,
)
from tbwidget.records.values.batch import (
    Address,
    Addresses,
    Batch,
    Occurrence,
    addresses,
    is_addressed,
)
from tbwidget.records.values.forms import CODES, NUMBER
from tbwidget.records.values.summary import read_value
from tbwidget.texts import decode_text

_NUMBER = CODES[NUMBER]
_NOWHERE = np.empty(0, np.int64)


_Number = tuple[int, int, float, float]
"""Tag, step, wall time, value."""


class _Columns(NamedTuple):
    """One entry a number."""

    tag: npt.NDArray[np.int32]
    step: Int64s
    wall_time: npt.NDArray[np.float64]
    value: npt.NDArray[np.float64]

    @classmethod
    def of_rows(cls, numbers: Sequence[_Number]) -> Self:
        """The columns of these rows."""
        columns = zip(*numbers, strict=True) if numbers else ((), (), (), ())
        return cls(*map(np.array, columns, (np.int32, np.int64, float, float)))

    def put(self, where: Int64s, columns: Self) -> None:
        """Set some of the entries."""
        self.tag[where], self.step[where], self.wall_time[where], self.value[where] = columns

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """One behind the other."""
        if len(parts) == 1:
            return parts[0]
        return cls(*(np.concatenate(columns) for columns in zip(*parts, strict=True))) if parts else cls.of_rows([])


class FileState:
    """Summary of the values read from a file so far: further values like them declare nothing new about their tags."""

    def __init__(self) -> None:
        self.plain_tags: set[int] = set()
        """Tags that had a simple value without metadata."""
        self.cache = EventCache()
        """Metadata and tensor classes seen in events parsed by column."""
        self.few_numbers = False
        """Most of the last events had none, so that layouts are not worth looking for in them."""
        self._epoch = -1
        self._layouts: set[int] = set()

    def known_layouts(self, table: LayoutTable) -> set[int]:
        """Layouts of the table that were met; the caller adds to them."""
        if self._epoch != table.epoch:
            self._epoch, self._layouts = table.epoch, set()
        return self._layouts


class _ProtobufParser:
    """Records parsed one by one."""

    def __init__(self, table: LayoutTable, plain_tags: set[int]) -> None:
        self.table = table
        self.records: list[int] = []  # one entry a number, as the lists below
        self.numbers: list[_Number] = []
        self.occurrences: list[Occurrence] = []
        self.attachments: list[Attachment] = []
        self.addresses: list[Address] = []
        self.unreadable: list[tuple[int, Reason]] = []
        self.restarts: list[int] = []  # records
        self.wall_times: list[tuple[int, float]] = []  # record, wall time
        self._plain_tags = plain_tags

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
                self.unreadable.append((record, Reason("not-an-event")))
                continue
            self.wall_times.append((record, event.wall_time))
            self._add(record, event)
        return None

    def _add(self, record: int, event: Event) -> None:
        what = event.WhichOneof("what")
        if what == "summary":
            self._add_values(record, event)
        elif what == "session_log":
            log = event.session_log
            if log.status == SessionLog.START:
                self.restarts.append(record)
            elif (
                log.status == SessionLog.CHECKPOINT and 0 < len(log.checkpoint_path) <= limits.MAX_CHECKPOINT_PATH_BYTES
            ):
                logged = LoggedCheckpoint(event.step, event.wall_time, decode_text(log.checkpoint_path))
                self.attachments.append(Attachment(record, CHECKPOINT, logged.tag))
        elif what in ("graph_def", "meta_graph_def"):
            self.attachments.append(Attachment(record, RUN_GRAPH if what == "graph_def" else META_GRAPH, ""))
        elif what == "tagged_run_metadata":
            tagged = event.tagged_run_metadata
            self.attachments.append(Attachment(record, RUN_METADATA, decode_text(tagged.tag)))
            if holds_graph(tagged.run_metadata, Span(0, len(tagged.run_metadata))):
                self.attachments.append(Attachment(record, STEP_GRAPH, decode_text(tagged.tag)))

    def _add_values(self, record: int, event: Event) -> None:
        step, wall_time = event.step, event.wall_time
        for place, value in enumerate(event.summary.value):
            if value.WhichOneof("value") == "simple_value" and not value.HasField("metadata"):
                tag = self.table.tags.number(value.tag or value.node_name)
                if tag in self._plain_tags:
                    self.records.append(record)
                    self.numbers.append((tag, step, wall_time, value.simple_value))
                    continue
                self._plain_tags.add(tag)
            tag, info, number = read_value(value, self.table.tags)
            if number is not None:
                self.records.append(record)
                self.numbers.append((tag, step, wall_time, number))
            if is_addressed(info, number):
                self.addresses.append((record, place, tag, step, wall_time, info.samples, CODES[info.form]))
            self.occurrences.append(Occurrence(record, tag, info))


def decode(data: Buffer, frames: Frames, table: LayoutTable, state: FileState) -> Batch:
    """Read the records framed in `data`, up to the first whose data checksum does not hold."""
    count = len(frames.starts)
    blocks, parsed, rest = _read_many(data, frames, table, state)
    by_protobuf = _ProtobufParser(table, state.plain_tags)
    damaged = by_protobuf.read(data, frames, rest.tolist())
    if damaged is not None:
        count = damaged
        blocks = [_before(block, damaged) for block in blocks if block.records[0] < damaged]
        parsed = parsed.before(damaged) if parsed is not None and parsed.records[0] < damaged else None
    columns, begins = _columns(count, by_protobuf, blocks, parsed)
    batch = Batch(
        count,
        damaged is not None,
        *columns,
        restart=begins[by_protobuf.restarts],
        restart_record=np.array(by_protobuf.restarts, np.int64),
        occurrences=_occurrences(by_protobuf, blocks, parsed, table, state),
        attachments=by_protobuf.attachments,
        unreadable=by_protobuf.unreadable,
        addresses=_addresses(by_protobuf, blocks, parsed.addresses() if parsed is not None else None),
    )
    _note_wall_times(batch, by_protobuf, blocks, parsed)
    return batch


def _read_many(
    data: Buffer, frames: Frames, table: LayoutTable, state: FileState
) -> tuple[list[Block], ParsedEvents | None, Int64s]:
    """Read records by column in both ways; also return the records that are left."""
    count = len(frames.starts)
    left = np.ones(count, np.bool_)
    parsed = parse_events(data, frames, left, table.tags, state.cache) if state.few_numbers else None
    if parsed is not None:
        left[parsed.records] = False
    blocks = _read_layouts(data, frames, left, table)
    for block in blocks:
        left[_span(block.records)] = False
    if parsed is None:
        parsed = parse_events(data, frames, left, table.tags, state.cache)
        if parsed is not None:
            left[parsed.records] = False
    state.few_numbers = parsed is not None and 2 * parsed.count_without_numbers() > count
    return blocks, parsed, np.flatnonzero(left)


def _read_layouts(data: Buffer, frames: Frames, left: npt.NDArray[np.bool_], table: LayoutTable) -> list[Block]:
    """Read what has a layout of the records that are left."""
    count = int(np.count_nonzero(left))
    if count < limits.MIN_RECORDS_FOR_LAYOUTS:
        return []
    if count == len(left):
        return list(table.read(data, frames))
    rest = np.flatnonzero(left)
    some = Frames(frames.starts[rest], frames.lengths[rest], frames.end, frames.damaged)
    return [block._replace(records=rest[block.records], first=rest[block.first]) for block in table.read(data, some)]


def _span(records: Int64s) -> slice | Int64s:
    """The same records, as a slice if they follow each other; they are in order."""
    begin, end = int(records[0]), int(records[-1]) + 1
    return slice(begin, end) if end - begin == len(records) else records


def _before(block: Block, record: int) -> Block:
    keep, met = block.records < record, block.first < record
    rows = {name: getattr(block, name)[keep] for name in ("records", "wall_time", "step", "value", "tag")}
    ambiguous = None if block.ambiguous is None else block.ambiguous[keep]
    return block._replace(**rows, layouts=block.layouts[met], first=block.first[met], ambiguous=ambiguous)


def _occurrences(
    by_protobuf: _ProtobufParser,
    blocks: list[Block],
    parsed: ParsedEvents | None,
    table: LayoutTable,
    state: FileState,
) -> list[Occurrence]:
    """Collect the declarations of layouts that are new for the file, and of all other values."""
    found = list(by_protobuf.occurrences)
    if parsed is not None:
        found += parsed.new_occurrences(state.cache)
    known = state.known_layouts(table)
    new = [
        (layout, record)
        for block in blocks
        for layout, record in zip(block.layouts.tolist(), block.first.tolist(), strict=True)
        if layout not in known
    ]
    known.update(layout for layout, _ in new)  # now: one may be in several blocks, and its first record in any
    for layout, record in new:
        found += [Occurrence(record, tag, info) for tag, info in table.values[layout]]
    return sorted(found, key=lambda occurrence: occurrence.record)


def _addresses(by_protobuf: _ProtobufParser, blocks: list[Block], parsed: Addresses | None) -> Addresses | None:
    parts = [addresses(by_protobuf.addresses)] if by_protobuf.addresses else []
    if parsed is not None:
        parts.append(parsed)
    for block in blocks:
        if block.ambiguous is not None:
            row, place = np.nonzero(block.ambiguous)
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


def _columns(
    count: int, by_protobuf: _ProtobufParser, blocks: list[Block], parsed: ParsedEvents | None
) -> tuple[_Columns, Int64s]:
    """All numbers in the order written; and before which of them each record's begin, if there are restarts."""
    parts = [(block.records, block.value.shape[1], _of_block(block)) for block in blocks]
    if by_protobuf.numbers:
        parts.append((np.array(by_protobuf.records), 0, _Columns.of_rows(by_protobuf.numbers)))
    if parsed is not None and len(chosen := parsed.numbers()):
        values = parsed.values
        columns = _Columns(values.tag[chosen], values.step[chosen], values.wall_time[chosen], values.value[chosen])
        parts.append((values.record[chosen], 0, columns))
    parts.sort(key=lambda part: int(part[0][0]))
    if not by_protobuf.restarts and all(before[0][-1] < after[0][0] for before, after in pairwise(parts)):
        return _Columns.joined([columns for _, _, columns in parts]), _NOWHERE
    numbers = np.zeros(count, np.int64)  # in each record
    for records, width, _ in parts:
        if width:
            numbers[records] = width
        else:
            numbers += bincount(records, minlength=count)
    ends = np.cumsum(numbers)
    begins, total = ends - numbers, int(ends[-1])
    whole = _Columns(np.empty(total, np.int32), np.empty(total, np.int64), np.empty(total), np.empty(total))
    for records, width, columns in parts:
        where = (begins[records][:, None] + np.arange(width)).ravel() if width else _places(records, begins)
        whole.put(where, columns)
    return whole, begins


def _of_block(block: Block) -> _Columns:
    """The numbers of one block: as they stand, where each record has one."""
    tag, value, width = block.tag.ravel(), block.value.ravel(), block.value.shape[1]
    if width == 1:
        return _Columns(tag, block.step, block.wall_time, value)
    return _Columns(tag, repeat(block.step, width), repeat(block.wall_time, width), value)


def _places(records: Int64s, begins: Int64s) -> Int64s:
    """Where each of the numbers goes, for numbers listed record by record."""
    first_of_record = np.searchsorted(records, records)
    where: Int64s = begins[records] + np.arange(len(records)) - first_of_record
    return where


def _note_wall_times(
    batch: Batch, by_protobuf: _ProtobufParser, blocks: list[Block], parsed: ParsedEvents | None
) -> None:
    firsts = by_protobuf.wall_times[:1]
    lasts = [wall_time for _, wall_time in by_protobuf.wall_times]
    columns = [(block.records, block.wall_time) for block in blocks]
    for records, wall_times in columns if parsed is None else [*columns, (parsed.records, parsed.wall_times)]:
        if len(records):
            # They are in the order of the window.
            firsts.append((int(records[0]), float(wall_times[0])))
            last = float(wall_times.max())
            lasts.append(last if last == last else float(np.fmax.reduce(wall_times)))  # noqa: PLR0124 (NaN)
    if firsts:
        batch.first_wall_time = min(firsts, key=lambda first: first[0])[1]
        batch.last_wall_time = float(np.fmax.reduce(lasts))


class Window(NamedTuple):
    """Records that follow each other."""

    batch: Batch
    """Contents of the records, which it counts from the first of these."""
    offsets: Int64s
    """Where each begins in the file."""
    error: Exception | None = None
    """Error that decoding raised: the window is one record then, which was skipped, and the batch is empty."""


class Decoder:
    """Decodes the records of one file, in their order."""

    def __init__(self, table: LayoutTable) -> None:
        self._table = table
        self._state = FileState()
        self._failed = 0  # records passed over because decoding them raised

    def decode(self, data: Buffer, frames: Frames, base: int) -> list[Window]:
        """Records framed in `data`, which begins at `base` in the file, up to the first that is damaged.

        Where decoding raises, the records that are to blame are found by halving. Raises what it raised where these are
        too many.
        """
        try:
            batch = decode(data, frames, self._table, self._state)
        except Exception as error:  # noqa: BLE001 (one record never keeps the others from being read)
            # Reset both caches: they may list entries that were just discarded.
            self._table.forget()
            self._state = FileState()
            count = len(frames.starts)
            if count == 1:
                return [self._passed_over(error, base + frames.starts)]
            windows = self.decode(data, frames.part(0, count // 2), base)
            taken = sum(window.batch.records for window in windows)
            return windows if taken < count // 2 else windows + self.decode(data, frames.part(taken, count), base)
        return [Window(batch, base + frames.starts)]

    def decode_large(self, record: LargeRecord) -> Window | None:
        """One large record; None if its data checksum does not hold.

        That is looked at only where the record holds numbers, or makes no sense.
        """
        offsets = np.array([record.offset])
        try:
            batch = parse_large_record(record, self._table.tags)
        except MalformedMessageError as error:
            batch = Batch(1, unreadable=[(0, Reason("malformed-event", detail=error.detail))])
        except OSError:
            raise  # a problem of the file, which may pass
        except Exception as error:  # noqa: BLE001 (one record never keeps the others from being read)
            return self._passed_over(error, offsets)
        is_checked = len(batch.value) or len(batch.restart) or batch.unreadable
        return None if is_checked and not record.is_valid() else Window(batch, offsets)

    def _passed_over(self, error: Exception, offsets: Int64s) -> Window:
        self._failed += 1
        if self._failed > limits.MAX_FAILED_RECORDS:
            raise error
        return Window(Batch(1), offsets, error)
