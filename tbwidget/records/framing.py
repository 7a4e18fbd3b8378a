"""Where the records of a piece of an event file begin and end.

A record can only be found by the length of the one before, so the plain way is a loop over all of them. But training
loops repeat themselves: the lengths of their records come in a period. So a few records are walked one by one, the
period of their lengths is looked for, and as long as it holds, whole blocks of headers are checked at once.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

from tbwidget.records.checksums import length_checksums, masked_checksum

HEADER = 12  # u64 length, u32 masked CRC of it
FOOTER = 4  # u32 masked CRC of the data
FRAME = HEADER + FOOTER

Int64s = npt.NDArray[np.int64]

_FIRST_WALK, _LONGEST_WALK = 64, 4096  # records walked one by one before a period is looked for
_FIRST_BLOCK, _LARGEST_BLOCK = 512, 65536  # records predicted at once
_CANDIDATES = 64  # periods tried at most

_SMALL = 1 << 12  # bytes walked one by one to their end: a file that grows is read in pieces of this size

_length_at = struct.Struct("<Q").unpack_from
_header_at = struct.Struct("<QI").unpack_from


class Frames(NamedTuple):
    """Records that lie whole in a piece of bytes, their length checksums verified, their data not yet looked at."""

    starts: Int64s
    """Where each record's header begins."""
    lengths: Int64s
    """Bytes of data in each record."""
    end: int
    """Where the first byte behind the last record lies."""
    damaged: bool
    """A whole header lies at `end` and its checksum does not hold."""


def frame(data: bytes, start: int = 0) -> Frames:
    """Find the records of `data` from `start` on, up to the first that is not whole or whose length is damaged."""
    if len(data) - start <= _SMALL:
        return _frame_small(data, start)
    raw = np.frombuffer(data, np.uint8)
    found_starts: list[Int64s] = []
    found_lengths: list[Int64s] = []
    position, walk, damaged = start, _FIRST_WALK, False
    recent = np.empty(0, np.int64)
    while True:
        starts, lengths, after = _walk(data, position, walk)
        good = _verified(raw, starts, lengths)
        found_starts.append(starts[:good])
        found_lengths.append(lengths[:good])
        position = after if good == len(starts) else int(starts[good])
        if good < walk:
            damaged = _header_is_damaged(raw, position)
            break
        recent = np.concatenate((recent, lengths))[-_LONGEST_WALK:]
        period = _period(recent)
        if not period:
            walk = min(2 * walk, _LONGEST_WALK)
            continue
        starts, lengths, position = _predict(raw, position, recent[-period:])
        found_starts.append(starts)
        found_lengths.append(lengths)
        walk, recent = _FIRST_WALK, recent[:0]
    return Frames(np.concatenate(found_starts), np.concatenate(found_lengths), position, damaged)


def _frame_small(data: bytes, position: int) -> Frames:
    starts: list[int] = []
    lengths: list[int] = []
    damaged = False
    while position + HEADER <= len(data):
        length, checksum = _header_at(data, position)
        damaged = masked_checksum(data[position : position + 8]) != checksum
        if damaged or position + FRAME + length > len(data):
            break
        starts.append(position)
        lengths.append(length)
        position += FRAME + length
    return Frames(np.array(starts, np.int64), np.array(lengths, np.int64), position, damaged)


def _walk(data: bytes, position: int, count: int) -> tuple[Int64s, Int64s, int]:
    """Follow up to `count` whole records one by one; their lengths are taken on trust."""
    starts: list[int] = []
    lengths: list[int] = []
    size = len(data)
    while len(starts) < count and position + FRAME <= size:
        length = _length_at(data, position)[0]
        after = position + FRAME + length
        if after > size:
            break
        starts.append(position)
        lengths.append(length)
        position = after
    return np.array(starts, np.int64), np.array(lengths, np.int64), position


def _headers(raw: npt.NDArray[np.uint8], starts: Int64s) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]]:
    headers = sliding_window_view(raw, HEADER)[starts]
    return headers[:, :8].copy().view("<u8")[:, 0], headers[:, 8:].copy().view("<u4")[:, 0]


def _verified(raw: npt.NDArray[np.uint8], starts: Int64s, lengths: Int64s) -> int:
    """How many of the records have true length checksums, up to the first that has not."""
    if not len(starts):
        return 0
    wrong = np.flatnonzero(_headers(raw, starts)[1] != length_checksums(lengths))
    return int(wrong[0]) if len(wrong) else len(starts)


def _header_is_damaged(raw: npt.NDArray[np.uint8], position: int) -> bool:
    if position + HEADER > len(raw):
        return False
    lengths, checksums = _headers(raw, np.array([position]))
    return bool(checksums[0] != length_checksums(lengths.view(np.int64))[0])


def _period(lengths: Int64s) -> int:
    """The shortest period that the lengths end with, seen at least twice; 0 if there is none."""
    last = len(lengths) - 1
    for before in np.flatnonzero(lengths[last - len(lengths) // 2 : last] == lengths[last])[::-1][:_CANDIDATES]:
        period = len(lengths) // 2 - int(before)
        if np.array_equal(lengths[-period:], lengths[-2 * period : -period]):
            return period
    return 0


def _predict(raw: npt.NDArray[np.uint8], position: int, pattern: Int64s) -> tuple[Int64s, Int64s, int]:
    """Whole records from `position` on, for as long as their lengths repeat `pattern`."""
    sizes = pattern + FRAME
    checksums = length_checksums(pattern)
    turn = int(sizes.sum())
    found_starts: list[Int64s] = []
    found_lengths: list[Int64s] = []
    block = _FIRST_BLOCK
    while True:
        turns = min(max(1, block // len(pattern)), (len(raw) - position) // turn)
        if not turns:
            break
        ends = position + np.cumsum(np.tile(sizes, turns))
        lengths = np.tile(pattern, turns)
        starts = ends - lengths - FRAME
        true_lengths, true_checksums = _headers(raw, starts)
        wrong = np.flatnonzero(
            (true_lengths != lengths.view(np.uint64)) | (true_checksums != np.tile(checksums, turns))
        )
        count = int(wrong[0]) if len(wrong) else len(starts)
        found_starts.append(starts[:count])
        found_lengths.append(lengths[:count])
        if count < len(starts):
            position = int(starts[count])
            break
        position = int(ends[-1])
        block = min(2 * block, _LARGEST_BLOCK)
    if not found_starts:
        return np.empty(0, np.int64), np.empty(0, np.int64), position
    return np.concatenate(found_starts), np.concatenate(found_lengths), position
