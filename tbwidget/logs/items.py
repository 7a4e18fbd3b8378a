"""Values that stay in their files and are read when asked for: the base of every series but scalars."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from google.protobuf.message import DecodeError

from tbwidget.logs.columns import Points
from tbwidget.logs.problems import ValueProblems
from tbwidget.proto.summary_pb2 import Summary
from tbwidget.reasons import Reason, reason_of, system_reason
from tbwidget.records.files.storage import Storage
from tbwidget.records.files.wire import MalformedMessageError
from tbwidget.records.limits import LOOKUP_RECORDS
from tbwidget.records.lookup import HugeEvent, InvalidRecordError, Lookup, SmallEvent

_NEAR = 1 << 15  # bytes between two records that are read at once


class DamagedValueError(ValueError):
    """A value that was there when its file was read cannot be read any more, or its checksum does not hold."""


class Source(NamedTuple):
    """A file."""

    storage: Storage
    path: str
    name: str
    """Relative to the log directory."""
    problems: ValueProblems
    """Takes those with its values; another one whenever it is read from its start."""

    def report(self, offset: int, place: int, reason: Reason) -> Reason:
        """List a problem with a value, once; return the reason with file and offset before it."""
        self.problems.add(offset, place, reason)
        return self.located(offset, reason)

    def located(self, offset: int, reason: Reason) -> Reason:
        """Return a reason with file and offset before it."""
        return Reason("damaged-value", file=self.name, offset=offset, reason=reason)

    @contextmanager
    def reading(self, address: Callable[[], tuple[int, int]]) -> Iterator[None]:
        """A context in which the value at an offset and place is read. Raises DamagedValueError."""
        try:
            yield
        except (InvalidRecordError, DecodeError, MalformedMessageError) as error:
            raise DamagedValueError(self.report(*address(), reason_of(error))) from error
        except OSError as error:
            # No problem for good: it may pass, and the next poll notices a file that is gone.
            raise DamagedValueError(self.located(address()[0], system_reason(error))) from error


class Items:
    """A snapshot of the values of one tag of one run, n of them in the order written. Keeps no file open."""

    def __init__(
        self,
        tag: bytes,
        points: Points,
        sources: Sequence[tuple[Source, int]],
        revision: int,
        superseded: int,
    ) -> None:
        """`sources` are the files that the values are in, one after the other, and how many are in each."""
        self.step: npt.NDArray[np.int64] = points.step
        """int64[n]"""
        self.wall_time: npt.NDArray[np.float64] = points.wall_time
        """float64[n], seconds since the epoch."""
        self.samples: npt.NDArray[np.int64] = points.value["samples"].astype(np.int64)
        """int64[n]: how many strings a string tensor has by its shape; 1 for all else."""
        self.samples.flags.writeable = False
        self.form: npt.NDArray[np.uint8] = points.value["form"]
        """uint8[n]: the form of each, as its place in `forms.FORMS`."""
        self.revision = revision
        """As long as it stays the same, values are only appended: those already seen have not changed."""
        self.superseded = superseded
        """Values left out, because a later restart of the same training wrote their steps again."""
        self._tag = tag
        self._addresses = points.value
        self._sources = [source for source, _ in sources]
        self._ends = np.cumsum([count for _, count in sources])

    def __len__(self) -> int:
        """Count the values."""
        return len(self.step)

    def value(self, index: int) -> Summary.Value:
        """Read one value. Raises IndexError, and DamagedValueError where it is not there any more."""
        return next(self.values([index]))

    def values(self, indices: Iterable[int] | None = None) -> Iterator[Summary.Value]:
        """Read many values, in the order of the indices; all if there are none.

        Neighboring values are read together, and each event is parsed once. Raises IndexError, and DamagedValueError
        at the first that is not there any more; those before have been given then.
        """
        chosen = range(len(self)) if indices is None else [self._checked(index) for index in indices]
        part = np.searchsorted(self._ends, chosen, side="right").tolist()
        begin = 0
        for end in range(1, len(part) + 1):
            if end == len(part) or part[end] != part[begin]:
                yield from self._values_of(self._sources[part[begin]], chosen[begin:end])
                begin = end

    def report_invalid(self, index: int, reason: Reason) -> Reason:
        """Report a value that could not be decoded: a problem of the log directory from now on, once.

        Returns the reason with file and offset before it.
        """
        index = self._checked(index)
        source = self._sources[int(np.searchsorted(self._ends, index, side="right"))]
        return source.report(*self._address(index), reason)

    def place(self, index: int) -> tuple[str, int]:
        """Return the file of a value, relative to the log directory, and the offset of its record there."""
        index = self._checked(index)
        source = self._sources[int(np.searchsorted(self._ends, index, side="right"))]
        return source.name, self._address(index)[0]

    def _address(self, index: int) -> tuple[int, int]:
        return int(self._addresses["offset"][index]), int(self._addresses["place"][index])

    def _checked(self, index: int) -> int:
        checked = operator.index(index)
        if not -len(self) <= checked < len(self):
            raise IndexError(f"value {checked} does not exist: there are only {len(self)}")
        return checked % len(self)

    def _values_of(self, source: Source, chosen: Sequence[int]) -> Iterator[Summary.Value]:
        """Values of one file."""
        addresses = self._addresses[np.asarray(chosen)]
        offsets, places = addresses["offset"].tolist(), addresses["place"].tolist()
        is_remote = source.storage.is_remote
        ahead = [0] * len(offsets) if is_remote else _ahead(addresses["offset"]).tolist()
        event: SmallEvent | HugeEvent | None = None
        number, known = 0, -1
        fetched = 0 if is_remote else len(chosen)
        reading = source.reading(lambda: (offsets[number], places[number]))
        with reading, closing(Lookup(source.storage, source.path)) as lookup:
            for number, index in enumerate(chosen):
                offset = offsets[number]
                if number == fetched:
                    fetched += lookup.fetch(offsets[number : number + LOOKUP_RECORDS])
                if event is None or offset != known:
                    event, known = lookup.event(offset, ahead[number]), offset
                yield self._expected(event, places[number], index)

    def _expected(self, event: SmallEvent | HugeEvent, place: int, index: int) -> Summary.Value:
        """The value of the event, if it is still the value that was found when the file was read."""
        step, wall_time = self.step[index], self.wall_time[index]
        value = event.value(place)
        same_time = event.wall_time == wall_time or (math.isnan(event.wall_time) and math.isnan(wall_time))
        if value is None or event.step != step or not same_time or (value.tag or value.node_name) != self._tag:
            raise InvalidRecordError(Reason("value-replaced", step=int(step)))
        return value


class Attachment(NamedTuple):
    """A graph or run metadata that an event holds beside its summary."""

    source: Source
    offset: int
    """Bytes before its record in the file."""
    what: str
    """Which part of the event, as `records.values.attachments` names it."""

    def read(self) -> bytes:
        """Return the serialized message. Raises DamagedValueError."""
        source = self.source
        with source.reading(lambda: (self.offset, 0)), closing(Lookup(source.storage, source.path)) as lookup:
            if source.storage.is_remote:
                lookup.fetch([self.offset])
            content = lookup.event(self.offset).attachment(self.what)
            if content is None:
                raise InvalidRecordError(Reason("event-replaced", what=self.what))
            return content

    def report(self, reason: Reason) -> Reason:
        """List a problem of the message; return the reason with file and offset before it."""
        return self.source.report(self.offset, 0, reason)


def _ahead(offsets: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """For each record, how many bytes from its begin on hold the records to come, as far as they lie near."""
    gaps = np.diff(offsets)
    far = np.flatnonzero((gaps < 0) | (gaps > _NEAR))
    last = np.append(far, len(offsets) - 1)  # of each group
    ends = offsets[last[np.searchsorted(last, np.arange(len(offsets)))]]
    return np.where(ends > offsets, ends - offsets + _NEAR, 0)
