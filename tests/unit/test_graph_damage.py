"""Damaged and hostile graphs: readable parts are read, the rest is a problem, and nothing grows without bounds."""

from __future__ import annotations

import random
import tracemalloc
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tbwidget.graph import FORMS, GRAPH_DEF, Graph, inlining, read_graph
from tbwidget.graph.folding.fold import MAX_ODD
from tbwidget.proto.graph_pb2 import GraphDef
from tests.support.graphs import DATA, definition, linked, node


def use(made: Graph) -> None:
    """Use everything that the public interface offers."""
    view = made.view([])
    made.view(view.path)
    made.find("x")
    made.series()
    made.auxiliary()
    made.op_counts()
    made.cluster_counts()
    made.statistics(b"")
    for name in made.names[:5]:
        made.attributes(name)
        made.annotations(name)
        made.label(name)
        made.called_functions(name)
        made.ancestors(name)
    for function in made.functions[:3]:
        made.function(function).view()


def test_a_broken_node_is_passed_over() -> None:
    whole = definition(node("first"), node("broken", inputs=["first"]), node("last", inputs=["first"]))
    place = whole.index(b"\x0a\x06broken")
    broken = read_graph(whole[: place + 1] + b"\x7f" + whole[place + 2 :], GRAPH_DEF)
    assert broken.names == ["first", "last"]
    assert [str(problem) for problem in broken.problems] == [f"at byte {place}: a node cannot be parsed; skipped"]


def test_nodes_before_the_damage_are_read() -> None:
    whole = definition(node("first"), node("last"))
    cut = read_graph(whole[:-1], GRAPH_DEF)
    assert cut.names == ["first"]
    assert "not a protobuf message" in str(cut.problems[0])
    assert read_graph(bytes.fromhex("0affffffff0f7878"), GRAPH_DEF).problems[0].offset == 0


def test_a_broken_function_and_a_broken_attribute() -> None:
    made = GraphDef(node=[node("x", shapes=[[3]])])
    made.node[0].attr["odd"].s = b"12345"
    made.library.function.add().signature.name = "name_of_f"
    data = made.SerializeToString().replace(b"\x12\x0512345", b"\x12\x7f12345")
    broken = read_graph(data.replace(b"\x0a\x09name_of_f", b"\x0a\x7fname_of_f"), GRAPH_DEF)
    assert broken.attributes("x") == {"_output_shapes": [(3,)], "odd": None}
    assert "a function cannot be parsed" in str(broken.problems[0])


@settings(deadline=None)
@given(st.binary(max_size=200), st.sampled_from(FORMS))
def test_any_bytes(data: bytes, form: str) -> None:
    use(read_graph(data, form))


@pytest.mark.parametrize("name", ["train.graph_def", "library.graph_def", "trace.run_metadata", "torch.graph_def"])
def test_bytes_turned_over(name: str) -> None:
    """Real graphs with a few bytes changed, cut out or repeated; always the same ones."""
    whole = (DATA / name).read_bytes()
    changes = random.Random(name)
    for _ in range(40):
        data = bytearray(whole)
        for _ in range(changes.randint(1, 4)):
            place = changes.randrange(len(data))
            match changes.randrange(3):
                case 0:
                    data[place] ^= 1 << changes.randrange(8)
                case 1:
                    del data[place : place + changes.randint(1, 9)]
                case _:
                    data[place:place] = data[place : place + changes.randint(1, 200)]
        use(read_graph(bytes(data), name.partition(".")[2]))


def test_a_long_flat_chain() -> None:
    made = linked({f"n{number}": f"n{number - 1}" if number else "" for number in range(20_000)})
    (stack,) = made.view([]).path
    assert len(made.view([], ungrouped=[stack])) == 20_000
    assert len(made.ancestors("n19999")) == 19_999
    way = made.path("n0", "n19999")
    assert way is not None
    assert len(way) == 20_000


def test_names_that_claim_many_scopes_stay_within_bounds() -> None:
    deep = ["/".join(f"{number}{'x' * 30}" for number in range(start, start + 200)) for start in range(0, 20_000, 200)]
    data = definition(*map(node, deep))
    tracemalloc.start()
    use(read_graph(data, GRAPH_DEF))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40 * len(data)


def test_a_long_chain_of_lists_is_led_past_in_few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = []

    def counted(*arguments: Any) -> Any:
        rounds.append(1)
        return lead_past(*arguments)

    lead_past = inlining._lead_past
    monkeypatch.setattr(inlining, "_lead_past", counted)
    nodes = [node(f"l{level}", "prim::ListConstruct", [f"l{level - 1}" if level else "x"]) for level in range(2000)]
    made = read_graph(definition(node("x"), *nodes, node("y", inputs=["l1999"])), GRAPH_DEF)
    assert {"x", "y"} < set(made.view([]).path)
    assert len(rounds) < 20


def test_many_stacks_of_one_pattern_stay_within_bounds() -> None:
    """Siblings of the same pattern, in threes that are equal: each stack has all the others as odd ones."""
    scopes = [node(f"block{3 * kind + copy}/x", f"Op{kind}") for kind in range(3000) for copy in range(3)]
    made = read_graph(definition(*scopes), GRAPH_DEF)
    tracemalloc.start()
    view = made.view([])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(view) == 3000
    assert {len(odd) for odd in view.odd} == {MAX_ODD}
    assert peak < 1e8


def test_shared_constants_do_not_multiply() -> None:
    """Each level of nested lists doubles the number of paths."""
    nodes = [node("x"), node("l0", "prim::ListConstruct", ["x"])]
    nodes += [node(f"l{level}", "prim::ListConstruct", [f"l{level - 1}"] * 2) for level in range(1, 40)]
    made = read_graph(definition(*nodes, node("y", inputs=["l39"])), GRAPH_DEF)
    assert len(made.structure.inlining.edge) < 2000
    assert {"x", "y"} <= set(made.view([]).path)
