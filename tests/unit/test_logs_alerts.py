"""Alerts of a log directory: from the initial scan, from growth, and for subscribers."""

from __future__ import annotations

import base64
import gc
import json
import os
import signal
import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import traitlets

import tbwidget
from tbwidget import Alert
from tbwidget.dashboard import alerts as alerts_document
from tbwidget.dashboard.board import _ALERTS_CHANGED
from tbwidget.logs.accessors import Logs
from tbwidget.logs.alerts import watch
from tbwidget.logs.alerts.curve import Curve
from tbwidget.logs.alerts.pauses import quiet_limit
from tbwidget.logs.inmemory import InMemoryEmbeddings
from tbwidget.logs.kinds.hparams import hparams
from tests.support.eventfiles import NAME, event, plugin, points, simple, strings, write
from tests.support.trials import ended, started
from tests.support.waiting import wait_for

BEGIN = 1.7e9


def curve(tag: str, values: list[float], *, first: int = 0, wall_time: float = BEGIN, spacing: float = 1.0) -> bytes:
    """Make events with one value a step."""
    return b"".join(
        event(wall_time + spacing * place, first + place, simple(tag, value)) for place, value in enumerate(values)
    )


def append(path: Path, data: bytes) -> None:
    """Append and flush, as a writer does."""
    with path.open("ab") as file:
        file.write(data)


def rules_of(logs: tbwidget.LogDir) -> list[tuple[str, str, int, str]]:
    return [(alert.run, alert.tag, alert.step, alert.rule) for alert in logs.alerts]


def threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if "alert" in thread.name]


def test_a_first_reading_raises_alerts(tmp_path: Path) -> None:
    write(tmp_path / "a" / NAME, curve("loss", [2.0, 1.0, float("nan"), 1.0]), curve("x", [1, float("-inf")]))
    write(tmp_path / "b" / NAME, curve("loss", [2 - 0.1 * step for step in range(19)] + [5.0] * 10))
    with tbwidget.load(tmp_path, cache=False) as logs:
        alerts = logs.alerts
        assert rules_of(logs) == [
            ("a", "x", 1, "non-finite"),
            ("a", "loss", 2, "non-finite"),
            ("b", "loss", 21, "diverged"),
        ]
        assert alerts[0] == Alert("a", "x", 1, "non-finite", "the value is -infinity", BEGIN + 1)
        assert (alerts[1].code, alerts[1].arguments) == ("alert-non-finite", {"value": "NaN"})
        assert str(alerts[1]) == "a: loss at step 2: the value is NaN"
        alerts.clear()  # a snapshot
        assert len(logs.alerts) == 3


def test_the_newest_of_too_many_alerts_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tags = [curve(f"loss/{i}", [1.0, float("nan")], wall_time=BEGIN + i) for i in range(6)]
    write(tmp_path / NAME, *tags)
    monkeypatch.setattr(watch, "MAX_LISTED", 4)
    monkeypatch.setattr(alerts_document, "MAX_DOCUMENT_BYTES", 400)
    with tbwidget.load(tmp_path) as logs:
        assert [alert.tag for alert in logs.alerts] == [f"loss/{i}" for i in range(2, 6)]
        document = json.loads(alerts_document.AlertsDocument(tuple(logs.alerts)).encode())
    assert document["count"] == 4
    assert [row["tag"] for row in document["alerts"]] == ["loss/4", "loss/5"]


def test_functions_receive_each_of_many_alerts_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / NAME, curve("b", [float("nan")], wall_time=BEGIN + 1))
    monkeypatch.setattr(watch, "MAX_LISTED", 1)
    heard: list[str] = []
    with tbwidget.load(tmp_path) as logs:
        logs.on_alert(lambda alert: heard.append(alert.tag))
        wait_for(lambda: heard == ["b"])
        append(path, curve("a", [float("nan")]))  # older than the listed alert
        logs.refresh()
        wait_for(lambda: heard == ["b", "a"])
        append(path, curve("c", [float("nan")], wall_time=BEGIN + 2))
        logs.refresh()
        wait_for(lambda: heard == ["b", "a", "c"])
        logs.alert_rules = {"stalled_seconds": 100}
        later = write(tmp_path / f"{NAME}.later", curve("d", [float("nan")], wall_time=BEGIN + 3))
        logs.refresh()
        wait_for(lambda: heard == ["b", "a", "c", "d"])
        later.unlink()
        logs.refresh()
        assert [alert.tag for alert in logs.alerts] == ["c"]
        time.sleep(0.1)
        assert heard == ["b", "a", "c", "d"]


def test_superseded_points_raise_none(tmp_path: Path) -> None:
    path = write(tmp_path / NAME, curve("loss", [2.0, float("nan"), float("nan")]))
    with tbwidget.load(tmp_path, cache=False) as logs:
        assert [alert.step for alert in logs.alerts] == [1]
        append(path, event(BEGIN + 9, 1, start=True) + curve("loss", [1.0, 1.0], first=1, wall_time=BEGIN + 10))
        logs.refresh()
        assert logs.alerts == []


def test_appended_points_raise_alerts_as_a_fresh_load_does(tmp_path: Path) -> None:
    path = write(tmp_path / NAME, curve("loss", [2 - 0.1 * step for step in range(19)]))
    with tbwidget.load(tmp_path, cache=False) as logs:
        assert logs.alerts == []
        for step in range(19, 29):
            append(path, curve("loss", [5.0], first=step, wall_time=BEGIN + step))
            logs.refresh()
            with tbwidget.load(tmp_path, cache=False) as fresh:
                assert logs.alerts == fresh.alerts
        assert rules_of(logs) == [(".", "loss", 21, "diverged")]
        path.unlink()
        logs.refresh()
        assert logs.alerts == []


def test_thresholds_turn_rules_on_and_off(tmp_path: Path) -> None:
    write(tmp_path / NAME, curve("loss", [2.0] * 100), curve("y", [float("nan")]))
    with tbwidget.load(tmp_path, cache=False) as logs:
        assert [alert.rule for alert in logs.alerts] == ["non-finite"]
        logs.alert_rules = {"plateau_steps": 90, "non_finite": False}
        assert rules_of(logs) == [(".", "loss", 4, "plateau")]
        assert logs.alerts[0].message == "no improvement on 2 in 90 steps"
        assert logs.alert_rules["plateau_steps"] == 90
        with pytest.raises(ValueError, match="no threshold 'plateau'"):
            logs.alert_rules = {"plateau": 90}
        assert logs.alert_rules["plateau_steps"] == 90
        logs.alert_rules = {}
        assert [alert.rule for alert in logs.alerts] == ["non-finite"]


def test_functions_receive_earlier_and_later_alerts(tmp_path: Path) -> None:
    path = write(tmp_path / NAME, curve("loss", [1.0, float("nan")]))
    heard: list[Alert] = []
    names: set[str] = set()

    def hear(alert: Alert) -> None:
        heard.append(alert)
        names.add(threading.current_thread().name)

    with tbwidget.load(tmp_path, cache=False) as logs:
        logs.follow(0.05)
        remove = logs.on_alert(hear)
        wait_for(lambda: len(heard) == 1)
        append(path, curve("acc", [float("inf")]))
        wait_for(lambda: len(heard) == 2)
        assert [alert.tag for alert in heard] == ["loss", "acc"]
        assert names == {"tbwidget-on-alert"}
        remove()
        append(path, curve("late", [float("inf")]))
        wait_for(lambda: len(logs.alerts) == 3)
        assert len(heard) == 2
        logs.on_alert(hear)
        wait_for(lambda: len(heard) == 5)
    assert threads() == []
    assert logs.problems == []


def test_an_interrupted_evaluation_is_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / NAME, curve("acc", [float("nan")]), curve("loss", [1.0]))
    update = Curve.update
    interrupts = [KeyboardInterrupt()]

    def interrupted(self: Curve, scalars: Any, rules: Any) -> None:
        update(self, scalars, rules)
        if interrupts:
            raise interrupts.pop()

    monkeypatch.setattr(Curve, "update", interrupted)
    with tbwidget.load(tmp_path, cache=False) as logs:
        with pytest.raises(KeyboardInterrupt):
            _ = logs.alerts
        assert len(logs.alerts) == 1
        append(path, curve("loss", [float("nan")], first=1))
        logs.refresh()
        interrupts.append(KeyboardInterrupt())
        with pytest.raises(KeyboardInterrupt):
            _ = logs.alerts
        assert len(logs.alerts) == 2
        interrupts.append(KeyboardInterrupt())
        logs.alert_rules = {"plateau_steps": 10}
        with pytest.raises(KeyboardInterrupt):
            _ = logs.alerts
        assert len(logs.alerts) == 2


def test_a_series_that_cannot_be_evaluated_stops_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / NAME, curve("acc", [float("nan")]), curve("loss", [float("nan")] * 2))
    update = Curve.update

    def fail(self: Curve, scalars: Any, rules: Any) -> None:
        if len(scalars) == 1:
            raise IndexError
        update(self, scalars, rules)

    monkeypatch.setattr(Curve, "update", fail)
    with tbwidget.load(tmp_path, cache=False) as logs:
        assert [alert.tag for alert in logs.alerts] == ["loss"]


def test_changes_during_an_evaluation_are_evaluated_soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / NAME, curve("loss", [1.0]))
    with tbwidget.load(tmp_path, cache=False) as logs:
        assert logs.alerts == []
        find = logs.alert_watch._find_stalled

        def find_while_it_grows() -> None:
            find()
            append(path, curve("acc", [float("nan")]))
            logs.refresh()

        monkeypatch.setattr(logs.alert_watch, "_find_stalled", find_while_it_grows)
        _, event = logs.alert_watch.step()
        assert event is not None
        assert event.is_set()


def test_an_evaluation_holds_up_neither_subscribers_nor_thresholds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / NAME, curve("loss", [1.0] * 100 + [float("nan")]))
    update, began, go = Curve.update, threading.Event(), threading.Event()
    told = threading.Event()

    def wait(self: Curve, scalars: Any, rules: Any) -> None:
        began.set()
        assert go.wait(30)
        update(self, scalars, rules)

    monkeypatch.setattr(Curve, "update", wait)
    with tbwidget.load(tmp_path, cache=False) as logs:
        ends = [logs.alert_watch.listen(told.set)]
        try:
            assert began.wait(30)
            begin = time.monotonic()
            ends.append(logs.alert_watch.listen(lambda: None))
            ends.append(logs.on_alert(lambda _: None))
            logs.alert_rules = {"plateau_steps": 50}
            ends.pop()()
            assert time.monotonic() - begin < 10
            assert not told.is_set()
        finally:
            go.set()
        wait_for(lambda: len(logs.alert_watch.listed) == 2)
        for end in ends:
            end()


def test_a_failing_function_is_one_problem_and_stops_no_other(tmp_path: Path) -> None:
    write(tmp_path / NAME, curve("loss", [float("nan")]), curve("acc", [float("nan")]))
    heard: list[str] = []

    def fail(alert: Alert) -> None:
        heard.append(alert.tag)
        raise RuntimeError("no mail today")

    with tbwidget.load(tmp_path, cache=False) as logs:
        logs.on_alert(fail)
        logs.on_alert(lambda alert: heard.append(alert.tag.upper()))
        wait_for(lambda: len(heard) == 4)
        wait_for(lambda: logs.problems)
        (problem,) = logs.problems
        assert problem.code == "alert-function-failed"
        assert problem.message.endswith("fail of on_alert failed: RuntimeError: no mail today")


def test_a_slow_function_holds_up_neither_alerts_nor_others(tmp_path: Path) -> None:
    path = write(tmp_path / NAME, curve("loss", [float("nan")]))
    go = threading.Event()
    heard: list[Alert] = []
    with tbwidget.load(tmp_path, cache=False) as logs:
        logs.follow(0.05)
        logs.on_alert(lambda _: go.wait(30))
        logs.on_alert(heard.append)
        wait_for(lambda: len(heard) == 1)
        append(path, curve("acc", [float("nan")]))
        wait_for(lambda: len(heard) == 2)
        go.set()
    assert threads() == []


def test_a_function_may_close_the_logs(tmp_path: Path) -> None:
    write(tmp_path / NAME, curve("loss", [float("nan")]))
    logs = tbwidget.load(tmp_path, cache=False)
    logs.follow()
    logs.on_alert(lambda _: logs.close())
    wait_for(lambda: threads() == [])


def test_nothing_outlives_logs_without_a_reference(tmp_path: Path) -> None:
    write(tmp_path / NAME, curve("loss", [1.0]))
    logs = tbwidget.load(tmp_path, cache=False)
    logs.on_alert(lambda _: None)
    assert len(threads()) == 2
    logs.close()
    assert threads() == []


def test_logs_that_are_dropped_end_the_thread_of_a_function(tmp_path: Path) -> None:
    write(tmp_path / NAME, curve("loss", [float("nan")]))
    heard: list[Alert] = []
    logs = tbwidget.load(tmp_path, cache=False)
    logs.on_alert(heard.append)
    wait_for(lambda: heard)
    watched = weakref.ref(logs.alert_watch)
    del logs
    wait_for(lambda: gc.collect() is not None and watched() is None)
    wait_for(lambda: threads() == [])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_child_that_is_forked_during_an_evaluation_uses_the_alerts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / NAME, curve("loss", [float("nan")]))
    update, began, go = Curve.update, threading.Event(), threading.Event()
    parent = os.getpid()

    def wait(self: Curve, scalars: Any, rules: Any) -> None:
        if os.getpid() == parent:
            began.set()
            assert go.wait(60)
        update(self, scalars, rules)

    monkeypatch.setattr(Curve, "update", wait)
    with tbwidget.load(tmp_path, cache=False) as logs:
        logs.on_alert(lambda _: None)
        assert began.wait(30)
        child = os.fork()
        if not child:
            signal.alarm(20)
            found = 0
            try:
                logs.alert_rules = {"plateau_steps": 10}
                logs.alert_watch.close()
                found = len(logs.alerts)
            finally:
                os._exit(0 if found == 1 else 1)
        try:
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        finally:
            go.set()


QUICK = {"stalled_seconds": 0.4, "stalled_intervals": 3}


def live(path: Path, *more: bytes) -> Path:
    """Write a run whose last point was written now, with one every 0.05 s."""
    return write(path, *more, curve("loss", [1.0] * 20, wall_time=time.time() - 1, spacing=0.05))


def test_a_run_that_stops_growing_stalls_and_goes_on(tmp_path: Path) -> None:
    path = live(tmp_path / "a" / NAME)
    with tbwidget.load(tmp_path, cache=False) as logs:
        logs.alert_rules = QUICK
        logs.follow(0.05)
        assert logs.alerts == []
        wait_for(lambda: logs.alerts)
        assert rules_of(logs) == [("a", "loss", 19, "stalled")]
        assert logs.alerts[0].message == ("stalled: no point for 0.4 s, usually one every 0.05 s; no end was written")
        append(path, curve("loss", [1.0], first=20, wall_time=time.time()))
        wait_for(lambda: not logs.alerts)
        wait_for(lambda: logs.alerts)
        assert logs.alerts[0].step == 20


def test_a_run_stalls_also_if_alerts_were_asked_for_during_the_first_scan(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live(tmp_path / NAME)
    with tbwidget.load(tmp_path, cache=False) as logs:
        logs.alert_rules = QUICK
        with monkeypatch.context() as patched:
            patched.setattr(type(logs.source), "polled_at", None)
            assert logs.alerts == []
        logs.follow(0.05)
        wait_for(lambda: [alert.rule for alert in logs.alerts] == ["stalled"])


def test_only_a_written_end_keeps_a_run_from_stalling(tmp_path: Path) -> None:
    session = event(BEGIN, 0, started(lr=0.1))
    live(tmp_path / "ended" / "train" / NAME)
    write(tmp_path / "ended" / NAME, session, event(BEGIN, 0, ended()))
    live(tmp_path / "running" / NAME, session)
    with tbwidget.load(tmp_path, cache=False) as logs:
        logs.alert_rules = QUICK
        logs.follow(0.05)
        wait_for(lambda: logs.alerts)
        time.sleep(0.5)
        assert [(alert.run, alert.rule) for alert in logs.alerts] == [("running", "stalled")]


def test_a_run_that_ended_before_the_first_reading_does_not_stall(tmp_path: Path) -> None:
    write(tmp_path / "old" / NAME, curve("loss", [1.0] * 20))
    with tbwidget.load(tmp_path, cache=False) as logs:
        logs.alert_rules = QUICK
        logs.follow(0.05)
        assert logs.alerts == []
        time.sleep(0.6)
        assert logs.alerts == []


def test_logs_that_nothing_polls_do_not_stall(tmp_path: Path) -> None:
    path = live(tmp_path / NAME)
    with tbwidget.load(tmp_path, cache=False) as logs:
        logs.alert_rules = QUICK
        assert logs.alerts == []
        time.sleep(0.6)
        assert logs.alerts == []  # a property does not read the disk
        logs.refresh()
        assert rules_of(logs) == [(".", "loss", 19, "stalled")]
        append(path, points("acc", [1, 2], time.time()))
        logs.refresh()
        assert logs.alerts == []


def replace(path: Path, logs: tbwidget.LogDir, *parts: bytes) -> None:
    """Replace an event file by one with these parts, within one poll."""
    path.unlink()
    write(path.with_name(f"{NAME}.later"), *parts)
    logs.refresh()


def test_a_run_whose_scalars_are_gone_stops_no_evaluation(tmp_path: Path) -> None:
    path = live(tmp_path / "a" / NAME)
    write(tmp_path / "b" / NAME, curve("loss", [float("nan")]))
    with tbwidget.load(tmp_path, cache=False) as logs:
        logs.alert_rules = QUICK
        assert len(logs.alerts) == 1
        replace(path, logs, event(time.time(), 0, strings("note", plugin("text"), b"x")))
        assert "a" in logs.runs
        time.sleep(0.6)
        logs.refresh()
        assert rules_of(logs) == [("b", "loss", 0, "non-finite")]


def test_a_run_stalls_whose_tag_that_grew_last_is_gone(tmp_path: Path) -> None:
    path = live(tmp_path / NAME)
    now = time.time()
    with tbwidget.load(tmp_path, cache=False) as logs:
        logs.alert_rules = QUICK
        assert logs.alerts == []
        replace(
            path,
            logs,
            curve("acc", [1.0] * 20, wall_time=now - 1, spacing=0.05),
            curve("lr", [1.0] * 10, wall_time=now - 1, spacing=0.05),
        )
        logs.alert_watch._changed.take()  # type: ignore[union-attr]
        time.sleep(0.6)
        logs.refresh()
        assert rules_of(logs) == [(".", "acc", 19, "stalled")]


def test_pauses_that_recur_are_no_stall(tmp_path: Path) -> None:
    now = time.time()
    parts = [curve("loss", [1.0] * 10, first=10 * turn, wall_time=now - 4 + turn, spacing=0.01) for turn in range(5)]
    write(tmp_path / NAME, *parts)  # 0.1 s of steps, then a pause of 0.9 s
    with tbwidget.load(tmp_path, cache=False) as logs:
        logs.alert_rules = QUICK
        logs.follow(0.05)
        assert logs.alerts == []
        time.sleep(1.2)
        assert logs.alerts == []
        wait_for(lambda: logs.alerts)


def test_a_quiet_run_that_has_not_stalled_is_examined_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    live(tmp_path / NAME)
    examined: list[str] = []

    def counted(function: Callable[..., Any]) -> Callable[..., Any]:
        def count(*given: Any, **more: Any) -> Any:
            examined.append(function.__name__)
            return function(*given, **more)

        return count

    monkeypatch.setattr(watch, "quiet_limit", counted(quiet_limit))
    monkeypatch.setattr(watch, "hparams", counted(hparams))
    with tbwidget.load(tmp_path, cache=False) as logs:
        logs.alert_rules = QUICK | {"stalled_intervals": 1000}
        assert logs.alerts == []
        time.sleep(0.5)
        for _ in range(3):
            logs.refresh()
            assert logs.alerts == []
        assert examined == ["quiet_limit"]
        logs.alert_rules = QUICK
        assert [alert.rule for alert in logs.alerts] == ["stalled"]


def test_logs_in_memory_have_no_alerts() -> None:
    logs = Logs(InMemoryEmbeddings([]))
    assert logs.alerts == []


def test_a_dashboard_lists_alerts_takes_thresholds_and_saves_them(tmp_path: Path) -> None:
    write(tmp_path / "logs" / "a" / NAME, curve("loss", [1.0] * 60 + [float("nan")]))
    board: Any = tbwidget.Dashboard(tmp_path / "logs", alert_rules={"plateau_steps": 50})
    try:
        wait_for(lambda: board._logs.source.ready)
        assert [alert.rule for alert in board.alerts] == ["plateau", "non-finite"]
        board.alert_rules = {}
        assert [alert.rule for alert in board.alerts] == ["non-finite"]
        with pytest.raises(traitlets.TraitError, match="alert_rules: there is no threshold 'x'"):
            board.alert_rules = {"x": 1}
        (message,) = board._snapshot()["messages"]
        header = json.loads(message["header"])
        (entry,) = [entry for entry in header["documents"] if entry["kind"] == "alerts"]
        data = base64.b64decode(message["buffer"])
        assert entry["size"] > 100
        assert b'"rule":"non-finite"' in data
        assert b'"code":"alert-non-finite"' in data
    finally:
        board.close()
    assert threads() == []


def test_a_page_learns_of_an_alert_that_no_data_come_with(tmp_path: Path) -> None:
    live(tmp_path / NAME)
    board: Any = tbwidget.Dashboard(tmp_path, alert_rules=QUICK)
    told: list[object] = []
    try:
        board._channel.notify = told.append
        # On a busy machine, the initial scan may be told first.
        wait_for(lambda: _ALERTS_CHANGED in told)
        assert [alert.rule for alert in board.alerts] == ["stalled"]
    finally:
        board.close()


def test_thresholds_of_a_file_replace_none_that_python_set(tmp_path: Path) -> None:
    write(tmp_path / "logs" / NAME, curve("loss", [1.0] * 60))
    (tmp_path / "logs" / "tbwidget.json").write_text('{"version": 1, "alert_rules": {"plateau_steps": 50}}')
    logs = tbwidget.load(tmp_path / "logs")
    boards: list[Any] = []
    try:
        boards.append(tbwidget.Dashboard(logs))
        boards[0]._file_reader.join()
        assert logs.alert_rules["plateau_steps"] == 50
        logs.alert_rules = {"plateau_steps": 20}
        boards.append(tbwidget.Dashboard(logs))
        boards[1]._file_reader.join()
        tbwidget.export_html(logs, tmp_path / "page.html")
        assert logs.alert_rules["plateau_steps"] == 20
        boards[1].alert_rules = {"plateau_steps": 30}
        assert logs.alert_rules["plateau_steps"] == 30
    finally:
        for board in boards:
            board.close()
        logs.close()
