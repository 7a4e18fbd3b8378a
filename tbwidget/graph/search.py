"""Finding nodes by their texts: name, op, attributes, shapes."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import partial

import numpy as np

from tbwidget.graph.arrays import Bools, Ints
from tbwidget.graph.attributes import attribute_text, decoded, read_attribute
from tbwidget.graph.parse import Nodes
from tbwidget.graph.shapes import TIMES, Shape, shape_text
from tbwidget.proto.graph_pb2 import NodeParts

_TYPED_TIMES = re.compile(r"(?<=[0-9?])\s*[x*]\s*(?=[0-9?])")


class AttributeIndex:
    """The distinct attributes of a graph as lines of text, and which nodes have them."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._numbers: dict[Hashable, int] = {}
        self._nodes = array("q")
        self._attributes = array("q")

    def add(self, node: int, key: Hashable, text: Callable[[], str]) -> None:
        """Note that a node has an attribute; `text` is asked when `key` is new."""
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.texts)
            self.texts.append(text())
        self._nodes.append(node)
        self._attributes.append(number)

    def nodes(self, chosen: Bools) -> Ints:
        """Nodes that have one of the chosen attributes."""
        attributes = np.array(self._attributes, np.int64)
        return np.array(self._nodes, np.int64)[chosen[attributes]]


def index_messages(data: bytes, nodes: Nodes) -> AttributeIndex:
    """Index the attributes that stand in the bytes of a graph."""
    index = AttributeIndex()
    for node, (begin, end) in enumerate(zip(nodes.begin.tolist(), nodes.end.tolist(), strict=True)):
        if begin < end:
            for attribute in NodeParts.FromString(data[begin:end]).attr:
                index.add(node, (attribute.key, attribute.value), partial(_line, attribute.key, attribute.value))
    return index


def _line(key: bytes, value: bytes) -> str:
    return f"{decoded(key)}={attribute_text(read_attribute(value))}"


def index_values(nodes: Nodes, attributes: dict[str, dict[str, object]]) -> AttributeIndex:
    """Index attributes that are known by the names of their nodes."""
    index = AttributeIndex()
    for node, name in enumerate(nodes.names):
        for key, value in attributes.get(name, {}).items():
            text = f"{key}={attribute_text(value)}"
            index.add(node, text, text.__str__)
    return index


def find_nodes(
    nodes: Nodes, shapes: Sequence[tuple[Shape, ...]], attributes: AttributeIndex, text: str | re.Pattern[str]
) -> Ints:
    """Nodes in whose name, op, attributes (`key=value`) or output shapes the text or pattern occurs, in order.

    Text is looked for without regard to case; in shapes, an `x` between sizes stands for the sign between them.
    """
    if isinstance(text, str):
        search = re.compile(re.escape(text), re.IGNORECASE).search
        sizes = re.compile(re.escape(_TYPED_TIMES.sub(TIMES, text)), re.IGNORECASE).search
    else:
        search = sizes = text.search
    found = _hits(search, nodes.names)
    found |= _hits(search, nodes.ops)[nodes.op]
    listed = _hits(sizes, [", ".join(map(shape_text, outputs)) for outputs in shapes])
    found |= np.append(listed, False)[nodes.shape_value]
    found[attributes.nodes(_hits(search, attributes.texts))] = True
    return np.flatnonzero(found[: nodes.count])


def _hits(search: Callable[[str], object], texts: Iterable[str]) -> Bools:
    return np.array([search(text) is not None for text in texts], np.bool_)
