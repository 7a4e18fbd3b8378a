"""Graphs of objects in memory: networkx graphs, models of Keras, and torch modules, which may be traced first.

Packages of these objects are not imported: an object can only exist if its package is.
"""

from __future__ import annotations

import operator
import random
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from tbwidget.graph.attributes import decoded, encoded
from tbwidget.graph.exported import is_exported, read_exported
from tbwidget.graph.model import Graph, read_graph
from tbwidget.graph.parse import NodeTable
from tbwidget.graph.shapes import Shape, write_shapes
from tbwidget.graph.sources import GRAPH_DEF, KERAS, META_GRAPH_DEF, RUN_METADATA
from tbwidget.graph.torchscript import read_torchscript

_FORMS = {"GraphDef": GRAPH_DEF, "MetaGraphDef": META_GRAPH_DEF, "RunMetadata": RUN_METADATA}
_OWN = frozenset({"op", "device", "shape", "shapes", "missing"})  # attributes of nodes that have a meaning here
_SMALLEST, _LARGEST = -1, 2**62  # of a shape's sizes

WANTED = (
    "a GraphDef (message or bytes), a networkx DiGraph or MultiDiGraph, a Keras model, or a torch module that was"
    " traced or exported"
)
"""The types that `graph_of` accepts, in words."""


def graph_of(thing: Any) -> Graph:
    """The graph that something is, or holds.

    A `Graph` is one; so is a serialized GraphDef, a message of one, of a MetaGraphDef or of a RunMetadata, whatever
    package it is of; what has `as_graph_def()`, or a `graph` that does (tf.Graph, tf.function's concrete functions); a
    directed networkx graph, see `graph_of_networkx`; a Keras model; and a torch module or function that was traced,
    scripted or exported. TypeError for anything else, ValueError for bytes that are no GraphDef.
    """
    if isinstance(thing, Graph):
        return thing
    if isinstance(thing, bytes | bytearray | memoryview):
        return _read(bytes(thing), GRAPH_DEF)
    form = _FORMS.get(getattr(getattr(thing, "DESCRIPTOR", None), "name", ""))
    if form is not None:
        return _read(thing.SerializeToString(), form)
    definition = getattr(thing, "as_graph_def", None) or getattr(getattr(thing, "graph", None), "as_graph_def", None)
    if callable(definition):
        return _read(definition(add_shapes=True).SerializeToString(), GRAPH_DEF)
    if hasattr(thing, "inlined_graph"):
        table = NodeTable()
        attributes = read_torchscript(thing, table)
        return Graph(b"", table, attributes=attributes)
    if is_exported(thing):
        table = NodeTable()
        attributes = read_exported(thing, table)
        return Graph(b"", table, attributes=attributes)
    if callable(getattr(thing, "is_directed", None)) and hasattr(thing, "nodes"):
        return graph_of_networkx(thing)
    if callable(getattr(thing, "to_json", None)) and hasattr(thing, "layers"):
        return _read(thing.to_json().encode("utf-8", "surrogatepass"), KERAS)
    if callable(getattr(thing, "named_modules", None)):
        raise TypeError(f"{type(thing).__name__} is not traced: pass its inputs too, as in show_graph(model, inputs)")
    raise TypeError(f"cannot show a graph of {type(thing).__name__}; pass {WANTED}")


def _read(data: bytes, form: str) -> Graph:
    """The graph in the bytes. ValueError where there is none, but damage."""
    graph = read_graph(data, form)
    if graph.problems and not graph.node_count:
        raise ValueError(f"no graph in these bytes: {graph.problems[0]}")
    return graph


def graph_of_networkx(graph: Any) -> Graph:
    """Convert a directed networkx graph. Its nodes are named by `str`, and slashes make scopes.

    A node's attributes `op` and `device` are texts. `shape` has the sizes of its output (None if unknown), or `shapes`
    a list of them for several outputs. Other attributes are shown as they are. An edge's `slot` is the number of the
    output that it carries, and `control` tells that it carries nothing. Raises TypeError for an undirected graph, and
    ValueError for a name that begins with `^`.
    """
    if not graph.is_directed():
        raise TypeError("an undirected graph cannot be drawn: pass graph.to_directed(), or a DiGraph")
    names = {node: str(node) for node in graph.nodes}
    inputs: dict[Any, list[bytes]] = {node: [] for node in names}
    for source, target, edge in graph.edges(data=True):
        inputs[target].append(_input(names[source], edge))
    table = NodeTable()
    attributes: dict[str, dict[str, Any]] = {}
    for node, given in graph.nodes(data=True):
        name = names[node]
        if name.startswith("^"):
            raise ValueError(f"{name!r}: a name cannot begin with ^, which marks control inputs")
        if given.get("missing") is True:  # as `Graph.to_networkx` says of what inputs name and is not there
            continue
        shapes = [given["shape"]] if "shape" in given else given.get("shapes", ())
        table.add(
            encoded(name),
            encoded(str(given.get("op", ""))),
            inputs[node],
            encoded(str(given.get("device", ""))),
            write_shapes([_shape(shape) for shape in shapes]) if shapes else None,
        )
        attributes[decoded(encoded(name))] = {
            str(key): value if _is_plain(value) else str(value) for key, value in given.items() if key not in _OWN
        }
    return Graph(b"", table, attributes=attributes)


def _input(source: str, edge: Mapping[str, Any]) -> bytes:
    slot = edge.get("slot", 0)
    slot = slot if isinstance(slot, int) else 0
    if edge.get("control") or slot < 0:
        return b"^" + encoded(source)
    return encoded(source) + (b":%d" % slot if slot else b"")


def _shape(sizes: Any) -> Shape:
    """Sizes as they were given: None for one that is not known, or for all of them."""
    if sizes is None:
        return None
    try:
        known = [-1 if size is None else operator.index(size) for size in sizes]
    except TypeError:
        raise TypeError(f"a shape must be a sequence of ints, or None, not {sizes!r}") from None
    return tuple(min(max(size, _SMALLEST), _LARGEST) for size in known)


def _is_plain(value: Any) -> bool:
    return isinstance(value, str | int | float | bool)


def trace(model: Any, inputs: Any) -> Any:
    """Return the module as `torch.jit.trace` makes it of example inputs, in evaluation mode.

    `inputs` are one tensor, a tuple of positional arguments, or a dict of keyword arguments. Training flags, buffers,
    gradients and the states of the random number generators are afterwards as they were before. TypeError for objects
    that are no torch module; what tracing raises is raised.
    """
    torch: Any = sys.modules.get("torch")
    if torch is None or not isinstance(model, torch.nn.Module):
        raise TypeError(f"inputs are only for a torch module, not for {type(model).__name__}")
    if isinstance(model, torch.jit.ScriptModule):
        return model
    given = {"example_kwarg_inputs": dict(inputs)} if isinstance(inputs, Mapping) else {"example_inputs": inputs}
    with _preserved(model, torch), torch.no_grad(), warnings.catch_warnings():
        # That tracing is deprecated, and what a trace fixes, concerns those who run it.
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.simplefilter("ignore", torch.jit.TracerWarning)
        for module in model.modules():
            module.training = False
        # Its check would run the model again, and report random operations.
        return torch.jit.trace(model, **given, check_trace=False, strict=False)


@contextmanager
def _preserved(model: Any, torch: Any) -> Iterator[None]:
    """Give the module and the random number generators back the state that they have now."""
    modules = list(model.modules())
    training = [module.training for module in modules]
    buffers = [
        (module, name, buffer, buffer.clone())
        for module in modules
        for name, buffer in module._buffers.items()  # noqa: SLF001 (a buffer of two names has to be found under both)
        if buffer is not None
    ]
    states = random.getstate(), np.random.get_state(), torch.get_rng_state()  # noqa: NPY002 (the model may use it)
    # Asking for the state of a device that was never used would initialize it.
    cuda = torch.cuda.get_rng_state_all() if torch.cuda.is_initialized() else None
    try:
        yield
    finally:
        for module, was in zip(modules, training, strict=True):
            module.training = was
        for module, name, buffer, values in buffers:
            with torch.no_grad():
                buffer.copy_(values)
            module._buffers[name] = buffer  # noqa: SLF001 (as above)
        random.setstate(states[0])
        np.random.set_state(states[1])  # noqa: NPY002 (as above)
        torch.set_rng_state(states[2])
        if cuda is not None:
            torch.cuda.set_rng_state_all(cuda)
