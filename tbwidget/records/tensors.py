"""The one number in a tensor of a single real or bool element, whatever its dtype and wherever the writer put it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tbwidget.proto import tensor_pb2 as pb

_LARGEST_HALF, _SMALLEST_HALF = 0xFFFF, -0x8000  # 16 bits, with or without a sign
_REFERENCE = 100  # a reference type's number is its base type's + 100

# How one element lies in tensor_content. The types of a byte or less lie one to a byte there.
_CONTENT: dict[int, str] = {
    pb.DT_FLOAT: "<f4",
    pb.DT_DOUBLE: "<f8",
    pb.DT_HALF: "<f2",
    pb.DT_INT8: "i1",
    pb.DT_INT16: "<i2",
    pb.DT_INT32: "<i4",
    pb.DT_INT64: "<i8",
    pb.DT_UINT8: "u1",
    pb.DT_UINT16: "<u2",
    pb.DT_UINT32: "<u4",
    pb.DT_UINT64: "<u8",
    pb.DT_QINT8: "i1",
    pb.DT_QINT16: "<i2",
    pb.DT_QINT32: "<i4",
    pb.DT_QUINT8: "u1",
    pb.DT_QUINT16: "<u2",
    pb.DT_BOOL: "?",
}
_EXTENSION: dict[int, str] = {  # names in ml_dtypes
    pb.DT_BFLOAT16: "bfloat16",
    pb.DT_FLOAT8_E5M2: "float8_e5m2",
    pb.DT_FLOAT8_E4M3FN: "float8_e4m3fn",
    pb.DT_FLOAT8_E4M3FNUZ: "float8_e4m3fnuz",
    pb.DT_FLOAT8_E4M3B11FNUZ: "float8_e4m3b11fnuz",
    pb.DT_FLOAT8_E5M2FNUZ: "float8_e5m2fnuz",
    pb.DT_INT4: "int4",
    pb.DT_UINT4: "uint4",
    pb.DT_INT2: "int2",
    pb.DT_UINT2: "uint2",
    pb.DT_FLOAT4_E2M1FN: "float4_e2m1fn",
}
# Which field holds typed values, where it is not int_val.
_FIELD: dict[int, str] = {
    pb.DT_FLOAT: "float_val",
    pb.DT_DOUBLE: "double_val",
    pb.DT_INT64: "int64_val",
    pb.DT_UINT32: "uint32_val",
    pb.DT_UINT64: "uint64_val",
    pb.DT_BOOL: "bool_val",
    pb.DT_HALF: "half_val",
    pb.DT_BFLOAT16: "half_val",
}
BITS = frozenset({pb.DT_HALF, pb.DT_BFLOAT16})
"""Types whose typed values are bit patterns."""
FLOAT8 = frozenset(
    {
        pb.DT_FLOAT8_E5M2,
        pb.DT_FLOAT8_E4M3FN,
        pb.DT_FLOAT8_E4M3FNUZ,
        pb.DT_FLOAT8_E4M3B11FNUZ,
        pb.DT_FLOAT8_E5M2FNUZ,
    }
)
"""Types whose typed values are the bytes of one field."""


def content_format(dtype: int) -> str | None:
    """The numpy format of a plain dtype's elements in tensor_content; None for bool and what numpy has no name for."""
    return None if dtype == pb.DT_BOOL else _CONTENT.get(dtype)


def scalar_value(tensor: pb.TensorProto) -> float | None:
    """The tensor's one element as a float; None unless it is one real or bool element that is there."""
    dtype = base_dtype(tensor)
    if dtype == pb.DT_STRING:
        return None
    shape = tensor.tensor_shape
    if shape.unknown_rank or any(dim.size != 1 for dim in shape.dim):
        return None
    element_type = numpy_dtype(dtype)
    if element_type is None:
        return None
    if tensor.tensor_content:
        return _element(tensor.tensor_content, element_type)
    if dtype in FLOAT8:
        return _element(tensor.float8_val, element_type)
    values = typed_values(tensor, dtype)
    if len(values) != 1:
        return None
    return float(numbers_of_bits(values, element_type)[0] if dtype in BITS else values[0])


def base_dtype(tensor: pb.TensorProto) -> int:
    """The tensor's type; of a reference type the type referred to."""
    return tensor.dtype - _REFERENCE if tensor.dtype > _REFERENCE else tensor.dtype


def typed_values(tensor: pb.TensorProto, dtype: int) -> Sequence[Any]:
    """The values of a real or bool tensor that are not in tensor_content, where these are numbers of their own."""
    values: Sequence[Any] = getattr(tensor, _FIELD.get(dtype, "int_val"))
    # torch.utils.tensorboard.summary puts uint8 there.
    return tensor.uint32_val if dtype == pb.DT_UINT8 and not values else values


def numbers_of_bits(values: Sequence[int], element: np.dtype[Any]) -> npt.NDArray[Any]:
    """The numbers of two bytes each that typed values stand for as bits."""
    bits = np.array(values, np.int32)
    numbers: npt.NDArray[Any]
    if len(bits) and (bits.max() > _LARGEST_HALF or bits.min() < _SMALLEST_HALF):
        # torch.utils.tensorboard.summary.half_to_int writes the bits that the number has as float32.
        with np.errstate(over="ignore", invalid="ignore"):
            numbers = bits.view(np.float32).astype(element)
    else:
        numbers = bits.astype(np.uint16).view(element)
    return numbers


def numpy_dtype(dtype: int) -> np.dtype[Any] | None:
    """The numpy type of one real or bool element; None for other types, and for those that ml_dtypes lacks."""
    if dtype in _CONTENT:
        return np.dtype(_CONTENT[dtype])
    if dtype in _EXTENSION:
        import ml_dtypes  # noqa: PLC0415 (0.1 s, and rare)

        # int2, uint2 and float4 are missing from its older releases
        return np.dtype(getattr(ml_dtypes, _EXTENSION[dtype])) if hasattr(ml_dtypes, _EXTENSION[dtype]) else None
    return None


def _element(content: bytes, dtype: np.dtype[Any]) -> float | None:
    return float(np.frombuffer(content, dtype)[0]) if len(content) == dtype.itemsize else None
