"""numpy's functions of counts and indices, which take 64 bits on any system here.

Where addresses have 32 bits, as in Pyodide, `numpy.repeat`, `numpy.bincount`, `reduceat` and `take` refuse int64.
Elsewhere nothing is copied here.
"""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

_S = TypeVar("_S", bound=np.generic)


def repeat(values: npt.NDArray[_S], counts: npt.ArrayLike) -> npt.NDArray[_S]:
    """Each value as often as its count, or as one count, says: `numpy.repeat`."""
    return np.repeat(values, np.asarray(counts, np.intp))


def bincount(numbers: npt.ArrayLike, minlength: int = 0) -> npt.NDArray[np.int64]:
    """Count each number from 0 on: `numpy.bincount`."""
    return np.bincount(np.asarray(numbers, np.intp), minlength=minlength).astype(np.int64, copy=False)


def reduceat(combine: np.ufunc, values: npt.NDArray[Any], starts: npt.ArrayLike, dtype: Any = None) -> npt.NDArray[Any]:
    """The stretches that begin at these indices, each combined to one value: `numpy.ufunc.reduceat`."""
    found: npt.NDArray[Any] = combine.reduceat(values, np.asarray(starts, np.intp), dtype=dtype)
    return found
