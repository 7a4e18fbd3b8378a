"""The forms that a value of a summary can have, found without decoding it; they decide which kinds it fits."""

from __future__ import annotations

import math

from tbwidget.proto import tensor_pb2 as pb
from tbwidget.records import limits
from tbwidget.records.values.tensors import COMPLEX, FLOAT8, TABLE, base_dtype, typed_values

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
MISMATCHED, UNSUPPORTED, NOTHING = (
    "tensor whose values are not as many as its shape says",
    "tensor of a type without values",
    "value without content",
)

FORMS = (
    *(SIMPLE_VALUE, NUMBER, HISTO, IMAGE, AUDIO),
    *(TRIPLES, SIX_ROWS, SIX_TRIPLES, POINTS, NUMBERS),
    *(STRING, STRINGS, TWO_STRINGS, PAIRS, STRING_ARRAY),
    *(MISMATCHED, UNSUPPORTED, NOTHING),
)
"""All of them; columns hold their places here."""
CODES = {form: code for code, form in enumerate(FORMS)}

NUMERIC_TENSORS = frozenset({NUMBER, TRIPLES, SIX_ROWS, SIX_TRIPLES, POINTS, NUMBERS})
STRING_TENSORS = frozenset({STRING, STRINGS, TWO_STRINGS, PAIRS, STRING_ARRAY})


def tensor_form(tensor: pb.TensorProto, *, cut: int = 0) -> tuple[str, int]:
    """The form of a tensor that is not one number, and how many elements its shape says it has.

    Fewer typed values than elements are as they should be: the last one stands for the rest (tensor.proto). `cut` is
    the number of bytes of values that were left out of the tensor; their content is not examined then.
    """
    dtype = base_dtype(tensor)
    content = 0 if dtype == pb.DT_STRING else len(tensor.tensor_content)
    key = (dtype, tensor.tensor_shape.SerializeToString(), content, 0 if content else _typed(tensor, dtype), cut)
    found = _found.get(key)
    if found is None:
        if len(_found) >= limits.MAX_FORMS_KEPT:
            _found.clear()
        found = _found[key] = _tensor_form(tensor.tensor_shape, dtype, *key[2:])
    return found


_found: dict[tuple[int, bytes, int, int, int], tuple[str, int]] = {}


def _tensor_form(shape: pb.TensorShapeProto, dtype: int, content: int, typed: int, cut: int) -> tuple[str, int]:
    """The form of a tensor with `content` bytes of content, or `typed` typed values."""
    sizes = [dim.size for dim in shape.dim]
    if shape.unknown_rank or len(sizes) > limits.MAX_DIMENSIONS or any(size < 0 for size in sizes):
        return MISMATCHED, 0
    elements = math.prod(sizes)
    if dtype == pb.DT_STRING:
        given = typed + cut // 2  # two bytes each, at least
        if typed > elements or (elements and not given) or elements > max(given, limits.MAX_REPEATED_STRINGS):
            return MISMATCHED, 0
        return _string_form(sizes), elements
    if dtype not in TABLE:
        return UNSUPPORTED, 0
    is_filled = typed <= elements and (typed > 0 or not elements)
    whole = content == elements * TABLE[dtype].width if content else is_filled
    valid = elements != 1 if cut else whole
    if not valid or elements >= limits.MAX_ARRAY_BYTES // TABLE[dtype].width:
        return MISMATCHED, 0
    return NUMBERS if dtype in COMPLEX else _numeric_form(sizes), elements


def _typed(tensor: pb.TensorProto, dtype: int) -> int:
    """How many elements the field of the type holds; -1 for half a complex number."""
    if dtype == pb.DT_STRING:
        return len(tensor.string_val)
    if dtype in COMPLEX:
        parts = len(getattr(tensor, TABLE[dtype].field))
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
