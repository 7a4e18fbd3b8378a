"""Which boxes are open when a graph is first shown."""

from __future__ import annotations

from tbwidget.graph import Graph
from tbwidget.graph.firstview import MAX_BOXES, MAX_BOXES_OF_MAIN_SCOPE, MIN_BOXES
from tests.support.graphs import graph, node


def scope(path: str, count: int) -> list[str]:
    """Return names of `count` nodes in a scope, without numbers."""
    return [f"{path}/n{'i' * number}" for number in range(count)]


def made(**sizes: int) -> Graph:
    """Make scopes in a row, each a chain of the given size; no two are alike."""
    names = ["x", *(name for path, count in sizes.items() for name in scope(path, count))]
    return graph(*(node(name, f"Op{n}", names[max(0, n - 1) : n]) for n, name in enumerate(names)))


def opened(graph: Graph) -> list[str]:
    view = graph.view()
    return [path for path, is_open in zip(view.path, view.open, strict=True) if is_open]


def test_scopes_open_until_there_is_something_to_see_those_with_most_nodes_first() -> None:
    assert opened(made(a=3, b=8, c=5)) == ["b", "c"]
    assert opened(made(a=3, b=20, c=15)) == ["b"]
    assert opened(graph(*(node(f"s{n}/x", f"Op{n}") for n in range(MIN_BOXES)))) == []


def test_scopes_in_one_another_open_to_where_they_branch() -> None:
    names = scope("a/b/c", MIN_BOXES)
    assert opened(graph(*(node(name, f"Op{n}") for n, name in enumerate(names)))) == ["a", "a/b", "a/b/c"]


def test_a_scope_with_too_many_boxes_stays_closed_unless_it_is_nearly_everything() -> None:
    assert opened(made(a=MAX_BOXES, b=MAX_BOXES - 5)) == ["b"]
    assert opened(made(a=MAX_BOXES, b=4)) == ["a"]
    assert opened(made(a=MAX_BOXES_OF_MAIN_SCOPE, b=4)) == ["b"]


def test_a_main_scope_with_many_boxes_stays_closed_beside_enough_others() -> None:
    nodes = ["net/x", *scope("net/body", MAX_BOXES), *(f"other{'i' * n}" for n in range(MIN_BOXES))]
    assert opened(graph(*(node(name, f"Op{n}", nodes[max(0, n - 1) : n]) for n, name in enumerate(nodes)))) == ["net"]


def test_a_scope_that_holds_one_node_stays_closed() -> None:
    layers = [node(f"net/layer{'i' * n}/op", f"Op{n}", [f"net/layer{'i' * (n - 1)}/op"] if n else []) for n in range(5)]
    assert opened(graph(*layers)) == ["net"]


def test_a_stack_opens_with_the_member_that_it_shows() -> None:
    nodes = [node(f"net/block{n}/{op}", op, [f"net/block{n - 1}/Z"] if n else []) for n in range(4) for op in "XYZ"]
    net = graph(*nodes)
    stack, member = "net/block0..3", "net/block0"
    assert opened(net) == ["net", stack, member]
    view = net.view(["net", stack])
    assert dict(zip(view.path, view.open, strict=True))[member]
    assert f"{member}/X" in view.path


def test_bookkeeping_stays_closed() -> None:
    saved = [node(f"save/{name}", name) for name in ("SaveV2", "RestoreV2", "MergeV2Checkpoints")]
    assert opened(graph(node("x"), node("y", inputs=["x"]), *saved)) == []


def training(*, others: int) -> Graph:
    """A model of two layers in one scope, its gradients, an optimizer with more nodes, and further nodes."""
    model = [
        node("x", "Placeholder"),
        node("net/w", "VarHandleOp"),
        node("net/read", "ReadVariableOp", ["net/w"]),
        node("net/conv", "Conv2D", ["x", "net/read"]),
        node("net/stop", "StopGradient", ["net/conv"]),
        node("net/up", "Conv2DBackpropInput", ["net/read", "net/stop"]),
        *(node(f"net/op{'i' * n}", f"Op{n}", [f"net/op{'i' * (n - 1)}" if n else "net/up"]) for n in range(8)),
    ]
    slots = [node(f"adam/handle{n}", "Placeholder") for n in range(20)]
    reads = [node(f"adam/read{n}", "ReadVariableOp", [f"adam/handle{n}"]) for n in range(20)]
    rest = [
        node("gradients/x/MatMul", "MatMul", ["net/opiiiiiii"]),
        *(node(f"gradients/x/g{'i' * n}", f"G{n}", ["gradients/x/MatMul"]) for n in range(20)),
        node("adam/sub", "Sub", ["adam/read0", "gradients/x/MatMul"]),
        *(node(f"variables/{n}", "VariableV2") for n in range(30)),
        *(node(f"other{'i' * n}", f"Other{n}") for n in range(others)),
    ]
    return graph(*model, *slots, *reads, *rest)


def test_the_model_opens_rather_than_a_scope_with_more_gradients_variables_or_optimizer_nodes() -> None:
    assert opened(training(others=0)) == ["net"]
    assert opened(training(others=MIN_BOXES)) == ["net"]


def test_layers_open_rather_than_a_loss_of_more_nodes() -> None:
    layers = [
        node("x", "Placeholder"),
        *(node(f"dense/{name}", name, ["x"]) for name in ("MatMul", "BiasAdd", "Relu")),
        *(node(f"loss/n{'i' * n}", f"Op{n}", ["dense/Relu"]) for n in range(12)),
    ]
    assert opened(graph(*layers))[0] == "dense"


def test_a_scope_opens_beside_enough_boxes_only_if_it_holds_the_model() -> None:
    others = [node(f"s{n}/x", f"Op{n}") for n in range(MIN_BOXES)]
    halves = [node(f"{half}/conv{'i' * n}", "Conv2D", ["x"]) for half in "ab" for n in range(8)]
    assert opened(graph(node("x", "Placeholder"), *halves, *others)) == []
    assert opened(graph(node("x", "Placeholder"), *halves[:8], *others)) == ["a"]
    inner = [node(f"a/b/c/conv{'i' * n}", "Conv2D", ["x"]) for n in range(8)]
    assert opened(graph(node("x", "Placeholder"), *inner, *others)) == ["a", "a/b"]


def test_an_empty_list_opens_nothing() -> None:
    assert made(a=30).view([]).path == ["x", "a"]
    assert made(a=30).view(["a"]).open.count(True) == 1
