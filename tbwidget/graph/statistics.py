"""Cost of one run of a graph: time, memory and outputs of each node, summed up to the scopes around it.

From the StepStats of a RunMetadata (tensorflow/core/framework/step_stats.proto): the time of a node goes from
`all_start` to `all_end`, its memory is the `total_bytes` of all allocators, as in TensorBoard.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tbwidget.graph.arrays import Ints
from tbwidget.graph.attributes import type_name
from tbwidget.graph.hierarchy import Hierarchy
from tbwidget.graph.shapes import Shape, shape_of
from tbwidget.graph.sources import GraphProblem
from tbwidget.proto.run_metadata_pb2 import NodeExecStats
from tbwidget.reasons import Reason
from tbwidget.records.indices import reduceat
from tbwidget.records.values.attachments import device_runs

Numbers = npt.NDArray[np.float64]

_NANOSECONDS = 1000  # in a microsecond


class Output(NamedTuple):
    """A tensor that a node put out when it ran."""

    slot: int
    dtype: str
    shape: Shape
    size: int
    """Bytes that were requested for it."""


class NodeCost(NamedTuple):
    """One execution of a node."""

    node: str
    device: str
    start: float
    """Microseconds since the epoch."""
    time: float
    """Microseconds."""
    memory: int
    """Bytes."""
    outputs: list[Output]


@dataclass(frozen=True, slots=True)
class Statistics:
    """Cost of each item of a hierarchy; a scope's includes everything in it."""

    time: Numbers
    """Microseconds of all executions, one after the other; NaN where nothing was recorded."""
    start: Numbers
    """Start of the first execution, microseconds since the epoch; NaN if nothing was recorded."""
    end: Numbers
    """End of the last one."""
    memory: Numbers
    """Bytes; NaN where nothing was recorded."""
    output: Numbers
    """Bytes of the tensors put out; NaN where nothing was recorded."""
    costs: dict[int, list[NodeCost]]
    """Executions of each node."""
    devices: list[str]
    """All devices that it ran on, chosen or not."""
    unknown: list[str]
    """Names that were recorded and are no nodes of the graph."""
    problems: list[GraphProblem]
    """Problems with the record."""


def read_costs(data: bytes, problems: list[GraphProblem]) -> Iterator[NodeCost]:
    """The executions in a serialized RunMetadata; one that cannot be parsed is a problem."""
    devices, broken = device_runs(data)
    for device, nodes, of_device in devices:
        broken += of_device
        yield from (_cost(stats, device) for stats in nodes)
    problems += [GraphProblem(offset, Reason("graph-statistics")) for offset in sorted(broken)]


def _cost(stats: NodeExecStats, device: str) -> NodeCost:
    if stats.all_start_nanos:
        start, length = stats.all_start_nanos / _NANOSECONDS, stats.all_end_rel_nanos / _NANOSECONDS
    else:
        start, length = float(stats.all_start_micros), float(stats.all_end_rel_micros)
    outputs = [
        Output(
            output.slot,
            type_name(output.tensor_description.dtype),
            shape_of(output.tensor_description.shape),
            output.tensor_description.allocation_description.requested_bytes,
        )
        for output in stats.output
    ]
    memory = sum(used.total_bytes for used in stats.memory)
    return NodeCost(stats.node_name, device, start, max(length, 0.0), memory, outputs)


def join(
    hierarchy: Hierarchy, numbers: dict[str, int], data: bytes, devices: Collection[str] | None = None
) -> Statistics:
    """Put the executions in a serialized RunMetadata to the nodes of these names, or strict names, and sum them up.

    Names may be followed by a colon and the op, as devices report them. With `devices`, others are left out.
    """
    size = hierarchy.size
    found: dict[int, list[NodeCost]] = {}
    met: dict[str, None] = {}
    unknown: dict[str, None] = {}
    strict: dict[str, int] | None = None
    problems: list[GraphProblem] = []
    for cost in read_costs(data, problems):
        met[cost.device] = None
        if devices is not None and cost.device not in devices:
            continue
        node = numbers.get(cost.node)
        if node is None:
            if strict is None:
                strict = _strict_names(hierarchy, numbers)
            node = strict.get(cost.node)
        if node is None:
            node = numbers.get(cost.node.partition(":")[0])
        if node is None:
            unknown[cost.node] = None
        else:
            found.setdefault(node, []).append(cost)
    columns = np.full((5, size), np.nan)
    for node, executions in found.items():
        columns[:, node] = (
            sum(cost.time for cost in executions),
            min(cost.start for cost in executions),
            max(cost.start + cost.time for cost in executions),
            sum(cost.memory for cost in executions),
            sum(output.size for cost in executions for output in cost.outputs),
        )
    time, start, end, memory, output = columns
    for column in (time, memory, output):
        _aggregate(hierarchy, column, np.add, 0.0)
    _aggregate(hierarchy, start, np.fmin, np.nan)
    _aggregate(hierarchy, end, np.fmax, np.nan)
    return Statistics(time, start, end, memory, output, found, list(met), list(unknown), problems)


def _strict_names(hierarchy: Hierarchy, numbers: dict[str, int]) -> dict[str, int]:
    return {
        hierarchy.path(node): node for node in numbers.values() if hierarchy.labels[node].startswith("(")
    }  # other strict names are the names themselves


def _aggregate(hierarchy: Hierarchy, column: Numbers, combine: np.ufunc, neutral: float) -> None:
    """Set the value of each scope: the `combine`d values of the nodes in it; NaN if none has one."""
    known = np.flatnonzero(~np.isnan(column[: hierarchy.count]))
    place: Ints = hierarchy.begin[known]
    order = np.argsort(place)
    values, place = column[known[order]], place[order]
    scopes = np.arange(hierarchy.count, hierarchy.size)
    first = np.searchsorted(place, hierarchy.begin[scopes])
    last = np.searchsorted(place, hierarchy.end[scopes])
    filled = first < last
    # Pairs of bounds; every second range lies between two scopes and is not used.
    bounds = np.column_stack((first[filled], last[filled])).ravel()
    if len(bounds):
        column[scopes[filled]] = reduceat(combine, np.append(values, neutral), bounds)[::2]
