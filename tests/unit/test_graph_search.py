"""Search for nodes, their ancestors and descendants, attributes."""

from __future__ import annotations

import re

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tbwidget.graph import GRAPH_DEF, KERAS, read_graph
from tbwidget.graph.attributes import TensorAttribute, attribute_text
from tbwidget.proto.graph_pb2 import NodeDef
from tbwidget.proto.tensor_pb2 import DataType, TensorProto
from tests.support.graphs import DATA, definitions, graph, linked, node, text


def rich() -> NodeDef:
    made = node("scope/Rich", "Conv2D", ["x"], shapes=[[8, -1, 3], []])
    made.attr["padding"].CopyFrom(text("SAME"))
    made.attr["strides"].list.i.extend([1, 2, 2, 1])
    made.attr["T"].type = DataType.DT_FLOAT
    made.attr["R"].MergeFromString(b"\x30\x66")  # a reference to DT_DOUBLE
    made.attr["N"].MergeFromString(b"\x30\xe7\x07")  # a type that no version knows
    made.attr["use"].b = True
    made.attr["rate"].f = 0.5
    made.attr["f"].func.name = "body"
    made.attr["value"].tensor.CopyFrom(TensorProto(dtype=DataType.DT_FLOAT, float_val=[2.5]))
    made.attr["many"].tensor.CopyFrom(TensorProto(dtype=DataType.DT_INT32, int_val=[1, 2]))
    made.attr["many"].tensor.tensor_shape.dim.add(size=2)
    made.attr["word"].CopyFrom(text(""))
    made.attr["nothing"].Clear()
    return made


def test_attributes() -> None:
    made = graph(node("x"), rich())
    assert made.attributes("scope/Rich") == {
        "_output_shapes": [(8, -1, 3), ()],
        "padding": "SAME",
        "strides": [1, 2, 2, 1],
        "T": "DT_FLOAT",
        "R": "DT_DOUBLE_REF",
        "N": "999",
        "use": True,
        "rate": 0.5,
        "f": "body",
        "value": TensorAttribute("DT_FLOAT", (), 2.5),
        "many": TensorAttribute("DT_INT32", (2,), None),
        "word": "",
        "nothing": None,
    }
    assert made.attributes("x") == {}


@pytest.mark.parametrize(
    ("tensor", "value"),
    [
        (TensorProto(dtype=DataType.DT_INT64, tensor_content=b"\x07" + bytes(7)), 7),
        (TensorProto(dtype=DataType.DT_BOOL, bool_val=[True]), True),
        (TensorProto(dtype=DataType.DT_STRING, string_val=[b"a\xff"]), "a\udcff"),
        (TensorProto(dtype=DataType.DT_FLOAT, tensor_content=b"\x00"), None),
        (TensorProto(dtype=DataType.DT_FLOAT), None),
    ],
)
def test_values_of_constants(tensor: TensorProto, value: object) -> None:
    made = node("c", "Const")
    made.attr["value"].tensor.CopyFrom(tensor)
    assert graph(made).attributes("c")["value"].value == value


def test_text_of_attributes() -> None:
    assert attribute_text([True, 1, (2, -1), None, "x"]) == "[true, 1, 2×?, , x]"  # noqa: RUF001
    assert attribute_text(TensorAttribute("DT_INT32", (2, 3), None)) == "DT_INT32 2×3"  # noqa: RUF001


@pytest.mark.parametrize(
    "wanted", ["rich", "conv2d", "padding=same", "STRIDES=[1, 2", "8x?x3", "8 x ?", "use=true", "0.5", "2.5", "f=body"]
)
def test_finding(wanted: str) -> None:
    made = graph(node("x"), rich(), node("other", "Relu"))
    assert made.find(wanted) == ["scope/Rich"]


def test_finding_patterns() -> None:
    made = graph(node("x1"), node("x2", inputs=["x9"]), node("y", "x3"))
    assert made.find(re.compile("^x[0-9]$")) == ["x1", "x2", "y"]  # but not the missing one
    assert made.find("x") == ["x1", "x2", "y"]
    assert made.find("[") == []


def test_finding_layers() -> None:
    made = read_graph((DATA / "keras3_functional.json").read_bytes(), KERAS)
    assert made.find("activation=relu") == ["net/stem"]
    assert made.find("8x8x6") == ["net/inner/c1", "net/inner/bn", "net/add"]
    assert made.find("LSTM") == ["net/lstm"]


@settings(deadline=None)
@given(definitions(), st.booleans())
def test_ancestors_descendants_and_paths_equal_networkxs(nodes: list[NodeDef], control: bool) -> None:  # noqa: FBT001
    made = graph(*nodes)
    network: nx.DiGraph[str] = nx.DiGraph()
    network.add_edges_from(
        (source, target)
        for source, target, said in made.to_networkx().edges(data=True)
        if control or not said["control"]
    )
    network.add_nodes_from(made.to_networkx())
    for name in made.names[:4]:
        assert set(made.ancestors(name, control=control)) == nx.ancestors(network, name)
        assert set(made.descendants(name, control=control)) == nx.descendants(network, name)
        for other in made.names[:4]:
            way = made.path(name, other, control=control)
            if way is None:
                assert not nx.has_path(network, name, other)
            else:
                assert nx.is_path(network, way)
                assert (way[0], way[-1]) == (name, other)
                assert len(way) - 1 == nx.shortest_path_length(network, name, other)


def test_paths_in_cycles() -> None:
    made = linked({"a": "c", "b": "a", "c": "b", "d": "^a"})
    assert set(made.ancestors("a")) == {"b", "c"}
    assert made.path("a", "c") == ["a", "b", "c"]
    assert made.path("d", "a") is None
    assert made.path("a", "d", control=False) is None
    assert made.path("a", "a") == ["a"]


def test_frames() -> None:
    made = read_graph((DATA / "train.graph_def").read_bytes(), GRAPH_DEF)
    nodes, edges = made.node_frame(), made.edge_frame()
    assert list(nodes.columns) == ["name", "op", "scope", "device", "shapes", "embedded", "missing"]
    assert (len(nodes), len(edges)) == (made.node_count, made.edge_count + made.control_edge_count)
    weights = nodes[nodes["name"] == "layer0/weights"].iloc[0]
    assert (weights["op"], weights["scope"], weights["shapes"]) == ("VariableV2", "layer0/weights", "4×2")  # noqa: RUF001
    assert set(edges[edges["reference"]]["source"]) == set(nodes[nodes["op"] == "VariableV2"]["name"])
