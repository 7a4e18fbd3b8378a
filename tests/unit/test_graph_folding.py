"""Folding of wide scopes: repeated parts become one box, nothing is lost, and the box can be ungrouped."""

from __future__ import annotations

import time
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tbwidget.graph import GRAPH_DEF, read_graph
from tbwidget.graph.folding import Fold, Kind, fold_scope
from tbwidget.graph.folding.patterns import common_label, layers
from tbwidget.graph.model import Graph
from tbwidget.graph.view import BoxKind, View, reveal
from tbwidget.proto.graph_pb2 import NodeDef
from tests.support.corpus import LARGE_GRAPHS
from tests.support.graphs import definitions, events, graph, linked, node

REPEATS = 40


def boxes(view: View) -> dict[str, tuple[BoxKind, int, int]]:
    """Kind, copies and nodes of each box."""
    return {
        path: (kind, copies, nodes)
        for path, kind, copies, nodes in zip(view.path, view.kind, view.copies, view.nodes, strict=True)
    }


def links(view: View) -> Counter[tuple[str, str]]:
    """Return the numbers of edges between boxes."""
    edges = view.edges
    return Counter(
        {
            (view.path[source], view.path[target]): data + control
            for source, target, data, control in zip(
                edges.source.tolist(), edges.target.tolist(), edges.data.tolist(), edges.control.tolist(), strict=True
            )
        }
    )


def optimizer(variables: int) -> Graph:
    """Make some nodes for each variable in one flat scope; one node feeds them all, another reads them all."""
    nodes = [node("opt/rate", "Read"), node("opt/all", "Group", [f"^opt/assign_{n}" for n in range(variables)])]
    for number in range(variables):
        nodes += [
            node(f"opt/square_{number}", "Square", [f"grad_{number}"]),
            node(f"opt/scale_{number}", "Mul", [f"opt/square_{number}", "opt/rate"]),
            node(f"opt/assign_{number}", "Assign", [f"opt/scale_{number}"]),
            node(f"grad_{number}", "Gradient"),
        ]
    return graph(*nodes, node("opt/odd", "Odd", ["opt/rate"]))


def test_components_that_repeat_are_one_stack_and_hubs_stay() -> None:
    made = optimizer(REPEATS)
    view = made.view(["opt"])
    assert boxes(view) == {
        "opt": (BoxKind.SCOPE, 1, 3 * REPEATS + 3),
        "grad_0..39": (BoxKind.STACK, REPEATS, REPEATS),
        "opt/rate": (BoxKind.NODE, 1, 1),
        "opt/all": (BoxKind.NODE, 1, 1),
        "opt/odd": (BoxKind.NODE, 1, 1),
        "opt/square_0..39 +2": (BoxKind.STACK, REPEATS, 3 * REPEATS),
    }
    assert links(view) == {
        ("grad_0..39", "opt/square_0..39 +2"): REPEATS,
        ("opt/rate", "opt/square_0..39 +2"): REPEATS,
        ("opt/rate", "opt/odd"): 1,
        ("opt/square_0..39 +2", "opt/all"): REPEATS,
        ("opt/square_0..39 +2", "opt/square_0..39 +2"): 2 * REPEATS,
    }


def test_an_open_stack_shows_one_of_them() -> None:
    stack = "opt/square_0..39 +2"
    view = optimizer(REPEATS).view(["opt", stack])
    shown = {path for path, parent in zip(view.path, view.parent, strict=True) if parent == view.path.index(stack)}
    assert shown == {"opt/square_0", "opt/scale_0", "opt/assign_0"}
    assert links(view)["opt/rate", "opt/scale_0"] == 1
    assert links(view)["opt/rate", stack] == REPEATS - 1
    assert links(view)["opt/scale_0", "opt/assign_0"] == 1
    assert links(view)[stack, stack] == 2 * (REPEATS - 1)


def test_a_stack_ungrouped() -> None:
    made = optimizer(REPEATS)
    view = made.view(["opt"], ungrouped=["opt/square_0..39 +2", "grad_0..39"])
    assert set(view.path) == {"opt"} | {name for name in made.names if name.startswith("opt/")} | {
        f"grad_{number}" for number in range(REPEATS)
    }
    assert sum(links(view).values()) == made.edge_count + made.control_edge_count


def test_a_stack_ungrouped_leaves_others_of_its_label() -> None:
    made = graph(*(node(f"{scope}Block[{number}]/x") for scope in ("", "net/") for number in range(3)))
    stacks = {"Block[0..2]", "net/Block[0..2]"}
    assert stacks <= set(made.view(["net"]).path)
    for stack in stacks:
        assert stacks & set(made.view(["net"], [stack]).path) == stacks - {stack}


def test_a_box_names_its_op_and_its_contents() -> None:
    made = optimizer(REPEATS)
    view = made.view(["opt"])
    name = made.structure.hierarchy.path
    held = {path: [name(item) for item in items.tolist()] for path, items in zip(view.path, view.held, strict=True)}
    assert held["opt/rate"] == ["opt/rate"]
    assert set(held["grad_0..39"]) == {f"grad_{number}" for number in range(REPEATS)}
    assert len(held["opt/square_0..39 +2"]) == 3 * REPEATS
    assert dict(zip(view.path, view.op, strict=True)) | {"opt/rate": "Read", "opt": "", "grad_0..39": ""} == dict(
        zip(view.path, view.op, strict=True)
    )


def test_components_that_differ_are_not_one() -> None:
    """One of them reads another hub."""
    nodes = [node("s/h1"), node("s/h2")]
    for number in range(30):
        hub = "s/h2" if number == 7 else "s/h1"
        ends = ["s/b_{}", "s/a_{}"] if number == 11 else ["s/a_{}", "s/b_{}"]
        first, second = (end.format(number) for end in ends)
        nodes += [node(first, inputs=[hub]), node(second, inputs=[first])]
    nodes += [node(f"s/p{number}", "P", ["s/h2"]) for number in range(20)]
    view = graph(*nodes).view(["s"])
    copies = {box: copies for box, copies in zip(view.path, view.copies, strict=True) if copies > 1}
    assert sorted(copies.values()) == [20, 29]  # names do not count, so that the reversed one is equal, too
    assert {"s/a_7", "s/b_7"} <= set(view.path)


def test_components_whose_edges_to_a_hub_differ_are_not_one() -> None:
    nodes = [node(f"s/n{number}") for number in range(30)]
    readers = [f"^s/n{number}" if number == 5 else f"s/n{number}" for number in range(30)]
    view = graph(*nodes, node("s/hub", inputs=readers)).view(["s"])
    assert set(view.path) == {"s", "s/hub", "s/n5", "s/n0..29"}
    assert view.copies[view.path.index("s/n0..29")] == 29


def towers(count: int, odd: int | None = None) -> Graph:
    """Make scopes in a chain, all equal except for an odd one."""
    nodes = []
    for number in range(count):
        before = [f"m/Block[{number - 1}]/out"] if number else []
        nodes += [
            node(f"m/Block[{number}]/in", inputs=before),
            node(f"m/Block[{number}]/out", "Odd" if number == odd else "Out", [f"m/Block[{number}]/in"]),
        ]
    return graph(*nodes)


def test_sibling_scopes_that_repeat_are_one_stack() -> None:
    view = towers(96).view(["m"])
    assert boxes(view)["m/Block[0..95]"] == (BoxKind.STACK, 96, 192)
    assert view.path == ["m", "m/Block[0..95]"]
    assert links(view) == {("m/Block[0..95]", "m/Block[0..95]"): 191}
    view = towers(96).view(["m", "m/Block[0..95]", "m/Block[0]"])
    assert view.path == ["m", "m/Block[0..95]", "m/Block[0]", "m/Block[0]/in", "m/Block[0]/out"]
    assert links(view)["m/Block[0]/out", "m/Block[0..95]"] == 1


def test_scopes_that_are_alike_have_one_number() -> None:
    view = towers(8, odd=3).view(["m"])
    assert view.alike[view.path.index("m/Block[0..2]")] == view.alike[view.path.index("m/Block[4..7]")] == 0
    assert view.alike[view.path.index("m/Block[3]")] == -1
    assert view.alike[0] == -1


def test_edges_name_their_tensors() -> None:
    made = graph(
        node("a/x", "Split", shapes=[[2, 3], [4, -1], []]),
        node("b/y", inputs=["a/x:1", "a/x:1", "^a/x"]),
        node("b/z", inputs=["a/x:2"]),
        node("c", inputs=["b/y", "a/x:7"]),
    )
    view = made.view(["b"])
    ends = zip(view.edges.source.tolist(), view.edges.target.tolist(), strict=True)
    carried = {(view.path[s], view.path[t]): shape for (s, t), shape in zip(ends, view.shapes, strict=True)}
    assert carried == {("a", "b/y"): "4×?", ("a", "b/z"): "scalar", ("b/y", "c"): "", ("a", "c"): ""}  # noqa: RUF001


def test_the_odd_ones_are_named() -> None:
    view = towers(8, odd=3).view(["m"])
    assert set(view.path) == {"m", "m/Block[0..2]", "m/Block[3]", "m/Block[4..7]"}
    for stack in ("m/Block[0..2]", "m/Block[4..7]"):
        assert view.odd[view.path.index(stack)] == ["Block[3]"]


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["a1", "a2", "a10"], "a1..10"),
        (["b1", "b2b", "b10"], "b1..10"),
        (["b9b", "b10", "b10a", "b9a"], "b9a..10a"),
        (["b" + "1" * 5_000, "b" + "2" * 5_000], "b" + "1" * 5_000 + ".." + "2" * 5_000),
        (["a1_x", "a1_x"], "a1_x"),
        (["a1_b1", "a1_b2"], "a1_b1..2"),
        (["a1_b2", "a2_b1"], "a#_b#"),
        (["add", "add_1", "add_2"], "add_#"),
        (["L2Loss_1", "L2Loss_2", "L2Loss"], "L2Loss_#"),
        (["x", "y"], "x"),
    ],
)
def test_labels_of_equal_boxes(labels: list[str], expected: str) -> None:
    assert common_label(labels) == expected


def test_layers_are_read_from_names() -> None:
    parts = ["1_conv", "1_bn", "2_conv", "2_bn", "add"]
    names = [f"conv{stage}_block{block}_{part}" for stage in (2, 3) for block in (1, 2, 3) for part in parts]
    names += ["conv1_conv", "conv1_bn", "conv1_relu", "conv10_bn", "input_1", "input_2", "input_3", "Mul_1", "Mul_2"]
    found = dict(zip(names, layers(names), strict=True))
    for stage in (2, 3):
        for block in (1, 2, 3):
            assert found[f"conv{stage}_block{block}_2_bn"] == f"conv{stage}_block{block}"
    assert found["conv1_bn"] == "conv1"
    assert {found[name] for name in ("conv10_bn", "input_1", "Mul_1")} == {None}


def test_layers_become_scopes_and_then_a_stack() -> None:
    said = {}
    before = ""
    for number in range(1, 9):
        for part in ("conv", "bn", "relu"):
            said[f"net/block{number}a_{part}"] = before
            before = f"net/block{number}a_{part}"
    view = linked(said).view(["net"])
    assert view.path == ["net", "net/block1a..8a"]
    view = linked(said).view(["net", "net/block1a..8a", "net/block1a"])
    assert view.kind[2] == BoxKind.LAYER
    assert view.path[2:] == ["net/block1a", "net/block1a_conv", "net/block1a_bn", "net/block1a_relu"]


def folds() -> st.SearchStrategy[Fold]:
    @st.composite
    def drawn(draw: st.DrawFn) -> Fold:
        names = st.from_regex(r"(conv[1-3]_block[1-4]_|x|b)[0-9]?[a-c]", fullmatch=True)
        labels = draw(st.lists(names, min_size=1, max_size=60, unique=True))
        count = len(labels)
        ends = st.integers(0, count - 1)
        pairs = draw(st.lists(st.tuples(ends, ends), max_size=80))
        array = np.array(pairs, np.int64).reshape(-1, 2)
        classes = np.array(draw(st.lists(st.integers(0, 2), min_size=count, max_size=count)), np.uint64)
        scopes = draw(st.lists(st.booleans(), min_size=count, max_size=count))
        kinds = np.ones(len(pairs), np.uint64)
        return fold_scope(labels, classes, scopes, array[:, 0], array[:, 1], kinds)

    return drawn()


def check_tree(fold: Fold) -> None:
    """Check that every box has one place, members and children agree, and labels are distinct."""
    size = len(fold.parent)
    assert len(fold.kind) == len(fold.labels) == size
    assert (fold.top < size).all()
    for box, members in fold.members.items():
        assert fold.kind[box] == Kind.STACK
        assert sorted(members) == np.flatnonzero(fold.parent == box).tolist()
    made = [label for label, kind in zip(fold.labels, fold.kind, strict=True) if kind != Kind.CHILD]
    assert len(made) == len(set(made))
    assert all(made)
    holding = set(fold.parent[fold.parent >= 0].tolist())
    assert holding == {box for box, kind in enumerate(fold.kind) if kind != Kind.CHILD}


@settings(deadline=None)
@given(folds(), st.data())
def test_a_fold_is_a_tree_over_all_children_and_can_be_ungrouped(fold: Fold, data: st.DataObject) -> None:
    check_tree(fold)
    children = sum(kind == Kind.CHILD for kind in fold.kind)
    made = [label for label in fold.labels if label]
    gone = data.draw(st.lists(st.sampled_from(made), unique=True)) if made else []
    less = fold.without(gone)
    check_tree(less)
    assert sum(kind == Kind.CHILD for kind in less.kind) == children
    assert not set(gone).intersection(less.labels)
    flat = fold.without(made)
    assert len(flat.parent) == children
    assert (flat.parent < 0).all()


def test_a_layer_of_an_ungrouped_stack_leaves_its_nodes_in_the_stack() -> None:
    kinds = [Kind.CHILD] * 4 + [Kind.LAYER] * 2 + [Kind.STACK]
    labels = ["", "", "", "", "conv1", "conv2", "conv1..2"]
    fold = Fold(np.array([4, 4, 5, 5, 6, 6, -1]), kinds, labels, {6: []}, {6: [4, 5]})
    check_tree(fold)
    less = fold.without(["conv1"])
    check_tree(less)
    assert less.members == {5: [0, 1, 4]}


@settings(deadline=None)
@given(definitions(), st.data())
def test_no_view_loses_a_node_or_an_edge(nodes: list[NodeDef], data: st.DataObject) -> None:
    made = graph(*nodes)
    opened: list[str] = []
    ungrouped: list[str] = []
    for _ in range(4):
        view = made.view(opened, ungrouped)
        assert len(set(view.path)) == len(view) or "" in made.names
        assert int((view.edges.data + view.edges.control).sum()) == len(made.structure.inlining.edge)
        assert sorted(view.edges.members) == sorted(made.structure.inlining.edge)
        tops = [nodes for nodes, parent in zip(view.nodes, view.parent, strict=True) if parent < 0]
        assert sum(tops) >= int((made.structure.inlining.kind[: made.node_count] == 0).sum())
        for box, parent in enumerate(view.parent):
            assert parent < box
            assert parent < 0 or view.open[parent]
        closed = [path for path, kind in zip(view.path, view.kind, strict=True) if kind != BoxKind.NODE]
        if closed:
            opened.append(data.draw(st.sampled_from(closed)))
            ungrouped += data.draw(st.lists(st.sampled_from(closed), max_size=1))


@settings(deadline=None)
@given(definitions(), st.data())
def test_every_node_can_be_revealed(nodes: list[NodeDef], data: st.DataObject) -> None:
    made = graph(*nodes)
    shown = [name for name, kind in zip(made.names, made.structure.inlining.kind.tolist(), strict=False) if not kind]
    if shown:
        name = data.draw(st.sampled_from(shown))
        item = made.structure.nodes.names.index(name)
        view = made.view(*reveal(made.structure, item))
        assert item in view.item


def test_members_of_a_stack_can_be_revealed() -> None:
    made = optimizer(REPEATS)
    stack = "opt/square_0..39 +2"
    assert made.reveal("opt/scale_0") == (["opt", stack], [])
    assert made.reveal("opt/scale_7") == (["opt"], [stack])
    assert "opt/scale_7" in made.view(*made.reveal("opt/scale_7")).path
    assert towers(9).reveal("m/Block[0]/out") == (["m/Block[0]", "m", "m/Block[0..8]"], [])


def test_a_flat_graph_of_circles_folds_too() -> None:
    said = {f"n{number}": f"n{(number + 1) % 300 // 3 * 3 + (number + 1) % 3}" for number in range(300)}
    view = linked(said).view()
    assert sum(links(view).values()) == 300


def test_a_scope_of_fifteen_thousand_children() -> None:
    (path,) = (LARGE_GRAPHS / "resnet152_kerastrain").glob("*tfevents*")
    (data,) = (event.graph_def for event in events(path) if event.graph_def)
    made = read_graph(data, GRAPH_DEF)
    begin = time.process_time()
    view = made.view(["adam"])
    assert time.process_time() - begin < 10
    assert len(view) < 60
    assert max(view.copies) > 600
    view = made.view(["resnet152_1"])
    stack = view.path.index("resnet152_1/conv4_block2..36")
    assert view.copies[stack] == 35
    assert "conv2_block1" in view.odd[stack]
    assert int((view.edges.data + view.edges.control).sum()) == 52136
