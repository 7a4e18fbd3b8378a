"""Statistics of one recorded step: when each node of the graph ran, on which device, and what memory it took.

The message is tensorflow/core/protobuf/config.proto: RunMetadata, with core/framework/step_stats.proto in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from tbwidget.logs.kinds.declare import Kind
from tbwidget.logs.sequences import last_string, reported
from tbwidget.proto.run_metadata_pb2 import NodeExecStats
from tbwidget.reasons import Reason, reason_of
from tbwidget.records.files.wire import Span, field_spans
from tbwidget.records.values import attachments, forms
from tbwidget.records.values.attachments import FUNCTION_GRAPHS, PARTITION_GRAPHS, device_runs
from tbwidget.texts import pluralize

if TYPE_CHECKING:
    from tbwidget.logs.source import LogSource


Integers = npt.NDArray[np.int64]

_SMALLEST, _LARGEST = -(2**63), 2**63 - 1


class RunMetadataError(ValueError):
    """The bytes are no RunMetadata."""


class NodeStats(NamedTuple):
    """Columns of n runs of nodes on one device, in the order written; a node may have run several times."""

    name: tuple[str, ...]
    label: tuple[str, ...]
    """The runtime's label of each: `name = Op(inputs)`, or empty."""
    start_micros: Integers
    """int64[n]: when each began, microseconds since the epoch."""
    compute_micros: Integers
    """int64[n]: how long its op ran."""
    total_micros: Integers
    """int64[n]: how long it took, including the runtime's overhead."""
    memory_bytes: Integers
    """int64[n]: what all allocators gave it in total."""

    def __repr__(self) -> str:
        """Count the nodes."""
        return f"NodeStats({pluralize(len(self.name), 'node')}, {sum(self.total_micros.tolist())} µs)"


@dataclass(frozen=True, slots=True, eq=False)
class RunMetadata:
    """Record of one step."""

    devices: dict[str, NodeStats]
    """By name of the device."""
    total_micros: int
    """Total of all nodes on all devices; they may have run at the same time."""
    memory_bytes: int
    """Total of all nodes on all devices."""
    partition_graphs: int
    """Graphs that it holds, one a device."""
    function_graphs: int
    """Functions that ran, whose graphs it holds."""
    data: bytes = field(repr=False)
    """The serialized message."""

    def __repr__(self) -> str:
        """Count devices and nodes."""
        nodes = sum(len(stats.name) for stats in self.devices.values())
        return (
            f"RunMetadata({pluralize(len(self.devices), 'device')}, {pluralize(nodes, 'node')}, {self.total_micros} µs)"
        )


def run_metadata_of(data: bytes) -> RunMetadata:
    """Summarize a serialized RunMetadata. Raises RunMetadataError if it is none."""
    found, broken = device_runs(data)
    nodes: dict[str, list[NodeExecStats]] = {}
    for device, of_device, broken_of_device in found:
        broken += broken_of_device
        nodes.setdefault(device, []).extend(of_device)
    if broken:
        raise RunMetadataError(Reason("invalid-run-metadata"))
    graphs = field_spans(data, Span(0, len(data))).spans
    devices = {device: _columns(stats) for device, stats in nodes.items()}
    return RunMetadata(
        devices,
        sum(sum(stats.total_micros.tolist()) for stats in devices.values()),
        sum(sum(stats.memory_bytes.tolist()) for stats in devices.values()),
        len(graphs.get(PARTITION_GRAPHS, ())),
        len(graphs.get(FUNCTION_GRAPHS, ())),
        data,
    )


def _columns(stats: list[NodeExecStats]) -> NodeStats:
    return NodeStats(
        tuple(node.node_name for node in stats),
        tuple(node.timeline_label for node in stats),
        _integers(node.all_start_micros for node in stats),
        _integers(node.op_end_rel_micros - node.op_start_rel_micros for node in stats),
        _integers(node.all_end_rel_micros for node in stats),
        _integers(sum(memory.total_bytes for memory in node.memory) for node in stats),
    )


def _integers(numbers: Iterable[int]) -> Integers:
    """A read-only column; numbers beyond 64 bits are clipped."""
    column = np.array([min(max(number, _SMALLEST), _LARGEST) for number in numbers], np.int64)
    column.flags.writeable = False
    return column


WITH_GRAPH = "graph_run_metadata"
"""The plugin whose values hold a graph besides statistics."""


def run_metadata(source: LogSource, run: str, tag: str) -> RunMetadata:
    """Return the statistics of one recorded step.

    Raises:
        KeyError: The run or the tag does not exist, or the tag holds another kind of data.
        ValueError: The bytes are invalid, or hold no statistics.

    Example:
        >>> logs.run_metadata("run1", "step_100").total_micros
    """
    attachment = source.attachment(run, attachments.RUN_METADATA, tag)
    if attachment is None:
        items = source.items(run, tag, KIND.name)
        data = last_string(items)
        with reported(items, -1):
            return run_metadata_of(data)
    data = attachment.read()
    try:
        return run_metadata_of(data)
    except RunMetadataError as error:
        raise RunMetadataError(attachment.report(reason_of(error))) from error


KIND = Kind("run_metadata", plugins=(WITH_GRAPH,), forms=forms.STRING_TENSORS)
