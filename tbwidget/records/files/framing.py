"""Where the records of a piece of an event file begin and end.

A record can only be found by the length of the one before, so the general way is a loop over all of them. But training
loops repeat themselves: the lengths of their records come in a period. So a few records are followed one by one to find
the period of their lengths. While it holds, whole blocks of headers are checked at once.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from tbwidget.records import limits
from tbwidget.records.files.checksums import length_checksums, masked_checksum

HEADER = 12  # u64 length, u32 masked CRC of it
FOOTER = 4  # u32 masked CRC of the data
FRAME = HEADER + FOOTER

Int64s = npt.NDArray[np.int64]
Buffer = bytes | memoryview


_length_at = struct.Struct("<Q").unpack_from
_header_at = struct.Struct("<QI").unpack_from


class Repeat(NamedTuple):
    """Records whose lengths come in a period."""

    begin: int
    """Index of the first."""
    end: int
    """Behind the last."""


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
    repeats: Sequence[Repeat] = ()
    """The longer stretches of records whose lengths repeat, in order."""

    def part(self, first: int, end: int) -> Frames:
        """Some of the records, which follow each other."""
        behind = self.end if end == len(self.starts) else int(self.starts[end])
        return Frames(self.starts[first:end], self.lengths[first:end], behind, damaged=False)


_Item = TypeVar("_Item", np.uint8, np.bool_)


def windows(row: npt.NDArray[_Item], size: int) -> npt.NDArray[_Item]:
    """All pieces of `size` bytes of a contiguous row of n: a view [n - size + 1, size]; numpy's own takes 15 us."""
    return np.ndarray((len(row) - size + 1, size), row.dtype, row.data, 0, (1, 1))


def frame(data: Buffer, start: int = 0) -> Frames:
    """Find the records of `data` from `start` on, up to the first that is not whole or whose length is damaged."""
    if len(data) - start <= limits.SMALL_WINDOW:
        return _frame_small(data, start)
    raw = np.frombuffer(data, np.uint8)
    found_starts: list[Int64s] = []
    found_lengths: list[Int64s] = []
    repeats: list[Repeat] = []
    count, position, ahead, damaged = 0, start, limits.MIN_FOLLOWED_RECORDS, False
    recent = np.empty(0, np.int64)
    while True:
        starts, lengths, after = _follow(data, position, ahead)
        good = _verified(raw, starts, lengths)
        found_starts.append(starts[:good])
        found_lengths.append(lengths[:good])
        count += good
        position = after if good == len(starts) else int(starts[good])
        if good < ahead:
            header = bytes(data[position : position + HEADER])
            damaged = len(header) == HEADER and not header_is_valid(header)
            break
        recent = np.concatenate((recent, lengths))[-limits.MAX_FOLLOWED_RECORDS :]
        period = period_of(recent)
        if not period:
            ahead = min(2 * ahead, limits.MAX_FOLLOWED_RECORDS)
            continue
        starts, lengths, position = _predict(raw, position, recent[-period:])
        found_starts.append(starts)
        found_lengths.append(lengths)
        other = np.flatnonzero(recent[:-period] != recent[period:])
        before = len(recent) - (int(other[-1]) + 1 if len(other) else 0)
        repeats.append(Repeat(max(count - before, repeats[-1].end if repeats else 0), count + len(starts)))
        count += len(starts)
        if len(starts) < limits.MIN_REPEAT_RECORDS:
            ahead = min(2 * ahead, limits.MAX_FOLLOWED_RECORDS)
            recent = np.concatenate((recent, lengths))[-limits.MAX_FOLLOWED_RECORDS :]
        else:
            ahead, recent = limits.MIN_FOLLOWED_RECORDS, recent[:0]
    return Frames(np.concatenate(found_starts), np.concatenate(found_lengths), position, damaged, repeats)


def _frame_small(data: Buffer, position: int) -> Frames:
    starts: list[int] = []
    lengths: list[int] = []
    damaged = False
    while position + HEADER <= len(data):
        length, checksum = _header_at(data, position)
        damaged = masked_checksum(bytes(data[position : position + 8])) != checksum
        if damaged or position + FRAME + length > len(data):
            break
        starts.append(position)
        lengths.append(length)
        position += FRAME + length
    return Frames(np.array(starts, np.int64), np.array(lengths, np.int64), position, damaged)


def header_is_valid(header: bytes) -> bool:
    """Whether the length checksum holds."""
    return masked_checksum(header[:8]) == int.from_bytes(header[8:HEADER], "little")


def _follow(data: Buffer, position: int, count: int) -> tuple[Int64s, Int64s, int]:
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
    headers = windows(raw, HEADER)[starts]
    return headers[:, :8].copy().view("<u8")[:, 0], headers[:, 8:].copy().view("<u4")[:, 0]


def _verified(raw: npt.NDArray[np.uint8], starts: Int64s, lengths: Int64s) -> int:
    """How many of the records have valid length checksums, up to the first that has not."""
    if not len(starts):
        return 0
    wrong = np.flatnonzero(_headers(raw, starts)[1] != length_checksums(lengths))
    return int(wrong[0]) if len(wrong) else len(starts)


def period_of(numbers: Int64s) -> int:
    """The period in which the last of these numbers come, seen at least twice; 0 if there is none.

    It is the period that predicts most of them; ties go to the shortest. A few equal numbers at the end are no period
    of one where a longer period explains all.
    """
    # How far the numbers are alike from each place on, read backwards (the Z-function).
    back = numbers[::-1].tolist()
    count, left, right, best, most = len(back), 0, 0, 0, 0
    alike = [0] * (count // 2 + 1)
    for period in range(1, len(alike)):
        same = min(right - period, alike[period - left]) if period < right else 0
        while period + same < count and back[same] == back[period + same]:
            same += 1
        alike[period] = same
        if period + same > right:
            left, right = period, period + same
        if same >= period and period + same > most:
            best, most = period, period + same
            if most == count:
                break
    return best


def _predict(raw: npt.NDArray[np.uint8], position: int, pattern: Int64s) -> tuple[Int64s, Int64s, int]:
    """Whole records from `position` on, for as long as their lengths repeat `pattern`."""
    few = len(pattern) <= limits.MAX_HEADERS_COMPARED_EACH
    lengths = (
        pattern if few else np.tile(pattern, max(1, limits.MIN_COMPARED_ROW_BYTES // int((pattern + FRAME).sum())))
    )
    ends = np.cumsum(lengths + FRAME)
    starts, row = ends - lengths - FRAME, int(ends[-1])
    checksums = length_checksums(lengths)
    headers = np.empty((len(lengths), HEADER), np.uint8)
    headers[:, :8] = lengths.astype("<i8").view(np.uint8).reshape(-1, 8)
    headers[:, 8:] = checksums.astype("<u4").view(np.uint8).reshape(-1, 4)
    count, block, whole = 0, limits.FIRST_PREDICTED_BYTES, True
    while whole:
        begin = position + count * row
        fresh = min(max(1, block // row), (len(raw) - begin) // row)
        if not fresh:
            break
        rows = raw[begin : begin + fresh * row].reshape(fresh, row)
        good = _agreeing(rows, starts, headers) if few else _agreeing_bytes(rows, starts, headers)
        count, whole = count + good, good == fresh
        block = 4 * block if few else min(2 * block, limits.MAX_PREDICTED_BYTES)
    found = (position + np.arange(count + 1)[:, None] * row + starts).ravel()
    all_lengths = np.tile(lengths, count + 1)
    # Keep the records of the last row that lie whole in the bytes and have the expected headers.
    last = found[count * len(lengths) :]
    last = last[: np.searchsorted(last + lengths + FRAME, len(raw), side="right")]
    true_lengths, true_checksums = _headers(raw, last)
    wrong = np.flatnonzero(
        (true_lengths != lengths[: len(last)].view(np.uint64)) | (true_checksums != checksums[: len(last)])
    )
    good = count * len(lengths) + (int(wrong[0]) if len(wrong) else len(last))
    after = int(found[good - 1] + all_lengths[good - 1]) + FRAME if good else position
    return found[:good], all_lengths[:good], after


def _agreeing(rows: npt.NDArray[np.uint8], starts: Int64s, headers: npt.NDArray[np.uint8]) -> int:
    """How many rows there are before the first that has other headers than these, at these places."""
    places = np.arange(len(rows))[:, None] * rows.shape[1] + starts
    found = windows(rows.reshape(-1), HEADER)[places.ravel()]
    if found.tobytes() == headers.tobytes() * len(rows):
        return len(rows)
    return int((found.reshape(len(rows), -1) != headers.ravel()).any(axis=1).argmax())


def _agreeing_bytes(rows: npt.NDArray[np.uint8], starts: Int64s, headers: npt.NDArray[np.uint8]) -> int:
    """The same of many headers a row: all bytes are compared, which is quicker than to look at each header."""
    places = (starts[:, None] + np.arange(HEADER)).ravel()
    expected = np.zeros(rows.shape[1], np.uint8)
    expected[places] = headers.ravel()
    if not np.logical_or.reduce(rows != expected, axis=0)[places].any():
        return len(rows)
    return int((rows[:, places] != headers.ravel()).any(axis=1).argmax())
