"""Values that are read when asked for, located and classified by column: histograms, images, text, tensors.

Events that hold only wall time, step and a summary are parsed field by field, all events of a window at once. This goes
as deep as it takes to know that protobuf would accept them, and with which result. Protobuf parses the first metadata
and the first tensor of each class. Every checksum is verified. All other events, and those whose checksum fails here,
are left to protobuf.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import google_crc32c
import numpy as np
import numpy.typing as npt
from google.protobuf.message import DecodeError

from tbwidget.proto.summary_pb2 import SummaryMetadata
from tbwidget.records import limits
from tbwidget.records.columnar import payloads
from tbwidget.records.columnar.payloads import PADDING, Bools, Cursor, Int64s, Parts, TensorClassifier, UInt8s, pieces
from tbwidget.records.files.checksums import unmask
from tbwidget.records.files.framing import HEADER, Buffer, Frames
from tbwidget.records.values.batch import Addresses, Occurrence
from tbwidget.records.values.forms import AUDIO, CODES, FORMS, HISTO, IMAGE, SIMPLE_VALUE
from tbwidget.records.values.summary import NO_METADATA, TagTable, plugin_metadata_of, tag_info_of

_NUMBER = CODES[SIMPLE_VALUE]
_PAYLOADS = {0x22: (IMAGE, payloads.IMAGE), 0x2A: (HISTO, payloads.HISTOGRAM), 0x32: (AUDIO, payloads.AUDIO)}
"""By key in Summary.Value: their forms, and the fields of good ones."""


class _MetadataNumbers(dict[bytes, int]):
    """Numbers for the metadata of values, by their bytes; 0: none, -1: such that are not learned."""

    def __init__(self) -> None:
        super().__init__()
        self.metadata = [NO_METADATA]

    def __missing__(self, content: bytes) -> int:
        if len(content) > limits.MAX_METADATA_BYTES:
            return -1
        try:
            metadata = plugin_metadata_of(SummaryMetadata.FromString(content))
        except DecodeError:
            return -1
        self[content] = number = len(self.metadata)
        self.metadata.append(metadata)
        return number


class EventCache:
    """Declarations that the values of a file have made so far."""

    def __init__(self) -> None:
        self.tensors = TensorClassifier()
        self.metadata = _MetadataNumbers()
        self.reported: set[int] = set()
        """Combinations of tag, form and metadata that were reported."""

    def prune(self) -> None:
        """Forget all where there is too much of it."""
        if len(self.metadata) > limits.MAX_METADATA:
            self.metadata = _MetadataNumbers()
            self.reported = set()


class EventValues(NamedTuple):
    """Values of events: one entry each, in the order written. The first seven columns are those of `Addresses`."""

    record: Int64s
    place: Int64s
    tag: npt.NDArray[np.int32]
    step: Int64s
    wall_time: npt.NDArray[np.float64]
    samples: Int64s
    form: Int64s
    metadata: Int64s
    value: npt.NDArray[np.float64]


class ParsedEvents(NamedTuple):
    """Events that were parsed by column."""

    records: Int64s
    wall_times: npt.NDArray[np.float64]
    values: EventValues

    def before(self, record: int) -> ParsedEvents:
        """The events before a record."""
        events, count = np.searchsorted(self.records, record), np.searchsorted(self.values.record, record)
        values = EventValues._make(column[:count] for column in self.values)
        return ParsedEvents(self.records[:events], self.wall_times[:events], values)

    def count_without_numbers(self) -> int:
        """How many of the events have none."""
        return len(self.records) - len(np.unique(self.values.record[self.numbers()]))

    def numbers(self) -> Int64s:
        """Indices of the values that are numbers."""
        return np.flatnonzero(self.values.form == _NUMBER)

    def addresses(self) -> Addresses | None:
        """Addresses of the values to be read again when asked for: all but numbers."""
        kept = self.values.form != _NUMBER
        return Addresses._make(column[kept] for column in self.values[:7]) if kept.any() else None

    def new_occurrences(self, cache: EventCache) -> list[Occurrence]:
        """The first values with information that is new for the file; from now on it is known."""
        record, _, tag, _, _, samples, form, metadata, _ = self.values
        declared = tag.astype(np.int64) << 32 | metadata << 8 | form
        distinct, first = np.unique(declared, return_index=True)
        fresh = [at for what, at in zip(distinct.tolist(), first.tolist(), strict=True) if what not in cache.reported]
        cache.reported.update(declared[fresh].tolist())
        found = []
        for at in sorted(fresh):
            info = tag_info_of(FORMS[form[at]], cache.metadata.metadata[metadata[at]], int(samples[at]))
            found.append(Occurrence(int(record[at]), int(tag[at]), info))
        return found


def parse_events(data: Buffer, frames: Frames, wanted: Bools, tags: TagTable, cache: EventCache) -> ParsedEvents | None:
    """Parse the records that are wanted, as far as they have the usual form. None if none has."""
    if np.count_nonzero(wanted) < limits.MIN_EVENTS:
        return None
    chosen = np.flatnonzero(wanted)
    begin = frames.starts[chosen] + HEADER
    end = begin + frames.lengths[chosen]
    count = int(np.searchsorted(end, len(data) - len(PADDING), side="right"))
    cache.prune()
    chosen, begin, end = chosen[:count], begin[:count], end[:count]
    raw = np.frombuffer(data, np.uint8)
    event = Cursor(raw, begin, end)
    time = event.fixed(0x09, 8)
    step = event.number(0x10)
    summary = event.content(0x2A)
    good = event.ended() & time.there & summary.there & (summary.begin < summary.end)
    if not np.count_nonzero(good):
        return None
    row, place, parts = _values(raw, summary, good)
    values = _Values(data, raw, parts, cache)
    good[row[~values.good]] = False
    _verify(data, begin, end, good)
    events = np.flatnonzero(good)
    if not len(events):
        return None
    kept = np.flatnonzero(good[row])
    row = row[kept]
    wall_time = _at(data, time.begin, "<f8")
    parsed = EventValues(
        chosen[row],
        place[kept],
        tags.numbers(data, values.tag.begin[kept], values.tag.end[kept]),
        step[row],
        wall_time[row],
        values.samples[kept],
        values.form[kept],
        values.metadata[kept],
        values.value[kept],
    )
    return ParsedEvents(chosen[events], wall_time[events], parsed)


def _values(raw: UInt8s, summary: Parts, good: Bools) -> tuple[Int64s, Int64s, Parts]:
    """The values of summaries in the order written: the row of each, its index there, and where it lies.

    Takes those that are not read to their ends out of `good`.
    """
    rows = np.flatnonzero(good)
    found: list[tuple[Int64s, Int64s, Parts]] = []
    at = summary.begin[rows]
    while not found or (len(rows) >= limits.MIN_EVENTS_WITH_MORE_VALUES and len(found) < limits.MAX_VALUES_PER_EVENT):
        cursor = Cursor(raw, at, summary.end[rows])
        part = cursor.content(0x0A)
        good[rows[~part.there]] = False
        found.append((rows, np.full(len(rows), len(found)), part))
        more = part.there & (part.end < cursor.end)
        rows, at = rows[more], part.end[more]
    good[rows] = False
    if len(found) == 1:
        return found[0]
    row = np.concatenate([of_place for of_place, _, _ in found])
    order = np.argsort(row, kind="stable")
    place = np.concatenate([place for _, place, _ in found])
    columns = zip(*(part for _, _, part in found), strict=True)
    return row[order], place[order], Parts(*(np.concatenate(column)[order] for column in columns))


class _Values:
    """Columns that describe values of summaries: one entry each."""

    def __init__(self, data: Buffer, raw: UInt8s, part: Parts, cache: EventCache) -> None:
        cursor = Cursor(raw, part.begin, part.end)
        count = len(part.begin)
        self.form = np.full(count, -1)
        self.samples = np.ones(count, np.int64)
        self.value = np.zeros(count)
        self.tag = cursor.content(0x0A)
        held = [(CODES[SIMPLE_VALUE], cursor.fixed(0x15, 4))]
        held += [(CODES[form], cursor.content(key)) for key, (form, _) in _PAYLOADS.items()]
        tensor = cursor.content(0x42)
        metadata = cursor.content(0x4A)
        self.good = cursor.ended() & part.there & self.tag.there
        self.good &= sum((here.there.astype(np.int64) for _, here in held), tensor.there.astype(np.int64)) == 1
        for code, here in held:
            self.form[here.there] = code
        self._check_contents(data, raw, held, tensor, cache)
        self.metadata = np.zeros(count, np.int64)
        some = np.flatnonzero(metadata.there & self.good)
        numbers = cache.metadata
        self.metadata[some] = [numbers[piece] for piece in pieces(data, raw, metadata.begin[some], metadata.end[some])]
        self.good &= self.metadata >= 0

    def _check_contents(
        self, data: Buffer, raw: UInt8s, held: list[tuple[int, Parts]], tensor: Parts, cache: EventCache
    ) -> None:
        """Decode simple values; check the contents of all others."""
        (_, simple), *others = held
        rows = np.flatnonzero(simple.there & self.good)
        if len(rows):
            with np.errstate(invalid="ignore"):  # of signaling NaN
                self.value[rows] = _at(data, simple.begin[rows], "<f4")
        for (_, part), (_, fields) in zip(others, _PAYLOADS.values(), strict=True):
            rows = np.flatnonzero(part.there & self.good)
            if len(rows):
                self.good[rows] = payloads.have_fields(raw, part.of(rows), fields)
        rows = np.flatnonzero(tensor.there & self.good)
        if len(rows):
            self.good[rows], self.form[rows], self.samples[rows] = cache.tensors.classify(data, raw, tensor.of(rows))


def _at(data: Buffer, places: Int64s, form: str) -> npt.NDArray[Any]:
    """Numbers of a numpy format at any places."""
    dtype = np.dtype(form)
    found: npt.NDArray[Any] = np.ndarray((len(data) - dtype.itemsize + 1,), dtype, data, 0, (1,))[places]
    return found


def _verify(data: Buffer, begin: Int64s, end: Int64s, good: Bools) -> None:
    """Take out of `good` what fails its data checksum."""
    rows, checksum = np.flatnonzero(good), google_crc32c.value
    found = [
        checksum(bytes(data[first:last])) for first, last in zip(begin[rows].tolist(), end[rows].tolist(), strict=True)
    ]
    good[rows] = np.array(found, np.uint32) == unmask(_at(data, end[rows], "<u4"))
