"""Content of events other than summaries: a graph, the statistics of a step (RunMetadata), or a checkpoint's name.

A serialized RunMetadata may have hundreds of megabytes: its parts are found without parsing the rest. See
tensorflow/core/protobuf/config.proto (RunMetadata) and tensorflow/core/framework/step_stats.proto.
"""

from __future__ import annotations

from typing import NamedTuple

from google.protobuf.message import DecodeError

from tbwidget.proto.run_metadata_pb2 import NodeExecStats
from tbwidget.records.files.wire import Source, Span, field_spans
from tbwidget.texts import decode_text

RUN_GRAPH, META_GRAPH, RUN_METADATA, STEP_GRAPH = "run graph", "meta graph", "run metadata", "graph of a step"
CHECKPOINT = "checkpoint"
CHECKPOINTS = "checkpoints"
"""Name of checkpoints in `Changes`, where kinds have theirs."""


class Attachment(NamedTuple):
    """A graph, run metadata, or a checkpoint that a session log names."""

    record: int
    """Index of the record in its window."""
    what: str
    """RUN_GRAPH, META_GRAPH, RUN_METADATA, STEP_GRAPH (a graph within run metadata), or CHECKPOINT."""
    tag: str
    """Tag of run metadata; empty for graphs; the facts of a checkpoint."""


class LoggedCheckpoint(NamedTuple):
    """A checkpoint as a session log names it."""

    step: int
    wall_time: float
    path: str
    """Any text: it is not known to be a path."""

    @property
    def tag(self) -> str:
        """The same as the tag of an attachment, which keeps nothing else."""
        return f"{self.step} {self.wall_time!r} {self.path}"

    @classmethod
    def of_tag(cls, tag: str) -> LoggedCheckpoint:
        """The facts in the tag of an attachment."""
        step, wall_time, path = tag.split(" ", 2)
        return cls(int(step), float(wall_time), path)


STEP_STATS, PARTITION_GRAPHS, FUNCTION_GRAPHS = 1, 3, 4
"""Fields of RunMetadata."""
_DEVICE_STATS, _DEVICE, _NODE_STATS = 1, 1, 2  # of StepStats, and of DeviceStepStats


class DeviceRun(NamedTuple):
    """Executions of nodes on one device in one step."""

    device: str
    nodes: list[NodeExecStats]
    """Executions of nodes, in the order written."""
    broken: list[int]
    """Offsets of unreadable fields."""


def device_runs(data: bytes) -> tuple[list[DeviceRun], list[int]]:
    """Executions on each device, in the order written; and offsets of unreadable fields outside of them."""
    found: list[DeviceRun] = []
    steps = field_spans(data, Span(0, len(data)))
    broken = [] if steps.broken is None else [steps.broken]
    for step in steps.spans.get(STEP_STATS, ()):
        devices = field_spans(data, step)
        broken += [] if devices.broken is None else [devices.broken]
        found += [_device_run(data, device) for device in devices.spans.get(_DEVICE_STATS, ())]
    return found, broken


def _device_run(data: bytes, within: Span) -> DeviceRun:
    spans, first_broken = field_spans(data, within)
    name = b"".join(data[slice(*span)] for span in spans.get(_DEVICE, ())[-1:])
    made = DeviceRun(decode_text(name), [], [])
    for node in spans.get(_NODE_STATS, ()):
        try:
            made.nodes.append(NodeExecStats.FromString(data[slice(*node)]))
        except DecodeError:
            made.broken.append(node.begin)
    if first_broken is not None:
        made.broken.append(first_broken)
    return made


def holds_graph(source: Source, within: Span) -> bool:
    """Whether the RunMetadata holds a graph besides statistics."""
    spans = field_spans(source, within).spans
    return PARTITION_GRAPHS in spans or FUNCTION_GRAPHS in spans
