"""Graphs without a log: as a widget that `show_graph` displays, and as the result of a cell."""

from __future__ import annotations

import itertools
import threading
from pathlib import Path
from typing import Any

import pytest
from IPython.core.formatters import DisplayFormatter

import tbwidget
from tbwidget import graphview
from tbwidget.dashboard.board import Board
from tbwidget.graph import GRAPH_DEF, read_graph
from tbwidget.graphview import graph_view
from tbwidget.logs.accessors import Logs
from tbwidget.logs.inmemory import InMemoryGraph
from tests.support.boards import Listener, Shell
from tests.support.eventfiles import NAME, write
from tests.support.graphs import DATA, definition, directed, node
from tests.support.waiting import wait_for
from tests.unit.test_graph_logs import run_graph

VIEW = "application/vnd.jupyter.widget-view+json"


@pytest.fixture(autouse=True)
def listener(monkeypatch: pytest.MonkeyPatch) -> Listener:
    return Listener(monkeypatch)


@pytest.fixture
def displayed(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    shown: list[Any] = []
    monkeypatch.setattr(graphview, "display", shown.append)
    return shown


def test_a_graph_in_memory_is_sent_like_a_logged_one(displayed: list[Any], listener: Listener) -> None:
    tbwidget.show_graph(directed(("a/x", "a/y"), ("a/y", "b")), expanded=["a"], color_by="none")
    (view,) = displayed
    try:
        assert isinstance(view, Board)
        assert (view.panel, view.graph_expanded, view.graph_color_by) == ("graphs", ["a"], "none")
        assert repr(view).startswith("GraphView(logs='MultiDiGraph', ")
        wait_for(lambda: {piece["kind"] for piece in listener.entries("pieces")} == {"graph_roots", "graph_structures"})
        assert not listener.entries("failed")
        view._handle_custom_msg(
            {
                "type": "request",
                "id": "1",
                "name": "graphs.node",
                "args": {"run": ".", "tag": "__run_graph__", "node": "b"},
            },
            [],
        )
        wait_for(lambda: listener.entries("answers"))
        assert listener.entries("answers")[0]["value"]["inputs"] == [["a/y", 0, False, "", 1]]
        assert view._get_embed_state()["state"]["_saved"]["messages"]
    finally:
        view.close()
    wait_for(lambda: not any(thread.name.startswith("tbwidget") for thread in threading.enumerate()))


@pytest.mark.parametrize(
    ("name", "data", "first"),
    [
        ("graph.pb", definition(node("x")), "x"),
        ("graph.pbtxt", b'node { name: "x" op: "Op" unheard_of { a: 1 } } node { name: "y" input: "x" }', "x"),
        ("model.json", (DATA / "keras3_sequential.json").read_bytes(), "plain/input_layer_1"),
    ],
)
def test_files_are_read_by_their_endings(tmp_path: Path, name: str, data: bytes, first: str) -> None:
    (tmp_path / name).write_bytes(data)
    for path in (tmp_path / name, str(tmp_path / name)):
        view = graph_view(path)
        try:
            assert view._logs.graph(".").names[0] == first
            assert name in repr(view)
        finally:
            view.close()


@pytest.mark.parametrize(
    ("name", "data", "error", "said"),
    [
        ("graph.pbtxt", b"node {", ValueError, "not a GraphDef in text format"),
        ("graph.pbtxt", b"\xff", ValueError, "not a GraphDef in text format"),
        ("graph.pb", b"\xff\xff", ValueError, "no graph in these bytes"),
        ("model.json", b"{}", ValueError, "does not hold a Keras model"),
        ("none.pb", None, FileNotFoundError, "none.pb"),
    ],
)
def test_files_that_hold_no_graph_are_refused(
    tmp_path: Path, name: str, data: bytes | None, error: type[Exception], said: str
) -> None:
    if data is not None:
        (tmp_path / name).write_bytes(data)
    with pytest.raises(error, match=said):
        tbwidget.show_graph(tmp_path / name)


def test_wrong_options_are_refused_and_leave_nothing() -> None:
    with pytest.raises(TypeError, match="did you mean 'expanded'"):
        tbwidget.show_graph(directed(("a", "b")), expandet=[])


def test_running_a_cell_again_closes_its_former_graph(displayed: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    shell = Shell(monkeypatch, "cell")
    for _ in range(2):
        tbwidget.show_graph(directed(("a", "b")))
        shell.execution_count += 1
    first, second = displayed
    try:
        assert first._ended
        assert not second._ended
        assert first._board == second._board
    finally:
        second.close()


def test_a_graph_of_a_log_is_a_view_in_notebooks_and_words_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "a" / NAME, run_graph("x", "y"))
    graph = tbwidget.load(tmp_path).graph("a")
    formatter = DisplayFormatter()
    words = {"text/plain": "<Graph: 2 nodes, 0 edges, 0 control edges>"}
    assert formatter.format(graph)[0] == words  # type: ignore[no-untyped-call]
    shell = Shell(monkeypatch, "cell")
    monkeypatch.setattr(graphview, "get_ipython", lambda: shell)
    data, _ = formatter.format(graph)  # type: ignore[no-untyped-call]
    assert data["text/plain"] == words["text/plain"]
    (view,) = [call.__self__ for call in shell.callbacks if hasattr(call, "__self__")]
    assert data[VIEW]["model_id"] == view._session
    view.close()
    assert formatter.format(read_graph(definition(node("x")), GRAPH_DEF))[0]["text/plain"].startswith("<Graph: 1")  # type: ignore[no-untyped-call]


def test_a_view_lists_its_open_boxes() -> None:
    names = ["x", *(f"net/n{'i' * number}" for number in range(20))]
    graph = directed(*itertools.pairwise(names))
    view = graph_view(graph)
    try:
        assert (view.graph_expanded, view.expanded) == (None, ["net"])
        view.expanded = []
        assert (view.graph_expanded, view.expanded) == ([], [])
        view.expanded = None
        assert view.expanded == ["net"]
    finally:
        view.close()


def test_a_graph_in_memory_is_a_source_of_logs_with_nothing_else() -> None:
    graph = read_graph((DATA / "train.graph_def").read_bytes(), GRAPH_DEF)
    source = InMemoryGraph(graph, "mine")
    held = Logs(source)
    assert (held.runs, held.tags()) == (["."], {"graphs": {".": ["__run_graph__"]}})
    assert held.graph(".") is held.graph(".", "__run_graph__") is graph
    assert (source.ready, held.refresh(), held.problems, source.run_numbers()) == (True, False, [], {".": 0})
    for run, name in (("a", None), (".", "other")):
        with pytest.raises(KeyError):
            held.graph(run, name)
    source.report_failure("graphs", ".", "x", "why")
    assert [problem.message for problem in held.problems] == ["graphs 'x' of run '.': why"]
    assert held.metadata(".", "__run_graph__").plugin == "graphs"
    for read in (held.scalars, held.histograms, held.images, held.text, held.meshes, held.tensors, held.run_metadata):
        with pytest.raises(KeyError, match="loss"):
            read(".", "loss")
    assert (held.embeddings("."), held.hparams()) == ([], [])
    before = threading.active_count()
    source.hold()
    source.release()
    assert threading.active_count() == before
