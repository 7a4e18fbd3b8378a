"""The sending thread: it paces itself, ends, survives errors, and blocks no other thread."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any

import pytest

from tbwidget.panels.scalars import ScalarsContent
from tbwidget.wire.channel import Channel
from tbwidget.wire.clients import SILENCE_S, IdleClock
from tbwidget.wire.sender import Sender
from tests.support.feeds import CONTENTS, FakeSource, logs_over
from tests.support.waiting import PATIENCE, wait_for

CELL: ContextVar[str] = ContextVar("cell")
"""Like ipykernel 7.0's variable of the running cell, which is read when a message is sent: unset, it raises."""


class Wire:
    """Collects messages."""

    def __init__(self) -> None:
        self.headers: list[dict[str, Any]] = []
        self.cells: set[str] = set()
        self.failing = 0

    def __call__(self, header: dict[str, Any], buffer: bytes) -> None:
        assert type(buffer) is bytes
        if self.failing > 0:
            self.failing -= 1
            raise OSError(107, "Transport endpoint is not connected")
        self.cells.add(CELL.get("none"))
        self.headers.append(header)


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    yield
    wait_for(lambda: not any(thread.name == "tbwidget-sender" for thread in threading.enumerate()))


def logs_of() -> FakeSource:
    logs = FakeSource()
    logs.put("a", "loss", [0], [1])
    return logs


def test_posted_changes_are_sent_until_the_sender_is_closed() -> None:
    logs, wire = logs_of(), Wire()
    channel = Channel(logs_over(logs), CONTENTS)
    sender = Sender(channel, wire)
    sender.start()
    wait_for(lambda: wire.headers)
    assert [header["begins"] for header in wire.headers[:1]] == [True]
    channel.notify(logs.put("a", "loss", [1], [1]))
    sender.wake()
    wait_for(lambda: any(entry["total"] == 2 for header in wire.headers for entry in header["series"]))
    sender.close(PATIENCE)
    sent = len(wire.headers)
    channel.notify(logs.put("a", "loss", [2], [1]))
    sender.wake()
    time.sleep(0.3)
    assert len(wire.headers) == sent
    sender.close(PATIENCE)


def test_messages_belong_to_the_cell_that_made_the_dashboard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tbwidget.wire.clients.SILENCE_S", 0.1)
    wire, clock = Wire(), IdleClock(cell_runs=False)
    token = CELL.set("this")
    sender = Sender(Channel(logs_over(logs_of()), CONTENTS, idle_clock=clock), wire)
    CELL.reset(token)
    sender.start()
    wait_for(lambda: wire.headers and sender.paused)
    sent = len(wire.headers)
    # The same holds for the next thread, whichever thread started it.
    clock.cell_begins(time.monotonic())
    sender._channel.connect()
    threading.Thread(target=sender.resume).start()
    wait_for(lambda: len(wire.headers) > sent)
    assert wire.cells == {"this"}
    sender.close(PATIENCE)


def test_the_switch_interval_is_short_until_the_backlog_is_sent() -> None:
    usual = sys.getswitchinterval()
    logs, wire = logs_of(), Wire()
    logs.ready = False
    channel = Channel(logs_over(logs), CONTENTS)
    sender = Sender(channel, wire)
    sender.start()
    wait_for(lambda: wire.headers)
    assert sys.getswitchinterval() < usual
    logs.ready = True
    sender.wake()
    wait_for(lambda: sys.getswitchinterval() == usual)
    assert any(header["series"] for header in wire.headers)
    sender.close(PATIENCE)


def test_the_switch_interval_is_restored_by_an_early_end() -> None:
    usual = sys.getswitchinterval()
    logs = logs_of()
    logs.ready = False
    sender = Sender(Channel(logs_over(logs), CONTENTS), Wire())
    sender.start()
    wait_for(lambda: sys.getswitchinterval() < usual)
    sender.close(PATIENCE)
    assert sys.getswitchinterval() == usual


def test_closing_a_sender_that_was_never_started_does_nothing() -> None:
    Sender(Channel(logs_over(logs_of()), CONTENTS), Wire()).close(PATIENCE)


def test_a_transport_that_fails_is_logged_once_and_a_keyframe_makes_up_for_it(
    caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    wire = Wire()
    wire.failing = 2
    sender = Sender(Channel(logs_over(logs_of()), CONTENTS), wire)
    sender.start()
    wait_for(lambda: any(header["series"] for header in wire.headers))
    sender.close(PATIENCE)
    assert [record.message for record in caplog.records] == ["sending a message failed"]
    assert capsys.readouterr() == ("", "")


def test_a_channel_that_fails_sends_everything_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("tbwidget.wire.sender._AFTER_ERROR", 0.05)
    failures: list[float] = []
    original, wire = Channel.next_message, Wire()

    def failing(channel: Channel, now: float) -> Any:
        if len(failures) < 2:
            failures.append(now)
            raise OSError(5, "Input/output error")
        return original(channel, now)

    monkeypatch.setattr(Channel, "next_message", failing)
    sender = Sender(Channel(logs_over(logs_of()), CONTENTS), wire)
    sender.start()
    wait_for(lambda: any(header["series"] for header in wire.headers))
    sender.close(PATIENCE)
    assert len(caplog.records) == 2


class SlowDisk(ScalarsContent):
    """A source whose reading takes until the test releases it."""

    def __init__(self) -> None:
        self.reading = threading.Event()
        self.go_on = threading.Event()

    def read(self, logs: Any, run: str, tag: str) -> Any:
        self.reading.set()
        assert self.go_on.wait(PATIENCE)
        return super().read(logs, run, tag)


def test_nothing_waits_for_the_disk() -> None:
    """Messages of browsers and changes are accepted at once while the sending thread reads."""
    content, logs, wire = SlowDisk(), logs_of(), Wire()
    channel = Channel(logs_over(logs), (content,))
    sender = Sender(channel, wire)
    sender.start()
    assert content.reading.wait(PATIENCE)
    begin = time.monotonic()
    for _ in range(100):
        channel.receive({"type": "hello", "complete": False})
        channel.receive({"type": "view", "view": "v", "tags": ["loss"], "want": [], "seq": 1})
        channel.notify(logs.put("a", "loss", [len(logs.series["a", "loss"])], [1]))
        channel.post_answer("r", "refused")
        sender.resume()
    assert time.monotonic() - begin < PATIENCE / 2, "it waited until the disk was given up"
    content.go_on.set()
    wait_for(lambda: any(header["answers"] for header in wire.headers))
    sender.close(PATIENCE)


def test_without_clients_no_messages_are_sent_until_one_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tbwidget.wire.clients.SILENCE_S", 0.2)
    clock, wire, logs = IdleClock(cell_runs=True), Wire(), logs_of()
    channel = Channel(logs_over(logs), CONTENTS, idle_clock=clock)
    sender = Sender(channel, wire)
    sender.start()
    wait_for(lambda: wire.headers)
    time.sleep(0.4)
    assert not channel.is_abandoned(time.monotonic()), "a cell runs: nobody could have been heard"
    clock.cell_ends(time.monotonic())
    wait_for(lambda: channel.is_abandoned(time.monotonic()))
    sender.wake()
    wait_for(lambda: not sender._wake.is_set())  # what it was about to send has left
    channel.notify(logs.put("a", "loss", [1], [1]))
    sender.wake()
    time.sleep(0.4)
    assert not any(entry["total"] == 2 for header in wire.headers for entry in header["series"])
    channel.receive({"type": "here", "complete": True})
    sender.resume()
    wait_for(lambda: any(entry["total"] == 2 for header in wire.headers for entry in header["series"]))
    sender.close(PATIENCE)


def test_a_cell_that_makes_a_dashboard_in_a_thread_of_its_own_is_no_client_that_is_heard_in_cells() -> None:
    channel = Channel(logs_over(logs_of()), CONTENTS, idle_clock=IdleClock(cell_runs=True))
    sender = Sender(channel, wire := Wire())
    maker = threading.Thread(target=sender.start)
    maker.start()
    maker.join()
    wait_for(lambda: wire.headers)
    sender.close(PATIENCE)
    assert not channel.is_abandoned(time.monotonic() + SILENCE_S + 1), "the kernel hears nobody while the cell runs"


class Clock:
    """A clock that moves on request."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now


def test_an_hour_without_clients_costs_nothing_and_leaves_no_backlog(monkeypatch: pytest.MonkeyPatch) -> None:
    time_of_sender, clock, wire, logs = Clock(), IdleClock(cell_runs=True), Wire(), logs_of()
    monkeypatch.setattr("tbwidget.wire.sender.time", time_of_sender)
    channel = Channel(logs_over(logs), CONTENTS, idle_clock=clock)
    sender = Sender(channel, wire)
    sent_at: list[float] = []
    steps = 1

    def until(end: float) -> list[dict[str, Any]]:
        """Log a point each second until `end`, whether or not a client listens; return the sent headers."""
        nonlocal steps
        begun = len(wire.headers)
        while time_of_sender.now < end:
            before = len(wire.headers)
            wait = sender._send_due()
            sent_at.extend([time_of_sender.now] * (len(wire.headers) - before))
            time_of_sender.now = min(time_of_sender.now + max(wait, 0.01), steps, end)
            if time_of_sender.now == steps:
                channel.notify(logs.put("a", "loss", [steps], [1]))
                steps += 1
        return wire.headers[begun:]

    # During a cell the kernel handles no messages, so that silence does not mean that all clients are gone.
    training = until(600)
    assert len(training) >= 600
    assert training[-1]["seq"] == len(wire.headers), "none was left out"
    clock.cell_ends(600)
    assert until(660)
    assert until(662), "a minute, and no less"
    assert until(4000) == []
    posted = channel._inbox._post
    assert posted is not None
    assert len(posted.changed) == 1
    assert not posted.messages
    # A client comes back: missed data arrive at once, together with new data.
    channel.receive({"type": "here", "complete": True})
    back = until(4002)
    assert next(entry["total"] for header in back for entry in header["series"]) >= 4000
    assert len(back) < 10
    assert all(later - earlier > 0.99 for earlier, later in zip(sent_at, sent_at[10:], strict=False))
