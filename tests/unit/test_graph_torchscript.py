"""Traced and scripted modules of torch, as torch described them; tools/make_graph_fixtures.py recorded that."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tbwidget.graph.inlining import Inlined
from tbwidget.graph.objects import graph_of
from tests.support.graphs import DATA
from tests.support.torchscript import Played

SAID = json.loads((DATA / "torchscript.json").read_text("ascii"))


def test_a_trace_has_the_modules_as_scopes() -> None:
    made = graph_of(Played(SAID["module"]))
    assert made.is_torch
    assert not made.problems
    assert made.view([]).path == ["input", "Model", "output"]
    inside = made.view(["Model", "Model/ModuleList[blocks]"])
    assert inside.copies[inside.path.index("Model/ModuleList[blocks]/Block[0..3]")] == 4
    (linear,) = [name for name in made.names if "Block[1]/Linear" in name and made.op(name) == "aten::linear"]
    assert linear.startswith("Model/ModuleList[blocks]/Block[1]/Linear[linear]/")
    assert made.output_shapes(linear) == ((2, 8),)
    weights = {beside.label: made.output_shapes(beside.name) for beside in made.annotations(linear)}
    assert weights == {"weight": ((8, 8),), "bias": ((8,),)}
    assert {beside.kind for beside in made.annotations(linear)} == {Inlined.PARAMETER}
    (softmax,) = [name for name in made.names if "Block[0]" in name and made.op(name) == "aten::softmax"]
    assert "-1" in [beside.label for beside in made.annotations(softmax)]
    missing: Any = made.to_networkx().nodes(data="missing")
    assert not any(each for _, each in missing), "the modules that weights are fetched from are none of its nodes"
    output = next(name for name in made.names if name.startswith("output/"))
    assert next(name for name in made.names if name.startswith("input/")) in made.ancestors(output)


def test_branches_and_loops_of_a_script_stand_in_the_node_that_decides() -> None:
    made = graph_of(Played(SAID["function"]))
    assert not made.problems
    (loop,) = [name for name in made.names if made.op(name) == "prim::Loop"]
    (branch,) = [name for name in made.names if made.op(name) == "prim::If"]
    assert branch.startswith(f"{loop}/block0/")
    assert {name.split("/")[-2] for name in made.names if name.startswith(f"{branch}/")} == {"block0", "block1"}
    output = next(name for name in made.names if name.startswith("output/"))
    assert loop in made.ancestors(output)


def test_a_module_that_was_not_traced_is_refused_with_advice() -> None:
    class Model:
        def named_modules(self) -> list[Any]:
            return []

    with pytest.raises(TypeError, match=r"Model is not traced: pass its inputs too, as in show_graph\(model, inputs\)"):
        graph_of(Model())
