"""Cycles of layouts, as a training loop writes them: recognized once, then sliced without looking up each record.

All repeats of the cycle are compared with the first at once. Where they differ only in bytes that may vary, the record
at each position keeps its layout. Its CRC is the CRC of the first repeat's record XOR the contributions of the bytes
that differ.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np
import numpy.typing as npt

from tbwidget.records import limits
from tbwidget.records.columnar.groups import Block, Int64s, LayoutGroup, LayoutRef, UInt8s
from tbwidget.records.files.checksums import masked_checksum, unmask
from tbwidget.records.files.framing import FOOTER, HEADER, Buffer, Frames, windows


class LayoutIndex:
    """Layouts by the length of their records and the bytes from the start of the summary to its first number.

    Two layouts may share these, so `read_cycle` verifies each match.
    """

    def __init__(self) -> None:
        self._refs: list[LayoutRef] = []
        self._starts: dict[int, dict[tuple[int, int], None]] = {}  # heads and first slots of records, by length
        self._numbers: dict[tuple[int, bytes], int] = {}  # of homes

    def add(self, group: LayoutGroup, rows: UInt8s) -> None:
        """Add layouts that are about to be added to this group, each with a row that has it."""
        length, slot = len(group.constant), group.slots[0].offset
        self._starts.setdefault(length, {})[group.head, slot] = None
        first = len(self._refs)
        self._numbers |= {(length, begin): n for n, begin in enumerate(pieces(rows[:, group.head : slot]), first)}
        self._refs += [LayoutRef(group, len(group.layouts) + entry) for entry in range(len(rows))]

    def look_up(self, data: Buffer, frames: Frames, begin: int, count: int) -> Int64s | None:
        """The layouts that records (at least one) seem to have, as `refs` takes them; None if one seems to be new."""
        starts, lengths = frames.starts[begin : begin + count], frames.lengths[begin : begin + count]
        first = int(starts[0]) + HEADER
        content = bytes(data[first : int(starts[-1] + lengths[-1]) + HEADER])
        numbers = []
        for start, length in zip((starts + HEADER - first).tolist(), lengths.tolist(), strict=True):
            for head, slot in self._starts.get(length, ()):
                number = self._numbers.get((length, content[start + head : start + slot]))
                if number is not None:
                    numbers.append(number)
                    break
            else:
                return None
        return np.array(numbers)

    def refs(self, numbers: Int64s) -> list[LayoutRef]:
        """Where these layouts are kept."""
        return [self._refs[number] for number in numbers.tolist()]


def pieces(rows: UInt8s) -> list[bytes]:
    """The bytes of each row."""
    together, width = rows.tobytes(), rows.shape[1]
    return [together[begin : begin + width] for begin in range(0, len(together), width)] if width else [b""] * len(rows)


def read_cycle(
    raw: UInt8s, position: int, cycle: list[LayoutRef], record: int, repeats: int
) -> Generator[Block, None, int]:
    """Read records that lie end to end from `position` on and should have the layouts of `cycle`, again and again.

    Reads up to `repeats` repeats, stops before the first with other layouts, and returns their count. `record` is the
    index of the first record. Invalid records are in none of the blocks.
    """
    fixed = np.concatenate([group.fixed for group, _ in cycle])
    sizes = np.array([len(group.fixed) for group, _ in cycle])
    offsets = np.cumsum(sizes) - sizes
    # The lengths of what follows may have a longer period than the layouts had so far.
    repeats = min(repeats, (len(raw) - position) // len(fixed))
    if not repeats:
        return 0
    repeats, varying = _compare(raw[position : position + repeats * len(fixed)].reshape(repeats, -1), fixed)
    if not repeats:
        return 0
    groups: dict[LayoutGroup, list[int]] = {}
    for member, (group, _) in enumerate(cycle):
        groups.setdefault(group, []).append(member)
    for group, members_of_group in groups.items():
        members = np.array(members_of_group)
        size = len(group.fixed)
        if len(groups) == 1:
            rows = raw[position : position + repeats * len(fixed)].reshape(-1, size)
        else:
            starts = position + np.arange(repeats)[:, None] * len(fixed) + offsets[members]
            rows = windows(raw, size)[starts.ravel()]
        varying_here = np.logical_or.reduce(windows(varying, size)[offsets[members]], axis=0)
        refs = np.array([cycle[member].entry for member in members_of_group])
        records = record + (np.arange(repeats)[:, None] * len(cycle) + members).ravel()
        block = _block(group, refs, records, rows[:, HEADER:], varying_here[HEADER:])
        if block is not None:
            yield block
    return repeats


def _compare(rows: UInt8s, fixed: npt.NDArray[np.bool_]) -> tuple[int, npt.NDArray[np.bool_]]:
    """How many rows are like the first in all fixed bytes, before one that is not; and which bytes vary in those."""
    first, varying = rows[0], np.zeros(rows.shape[1], np.bool_)
    together = max(1, limits.MIN_CYCLE_ROW_BYTES // len(first))  # numpy is slow with short rows
    tiled = np.tile(first, together)
    begin, count = 0, max(1, limits.MAX_CYCLE_BLOCK_BYTES // len(tiled)) * together
    while begin < len(rows):
        some = rows[begin : begin + count]
        differs = _differing(some, first, tiled)
        if (differs & fixed).any():
            good = int(((some != first) & fixed).any(axis=1).argmax())
            return begin + good, varying | (some[:good] != first).any(axis=0)
        varying |= differs
        # Twice as many each time, so that little is compared in vain where the layouts change soon.
        begin, count = begin + count, 2 * count
    return len(rows), varying


def _differing(rows: UInt8s, first: UInt8s, tiled: UInt8s) -> npt.NDArray[np.bool_]:
    """Which bytes differ from `first` in any row; `tiled` repeats that row."""
    together = len(tiled) // len(first)
    whole = len(rows) // together * together
    table, differs = rows[:whole].reshape(-1, len(tiled)), np.zeros(len(tiled), np.bool_)
    block = max(1, limits.MAX_CYCLE_BLOCK_BYTES // len(tiled))
    for begin in range(0, len(table), block):
        differs |= np.logical_or.reduce(table[begin : begin + block] != tiled, axis=0)
    of_one: npt.NDArray[np.bool_] = differs.reshape(together, -1).any(axis=0)
    return of_one if whole == len(rows) else of_one | (rows[whole:] != first).any(axis=0)


def _block(
    group: LayoutGroup, refs: Int64s, records: Int64s, rows: UInt8s, varies: npt.NDArray[np.bool_]
) -> Block | None:
    """The numbers of rows that have the layouts `refs`, again and again; without those whose checksums do not hold.

    None if they have others.
    """
    members = len(refs)
    first = rows[:members]
    fields = group.fields(rows)
    if (group.hashes(first) != group.key[refs]).any() or not _are_varints(fields[1]):
        return None
    crc = group.varying_crc(fields, varies).reshape(-1, members)
    # Bytes that are the same in all repeats are accounted for by the checksum of the first.
    true_crc = unmask(np.array([masked_checksum(row[:-FOOTER].tobytes()) for row in first], np.uint32))
    crc ^= crc[0] ^ true_crc
    valid = crc.ravel() == unmask(rows[:, -FOOTER:].view("<u4")[:, 0].copy())
    if valid.all():
        return group.block(records, fields, refs)
    if not valid.any():
        return None
    found = np.tile(refs, len(rows) // members)
    return group.block(records[valid], [field[valid] for field in fields], found[valid])


def _are_varints(content: UInt8s) -> bool:
    """Whether each row is one varint, all of it, where there are any bytes."""
    last = content.shape[1] - 1
    return all(
        bool((content[:, place] < 0x80).all() if place == last else (content[:, place] >= 0x80).all())  # noqa: PLR2004
        for place in range(last + 1)
    )
