"""Whole tensors as arrays: every dtype, both fields for values, short lists, and invalid bytes."""

from __future__ import annotations

import struct
import tracemalloc
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tbwidget.proto import tensor_pb2 as pb
from tbwidget.records.values.arrays import MAX_REPEATED, TensorError, array_of, floats_of, text_of

Dim = pb.TensorShapeProto.Dim


def shape(*sizes: int) -> pb.TensorShapeProto:
    return pb.TensorShapeProto(dim=[Dim(size=size) for size in sizes])


def tensor(dtype: int, sizes: tuple[int, ...], **values: Any) -> pb.TensorProto:
    return pb.TensorProto(dtype=dtype, tensor_shape=shape(*sizes), **values)  # type: ignore[arg-type]


PLAIN: list[tuple[int, Any, list[Any], str]] = [
    (pb.DT_FLOAT, "<f4", [1.5, -2, 0.25, 3], "float_val"),
    (pb.DT_DOUBLE, "<f8", [0.1, -2, 0.25, 3], "double_val"),
    (pb.DT_INT8, "i1", [-7, 0, 1, 127], "int_val"),
    (pb.DT_INT16, "<i2", [-300, 0, 1, 2], "int_val"),
    (pb.DT_INT32, "<i4", [-70000, 0, 1, 2], "int_val"),
    (pb.DT_INT64, "<i8", [-(2**62), 0, 1, 2**63 - 1], "int64_val"),
    (pb.DT_UINT8, "u1", [200, 0, 1, 2], "int_val"),
    (pb.DT_UINT16, "<u2", [60000, 0, 1, 2], "int_val"),
    (pb.DT_UINT32, "<u4", [2**32 - 1, 0, 1, 2], "uint32_val"),
    (pb.DT_UINT64, "<u8", [2**64 - 1, 0, 1, 2], "uint64_val"),
    (pb.DT_BOOL, "?", [True, False, True, True], "bool_val"),
    (pb.DT_QINT8, "i1", [-7, 0, 1, 2], "int_val"),
    (pb.DT_QUINT8, "u1", [7, 0, 1, 2], "int_val"),
    (pb.DT_QINT16, "<i2", [-7, 0, 1, 2], "int_val"),
    (pb.DT_QUINT16, "<u2", [7, 0, 1, 2], "int_val"),
    (pb.DT_QINT32, "<i4", [-7, 0, 1, 2], "int_val"),
    (pb.DT_INT4, ml_dtypes.int4, [-7, 0, 1, 7], "int_val"),
    (pb.DT_UINT4, ml_dtypes.uint4, [15, 0, 1, 2], "int_val"),
]


@pytest.mark.parametrize(("dtype", "element", "values", "field"), PLAIN, ids=lambda value: str(value)[:12])
def test_both_places(dtype: int, element: Any, values: list[Any], field: str) -> None:
    expected = np.array(values, element)
    for made in (
        tensor(dtype, (2, 2), tensor_content=expected.tobytes()),
        tensor(dtype, (2, 2), **{field: values}),
        tensor(dtype + 100, (2, 2), **{field: values}),  # a reference type
    ):
        array = array_of(made)
        assert (array.dtype, array.shape, array.flags.writeable) == (np.dtype(element), (2, 2), False)
        assert array.ravel().tolist() == expected.tolist()


def test_types_that_lie_as_bits() -> None:
    halves = np.array([1.5, -2, 0], np.float16)
    assert array_of(tensor(pb.DT_HALF, (3,), half_val=halves.view(np.uint16).tolist())).tolist() == [1.5, -2, 0]
    signed = halves.view(np.int16).tolist()
    assert array_of(tensor(pb.DT_HALF, (3,), half_val=signed)).tolist() == [1.5, -2, 0]
    brains = np.array([1.5, -2, 0], ml_dtypes.bfloat16)
    array = array_of(tensor(pb.DT_BFLOAT16, (3,), half_val=brains.view(np.uint16).tolist()))
    assert (array.dtype, array.astype(float).tolist()) == (brains.dtype, [1.5, -2, 0])
    eighths = np.array([1.5, -2, 0], ml_dtypes.float8_e5m2)
    assert array_of(tensor(pb.DT_FLOAT8_E5M2, (3,), float8_val=eighths.tobytes())).astype(float).tolist() == [
        1.5,
        -2,
        0,
    ]


@pytest.mark.parametrize("dtype", [pb.DT_HALF, pb.DT_BFLOAT16])
def test_torch_writes_halves_as_the_bits_of_floats(dtype: int) -> None:
    bits = [struct.unpack("<i", struct.pack("<f", value))[0] for value in (1.5, -2.0, 0.0)]
    assert array_of(tensor(dtype, (3,), half_val=bits)).astype(float).tolist() == [1.5, -2, 0]


def test_torch_writes_bytes_as_uint32() -> None:
    array = array_of(tensor(pb.DT_UINT8, (3,), uint32_val=[0, 7, 255]))
    assert (array.dtype.name, array.tolist()) == ("uint8", [0, 7, 255])


def test_complex_numbers() -> None:
    expected = [1 + 2j, -3.5j]
    content = np.array(expected, "<c8").tobytes()
    assert array_of(tensor(pb.DT_COMPLEX64, (2,), tensor_content=content)).tolist() == expected
    assert array_of(tensor(pb.DT_COMPLEX64, (2,), scomplex_val=[1, 2, 0, -3.5])).tolist() == expected
    assert array_of(tensor(pb.DT_COMPLEX128, (3,), dcomplex_val=[1, 2, 0, -3.5])).tolist() == [*expected, -3.5j]
    with pytest.raises(TensorError, match="3 values for real and imaginary"):
        array_of(tensor(pb.DT_COMPLEX64, (2,), scomplex_val=[1, 2, 3]))


def test_strings() -> None:
    array = array_of(tensor(pb.DT_STRING, (2, 1), string_val=[b"\xff\0", b""]))
    assert (array.dtype, array.tolist()) == (np.dtype(object), [[b"\xff\0"], [b""]])
    text = text_of(tensor(pb.DT_STRING, (2,), string_val=["é".encode(), b"\xff"]))
    assert text.tolist() == ["é", "\udcff"]
    assert text_of(tensor(pb.DT_STRING, (), string_val=[b"a"])).item() == "a"
    assert text_of(tensor(pb.DT_STRING, (0,))).shape == (0,)
    with pytest.raises(TensorError, match="expected strings, found a tensor of DT_FLOAT"):
        text_of(tensor(pb.DT_FLOAT, (1,), float_val=[1]))
    with pytest.raises(TensorError, match="no known format"):
        array_of(tensor(pb.DT_STRING, (1,), tensor_content=b"\x01a"))


def test_short_lists_repeat_the_last() -> None:
    assert array_of(tensor(pb.DT_FLOAT, (2, 2), float_val=[1, 2])).tolist() == [[1, 2], [2, 2]]
    assert text_of(tensor(pb.DT_STRING, (3,), string_val=[b"a", b"b"])).tolist() == ["a", "b", "b"]
    assert array_of(tensor(pb.DT_FLOAT, (0, 3))).shape == (0, 3)


def test_one_value_for_all_takes_no_memory() -> None:
    tracemalloc.start()
    try:
        array = array_of(tensor(pb.DT_FLOAT, (2**30, 2**10), float_val=[1.5]))
        text = text_of(tensor(pb.DT_STRING, (2**40,), string_val=[b"a"]))
        assert (array.shape, array[-1, -1], text[-1]) == ((2**30, 2**10), 1.5, "a")
        with pytest.raises(TensorError, match="repeated for 1099511627776 elements"):
            floats_of(tensor(pb.DT_FLOAT, (2**40,), float_val=[1.5]))
        with pytest.raises(TensorError, match=f"at most {MAX_REPEATED} are filled in"):
            array_of(tensor(pb.DT_FLOAT, (2**30,), float_val=[1, 2]))
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (tensor(pb.DT_FLOAT, (2,), float_val=[1, 2, 3]), "3 values for 2 elements"),
        (tensor(pb.DT_FLOAT, (2,)), "0 values for 2 elements"),
        (tensor(pb.DT_FLOAT, (0,), float_val=[1]), "1 value for 0 elements"),
        (tensor(pb.DT_FLOAT, (2,), tensor_content=b"abc"), "3 bytes do not hold"),
        (tensor(pb.DT_FLOAT, (-1,), float_val=[1]), "unknown shape"),
        (pb.TensorProto(dtype=pb.DT_FLOAT, tensor_shape=pb.TensorShapeProto(unknown_rank=True)), "unknown shape"),
        (tensor(pb.DT_FLOAT, (1,) * 70, float_val=[1]), "invalid shape"),
        (tensor(pb.DT_FLOAT, (2**40, 2**40), float_val=[1]), "invalid shape"),
        (tensor(pb.DT_FLOAT, (0, 2**62)), "invalid shape"),
        (tensor(pb.DT_RESOURCE, (1,)), "no array holds a tensor of DT_RESOURCE"),
        (tensor(0, (1,)), "no array holds a tensor of DT_INVALID"),
        (tensor(99, (1,)), "no array holds a tensor of type 99"),
    ],
)
def test_invalid_arrays(made: pb.TensorProto, message: str) -> None:
    with pytest.raises(TensorError, match=message):
        array_of(made)


def test_floats_are_real_numbers() -> None:
    assert floats_of(tensor(pb.DT_BFLOAT16, (1,), half_val=[0x3FC0])).tolist() == [1.5]
    assert floats_of(tensor(pb.DT_BOOL, (2,), bool_val=[True, False])).tolist() == [1, 0]
    for made in (
        tensor(pb.DT_STRING, (1,), string_val=[b"1.5"]),
        tensor(pb.DT_COMPLEX64, (1,), scomplex_val=[1, 2]),
    ):
        with pytest.raises(TensorError, match="expected real numbers"):
            floats_of(made)


sizes = st.lists(st.one_of(st.integers(-2, 5), st.integers(-(2**63), 2**63 - 1)), max_size=5)
dtypes = st.integers(0, 140)
numbers32 = st.integers(-(2**31), 2**31 - 1)
tensors = st.builds(
    pb.TensorProto,
    dtype=dtypes,
    tensor_shape=st.builds(
        lambda sizes, unknown: pb.TensorShapeProto(dim=[Dim(size=size) for size in sizes], unknown_rank=unknown),
        sizes,
        st.sampled_from([False, False, False, True]),
    ),
    tensor_content=st.one_of(st.just(b""), st.binary(max_size=40)),
    float_val=st.lists(st.floats(width=32), max_size=4),
    double_val=st.lists(st.floats(), max_size=4),
    int_val=st.lists(numbers32, max_size=4),
    half_val=st.lists(numbers32, max_size=4),
    string_val=st.lists(st.binary(max_size=9), max_size=4),
    scomplex_val=st.lists(st.floats(width=32), max_size=5),
    bool_val=st.lists(st.booleans(), max_size=4),
    float8_val=st.binary(max_size=5),
)


@given(tensors)
@example(pb.TensorProto(dtype=pb.DT_FLOAT, tensor_shape=pb.TensorShapeProto(dim=[Dim(size=0), Dim(size=2**60)])))
def test_no_tensor_does_harm(made: pb.TensorProto) -> None:
    for decode in (array_of, text_of, floats_of):
        try:
            array = decode(made)
        except TensorError:
            continue
        assert list(array.shape) == [dim.size for dim in made.tensor_shape.dim]
        assert array.size <= MAX_REPEATED or array.strides == (0,) * array.ndim
