"""A single number from a tensor, for every dtype with real elements, in both fields that writers use."""

from __future__ import annotations

import math
import struct
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tbwidget.proto import tensor_pb2 as pb
from tbwidget.records.values.tensors import scalar_value

Dim = pb.TensorShapeProto.Dim

PLAIN: list[tuple[int, str, float]] = [
    (pb.DT_FLOAT, "<f4", 1.5),
    (pb.DT_DOUBLE, "<f8", 0.1),
    (pb.DT_HALF, "<f2", -2.5),
    (pb.DT_INT8, "i1", -7),
    (pb.DT_INT16, "<i2", -300),
    (pb.DT_INT32, "<i4", -70000),
    (pb.DT_INT64, "<i8", -(2**40)),
    (pb.DT_UINT8, "u1", 200),
    (pb.DT_UINT16, "<u2", 60000),
    (pb.DT_UINT32, "<u4", 2**31 + 5),
    (pb.DT_UINT64, "<u8", 2**63),
    (pb.DT_BOOL, "?", 1),
    (pb.DT_QINT8, "i1", -7),
    (pb.DT_QUINT8, "u1", 7),
    (pb.DT_QINT16, "<i2", -7),
    (pb.DT_QUINT16, "<u2", 7),
    (pb.DT_QINT32, "<i4", -7),
]
EXTENSIONS = [
    (pb.DT_BFLOAT16, "bfloat16", 1.5),
    (pb.DT_FLOAT8_E5M2, "float8_e5m2", -1.5),
    (pb.DT_FLOAT8_E4M3FN, "float8_e4m3fn", 1.5),
    (pb.DT_FLOAT8_E4M3FNUZ, "float8_e4m3fnuz", 1.5),
    (pb.DT_FLOAT8_E4M3B11FNUZ, "float8_e4m3b11fnuz", 1.5),
    (pb.DT_FLOAT8_E5M2FNUZ, "float8_e5m2fnuz", 1.5),
    (pb.DT_INT4, "int4", -3),
    (pb.DT_UINT4, "uint4", 9),
]
TYPED: list[tuple[int, dict[str, Any], float]] = [
    (pb.DT_FLOAT, {"float_val": [1.5]}, 1.5),
    (pb.DT_DOUBLE, {"double_val": [0.1]}, 0.1),
    (pb.DT_HALF, {"half_val": [0x3E00]}, 1.5),
    (pb.DT_BFLOAT16, {"half_val": [0x3FC0]}, 1.5),
    (pb.DT_INT8, {"int_val": [-7]}, -7),
    (pb.DT_UINT8, {"int_val": [200]}, 200),
    (pb.DT_INT32, {"int_val": [-70000]}, -70000),
    (pb.DT_INT4, {"int_val": [-3]}, -3),
    (pb.DT_QINT32, {"int_val": [-7]}, -7),
    (pb.DT_INT64, {"int64_val": [2**53 + 1]}, 2.0**53),
    (pb.DT_UINT32, {"uint32_val": [2**31 + 5]}, 2**31 + 5),
    (pb.DT_UINT64, {"uint64_val": [2**63]}, 2.0**63),
    (pb.DT_BOOL, {"bool_val": [True]}, 1),
    (pb.DT_FLOAT8_E5M2, {"float8_val": b"\x3e"}, 1.5),
    (pb.DT_FLOAT + 100, {"float_val": [1.5]}, 1.5),  # a reference type
]


@pytest.mark.parametrize(("dtype", "form", "number"), PLAIN)
def test_content(dtype: int, form: str, number: float) -> None:
    tensor = pb.TensorProto(dtype=dtype, tensor_content=np.array([number], form).tobytes())  # type: ignore[arg-type]
    assert scalar_value(tensor) == number


@pytest.mark.parametrize(("dtype", "form", "number"), EXTENSIONS)
def test_content_of_extension_types(dtype: int, form: str, number: float) -> None:
    content = np.array([number], getattr(ml_dtypes, form)).tobytes()
    assert scalar_value(pb.TensorProto(dtype=dtype, tensor_content=content)) == number  # type: ignore[arg-type]


@pytest.mark.parametrize(("dtype", "fields", "number"), TYPED)
def test_typed_fields(dtype: int, fields: dict[str, Any], number: float) -> None:
    assert scalar_value(pb.TensorProto(dtype=dtype, **fields)) == number  # type: ignore[arg-type]


@pytest.mark.parametrize("number", [math.inf, -math.inf, 5e-324, -0.0])
def test_values_that_are_not_plain_numbers(number: float) -> None:
    got = scalar_value(pb.TensorProto(dtype=pb.DT_DOUBLE, double_val=[number]))
    assert got is not None
    assert struct.pack("<d", got) == struct.pack("<d", number)


def test_nan() -> None:
    got = scalar_value(pb.TensorProto(dtype=pb.DT_FLOAT, float_val=[math.nan]))
    assert got is not None
    assert math.isnan(got)


@pytest.mark.parametrize(
    ("sizes", "is_one"), [([], True), ([1], True), ([1, 1], True), ([2], False), ([0], False), ([-1, -1], False)]
)
def test_shapes(sizes: list[int], is_one: bool) -> None:  # noqa: FBT001
    shape = pb.TensorShapeProto(dim=[Dim(size=size) for size in sizes])
    tensor = pb.TensorProto(dtype=pb.DT_FLOAT, tensor_shape=shape, float_val=[1.5])
    assert (scalar_value(tensor) is not None) == is_one


@pytest.mark.parametrize(
    "tensor",
    [
        pb.TensorProto(dtype=pb.DT_FLOAT),  # no value
        pb.TensorProto(dtype=pb.DT_FLOAT, float_val=[1, 2]),
        pb.TensorProto(dtype=pb.DT_FLOAT, tensor_content=b"\0\0\0"),
        pb.TensorProto(dtype=pb.DT_FLOAT, tensor_content=bytes(8)),
        pb.TensorProto(dtype=pb.DT_STRING, string_val=[b"1.5"]),
        pb.TensorProto(dtype=pb.DT_COMPLEX64, scomplex_val=[1, 0]),
        pb.TensorProto(dtype=pb.DT_INVALID, float_val=[1]),
        pb.TensorProto(dtype=999, float_val=[1]),  # type: ignore[arg-type]
        pb.TensorProto(dtype=pb.DT_FLOAT, float_val=[1], tensor_shape=pb.TensorShapeProto(unknown_rank=True)),
    ],
)
def test_tensors_that_are_no_scalars(tensor: pb.TensorProto) -> None:
    assert scalar_value(tensor) is None
