"""What the values of all layouts are: their tags and what they say of them, in columns.

Tens of thousands of tags may say one and the same.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tbwidget.records.batch import Alike, Seen
from tbwidget.records.forms import NUMBER
from tbwidget.records.values import Saying, ValueInfo

Int32s = npt.NDArray[np.int32]
Int64s = npt.NDArray[np.int64]


class LayoutValues:
    """The values of each layout, by its number."""

    def __init__(self) -> None:
        self._sayings: list[Saying] = []
        self._unsaid: list[bool] = []  # of each of them
        self._numbers: dict[Saying, int] = {}
        self._ends = np.zeros(1, np.int64)  # of each layout's values in the columns below, behind a zero
        self._tags = np.empty(0, np.int32)
        self._said = np.empty(0, np.int32)  # as the sayings count

    def __len__(self) -> int:
        return len(self._ends) - 1

    def number(self, saying: Saying) -> int:
        """The number of what is said."""
        number = self._numbers.get(saying)
        if number is None:
            number = len(self._sayings)
            self._sayings.append(saying)
            self._unsaid.append(saying.form == NUMBER and saying.plugin != "scalars")
            self._numbers[saying] = number
        return number

    def unsaid(self, said: Int32s) -> npt.NDArray[np.bool_]:
        """Which of these are numbers in tensors that do not say they are scalars."""
        unsaid = [self._unsaid[number] for number in said.ravel().tolist()]
        return np.array(unsaid, np.bool_).reshape(said.shape)

    def add(self, tags: Int32s, said: Int32s) -> None:
        """Add n layouts of m values each: tags int32[n, m], and the numbers of what is said of them, int32[n, m]."""
        self._tags = np.concatenate((self._tags, tags.ravel()))
        self._said = np.concatenate((self._said, said.ravel()))
        self._ends = np.concatenate((self._ends, self._ends[-1] + tags.shape[1] * np.arange(1, len(tags) + 1)))

    def seen(self, layouts: Int64s, records: Int64s) -> tuple[list[Seen], Alike | None]:
        """What the values say of layouts met at these records, in order: one by one, or else all alike."""
        places = self._ends[layouts]
        counts = self._ends[layouts + 1] - places
        if len(counts) and counts.max() > 1:
            ends = np.cumsum(counts)
            places = np.repeat(places - ends + counts, counts) + np.arange(ends[-1])
            records = np.repeat(records, counts)
        tags, said = self._tags[places], self._said[places]
        if not len(said):
            return [], None
        if (said == said[0]).all():
            return [], Alike(self._sayings[said[0]], records, tags)
        return [
            Seen(record, ValueInfo(tag, *self._sayings[number]))
            for record, tag, number in zip(records.tolist(), tags.tolist(), said.tolist(), strict=True)
        ], None
