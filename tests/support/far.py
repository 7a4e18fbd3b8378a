"""A place for files in memory, which counts what is asked of it as a remote one would be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tbwidget.records.files.scan import Scanner
from tbwidget.records.files.storage import LOCAL, NotFetchedError, Range, Status


@dataclass(eq=False)
class FarStorage:
    """The files of this machine as if they lay far away: bytes come by requests, many at once.

    What the reader takes under its lock was fetched before, or it is refused.
    """

    files_at_once: int = 64
    requests: list[list[Range]] = field(default_factory=list)
    """The ranges of each `prefetch`."""
    single: int = 0
    """Requests for bytes that nobody had fetched before."""
    pieces: dict[str, dict[int, bytes]] = field(default_factory=dict)
    """By path: what was fetched, by the place of its first byte."""

    def scanner(self, root: str, is_wanted: Callable[[str], bool]) -> Scanner:
        return LOCAL.scanner(root, is_wanted)

    def status(self, path: str) -> Status:
        return LOCAL.status(path)

    def open(self, path: str, *, fetched: bool = False) -> _FarFile:
        return _FarFile(self, path, fetched)

    def prefetch(self, ranges: Sequence[Range]) -> None:
        self.requests.append(list(ranges))
        for path, begin, end in ranges:
            self.pieces.setdefault(path, {})[begin] = _read(path, begin, end - begin)

    def forget(self, path: str) -> None:
        self.pieces.pop(path, None)


@dataclass
class _FarFile:
    storage: FarStorage
    path: str
    fetched: bool

    def status(self) -> Status:
        return LOCAL.status(self.path)

    def read_at(self, offset: int, size: int) -> bytes:
        size = max(0, min(size, self.status().size - offset))
        for begin, piece in self.storage.pieces.get(self.path, {}).items():
            if begin <= offset and offset + size <= begin + len(piece):
                return piece[offset - begin : offset - begin + size]
        if self.fetched and size:
            raise NotFetchedError(Range(self.path, offset, offset + size))
        self.storage.single += 1
        return _read(self.path, offset, size)

    def read_into(self, offset: int, buffer: memoryview) -> int:
        data = self.read_at(offset, len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def next_data(self, offset: int, size: int) -> int:
        return min(offset, size)

    def close(self) -> None:
        pass


def _read(path: str, offset: int, size: int) -> bytes:
    file = LOCAL.open(path)
    try:
        return file.read_at(offset, size)
    finally:
        file.close()
