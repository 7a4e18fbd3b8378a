"""Annotations: the constants, parameters and summaries that are drawn beside a node."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from tbwidget.graph.attributes import attribute_text
from tbwidget.graph.inlining import Inlined
from tbwidget.graph.torch import CONSTANT, held_value

MAX_LIST_ITEMS, MAX_LIST_DEPTH = 20, 2
"""Things in a list that are said, and lists in one another."""

_MAX_CHARACTERS = 80


class Annotation(NamedTuple):
    """Something inlined beside a node."""

    name: str
    """Index of the inlined node."""
    kind: Inlined
    label: str
    """The value of a constant, the name of a parameter or summary, or the content of a list."""


def annotation(name: str, op: str, kind: Inlined, attributes: dict[str, Any], inside: Sequence[str]) -> Annotation:
    """Return the annotation of an inlined node. The label of a list says what is `inside`."""
    last = name.rpartition("/")[2]
    held = attributes.get("attr")
    if kind == Inlined.PLUMBING:
        label = f"[{', '.join(inside)}]"
    elif isinstance(held, str) and op.startswith("prim::"):
        label = held_value(held) or ("None" if op == CONSTANT else op.rpartition("::")[2])
    elif kind == Inlined.CONSTANT and "value" in attributes:
        label = attribute_text(attributes["value"])
    else:
        label = last
    return Annotation(name, kind, label if len(label) <= _MAX_CHARACTERS else f"{label[:_MAX_CHARACTERS]}…")
