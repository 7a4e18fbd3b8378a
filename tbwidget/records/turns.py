"""Cycles of layouts that have many lengths or few turns: each turn is read as one row.

What is read length by length costs a hundred calls of numpy for each of the lengths, whether they have fifty records
or a million; here it is as many for all of them together.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from tbwidget.records.checksums import contributions, unmask
from tbwidget.records.framing import FOOTER, HEADER
from tbwidget.records.places import STEP_AT, Block, Home, Int64s, Places, UInt8s, varints

_LONGEST = 1 << 9  # bytes of a record: one is kept for each layout
_TOGETHER = 1 << 16  # varying bytes looked at at once


class Turn:
    """One turn of a cycle, of m layouts with one value each, all in one format: where what stands in its bytes."""

    def __init__(self, cycle: list[Home], examples: list[bytes]) -> None:
        """`examples` has for each of the layouts the data and the footer of a record."""
        every = [places for places, _ in cycle]
        sizes = np.array([len(places.fixed) for places in every])
        begins = np.cumsum(sizes) - sizes
        starts = begins + HEADER
        self.size = int(sizes.sum())
        """Bytes of a turn."""
        self._fixed = np.concatenate([places.fixed for places in every])
        self._header = (begins[:, None] + np.arange(HEADER)).ravel()
        self._example = np.frombuffer(b"".join([bytes(HEADER) + example for example in examples]), np.uint8)
        self._wall_time = _columns(starts + 1, 8)
        self._footer = _columns(starts + sizes - HEADER - FOOTER, FOOTER)
        slot = np.array([places.slots[0].offset for places in every])
        self._format = every[0].slots[0].format
        self._value = _columns(starts + slot, int(self._format[-1]))
        steps = np.array([max(places.head - STEP_AT, 0) for places in every])
        place = np.arange(steps.max())
        self._step = _columns(starts + STEP_AT, len(place))
        self._in_step = place < steps[:, None]
        self._more_of_step = place < steps[:, None] - 1
        varying = [np.flatnonzero(~places.constant) for places in every]
        counts = np.array([len(columns) for columns in varying])
        columns = np.concatenate(varying)
        self._varying = columns + np.repeat(starts, counts)
        behind = np.repeat(sizes - HEADER - FOOTER, counts) - 1 - columns
        self._table = contributions(int(behind.max()) + 1).ravel()
        self._entries = behind << 8  # of a zero byte, in the table
        self._first_varying = np.cumsum(counts) - counts
        entries = [entry for _, entry in cycle]
        self._crc = np.array([places.crc[entry] for places, entry in cycle], np.uint32)
        self._layouts = np.array([places.layouts[entry] for places, entry in cycle])
        self._tags = np.concatenate([places.tags[entry] for places, entry in cycle])[:, None]
        unsaid = np.concatenate([places.unsaid[entry] for places, entry in cycle])[:, None]
        self._unsaid = unsaid if unsaid.any() else None
        self._members = len(entries)

    @staticmethod
    def may_have(places: Places) -> bool:
        """Whether layouts with these places can be read so."""
        return len(places.slots) == 1 and bool(places.by_table) and len(places.constant) <= _LONGEST

    def read(self, raw: UInt8s, position: int, record: int, turns: int) -> tuple[int, list[Block]]:
        """Read records that lie end to end from `position` on, of which the first has the index `record`.

        Of `turns` turns, those before the first that is not of these layouts are read; how many, and what they hold.
        What has an untrue checksum is in none of the blocks. The header of the first of them is taken as true.
        """
        turns = min(turns, (len(raw) - position) // self.size)
        rows = raw[position : position + turns * self.size].reshape(turns, self.size)
        blocks: list[Block] = []
        together = max(1, _TOGETHER // len(self._varying))
        for begin in range(0, turns, together):
            some = rows[begin : begin + together]
            good = self._count(some, rows[0])
            blocks += self._blocks(some[:good], record + begin * self._members)
            if good < len(some):
                return begin + good, blocks
        return turns, blocks

    def _count(self, rows: UInt8s, first: UInt8s) -> int:
        """How many rows there are before one that has other layouts."""
        expected = self._example.copy()
        expected[self._header] = first[self._header]
        other = ((rows != expected) & self._fixed).any(axis=1)
        more = rows.take(self._step, axis=1) >= 0x80  # noqa: PLR2004 (more of the varint follows)
        other |= ((more != self._more_of_step) & self._in_step).any(axis=(1, 2))
        return int(other.argmax()) if other.any() else len(rows)

    def _blocks(self, rows: UInt8s, record: int) -> Iterator[Block]:
        turns, members = len(rows), self._members
        if not turns:
            return
        parts = self._table.take(rows.take(self._varying, axis=1) + self._entries)
        crc = np.bitwise_xor.reduceat(parts, self._first_varying, axis=1) ^ self._crc
        true = (crc == unmask(rows.take(self._footer, axis=1).view("<u4")[:, :, 0])).ravel()
        steps = rows.take(self._step, axis=1) * self._in_step
        with np.errstate(invalid="ignore"):  # of signalling NaN
            value = rows.take(self._value, axis=1).view(self._format).astype(np.float64).reshape(-1, 1)
        block = Block(
            np.arange(record, record + len(value)),
            rows.take(self._wall_time, axis=1).view("<f8").ravel(),
            varints(steps.reshape(turns * members, -1)),
            value,
            np.tile(self._tags, (turns, 1)),
            self._layouts,
            np.arange(record, record + members),
            None if self._unsaid is None else np.tile(self._unsaid, (turns, 1)),
        )
        if true.all():
            yield block
        elif true.any():
            yield self._some(block, np.flatnonzero(true))

    def _some(self, block: Block, chosen: Int64s) -> Block:
        first = np.full(self._members, -1)
        first[chosen[::-1] % self._members] = block.records[chosen[::-1]]  # the last assignment stays
        met = first >= 0
        return Block(
            block.records[chosen],
            block.wall_time[chosen],
            block.step[chosen],
            block.value[chosen],
            block.tag[chosen],
            block.layouts[met],
            first[met],
            None if block.unsaid is None else block.unsaid[chosen],
        )


def _columns(begins: Int64s, size: int) -> npt.NDArray[np.int64]:
    """int64[n, size]: the places of `size` bytes from each begin on."""
    columns: npt.NDArray[np.int64] = begins[:, None] + np.arange(size)
    return columns
