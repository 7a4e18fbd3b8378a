"""Whole tensors as numpy arrays, whatever their dtype and wherever the writer put the values.

The meaning follows tensorflow/python/framework/tensor_util.py (MakeNdarray): a list of values that is shorter than
the shape wants repeats its last one. One value for all costs no memory, however large the shape.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from tbwidget.proto import tensor_pb2 as pb
from tbwidget.reasons import Reason
from tbwidget.records.values.tensors import (
    BITS,
    COMPLEX,
    FLOAT8,
    TABLE,
    base_dtype,
    numbers_of_bits,
    numpy_dtype,
    typed_values,
)

MAX_REPEATED = 1 << 16
"""Elements that a shape may claim where fewer values were written, if they must be in memory."""

_INT = 4  # bytes
Array = npt.NDArray[Any]


class TensorError(ValueError):
    """A message is no tensor that can be had as an array, or not the tensor that its kind wants."""


def array_of(tensor: pb.TensorProto) -> Array:
    """The tensor as a read-only array of its shape and dtype; strings as an object array of bytes.

    bfloat16, float8 and the types below a byte have the dtypes of ml_dtypes.
    Raises TensorError where values do not fit the shape, and for types that no array holds.
    """
    return _shaped(_values(tensor), tensor.tensor_shape)


def text_of(tensor: pb.TensorProto) -> Array:
    """A string tensor as a read-only object array of str: UTF-8, other bytes as surrogates. TensorError otherwise."""
    if base_dtype(tensor) != pb.DT_STRING:
        raise TensorError(Reason("strings-expected", dtype=_name(tensor)))
    texts = [text.decode("utf-8", "surrogateescape") for text in _strings(tensor)]
    return _shaped(_objects(texts), tensor.tensor_shape)


def floats_of(tensor: pb.TensorProto) -> npt.NDArray[np.float64]:
    """A real or bool tensor as an array of float64 in memory. TensorError otherwise."""
    array = array_of(tensor)
    if array.dtype == object or array.dtype.kind == "c":
        raise TensorError(Reason("numbers-expected", dtype=_name(tensor)))
    check_broadcast_size(array)
    try:
        with np.errstate(invalid="ignore"):  # of signaling NaN
            return array.astype(np.float64)
    except ValueError as error:  # of no elements, but for its sizes there may be no array of wider ones
        raise TensorError(Reason("invalid-shape", detail=str(error))) from error


def check_broadcast_size(array: Array) -> None:
    """Raise TensorError for an array that repeats a value more often than memory should be spent on."""
    if array.size > MAX_REPEATED and 0 in array.strides:
        raise TensorError(Reason("too-many-repeats", elements=array.size, most=MAX_REPEATED))


def _values(tensor: pb.TensorProto) -> Array:
    """The values that were written, in a row."""
    dtype = base_dtype(tensor)
    if dtype == pb.DT_STRING:
        return _objects(_strings(tensor))
    if dtype in COMPLEX:
        whole, field = TABLE[dtype].name, TABLE[dtype].field
        if tensor.tensor_content:
            return _from_bytes(tensor.tensor_content, np.dtype(whole))
        parts = np.array(getattr(tensor, field), COMPLEX[dtype])
        if len(parts) % 2:
            raise TensorError(Reason("odd-complex", values=len(parts)))
        complexes: Array = parts.view(whole)
        return complexes
    element = numpy_dtype(dtype)
    if element is None:
        raise TensorError(Reason("unsupported-dtype", dtype=_name(tensor)))
    if tensor.tensor_content:
        return _from_bytes(tensor.tensor_content, element)
    if dtype in FLOAT8:
        return _from_bytes(tensor.float8_val, element)
    values = typed_values(tensor, dtype)
    if dtype in BITS:
        return numbers_of_bits(values, element)
    if element.itemsize < _INT:
        small: Array = np.array(values, np.int64).astype(element)  # numpy itself refuses numbers that are too large
        return small
    return np.array(values, element)


def _from_bytes(content: bytes, element: np.dtype[Any]) -> Array:
    if len(content) % element.itemsize:
        raise TensorError(Reason("partial-element", bytes=len(content), size=element.itemsize))
    if element == np.bool_:
        flags: Array = np.frombuffer(content, np.uint8) != 0
        return flags
    return np.frombuffer(content, element)


def _strings(tensor: pb.TensorProto) -> list[bytes]:
    if tensor.tensor_content:
        raise TensorError(Reason("packed-strings"))
    return list(tensor.string_val)


def _objects(values: list[Any]) -> Array:
    array = np.empty(len(values), object)
    array[:] = values
    return array


def _shaped(values: Array, shape: pb.TensorShapeProto) -> Array:
    if shape.unknown_rank or any(dim.size < 0 for dim in shape.dim):
        raise TensorError(Reason("unknown-shape"))
    sizes = tuple(dim.size for dim in shape.dim)
    wanted = math.prod(sizes)
    if len(values) > wanted or (wanted and not len(values)):
        raise TensorError(Reason("shape-mismatch", values=len(values), elements=wanted))
    if 1 < len(values) < wanted and wanted > MAX_REPEATED:
        raise TensorError(Reason("too-many-missing", values=len(values), elements=wanted, most=MAX_REPEATED))
    try:
        if len(values) == 1 < wanted:
            return np.broadcast_to(values.reshape((1,) * len(sizes)), sizes)
        if len(values) < wanted:
            values = np.concatenate((values, np.broadcast_to(values[-1:], wanted - len(values))))
        array = values.reshape(sizes)
    except (ValueError, OverflowError) as error:
        raise TensorError(Reason("invalid-shape", detail=str(error))) from error
    array.flags.writeable = False
    return array


def _name(tensor: pb.TensorProto) -> str:
    dtype = base_dtype(tensor)
    return pb.DataType.Name(dtype) if dtype in pb.DataType.values() else f"type {dtype}"
