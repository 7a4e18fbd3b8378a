"""A program that torch has exported (`torch.export.export`), as a graph: scopes are the modules, as in a trace.

Torch is not imported: it uses only the public interface of an ExportedProgram and its fx.Graph. A call that picks one
of several results is no node: its edge comes from that output. A weight stands in the scope of its module.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

from tbwidget.graph.attributes import encoded
from tbwidget.graph.parse import NodeTable
from tbwidget.graph.shapes import Shape, write_shapes
from tbwidget.graph.sources import GraphProblem
from tbwidget.graph.torch import INPUT_OUTPUT
from tbwidget.graph.torchscript import GET_ATTRIBUTE, MAX_DIMENSION, Attributes, literal
from tbwidget.reasons import Reason

_MAX_DEPTH = 50  # of branches within branches
_MAX_NODES = 1_000_000
"""Bound for the nodes of one program: branches that share their branches have any number."""


def is_exported(thing: Any) -> bool:
    """Whether this is an ExportedProgram."""
    return hasattr(thing, "graph_signature") and hasattr(getattr(thing, "graph", None), "nodes")


def read_exported(program: Any, table: NodeTable) -> Attributes:
    """Put the nodes of an exported program into the table; returns their attributes by name."""
    reader = _Reader(program, table)
    reader.walk(program.graph, "", 0, getattr(program, "graph_module", None))
    return reader.attributes


class _Reader:
    """Walks over the nodes; the nodes of a branch are in a scope of its own."""

    def __init__(self, program: Any, table: NodeTable) -> None:
        signature = program.graph_signature
        self.attributes: Attributes = {}
        self._table = table
        self._walked = 0
        self._weights: dict[str, str] = {}  # of each placeholder that is a weight: its name, dotted
        for kind in ("inputs_to_parameters", "inputs_to_buffers", "inputs_to_lifted_tensor_constants"):
            self._weights |= getattr(signature, kind, None) or {}
        self._labels: dict[str, str] = {}  # of each module, by its dotted name
        for node in program.graph.nodes:
            for path, kind in _modules_of(node):
                label = f"{kind}[{path.rpartition('.')[2]}]" if path else kind
                self._labels.setdefault(path, label)

    def walk(self, graph: Any, around: str, depth: int, module: Any) -> None:
        """Add the nodes of a graph, in the scope that each says, or else in the one around them.

        `module` is the one whose graph this is: its branches are attributes of it.
        """
        self._walked += len(graph.nodes)
        read: dict[Any, str] = {}  # of each node: what those that read it have as their input
        for node in graph.nodes:
            source = _picked(node)
            if source is not None and source[0] in read:
                name, slot = read[source[0]], source[1]
                read[node] = f"{name}:{slot}" if slot else name
                continue
            if node.op == "output":
                for given in node.all_input_nodes:
                    self._add(
                        f"{around}output/{given.name}", INPUT_OUTPUT, [read[given]] if given in read else [], None
                    )
            elif node.op != "placeholder" or node.name not in self._weights or node.users:
                read[node] = self._add_node(node, read, around)
                branch = getattr(module, str(node.target), None) if node.op == "get_attr" else None
                if branch is not None and hasattr(branch, "graph"):
                    self._walk_branch(branch, read[node], depth + 1)

    def _walk_branch(self, branch: Any, name: str, depth: int) -> None:
        """Add the nodes of a branch in the scope of the node that fetches it, as far as there is room."""
        if depth <= _MAX_DEPTH and self._walked + len(branch.graph.nodes) <= _MAX_NODES:
            self.walk(branch.graph, f"{name}/", depth, branch)
        elif not self._table.problems:
            self._table.problems.append(GraphProblem(None, Reason("graph-branches", most=_MAX_NODES, depth=_MAX_DEPTH)))

    def _add_node(self, node: Any, read: Mapping[Any, str], around: str) -> str:
        """Add one node; returns its name."""
        if node.op == "placeholder" and not around and node.name in self._weights:
            module, _, attribute = self._weights[node.name].rpartition(".")
            name, op = self._within(module, attribute), GET_ATTRIBUTE
            self.attributes[name] = {"attr": f"{{ name : {attribute}}}"}
        elif node.op == "placeholder":
            name, op = f"{around}input/{node.name}", INPUT_OUTPUT
        else:
            modules = _modules_of(node)
            name = f"{around}{node.name}" if around else self._within(modules[-1][0] if modules else "", node.name)
            op = GET_ATTRIBUTE if node.op == "get_attr" else _op_name(node.target)
            if constants := _constants_of(node):
                self.attributes[name] = constants
        self._add(name, op, [read[given] for given in node.all_input_nodes if given in read], node.meta.get("val"))
        return name

    def _add(self, name: str, op: str, inputs: list[str], value: Any) -> None:
        shapes = [_shape(one) for one in (value if isinstance(value, tuple | list) else [value])]
        known = write_shapes(shapes) if any(shape is not None for shape in shapes) else None
        self._table.add(encoded(name), encoded(op), [encoded(one) for one in inputs], shapes=known)

    def _within(self, module: str, name: str) -> str:
        """A name within the scopes of a module and of those around it."""
        parts = module.split(".") if module else []
        paths = [".".join(parts[:length]) for length in range(len(parts) + 1)]
        return "/".join([*(self._labels[path] for path in paths if path in self._labels), name])


def _modules_of(node: Any) -> list[tuple[str, str]]:
    """The modules whose forward pass a node belongs to, the outermost first: dotted name, and class."""
    found = []
    for path, kind in (node.meta.get("nn_module_stack") or {}).values():
        name = kind.rpartition(".")[2] if isinstance(kind, str) else kind.__name__
        found.append((str(path).partition("@")[0], name))
    return found


def _picked(node: Any) -> tuple[Any, int] | None:
    """The node and the number of the result that this node picks; None for any other node."""
    if node.op == "call_function" and node.target is operator.getitem and isinstance(node.args[1], int):
        return node.args[0], node.args[1]
    return None


def _op_name(target: Any) -> str:
    """Return the name of the called operator, such as "aten::linear"."""
    name = getattr(target, "name", None)
    return str(name()) if callable(name) else str(getattr(target, "__name__", target))


def _constants_of(node: Any) -> dict[str, Any]:
    """The arguments of a call that are no results of other nodes, by name."""
    schema = getattr(getattr(node.target, "_schema", None), "arguments", ())
    names = [argument.name for argument in schema]
    given = {names[place] if place < len(names) else str(place): value for place, value in enumerate(node.args)}
    return {
        name: literal(value)
        for name, value in {**given, **node.kwargs}.items()
        if isinstance(value, bool | int | float | str) or (isinstance(value, tuple | list) and _is_plain(value))
    }


def _is_plain(values: tuple[Any, ...] | list[Any]) -> bool:
    return all(isinstance(value, bool | int | float) for value in values)


def _shape(value: Any) -> Shape:
    """The shape of a tensor; -1 for a size that differs from call to call."""
    sizes = getattr(value, "shape", None)
    if sizes is None:
        return None
    return tuple(min(size, MAX_DIMENSION) if isinstance(size, int) else -1 for size in sizes)
