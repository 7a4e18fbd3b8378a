"""Files of the cache of columns: where they lie, how they are written and read, and when they are removed.

Each log directory has a directory here, with an index and packs. An index is a line of JSON, the head, and a body of
JSON whose checksum the head has. A pack holds arrays in the layout of safetensors: the length of a header, the header
as JSON, the raw arrays. The header's metadata hold the checksum of each array, which is verified when the array is used
first.

Files are only ever written under another name and renamed: they may be mapped in other processes. Nothing is locked.
The last of two writers wins; an index without its packs, or with damaged ones, counts as none.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import google_crc32c
import numpy as np
import numpy.typing as npt

FORMAT = 1
"""Number of the layout of these files."""

_INDEX = "index"
_MAX_BYTES = 5 << 30
_MAX_SHARE_OF_FREE = 0.1
_MAX_AGE_S = 30 * 86400.0
_TOUCH_INTERVAL_S = 3600.0
_ORPHAN_AGE_S = 600.0  # of a file that no index names; a writer may be about to name it
_MAX_HEAD_BYTES = 1 << 16
_ALIGNMENT = 8
_DIRECTORY = re.compile(r"[0-9a-f]{16}")
_OWN_FILE = re.compile(r"pack-[0-9a-f]{16}\.safetensors|\.[0-9a-f]{16}")

_DTYPES: dict[str, np.dtype[Any]] = {"I64": np.dtype("<i8"), "F64": np.dtype("<f8"), "U8": np.dtype("u1")}
_CODES = {dtype: code for code, dtype in _DTYPES.items()}

Array = npt.NDArray[Any]


class DamagedCacheError(Exception):
    """A file of the cache is damaged, missing or of another version: the logs are read instead."""


class CachedDirectory(NamedTuple):
    """The cache of one log directory."""

    path: Path
    root: str
    """The log directory; empty where its index cannot be read."""
    size: int
    """Bytes."""
    used: float
    """When it was used last, to the hour; seconds since the epoch."""


class ArrayParts(NamedTuple):
    """An array to be written: the parts that it is made of, one after the other."""

    name: str
    dtype: str
    """One of the codes of safetensors: I64, F64 or U8."""
    shape: tuple[int, ...]
    parts: Sequence[Array]
    """Contiguous in memory."""

    @property
    def size(self) -> int:
        """Bytes."""
        return int(sum(part.nbytes for part in self.parts))


class PackName(NamedTuple):
    """A pack, as the index names it."""

    name: str
    size: int
    header_checksum: int


def cache_path() -> Path | None:
    """Return where the caches of all log directories lie; None if there are to be none.

    The environment variable TBWIDGET_CACHE is 0, or names another directory than the user's cache directory.
    """
    given = os.environ.get("TBWIDGET_CACHE", "")
    if given == "0":
        return None
    if given:
        return Path(given).expanduser().absolute() / "columns" / f"v{FORMAT}"
    import platformdirs  # noqa: PLC0415 (27 ms)

    return platformdirs.user_cache_path("tbwidget") / "columns" / f"v{FORMAT}"


def cached_directories() -> list[CachedDirectory]:
    """List the caches of all log directories, the one used last first. No link is followed, and nothing else listed."""
    found = []
    with suppress(OSError, RuntimeError):  # RuntimeError: the home of a user that does not exist
        place = cache_path()
        for entry in os.scandir(place) if place is not None and not place.is_symlink() else ():
            with suppress(OSError):
                if _DIRECTORY.fullmatch(entry.name) and entry.is_dir(follow_symlinks=False):
                    found.append(_described(Path(entry.path)))
    return sorted(found, key=lambda each: each.used, reverse=True)


def clear(directories: Sequence[CachedDirectory]) -> None:
    """Remove caches. Arrays that a process has mapped stay valid until it ends."""
    for each in directories:
        shutil.rmtree(each.path, ignore_errors=True)


def _described(path: Path) -> CachedDirectory:
    size, used = 0, path.stat().st_mtime
    for entry in os.scandir(path):
        with suppress(OSError):  # removed meanwhile
            size += entry.stat(follow_symlinks=False).st_size
    root = ""
    with suppress(Exception):  # the index may hold anything
        used = (path / _INDEX).stat().st_mtime
        with (path / _INDEX).open("rb") as file:
            root = str(json.loads(file.readline(_MAX_HEAD_BYTES)).get("root", ""))
    return CachedDirectory(path, root, size, used)


class CacheDirectory:
    """The files of the cache of one log directory. Methods raise OSError; those that read DamagedCacheError, too."""

    def __init__(self, path: Path, root: str) -> None:
        """`root` is the log directory, as it is shown."""
        self.path = path
        self._root = root

    def read_index(self) -> Any:
        """Return the body of the index; None without an index, or where others may have written it."""
        try:
            if not _is_private(self.path):
                return None
            data = (self.path / _INDEX).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        line, _, body = data.partition(b"\n")
        try:
            head = json.loads(line)
        except ValueError as error:
            raise DamagedCacheError("the head of the index is damaged") from error
        if head != self._head(body):
            raise DamagedCacheError("the index is damaged, or of another version")
        return json.loads(body)

    def _head(self, body: bytes) -> dict[str, Any]:
        return {"format": FORMAT, "root": self._root, "size": len(body), "checksum": google_crc32c.value(body)}

    def touch(self) -> None:
        """Note that the cache is used, at most once an hour."""
        index = self.path / _INDEX
        with suppress(OSError):
            if time.time() - index.stat().st_mtime > _TOUCH_INTERVAL_S:
                os.utime(index)

    def drop(self) -> None:
        """Remove the index: the cache counts as empty until it is written again."""
        with suppress(OSError):
            (self.path / _INDEX).unlink()

    def has_room(self, size: int) -> bool:
        """Whether the packs may have this many bytes in all."""
        place = self.path
        while not place.exists() and place != place.parent:
            place = place.parent
        return size < _limit(place)

    def has_packs(self, packs: Iterable[PackName]) -> bool:
        """Whether all of these packs exist: another process may have removed some."""
        return all((self.path / pack.name).exists() for pack in packs)

    def remove_packs(self, packs: Iterable[PackName]) -> None:
        """Remove packs that no index names."""
        for pack in packs:
            with suppress(OSError):
                (self.path / pack.name).unlink()

    def write_pack(self, arrays: Sequence[ArrayParts]) -> PackName:
        """Write arrays into a new pack: those first whose elements have 8 bytes, so that they are aligned."""
        head, parts, checksum = packed(arrays)
        name = f"pack-{secrets.token_hex(8)}.safetensors"
        return PackName(name, self._write(name, head, parts), checksum)

    def write_index(self, body: Any) -> None:
        """Replace the index; remove the packs that it does not name. `body` has them under "packs"."""
        text = json.dumps(body, separators=(",", ":")).encode()
        self._write(_INDEX, [json.dumps(self._head(text)).encode(), b"\n", text], ())
        named = {_INDEX, *(pack[0] for pack in body["packs"])}
        for entry in os.scandir(self.path):
            with suppress(OSError):  # on Windows, one that is mapped cannot be removed yet
                is_own = entry.name not in named and _OWN_FILE.fullmatch(entry.name)
                if is_own and time.time() - entry.stat(follow_symlinks=False).st_mtime > _ORPHAN_AGE_S:
                    Path(entry.path).unlink()

    def _write(self, name: str, head: Sequence[bytes], parts: Iterator[Any] | tuple[()]) -> int:
        """Write a file under another name, then rename it; return its size."""
        _make_private(self.path)
        written = self.path / f".{secrets.token_hex(8)}"
        try:
            descriptor = os.open(written, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
            with os.fdopen(descriptor, "wb") as file:
                for data in (*head, *parts):
                    file.write(data)
                size = file.tell()
            written.replace(self.path / name)
        except BaseException:
            with suppress(OSError):
                written.unlink()
            raise
        return size

    def open_pack(self, name: PackName) -> Pack:
        """Map a pack. An array of it that is damaged makes the cache count as empty."""
        try:
            import mmap  # noqa: PLC0415 (JupyterLite has none)

            with (self.path / name.name).open("rb") as file:
                if os.fstat(file.fileno()).st_size != name.size:
                    raise DamagedCacheError(f"{name.name} has another size")
                data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (ImportError, OSError, ValueError) as error:
            raise DamagedCacheError(f"{name.name} cannot be mapped") from error
        return Pack(data, name.name, name.header_checksum, self.drop)


class Pack:
    """A pack that is mapped, or in memory. Its arrays are read-only views, valid as long as one is referred to."""

    def __init__(
        self,
        data: Any,
        name: str,
        header_checksum: int | None = None,
        drop: Callable[[], None] = lambda: None,
    ) -> None:
        """`data` are bytes or an mmap; `drop` is called when an array is damaged."""
        self._data, self._name, self._header_checksum, self._drop = data, name, header_checksum, drop
        self._size = len(data)
        self._header: Mapping[str, Any] | None = None
        self._checksums: Mapping[str, int] = {}
        self._begin = 0  # of the arrays
        self._valid: dict[str, Array] = {}

    def array(self, name: str) -> Array:
        """Return an array; its checksum is verified at the first call. Raises DamagedCacheError."""
        found = self._valid.get(name)
        if found is None:
            try:
                found = self._valid[name] = self._verified(name)
            except Exception as error:
                self._drop()
                raise DamagedCacheError(f"{self._name}: array {name} is damaged") from error
        return found

    def _verified(self, name: str) -> Array:
        # Beyond the end of a file that was cut, a mapping has no bytes: to touch it would end the process.
        if not isinstance(self._data, bytes) and self._data.size() != self._size:
            raise DamagedCacheError("the file was cut")
        if self._header is None:
            end = 8 + int.from_bytes(self._data[:8], "little")
            text = self._data[8:end]
            if self._header_checksum is not None and google_crc32c.value(text) != self._header_checksum:
                raise DamagedCacheError("the header is damaged")
            self._header, self._begin = json.loads(text), end
            self._checksums = json.loads(self._header["__metadata__"]["crc32c"])
        entry = self._header[name]
        dtype = _DTYPES[entry["dtype"]]
        begin, end = entry["data_offsets"]
        array: Array = np.frombuffer(self._data, dtype, (end - begin) // dtype.itemsize, self._begin + begin)
        if google_crc32c.value(_bytes_of(array)) != self._checksums[name]:
            raise DamagedCacheError("the checksum differs")
        return array.reshape(entry["shape"])


def packed(arrays: Sequence[ArrayParts]) -> tuple[list[bytes], Iterator[Any], int]:
    """Return a pack of arrays: its beginning, the parts that follow, and the checksum of its header."""
    checksums = {}
    header: dict[str, Any] = {}
    offset = 0
    for array in arrays:
        checksum = 0
        for part in array.parts:
            checksum = google_crc32c.extend(checksum, _bytes_of(part))
        checksums[array.name] = checksum
        end = offset + array.size
        header[array.name] = {"dtype": array.dtype, "shape": array.shape, "data_offsets": [offset, end]}
        offset = end
    header["__metadata__"] = {"crc32c": json.dumps(checksums)}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % _ALIGNMENT)
    parts = (_bytes_of(part) for array in arrays for part in array.parts)
    return [len(text).to_bytes(8, "little"), text], parts, google_crc32c.value(text)


def dtype_code(dtype: np.dtype[Any]) -> str:
    """Return what safetensors call a type of numbers. Raises KeyError for one that packs do not hold."""
    return _CODES[dtype]


def _bytes_of(array: Array) -> Any:
    """Return the bytes of a contiguous array without a copy, as the checksum and files take them."""
    flat = array.view(np.uint8).reshape(-1) if array.dtype != np.uint8 else array.reshape(-1)
    if flat.flags.writeable:
        flat = flat.view()
        flat.flags.writeable = False
    return flat


def _make_private(path: Path) -> None:
    """Make a directory, and the two of ours above it, for the user alone: logs may be private."""
    place = path.parents[2]
    place.mkdir(parents=True, exist_ok=True)
    for each in (path.parents[1], path.parent, path):
        each.mkdir(mode=0o700, exist_ok=True)
    status = path.lstat()
    if not stat.S_ISDIR(status.st_mode) or (hasattr(os, "geteuid") and status.st_uid != os.geteuid()):
        raise PermissionError(f"{path} is a link, or belongs to another user")
    if stat.S_IMODE(status.st_mode) & 0o077:
        path.chmod(0o700)


def _is_private(path: Path) -> bool:
    """Whether a directory belongs to this user, and no other user may write into it. Raises OSError."""
    status = path.lstat()
    if not hasattr(os, "geteuid"):
        return stat.S_ISDIR(status.st_mode)
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid() and not status.st_mode & 0o022


def _limit(place: Path) -> float:
    return min(_MAX_BYTES, _MAX_SHARE_OF_FREE * shutil.disk_usage(place).free)


def evict(kept: Path) -> None:
    """Remove caches not used for 30 days, then those not used for longest until the rest is within the limit.

    The one at `kept` stays.
    """
    left = []
    for each in cached_directories():
        if each.path != kept and time.time() - each.used > _MAX_AGE_S:
            clear([each])
        else:
            left.append(each)
    total = sum(each.size for each in left)
    most = _limit(kept) if total else 0.0
    for each in reversed(left):
        if total <= most:
            break
        if each.path != kept:
            clear([each])
            total -= each.size
