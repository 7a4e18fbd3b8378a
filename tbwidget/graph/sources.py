"""From the bytes that a log holds to the graphs in them: run graph, meta graph, and the graphs of a trace.

Field numbers are defined in tensorflow/core/framework/{graph,function}.proto and protobuf/{config,meta_graph}.proto.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from tbwidget.reasons import Reason
from tbwidget.records.files.wire import FieldSpans, Span, field_spans
from tbwidget.records.values.attachments import FUNCTION_GRAPHS, PARTITION_GRAPHS

GRAPH_DEF: Final = "graph_def"
META_GRAPH_DEF: Final = "meta_graph_def"
RUN_METADATA: Final = "run_metadata"
KERAS: Final = "keras"
FORMS = (GRAPH_DEF, META_GRAPH_DEF, RUN_METADATA, KERAS)
"""Formats of a serialized graph: a serialized GraphDef, MetaGraphDef or RunMetadata, or a Keras model's JSON."""

_NODE, _LIBRARY, _FUNCTION = 1, 2, 1  # fields of GraphDef, and of its FunctionDefLibrary
_META_GRAPH = 2  # of MetaGraphDef
_OF_FUNCTION_PARTITIONS, _PRE_OPTIMIZATION = 1, 2  # of RunMetadata.FunctionGraphs


class GraphProblem(NamedTuple):
    """Something in a graph's bytes that was passed over; everything else was read."""

    offset: int | None
    """In the graph's bytes, where it is about a place in them."""
    message: Reason

    def __str__(self) -> str:
        """Offset and message in one line."""
        return self.message if self.offset is None else f"at byte {self.offset}: {self.message}"


class Part(NamedTuple):
    """One GraphDef of those that make up a graph."""

    prefix: bytes
    """Stands before each of its names: `graph_1/` and so on if there are several, else empty."""
    nodes: list[Span]
    """Spans of its NodeDefs."""
    functions: list[Span]
    """Spans of its FunctionDefs."""


def graph_parts(data: bytes, form: str) -> tuple[list[Part], list[GraphProblem]]:
    """Find the GraphDefs in the bytes of a graph that is not Keras JSON, and their broken fields.

    A trace holds a graph for each function that ran: those before optimization are taken; a RunMetadata without any
    has the graphs of its partitions. TensorBoard puts several together in the same way, under `graph_1/`, `graph_2/`
    (tensorboard/plugins/graph/graph_util.py), though it loses their control inputs.
    """
    problems: list[GraphProblem] = []

    def scan(within: Span) -> dict[int, list[Span]]:
        found = field_spans(data, within)
        _report(found, within, problems)
        return found.spans

    graphs: list[Span] = []
    whole = Span(0, len(data))
    if form == GRAPH_DEF:
        graphs = [whole]
    elif form == META_GRAPH_DEF:
        graphs = scan(whole).get(_META_GRAPH, [])
    elif form == RUN_METADATA:
        trace = scan(whole)
        for function in map(scan, trace.get(FUNCTION_GRAPHS, [])):
            graphs += function.get(_PRE_OPTIMIZATION) or function.get(_OF_FUNCTION_PARTITIONS, [])
        graphs = graphs or trace.get(PARTITION_GRAPHS, [])
    else:
        raise ValueError(f"unknown form of graph: {form!r}; choose one of {', '.join(FORMS)}")
    parts = []
    for number, graph in enumerate(graphs, 1):
        fields = scan(graph)
        functions = [span for library in fields.get(_LIBRARY, []) for span in scan(library).get(_FUNCTION, [])]
        parts.append(Part(b"graph_%d/" % number if len(graphs) > 1 else b"", fields.get(_NODE, []), functions))
    return parts, problems


def _report(found: FieldSpans, within: Span, problems: list[GraphProblem]) -> None:
    if found.broken is not None:
        reason = Reason("graph-damaged", bytes=within[1] - found.broken)
        problems.append(GraphProblem(found.broken, reason))
