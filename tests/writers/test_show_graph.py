"""`show_graph(model, inputs)` traces a real torch module, and leaves it as it was."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

import tbwidget
from tbwidget.graph.objects import graph_of
from tbwidget.graphview import graph_view


class Net(nn.Module):  # type: ignore[misc]  # torch is not where types are checked
    """Has everything that a forward pass may change: buffers, dropout, batch norm, three random number generators."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.norm, self.drop = nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.Dropout()
        self.linear = nn.Linear(4 * 26 * 26, 10)
        self.register_buffer("calls", torch.zeros(()))
        self.norm.eval()  # this part is not trained

    def forward(self, x: Any, scale: Any = 1.0) -> Any:
        self.calls: Any = self.calls + 1
        noise = torch.rand(1) * random.random() * np.random.rand()  # noqa: NPY002 (as models do)
        return {"y": self.linear(self.drop(torch.relu(self.norm(self.conv(x)))).flatten(1)) * noise * scale}


def state_of(net: Net) -> list[Any]:
    return [
        {name: value.clone() for name, value in net.state_dict().items()},
        {name: id(buffer) for name, buffer in net.named_buffers()},
        [module.training for module in net.modules()],
        [None if weight.grad is None else weight.grad.clone() for weight in net.parameters()],
        random.getstate(),
        np.random.get_state(),  # noqa: NPY002 (likewise)
        torch.get_rng_state(),
    ]


def assert_same(now: Any, before: Any) -> None:
    if isinstance(before, torch.Tensor):
        assert torch.equal(now, before)
    elif isinstance(before, dict):
        assert now.keys() == before.keys()
        for name, value in before.items():
            assert_same(now[name], value)
    elif isinstance(before, list | tuple):
        assert len(now) == len(before)
        for one, other in zip(now, before, strict=True):
            assert_same(one, other)
    elif isinstance(before, np.ndarray):
        assert (now == before).all()
    else:
        assert now == before


@pytest.mark.parametrize("form", ["tensor", "tuple", "dict"])
def test_a_module_is_traced_and_left_as_it_was(form: str) -> None:
    net, x = Net(), torch.rand(2, 1, 28, 28)
    net(x)["y"].sum().backward()
    inputs = {"tensor": x, "tuple": (x, torch.tensor(2.0)), "dict": {"x": x}}[form]
    before = state_of(net)
    view: Any = graph_view(net, inputs)
    try:
        assert_same(state_of(net), before)
        assert repr(view) == "GraphView(logs='Net')"
        graph = view._logs.graph(".")
        assert any("Conv2d[conv]" in name for name in graph.names)
    finally:
        view.close()


def test_what_fails_leaves_it_as_it_was_too() -> None:
    net, wrong = Net(), torch.rand(3)
    before = state_of(net)
    with pytest.raises(RuntimeError):
        tbwidget.show_graph(net, wrong)
    after = state_of(net)
    assert_same(after, before)
    with pytest.raises(TypeError, match="Net is not traced: give its inputs"):
        tbwidget.show_graph(net)
    with pytest.raises(TypeError, match="inputs are for tracing a torch module"):
        tbwidget.show_graph(3, wrong)


def test_an_exported_program_is_drawn_with_its_modules_and_shapes() -> None:
    shapes = {"x": {0: torch.export.Dim("batch", min=2)}}
    program = torch.export.export(Net().eval(), (torch.rand(2, 1, 28, 28),), dynamic_shapes=shapes)
    graph = graph_of(program)
    assert graph.is_torch
    assert not graph.problems
    (convolution,) = [name for name in graph.names if graph.op(name) == "aten::conv2d"]
    assert convolution == "Net/Conv2d[conv]/conv2d"
    assert graph.output_shapes(convolution) == ((-1, 4, 26, 26),)
    assert {"Net/Conv2d[conv]/weight", "Net/Linear[linear]/bias", "input/x"} <= set(graph.names)
    output = next(name for name in graph.names if name.startswith("output/"))
    assert {convolution, "input/x"} <= set(graph.ancestors(output))
