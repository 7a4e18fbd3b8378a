"""Tensors of any plugin, as they were written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tbwidget.logs.kinds.declare import Kind, Table, elements, fits_memory
from tbwidget.logs.sequences import ItemSequence, ReadOnlyArrays
from tbwidget.reasons import Reason
from tbwidget.records.values import forms
from tbwidget.records.values.arrays import Array, TensorError, array_of

if TYPE_CHECKING:
    from tbwidget.logs.source import LogSource
    from tbwidget.proto.summary_pb2 import Summary


_TENSOR_KINDS = frozenset({"histograms", "images", "audio", "text", "pr_curves", "meshes", "custom_scalars"})
"""Other kinds whose values may be tensors."""


@dataclass(frozen=True, slots=True, eq=False)
class Tensor(ReadOnlyArrays):
    """One tensor."""

    step: int
    wall_time: float
    """Seconds since the epoch."""
    value: Array
    """In the shape and dtype written (a dtype of ml_dtypes where numpy has none); strings are bytes. Read-only.

    One value written for all elements takes no memory for them: `numpy.broadcast_to` made the array.
    """

    def __repr__(self) -> str:
        """Say at which step, the dtype and the shape."""
        return f"Tensor(step {self.step}, {self.value.dtype} {list(self.value.shape)})"


class Tensors(ItemSequence[Tensor]):
    """The tensors of one tag of one run, n of them in the order written."""

    def _decode(self, index: int, value: Summary.Value) -> Tensor:
        if not value.HasField("tensor"):
            raise TensorError(Reason("tensor-expected"))
        return Tensor(int(self.step[index]), float(self.wall_time[index]), array_of(value.tensor))


def _table(tensors: Tensors) -> dict[str, Array]:
    values = [
        (index, _numpy_own(tensor.value))
        for index, tensor in tensors.readable()
        if tensor.value.ndim <= 1 and fits_memory(tensor.value)
    ]
    return elements(tensors.step, tensors.wall_time, values, np.empty(0))


def _numpy_own(value: Array) -> Array:
    """The same numbers in a dtype that numpy itself has, which pandas needs."""
    return value if value.dtype.isbuiltin == 1 else value.astype(np.float64)


def tensors(source: LogSource, run: str, tag: str, *, superseded: bool = False) -> Tensors:
    """Return the tensors of a tag as they were written, whichever plugin wrote them.

    Values that a restart wrote again are left out unless `superseded` is true.

    Raises:
        KeyError: The run or the tag does not exist, or the values of the tag are no tensors.

    Example:
        >>> logs.tensors("run1", "my_plugin")[-1].value
    """
    kind = source.kind(run, tag)
    wanted = kind if kind in _TENSOR_KINDS else KIND.name
    return Tensors(source.items(run, tag, wanted, superseded=superseded))


KIND = Kind(
    "tensors",
    forms=forms.NUMERIC_TENSORS | forms.STRING_TENSORS,
    table=Table(_table, {"element": np.int64, "value": np.float64}),
)
