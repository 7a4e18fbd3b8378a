"""Roles of boxes: bookkeeping only initializes, saves, restores, groups or summarizes."""

from __future__ import annotations

import time

import pytest

from tbwidget.graph import Graph
from tbwidget.graph.roles import Role, bookkeeping, data_readers
from tests.support.graphs import graph, node


def roles(made: Graph) -> dict[str, Role]:
    """Return the role of each box of the closed root that does not belong to the model."""
    view = made.view([])
    return {path: role for path, role in zip(view.path, view.role, strict=True) if role != Role.MODEL}


def trained(*more: object, variables: int = 1, padding: int = 600) -> Graph:
    """Make weights with their initial values, checkpoints and a training step, among `padding` other nodes."""
    nodes = [
        node("x", "Placeholder"),
        node("loss/mul", "MatMul", ["x", "w0/read"]),
        node("init", "NoOp", [f"^w{n}/Assign" for n in range(variables)]),
        node("save/SaveV2", "SaveV2", ["save/Const", *(f"w{n}/var" for n in range(variables))]),
        node("save/Const", "PlaceholderWithDefault"),
        node("save/control_dependency", "Identity", ["save/Const", "^save/SaveV2"]),
        node("save/restore_all", "NoOp", [f"^save/Assign_{n}" for n in range(variables)]),
        node("train", "NoOp", [f"^update/Apply_{n}" for n in range(variables)]),
        node("body/0", "Relu", ["loss/mul"]),
        *(node(f"body/{n}", "Relu", [f"body/{n - 1}"]) for n in range(1, padding)),
    ]
    for n in range(variables):
        nodes += [
            node(f"w{n}/var", "VariableV2"),
            node(f"w{n}/zeros", "Fill"),
            node(f"w{n}/Assign", "Assign", [f"w{n}/var", f"w{n}/zeros"]),
            node(f"w{n}/read", "Identity", [f"w{n}/var"]),
            node(f"save/RestoreV2_{n}", "RestoreV2", ["save/Const"]),
            node(f"save/Assign_{n}", "Assign", [f"w{n}/var", f"save/RestoreV2_{n}"]),
            node(f"update/Apply_{n}", "ApplyGradientDescent", [f"w{n}/var", "loss/mul"]),
        ]
    return graph(*nodes, *more)  # type: ignore[arg-type]


def test_nodes_that_initialize_save_and_group_are_bookkeeping() -> None:
    made = trained()
    assert roles(made) == {"init": Role.BOOKKEEPING, "save": Role.BOOKKEEPING, "train": Role.BOOKKEEPING}
    assert set(made.auxiliary()) == {"init", "save", "train"}


def test_bookkeeping_with_more_than_a_fiftieth_of_the_nodes_stays_without_lines() -> None:
    made = trained(padding=30)
    assert roles(made)["save"] == Role.LARGE
    assert set(made.auxiliary()) == {"init", "train"}
    root = made.structure.hierarchy.root
    nobody = made.structure.children(root)[:0]
    extraction, children = made.structure.extraction(root, nobody, nobody)
    save = children.tolist().index(made.structure.hierarchy.scope("save"))
    assert extraction.area[save] == 0
    assert extraction.shortcut.any()


@pytest.mark.parametrize("status", ["IsVariableInitialized", "VarIsInitializedOp"])
def test_nodes_that_depend_on_whether_a_variable_is_initialized_are_bookkeeping(status: str) -> None:
    made = trained(
        node("status", status, ["w0/var"]),
        node("cond/Switch", "Switch", ["status", "status"]),
        node("cond/switch_f", "Identity", ["cond/Switch"]),
        node("cond/Merge", "Merge", ["cond/Switch", "w0/var"]),
        node("w0/average", "VariableV2"),
        node("w0/average/Assign", "Assign", ["w0/average", "cond/Merge"]),
        node("report/stack", "Pack", ["status"]),
        node("report/Where", "Where", ["report/stack"]),
        node("names", "ConcatV2", ["report/Where"]),
    )
    assert {name for name, role in roles(made).items() if role == Role.BOOKKEEPING} == {
        *("init", "save", "train", "status", "cond", "report", "names")
    }


def test_a_step_that_assigns_is_no_initialization() -> None:
    made = trained(
        node("gradient/mul", "Mul", ["loss/mul", "rate"]),
        node("rate", "Const"),
        node("step/sub", "Sub", ["w0/read", "gradient/mul"]),
        node("step/Assign", "Assign", ["w0/var", "step/sub"]),
    )
    assert roles(made).keys() == {"init", "save", "train"}


def test_a_node_that_the_model_reads_is_no_bookkeeping() -> None:
    made = trained(node("status", "IsVariableInitialized", ["w0/var"]), node("used", "MatMul", ["status", "x"]))
    assert "status" not in roles(made)


def test_a_small_source_of_scalars() -> None:
    made = graph(
        node("step/var", "VariableV2", shapes=[[]]),
        node("step/read", "Identity", ["step/var"], shapes=[[]]),
        node("rate", "Mul", ["step/read"], shapes=[[]]),
        node("weights", "VariableV2", shapes=[[3]]),
        node("out", "Add", ["rate", "weights"], shapes=[[3]]),
        *(node(f"body/{n}", "Relu", ["out"], shapes=[[3]]) for n in range(100)),
    )
    assert roles(made) == {"step": Role.SCALARS}


def test_graphs_of_other_frameworks_have_no_bookkeeping() -> None:
    made = graph(node("in", "IO Node"), node("net/a", "aten::linear", ["in"]), node("out", "IO Node", ["net/a"]))
    assert roles(made) == {}


def test_a_deep_graph_takes_no_longer_than_a_wide_one() -> None:
    count = 20_000

    def seconds(step: int) -> float:
        ends = [node("x", "Placeholder"), node("save/restore", "RestoreV2"), node("body/0", "Relu", ["x"])]
        body = (node(f"body/{n}", "Relu", [f"body/{(n - 1) // step * step}"]) for n in range(1, count))
        nodes = graph(*ends, *body).structure.nodes
        begin = time.process_time()
        assert int(bookkeeping(nodes, data_readers(nodes)).sum()) == 1
        return time.process_time() - begin

    deep, wide = (min(seconds(step) for _ in range(3)) for step in (1, count))
    assert deep < 5 * wide
