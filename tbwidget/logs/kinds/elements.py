"""Tables of tensors: a row an element, for the kinds whose values are arrays."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tbwidget.records.indices import repeat
from tbwidget.records.values.arrays import MAX_REPEATED, Array

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
