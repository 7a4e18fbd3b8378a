"""What a log directory hands out: read-only snapshots of one tag of one run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True, eq=False)
class Scalars:
    """Numbers over training, n points."""

    step: npt.NDArray[np.int64]
    """int64[n], all 64 bits."""
    wall_time: npt.NDArray[np.float64]
    """float64[n], seconds since the epoch."""
    value: npt.NDArray[np.float64]
    """float64[n]; NaN and infinities are values."""
    revision: int = 0
    """As long as it stays the same, points are only appended: those already seen have not changed."""
    superseded: int = 0
    """Points left out, because a later restart of the same training wrote their steps anew."""

    def __len__(self) -> int:
        """Count the points."""
        return len(self.step)

    def __repr__(self) -> str:
        """Say how many points there are and over which steps."""
        if not len(self):
            return "Scalars(0 points)"
        return f"Scalars({len(self)} points, steps {self.step.min()} to {self.step.max()})"


class TagMetadata(NamedTuple):
    """What the writer said about a tag."""

    plugin: str
    """The plugin that the writer named, or that the form of its values implies; empty if neither."""
    display_name: str
    """A name for people: the one that was written, else the tag."""
    description: str
    """Markdown; empty if none was written."""
