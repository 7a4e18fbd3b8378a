"""The types that elements of tensors have, and the number in a tensor of a single real or bool element.

The table tells how each type lies in `tensor_content`, and which field else holds its values. See
tensorflow/core/framework/{types,tensor}.proto. The types of a byte or less lie one to a byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tbwidget.proto import tensor_pb2 as pb

_REFERENCE = 100  # a reference type's number is its base type's + 100


class DType(NamedTuple):
    """How elements of one type are written."""

    name: str
    """The numpy format, or the name in ml_dtypes."""
    width: int
    """Bytes of an element in tensor_content."""
    field: str = "int_val"
    """Holds the values that are not in tensor_content."""
    in_ml_dtypes: bool = False


TABLE: dict[int, DType] = {
    pb.DT_FLOAT: DType("<f4", 4, "float_val"),
    pb.DT_DOUBLE: DType("<f8", 8, "double_val"),
    pb.DT_HALF: DType("<f2", 2, "half_val"),
    pb.DT_INT8: DType("i1", 1),
    pb.DT_INT16: DType("<i2", 2),
    pb.DT_INT32: DType("<i4", 4),
    pb.DT_INT64: DType("<i8", 8, "int64_val"),
    pb.DT_UINT8: DType("u1", 1),
    pb.DT_UINT16: DType("<u2", 2),
    pb.DT_UINT32: DType("<u4", 4, "uint32_val"),
    pb.DT_UINT64: DType("<u8", 8, "uint64_val"),
    pb.DT_QINT8: DType("i1", 1),
    pb.DT_QINT16: DType("<i2", 2),
    pb.DT_QINT32: DType("<i4", 4),
    pb.DT_QUINT8: DType("u1", 1),
    pb.DT_QUINT16: DType("<u2", 2),
    pb.DT_BOOL: DType("?", 1, "bool_val"),
    pb.DT_COMPLEX64: DType("<c8", 8, "scomplex_val"),
    pb.DT_COMPLEX128: DType("<c16", 16, "dcomplex_val"),
    pb.DT_BFLOAT16: DType("bfloat16", 2, "half_val", in_ml_dtypes=True),
    pb.DT_FLOAT8_E5M2: DType("float8_e5m2", 1, "float8_val", in_ml_dtypes=True),
    pb.DT_FLOAT8_E4M3FN: DType("float8_e4m3fn", 1, "float8_val", in_ml_dtypes=True),
    pb.DT_FLOAT8_E4M3FNUZ: DType("float8_e4m3fnuz", 1, "float8_val", in_ml_dtypes=True),
    pb.DT_FLOAT8_E4M3B11FNUZ: DType("float8_e4m3b11fnuz", 1, "float8_val", in_ml_dtypes=True),
    pb.DT_FLOAT8_E5M2FNUZ: DType("float8_e5m2fnuz", 1, "float8_val", in_ml_dtypes=True),
    pb.DT_INT4: DType("int4", 1, in_ml_dtypes=True),
    pb.DT_UINT4: DType("uint4", 1, in_ml_dtypes=True),
    pb.DT_INT2: DType("int2", 1, in_ml_dtypes=True),
    pb.DT_UINT2: DType("uint2", 1, in_ml_dtypes=True),
    pb.DT_FLOAT4_E2M1FN: DType("float4_e2m1fn", 1, in_ml_dtypes=True),
}
"""By DataType; strings, resources and variants have no elements of a fixed size."""

COMPLEX: dict[int, str] = {pb.DT_COMPLEX64: "<f4", pb.DT_COMPLEX128: "<f8"}
"""Types whose typed values are real and imaginary parts in turn; the numpy format of those."""
BITS = frozenset(number for number, dtype in TABLE.items() if dtype.field == "half_val")
"""Types whose typed values are bit patterns."""
FLOAT8 = frozenset(number for number, dtype in TABLE.items() if dtype.field == "float8_val")
"""Types whose typed values are the bytes of one field."""


def content_format(dtype: int) -> str | None:
    """The numpy format of a real dtype's elements in tensor_content; None for bool and what numpy has no name for."""
    found = TABLE.get(dtype)
    plain = found is not None and not found.in_ml_dtypes and dtype not in COMPLEX and dtype != pb.DT_BOOL
    return found.name if found is not None and plain else None


def numpy_dtype(dtype: int) -> np.dtype[Any] | None:
    """The numpy type of one real or bool element; None for other types, and for those that ml_dtypes lacks."""
    found = TABLE.get(dtype)
    if found is None or dtype in COMPLEX:
        return None
    if not found.in_ml_dtypes:
        return np.dtype(found.name)
    import ml_dtypes  # noqa: PLC0415 (0.1 s, and rare)

    # int2, uint2 and float4 are missing from its older releases
    return np.dtype(getattr(ml_dtypes, found.name)) if hasattr(ml_dtypes, found.name) else None


def base_dtype(tensor: pb.TensorProto) -> int:
    """The tensor's type; of a reference type the type referred to."""
    return tensor.dtype - _REFERENCE if tensor.dtype > _REFERENCE else tensor.dtype


_LARGEST_HALF, _SMALLEST_HALF = 0xFFFF, -0x8000  # 16 bits, with or without a sign


def scalar_value(tensor: pb.TensorProto) -> float | None:
    """The tensor's one element as a float; None unless it has exactly one real or bool element."""
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


def typed_values(tensor: pb.TensorProto, dtype: int) -> Sequence[Any]:
    """The values of a real or bool tensor that are not in tensor_content, where these are numbers of their own."""
    values: Sequence[Any] = getattr(tensor, TABLE[dtype].field if dtype in TABLE else "int_val")
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


def _element(content: bytes, dtype: np.dtype[Any]) -> float | None:
    return float(np.frombuffer(content, dtype)[0]) if len(content) == dtype.itemsize else None
