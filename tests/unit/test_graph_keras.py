"""Keras models' JSON as a graph: models of Keras 2 and 3, and JSON that is no model."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tbwidget.graph import KERAS, Graph, read_graph
from tests.support.graphs import DATA


def model(description: Any) -> Graph:
    return read_graph(json.dumps(description).encode(), KERAS)


def links(made: Graph) -> list[tuple[str, str, int]]:
    return list(made.edge_frame()[["source", "target", "slot"]].itertuples(index=False, name=None))


@pytest.mark.parametrize(("version", "head_input"), [("keras3", "input_layer"), ("keras2", "d1_input")])
def test_a_functional_model_with_others_inside(version: str, head_input: str) -> None:
    made = read_graph((DATA / f"{version}_functional.json").read_bytes(), KERAS)
    assert made.problems == []
    assert sorted(links(made)) == sorted(
        (f"net/{source}", f"net/{target}", 0)
        for source, target in [
            ("image", "stem"),
            ("stem", "inner/inner_in"),
            ("inner/inner_in", "inner/c1"),
            ("inner/c1", "inner/bn"),
            ("inner/c1", "add"),
            ("inner/bn", "add"),
            ("add", "dw"),
            ("dw", "mp"),
            ("mp", "flat"),
            ("tokens", "emb"),
            ("emb", "lstm"),
            ("flat", "cat"),
            ("lstm", "cat"),
            ("cat", f"head/{head_input}"),
            (f"head/{head_input}", "head/d1"),
            ("head/d1", "head/drop"),
            ("head/drop", "head/d2"),
            ("head/d2", "dot"),
            ("head/d2", "dot"),
        ]
    )
    assert made.op("net/stem") == "Conv2D"
    stem = made.attributes("net/stem")
    assert (stem["activation"], stem["kernel_size"], stem["dtype"]) == ("relu", [3, 3], "float32")
    assert stem["keras_class"] == "Conv2D"
    assert made.view(["net"]).path[-2:] == ["net/inner", "net/head"]


@pytest.mark.parametrize("version", ["keras3", "keras2"])
def test_shapes_and_parameters_are_those_that_keras_counts(version: str) -> None:
    said = json.loads((DATA / f"{version}.said.json").read_text())
    checked = 0
    for kind in ("functional", "sequential"):
        made = read_graph((DATA / f"{version}_{kind}.json").read_bytes(), KERAS)
        for name in made.names:
            if name in said and made.op(name) != "Dot":
                attributes = made.attributes(name)
                parameters, shape = said[name]
                assert attributes["parameters"] == parameters, name
                assert attributes["output_shape"] == tuple(shape), name
                assert made.output_shapes(name) == (tuple(shape),)
                checked += 1
    assert checked > 15


@pytest.mark.parametrize("version", ["keras3", "keras2"])
def test_a_sequential_model(version: str) -> None:
    made = read_graph((DATA / f"{version}_sequential.json").read_bytes(), KERAS)
    names = made.names
    assert names[1:] == ["plain/a", "plain/ln", "plain/b"]
    assert links(made) == [(before, after, 0) for before, after in pairwise(names)]


def test_outputs_of_a_layer_have_slots() -> None:
    layers = [
        {"class_name": "InputLayer", "config": {"name": "x", "batch_input_shape": [None, 3]}, "inbound_nodes": []},
        {"class_name": "LSTM", "config": {"name": "l"}, "inbound_nodes": [[["x", 0, 0, {}]]]},
        {
            "class_name": "Add",
            "config": {"name": "a"},
            "inbound_nodes": [[["l", 0, 1, {}], ["l", 0, 2, {"y": ["x", 0, 0]}]]],
        },
    ]
    made = model({"class_name": "Functional", "config": {"name": "m", "layers": layers}})
    assert links(made) == [("m/x", "m/l", 0), ("m/l", "m/a", 1), ("m/l", "m/a", 2), ("m/x", "m/a", 0)]


def test_a_sequential_model_within_another() -> None:
    inner = {"class_name": "Sequential", "config": {"name": "in", "layers": [{"name": "a"}, {"name": "b"}]}}
    made = model({"class_name": "Sequential", "config": {"name": "m", "layers": [{"name": "x"}, inner, {"name": "y"}]}})
    assert links(made) == [("m/x", "m/in/a", 0), ("m/in/a", "m/in/b", 0), ("m/in/b", "m/y", 0)]


@pytest.mark.parametrize(
    ("description", "names"),
    [
        ({"class_name": "MyModel", "config": {"name": "mine"}}, ["mine"]),
        (
            {"class_name": "Sequential", "config": [{"class_name": "Dense", "config": {"name": "d", "units": 3}}]},
            ["Sequential/d"],
        ),
        ({}, [""]),
        ({"config": {"name": "m", "layers": [None, 3, {"class_name": "Dense"}]}}, ["m/Dense"]),
        ({"config": {"name": "m", "layers": [{"name": "a"}, {"name": "a"}]}}, ["m/a"]),
        (
            {"config": {"name": "m", "layers": [{"name": "d", "class_name": "Dense", "config": {"units": "x"}}]}},
            ["m/d"],
        ),
    ],
)
def test_odd_descriptions(description: Any, names: list[str]) -> None:
    assert model(description).names == names


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"3", b"\xff", b"[" * 100_000])
def test_no_json_of_a_model(data: bytes) -> None:
    made = read_graph(data, KERAS)
    assert made.node_count == 0
    assert "not the JSON of a Keras model" in str(made.problems[0])


def test_models_in_models_without_end() -> None:
    description: dict[str, Any] = {"class_name": "Dense", "config": {"name": "d"}}
    for _ in range(200):
        description = {"class_name": "Sequential", "config": {"name": "m", "layers": [description]}}
    made = model(description)
    assert len(made.problems) == 1
    assert made.node_count == 0


_JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.sampled_from(["a", "Dense", "Sequential", "x"])),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(
            st.sampled_from(["config", "layers", "name", "class_name", "inbound_nodes", "units", "build_config"]),
            inner,
            max_size=5,
        ),
    ),
    max_leaves=40,
)


@settings(deadline=None)
@given(_JSON)
def test_any_json(description: Any) -> None:
    made = model(description)
    for name in made.names:
        made.attributes(name)
    made.view([])
