"""Time, memory and outputs of a recorded step, matched to the graph and summed up."""

from __future__ import annotations

import numpy as np
import pytest

from tbwidget.graph import GRAPH_DEF, Graph, read_graph
from tbwidget.proto.run_metadata_pb2 import NodeExecStats, RunMetadata
from tbwidget.proto.tensor_pb2 import DataType
from tests.support.graphs import DATA, graph, linked, node

CPU, GPU = "/device:CPU:0", "/device:GPU:0"


def stats(name: str, start: int, length: int, memory: int = 0, output: int = 0) -> NodeExecStats:
    made = NodeExecStats(node_name=name, all_start_micros=start, all_end_rel_micros=length)
    made.memory.add(total_bytes=memory)
    description = made.output.add(slot=1).tensor_description
    description.dtype = DataType.DT_FLOAT
    description.allocation_description.requested_bytes = output
    description.shape.dim.add(size=5)
    return made


def recorded(**devices: list[NodeExecStats]) -> bytes:
    metadata = RunMetadata()
    for name, said in devices.items():
        metadata.step_stats.dev_stats.add(device={"cpu": CPU, "gpu": GPU}[name], node_stats=said)
    return bytes(metadata.SerializeToString())


def row(made: Graph, path: str, data: bytes, devices: list[str] | None = None) -> list[float]:
    statistics = made.statistics(data, devices)
    scope = made.structure.hierarchy.scope(path)
    item = made.names.index(path) if scope is None else scope
    columns = (statistics.time, statistics.start, statistics.end, statistics.memory, statistics.output)
    return [float(column[item]) for column in columns]


def test_joined_by_name_and_strict_name_and_summed_up() -> None:
    made = linked({"a": "", "a/b/x": "a", "a/b/y": "a/b/x", "c": ""})
    data = recorded(
        cpu=[stats("a/b/x", 100, 10, 1, 20), stats("a/b/y", 105, 30, 2, 40), stats("a/(a)", 50, 5, 4, 8)],
        gpu=[stats("a/b/x:Op", 200, 1, 8), stats("gone", 1, 1)],
    )
    assert row(made, "a/b/x", data) == [11, 100, 201, 9, 20]
    assert row(made, "a/b", data) == [41, 100, 201, 11, 60]
    assert row(made, "a", data)[:3] == [46, 50, 201]
    assert row(made, "", data) == [46, 50, 201, 15, 68]
    assert np.isnan(row(made, "c", data)).all()
    statistics = made.statistics(data)
    assert (statistics.devices, statistics.unknown) == ([CPU, GPU], ["gone"])
    (output,) = statistics.costs[made.names.index("a/b/y")][0].outputs
    assert (output.slot, output.dtype, output.shape, output.size) == (1, "DT_FLOAT", (5,), 40)


def test_devices_may_be_chosen() -> None:
    made = linked({"x": ""})
    data = recorded(cpu=[stats("x", 1, 2)], gpu=[stats("x", 1, 4)])
    assert [row(made, "", data, chosen)[0] for chosen in ([CPU], [GPU], [CPU, GPU], None)] == [2, 4, 6, 6]
    assert np.isnan(row(made, "", data, [])[0])
    assert made.statistics(data, []).devices == [CPU, GPU]


def test_nanoseconds_are_taken_where_there_are_any() -> None:
    made = linked({"x": ""})
    said = stats("x", 1, 0)
    said.all_start_nanos, said.all_end_rel_nanos = 1_500, 250
    assert row(made, "x", recorded(cpu=[said]))[:3] == [0.25, 1.5, 1.75]


def test_damage_leaves_the_rest() -> None:
    made = linked({"x": "", "y": ""})
    data = recorded(cpu=[stats("x", 1, 2), stats("y", 1, 4)]).replace(b"\n\x01x", b"\n\x01\xff")
    assert row(made, "", data)[0] == 4
    assert "statistics of a node cannot be parsed" in str(made.statistics(data).problems[0])
    assert np.isnan(row(made, "", b"\xff\xff")[0])
    assert np.isnan(row(made, "", data[:20])[0])


def test_a_step_of_tensorflow() -> None:
    made = read_graph((DATA / "train.graph_def").read_bytes(), GRAPH_DEF)
    data = (DATA / "train.run_metadata").read_bytes()
    metadata = RunMetadata.FromString(data)
    expected = {
        said.node_name: said.all_end_rel_nanos / 1000
        for device in metadata.step_stats.dev_stats
        for said in device.node_stats
        if said.node_name in made.names
    }
    statistics = made.statistics(data)
    assert len(statistics.costs) == len(expected) > 60
    root = made.structure.hierarchy.root
    assert statistics.time[root] == pytest.approx(sum(expected.values()))
    loss = made.structure.hierarchy.scope("loss")
    assert statistics.time[loss] == pytest.approx(sum(value for name, value in expected.items() if name[:5] == "loss/"))
    assert all(name.startswith(("_", "Merge/")) for name in statistics.unknown)


def test_counts_by_op_and_device() -> None:
    made = read_graph((DATA / "train.graph_def").read_bytes(), GRAPH_DEF)
    assert made.op_counts("loss") == {"Const": 3, "MatMul": 1, "Sub": 1, "Square": 1, "Mean": 1, "ScalarSummary": 1}
    assert sum(made.op_counts().values()) == made.node_count
    assert made.device_counts() == {"": made.node_count}
    assert made.cluster_counts() == {"": made.node_count}


def test_counts_by_xla_cluster_and_device() -> None:
    nodes = [node(f"s/{number}", device=CPU if number else GPU) for number in range(4)] + [node("t")]
    for made, cluster in zip(nodes, ("c0", "c1", "c1"), strict=False):
        made.attr["_XlaCluster"].s = cluster.encode()
    read = graph(*nodes)
    assert read.cluster_counts("s") == {"c1": 2, "": 1, "c0": 1}
    assert list(read.cluster_counts()) == ["", "c1", "c0"]
    assert read.device_counts("s") == {CPU: 3, GPU: 1}
