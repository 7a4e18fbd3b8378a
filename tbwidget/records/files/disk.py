"""Files on the disk: opened for reading, and read from a given byte on, by calls that every system has.

Where there is `pread`, one call does it. Where there is none (Windows), the position is set first, so a descriptor is
used by one thread at a time, as everywhere in this package.
"""

from __future__ import annotations

import errno
import io
import os
import stat
import sys

from tbwidget.reasons import Reason

# Those that exist here. Without O_BINARY, Windows would turn CRLF into LF and end at a Ctrl-Z.
_FLAGS = sum(getattr(os, name, 0) for name in ("O_CLOEXEC", "O_NONBLOCK", "O_NOCTTY", "O_BINARY"))


class NotAFileError(OSError):
    """The path is no regular file; opening it might hang."""


def open_regular(path: str) -> int:
    """Open a regular file for reading; a FIFO or a device is never opened, let alone waited for."""
    if not stat.S_ISREG(os.stat(path).st_mode):  # noqa: PTH116 (a growing file is opened ten times a second)
        raise NotAFileError(Reason("not-a-regular-file"))
    descriptor = _open(path)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):  # exchanged in between
        os.close(descriptor)
        raise NotAFileError(Reason("not-a-regular-file"))
    return descriptor


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


def read_at(descriptor: int, offset: int, size: int) -> bytes:
    """`size` bytes from `offset` on; fewer only where the file ends."""
    data = _read(descriptor, offset, size)
    if len(data) == size or not data:
        return data
    parts = [data]
    while len(data) and (size := size - len(data)):
        offset += len(data)
        data = _read(descriptor, offset, size)
        parts.append(data)
    return b"".join(parts)


def _read(descriptor: int, offset: int, size: int) -> bytes:
    if hasattr(os, "pread"):
        return os.pread(descriptor, size, offset)
    os.lseek(descriptor, offset, os.SEEK_SET)
    return os.read(descriptor, size)


def read_into(descriptor: int, offset: int, buffer: memoryview) -> int:
    """Fill a buffer with the bytes from `offset` on; returns how many there were: fewer only where the file ends."""
    done = 0
    if hasattr(os, "preadv"):
        while done < len(buffer) and (count := os.preadv(descriptor, [buffer[done:]], offset + done)):
            done += count
        return done
    with io.FileIO(descriptor, closefd=False) as file:
        file.seek(offset)
        while done < len(buffer) and (count := file.readinto(buffer[done:]) or 0):
            done += count
    return done


def next_data(descriptor: int, offset: int, size: int) -> int:
    """Where behind `offset` the bytes begin that a file of `size` bytes stores: what is before them is zeros.

    The offset itself where the system cannot tell.
    """
    if not hasattr(os, "SEEK_DATA"):
        return offset
    try:
        return min(os.lseek(descriptor, offset, os.SEEK_DATA), size)
    except OSError as error:
        return size if error.errno == errno.ENXIO else offset
