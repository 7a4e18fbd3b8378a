"""Graphs on the wire equal the model; and the data that the browser's tests compare with is current."""

from __future__ import annotations

import base64
import json
import threading
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from tbwidget.graph import GRAPH_DEF, Graph, read_graph
from tbwidget.graph.folding import Fold, Kind
from tbwidget.graph.inlining import Inlined
from tbwidget.graph.shapes import shape_text
from tbwidget.panels.graph_columns import MAX_PROBLEMS, ROOT_BYTES, encode_root, encode_structure
from tbwidget.proto.graph_pb2 import NodeDef
from tbwidget.wire.content import Key
from tbwidget.wire.plan import Priority
from tbwidget.wire.worker import StoppedError, Worker
from tests.support.containers import Container, read_container
from tests.support.graph_views import VIEWS, fixtures, plain, recorded
from tests.support.graphs import definition, definitions, graph, node
from tests.support.waiting import PATIENCE

GRAPHS = fixtures()


def fold_of(read: Container, scope: int, children: list[int]) -> Fold:
    """Rebuild the fold of a scope from columns."""
    header, columns = read
    items = header["items"]
    made = [entry for entry in range(items, header["entries"]) if columns["parent"][entry] == scope]
    entries = [*children, *made]
    place = {entry: number for number, entry in enumerate(entries)} | {-1: -1}
    parent = np.array([place[int(columns["fold_parent"][entry])] for entry in entries], np.int64)
    kinds = [Kind.CHILD] * len(children) + [Kind(int(columns["fold_kind"][entry - items])) for entry in made]
    stacks = [number for number, kind in enumerate(kinds) if kind == Kind.STACK]
    representatives = [int(columns["representative"][entry - items]) for entry in made]
    assert [first >= 0 for first in representatives] == [kind == Kind.STACK for kind in kinds[len(children) :]]
    members = {}
    for stack in stacks:
        first = place[representatives[stack - len(children)]]
        members[stack] = [first, *(n for n in np.flatnonzero(parent == stack).tolist() if n != first)]
    odd = {stack: header["odd"].get(str(entries[stack]), []) for stack in stacks}
    labels = [""] * len(children) + [header["labels"][entry] for entry in made]
    unordered = {stack for stack in stacks if entries[stack] in header["unordered"]}
    return Fold(parent, kinds, labels, odd, members, unordered)


def check(made: Graph) -> None:
    """Check that the columns equal the model."""
    read = read_container(encode_structure(made))
    header, columns = read
    structure, nodes, hierarchy = made.structure, made.structure.nodes, made.structure.hierarchy
    assert (header["nodes"], header["root"], header["items"]) == (made.node_count, hierarchy.root, hierarchy.size)
    assert header["entries"] == len(header["labels"]) == len(columns["parent"]) == len(columns["fold_parent"])
    assert header["labels"][: hierarchy.size] == hierarchy.labels
    assert columns["parent"][: hierarchy.size].tolist() == hierarchy.parent.tolist()
    assert header["functions"] == made.functions
    for scope in range(hierarchy.root, hierarchy.size):
        fold, children = structure.fold(scope)
        sent = fold_of(read, scope, children.tolist())
        assert sent.parent.tolist() == fold.parent.tolist()
        assert (sent.kind, sent.labels, sent.odd, sent.members) == (fold.kind, fold.labels, fold.odd, fold.members)
        assert columns["alike"][scope - hierarchy.root] == structure.alike.get(scope, -1)
    for number in range(hierarchy.root):
        assert header["ops"][columns["op"][number]] == nodes.ops[nodes.op[number]]
        assert header["devices"][columns["device"][number]] == nodes.devices[nodes.device[number]]
        assert columns["embedded"][number] == structure.inlining.kind[number]
        start = columns["annotation_start"]
        items = columns["annotation_items"][start[number] : start[number + 1]].tolist()
        assert items == [nodes.names.index(other.name) for other in made.annotations(nodes.names[number])]
        value = columns["outputs"][number]
        shapes = header["shapes"][value] if value >= 0 else []
        assert shapes == [shape_text(shape) for shape in made.output_shapes(nodes.names[number])]
    labels = {other.name: other.label for name in made.names for other in made.annotations(name) if made.is_torch}
    for number, name in enumerate(made.names):
        label = header["call_labels"].get(str(number), header["labels"][number])
        assert label == labels.get(name, made.label(name))
    edge = structure.inlining.edge
    for name, expected in (
        ("source", structure.inlining.source),
        ("target", structure.inlining.target),
        ("carrier", nodes.source[edge]),
        ("slot", nodes.slot[edge]),
        ("reference", nodes.reference[edge]),
        ("size", structure.tensors.size[edge]),
    ):
        assert columns[name].tolist() == expected.tolist(), name
    check_root(made)


def check_root(made: Graph) -> None:
    header, columns = read_container(encode_root(made))
    view = plain(made.view())
    shown: dict[str, Any] = {name: header[name] for name in ("path", "label", "op", "odd")}
    shown |= {
        name: columns[name].tolist()
        for name in ("kind", "parent", "nodes", "copies", "alike", "unordered", "role", "open")
    }
    edges = {name: columns[name].tolist() for name in ("source", "target", "data", "control", "reference", "size")}
    assert shown | {"edges": {**edges, "shape": header["shape"]}} == view


@pytest.mark.parametrize("name", GRAPHS)
def test_the_wire_format_equals_the_model(name: str) -> None:
    check(GRAPHS[name])


@given(definitions())
@settings(max_examples=100)
def test_the_wire_format_equals_the_model_of_any_graph(nodes: list[NodeDef]) -> None:
    check(read_graph(definition(*nodes), GRAPH_DEF))


def test_the_graphs_of_the_tests_have_every_feature() -> None:
    """Otherwise the browser's tests would compare with too little."""
    read = [read_container(encode_structure(made)) for made in GRAPHS.values()]
    kinds = np.concatenate([columns["fold_kind"] for _, columns in read])
    embedded = np.concatenate([columns["embedded"] for _, columns in read])
    assert set(kinds.tolist()) == {Kind.LAYER, Kind.STACK, Kind.MEMBER}
    assert set(embedded.tolist()) == {int(kind) for kind in Inlined}
    assert any(header["odd"] for header, _ in read)
    assert any(header["call_labels"] for header, _ in read)
    assert any(header["nodes"] < header["root"] for header, _ in read)
    assert any(columns["reference"].any() for _, columns in read)


@pytest.mark.parametrize("name", GRAPHS)
def test_the_data_of_the_browsers_tests_are_up_to_date(name: str) -> None:
    """To update it, run: python -m tests.support.graph_views."""
    kept = json.loads((VIEWS / f"{name}.json").read_text("ascii"))
    made = json.loads(json.dumps(recorded(GRAPHS[name], list(GRAPHS).index(name))))
    for one in (kept, made):  # versions of zlib write different bytes
        for part in ("structure", "root"):
            header, columns = read_container(base64.b64decode(one[part]))
            one[part] = header, {column: values.tolist() for column, values in columns.items()}
    assert made == kept


def test_a_graph_without_nodes_travels() -> None:
    header, columns = read_container(encode_structure(read_graph(b"", GRAPH_DEF)))
    assert (header["root"], header["items"], header["labels"]) == (0, 1, [""])
    assert columns["parent"].tolist() == [-1]
    assert read_container(encode_root(read_graph(b"", GRAPH_DEF))).header["path"] == []


def test_problems_travel_as_reasons_and_not_more_than_anybody_reads() -> None:
    damaged = read_graph(b"\x0a\x02\x0a\xff" * 80, GRAPH_DEF)
    assert len(damaged.problems) == 80
    sent = read_container(encode_structure(damaged)).header["problems"]
    assert [row["reason"] for row in sent] == [*map(str, damaged.problems[:MAX_PROBLEMS]), "30 more problems"]
    assert [row["code"] for row in sent] == ["graph-place"] * MAX_PROBLEMS + ["more-problems"]
    assert sent[0]["arguments"]["problem_code"] == damaged.problems[0].message.code


def test_a_root_too_large_for_a_first_glance_is_left_to_the_structure() -> None:
    """Its names are random, so that no compression makes it small."""
    names = [np.random.default_rng(number).bytes(40).hex() for number in range(3000)]
    wide = graph(*(node(name, f"Op{number}") for number, name in enumerate(names)))
    data = encode_root(wide)
    assert len(data) < ROOT_BYTES
    assert read_container(data) == Container({"large": True, "columns": {}}, {})


@pytest.mark.parametrize("encode", [encode_root, encode_structure])
def test_a_worker_that_is_stopped_encodes_no_further(encode: Callable[[Graph], bytes]) -> None:
    made = graph(*(node(f"scope{number}/node") for number in range(3)))
    begun, go_on, ended = threading.Event(), threading.Event(), threading.Event()
    raised: list[BaseException] = []

    def make() -> bytes:
        begun.set()
        assert go_on.wait(PATIENCE)
        try:
            return encode(made)
        except BaseException as error:
            raised.append(error)
            raise
        finally:
            ended.set()

    worker = Worker("tbwidget-tested", lambda: None, deque(), float("inf"))
    worker.submit(Key("graphs", "a", ""), 1, Priority.UPDATE_BLOB, make, lambda *_: None)
    assert begun.wait(PATIENCE)
    worker.stop()
    go_on.set()
    assert ended.wait(PATIENCE)
    worker.join(PATIENCE)
    assert [type(error) for error in raised] == [StoppedError]
    assert "hierarchy" not in vars(made.structure)
    assert encode(made)
