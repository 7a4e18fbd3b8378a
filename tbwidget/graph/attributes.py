"""Attributes of a node, read from its bytes when asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from google.protobuf.message import DecodeError

from tbwidget.graph.shapes import Shape, shape_of, shape_text
from tbwidget.proto.graph_pb2 import AttrValue, NodeParts
from tbwidget.proto.tensor_pb2 import DataType, TensorProto
from tbwidget.records.values.arrays import TensorError, array_of

_REFERENCE = 100  # added to a type's number for a reference to it
_MAX_ITEMS = 200


class TensorAttribute(NamedTuple):
    """A tensor among a node's attributes, such as the value of a constant."""

    dtype: str
    """Name of its DataType."""
    shape: Shape
    value: float | bool | str | None
    """Where there is only one; for larger tensors None."""

    def __str__(self) -> str:
        """The value, or else type and shape."""
        return f"{self.dtype} {shape_text(self.shape)}" if self.value is None else str(self.value)


def read_attributes(data: bytes, place: tuple[int, int]) -> dict[str, Any]:
    """The attributes of the NodeDef at a place in the data, by name, in the order written.

    Values are str, int, float, bool, a type's name, a shape as a tuple, a TensorAttribute, a list of such, or the name
    of a function; None where the bytes cannot be parsed.
    """
    try:
        node = NodeParts.FromString(data[slice(*place)])
    except DecodeError:
        return {}
    return {decoded(attribute.key): read_attribute(attribute.value) for attribute in node.attr}


def read_attribute(value: bytes) -> Any:
    """The value of a serialized AttrValue, as `read_attributes` gives it."""
    try:
        message = AttrValue.FromString(value)
    except DecodeError:
        return None
    kind = message.WhichOneof("value")
    if kind is None:
        return None
    if kind != "list":
        return _VALUES[kind](getattr(message, kind))
    return [_VALUES[name.name](item) for name, items in message.list.ListFields() for item in items]


def decoded(text: bytes) -> str:
    """Text as it was written, whatever its bytes."""
    return text.decode("utf-8", "surrogateescape")


def encoded(text: str) -> bytes:
    """The bytes of a text that `decoded` gives; what neither holds becomes a visible escape."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace")


def type_name(number: int) -> str:
    """The name of a DataType; of one that this version does not know, its number."""
    reference = number > _REFERENCE
    base = number - _REFERENCE if reference else number
    try:
        name: str = DataType.Name(base)
    except ValueError:
        return str(number)
    return f"{name}_REF" if reference else name


def tensor_attribute(message: TensorProto) -> TensorAttribute:
    """Type, shape and, of one element, value."""
    return TensorAttribute(type_name(message.dtype), shape_of(message.tensor_shape), _only_value(message))


def _only_value(message: TensorProto) -> float | bool | str | None:
    shape = shape_of(message.tensor_shape)
    if shape is None or any(size != 1 for size in shape):
        return None
    try:
        value = array_of(message).item()
    except TensorError:
        return None
    if isinstance(value, bytes):
        return decoded(value)
    return value if isinstance(value, float | int) else None


_VALUES: dict[str, Callable[[Any], Any]] = {
    "s": decoded,
    "i": int,
    "f": float,
    "b": bool,
    "type": type_name,
    "shape": shape_of,
    "tensor": tensor_attribute,
    "placeholder": str,
    "func": lambda function: function.name,
}


def attribute_text(value: Any) -> str:
    """Say the value of an attribute in one line."""
    if value is None:
        return ""
    if isinstance(value, TensorAttribute):
        return str(value)
    if isinstance(value, tuple):
        return shape_text(value)
    if isinstance(value, list):
        return f"[{', '.join(map(attribute_text, value[:_MAX_ITEMS]))}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
