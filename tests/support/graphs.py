"""Graphs made by hand, and graphs that frameworks wrote."""

from __future__ import annotations

import lzma
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import networkx as nx
from hypothesis import strategies as st

from tbwidget.graph import GRAPH_DEF, Graph, read_graph
from tbwidget.proto.event_pb2 import Event
from tbwidget.proto.graph_pb2 import AttrValue, GraphDef, NodeDef

DATA = Path(__file__).parents[1] / "data/graphs"
MODELS = DATA / "models"


def node(
    name: str, op: str = "Op", inputs: Sequence[str] = (), *, shapes: Sequence[Sequence[int]] = (), device: str = ""
) -> NodeDef:
    """Make a node."""
    made = NodeDef(name=name, op=op, input=list(inputs), device=device)
    for sizes in shapes:
        shape = made.attr["_output_shapes"].list.shape.add()
        for size in sizes:
            shape.dim.add(size=size)
    return made


def definition(*nodes: NodeDef) -> bytes:
    """Serialize a graph of these nodes."""
    return bytes(GraphDef(node=nodes).SerializeToString())


def graph(*nodes: NodeDef) -> Graph:
    """Read a graph of these nodes."""
    return read_graph(definition(*nodes), GRAPH_DEF)


def linked(inputs: Mapping[str, str]) -> Graph:
    """Read a graph of nodes with their inputs as words: `{"a": "", "b": "a ^c"}`."""
    return graph(*(node(name, "Op", said.split()) for name, said in inputs.items()))


def directed(*edges: tuple[str, str]) -> nx.MultiDiGraph[str]:
    """Make a networkx graph of these edges."""
    made: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    made.add_edges_from(edges)  # old versions warn of other packages when the constructor gets edges
    return made


def model(name: str) -> bytes:
    """Return the GraphDef of a whole model: "mnist", "mobilenetv2" or "gpt"."""
    return lzma.decompress((MODELS / f"{name}.graph_def.xz").read_bytes())


def text(value: str) -> AttrValue:
    """Make a text attribute."""
    return AttrValue(s=value.encode())


def events(path: Path) -> Iterator[Event]:
    """Yield the events of a whole file."""
    data = path.read_bytes()
    position = 0
    while position < len(data):
        length = int.from_bytes(data[position : position + 8], "little")
        yield Event.FromString(data[position + 12 : position + 12 + length])
        position += 16 + length


_SEGMENTS = st.sampled_from(["a", "b", "c", "x1", "x2", "conv1_a", "conv1_b", "conv2_a", "(a)", "", "#"])
_NAMES = st.lists(_SEGMENTS, min_size=1, max_size=4).map("/".join)
_OPS = st.sampled_from(["MatMul", "Relu", "Const", "ScalarSummary", "NoOp", "Assign", "prim::GetAttr", "MergeSummary"])


@st.composite
def definitions(draw: st.DrawFn) -> list[NodeDef]:
    """Draw graphs of all kinds: with cycles, loops, duplicate or missing names, slots, control edges, inlined nodes."""
    names = draw(st.lists(_NAMES, min_size=1, max_size=25))
    sources = st.sampled_from([*names, "missing", "a/missing"])
    inputs = st.lists(
        st.one_of(
            sources, sources.map("^{}".format), st.tuples(sources, st.integers(0, 3)).map("{0[0]}:{0[1]}".format)
        ),
        max_size=4,
    )
    shapes = st.lists(st.lists(st.integers(-1, 4), max_size=2), max_size=3)
    return [node(name, draw(_OPS), draw(inputs), shapes=draw(shapes)) for name in names]
