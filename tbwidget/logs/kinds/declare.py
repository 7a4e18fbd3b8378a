"""What a kind of data declares of itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from tbwidget.logs.problems import Problem
from tbwidget.records.files.storage import Range, Storage


@dataclass(frozen=True, slots=True)
class Table:
    """The columns of one series of a kind, for `LogDir.frame`."""

    columns: Callable[[Any], dict[str, Any]]
    """Takes what `LogDir` gives for a run and tag; gives columns of one length, step and wall_time first."""
    dtypes: Mapping[str, Any] = field(default_factory=dict)
    """Of the other columns. "Int64" are whole numbers of which some may be missing (None)."""


class FoundFile(NamedTuple):
    """A file of a run, other than an event file."""

    storage: Storage
    path: str
    name: str
    """Relative to the log directory."""
    root: str
    """Path of the log directory that holds the file."""


class OwnFile(Protocol):
    """A file that only one kind reads, with its content. One thread refreshes it at a time."""

    found: FoundFile

    def ranges(self) -> list[Range]:
        """The bytes that `refresh` reads now; none if the file was not written again. Raises nothing."""

    def refresh(self) -> bool:
        """Read the file again if it was written again; True if its content or problems may have changed.

        The reader holds its lock, so only the bytes that `ranges` names can be read. Raises nothing: whatever is wrong
        with the file is one of its problems.
        """

    @property
    def tags(self) -> Sequence[str]:
        """Tags of the kind that the file holds."""

    def problems(self) -> list[Problem]:
        """What could not be read."""


@dataclass(frozen=True, slots=True)
class Files:
    """Files that only one kind reads, beside a run's event files or in folders below it."""

    endings: tuple[str, ...]
    """Endings of the names of such files: a fast first test, because a walk may meet 1 M other files."""
    pattern: re.Pattern[str]
    """Searched in "/" and the name relative to the log directory; the text before the match is the run."""
    read: Callable[[FoundFile], OwnFile]
    """Makes the object that reads one file, without reading it yet."""
    plugin: str
    """Name of the plugin that `LogDir.metadata` gives for a tag from such a file."""
    makes_run: bool = False
    """A directory with such a file is a run even where it holds no event file."""

    def folder_of_run(self, name: str) -> str | None:
        """The directory of the run that a file belongs to, "" for the log directory itself; None: it is no such file.

        Both are relative to the log directory.
        """
        found = self.pattern.search(f"/{name}")
        return None if found is None else name[: max(0, found.start() - 1)]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of data."""

    name: str
    """As `LogDir.tags()` lists it."""
    plugins: tuple[str, ...] = ()
    """Names that writers put into summary metadata (tensorboard/plugins/*/metadata.py)."""
    forms: frozenset[str] = frozenset()
    """The forms of values that belong into a series of this kind, of those in `records/values/forms.py`."""
    table: Table | None = None
    """None: values fit no table of one row an element."""
    files: Files | None = None
    """Files that only this kind reads; None: all of it stands in event files."""
