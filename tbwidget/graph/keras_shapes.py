"""Input shapes, output shapes and parameter counts of Keras layers, as far as their configs tell."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

Sizes = tuple[int, ...]
"""Sizes of dimensions, the batch first; -1 where unknown."""

_CONVOLUTION = re.compile(r"(Conv|Convolution)[123]D")
_POOLING = re.compile(r"(Max|Average)Pooling[123]D")
_GLOBAL_POOLING = re.compile(r"Global(Max|Average)Pooling[123]D")
_SAME = frozenset(
    {
        "Activation",
        "ActivityRegularization",
        "AlphaDropout",
        "BatchNormalization",
        "Dropout",
        "ELU",
        "GaussianDropout",
        "GaussianNoise",
        "LayerNormalization",
        "LeakyReLU",
        "Masking",
        "Normalization",
        "PReLU",
        "ReLU",
        "Rescaling",
        "Softmax",
        "SpatialDropout1D",
        "SpatialDropout2D",
        "SpatialDropout3D",
    }
)
_MERGING = frozenset({"Add", "Average", "Maximum", "Minimum", "Multiply", "Subtract"})
_WITHOUT_PARAMETERS = (_SAME - {"BatchNormalization", "LayerNormalization", "Normalization", "PReLU"}) | _MERGING
_GATES = {"SimpleRNN": 1, "GRU": 3, "LSTM": 4}


class LayerShape(NamedTuple):
    """Output shape and parameter count of a layer; None if unknown."""

    input: Sizes | None
    output: Sizes | None
    parameters: int | None


def describe(class_name: str, config: dict[str, Any], inputs: Sequence[Sizes | None]) -> LayerShape:
    """Work out the shape of a layer of this class from its config and the shapes that go in."""
    first = inputs[0] if inputs else None
    given = config.get("batch_shape") or config.get("batch_input_shape")
    if first is None and isinstance(given, list) and all(size is None or isinstance(size, int) for size in given):
        first = tuple(-1 if size is None else max(size, -1) for size in given)
    try:
        output, parameters = _of_class(class_name, config, first, inputs)
    except (KeyError, TypeError, ValueError, IndexError, ZeroDivisionError, OverflowError):
        output, parameters = None, None  # a config that is not what Keras writes
    return LayerShape(first, output, parameters)


def _of_class(
    class_name: str, config: dict[str, Any], first: Sizes | None, inputs: Sequence[Sizes | None]
) -> tuple[Sizes | None, int | None]:
    if class_name == "Embedding":
        output = None if first is None else (*first, int(config["output_dim"]))
        return output, int(config["input_dim"]) * int(config["output_dim"])
    if first is None:
        return None, 0 if class_name in _WITHOUT_PARAMETERS else None
    if class_name == "InputLayer":
        return first, 0
    if class_name in _SAME:
        return first, _normalization(class_name, config, first)
    if class_name in _MERGING:
        return _merged(inputs), 0
    for matches, of_layer in _LAYERS:
        if matches(class_name):
            return of_layer(class_name, config, first, inputs)
    return None, None


_Result = tuple[Sizes | None, int | None]


def _normalization(class_name: str, config: dict[str, Any], first: Sizes) -> int | None:
    if class_name in _WITHOUT_PARAMETERS:
        return 0
    if class_name == "BatchNormalization":
        axis = config.get("axis", -1)
        channels = first[axis[0] if isinstance(axis, list) else axis]
        moving = 2
        return _times(channels, moving + bool(config.get("scale", True)) + bool(config.get("center", True)))
    if class_name == "LayerNormalization":
        axis = config.get("axis", -1)
        axes = axis if isinstance(axis, list) else [axis]
        over = _product([first[number] for number in axes])
        return _times(over, bool(config.get("scale", True)) + bool(config.get("center", True)))
    return None


def _merged(inputs: Sequence[Sizes | None]) -> Sizes | None:
    known = [shape for shape in inputs if shape is not None]
    if len(known) != len(inputs) or len({len(shape) for shape in known}) != 1:
        return None
    return tuple(max(column) for column in zip(*known, strict=True))


def _dense(_: str, config: dict[str, Any], first: Sizes, __: Sequence[Sizes | None]) -> _Result:
    units = int(config["units"])
    return (*first[:-1], units), _times(first[-1], units, plus=units * bool(config.get("use_bias", True)))


def _flatten(_: str, __: dict[str, Any], first: Sizes, ___: Sequence[Sizes | None]) -> _Result:
    return (first[0], _product(first[1:])), 0


def _reshape(_: str, config: dict[str, Any], first: Sizes, __: Sequence[Sizes | None]) -> _Result:
    wanted = [int(size) for size in config["target_shape"]]
    if wanted.count(-1) == 1:
        rest, whole = _product([size for size in wanted if size != -1]), _product(first[1:])
        wanted[wanted.index(-1)] = whole // rest if whole >= 0 and rest > 0 else -1
    return (first[0], *wanted), 0


def _concatenate(_: str, config: dict[str, Any], first: Sizes, inputs: Sequence[Sizes | None]) -> _Result:
    known = [shape for shape in inputs if shape is not None]
    if len(known) != len(inputs):
        return None, 0
    axis = int(config.get("axis", -1)) % len(first)
    joined = [shape[axis] for shape in known]
    return (*first[:axis], -1 if -1 in joined else sum(joined), *first[axis + 1 :]), 0


def _recurrent(class_name: str, config: dict[str, Any], first: Sizes, _: Sequence[Sizes | None]) -> _Result:
    units, gates = int(config["units"]), _GATES[class_name]
    biases = 0 if not config.get("use_bias", True) else 2 if config.get("reset_after") else 1
    output = (first[0], first[1], units) if config.get("return_sequences") else (first[0], units)
    return output, _times(first[-1], gates * units, plus=gates * units * (units + biases))


def _convolution(class_name: str, config: dict[str, Any], first: Sizes, _: Sequence[Sizes | None]) -> _Result:
    channels_first = config.get("data_format") == "channels_first"
    channels = first[1 if channels_first else -1]
    spatial = first[2:] if channels_first else first[1:-1]
    kernel, bias = _each(config["kernel_size"], spatial), bool(config.get("use_bias", True))
    if class_name.startswith("Depthwise"):
        filters = _times(channels, int(config.get("depth_multiplier", 1)))
        parameters = None if filters is None else _times(_product(kernel), filters, plus=filters * bias)
    else:
        filters = int(config["filters"])
        groups = max(int(config.get("groups", 1)), 1)
        parameters = _times(channels // groups, _product(kernel) * filters, plus=filters * bias)
    if filters is None:
        return None, None
    space = _windows(config, spatial, kernel)
    return (first[0], filters, *space) if channels_first else (first[0], *space, filters), parameters


def _pooling(_: str, config: dict[str, Any], first: Sizes, __: Sequence[Sizes | None]) -> _Result:
    channels_first = config.get("data_format") == "channels_first"
    spatial = first[2:] if channels_first else first[1:-1]
    pool = _each(config["pool_size"], spatial)
    space = _windows({**config, "strides": config.get("strides") or list(pool)}, spatial, pool)
    return (*first[:2], *space) if channels_first else (first[0], *space, first[-1]), 0


def _global_pooling(_: str, config: dict[str, Any], first: Sizes, __: Sequence[Sizes | None]) -> _Result:
    channels_first = config.get("data_format") == "channels_first"
    kept = [1] * (len(first) - 2) if config.get("keepdims") else []
    channels = first[1 if channels_first else -1]
    return (first[0], channels, *kept) if channels_first else (first[0], *kept, channels), 0


def _zero_padding(_: str, config: dict[str, Any], first: Sizes, __: Sequence[Sizes | None]) -> _Result:
    channels_first = config.get("data_format") == "channels_first"
    spatial = first[2:] if channels_first else first[1:-1]
    padding = config["padding"]
    both = [padding] if len(spatial) == 1 else padding
    space = [
        -1 if size < 0 else size + sum(pad if isinstance(pad, list) else [pad, pad])
        for size, pad in zip(spatial, both, strict=True)
    ]
    return (*first[:2], *space) if channels_first else (first[0], *space, first[-1]), 0


def _windows(config: dict[str, Any], spatial: Sizes, kernel: Sizes) -> Sizes:
    """Sizes of what a window that moves over these sizes gives."""
    strides = _each(config.get("strides", 1), spatial)
    dilations = _each(config.get("dilation_rate", 1), spatial)
    same = config.get("padding") in {"same", "causal"}
    found = []
    for size, width, stride, dilation in zip(spatial, kernel, strides, dilations, strict=True):
        covered = size if same else size - dilation * (width - 1)
        found.append(-1 if size < 0 or stride < 1 else max(-(-covered // stride), 0))
    return tuple(found)


def _each(value: Any, spatial: Sizes) -> Sizes:
    """One number for each dimension in space."""
    return tuple(int(size) for size in value) if isinstance(value, list) else (int(value),) * len(spatial)


def _product(values: Sequence[int]) -> int:
    return -1 if any(size < 0 for size in values) else math.prod(values)


def _times(left: int, right: int, plus: int = 0) -> int | None:
    return None if left < 0 or right < 0 else left * right + plus


_LAYERS: tuple[tuple[Callable[[str], object], Callable[..., _Result]], ...] = (
    ("Dense".__eq__, _dense),
    ("Flatten".__eq__, _flatten),
    ("Reshape".__eq__, _reshape),
    ("Concatenate".__eq__, _concatenate),
    (_GATES.__contains__, _recurrent),
    (_CONVOLUTION.fullmatch, _convolution),
    (re.compile(r"DepthwiseConv[12]D").fullmatch, _convolution),
    (_POOLING.fullmatch, _pooling),
    (_GLOBAL_POOLING.fullmatch, _global_pooling),
    (re.compile(r"ZeroPadding[123]D").fullmatch, _zero_padding),
)
