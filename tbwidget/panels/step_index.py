"""The index of a panel of items whose kind is an `ItemSequence`: its values in the order of their steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import NDArray

    from tbwidget.logs.sequences import ItemSequence

T = TypeVar("T")


class StepIndex(Generic[T]):
    """The values of a tag by step; values of equal steps in the order written."""

    def __init__(self, written: ItemSequence[T]) -> None:
        self.written = written
        self.revision: int = written.revision
        self.superseded: int = written.superseded
        self.places: NDArray[np.int64] = np.argsort(written.step, kind="stable").astype(np.int64, copy=False)
        """Position of each row in the order written. Within a revision, values are only appended there."""
        self.step: NDArray[np.int64] = written.step[self.places]
        self.wall_time: NDArray[np.float64] = written.wall_time[self.places]

    @property
    def identity(self) -> Sequence[Hashable]:
        """The places in the order written."""
        places: list[int] = self.places.tolist()
        return places

    def __len__(self) -> int:
        """Count the values."""
        return len(self.step)

    def __getitem__(self, row: int) -> T:
        """Read the value of a row. Raises ValueError if it cannot be read."""
        return self.written[int(self.places[row])]
