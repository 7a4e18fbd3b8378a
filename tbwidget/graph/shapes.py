"""Shapes of the tensors that nodes put out, as far as the graph says them.

TensorFlow and torch write them as `_output_shapes`; where that is absent, a placeholder's or variable's `shape` stands
for its one output.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from google.protobuf.message import DecodeError

from tbwidget.graph.arrays import Ints
from tbwidget.proto.graph_pb2 import AttrValue
from tbwidget.proto.tensor_pb2 import TensorShapeProto

Shape = tuple[int, ...] | None
"""Sizes of the dimensions, -1 where unknown; None if not even their number is known."""

TIMES = "\N{MULTIPLICATION SIGN}"
_LARGEST = 2.0**62
_MAX_DIMENSIONS = 254  # of a tensor in TensorFlow; what claims more is shown without its shape


class Shapes:
    """The distinct lists of output shapes in a graph."""

    def __init__(self, values: Sequence[bytes]) -> None:
        self.lists: list[tuple[Shape, ...]] = [read_shapes(value) for value in values]
        """Shapes of a node's outputs, by distinct value."""
        self._start = np.cumsum([0] + [len(shapes) for shapes in self.lists])
        self._elements = np.array([elements(shape) for shapes in self.lists for shape in shapes], np.float64)

    def sizes(self, index: Ints, slot: Ints) -> npt.NDArray[np.float64]:
        """Elements of output `slot` of nodes with shapes `index`; 1 where that is unknown, and for control edges."""
        known = (index >= 0) & (slot >= 0)
        place = self._start[index] + slot
        known &= place < self._start[np.minimum(index + 1, len(self._start) - 1)]
        size = np.ones(len(index), np.float64)
        size[known] = self._elements[place[known]]
        return size


def read_shapes(value: bytes) -> tuple[Shape, ...]:
    """The shapes in a serialized AttrValue; none if it holds no shapes, or cannot be parsed."""
    try:
        attribute = AttrValue.FromString(value)
    except DecodeError:
        return ()
    kind = attribute.WhichOneof("value")
    if kind == "list":
        return tuple(shape_of(shape) for shape in attribute.list.shape)
    return (shape_of(attribute.shape),) if kind == "shape" else ()


def write_shapes(shapes: Sequence[Shape]) -> bytes:
    """A serialized AttrValue with these shapes, as `read_shapes` reads it."""
    attribute = AttrValue()
    for shape in shapes:
        message = attribute.list.shape.add(unknown_rank=shape is None)
        for size in shape or ():
            message.dim.add(size=size)
    return bytes(attribute.SerializeToString())


def shape_of(message: TensorShapeProto) -> Shape:
    """Sizes of a shape's dimensions."""
    if message.unknown_rank or len(message.dim) > _MAX_DIMENSIONS:
        return None
    return tuple(max(dimension.size, -1) for dimension in message.dim)


def elements(shape: Shape) -> float:
    """Elements of a tensor, unknown dimensions counted as 1."""
    product = math.prod(1.0 if size < 0 else float(size) for size in shape or ())
    return min(product, _LARGEST)


def shape_text(shape: Shape) -> str:
    """Say a shape: sizes with multiplication signs between them, `?` where unknown, or `scalar`."""
    if shape is None:
        return "?"
    return TIMES.join("?" if size < 0 else str(size) for size in shape) or "scalar"
