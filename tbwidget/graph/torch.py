"""Readable names for the nodes of a torch trace.

`torch.utils.tensorboard` names a node by the modules around it and the number or name of a value in the trace
(`GPT/Block[0]/Attn[attn]/5459`). The op mostly has a namespace of TorchScript (`aten::linear`). The content of a
`prim::Constant` or `prim::GetAttr` is in the text of one attribute, `attr`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

INPUT_OUTPUT = "IO Node"
"""Op of a trace's inputs and outputs."""

CONSTANT = "prim::Constant"
"""Op of constants; one without a value is None."""

_NAMESPACES = ("aten::", "prim::")
_NUMBERED = re.compile(r"(?:(?P<word>[^.]*[^.0-9][^.]*)(?:\.[0-9]+)?|[0-9]+)")
_UNNAMED = frozenset({"input", "output", "x", "out", "result"})  # names of values without a name of their own
_VALUE = re.compile(r"\{\s*(?:value|name)\s*:\s*(?P<value>.*?)\s*\}", re.DOTALL)


def is_trace(ops: Iterable[str]) -> bool:
    """Whether these are the ops of a trace of torch."""
    return any(op == INPUT_OUTPUT or op.startswith(_NAMESPACES) for op in ops)


def call_label(label: str, op: str) -> str:
    """Say what a node does, and what its value is called if someone named it: `linear`, `transpose (q)`."""
    if op == INPUT_OUTPUT:
        return label
    does = op.rpartition("::")[2]
    match = _NUMBERED.fullmatch(label)
    word = match["word"] if match else label
    return does if not word or word in _UNNAMED else f"{does} ({word})"


def held_value(attribute: str) -> str:
    """Return a constant's value, or a fetched attribute's name, from the text of `attr`; empty if it has none."""
    match = _VALUE.fullmatch(attribute)
    return match["value"] if match else ""
