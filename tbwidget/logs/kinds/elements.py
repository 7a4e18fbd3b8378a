"""Tables of tensors: a row an element, for the kinds whose values are arrays."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tbwidget.records.values.arrays import MOST_REPEATED, Array


def elements(
    step: npt.NDArray[np.int64], wall_time: npt.NDArray[np.float64], values: list[tuple[int, Array]], none: Array
) -> dict[str, Array]:
    """A row an element of these values, at indices of a series; `none` has the dtype of no values."""
    rows = np.repeat(np.array([index for index, _ in values], np.int64), [value.size for _, value in values])
    return {
        "step": step[rows],
        "wall_time": wall_time[rows],
        "element": np.concatenate([np.empty(0, np.int64), *(np.arange(value.size) for _, value in values)]),
        "value": np.concatenate([value.ravel() for _, value in values]) if values else none,
    }


def is_modest(value: Array) -> bool:
    """Whether the elements are few enough, or in memory anyway."""
    return value.size <= MOST_REPEATED or 0 not in value.strides
