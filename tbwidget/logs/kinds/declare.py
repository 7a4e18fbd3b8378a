"""What a kind of data declares of itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Table:
    """The columns of one series of a kind, for `LogDir.frame`."""

    columns: Callable[[Any], dict[str, Any]]
    """Takes what `LogDir` gives for a run and tag; gives columns of one length, step and wall_time first."""
    dtypes: Mapping[str, Any] = field(default_factory=dict)
    """Of the other columns. "Int64" are whole numbers of which some may be missing (None)."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of data in event files."""

    name: str
    """As `LogDir.tags()` lists it."""
    plugins: tuple[str, ...] = ()
    """Names that writers put into summary metadata (tensorboard/plugins/*/metadata.py)."""
    forms: frozenset[str] = frozenset()
    """The forms of values that belong into a series of this kind, of those in `records/values/forms.py`."""
    table: Table | None = None
    """None: values fit no table of one row an element."""
