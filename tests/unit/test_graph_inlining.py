"""Constants and summaries, embedded in the nodes that use them."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings

from tbwidget.graph.inlining import Inlined
from tbwidget.graph.model import Graph
from tbwidget.proto.graph_pb2 import NodeDef
from tests.support.graphs import definitions, graph, node, text


def inlined(made: Graph) -> dict[str, Inlined]:
    kind = made.structure.inlining.kind
    return {name: Inlined(kind[number]) for number, name in enumerate(made.names) if kind[number]}


def remaining(made: Graph) -> list[tuple[str, str, int]]:
    nodes, inlining = made.structure.nodes, made.structure.inlining
    return [
        (nodes.names[source], nodes.names[target], int(nodes.slot[edge]))
        for source, target, edge in zip(
            inlining.source.tolist(), inlining.target.tolist(), inlining.edge.tolist(), strict=True
        )
    ]


@pytest.mark.parametrize(
    ("op", "kind"),
    [
        ("Const", Inlined.CONSTANT),
        ("HostConst", Inlined.CONSTANT),
        ("prim::Constant", Inlined.CONSTANT),
        ("prim::GetAttr", Inlined.PARAMETER),
        ("prim::ListConstruct", Inlined.PLUMBING),
        ("Relu", None),
        ("ScalarSummary", None),
    ],
)
def test_nodes_that_are_embedded_in_their_consumer(op: str, kind: Inlined | None) -> None:
    made = graph(node("x", op), node("y", "Add", ["x"]))
    assert inlined(made).get("x") == kind


@pytest.mark.parametrize(
    ("op", "is_inlined"),
    [
        ("ScalarSummary", True),
        ("MergeSummary", True),
        ("TensorSummaryV2", True),
        ("WriteScalarSummary", True),
        ("Summary2", False),
        ("Summary", False),
        ("SummaryWriter", False),
    ],
)
def test_summaries_that_are_embedded_in_the_recorded_node(op: str, is_inlined: bool) -> None:  # noqa: FBT001
    made = graph(node("tag", "Const"), node("x"), node("s", op, ["tag", "x"]))
    assert inlined(made) == {"tag": Inlined.CONSTANT} | ({"s": Inlined.SUMMARY} if is_inlined else {})
    assert [note.name for note in made.annotations("x")] == (["s"] if is_inlined else [])


def test_nodes_without_a_visible_neighbor_stay() -> None:
    made = graph(
        node("unread", "Const"),
        node("tag", "Const"),
        node("of_constants", "ScalarSummary", ["tag"]),
        node("one", "MergeSummary", ["other"]),
        node("other", "MergeSummary", ["one"]),
        node("list", "prim::ListConstruct", ["item"]),
        node("item", "prim::Constant"),
    )
    assert inlined(made) == {"tag": Inlined.CONSTANT, "item": Inlined.CONSTANT}


def test_inputs_of_embedded_nodes_become_those_of_their_consumers() -> None:
    made = graph(
        node("x"),
        node("y", inputs=["x", "c", "merged"]),
        node("c", "Const", ["^x"]),
        node("size", "aten::size", ["x"]),
        node("list", "prim::ListConstruct", ["size:2", "one"]),
        node("one", "prim::Constant"),
        node("view", "aten::view", ["x", "list"]),
        node("s", "ScalarSummary", ["c", "x"]),
        node("merged", "MergeSummary", ["s"]),
    )
    assert sorted(remaining(made)) == sorted(
        [
            ("x", "y", 0),
            ("x", "y", -1),  # through the constant
            ("x", "y", 0),  # through both summaries
            ("x", "size", 0),
            ("size", "view", 2),
            ("x", "view", 0),
            ("x", "y", -1),  # through the constant that the summary reads
        ]
    )


def test_annotations_name_their_nodes() -> None:
    weight = node("m/Linear[fc]/weight/weight.1", "prim::GetAttr", ["m/fc"])
    weight.attr["attr"].CopyFrom(text("{ name :  weight }"))
    one = node("m/7", "prim::Constant")
    one.attr["attr"].CopyFrom(text("{ value : 0.5}"))
    made = graph(weight, one, node("m/8", "aten::linear", ["m/Linear[fc]/weight/weight.1", "m/7"]))
    assert [(note.kind, note.label) for note in made.annotations("m/8")] == [
        (Inlined.PARAMETER, "weight"),
        (Inlined.CONSTANT, "0.5"),
    ]
    assert made.view([]).path == ["m"]  # the module with the weight is no box


def test_annotations_of_a_list_name_its_nodes() -> None:
    weight = node("weight", "prim::GetAttr", ["lstm"])
    weight.attr["attr"].CopyFrom(text("{ name :  weight_ih }"))
    nothing = node("1", "prim::Constant")
    nothing.attr["attr"].CopyFrom(text("{}"))
    made = graph(
        node("x", "aten::relu"),
        weight,
        nothing,
        node("2", "prim::ListConstruct", ["x", "weight", "1", "weight"]),
        node("3", "prim::ListConstruct", ["2"]),
        node("y", "aten::lstm", ["2", "3", "1"]),
    )
    labels = [note.label for note in made.annotations("y")]
    assert labels == ["[relu, weight_ih, None, weight_ih]", "[[relu, weight_ih, None, weight_ih]]", "None"]


def test_a_missing_node_that_others_read_is_a_box() -> None:
    made = graph(node("w", "prim::GetAttr", ["gone"]), node("y", "aten::linear", ["w", "gone"]))
    assert "gone" in made.view([]).path


def test_many_inputs_and_many_consumers() -> None:
    """A node that would multiply the edges is drawn."""
    many = [node(f"i{number}") for number in range(300)]
    readers = [node(f"o{number}", inputs=["hub"]) for number in range(300)]
    made = graph(*many, node("hub", "Const", [f"^i{number}" for number in range(300)]), *readers)
    assert inlined(made) == {}
    assert len(remaining(made)) == 600


@settings(deadline=None)
@given(definitions())
def test_edges_lead_past_embedded_nodes_and_nowhere_else(nodes: list[NodeDef]) -> None:
    made = graph(*nodes)
    kind = made.structure.inlining.kind
    names = made.structure.nodes.names
    hidden = {names[number] for number in np.flatnonzero(kind).tolist()}
    network = nx.DiGraph(made.to_networkx())
    expected = set()
    for source in set(network) - hidden:
        through = network.subgraph(hidden | {source})
        reached = nx.descendants(through, source) | {source} if source in through else {source}
        expected |= {(source, target) for inner in reached for target in network.successors(inner)}
    expected = {(source, target) for source, target in expected if target not in hidden}
    assert {(source, target) for source, target, _ in remaining(made)} == expected
    # Every hidden node is next to one that is not hidden.
    undirected = network.to_undirected()
    for name in hidden:
        near = undirected.subgraph(hidden | set(network.successors(name)) | set(network.predecessors(name)))
        connected = nx.node_connected_component(undirected.subgraph(hidden | set(near)), name)
        assert connected - hidden or any(set(undirected[other]) - hidden for other in connected)
