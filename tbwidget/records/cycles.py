"""Records whose layouts come in a cycle, as a training loop writes them: read without a look at each.

One turn of the cycle is compared with all others at once. Where they differ in nothing but bytes that may vary, each
record is of the layout that its place in the turn has, and its checksum is that of the record in the first turn XOR
what differs since.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np
import numpy.typing as npt

from tbwidget.records.checksums import masked_checksum, unmask
from tbwidget.records.framing import FOOTER, HEADER, windows
from tbwidget.records.places import Block, Home, Int64s, Places, UInt8s

_ROW = 1 << 12  # bytes compared as one row, at least
_BLOCK = 1 << 18  # bytes compared at once; fits the caches


def read_cycle(raw: UInt8s, position: int, cycle: list[Home], record: int, turns: int) -> Generator[Block, None, int]:
    """Read records that lie end to end from `position` on and should have the layouts of `cycle`, again and again.

    Of `turns` turns, those before the first that is not of these layouts are read; returns how many. `record` is the
    index of the first record. What is not as it should be is in none of the blocks.
    """
    fixed = np.concatenate([places.fixed for places, _ in cycle])
    sizes = np.array([len(places.fixed) for places, _ in cycle])
    offsets = np.cumsum(sizes) - sizes
    # The lengths of what follows may have a longer period than the layouts had so far.
    turns = min(turns, (len(raw) - position) // len(fixed))
    if not turns:
        return 0
    turns, varying = _compare(raw[position : position + turns * len(fixed)].reshape(turns, -1), fixed)
    if not turns:
        return 0
    groups: dict[Places, list[int]] = {}
    for member, (places, _) in enumerate(cycle):
        groups.setdefault(places, []).append(member)
    for places, of_group in groups.items():
        members = np.array(of_group)
        size = len(places.fixed)
        if len(groups) == 1:
            rows = raw[position : position + turns * len(fixed)].reshape(-1, size)
        else:
            starts = position + np.arange(turns)[:, None] * len(fixed) + offsets[members]
            rows = windows(raw, size)[starts.ravel()]
        varying_here = np.logical_or.reduce(windows(varying, size)[offsets[members]], axis=0)
        homes = np.array([cycle[member].entry for member in of_group])
        records = record + (np.arange(turns)[:, None] * len(cycle) + members).ravel()
        block = _block(places, homes, records, rows[:, HEADER:], varying_here[HEADER:])
        if block is not None:
            yield block
    return turns


def _compare(rows: UInt8s, fixed: npt.NDArray[np.bool_]) -> tuple[int, npt.NDArray[np.bool_]]:
    """How many rows are like the first in all fixed bytes, before one that is not; and which bytes vary in those."""
    first, varying = rows[0], np.zeros(rows.shape[1], np.bool_)
    together = max(1, _ROW // len(first))  # numpy is slow with short rows
    tiled = np.tile(first, together)
    block = max(1, _BLOCK // len(tiled)) * together
    for begin in range(0, len(rows), block):
        some = rows[begin : begin + block]
        whole = len(some) // together * together
        many = np.logical_or.reduce(some[:whole].reshape(-1, len(tiled)) != tiled, axis=0)
        differs = many.reshape(together, -1).any(axis=0) | (some[whole:] != first).any(axis=0)
        if (differs & fixed).any():
            good = int(((some != first) & fixed).any(axis=1).argmax())
            return begin + good, varying | (some[:good] != first).any(axis=0)
        varying |= differs
    return len(rows), varying


def _block(places: Places, homes: Int64s, records: Int64s, rows: UInt8s, varies: npt.NDArray[np.bool_]) -> Block | None:
    """The numbers of rows that have the layouts `homes` in turn; without those whose checksums do not hold.

    None if it turns out that they have others.
    """
    members = len(homes)
    first = rows[:members]
    fields = places.fields(rows)
    if (places.hashes(first) != places.key[homes]).any() or not _are_varints(fields[1]):
        return None
    crc = places.varying_crc(fields, varies).reshape(-1, members)
    # What is the same in all turns is in the checksum of the first.
    true_crc = unmask(np.array([masked_checksum(row[:-FOOTER].tobytes()) for row in first], np.uint32))
    crc ^= crc[0] ^ true_crc
    true = crc.ravel() == unmask(rows[:, -FOOTER:].view("<u4")[:, 0].copy())
    if true.all():
        return places.block(records, fields, homes)
    if not true.any():
        return None
    found = np.tile(homes, len(rows) // members)
    return places.block(records[true], [field[true] for field in fields], found[true])


def _are_varints(content: UInt8s) -> bool:
    """Whether each row is one varint, all of it, where there are any bytes."""
    last = content.shape[1] - 1
    return all(
        bool((content[:, place] < 0x80).all() if place == last else (content[:, place] >= 0x80).all())  # noqa: PLR2004
        for place in range(last + 1)
    )
