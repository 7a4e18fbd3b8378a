"""What is taken out of the main drawing, by the bounds that TensorBoard states."""

from __future__ import annotations

from tbwidget.graph.auxiliary import Area
from tests.support.graphs import graph, linked, node


def chain(count: int) -> dict[str, str]:
    return {f"n{number}": f"n{number - 1}" if number else "" for number in range(count)}


def test_sinks_go_whatever_the_size() -> None:
    made = graph(node("x"), node("y", inputs=["x"]), node("init", "NoOp", ["^y"]), node("mid", "NoOp", ["^x"]))
    assert "init" in made.auxiliary()
    made = graph(node("x"), node("mid", "NoOp", ["^x"]), node("y", inputs=["x", "^mid"]))
    assert "mid" not in made.auxiliary()


def test_many_edges_in() -> None:
    """Degrees of a chain of 14 are 0 or 1, so that the bound is 4: strictly more is taken out, from 15 children on."""
    for count, degree, expected in ((14, 5, True), (14, 4, False), (13, 5, False)):
        hub = {"hub": " ".join(f"n{number}" for number in range(degree))}
        assert (linked(chain(count) | hub).auxiliary().get("hub") == Area.IN) is expected, (count, degree)


def test_many_edges_out() -> None:
    nodes = chain(14) | {f"n{number}": f"n{number - 1} hub" for number in range(1, 6)} | {"hub": ""}
    assert linked(nodes).auxiliary() == {"hub": Area.OUT}
    assert linked(nodes).auxiliary(kept=["hub"]) == {}


def test_the_bound_grows_with_the_spread_of_degrees() -> None:
    """Of 20 nodes with 0 to 6 inputs, Q1 = 0 and Q3 = 6: only above 6 + 6 are they taken out."""
    sources = {f"s{number}": "" for number in range(14)}
    readers = {f"r{number}": " ".join(f"s{source}" for source in range(6)) for number in range(8)}
    for degree, expected in ((12, False), (13, True)):
        hub = {"hub": " ".join(f"s{source}" for source in range(degree))}
        assert ("hub" in linked(sources | readers | hub).auxiliary()) is expected


def test_neighbours_count_once_and_control_edges_only_without_data() -> None:
    twice = chain(14) | {"hub": "n0 n0 n1 n1 n2 n3"}
    assert linked(twice).auxiliary() == {}
    mixed = chain(14) | {"hub": "n0 ^n1 ^n2 ^n3 ^n4 ^n5"}
    assert "hub" not in linked(mixed).auxiliary()


def test_more_edges_out_than_in_are_borne() -> None:
    """Of 20 nodes with up to 2 outputs, Q1 = 0 and Q3 = 2: above 2 + 4 * 2 they are taken out."""
    pairs = {f"s{number}": "" for number in range(8)}
    for degree, expected in ((10, False), (11, True)):
        readers = {f"r{number}": f"s{number % 8} s{(number + 1) % 8}" if number < 8 else "" for number in range(12)}
        readers |= {name: f"{said} hub" for name, said in list(readers.items())[:degree]}
        assert ("hub" in linked(pairs | readers | {"hub": ""}).auxiliary()) is expected


def test_by_hand() -> None:
    made = linked({"x": "", "y": "x", "z": "y"})
    assert made.auxiliary() == {}
    assert "y" in made.auxiliary(removed=["y"])


def test_shortcuts_for_many_control_edges() -> None:
    structure = linked(
        {f"n{number}": "" for number in range(5)} | {"all": " ".join(f"^n{n}" for n in range(5))}
    ).structure
    extraction, children = structure.extraction(structure.hierarchy.root, *(structure.children(0)[:0],) * 2)
    assert len(children) == 6
    assert extraction.shortcut.all()
