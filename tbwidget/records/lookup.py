"""Single events read again by the offsets of their records, and checked as if nothing were known about the file."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from google.protobuf.message import DecodeError

from tbwidget.proto.event_pb2 import Event, TaggedRunMetadata
from tbwidget.proto.summary_pb2 import Summary
from tbwidget.reasons import Reason
from tbwidget.records import limits
from tbwidget.records.files.checksums import masked_checksum
from tbwidget.records.files.framing import FOOTER, FRAME, HEADER, header_is_valid
from tbwidget.records.files.storage import Storage
from tbwidget.records.files.wire import MalformedMessageError
from tbwidget.records.large import (
    GRAPHS,
    TAGGED_RUN_METADATA,
    LargeRecord,
    outline,
    summary_values,
)
from tbwidget.records.resync import UNBELIEVABLE
from tbwidget.records.values.attachments import META_GRAPH, RUN_GRAPH, RUN_METADATA

_FIELDS = {RUN_GRAPH: GRAPHS[0], META_GRAPH: GRAPHS[1], RUN_METADATA: TAGGED_RUN_METADATA}
_NAMES = {RUN_GRAPH: "graph_def", META_GRAPH: "meta_graph_def", RUN_METADATA: "tagged_run_metadata"}


class InvalidRecordError(ValueError):
    """The bytes at an offset are not the expected record."""


class SmallEvent:
    """An event in memory, whose record is valid."""

    def __init__(self, data: bytes) -> None:
        self._event = Event.FromString(data)
        self.step, self.wall_time = self._event.step, self._event.wall_time

    def value(self, place: int) -> Summary.Value | None:
        """A value of its summary; None behind the last one."""
        values = self._event.summary.value
        return values[place] if place < len(values) else None

    def attachment(self, what: str) -> bytes | None:
        """The serialized graph or run metadata that the event holds; None if it holds no such."""
        name = _NAMES[what]
        held = getattr(self._event, name) if self._event.WhichOneof("what") == name else None
        return held.run_metadata if isinstance(held, TaggedRunMetadata) else held


class HugeEvent:
    """An event in an open file, whose record is valid, and whose values are read one at a time."""

    def __init__(self, record: LargeRecord) -> None:
        self._record = record
        self._outline = outline(record)
        self.step, self.wall_time = self._outline.step, self._outline.wall_time
        self._begins, self._ends = array("q"), array("q")
        for span in summary_values(record, self._outline):
            self._begins.append(span.begin)
            self._ends.append(span.end)

    def value(self, place: int) -> Summary.Value | None:
        """A value of its summary; None behind the last one. Raises DecodeError, MalformedMessageError."""
        if place >= len(self._begins):
            return None
        return Summary.Value.FromString(self._record.get(self._begins[place], self._ends[place]))

    def attachment(self, what: str) -> bytes | None:
        """The serialized graph or run metadata that the event holds; None if it holds no such."""
        if self._outline.what != _FIELDS[what]:
            return None
        content = b"".join(self._record.get(*part) for part in self._outline.parts)
        return TaggedRunMetadata.FromString(content).run_metadata if what == RUN_METADATA else content


class Lookup:
    """Reads events of one file while it is open. Raises OSError where the file cannot be opened or read."""

    def __init__(self, storage: Storage, path: str) -> None:
        self._file = storage.open(path)
        self._begin = 0
        self._bytes = b""

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def fetch(self, offsets: Sequence[int]) -> int:
        """Fetch the first of the records at these offsets, many at once; return how many of them.

        Their begins say how long they are, so this takes two calls. Raises OSError if none could be fetched.
        """
        chosen = list(dict.fromkeys(offsets[: limits.LOOKUP_RECORDS]))
        self._file.fetch([(offset, offset + limits.LOOKUP_BEGIN) for offset in chosen])
        longer: list[tuple[int, int]] = []
        total = 0
        most = limits.LOOKUP_FETCHED if len(chosen) > 1 else limits.LOOKUP_ALONE
        for offset in chosen:
            length = int.from_bytes(self._file.read_at(offset, 8), "little")
            if limits.LOOKUP_BEGIN < FRAME + length < most:
                if longer and total + length > limits.LOOKUP_FETCHED:
                    chosen = chosen[: chosen.index(offset)]
                    break
                longer.append((offset, offset + FRAME + length))
                total += length
        if longer:
            self._file.fetch(longer)
        last = offsets.index(chosen[-1])
        while last + 1 < len(offsets) and offsets[last + 1] == offsets[last]:
            last += 1
        return last + 1

    def event(self, offset: int, ahead: int = 0) -> SmallEvent | HugeEvent:
        """The event of the record at `offset`; up to `ahead` bytes from there on are wanted soon.

        Raises InvalidRecordError unless both checksums of the record hold and it is an event.
        """
        header = self._read(offset, HEADER, ahead)
        if len(header) < HEADER:
            raise InvalidRecordError(Reason("record-missing"))
        length = int.from_bytes(header[:8], "little")
        if not header_is_valid(header) or length >= UNBELIEVABLE:
            raise InvalidRecordError(Reason("record-replaced"))
        changed = Reason("record-changed", bytes=length)
        try:
            if length > limits.HUGE_RECORD:
                record = LargeRecord(self._file, offset, length, header)
                if not record.is_valid():
                    raise InvalidRecordError(changed)
                return HugeEvent(record)
            whole = self._read(offset, FRAME + length, 0)
            data = whole[HEADER : HEADER + length]
            footer = whole[HEADER + length :]
            if len(footer) < FOOTER or masked_checksum(data) != int.from_bytes(footer, "little"):
                raise InvalidRecordError(changed)
            return SmallEvent(data)
        except (DecodeError, MalformedMessageError) as error:
            detail = error.detail if isinstance(error, MalformedMessageError) else str(error)
            raise InvalidRecordError(Reason("record-not-event", bytes=length, detail=detail)) from error

    def _read(self, offset: int, size: int, ahead: int) -> bytes:
        """`size` bytes, fewer at the end of the file; of more than is known already, `ahead` are read at once."""
        place = offset - self._begin
        if place < 0 or place + size > len(self._bytes):
            known = self._bytes[place:] if 0 <= place < len(self._bytes) else b""
            wanted = max(size, min(max(ahead, limits.LOOKUP_FIRST), limits.LOOKUP_AHEAD))
            self._bytes = known + self._file.read_at(offset + len(known), wanted - len(known))
            self._begin, place = offset, 0
        return self._bytes[place : place + size]
