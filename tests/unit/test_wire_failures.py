"""Failures to read or encode are named, and do not affect other data."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tensorboardX import SummaryWriter

from tbwidget.logs import load
from tbwidget.logs.source import Changes
from tbwidget.panels.histograms import HISTOGRAMS
from tbwidget.panels.scalars import SCALARS, ScalarsContent
from tbwidget.wire import channel as channel_module
from tbwidget.wire.channel import Channel
from tbwidget.wire.columns import Columns
from tbwidget.wire.content import Key
from tbwidget.wire.keys import RETRY_AFTER
from tbwidget.wire.message import MessageBuilder
from tbwidget.wire.snapshot import snapshot
from tests.support.contents import PAPERS, PICTURES, put_paper, put_pictures
from tests.support.feeds import FakeSeries, FakeSource, drain, logs_over, report_view
from tests.support.page import Page


class Broken(ScalarsContent):
    """Fails for some tags: when they are read, or when half of their columns are in the message."""

    def __init__(self) -> None:
        self.errors: dict[str, BaseException] = {}
        self.reads: list[str] = []
        self.fails_late = False

    def read(self, logs: Any, run: str, tag: str) -> Any:
        self.reads.append(tag)
        if tag in self.errors and not self.fails_late:
            raise self.errors[tag]
        return super().read(logs, run, tag)

    def entry(self, series: Any, part: Any, columns: Columns, run: str) -> dict[str, Any]:
        entry = super().entry(series, part, columns, run)
        for tag, error in self.errors.items():
            if len(series) == 1000 + int(tag[3:]):
                raise error
        return entry


def logs_of(count: int = 30) -> FakeSource:
    logs = FakeSource()
    for i in range(count):
        logs.put("a", f"tag{i}", range(1000 + i), [float(i)] * (1000 + i))
    return logs


def channel_of(logs: FakeSource, content: Broken, *, heard: bool = True) -> Channel:
    channel = Channel(logs_over(logs), (content, HISTOGRAMS, PICTURES, PAPERS))
    if heard:
        channel.receive({"type": "hello", "complete": True})
    return channel


def show(page: Page, channel: Channel, begin: float, end: float) -> set[str]:
    """Return the tags of series in the messages of some seconds."""
    tags = set()
    for _, message in drain(channel, begin, end):
        page.take(message)
        tags |= {message.header["tags"][entry["tag"]] for entry in message.header["series"]}
        for entry in message.header["series"]:
            assert all(entry[name] < len(message.header["columns"]) for name in ("step", "wall", "value"))
    return tags


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("error", [MemoryError(), IndexError("out of range"), RecursionError("deep"), SystemExit(1)])
@pytest.mark.parametrize("heard", [True, False])
def test_one_series_that_fails_is_named_and_all_others_arrive(error: BaseException, *, late: bool, heard: bool) -> None:
    logs, content, page = logs_of(), Broken(), Page()
    content.errors["tag7"] = error
    content.fails_late = late
    channel = channel_of(logs, content, heard=heard)
    tags = show(page, channel, 0, 5)
    assert tags == {f"tag{i}" for i in range(30)} - {"tag7"}
    reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    assert page.failed == {("scalars", "a", "tag7"): reason}
    assert logs.failures == {("scalars", "a", "tag7"): reason}


def test_a_failure_during_encoding_leaves_no_trace_in_the_message() -> None:
    logs, content = logs_of(3), Broken()
    whole, _ = channel_of(logs_of(3), Broken()).next_message(0)
    content.errors["tag1"], content.fails_late = ValueError("no"), True
    message, _ = channel_of(logs, content).next_message(0)
    assert whole is not None
    assert message is not None
    kept = message.header["series"]
    assert len(kept) == 2
    used = {
        entry[name]
        for entry in kept
        for name in ("step", "wall", "value", "first", "min", "max", "gaps")
        if name in entry
    }
    assert used == set(range(len(message.header["columns"])))
    assert len(message.buffer) < len(whole.buffer)


def test_it_is_tried_again_when_it_changed_and_recovers() -> None:
    logs, content, page = logs_of(3), Broken(), Page()
    content.errors["tag1"] = OSError(5, "Input/output error")
    channel = channel_of(logs, content)
    show(page, channel, 0, 10)
    reads = len(content.reads)
    show(page, channel, 10, 60)
    assert len(content.reads) == reads, "not without a reason"
    channel.notify(logs.put("a", "tag1", [5000], [1.0]))
    show(page, channel, 60, 61)
    assert content.reads[reads:].count("tag1") == 1
    assert list(page.failed) == [("scalars", "a", "tag1")]
    content.errors.clear()
    channel.notify(logs.put("a", "tag1", [5001], [1.0]))
    assert "tag1" in show(page, channel, 70, 75)
    assert page.failed == {}
    assert logs.failures == {}


def test_a_keyframe_retries_failures_of_long_ago() -> None:
    logs, content, page = logs_of(3), Broken(), Page()
    content.errors["tag1"] = MemoryError()
    channel = channel_of(logs, content)
    show(page, channel, 0, 5)
    content.errors.clear()
    channel.receive({"type": "resync", "complete": False})
    show(page, channel, 5, 10)
    assert list(page.failed) == [("scalars", "a", "tag1")], "too soon"
    channel.receive({"type": "resync", "complete": False})
    assert "tag1" in show(page, channel, 1 + RETRY_AFTER, 5 + RETRY_AFTER)
    assert page.failed == {}


def test_a_failing_series_that_keeps_changing_is_not_tried_each_time() -> None:
    logs, content, page = logs_of(3), Broken(), Page()
    content.errors["tag1"] = MemoryError()
    channel = channel_of(logs, content)
    show(page, channel, 0, 5)
    reads = len(content.reads)
    for tenth in range(200):
        channel.notify(Changes(frozenset({("scalars", "a", "tag1")}), catalog=False))
        show(page, channel, 5 + tenth / 10, 5.1 + tenth / 10)
    assert 2 <= len(content.reads) - reads <= 5


def test_a_visible_series_that_failed_is_left_alone() -> None:
    logs, content, page = logs_of(3), Broken(), Page()
    content.errors["tag1"] = MemoryError()
    channel = channel_of(logs, content)
    show(page, channel, 0, 5)
    reads = len(content.reads)
    report_view(channel, ["tag1"], ["tag1"], 100)
    show(page, channel, 5, 8)
    assert len(content.reads) == reads


def test_a_failed_series_that_is_gone_is_no_problem_any_more() -> None:
    logs, content, page = logs_of(3), Broken(), Page()
    content.errors["tag1"] = MemoryError()
    channel = channel_of(logs, content)
    show(page, channel, 0, 5)
    del logs.series["a", "tag1"]
    channel.notify(Changes(frozenset(), catalog=True))
    show(page, channel, 5, 10)
    assert page.failed == {}
    assert logs.failures == {}


def test_items_and_documents_that_fail_are_named_too() -> None:
    logs, page = logs_of(2), Page()
    put_pictures(logs, "a", "good", (1, "one", b"1"))
    put_paper(logs, "b", b"good")
    logs.values["pictures"]["a", "bad"] = MemoryError("no room")
    logs.values["papers"]["a", "bad"] = ValueError("odd")
    show(page, channel_of(logs, Broken()), 0, 5)
    assert page.failed == {("pictures", "a", "bad"): "MemoryError: no room", ("papers", "a", ""): "ValueError: odd"}
    assert set(page.indices) == {("pictures", "a", "good")}
    assert set(page.contents) == {("papers", "b", "")}


def test_a_draft_goes_back_to_where_it_was() -> None:
    def add(draft: MessageBuilder, tag: str, count: int) -> None:
        rng = np.random.default_rng(count)
        series = FakeSeries(rng.integers(0, 2**40, count), rng.normal(size=count), times=rng.uniform(size=count))
        part = SCALARS.next_part(series, None, None, fine=True)  # type: ignore[arg-type]
        assert part is not None
        run = f"run of {tag}"
        draft.add("series", Key("scalars", run, tag), SCALARS.entry(series, part, draft.columns, run))

    plain, rolled_back = MessageBuilder(), MessageBuilder()
    add(plain, "one", 10)
    add(rolled_back, "one", 10)
    mark = rolled_back.savepoint()
    add(rolled_back, "other", 500)
    rolled_back.add_piece("answer", None, "id", b"12345", 0, 5)
    rolled_back.rollback(mark)
    for draft in (plain, rolled_back):
        add(draft, "two", 20)
        add(draft, "one", 10)
    assert rolled_back.size == plain.size
    assert rolled_back.message({}) == plain.message({})


def test_it_is_among_the_problems_of_the_logs_until_it_works_again(tmp_path: Path) -> None:
    with SummaryWriter(str(tmp_path)) as writer:
        for tag in ("tag0", "tag1"):
            writer.add_scalar(tag, 1.0, 1)
    content = Broken()
    content.errors["tag1"] = MemoryError()
    with load(tmp_path) as logs:
        channel, page = Channel(logs, (content,)), Page()
        show(page, channel, 0, 5)
        assert [problem.message for problem in logs.problems if "MemoryError" in problem.message] != []
        content.errors.clear()
        channel.notify(Changes(frozenset({("scalars", ".", "tag1")}), catalog=False))
        show(page, channel, 10, 12)
        assert logs.problems == []
        assert page.failed == {}


class Slow(ScalarsContent):
    """A source on a slow disk."""

    def entry(self, series: Any, part: Any, columns: Columns, run: str) -> dict[str, Any]:
        time.sleep(0.02)
        return super().entry(series, part, columns, run)


def test_series_that_are_slow_to_read_keep_no_message_from_leaving(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channel_module, "MAX_FIRST_COMPOSING_S", 0.1)
    logs, page = logs_of(100), Page()
    channel = Channel(logs_over(logs), (Slow(),))
    channel.receive({"type": "hello", "complete": True})
    first, _ = channel.next_message(0)
    assert first is not None
    assert 0 < len(first.header["series"]) < 100
    assert first.header["ends"] is False
    page.take(first)
    named = {first.header["tags"][entry["tag"]] for entry in first.header["series"]}
    assert named | show(page, channel, 0.1, 5) == {f"tag{i}" for i in range(100)}


def test_problems_end_with_the_channel_that_reported_them_and_a_snapshot_reports_none() -> None:
    logs, content = logs_of(2), Broken()
    content.errors["tag1"] = MemoryError()
    channel = channel_of(logs, content)
    drain(channel, 0, 1)
    assert list(logs.failures) == [("scalars", "a", "tag1")]
    snapshot(logs_over(logs), [content])
    assert list(logs.failures) == [("scalars", "a", "tag1")]
    channel.close()
    assert logs.failures == {}
    assert len(snapshot(logs_over(logs), [content])["messages"]) == 1
    assert logs.failures == {}


def test_reasons_that_are_no_utf_8_travel_as_escapes(caplog: pytest.LogCaptureFixture) -> None:
    logs, content, page = logs_of(2), Broken(), Page()
    content.errors["tag1"] = ValueError("\ud800")
    show(page, channel_of(logs, content), 0, 1)
    assert page.failed == {("scalars", "a", "tag1"): "ValueError: \\ud800"}
    assert caplog.text.isascii(), "not every handler takes what is no UTF-8"
