"""What is taken out of the main drawing, by the bounds that TensorBoard states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tbwidget.graph import GRAPH_DEF, read_graph
from tbwidget.graph.auxiliary import FEWEST_NODES, MOST_CONTROL_EDGES, Area, extract
from tests.support.corpus import LARGE_GRAPHS
from tests.support.graphs import events, graph, linked, node


def chain(count: int) -> dict[str, str]:
    return {f"n{number}": f"n{number - 1}" if number else "" for number in range(count)}


def test_sinks_go_whatever_the_size() -> None:
    made = graph(node("x"), node("y", inputs=["x"]), node("init", "NoOp", ["^y"]), node("mid", "NoOp", ["^x"]))
    assert "init" in made.auxiliary()
    made = graph(node("x"), node("mid", "NoOp", ["^x"]), node("y", inputs=["x", "^mid"]))
    assert made.auxiliary() == {"mid": Area.OUT}
    assert made.auxiliary(kept=["mid"]) == {}


def test_many_edges_in() -> None:
    """Degrees of a chain of 14 are 0 or 1, so that the bound is 4: strictly more is taken out, from 15 children on."""
    for count, degree, expected in ((14, 5, True), (14, 4, False), (13, 5, False)):
        hub = {"hub": " ".join(f"n{number}" for number in range(degree))}
        assert (linked(chain(count) | hub).auxiliary().get("hub") == Area.IN) is expected, (count, degree)


def test_many_edges_out() -> None:
    nodes = chain(14) | {f"n{number}": f"n{number - 1} hub" for number in range(1, 6)} | {"hub": ""}
    assert linked(nodes).auxiliary() == {"hub": Area.OUT}
    assert linked(nodes).auxiliary(kept=["hub"]) == {}


def test_the_bound_grows_with_the_spread_of_degrees() -> None:
    """Of 20 nodes with 0 to 6 inputs, Q1 = 0 and Q3 = 6: only above 6 + 6 are they taken out."""
    sources = {f"s{number}": "" for number in range(14)}
    readers = {f"r{number}": " ".join(f"s{source}" for source in range(6)) for number in range(8)}
    for degree, expected in ((12, False), (13, True)):
        hub = {"hub": " ".join(f"s{source}" for source in range(degree))}
        assert ("hub" in linked(sources | readers | hub).auxiliary()) is expected


def test_neighbors_count_once_and_control_edges_only_without_data() -> None:
    twice = chain(14) | {"hub": "n0 n0 n1 n1 n2 n3"}
    assert linked(twice).auxiliary() == {}
    mixed = chain(14) | {"hub": "n0 ^n1 ^n2 ^n3 ^n4 ^n5"}
    assert "hub" not in linked(mixed).auxiliary()


def test_more_edges_out_than_in_are_borne() -> None:
    """Of 20 nodes with up to 2 outputs, Q1 = 0 and Q3 = 2: above 2 + 4 * 2 they are taken out."""
    pairs = {f"s{number}": "" for number in range(8)}
    for degree, expected in ((10, False), (11, True)):
        readers = {f"r{number}": f"s{number % 8} s{(number + 1) % 8}" if number < 8 else "" for number in range(12)}
        readers |= {name: f"{said} hub" for name, said in list(readers.items())[:degree]}
        assert ("hub" in linked(pairs | readers | {"hub": ""}).auxiliary()) is expected


def test_what_is_left_without_edges_goes_to_the_side_that_it_has_no_marks_on() -> None:
    made = graph(
        node("source"),
        node("sink", inputs=["middle"]),
        node("middle", inputs=["source", "both"]),
        node("both", inputs=["constant"]),
        node("constant", "Const"),
        node("alone"),
        node("reads", inputs=["constant"]),
        node("recorded"),
        node("summary", "ScalarSummary", ["recorded"]),
    )
    assert made.auxiliary(removed=["middle"]) == {
        "middle": Area.IN,
        "source": Area.IN,
        "sink": Area.OUT,
        "reads": Area.OUT,
        "recorded": Area.IN,
    }


def test_the_main_drawing_is_not_empty() -> None:
    made = graph(node("reads", inputs=["constant"]), node("constant", "Const"))
    assert made.auxiliary() == {}
    assert made.auxiliary(removed=["reads"]) == {"reads": Area.IN}
    assert graph(node("init", "NoOp")).auxiliary() == {}


@settings(deadline=None)
@given(st.data())
def test_as_tensorboard_does_it(data: st.DataObject) -> None:
    """Against the same steps, edge by edge, on a networkx graph; but of a whole graph not all is taken out."""
    count = data.draw(st.integers(1, 24))
    children = st.integers(0, count - 1)
    hubs = data.draw(st.lists(children, max_size=2))
    pairs = data.draw(st.sets(st.tuples(children, children), max_size=40))
    pairs |= {(hub, other) for hub in hubs[:1] for other in range(data.draw(st.integers(0, count)))}
    pairs |= {(other, hub) for hub in hubs[1:] for other in range(data.draw(st.integers(0, count)))}
    edges = {pair: data.draw(st.booleans()) for pair in sorted(pairs) if pair[0] != pair[1]}
    flags = st.lists(st.booleans(), min_size=count, max_size=count)
    few = st.sets(children, max_size=2)
    sinks, reads, is_read = data.draw(flags.filter(lambda drawn: sum(drawn) < 4)), data.draw(flags), data.draw(flags)
    kept, removed = data.draw(few), data.draw(few)
    kept -= removed
    whole = data.draw(st.booleans())
    ends = np.array(list(edges), np.int64).reshape(-1, 2)
    made = extract(
        ends[:, 0],
        ends[:, 1],
        np.array(list(edges.values()), np.bool_),
        np.array(sinks),
        (np.array(reads), np.array(is_read)),
        kept=kept,
        removed=removed,
        whole=whole,
    )
    steps = Steps(edges, (reads, is_read), kept, removed)
    steps.run(sinks)
    if whole and len(steps.area) == count > len(steps.removed_area):
        steps.area = steps.removed_area
    drawn = {pair for pair, shortcut in zip(edges, made.shortcut.tolist(), strict=True) if not shortcut}
    assert drawn == set(steps.network.edges)
    area = {child: Area(made.area[child]) for child in np.flatnonzero(made.area).tolist()}
    assert area.keys() == steps.area.keys()
    assert all(area[child] == steps.area[child] for child in area.keys() - removed)


class Steps:
    """The same edge by edge: `edges` say of each pair whether it carries control alone."""

    def __init__(
        self,
        edges: dict[tuple[int, int], bool],
        marks: tuple[list[bool], list[bool]],
        kept: set[int],
        removed: set[int],
    ) -> None:
        self.edges, self.kept, self.removed = edges, kept, removed
        self.network: nx.DiGraph[int] = nx.DiGraph()
        self.network.add_nodes_from(range(len(marks[0])))
        self.network.add_edges_from(edges)
        self.reads, self.is_read = map(list, marks)
        self.area: dict[int, Area] = {}

    def shortcut(self, source: int, target: int) -> None:
        ends = {source, target}
        if not (ends & self.kept and not ends & self.removed) and self.network.has_edge(source, target):
            self.network.remove_edge(source, target)
            self.reads[target] = self.is_read[source] = True

    def take(self, child: int, where: Area) -> None:
        for pair in [*self.network.in_edges(child), *self.network.out_edges(child)]:
            self.shortcut(*pair)
        if not self.network.degree(child):
            self.area[child] = where
            self.network.remove_node(child)

    def beyond(self, free: list[int], ends: Callable[[int], Any], spread: int) -> list[int]:
        degrees = {child: sum(not self.edges[pair] for pair in ends(child)) or len(ends(child)) for child in free}
        ordered = sorted(degrees.values())
        first, third = (ordered[int(share * len(free) + 0.5)] for share in (0.25, 0.75))
        return [child for child in free if degrees[child] > max(third + spread * (third - first), 4)]

    def uncrowd(self) -> None:
        control = [pair for pair in self.network.edges if self.edges[pair]]
        for child, times in Counter(child for pair in control for child in pair).items():
            for pair in control if times > MOST_CONTROL_EDGES else ():
                if child in pair:
                    self.shortcut(*pair)

    def run(self, sinks: list[bool]) -> None:
        for child in self.removed:
            self.take(child, Area.OUT)
        self.removed_area = dict(self.area)
        for child in np.flatnonzero(sinks).tolist():
            if child not in self.kept | self.removed:
                self.take(child, Area.OUT)
        free = [child for child in self.network if child not in self.kept]
        if len(free) >= FEWEST_NODES:
            into = self.beyond(free, self.network.in_edges, 1)
            out_of = self.beyond(free, self.network.out_edges, 4)
            for child in into:
                self.take(child, Area.IN)
            for child in set(out_of) - set(into):
                self.take(child, Area.OUT)
        self.uncrowd()
        for child in set(self.network) - self.kept:
            if not self.network.degree(child) and self.reads[child] != self.is_read[child]:
                self.area[child] = Area.OUT if self.reads[child] else Area.IN


def test_by_hand() -> None:
    made = linked({"x": "", "y": "x", "z": "y"})
    assert made.auxiliary() == {}
    assert "y" in made.auxiliary(removed=["y"])


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
    assert set(made.auxiliary()) == {"NoOp", "gradient_tape"}
    assert set(made.auxiliary("adam")) == {"adam/IdentityN", "adam/Cast", "adam/Add"}
