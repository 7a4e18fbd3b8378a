"""Nodes that are drawn apart from the main drawing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tbwidget.graph import GRAPH_DEF, read_graph
from tbwidget.graph.auxiliary import MAX_CONTROL_EDGES, MIN_NODES, Area, extract
from tbwidget.graph.roles import Role
from tests.support.corpus import LARGE_GRAPHS
from tests.support.graphs import events, graph, linked, node


def chain(count: int) -> dict[str, str]:
    return {f"n{number}": f"n{number - 1}" if number else "" for number in range(count)}


def test_sinks_of_any_size_are_taken_out() -> None:
    made = graph(node("x"), node("y", inputs=["x"]), node("init", "NoOp", ["^y"]), node("mid", "NoOp", ["^x"]))
    assert "init" in made.auxiliary()
    made = graph(node("x"), node("mid", "NoOp", ["^x"]), node("y", inputs=["x", "^mid"]))
    assert made.auxiliary() == {"mid": Area.OUT}
    assert made.auxiliary(kept=["mid"]) == {}


def star(degree: int, hub: str = "", readers: int = 14) -> dict[str, str]:
    """A chain with a hub that `degree` of its nodes read."""
    nodes = chain(readers)
    for number in range(1, degree + 1):
        nodes[f"n{number}"] += " hub"
    return nodes | {"hub": hub}


def test_sources_of_scalars_go_where_many_read_them() -> None:
    """Degrees of a chain are 0 or 1, so that the bound is 4: a node with more is taken out, from 15 children on."""
    for count, degree, expected in ((14, 5, True), (14, 4, False), (13, 5, False)):
        assert ("hub" in linked(star(degree, readers=count)).auxiliary()) is expected, (count, degree)
    assert linked(star(5)).auxiliary() == {"hub": Area.OUT}
    assert linked(star(5)).auxiliary(kept=["hub"]) == {}


def test_hubs_with_more_than_scalars_stay() -> None:
    assert linked(star(5, hub="n0")).auxiliary() == {}
    nodes = [node(name, inputs=said.split()) for name, said in star(5).items() if name != "hub"]
    for shape, expected in (([], {"hub": Area.OUT}), ([1], {"hub": Area.OUT}), ([2], {})):
        assert graph(*nodes, node("hub", shapes=[shape])).auxiliary() == expected
    # A node that multiplies reads it as a weight, though no shape says so.
    nodes[3].op = "MatMul"
    assert graph(*nodes, node("hub")).auxiliary() == {}


def test_many_edges_in_are_borne() -> None:
    hub = {"hub": " ".join(f"n{number}" for number in range(14))}
    assert linked(chain(14) | hub).auxiliary() == {}


def test_the_bound_grows_with_the_spread_of_degrees() -> None:
    """With 21 nodes and up to 2 readers each, Q1 = 0 and Q3 = 2: nodes with more than 2 + 4 * 2 are taken out."""
    for degree, expected in ((10, False), (11, True)):
        readers = {f"r{number}": f"s{number % 8} s{(number + 1) % 8}" if number < 8 else "" for number in range(12)}
        readers |= {name: f"{said} hub" for name, said in list(readers.items())[:degree]}
        nodes = {f"s{number}": "x" for number in range(8)} | readers | {"hub": "", "x": ""}
        assert ("hub" in linked(nodes).auxiliary()) is expected


def test_the_main_drawing_is_not_empty() -> None:
    made = graph(node("reads", inputs=["constant"]), node("constant", "Const"))
    assert made.auxiliary() == {}
    assert made.auxiliary(removed=["reads"]) == {"reads": Area.IN}
    assert graph(node("init", "NoOp")).auxiliary() == {}


@settings(deadline=None)
@given(st.data())
def test_as_the_same_steps_do_it(data: st.DataObject) -> None:
    """Compare with the same steps, edge by edge, on a networkx graph."""
    count = data.draw(st.integers(1, 24))
    children = st.integers(0, count - 1)
    hubs = data.draw(st.lists(children, max_size=2))
    pairs = data.draw(st.sets(st.tuples(children, children), max_size=40))
    pairs |= {(hub, other) for hub in hubs[:1] for other in range(data.draw(st.integers(0, count)))}
    pairs |= {(other, hub) for hub in hubs[1:] for other in range(data.draw(st.integers(0, count)))}
    edges = {pair: data.draw(st.booleans()) for pair in sorted(pairs) if pair[0] != pair[1]}
    few = st.sets(children, max_size=2)
    roles = data.draw(st.lists(st.sampled_from(Role), min_size=count, max_size=count))
    kept, removed = data.draw(few), data.draw(few)
    kept -= removed
    ends = np.array(list(edges), np.int64).reshape(-1, 2)
    made = extract(
        ends[:, 0],
        ends[:, 1],
        np.array(list(edges.values()), np.bool_),
        np.array(roles, np.uint8),
        kept=kept,
        removed=removed,
    )
    steps = Steps(edges, count, kept, removed)
    steps.run(roles)
    drawn = {pair for pair, shortcut in zip(edges, made.shortcut.tolist(), strict=True) if not shortcut}
    assert drawn == set(steps.network.edges)
    area = {child: Area(made.area[child]) for child in np.flatnonzero(made.area).tolist()}
    assert area.keys() == steps.area.keys()
    assert all(area[child] == steps.area[child] for child in area.keys() - removed)


class Steps:
    """The same steps, edge by edge: `edges` maps each pair to whether it carries control alone."""

    def __init__(self, edges: dict[tuple[int, int], bool], count: int, kept: set[int], removed: set[int]) -> None:
        self.edges, self.count, self.kept, self.removed = edges, count, kept, removed
        self.network: nx.DiGraph[int] = nx.DiGraph()
        self.network.add_nodes_from(range(count))
        self.network.add_edges_from(edges)
        self.area: dict[int, Area] = {}

    def shortcut(self, source: int, target: int) -> None:
        ends = {source, target}
        if not (ends & self.kept and not ends & self.removed) and self.network.has_edge(source, target):
            self.network.remove_edge(source, target)

    def detach(self, child: int) -> None:
        for pair in [*self.network.in_edges(child), *self.network.out_edges(child)]:
            self.shortcut(*pair)

    def take(self, child: int, where: Area) -> None:
        self.detach(child)
        if not self.network.degree(child):
            self.area[child] = where

    def beyond(self, free: list[int], ends: Callable[[int], Any], spread: int) -> list[int]:
        degrees = {child: sum(not self.edges[pair] for pair in ends(child)) or len(ends(child)) for child in free}
        ordered = sorted(degrees.values())
        first, third = (ordered[int(share * len(free) + 0.5)] for share in (0.25, 0.75))
        return [child for child in free if degrees[child] > max(third + spread * (third - first), 4)]

    def uncrowd(self) -> None:
        control = [pair for pair in self.network.edges if self.edges[pair]]
        for child, times in Counter(child for pair in control for child in pair).items():
            for pair in control if times > MAX_CONTROL_EDGES else ():
                if child in pair:
                    self.shortcut(*pair)

    def run(self, roles: list[Role]) -> None:
        for child in self.removed:
            self.take(child, Area.OUT)
        by_hand = dict(self.area), self.network.copy()
        asked = self.kept | self.removed
        for child, role in enumerate(roles):
            if role == Role.BOOKKEEPING and child not in asked:
                self.take(child, Area.OUT)
        crowd = [child for child, role in enumerate(roles) if role == Role.LARGE and self.network.degree(child) != 1]
        for child in crowd:
            if child not in asked:
                self.detach(child)
        free = [child for child in range(self.count) if child not in self.kept and child not in self.area]
        if len(free) >= MIN_NODES:
            for child in self.beyond(free, self.network.out_edges, 4):
                if roles[child] == Role.SCALARS:
                    self.take(child, Area.OUT)
        if len(self.area) == self.count > len(by_hand[0]):
            self.area, self.network = by_hand
        self.uncrowd()


def test_by_hand() -> None:
    made = linked({"x": "", "y": "x", "z": "y"})
    assert made.auxiliary() == {}
    assert "y" in made.auxiliary(removed=["y"])


def test_large_bookkeeping_of_one_neighbor_hangs_on_it() -> None:
    edges = np.array([[0, 1], [2, 1], [2, 3]])
    roles = np.array([Role.LARGE, Role.MODEL, Role.LARGE, Role.MODEL], np.uint8)
    made = extract(edges[:, 0], edges[:, 1], np.zeros(3, np.bool_), roles)
    assert made.shortcut.tolist() == [False, True, True]


def test_shortcuts_for_many_control_edges() -> None:
    structure = linked(
        {f"n{number}": "" for number in range(5)} | {"all": " ".join(f"^n{n}" for n in range(5))}
    ).structure
    extraction, children = structure.extraction(structure.hierarchy.root, *(structure.children(0)[:0],) * 2)
    assert len(children) == 6
    assert extraction.shortcut.all()


def test_few_are_taken_out_of_a_real_graph() -> None:
    (event,) = (
        event
        for path in (LARGE_GRAPHS / "resnet152_kerastrain").glob("*tfevents*")
        for event in events(path)
        if event.graph_def
    )
    made = read_graph(event.graph_def, GRAPH_DEF)
    assert set(made.auxiliary()) == {"NoOp"}
    assert set(made.auxiliary("adam")) == {"adam/Cast"}
