"""Contents of a window of records, which do not depend on the way it was read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tbwidget.reasons import Reason
from tbwidget.records.values.attachments import Attachment
from tbwidget.records.values.forms import NUMBER
from tbwidget.records.values.summary import TagInfo


class Addresses(NamedTuple):
    """Where the values are that are read when asked for: one entry a value, in the order written."""

    record: npt.NDArray[np.int64]
    place: npt.NDArray[np.int64]
    """Index of the value in its event."""
    tag: npt.NDArray[np.int32]
    step: npt.NDArray[np.int64]
    wall_time: npt.NDArray[np.float64]
    samples: npt.NDArray[np.int64]
    """Strings in a string tensor; 1 for all else."""
    form: npt.NDArray[np.int64]
    """Places in `forms.FORMS`."""


Address = tuple[int, int, int, int, float, int, int]
"""A row of those columns."""


def addresses(found: Sequence[Address]) -> Addresses:
    """The columns of these rows, at least one."""
    dtypes = (np.int64, np.int64, np.int32, np.int64, np.float64, np.int64, np.int64)
    return Addresses(*map(np.array, zip(*found, strict=True), dtypes))


def is_addressed(info: TagInfo, number: float | None) -> bool:
    """Whether a value is to be found again: all but numbers, and numbers in tensors that may be no scalars."""
    return number is None or (info.form == NUMBER and info.plugin != "scalars")


class Occurrence(NamedTuple):
    """A value's declaration about its tag, and its record in the window."""

    record: int
    tag: int
    info: TagInfo


def _none(dtype: type[np.generic]) -> Callable[[], npt.NDArray[Any]]:
    """Return what makes a column without entries."""
    return partial(np.empty, 0, dtype)


@dataclass(slots=True)
class Batch:
    """Contents of a window of records. Columns have one entry a number, in the order written."""

    records: int
    """How many records were taken; less than were framed if one of them is damaged."""
    damaged: bool = False
    """The record behind those has a data checksum that does not hold."""
    tag: npt.NDArray[np.int32] = field(default_factory=_none(np.int32))
    step: npt.NDArray[np.int64] = field(default_factory=_none(np.int64))
    wall_time: npt.NDArray[np.float64] = field(default_factory=_none(np.float64))
    value: npt.NDArray[np.float64] = field(default_factory=_none(np.float64))
    restart: npt.NDArray[np.int64] = field(default_factory=_none(np.int64))
    """Where in the columns each SessionLog START falls: before that number."""
    restart_record: npt.NDArray[np.int64] = field(default_factory=_none(np.int64))
    """The records of those."""
    occurrences: list[Occurrence] = field(default_factory=list)
    """Each value whose tag information is new for its file, in the order written; others may be among them."""
    attachments: list[Attachment] = field(default_factory=list)
    """Graphs and run metadata met."""
    addresses: Addresses | None = None
    """Addresses of all values but numbers, and of numbers in tensors that are not declared as scalars."""
    unreadable: list[tuple[int, Reason]] = field(default_factory=list)
    """Records whose checksums hold but which are no events: (record, message)."""
    first_wall_time: float | None = None
    """Wall time of the first event, seconds since the epoch."""
    last_wall_time: float | None = None
    """The largest of all events; NaN does not count."""
