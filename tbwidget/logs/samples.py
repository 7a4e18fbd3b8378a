"""Images and audio: values that hold several samples each, found without being read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from tbwidget.logs.sequences import LazySequence, readable, reported
from tbwidget.records.indices import repeat
from tbwidget.texts import format_steps

if TYPE_CHECKING:
    from tbwidget.logs.items import Items
    from tbwidget.proto.summary_pb2 import Summary

P = TypeVar("P")
"""Content of one sample in its value."""
_MAX_SAMPLES = 1 << 14  # samples that a tag may claim to have before it is looked for whether they are there
_MAX_SAMPLES_OF_VALUE = 64  # samples of one value


_TakeSample: TypeAlias = "Callable[[Summary.Value, int], P]"
"""Takes one sample out of a value; ValueError if it is not there."""


class SampleSource(Generic[P]):
    """Reads samples. A value of several is kept until its last one, since they are asked for one after the other."""

    def __init__(self, items: Items, part: _TakeSample[P], counts: npt.NDArray[np.int64]) -> None:
        """`counts` has the number of samples of each value."""
        self._items = items
        self._part = part
        self._counts = counts
        self._last: tuple[int, Summary.Value] | None = None

    def read(self, index: int, sample: int) -> P:
        """One sample of the value at an index. Raises ValueError where the bytes are no longer there or no such."""
        last = self._last
        if last is not None and last[0] == index:
            value = last[1]
        else:
            value = self._items.value(index)
            self._last = (index, value)
        if sample + 1 >= self._counts[index]:
            self._last = None
        return self.part(index, value, sample)

    def part(self, index: int, value: Summary.Value, sample: int) -> P:
        """One sample of a value that was read; ValueError, and a problem, if it is not there."""
        with reported(self._items, index):
            return self._part(value, sample)

    def readable(self, indices: list[int]) -> Iterator[tuple[int, Summary.Value]]:
        """Values read many at once, as far as they can be read, with their indices."""
        return readable(self._items, indices)


class Sample(Generic[P]):
    """One sample; nothing of it is read before it is asked for."""

    __slots__ = ("_index", "_source", "sample", "step", "wall_time")

    def __init__(self, source: SampleSource[P], index: int, step: int, wall_time: float, sample: int) -> None:
        self._source = source
        self._index = index
        self.step = step
        self.wall_time = wall_time
        """Seconds since the epoch."""
        self.sample = sample
        """Its index among the samples of its value."""

    def _read(self) -> P:
        return self._source.read(self._index, self.sample)


S = TypeVar("S", bound="Sample[Any]")


class SampleSequence(LazySequence[S], Generic[S, P]):
    """The samples of one tag of one run: by step, then by sample, or in the order written."""

    _element: type[S]

    def __init__(self, items: Items, counts: npt.NDArray[np.int64], part: _TakeSample[P], *, by_step: bool) -> None:
        """`counts` has the number of samples of each value."""
        counts = _written_counts(items, counts)
        self._source = SampleSource(items, part, counts)
        index = repeat(np.arange(len(items)), counts)
        sample = np.arange(len(index)) - repeat(np.cumsum(counts) - counts, counts)
        if by_step:
            order = np.lexsort((sample, items.step[index]))
            index, sample = index[order], sample[order]
        self._index = index
        self.step: npt.NDArray[np.int64] = items.step[index]
        """int64[n], all 64 bits."""
        self.wall_time: npt.NDArray[np.float64] = items.wall_time[index]
        """float64[n], seconds since the epoch."""
        self.sample: npt.NDArray[np.int64] = sample
        """int64[n]: the place of each among the samples of its value."""
        self.revision = items.revision
        """As long as it stays the same, values are only added."""
        self.superseded = items.superseded
        """Values left out, because a later restart of the same training wrote their steps again."""
        for column in (self.step, self.wall_time, self.sample):
            column.flags.writeable = False

    @property
    def identity(self) -> list[tuple[int, int]]:
        """One a sample: the same for the same sample as long as the revision is, wherever others move it."""
        return list(zip(self._index.tolist(), self.sample.tolist(), strict=True))

    def __len__(self) -> int:
        """Count the samples."""
        return len(self._index)

    def _at(self, index: int) -> S:
        return self._element(
            self._source,
            int(self._index[index]),
            int(self.step[index]),
            float(self.wall_time[index]),
            int(self.sample[index]),
        )

    def __repr__(self) -> str:
        """Say how many samples there are and over which steps."""
        return f"{type(self).__name__}({format_steps(self.step, 'sample')})"

    def _parts(self) -> Iterator[tuple[int, P]]:
        """Every sample that can be read, with its place; read many at once."""
        order = np.argsort(self._index, kind="stable")
        bounds = np.searchsorted(self._index[order], np.arange(self._index.max(initial=-1) + 2))
        for index, value in self._source.readable(np.unique(self._index).tolist()):
            for place in order[bounds[index] : bounds[index + 1]].tolist():
                try:
                    yield place, self._source.part(index, value, int(self.sample[place]))
                except ValueError:
                    continue


def _written_counts(items: Items, counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The numbers of samples. Where shapes claim very many, only the samples that were written count."""
    if counts.sum() <= _MAX_SAMPLES:
        return counts
    counts = counts.copy()
    many = np.flatnonzero(counts > _MAX_SAMPLES_OF_VALUE)
    there = np.zeros(len(counts), np.int64)
    for index, value in readable(items, many.tolist()):
        there[index] = len(value.tensor.string_val)
    counts[many] = np.minimum(counts[many], there[many])
    return counts
