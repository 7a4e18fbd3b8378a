"""The functions in a graph's library: their names, and their bodies as graphs.

A body has a node for each argument and for each value that it returns, as TensorBoard draws them
(tensorboard/plugins/graph/tf_graph_common/graph.ts).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from google.protobuf.message import DecodeError

from tbwidget.graph.parse import NodeTable, add_nodes
from tbwidget.graph.sources import GraphProblem, Part
from tbwidget.proto.graph_pb2 import FunctionDef, NodeParts, OpDef
from tbwidget.reasons import Reason
from tbwidget.records.files.wire import Span, field_spans, length_delimited

_SIGNATURE, _NODE, _RETURNED = 1, 3, 4  # fields of FunctionDef
_NUMBERED = re.compile(r"(graph_\d+)/")  # a node of one graph of several

ARGUMENT, RESULT = "input_arg", "output_arg"
"""Ops of the nodes that stand for what goes into a body and what comes out of it."""


class Function(NamedTuple):
    """A function of the library."""

    name: str
    """Behind the number of its graph, if the library comes from several."""
    place: Span
    """Span of its FunctionDef in the graph's bytes."""


def list_functions(data: bytes, parts: Sequence[Part], problems: list[GraphProblem]) -> dict[str, Function]:
    """The functions of all libraries, by name."""
    found: dict[str, Function] = {}
    for part in parts:
        before = part.prefix.replace(b"/", b"_").decode()
        for place in part.functions:
            signature = _signature(data, place)
            if signature is None:
                problems.append(GraphProblem(place[0], Reason("graph-function")))
                continue
            name = before + signature.name
            found.setdefault(name, Function(name, place))
    return found


def parse_body(data: bytes, place: Span, table: NodeTable) -> None:
    """Put the nodes of a function's body into the table."""
    signature = _signature(data, place)
    fields = field_spans(data, place).spans
    for argument in signature.input_arg if signature is not None else ():
        table.add(argument.name.encode(), ARGUMENT.encode())
    for span in fields.get(_NODE, ()):
        try:
            add_nodes(table, [NodeParts.FromString(data[slice(*span)])], [span])
        except DecodeError:
            table.problems.append(GraphProblem(span[0], Reason("graph-node")))
    returned = _returned(data, place)
    for result in signature.output_arg if signature is not None else ():
        source = returned.get(result.name)
        name = result.name.encode()
        table.add(name + b"_RetVal" if name in table else name, RESULT.encode(), [source.encode()] if source else ())


def called_functions(node: str, op: str, attributes: dict[str, Any], library: dict[str, Function]) -> list[str]:
    """Names of the functions that a node calls: by its op, or in an attribute."""
    names = [op]
    numbered = _NUMBERED.match(node)
    prefix = f"{numbered[1]}_" if numbered and any(name.startswith(f"{numbered[1]}_") for name in library) else ""
    for value in attributes.values():
        names += [item for item in (value if isinstance(value, list) else [value]) if isinstance(item, str)]
    return [name for name in dict.fromkeys(prefix + name for name in names) if name in library]


def _signature(data: bytes, place: Span) -> OpDef | None:
    spans = field_spans(data, place).spans.get(_SIGNATURE, ())
    try:
        return OpDef.FromString(b"".join(data[slice(*span)] for span in spans)) if spans else None
    except DecodeError:
        return None


def _returned(data: bytes, place: Span) -> dict[str, str]:
    """For each result, the input syntax of the value that it is."""
    spans = field_spans(data, place).spans.get(_RETURNED, ())
    message = b"".join(length_delimited(_RETURNED, data[slice(*span)]) for span in spans)
    try:
        return dict(FunctionDef.FromString(message).ret)
    except DecodeError:
        return {}
