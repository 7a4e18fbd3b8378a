"""Tensors of any plugin, as they were written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tbwidget.logs.sequences import ItemSequence
from tbwidget.records.arrays import Array, TensorError, array_of

if TYPE_CHECKING:
    from tbwidget.proto.summary_pb2 import Summary


@dataclass(frozen=True, slots=True, eq=False)
class Tensor:
    """One tensor."""

    step: int
    wall_time: float
    """Seconds since the epoch."""
    value: Array
    """In the shape and dtype written (those of ml_dtypes where numpy has none); strings are bytes. Read-only.

    One value written for all elements takes no memory for them: `numpy.broadcast_to` made the array.
    """

    def __repr__(self) -> str:
        """Say at which step, the dtype and the shape."""
        return f"Tensor(step {self.step}, {self.value.dtype} {list(self.value.shape)})"


class Tensors(ItemSequence[Tensor]):
    """The tensors of one tag of one run, n of them in the order written."""

    def _decode(self, index: int, value: Summary.Value) -> Tensor:
        if not value.HasField("tensor"):
            raise TensorError("a value of the older form, which is no tensor")
        return Tensor(int(self.step[index]), float(self.wall_time[index]), array_of(value.tensor))
