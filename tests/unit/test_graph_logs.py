"""Graphs of a log directory: the choice of the one to show, its problems, and the cost of a step."""

from __future__ import annotations

from pathlib import Path

import pytest

import tbwidget
from tbwidget.proto.event_pb2 import Event, TaggedRunMetadata
from tbwidget.proto.graph_pb2 import MetaGraphDef
from tbwidget.proto.run_metadata_pb2 import RunMetadata
from tbwidget.proto.summary_pb2 import Summary
from tbwidget.proto.tensor_pb2 import DataType
from tests.support.corpus import CORPUS
from tests.support.eventfiles import NAME, record, write
from tests.support.graphs import DATA, definition, node


def run_graph(*names: str) -> bytes:
    return record(Event(graph_def=definition(*map(node, names))).SerializeToString())


def meta_graph(*names: str) -> bytes:
    meta = MetaGraphDef()
    meta.graph_def.node.extend(map(node, names))
    return record(Event(meta_graph_def=meta.SerializeToString()).SerializeToString())


def tagged(tag: str, data: bytes) -> bytes:
    metadata = TaggedRunMetadata(tag=tag.encode(), run_metadata=data)
    return record(Event(tagged_run_metadata=metadata).SerializeToString())


def string(tag: str, plugin: str, data: bytes, wall_time: float = 0) -> bytes:
    value = Summary.Value(tag=tag.encode())
    value.metadata.plugin_data.plugin_name = plugin.encode()
    value.tensor.dtype = DataType.DT_STRING
    value.tensor.string_val.append(data)
    return record(Event(summary=Summary(value=[value]), wall_time=wall_time).SerializeToString())


def trace(*names: str) -> bytes:
    made = RunMetadata()
    made.function_graphs.add().pre_optimization_graph.node.extend(map(node, names))
    return bytes(made.SerializeToString())


TRACE = (DATA / "trace.run_metadata").read_bytes()
STEP = (DATA / "train.run_metadata").read_bytes()
MODEL = (DATA / "keras3_sequential.json").read_bytes()


def test_the_graph_to_show(tmp_path: Path) -> None:
    parts = [
        tagged("statistics alone", STEP),
        string("keras", "graph_keras_model", MODEL),
        string("traced", "graph_run_metadata_graph", TRACE),
        meta_graph("m"),
        run_graph("first"),
        run_graph("last"),
    ]
    expected = [None, "plain/a", "graph_1/input", "m", "first", "last"]
    for count in range(1, len(parts) + 1):
        write(tmp_path / f"run{count}" / NAME, *parts[:count])
    logs = tbwidget.load(tmp_path)
    for count, name in enumerate(expected, 1):
        if name is None:
            with pytest.raises(KeyError, match="no graph in run 'run1'"):
                logs.graph("run1")
        else:
            assert name in logs.graph(f"run{count}").names
    assert "plain/a" in logs.graph("run6", "keras").names
    assert logs.graph("run1", "statistics alone").node_count == 0
    with pytest.raises(KeyError, match="no graph 'x' in run 'run6'"):
        logs.graph("run6", "x")
    assert logs.problems == []


def test_the_last_trace_or_model_is_shown(tmp_path: Path) -> None:
    parts = []
    for plugin in ("graph_keras_model", "graph_run_metadata_graph"):
        for wall_time, tag in enumerate(("a", "z", "m")):
            data = (MODEL.replace(b"plain", tag.encode())) if "keras" in plugin else trace(f"of {tag}")
            parts.append(string(f"{plugin} {tag}", plugin, data, wall_time))
    steps = [tagged(tag, trace(f"of {tag}")) for tag in ("a", "z", "m")]
    write(tmp_path / "models" / NAME, *parts[:2])
    write(tmp_path / "traces" / NAME, *parts[:5])
    write(tmp_path / "steps" / NAME, *steps[:2])
    logs = tbwidget.load(tmp_path)
    assert logs.graph("models").names[0].startswith("z/")
    assert logs.graph("traces").names == ["of z"]
    assert logs.graph("steps").names == ["of z"]


def test_an_intact_graph_replaces_a_damaged_one(tmp_path: Path) -> None:
    large = Event(graph_def=definition(*(node(f"node{number}") for number in range(10_000)))).SerializeToString()
    parts = {"untrue": record(large), "broken": record(Event(graph_def=b"\xff\xff").SerializeToString())}
    for run, part in parts.items():
        write(tmp_path / run / NAME, part)
        write(tmp_path / f"{run} and traced" / NAME, part, string("traced", "graph_run_metadata_graph", trace("x")))
    logs = tbwidget.load(tmp_path)
    for run in ("untrue", "untrue and traced"):
        with (tmp_path / run / NAME).open("r+b") as file:
            file.seek(len(large) // 2)
            file.write(b"\xff\xff")
    for run in parts:
        assert logs.graph(f"{run} and traced").names == ["x"]
    assert logs.graph("broken").node_count == 0
    for name in (None, "__run_graph__"):
        with pytest.raises(ValueError, match="was cut or changed"):
            logs.graph("untrue", name)
    with pytest.raises(ValueError, match="was cut or changed"):
        logs.graph("untrue and traced", "__run_graph__")
    assert {(problem.path, problem.offset) for problem in logs.problems} == {
        (f"{run}{more}/{NAME}", 0) for run in parts for more in ("", " and traced")
    }


def test_a_graph_in_a_later_file_is_the_last(tmp_path: Path) -> None:
    write(tmp_path / NAME, run_graph("first"))
    logs = tbwidget.load(tmp_path)
    assert logs.graph(".").names == ["first"]
    later = tmp_path / NAME.replace(".host", ".later")
    write(later, meta_graph("m"))
    assert logs.refresh()
    assert logs.graph(".").names == ["first"]
    with later.open("ab") as file:
        file.write(run_graph("second"))
    assert logs.refresh()
    assert logs.graph(".").names == ["second"]
    later.unlink()
    assert logs.refresh()
    assert logs.graph(".").names == ["first"]


def test_the_cost_of_a_step(tmp_path: Path) -> None:
    data = (DATA / "train.graph_def").read_bytes()
    write(tmp_path / NAME, record(Event(graph_def=data).SerializeToString()), tagged("step0", STEP))
    logs = tbwidget.load(tmp_path)
    graph = logs.graph(".")
    statistics = graph.statistics(logs.run_metadata(".", "step0").data)
    assert statistics.time[graph.structure.hierarchy.root] > 0


def test_damage_is_a_problem_of_the_log_directory(tmp_path: Path) -> None:
    write(tmp_path / "a" / NAME, record(Event(graph_def=definition(node("x")) + b"\xff\xff").SerializeToString()))
    write(tmp_path / "b" / NAME, string("keras", "graph_keras_model", b"{"))
    logs = tbwidget.load(tmp_path)
    assert (logs.graph("a").node_count, logs.graph("b").node_count) == (1, 0)
    assert logs.graph("a").node_count == 1
    messages = [(problem.path, problem.message) for problem in logs.problems]
    assert [path for path, _ in messages] == [f"a/{NAME}", f"b/{NAME}"]
    assert "not a protobuf message" in messages[0][1]
    assert "not the JSON of a Keras model" in messages[1][1]


def test_awkward_graphs() -> None:
    logs = tbwidget.load(CORPUS / "aw_graphs/logs")
    counts = {
        run: (made.node_count, made.edge_count, made.control_edge_count)
        for run in logs.runs
        for made in (logs.graph(run),)
    }
    assert counts == {
        "corrupt_graph": (0, 0, 0),
        "dangling": (5, 5, 2),
        "deep": (60, 59, 0),
        "empty_graph": (0, 0, 0),
        "flat_wide": (3000, 5997, 0),
        "meta_graph_only": (2, 1, 0),
        "name_prefix_node": (5, 3, 0),
        "two_graphs": (2, 1, 0),
    }
    assert {problem.path.split("/")[0] for problem in logs.problems} == {"corrupt_graph", "dangling"}


def test_a_graph_that_only_a_recorded_step_holds_is_listed(tmp_path: Path) -> None:
    large = trace(*(f"node{number}" for number in range(10_000)))  # listing it skims it without parsing it
    assert len(large) > 1 << 16
    partitions = RunMetadata()
    partitions.partition_graphs.add().node.append(node("p"))
    broken = b"\xff" * 70_000
    steps = [tagged("large", STEP + large), tagged("small", partitions.SerializeToString()), tagged("cost", STEP)]
    write(tmp_path / "steps" / NAME, *steps, tagged("broken", broken[:9]), tagged("broken, large", broken))
    write(tmp_path / "both" / NAME, *steps, run_graph("whole"))
    write(tmp_path / "meta" / NAME, *steps, meta_graph("whole"))
    logs = tbwidget.load(tmp_path)
    assert logs.tags()["graphs"] == {
        "both": ["__run_graph__"],
        "meta": ["__meta_graph__"],
        "steps": ["large", "small"],
    }
    assert logs.tags()["run_metadata"]["steps"] == ["broken", "broken, large", "cost", "large", "small"]
    assert logs.graph("steps").names == ["p"]
    assert logs.graph("steps", "large").node_count == 10_000
    assert logs.metadata("steps", "small").plugin == "graphs"
    assert logs.metadata("steps", "cost").plugin == "graph_tagged_run_metadata"
    # A graph that is written later replaces it.
    with (tmp_path / "steps" / NAME).open("ab") as file:
        file.write(run_graph("whole"))
    assert logs.refresh()
    assert logs.tags()["graphs"]["steps"] == ["__run_graph__"]
    assert logs.graph("steps").names == ["whole"]
