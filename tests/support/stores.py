"""Remote storage within the tests: directories copied into fsspec's memory, and counts of its requests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import fsspec
import pytest

from tbwidget.records.files import filesystems


def upload(directory: Path, root: str) -> None:
    """Copy a local directory to the files below `memory://root`; equal files are left alone."""
    memory = fsspec.filesystem("memory")
    files = {f"/{root}/{path.relative_to(directory).as_posix()}": path for path in directory.rglob("*")}
    files = {key: path for key, path in files.items() if path.is_file()}
    with suppress(FileNotFoundError):
        for key in memory.find(f"/{root}"):
            if key not in files:
                memory.rm_file(key)
    for key, path in files.items():
        data = path.read_bytes()
        if key not in memory.store or memory.cat_file(key) != data:
            memory.pipe_file(key, data)
            memory.store[key].modified = datetime.fromtimestamp(path.stat().st_mtime, UTC)


class Counted:
    """Counts listings and fetching calls, and lets a test change their answers."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.listings = 0
        self.calls: list[list[tuple[str, int, int]]] = []
        """The ranges of each fetching call."""
        self.on_listing: Callable[[], None] = lambda: None
        self.on_answers: Callable[[list[Any]], list[Any]] = lambda answers: answers
        self._find, self._cat = filesystems.find, filesystems.cat
        monkeypatch.setattr(filesystems, "find", self.find)
        monkeypatch.setattr(filesystems, "cat", self.cat)

    def find(self, connection: Any, root: str) -> Any:
        self.listings += 1
        self.on_listing()
        return self._find(connection, root)

    def cat(self, connection: Any, keys: Sequence[str], begins: Sequence[int], ends: Sequence[int]) -> Any:
        self.calls.append(list(zip(keys, begins, ends, strict=True)))
        return self.on_answers(self._cat(connection, list(keys), list(begins), list(ends)))

    def reset(self) -> None:
        """Restart counting."""
        self.listings, self.calls = 0, []

    @property
    def fetched_bytes(self) -> int:
        return sum(end - begin for ranges in self.calls for _, begin, end in ranges)
