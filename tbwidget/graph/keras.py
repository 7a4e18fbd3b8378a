"""A Keras model's JSON as a graph of its layers, one node a layer, nested models as scopes.

TensorBoard shows it as the conceptual graph (tensorboard/plugins/graph/keras_util.py), without shapes and parameters,
and without any edge for what Keras 2 wrote. Keras 3 writes the inputs of a layer as `keras_history` of tensors, Keras 2
as lists `[layer, node, tensor, arguments]`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeGuard

from tbwidget.graph.keras_shapes import LayerShape, Sizes, describe
from tbwidget.graph.parse import NodeTable
from tbwidget.graph.shapes import write_shapes
from tbwidget.graph.sources import GraphProblem
from tbwidget.reasons import Reason

_MAX_DEPTH = 64  # models in one another
_MAX_DIMENSION = 2**62
_SCALARS = (str, int, float, bool)


class _Tensor(NamedTuple):
    """An output of a layer."""

    layer: str
    output: int
    shape: Sizes | None


@dataclass(slots=True)
class _Layer:
    """A node to be."""

    name: str
    class_name: str
    config: dict[str, Any]
    inputs: list[_Tensor] = field(default_factory=list)
    built_for: Sizes | None = None
    shape: LayerShape = field(default_factory=lambda: LayerShape(None, None, None))


@dataclass(slots=True)
class _Model:
    """A model's layers, and what leads into it and out of it."""

    inputs: list[str] = field(default_factory=list)
    outputs: list[_Tensor] = field(default_factory=list)


class _Reader:
    """Walks over the layers of a model and of those inside it."""

    def __init__(self) -> None:
        self.layers: dict[str, _Layer] = {}
        self.problems: list[GraphProblem] = []

    def model(self, description: dict[str, Any], scope: str, depth: int = 0) -> _Model:
        """Read the layers of a model, each under its scope."""
        config = description.get("config")
        held = config.get("layers") if isinstance(config, dict) else config
        model = _Model()
        models: dict[str, _Model] = {}
        before: list[_Tensor] = []
        sequential = description.get("class_name") == "Sequential"
        for layer in held if isinstance(held, list) else ():
            if not isinstance(layer, dict) or depth > _MAX_DEPTH:
                self.problems.append(GraphProblem(None, Reason("keras-layer", scope=scope or "the model")))
                continue
            label = layer_name(layer)
            name = f"{scope}/{label}" if scope else label
            arguments = before if sequential else list(_arguments(layer.get("inbound_nodes"), scope))
            inputs = [tensor for argument in arguments for tensor in self._led_on(argument, models)]
            if is_model(layer):
                inner = models[name] = self.model(layer, name, depth + 1)
                for place, target in enumerate(inner.inputs):
                    if inputs:
                        self.layers[target].inputs.append(inputs[min(place, len(inputs) - 1)])
                before = inner.outputs or before
            else:
                self._add(name, layer, inputs)
                before = [_Tensor(name, 0, None)]
            if not model.inputs and (sequential or not isinstance(config, dict) or "input_layers" not in config):
                model.inputs = models[name].inputs if name in models else [name]
        if isinstance(config, dict) and not sequential:
            model.inputs = [tensor.layer for tensor in _arguments(config.get("input_layers"), scope)] or model.inputs
            model.inputs = [name for name in model.inputs if name in self.layers]
            before = [
                tensor
                for output in _arguments(config.get("output_layers"), scope)
                for tensor in self._led_on(output, models)
            ] or before
        model.outputs = before
        return model

    def _led_on(self, tensor: _Tensor, models: dict[str, _Model]) -> list[_Tensor]:
        """The tensor itself or, of a model, the output of the layer inside that makes it."""
        model = models.get(tensor.layer)
        if model is None:
            return [tensor]
        made = model.outputs[tensor.output : tensor.output + 1]
        return [output._replace(shape=tensor.shape or output.shape) for output in made]

    def _add(self, name: str, layer: dict[str, Any], inputs: list[_Tensor]) -> None:
        config = layer.get("config")
        built = layer.get("build_config")
        known = self.layers.get(name)
        if known is not None:
            self.problems.append(GraphProblem(None, Reason("keras-duplicate", name=name)))
            known.inputs += inputs
            return
        self.layers[name] = _Layer(
            name,
            str(layer.get("class_name", "")),
            config if isinstance(config, dict) else {},
            inputs,
            sizes(built.get("input_shape")) if isinstance(built, dict) else None,
        )


def read_keras(data: bytes, table: NodeTable) -> dict[str, dict[str, Any]]:
    """Put the layers of a Keras model's JSON into the table. Returns the attributes of each by its name.

    Attributes are the scalars and lists of scalars in the layer's config, and `keras_class`. If they follow from the
    JSON, `input_shape`, `output_shape` and the count `parameters` are added.
    """
    try:
        description = json.loads(data)
    except (ValueError, RecursionError) as error:
        table.problems.append(GraphProblem(None, Reason("keras-json", detail=str(error))))
        return {}
    if not isinstance(description, dict):
        table.problems.append(GraphProblem(None, Reason("keras-json", detail=Reason("object-expected"))))
        return {}
    reader = _Reader()
    if is_model(description):
        reader.model(description, layer_name(description))
    else:  # a model of a class of its own says nothing of its layers
        reader.model({"config": {"layers": [description]}}, "")
    table.problems += reader.problems
    _find_shapes(reader.layers)
    attributes = {}
    for layer in reader.layers.values():
        inputs = [f"{tensor.layer}:{tensor.output}" if tensor.output else tensor.layer for tensor in layer.inputs]
        name = layer.name.encode("utf-8", "surrogatepass")
        shapes = None if layer.shape.output is None else write_shapes([layer.shape.output])
        encoded = [text.encode("utf-8", "surrogatepass") for text in inputs]
        table.add(name, layer.class_name.encode("utf-8", "surrogatepass"), encoded, shapes=shapes)
        attributes[name.decode("utf-8", "surrogateescape")] = _attributes(layer)
    return attributes


def _find_shapes(layers: dict[str, _Layer]) -> None:
    """Say of each layer what goes in, what comes out and how many parameters it has; layers come after their inputs."""
    outputs: dict[str, Sizes] = {}
    for layer in layers.values():
        for tensor in layer.inputs:
            if tensor.shape is not None and tensor.output == 0:
                outputs[tensor.layer] = tensor.shape
        if layer.built_for is not None and len(layer.inputs) == 1 and layer.inputs[0].output == 0:
            outputs.setdefault(layer.inputs[0].layer, layer.built_for)
    for layer in layers.values():
        coming = [
            layers[tensor.layer].shape.output if tensor.layer in layers else tensor.shape for tensor in layer.inputs
        ]
        if layer.built_for is not None and len(coming) <= 1:
            coming = [layer.built_for]
        layer.shape = describe(layer.class_name, layer.config, coming)
        if layer.name in outputs:
            layer.shape = layer.shape._replace(output=outputs[layer.name])


def _attributes(layer: _Layer) -> dict[str, Any]:
    attributes: dict[str, Any] = {"keras_class": layer.class_name}
    for key, value in layer.config.items():
        if isinstance(value, dict):  # an initializer, a policy of types
            inner = value.get("config")
            word = inner.get("name") if isinstance(inner, dict) else None
            attributes[key] = word or value.get("class_name")
        elif isinstance(value, _SCALARS) or (isinstance(value, list) and all(isinstance(v, _SCALARS) for v in value)):
            attributes[key] = value
    if layer.shape.input is not None:
        attributes["input_shape"] = layer.shape.input
    if layer.shape.output is not None:
        attributes["output_shape"] = layer.shape.output
    if layer.shape.parameters is not None:
        attributes["parameters"] = layer.shape.parameters
    return attributes


def is_model(description: dict[str, Any]) -> bool:
    """Whether a description is a model with layers of its own."""
    config = description.get("config")
    held = config.get("layers") if isinstance(config, dict) else config
    return isinstance(held, list) and bool(held)


def layer_name(description: dict[str, Any]) -> str:
    """Name of a layer or model."""
    config = description.get("config")
    name = config.get("name") if isinstance(config, dict) else None
    return str(name or description.get("name") or description.get("class_name") or "")


def _arguments(description: Any, scope: str) -> Iterator[_Tensor]:
    """The tensors that a layer is called with, in either form, wherever in the arguments they stand."""
    waiting = [description]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            config = value.get("config")
            history = config.get("keras_history") if isinstance(config, dict) else None
            if isinstance(config, dict) and is_tensor(history):
                yield _tensor(history, scope, sizes(config.get("shape")))
            else:
                waiting.extend(reversed(value.values()))
        elif is_tensor(value):
            yield _tensor(value, scope, None)
            waiting.extend(value[3:])
        elif isinstance(value, list):
            waiting.extend(reversed(value))


def is_tensor(value: Any) -> TypeGuard[list[Any]]:
    """Whether this names an output of a layer: its name, the number of the call, the number of the output."""
    return (
        isinstance(value, list)
        and len(value) >= 3  # noqa: PLR2004
        and isinstance(value[0], str)
        and all(isinstance(number, int) for number in value[1:3])
    )


def _tensor(value: list[Any], scope: str, shape: Sizes | None) -> _Tensor:
    name = f"{scope}/{value[0]}" if scope else value[0]
    return _Tensor(name, max(value[2], 0), shape)


def sizes(value: Any) -> Sizes | None:
    """A shape as JSON says it, or None if it is none."""
    if not isinstance(value, list) or not all(size is None or isinstance(size, int) for size in value):
        return None
    return tuple(-1 if size is None or not 0 <= size <= _MAX_DIMENSION else size for size in value)
