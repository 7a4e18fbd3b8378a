"""The channel: bounded messages at a bounded pace, which repair losses."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from tbwidget.logs.problems import Problem
from tbwidget.logs.source import Changes, Progress
from tbwidget.panels.scalars import WHOLE_SERIES
from tbwidget.wire.channel import Channel
from tbwidget.wire.content import DocumentContent, Group, Key
from tbwidget.wire.keys import Keys
from tbwidget.wire.message import MAX_MESSAGE_BYTES, MAX_NAME_BYTES, Message
from tests.support.feeds import FakeSeries, FakeSource, channel_of, drain, report_view

Sent = list[tuple[float, Message]]


def entries(sent: Iterable[tuple[float, Message]]) -> list[dict[str, Any]]:
    """Return the series of some messages, with their names."""
    return [
        {**entry, "run": m.header["runs"][entry["run"]], "tag": m.header["tags"][entry["tag"]]}
        for _, m in sent
        for entry in m.header["series"]
    ]


def keyframes(sent: Sent) -> list[float]:
    return [now for now, message in sent if message.header["begins"]]


def heard_channel(logs: FakeSource) -> Channel:
    channel = channel_of(logs)
    channel.receive({"type": "hello", "complete": True})
    return channel


def big_logs(runs: int, tags: int, steps: int) -> FakeSource:
    rng = np.random.default_rng(0)
    logs = FakeSource()
    for run in range(runs):
        for tag in range(tags):
            logs.put(f"run{run}", f"tag{tag}", range(steps), rng.normal(size=steps).astype(np.float32).tolist())
    return logs


def test_the_first_message_leaves_at_once_also_of_nothing() -> None:
    message, _ = channel_of(FakeSource(ready=False)).next_message(50)
    assert message is not None
    assert (message.header["seq"], message.header["begins"], message.header["ends"]) == (1, True, True)
    assert message.header["status"]["ready"] is False


def test_unheard_keyframes_come_again_less_and_less_often() -> None:
    logs = FakeSource()
    logs.put("a", "loss", [0], [1])
    times = keyframes(drain(channel_of(logs), 0, 130))
    assert [round(b - a) for a, b in pairwise(times)] == [1, 2, 4, 8, 16, 30, 30, 30]


def test_once_heard_an_idle_feed_only_tells_that_it_lives() -> None:
    logs = FakeSource()
    logs.put("a", "loss", [0], [1])
    sent = drain(heard_channel(logs), 0, 100)
    assert [round(now) for now, _ in sent] == list(range(0, 100, 10))
    assert len(keyframes(sent)) == 1
    assert entries(sent[1:]) == []


def test_updates_leave_soon_and_have_only_new_data() -> None:
    logs = FakeSource()
    logs.put("a", "loss", [0, 1], [1, 2])
    channel = heard_channel(logs)
    drain(channel, 0, 5)
    channel.notify(logs.put("a", "loss", [2], [3]))
    message, _ = channel.next_message(5.01)
    assert message is not None
    (entry,) = entries([(5.01, message)])
    assert (entry["keep"], entry["total"], entry["width"]) == (2, 3, 1)
    assert message.header["status"]["age"] == 0


def test_while_data_change_a_keyframe_comes_now_and_then() -> None:
    logs = FakeSource()
    logs.put("a", "loss", [0], [1])
    channel = heard_channel(logs)
    sent = drain(channel, 0, 1)
    for second in range(1, 100):
        channel.notify(logs.put("a", "loss", [second], [second]))
        sent += drain(channel, second, second + 1)
    assert len(keyframes(sent)) == 4
    assert min(b - a for (a, _), (b, _) in pairwise(sent)) >= 0.0999


def test_a_question_is_answered_with_everything_but_not_in_haste() -> None:
    logs = FakeSource()
    logs.put("a", "loss", [0, 1], [1, 2])
    channel = heard_channel(logs)
    drain(channel, 0, 10)
    for _ in range(5):
        channel.receive({"type": "hello", "complete": False})
    answered = drain(channel, 10, 20)
    assert keyframes(answered) == [10]
    assert [entry["keep"] for entry in entries(answered)] == [0]
    channel.receive({"type": "hello", "complete": False})
    channel.next_message(20)
    channel.receive({"type": "hello", "complete": False})
    assert keyframes(drain(channel, 20.1, 30)) == pytest.approx([22], abs=0.2)


def test_messages_are_bounded_and_paced_however_much_there_is() -> None:
    logs = big_logs(runs=40, tags=30, steps=600)
    channel = heard_channel(logs)
    sent = drain(channel, 0, 20)
    assert max(len(json.dumps(m.header)) + len(m.buffer) for _, m in sent) <= MAX_MESSAGE_BYTES
    assert min(b - a for (a, _), (b, _) in pairwise(sent)) >= 0.0999
    assert sum(len(m.buffer) for _, m in sent) <= 10e6 * 20
    final = {(e["run"], e["tag"]): e["width"] for e in entries(sent)}
    assert len(final) == 1200
    assert set(final.values()) == {1}


def tags_in_order(seen: Iterable[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(entry["tag"] for entry in seen))


@pytest.mark.parametrize("points", [3, 600, 5000])
def test_no_message_is_larger_than_it_thinks(points: int) -> None:
    logs = FakeSource()
    rng = np.random.default_rng(0)
    for i in range(60):
        steps = rng.integers(-(2**63), 2**63 - 1, points)
        times = rng.uniform(0, 1e6, points)
        series = FakeSeries(steps, rng.normal(size=points), revision=2**40 + i, superseded=10**9, times=times)
        logs.series[f"run/{i % 7}", f"tag/{i}"] = series
    channel = heard_channel(logs)
    report_view(channel, [f"tag/{i}" for i in range(60)], [], 0, (-1e18, 1e18))
    for _, message in drain(channel, 0, 10):
        parts = [message.header[name] for name in ("runs", "tags", "columns", "series", "details")]
        size = len(json.dumps(parts)) + len(message.buffer)
        assert size <= message.size + 50
        assert size + len(json.dumps(message.header["status"])) < MAX_MESSAGE_BYTES


def test_all_is_coarse_first_then_the_first_screen_is_fine_then_the_rest() -> None:
    channel = heard_channel(big_logs(runs=20, tags=30, steps=600))
    seen = entries(drain(channel, 0, 20))
    every = [f"tag{i}" for i in range(30)]
    coarse, fine = seen[:600], seen[600:]
    assert {entry["width"] for entry in coarse} == {16}
    assert {entry["width"] for entry in fine} == {1}
    assert tags_in_order(coarse) == tags_in_order(fine) == every


def test_visible_series_are_sent_in_full_before_the_rest() -> None:
    channel = channel_of(big_logs(runs=20, tags=40, steps=600))
    first, _ = channel.next_message(0)
    report_view(channel, ["tag35", "tag20", "nowhere"], [], 1)
    seen = [entry for entry in entries(drain(channel, 0, 0.95)) if entry["width"] == 1]
    assert tags_in_order(seen)[:4] == ["tag35", "tag20", "tag0", "tag1"]
    assert first is not None


def test_series_that_a_browser_wants_in_full_are_sent_again() -> None:
    channel = heard_channel(big_logs(runs=2, tags=2, steps=600))
    *_, (_, last) = drain(channel, 0, 5)
    report_view(channel, ["tag1", "tag0"], ["tag0", "tag1"], 0)
    assert entries(drain(channel, 4, 5)) == [], "what had not arrived yet when it was said is not sent twice"
    report_view(channel, ["tag1", "tag0"], ["tag1"], last.header["seq"])
    sent = entries(drain(channel, 5, 10))
    assert [(e["tag"], e["keep"], e["width"]) for e in sent] == [("tag1", 0, 1)] * 2
    report_view(channel, ["tag1", "tag0"], [], 9)
    assert entries(drain(channel, 10, 15)) == []


def test_tags_that_are_no_text_are_known_by_the_name_that_traveled() -> None:
    logs = FakeSource()
    logs.put("a", "bad\udcff", range(50_000), np.sin(np.arange(50_000)).tolist())
    channel = heard_channel(logs)
    *_, (_, last) = drain(channel, 0, 5)
    (name,) = last.header["tags"]
    report_view(channel, [name], [name], last.header["seq"], (20_000, 20_100), [name])
    sent = drain(channel, 5, 8)
    assert [entry["width"] for entry in entries(sent)] == [32]
    assert [len(m.header["details"]) for _, m in sent] == [1]


def test_beyond_its_budget_only_visible_series_are_sent_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tbwidget.panels.scalars.ScalarsContent.prefetch_bytes", 1)
    channel = heard_channel(big_logs(runs=10, tags=40, steps=600))
    seen = entries(drain(channel, 0, 20))
    assert tags_in_order(entry for entry in seen if entry["width"] == 1) == [f"tag{i}" for i in range(13)]
    report_view(channel, ["tag30"], ["tag30"], 1000)
    assert tags_in_order(entries(drain(channel, 20, 25))) == ["tag30"]


def test_an_unheard_channel_repeats_all_coarsely_and_the_first_screen_in_full() -> None:
    sent = drain(channel_of(big_logs(runs=20, tags=30, steps=600)), 0, 60)
    times = keyframes(sent)
    assert len(times) > 3
    again = entries([(now, m) for now, m in sent if times[1] <= now < times[2]])
    assert {entry["keep"] for entry in again} == {0}
    assert tags_in_order(again) == [f"tag{i}" for i in range(30)]
    assert tags_in_order(e for e in again if e["width"] == 1) == [f"tag{i}" for i in range(12)]


class Browser:
    """Holds the browser's data (lines/series.ts). Receives every message from some keyframe on."""

    def __init__(self) -> None:
        self.held: dict[tuple[str, str], tuple[int, int, int]] = {}
        self.listening = False
        self.refused = 0

    def take(self, message: Message) -> None:
        self.listening |= message.header["begins"]
        for entry in entries([(0, message)]) if self.listening else ():
            key = entry["run"], entry["tag"]
            revision, width, total = self.held.get(key, (-1, 0, 0))
            if entry["keep"] == 0:
                finer = revision == entry["revision"] and width < entry["width"] and total >= entry["total"]
                fits = not finer
            else:
                fits = (revision, width) == (entry["revision"], entry["width"]) and total >= entry["keep"] * width
                self.refused += not fits
            if fits:
                self.held[key] = entry["revision"], entry["width"], entry["total"]


@pytest.mark.parametrize("heard", [True, False])
def test_every_part_continues_the_data_of_each_client_and_late_clients_get_everything(heard: bool) -> None:  # noqa: FBT001
    logs = big_logs(runs=10, tags=30, steps=600)
    channel = heard_channel(logs) if heard else channel_of(logs)
    rng = np.random.default_rng(1)
    browsers = [Browser()]
    counts = dict.fromkeys(logs.series, 600)
    for tenth in range(600):
        if tenth % 40 == 0:
            browsers.append(Browser())
        for _ in range(3):
            run, tag = f"run{rng.integers(10)}", f"tag{rng.integers(30)}"
            channel.notify(logs.put(run, tag, [counts[run, tag]], [1.0]))
            counts[run, tag] += 1
        for _, message in drain(channel, tenth / 10, tenth / 10 + 0.1):
            for browser in browsers:
                browser.take(message)
        if tenth == 300:
            channel.receive({"type": "hello", "complete": False})
    for _, message in drain(channel, 60, 100):
        for browser in browsers:
            browser.take(message)
    early = browsers[0]
    assert early.refused == 0
    assert {key: (width, total) for key, (_, width, total) in early.held.items()} == {
        key: (1, count) for key, count in counts.items()
    }
    for browser in browsers:
        assert not browser.listening or {key: total for key, (_, _, total) in browser.held.items()} == counts


@pytest.mark.parametrize("heard", [True, False])
def test_updates_stay_short_also_after_keyframes(heard: bool) -> None:  # noqa: FBT001
    logs = big_logs(runs=20, tags=30, steps=600)
    channel = heard_channel(logs) if heard else channel_of(logs)
    drain(channel, 0, 10)
    late, count = [], 600
    for second in range(10, 100):
        channel.notify(logs.put("run3", "tag3", [count], [1.0]))
        count += 1
        message, _ = channel.next_message(second + 0.5)
        found = [e for e in entries([(second, message)]) if (e["run"], e["tag"]) == ("run3", "tag3")] if message else []
        if not any(e["keep"] > 0 and e["total"] == count for e in found):
            late.append(second)
        drain(channel, second + 0.6, second + 1)
    assert channel._state.keyframe > 2
    assert late == []


@pytest.mark.parametrize("seed", range(3))
def test_losses_are_repaired_without_any_message_of_a_client(seed: int) -> None:
    logs = big_logs(runs=10, tags=30, steps=600)
    channel = channel_of(logs)
    rng = np.random.default_rng(seed)
    browser, counts = Browser(), dict.fromkeys(logs.series, 600)
    for tenth in range(300):
        run, tag = f"run{rng.integers(10)}", f"tag{rng.integers(30)}"
        channel.notify(logs.put(run, tag, [counts[run, tag]], [1.0]))
        counts[run, tag] += 1
        for _, message in drain(channel, tenth / 10, tenth / 10 + 0.1):
            if rng.random() > 0.3:
                browser.take(message)
    for _, message in drain(channel, 30, 100):
        browser.take(message)
    assert {key: total for key, (_, _, total) in browser.held.items()} == counts
    assert all(browser.held[run, tag][1] == 1 for run, tag in counts if tag in {f"tag{i}" for i in range(12)})


def test_series_beyond_their_number_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tbwidget.wire.keys.MAX_KEYS", 3)
    logs = big_logs(runs=2, tags=2, steps=1)
    channel = heard_channel(logs)
    drain(channel, 0, 1)
    channel.notify(logs.put("run2", "tag0", [0], [1]))
    sent = drain(channel, 1, 40)
    assert sent[-1][1].header["status"]["left_out"] == 2
    channel.notify(logs.put("run2", "tag0", [1], [1]))
    assert entries(drain(channel, 40, 45)) == []
    del logs.series["run0", "tag0"]
    channel.notify(Changes(frozenset({("scalars", "run0", "tag0")}), catalog=True))
    sent = drain(channel, 45, 80)
    assert sent[-1][1].header["status"]["left_out"] == 1
    assert len({(e["run"], e["tag"]) for e in entries(sent)}) == 3


class FirstTags(DocumentContent):
    """Documents; some are sent first."""

    def __init__(self, kind: str, first_tags: int) -> None:
        self.kind, self.first_tags = kind, first_tags

    def read(self, logs: Any, run: str, tag: str) -> Any:
        raise KeyError(logs, run, tag)


def test_series_appear_one_by_one_and_stand_in_order() -> None:
    keys = Keys([FirstTags("k", 2), FirstTags("m", 9)])
    assert (keys.first_groups(), keys.order()) == ([], [])
    for key in [("m", "b", "t10"), ("k", "a10", "t2"), ("k", "a2", "t2"), ("m", "b", "t1"), ("k", "a", "t3")]:
        assert keys.add([Key(*key)]) == [Key(*key)]
    keys.add([Key("k", "a", "t10")])
    assert keys.first_groups() == [("k", "t2"), ("k", "t3"), ("m", "t1"), ("m", "t10")]
    names = ["k a2 t2", "k a10 t2", "k a t3", "k a t10", "m b t1", "m b t10"]
    order = [Key(*name.split()) for name in names]
    assert keys.order() == order
    assert keys.sorted({order[5], order[1], Key("x", "x", "x")}) == [order[1], order[5]]
    keys.remove(Key("m", "b", "t1"))
    assert (len(keys.all), keys.first_groups()[2:], list(keys.of(Group("m", "t1")))) == (5, [("m", "t10")], [])
    assert keys.groups_named(["t10"]) == [("k", "t10"), ("m", "t10")]


def test_the_visible_segment_of_a_long_series_is_sent_in_detail_once() -> None:
    logs = FakeSource()
    logs.put("a", "long", range(50_000), np.sin(np.arange(50_000)).tolist())
    logs.put("a", "short", range(50), [1.0] * 50)
    channel = heard_channel(logs)
    drain(channel, 0, 5)
    for begin in (5, 10):
        report_view(channel, ["short", "long"], [], 1, (20_000, 20_100))
        details = [detail for _, m in drain(channel, begin, begin + 5) for detail in m.header["details"]]
        assert [(d["from"], d["total"], d["width"]) for d in details] == ([(19_968, 192, 1)] if begin == 5 else [])
    channel.receive({"type": "hello", "complete": False})
    assert [len(m.header["details"]) for _, m in drain(channel, 20, 22)] == [1]
    report_view(channel, ["short", "long"], [], 1, None)
    assert drain(channel, 25, 28) == []


class AtRest:
    """Logs that can be asked only for single series."""

    ready = True
    poll_interval: float | None = None
    title, exists = FakeSource.title, FakeSource.exists

    def __init__(self, logs: FakeSource) -> None:
        self.logs = logs
        self.asked: set[tuple[str, str]] = set()

    @property
    def source(self) -> AtRest:
        return self

    def scalars(self, run: str, tag: str) -> FakeSeries:
        self.asked.add((run, tag))
        return self.logs.scalars(run, tag)


def test_logs_at_rest_are_not_looked_at_while_one_file_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    logs = big_logs(runs=10, tags=20, steps=5)
    channel = heard_channel(logs)
    drain(channel, 0, 5)
    rest = AtRest(logs)
    monkeypatch.setattr(channel._state, "logs", rest)
    monkeypatch.setattr(channel._status, "_logs", rest)
    for tenth in range(100):
        channel.notify(logs.put("run0", "tag0", [5 + tenth], [1.0]))
        message, _ = channel.next_message(5 + tenth / 10)
        assert message is None or len(message.header["series"]) == 1
    assert rest.asked == {("run0", "tag0")}


def test_a_long_series_is_bounded() -> None:
    logs = FakeSource()
    logs.put("a", "loss", range(200_000), np.sin(np.arange(200_000)).tolist())
    ((_, message),) = drain(heard_channel(logs), 0, 1)
    (entry,) = entries([(0, message)])
    assert entry["total"] == 200_000
    assert entry["width"] > 1
    assert message.header["columns"][entry["value"]][1] <= WHOLE_SERIES


def test_updates_do_not_wait_for_a_long_keyframe() -> None:
    logs = big_logs(runs=80, tags=40, steps=100)
    channel = heard_channel(logs)
    drain(channel, 0, 20)
    channel.receive({"type": "hello", "complete": False})
    channel.next_message(20)
    # tag0 was sent in the keyframe just now, tag39 comes last: updates of neither may wait for its end.
    channel.notify(logs.put("run0", "tag0", [600], [1]))
    channel.notify(logs.put("run0", "tag39", [600], [1]))
    message, _ = channel.next_message(20.2)
    assert message is not None
    assert message.header["ends"] is False
    updates = {("run0", "tag0", 101), ("run0", "tag39", 101)}
    assert updates <= {(e["run"], e["tag"], e["total"]) for e in entries([(20.2, message)])}


def test_series_that_vanished_are_left_out_of_a_new_keyframe() -> None:
    logs = FakeSource()
    logs.put("a", "loss", [0], [1])
    changes = logs.put("b", "loss", [0], [1])
    channel = heard_channel(logs)
    drain(channel, 0, 10)
    del logs.series["b", "loss"]
    channel.notify(changes)
    sent = drain(channel, 10, 15)
    assert keyframes(sent) == [10]
    assert [entry["run"] for entry in entries(sent)] == ["a"]


def test_data_of_the_initial_scan_are_not_new() -> None:
    logs = FakeSource(ready=False)
    channel = heard_channel(logs)
    drain(channel, 0, 1)
    channel.notify(logs.put("a", "loss", [0], [1]))
    logs.ready = True
    sent = drain(channel, 1, 5)
    assert sent[-1][1].header["status"]["ready"] is True
    assert sent[-1][1].header["status"]["age"] is None
    channel.notify(logs.put("a", "loss", [1], [1]))
    assert drain(channel, 5, 6)[0][1].header["status"]["age"] == 0


def test_a_page_is_up_to_date_once_all_of_the_initial_scan_is_named() -> None:
    logs = FakeSource(ready=False)
    channel = heard_channel(logs)
    drain(channel, 0, 1)
    every = big_logs(runs=40, tags=50, steps=600)
    logs.series.update(every.series)
    # The reader has ended its first pass, and tells a little later what the last part of that found.
    logs.ready = True
    sent = drain(channel, 1, 2)
    channel.notify(Changes(frozenset(("scalars", run, tag) for run, tag in every.series), catalog=True))
    sent += drain(channel, 2, 20)
    named: set[tuple[str, str]] = set()
    reading = []
    for now, message in sent:
        named.update((entry["run"], entry["tag"]) for entry in entries([(now, message)]))
        if not message.header["status"]["ready"]:
            reading.append(len(named))
            assert "reading" not in message.header["status"], "nothing is left to be stopped"
        else:
            assert len(named) == 2000
    assert len(reading) > 1


def test_progress_is_sent_while_reading() -> None:
    logs = FakeSource(ready=False, progress=Progress("reading", bytes_found=100))
    channel = heard_channel(logs)
    told = []
    for tenth in range(30):
        logs.progress = Progress("reading", bytes_read=tenth, bytes_found=100)
        told += [m.header["status"]["read"][0] for _, m in drain(channel, tenth / 10, tenth / 10 + 0.1)]
    assert len(told) > 8
    assert told == sorted(told)


def test_problems_are_listed_when_they_are_new_and_cut_when_they_are_many() -> None:
    logs = FakeSource(problems=[Problem("p" * 5000, 2**63, "\x00" * 5000)] * 1000)
    channel = heard_channel(logs)
    ((_, first),) = drain(channel, 0, 1)
    assert first.header["status"]["problems"] == 1000
    assert len(json.dumps(first.header)) < MAX_MESSAGE_BYTES
    ((_, second),) = drain(channel, 30, 31)
    assert "problem_list" not in second.header["status"]
    logs.problems.append(Problem("x", None, "y"))
    channel.notify(logs.put("a", "loss", [0], [1]))
    ((_, third),) = drain(channel, 32, 33)
    assert len(third.header["status"]["problem_list"]) <= 50


def test_monstrous_names_are_counted_and_odd_ones_travel() -> None:
    logs = FakeSource()
    logs.put("a", "x" * (MAX_NAME_BYTES + 1), [0], [1])
    logs.put("\udcff", "<script>", [0], [1])
    ((_, message),) = drain(heard_channel(logs), 0, 1)
    assert message.header["status"]["left_out"] == 1
    assert message.header["runs"] == ["\\udcff"]
    assert message.header["tags"] == ["<script>"]
    json.dumps(message.header, ensure_ascii=False, allow_nan=False).encode()


@pytest.mark.parametrize("wall_time", [np.nan, np.inf, -np.inf, 1e300])
def test_times_that_are_no_numbers_do_not_break_the_header(wall_time: float) -> None:
    logs = FakeSource({("a", "loss"): FakeSeries(np.array([0]), np.array([1.0]), begun=wall_time)})
    ((_, message),) = drain(heard_channel(logs), 0, 1)
    assert message.header["status"]["newest"] is None
    json.dumps(message.header, allow_nan=False)
