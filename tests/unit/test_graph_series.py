"""Series of siblings: TensorBoard's rule for ops, and ours for scopes."""

from __future__ import annotations

import pytest

from tbwidget.graph.series import find_series
from tests.support.graphs import graph, linked, node


def found(labels: list[str], kinds: list[int] | None = None, *, scopes: bool = False) -> dict[str, list[str]]:
    series = find_series(range(len(labels)), labels, kinds or [0] * len(labels), scopes=scopes)
    return {one.name: [labels[member] for member in one.members] for one in series}


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["relu2", "relu", "relu1"], {"relu[0-2]": ["relu", "relu1", "relu2"]}),
        (["add_1", "add_2", "add_4", "add_5"], {"add_[1-2]": ["add_1", "add_2"], "add_[4-5]": ["add_4", "add_5"]}),
        (["add_1", "add_3"], {}),
        (["conv2d_1", "conv2d_2"], {}),  # a digit within the prefix
        (["x1", "y2"], {}),
        (["*", "1"], {}),
        (["x*", "x1"], {}),
        (["x01", "x2"], {"x[1-2]": ["x01", "x2"]}),
        ([f"x{10**30}", f"x{10**30 + 1}"], {}),
    ],
)
def test_ops(labels: list[str], expected: dict[str, list[str]]) -> None:
    assert found(labels) == expected


def test_of_one_kind() -> None:
    assert found(["x1", "x2", "x3", "x4"], [0, 0, 1, 1]) == {"x[1-2]": ["x1", "x2"], "x[3-4]": ["x3", "x4"]}


def test_scopes_may_have_numbers_anywhere() -> None:
    assert found(["Block[0]", "Block[1]", "other"], scopes=True) == {"Block[[0-1]]": ["Block[0]", "Block[1]"]}
    assert found(["a1_b1", "a1_b2", "a2_b3"], scopes=True) == {"a1_b[1-2]": ["a1_b1", "a1_b2"]}


def test_five_are_grouped() -> None:
    made = linked({f"m/relu{number}": "" for number in range(4)} | {f"m/add{number}": "" for number in range(5)})
    assert {one.name: one.grouped for one in made.series("m")} == {"relu[0-3]": False, "add[0-4]": True}


def test_scopes_make_series_only_when_alike() -> None:
    nodes = [node(f"b{number}/x", "Odd" if number == 3 else "Op") for number in range(6)]
    made = graph(*nodes, node("b6"), node("b7", "Other"))
    hierarchy = made.structure.hierarchy
    series = {one.name: [hierarchy.path(member) for member in one.members] for one in made.series()}
    assert series == {"b[0-2]": ["b0", "b1", "b2"], "b[4-5]": ["b4", "b5"]}
