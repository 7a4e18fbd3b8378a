"""Answers about graphs to what the browser has no columns for: attributes, statistics, and bodies of functions.

All requests name a graph: `run` and `tag`; `function`, where it is given, is the name of one in its library, whose body
is asked about instead. Lists and texts are cut where they are very long.

| request | further arguments | answer |
|---|---|---|
| `graphs.node` | `node`: number or path | value: see `node` |
| `graphs.find` | `text`, `regex` | data: numbers of the nodes with that in their attributes, i4 |
| `graphs.statistics` | `step`: tag; `devices`: names, or null for all | data: a container, see `statistics` |
| `graphs.function` | `name` | data: the structure of its body |
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from tbwidget.graph.attributes import attribute_text
from tbwidget.graph.shapes import shape_text
from tbwidget.panels.graph_cache import kept_graph
from tbwidget.panels.graph_columns import container, encode_structure, problem_texts
from tbwidget.panels.graph_patterns import matching_lines
from tbwidget.reasons import Reason, reason_of, text_reason
from tbwidget.wire.content import Answer, Refusal, from_wire_names
from tbwidget.wire.requests import MAX_VALUE_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tbwidget.graph import Graph
    from tbwidget.graph.arrays import Ints
    from tbwidget.logs.accessors import Logs

LONGEST_VALUE = 2_000
"""Characters of an attribute's value."""

LONGEST_NAME = 500
"""Of a name in an answer."""

MOST_LISTED = 200
"""Attributes, inputs, outputs, annotations, functions of a node; fewer where these are too long for an answer."""


def _graph(logs: Logs, args: Mapping[str, Any]) -> Graph:
    run, tag, function = args.get("run"), args.get("tag"), args.get("function")
    if not isinstance(run, str) or not isinstance(tag, str):
        raise Refusal(Reason("malformed-request", expected="a graph"))
    try:
        graph = kept_graph(logs, *from_wire_names(logs, "graphs", run, tag)).graph()
        return graph if function is None else graph.function(function)
    except KeyError as error:
        raise Refusal(text_reason(error.args[0])) from error


def node(logs: Logs, args: Mapping[str, Any], _is_cancelled: Callable[[], bool]) -> Answer:
    """What is written about one node.

    `name`, `op`, `device`; `attributes`: [key, value] each; `inputs` and `outputs`: [path, slot, control, shape,
    number] each, the slot being -1 for control edges and the number that of the node at the other end; `annotations`:
    [path, kind, label] of what is embedded beside it; `functions`: names of those that it calls; `more`: how many of
    each of these lists are left out.
    """
    graph = _graph(logs, args)
    number = _number(graph, args.get("node"))
    identity, details = _identity(graph, number), _details(graph, number)
    most = MOST_LISTED
    while len(json.dumps(value := {**identity, **_first(details, most)})) > MAX_VALUE_BYTES:
        most //= 4
    return Answer(value)


def _first(details: dict[str, list[Any]], most: int) -> dict[str, Any]:
    more = {name: len(rows) - most for name, rows in details.items() if len(rows) > most}
    return {**{name: rows[:most] for name, rows in details.items()}, "more": more}


def _number(graph: Graph, asked: object) -> int:
    count = graph.structure.hierarchy.count
    if isinstance(asked, str):
        asked = graph.structure.hierarchy.node(asked)
    if type(asked) is not int or not 0 <= asked < count:
        raise Refusal(Reason("no-such-node"))
    return asked


def _identity(graph: Graph, number: int) -> dict[str, Any]:
    nodes = graph.structure.nodes
    return {
        "name": _cut(nodes.names[number], LONGEST_NAME),
        "op": _cut(nodes.ops[nodes.op[number]], LONGEST_NAME),
        "device": _cut(nodes.devices[nodes.device[number]], LONGEST_NAME),
    }


def _details(graph: Graph, number: int) -> dict[str, list[Any]]:
    """All lists about a node, in full."""
    nodes, hierarchy = graph.structure.nodes, graph.structure.hierarchy
    name = nodes.names[number]
    most = MOST_LISTED

    def path(other: int) -> str:
        return _cut(hierarchy.path(other), LONGEST_NAME)

    def rows(edges: Ints, ends: Ints) -> list[Any]:
        found: list[Any] = []
        for edge in edges[:most].tolist():
            slot, other = int(nodes.slot[edge]), int(ends[edge])
            found.append([path(other), slot, slot < 0, _shape(graph, int(nodes.source[edge]), slot), other])
        return found + [None] * (len(edges) - len(found))

    return {
        "attributes": [
            [_cut(key, LONGEST_NAME), _cut(attribute_text(value), LONGEST_VALUE)]
            for key, value in graph.attributes(name).items()
        ],
        "inputs": rows(np.flatnonzero(nodes.target == number), nodes.source),
        "outputs": rows(np.flatnonzero(nodes.source == number), nodes.target),
        "annotations": [
            [_cut(graph.strict_name(annotation.name), LONGEST_NAME), annotation.kind.name.lower(), annotation.label]
            for annotation in graph.annotations(name)
        ],
        "functions": [_cut(function, LONGEST_NAME) for function in graph.called_functions(name)],
    }


def _shape(graph: Graph, number: int, slot: int) -> str:
    """The shape of one output of a node; empty where it is not known."""
    value = int(graph.structure.nodes.shape_value[number])
    shapes = graph.structure.shapes.lists[value] if value >= 0 else ()
    return shape_text(shapes[slot]) if 0 <= slot < len(shapes) else ""


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}… and {len(text) - most:,} more characters"


def find(logs: Logs, args: Mapping[str, Any], is_cancelled: Callable[[], bool]) -> Answer:
    """Numbers of the nodes with a text, upper and lower case alike, or a pattern in their attributes (`key=value`)."""
    graph, text = _graph(logs, args), args.get("text")
    if not isinstance(text, str) or not text:
        raise Refusal(Reason("malformed-request", expected="a text"))
    index = graph.attribute_index
    if is_cancelled():
        raise Refusal(Reason("canceled"))
    if args.get("regex") is True:
        hits = matching_lines(text, index.texts)
    else:
        search = re.compile(re.escape(text), re.IGNORECASE).search
        hits = [number for number, line in enumerate(index.texts) if search(line)]
    chosen = np.zeros(len(index.texts), np.bool_)
    chosen[hits] = True
    found = np.unique(index.nodes(chosen))
    return Answer({"count": len(found)}, found.astype("<i4").tobytes())


def statistics(logs: Logs, args: Mapping[str, Any], is_cancelled: Callable[[], bool]) -> Answer:
    """What each node cost in a recorded step, on all devices or some; on all where it ran on none of those.

    A container (see `graph_columns`) with the columns `time` (microseconds) and `memory` (bytes), NaN where a node did
    not run, of all nodes, missing ones too; in the header `devices`, all that something ran on, and `unknown`: how many
    names were recorded that are no nodes of the graph.
    """
    graph, run, step, devices = _graph(logs, args), args.get("run"), args.get("step"), args.get("devices")
    if not isinstance(run, str) or not isinstance(step, str):
        raise Refusal(Reason("malformed-request", expected="a step"))
    if devices is not None and not (isinstance(devices, list) and all(isinstance(one, str) for one in devices)):
        raise Refusal(Reason("malformed-request", expected="a list of devices"))
    try:
        data = logs.run_metadata(*from_wire_names(logs, "run_metadata", run, step)).data
    except (KeyError, ValueError) as error:
        raise Refusal(reason_of(error)) from error
    if is_cancelled():
        raise Refusal(Reason("canceled"))
    found = graph.statistics(data, devices)
    if devices and not set(devices) & set(found.devices):
        found = graph.statistics(data)
    root = graph.structure.hierarchy.root
    header = {
        "devices": [_cut(device, LONGEST_NAME) for device in found.devices],
        "unknown": len(found.unknown),
        "problems": problem_texts(found.problems),
    }
    return Answer(None, container(header, {"time": found.time[:root], "memory": found.memory[:root]}))


def function(logs: Logs, args: Mapping[str, Any], _is_cancelled: Callable[[], bool]) -> Answer:
    """The structure of a function's body."""
    name = args.get("name")
    if not isinstance(name, str):
        raise Refusal(Reason("malformed-request", expected="a function"))
    return Answer(None, encode_structure(_graph(logs, {**args, "function": name})))
