"""The widget without a browser: what it takes, what it sends, and that it ends."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tensorboardX import SummaryWriter

import tbwidget
from tbwidget.dashboard import Dashboard, show

PATIENCE = 20.0


class Listener:
    """Stands where the browser would."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.headers: list[dict[str, Any]] = []
        monkeypatch.setattr(Dashboard, "send", lambda _widget, header, buffers: self._hear(header, buffers))

    def _hear(self, header: dict[str, Any], buffers: list[bytes]) -> None:
        assert [type(buffer) for buffer in buffers] == [bytes]
        self.headers.append(header)

    def total(self) -> int:
        """Points of the longest series heard of."""
        return max((entry["total"] for header in list(self.headers) for entry in header["series"]), default=0)


@pytest.fixture
def listener(monkeypatch: pytest.MonkeyPatch) -> Listener:
    return Listener(monkeypatch)


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    wait_for(lambda: not [thread for thread in set(threading.enumerate()) - before if "tbwidget" in thread.name])


def wait_for(happened: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)


def write(folder: Path, steps: range) -> None:
    with SummaryWriter(str(folder)) as writer:
        for step in steps:
            writer.add_scalar("loss", 1 / (1 + step), step)


def test_pushes_what_is_written_until_it_is_closed(tmp_path: Path, listener: Listener) -> None:
    board = Dashboard(tmp_path / "runs")
    try:
        wait_for(lambda: any(header["status"]["ready"] for header in listener.headers))
        assert listener.headers[0]["begins"]
        write(tmp_path / "runs", range(5))
        wait_for(lambda: listener.total() == 5)
    finally:
        board.close()
    heard = len(listener.headers)
    write(tmp_path / "runs", range(5, 9))
    time.sleep(0.5)
    assert len(listener.headers) == heard
    board.close()


def test_a_transport_that_fails_does_not_end_the_pushing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    attempts: list[float] = []

    def fail(_widget: Dashboard, _header: object, buffers: object) -> None:
        attempts.append(time.monotonic())
        raise OSError(buffers)

    monkeypatch.setattr(Dashboard, "send", fail)
    board = Dashboard(tmp_path)
    try:
        wait_for(lambda: len(attempts) >= 3)
    finally:
        board.close()


def test_logs_of_the_users_own_are_followed_and_left_open(tmp_path: Path, listener: Listener) -> None:
    write(tmp_path / "a", range(3))
    with tbwidget.load(tmp_path) as logs:
        board = Dashboard(logs)
        wait_for(lambda: listener.total() == 3)
        board.close()
        write(tmp_path / "b", range(6))
        wait_for(lambda: logs.runs == ["a", "b"])
        assert listener.total() == 3


def test_a_greeting_from_any_thread_is_heard(tmp_path: Path, listener: Listener) -> None:
    board = Dashboard(tmp_path)
    try:
        wait_for(lambda: listener.headers)
        greeting = {"type": "hello", "complete": False}
        threads = [threading.Thread(target=board._handle_custom_msg, args=(greeting, [])) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        nonsenses: list[Any] = [None, [], {"type": []}, {"type": "other"}]
        for nonsense in nonsenses:
            board._handle_custom_msg(nonsense, [])
        wait_for(lambda: listener.headers[-1]["keyframe"] >= 2)
    finally:
        board.close()


def test_options_are_traits(tmp_path: Path, listener: Listener) -> None:
    board = Dashboard(tmp_path, selected_runs=["a"], height=300, tag_filter="loss")
    try:
        assert (board.selected_runs, board.height, board.tag_filter) == (["a"], 300, "loss")
        board.set_trait("selected_runs", None)
        board.set_state({"selected_runs": ["b"]})
        assert board.selected_runs == ["b"]
    finally:
        board.close()
    assert listener.headers is not None


@pytest.mark.parametrize(
    ("name", "hint"),
    [("heigth", "'height'"), ("nonsense", "selected_runs"), ("_session", "options are"), ("layout", "")],
)
def test_an_unknown_option_is_refused_with_a_hint(tmp_path: Path, name: str, hint: str) -> None:
    with pytest.raises(TypeError, match=f"Dashboard has no option '{name}': .*{hint}"):
        Dashboard(tmp_path, **{name: 1})


def test_a_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "events.out.tfevents.1"
    path.touch()
    with pytest.raises(NotADirectoryError, match="give the directory"):
        Dashboard(path)


def test_the_state_holds_choices_and_no_data(tmp_path: Path, listener: Listener) -> None:
    write(tmp_path, range(100))
    board = Dashboard(tmp_path)
    try:
        wait_for(lambda: listener.total() == 100)
        own = {name for name in board.keys if not name.startswith("_")} - {"layout", "tabbable", "tooltip"}
    finally:
        board.close()
    assert own == {"selected_runs", "tag_filter", "height"}


def test_show_displays_and_returns_none(tmp_path: Path, listener: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Dashboard] = []
    monkeypatch.setattr("tbwidget.dashboard.display", shown.append)
    assert show(tmp_path, height=400) is None  # type: ignore[func-returns-value]
    (board,) = shown
    assert board.height == 400
    wait_for(lambda: listener.headers)
    board.close()
