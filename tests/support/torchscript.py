"""Records the answers of a traced or scripted torch module as JSON, and replays them without torch.

tools/make_graph_fixtures.py calls `recorded`, since it has torch; a `Played` answers as torch did.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any


def recorded(scripted: Any) -> dict[str, Any]:
    """Return everything that `tbwidget.graph.torchscript` reads of a module."""
    graph = scripted.inlined_graph
    modules = getattr(scripted, "named_modules", None)
    return {
        "graph": {
            "inputs": [_value(value) for value in graph.inputs()],
            "nodes": [_node(node) for node in graph.nodes()],
            "outputs": [_value(value) for value in graph.outputs()],
        },
        "modules": [[name, module.original_name] for name, module in modules()] if modules else None,
        "weights": [[name, list(weight.shape)] for name, weight in scripted.named_parameters()] if modules else [],
    }


def _value(value: Any) -> dict[str, Any]:
    kind = value.type().kind()
    return {"name": value.debugName(), "kind": kind, "sizes": value.type().sizes() if kind == "TensorType" else None}


def _node(node: Any) -> dict[str, Any]:
    attributes = [(name, node.kindOf(name)) for name in node.attributeNames()]
    return {
        "kind": node.kind(),
        "scope": node.scopeName(),
        "inputs": [_value(value) for value in node.inputs()],
        "outputs": [_value(value) for value in node.outputs()],
        "attributes": [[name, kind, getattr(node, kind)(name)] for name, kind in attributes if kind in {"s", "i", "f"}],
        "constant": node.output().toIValue() if node.kind() == "prim::Constant" else None,
        "blocks": [
            {
                "inputs": [_value(value) for value in block.inputs()],
                "nodes": [_node(inner) for inner in block.nodes()],
                "outputs": [_value(value) for value in block.outputs()],
            }
            for block in node.blocks()
        ],
    }


class Played:
    """A module or function that replays recorded answers of torch."""

    def __init__(self, said: dict[str, Any]) -> None:
        self.inlined_graph = _Block(said["graph"])
        if said["modules"] is not None:
            modules = [(name, SimpleNamespace(original_name=kind)) for name, kind in said["modules"]]
            self.named_modules = lambda: iter(modules)
            weights = [(name, SimpleNamespace(shape=shape)) for name, shape in said["weights"]]
            self.named_parameters = lambda: iter(weights)
            self.named_buffers = lambda: iter(())


class _Block:
    def __init__(self, said: dict[str, Any]) -> None:
        self._said = said

    def inputs(self) -> Iterator[Any]:
        return map(_PlayedValue, self._said["inputs"])

    def nodes(self) -> Iterator[Any]:
        return map(_PlayedNode, self._said["nodes"])

    def outputs(self) -> Iterator[Any]:
        return map(_PlayedValue, self._said["outputs"])


class _PlayedValue:
    def __init__(self, said: dict[str, Any]) -> None:
        self._said = said

    def debugName(self) -> str:  # noqa: N802 (torch's)
        name: str = self._said["name"]
        return name

    def type(self) -> Any:
        return SimpleNamespace(kind=lambda: self._said["kind"], sizes=lambda: self._said["sizes"])

    def toIValue(self) -> Any:  # noqa: N802
        return self._said["constant"]


class _PlayedNode(_Block):
    def kind(self) -> Any:
        return self._said["kind"]

    def scopeName(self) -> Any:  # noqa: N802
        return self._said["scope"]

    def output(self) -> _PlayedValue:
        return _PlayedValue(self._said)

    def blocks(self) -> list[_Block]:
        return [_Block(block) for block in self._said["blocks"]]

    def attributeNames(self) -> list[str]:  # noqa: N802
        return [name for name, _, _ in self._said["attributes"]]

    def kindOf(self, wanted: str) -> Any:  # noqa: N802
        return next(kind for name, kind, _ in self._said["attributes"] if name == wanted)

    def s(self, wanted: str) -> Any:
        return next(value for name, _, value in self._said["attributes"] if name == wanted)

    i = f = s
