"""Text, tensors, PR curves, meshes, layouts, statistics of steps, and the sources of graphs, as composed messages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tbwidget
from tbwidget.logs.items import Items
from tbwidget.logs.kinds.graphs import graph_sources
from tbwidget.logs.kinds.run_metadata import RunMetadataError
from tbwidget.logs.sequences import UndecodableError
from tbwidget.proto import plugins_pb2, run_metadata_pb2
from tbwidget.proto import tensor_pb2 as pb
from tbwidget.proto.event_pb2 import Event, TaggedRunMetadata
from tbwidget.proto.summary_pb2 import Summary, SummaryMetadata
from tests.support.changing import append
from tests.support.eventfiles import NAME, event, name, numbers, plugin, record, simple, strings, write


def load(path: Path, *events: bytes) -> tbwidget.LogDir:
    write(path / NAME, *events)
    return tbwidget.load(path)


def filled(which: str, content: Any) -> SummaryMetadata:
    """Make metadata of a plugin with its message."""
    metadata = plugin(which)
    metadata.plugin_data.content = content.SerializeToString()
    return metadata


def real(tag: str, metadata: SummaryMetadata | None, values: Any, dtype: Any = "<f4") -> Summary.Value:
    array = np.array(values, dtype)
    kind = {"f4": pb.DT_FLOAT, "i4": pb.DT_INT32, "u1": pb.DT_UINT8}[array.dtype.str[1:]]
    dims = [pb.TensorShapeProto.Dim(size=size) for size in array.shape]
    tensor = pb.TensorProto(dtype=kind, tensor_shape=pb.TensorShapeProto(dim=dims), tensor_content=array.tobytes())
    return Summary.Value(tag=tag.encode(), metadata=metadata, tensor=tensor)


def test_a_plugin_that_an_earlier_file_names_late_decides(tmp_path: Path) -> None:
    """Written order is the order of file names, however late the values arrive."""
    first = write(tmp_path / "events.out.tfevents.1", event(1, 0, strings("t", None, b"a", b"b")))
    write(tmp_path / "events.out.tfevents.2", event(2, 1, strings("t", plugin("images"), b"a", b"b")))
    logs = tbwidget.load(tmp_path)
    assert logs.tags() == {"images": {".": ["t"]}}
    append(first, event(3, 2, strings("t", plugin("text"), b"a", b"b")))
    assert logs.refresh()
    assert logs.tags() == tbwidget.load(tmp_path).tags() == {"text": {".": ["t"]}}


def test_text_of_any_rank(tmp_path: Path) -> None:
    text = plugin("text")
    logs = load(
        tmp_path,
        event(1, 0, strings("t", text, "ü\0".encode(), shape=())),
        event(2, 1, strings("t", text, b"a", b"b", b"c", b"\xff", shape=(2, 2))),
        event(3, 2, numbers("t", text, 2)),
        event(4, 3, strings("t", text, shape=(0,))),
        event(5, 4, strings("t", text, b"x", shape=(1 << 20,))),
    )
    texts = logs.text(".", "t")
    assert texts.step.tolist() == [0, 1, 3, 4]
    assert texts[0].value.item() == "ü\0"
    assert texts[1].value.tolist() == [["a", "b"], ["c", "\udcff"]]
    assert (texts[2].value.shape, texts[3].value.shape) == ((0,), (1 << 20,))
    assert [problem.message for problem in logs.problems] == ["tag 't': a numeric tensor does not fit its kind, text"]
    table = logs.frame("text")
    assert table["value"].tolist() == ["ü\0", "a", "b", "c", "\udcff"]  # not a million times x
    assert table["element"].tolist() == [0, 0, 1, 2, 3]


def test_raw_tensors(tmp_path: Path) -> None:
    logs = load(
        tmp_path,
        event(1, 0, real("any", None, [1.5, 2.5]), real("mine", plugin("my plugin"), [[1, 2]], "<i4")),
        event(2, 1, real("any", None, 3.5), strings("any", None, b"\xff")),
        event(3, 2, numbers("h", plugin("histograms"), 2, 3), simple("s", 1)),
    )
    assert logs.problems == []
    tensors = logs.tensors(".", "any")
    assert [tensor.value.tolist() for tensor in tensors] == [[1.5, 2.5], 3.5, [b"\xff"]]
    assert (tensors[0].value.dtype.name, tensors[1].value.shape) == ("float32", ())
    assert logs.tensors(".", "mine")[0].value.dtype == np.int32
    assert logs.tensors(".", "h")[0].value.tolist() == [[0.5] * 3] * 2
    with pytest.raises(KeyError, match="it holds scalars"):
        logs.tensors(".", "s")
    table = logs.frame("tensors")
    assert table["value"].tolist() == [1.5, 2.5, 3.5, b"\xff"]  # none of a higher rank
    assert table["tag"].tolist() == ["any"] * 4


def test_the_older_form_is_no_tensor(tmp_path: Path) -> None:
    logs = load(tmp_path, event(1, 0, Summary.Value(tag=b"h", histo={"num": 1})))
    with pytest.raises(UndecodableError, match="expected a tensor"):
        logs.tensors(".", "h")[0]


def test_pr_curves(tmp_path: Path) -> None:
    pr = plugin("pr_curves")
    logs = load(
        tmp_path,
        event(1, 0, real("c", pr, np.arange(18).reshape(6, 3))),
        event(2, 1, real("c", pr, np.arange(6).reshape(6, 1))),
        event(3, 2, real("c", pr, np.arange(15).reshape(5, 3))),
        event(4, 3, real("c", pr, np.zeros((6, 0)))),
    )
    curves = logs.pr_curves(".", "c")
    assert len(curves) == 3
    assert curves[0].thresholds.tolist() == [0, 0.5, 1]
    assert [curves[0].tp.tolist(), curves[0].recall.tolist()] == [[0, 1, 2], [15, 16, 17]]
    assert (curves[0].fp[0], curves[0].tn[0], curves[0].fn[0], curves[0].precision[0]) == (3, 6, 9, 12)
    assert (curves[1].thresholds.tolist(), curves[2].thresholds.tolist()) == ([0], [])
    assert curves[0].tp.dtype == np.float64
    assert not curves[0].tp.flags.writeable
    assert not curves[0].thresholds.flags.writeable
    assert len(logs.problems) == 1
    assert logs.frame("pr_curves")["threshold"].tolist() == [0, 0.5, 1, 0]


def part(mesh: str, content: int, config: str = "", **more: Any) -> SummaryMetadata:
    named = plugins_pb2.MeshPluginData(name=name(mesh), json_config=config.encode(), **more)
    named.content_type = content  # type: ignore[assignment]
    return filled("mesh", named)


def test_meshes_are_joined_by_step(tmp_path: Path) -> None:
    points, triangle = np.ones((1, 4, 3)), [[[0, 1, 2]]]
    vertices = part("m", 1, config='{"camera": {"fov": 75}}', components=14)
    faces, colors = part("m", 2, components=14), part("m", 3, components=14)
    logs = load(
        tmp_path,
        event(1, 0, real("m_VERTEX", vertices, points)),
        event(2, 0, real("m_FACE", faces, triangle, "<i4")),
        event(3, 0, real("m_COLOR", colors, points * 255, "u1")),
        event(4, 1, real("m_VERTEX", vertices, points * 2)),
        event(5, 1, real("m_VERTEX", vertices, points * 3)),
        event(6, 1, real("m_COLOR", colors, points, "u1")),
        event(7, 9, real("m_FACE", faces, triangle, "<i4")),
        event(8, 0, real("cloud", part("cloud", 1), points)),
    )
    assert logs.problems == []
    assert logs.tags()["meshes"]["."] == ["cloud", "m_COLOR", "m_FACE", "m_VERTEX"]
    meshes = logs.meshes(".", "m")
    for tag in ("m_VERTEX", "m_COLOR"):
        assert logs.meshes(".", tag).step.tolist() == meshes.step.tolist()
        assert (meshes.name, meshes.step.tolist(), meshes.wall_time.tolist()) == ("m", [0, 1, 1, 9], [1, 4, 5, 7])
    first, second, third, last = meshes
    assert first.vertices is not None
    assert first.faces is not None
    assert first.colors is not None
    assert (first.vertices.shape, first.faces.dtype.name, first.colors.dtype.name) == ((1, 4, 3), "int32", "uint8")
    assert first.config == {"camera": {"fov": 75}}
    assert second.colors is not None
    assert second.vertices is not None
    assert third.vertices is not None
    assert (second.vertices.max(), second.faces, third.vertices.max(), third.colors) == (2, None, 3, None)
    assert (last.vertices, last.config) == (None, None)
    assert repr(first) == "Mesh(step 0, vertices [1, 4, 3], faces [1, 1, 3], colors [1, 4, 3])"
    cloud = logs.meshes(".", "cloud")
    assert (cloud.name, cloud[0].faces, len(cloud)) == ("cloud", None, 1)
    with pytest.raises(KeyError, match="no tag 'none'"):
        logs.meshes(".", "none")


def test_a_mesh_whose_other_parts_go_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    points = np.ones((1, 4, 3))
    vertices = event(1, 0, real("m_VERTEX", part("m", 1), points))
    logs = load(tmp_path, vertices, event(2, 0, real("m_COLOR", part("m", 3), points, "u1")))
    items = logs.source.items

    def rewritten(run: str, tag: str, kind: str, *, superseded: bool = False) -> Items:
        """Replace the file as soon as its parts are listed."""
        (tmp_path / NAME).write_bytes(vertices)
        logs.refresh()
        return items(run, tag, kind, superseded=superseded)

    monkeypatch.setattr(logs.source, "items", rewritten)
    (mesh,) = logs.meshes(".", "m_VERTEX")
    assert (mesh.vertices is None, mesh.colors) == (False, None)


def test_meshes_whose_metadata_say_little(tmp_path: Path) -> None:
    bare = plugin("mesh")
    bare.plugin_data.content = b"\xff\xff"
    points = np.ones((1, 1, 3))
    logs = load(
        tmp_path,
        event(1, 0, real("x_1", part("x", 1, config="null"), points)),
        event(1, 0, real("x_3", part("x", 3, config="null"), points)),
        event(1, 0, real("y_VERTEX", bare, points), real("y_FACE", bare, points), real("z", bare, points)),
        event(1, 0, real("b", part("b", 1, config="{"), points)),
        event(1, 0, real("d", part("d", 1, config="[" * 100_000), points)),
    )
    mesh = logs.meshes(".", "x")[0]
    assert (mesh.config, mesh.faces, mesh.colors is None) == (None, None, False)
    assert logs.meshes(".", "y_FACE")[0].vertices is not None
    assert logs.meshes(".", "z")[0].faces is None
    for tag in ("b", "d"):
        for _ in range(2):
            mesh = logs.meshes(".", tag)[0]
        assert (mesh.vertices is None, mesh.config) == (False, None)
        assert "not JSON" in (mesh.config_problem or "")
    assert len(logs.problems) == 2


def test_the_last_layout_of_custom_scalars(tmp_path: Path) -> None:
    layout = plugins_pb2.Layout()
    category = layout.category.add(title=b"losses", closed=True)
    category.chart.add(title=b"lines").multiline.tag.extend([b"loss/.*", b"x[\xff"])
    category.chart.add(title=b"band").margin.series.add(value=b"v", lower=b"l", upper=b"u")
    custom = plugin("custom_scalars")
    logs = load(
        tmp_path,
        event(1, 0, strings("custom_scalars__config__", custom, b"", shape=())),
        event(2, 0, strings("custom_scalars__config__", custom, layout.SerializeToString(), shape=())),
    )
    write(tmp_path / "bad" / NAME, event(1, 0, strings("c", custom, b"\xff\xff", shape=())))
    write(tmp_path / "none" / NAME, event(1, 0, simple("s", 1)))
    logs.refresh()
    (found,) = logs.custom_scalars(".").categories
    assert (found.title, found.closed) == ("losses", True)
    assert [(chart.title, chart.tags) for chart in found.charts] == [("lines", ("loss/.*", "x[\udcff")), ("band", ())]
    assert [(margin.value, margin.lower, margin.upper) for margin in found.charts[1].series] == [("v", "l", "u")]
    with pytest.raises(UndecodableError, match="not a chart layout"):
        logs.custom_scalars("bad")
    with pytest.raises(KeyError, match="no layout of custom scalars in run 'none'"):
        logs.custom_scalars("none")
    assert [problem.path for problem in logs.problems] == [f"bad/{NAME}"]


def step_stats() -> run_metadata_pb2.RunMetadata:
    message = run_metadata_pb2.RunMetadata()
    device = message.step_stats.dev_stats.add(device="/gpu:0")
    for n in range(2):
        node = device.node_stats.add(node_name=f"n{n}", timeline_label=f"n{n} = Op()", all_start_micros=100 + n)
        node.op_start_rel_micros, node.op_end_rel_micros, node.all_end_rel_micros = 1, 4 + n, 10
        node.memory.add(total_bytes=2**62)
        node.memory.add(total_bytes=2**62)
    message.step_stats.dev_stats.add(device="/cpu:0")
    message.partition_graphs.add()
    return message


def traced(tag: bytes, data: bytes) -> bytes:
    metadata = TaggedRunMetadata(tag=tag, run_metadata=data)
    return record(Event(wall_time=1, tagged_run_metadata=metadata).SerializeToString())


def test_statistics_of_a_step(tmp_path: Path) -> None:
    data = step_stats().SerializeToString()
    logs = load(
        tmp_path,
        traced(b"step1", b""),
        traced(b"step1", data),
        traced(b"bad", b"\xff\xff"),
        event(1, 0, strings("v2", plugin("graph_run_metadata"), data)),
        event(1, 0, strings("bad2", plugin("graph_run_metadata"), b"\xff\xff")),
        event(1, 0, strings("graph only", plugin("graph_run_metadata_graph"), data)),
    )
    for tag in ("step1", "v2"):
        found = logs.run_metadata(".", tag)
        assert (found.data, found.partition_graphs, found.total_micros) == (data, 1, 20)
        assert found.memory_bytes == 2 * (2**63 - 1)  # each is clipped to 64 bits
        assert list(found.devices) == ["/gpu:0", "/cpu:0"]
        nodes = found.devices["/gpu:0"]
        assert (nodes.name, nodes.label) == (("n0", "n1"), ("n0 = Op()", "n1 = Op()"))
        assert (nodes.start_micros.tolist(), nodes.compute_micros.tolist()) == ([100, 101], [3, 4])
        assert repr(found) == "RunMetadata(2 devices, 2 nodes, 20 µs)"
    for tag, error in (("bad", RunMetadataError), ("bad2", UndecodableError)):
        with pytest.raises(error, match=rf"{NAME} at byte \d+: the bytes are not the statistics"):
            logs.run_metadata(".", tag)
    assert len(logs.problems) == 2
    with pytest.raises(KeyError, match="it holds graphs"):
        logs.run_metadata(".", "graph only")
    with pytest.raises(KeyError, match="no tag 'none'"):
        logs.run_metadata(".", "none")


def test_sources_of_graphs_in_the_order_of_preference(tmp_path: Path) -> None:
    logs = load(
        tmp_path,
        traced(b"step1", b"stats"),
        event(1, 0, strings("keras", plugin("graph_keras_model"), json.dumps({}).encode(), shape=())),
        event(1, 0, strings("trace", plugin("graph_run_metadata_graph"), b"old")),
        event(1, 1, strings("trace", plugin("graph_run_metadata_graph"), b"new")),
        event(1, 1, strings("profile", plugin("graph_run_metadata"), b"both")),
        record(Event(wall_time=1, meta_graph_def=b"meta").SerializeToString()),
        record(Event(wall_time=1, graph_def=b"first").SerializeToString()),
        record(Event(wall_time=1, graph_def=b"last").SerializeToString()),
    )
    write(tmp_path / "none" / NAME, event(1, 0, simple("s", 1)))
    logs.refresh()
    sources = graph_sources(logs.source, ".")
    assert [(source.name, source.form, source.read()) for source in sources] == [
        ("__run_graph__", "graph_def", b"last"),
        ("__meta_graph__", "meta_graph_def", b"meta"),
        ("profile", "run_metadata", b"both"),
        ("trace", "run_metadata", b"new"),
        ("keras", "keras", b"{}"),
        ("step1", "run_metadata", b"stats"),
    ]
    assert graph_sources(logs.source, "none") == []
    with pytest.raises(KeyError, match="no run"):
        graph_sources(logs.source, "nowhere")


@pytest.mark.parametrize("kind", ["histograms", "images", "audio", "text", "pr_curves", "meshes", "tensors"])
def test_missing_runs_and_tags_are_named(tmp_path: Path, kind: str) -> None:
    logs = load(tmp_path, event(1, 0, simple("s", 1)))
    read = getattr(logs, kind)
    with pytest.raises(KeyError, match="no run 'nowhere'"):
        read("nowhere", "s")
    with pytest.raises(KeyError, match=r"no tag 's' of kind .*it holds scalars"):
        read(".", "s")
    with pytest.raises(KeyError, match="no tag 'none'"):
        read(".", "none")
