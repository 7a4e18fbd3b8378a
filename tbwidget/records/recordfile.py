"""One file of records, read from where the last reading ended, whatever has become of it meanwhile.

Nothing is kept open between readings. What a reading leaves behind is a function of what is on the disk: a file that
was cut, replaced or written anew is read from its start again, and a damaged place at its end is judged anew each
time.
"""

from __future__ import annotations

import os
import stat
import threading
import time
from typing import NamedTuple, Protocol

import numpy as np

from tbwidget.records.checksums import masked_checksum
from tbwidget.records.extents import Extents
from tbwidget.records.framing import FOOTER, FRAME, HEADER, Frames, frame
from tbwidget.records.large import LARGE, LargeRecord
from tbwidget.records.resync import UNBELIEVABLE, find_record, read_at

_WINDOW = 1 << 22  # bytes read at once: half or twice as much is slower, see `make bench`
_ALMOST_32_MB = 31 << 20
_AFTER_DAMAGE = 1 << 16
_HEAD = 1 << 12  # bytes read behind a large record: another one may follow
_BEGIN = 1 << 9  # bytes that tell of most large records what they hold
_MOST_LARGE = 16  # large records taken in a row, and windows read between such in one reading
_SEARCHED_AGAIN = 1 << 18  # bytes behind the offset that are searched anew each time, whatever was found before
_MOST_DAMAGE = 1000  # damaged places kept of one file; more are counted
_REMEMBERED = 16  # last damaged places that are looked at again
_SETTLED = 50_000_000  # ns; a change in the same tick of the file system's clock leaves no other trace


_FLAGS = sum(getattr(os, name, 0) for name in ("O_CLOEXEC", "O_NONBLOCK", "O_NOCTTY", "O_BINARY"))  # where they exist


_buffers = threading.local()


class Damage(NamedTuple):
    """A place where no true record is."""

    offset: int
    message: str


class Sink(Protocol):
    """Who takes the records."""

    def restart(self) -> None:
        """Forget all: the file is another one, and is read from its start."""

    def take(self, data: memoryview, frames: Frames, base: int) -> int:
        """Take the records framed in `data`, which begins at `base` in the file, and holds other bytes soon after.

        Returns how many were taken: all of them, or those before the first with a damaged data checksum.
        """

    def take_large(self, record: LargeRecord) -> bool:
        """Take a large record, whose data checksum was not looked at unless damage follows.

        False if it was looked at now and does not hold; then nothing was taken.
        """


class _Last(NamedTuple):
    """The last record taken, by which a file is recognised."""

    offset: int
    header: bytes
    footer_offset: int
    footer: bytes


class NotAFileError(OSError):
    """The path is no regular file; opening it might hang."""


def open_regular(path: str) -> int:
    """Open a regular file for reading; a FIFO or a device is never opened, let alone waited for."""
    if not stat.S_ISREG(os.stat(path).st_mode):  # noqa: PTH116 (a growing file is opened ten times a second)
        message = "not a regular file, so it is not opened"
        raise NotAFileError(message)
    descriptor = os.open(path, os.O_RDONLY | _FLAGS)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):  # exchanged in between
        os.close(descriptor)
        message = "not a regular file, so it is not read"
        raise NotAFileError(message)
    return descriptor


class RecordFile:
    """Reads one file into a sink, again and again."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.offset = 0
        """Where the first byte lies that is not read yet."""
        self.size = 0
        """Bytes in the file at the last reading."""
        self.damage: list[Damage] = []
        """Places passed over, with a true record behind each."""
        self.more_damage = 0
        """Further such places, beyond those kept."""
        self.tail: Damage | None = None
        """Damage at the end, which may still turn out otherwise."""
        self._window = _WINDOW
        self._searched = 0  # no true record begins between offset and here
        self._last: _Last | None = None
        self._large_end = 0  # where the last large record ends, or the file begins
        self._doubted: list[int] = []  # ends of untrue large records at the end of the file, which reading went into
        self._passed: list[tuple[int, bytes]] = []  # last damaged places and the headers that stood there
        self._extents = Extents()  # of the file as it is at its status
        self._status: tuple[int, ...] = ()
        self._settled = False
        self.touched = False
        """Something was done to it without changing its size, and it was not read from its start again since."""
        self._finished = False  # the last reading left nothing for a next window

    @property
    def torn(self) -> bool:
        """The file ends within a record: it is still being written, or it was cut off."""
        return self.tail is None and self.offset < self.size

    @property
    def modified(self) -> float:
        """When the file was modified last, as of the last reading; seconds since the epoch."""
        return self._status[3] / 1e9 if self._status else 0.0

    def unchanged(self, status: os.stat_result) -> bool:
        """Whether there is nothing to read, judged by a fresh `stat` alone."""
        return self._finished and self._settled and self._status == _signature(status)

    def read(self, sink: Sink, *, anew: bool = False) -> bool:
        """Read a window of what is new; True when there is more. Raises OSError; what was read stays valid.

        The file is opened each time: nothing is left open, and what happens to it in between is noticed. A change in
        the midst of it is told from a late time of change only by reading all again: `anew` does so where it was
        `touched`.
        """
        self._finished = False
        descriptor = open_regular(self.path)
        try:
            self._recognise(descriptor, sink, anew=anew)
            window = self._read_windows(descriptor, sink) if self.offset < self.size else 0
        finally:
            os.close(descriptor)
        self._window = window or _WINDOW
        self._finished = not window or self.offset >= self.size
        return not self._finished

    def _recognise(self, descriptor: int, sink: Sink, *, anew: bool) -> None:
        status = os.fstat(descriptor)
        self._doubted = [end for end in self._doubted if end + HEADER > self.size]
        signature = _signature(status)
        self.touched |= self._was_touched(signature)
        other = self._status[:2] != signature[:2] or status.st_size < self.offset or (anew and self.touched)
        if self._status and (other or not self._last_stands(descriptor) or self._doubt_was_wrong(descriptor)):
            self.offset = self._searched = self.more_damage = self._large_end = 0
            self.touched = False
            self.damage.clear()
            self._passed.clear()
            self._doubted.clear()
            self._last = None
            sink.restart()
        if status.st_size < self.size:
            self._searched = 0
        if signature != self._status:
            self._extents = Extents()
        self.size = status.st_size
        self.tail = None
        self._status = signature
        self._settled = time.time_ns() - status.st_mtime_ns > _SETTLED

    def _was_touched(self, signature: tuple[int, ...]) -> bool:
        return bool(self._status) and signature[:3] == self._status[:3] and signature != self._status

    def _last_stands(self, descriptor: int) -> bool:
        """Whether the last record taken is still there, and the damage before it: a hole may be filled later."""
        last = self._last
        return (
            last is None
            or (
                read_at(descriptor, last.offset, HEADER) == last.header
                and read_at(descriptor, last.footer_offset, len(last.footer)) == last.footer
            )
        ) and all(read_at(descriptor, offset, HEADER) == header for offset, header in self._passed)

    def _doubt_was_wrong(self, descriptor: int) -> bool:
        """Whether a record has come to stand right behind an untrue one, which therefore counts as one: see below."""
        return any(_begins_record(read_at(descriptor, end, HEADER)) for end in self._doubted)

    def _read_windows(self, descriptor: int, sink: Sink) -> int:
        """Read one window, or several small ones: such are read between large records."""
        for _ in range(_MOST_LARGE):
            self._window = self._read_window(descriptor, sink)
            if self._window in (0, _AFTER_DAMAGE, _WINDOW) or self.offset >= self.size:
                break
        return self._window

    def _read_window(self, descriptor: int, sink: Sink) -> int:
        """Read one window from the offset on; the size of the next one, or 0 when there is no going on."""
        wanted = min(self._window, self.size - self.offset)
        data = _read_window(descriptor, self.offset, wanted)
        if len(data) < wanted:  # cut while it is read
            self.size = self.offset + len(data)
        frames = frame(data)
        if len(data) > LARGE:
            frames = _small(frames)
        taken = sink.take(data, frames, self.offset) if len(frames.starts) else 0
        if taken:
            start, length = int(frames.starts[taken - 1]), int(frames.lengths[taken - 1])
            end = start + FRAME + length
            self._last = _Last(
                self.offset + start,
                bytes(data[start : start + HEADER]),
                self.offset + end - FOOTER,
                bytes(data[end - FOOTER : end]),
            )
            self.offset += end
            self._searched = 0
        if taken < len(frames.starts):
            return self._pass_over(descriptor, _changed(int(frames.lengths[taken])))
        if frames.damaged:
            return self._pass_over(descriptor, "the length checksum does not hold")
        if taken and len(data) - frames.end < HEADER:
            return min(2 * self._window, _WINDOW)
        rest = bytes(data[frames.end : frames.end + _HEAD])
        if taken and not self._is_large(rest):
            return min(2 * self._window, _WINDOW)
        return self._read_long(descriptor, sink, rest)

    def _read_long(self, descriptor: int, sink: Sink, data: bytes) -> int:
        """Go on at a record that does not end in the window, if its header is there and true."""
        if len(data) < HEADER:
            return 0
        length = int.from_bytes(data[:8], "little")
        if length >= UNBELIEVABLE:
            return self._pass_over(descriptor, f"a record of {length} bytes is not believable")
        if self.offset + FRAME + length > self.size:
            found = self._search(descriptor)
            return 0 if found is None else self._resume(descriptor, found, _changed(length))
        return FRAME + length if length <= LARGE else self._read_large(descriptor, sink, data)

    def _is_large(self, data: bytes) -> bool:
        """Whether a large record begins here, at the offset, and lies whole in the file."""
        length = int.from_bytes(data[:8], "little")
        return LARGE < length <= self.size - self.offset - FRAME and _begins_record(data)

    def _read_large(self, descriptor: int, sink: Sink, data: bytes) -> int:
        """Take a large record, and those that follow it, without reading their data.

        What follows tells whether there is such a record at all: its writer may have been killed within it, and
        another have written on. So where no record follows, its data checksum decides.
        """
        # What lay between the last two of them may well lie behind this one, too.
        window = min(max(self.offset - self._large_end + _BEGIN, _HEAD), _WINDOW)
        for _ in range(_MOST_LARGE):
            length = int.from_bytes(data[:8], "little")
            end = self.offset + FRAME + length
            record = LargeRecord(descriptor, self.offset, length, data, self._extents.is_true)
            behind = read_at(descriptor, end - FOOTER, FOOTER + _HEAD)
            footer, following = behind[:FOOTER], behind[FOOTER:]
            alone = not _begins_record(following)
            if (alone and not record.is_true()) or not sink.take_large(record):
                resumed = self._pass_over(descriptor, _changed(length))
                if resumed and alone and len(following) < HEADER:
                    self._doubted.append(end)
                return resumed
            self._last = _Last(self.offset, data[:HEADER], end - FOOTER, footer)
            self.offset = self._large_end = end
            self._searched = 0
            data = following
            if not self._is_large(data):
                break
        return window

    def _pass_over(self, descriptor: int, cause: str) -> int:
        """Go on at the first true record behind the damage, wherever that is.

        Also within a record whose length checksum holds: it may have been cut, and others written right behind.
        """
        found = self._search(descriptor)
        if found is None:
            self.tail = _damage(self.offset, self.size, cause)
            return 0
        return self._resume(descriptor, found, cause)

    def _search(self, descriptor: int) -> int | None:
        """The next true record behind the offset; a file that grows slowly is not searched from there each time."""
        start = self._searched if self._searched - self.offset > _SEARCHED_AGAIN else self.offset + 1
        found, self._searched = find_record(descriptor, start, self.size, self._extents.is_true)
        return found

    def _resume(self, descriptor: int, found: int, cause: str) -> int:
        header = read_at(descriptor, self.offset, HEADER)  # first, since it may fail
        if len(self.damage) < _MOST_DAMAGE:
            self.damage.append(_damage(self.offset, found, cause))
        else:
            self.more_damage += 1
        self._passed = [*self._passed[1 - _REMEMBERED :], (self.offset, header)]
        self.offset, self._searched = found, 0
        return _AFTER_DAMAGE


def _read_window(descriptor: int, offset: int, size: int) -> memoryview:
    """Up to a window of bytes from `offset` on, valid until the same thread reads again.

    Fresh memory for each window would cost more than to read it.
    """
    buffer: memoryview | None = getattr(_buffers, "window", None)
    if buffer is None:
        buffer = _buffers.window = memoryview(bytearray(_WINDOW))
        _keep_freed_memory()
    done = 0
    while done < size and (read := os.preadv(descriptor, [buffer[done:size]], offset + done)):
        done += read
    return buffer[:done].toreadonly()


def _keep_freed_memory() -> None:
    """Make glibc's malloc keep freed memory for the next window's arrays.

    Else it returns it to the system each time, and touching it again costs a page fault every 4 kB: a fifth of the
    time to read a million numbers. Its thresholds follow the largest block freed so far, up to 32 MB: see mallopt(3).
    So the process may keep up to twice as much that is free.
    """
    np.empty(_ALMOST_32_MB, np.uint8)


def _small(frames: Frames) -> Frames:
    """The records before the first large one."""
    large = np.flatnonzero(frames.lengths > LARGE)
    if not len(large):
        return frames
    first = int(large[0])
    return Frames(frames.starts[:first], frames.lengths[:first], int(frames.starts[first]), damaged=False)


def _begins_record(data: bytes) -> bool:
    """Whether a header stands here that is true."""
    return (
        len(data) >= HEADER
        and int.from_bytes(data[:8], "little") < UNBELIEVABLE
        and masked_checksum(data[:8]) == int.from_bytes(data[8:HEADER], "little")
    )


def _changed(length: int) -> str:
    # One message for a record that ends beyond the file and for one whose data differ: which of them it is changes
    # while the file grows, and what is said must not depend on when it was read.
    return f"the record of {length} bytes is cut or changed, so its data checksum does not hold"


def _damage(offset: int, end: int, cause: str) -> Damage:
    return Damage(offset, f"{cause}; {end - offset} bytes passed over")


def _signature(status: os.stat_result) -> tuple[int, ...]:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns
