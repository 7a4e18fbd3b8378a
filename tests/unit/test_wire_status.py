"""The status in every message: whether a cell runs, the age of updates, the numbers of runs."""

from __future__ import annotations

import time

import numpy as np

from tbwidget.logs.source import Changes
from tbwidget.wire.channel import Channel
from tbwidget.wire.clients import IdleClock
from tbwidget.wire.keys import RunNumbers
from tbwidget.wire.plan import HEARTBEAT
from tests.support.feeds import CONTENTS, FakeSeries, FakeSource, channel_of, drain, logs_over
from tests.support.page import Page


def heard_channel(logs: FakeSource, clock: IdleClock | None = None) -> Channel:
    channel = Channel(logs_over(logs), CONTENTS, idle_clock=clock)
    channel.receive({"type": "hello", "complete": True})
    return channel


def grow(logs: FakeSource, tag: str, begun: float) -> Changes:
    """Make one more point, with the wall time `begun`."""
    held = logs.series.get(("a", tag))
    count = 1 if held is None else len(held) + 1
    logs.series["a", tag] = FakeSeries(np.arange(count), np.ones(count), begun=begun, times=np.zeros(count))
    return Changes(frozenset({("scalars", "a", tag)}), catalog=held is None)


def test_it_is_sent_soon_when_a_cell_begins_or_ends() -> None:
    clock = IdleClock(cell_runs=True)
    channel = heard_channel(FakeSource(), clock)
    assert [m.header["status"]["cell"] for _, m in drain(channel, 0, 5)] == [True]
    clock.cell_ends(5)
    ((at, message),) = drain(channel, 5, 8)
    assert message.header["status"]["cell"] is False
    assert at < 6
    for second in range(10):  # messages for many short cells would be a waste
        clock.cell_begins(8 + second / 10)
        clock.cell_ends(8 + second / 10 + 0.01)
        assert drain(channel, 8 + second / 10 + 0.01, 8.1 + second / 10) == []
    clock.cell_begins(9)
    assert [m.header["status"]["cell"] for _, m in drain(channel, 9, 9 + HEARTBEAT - 1)] == [True]


def test_without_ipython_the_state_of_the_cell_is_unknown() -> None:
    ((_, message),) = drain(channel_of(FakeSource()), 0, 0.5)
    assert message.header["status"]["cell"] is None


def test_old_logs_are_never_fresh_however_they_are_found() -> None:
    logs = FakeSource()
    channel = heard_channel(logs)
    drain(channel, 0, 5)
    channel.notify(grow(logs, "loss", begun=1.7e9))
    ((_, message),) = drain(channel, 5, 6)
    assert message.header["status"]["age"] == 0
    assert message.header["status"]["fresh"] is False


def test_new_data_are_fresh_also_beside_invalid_times() -> None:
    logs = FakeSource()
    grow(logs, "loss", begun=time.time())
    channel = heard_channel(logs)
    ((_, first),) = drain(channel, 0, 1)
    assert first.header["status"]["fresh"] is False, "the initial scan is not an update"
    channel.notify(grow(logs, "other", begun=1e11))
    assert drain(channel, 1, 2)[-1][1].header["status"]["fresh"] is False
    channel.notify(grow(logs, "loss", begun=time.time()))
    assert drain(channel, 2, 3)[-1][1].header["status"]["fresh"] is True
    channel.notify(grow(logs, "other", begun=1e11))
    assert drain(channel, 3, 4)[-1][1].header["status"]["fresh"] is True


def test_a_problem_is_no_new_data() -> None:
    logs = FakeSource()
    logs.put("a", "loss", [0], [1])
    channel = heard_channel(logs)
    drain(channel, 0, 5)
    channel.notify(Changes(frozenset(), catalog=True))
    assert drain(channel, 5, 5 + HEARTBEAT + 1)[-1][1].header["status"]["age"] is None


class Runs:
    def __init__(self, *runs: str) -> None:
        self.runs = list(runs)

    def run_numbers(self) -> dict[str, int]:
        return {run: number for number, run in enumerate(self.runs)}


def test_numbers_are_provisional_until_the_first_pass_has_ended_and_then_stay() -> None:
    known = Runs("late name", "b", "a")
    numbers = RunNumbers(known)  # type: ignore[arg-type]
    numbers.update({"b"}, ready=False)
    assert [numbers.of("b"), numbers.of("unknown")] == [0, -1]
    numbers.update({"a", "b"}, ready=False)
    assert list(numbers.changed) == ["b"]
    assert [numbers.of("a"), numbers.of("b")] == [0, 1]
    numbers.update({"a", "b", "late name"}, ready=True)
    assert list(numbers.changed) == ["a"], "a is another number than was sent"
    assert [numbers.of(run) for run in known.runs] == [0, 1, 2]
    assert not numbers.changed
    known.runs += ["new", "not listed yet"]
    numbers.update({"b", "new", "odd"}, ready=True)
    assert not numbers.changed
    assert [numbers.of(run) for run in ("late name", "b", "a", "new", "odd")] == [0, 1, 2, 3, -1]


def test_numbers_that_change_travel_at_once() -> None:
    class Reading(FakeSource):
        def run_numbers(self) -> dict[str, int]:
            return {"b": 0, "a": 1}

    logs, page = Reading(ready=False), Page()
    logs.put("a", "loss", [0], [1])
    channel = heard_channel(logs)
    for _, message in drain(channel, 0, 3):
        page.take(message)
    assert page.numbers == {"a": 0}
    logs.ready = True
    channel.notify(logs.put("b", "loss", [0], [1]))
    (_, message), *_ = drain(channel, 3, 6)
    page.take(message)
    assert page.numbers == {"a": 1, "b": 0}


def test_numbers_that_change_travel_although_nothing_else_does() -> None:
    class Reading(FakeSource):
        def run_numbers(self) -> dict[str, int]:
            return {"b": 0, "a": 1}

    logs, page = Reading(ready=False), Page()
    for run in ("a", "b"):
        logs.put(run, "loss", [0], [1])
    channel = heard_channel(logs)
    for _, message in drain(channel, 0, 3):
        page.take(message)
    assert page.numbers == {"a": 0, "b": 1}
    logs.ready = True
    channel.notify(Changes(frozenset(), catalog=True))
    (_, message), *_ = drain(channel, 3, 3.5)
    page.take(message)
    assert page.numbers == {"a": 1, "b": 0}


def test_files_without_data_are_counted_again_when_the_catalog_changes() -> None:
    logs = FakeSource(empty_files=1)
    channel = heard_channel(logs)
    assert [m.header["status"]["empty_files"] for _, m in drain(channel, 0, 5)] == [1]
    logs.empty_files = 2
    channel.notify(Changes(frozenset(), catalog=True))
    assert [m.header["status"]["empty_files"] for _, m in drain(channel, 5, 8)] == [2]


def test_it_says_how_often_remote_storage_is_polled() -> None:
    logs = FakeSource()
    channel = heard_channel(logs)
    assert ["polled" in m.header["status"] for _, m in drain(channel, 0, 5)] == [False]
    logs.poll_interval = 8
    assert [m.header["status"]["polled"] for _, m in drain(channel, 5, 20)][:1] == [8]
