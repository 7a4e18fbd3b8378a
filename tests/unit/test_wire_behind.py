"""Messages carry their age, and the kernel sends less to a page that is behind; simulated time."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from tbwidget.logs.source import Changes
from tbwidget.wire.channel import Channel
from tbwidget.wire.content import Group, Key
from tbwidget.wire.keys import RETRY_CHANGED_AFTER
from tbwidget.wire.message import Message
from tbwidget.wire.plan import (
    CLOCK_TOLERANCE,
    INTERVAL,
    MIN_SHARE,
    PAGE_BEHIND,
    RECOVERY,
    RECOVERY_INTERVAL,
    REPORT_DELAY,
    UPDATE_BURST,
    UPDATE_RATE,
    Backlog,
    Priority,
    SendScheduler,
)
from tests.support.feeds import FakeSeries, FakeSource, channel_of, drain, report_view

RUNS, TAGS = 5, 50


class Load:
    """Five runs of 50 tags, each with a point every 50 ms; the first four tags are on the screen."""

    def __init__(self) -> None:
        rng = np.random.default_rng(0)
        self.steps = np.cumsum(rng.integers(1, 9, 40_000))
        self.values = rng.normal(size=40_000)
        self.logs = FakeSource()
        self.count = 0
        self.grow(100)
        self.channel = channel_of(self.logs)
        self.channel.receive({"type": "hello", "complete": True})
        self.visible = [f"tag{i:02}" for i in range(4)]
        report_view(self.channel, self.visible)
        self.now = 0.0
        self.sent: list[tuple[float, Message]] = []
        self.listen(5)

    def grow(self, count: int) -> Changes:
        self.count += count
        for run in range(RUNS):
            for tag in range(TAGS):
                series = FakeSeries(self.steps[: self.count], self.values[: self.count])
                self.logs.series[f"run{run}", f"tag{tag:02}"] = series
        return Changes(frozenset(("scalars", *key) for key in self.logs.series), catalog=False)

    def listen(self, seconds: float) -> list[tuple[float, Message]]:
        """Write and send for some seconds; returns the messages."""
        until, before = self.now + seconds, len(self.sent)
        while self.now < until - 1e-6:
            self.channel.notify(self.grow(2))
            self.sent += drain(self.channel, self.now, self.now + 0.1)
            self.now += 0.1
        return self.sent[before:]

    def say_behind(self, behind: float) -> None:
        """Report from a page that the newest message it has drawn left `behind` seconds ago."""
        drawn = next(message for at, message in reversed(self.sent) if at <= self.now - behind)
        self.channel.receive({"type": "drawn", "seq": drawn.header["seq"], "behind": behind})


def entries(sent: list[tuple[float, Message]], *, of: list[str] | None = None) -> int:
    """Count the parts of series; `of` restricts them to these tags."""
    tags = [m.header["tags"][one["tag"]] for _, m in sent for one in m.header["series"]]
    return sum(of is None or tag in of for tag in tags)


def test_each_message_says_when_it_was_composed() -> None:
    logs = FakeSource()
    logs.put("a", "loss", [0], [1])
    channel = channel_of(logs)
    channel.receive({"type": "hello", "complete": True})
    for at, message in drain(channel, 7.25, 40):
        monotonic, time_of_day = message.header["status"]["clock"]
        assert monotonic == pytest.approx(at, abs=1e-3)
        assert time_of_day > 1.7e9


def test_a_kernel_that_is_behind_its_files_reports_how_long_visible_updates_wait() -> None:
    load = Load()
    assert load.sent[-1][1].header["status"]["unsent"] < 0.2
    # Twenty series are rewritten: 2.5 MB, which may leave in 2.5 s.
    rng, count = np.random.default_rng(1), 8000
    for run in range(RUNS):
        for tag in load.visible:
            new = FakeSeries(rng.integers(0, 2**60, count), rng.normal(size=count), revision=1)
            load.logs.series[f"run{run}", tag] = new
    changes = Changes(frozenset(("scalars", *key) for key in load.logs.series), catalog=False)
    load.channel.notify(changes)
    sent = drain(load.channel, load.now, load.now + 30)
    ages = [message.header["status"]["unsent"] for _, message in sent]
    assert max(ages) > 1
    assert ages[-1] == 0
    assert max(b - a for a, b in pairwise(ages)) < 1


VISIBLE, OFF_SCREEN = Key("scalars", "a", "visible"), "off screen"


def test_the_oldest_wait_counts_behind_any_number_of_other_keys() -> None:
    queue = Backlog()
    for i in range(5000):
        queue.add_changed(Key("scalars", str(i), OFF_SCREEN), 0)
    queue.add_changed(VISIBLE, 1)
    queue.add_changed(VISIBLE, 3)
    shown = {VISIBLE.group, Group("scalars", "without data")}
    assert queue.oldest_wait(shown, 4) == 3
    assert queue.oldest_wait({Group("scalars", OFF_SCREEN)}, 4) == 4
    assert queue.oldest_wait((), 4) == 0
    queue.discard(Priority.UPDATE, VISIBLE)
    assert queue.oldest_wait(shown, 4) == 0


def test_a_deferred_update_has_waited_since_its_change() -> None:
    queue, shown = Backlog(), {VISIBLE.group}
    queue.add_changed(VISIBLE, 1)
    del queue[Priority.UPDATE][VISIBLE]
    queue.defer(VISIBLE, 9)
    assert queue.is_pending(VISIBLE)
    assert queue.oldest_wait(shown, 5) == 4
    queue.resume(9)
    assert list(queue[Priority.UPDATE]) == [VISIBLE]
    assert queue.oldest_wait(shown, 9) == 8
    queue.remove(VISIBLE)
    assert queue.oldest_wait(shown, 9) == 0


def test_a_key_that_cannot_be_read_does_not_make_a_page_late() -> None:
    logs = FakeSource()
    changes = logs.put("a", "loss", [0], [1])
    channel = channel_of(logs)
    channel.receive({"type": "hello", "complete": True})
    report_view(channel, ["loss"])
    drain(channel, 0, 4)
    logs.series["a", "loss"].step = None  # type: ignore[assignment]
    channel.notify(changes)
    sent = drain(channel, 4, 5)
    assert sent[-1][1].header["failed"]
    channel.notify(changes)
    sent += drain(channel, 5, 4 + RETRY_CHANGED_AFTER + 20)
    assert {message.header["status"]["unsent"] for _, message in sent} == {0.0}


@pytest.mark.simulation
def test_a_page_that_is_behind_is_sent_less_and_least_of_series_off_the_screen() -> None:
    load = Load()
    usual = load.listen(5)
    assert all(m.header["status"]["share"] == 1 for _, m in usual)
    for _ in range(14):
        load.listen(1)
        load.say_behind(3.5)
    reduced = load.listen(2)
    assert reduced[-1][1].header["status"]["share"] == MIN_SHARE
    off_screen = [tag for _, tag in load.logs.series if tag not in load.visible]
    assert entries(reduced) < entries(usual) / 8
    assert entries(reduced, of=off_screen) < entries(reduced, of=load.visible) + RUNS * TAGS / 4
    assert entries(reduced, of=load.visible) >= 4 * RUNS
    # It recovers step by step, without further reports.
    shares = [message.header["status"]["share"] for _, message in load.listen(30)]
    assert shares[-1] == 1
    assert max(b - a for a, b in pairwise(shares)) <= RECOVERY
    assert entries(load.listen(5)) > 0.8 * entries(usual)


@pytest.mark.simulation
def test_a_series_that_comes_on_the_screen_is_sent_at_once_though_it_was_deferred() -> None:
    load = Load()
    for _ in range(14):
        load.listen(1)
        load.say_behind(3.5)
    report_view(load.channel, ["tag40"])
    assert entries(load.listen(INTERVAL / MIN_SHARE + 0.2), of=["tag40"]) >= RUNS


@pytest.mark.simulation
def test_all_points_are_there_in_the_end() -> None:
    load = Load()
    for _ in range(6):
        load.listen(1)
        load.say_behind(3.5)
    load.listen(2)
    totals: dict[tuple[str, str], int] = {}
    for _, message in [*load.sent, *drain(load.channel, load.now, load.now + 60)]:
        header = message.header
        totals |= {(header["runs"][s["run"]], header["tags"][s["tag"]]): s["total"] for s in header["series"]}
    assert set(totals.values()) == {load.count}


@pytest.mark.parametrize(
    "report",
    [
        {"seq": 1, "behind": PAGE_BEHIND},
        {"seq": 999, "behind": 10.0},
        {"seq": "1", "behind": 10.0},
        {"seq": 1, "behind": None},
        {"seq": 1},
        {},
        {"seq": 1.0, "behind": 3.0},
        {"seq": True, "behind": 3.0},
        {"seq": 1, "behind": float("nan")},
        {"seq": 1, "behind": float("inf")},
        {"seq": 1, "behind": -3.0},
        {"seq": 1, "behind": 10**400},
        {"seq": 10**400, "behind": 3.0},
        {"seq": 1, "behind": 3600.0},
    ],
)
def test_other_reports_change_nothing(report: dict[str, object]) -> None:
    logs = FakeSource()
    channel = channel_of(logs)
    first = drain(channel, 0, 4)[0][1]
    assert first.header["seq"] == 1
    channel.receive({"type": "drawn", **report})
    assert all(m.header["status"]["share"] == 1 for _, m in drain(channel, 4, 20))


def test_a_page_cannot_be_later_than_the_message_is_old() -> None:
    pace = SendScheduler()
    pace.sent(10, 1000, 1000, 0, 7)
    # The kernel's machine was paused for a minute, which stopped both of its clocks.
    pace.page_drew(10.05, 7, 60)
    assert pace.share == 1
    pace.page_drew(13, 7, 3 + CLOCK_TOLERANCE)
    assert pace.share == 1 / 2


def test_reports_that_waited_for_the_end_of_a_cell_are_obsolete() -> None:
    pace = SendScheduler()
    pace.sent(10, 1000, 1000, 0, 7)
    pace.page_drew(10 + 4 + REPORT_DELAY + 0.1, 7, 4)
    assert pace.share == 1
    pace.page_drew(10 + 4 + REPORT_DELAY - 0.1, 7, 4)
    assert pace.share == 1 / 2


def test_the_share_halves_at_most_every_two_seconds_and_rises_slowly() -> None:
    pace = SendScheduler()
    shares = []
    for tenth in range(100):
        now = tenth / 10
        pace.sent(now, 1000, 1000, 0, tenth)
        pace.page_drew(now + 3, tenth, 3)
        shares.append(pace.share)
    assert sorted(set(shares), reverse=True) == [1 / 2, 1 / 4, 1 / 8, 1 / 16]
    assert [shares.index(share) for share in (1 / 2, 1 / 4, 1 / 8, 1 / 16)] == [0, 20, 40, 60]
    now = 12.9
    pace.recover(now + RECOVERY_INTERVAL - 0.1)
    assert pace.share == MIN_SHARE
    pace.recover(now + RECOVERY_INTERVAL + 0.1)
    assert pace.share == MIN_SHARE + RECOVERY


def test_updates_that_are_sent_less_often_keep_to_less_than_the_rate() -> None:
    pace = SendScheduler()
    pace.share = 1 / 4
    pace.sent(10, 250_000, 250_000)
    assert pace.update_allowance(10 + INTERVAL) == 0
    assert pace.update_wait(10) >= 4 * INTERVAL
    assert pace.update_allowance(10.5) == pytest.approx(UPDATE_RATE / 8)
    assert pace.update_allowance(20) == UPDATE_BURST


def heard(channel: Channel) -> bool:
    return channel._scheduler.is_heard


def test_a_report_is_a_sign_of_life() -> None:
    channel = channel_of(FakeSource())
    channel.receive({"type": "drawn", "seq": 1, "behind": 0.0})
    channel.next_message(0)
    assert heard(channel)
