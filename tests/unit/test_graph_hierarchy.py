"""Scopes and strict names."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from tbwidget.graph.hierarchy import MAX_DEPTH, build_hierarchy
from tbwidget.proto.graph_pb2 import NodeDef
from tests.support.graphs import definitions, graph, linked, node


def test_a_node_named_as_a_scope_goes_into_it() -> None:
    made = linked({"a": "", "a/b": "a", "a/b/c": "a/b"})
    assert [made.strict_name(name) for name in made.names] == ["a/(a)", "a/b/(b)", "a/b/c"]


def test_an_embedded_node_named_as_a_scope_goes_into_it_too() -> None:
    made = graph(node("c", "Const"), node("c/x", inputs=["c"]))
    assert made.strict_name("c") == "c/(c)"
    assert set(made.to_networkx("c")) == {"c", "c/x"}


def test_a_scope_of_embedded_nodes_alone() -> None:
    made = graph(node("a/consts/one", "Const"), node("a/constants", inputs=["a/consts/one"]))
    assert made.view(["a"]).path == ["a", "a/constants"]
    assert set(made.to_networkx("a/consts")) == {"a/consts/one"}
    assert made.op_counts("a/consts") == {"Const": 1}
    with pytest.raises(KeyError, match="no such scope in the graph: 'a/const'"):
        made.to_networkx("a/const")


def test_a_strict_name_that_is_taken() -> None:
    made = linked({"conv": "", "conv/(conv)": "conv"})
    assert made.strict_name("conv") == "conv/((conv))"
    assert made.strict_name("conv/(conv)") == "conv/(conv)"


def test_a_strict_name_that_is_a_scope() -> None:
    made = linked({"a": "", "a/(a)/x": ""})
    assert made.strict_name("a") == "a/((a))"


def test_embedded_nodes_make_no_scope() -> None:
    """As in TensorBoard, a constant below a node's name does not make a scope of it."""
    made = graph(node("conv", "Conv2D", ["conv/w"]), node("conv/w", "Const"))
    assert made.strict_name("conv") == "conv"
    assert made.view([]).path == ["conv"]


def test_slashes_with_nothing_between() -> None:
    made = linked({"/a": "", "a//b": "", "a/": "", "": "", "/": ""})
    assert [made.strict_name(name) for name in made.names] == ["/a", "a//b", "a/", "", "/"]
    assert set(made.view([]).path) == {"/a", "a", "", "/"}
    assert set(made.view(["a"]).path) == {"/a", "a", "a//b", "a/", "", "/"}


def test_very_deep_names_stay_one_name_at_some_depth() -> None:
    deep = "/".join(map(str, range(5000)))
    made = linked({deep: "", f"{deep}/x": deep})
    assert made.structure.hierarchy.depth.max() == MAX_DEPTH + 1
    assert made.strict_name(deep) == deep
    assert [len(made.view([scope]).path) for scope in ("", "0")] == [1, 2]


def test_many_scopes_a_node() -> None:
    """The number of nodes bounds the number of scopes, whatever the names are."""
    names = [f"{number}/" + "/".join("abcdefgh" * 20) for number in range(200)]
    hierarchy = build_hierarchy(names, np.ones(len(names), np.bool_))
    assert hierarchy.size - hierarchy.count <= 4 * len(names) + MAX_DEPTH
    assert [hierarchy.path(number) for number in range(200)] == names


@settings(deadline=None)
@given(definitions())
def test_any_hierarchy(nodes: list[NodeDef]) -> None:
    made = graph(*nodes)
    hierarchy = made.structure.hierarchy
    scopes = range(hierarchy.count, hierarchy.size)
    paths = [hierarchy.path(item) for item in range(hierarchy.size)]
    shown = np.flatnonzero(made.structure.inlining.kind == 0).tolist()
    boxes = [*shown, *scopes[1:]]
    assert len({paths[box] for box in boxes if paths[box]}) >= len([box for box in boxes if paths[box]])
    for scope in scopes:
        assert hierarchy.scope(paths[scope]) == scope
        inside = {item for item in range(hierarchy.count) if _within(hierarchy.parent.tolist(), item, scope)}
        assert set(hierarchy.nodes(scope).tolist()) == inside
        assert sorted(hierarchy.nodes(scope)) == sorted(inside)
        assert set(hierarchy.children.of(scope).tolist()) == {
            item for item in range(hierarchy.size) if hierarchy.parent[item] == scope
        }
    for item in range(hierarchy.count):
        name = made.structure.nodes.names[item]
        if not hierarchy.labels[item].startswith("("):
            assert paths[item] == name
        assert hierarchy.nodes(item).tolist() == [item]
        assert hierarchy.depth[item] == hierarchy.depth[hierarchy.parent[item]] + 1


def _within(parent: list[int], item: int, scope: int) -> bool:
    while item >= 0:
        if item == scope:
            return True
        item = parent[item]
    return False
