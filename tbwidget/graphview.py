"""Graphs without a log: `show_graph`, and how a graph shows itself as a notebook's result."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from google.protobuf import text_format
from IPython.core.getipython import get_ipython
from IPython.display import display

from tbwidget import dashboard
from tbwidget.graph import KERAS, Graph, read_graph
from tbwidget.graph.objects import graph_of, trace
from tbwidget.logs.accessors import Logs
from tbwidget.logs.inmemory import InMemoryGraph
from tbwidget.proto.graph_pb2 import GraphDef

if TYPE_CHECKING:
    from tbwidget.dashboard.board import Board

_TEXT = frozenset({".pbtxt", ".txt"})
_JSON = ".json"


def show_graph(graph: Any, inputs: Any = None, **options: Any) -> None:
    """Display a graph that is in no log.

    `graph` is a GraphDef (a message of any package, bytes, or the path of a file: text if it ends in .pbtxt or .txt,
    the JSON of a Keras model if in .json); a `tbwidget.graph.Graph`; a directed networkx graph, whose nodes may have
    the attributes `op`, `device`, `shape` or `shapes`, and in whose names slashes make scopes; a Keras model; a torch
    module or function that was traced, scripted or exported; or something of TensorFlow that has `as_graph_def()`.

    A torch module that was not traced is traced with `inputs`: one tensor, a tuple, or a dict of keyword arguments. Its
    training flags, buffers and gradients and the random state stay as they are.

    All options of `GraphView` are accepted. Running the cell again closes its former display.

    Raises TypeError for anything else, ValueError for data without a graph, OSError for an unreadable file.
    """
    display(graph_view(graph, inputs, **options))  # type: ignore[no-untyped-call]


def graph_view(graph: Any, inputs: Any = None, **options: Any) -> Board:
    """The widget that `show_graph` displays."""
    if inputs is not None:
        held = InMemoryGraph(graph_of(trace(graph, inputs)), type(graph).__name__)
    elif isinstance(graph, str | os.PathLike):
        held = InMemoryGraph(_read_file(Path(graph)), Path(graph).name)
    else:
        held = InMemoryGraph(graph_of(graph), type(graph).__name__)
    view: Board = dashboard.GraphView(Logs(held), **options)
    return view


def result(graph: Graph) -> dict[str, Any]:
    """A graph by MIME types: as a view in notebooks, else in words."""
    words = {"text/plain": repr(graph)}
    if getattr(get_ipython(), "kernel", None) is None:
        return words
    bundle = graph_view(graph)._repr_mimebundle_()
    data = bundle[0] if isinstance(bundle, tuple) else bundle
    return {**(data or {}), **words}


def _read_file(path: Path) -> Graph:
    """The graph in a file. ValueError where there is none."""
    data = path.read_bytes()
    if path.suffix == _JSON:
        graph = read_graph(data, KERAS)
        if not any(graph.names):
            raise ValueError(f"{path} does not hold a Keras model: {next(iter(graph.problems), 'it has no layers')}")
        return graph
    if path.suffix in _TEXT:
        message = GraphDef()
        try:
            text_format.Parse(data, message, allow_unknown_field=True)
        except (text_format.ParseError, RecursionError) as error:
            raise ValueError(f"{path} is not a GraphDef in text format: {error}") from error
        data = message.SerializeToString()
    return graph_of(data)
