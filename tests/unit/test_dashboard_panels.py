"""A dashboard is composed from declarations of panels: a made-up panel needs nothing but its declaration."""

from __future__ import annotations

import ast
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tensorboardX import SummaryWriter

import tbwidget
from tbwidget import dashboard
from tbwidget.dashboard import Dashboard, compose
from tbwidget.dashboard.board import Board
from tbwidget.panels import registry
from tbwidget.panels.declare import Panel
from tests.support.boards import Listener, write
from tests.support.eventfiles import NAME
from tests.support.eventfiles import write as write_parts
from tests.support.made_up import NOTES
from tests.support.waiting import wait_for
from tests.unit.test_graph_logs import run_graph

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def listener(monkeypatch: pytest.MonkeyPatch) -> Listener:
    return Listener(monkeypatch)


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "PANELS", list(registry.PANELS))
    monkeypatch.setattr(dashboard, "_views", {})
    registry.register(NOTES)


@pytest.mark.usefixtures("registered")
def test_a_made_up_panel_brings_its_options_docs_and_view(tmp_path: Path) -> None:
    made = compose(registry.PANELS)
    assert "- `loud`: Write in capital letters. Type: bool. Default: False." in str(made.__doc__)
    assert '"notes", or None' in " ".join(str(made.__doc__).split())
    board: Any = made(tmp_path, loud=True, panel="notes", smoothing=0.2)
    try:
        assert board.get_state()["loud"] is True
        assert made.class_traits()["loud"].metadata["remembered"] is False
        others = [content.kind for panel in registry.PANELS for content in panel.contents if panel.name != "notes"]
        own = ["descriptions", "checkpoints", "alerts"]
        assert [content.kind for content in board._contents()] == ["notes", *dict.fromkeys(others), *own]
    finally:
        board.close()
    view = tbwidget.NotesView(tmp_path, loud=True)
    try:
        assert isinstance(view, Board)
        assert (view.panel, view._single) == ("notes", True)
        assert [content.kind for content in view._contents()] == ["notes", "hparams", *own]
        assert view._board.endswith(":notes")
    finally:
        view.close()
    assert "NotesView" in dir(tbwidget)
    assert str(tbwidget.NotesView.__doc__).startswith("The last text of each tag.")


def test_an_unregistered_panel_is_missing(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="no option 'loud'"):
        Dashboard(tmp_path, loud=True)  # type: ignore[call-arg]
    with pytest.raises(AttributeError, match="NotesView"):
        _ = tbwidget.NotesView
    with pytest.raises(AttributeError, match="nonsense"):
        _ = tbwidget.nonsense


@pytest.mark.usefixtures("registered")
def test_its_requests_are_answered(tmp_path: Path, listener: Listener) -> None:
    with SummaryWriter(str(tmp_path)) as writer:
        writer.add_text("remark", "one", 1)
        writer.add_text("remark", "two", 2)
    board = compose(registry.PANELS)(tmp_path)
    tag = "remark/text_summary"
    try:
        wait_for(lambda: board._logs.source.ready)
        for number, name, args in (
            ("1", "notes.count", {"run": ".", "tag": tag}),
            ("2", "notes.count", {}),
            ("3", "notes.count", {"run": "nope", "tag": tag}),
            ("4", "scalars.count", {}),
        ):
            board._handle_custom_msg({"type": "request", "id": number, "name": name, "args": args}, [])
        wait_for(lambda: len(listener.entries("answers")) == 4)
        answers = {entry["request"]: entry for entry in listener.entries("answers")}
        assert answers["1"]["value"] == {"count": 2}
        assert [answers[number]["ok"] for number in "1234"] == [True, False, False, False]
        assert answers["2"]["reason"] == "which tag?"
        assert "no run 'nope'" in answers["3"]["reason"]
    finally:
        board.close()


@pytest.mark.usefixtures("registered")
def test_data_of_a_made_up_panel_reach_the_browser(tmp_path: Path, listener: Listener) -> None:
    with SummaryWriter(str(tmp_path / "a")) as writer:
        writer.add_text("remark", "hello", 1)
    write(tmp_path / "b", range(3))
    board = compose(registry.PANELS)(tmp_path)
    try:
        wait_for(lambda: listener.total() == 3 and listener.entries("documents"))
        document = listener.entries("documents")[0]
        assert (document["kind"], document["size"]) == ("notes", len("hello"))
        wait_for(lambda: any(piece["of"] == "document" for piece in listener.entries("pieces")))
    finally:
        board.close()


def test_slow_data_are_sent_when_they_are_made_and_no_thread_outlives_the_dashboard(
    tmp_path: Path, listener: Listener
) -> None:
    with SummaryWriter(str(tmp_path)) as writer:
        writer.add_image("noise", np.zeros((1_100, 1_000, 3), np.uint8), 1, dataformats="HWC")
    write_parts(tmp_path / "graph" / NAME, run_graph("a", "b"))
    board = Dashboard(tmp_path)
    try:
        kinds = {"images", "graph_roots", "graph_structures"}
        wait_for(lambda: kinds <= {piece["kind"] for piece in listener.entries("pieces")})
        assert worker_threads() == ["tbwidget-documents", "tbwidget-items"]
        assert not listener.entries("failed")
    finally:
        board.close()
    wait_for(lambda: worker_threads() == [])


def worker_threads() -> list[str]:
    names = [thread.name for thread in threading.enumerate()]
    return sorted(name for name in names if name in {"tbwidget-documents", "tbwidget-items"})


def test_names_are_taken_once() -> None:
    with pytest.raises(ValueError, match="'scalars'"):
        registry.register(Panel("scalars", (), (), "OtherView", ""))
    with pytest.raises(ValueError, match="'ScalarsView'"):
        registry.register(Panel("other", (), (), "ScalarsView", ""))
    with pytest.raises(ValueError, match="'Other'"):
        Panel("other", (), (), "Other", "")


def test_all_names_can_be_imported() -> None:
    names: dict[str, Any] = {}
    exec("from tbwidget import *", names)  # noqa: S102 (a star needs a module's level)
    assert {"Dashboard", "DistributionsView", "HistogramsView", "LogDir", "ScalarsView", "load", "show"} <= names.keys()
    assert names["ScalarsView"] is tbwidget.ScalarsView
    assert names["Scalars"] is tbwidget.Scalars


def test_public_names_are_literal_and_typed() -> None:
    """Type checkers and editors know them without running anything."""
    missing = {panel.view for panel in registry.PANELS} - set(tbwidget.__all__)
    assert not missing, "not in tbwidget/__init__.py: run `make generated`"
    assert tbwidget.__all__ == sorted(set(tbwidget.__all__))
    assert all(hasattr(tbwidget, name) for name in tbwidget.__all__)


def test_the_types_of_options_equal_the_traits() -> None:
    done = subprocess.run([sys.executable, str(ROOT / "tools/generate_views.py"), "--check"], cwd=ROOT, check=False)
    assert done.returncode == 0, "run `make generated`"


def test_every_typed_name_of_a_board_exists() -> None:
    """The types have no untyped base, which would hide missing names; every name exists in ipywidgets."""
    stub = ast.parse((ROOT / "tbwidget/dashboard/views.pyi").read_text("utf-8"))
    (board,) = [node for node in stub.body if isinstance(node, ast.ClassDef) and node.name == "Board"]
    fields = [
        node.target.id for node in board.body if isinstance(node, ast.AnnAssign) if isinstance(node.target, ast.Name)
    ]
    methods = [node.name for node in board.body if isinstance(node, ast.FunctionDef)]
    assert len(fields) + len(methods) > 20
    assert [name for name in (*fields, *methods) if not hasattr(tbwidget.Dashboard, name)] == []


def test_views_have_the_options_of_their_panel_and_the_common_ones(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="ScalarsView has no option 'bins'"):
        tbwidget.ScalarsView(tmp_path, bins="even")  # type: ignore[call-arg]
    view = tbwidget.HistogramsView(tmp_path, bins="written", height=400, selected_runs=["a"])
    try:
        assert view.bins == "written"
        with pytest.raises(AttributeError, match="HistogramsView has no option 'smoothing'"):
            view.smoothing = 0.5  # type: ignore[attr-defined]
    finally:
        view.close()
