"""A tensor's form follows from its type and shape, and from whether its values match the shape."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tbwidget.proto import tensor_pb2 as pb
from tbwidget.records.values import forms
from tbwidget.records.values.forms import tensor_form


def shape(*sizes: int) -> pb.TensorShapeProto:
    return pb.TensorShapeProto(dim=[pb.TensorShapeProto.Dim(size=size) for size in sizes])


def tensor(dtype: int, sizes: tuple[int, ...], **fields: object) -> pb.TensorProto:
    return pb.TensorProto(dtype=dtype, tensor_shape=shape(*sizes), **fields)  # type: ignore[arg-type]


def form_of(made: pb.TensorProto, *, cut: int = 0) -> str:
    return tensor_form(made, cut=cut)[0]


@pytest.mark.parametrize(
    ("sizes", "form"),
    [
        ((0,), forms.NUMBERS),
        ((5,), forms.NUMBERS),
        ((30, 3), forms.TRIPLES),
        ((0, 3), forms.TRIPLES),
        ((6, 3), forms.SIX_TRIPLES),
        ((6, 127), forms.SIX_ROWS),
        ((6, 0), forms.SIX_ROWS),
        ((3, 6), forms.NUMBERS),
        ((1, 8, 3), forms.POINTS),
        ((1, 8, 4), forms.NUMBERS),
        ((6, 3, 1), forms.NUMBERS),
        ((1, 1, 2, 3), forms.NUMBERS),
    ],
)
def test_numeric_shapes(sizes: tuple[int, ...], form: str) -> None:
    content = np.zeros(sizes, "<f4").tobytes()
    assert form_of(tensor(pb.DT_FLOAT, sizes, tensor_content=content)) == form
    if content:
        assert form_of(tensor(pb.DT_FLOAT, sizes, float_val=[1.0])) == form  # one value repeats for all elements
        assert form_of(tensor(pb.DT_FLOAT, sizes)) == forms.MISMATCHED


@pytest.mark.parametrize(
    ("sizes", "form"),
    [
        ((), forms.STRING),
        ((0,), forms.STRINGS),
        ((1,), forms.STRINGS),
        ((2,), forms.TWO_STRINGS),
        ((4, 2), forms.PAIRS),
        ((2, 4), forms.STRING_ARRAY),
        ((1, 1, 2), forms.STRING_ARRAY),
    ],
)
def test_string_shapes(sizes: tuple[int, ...], form: str) -> None:
    made = tensor(pb.DT_STRING, sizes, string_val=[b"text"] * int(np.prod(sizes)))
    assert tensor_form(made) == (form, int(np.prod(sizes)))
    made.string_val.append(b"one more")
    assert form_of(made) == forms.MISMATCHED


@pytest.mark.parametrize(
    "made",
    [
        tensor(pb.DT_FLOAT, (2, 3), tensor_content=bytes(23)),
        tensor(pb.DT_FLOAT, (2, 3), tensor_content=bytes(28)),
        tensor(pb.DT_FLOAT, (2, 3), float_val=[0.0] * 7),
        tensor(pb.DT_FLOAT, (2, 3), double_val=[0.0] * 6),  # the field of another type
        tensor(pb.DT_FLOAT, (-1, 3), float_val=[1.0]),
        tensor(pb.DT_FLOAT, (-1, -3), float_val=[1.0] * 3),
        tensor(pb.DT_FLOAT, (2**62, 2**62), float_val=[1.0]),
        tensor(pb.DT_FLOAT, (0, 3), float_val=[1.0]),
        tensor(pb.DT_FLOAT, (1,) * 33, float_val=[1.0]),
        tensor(pb.DT_COMPLEX64, (2,), scomplex_val=[1.0] * 3),
        tensor(pb.DT_STRING, (2**40,), string_val=[b"all alike"]),
        pb.TensorProto(dtype=pb.DT_FLOAT, tensor_shape=pb.TensorShapeProto(unknown_rank=True), float_val=[1.0, 2.0]),
    ],
)
def test_tensors_that_do_not_match_their_shape(made: pb.TensorProto) -> None:
    assert form_of(made) == forms.MISMATCHED


@pytest.mark.parametrize("dtype", [0, pb.DT_RESOURCE, pb.DT_VARIANT, 34, 99, 2000])
def test_types_without_values(dtype: int) -> None:
    assert form_of(tensor(dtype, (2,), tensor_content=b"12345678")) == forms.UNSUPPORTED


WIDTHS = {
    1: (pb.DT_UINT8, pb.DT_INT8, pb.DT_BOOL, pb.DT_QINT8, pb.DT_QUINT8, pb.DT_INT4, pb.DT_UINT4, pb.DT_FLOAT8_E5M2),
    2: (pb.DT_INT16, pb.DT_UINT16, pb.DT_QINT16, pb.DT_QUINT16, pb.DT_HALF, pb.DT_BFLOAT16),
    4: (pb.DT_FLOAT, pb.DT_INT32, pb.DT_UINT32, pb.DT_QINT32),
    8: (pb.DT_DOUBLE, pb.DT_INT64, pb.DT_UINT64, pb.DT_COMPLEX64),
    16: (pb.DT_COMPLEX128,),
}


@pytest.mark.parametrize("reference", [0, 100])
@pytest.mark.parametrize(("dtype", "width"), [(dtype, width) for width, dtypes in WIDTHS.items() for dtype in dtypes])
def test_every_type_has_its_width(dtype: int, width: int, reference: int) -> None:
    assert form_of(tensor(dtype + reference, (2, 5), tensor_content=bytes(10 * width))) == forms.NUMBERS
    assert form_of(tensor(dtype + reference, (2, 5), tensor_content=bytes(10 * width + 1))) == forms.MISMATCHED


@pytest.mark.parametrize(
    ("dtype", "fields"),
    [
        (pb.DT_HALF, {"half_val": [1, 2]}),
        (pb.DT_BFLOAT16, {"half_val": [1]}),
        (pb.DT_BOOL, {"bool_val": [True, False]}),
        (pb.DT_UINT8, {"int_val": [1, 2]}),
        (pb.DT_INT64, {"int64_val": [1, 2]}),
        (pb.DT_UINT64, {"uint64_val": [1]}),
        (pb.DT_FLOAT8_E5M2, {"float8_val": b"12"}),
        (pb.DT_COMPLEX64, {"scomplex_val": [1, 2, 3, 4]}),
        (pb.DT_COMPLEX128, {"dcomplex_val": [1, 2]}),
    ],
)
def test_typed_values_stand_in_the_field_of_their_type(dtype: int, fields: dict[str, object]) -> None:
    assert form_of(tensor(dtype, (2,), **fields)) == forms.NUMBERS
    assert form_of(tensor(dtype, (2, 0), **fields)) == forms.MISMATCHED


def test_the_last_string_repeats_for_missing_ones() -> None:
    """It repeats for a plausible number of elements, but not for any number that a few bytes can claim."""
    assert tensor_form(tensor(pb.DT_STRING, (1000,), string_val=[b"1", b"1", b""])) == (forms.TWO_STRINGS, 1000)
    assert form_of(tensor(pb.DT_STRING, (1000, 2), string_val=[b"1"])) == forms.PAIRS
    assert form_of(tensor(pb.DT_STRING, (1000,))) == forms.MISMATCHED
    assert form_of(tensor(pb.DT_STRING, (1 << 21,), string_val=[b"1"])) == forms.MISMATCHED


def test_omitted_values_are_not_inspected() -> None:
    assert form_of(tensor(pb.DT_STRING, (3,)), cut=200_000) == forms.TWO_STRINGS
    assert form_of(tensor(pb.DT_STRING, (2**40,)), cut=200_000) == forms.MISMATCHED
    assert form_of(tensor(pb.DT_FLOAT, (10_000, 3)), cut=120_000) == forms.TRIPLES
    assert form_of(tensor(pb.DT_FLOAT, (-1, 3)), cut=120_000) == forms.MISMATCHED
    assert form_of(tensor(pb.DT_FLOAT, ()), cut=120_000) == forms.MISMATCHED  # one number is not that long


@given(st.binary(max_size=200))
def test_any_bytes_have_a_form(data: bytes) -> None:
    made = pb.TensorProto()
    try:
        made.MergeFromString(data)
    except Exception:  # noqa: BLE001 (protobuf's own business)
        return
    form, elements = tensor_form(made)
    assert form in forms.CODES
    assert elements >= 0
