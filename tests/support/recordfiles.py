"""Reading one file of records with any contents."""

from __future__ import annotations

from pathlib import Path

from tbwidget.records.columnar.layouts import LayoutTable
from tbwidget.records.decode import Window
from tbwidget.records.files.framing import HEADER
from tbwidget.records.files.storage import LOCAL
from tbwidget.records.recordfile import RecordFile, Restart
from tbwidget.records.values.summary import TagTable


def record_file(path: Path) -> RecordFile:
    """Return a record file before its first reading."""
    return RecordFile(LOCAL, str(path), LayoutTable(TagTable()))


class Kept:
    """The data of all records read from a file, extracted at the places that a window gives."""

    def __init__(self) -> None:
        self.records: list[bytes] = []
        self.restarts = 0

    def take(self, path: str, window: Window | Restart) -> None:
        """Take the result of a reading."""
        if isinstance(window, Restart):
            self.records.clear()
            self.restarts += 1
            return
        with Path(path).open("rb") as file:
            for offset in window.offsets[: window.batch.records].tolist():
                file.seek(offset)
                length = int.from_bytes(file.read(HEADER)[:8], "little")
                self.records.append(file.read(length))


def step(file: RecordFile, kept: Kept) -> bool:
    """Read once; returns True if more follows."""
    for window in file.read():
        kept.take(file.path, window)
    return not file.finished


def read(file: RecordFile, kept: Kept) -> None:
    """Read everything."""
    while step(file, kept):
        pass
