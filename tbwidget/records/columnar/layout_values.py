"""Tags and tag information of the values of all layouts, in columns.

Tens of thousands of tags may share one tag information, so it is kept once and numbered.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tbwidget.records.indices import repeat
from tbwidget.records.values.batch import Occurrence, UniformOccurrences
from tbwidget.records.values.forms import NUMBER
from tbwidget.records.values.summary import TagInfo, ValueInfo

Int32s = npt.NDArray[np.int32]
Int64s = npt.NDArray[np.int64]


class LayoutValues:
    """The values of each layout, by its number."""

    def __init__(self) -> None:
        self._tag_infos: list[TagInfo] = []
        self._ambiguous: list[bool] = []  # of each of them
        self._numbers: dict[TagInfo, int] = {}
        self._ends = np.zeros(1, np.int64)  # of each layout's values in the columns below, behind a zero
        self._tags = np.empty(0, np.int32)
        self._info_numbers = np.empty(0, np.int32)  # indices of the tag information

    def __len__(self) -> int:
        return len(self._ends) - 1

    def number(self, tag_info: TagInfo) -> int:
        """The number of a tag information, a new one if it has none."""
        number = self._numbers.get(tag_info)
        if number is None:
            number = len(self._tag_infos)
            self._tag_infos.append(tag_info)
            self._ambiguous.append(tag_info.form == NUMBER and tag_info.plugin != "scalars")
            self._numbers[tag_info] = number
        return number

    def ambiguous(self, info_numbers: Int32s) -> npt.NDArray[np.bool_]:
        """Which of these are numbers in tensors that are not declared as scalars."""
        ambiguous = [self._ambiguous[number] for number in info_numbers.ravel().tolist()]
        return np.array(ambiguous, np.bool_).reshape(info_numbers.shape)

    def add(self, tags: Int32s, info_numbers: Int32s) -> None:
        """Add n layouts of m values each: tags int32[n, m], and the numbers of their information, int32[n, m]."""
        self._tags = np.concatenate((self._tags, tags.ravel()))
        self._info_numbers = np.concatenate((self._info_numbers, info_numbers.ravel()))
        self._ends = np.concatenate((self._ends, self._ends[-1] + tags.shape[1] * np.arange(1, len(tags) + 1)))

    def occurrences(self, layouts: Int64s, records: Int64s) -> tuple[list[Occurrence], UniformOccurrences | None]:
        """What values declare, of layouts first met at these records, in order: one by one, or else all alike."""
        places = self._ends[layouts]
        counts = self._ends[layouts + 1] - places
        if len(counts) and counts.max() > 1:
            ends = np.cumsum(counts)
            places = repeat(places - ends + counts, counts) + np.arange(ends[-1])
            records = repeat(records, counts)
        tags, info_numbers = self._tags[places], self._info_numbers[places]
        if not len(info_numbers):
            return [], None
        if (info_numbers == info_numbers[0]).all():
            return [], UniformOccurrences(self._tag_infos[info_numbers[0]], records, tags)
        return [
            Occurrence(record, ValueInfo(tag, *self._tag_infos[number]))
            for record, tag, number in zip(records.tolist(), tags.tolist(), info_numbers.tolist(), strict=True)
        ], None
