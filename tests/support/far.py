"""A storage in memory that counts its requests, like a remote one."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from tbwidget.reasons import Reason
from tbwidget.records.files.scan import PollProgress, Scan
from tbwidget.records.files.storage import NotFetchedError, Range, Status

URL = "far://logs"
"""The directory in the storage that `FarStorage.copy` fills."""


class _Stored(NamedTuple):
    data: bytes
    version: int
    modified_ns: int


@dataclass(eq=False)
class FarStorage:
    """Objects by their keys, as in an object store: no directories, no links, each change a version.

    Bytes that the reader reads under its lock must have been fetched before; other reads are refused. Statuses come
    from the last walk.
    """

    scheme: str = "far"
    options: Mapping[str, Any] = field(default_factory=dict)
    """The user's `storage_options`. "copy_of" is a local directory whose files the storage contains."""
    files_at_once: int = 64
    bytes_at_once: int = 0
    is_remote: bool = True
    problem: Reason | None = None
    is_failing: bool = False
    is_waiting: bool = False
    bytes_fetched: int = 0
    poll_interval: float | None = None
    settle_ns: int = 0
    verifies_growth: bool = False
    requests: list[list[Range]] = field(default_factory=list)
    """The ranges of each `prefetch`."""
    walks: int = 0
    """The number of requests for a list of the objects."""
    single: int = 0
    """The number of requests for bytes that had not been fetched before."""
    pieces: dict[str, dict[int, bytes]] = field(default_factory=dict)
    """Fetched bytes by path and offset."""
    objects: dict[str, _Stored] = field(default_factory=dict)
    seen: dict[str, Status] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if "copy_of" in self.options:
            self.copy(self.options["copy_of"])

    @property
    def key(self) -> str:
        return self.scheme

    def is_due(self, *, force: bool, interval: float) -> bool:  # noqa: ARG002 (each poll is one that a test wants)
        return True

    def copy(self, directory: Path) -> None:
        """Make the storage contain exactly the present files below a local directory."""
        found = {f"{URL}/{path.relative_to(directory).as_posix()}": path for path in directory.rglob("*")}
        contents = {url: path.read_bytes() for url, path in found.items() if path.is_file()}
        for url in self.objects.keys() - contents.keys():
            del self.objects[url]
        for url, data in contents.items():
            self.put(url, data, found[url].stat().st_mtime_ns)

    def put(self, url: str, data: bytes, modified_ns: int) -> None:
        """Replace an object, unless it is equal."""
        before = self.objects.get(url)
        if before is None or before.data != data:
            self.objects[url] = _Stored(data, before.version + 1 if before else 0, modified_ns)

    def fetched_bytes(self, since: int = 0) -> int:
        """Return the number of bytes in all requests after the first `since`."""
        return sum(end - begin for ranges in self.requests[since:] for _, begin, end in ranges)

    def absolute(self, path: str) -> str:
        return path.rstrip("/")

    def canonical(self, path: str) -> str:
        scheme, _, key = path.partition("://")
        return f"{scheme}://{posixpath.normpath(key)}"

    def parent(self, path: str) -> str:
        return path.rpartition("/")[0]

    def resolve(self, directory: str, named: str, within: Sequence[str]) -> str | None:
        target = self.canonical(f"{directory}/{named}")
        inside = any(target.startswith(f"{self.canonical(place)}/") for place in within)
        return target if inside and not named.startswith("/") else None

    def is_directory(self, path: str) -> bool:
        return any(url.startswith(f"{path}/") for url in self.seen)

    def siblings(self, path: str) -> list[str]:  # noqa: ARG002 (as of another machine)
        return []

    def scanner(self, root: str, is_wanted: Callable[[str], bool]) -> _Scanner:
        return _Scanner(self, root, is_wanted)

    def status(self, path: str) -> Status:
        if path not in self.seen:
            raise FileNotFoundError(path)
        return self.seen[path]

    def named_status(self, path: str) -> Status | None:
        return self.seen.get(path)

    def open(self, path: str, *, fetched: bool = False) -> _FarFile:
        return _FarFile(self, path, self.status(path), fetched)

    def fetch_size(self, ranges: Sequence[Range]) -> int:
        return sum(end - begin for _, begin, end in ranges)

    def prefetch(self, ranges: Sequence[Range]) -> None:
        self.requests.append(list(ranges))
        for path, begin, end in ranges:
            self.pieces.setdefault(path, {})[begin] = self.objects[path].data[begin:end]

    def stop(self) -> None:
        pass

    def disconnect(self) -> None:
        pass

    def forget(self, path: str) -> None:
        self.pieces.pop(path, None)


@dataclass
class _Scanner:
    storage: FarStorage
    root: str
    is_wanted: Callable[[str], bool]
    scan: Scan | None = None

    def walk(self, *, force: bool = False, progress: PollProgress | None = None) -> Scan:  # noqa: ARG002 (a list is never out of date)
        storage, inside = self.storage, f"{self.root}/"
        storage.walks += 1
        there = {url: stored for url, stored in storage.objects.items() if url.startswith(inside)}
        for url in [url for url in storage.seen if url.startswith(inside)]:
            del storage.seen[url]
        for url, (data, version, modified_ns) in there.items():
            storage.seen[url] = Status(url, len(data), modified_ns, version)
        files = {url.removeprefix(inside): url for url in there if self.is_wanted(url.rpartition("/")[2])}
        if self.scan is None or self.scan.files != files or self.scan.is_missing == bool(there):
            self.scan = Scan(files, [], is_missing=not there)
        return self.scan

    def walk_new(self) -> None:
        """Find nothing: only a whole walk lists objects."""


@dataclass
class _FarFile:
    storage: FarStorage
    path: str
    seen: Status
    fetched: bool

    def status(self) -> Status:
        return self.seen

    def read_at(self, offset: int, size: int) -> bytes:
        size = max(0, min(size, self.seen.size - offset))
        for begin, piece in self.storage.pieces.get(self.path, {}).items():
            if begin <= offset and offset + size <= begin + len(piece):
                return piece[offset - begin : offset - begin + size]
        if self.fetched and size:
            raise NotFetchedError(Range(self.path, offset, offset + size))
        self.storage.single += 1
        return self.storage.objects[self.path].data[offset : offset + size]

    def read_into(self, offset: int, buffer: memoryview) -> int:
        data = self.read_at(offset, len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def next_data(self, offset: int, size: int) -> int:
        return min(offset, size)

    def fetch(self, ranges: Sequence[tuple[int, int]]) -> None:
        pass

    def close(self) -> None:
        pass
