"""One file of records, read from where the last reading ended, whatever has become of it meanwhile.

Nothing is kept open between readings. The result of a reading depends only on the bytes on the disk: a file that was
cut, replaced or rewritten is read from its start again, and a damaged place at its end is searched again each time.
"""

from __future__ import annotations

import threading
import time
import zlib
from array import array
from collections.abc import Generator
from contextlib import closing
from typing import NamedTuple, Self

import numpy as np

from tbwidget.reasons import Reason
from tbwidget.records import limits
from tbwidget.records.columnar.layouts import LayoutTable
from tbwidget.records.decode import Decoder, Window
from tbwidget.records.files.framing import FOOTER, FRAME, HEADER, Buffer, Frames, frame, header_is_valid
from tbwidget.records.files.storage import OpenFile, Range, Status, Storage
from tbwidget.records.large import LARGE, LargeRecord
from tbwidget.records.resync import UNBELIEVABLE, ChecksumBudget, Search


class Fingerprint:
    """Parts of a file, in the order of the file, and the CRC of all of them."""

    def __init__(self) -> None:
        self._bounds = array("q")  # where each part begins and ends
        self._crc = 0

    @property
    def state(self) -> tuple[list[int], int]:
        """Where each part begins and ends, and the CRC: `restored` makes an equal one."""
        return self._bounds.tolist(), self._crc

    @classmethod
    def restored(cls, bounds: list[int], crc: int) -> Self:
        """Return one with the state of another."""
        made = cls()
        made._bounds, made._crc = array("q", bounds), crc
        return made

    def add(self, begin: int, data: Buffer) -> None:
        """Add bytes that were read from `begin` on, behind those added before."""
        if self._bounds and self._bounds[-1] == begin:
            self._bounds[-1] += len(data)
        else:
            self._bounds.extend((begin, begin + len(data)))
        self._crc = zlib.crc32(data, self._crc)

    def matches(self, file: OpenFile) -> bool:
        """Whether all of these bytes are what they were; reads them again."""
        crc, bounds = 0, iter(self._bounds)
        for begin, end in zip(bounds, bounds, strict=True):
            for offset in range(begin, end, limits.FINGERPRINT_CHUNK):
                crc = zlib.crc32(file.read_at(offset, min(limits.FINGERPRINT_CHUNK, end - offset)), crc)
        return crc == self._crc


_buffers = threading.local()


# Part of a record that is damaged. A record that ends beyond the file has the same cause as one whose data differ:
# which of them it is changes while the file grows, and the problem must not depend on when the file was read.
_HEADER, _LENGTH, _DATA = "header", "length", "data"


class Damage(NamedTuple):
    """A place where no valid record is."""

    offset: int
    reason: Reason


class Checkpoint(NamedTuple):
    """How far a file was read: what another process needs to read on from there."""

    status: Status
    """Status of the file when it was read."""
    offset: int
    last: list[tuple[int, bytes]]
    """Header and footer of the last record, each with its offset."""
    large_end: int
    damage: list[Damage]
    more_damage: int
    suspect_ends: list[int]
    skipped_headers: list[tuple[int, bytes]]
    is_grown: bool
    """It grew, and its earlier bytes were not compared since."""
    fingerprint: tuple[list[int], int] | None
    is_settled: bool = True
    """Its status shows each change since it was read."""


class Restart:
    """The file was replaced by another one, which is read from its start: everything read before is invalid."""


_Reading = Generator[Window, None, int]
"""Yields windows; returns the size of the next one, or 0 when it cannot go on."""


class _Interrupted(NamedTuple):
    """A search that goes on with the next reading, if the file stays as it is; and what to do when it has ended."""

    search: Search
    cause: str
    is_torn: bool
    """If the search finds nothing, the file ends within a record, which is no damage."""
    suspect_end: int | None
    """Where the invalid record at the offset ends, if another may come to stand right behind it."""


class RecordFile:
    """Reads one file, again and again."""

    def __init__(self, storage: Storage, path: str, table: LayoutTable) -> None:
        self._storage = storage
        self.path = path
        self.offset = 0
        """Where the first byte lies that is not read yet."""
        self.size = 0
        """Bytes in the file at the last reading."""
        self.damage: list[Damage] = []
        """Places passed over, with a valid record behind each."""
        self.more_damage = 0
        """Further such places, beyond those kept."""
        self.tail: Damage | None = None
        """Damage at the end, which may still turn out otherwise."""
        self.finished = False
        """The last reading left nothing to read for now."""
        self._table = table
        self._decoding: Decoder | None = None
        self._window = limits.WINDOW
        self._searched = 0  # no valid record begins between offset and here
        self._interrupted: _Interrupted | None = None
        self._last: list[tuple[int, bytes]] = []  # header and footer of the last record taken, each with its offset
        self._large_end = 0  # where the last large record ends, or the file begins
        self._suspect_ends: list[int] = []  # ends of invalid large records at the file end, into which reading went
        self._skipped_headers: list[tuple[int, bytes]] = []  # of the last damaged places
        self._checksums = ChecksumBudget(0)  # of the file as it is at its status
        self._status: Status | None = None
        self._settled = False
        self._modified_in_place = False  # changed without changing its size, and not read from its start again since
        self._grown = False  # and its earlier bytes were not compared since
        self._prefix: Fingerprint | None = None  # of the bytes read; None: the file was idle, so they were not kept

    @property
    def _decoder(self) -> Decoder:
        """Made when something is read: nothing is of most files whose data another process has read."""
        if self._decoding is None:
            self._decoding = Decoder(self._table)
        return self._decoding

    @property
    def torn(self) -> bool:
        """The file ends within a record: it is still being written, or it was cut off."""
        return self.tail is None and self.offset < self.size

    @property
    def needs_verification(self) -> bool:
        """It was changed since it was read or compared as a whole, and perhaps not only by appending."""
        return self._modified_in_place or self._grown

    @property
    def modified(self) -> float:
        """When the file was modified last, as of the last reading; seconds since the epoch."""
        return self._status.modified_ns / 1e9 if self._status else 0.0

    def checkpoint(self) -> Checkpoint | None:
        """How far the file was read; None where it ends in damage, or may have changed other than by appending."""
        if self._status is None or not self.finished or self.tail or self._interrupted or self._modified_in_place:
            return None
        return Checkpoint(
            self._status,
            self.offset,
            list(self._last),
            self._large_end,
            list(self.damage),
            self.more_damage,
            list(self._suspect_ends),
            list(self._skipped_headers),
            self._grown,
            self._prefix.state if self._prefix else None,
            self._settled,
        )

    def restore(self, checkpoint: Checkpoint) -> None:
        """Go on where another process has stopped. A file that ends within a record is searched again from there."""
        self._status, self._settled, self.size = checkpoint.status, checkpoint.is_settled, checkpoint.status.size
        self.offset, self._last, self._large_end = checkpoint.offset, checkpoint.last, checkpoint.large_end
        self.damage, self.more_damage = checkpoint.damage, checkpoint.more_damage
        self._suspect_ends, self._skipped_headers = checkpoint.suspect_ends, checkpoint.skipped_headers
        self._grown = checkpoint.is_grown
        self._prefix = Fingerprint.restored(*checkpoint.fingerprint) if checkpoint.fingerprint else None
        self._checksums, self._searched = ChecksumBudget(self.size), 0
        self.finished = self.offset == self.size

    def unchanged(self, status: Status) -> bool:
        """Whether there is nothing to read, as its present status alone shows."""
        return self.finished and self._settled and self._status == status

    def ranges(self, size: int) -> list[Range]:
        """The bytes that the next reading begins with, in a file of `size` bytes."""
        begin = self._last[0][0] if self._last else self.offset
        compared = [*(offset for offset, _ in self._skipped_headers), *self._suspect_ends]
        return [
            Range(self.path, begin, min(size, self.offset + self._window)),
            *(Range(self.path, offset, min(size, offset + HEADER)) for offset in compared),
        ]

    def read(self, *, force: bool = False) -> Generator[Window | Restart]:
        """Read some new bytes; all are read when it is `finished`. Raises OSError; earlier windows stay valid.

        The file is opened each time: nothing is left open, and what happens to it in between is noticed. A change in
        the middle of it is noticed by comparing all bytes with those read before, or by reading them again: `force`
        does so where `needs_verification`.
        """
        self.finished = False
        with closing(self._storage.open(self.path, fetched=True)) as file:
            if not self._recognize(file, force=force):
                yield Restart()
            window = (yield from self._read_windows(file)) if self.offset < self.size else 0
        self._window = window or limits.WINDOW
        self.finished = not window or self.offset >= self.size

    def _recognize(self, file: OpenFile, *, force: bool) -> bool:
        """Note the file's state; False if the bytes that were read are gone."""
        before, status = self._status, file.status()
        self._suspect_ends = [end for end in self._suspect_ends if end + HEADER > self.size]
        is_recent = time.time() - status.modified_ns / 1e9 < limits.IDLE_S
        if before is None and is_recent and self._storage.verifies_growth:
            self._prefix = Fingerprint()
        self._modified_in_place |= before is not None and status[:2] == before[:2] and status != before
        self._grown |= self._storage.verifies_growth and before is not None and status.size > self.size
        restarts = before is not None and (
            before.identity != status.identity
            or status.size < self.offset
            # A hole before the last record may be filled later.
            or any(file.read_at(offset, len(data)) != data for offset, data in (*self._last, *self._skipped_headers))
            # A record that stands right behind an invalid one makes that one count as a record: see `_read_large`.
            or any(_begins_record(file.read_at(end, HEADER)) for end in self._suspect_ends)
            or (force and not self._is_unchanged(file))
        )
        if restarts:
            self.offset = self._searched = self.more_damage = self._large_end = 0
            self._modified_in_place = self._grown = False
            self._prefix = Fingerprint() if self._storage.verifies_growth else None
            self.damage.clear()
            self._skipped_headers.clear()
            self._suspect_ends.clear()
            self._last.clear()
            self._interrupted = None
            self._decoding = None
        if status.size < self.size:
            self._searched = 0
        if status != before:
            self._checksums, self._interrupted = ChecksumBudget(status.size), None
        self.size = status.size
        self.tail = None
        self._status = status
        settle_ns = self._storage.settle_ns
        self._settled = not settle_ns or time.time_ns() - status.modified_ns > settle_ns
        return not restarts

    def _is_unchanged(self, file: OpenFile) -> bool:
        """Whether all bytes that were read are still in place, as far as comparing them can tell."""
        if self._modified_in_place:
            return False
        if self._grown and self.offset and (self._prefix is None or not self._prefix.matches(file)):
            return False
        self._grown = False
        return True

    def _remember(self, begin: int, data: Buffer) -> None:
        if self._prefix is not None:
            self._prefix.add(begin, data)

    def _read_windows(self, file: OpenFile) -> _Reading:
        """Read one window, or several small ones: such are read between large records."""
        if self._interrupted:
            return self._search_on(file, self._interrupted)
        for _ in range(limits.MAX_LARGE_RECORDS_IN_A_ROW):
            self._window = yield from self._read_window(file)
            if self._window in (0, limits.WINDOW_AFTER_DAMAGE, limits.WINDOW) or self.offset >= self.size:
                break
        return self._window

    def _read_window(self, file: OpenFile) -> _Reading:
        """Read one window from the offset on, up to the first damaged or large record."""
        wanted = min(self._window, self.size - self.offset)
        data = _read_window(file, self.offset, wanted)
        if len(data) < wanted:  # cut while it is read
            self.size = self.offset + len(data)
        frames = frame(data)
        if len(data) > LARGE:
            frames = _small(frames)
        decoded = 0
        for window in self._decoder.decode(data, frames, self.offset) if len(frames.starts) else ():
            decoded += window.batch.records
            yield window
        if decoded:
            start, length = int(frames.starts[decoded - 1]), int(frames.lengths[decoded - 1])
            end = start + FRAME + length
            self._last = [
                (self.offset + start, bytes(data[start : start + HEADER])),
                (self.offset + end - FOOTER, bytes(data[end - FOOTER : end])),
            ]
            self._remember(self.offset, data[:end])
            self.offset += end
            self._searched = 0
        if decoded < len(frames.starts):
            return self._pass_over(file, _DATA)
        if frames.damaged:
            return self._pass_over(file, _HEADER)
        if decoded and len(data) - frames.end < HEADER:
            return min(2 * self._window, limits.WINDOW)
        rest = bytes(data[frames.end : frames.end + limits.READ_BEHIND_LARGE])
        if decoded and not self._is_large(rest):
            return min(2 * self._window, limits.WINDOW)
        return (yield from self._read_long(file, rest))

    def _read_long(self, file: OpenFile, data: bytes) -> _Reading:
        """Go on at a record that does not end in the window, if its header is complete and valid."""
        if len(data) < HEADER:
            return 0
        length = int.from_bytes(data[:8], "little")
        if length >= UNBELIEVABLE:
            return self._pass_over(file, _LENGTH)
        if self.offset + FRAME + length > self.size:
            return self._pass_over(file, _DATA, is_torn=True)
        return FRAME + length if length <= LARGE else (yield from self._read_large(file, data))

    def _is_large(self, data: bytes) -> bool:
        """Whether a large record begins here, at the offset, and lies whole in the file."""
        length = int.from_bytes(data[:8], "little")
        return LARGE < length <= self.size - self.offset - FRAME and _begins_record(data)

    def _read_large(self, file: OpenFile, data: bytes) -> _Reading:
        """Read a large record, and those that follow it, without their long parts.

        The bytes behind it tell whether it is a record: its writer may have been killed within it, and another may have
        written on. So where no record follows, its data checksum decides.
        """
        # Records between two large ones often come again, so read about as much behind this one.
        size = min(
            max(self.offset - self._large_end + limits.LARGE_RECORD_BEGIN, limits.READ_BEHIND_LARGE), limits.WINDOW
        )
        for _ in range(limits.MAX_LARGE_RECORDS_IN_A_ROW):
            length = int.from_bytes(data[:8], "little")
            end = self.offset + FRAME + length
            record = LargeRecord(file, self.offset, length, data, self._checksums.is_valid)
            behind = file.read_at(end - FOOTER, FOOTER + limits.READ_BEHIND_LARGE)
            footer, following = behind[:FOOTER], behind[FOOTER:]
            alone = not _begins_record(following)
            window = None if alone and not record.is_valid() else self._decoder.decode_large(record)
            if window is None:
                suspect_end = end if alone and len(following) < HEADER else None
                return self._pass_over(file, _DATA, suspect_end=suspect_end)
            self._last = [(self.offset, data[:HEADER]), (end - FOOTER, footer)]
            for part in self._last:
                self._remember(*part)
            self.offset = self._large_end = end
            self._searched = 0
            yield window
            data = following
            if not self._is_large(data):
                break
        return size

    def _pass_over(self, file: OpenFile, cause: str, *, is_torn: bool = False, suspect_end: int | None = None) -> int:
        """Go on at the first valid record behind the damage, wherever that is.

        Also within a record whose length checksum holds: it may have been cut, and others written right behind.
        """
        # A file that grows slowly is not searched from the offset on each time.
        start = self._searched if self._searched - self.offset > limits.SEARCHED_AGAIN else self.offset + 1
        search = Search(start, self.size, self._checksums.is_valid)
        return self._search_on(file, _Interrupted(search, cause, is_torn, suspect_end))

    def _search_on(self, file: OpenFile, interrupted: _Interrupted) -> int:
        """Search the next bytes: it may be very many that there are, and others wait for the end of this reading."""
        search, cause, is_torn, suspect_end = interrupted
        self._interrupted = None
        search.search(file)
        self._searched = search.searched
        if search.found is not None:
            resumed = self._resume(file, search.found, cause)
            if suspect_end is not None:
                self._suspect_ends.append(suspect_end)
            return resumed
        if not search.ended:
            self._interrupted = interrupted
            return limits.WINDOW_AFTER_DAMAGE
        if not is_torn:
            self.tail = _damage(self.offset, self.size, cause)
        return 0

    def _resume(self, file: OpenFile, found: int, cause: str) -> int:
        size = found - self.offset
        length = max(HEADER, min(size, limits.MAX_DAMAGE_REMEMBERED_BYTES))
        passed = file.read_at(self.offset, length)  # first, since it may fail
        if len(self.damage) < limits.MAX_DAMAGE_LISTED:
            self.damage.append(_damage(self.offset, found, cause))
        else:
            self.more_damage += 1
        self._remember(self.offset, passed[:size])
        self._skipped_headers = [*self._skipped_headers[1 - limits.DAMAGE_COMPARED :], (self.offset, passed[:HEADER])]
        self.offset, self._searched = found, 0
        return limits.WINDOW_AFTER_DAMAGE


def _read_window(file: OpenFile, offset: int, size: int) -> memoryview:
    """Up to a window of bytes from `offset` on, valid until the same thread reads again.

    Fresh memory for each window would cost more than to read it.
    """
    buffer: memoryview | None = getattr(_buffers, "window", None)
    if buffer is None:
        buffer = _buffers.window = memoryview(bytearray(limits.WINDOW))
        _keep_freed_memory()
    return buffer[: file.read_into(offset, buffer[:size])].toreadonly()


def _keep_freed_memory() -> None:
    """Make glibc's malloc keep freed memory for the next window's arrays.

    Else it returns it to the system each time, and touching it again costs a page fault every 4 kB: a fifth of the
    time to read a million numbers. Its thresholds follow the largest block freed so far, up to 32 MB: see mallopt(3).
    So the process may keep up to twice as much that is free.
    """
    np.empty(limits.FREED_MEMORY_KEPT, np.uint8)


def _small(frames: Frames) -> Frames:
    """The records before the first large one."""
    large = np.flatnonzero(frames.lengths > LARGE)
    return frames.part(0, int(large[0])) if len(large) else frames


def _begins_record(data: bytes) -> bool:
    """Whether a header stands here that is valid."""
    return len(data) >= HEADER and int.from_bytes(data[:8], "little") < UNBELIEVABLE and header_is_valid(data)


def _damage(offset: int, end: int, cause: str) -> Damage:
    return Damage(offset, Reason("damaged-record", bytes=end - offset, cause=cause))
