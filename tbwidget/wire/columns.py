"""Pack the columns of one message: numpy arrays in a single little-endian buffer, described by a small table."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from tbwidget.records.indices import reduceat, repeat

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from numpy.typing import NDArray


ALIGNMENT = 8
"""Every column starts at a multiple of this many bytes, so that the browser can view it without a copy."""

EXACT_INTEGER = 2**53
"""Integers up to this magnitude survive as float64."""

UNSEEN = 2.0**-16
"""Share of what a chart spans that no screen shows: wall times, and means of buckets, may be off by as much."""

UNSEEN_SECONDS = 0.05
"""Largest error of a wall time in seconds: they are shown by the second."""

type_names = {"u1": "u1", "u2": "<u2", "f4": "<f4", "f8": "<f8", "i8": "<i8"}
"""Names of the wire's binary column types, with numpy's name for each."""


ColumnsSavepoint = tuple[int, int, int, int]
"""How far a collection has come, to go back there: rows of the table, chunks, and the bytes of both."""


class Packed(NamedTuple):
    """A column of values as it travels."""

    type: str
    """Of `type_names`."""
    rows: int
    data: bytes


def pack_values(values: NDArray[np.float64], begin: NDArray[np.int64], spread: NDArray[np.float64]) -> list[Packed]:
    """Pack several columns at once, which lie one behind the other: each from its `begin` on, none of them empty.

    Each travels as float32 where that changes nothing, or less than is seen on a chart that spans its `spread`.
    """
    sizes = np.append(begin[1:], len(values)) - begin
    with np.errstate(over="ignore", invalid="ignore"):
        narrow = values.astype("<f4")
        same = narrow == values
        if not same.all():
            same |= np.isnan(values)
            if spread.any():
                limit = repeat(UNSEEN * spread, sizes)
                same |= (np.abs(narrow - values) <= limit) & (limit > 0)
    fits = [True] * len(begin) if same.all() else reduceat(np.logical_and, same, begin).tolist()
    # One copy of all bytes, cut into pieces, costs less than a copy of each piece out of numpy.
    short = narrow.tobytes()
    long = b"" if all(fits) else values.astype("<f8", copy=False).tobytes()
    return [
        Packed("f4", size, short[4 * at : 4 * (at + size)])
        if fit
        else Packed("f8", size, long[8 * at : 8 * (at + size)])
        for fit, at, size in zip(fits, begin.tolist(), sizes.tolist(), strict=True)
    ]


class Columns:
    """Collects the columns of one message; equal columns are stored once."""

    def __init__(self) -> None:
        self.table: list[list[Any]] = []
        """One row a column: `["range", n, start, stride]`, or `[type, n, byte offset]` with a type of `type_names`."""
        self.size = 0
        """Bytes in the buffer so far."""
        self.table_size = 0
        """Bytes of the table in JSON so far."""
        self._chunks: list[bytes | memoryview] = []
        self._rows: dict[tuple[str, bytes] | tuple[float, float, float], int] = {}
        self._times: dict[tuple[str, int], tuple[int, NDArray[np.float64]]] = {}
        self._parts: dict[Hashable, tuple[int, NDArray[Any]]] = {}

    def add_part(self, source: NDArray[Any], part: Hashable, add: Callable[[], int]) -> int:
        """The row of what `add` adds, once for each `part` of an array: series that were written together share one.

        Arrays count as the same that are the same memory, which must not change meanwhile.
        """
        key = source.__array_interface__["data"][0], len(source), source.strides, part
        known = self._parts.get(key)
        if known is None:
            # The array is held, so that no other comes to lie there.
            known = self._parts[key] = add(), source
        return known[0]

    def add_steps(self, steps: NDArray[np.int64]) -> int:
        """Add int64 steps; returns the row in the table. Regular steps need no bytes, and none is ever rounded."""
        regular = _regular(steps)
        if regular is not None:
            return self._row(regular, ["range", *regular])
        small = len(steps) == 0 or (steps.max() <= EXACT_INTEGER and steps.min() >= -EXACT_INTEGER)
        return self._binary("f8" if small else "i8", steps)

    def add_values(self, values: NDArray[np.float64], spread: float = 0.0) -> int:
        """Add float64 values; returns the row in the table.

        They travel as float32 where that changes nothing, or less than is seen on a chart that spans `spread`.
        """
        if not spread:  # most are the few new rows of a series, for which `pack_values` takes several times as long
            return self._binary(_shortest(values, ("f4",)), values)
        return self.add_packed(pack_values(values, np.zeros(1, np.int64), np.array([spread]))[0])

    def add_packed(self, packed: Packed) -> int:
        """Add values that were packed before; returns the row in the table."""
        name, count, data = packed
        known = self._rows.get((name, data))
        if known is not None:
            return known
        row = self._row((name, data), [name, count, self.size])
        self._append(data)
        return row

    def add_same(self, value: int, count: int) -> int:
        """Add one small integer `count` times; return the row in the table."""
        return self._row((count, value, 0), ["range", count, value, 0])

    def add_counts(self, counts: NDArray[np.int64]) -> int:
        """Add small integers; returns the row in the table."""
        regular = _regular(counts)
        return self._binary("f4", counts) if regular is None else self._row(regular, ["range", *regular])

    def add_exact(self, values: NDArray[np.float64]) -> int:
        """Add float64 values in the shortest type that holds all of them; returns the row in the table."""
        return self._binary(_shortest(values), values)

    def add_times(self, offsets: NDArray[np.float64], span: float, run: str) -> int:
        """Add wall times as seconds from the start of their series, which lasts `span`; returns the row in the table.

        Regular times need no bytes. Tags of one run are mostly written together: where no eye could tell their times
        apart they share a column.
        """
        unseen = min(UNSEEN * abs(span), UNSEEN_SECONDS) if math.isfinite(span) else 0.0
        count = len(offsets)
        if count == 0:
            return self.add_steps(np.empty(0, np.int64))
        first, last = float(offsets[0]), float(offsets[-1])
        stride = (last - first) / (count - 1) if count > 1 else 0.0
        if count == 1 or np.abs(offsets - (first + stride * np.arange(count))).max() <= unseen:
            return self._row((count, first, stride), ["range", count, first, stride])
        row, others = self._times.get((run, count), (0, None))
        if others is None or np.abs(offsets - others).max() > unseen:
            row = self._binary("f4", offsets)
            self._times[run, count] = row, offsets
        return row

    def add_raw(self, values: NDArray[np.float64]) -> int:
        """Add float64 values with all their bits; returns the row in the table."""
        return self._binary("f8", values)

    def add_bytes(self, data: bytes | memoryview) -> int:
        """Add a piece of a blob; returns the row in the table."""
        self.table.append(["u1", len(data), self.size])
        self.table_size += len(str(self.table[-1])) + len(", ")
        self._append(data)
        return len(self.table) - 1

    def savepoint(self) -> ColumnsSavepoint:
        """Where the collection is now, for `rollback`."""
        return len(self.table), len(self._chunks), self.size, self.table_size

    def rollback(self, savepoint: ColumnsSavepoint) -> None:
        """Remove the columns that were added since."""
        rows, chunks, self.size, self.table_size = savepoint
        del self.table[rows:], self._chunks[chunks:]
        self._rows = {key: row for key, row in self._rows.items() if row < rows}
        self._times = {key: (row, times) for key, (row, times) in self._times.items() if row < rows}
        self._parts = {key: (row, source) for key, (row, source) in self._parts.items() if row < rows}

    def buffer(self) -> bytes:
        """All columns, one after the other, each aligned."""
        return b"".join(self._chunks)

    def _binary(self, name: str, values: NDArray[Any]) -> int:
        return self.add_packed(Packed(name, len(values), values.astype(type_names[name], copy=False).tobytes()))

    def _append(self, data: bytes | memoryview) -> None:
        padding = -len(data) % ALIGNMENT
        self._chunks.append(data)
        if padding:
            self._chunks.append(bytes(padding))
        self.size += len(data) + padding

    def _row(self, key: tuple[str, bytes] | tuple[float, float, float], row: list[Any]) -> int:
        index = self._rows.setdefault(key, len(self.table))
        if index == len(self.table):
            self.table.append(row)
            self.table_size += len(str(row)) + len(", ")  # as long as in JSON
        return index


def exact_bytes(values: NDArray[np.float64]) -> int:
    """Bytes that each of the values takes in the shortest type that holds all of them."""
    return np.dtype(type_names[_shortest(values)]).itemsize


def _shortest(values: NDArray[np.float64], names: Iterable[str] = ("u1", "u2", "f4")) -> str:
    """Return the first of these types that holds all of the values exactly; "f8" if none does."""
    for name in names:
        with np.errstate(over="ignore", invalid="ignore"):
            narrow = values.astype(type_names[name])
        if ((narrow == values) | (np.isnan(narrow) & np.isnan(values))).all():
            return name
    return "f8"


def _regular(steps: NDArray[np.int64]) -> tuple[int, int, int] | None:
    """(n, start, stride) of steps that a range describes exactly, also in float64; else None."""
    count = len(steps)
    if count == 0:
        return 0, 0, 0
    first, last = int(steps[0]), int(steps[-1])
    if max(abs(first), abs(last)) > EXACT_INTEGER:
        return None
    if count == 1:
        return 1, first, 0
    stride = int(steps[1]) - first
    # The ends bound a regular column, so the differences below cannot wrap unnoticed.
    if first + stride * (count - 1) != last or not (np.diff(steps) == stride).all():
        return None
    return count, first, stride


MAX_WALL_TIME = 1e12
"""Wall times beyond this (seconds since the epoch) are nonsense, not dates."""


class Timed(Protocol):
    """Rows with a step and a wall time each."""

    @property
    def step(self) -> NDArray[np.int64]:
        """Steps, in the order of the rows."""

    @property
    def wall_time(self) -> NDArray[np.float64]:
        """Wall times, as many, in seconds since the epoch."""

    @property
    def revision(self) -> int:
        """Changes when rows did that were there before."""

    @property
    def superseded(self) -> int:
        """Rows left out because a restart wrote their steps again."""

    def __len__(self) -> int:
        """Count the rows."""


def start_of(series: Timed) -> float | None:
    """Wall time of the very first row; None if that is no time."""
    start = float(series.wall_time[0]) if len(series) else 0.0
    return start if abs(start) < MAX_WALL_TIME else None


def add_times(series: Timed, times: NDArray[np.float64], columns: Columns, run: str) -> int:
    """Add wall times of rows, counted from the start of the series; returns the row in the table."""
    if not len(times):
        return columns.add_raw(times)
    start, end = float(series.wall_time[0]), float(series.wall_time[-1])
    if not abs(start) < MAX_WALL_TIME:
        return columns.add_raw(times)
    offsets = times - start
    if not (np.abs(offsets) < MAX_WALL_TIME).all():
        # Beyond all dates float32 would lose the times of the others; those themselves are no times.
        offsets = np.where(np.abs(offsets) < MAX_WALL_TIME, offsets, np.nan)
        return columns.add_raw(offsets)
    return columns.add_times(offsets, end - start, run)
