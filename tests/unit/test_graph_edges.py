"""Edges between scopes, the tensors on them, references, shapes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings

from tbwidget.graph.metaedges import MetaEdges
from tbwidget.graph.model import Graph
from tbwidget.graph.shapes import elements, read_shapes, shape_text
from tbwidget.proto.graph_pb2 import AttrValue, NodeDef
from tests.support.graphs import definitions, graph, linked, node

Row = tuple[str, str, str, int, int, int, float]


def rows(made: Graph) -> Iterator[Row]:
    """Scope, ends, data, control and reference edges, size."""
    hierarchy, meta = made.structure.hierarchy, made.structure.meta
    groups = meta.groups
    for number, scope in enumerate(meta.scope.tolist()):
        yield (
            hierarchy.path(scope),
            hierarchy.path(int(groups.source[number])),
            hierarchy.path(int(groups.target[number])),
            int(groups.data[number]),
            int(groups.control[number]),
            int(groups.reference[number]),
            float(groups.size[number]),
        )


def test_the_size_counts_the_tensors_used() -> None:
    """TensorBoard sums up all outputs of the source instead."""
    made = graph(
        node("a/split", "Split", shapes=[[2, 3], [5, -1], []]),
        node("b/x", inputs=["a/split:1", "a/split:2", "^a/split"]),
        node("b/y", inputs=["a/split", "a/split:7"]),
        node("b/z", inputs=["b/x"]),
    )
    assert list(rows(made)) == [
        ("", "a", "b", 4, 1, 0, 5 + 1 + 1 + 6 + 1),
        ("b", "b/x", "b/z", 1, 0, 0, 1),
    ]


def test_references() -> None:
    """The first input of an op that changes a variable is a reference (graph.ts)."""
    ops = ["Assign", "AssignAdd", "AssignSub", "assign_add", "count_up_to", "ScatterAdd", "scatter_sub"]
    others = ["AssignVariableOp", "ScatterNd", "Add"]
    made = graph(node("v", "VariableV2"), node("d"), *(node(op, op, ["v", "v", "d", "^v"]) for op in [*ops, *others]))
    frame = made.edge_frame()
    assert list(frame[frame["reference"]]["target"]) == ops
    assert not frame[frame["reference"]]["control"].any()


def test_self_loops_stay() -> None:
    made = linked({"a/x": "a/x ^a/x", "b": "a/x"})
    assert list(rows(made)) == [("", "a", "b", 1, 0, 0, 1.0), ("a", "a/x", "a/x", 1, 1, 0, 2.0)]


@settings(deadline=None)
@given(definitions())
def test_meta_edges_of_any_graph(nodes: list[NodeDef]) -> None:
    made = graph(*nodes)
    hierarchy, inlining = made.structure.hierarchy, made.structure.inlining
    tree: nx.DiGraph[int] = nx.DiGraph()
    tree.add_edges_from((int(parent), item) for item, parent in enumerate(hierarchy.parent) if parent >= 0)
    tree.add_node(hierarchy.root)
    expected: Counter[tuple[int, int, int]] = Counter()
    for source, target in zip(inlining.source.tolist(), inlining.target.tolist(), strict=True):
        around = int(hierarchy.parent[source])
        if source != target:
            around = nx.lowest_common_ancestor(tree, source, target)
        ways = [nx.shortest_path(tree, around, end)[1] for end in (source, target)]
        expected[around, ways[0], ways[1]] += 1
    meta: MetaEdges = made.structure.meta
    groups = meta.groups
    found = {
        (int(scope), int(source), int(target)): int(data + control)
        for scope, source, target, data, control in zip(
            meta.scope, groups.source, groups.target, groups.data, groups.control, strict=True
        )
    }
    assert found == expected
    assert sorted(groups.members) == sorted(inlining.edge)
    sizes = made.structure.tensors.size
    assert np.isclose(groups.size.sum(), sizes[inlining.edge].sum())
    for scope in range(hierarchy.count, hierarchy.size):
        assert (meta.scope[meta.within(scope)] == scope).all()
        assert len(meta.scope[meta.within(scope)]) == (meta.scope == scope).sum()


def test_shapes_are_those_written() -> None:
    made = graph(node("a", shapes=[[2, -1], []]), node("b", shapes=[]))
    assert (made.output_shapes("a"), made.output_shapes("b")) == (((2, -1), ()), ())


def test_a_placeholder_has_the_shape_of_its_attribute() -> None:
    placeholder = node("x", "Placeholder")
    placeholder.attr["shape"].shape.dim.add(size=-1)
    placeholder.attr["shape"].shape.dim.add(size=3)
    unknown = node("y", "Placeholder")
    unknown.attr["shape"].shape.unknown_rank = True
    made = graph(placeholder, unknown, node("z", inputs=["x", "y"]))
    assert (made.output_shapes("x"), made.output_shapes("y")) == (((-1, 3),), (None,))
    assert list(made.edge_frame()["elements"]) == [3, 1]


@pytest.mark.parametrize(
    ("shape", "count", "said"),
    [
        (None, 1, "?"),
        ((), 1, "scalar"),
        ((2, 3), 6, "2×3"),  # noqa: RUF001
        ((-1, 3), 3, "?×3"),  # noqa: RUF001
        ((0, 3), 0, "0×3"),  # noqa: RUF001
        ((2**62, 2**62), 2.0**62, f"{2**62}×{2**62}"),  # noqa: RUF001
    ],
)
def test_elements_and_text(shape: tuple[int, ...] | None, count: float, said: str) -> None:
    assert (elements(shape), shape_text(shape)) == (count, said)


def test_hostile_shapes() -> None:
    value = AttrValue()
    dimensions = value.list.shape.add().dim
    dimensions.add(size=-(2**63))
    dimensions.add(size=5)
    many = value.list.shape.add().dim
    for _ in range(1000):
        many.add(size=2**62)
    assert read_shapes(value.SerializeToString()) == ((-1, 5), None)
    assert read_shapes(b"\xff") == ()
    assert read_shapes(AttrValue(i=3).SerializeToString()) == ()
