"""The forms that a value of a summary can have, told without decoding it: what decides whether it fits a kind."""

from __future__ import annotations

import math

from tbwidget.proto import tensor_pb2 as pb
from tbwidget.records.tensors import FLOAT8, base_dtype, content_format, typed_values

SIMPLE_VALUE, NUMBER = "simple value", "tensor of one number"
HISTO, IMAGE, AUDIO = "histogram", "image", "audio clip"
TRIPLES, SIX_ROWS, SIX_TRIPLES, POINTS, NUMBERS = (
    "numeric tensor of shape [k, 3]",
    "numeric tensor of shape [6, t]",
    "numeric tensor of shape [6, 3]",
    "numeric tensor of shape [b, n, 3]",
    "numeric tensor",
)
STRING, STRINGS, TWO_STRINGS, PAIRS, STRING_ARRAY = (
    "string",
    "list of fewer than two strings",
    "list of strings",
    "string tensor of shape [k, 2]",
    "string tensor",
)
UNTRUE, STRANGE, NOTHING = (
    "tensor whose values are not as many as its shape says",
    "tensor of a type without values",
    "value without content",
)

FORMS = (
    *(SIMPLE_VALUE, NUMBER, HISTO, IMAGE, AUDIO),
    *(TRIPLES, SIX_ROWS, SIX_TRIPLES, POINTS, NUMBERS),
    *(STRING, STRINGS, TWO_STRINGS, PAIRS, STRING_ARRAY),
    *(UNTRUE, STRANGE, NOTHING),
)
"""All of them; columns hold their places here."""
CODES = {form: code for code, form in enumerate(FORMS)}

NUMERIC_TENSORS = frozenset({NUMBER, TRIPLES, SIX_ROWS, SIX_TRIPLES, POINTS, NUMBERS})
STRING_TENSORS = frozenset({STRING, STRINGS, TWO_STRINGS, PAIRS, STRING_ARRAY})

_COMPLEX: dict[int, str] = {pb.DT_COMPLEX64: "scomplex_val", pb.DT_COMPLEX128: "dcomplex_val"}
_WIDTHS: dict[int, int] = {pb.DT_BFLOAT16: 2, pb.DT_BOOL: 1, pb.DT_COMPLEX64: 8, pb.DT_COMPLEX128: 16}
# One to a byte, like bool: int4 and smaller, and float4.
_BYTES = frozenset(range(pb.DT_INT4, pb.DT_FLOAT4_E2M1FN + 1)) | FLOAT8
_MOST_DIMENSIONS = 32  # of a numpy 1 array
_MOST_BYTES = 1 << 62  # of an array, though one value may stand for all its elements
_MOST_REPEATED = 1 << 20  # strings that a shorter list may stand for


def tensor_form(tensor: pb.TensorProto, *, cut: int = 0) -> tuple[str, int]:
    """The form of a tensor that is not one number, and how many elements its shape says it has.

    Fewer typed values than elements are as they should be: the last one stands for the rest (tensor.proto). Of a
    tensor whose values were left out, `cut` says how many bytes they may take; what they are is not looked at then.
    """
    dtype = base_dtype(tensor)
    content = 0 if dtype == pb.DT_STRING else len(tensor.tensor_content)
    key = (dtype, tensor.tensor_shape.SerializeToString(), content, 0 if content else _typed(tensor, dtype), cut)
    found = _found.get(key)
    if found is None:
        if len(_found) >= _MOST_FOUND:
            _found.clear()
        found = _found[key] = _tensor_form(tensor.tensor_shape, dtype, *key[2:])
    return found


_found: dict[tuple[int, bytes, int, int, int], tuple[str, int]] = {}
_MOST_FOUND = 1 << 12


def _tensor_form(shape: pb.TensorShapeProto, dtype: int, content: int, typed: int, cut: int) -> tuple[str, int]:
    """The same, of a tensor with `content` bytes of content, or so many typed values."""
    sizes = [dim.size for dim in shape.dim]
    if shape.unknown_rank or len(sizes) > _MOST_DIMENSIONS or any(size < 0 for size in sizes):
        return UNTRUE, 0
    elements = math.prod(sizes)
    if dtype == pb.DT_STRING:
        given = typed + cut // 2  # two bytes each, at least
        if typed > elements or (elements and not given) or elements > max(given, _MOST_REPEATED):
            return UNTRUE, 0
        return _string_form(sizes), elements
    width = _width(dtype)
    if not width:
        return STRANGE, 0
    whole = content == elements * width if content else _fill(typed, elements)
    true = elements != 1 if cut else whole
    if not true or elements >= _MOST_BYTES // width:
        return UNTRUE, 0
    return NUMBERS if dtype in _COMPLEX else _numeric_form(sizes), elements


def _fill(given: int, elements: int) -> bool:
    return given <= elements and (given > 0 or not elements)


def _width(dtype: int) -> int:
    """Bytes of an element in tensor_content; 0 for types that have none."""
    plain = content_format(dtype)
    return int(plain[-1]) if plain else _WIDTHS.get(dtype, int(dtype in _BYTES))


def _typed(tensor: pb.TensorProto, dtype: int) -> int:
    """How many elements the field of the type holds; -1 for half a complex number."""
    if dtype == pb.DT_STRING:
        return len(tensor.string_val)
    if dtype in _COMPLEX:
        parts = len(getattr(tensor, _COMPLEX[dtype]))
        return -1 if parts % 2 else parts // 2
    if dtype in FLOAT8:
        return len(tensor.float8_val)
    return len(typed_values(tensor, dtype))


def _string_form(sizes: list[int]) -> str:
    if not sizes:
        return STRING
    if len(sizes) == 1:
        return TWO_STRINGS if sizes[0] > 1 else STRINGS
    return PAIRS if len(sizes) == 2 and sizes[1] == 2 else STRING_ARRAY  # noqa: PLR2004 (the shape in the name)


def _numeric_form(sizes: list[int]) -> str:
    triples = bool(sizes) and sizes[-1] == 3  # noqa: PLR2004 (the shape in the name)
    if len(sizes) == 3:  # noqa: PLR2004 (the rank)
        return POINTS if triples else NUMBERS
    if len(sizes) != 2:  # noqa: PLR2004 (the rank)
        return NUMBERS
    if sizes[0] == 6:  # noqa: PLR2004 (the shape in the name)
        return SIX_TRIPLES if triples else SIX_ROWS
    return TRIPLES if triples else NUMBERS
