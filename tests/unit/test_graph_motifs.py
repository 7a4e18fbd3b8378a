"""Folding preserves the flow: no folded box makes a cycle, and repeated chains and regions become scopes."""

from __future__ import annotations

import time
from collections.abc import Mapping

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tbwidget.graph import Graph
from tbwidget.graph.folding import motifs
from tbwidget.graph.folding.motifs import Flow
from tbwidget.graph.roles import Role
from tbwidget.graph.view import BoxKind
from tbwidget.logs import load
from tests.support.corpus import LARGE_GRAPHS
from tests.support.graph_views import closed
from tests.support.graphs import graph, node


def scoped(inputs: Mapping[str, str]) -> Graph:
    """Make scopes of two nodes each; a name without its number gives the ops, its value the scopes that it reads."""
    nodes = []
    for name, said in inputs.items():
        op = name.rstrip("0123456789_")
        nodes += [
            node(f"{name}/in", f"{op}In", [f"{other}/out" for other in said.split()]),
            node(f"{name}/out", f"{op}Out", [f"{name}/in"]),
        ]
    return graph(*nodes)


def stacks(made: Graph) -> dict[str, int]:
    """Return the labels of the stacks in the closed root, with the number of their members."""
    view = made.view([])
    found = zip(view.path, view.kind, view.copies, strict=True)
    return {path: copies for path, kind, copies in found if kind == BoxKind.STACK}


def data_edges(made: Graph, opened: list[str]) -> nx.DiGraph[int]:
    """The data edges between different boxes at the top of a view."""
    view = made.view(opened)
    edges = view.edges
    found: nx.DiGraph[int] = nx.DiGraph()
    for source, target, data in zip(edges.source.tolist(), edges.target.tolist(), edges.data.tolist(), strict=True):
        if data and source != target:
            found.add_edge(source, target)
    return found


def test_a_chain_is_a_stack_and_so_are_boxes_between_the_same_others() -> None:
    assert stacks(scoped({"a0": "", "a1": "a0", "a2": "a1", "end": "a2"})) == {"a0..2": 3}
    assert stacks(scoped({"x": "", "a0": "x", "a1": "x", "a2": "x", "end": "a0 a1 a2"})) == {"a0..2": 3}


def test_siblings_with_others_between_them_stay_apart() -> None:
    assert stacks(scoped({"a0": "", "b0": "a0", "a1": "b0", "b1": "a1", "a2": "b1", "b2": "a2"})) == {}
    # Neither are siblings grouped that read different things.
    assert stacks(scoped({"x": "", "y": "x", "a0": "x", "a1": "y", "a2": "y", "end": "a0 a1 a2"})) == {}


def test_each_part_of_a_chain_with_odd_ones_is_a_stack() -> None:
    inputs = {f"a{n}": f"a{n - 1}" if n else "" for n in range(8)}
    inputs |= {"odd": "a3", "a4": "odd"}
    assert stacks(scoped(inputs)) == {"a0..3": 4, "a4..7": 4}


def test_short_chains_that_repeat_become_scopes() -> None:
    inputs: dict[str, str] = {}
    before = ""
    for n in range(8):
        inputs |= {f"conv{n}": before, f"bn{n}": f"conv{n}", f"relu{n}": f"bn{n}", f"pool{n}": f"relu{n} conv{n}"}
        before = f"pool{n}"
    made = scoped(inputs)
    assert nx.is_directed_acyclic_graph(data_edges(made, []))
    opened: list[str] = []
    while more := closed(made.view(opened)):
        opened += more
    view = made.view(opened)
    chain = view.path.index("bn0 → relu0")
    assert view.kind[chain] == BoxKind.LAYER
    assert [path for path, parent in zip(view.path, view.parent, strict=True) if parent == chain] == ["bn0", "relu0"]
    assert "bn0 → relu0" not in made.view(opened, ["bn0 → relu0"]).path


def test_regions_with_one_entry_and_one_exit_become_scopes() -> None:
    inputs = {"x": ""}
    before = "x"
    for n in range(14):
        branches = {f"{'left' if n % 2 else 'wide'}_{n}": before, f"right_{n}": before, f"far_{n}": f"right_{n}"}
        inputs |= branches | {f"join_{n}": " ".join([f"{'left' if n % 2 else 'wide'}_{n}", f"far_{n}"])}
        before = f"join_{n}"
    made = scoped(inputs)
    view = made.view([])
    assert nx.is_directed_acyclic_graph(data_edges(made, []))
    assert any(path.startswith("join_1 +") for path in view.path)
    assert len(view) < 16


def cells(count: int) -> dict[str, str]:
    """Make cells of eight boxes; each box reads the output of one of the two cells before it, as NASNet's do."""
    inputs = {"out0": "", "out1": "out0"}
    for n in range(2, count + 2):
        for k, letter in enumerate("abcdefg"):
            inputs[f"{letter}{n}"] = f"out{n - 1 - k % 2}"
        inputs[f"out{n}"] = " ".join(f"{letter}{n}" for letter in "abcdefg")
    return inputs


def test_parts_that_repeat_and_that_data_leave_at_one_box_become_scopes() -> None:
    made = scoped(cells(10))
    view = made.view([])
    assert view.path == ["out0", "out1", "out2..11 +7"]
    flow = Flow(range(1, 8), [(1, 2), (2, 4), (1, 3), (3, 4), (1, 4), (4, 5), (5, 6), (4, 6), (6, 7)])
    kinds = dict.fromkeys(range(1, 8), 0)
    assert flow._exits([1, 2, 3, 4, 5, 6, 7]) == {7: -1, 6: 7, 5: 6, 4: 6, 3: 4, 2: 4, 1: 4}
    assert flow.cones(kinds, most=60) == []


def test_a_search_for_exits_that_takes_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    count = 300
    parts = [(first + begin, first + end) for first in range(0, count, 3) for begin, end in ((0, 1), (0, 2), (1, 2))]
    flow = Flow(range(count), [*parts, *((first - 1, first) for first in range(3, count, 3))])
    kinds = {box: box % 3 for box in range(count)}
    assert flow.cones(kinds, most=200)
    monkeypatch.setattr(motifs, "MAX_CLIMBED", 99)
    assert flow.cones(kinds, most=200) == []


@given(st.data())
def test_merged_parts_make_no_cycle(data: st.DataObject) -> None:
    count = data.draw(st.integers(8, 40))
    pairs = data.draw(st.lists(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)), max_size=3 * count))
    flow = Flow(range(count), ((min(pair), max(pair)) for pair in pairs))
    before = {box: set(ends) for box, ends in flow.following.items()}
    for number, part in enumerate(flow.cones(dict.fromkeys(range(count), 0), most=count)):
        inside = set(part)
        assert all(ends <= inside for box, ends in before.items() if box in inside and box != part[-1])
        flow.merge(part, count + number)
    quotient: nx.DiGraph[int] = nx.DiGraph()
    quotient.add_edges_from((source, target) for source, targets in flow.following.items() for target in targets)
    assert nx.is_directed_acyclic_graph(quotient)


def interleaved(count: int) -> Graph:
    """Make scopes of three kinds in a row: equal kinds never follow each other, and no chain of them repeats."""
    order = "abcacbabc"
    names = ["x", *(f"{order[n % len(order)]}{n}" for n in range(count))]
    return scoped({name: " ".join(names[max(0, n - 2) : n]) for n, name in enumerate(names)})


def test_siblings_in_any_order_are_grouped_on_request() -> None:
    made = interleaved(9)
    plain = made.view([])
    assert len(plain) == 10
    assert BoxKind.STACK not in plain.kind
    stacks = made.groupable()
    assert len(stacks) == 3
    grouped = made.view([], grouped=stacks)
    assert sorted(grouped.path) == sorted(["x", *stacks])
    for path, copies, unordered in zip(grouped.path, grouped.copies, grouped.unordered, strict=True):
        assert (copies >= 3) == unordered == (path != "x")
    assert int(grouped.edges.data.sum()) == int(plain.edges.data.sum()) == made.edge_count
    assert set(made.view([], ungrouped=stacks[:1], grouped=stacks).path) > {"x", *stacks[1:]}
    assert made.view([], grouped=["no such stack"]).path == plain.path


def test_ops_of_one_name_are_grouped_where_there_are_too_many_boxes() -> None:
    nodes = [
        node(f"n{n}", f"Op{n % 3}", [f"n{n * 7 % max(n, 1)}", f"n{n * 5 // 6}"] if n > 1 else []) for n in range(500)
    ]
    view = graph(*nodes).view([])
    assert sorted(view.copies) == [166, 167, 167]
    assert all(view.unordered)


def test_more_than_four_hundred_boxes_fold_with_any_flow() -> None:
    inputs: dict[str, str] = {}
    for n in range(120):
        # Each scope reads the one two places before it: so nothing is a chain, and no box is on every path.
        names = [f"{letter}{n}" for letter in "abcd"]
        for k, name in enumerate(names):
            inputs[name] = " ".join([f"{'abcd'[(k + 1) % 4]}{n - 1}", f"{'abcd'[k]}{n - 2}"]) if n > 1 else ""
    made = scoped(inputs)
    view = made.view([])
    assert len(view) < 400
    assert any(view.unordered)
    assert {kind for kind, one in zip(view.kind, view.unordered, strict=True) if one} == {BoxKind.STACK}


@pytest.mark.parametrize(("scope", "label"), [("gradient_tape", "gradients"), ("gradients", "gradients and sums")])
def test_accumulators_belong_to_the_gradients(scope: str, label: str) -> None:
    nodes = [
        node("x", "Placeholder"),
        node("net/a", "MatMul", ["x"]),
        node("opt/update", "Apply", ["AddN_2", "AddN_9"]),
    ]
    nodes += [node(f"{scope}/g{n}", f"Grad{n}", ["net/a", *([f"AddN_{n - 1}"] if n else [])]) for n in range(10)]
    nodes += [node(f"AddN_{n}", "AddN", [f"{scope}/g{n}", f"{scope}/g{n}:1"]) for n in range(10)]
    nodes += [node(f"other{'i' * n}", f"Op{n}", ["x"]) for n in range(9)]
    made = graph(*nodes)
    view = made.view([])
    assert label in view.path
    assert not any(path.startswith("AddN") for path in view.path)
    assert {scope, "AddN_0"} <= set(made.view([label], ["AddN_#", "AddN_0..9"]).path)


def test_control_flow_of_a_loop_is_one_box_and_a_condition_is_not() -> None:
    control = {
        f"while/{op}{n}": node(f"while/{op}{n}", op, read.split())
        for n in range(3)
        for op, read in (
            ("Enter", "x"),
            ("Merge", f"while/Enter{n} while/NextIteration{n}"),
            ("Switch", f"while/Merge{n} while/LoopCond"),
            ("Identity", f"while/Switch{n}:1"),
            ("Exit", f"while/Switch{n}"),
            ("NextIteration", f"while/step{n}"),
        )
    }
    steps = [node(f"while/step{n}", f"Step{n}", [f"while/Identity{n}"]) for n in range(3)]
    condition = [
        node("while/Less", "Less", ["while/Merge0"]),
        node("while/LoopCond", "LoopCond", ["while/Less"]),
        node("while/if", "Switch", ["while/step0"]),
        node("while/either", "Merge", ["while/if", "while/if:1"]),
        node("while/copy", "Identity", ["while/either"]),
        # A box around the loop, which the loop controls.
        node("while/around", "Switch", ["while/Exit0", "while/Less"]),
        node("while/after", "Merge", ["while/Exit1", "while/around"]),
        node("while/last", "Identity", ["while/around"]),
        # A box that reads a variable of the loop without the loop's condition.
        node("while/inside", "Switch", ["while/Merge1", "while/Less"]),
    ]
    made = graph(node("x", "Placeholder"), *control.values(), *steps, *condition)
    view = made.view(["while", "while/loop control"])
    box = view.path.index("while/loop control")
    held = {path for path, parent in zip(view.path, view.parent, strict=True) if parent == box}
    assert held == {*control, "while/LoopCond"}
    outside = {"while/Less", "while/step0", *(each.name for each in condition if each.op != "LoopCond")}
    assert outside < set(made.view(["while"]).path)


@pytest.mark.parametrize(("others", "count"), [(600, 1), (300, 9)])
def test_bookkeeping_that_is_alike_is_one_box_unless_that_would_be_too_large(others: int, count: int) -> None:
    layers = [node(f"layer{'i' * n}", f"Op{n}", [f"layer{'i' * (n - 1)}" if n else "x"]) for n in range(others)]
    known = [node(f"known_{n}" if n else "known", "VarIsInitializedOp", [f"w{'i' * n}"]) for n in range(9)]
    variables = [node(f"w{'i' * n}", "VarHandleOp") for n in range(9)]
    reads = [node(f"read{'i' * n}", f"Read{n}", [f"w{'i' * n}"]) for n in range(9)]
    made = graph(node("x", "Placeholder"), *layers, *variables, *known, *reads)
    view = made.view([])
    aside = [box for box, role in enumerate(view.role) if role == Role.BOOKKEEPING]
    assert len(aside) == count
    assert sum(view.copies[box] for box in aside) == len(known)
    assert not any(view.unordered[box] for box in aside)


def test_boxes_in_a_trace_of_torch_are_named_by_their_ops() -> None:
    nodes = [node("input/x", "IO Node")]
    before = "input/x"
    for n in range(20):
        nodes += [
            node(f"M/{7 * n}", "aten::relu", [before]),
            node(f"M/input.{n}", "aten::linear", [f"M/{7 * n}"]),
            node(f"M/side.{n}", f"aten::op{n}", [f"M/input.{n}", before]),
        ]
        before = f"M/side.{n}"
    assert any(path.startswith("M/relu → linear") for path in graph(*nodes).view(["M"]).path)


@pytest.mark.parametrize("name", ["resnet152_kerastrain"])
def test_the_body_of_a_real_model_is_acyclic(name: str) -> None:
    made = load(LARGE_GRAPHS / name).graph(".")
    view = made.view(["resnet152_1"])
    assert nx.is_directed_acyclic_graph(
        data_edges(made, ["resnet152_1"]).subgraph(
            [box for box, parent in enumerate(view.parent) if parent == view.path.index("resnet152_1")]
        )
    )


@given(st.data())
def test_merging_makes_no_cycle(data: st.DataObject) -> None:
    """Merging keeps an acyclic graph acyclic; refused merges would make a cycle."""
    count = data.draw(st.integers(3, 12))
    pairs = st.tuples(st.integers(0, count - 2), st.integers(1, count - 1)).filter(lambda pair: pair[0] < pair[1])
    edges = data.draw(st.sets(pairs, max_size=25))
    members = data.draw(st.sets(st.integers(0, count - 1), min_size=2, max_size=5))
    flow = Flow(range(count), edges)
    merged: nx.DiGraph[int] = nx.DiGraph()
    first = min(members)
    merged.add_edges_from((first if a in members else a, first if b in members else b) for a, b in edges)
    merged.remove_edges_from(list(nx.selfloop_edges(merged)))
    assert flow.can_merge(members) == nx.is_directed_acyclic_graph(merged)
    if flow.are_chain(sorted(members)) or flow.are_parallel(sorted(members)):
        assert flow.can_merge(members)
    flow.merge(members, count)
    found = {(a, b) for a, others in flow.following.items() for b in others}
    renamed = {(count if a == first else a, count if b == first else b) for a, b in merged.edges}
    assert found == renamed == {(a, b) for b, others in flow.leading.items() for a in others}


@given(st.data())
def test_boxes_on_cycles_are_found(data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 12))
    ends = st.integers(0, count - 1)
    edges = data.draw(st.lists(st.tuples(ends, ends), max_size=30))
    expected: nx.DiGraph[int] = nx.DiGraph()
    expected.add_nodes_from(range(count))
    expected.add_edges_from(edges)
    components = [component for component in nx.strongly_connected_components(expected) if len(component) > 1]
    assert Flow(range(count), edges).on_cycles() == {box for component in components for box in component}


def between_hubs(hubs: int) -> Graph:
    """Make hubs in a row, with three groups of three equal nodes between neighbors."""
    nodes = [node("s/hub0", "Hub")]
    for hub in range(hubs):
        names = {f"s/n{hub}_{group}_{copy}": f"Op{hub}_{group}" for group in range(3) for copy in range(3)}
        nodes += [node(name, op, [f"s/hub{hub}"]) for name, op in names.items()]
        nodes.append(node(f"s/hub{hub + 1}", "Hub", list(names)))
    return graph(*nodes)


def test_a_stack_on_a_cycle_is_marked_in_a_scope_of_any_size() -> None:
    nodes = [node("s/a", "A"), node("s/b", "B", [f"s/first{n}" for n in range(1_500)])]
    for n in range(1_500):
        nodes += [node(f"s/first{n}", "First", ["s/a"]), node(f"s/second{n}", "Second", ["s/b"])]
    nodes += [node("s/c", "C", [f"s/second{n}" for n in range(1_500)])]
    nodes += [node(f"s/third{n}", "Third", ["s/c"]) for n in range(1_500)]
    straight = graph(*nodes).view(["s"])
    assert max(straight.copies) == 1_500
    assert not any(straight.unordered)
    nodes[0] = node("s/a", "A", [f"s/second{n}" for n in range(1_500)])
    round_about = graph(*nodes).view(["s"])
    marked = [path for path, one in zip(round_about.path, round_about.unordered, strict=True) if one]
    assert marked == ["s/first0..1499", "s/second0..1499"]


def test_marking_cycles_takes_no_longer_the_more_groups_there_are() -> None:
    def seconds(hubs: int) -> float:
        made = between_hubs(hubs)
        begin = time.process_time()
        view = made.view(["s"])
        assert len(view) == hubs + 2
        return (time.process_time() - begin) / hubs

    few, many = (min(seconds(hubs) for _ in range(2)) for hubs in (90, 360))
    assert many < 2 * few
