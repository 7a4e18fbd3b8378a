"""The declaration of a kind of data, and tables with a row an element, for kinds whose values are arrays."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from tbwidget.logs.problems import Problem
from tbwidget.reasons import Reason, reason_of, system_reason
from tbwidget.records.files.refusals import UnavailableError
from tbwidget.records.files.storage import Range, Status, Storage
from tbwidget.records.indices import repeat
from tbwidget.records.values.arrays import MAX_REPEATED, Array


@dataclass(frozen=True, slots=True)
class Table:
    """The columns of one series of a kind, for `LogDir.frame`."""

    columns: Callable[[Any], dict[str, Any]]
    """Takes what `LogDir` gives for a run and tag; gives columns of one length, step and wall_time first."""
    dtypes: Mapping[str, Any] = field(default_factory=dict)
    """Dtypes of the other columns. "Int64" are whole numbers, some of which may be missing (None)."""


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
        """Problems with the file."""


class WholeFile:
    """Base of an `OwnFile` that is read as a whole, again whenever it was written again."""

    max_bytes: ClassVar[int]
    """Bytes of it that are read."""

    def __init__(self, found: FoundFile) -> None:
        self.found = found
        self._error: Reason | None = None
        self._status: Status | None = None

    def ranges(self) -> list[Range]:
        """The bytes that `refresh` reads now."""
        try:
            status = self.found.storage.status(self.found.path)
        except OSError:
            return []
        return [] if status == self._status else [Range(self.found.path, 0, min(status.size, self.max_bytes))]

    def problems(self) -> list[Problem]:
        """Problems with the file."""
        return [Problem(self.found.name, None, self._error)] if self._error else []

    def _reread(self) -> bool:
        """Read the file again if it was written again; True if it was, or cannot be read. Raises nothing."""
        try:
            status = self.found.storage.status(self.found.path)
            if status == self._status:
                return False
            with closing(self.found.storage.open(self.found.path, fetched=True)) as file:
                content = file.read_at(0, self.max_bytes)
        except UnavailableError:
            return False  # a problem of all files there
        except OSError as error:
            self._clear()
            self._error = None if isinstance(error, FileNotFoundError) else system_reason(error)
            self._status = None  # it may pass
            return True
        self._clear()
        self._error, self._status = None, status
        try:
            self._parse(content, status.size)
        except Exception as error:  # noqa: BLE001 (one file never keeps the others from being read)
            self._error = reason_of(error)
        return True

    def _clear(self) -> None:
        """Drop the content."""
        raise NotImplementedError

    def _parse(self, content: bytes, size: int) -> None:
        """Take over the first bytes of a file of `size` bytes. Raises ValueError with a reason."""
        raise NotImplementedError


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


_MAX_EXACT = 2**53
"""Integers up to here are floats, too."""


def elements(
    step: npt.NDArray[np.int64], wall_time: npt.NDArray[np.float64], values: list[tuple[int, Array]], none: Array
) -> dict[str, Array]:
    """A row an element of these values, at indices of a series; `none` has the dtype of no values."""
    rows = repeat(np.array([index for index, _ in values], np.int64), [value.size for _, value in values])
    return {
        "step": step[rows],
        "wall_time": wall_time[rows],
        "element": np.concatenate([np.empty(0, np.int64), *(np.arange(value.size) for _, value in values)]),
        "value": joined([value.ravel() for _, value in values]) if values else none,
    }


def joined(parts: list[Array]) -> Array:
    """One column of them all: of objects where one dtype would cut an integer, or make a real number complex."""
    held = [part for part in parts if part.size]
    if len({part.dtype for part in held}) <= 1:
        return np.concatenate(held or parts[:1])
    column = np.concatenate(held)
    kind = column.dtype.kind
    cut = kind == "f" and any(_has_long_integers(part) for part in held)
    if cut or (kind in "cO" and any(part.dtype.kind != kind for part in held)):
        return np.concatenate([part.astype(object) for part in held])
    return column


def _has_long_integers(part: Array) -> bool:
    """Whether an integer may have more digits than a float64 has."""
    return part.dtype.kind in "iu" and bool(part.max() > _MAX_EXACT or part.min() < -_MAX_EXACT)


def fits_memory(value: Array) -> bool:
    """Whether the elements are few enough, or in memory anyway."""
    return value.size <= MAX_REPEATED or 0 not in value.strides
