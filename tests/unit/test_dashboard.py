"""The widget without a browser: the options it accepts, the messages it sends, and its end."""

from __future__ import annotations

import importlib.util
import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import traitlets
from comm import get_comm_manager
from ipywidgets.widgets.widget import _instances
from tensorboardX import SummaryWriter

import tbwidget
from tbwidget.dashboard import Dashboard, kernel, show
from tbwidget.dashboard.board import Board
from tbwidget.logs import logdir
from tbwidget.wire.channel import Channel
from tbwidget.wire.clients import SILENCE_S, Clients, IdleClock
from tests.support.boards import Listener, Shell, write
from tests.support.waiting import wait_for


@pytest.fixture
def listener(monkeypatch: pytest.MonkeyPatch) -> Listener:
    return Listener(monkeypatch)


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    wait_for(lambda: not [thread for thread in set(threading.enumerate()) - before if "tbwidget" in thread.name])


def test_new_data_are_pushed_until_it_is_closed(tmp_path: Path, listener: Listener) -> None:
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


def test_a_transport_that_fails_does_not_end_the_sending(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    attempts: list[float] = []

    def fail(_widget: Dashboard, _header: object, buffers: object) -> None:
        attempts.append(time.monotonic())
        raise OSError(buffers)

    monkeypatch.setattr(Board, "send", fail)
    board = Dashboard(tmp_path)
    try:
        wait_for(lambda: len(attempts) >= 3)
    finally:
        board.close()


def test_a_channel_that_fails_does_not_end_the_sending(
    tmp_path: Path, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its thread prints nothing either, and lost data are sent again."""
    monkeypatch.setattr("tbwidget.wire.sender._AFTER_ERROR", 0.05)
    write(tmp_path, range(5))
    original = Channel.next_message
    failures: list[float] = []

    def failing(self: Channel, now: float) -> Any:
        if len(failures) < 2:
            failures.append(now)
            raise OSError(107, "Transport endpoint is not connected")
        return original(self, now)

    monkeypatch.setattr(Channel, "next_message", failing)
    board = Dashboard(tmp_path)
    try:
        wait_for(lambda: listener.total() == 5)
    finally:
        board.close()
    assert len(failures) == 2


@pytest.mark.parametrize("made", [0, 12])
def test_nothing_of_a_closed_dashboard_is_left_in_the_kernel(tmp_path: Path, listener: Listener, made: int) -> None:
    """No widget and no comm remain: each would stay in the kernel and in the page."""
    comms = get_comm_manager().comms
    before = set(_instances), set(comms)
    boards: list[Any] = [Dashboard(tmp_path), *(tbwidget.ScalarsView(tmp_path) for _ in range(made))]
    assert len(comms) == len(before[1]) + 2 * len(boards), "each has a layout"
    kept = boards[0]
    for board in boards[1:]:
        board.close()
    kept.smoothing = 0.2
    kept.close()
    kept.close()
    with pytest.warns(UserWarning, match="this Dashboard is closed: setting smoothing changes nothing"):
        kept.smoothing = 0.3
    assert repr(kept) == f"<closed Dashboard(logs={tmp_path.name!r}, smoothing=0.3)>"
    with pytest.warns(UserWarning, match="is closed: pin"):
        kept.pin("x")
    assert (set(_instances), set(comms)) == before
    assert listener.headers is not None


def test_each_part_is_closed_though_another_raises(tmp_path: Path, listener: Listener) -> None:
    before = set(_instances)
    board: Any = Dashboard(tmp_path)

    def fail() -> None:
        raise OSError("on purpose")

    board._unsubscribe.insert(0, fail)
    with pytest.raises(OSError, match="on purpose"):
        board.close()
    board.close()
    assert set(_instances) == before
    assert not logdir._opened
    assert listener.headers is not None


def test_a_dashboard_that_cannot_be_made_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    before = set(_instances)
    for _ in range(3):
        with pytest.raises(NotADirectoryError):
            Dashboard(tmp_path / "file")
        with pytest.raises(traitlets.TraitError):
            Dashboard(tmp_path, smoothing=7.0)
    assert set(_instances) == before
    assert not logdir._opened


def test_logs_of_the_users_own_are_followed_and_left_open(tmp_path: Path, listener: Listener) -> None:
    write(tmp_path / "a", range(3))
    with tbwidget.load(tmp_path) as logs:
        logs.follow()
        board = Dashboard(logs)
        wait_for(lambda: listener.total() == 3)
        board.close()
        write(tmp_path / "b", range(6))
        wait_for(lambda: logs.runs == ["a", "b"])
        assert listener.total() == 3


def followers() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if "tbwidget-follower" in thread.name}


def test_two_dashboards_share_one_reader(tmp_path: Path, listener: Listener) -> None:
    write(tmp_path / "runs", range(3))
    (tmp_path / "link").symlink_to(tmp_path / "runs")
    before = followers()
    boards: list[Any] = [Dashboard(tmp_path / "runs"), Dashboard(tmp_path / "link")]
    assert boards[0]._logs is boards[1]._logs
    (follower,) = followers() - before
    boards.pop().close()
    assert follower.is_alive()
    boards.pop().close()
    wait_for(lambda: not follower.is_alive())
    assert listener.headers is not None


def test_writers_are_flushed_while_a_dashboard_wants_it(tmp_path: Path, listener: Listener) -> None:
    def flushes() -> bool:
        return any(thread.name == "tbwidget-flusher" for thread in threading.enumerate())

    board, other = Dashboard(tmp_path), Dashboard(tmp_path, flush_writers=False)
    try:
        assert flushes()
        writer = SummaryWriter(str(tmp_path / "run"))
        writer.add_scalar("loss", 0.5, 0)
        wait_for(lambda: listener.total() == 1)
        board.flush_writers = False
        assert not flushes()
        other.flush_writers = True
        assert flushes()
        board.close()
        assert flushes()
        writer.close()
    finally:
        board.close()
        other.close()
    assert not flushes()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> IdleClock:
    clock = IdleClock()
    monkeypatch.setattr("tbwidget.dashboard.board.idle_clock", lambda: clock)
    return clock


def test_without_clients_there_are_no_threads_and_no_messages(
    tmp_path: Path, listener: Listener, clock: IdleClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tbwidget.wire.clients.SILENCE_S", 0.3)
    before = set(threading.enumerate())
    board: Any = Dashboard(tmp_path)
    try:
        time.sleep(0.5)  # the cell that made it still runs, so that the kernel could not have handled any message
        write(tmp_path, range(4))
        wait_for(lambda: listener.total() == 4)
        clock.cell_ends(time.monotonic())
        wait_for(lambda: not set(threading.enumerate()) - before)
        write(tmp_path, range(4, 9))
        board._sender.wake()
        assert (board._sender.paused, listener.total()) == (True, 4)
        clock.cell_begins(time.monotonic())
        board._handle_custom_msg({"type": "here", "complete": True}, [])
        wait_for(lambda: listener.total() == 9)
        write(tmp_path / "other", range(12))
        wait_for(lambda: listener.total() == 12)
    finally:
        board.close()


def test_one_page_goes_and_another_is_not_heard_in_cells(
    tmp_path: Path, listener: Listener, clock: IdleClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tbwidget.wire.clients.SILENCE_S", 0.3)
    board: Any = Dashboard(tmp_path)

    def hear_on_subshell(**message: object) -> None:
        thread = threading.Thread(target=board._handle_custom_msg, args=(message, []))
        thread.start()
        thread.join()

    try:
        clock.cell_ends(time.monotonic())
        board._handle_custom_msg({"type": "here", "complete": True, "views": ["mute"]}, [])
        clock.cell_begins(time.monotonic())
        hear_on_subshell(type="hello", complete=True, views=["heard"])
        hear_on_subshell(type="bye", view="heard")
        time.sleep(0.5)
        write(tmp_path, range(4))
        wait_for(lambda: listener.total() == 4)
        hear_on_subshell(type="bye", view="mute")
        wait_for(lambda: board._sender.paused)
    finally:
        board.close()


@pytest.mark.usefixtures("listener")
def test_logs_released_by_one_of_two_dashboards_are_followed_for_the_other(
    tmp_path: Path, clock: IdleClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tbwidget.wire.clients.SILENCE_S", 0.3)
    boards: list[Any] = [Dashboard(tmp_path), Dashboard(tmp_path)]
    try:
        clock.cell_ends(time.monotonic())
        wait_for(lambda: all(board._sender.paused for board in boards) and not followers())
        monkeypatch.setattr("tbwidget.wire.clients.SILENCE_S", 60.0)  # the next steps may take a while
        # A dashboard that is displayed again is up to date at once.
        write(tmp_path, range(3))
        boards[0]._repr_mimebundle_()
        assert len(boards[0]._logs.scalars(".", "loss")) == 3
        assert not boards[0]._sender.paused
        clock.cell_begins(time.monotonic())
        boards.pop().close()
        assert len(followers()) == 1
        write(tmp_path / "other", range(5))
        wait_for(lambda: boards[0]._logs.runs == [".", "other"])
    finally:
        for board in boards:
            board.close()


def test_cells_are_listened_for_once_a_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    registered: list[str] = []

    class Events:
        def register(self, name: str, call: Callable[[], None]) -> None:
            registered.append(name)
            call()

    shell = type("Shell", (), {"events": Events()})()
    monkeypatch.setattr("tbwidget.dashboard.kernel.get_ipython", lambda: shell)
    monkeypatch.setattr(kernel, "_clock_of", {})
    first = kernel.idle_clock()
    assert kernel.idle_clock() is first
    assert registered == ["pre_execute", "post_execute"]


@pytest.mark.parametrize("gui_loop", [None, lambda _kernel: None])
def test_a_main_loop_that_a_window_system_keeps_is_not_asked(
    monkeypatch: pytest.MonkeyPatch, gui_loop: Callable[[object], None] | None
) -> None:
    """The kernel's responsiveness is unknown then: all time between cells counts."""
    asked: list[Callable[[], None]] = []
    loop = SimpleNamespace(add_callback=asked.append)
    shell = SimpleNamespace(
        events=SimpleNamespace(register=lambda _name, _call: None),
        kernel=SimpleNamespace(io_loop=loop, eventloop=gui_loop, get_parent=lambda _channel: {"header": {}}),
    )
    monkeypatch.setattr("tbwidget.dashboard.kernel.get_ipython", lambda: shell)
    monkeypatch.setattr(kernel, "_clock_of", {})
    clock = kernel.idle_clock()
    clients = Clients(clock)
    clients.hear(0)
    assert not clients.are_gone(0)
    assert len(asked) == (gui_loop is None)
    assert clients.are_gone(SILENCE_S + 1) == (gui_loop is not None)


class PlainComm:
    """A comm of ipykernel 6 and 7.0 to 7.3."""


class RoutingComm:
    """A comm of ipykernel 7.4: replies go to the sender of the last message."""

    _reply_subshell_id = None

    def _reply_subshell_for(self, _data: object, _default: object) -> object:
        return self._reply_subshell_id


class FrozenComm(RoutingComm):
    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(name, value)


def kernels_own_comms() -> list[type]:
    if importlib.util.find_spec("ipykernel") is None:
        return []
    from ipykernel.comm.comm import BaseComm  # noqa: PLC0415

    return [BaseComm] if hasattr(BaseComm, "_reply_subshell_for") else []


@pytest.mark.parametrize("kind", [RoutingComm, *kernels_own_comms()])
def test_answers_come_where_the_browser_asked_for(kind: type) -> None:
    comm = kind()
    assert comm._reply_subshell_for({"content": {}}, "asked for") != "asked for" or kind is not RoutingComm
    comm._reply_subshell_id = None  # sent last from the main shell
    assert comm._reply_subshell_for({"content": {}}, "asked for") is None
    kernel.answer_beside_cells(comm)
    assert comm._reply_subshell_for({"content": {}}, "asked for") == "asked for"


def test_comms_without_subshells_are_left_alone() -> None:
    for comm in (None, PlainComm(), FrozenComm()):
        before = dir(comm)
        kernel.handle_beside_cells(comm)
        assert dir(comm) == before
        assert not getattr(comm, "__dict__", {})


def test_messages_of_the_browser_reach_the_channel(
    tmp_path: Path, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[object] = []
    monkeypatch.setattr(Channel, "receive", lambda _channel, content: seen.append(content) if content else None)
    board: Any = Dashboard(tmp_path)
    try:
        board._handle_custom_msg({"type": "view", "tags": ["a"]}, [])
    finally:
        board.close()
    assert seen == [{"type": "view", "tags": ["a"]}]
    assert listener.headers is not None


def test_a_stop_after_the_initial_scan_leaves_the_updates_running(tmp_path: Path) -> None:
    write(tmp_path, range(3))
    board: Any = Dashboard(tmp_path)
    source = board._logs.source
    try:
        wait_for(lambda: source.ready)
        board._on_message(board, {"type": "stop"}, [])
        write(tmp_path, range(3, 5))
        wait_for(lambda: len(board._logs.scalars(".", "loss")) == 5)
    finally:
        board.close()


def test_a_stop_that_meets_the_end_of_the_initial_scan_changes_nothing(tmp_path: Path) -> None:
    write(tmp_path, range(3))
    logs = tbwidget.LogDir(tmp_path)
    for step in logs.source.poll(everywhere=True):
        if step.changes and logs.source.ready:
            break
        logs.source._reader.is_stopped = True
    assert logs.source.ready
    assert not logs.source._reader.is_stopped


def test_a_view_is_the_same_widget_on_one_panel(tmp_path: Path, listener: Listener) -> None:
    board: Any = tbwidget.ScalarsView(tmp_path, smoothing=0.9)
    try:
        assert (board.panel, board.get_state()["panel"], board.smoothing) == ("scalars", "scalars", 0.9)
        assert board.get_state()["_single"] is True
        with pytest.raises(traitlets.TraitError):
            board.panel = "images"
    finally:
        board.close()
    with pytest.raises(TypeError, match="ScalarsView has no option 'panel'"):
        tbwidget.ScalarsView(tmp_path, panel="images")  # type: ignore[call-arg]
    assert listener.headers is not None


@pytest.mark.parametrize(
    ("view", "panel", "kinds"),
    [
        (tbwidget.ScalarsView, "scalars", {"scalars"}),
        (tbwidget.HistogramsView, "histograms", {"histograms"}),
        (tbwidget.DistributionsView, "distributions", {"histograms"}),
    ],
)
def test_a_view_sends_the_data_of_its_panel(
    tmp_path: Path, listener: Listener, view: type[Board], panel: str, kinds: set[str]
) -> None:
    with SummaryWriter(str(tmp_path)) as writer:
        writer.add_scalar("loss", 0.5, 1)
        writer.add_histogram("weights", [1.0, 2.0, 4.0], 1)
    board = view(tmp_path)
    try:
        assert board.panel == panel
        wait_for(lambda: any(header["status"]["ready"] for header in listener.headers) and listener.kinds())
        assert listener.kinds() == kinds
    finally:
        board.close()


def test_tags_are_pinned_once(tmp_path: Path, listener: Listener) -> None:
    board = Dashboard(tmp_path, pinned=["lr"])
    try:
        for tag in ("loss", "acc", "loss", "lr"):
            board.pin(tag)
        assert board.pinned == ["lr", "loss", "acc"]
        with pytest.raises(TypeError, match="7"):
            board.pin(7)  # type: ignore[arg-type]
    finally:
        board.close()
    assert listener.headers is not None


def test_a_greeting_from_any_thread_is_heard(tmp_path: Path, listener: Listener) -> None:
    board: Any = Dashboard(tmp_path)
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
    [
        ("heigth", "'height'"),
        ("nonsense", "selected_runs"),
        ("runs", "mean .selected_runs."),
        ("_session", "options are"),
        ("style", ""),
    ],
)
def test_an_unknown_option_is_refused_with_a_hint(tmp_path: Path, name: str, hint: str) -> None:
    with pytest.raises(TypeError, match=f"Dashboard has no option '{name}': .*{hint}"):
        Dashboard(tmp_path, **{name: 1})  # type: ignore[arg-type]


def test_a_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "events.out.tfevents.1"
    path.touch()
    with pytest.raises(NotADirectoryError, match="pass the directory"):
        Dashboard(path)


def test_an_address_without_a_storage_is_refused_in_words() -> None:
    for make in (Dashboard, show):
        with pytest.raises(ValueError, match="no storage is known for nothing://"):
            make("nothing://b/runs")


def test_the_state_holds_options_and_no_data(tmp_path: Path, listener: Listener) -> None:
    write(tmp_path, range(100))
    board = Dashboard(tmp_path)
    try:
        wait_for(lambda: listener.total() == 100)
        own = {name for name in board.keys if not name.startswith("_")} - {"layout", "tabbable", "tooltip"}
    finally:
        board.close()
    assert own == set(Dashboard.class_trait_names(option=True))


def test_only_exported_state_holds_data(tmp_path: Path, listener: Listener) -> None:
    write(tmp_path, range(100))
    board: Any = Dashboard(tmp_path)
    try:
        exported = board._get_embed_state(drop_defaults=True)["state"]
        assert json.loads(exported["_saved"]["messages"][0]["header"])["series"][0]["total"] == 100
        assert exported["_esm"] == board.get_state()["_esm"]
        assert board.get_state()["_saved"] == {}
    finally:
        board.close()
    assert listener.headers is not None


@pytest.mark.parametrize("takes_input", [False, True])
def test_cells_that_a_program_runs_leave_logged_data_in_the_state(
    tmp_path: Path,
    listener: Listener,
    monkeypatch: pytest.MonkeyPatch,
    takes_input: bool,  # noqa: FBT001
) -> None:
    shell = Shell(monkeypatch, takes_input=takes_input)
    board: Any = Dashboard(tmp_path)

    def saved_after_a_cell() -> int:
        shell.end_cell()
        return sum(
            entry["total"] for one in board._saved.get("messages", ()) for entry in json.loads(one["header"])["series"]
        )

    try:
        before = len(shell.callbacks)
        assert saved_after_a_cell() == 0
        write(tmp_path, range(50))
        assert saved_after_a_cell() == (0 if takes_input else 50)
    finally:
        board.close()
    assert len(shell.callbacks) == before - 1
    assert listener.headers is not None


def test_show_displays_and_returns_none(tmp_path: Path, listener: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Dashboard] = []
    monkeypatch.setattr("tbwidget.dashboard.display", shown.append)
    assert show(tmp_path, height=400) is None  # type: ignore[func-returns-value]
    (board,) = shown
    assert board.height == 400
    wait_for(lambda: listener.headers)
    board.close()


def test_running_a_cell_again_reuses_the_data_already_read(
    tmp_path: Path, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[Any] = []
    monkeypatch.setattr("tbwidget.dashboard.display", shown.append)
    shell = Shell(monkeypatch, "one")
    show(tmp_path)
    show(tmp_path)
    shell.execution_count = 2
    with pytest.raises(TypeError):
        show(tmp_path, nonsense=1)  # type: ignore[call-arg]
    assert not any(board._ended for board in shown)
    show(tmp_path)
    assert [board._ended for board in shown] == [True, True, False]
    assert shown[2]._logs is shown[0]._logs
    assert shown[2]._logs.source._follower is not None
    shown[2].close()
    assert shown[2]._logs.source._follower is None
    assert listener.headers is not None


def test_show_takes_the_usual_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(TypeError, match=r'as in show\("runs"\): of runs, logs and lightning_logs, none exists in'):
        show()
    (tmp_path / "logs").mkdir()
    show()
    assert "Dashboard(logs='logs')" in capsys.readouterr().out
    for board in [widget for widget in _instances.values() if isinstance(widget, Dashboard)]:
        board.close()
    (tmp_path / "runs").mkdir()
    with pytest.raises(TypeError, match=r"Write show\('runs'\) or show\('logs'\)"):
        show()


def test_an_address_is_refused_before_anything_is_read() -> None:
    for read in (tbwidget.load, tbwidget.LogDir, tbwidget.figure):
        with pytest.raises(ValueError, match="no storage is known for nothing://"):
            read("nothing://bucket/runs")


def test_save_returns_the_path_and_prints_the_size(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, range(100))
    board = Dashboard(tmp_path)
    try:
        written = board.save(str(tmp_path / "report.html"))
    finally:
        board.close()
    assert written == tmp_path / "report.html"
    assert capsys.readouterr().out == f"{written}: {written.stat().st_size / 1e6:.1f} MB\n"
    assert tbwidget.export_html(tmp_path, tmp_path / "other.html") == tmp_path / "other.html"
