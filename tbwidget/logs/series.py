"""Read-only snapshots of one tag of one run."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np
import numpy.typing as npt

from tbwidget.logs.sequences import ReadOnlyArrays
from tbwidget.texts import format_steps

if TYPE_CHECKING:
    import pandas as pd


class Scalar(NamedTuple):
    """One point of a series."""

    step: int
    wall_time: float
    """Seconds since the epoch."""
    value: float


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Scalars(ReadOnlyArrays):
    """Numbers over training, n points: a sequence of `Scalar`, and for numpy the array of its values. Read-only.

    `s[-1].value` is the last one, `s[10:20]` are some of them, `np.median(s)` and `s.to_frame()` take them all.
    """

    step: npt.NDArray[np.int64]
    """int64[n], all 64 bits."""
    wall_time: npt.NDArray[np.float64]
    """float64[n], seconds since the epoch."""
    value: npt.NDArray[np.float64]
    """float64[n]; NaN and infinities are values."""
    revision: int = 0
    """As long as it stays the same, points are only appended: those already seen have not changed."""
    superseded: int = 0
    """Points left out, because a later restart of the same training wrote their steps again."""

    def __len__(self) -> int:
        """Count the points."""
        return len(self.step)

    @overload
    def __getitem__(self, index: int) -> Scalar: ...

    @overload
    def __getitem__(self, index: slice) -> Scalars: ...

    def __getitem__(self, index: int | slice) -> Scalar | Scalars:
        """One point; for a slice a series of some of them, which share the memory of all."""
        if isinstance(index, slice):
            return Scalars(self.step[index], self.wall_time[index], self.value[index])
        place = operator.index(index)
        if not -len(self) <= place < len(self):
            raise IndexError(f"point {place} does not exist: there are only {len(self)}")
        return Scalar(int(self.step[place]), float(self.wall_time[place]), float(self.value[place]))

    def __iter__(self) -> Iterator[Scalar]:
        """Give the points in their order."""
        columns = (self.step.tolist(), self.wall_time.tolist(), self.value.tolist())
        return (Scalar(*point) for point in zip(*columns, strict=True))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:  # noqa: FBT001 (numpy's own)
        """The values, for numpy: read-only unless a copy is asked for."""
        if copy or (dtype is not None and np.dtype(dtype) != self.value.dtype):
            if copy is False:
                raise ValueError(f"cannot convert {self.value.dtype} to {np.dtype(dtype)} without a copy")
            return self.value.astype(self.value.dtype if dtype is None else dtype)
        return self.value

    def to_frame(self) -> pd.DataFrame:
        """A `pandas.DataFrame` with columns step, wall_time and value, and a row a point."""
        import pandas as pd  # noqa: PLC0415 (imported when used)

        return pd.DataFrame({"step": self.step, "wall_time": self.wall_time, "value": self.value})

    def __repr__(self) -> str:
        """Say how many points there are, over which steps and values."""
        finite = self.value[np.isfinite(self.value)]
        values = f", values {finite.min():g} to {finite.max():g}" if len(finite) else ""
        odd = len(self) - len(finite)
        return f"Scalars({format_steps(self.step, 'point')}{values}{f', {odd} not finite' if odd else ''})"


class TagMetadata(NamedTuple):
    """The writer's declaration about a tag."""

    plugin: str
    """The plugin that the writer named, or that the form of its values implies; empty if neither."""
    display_name: str
    """A name for people: as written, else the tag."""
    description: str
    """Markdown; empty if none was written."""


class DescribedTag(NamedTuple):
    """A tag with a display name or a description of its own."""

    kind: str
    tag: str
    display_name: str
    """As written; may be empty, or the tag."""
    description: str
    """Markdown; may be empty."""


class DescribedTags(NamedTuple):
    """The tags of all runs that have a display name or a description of their own."""

    revision: int
    """Stays the same as long as they do."""
    by_run: Mapping[str, Sequence[DescribedTag]]
    """In natural order, runs and tags."""


NO_DESCRIBED_TAGS = DescribedTags(0, {})
