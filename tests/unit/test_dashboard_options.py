"""Warnings and texts of a dashboard about its options, its repr, and its identity for the page that remembers it."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tbwidget
from tbwidget.dashboard import Dashboard
from tests.support.boards import Listener, Shell, write
from tests.support.waiting import PATIENCE, wait_for


@pytest.fixture(autouse=True)
def listener(monkeypatch: pytest.MonkeyPatch) -> Listener:
    return Listener(monkeypatch)


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Any]:
    """Yield a dashboard of two runs that were read."""
    write(tmp_path / "first", range(3))
    write(tmp_path / "second", range(3), "accuracy")
    made: Any = Dashboard(tmp_path)
    wait_for(lambda: made._logs.source.ready)
    yield made
    made.close()


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("selected_runs", ["frist", "second"], "there is no run 'frist' yet; it is waited for. Did you mean 'first'?"),
        ("selected_runs", ["nope", "no"], "there are no runs 'nope', 'no' yet; they are waited for."),
        ("run_colors", {"secnd": "#fff"}, "there is no run 'secnd' yet; it is waited for. Did you mean 'second'?"),
        ("pinned", ["accurcy"], "there is no tag 'accurcy' yet; it is waited for. Did you mean 'accuracy'?"),
    ],
)
def test_names_that_are_not_there_are_kept_and_warned_of(board: Any, name: str, value: Any, said: str) -> None:
    with pytest.warns(UserWarning, match="waited for") as caught:
        setattr(board, name, value)
    assert [str(one.message) for one in caught] == [f"{name}: {said}"]
    assert caught[0].filename == __file__
    assert getattr(board, name).__len__() == len(value)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        setattr(board, name, value)  # warns only once


def test_a_pinned_tag_that_is_not_there_is_warned_of_at_the_users_line(board: Any) -> None:
    with pytest.warns(UserWarning, match="'los' yet; it is waited for. Did you mean 'loss'") as caught:
        board.pin("los")
    assert caught[0].filename == __file__
    assert board.pinned == ["los"]


def test_names_that_are_there_or_come_from_the_browser_are_not_warned_of(board: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        board.selected_runs = ["first"]
        board.selected_runs = None
        board.pin("loss")
        board.run_colors = {"second": "#123456"}
        board.set_state({"selected_runs": ["nope"], "pinned": ["nope"], "run_colors": {"nope": "#123456"}})
    assert board.selected_runs == ["nope"]


def test_before_the_initial_scan_warnings_wait_for_the_end_of_the_cell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = Shell(monkeypatch)
    write(tmp_path / "first", range(3))
    logs = tbwidget.LogDir(tmp_path)
    with warnings.catch_warnings(), logs.source._lock:  # blocks all reading
        warnings.simplefilter("error")
        board = Dashboard(logs, selected_runs=["first", "frist"], pinned=["los"])
        shell.end_cell()
        board.pinned = []
    try:
        wait_for(lambda: logs.source.ready)
        with pytest.warns(UserWarning, match="waited for") as caught:
            shell.end_cell()
        assert [str(one.message) for one in caught] == [
            "selected_runs: there is no run 'frist' yet; it is waited for. Did you mean 'first'?"
        ]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            shell.end_cell()
    finally:
        board.close()


def test_no_option_waits_for_the_disk(board: Any) -> None:
    """While the logs are being read, options can be set, and the browser's are accepted."""
    held, let_go = threading.Event(), threading.Event()

    def read() -> None:
        with board._logs.source._lock:
            held.set()
            let_go.wait(2 * PATIENCE)

    waiting = [threading.Thread(target=read), threading.Thread(target=board.pin, args=("loss",))]
    waiting[0].start()
    assert held.wait(PATIENCE)
    waiting[1].start()
    wait_for(lambda: board.pinned == ["loss"])
    done: list[object] = []

    def choose() -> None:
        board.smoothing = 0.2
        board.set_state({"x_axis": "wall"})
        board._handle_custom_msg({"type": "hello", "complete": True}, [])
        board._handle_custom_msg({"type": "request", "id": "1", "name": "no.such", "args": {}}, [])
        done.append(board.x_axis)

    choosing = threading.Thread(target=choose)
    choosing.start()
    choosing.join(PATIENCE)
    let_go.set()
    for thread in (*waiting, choosing):
        thread.join(PATIENCE)
    assert done == ["wall"]


def test_the_text_names_the_directory_and_not_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    logs = tbwidget.LogDir("runs")
    said: list[str] = []
    for place in ("runs", Path("deep/runs"), "../other", tmp_path / "elsewhere" / "mine", "~/theirs", logs):
        board = Dashboard(place, smoothing=0.9)
        said.append(repr(board))
        bundle = board._repr_mimebundle_()
        board.close()
        assert bundle is not None
        assert bundle[0]["text/plain"].partition(": ")[0] == said[-1]
    names = ("runs", "deep/runs", "../other", "mine", "theirs", "runs")
    assert said == [f"Dashboard(logs={name!r}, smoothing=0.9)" for name in names]
    view = tbwidget.ScalarsView("runs", run_colors={f"run{n}": "#123456" for n in range(10)}, height=300)
    text = repr(view)
    view.close()
    assert text == "ScalarsView(logs='runs', height=300, run_colors=…)"


def test_a_dashboard_has_the_same_identity_when_its_cell_runs_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = Shell(monkeypatch, "cell-1")

    def run_cell(count: int) -> list[Any]:
        shell.execution_count = count
        return [Dashboard(tmp_path), tbwidget.HistogramsView(tmp_path), Dashboard(tmp_path)]

    boards = run_cell(1)
    boards[2].close()  # still counts
    boards += [Dashboard(tmp_path), *run_cell(2)]
    shell.cell = "cell-2"
    boards.append(Dashboard(tmp_path))
    identities = [board._board for board in boards]
    assert [board._ended for board in boards] == [True] * 4 + [False] * 4
    for board in boards:
        board.close()
    assert identities == [
        *("cell-1:1", "cell-1:2:histograms", "cell-1:3", "cell-1:4"),
        *("cell-1:1", "cell-1:2:histograms", "cell-1:3"),
        "cell-2:1",
    ]


def test_without_a_cell_every_dashboard_is_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Shell(monkeypatch, None)
    boards: list[Any] = [Dashboard(tmp_path), Dashboard(tmp_path)]
    identities = {board._board for board in boards}
    for board in boards:
        board.close()
    assert len(identities) == 2
