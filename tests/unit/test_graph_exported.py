"""Programs exported by torch: stand-ins with the attributes that ExportedPrograms of torch 2.13 have for two models."""

from __future__ import annotations

import operator
from types import SimpleNamespace
from typing import Any

import pytest

from tbwidget.graph import exported
from tbwidget.graph.objects import graph_of

NET = {"L__self__": ("", "__main__.Net")}
BLOCK = {**NET, "L__self__a": ("a", "__main__.Block")}
LINEAR = {**BLOCK, "L__self__a.fc": ("a.fc", "torch.nn.modules.linear.Linear")}
AGAIN = {**NET, "L__self__a@1": ("a", "__main__.Block"), "L__self__a.fc@1": ("a.fc", "torch.nn.modules.linear.Linear")}


class Node:
    """A node of an fx.Graph."""

    def __init__(
        self, op: str, name: str, target: Any = None, args: Any = (), value: Any = None, modules: Any = None
    ) -> None:
        self.op, self.name, self.target, self.args = op, name, target or name, args
        self.kwargs: dict[str, Any] = {}
        self.meta = {"val": value, **({} if modules is None else {"nn_module_stack": modules})}
        self.all_input_nodes = [one for one in args if isinstance(one, Node)]
        self.users: dict[Node, None] = {}
        for given in self.all_input_nodes:
            given.users[self] = None


class Overload:
    """The target of an operator's call."""

    def __init__(self, name: str, *arguments: str) -> None:
        self.name = lambda: name
        self._schema = SimpleNamespace(arguments=[SimpleNamespace(name=argument) for argument in arguments])


class Size:
    """A size that differs from call to call."""


def tensor(*sizes: object) -> Any:
    return SimpleNamespace(shape=sizes)


def program(nodes: list[Node], weights: dict[str, str], **modules: Any) -> Any:
    signature = SimpleNamespace(inputs_to_parameters=weights, inputs_to_buffers={})
    graph = SimpleNamespace(nodes=nodes)
    return SimpleNamespace(graph=graph, graph_signature=signature, graph_module=SimpleNamespace(**modules))


def test_modules_are_scopes_and_results_are_slots() -> None:
    weight = Node("placeholder", "p_a_fc_weight", value=tensor(4, 4))
    unused = Node("placeholder", "p_a_unused", value=tensor(1))
    x = Node("placeholder", "x", value=tensor(Size(), 4))
    linear = Overload("aten::linear", "input", "weight")
    first = Node("call_function", "linear", linear, (x, weight), tensor(Size(), 4), LINEAR)
    second = Node("call_function", "linear_1", linear, (first, weight), tensor(Size(), 4), AGAIN)
    greatest = Overload("aten::max.dim", "self", "dim", "keepdim")
    both = Node("call_function", "max_1", greatest, (second, 1, False), (tensor(Size()), tensor(2**70)), NET)
    values = Node("call_function", "getitem", operator.getitem, (both, 0), tensor(Size()), NET)
    places = Node("call_function", "getitem_1", operator.getitem, (both, 1), tensor(Size()), NET)
    output = Node("output", "output", args=(values, places))
    made = graph_of(
        program(
            [weight, unused, x, first, second, both, values, places, output],
            {"p_a_fc_weight": "a.fc.weight", "p_a_unused": "a.unused"},
        )
    )
    assert made.is_torch
    assert not made.problems
    fc = "Net/Block[a]/Linear[fc]"
    assert list(made.names) == [
        *(f"{fc}/weight", "input/x", f"{fc}/linear", f"{fc}/linear_1", "Net/max_1"),
        *("output/getitem", "output/getitem_1"),
    ]
    assert [made.op(name) for name in made.names][:3] == ["prim::GetAttr", "IO Node", "aten::linear"]
    assert made.output_shapes(f"{fc}/linear") == ((-1, 4),)
    assert made.output_shapes("Net/max_1") == ((-1,), (2**62,))
    drawn: Any = made.to_networkx().edges(data="slot")
    edges = {(source, target, slot) for source, target, slot in drawn}
    assert edges == {
        ("input/x", f"{fc}/linear", 0),
        (f"{fc}/weight", f"{fc}/linear", 0),
        (f"{fc}/linear", f"{fc}/linear_1", 0),
        (f"{fc}/weight", f"{fc}/linear_1", 0),
        (f"{fc}/linear_1", "Net/max_1", 0),
        ("Net/max_1", "output/getitem", 0),
        ("Net/max_1", "output/getitem_1", 1),
    }
    assert made.attributes("Net/max_1") == {"dim": "1", "keepdim": "False"}


def test_branches_stand_in_the_node_that_fetches_them() -> None:
    inside = Node("placeholder", "arg", value=tensor(3))
    sine = Node("call_function", "sin", Overload("aten::sin", "self"), (inside,), tensor(3))
    branch = SimpleNamespace(graph=SimpleNamespace(nodes=[inside, sine, Node("output", "output", args=(sine,))]))
    x = Node("placeholder", "x", value=tensor(3))
    fetched = Node("get_attr", "true_graph_0", modules=NET)
    call = Node("call_function", "cond", operator.not_, (x, fetched), tensor(3), NET)
    nodes = [x, fetched, call, Node("output", "output", args=(call,))]
    made = graph_of(program(nodes, {}, true_graph_0=branch))
    inner = "Net/true_graph_0"
    assert {f"{inner}/input/arg", f"{inner}/sin", f"{inner}/output/sin", "Net/cond", "output/cond"} < set(made.names)


def branch_of(op: str, **modules: Any) -> Any:
    """Make a branch with one op of its own and nested branches."""
    inside = Node("placeholder", "arg", value=tensor(3))
    fetched = [Node("get_attr", name) for name in modules]
    done = Node("call_function", op, Overload(f"aten::{op}"), (inside, *fetched), tensor(3))
    nodes = [inside, *fetched, done, Node("output", "output", args=(done,))]
    return SimpleNamespace(graph=SimpleNamespace(nodes=nodes), **modules)


def test_branches_of_a_branch_are_its_own() -> None:
    outer = {
        "true_graph_0": branch_of("neg", true_graph_0=branch_of("sin"), false_graph_0=branch_of("cos")),
        "false_graph_0": branch_of("exp"),
    }
    made = graph_of(program([Node("get_attr", name) for name in outer], {}, **outer))
    assert {name for name in made.names if made.op(name).startswith("aten::")} == {
        *("true_graph_0/neg", "true_graph_0/true_graph_0/sin", "true_graph_0/false_graph_0/cos", "false_graph_0/exp"),
    }
    assert not made.problems


def test_branches_that_share_theirs_are_drawn_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exported, "_MAX_NODES", 1_000)
    shared = branch_of("sin")
    for _ in range(40):
        shared = branch_of("neg", true_graph_0=shared, false_graph_0=shared)
    made = graph_of(program([Node("get_attr", "true_graph_0")], {}, true_graph_0=shared))
    assert 900 < len(made.names) <= 1_000
    assert [problem.message.code for problem in made.problems] == ["graph-branches"]
