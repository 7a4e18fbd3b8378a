"""Profiles: all options as one dict."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import pytest
from traitlets import TraitError

import tbwidget
from tbwidget.dashboard import Dashboard
from tbwidget.dashboard.exporting import _state_with_file
from tbwidget.dashboard.profile import options_of_directory
from tests.support.eventfiles import NAME, event, simple, write
from tests.unit.test_export import content_of

CELL: ContextVar[str] = ContextVar("cell")
"""Like ipykernel 7.0's variable of the running cell, which is read when a message is sent: unset, it raises."""

CARDS = {"version": 1, "sections": [{"name": "a", "cards": [{"tags": ["x", "y"]}]}]}
CHOSEN: dict[str, Any] = {
    "smoothing": 0.25,
    "selected_runs": ["a"],
    "card_layout": CARDS,
    "step_range": (2**60 + 1, 2**60 + 3),
    "y_ranges": {"x": (None, 3)},
    "named_ranges": [("12", 0, 7), ("late", 2**60, 2**60 + 1)],
    "panel": "images",
    "bins": "written",
}


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Any]:
    made = Dashboard(tmp_path, **CHOSEN)
    yield made
    made.close()


def values(board: Any) -> dict[str, Any]:
    return {name: getattr(board, name) for name in board.class_trait_names(option=True)}


def test_a_profile_has_every_option_and_survives_json(board: Any, tmp_path: Path) -> None:
    profile = json.loads(json.dumps(board.profile))
    assert profile["version"] == 1
    assert profile.keys() == {"version", *Dashboard.class_trait_names(option=True)}
    path = tmp_path / "profile.json"
    path.write_text(json.dumps(profile))
    for given in (profile, path, str(path)):
        other: Any = Dashboard(tmp_path, profile=given)
        try:
            assert values(other) == values(board)
            assert other.step_range == CHOSEN["step_range"]
        finally:
            other.close()
    other = Dashboard(tmp_path)
    try:
        other.profile = profile
        assert values(other) == values(board)
    finally:
        other.close()


def test_an_argument_wins_over_the_profile_and_the_profile_over_remembered_options(board: Any, tmp_path: Path) -> None:
    other: Any = Dashboard(tmp_path, profile=board.profile, smoothing=0.5)
    try:
        assert (other.smoothing, other.bins) == (0.5, "written")
        assert {"smoothing", "bins", "height"} <= set(other._given), "the page leaves these alone"
    finally:
        other.close()


def test_a_view_takes_its_part_of_the_profile_of_a_dashboard(board: Any, tmp_path: Path) -> None:
    view = tbwidget.HistogramsView(tmp_path, profile=board.profile)
    try:
        assert (view.panel, view.bins, view.card_layout) == ("histograms", "written", CARDS)
        assert "smoothing" not in view.profile
        other: Any = Dashboard(tmp_path, profile=view.profile)
        assert (other.bins, other.smoothing) == ("written", 0.6)
        other.close()
    finally:
        view.close()


@pytest.mark.parametrize(
    ("profile", "error", "message"),
    [
        ([], ValueError, "a profile is a dict of options, not list"),
        ({}, ValueError, "'version' is 1 in a profile, not None"),
        ({"version": 2}, ValueError, "'version' is 1 in a profile, not 2"),
        ({"version": True}, ValueError, "not True"),
        ({"version": 1, "smothing": 0.5}, ValueError, "there is no option 'smothing': did you mean 'smoothing'"),
        ({"version": 1, "smoothing": 7}, TraitError, "smoothing"),
        ({"version": 1, "step_range": ["a", "b"]}, TraitError, "step_range"),
        ({"version": 1, "card_layout": {"version": 1}}, TraitError, "card_layout"),
        ({"version": 1, "_esm": "alert()"}, ValueError, "there is no option '_esm'"),
    ],
)
def test_a_wrong_profile_is_refused(tmp_path: Path, profile: Any, error: type[Exception], message: str) -> None:
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(profile))
    with pytest.raises(error, match=message):
        Dashboard(tmp_path, profile=path)
    if isinstance(profile, dict):
        with pytest.raises(error, match=message):
            Dashboard(tmp_path, profile=profile)
    with pytest.raises(error, match=message):
        tbwidget.export_html(tmp_path, tmp_path / "page.html", profile=path)


@pytest.mark.parametrize("text", ["", "{", '{"version": 1', "[" * 100_000, "\0", "null"])
def test_a_damaged_file_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "damaged.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"damaged\.json"):
        Dashboard(tmp_path, profile=path)
    with pytest.raises(FileNotFoundError):
        Dashboard(tmp_path, profile=tmp_path / "none.json")


def write_file(directory: Path, content: object) -> Path:
    directory.mkdir(exist_ok=True)
    path = directory / "tbwidget.json"
    path.write_text(json.dumps(content))
    return path


def read(board: Any) -> Any:
    """Return the board after it has read the file of its directory."""
    board._file_reader.join()
    return board


def problems_of(board: Any) -> list[tuple[str, int | None, str]]:
    return [(problem.path, problem.offset, problem.code) for problem in board._logs.problems]


def test_a_file_in_the_log_directory_gives_options_that_are_not_set_elsewhere(tmp_path: Path) -> None:
    write_file(
        tmp_path,
        {
            "version": 1,
            "smoothing": 0.8,
            "bins": "written",
            "x_axis": "wall",
            "height": 300,
            "named_ranges": [["12", "9007199254740993", "9007199254740993"]],
        },
    )
    board: Any = Dashboard(tmp_path, profile={"version": 1, "height": 500}, bins="even")
    view: Any = tbwidget.HistogramsView(tmp_path)
    try:
        assert (read(board).smoothing, board.bins, board.x_axis, board.height) == (0.8, "even", "wall", 500)
        assert (set(board._given), set(board._from_file)) == (
            {"bins", "height"},
            {"smoothing", "x_axis", "named_ranges"},
        )
        assert board.named_ranges == [("12", 2**53 + 1, 2**53 + 1)]
        assert "smoothing" not in board._set_count, "the page keeps what it remembers"
        assert (read(view).bins, view._from_file, problems_of(view)) == (
            "written",
            ["bins", "x_axis", "height", "named_ranges"],
            [],
        )
        # An option that is set later wins, in Python and in the browser.
        board.set_state({"x_axis": "relative", "_chosen": {"x_axis": [0, "page", 1]}})
        board.smoothing = 0.1
        assert (board.x_axis, board.smoothing, board._set_count["smoothing"]) == ("relative", 0.1, 1)
        assert board.profile["smoothing"] == 0.1
    finally:
        board.close()
        view.close()


def test_a_file_that_is_read_late_changes_nothing_that_was_set(tmp_path: Path) -> None:
    board: Any = read(Dashboard(tmp_path))
    try:
        board.smoothing = 0.6  # its present value
        board.set_state({"x_axis": "relative", "_chosen": {"x_axis": [0, "page", 1]}})
        write_file(tmp_path, {"version": 1, "smoothing": 0.8, "x_axis": "wall", "bins": "written"})
        board._take_directory_options()
        assert (board.smoothing, board.x_axis, board.bins) == (0.6, "relative", "written")
        assert (board._given, board._from_file) == (["smoothing"], ["bins"])
    finally:
        board.close()


def test_each_wrong_option_in_the_file_is_a_problem_and_the_rest_counts(tmp_path: Path) -> None:
    options = {"smoothing": 7, "smothing": 0.5, "card_layout": {"version": 1}, "step_range": ["a", 1], "x_axis": "wall"}
    write_file(tmp_path, {"version": 1, **options})
    write(tmp_path / NAME, event(1, 1, simple("loss", 1)))
    board: Any = read(Dashboard(tmp_path))
    try:
        assert (board.smoothing, board.card_layout, board.x_axis) == (0.6, None, "wall")
        assert {problem.arguments["option"] for problem in board._logs.problems} == options.keys() - {"x_axis"}
        assert sorted(problems_of(board)) == [
            *[("tbwidget.json", None, "invalid-option")] * 3,
            ("tbwidget.json", None, "unknown-option"),
        ]
        page = tbwidget.export_html(board._logs, tmp_path / "page.html", smoothing=0.3)
        assert page.exists()
        assert len(problems_of(board)) == 4
    finally:
        board.close()


def test_boards_on_the_same_logs_have_problems_of_their_own_while_they_are_open(tmp_path: Path) -> None:
    write_file(tmp_path, {"version": 1, "pixelated": "no", "smoothing": 7, "nonsense": 1})
    with tbwidget.load(tmp_path) as logs:
        board: Any = read(Dashboard(logs))
        view: Any = read(tbwidget.ScalarsView(logs))
        both = [problem.arguments["option"] for problem in logs.problems]
        view.close()
        assert sorted(both) == ["nonsense", "pixelated", "smoothing"], "what both found is listed once"
        assert len(logs.problems) == 3
        board.close()
        assert logs.problems == []


@pytest.fixture
def file_is_slow(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """The file in the directory is read only once this event is set."""
    go_on = threading.Event()

    def slow(*arguments: Any) -> Any:
        go_on.wait(20)
        return options_of_directory(*arguments)

    monkeypatch.setattr("tbwidget.dashboard.board.options_of_directory", slow)
    return go_on


def test_the_thread_that_reads_the_file_sends_as_the_cell(tmp_path: Path, file_is_slow: threading.Event) -> None:
    write_file(tmp_path, {"version": 1, "smoothing": 0.8})
    token = CELL.set("this one")
    board: Any = Dashboard(tmp_path)
    CELL.reset(token)
    cells: list[str] = []
    board.observe(lambda _change: cells.append(CELL.get("none")), "smoothing")
    file_is_slow.set()
    try:
        read(board)
        assert cells == ["this one"]
    finally:
        board.close()


def test_an_error_while_options_of_the_file_are_set_is_logged_and_its_problems_are_listed(
    tmp_path: Path, file_is_slow: threading.Event, caplog: pytest.LogCaptureFixture
) -> None:
    write_file(tmp_path, {"version": 1, "smoothing": 0.8, "bins": 3})
    board: Any = Dashboard(tmp_path)

    def fail(_change: Any) -> None:
        raise LookupError("no parent")

    board.observe(fail, "smoothing")
    file_is_slow.set()
    try:
        assert problems_of(read(board)) == [("tbwidget.json", None, "invalid-option")]
        assert "no parent" in caplog.text
    finally:
        board.close()


def test_an_observer_of_an_option_of_the_file_may_close_the_board(
    tmp_path: Path, file_is_slow: threading.Event, caplog: pytest.LogCaptureFixture
) -> None:
    write_file(tmp_path, {"version": 1, "smoothing": 0.8})
    board: Any = Dashboard(tmp_path)
    board.observe(lambda _change: board.close(), "smoothing")
    file_is_slow.set()
    read(board)
    assert board.comm is None
    assert not caplog.records


@pytest.mark.parametrize("way", ["save", "embed"])
def test_a_page_saved_at_once_has_the_options_of_the_file(
    tmp_path: Path, file_is_slow: threading.Event, way: str
) -> None:
    write_file(tmp_path, {"version": 1, "smoothing": 0.4321})
    write(tmp_path / NAME, event(1, 1, simple("loss", 1)))
    board: Any = Dashboard(tmp_path)
    timer = threading.Timer(0.2, file_is_slow.set)
    timer.start()
    try:
        if way == "save":
            board.save(tmp_path / "page.html")
            assert content_of(tmp_path / "page.html")["state"]["smoothing"] == 0.4321
        else:
            assert board._get_embed_state()["state"]["smoothing"] == 0.4321
    finally:
        board.close()
        timer.join()


@pytest.mark.parametrize(
    ("content", "offset", "code"),
    [
        (b"", 0, "options-json"),
        ('{"version": 1, "tag_filter": "é" x}'.encode(), 34, "options-json"),
        (b'{"version": 1, "smoothing": NaN}', None, "options-json"),
        (b'{"version": 1, "height": 1' + b"0" * 5000 + b"}", None, "options-json"),
        (b"[" * 100_000, None, "options-json"),
        (b'{"version": 1, "tag_filter": "\xff"}', 30, "options-encoding"),
        (b'{"version": 1, "tag_filter": "\\ud800"}', None, "options-json"),
        (b'{"version": 1, "\\udfff": 1}', None, "options-json"),
        (b"[]", None, "options-form"),
        (b'{"smoothing": 0.8}', None, "options-form"),
        (b'{"version": true}', None, "options-form"),
        (b'{"version": 1}' + b" " * 1_000_000, None, "options-too-large"),
    ],
)
def test_a_damaged_file_is_one_problem(tmp_path: Path, content: bytes, offset: int | None, code: str) -> None:
    (tmp_path / "tbwidget.json").write_bytes(content)
    board: Any = read(Dashboard(tmp_path))
    try:
        assert problems_of(board) == [("tbwidget.json", offset, code)]
        assert (board.smoothing, board._from_file) == (0.6, [])
    finally:
        board.close()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no FIFOs")
@pytest.mark.parametrize("kind", ["fifo", "device", "directory", "outside", "loop"])
def test_only_a_regular_file_within_the_directory_is_opened(tmp_path: Path, kind: str) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    path = logs / "tbwidget.json"
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "directory":
        path.mkdir()
    elif kind == "outside":
        path.symlink_to(write_file(tmp_path / "logs-2", {"version": 1, "smoothing": 0.8}))
    else:
        path.symlink_to(path)
    board: Any = read(Dashboard(logs))
    try:
        code = {"fifo": "not-a-regular-file", "directory": "not-a-regular-file", "loop": "system-error"}
        assert problems_of(board) == [("tbwidget.json", None, code.get(kind, "options-outside"))]
        assert board.smoothing == 0.6
    finally:
        board.close()


def test_the_first_of_several_directories_with_a_file_counts(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    write_file(tmp_path / "b", {"version": 1, "smoothing": 0.8, "nonsense": 1})
    write_file(tmp_path / "c", {"version": 1, "smoothing": 0.1, "x_axis": "wall"})
    board: Any = read(Dashboard({name: tmp_path / name for name in "abc"}))
    try:
        assert (board.smoothing, board.x_axis) == (0.8, "step")
        assert problems_of(board) == [("b/tbwidget.json", None, "unknown-option")]
    finally:
        board.close()


def test_a_page_of_its_own_has_the_options_of_the_file(tmp_path: Path) -> None:
    write_file(tmp_path, {"version": 1, "smoothing": 0.8, "x_axis": "wall"})
    with tbwidget.load(tmp_path) as logs:
        state = _state_with_file(logs, {"x_axis": "relative"})
    assert (state["smoothing"], state["x_axis"]) == (0.8, "relative")
    assert (state["_given"], state["_from_file"]) == (["x_axis"], ["smoothing"])


def test_a_wrong_profile_changes_nothing(board: Any) -> None:
    before = values(board)
    with pytest.raises(TraitError, match="height"):
        board.profile = {"version": 1, "smoothing": 0.9, "height": "tall", "bins": "even"}
    assert values(board) == before
