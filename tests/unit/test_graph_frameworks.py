"""Graphs as frameworks write them: torch, tensorboardX's ONNX, traces, functions."""

from __future__ import annotations

import pytest

from tbwidget.graph import GRAPH_DEF, RUN_METADATA, read_graph
from tbwidget.graph.inlining import Inlined
from tbwidget.graph.structure import scoped
from tbwidget.graph.torch import call_label
from tbwidget.proto.graph_pb2 import FunctionDef, GraphDef, NodeDef
from tbwidget.proto.run_metadata_pb2 import RunMetadata
from tests.support.graphs import DATA, graph, node, text


def test_a_trace_of_torch_reads_like_its_model() -> None:
    made = read_graph((DATA / "torch.graph_def").read_bytes(), GRAPH_DEF)
    assert made.is_torch
    assert made.view([]).path == ["input", "output", "Model"]
    view = made.view(["Model"])
    assert set(view.path[3:]) == {"Model/Linear[head]", "Model/Block[0..3]"}
    assert view.copies[view.path.index("Model/Block[0..3]")] == 4
    calls = [name for name in made.names if made.op(name) == "aten::linear"]
    assert len(calls) == 5
    for call in calls:
        assert made.label(call).split(" ")[0] == "linear"
        notes = [note for note in made.annotations(call) if note.kind == Inlined.PARAMETER]
        assert [note.label for note in notes] == ["weight", "bias"]
    view = made.view(["Model", "Model/Linear[head]"])
    assert view.label[-1] == "linear"
    plumbing = {"prim::Constant", "prim::GetAttr", "prim::ListConstruct"}
    hidden = made.node_frame().query("embedded != 'not' and not missing")
    assert set(hidden["op"]) == plumbing
    assert hidden["op"].isin(plumbing).sum() == sum(made.op(name) in plumbing for name in made.names)


@pytest.mark.parametrize(
    ("label", "op", "expected"),
    [
        ("5459", "aten::linear", "linear"),
        ("input.163", "aten::add", "add"),
        ("x.1", "aten::layer_norm", "layer_norm"),
        ("q.37", "aten::transpose", "transpose (q)"),
        ("scaled", "prim::NumToTensor", "NumToTensor (scaled)"),
        ("output.1", "IO Node", "output.1"),
        ("a.b.c", "aten::add", "add (a.b.c)"),
    ],
)
def test_labels_of_calls(label: str, op: str, expected: str) -> None:
    assert call_label(label, op) == expected


def test_onnx_by_tensorboardx() -> None:
    """Inputs and outputs are variables, before the nodes; names have dots where modules have scopes."""

    def computed(name: str, op: str, *inputs: str) -> NodeDef:
        made = node(name, op, inputs)
        made.attr["parameters"].CopyFrom(text("strides = [1]"))
        return made

    result = node("out", "Variable")
    result.attr["shape"].shape.dim.add(size=7)
    made = graph(
        node("x", "Variable"),
        node("features.0.weight", "Variable"),
        result,
        computed("features.0.y", "Conv", "x", "features.0.weight"),
        computed("out", "Gemm", "features.0.y"),
    )
    assert (made.op("out"), made.output_shapes("out")) == ("Gemm", ((7,),))
    assert made.attributes("out") == {"parameters": "strides = [1]"}
    assert made.problems == []
    assert set(made.view([]).path) == {"x", "out", "features"}
    assert "features/0/weight" in made.view(["features", "features/0"]).path
    assert made.strict_name("features.0.weight") == "features/0/weight"


def test_scopes_of_onnx_names() -> None:
    assert scoped(["/a/b.c/Conv", "a/b/c/Conv", "x.w", "x", "", ".", "y."]) == [
        "a/b/c/Conv",
        "a/b/c/Conv'2",
        "x/w",
        "x",
        "",
        ".",
        "y",
    ]


def test_graphs_of_a_trace_are_put_together() -> None:
    """Control inputs are kept, which TensorBoard loses; graphs of the partitions are left out."""
    metadata = RunMetadata()
    for names in ("ab", "cd"):
        function = metadata.function_graphs.add()
        before = function.pre_optimization_graph
        before.node.extend([node(names[0]), node(names[1], inputs=[f"{names[0]}:1", f"^{names[0]}"])])
        function.partition_graphs.add().node.append(node("other"))
        function.post_optimization_graph.node.append(node("another"))
    metadata.partition_graphs.add().node.append(node("third"))
    made = read_graph(metadata.SerializeToString(), RUN_METADATA)
    assert made.names == ["graph_1/a", "graph_1/b", "graph_2/c", "graph_2/d"]
    assert list(made.edge_frame()[["source", "target", "slot"]].itertuples(index=False, name=None)) == [
        ("graph_1/a", "graph_1/b", 1),
        ("graph_1/a", "graph_1/b", -1),
        ("graph_2/c", "graph_2/d", 1),
        ("graph_2/c", "graph_2/d", -1),
    ]


def test_one_graph_of_a_trace_keeps_its_names() -> None:
    metadata = RunMetadata()
    metadata.function_graphs.add().pre_optimization_graph.node.append(node("a"))
    assert read_graph(metadata.SerializeToString(), RUN_METADATA).names == ["a"]
    partitions = RunMetadata()
    partitions.partition_graphs.add().node.append(node("p"))
    assert read_graph(partitions.SerializeToString(), RUN_METADATA).names == ["p"]


def test_a_trace_of_tensorflow() -> None:
    made = read_graph((DATA / "trace.run_metadata").read_bytes(), RUN_METADATA)
    assert made.problems == []
    assert {name.split("/")[0] for name in made.names} == {"graph_1", "graph_2", "graph_3"}
    (function,) = made.functions
    assert function.startswith("graph_2___inference_moments_")
    assert made.called_functions("graph_2/normalise/PartitionedCall") == [function]
    assert made.called_functions("graph_2/normalise/sub") == []


def test_functions_are_graphs() -> None:
    made = read_graph((DATA / "library.graph_def").read_bytes(), GRAPH_DEF)
    (name,) = made.called_functions("normalise/PartitionedCall")
    body = made.function(name)
    assert body.op("values") == "input_arg"
    results = [name for name in body.names if body.op(name) == "output_arg"]
    assert len(results) == 2
    assert set(body.ancestors(results[0])) >= {"values", "moments/mean"}
    assert body.to_networkx().nodes.keys() == set(body.names)  # nothing is missing
    assert made.node_count == 5  # bodies do not count
    with pytest.raises(KeyError, match="no such function"):
        made.function("moments")


def test_a_result_named_as_a_node() -> None:
    definition = GraphDef()
    function = definition.library.function.add()
    function.signature.name = "f"
    function.signature.input_arg.add(name="x")
    function.signature.output_arg.add(name="y")
    function.node_def.append(node("y", "Neg", ["x"]))
    function.ret["y"] = "y:out:0"
    definition.node.append(node("call", "f", ["z"]))
    made = read_graph(definition.SerializeToString(), GRAPH_DEF)
    assert made.called_functions("call") == ["f"]
    body = made.function("f")
    assert list(body.edge_frame()[["source", "target"]].itertuples(index=False, name=None)) == [
        ("x", "y"),
        ("y", "y_RetVal"),
    ]
    assert isinstance(function, FunctionDef)
