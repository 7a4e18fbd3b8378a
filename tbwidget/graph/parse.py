"""One pass over the nodes of a graph: names, ops, inputs and shapes in columns, the messages dropped.

The attributes are read again when asked for: each node keeps the place of its bytes.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, repeat
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from google.protobuf.message import DecodeError

from tbwidget.graph.arrays import Bools, Ints
from tbwidget.graph.sources import GraphProblem, Part
from tbwidget.proto.graph_pb2 import GraphParts, NodeParts
from tbwidget.reasons import Reason
from tbwidget.records import indices
from tbwidget.records.files.wire import Span

CONTROL_SLOT = -1
"""The slot of a control edge, as TensorFlow counts."""

_NOWHERE = Span(0, 0)
_REFERENCES = re.compile(r"Assign|AssignAdd|AssignSub|assign.*|count_up_to|Scatter(Add|Sub|Update)|scatter_.*")
_MAX_SLOT = 2**31 - 1
_STRETCH = 1_000_000  # bytes of nodes that are parsed at once


@dataclass(frozen=True, slots=True)
class Nodes:
    """The nodes of a graph, in the order written, and every input of every node as an edge. Arrays are read-only."""

    names: list[str]
    """Distinct names: first of the `count` nodes, then of missing nodes, to which inputs refer."""
    count: int
    ops: list[str]
    """Distinct ops."""
    op: Ints
    """Index in `ops`, of each of the names; "" for those no node has."""
    devices: list[str]
    device: Ints
    clusters: list[bytes]
    """Distinct serialized AttrValues of `_XlaCluster`; empty for none."""
    cluster: Ints
    shape_values: list[bytes]
    """Distinct serialized AttrValues that give shapes of outputs."""
    shape_value: Ints
    """Index in `shape_values`; -1 where a node gives none."""
    begin: Ints
    """Place of each NodeDef in the graph's bytes; 0 to 0 where there is none."""
    end: Ints
    source: Ints
    """Source node of each edge."""
    target: Ints
    """The node whose input it is."""
    slot: Ints
    """Which output; -1 for a control edge."""
    reference: Bools
    """The input is a variable that the node changes."""

    @property
    def control(self) -> Bools:
        """Whether each edge is a control edge."""
        control: Bools = self.slot == CONTROL_SLOT
        return control

    def with_ops(self, ops: re.Pattern[str]) -> Bools:
        """Whether each of the names has an op that matches as a whole."""
        matching = np.array([ops.fullmatch(op) is not None for op in self.ops], np.bool_)
        found: Bools = matching[self.op]
        return found


class _Inputs(dict[bytes, int]):
    """Numbers distinct inputs, each taken apart once: name, and slot."""

    def __init__(self, index: dict[bytes, int]) -> None:
        self._index = index
        self.sources = array("i")
        self.slots = array("i")

    def __missing__(self, text: bytes) -> int:
        name, slot = text, 0
        if text[:1] == b"^":
            name, slot = text[1:], CONTROL_SLOT
        elif text not in self._index:
            name, slot = split_input(text)
        number = self[text] = len(self.sources)
        self.sources.append(self._index.setdefault(name, len(self._index)))
        self.slots.append(slot)
        return number


def split_input(text: bytes) -> tuple[bytes, int]:
    """Name and slot of a data input: `name`, `name:slot` or, in a function's body, `name:output:slot`."""
    name, _, rest = text.partition(b":")
    slot = rest.rpartition(b":")[2]
    return (name, min(int(slot), _MAX_SLOT)) if slot.isdigit() and len(slot) < len(str(2**63)) else (text, 0)


class NodeColumns(NamedTuple):
    """Nodes as they stand in NodeDefs, in columns."""

    name: Sequence[bytes]
    op: Sequence[bytes]
    inputs: Sequence[Sequence[bytes]]
    device: Sequence[bytes]
    shapes: Sequence[bytes | None]
    """Serialized AttrValues."""
    cluster: Sequence[bytes]
    place: Sequence[Span]
    """Span of the NodeDef in the graph's bytes."""


class NodeTable:
    """Collects nodes; a name that comes again adds its inputs to the node that there is."""

    def __init__(self) -> None:
        self.problems: list[GraphProblem] = []
        self.is_onnx = False
        self._index: dict[bytes, int] = {}
        self._ops: dict[bytes, int] = {b"": 0}
        self._devices: dict[bytes, int] = {b"": 0}
        self._clusters: dict[bytes, int] = {b"": 0}
        self._shapes: dict[bytes, int] = {}
        self._op, self._device, self._cluster, self._shape = (array("i") for _ in range(4))
        self._begin, self._end = array("q"), array("q")
        self._inputs: list[bytes] = []
        self._targets = array("i")  # of each node as written, for its inputs
        self._counts = array("i")
        self._computed: set[int] = set()
        self._repeated: dict[int, int] = {}

    def __contains__(self, name: bytes) -> bool:
        """Whether there is a node of this name."""
        return name in self._index

    def add(
        self,
        name: bytes,
        op: bytes,
        inputs: Sequence[bytes] = (),
        device: bytes = b"",
        shapes: bytes | None = None,
        cluster: bytes = b"",
        place: Span = _NOWHERE,
    ) -> None:
        """Take one node, as it stands in a NodeDef."""
        index = self._index
        node = index.setdefault(name, len(index))
        if node == len(self._op):
            self._op.append(self._ops.setdefault(op, len(self._ops)))
            self._device.append(self._devices.setdefault(device, len(self._devices)))
            self._cluster.append(self._clusters.setdefault(cluster, len(self._clusters)))
            self._shape.append(-1 if shapes is None else self._shapes.setdefault(shapes, len(self._shapes)))
            self._begin.append(place[0])
            self._end.append(place[1])
        else:
            if inputs and node not in self._computed:
                # tensorboardX writes an ONNX graph's outputs as variables before the node that computes them.
                self._op[node] = self._ops.setdefault(op, len(self._ops))
                self._begin[node], self._end[node] = place
                self._repeated.setdefault(node, 0 if self.is_onnx else 1)
            self._repeated[node] = self._repeated.get(node, 1) + 1
        if inputs:
            self._computed.add(node)
            self._inputs.extend(inputs)
            self._targets.append(node)
            self._counts.append(len(inputs))

    def extend(self, nodes: NodeColumns) -> None:
        """Take many nodes at once."""
        index, first, count = self._index, len(self._index), len(nodes.name)
        distinct = set(nodes.name)
        if len(distinct) < count or not distinct.isdisjoint(index):
            for row in zip(*nodes, strict=True):
                self.add(*row)
            return
        numbers = range(first, first + count)
        index.update(zip(nodes.name, numbers, strict=True))
        for column, texts, known in (
            (self._op, nodes.op, self._ops),
            (self._device, nodes.device, self._devices),
            (self._cluster, nodes.cluster, self._clusters),
        ):
            column.extend([known.setdefault(text, len(known)) for text in texts])
        known = self._shapes
        self._shape.extend([-1 if text is None else known.setdefault(text, len(known)) for text in nodes.shapes])
        self._begin.extend([begin for begin, _ in nodes.place])
        self._end.extend([end for _, end in nodes.place])
        reading = [(number, texts) for number, texts in zip(numbers, nodes.inputs, strict=True) if texts]
        self._computed.update(number for number, _ in reading)
        self._inputs.extend(chain.from_iterable(texts for _, texts in reading))
        self._targets.extend([number for number, _ in reading])
        self._counts.extend([len(texts) for _, texts in reading])

    def finish(self) -> Nodes:
        """Resolve the inputs, now that all names are known."""
        count = len(self._op)
        source = np.fromiter(map(self._index.get, self._inputs, repeat(-1)), np.int64, len(self._inputs))
        slot = np.zeros(len(source), np.int64)
        others = np.flatnonzero(source < 0)  # all but names of nodes
        inputs = _Inputs(self._index)
        numbers = np.fromiter((inputs[self._inputs[place]] for place in others.tolist()), np.int64, len(others))
        source[others] = _ints(inputs.sources)[numbers]
        slot[others] = _ints(inputs.slots)[numbers]
        counts = _ints(self._counts)
        target = indices.repeat(_ints(self._targets), counts)
        first = np.zeros(len(source), np.bool_)
        first[np.cumsum(counts) - counts] = True
        names = [name.decode("utf-8", "surrogateescape") for name in self._index]
        missing = len(names) - count
        ops = _decoded(self._ops)
        changing = np.array([_REFERENCES.fullmatch(name) is not None for name in ops], np.bool_)
        for node, times in self._repeated.items():
            if times > 1:
                self.problems.append(GraphProblem(None, Reason("graph-duplicate", count=int(times), name=names[node])))
        op = _padded(self._op, missing)
        return Nodes(
            names=names,
            count=count,
            ops=ops,
            op=op,
            devices=_decoded(self._devices),
            device=_padded(self._device, missing),
            clusters=list(self._clusters),
            cluster=_padded(self._cluster, missing),
            shape_values=list(self._shapes),
            shape_value=_padded(self._shape, missing, -1),
            begin=_padded(self._begin, missing),
            end=_padded(self._end, missing),
            source=_sealed(source),
            target=_sealed(target),
            slot=_sealed(slot),
            reference=_sealed(first & (slot != CONTROL_SLOT) & changing[op[target]]),
        )


def parse_nodes(data: bytes, parts: Iterable[Part], table: NodeTable) -> None:
    """Put all nodes of GraphDefs into the table; one that cannot be parsed is a problem."""
    for part in parts:
        for nodes, places in _parsed(data, part.nodes, table.problems):
            add_nodes(table, nodes, places, part.prefix)


def _parsed(
    data: bytes, places: Sequence[Span], problems: list[GraphProblem]
) -> Iterator[tuple[Sequence[NodeParts], Sequence[Span]]]:
    """The nodes at these places: many at once or, where that cannot be, each by itself."""
    first = 0
    while first < len(places):
        begin, end = places[first]
        begin -= 1 + max(1, -(-(end - begin).bit_length() // 7))  # what stands before it: its key, and its length
        last = bisect_right(places, begin + _STRETCH, first + 1, key=itemgetter(1))
        stretch = places[first:last]
        first = last
        nodes: Sequence[NodeParts] = ()
        with suppress(DecodeError):
            nodes = GraphParts.FromString(data[begin : stretch[-1][1]]).node
        if len(nodes) == len(stretch):
            yield nodes, stretch
            continue
        for place in stretch:
            try:
                node = NodeParts.FromString(data[slice(*place)])
            except DecodeError:
                problems.append(GraphProblem(place[0], Reason("graph-node")))
            else:
                yield [node], [place]


def add_nodes(table: NodeTable, nodes: Sequence[NodeParts], places: Sequence[Span], prefix: bytes = b"") -> None:
    """Put parsed nodes into the table; their names and their inputs' get a prefix."""
    nodes = list(nodes)
    names = [node.name for node in nodes]
    inputs: list[Sequence[bytes]] = [node.input[:] for node in nodes]
    shapes: list[bytes | None] = [None] * len(nodes)
    clusters = [b""] * len(nodes)
    for number, node in enumerate(nodes):
        for attribute in node.attr[:]:
            key = attribute.key
            if key == b"_output_shapes" or (key == b"shape" and shapes[number] is None):
                shapes[number] = attribute.value
            elif key == b"_XlaCluster":
                clusters[number] = attribute.value
            elif key == b"parameters":
                table.is_onnx = True  # the one attribute that tensorboardX gives an ONNX graph's nodes
    if prefix:
        names = [prefix + name for name in names]
        inputs = [
            [b"^" + prefix + text[1:] if text[:1] == b"^" else prefix + text for text in texts] for texts in inputs
        ]
    columns = NodeColumns(
        names, [node.op for node in nodes], inputs, [node.device for node in nodes], shapes, clusters, places
    )
    table.extend(columns)


def _decoded(texts: Iterable[bytes]) -> list[str]:
    return [text.decode("utf-8", "surrogateescape") for text in texts]


def _ints(values: array[int]) -> Ints:
    return np.array(values, np.int64)


def _padded(values: array[int], missing: int, fill: int = 0) -> Ints:
    """The column, read-only, with a row for each name that no node has."""
    return _sealed(np.append(_ints(values), np.full(missing, fill)))


def _sealed(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    values.flags.writeable = False
    return values
