"""Where files lie: what reading asks of a place, and the file system of this machine as the first such place.

A `Storage` finds files below a directory (scan.py), names them by paths and opens them; an `OpenFile` is read by
position. Reading knows files through these alone, so that another place, such as an object store, is another
implementation: remote.py has one, and its `storage_of` says which one a path leads to.

Where there is `pread`, one call reads. Where there is none (Windows), the position is set first, so an open file is
used by one thread at a time, as everywhere in this package.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Callable, Hashable, Sequence
from itertools import islice
from typing import NamedTuple, Protocol

from tbwidget.reasons import Reason
from tbwidget.records import limits
from tbwidget.records.files.scan import LocalScanner, Scanner

_MAX_SIBLINGS = 1_000
"""Entries of a directory in which names like a missing one are searched."""

# Only flags that exist here. Without O_BINARY, Windows would turn CRLF into LF and end at a Ctrl-Z.
_FLAGS = sum(getattr(os, name, 0) for name in ("O_CLOEXEC", "O_NONBLOCK", "O_NOCTTY", "O_BINARY"))


class NotAFileError(OSError):
    """The path is no regular file; opening it might hang."""


class Status(NamedTuple):
    """Which file it is and how far its content has come, without reading it. Equal: nothing was changed."""

    identity: Hashable
    """Another one if the file was replaced by another; on this machine (device, inode)."""
    size: int
    """Bytes."""
    modified_ns: int
    """When it was modified last, in nanoseconds since the epoch."""
    version: Hashable
    """Another one after each change that the place knows of; on this machine the inode's time of change in ns."""


class Range(NamedTuple):
    """Bytes of a file that will be read."""

    path: str
    begin: int
    end: int


class NotFetchedError(OSError):
    """Bytes are read that were not fetched: `Storage.prefetch` takes `range`, and then they can be read."""

    def __init__(self, range: Range) -> None:  # noqa: A002 (what it is)
        """`range`: the bytes."""
        super().__init__(f"bytes {range.begin} to {range.end} were not fetched")
        self.range = range


class OpenFile(Protocol):
    """A file that is open for reading. Methods raise OSError."""

    def status(self) -> Status:
        """Its status now."""

    def read_at(self, offset: int, size: int) -> bytes:
        """`size` bytes from `offset` on; fewer only where the file ends."""

    def read_into(self, offset: int, buffer: memoryview) -> int:
        """Fill a buffer with the bytes from `offset` on; return their count: fewer only where the file ends."""

    def next_data(self, offset: int, size: int) -> int:
        """Return where, behind `offset`, the stored bytes of a file of `size` bytes begin: before them are zeros.

        The offset itself where the place cannot tell.
        """

    def fetch(self, ranges: Sequence[tuple[int, int]]) -> None:
        """Fetch bytes that are read next, from begin to end, all at once; where reading is fast, this does nothing.

        Raises OSError if none of them could be fetched; a read of others asks for them again.
        """

    def close(self) -> None:
        """Close it."""


class Storage(Protocol):
    """A place where files lie. Any thread may use it. Only methods whose docstrings say so raise errors.

    The defaults are for a place where reading is fast, and nothing is fetched.
    """

    is_remote: bool = False
    """Whether each request takes long, so that few are made and each for as much as possible."""
    files_at_once: int = 1
    """Count of the files that `prefetch` fetches in about the time of one."""
    bytes_at_once: int = 0
    """Bytes that one `prefetch` fetches at most, so that not more is held in memory; 0 where it fetches nothing."""
    problem: Reason | None = None
    """Why the files cannot be fetched now; None where they can, and where each file has its own reason."""
    is_failing: bool = False
    """Whether a fetch of many files has failed since the last poll began."""
    is_waiting: bool = False
    """Whether a poll waits for an answer now, which may take a minute."""
    poll_interval: float | None = None
    """Seconds between polls, as their cost requires; None where files are polled as often as anyone likes."""
    settle_ns: int
    """Nanoseconds in which two changes of a file may leave the same status; 0 where each change shows in it."""
    verifies_growth: bool
    """Whether a forced refresh reads a file that grew from its start again, to verify that it was appended to.

    Otherwise its last record decides, if that is still in place: to fetch all of a far file is too slow.
    """

    @property
    def bytes_fetched(self) -> int:
        """Bytes that polls have fetched so far, also by calls that have not ended."""
        return 0

    @property
    def key(self) -> Hashable:
        """Equal for storages in which equal paths lead to the same files."""

    def is_due(self, *, force: bool, interval: float) -> bool:  # noqa: ARG002 (the follower decides)
        """Return whether to poll now, and begin a poll if so. `interval` is the user's, in seconds."""
        return True

    def absolute(self, path: str) -> str:
        """Return a path that means the same wherever the process is, without credentials; links stay as written."""

    def canonical(self, path: str) -> str:
        """Return the path by which others that lead to the same place are recognized: with links followed.

        Raises OSError, and ValueError for a path that cannot exist.
        """

    def parent(self, path: str) -> str:
        """Return the path of the directory that a path lies in."""

    def resolve(self, directory: str, named: str, within: Sequence[str]) -> str | None:
        """Return where a path that a log names leads from a directory; None: not into one of those `within`.

        The path is as untrusted as the log, and may be no path at all.
        """

    def is_directory(self, path: str) -> bool:
        """Whether a directory exists; False if that is unknown.

        Where asking is slow, this is so as of the last walk over it, and False before that.
        """

    def siblings(self, path: str) -> list[str]:  # noqa: ARG002 (on remote storage it would take a request)
        """Return the names of the directories beside a path; none where these are unknown, or too many to look at."""
        return []

    def scanner(self, root: str, is_wanted: Callable[[str], bool]) -> Scanner:
        """Return what finds files below a directory: those that `is_wanted`, by the last part of their names."""

    def status(self, path: str) -> Status:
        """The status of a file. Raises OSError.

        Where asking for it is slow, this is the status as of the last walk that found the file.
        """

    def named_status(self, path: str) -> Status | None:
        """The status of a file that a log names and no scanner wants; None where that is unknown.

        Where asking for it is slow, this is the status as of the last walk after the first such call.
        """

    def open(self, path: str, *, fetched: bool = False) -> OpenFile:
        """Open a regular file; a FIFO or a device is never opened. Raises OSError, NotAFileError.

        With `fetched`, the reader holds a lock: a read that would have to wait for other bytes than those fetched
        raises NotFetchedError instead.
        """

    def fetch_size(self, ranges: Sequence[Range]) -> int:  # noqa: ARG002
        """Bytes that `prefetch` would fetch for ranges of one file: more than theirs where it fetches whole files."""
        return 0

    def prefetch(self, ranges: Sequence[Range]) -> None:
        """Fetch bytes that are read next, all at once; where reading is fast anyway, this does nothing.

        A read of bytes that could not be fetched raises the error, an OSError. This raises StoppedError alone.
        """

    def stop(self) -> None:
        """End the requests of polls that wait for answers: they raise StoppedError."""

    def disconnect(self) -> None:
        """Close the connection, if there is one. The next request connects again."""

    def forget(self, path: str) -> None:
        """Drop the bytes that were fetched of a file: all of them were read."""


if sys.platform == "win32":
    import ctypes
    import msvcrt
    from ctypes import wintypes

    _GENERIC_READ = 0x80000000
    _SHARE_ALL = 0x1 | 0x2 | 0x4  # reading, writing and deleting, which is also renaming
    _OPEN_EXISTING = 3
    _create_file = ctypes.WinDLL("kernel32", use_last_error=True).CreateFileW
    _create_file.restype = wintypes.HANDLE
    _create_file.argtypes = (
        *(wintypes.LPCWSTR, wintypes.DWORD, wintypes.DWORD, wintypes.LPVOID),
        *(wintypes.DWORD, wintypes.DWORD, wintypes.HANDLE),
    )

    def _open(path: str) -> int:
        """Open a file that others may rename and delete meanwhile, which `os.open` does not let them."""
        handle = _create_file(path, _GENERIC_READ, _SHARE_ALL, None, _OPEN_EXISTING, 0, None)
        if handle == wintypes.HANDLE(-1).value:
            raise ctypes.WinError(ctypes.get_last_error())
        return msvcrt.open_osfhandle(handle, os.O_RDONLY | _FLAGS)

else:

    def _open(path: str) -> int:
        return os.open(path, os.O_RDONLY | _FLAGS)


class LocalFile:
    """A file of this machine."""

    __slots__ = ("_descriptor",)

    def __init__(self, path: str) -> None:
        """Open a regular file; a FIFO or a device is never opened, let alone waited for."""
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise NotAFileError(Reason("not-a-regular-file"))
        self._descriptor = _open(path)
        if not stat.S_ISREG(os.fstat(self._descriptor).st_mode):  # exchanged in between
            self.close()
            raise NotAFileError(Reason("not-a-regular-file"))

    def status(self) -> Status:
        """As of its descriptor: the path may name another file by now."""
        return _status(os.fstat(self._descriptor))

    def read_at(self, offset: int, size: int) -> bytes:
        """Read as often as it takes: one call may return less."""
        data = self._read(offset, size)
        if len(data) == size or not data:
            return data
        parts = [data]
        while len(data) and (size := size - len(data)):
            offset += len(data)
            data = self._read(offset, size)
            parts.append(data)
        return b"".join(parts)

    def _read(self, offset: int, size: int) -> bytes:
        if hasattr(os, "pread"):
            return os.pread(self._descriptor, size, offset)
        os.lseek(self._descriptor, offset, os.SEEK_SET)
        return os.read(self._descriptor, size)

    def read_into(self, offset: int, buffer: memoryview) -> int:
        """Read as often as it takes; without a copy where the system can."""
        if hasattr(os, "preadv"):
            done = 0
            while done < len(buffer) and (count := os.preadv(self._descriptor, [buffer[done:]], offset + done)):
                done += count
            return done
        data = self.read_at(offset, len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def next_data(self, offset: int, size: int) -> int:
        """Ask the file system, where it can tell (SEEK_DATA)."""
        if not hasattr(os, "SEEK_DATA"):
            return offset
        try:
            return min(os.lseek(self._descriptor, offset, os.SEEK_DATA), size)
        except OSError as error:
            return size if error.errno == errno.ENXIO else offset

    def fetch(self, ranges: Sequence[tuple[int, int]]) -> None:
        """Fetch nothing: the system reads ahead."""

    def close(self) -> None:
        """Close the descriptor."""
        os.close(self._descriptor)


class LocalStorage(Storage):
    """The file system of this machine."""

    key = ""
    settle_ns = limits.CLOCK_TICK_NS
    verifies_growth = True

    def absolute(self, path: str) -> str:
        """Expand ~, too."""
        return os.path.abspath(os.path.expanduser(path))  # noqa: PTH100, PTH111 (Path follows links)

    def canonical(self, path: str) -> str:
        """Follow links."""
        return os.path.realpath(path)

    def parent(self, path: str) -> str:
        """Cut off the last part."""
        return os.path.dirname(path)

    def resolve(self, directory: str, named: str, within: Sequence[str]) -> str | None:
        """Follow links."""
        try:
            places = [os.path.realpath(each) for each in (directory, *within)]
            path = os.path.join(places[0], named)
            # Only to look where a path like //host/share leads would ask that host, on Windows.
            if os.path.splitdrive(path)[0] not in [os.path.splitdrive(place)[0] for place in places]:
                return None
            target = os.path.realpath(path)
            if any(os.path.commonpath((place, target)) == place for place in places[1:]):
                return target
        except ValueError:
            pass  # a zero byte, or another drive
        return None

    def is_directory(self, path: str) -> bool:
        """Follow links."""
        return os.path.isdir(path)  # noqa: PTH112 (Path raises for lost mounts)

    def siblings(self, path: str) -> list[str]:
        """Return the names of the directories beside a path."""
        try:
            with os.scandir(os.path.dirname(path)) as entries:
                found = list(islice(entries, _MAX_SIBLINGS + 1))
        except (OSError, ValueError):
            return []
        return sorted(entry.name for entry in found if entry.is_dir()) if len(found) <= _MAX_SIBLINGS else []

    def scanner(self, root: str, is_wanted: Callable[[str], bool]) -> LocalScanner:
        """List a directory again only where its times tell that it has changed."""
        return LocalScanner(root, is_wanted)

    def status(self, path: str) -> Status:
        """Follow links."""
        return _status(os.stat(path))

    def named_status(self, path: str) -> Status | None:
        """Follow links."""
        try:
            return self.status(path)
        except (OSError, ValueError):
            return None

    def open(self, path: str, *, fetched: bool = False) -> LocalFile:  # noqa: ARG002 (the disk is near)
        """Follow links."""
        return LocalFile(path)

    def prefetch(self, ranges: Sequence[Range]) -> None:
        """Fetch nothing: the system reads ahead."""

    def stop(self) -> None:
        """No request takes long."""

    def disconnect(self) -> None:
        """Nothing is connected."""

    def forget(self, path: str) -> None:
        """Nothing was fetched."""


LOCAL = LocalStorage()


def _status(status: os.stat_result) -> Status:
    return Status((status.st_dev, status.st_ino), status.st_size, status.st_mtime_ns, status.st_ctime_ns)
