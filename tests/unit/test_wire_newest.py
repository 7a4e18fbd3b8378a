"""With hundreds of runs, the runs that are listed first, and those that a page shows, are sent in full first."""

from __future__ import annotations

import numpy as np

from tbwidget.wire.channel import Channel
from tbwidget.wire.keys import MAX_SELECTED_RUNS, NEWEST_RUN_COUNT, NewestRuns
from tbwidget.wire.message import Message
from tests.support.feeds import FakeSeries, FakeSource, channel_of, drain, report_view

POINTS = 2_000


def many_logs(runs: int) -> FakeSource:
    """Make runs that began one after the other, the last in natural order first."""
    steps = np.arange(POINTS)
    series = {
        (f"run{number}", "loss"): FakeSeries(steps, np.sin(steps + number), begun=1.7e9 - 60 * number)
        for number in range(runs)
    }
    return FakeSource(series)


def in_full(sent: list[tuple[float, Message]]) -> list[str]:
    """Return runs in the order in which their series were sent in full."""
    return [
        message.header["runs"][part["run"]]
        for _, message in sent
        for part in message.header["series"]
        if part["width"] == 1
    ]


def test_the_newest_of_hundreds_of_runs_are_sent_in_full_first() -> None:
    channel = channel_of(many_logs(MAX_SELECTED_RUNS + 40))
    found = in_full(drain(channel, 0, 20))
    assert sorted(found[:NEWEST_RUN_COUNT]) == sorted(f"run{number}" for number in range(NEWEST_RUN_COUNT))
    assert len(set(found)) > NEWEST_RUN_COUNT


def test_fewer_runs_are_sent_in_their_order() -> None:
    found = in_full(drain(channel_of(many_logs(100)), 0, 20))
    assert found[:100] == [f"run{number}" for number in range(100)]


def test_the_runs_that_a_page_shows_are_sent_before_others() -> None:
    channel: Channel = channel_of(many_logs(200))
    channel.receive({"type": "hello", "complete": True})
    first = drain(channel, 0, 0.11)
    wanted = ["run180", "run190"]
    assert not set(wanted) & set(in_full(first))
    report_view(channel, ["loss"], ["loss"], seq=len(first), runs=wanted)
    found = in_full(drain(channel, 1, 10))
    assert found[:2] == wanted
    assert len(set(found)) >= 100, "the others follow"
    report_view(channel, ["loss"], runs=[{}, 7])  # type: ignore[list-item]
    drain(channel, 10, 11)


def test_runs_without_rows_are_older_than_all() -> None:
    newest = NewestRuns()
    series = FakeSeries(np.arange(1), np.zeros(1))
    runs = [f"run{number}" for number in range(MAX_SELECTED_RUNS)]
    newest.note("run3", series)
    newest.note("run3", FakeSeries(np.empty(0, np.int64), np.empty(0)))
    assert newest.among(runs) is None
    found = newest.among([*runs, "later"])
    assert found is not None
    assert len(found) == NEWEST_RUN_COUNT
    assert {"run3", "run499"} <= found, "of those of unknown time the last"
