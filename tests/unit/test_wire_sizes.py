"""No message is larger than a megabyte, whatever it contains; the rest follows in the next one."""

from __future__ import annotations

import json
import tracemalloc
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tbwidget.logs import load
from tbwidget.logs.problems import Problem
from tbwidget.panels.histograms import HISTOGRAMS
from tbwidget.panels.scalars import ScalarsContent
from tbwidget.wire.channel import Channel
from tbwidget.wire.columns import Columns
from tbwidget.wire.message import MAX_MESSAGE_BYTES, MAX_NAME_BYTES, PROBLEM_LIST_BYTES, Message, problem_list
from tbwidget.wire.redaction import places_of
from tbwidget.wire.snapshot import snapshot
from tests.support.contents import PAPERS, PICTURES, put_pictures
from tests.support.eventfiles import NAME, points, write
from tests.support.feeds import CONTENTS, FakeSeries, FakeSource, channel_of, drain, logs_over
from tests.support.page import Page

ROOTS = 3_000


def size_of(message: Message) -> int:
    """Return the bytes of a message as sent."""
    return len(json.dumps(message.header)) + len(message.buffer)


def many_roots() -> FakeSource:
    """Make a directory of many roots with long names, which JSON makes six times as long."""
    roots = {f"{i:04}" + "\x01é" * 60: Path(f"/data/{i:04}" + "\x01é" * 100) for i in range(ROOTS)}
    title = "/data/{" + ", ".join(roots) + "}"
    return FakeSource(paths=roots, title=title)


def long_names(logs: FakeSource, count: int) -> None:
    name = "\x01" * (MAX_NAME_BYTES - 10)
    for i in range(count):
        logs.series[f"{name}{i}", f"{name}{i}"] = FakeSeries(np.arange(3), np.ones(3))


def test_the_largest_message_is_no_larger_than_that() -> None:
    logs = many_roots()
    logs.problems = [Problem("\U0001f600" * 5000, 2**63, "\x00" * 5000)] * 5000
    long_names(logs, 60)
    for i in range(300):
        logs.values.setdefault("pictures", {})[f"run {i}", "\x02" * 4000 + str(i)] = MemoryError("\x03" * 5000)
    put_pictures(logs, "run", "good", *((step, "x" * 500, bytes(300_000)) for step in range(5)))
    channel = Channel(logs_over(logs), (*CONTENTS, PICTURES, PAPERS))
    channel.receive({"type": "hello", "complete": True})
    channel.post_answer("request", "\U0001f600" * 500)
    sent = drain(channel, 0, 20)
    assert max(size_of(message) for _, message in sent) <= MAX_MESSAGE_BYTES
    page = Page()
    for _, message in sent:
        page.take(message)
    assert len(page.failed) == 300
    assert {run for _, message in sent for run in message.header["runs"]} >= {run for run, _ in logs.series}


def test_places_that_are_too_many_for_one_message_follow_one_another() -> None:
    logs = many_roots()
    logs.put("a", "loss", [1], [1])
    channel = channel_of(logs)
    channel.receive({"type": "hello", "complete": True})
    statuses = [message.header["status"] for _, message in drain(channel, 0, 5)]
    pieces = [status for status in statuses if "places" in status]
    assert len(pieces) > 1
    received: list[Any] = []
    for status in pieces:
        assert status["places_from"] == len(received)
        received += status["places"]
        assert status["places_left"] == len(places_of(logs_over(logs))) - len(received)
    assert [tuple(place) for place in received] == places_of(logs_over(logs))
    # A requested keyframe starts again.
    channel.receive({"type": "resync", "complete": False})
    again = [message.header["status"] for _, message in drain(channel, 5, 10)]
    assert sum(len(status.get("places", ())) for status in again) == len(received)


def test_saved_pages_do_not_contain_the_places() -> None:
    logs = many_roots()
    logs.put("a", "loss", [1], [1])
    saved = json.loads(snapshot(logs_over(logs), CONTENTS)["messages"][0]["header"])
    assert not {"places", "places_from", "places_left", "clock", "unsent"} & set(saved["status"])
    assert "/data" not in saved["status"]["path"]


@given(st.lists(st.tuples(st.text(max_size=400), st.text(max_size=400)), max_size=100))
def test_a_list_of_problems_is_bounded_in_bytes(texts: list[tuple[str, str]]) -> None:
    listed = problem_list([Problem(path, None, message) for path, message in texts])
    assert len(json.dumps(listed)) <= PROBLEM_LIST_BYTES + 2
    assert listed or not texts


def test_a_name_that_never_fits_is_a_problem_that_names_it(tmp_path: Path) -> None:
    from tensorboardX import SummaryWriter  # noqa: PLC0415 (slow to import)

    with SummaryWriter(str(tmp_path)) as writer:
        writer.add_scalar("loss", 1, 1)
        writer.add_scalar("t" * 100_000, 1, 1)
    logs = load(tmp_path)
    channel = Channel(logs, CONTENTS)
    channel.receive({"type": "hello", "complete": True})
    sent = drain(channel, 0, 3)
    assert max(size_of(message) for _, message in sent) < 20_000
    assert sent[-1][1].header["status"]["left_out"] == 1
    (problem,) = logs.problems
    assert "100,000 bytes" in problem.message
    assert "tttt" in problem.path + problem.message
    channel.close()
    assert logs.problems == []


@dataclass
class _Longer(ScalarsContent):
    """Entries that are larger than announced."""

    note_bytes: int

    def entry(self, series: Any, part: Any, columns: Columns, run: str) -> dict[str, Any]:
        return {**super().entry(series, part, columns, run), "note": "é" * (self.note_bytes // 6)}


@pytest.mark.parametrize("note_bytes", [300_000, 2_000_000])
def test_an_entry_that_is_larger_than_promised_waits_for_the_next_message_or_is_a_problem(note_bytes: int) -> None:
    logs = FakeSource()
    for i in range(6):
        logs.put("a", f"tag{i}", [1], [1])
    channel = Channel(logs_over(logs), (_Longer(note_bytes), HISTOGRAMS))
    channel.receive({"type": "hello", "complete": True})
    sent = drain(channel, 0, 4)
    assert max(size_of(message) for _, message in sent) <= MAX_MESSAGE_BYTES
    named = {m.header["tags"][entry["tag"]] for _, m in sent for entry in m.header["series"]}
    failed = {m.header["tags"][entry["tag"]] for _, m in sent for entry in m.header["failed"]}
    tags = {tag for _, tag in logs.series}
    assert (named, failed) == ((tags, set()) if note_bytes < MAX_MESSAGE_BYTES else (set(), tags))
    assert all("do not fit into a message" in reason for reason in logs.failures.values())


@pytest.mark.parametrize("parts", [1, 2])
def test_a_new_point_of_a_long_series_takes_no_copy_of_the_others(tmp_path: Path, parts: int) -> None:
    count = 40_000
    paths = [
        write(tmp_path / f"{NAME}.{part}", points("loss", [*range(part * count, (part + 1) * count)], part * count))
        for part in range(parts)
    ]
    logs = load(tmp_path)
    channel = channel_of(logs)
    channel.receive({"type": "hello", "complete": True})
    logs.source.subscribe(channel.notify)
    now = drain(channel, 0, 10)[-1][0] + 10

    def update() -> list[dict[str, Any]]:
        with paths[-1].open("ab") as file:
            file.write(points("loss", [len(logs.scalars(".", "loss"))], parts * count))
        for step in logs.source.poll(everywhere=True):
            if step.changes:
                logs.source.notify(step.changes)
        return [entry for _, message in drain(channel, now, now + 1) for entry in message.header["series"]]

    for _ in range(2):  # copies the points of several files, and reserves memory to grow
        update()
        now += 1
    tracemalloc.start()
    (entry,) = update()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert entry["total"] == parts * count + 3
    assert entry["keep"] > 0
    assert peak < count * 8  # bytes of one column of a file
