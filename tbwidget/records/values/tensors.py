"""The one number in a tensor of a single real or bool element, whatever its dtype and wherever the writer put it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tbwidget.proto import tensor_pb2 as pb
from tbwidget.records.values.dtypes import BITS, FLOAT8, TABLE, base_dtype, numpy_dtype

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
