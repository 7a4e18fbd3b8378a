"""A dashboard outside the browser's window gets few messages, and everything once it is back; simulated time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import pairwise

import pytest

from tbwidget.wire.channel import Channel
from tbwidget.wire.clients import IdleClock
from tbwidget.wire.content import Answer
from tbwidget.wire.plan import INTERVAL, OUT_OF_WINDOW_INTERVAL
from tests.support.feeds import CONTENTS, FakeSource, drain, logs_over, report_view


class Training:
    """A run that gets a point every 50 ms, and its dashboard."""

    def __init__(self) -> None:
        self.logs = FakeSource()
        self.clock = IdleClock(cell_runs=False)
        self.logs.put("a", "loss", [0], [1])
        self.channel = Channel(logs_over(self.logs), CONTENTS, idle_clock=self.clock)
        self.channel.receive({"type": "hello", "complete": True})
        self.now = 5.0
        self.step = 1
        drain(self.channel, 0, self.now)

    def times(self, seconds: float) -> list[float]:
        """Train for some seconds; returns the times of messages."""
        until, times = self.now + seconds, []
        while self.now < until - 1e-6:
            self.channel.notify(self.logs.put("a", "loss", [self.step], [0.5]))
            self.step += 1
            times += [at for at, _ in drain(self.channel, self.now, self.now + 0.05)]
            self.now += 0.05
        return times

    def is_slowed(self) -> bool:
        """Train for six seconds; returns whether few messages were sent."""
        intervals = [after - before for before, after in pairwise(self.times(6)[1:])]
        assert min(intervals) >= INTERVAL - 1e-6
        return min(intervals) >= OUT_OF_WINDOW_INTERVAL - 1e-6


@pytest.fixture
def training() -> Training:
    return Training()


def on_subshell(call: Callable[[], object]) -> None:
    thread = threading.Thread(target=call)
    thread.start()
    thread.join()


def test_few_messages_leave_while_a_view_is_out_of_the_window_and_nothing_is_missing(training: Training) -> None:
    report_view(training.channel, ["loss"])
    assert not training.is_slowed()
    report_view(training.channel, [], in_window=False)
    assert training.is_slowed()
    training.channel.notify(training.logs.put("a", "loss", [training.step], [0.25]))
    sent = drain(training.channel, training.now, training.now + OUT_OF_WINDOW_INTERVAL + 0.2)
    assert sent[-1][1].header["series"][0]["total"] == training.step + 1
    assert all(message.header["status"]["unsent"] == 0 for _, message in sent)


def test_a_view_that_comes_back_gets_the_newest_at_once(training: Training) -> None:
    report_view(training.channel, [], in_window=False)
    training.times(5)
    training.now = training.times(2)[-1] + INTERVAL
    training.channel.notify(training.logs.put("a", "loss", [training.step], [0.25]))
    assert training.channel.next_message(training.now)[0] is None
    report_view(training.channel, ["loss"])
    message, _ = training.channel.next_message(training.now)
    assert message is not None
    assert message.header["series"][0]["total"] == training.step + 1
    training.step += 1
    assert not training.is_slowed()


def test_one_view_in_the_window_is_enough(training: Training) -> None:
    report_view(training.channel, [], view="one", in_window=False)
    report_view(training.channel, ["loss"], view="two")
    assert not training.is_slowed()
    training.channel.receive({"type": "bye", "view": "two"})
    assert training.is_slowed()
    training.channel.receive({"type": "bye", "view": "one"})
    assert not training.is_slowed()


def test_a_view_that_cannot_be_heard_when_it_comes_back_gets_everything(training: Training) -> None:
    report_view(training.channel, [], in_window=False)
    assert training.is_slowed()
    training.clock.cell_begins(training.now)
    assert not training.is_slowed()
    on_subshell(lambda: report_view(training.channel, [], in_window=False))
    assert training.is_slowed()
    report_view(training.channel, [], view="of a page without subshells", in_window=False)
    assert not training.is_slowed()


def test_an_answer_does_not_wait(training: Training) -> None:
    report_view(training.channel, [], in_window=False)
    training.now = training.times(5)[-1] + INTERVAL
    training.channel.post_answer("one", Answer(value=1))
    message, _ = training.channel.next_message(training.now)
    assert message is not None
    assert [answer["request"] for answer in message.header["answers"]] == ["one"]
