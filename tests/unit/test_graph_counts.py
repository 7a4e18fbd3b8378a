"""Nodes and edges as written: counts, names, networkx."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from tbwidget.graph import GRAPH_DEF, META_GRAPH_DEF, RUN_METADATA, read_graph
from tbwidget.proto.graph_pb2 import MetaGraphDef, NodeDef
from tests.support.corpus import CORPUS, LARGE_GRAPHS
from tests.support.graphs import definition, definitions, events, graph, linked, node

PLUGINS = {"graph_run_metadata", "graph_run_metadata_graph"}


def written_graphs(folder: Path) -> list[bytes]:
    written = (event for path in sorted(folder.glob("*tfevents*")) for event in events(path))
    return [event.graph_def for event in written if event.WhichOneof("what") == "graph_def"]


def expected_graphs() -> list[tuple[Path, list[dict[str, Any]]]]:
    found = []
    for path in sorted(CORPUS.glob("*/expected.json")):
        if path.parent.name != "corrupt_files":
            for run, said in json.loads(path.read_text())["runs"].items():
                graphs = said["tags"].get("__run_graph__", {}).get("graph")
                if graphs:
                    found.append((path.parent / "logs" / run, graphs))
    return found


def test_graphs_of_the_corpus() -> None:
    checked = 0
    for folder, expected in expected_graphs():
        datas = written_graphs(folder)
        assert len(datas) == len(expected)
        for data, truth in zip(datas, expected, strict=True):
            made = read_graph(data, GRAPH_DEF)
            if "nodes" not in truth:  # it could not be parsed
                assert made.problems
                continue
            assert (made.node_count, made.edge_count, made.control_edge_count) == (
                truth["unique_names"],
                truth["data_edges"],
                truth["control_edges"],
            )
            assert len(made.functions) == truth["functions"]
            assert (~made.edge_frame()["source"].isin(made.names)).sum() == truth["dangling_inputs"]
            checked += 1
    assert checked > 8


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("gpt24_torch", (2119, 3782, 0)),
        ("incepv3_tf1_adam", (12274, 22941 - 4463, 4463)),
        ("mnist_mlp", (345, 491 - 79, 79)),
        ("resnet152_kerastrain", (41987, 61968 - 11196, 11196)),
    ],
)
def test_large_graphs(name: str, counts: tuple[int, int, int]) -> None:
    (data,) = written_graphs(LARGE_GRAPHS / name)
    made = read_graph(data, GRAPH_DEF)
    assert (made.node_count, made.edge_count, made.control_edge_count) == counts
    assert made.problems == []


def test_every_input_is_an_edge() -> None:
    made = graph(
        node("a", "Const"),
        node("b/c", "Add", ["a", "missing:1", "^a"], device="/device:GPU:0"),
        node("b/c", "Add", ["a", "a:0"]),
        node("self", "Id", ["self"]),
        node("", "NoOp", ["b/c:3", "^missing2"]),
    )
    assert (made.node_count, made.edge_count, made.control_edge_count) == (4, 6, 2)
    assert made.names == ["a", "b/c", "self", ""]
    assert [str(problem) for problem in made.problems] == ["2 nodes are named 'b/c'; drawn as one"]
    network = made.to_networkx()
    assert sorted(network.edges(data=True), key=str) == sorted(
        [
            ("a", "b/c", {"slot": 0, "control": False}),
            ("missing", "b/c", {"slot": 1, "control": False}),
            ("a", "b/c", {"slot": -1, "control": True}),
            ("a", "b/c", {"slot": 0, "control": False}),
            ("a", "b/c", {"slot": 0, "control": False}),
            ("self", "self", {"slot": 0, "control": False}),
            ("b/c", "", {"slot": 3, "control": False}),
            ("missing2", "", {"slot": -1, "control": True}),
        ],
        key=str,
    )
    assert {name: network.nodes[name] for name in network} == {
        "a": {"op": "Const", "device": ""},
        "b/c": {"op": "Add", "device": "/device:GPU:0"},
        "self": {"op": "Id", "device": ""},
        "": {"op": "NoOp", "device": ""},
        "missing": {"op": "", "device": "", "missing": True},
        "missing2": {"op": "", "device": "", "missing": True},
    }


def test_a_node_whose_name_looks_like_an_input_is_found() -> None:
    """ONNX names values `x:0`."""
    made = linked({"x:0": "", "x": "", "y": "x:0 x:1"})
    assert list(made.edge_frame()[["source", "slot"]].itertuples(index=False, name=None)) == [("x:0", 0), ("x", 1)]


@pytest.mark.parametrize(("said", "name", "slot"), [("n:out:2", "n", 2), ("n:", "n:", 0), ("n:x", "n:x", 0)])
def test_odd_slots(said: str, name: str, slot: int) -> None:
    made = linked({"n": "", "y": said})
    assert list(made.edge_frame()[["source", "slot"]].itertuples(index=False, name=None)) == [(name, slot)]


def test_the_networkx_graph_of_a_scope() -> None:
    made = linked({"a/b/c": "", "a/b/d": "a/b/c", "a/e": "a/b/d", "f": "a/e"})
    assert set(made.to_networkx("a").edges()) == {("a/b/c", "a/b/d"), ("a/b/d", "a/e")}
    assert set(made.to_networkx("a/b")) == {"a/b/c", "a/b/d"}
    assert set(made.to_networkx("")) == set(made.to_networkx())
    with pytest.raises(KeyError, match="no such scope in the graph: 'a/f'"):
        made.to_networkx("a/f")
    with pytest.raises(KeyError, match="no such node in the graph: 'a'"):
        made.attributes("a")


def test_names_that_are_not_utf_8() -> None:
    made = graph(NodeDef(name="ab", op="Op"), NodeDef(name="bc", op="Op", input=["ab"]))
    data = definition(NodeDef(name="ab", op="Op"), NodeDef(name="bc", op="Op", input=["ab"])).replace(
        b"ab", b"\xff\xfe"
    )
    broken = read_graph(data, GRAPH_DEF)
    assert broken.names == [b"\xff\xfe".decode("utf-8", "surrogateescape"), "bc"]
    assert (broken.edge_count, broken.problems) == (made.edge_count, [])


def test_meta_graph() -> None:
    data = MetaGraphDef()
    data.graph_def.node.extend([node("a"), node("b", inputs=["a"])])
    data.meta_info_def.tags.append("train")
    made = read_graph(data.SerializeToString(), META_GRAPH_DEF)
    assert (made.names, made.edge_count) == (["a", "b"], 1)


def test_unknown_form() -> None:
    with pytest.raises(ValueError, match="unknown form of graph: 'x'; choose one of graph_def, meta_graph_def"):
        read_graph(b"", "x")
    assert read_graph(b"", RUN_METADATA).node_count == 0


@settings(deadline=None)
@given(definitions())
def test_counts_of_any_graph(nodes: list[NodeDef]) -> None:
    made = graph(*nodes)
    inputs = [text for made_node in nodes for text in made_node.input]
    controls = sum(text.startswith("^") for text in inputs)
    assert made.node_count == len({made_node.name for made_node in nodes})
    assert (made.edge_count, made.control_edge_count) == (len(inputs) - controls, controls)
    network = made.to_networkx()
    assert network.number_of_edges() == len(inputs)
    targets = Counter(made_node.name for made_node in nodes for _ in made_node.input)
    assert Counter(target for _, target in network.edges()) == targets
    assert made.node_frame()["missing"].sum() == len(network) - made.node_count
