"""The feed: bounded messages at a bounded pace, which heal what was lost."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from tbwidget.logs import Problem
from tbwidget.panels.feed import LONGEST_NAME, MESSAGE_BYTES, Feed, Message
from tbwidget.panels.scalars import WHOLE_SERIES
from tests.support.feeds import FakeLogs, FakeSeries, drain, feed_of

Sent = list[tuple[float, Message]]


def entries(sent: Iterable[tuple[float, Message]]) -> list[dict[str, Any]]:
    """The series of some messages, with their names."""
    return [
        {**entry, "run": m.header["runs"][entry["run"]], "tag": m.header["tags"][entry["tag"]]}
        for _, m in sent
        for entry in m.header["series"]
    ]


def keyframes(sent: Sent) -> list[float]:
    return [now for now, message in sent if message.header["begins"]]


def heard_feed(logs: FakeLogs) -> Feed:
    feed = feed_of(logs)
    feed.hello(complete=True)
    return feed


def big_logs(runs: int, tags: int, steps: int) -> FakeLogs:
    rng = np.random.default_rng(0)
    logs = FakeLogs()
    for run in range(runs):
        for tag in range(tags):
            logs.put(f"run{run}", f"tag{tag}", range(steps), rng.normal(size=steps).astype(np.float32).tolist())
    return logs


def test_the_first_message_leaves_at_once_also_of_nothing() -> None:
    message, _ = feed_of(FakeLogs(ready=False)).next_message(50)
    assert message is not None
    assert (message.header["seq"], message.header["begins"], message.header["ends"]) == (1, True, True)
    assert message.header["status"]["ready"] is False


def test_unheard_keyframes_come_again_less_and_less_often() -> None:
    logs = FakeLogs()
    logs.put("a", "loss", [0], [1])
    times = keyframes(drain(feed_of(logs), 0, 130))
    assert [round(b - a) for a, b in pairwise(times)] == [1, 2, 4, 8, 16, 30, 30, 30]


def test_once_heard_an_idle_feed_only_tells_that_it_lives() -> None:
    logs = FakeLogs()
    logs.put("a", "loss", [0], [1])
    sent = drain(heard_feed(logs), 0, 100)
    assert [round(now) for now, _ in sent] == [0, 30, 60, 90]
    assert len(keyframes(sent)) == 1
    assert entries(sent[1:]) == []


def test_news_leave_soon_and_are_only_what_is_new() -> None:
    logs = FakeLogs()
    logs.put("a", "loss", [0, 1], [1, 2])
    feed = heard_feed(logs)
    drain(feed, 0, 5)
    feed.changed(logs.put("a", "loss", [2], [3]))
    message, _ = feed.next_message(5.01)
    assert message is not None
    (entry,) = entries([(5.01, message)])
    assert (entry["base"], entry["keep"], entry["total"]) == (1, 2, 3)
    assert message.header["status"]["age"] == 0


def test_while_data_change_a_keyframe_comes_now_and_then() -> None:
    logs = FakeLogs()
    logs.put("a", "loss", [0], [1])
    feed = heard_feed(logs)
    sent = drain(feed, 0, 1)
    for second in range(1, 100):
        feed.changed(logs.put("a", "loss", [second], [second]))
        sent += drain(feed, second, second + 1)
    assert len(keyframes(sent)) == 4
    assert min(b - a for (a, _), (b, _) in pairwise(sent)) >= 0.0999


def test_a_question_is_answered_with_everything_but_not_in_haste() -> None:
    logs = FakeLogs()
    logs.put("a", "loss", [0, 1], [1, 2])
    feed = heard_feed(logs)
    drain(feed, 0, 10)
    for _ in range(5):
        feed.hello(complete=False)
    answered = drain(feed, 10, 20)
    assert keyframes(answered) == [10]
    assert [entry["keep"] for entry in entries(answered)] == [0]
    feed.hello(complete=False)
    feed.next_message(20)
    feed.hello(complete=False)
    assert keyframes(drain(feed, 20.1, 30)) == pytest.approx([22], abs=0.2)


def test_messages_are_bounded_and_paced_however_much_there_is() -> None:
    logs = big_logs(runs=40, tags=30, steps=600)
    feed = heard_feed(logs)
    sent = drain(feed, 0, 20)
    assert max(len(json.dumps(m.header)) + len(m.buffer) for _, m in sent) <= MESSAGE_BYTES
    assert min(b - a for (a, _), (b, _) in pairwise(sent)) >= 0.0999
    assert sum(len(m.buffer) for _, m in sent) <= 10e6 * 20
    final = {(e["run"], e["tag"]): e["width"] for e in entries(sent)}
    assert len(final) == 1200
    assert set(final.values()) == {1}


def test_the_first_screen_is_fine_at_once_the_rest_coarse_then_fine() -> None:
    feed = heard_feed(big_logs(runs=20, tags=30, steps=600))
    sent = drain(feed, 0, 20)
    seen = entries(sent)
    first_widths = {e["tag"]: e["width"] for e in reversed(seen)}
    assert {first_widths[f"tag{i}"] for i in range(12)} == {1}
    assert {first_widths[f"tag{i}"] for i in range(12, 30)} == {8}
    tags = list(dict.fromkeys(e["tag"] for e in seen))
    assert tags == [f"tag{i}" for i in range(30)]


def test_a_long_series_is_bounded() -> None:
    logs = FakeLogs()
    logs.put("a", "loss", range(200_000), np.sin(np.arange(200_000)).tolist())
    ((_, message),) = drain(heard_feed(logs), 0, 1)
    (entry,) = entries([(0, message)])
    assert entry["total"] == 200_000
    assert entry["width"] > 1
    assert message.header["columns"][entry["value"]][1] <= WHOLE_SERIES


def test_news_do_not_wait_for_a_long_keyframe() -> None:
    logs = big_logs(runs=40, tags=40, steps=600)
    feed = heard_feed(logs)
    drain(feed, 0, 20)
    feed.hello(complete=False)
    feed.next_message(20)
    # tag0 has just travelled with the keyframe; what comes now must not wait for its end.
    feed.changed(logs.put("run0", "tag0", [600], [1]))
    message, _ = feed.next_message(20.2)
    assert message is not None
    assert message.header["ends"] is False
    assert ("run0", "tag0", 601) in {(e["run"], e["tag"], e["total"]) for e in entries([(20.2, message)])}


def test_what_vanished_is_left_out_of_a_new_keyframe() -> None:
    logs = FakeLogs()
    logs.put("a", "loss", [0], [1])
    changes = logs.put("b", "loss", [0], [1])
    feed = heard_feed(logs)
    drain(feed, 0, 10)
    del logs.series["b", "loss"]
    feed.changed(changes)
    sent = drain(feed, 10, 15)
    assert keyframes(sent) == [10]
    assert [entry["run"] for entry in entries(sent)] == ["a"]


def test_what_the_first_pass_finds_is_not_new() -> None:
    logs = FakeLogs(ready=False)
    feed = heard_feed(logs)
    drain(feed, 0, 1)
    feed.changed(logs.put("a", "loss", [0], [1]))
    logs.ready = True
    sent = drain(feed, 1, 5)
    assert sent[-1][1].header["status"]["ready"] is True
    assert sent[-1][1].header["status"]["age"] is None
    feed.changed(logs.put("a", "loss", [1], [1]))
    assert drain(feed, 5, 6)[0][1].header["status"]["age"] == 0


def test_progress_is_told_while_reading() -> None:
    logs = FakeLogs(ready=False, progress=(0, 100))
    feed = heard_feed(logs)
    told = []
    for tenth in range(30):
        logs.progress = (tenth, 100)
        told += [m.header["status"]["read"][0] for _, m in drain(feed, tenth / 10, tenth / 10 + 0.1)]
    assert len(told) > 8
    assert told == sorted(told)


def test_problems_are_listed_when_they_are_new_and_cut_when_they_are_many() -> None:
    logs = FakeLogs(problems=[Problem("p" * 5000, 2**63, "\x00" * 5000)] * 1000)
    feed = heard_feed(logs)
    ((_, first),) = drain(feed, 0, 1)
    assert first.header["status"]["problems"] == 1000
    assert len(json.dumps(first.header)) < MESSAGE_BYTES
    ((_, second),) = drain(feed, 30, 31)
    assert "problem_list" not in second.header["status"]
    logs.problems.append(Problem("x", None, "y"))
    feed.changed(logs.put("a", "loss", [0], [1]))
    ((_, third),) = drain(feed, 32, 33)
    assert len(third.header["status"]["problem_list"]) <= 50


def test_monstrous_names_are_counted_and_odd_ones_travel() -> None:
    logs = FakeLogs()
    logs.put("a", "x" * (LONGEST_NAME + 1), [0], [1])
    logs.put("\udcff", "<script>", [0], [1])
    ((_, message),) = drain(heard_feed(logs), 0, 1)
    assert message.header["status"]["left_out"] == 1
    assert message.header["runs"] == ["\\udcff"]
    assert message.header["tags"] == ["<script>"]
    json.dumps(message.header, ensure_ascii=False, allow_nan=False).encode()


@pytest.mark.parametrize("wall_time", [np.nan, np.inf, -np.inf, 1e300])
def test_times_that_are_no_numbers_do_not_break_the_header(wall_time: float) -> None:
    logs = FakeLogs({("a", "loss"): FakeSeries(np.array([0]), np.array([1.0]), begun=wall_time)})
    ((_, message),) = drain(heard_feed(logs), 0, 1)
    assert message.header["status"]["newest"] is None
    json.dumps(message.header, allow_nan=False)
