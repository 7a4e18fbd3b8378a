"""Base of the kinds whose values stay on the disk until they are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import numpy as np
import numpy.typing as npt

from tbwidget.reasons import Reason, reason_of
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
