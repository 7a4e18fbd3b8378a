"""Messages of a dashboard about wrong options, options without effect, and several directories."""

from __future__ import annotations

import json
import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from traitlets import TraitError

import tbwidget
from tbwidget import Dashboard
from tbwidget.graphview import graph_view
from tbwidget.options.agreement import point_from_json
from tests.support.boards import Listener
from tests.support.eventfiles import NAME, event, points, simple, write
from tests.support.graphs import directed
from tests.support.waiting import wait_for
from tests.unit.test_graph_logs import run_graph


@pytest.fixture(autouse=True)
def listener(monkeypatch: pytest.MonkeyPatch) -> Listener:
    return Listener(monkeypatch)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"panel": "image"}, "panel: 'image' is none of 'scalars', .*; did you mean 'images'"),
        ({"x_axis": "Wall"}, "x_axis: 'Wall' is none of 'step', 'relative', 'wall', 'tag'; did you mean 'wall'"),
        ({"x_axis": 3}, "x_axis: 3 is none of 'step', 'relative', 'wall', 'tag'$"),
        ({"smoothing": "much"}, "smoothing"),
    ],
)
def test_wrong_values_get_a_suggestion(tmp_path: Path, options: dict[str, Any], said: str) -> None:
    with pytest.raises(TraitError, match=said):
        Dashboard(tmp_path, **options)
    board = Dashboard(tmp_path)
    try:
        ((name, value),) = options.items()
        with pytest.raises(TraitError, match=said):
            setattr(board, name, value)
    finally:
        board.close()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"color_by": "times"}, "^color_by: 'times' is none of .*did you mean 'time'"),
        ({"run": 3}, "'run' trait"),
        ({"expanded": 3}, "'expanded' trait"),
    ],
)
def test_a_view_names_options_as_its_users_do(tmp_path: Path, options: dict[str, Any], said: str) -> None:
    with pytest.raises(TraitError, match=said) as raised:
        tbwidget.GraphView(tmp_path, **options)
    assert "graph_" not in str(raised.value)


def said_after_the_cell(board: Any) -> list[str]:
    wait_for(lambda: board._logs.source.ready)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        board._after_cell()
    return [str(warning.message) for warning in caught]


def test_scopes_that_are_not_there_are_warned_of() -> None:
    view = graph_view(directed(("enc/l0/x", "enc/l0/y"), ("enc/l0/y", "b")), expanded=["enc/l0", "ecn"])
    try:
        assert said_after_the_cell(view) == ["expanded: the graph of run '.' has no scope 'ecn'; did you mean 'enc'?"]
        assert said_after_the_cell(view) == []
        view.expanded = ["enc"]
        assert said_after_the_cell(view) == []
    finally:
        view.close()


def test_colors_by_unrecorded_times_are_warned_of(tmp_path: Path) -> None:
    write(tmp_path / "a" / NAME, run_graph())
    view = tbwidget.GraphView(tmp_path, color_by="time")
    try:
        said = ["color_by: no step of run 'a' was recorded with its times, so 'time' colors nothing"]
        assert said_after_the_cell(view) == said
        view.color_by = "device"
        assert said_after_the_cell(view) == []
    finally:
        view.close()


def test_several_directories_in_one_board(tmp_path: Path, listener: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "a" / "r" / NAME, points("loss", [0, 1], 1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # for "new", if the directories are read before the option is set
        board = Dashboard({"old": "a", "new": "b"}, selected_runs=["old/r", "new"])
    listed = tbwidget.ScalarsView("a", Path("b"))
    try:
        assert repr(board) == "Dashboard(logs={'old': 'a', 'new': 'b'}, selected_runs=['old/r', 'new'])"
        assert repr(listed) == "ScalarsView(logs={'a': 'a', 'b': 'b'})"
        wait_for(lambda: len(listener.entries("series")) >= 2)  # one for each
        write(tmp_path / "b" / NAME, event(5, 0, simple("loss", 1)))
        wait_for(lambda: {tuple(header["runs"]) for header in listener.headers if len(header.get("runs", ())) == 2})
        statuses = [header["status"] for header in listener.headers if "status" in header]
        assert f"{tmp_path}/{{old: a, new: b}}" in {status["path"] for status in statuses}
    finally:
        board.close()
        listed.close()
    with pytest.raises(ValueError, match="no storage is known for nothing://"):
        Dashboard("a", "nothing://b")
    with pytest.raises(TypeError, match="must be a str"):
        Dashboard(["a", 3])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="not a LogDir"):
        Dashboard(tbwidget.load("a"), "b")


def test_the_point_below_the_pointer(tmp_path: Path) -> None:
    board: Any = Dashboard(tmp_path)
    heard: list[Any] = []
    board.observe(lambda change: heard.append(change.new), "hovered")
    point = {"panel": "scalars", "tag": "loss", "run": "a", "step": "9223372036854775807", "value": "NaN"}
    try:
        at_first = board.hovered
        assert at_first is None
        board.set_state({"_hovered": {**point, "values": {"a": "NaN", "b": 2}}})
        assert board.hovered["step"] == np.iinfo(np.int64).max
        assert math.isnan(board.hovered["value"])
        json.dumps(board.get_state("_hovered"), allow_nan=False)  # saved, and sent to pages that are reloaded
        assert board.hovered["values"]["b"] == 2.0
        board.set_state({"_hovered": None})
        assert [new is None for new in heard] == [False, True]
        with pytest.raises(TraitError, match="read-only"):
            board.hovered = {}
        with pytest.raises(TypeError, match="no option 'hovered'"):
            Dashboard(tmp_path, hovered=None)  # type: ignore[call-arg]
    finally:
        board.close()


@pytest.mark.parametrize(
    "said", [None, 3, {}, {"values": {}}, {"values": {"a": "x"}, "step": 1}, {"values": {}, "step": "x"}]
)
def test_data_that_are_no_point(said: Any) -> None:
    assert point_from_json(said) is None
