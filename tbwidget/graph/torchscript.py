"""A module that torch has traced or scripted, as a graph: scopes are its modules, as in what `add_graph` writes.

Torch is not imported: it uses only the public interface of a ScriptModule or ScriptFunction. Nodes that fetch
a module are left out, for the scopes say that; a weight stands in the scope of the module that it belongs to.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tbwidget.graph.attributes import encoded
from tbwidget.graph.parse import NodeTable
from tbwidget.graph.shapes import Shape, write_shapes
from tbwidget.graph.torch import CONSTANT, INPUT_OUTPUT

GET_ATTRIBUTE = "prim::GetAttr"
"""Op of a weight."""

_ROOT = "__module"  # what scopes call the outermost module
_MAX_VALUE_CHARACTERS = 200
MAX_DIMENSION = 2**62
"""Larger sizes are cut to this one."""

Attributes = dict[str, dict[str, Any]]


def read_torchscript(scripted: Any, table: NodeTable) -> Attributes:
    """Put the nodes of a scripted or traced module or function into the table; returns their attributes by name."""
    return _Reader(scripted, table).read()


class _Reader:
    """Walks over the nodes; the nodes of a branch or loop are in a scope of its own."""

    def __init__(self, scripted: Any, table: NodeTable) -> None:
        self._graph = scripted.inlined_graph
        self._table = table
        self._attributes: Attributes = {}
        self._inputs: dict[str, str] = {}  # of each value, by its name: what reads it has this input
        self._modules: dict[str, str] = {}  # of each value that is a module: its name, dotted, within the outermost
        self._labels: dict[str, str] = {}  # of each module, by that name
        self._shapes: dict[str, Shape] = {}  # by name of the weight
        self._without_outputs = 0
        modules = getattr(scripted, "named_modules", None)
        self._is_module = modules is not None
        if modules is not None:
            for name, module in modules():
                kind = str(getattr(module, "original_name", type(module).__name__))
                self._labels[name] = f"{kind}[{name.rpartition('.')[2]}]" if name else kind
            for name, weight in (*scripted.named_parameters(), *scripted.named_buffers()):
                self._shapes[name] = tuple(int(size) for size in weight.shape)

    def read(self) -> Attributes:
        values = list(self._graph.inputs())
        if self._is_module and values:
            self._modules[values.pop(0).debugName()] = ""
        for value in values:
            self._add(f"input/{value.debugName()}", INPUT_OUTPUT, (), [value])
        self._walk(self._graph.nodes(), self._scope(""))
        for value in self._graph.outputs():
            self._add(f"output/{value.debugName()}", INPUT_OUTPUT, [value], [])
        return self._attributes

    def _walk(self, nodes: Iterable[Any], around: str) -> None:
        """Add nodes, in the scope that each says, or else in the one around them."""
        for node in nodes:
            kind, outputs = node.kind(), list(node.outputs())
            if kind == GET_ATTRIBUTE and self._fetch(node, outputs[0]):
                continue
            module = node.scopeName().rpartition("/")[2]
            scope = self._scope(module.removeprefix(_ROOT).removeprefix(".")) if module else around
            label = outputs[0].debugName() if outputs else self._unnamed(kind)
            name = f"{scope}/{label}" if scope else label
            returned = []
            for place, block in enumerate(node.blocks()):
                returned += self._branch(block, name, f"{name}/block{place}")
            self._add(name, kind, [*node.inputs(), *returned], outputs)
            self._describe(name, node)

    def _unnamed(self, kind: str) -> str:
        """Name of a node without outputs."""
        self._without_outputs += 1
        return f"{kind.rpartition('::')[2]}_{self._without_outputs}"

    def _branch(self, block: Any, name: str, scope: str) -> list[Any]:
        """Add a branch or the body of a loop, which the node of this name decides about; gives what it returns."""
        for value in block.inputs():
            self._inputs[value.debugName()] = name
        self._walk(block.nodes(), scope)
        return list(block.outputs())

    def _fetch(self, node: Any, value: Any) -> bool:
        """Note a module that is fetched, or add a weight of one; False for attributes of other objects."""
        (of,) = node.inputs()
        module = self._modules.get(of.debugName())
        if module is None:
            return False
        attribute = node.s("name")
        path = f"{module}.{attribute}" if module else attribute
        if value.type().kind() == "ClassType" and path in self._labels:
            self._modules[value.debugName()] = path
            return True
        name = f"{self._scope(module)}/{attribute}"
        if name not in self._attributes:
            known = write_shapes([self._shapes[path]]) if path in self._shapes else None
            self._table.add(encoded(name), encoded(GET_ATTRIBUTE), shapes=known)
            self._attributes[name] = {"attr": f"{{ name : {attribute}}}"}
        self._inputs[value.debugName()] = name
        return True

    def _scope(self, module: str) -> str:
        """The scope of a module, by its dotted name: its label behind the labels of the modules around it."""
        parts = module.split(".") if module else []
        names = [".".join(parts[:length]) for length in range(len(parts) + 1)]
        return "/".join(self._labels[name] for name in names if name in self._labels)

    def _add(self, name: str, op: str, inputs: Iterable[Any], outputs: list[Any]) -> None:
        """Add a node, and what it is called where its outputs are read."""
        names = [value.debugName() for value in inputs]
        read = [encoded(self._inputs[value]) for value in names if value in self._inputs]
        for slot, value in enumerate(outputs):
            self._inputs[value.debugName()] = f"{name}:{slot}" if slot else name
        shapes = [_shape(value) for value in outputs]
        known = write_shapes(shapes) if any(shape is not None for shape in shapes) else None
        self._table.add(encoded(name), encoded(op), read, shapes=known)

    def _describe(self, name: str, node: Any) -> None:
        attributes = self._attributes.setdefault(name, {})
        if node.kind() == CONSTANT:
            value = node.output().toIValue()
            attributes["attr"] = "{}" if value is None else f"{{ value : {literal(value)}}}"
            return
        for attribute in node.attributeNames():
            if node.kindOf(attribute) in {"s", "i", "f"}:
                attributes[attribute] = getattr(node, node.kindOf(attribute))(attribute)


def _shape(value: Any) -> Shape:
    """The shape of a value that is a tensor, as far as tracing has seen it."""
    kind = value.type()
    sizes = kind.sizes() if kind.kind() == "TensorType" else None
    return None if sizes is None else tuple(-1 if size is None else min(int(size), MAX_DIMENSION) for size in sizes)


def literal(value: Any) -> str:
    """A constant's value in words: of a tensor its type and shape."""
    if hasattr(value, "dtype") and hasattr(value, "shape") and value.shape:
        return f"{str(value.dtype).removeprefix('torch.')} {list(value.shape)}"
    text = str(value)
    return text if len(text) <= _MAX_VALUE_CHARACTERS else f"{text[:_MAX_VALUE_CHARACTERS]}…"
