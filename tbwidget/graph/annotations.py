"""What is drawn beside a node: the constants and parameters that it reads, the summaries of it."""

from __future__ import annotations

from typing import Any, NamedTuple

from tbwidget.graph.attributes import attribute_text
from tbwidget.graph.embedding import Embedded
from tbwidget.graph.torch import held_value

_LONGEST = 80


class Annotation(NamedTuple):
    """Something embedded beside a node."""

    name: str
    """Of the embedded node."""
    kind: Embedded
    label: str
    """The value of a constant, the name of a parameter or summary."""


def annotation(name: str, op: str, kind: Embedded, attributes: dict[str, Any]) -> Annotation:
    """Say what an embedded node is."""
    last = name.rpartition("/")[2]
    held = attributes.get("attr")
    if isinstance(held, str) and op.startswith("prim::"):
        label = held_value(held) or op.rpartition("::")[2]
    elif kind == Embedded.CONSTANT and "value" in attributes:
        label = attribute_text(attributes["value"])
    else:
        label = last
    return Annotation(name, kind, label if len(label) <= _LONGEST else f"{label[:_LONGEST]}…")
