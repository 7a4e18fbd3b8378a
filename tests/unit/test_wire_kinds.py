"""Several kinds of series in one channel: histograms and scalars, in bounded messages, each at its own pace."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tbwidget.logs.source import Changes
from tbwidget.panels.histogram_bins import Bins
from tbwidget.panels.histograms import COARSE_STEPS, HISTOGRAMS, HistogramsContent
from tbwidget.panels.scalars import SCALARS
from tbwidget.wire.channel import Channel
from tbwidget.wire.message import MAX_MESSAGE_BYTES
from tbwidget.wire.snapshot import snapshot
from tests.support.feeds import FakeSource, drain, logs_over, report_view


@dataclass
class Series:
    """A series of histograms that counts how many are read."""

    total: int
    bins: int = 30
    number: int = 0
    revision: int = 0
    superseded: int = 0
    read_count: int = 0

    @property
    def step(self) -> NDArray[np.int64]:
        return np.arange(self.total, dtype=np.int64)

    @property
    def wall_time(self) -> NDArray[np.float64]:
        return 1.7e9 + np.arange(self.total, dtype=np.float64)

    def __len__(self) -> int:
        return self.total

    def read(self, places: NDArray[np.int64]) -> Bins:
        self.read_count += len(places)
        n, bins = len(places), self.bins
        left = np.tile(np.arange(float(bins)), n) + np.repeat(places, bins)
        counts = (np.repeat(places, bins) * 7 + left * 3 + self.number) % 251 + 1
        ambiguous = np.full(n, np.nan)
        return Bins(np.full(n, bins), left, left + 1, counts, ambiguous, ambiguous)


@dataclass
class HistogramSource(FakeSource):
    """A source that also contains histograms."""

    held: dict[tuple[str, str], Series] = field(default_factory=dict)

    def tags(self) -> dict[str, dict[str, list[str]]]:
        found: dict[str, list[str]] = {}
        for run, tag in self.held:
            found.setdefault(run, []).append(tag)
        return {**super().tags(), **({"histograms": found} if found else {})}


@pytest.fixture(autouse=True)
def read_from_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HistogramsContent, "read", lambda _kind, logs, run, tag: logs.source.held[run, tag])


def logs_of(tags: int, steps: int, bins: int = 30, scalars: int = 0) -> HistogramSource:
    logs = HistogramSource(held={("a", f"h{i}"): Series(steps, bins, i) for i in range(tags)})
    for i in range(scalars):
        logs.put("a", f"s{i}", range(100), [0.5] * 100)
    return logs


def channel_of(logs: HistogramSource, *kinds: str) -> Channel:
    by_kind = {"scalars": SCALARS, "histograms": HISTOGRAMS}
    channel = Channel(logs_over(logs), [by_kind[kind] for kind in kinds or by_kind])
    channel.receive({"type": "hello", "complete": True})
    return channel


def entries(sent: list[tuple[float, Any]], key: str = "series") -> list[dict[str, Any]]:
    return [{**entry, "tag": m.header["tags"][entry["tag"]]} for _, m in sent for entry in m.header[key]]


def test_kinds_travel_in_their_order_and_only_those_that_are_shown() -> None:
    logs = logs_of(3, 5, scalars=2)
    kinds = [entry["kind"] for entry in entries(drain(channel_of(logs), 0, 1))]
    assert kinds == ["scalars"] * 2 + ["histograms"] * 3
    kinds = [entry["kind"] for entry in entries(drain(channel_of(logs, "histograms", "scalars"), 0, 1))]
    assert kinds == ["histograms"] * 3 + ["scalars"] * 2
    assert {entry["kind"] for entry in entries(drain(channel_of(logs, "histograms"), 0, 1))} == {"histograms"}


def test_all_are_there_coarsely_in_the_first_message_and_the_first_screen_in_full_next() -> None:
    logs = logs_of(300, 1000)
    sent = drain(channel_of(logs, "histograms"), 0, 0.35)
    coarse = entries(sent[:1])
    assert {entry["tag"] for entry in coarse} == {f"h{i}" for i in range(300)}
    assert [entry["tag"] for entry in entries(sent) if entry["fine"]][:6] == [f"h{i}" for i in range(6)]
    assert logs.held["a", "h200"].read_count <= COARSE_STEPS + 1


@pytest.mark.parametrize("bins", [1, 30, 2000, 20_000])
def test_messages_are_bounded_with_any_bins(bins: int) -> None:
    logs = logs_of(40, 300, bins, scalars=3)
    sent = drain(channel_of(logs), 0, 3)
    assert max(len(m.buffer) + len(json.dumps(m.header)) for _, m in sent) <= MAX_MESSAGE_BYTES
    assert {entry["tag"] for entry in entries(sent)} >= {f"h{i}" for i in range(40)}


def test_only_a_few_series_are_read_unasked() -> None:
    logs = logs_of(500, 1000)
    drain(channel_of(logs, "histograms"), 0, 30)
    in_full = [series for series in logs.held.values() if series.read_count > 500]
    assert 6 <= len(in_full) < 100


def test_updates_of_a_series_leave_its_file_alone_for_a_while() -> None:
    logs = logs_of(100, 20)
    channel = channel_of(logs, "histograms")
    drain(channel, 0, 5)
    before = sum(series.read_count for series in logs.held.values())
    now = 5.0
    for _ in range(100):  # ten seconds in which every tag grows ten times a second
        for series in logs.held.values():
            series.total += 1
        channel.notify(Changes(frozenset(("histograms", *key) for key in logs.held), catalog=False))
        drain(channel, now, now + 0.1)
        now += 0.1
    read = sum(series.read_count for series in logs.held.values()) - before
    # About once a second for each tag; a coarse series does not read all histograms added since.
    assert 500 < read < 12_000
    sent = drain(channel, now, now + 3)
    assert {entry["total"] for entry in entries(sent) if entry["tag"] == "h50"} <= {120}
    drain(channel, now + 3, now + 20)


def test_an_update_on_the_screen_that_is_deferred_says_how_long_it_has_waited() -> None:
    logs = logs_of(300, 20)
    channel = channel_of(logs, "histograms")
    report_view(channel, ["h7"])
    drain(channel, 0, 60)
    waits = {}
    for tag, now in (("h7", 60), ("h7", 60.5), ("h9", 62), ("h11", 63)):
        logs.held["a", tag].total += 1
        channel.notify(Changes(frozenset({("histograms", "a", tag)}), catalog=False))
        waits[now] = [message.header["status"]["unsent"] for _, message in drain(channel, now, now + 0.4)]
    # The second row of "h7" must wait for 3 s after the first one.
    assert waits == {60: [0], 60.5: [], 62: [1.5], 63: [0]}


def test_while_logs_are_read_invisible_series_are_not_sent_in_full() -> None:
    logs = logs_of(250, 100)
    logs.ready = False
    channel = channel_of(logs, "histograms")
    drain(channel, 0, 3)
    assert sum(series.read_count > 50 for series in logs.held.values()) <= 6
    logs.ready = True
    drain(channel, 3, 6)
    assert sum(series.read_count > 50 for series in logs.held.values()) > 6


def test_zooming_into_steps_brings_all_of_them() -> None:
    logs = logs_of(1, 5000, 400)
    channel = channel_of(logs, "histograms")
    sent = drain(channel, 0, 2)
    stride = entries(sent)[-1]["stride"]
    assert stride > 8
    report_view(channel, ["h0"], [], 1, (1000.0, 1040.0))
    details = entries(drain(channel, 2, 3), "details")
    assert [(one["stride"], one["from"] <= 1000, one["from"] + one["total"] > 1040) for one in details] == [
        (1, True, True)
    ]


def test_a_step_that_is_pointed_out_brings_its_neighbors_once() -> None:
    logs = logs_of(2, 5000, 400, scalars=1)
    channel = channel_of(logs, "histograms", "scalars")
    strides = [one["stride"] for one in entries(drain(channel, 0, 2)) if one["kind"] == "histograms"]
    assert strides[-1] > 8

    def messages(begin: float, linked: float | None) -> list[tuple[bool, int, int, int]]:
        report_view(channel, ["h0"], [], 1, None, None, linked)
        found = entries(drain(channel, begin, begin + 1), "details")
        return [(one["linked"], one["stride"], one["from"], one["total"]) for one in found]

    assert messages(2, 1003.0) == [(True, 1, 976, 48)]
    assert messages(3, 1004.0) == []
    assert messages(6, 5000.0) == [(True, 1, 4976, 24)]
    assert messages(7, None) == []
    assert messages(8, -3.0) == []


def test_a_step_that_is_pointed_out_comes_again_when_growth_drove_it_out() -> None:
    logs = logs_of(1, 50, 400)
    channel = channel_of(logs, "histograms")
    (first,) = entries(drain(channel, 0, 2))[-1:]
    assert first["stride"] == 1
    report_view(channel, ["h0"], [], 1, None, None, 41.0)
    assert entries(drain(channel, 2, 3), "details") == []
    logs.held["a", "h0"] = Series(1000, 400, 0)
    channel.notify(Changes(frozenset({("histograms", "a", "h0")}), catalog=False))
    sent = drain(channel, 3, 6)
    assert entries(sent)[-1]["stride"] > 1
    assert [one["from"] <= 41 < one["from"] + one["total"] for one in entries(sent, "details")] == [True]


def test_a_tag_that_changes_its_kind_is_sent_again() -> None:
    logs = logs_of(1, 5)
    channel = channel_of(logs)
    drain(channel, 0, 1)
    del logs.held["a", "h0"]
    channel.notify(logs.put("a", "h0", [1, 2], [1.0, 2.0]))
    sent = drain(channel, 1, 4)
    assert entries(sent)[-1]["kind"] == "scalars"
    assert sent[-1][1].header["ends"] or any(m.header["ends"] for _, m in sent)


LARGE = 5_000_000
"""Characters of an exported page."""


def test_a_saved_page_shows_histograms_too() -> None:
    logs = logs_of(200, 1000, scalars=5)
    saved = snapshot(logs_over(logs), (HISTOGRAMS, SCALARS), LARGE)
    assert len(json.dumps(saved)) <= LARGE + 100
    headers = [json.loads(message["header"]) for message in saved["messages"]]
    assert {entry["kind"] for header in headers for entry in header["series"]} == {"histograms", "scalars"}
    tags = {tag for header in headers for tag in header["tags"]}
    assert tags >= {f"h{i}" for i in range(200)}
