"""Answers to requests about graphs: attributes, statistics, and bodies of functions, which columns do not carry.

All requests name a graph by `run` and `tag`. With `function`, the name of a function in its library, they are about the
body of that function. Very long lists and texts are cut.

| request | further arguments | answer |
|---|---|---|
| `graphs.node` | `node`: number or path | value: see `node` |
| `graphs.find` | `text`, `regex` | data: numbers of the nodes whose attributes match, i4 |
| `graphs.statistics` | `step`: tag; `devices`: names, or null for all | data: a container, see `statistics` |
| `graphs.function` | `name` | data: the structure of its body |
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from tbwidget.graph.attributes import attribute_text
from tbwidget.graph.shapes import shape_text
from tbwidget.options.patterns import pattern_error
from tbwidget.panels.graph_cache import kept_graph
from tbwidget.panels.graph_columns import container, encode_structure, problem_rows
from tbwidget.reasons import Reason, reason_of, text_reason
from tbwidget.wire.content import Answer, Refusal, from_wire_names
from tbwidget.wire.message import MAX_VALUE_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tbwidget.graph import Graph
    from tbwidget.graph.arrays import Ints
    from tbwidget.logs.accessors import Logs


MAX_VALUE_CHARACTERS = 2_000
"""Longer values of attributes are cut."""

MAX_NAME_CHARACTERS = 500
"""Longer names in answers are cut."""

MAX_LISTED = 200
"""Upper bound for each list about a node; lower if an answer would be too large."""


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
    """Answer with everything about one node.

    `name`, `op`, `device`; `attributes`: [key, value, characters left out] each; `inputs` and `outputs`: [path, slot,
    control, shape, number] each, where slot is -1 for a control edge and number is the node at the other end;
    `annotations`: [path, kind, label] of each node inlined beside it; `functions`: names of functions that it calls;
    `more`: how many entries of each list are left out.
    """
    graph = _graph(logs, args)
    number = _number(graph, args.get("node"))
    identity, details = _identity(graph, number), _details(graph, number)
    most = MAX_LISTED
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
        "name": _cut(nodes.names[number], MAX_NAME_CHARACTERS),
        "op": _cut(nodes.ops[nodes.op[number]], MAX_NAME_CHARACTERS),
        "device": _cut(nodes.devices[nodes.device[number]], MAX_NAME_CHARACTERS),
    }


def _details(graph: Graph, number: int) -> dict[str, list[Any]]:
    """Return all lists about a node, uncut."""
    nodes, hierarchy = graph.structure.nodes, graph.structure.hierarchy
    name = nodes.names[number]
    most = MAX_LISTED

    def path(other: int) -> str:
        return _cut(hierarchy.path(other), MAX_NAME_CHARACTERS)

    def rows(edges: Ints, ends: Ints) -> list[Any]:
        found: list[Any] = []
        for edge in edges[:most].tolist():
            slot, other = int(nodes.slot[edge]), int(ends[edge])
            found.append([path(other), slot, slot < 0, _shape(graph, int(nodes.source[edge]), slot), other])
        return found + [None] * (len(edges) - len(found))

    return {
        "attributes": [
            [_cut(key, MAX_NAME_CHARACTERS), text[:MAX_VALUE_CHARACTERS], max(0, len(text) - MAX_VALUE_CHARACTERS)]
            for key, value in graph.attributes(name).items()
            for text in [attribute_text(value)]
        ],
        "inputs": rows(np.flatnonzero(nodes.target == number), nodes.source),
        "outputs": rows(np.flatnonzero(nodes.source == number), nodes.target),
        "annotations": [
            [
                _cut(graph.strict_name(annotation.name), MAX_NAME_CHARACTERS),
                annotation.kind.name.lower(),
                annotation.label,
            ]
            for annotation in graph.annotations(name)
        ],
        "functions": [_cut(function, MAX_NAME_CHARACTERS) for function in graph.called_functions(name)],
    }


def _shape(graph: Graph, number: int, slot: int) -> str:
    """Return the shape of one output of a node; empty if unknown."""
    value = int(graph.structure.nodes.shape_value[number])
    shapes = graph.structure.shapes.lists[value] if value >= 0 else ()
    return shape_text(shapes[slot]) if 0 <= slot < len(shapes) else ""


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}…"


def find(logs: Logs, args: Mapping[str, Any], is_cancelled: Callable[[], bool]) -> Answer:
    """Answer with the nodes whose attributes (`key=value`) contain a text or match a pattern, ignoring case."""
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
    """Answer with the cost of each node in a recorded step on the given devices, or on all if none of them was used.

    The data are a container (see `graph_columns`) with the columns `time` (microseconds) and `memory` (bytes) of all
    nodes, missing ones included; NaN if a node did not run. The header has the used `devices`, and `unknown`,
    the count of recorded names that are no nodes of the graph.
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
        "devices": [_cut(device, MAX_NAME_CHARACTERS) for device in found.devices],
        "unknown": len(found.unknown),
        "problems": problem_rows(found.problems),
    }
    return Answer(None, container(header, {"time": found.time[:root], "memory": found.memory[:root]}))


def function(logs: Logs, args: Mapping[str, Any], _is_cancelled: Callable[[], bool]) -> Answer:
    """Answer with the structure of a function's body."""
    name = args.get("name")
    if not isinstance(name, str):
        raise Refusal(Reason("malformed-request", expected="a function"))
    return Answer(None, encode_structure(_graph(logs, {**args, "function": name})))


SEARCH_TIME_S = 5.0
"""Time limit of a regular expression."""

# A process of its own, because Python cannot interrupt a regular expression, which may take for ever. The package
# `regex` has a timeout, but differs from `re`, by whose rules patterns are checked, and would be one more dependency.
_SEARCH = """
import json, re, sys
pattern, lines = json.load(sys.stdin)
search = re.compile(re.sub(r"\\(\\?<(?=[A-Za-z_])", "(?P<", pattern), re.IGNORECASE).search
json.dump([number for number, line in enumerate(lines) if search(line)], sys.stdout)
"""


def matching_lines(pattern: str, lines: list[str], seconds: float = SEARCH_TIME_S) -> list[int]:
    """Return the places of the lines that a pattern matches, ignoring case.

    Raises Refusal if it is invalid, unknown to Python, or takes too long.
    """
    if (reason := pattern_error(pattern)) is not None:
        raise Refusal(Reason("invalid-pattern", detail=reason))
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _SEARCH],
            input=json.dumps([pattern, lines]),
            capture_output=True,
            encoding="ascii",
            timeout=seconds,
            check=True,
        )
    except subprocess.TimeoutExpired:
        raise Refusal(Reason("slow-pattern", seconds=seconds)) from None
    except subprocess.CalledProcessError:
        raise Refusal(Reason("browser-pattern")) from None
    except OSError as error:
        raise Refusal(Reason("patterns-unavailable", detail=error.strerror or str(error))) from error
    found: list[int] = json.loads(done.stdout)
    return found
