"""Base of the kinds whose values stay on the disk until they are asked for.

A value of images and audio holds several samples, which are found without being read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar, overload

import numpy as np
import numpy.typing as npt

from tbwidget.reasons import Reason, reason_of
from tbwidget.records.indices import repeat
from tbwidget.records.values.arrays import TensorError, array_of
from tbwidget.texts import format_steps

if TYPE_CHECKING:
    from tbwidget.logs.items import Items
    from tbwidget.proto.summary_pb2 import Summary

_AT_ONCE = 4096  # values

T = TypeVar("T")


class ReadOnlyArrays:
    """A frozen dataclass whose arrays are read-only, also in copies and after pickling."""

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, ...]:
        """Make it of its fields."""
        return _with_read_only_arrays, (type(self), *(getattr(self, field.name) for field in fields(self)))  # type: ignore[arg-type]


def _with_read_only_arrays(of: type[T], *values: Any) -> T:
    for value in values:
        if isinstance(value, np.ndarray):
            value.flags.writeable = False
    return of(*values)


class UndecodableError(ValueError):
    """The record is intact, but its payload does not match its kind. Names file and offset."""


class LazySequence(Sequence[T], Generic[T]):
    """A sequence whose elements are made when they are asked for."""

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        """One element, or some."""
        if isinstance(index, slice):
            return [self._at(place) for place in range(len(self))[index]]
        return self._at(range(len(self))[index])

    def _at(self, index: int) -> T:
        """The element at an index within range."""
        raise NotImplementedError


class ItemSequence(LazySequence[T]):
    """The values of one tag of one run: n of them, in the order written.

    Steps and wall times are in memory; a value is read when it is indexed or iterated over, and not cached.
    Both raise ValueError, naming file and offset, where the bytes are no longer there or make no sense; what can be
    read nevertheless is what `readable` gives.
    """

    def __init__(self, items: Items) -> None:
        self._items = items

    @property
    def step(self) -> npt.NDArray[np.int64]:
        """int64[n], all 64 bits; read-only."""
        return self._items.step

    @property
    def wall_time(self) -> npt.NDArray[np.float64]:
        """float64[n], seconds since the epoch; read-only."""
        return self._items.wall_time

    @property
    def revision(self) -> int:
        """As long as it stays the same, values are only appended: those already seen have not changed."""
        return self._items.revision

    @property
    def superseded(self) -> int:
        """Values left out, because a later restart of the same training wrote their steps again."""
        return self._items.superseded

    def __len__(self) -> int:
        """Count the values."""
        return len(self._items)

    def _at(self, index: int) -> T:
        return self._element(index, self._items.value(index))

    def __iter__(self) -> Iterator[T]:
        """Read all values, many at once."""
        for index, value in enumerate(self._items.values()):
            yield self._element(index, value)

    def readable(self, indices: Iterable[int] | None = None) -> Iterator[tuple[int, T]]:
        """Read all values, or some, with their indices; the unreadable ones are left to the problems of the logs."""
        for index, value in readable(self._items, indices):
            try:
                element = self._element(index, value)
            except ValueError:
                continue
            yield index, element

    def __repr__(self) -> str:
        """Say how many values there are and over which steps."""
        return f"{type(self).__name__}({format_steps(self.step)})"

    def _element(self, index: int, value: Summary.Value) -> T:
        with reported(self._items, index):
            return self._decode(index, value)

    def _decode(self, index: int, value: Summary.Value) -> T:
        """Return the element for a value; raise ValueError, which is reported, if the value does not fit."""
        raise NotImplementedError


@contextmanager
def reported(items: Items, index: int) -> Iterator[None]:
    """A context in which an undecodable value becomes a problem of the logs, and its ValueError names the place."""
    try:
        yield
    except ValueError as error:
        raise UndecodableError(items.report_invalid(index, reason_of(error))) from error


def readable(items: Items, indices: Iterable[int] | None = None) -> Iterator[tuple[int, Summary.Value]]:
    """The values whose records are valid, with their indices; read many at once."""
    wanted = list(range(len(items)) if indices is None else indices)
    place, several = 0, _AT_ONCE
    while place < len(wanted):
        part = wanted[place : place + several]
        several = min(2 * several, _AT_ONCE)
        try:
            for value in items.values(part):
                place += 1
                yield wanted[place - 1], value
        except ValueError:
            # The next one is invalid, and others may be, too: each costs a new start with a part.
            place, several = place + 1, 1


def last_string(items: Items) -> bytes:
    """Return the one string of the last value. Raises ValueError where it is damaged or no string."""
    value = items.value(-1)
    with reported(items, -1):
        content = array_of(value.tensor)
        if content.dtype != object or not content.size:
            raise TensorError(Reason("bytes-expected"))
        data: bytes = content.flat[0]
        return data


P = TypeVar("P")
"""Content of one sample in its value."""
_MAX_SAMPLES = 1 << 14  # samples that a tag may claim; if it claims more, its values are read to verify that
_MAX_SAMPLES_OF_VALUE = 64  # samples of one value


_TakeSample: TypeAlias = "Callable[[Summary.Value, int], P]"
"""Takes one sample out of a value; ValueError if it is not there."""


class Sample(Generic[P]):
    """One sample; nothing of it is read before it is asked for."""

    __slots__ = ("_index", "_source", "sample", "step", "wall_time")

    def __init__(self, source: SampleSequence[Any, P], index: int, step: int, wall_time: float, sample: int) -> None:
        self._source = source
        self._index = index
        self.step = step
        self.wall_time = wall_time
        """Seconds since the epoch."""
        self.sample = sample
        """Its index among the samples of its value."""

    def _read(self) -> P:
        return self._source.read(self._index, self.sample)


S = TypeVar("S", bound="Sample[Any]")


class SampleSequence(LazySequence[S], Generic[S, P]):
    """The samples of one tag of one run: by step, then by sample, or in the order written."""

    _element: type[S]

    def __init__(self, items: Items, counts: npt.NDArray[np.int64], part: _TakeSample[P], *, by_step: bool) -> None:
        """`counts` has the number of samples of each value."""
        counts = _written_counts(items, counts)
        self._items, self._part, self._counts = items, part, counts
        self._last: tuple[int, Summary.Value] | None = None
        index = repeat(np.arange(len(items)), counts)
        sample = np.arange(len(index)) - repeat(np.cumsum(counts) - counts, counts)
        if by_step:
            order = np.lexsort((sample, items.step[index]))
            index, sample = index[order], sample[order]
        self._index = index
        self.step: npt.NDArray[np.int64] = items.step[index]
        """int64[n], all 64 bits."""
        self.wall_time: npt.NDArray[np.float64] = items.wall_time[index]
        """float64[n], seconds since the epoch."""
        self.sample: npt.NDArray[np.int64] = sample
        """int64[n]: the place of each among the samples of its value."""
        self.revision = items.revision
        """As long as it stays the same, values are only added."""
        self.superseded = items.superseded
        """Values left out, because a later restart of the same training wrote their steps again."""
        for column in (self.step, self.wall_time, self.sample):
            column.flags.writeable = False

    @property
    def identity(self) -> list[tuple[int, int]]:
        """One a sample: the same for the same sample as long as the revision is, wherever others move it."""
        return list(zip(self._index.tolist(), self.sample.tolist(), strict=True))

    def __len__(self) -> int:
        """Count the samples."""
        return len(self._index)

    def _at(self, index: int) -> S:
        return self._element(
            self,
            int(self._index[index]),
            int(self.step[index]),
            float(self.wall_time[index]),
            int(self.sample[index]),
        )

    def read(self, index: int, sample: int) -> P:
        """One sample of the value at an index. Raises ValueError where the bytes are no longer there or no such.

        A value of several is kept until its last one, since they are asked for one after the other.
        """
        if self._last is None or self._last[0] != index:
            self._last = index, self._items.value(index)
        value = self._last[1]
        if sample + 1 >= self._counts[index]:
            self._last = None
        return self._sample(index, value, sample)

    def _sample(self, index: int, value: Summary.Value, sample: int) -> P:
        """One sample of a value that was read; ValueError, and a problem, if it is not there."""
        with reported(self._items, index):
            return self._part(value, sample)

    def __repr__(self) -> str:
        """Say how many samples there are and over which steps."""
        return f"{type(self).__name__}({format_steps(self.step, 'sample')})"

    def _parts(self) -> Iterator[tuple[int, P]]:
        """Every sample that can be read, with its place; read many at once."""
        order = np.argsort(self._index, kind="stable")
        bounds = np.searchsorted(self._index[order], np.arange(self._index.max(initial=-1) + 2))
        for index, value in readable(self._items, np.unique(self._index).tolist()):
            for place in order[bounds[index] : bounds[index + 1]].tolist():
                try:
                    yield place, self._sample(index, value, int(self.sample[place]))
                except ValueError:
                    continue


def _written_counts(items: Items, counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The numbers of samples. Where shapes claim very many, only the samples that were written count."""
    if counts.sum() <= _MAX_SAMPLES:
        return counts
    counts = counts.copy()
    many = np.flatnonzero(counts > _MAX_SAMPLES_OF_VALUE)
    there = np.zeros(len(counts), np.int64)
    for index, value in readable(items, many.tolist()):
        there[index] = len(value.tensor.string_val)
    counts[many] = np.minimum(counts[many], there[many])
    return counts
