"""Graphs of programs in memory: definitions of any package, networkx graphs, models of Keras and torch."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest

from tbwidget.graph import GRAPH_DEF, read_graph
from tbwidget.graph.objects import graph_of
from tbwidget.proto.graph_pb2 import GraphDef, MetaGraphDef
from tbwidget.proto.run_metadata_pb2 import RunMetadata
from tests.support.graphs import DATA, definition, directed, node

TWO = [node("a/x", "Placeholder", shapes=[[2, -1]]), node("a/y", "Relu", ["a/x"])]


def test_definitions_are_taken_as_messages_and_bytes() -> None:
    message = GraphDef(node=TWO)
    meta, trace = MetaGraphDef(), RunMetadata()
    meta.graph_def.node.extend(TWO)
    trace.function_graphs.add().pre_optimization_graph.node.extend(TWO)
    data = definition(*TWO)
    for thing in (message, meta, trace, data, bytearray(data), memoryview(data), read_graph(data, GRAPH_DEF)):
        assert graph_of(thing).names == ["a/x", "a/y"]


def test_an_object_with_a_definition_is_asked_for_shapes() -> None:
    class Held:
        def as_graph_def(self, *, add_shapes: bool) -> GraphDef:
            assert add_shapes
            return GraphDef(node=TWO)

    class Concrete:
        graph = Held()

    assert graph_of(Held()).names == graph_of(Concrete()).names == ["a/x", "a/y"]


def test_a_networkx_graph_is_drawn_as_its_attributes_say() -> None:
    given: Any = nx.DiGraph()
    given.add_node("enc/in", op="Input", shape=(None, 3), device="gpu")
    given.add_node("enc/mul", op="MatMul", shapes=[(np.int64(4), 3), None], units=7, note=[1, 2])
    given.add_node(5)
    given.add_edge("enc/in", "enc/mul")
    given.add_edge("enc/mul", 5, slot=1)
    given.add_edge("enc/in", 5, control=True)
    made = graph_of(given)
    assert made.names == ["enc/in", "enc/mul", "5"]
    assert made.op("enc/mul") == "MatMul"
    assert made.device_counts() == {"": 2, "gpu": 1}
    assert made.output_shapes("enc/in") == ((-1, 3),)
    assert made.output_shapes("enc/mul") == ((4, 3), None)
    assert made.attributes("enc/mul") == {"units": 7, "note": "[1, 2]"}
    assert made.find("units=7") == ["enc/mul"]
    assert (made.edge_count, made.control_edge_count) == (2, 1)
    assert sorted(made.to_networkx().edges(data="slot")) == [
        ("enc/in", "5", -1),
        ("enc/in", "enc/mul", 0),
        ("enc/mul", "5", 1),
    ]
    assert made.view([]).path == ["5", "enc"]


@pytest.mark.parametrize("name", ["train.graph_def", "torch.graph_def", "library.graph_def"])
def test_a_graph_survives_a_round_trip_through_networkx(name: str) -> None:
    written = read_graph((DATA / name).read_bytes(), GRAPH_DEF)
    back = graph_of(written.to_networkx())
    assert back.names == written.names
    assert [back.op(node) for node in back.names] == [written.op(node) for node in written.names]
    edges: list[Any] = [sorted(each.to_networkx().edges(data="slot")) for each in (written, back)]
    assert edges[0] == edges[1]


def test_a_multigraph_keeps_each_edge() -> None:
    assert graph_of(directed(("a", "b"), ("a", "b"), ("b", "b"))).edge_count == 3


@pytest.mark.parametrize(
    ("thing", "error", "said"),
    [
        (nx.Graph(), TypeError, "to_directed"),
        (directed(("^a", "b")), ValueError, "cannot begin with"),
        (5, TypeError, "cannot show a graph of int; pass a GraphDef"),
        ("runs", TypeError, "cannot show a graph of str"),
        (b"\xff\xff", ValueError, "no graph in these bytes"),
    ],
)
def test_an_object_that_is_no_graph_is_refused_in_words(thing: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        graph_of(thing)


def test_a_wrong_shape_is_refused() -> None:
    given: Any = nx.DiGraph()
    given.add_node("a", shape=(0.5,))
    with pytest.raises(TypeError, match="sequence of ints"):
        graph_of(given)


class Model:
    """A stand-in for a Keras model, with JSON that Keras wrote."""

    layers: tuple[()] = ()

    def __init__(self, said: str) -> None:
        self._said = said

    def to_json(self) -> str:
        return self._said


def test_a_keras_model_is_drawn_as_its_json() -> None:
    made = graph_of(Model((DATA / "keras3_functional.json").read_text()))
    assert "net/stem" in made.names
    with pytest.raises(ValueError, match="no graph in these bytes"):
        graph_of(Model("no JSON"))
