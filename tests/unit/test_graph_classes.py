"""Structure classes, with networkx as the oracle for isomorphism; components and ranks."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tbwidget.graph.arrays import adjacency, closure, components
from tbwidget.graph.classes import ranks
from tbwidget.graph.model import Graph
from tests.support.graphs import graph, linked, node

Edges = list[tuple[int, int]]
COUNT = 12


def edges(count: int = COUNT) -> st.SearchStrategy[Edges]:
    ends = st.integers(0, count - 1)
    return st.lists(st.tuples(ends, ends), max_size=2 * count)


def columns(pairs: Edges) -> tuple[np.ndarray, np.ndarray]:
    array = np.array(pairs, np.int64).reshape(-1, 2)
    return array[:, 0], array[:, 1]


def class_of(made: Graph, path: str) -> int:
    item = made.structure.hierarchy.scope(path)
    assert item is not None
    return int(made.structure.classes[item])


def scope_of(name: str, ops: list[str], pairs: Edges) -> list[tuple[str, str, list[str]]]:
    return [
        (f"{name}/{number}", op, [f"{name}/{source}" for source, target in pairs if target == number])
        for number, op in enumerate(ops)
    ]


@settings(deadline=None)
@given(edges())
def test_components_equal_networkxs(pairs: Edges) -> None:
    network: nx.Graph[int] = nx.Graph()
    network.add_edges_from(pairs)
    network.add_nodes_from(range(COUNT))
    found = components(COUNT, *columns(pairs))
    expected = {member: min(group) for group in nx.connected_components(network) for member in group}
    assert dict(enumerate(found.tolist())) == expected


def test_components_of_a_long_chain() -> None:
    order = np.random.default_rng(0).permutation(100_000)
    assert (components(100_000, order[:-1], order[1:]) == 0).all()


@settings(deadline=None)
@given(edges())
def test_closure_equals_the_descendants_of_networkx(pairs: Edges) -> None:
    source, target = columns(pairs)
    network: nx.DiGraph[int] = nx.DiGraph()
    network.add_edges_from(pairs)
    network.add_nodes_from(range(COUNT))
    reached = closure(np.array([0]), adjacency(source, target, COUNT))
    expected = {node for start in network.successors(0) for node in nx.descendants(network, start) | {start}}
    assert set(np.flatnonzero(reached).tolist()) == expected


@settings(deadline=None)
@given(edges())
def test_ranks_are_longest_paths(pairs: Edges) -> None:
    found = ranks(COUNT, *columns(pairs)).tolist()
    network: nx.DiGraph[int] = nx.DiGraph()
    network.add_edges_from((source, target) for source, target in pairs if source != target)
    network.add_nodes_from(range(COUNT))
    circles = {node for group in nx.strongly_connected_components(network) if len(group) > 1 for node in group}
    behind = circles | {node for start in circles for node in nx.descendants(network, start)}
    for number in range(COUNT):
        if number in behind:
            assert found[number] == -1
        else:
            before = [found[source] for source in network.predecessors(number)]
            assert found[number] == (max(before) + 1 if before else 0)


def test_scopes_built_alike() -> None:
    block = {"x": "", "y": "x", "z": "y x"}
    other = {"x": "", "y": "x", "z": "y"}
    made = linked(
        {
            f"{name}/{scope}/{label}": " ".join(f"{name}/{scope}/{source}" for source in inputs.split())
            for name, inner in (("m0", block), ("m1", block), ("m2", other))
            for scope in ("a", "b")
            for label, inputs in (inner if scope == "a" else block).items()
        }
    )
    assert class_of(made, "m0/a") == class_of(made, "m1/a") == class_of(made, "m2/b") != class_of(made, "m2/a")
    assert class_of(made, "m0") == class_of(made, "m1") != class_of(made, "m2")


def test_control_edges_and_ops_make_a_difference() -> None:
    made = graph(
        *(node(f"{scope}/x") for scope in "abcd"),
        node("a/y", inputs=["a/x"]),
        node("b/y", inputs=["^b/x"]),
        node("c/y", inputs=["c/x", "^c/x"]),
        node("d/y", "Other", inputs=["d/x"]),
    )
    assert len({class_of(made, scope) for scope in "abcd"}) == 4


def test_classes_are_the_same_in_every_graph() -> None:
    one = linked({"a/x": "", "a/y": "a/x"})
    two = linked({"q": "", "w/k/y": "", "w/k/z": "w/k/y"})
    assert class_of(one, "a") == class_of(two, "w/k")


def test_the_place_in_a_long_chain_counts() -> None:
    """Two chains of the same ops differ in the place of one, farther from the ends than a neighborhood reaches."""

    def chain(name: str, odd: int) -> list[tuple[str, str, list[str]]]:
        ops = ["Odd" if number == odd else "Op" for number in range(40)]
        return scope_of(name, ops, [(number, number + 1) for number in range(39)])

    made = graph(*(node(*said) for scope, odd in (("a", 15), ("b", 20), ("c", 15)) for said in chain(scope, odd)))
    assert class_of(made, "a") == class_of(made, "c") != class_of(made, "b")


@pytest.mark.parametrize("seed", range(5))
def test_classes_are_isomorphism_on_directed_acyclic_scopes(seed: int) -> None:
    random = np.random.default_rng(seed)
    scopes = {}
    for number in range(25):
        ops = [str(op) for op in random.choice(["A", "B"], 5)]
        pairs = {(int(min(pair)), int(max(pair))) for pair in random.integers(0, 5, (4, 2)) if pair[0] != pair[1]}
        shuffled = random.permutation(5)
        moved = [ops[int(np.flatnonzero(shuffled == place)[0])] for place in range(5)]
        scopes[f"s{number}"] = (ops, sorted(pairs))
        scopes[f"t{number}"] = (moved, [(int(shuffled[a]), int(shuffled[b])) for a, b in sorted(pairs)])
    made = graph(*(node(*said) for name, built in scopes.items() for said in scope_of(name, *built)))

    def network(name: str) -> nx.DiGraph[int]:
        ops, pairs = scopes[name]
        built: nx.DiGraph[int] = nx.DiGraph()
        built.add_nodes_from((place, {"op": op}) for place, op in enumerate(ops))
        built.add_edges_from(pairs)
        return built

    networks = {name: network(name) for name in scopes}
    for one, two in combinations(scopes, 2):
        alike = nx.is_isomorphic(networks[one], networks[two], node_match=lambda a, b: a["op"] == b["op"])
        assert (class_of(made, one) == class_of(made, two)) == alike, (scopes[one], scopes[two])
