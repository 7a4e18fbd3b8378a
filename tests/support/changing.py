"""Runs on the disk, and typical changes of their files, which a copy on any storage has to follow."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from tests.support.eventfiles import NAME, event, simple, write


def write_runs(folder: Path, count: int, steps: int = 20) -> None:
    """Write runs "run0", "run1" … with the tag "loss"."""
    for run in range(count):
        write(folder / f"run{run}" / NAME, *(event(1, step, simple("loss", step)) for step in range(steps)))


def append(path: Path, *parts: bytes) -> None:
    """Append parts to a file."""
    with path.open("ab") as file:
        file.write(b"".join(parts))


def changes(folder: Path) -> Iterator[str]:
    """Make one change after another to at least three such runs; yield its name."""
    path, torn = folder / "run1" / NAME, event(1, 21, simple("other", 1))
    append(path, event(1, 20, simple("loss", 20)), torn[:-3])
    yield "it grew, and ends within a record"
    append(path, torn[-3:])
    yield "the record is whole"
    write(path, *(event(1, step, simple("loss", -step)) for step in range(30)))
    yield "it was replaced by a longer one"
    write(path, event(1, 0, simple("loss", 1)))
    yield "it was replaced by a shorter one"
    shutil.rmtree(folder / "run0")
    write(folder / "new" / "deep" / NAME, event(1, 0, simple("loss", 1)))
    yield "a run was deleted, and another appeared"
