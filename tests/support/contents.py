"""Made-up items and documents, as a panel would send them, and logs that contain them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tbwidget.logs.source import Changes
from tbwidget.wire.columns import Columns
from tbwidget.wire.content import DocumentContent, ItemsContent
from tests.support.feeds import FakeSource


@dataclass
class Pictures:
    """An index of items: for each its step, its name as identity, and its bytes or the exception that they raise."""

    rows: list[tuple[int, str, bytes | Exception]] = field(default_factory=list)
    revision: int = 0
    superseded: int = 0
    begun: float = 1.7e9
    blobs_read: list[str] = field(default_factory=list)
    times: list[float] | None = None
    """Wall times from `begun` on; None: the steps."""

    @property
    def step(self) -> NDArray[np.int64]:
        return np.array([step for step, _, _ in self.rows], np.int64)

    @property
    def wall_time(self) -> NDArray[np.float64]:
        return self.begun + np.array(self.step if self.times is None else self.times, np.float64)

    @property
    def identity(self) -> Sequence[str]:
        return [name for _, name, _ in self.rows]

    def __len__(self) -> int:
        return len(self.rows)


class PicturesContent(ItemsContent):
    """Items with one column of their own, and one field."""

    kind = "pictures"
    prefetch_bytes = 300_000

    def read(self, logs: Any, run: str, tag: str) -> Pictures:
        found: Pictures | Exception = logs.source.values["pictures"][run, tag]
        if isinstance(found, Exception):
            raise found
        return found

    def entry(self, index: Pictures, rows: slice, columns: Columns) -> dict[str, Any]:
        lengths = [len(name) for _, name, _ in index.rows[rows]]
        return {"length": columns.add_counts(np.array(lengths, np.int64)), "label": "made up"}

    def blob(self, index: Pictures, row: int) -> bytes | Callable[[], bytes]:
        _, name, data = index.rows[row]
        index.blobs_read.append(name)
        if isinstance(data, Exception):
            raise data
        return data


@dataclass
class Paper:
    """A document."""

    revision: int
    data: bytes

    def encode(self) -> bytes:
        return self.data


class PapersContent(DocumentContent):
    """One document a run."""

    kind = "papers"
    prefetch_bytes = 4_000_000

    def key_of(self, run: str, _tag: str) -> tuple[str, str]:
        return run, ""

    def read(self, logs: Any, run: str, _tag: str) -> Paper:
        found = [paper for (of, _), paper in logs.source.values["papers"].items() if of == run]
        if not found:
            raise KeyError(run)
        if isinstance(found[-1], Exception):
            raise found[-1]
        paper: Paper = found[-1]
        return paper


PICTURES, PAPERS = PicturesContent(), PapersContent()


def put_pictures(logs: FakeSource, run: str, tag: str, *rows: tuple[int, str, bytes | Exception]) -> Changes:
    """Add rows in the order of their steps; returns the follower's changes."""
    held = logs.values.setdefault("pictures", {})
    new = (run, tag) not in held
    old = held.get((run, tag), Pictures())
    grown = sorted([*old.rows, *rows], key=lambda row: row[0])
    held[run, tag] = Pictures(grown, old.revision, blobs_read=old.blobs_read)
    return Changes(frozenset({("pictures", run, tag)}), catalog=new)


def put_paper(logs: FakeSource, run: str, data: bytes, tag: str = "paper") -> Changes:
    """Replace a run's document; returns the follower's changes."""
    held = logs.values.setdefault("papers", {})
    new = (run, tag) not in held
    held[run, tag] = Paper(1 if new else held[run, tag].revision + 1, data)
    return Changes(frozenset({("papers", run, tag)}), catalog=new)
