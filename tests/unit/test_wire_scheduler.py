"""The rate of updates does not depend on other messages; simulated time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tbwidget.logs.source import Changes
from tbwidget.panels.scalars import fine_width
from tbwidget.wire.channel import Channel
from tbwidget.wire.message import MAX_MESSAGE_BYTES
from tbwidget.wire.plan import (
    INTERVAL,
    KEYFRAME_GAPS,
    MAX_SCAN_IDLE_S,
    NEW_CLIENT_GAP,
    UPDATE_BURST,
    UPDATE_RATE,
    SendScheduler,
)
from tbwidget.wire.series_stream import SeriesStream
from tests.support.feeds import FakeSeries, FakeSource, channel_of, drain, report_view

SERIES, POINTS = 200, 100


class Training:
    """Series that all grow by 100 irregular points every 0.1 s: far more than may be sent."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng(0)
        self.logs = FakeSource({(f"run{i % 20}", f"tag{i // 20}"): self.longer(0) for i in range(SERIES)})
        self.channel = channel_of(self.logs)
        self.channel.receive({"type": "hello", "complete": True})

    def longer(self, count: int) -> FakeSeries:
        return FakeSeries(np.sort(self.rng.integers(0, 2**40, count)), self.rng.normal(size=count))

    def step(self) -> None:
        for key, series in self.logs.series.items():
            grown = self.longer(len(series) + POINTS if len(series) < 4000 else POINTS)
            self.logs.series[key] = FakeSeries(grown.step, grown.value, series.revision + (len(grown) < len(series)))
            self.channel.notify(self.logs.put(*key, [], []))


@pytest.fixture
def updates(monkeypatch: pytest.MonkeyPatch) -> list[tuple[float, int]]:
    """Return the times of updates, and their bytes."""
    seen: list[tuple[float, int]] = []
    original = SendScheduler.sent

    def spy(self: SendScheduler, now: float, size: int, updates: int, *others: Any) -> None:
        seen.append((now, updates))
        original(self, now, size, updates, *others)

    monkeypatch.setattr(SendScheduler, "sent", spy)
    return seen


@pytest.mark.simulation
@pytest.mark.parametrize("asked_every", [None, 25])
def test_updates_keep_to_their_rate_beside_other_messages(
    updates: list[tuple[float, int]], asked_every: int | None
) -> None:
    training = Training()
    drain(training.channel, 0, 10)
    updates.clear()
    total, most = 0, 0
    for tenth in range(100):
        training.step()
        if asked_every is not None and tenth % asked_every == 0:
            training.channel.receive({"type": "hello", "complete": False})
        for _, message in drain(training.channel, 10 + tenth / 10, 10.1 + tenth / 10):
            total += len(message.buffer)
            most = max(most, message.size)
    sent = sum(size for _, size in updates)
    assert 0.8 * UPDATE_RATE * 10 < sent <= UPDATE_RATE * 10 + 2 * UPDATE_BURST
    assert most <= MAX_MESSAGE_BYTES
    # Keyframes and full series are not delayed by that.
    assert asked_every is None or total > 1.5 * UPDATE_RATE * 10


def test_after_a_silence_updates_leave_at_once_and_soon_again() -> None:
    pace = SendScheduler()
    assert pace.update_allowance(100) == UPDATE_BURST
    pace.sent(100, 900_000, 300_000)
    assert pace.wait(100) == pytest.approx(INTERVAL)
    assert pace.update_allowance(100) < 0
    assert pace.update_allowance(100.1) == pytest.approx(50_000)
    assert pace.update_wait(100) == pytest.approx(0.15)
    pace.sent(101, 900_000, 0)
    assert pace.update_allowance(101) == UPDATE_BURST


def test_a_longer_initial_scan_sends_fewer_messages_unless_a_client_waits() -> None:
    logs = FakeSource(ready=False)
    logs.put("run", "other", [0], [1])
    channel = channel_of(logs)
    channel.receive({"type": "hello", "complete": True})
    left: list[float] = []
    for tenth in range(300):
        channel.notify(logs.put(f"run{tenth}", "loss", [0], [1]))
        left += [at for at, _ in drain(channel, tenth / 10, tenth / 10 + 0.1)]
    gaps = np.diff(left)
    assert gaps[0] < 0.3
    assert 0.8 * MAX_SCAN_IDLE_S < gaps[-3:].min() <= gaps.max() < MAX_SCAN_IDLE_S + 0.2
    assert len(left) < 30
    waited_for: list[Callable[[], object]] = [
        lambda: report_view(channel, ["other"]),
        lambda: channel.post_answer("asked", "refused"),
        lambda: setattr(logs, "ready", True),
    ]
    now = 30.0
    for happens in waited_for:
        channel.notify(logs.put("run", "loss", [0], [1]))
        now = drain(channel, now, now + MAX_SCAN_IDLE_S + 0.2)[0][0] + 0.5
        channel.notify(logs.put("run", "loss", [0], [1]))
        assert not drain(channel, now, now + 0.1)
        happens()
        # Otherwise 1.5 s of the pause would be left. On a busy machine the cost of a message also makes a short one.
        assert drain(channel, now + 0.1, now + 0.8)
        now += 0.8


def points_of(channel: Channel, begin: float, end: float) -> list[tuple[int, int, int]]:
    details = [detail for _, m in drain(channel, begin, end) for detail in m.header["details"]]
    return [(detail["from"], detail["total"], detail["width"]) for detail in details]


def test_a_zoomed_series_that_grows_is_sent_in_detail_again() -> None:
    logs = FakeSource()
    logs.put("a", "loss", range(8000), np.sin(np.arange(8000)).tolist())
    logs.put("a", "other", range(8000), np.sin(np.arange(8000)).tolist())
    channel = channel_of(logs)
    channel.receive({"type": "hello", "complete": True})
    drain(channel, 0, 5)
    report_view(channel, ["loss", "other"], [], 1, (7900, 9000), ["loss"])
    assert points_of(channel, 5, 6) == [(7896, 104, 1)]
    # Its buckets double at 8192 points; then it grows into view, with a report once a second.
    counts = [0] * 4
    last: list[tuple[int, int, int]] = []
    for tenth in range(40):
        size = len(logs.series["a", "loss"])
        for tag in ("loss", "other"):
            channel.notify(logs.put("a", tag, range(size, size + 50), np.sin(np.arange(50)).tolist()))
        found = points_of(channel, 6 + tenth / 10, 6.1 + tenth / 10)
        counts[tenth // 10] += len(found)
        last = found or last
    assert counts == [1, 1, 1, 0]
    ((first, total, width),) = last
    assert (first % 8, width) == (0, 1)
    assert first <= 7900
    assert first + total >= 9000
    # Growth outside the view sends nothing.
    channel.notify(logs.put("a", "loss", [20_000], [0]))
    assert points_of(channel, 11, 14) == []


@pytest.mark.simulation
def test_details_that_are_sent_again_keep_to_the_rate_of_updates(updates: list[tuple[float, int]]) -> None:
    logs = FakeSource()
    rng = np.random.default_rng(0)
    for i in range(50):
        logs.put(f"run{i}", "loss", range(5000), rng.normal(size=5000).tolist())
    channel = channel_of(logs)
    channel.receive({"type": "hello", "complete": True})
    drain(channel, 0, 20)
    report_view(channel, ["loss"], [], 1, (3000, 1e9))
    drain(channel, 20, 40)
    updates.clear()
    for tenth in range(200):
        for run, tag in list(logs.series):
            channel.notify(logs.put(run, tag, [5000 + tenth], [1.0]))
        drain(channel, 40 + tenth / 10, 40.1 + tenth / 10)
    assert sum(size for _, size in updates) <= UPDATE_RATE * 20 + 2 * UPDATE_BURST


FLOOD = 25_000


class Flood:
    """More series than one message can hold in full, each growing by 60 irregular points every 0.1 s: several MB/s."""

    def __init__(self) -> None:
        rng = np.random.default_rng(0)
        self.steps = np.cumsum(rng.integers(1, 9, FLOOD))
        self.values = rng.normal(size=FLOOD + 1000)
        self.times = np.cumsum(rng.exponential(size=FLOOD))
        self.logs = FakeSource()
        self.grow(500)
        self.channel = channel_of(self.logs)
        self.channel.receive({"type": "hello", "complete": True})
        self.seen: dict[tuple[str, str], float] = {}
        self.ended: list[float] = []
        self.now = 0.0

    def grow(self, count: int) -> Changes:
        for i in range(500):
            key = f"run{i % 20}", f"tag{i // 20}"
            values, times = self.values[i : i + count], self.times[:count]
            self.logs.series[key] = FakeSeries(self.steps[:count], values, times=times)
        return Changes(frozenset(("scalars", *key) for key in self.logs.series), catalog=False)

    def listen(self, seconds: float) -> None:
        for at, message in drain(self.channel, self.now, self.now + seconds):
            head = message.header
            self.seen |= {(head["runs"][s["run"]], head["tags"][s["tag"]]): at for s in head["series"]}
            self.ended += [at] * head["ends"]
        self.now += seconds


@pytest.mark.simulation
def test_however_much_is_written_every_series_is_sent_soon_and_keyframes_end() -> None:
    flood = Flood()
    for tenth in range(350):
        flood.channel.notify(flood.grow(500 + 60 * tenth))
        flood.listen(0.1)
    assert flood.now - min(flood.seen.values()) < 3
    assert len(flood.ended) == 2
    # When writing has stopped, the visible series are sent in full again, without a request.
    total = len(flood.logs.series["run0", "tag0"])
    flood.listen(20)
    stream = flood.channel._planner.streams["scalars"]
    assert isinstance(stream, SeriesStream)
    widths = {track.sent.width for key, track in stream._keys.items() if key.tag == "tag0" and track.sent}
    assert widths == {fine_width(total)}


def test_a_possible_new_client_gets_all_data_a_few_times_and_not_forever() -> None:
    logs = FakeSource({("run", "tag"): FakeSeries(np.arange(5), np.arange(5.0))})
    channel = channel_of(logs)
    drain(channel, 0, 1)
    channel.receive({"type": "hello", "complete": True})
    assert begun(channel, 1, 100) == []
    channel.connect()
    found = begun(channel, 100, 400)
    assert found[0] < 100.2
    assert [round(one) for one in np.diff(found)] == list(KEYFRAME_GAPS)
    # Another one, soon after the last: it waits only for a moment.
    channel.connect()
    first = begun(channel, 400, 400.2)
    channel.connect()
    second = begun(channel, 400.2, 402)
    assert len(first) == 1
    assert NEW_CLIENT_GAP <= second[0] - first[0] < 1
    # A page that reports itself needs no more.
    channel.receive({"type": "hello", "complete": True})
    assert begun(channel, 402, 500) == []


def begun(channel: Channel, now: float, until: float) -> list[float]:
    """Return the times at which keyframes begin, sampled every 0.1 s."""
    found = []
    while now < until:
        message, _ = channel.next_message(now)
        if message is not None and message.header["begins"]:
            found.append(now)
        now += 0.1
    return found
