"""Items: the index arrives complete wherever rows are inserted; blobs come newest first, within their budget."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tbwidget.logs.source import Changes
from tbwidget.wire.channel import Channel
from tbwidget.wire.items_stream import spread_row
from tbwidget.wire.message import MAX_MESSAGE_BYTES, ByteBudget
from tbwidget.wire.plan import MAX_BLOBS_COMPOSING_S, Priority
from tests.support.contents import PAPERS, PICTURES, Pictures, put_paper, put_pictures
from tests.support.feeds import CONTENTS, FakeSource, drain, logs_over
from tests.support.page import Page

KEY = ("pictures", "a", "x")


def channel_of(logs: FakeSource, *, heard: bool = True) -> Channel:
    channel = Channel(logs_over(logs), (*CONTENTS, PICTURES))
    if heard:
        channel.receive({"type": "hello", "complete": True})
    return channel


def picture(step: int, size: int = 100, name: str = "") -> tuple[int, str, bytes]:
    return step, name or f"step {step}", bytes([step % 251]) * size


def show(page: Page, channel: Channel, begin: float, end: float) -> list[tuple[float, Any]]:
    sent = drain(channel, begin, end)
    for _, message in sent:
        assert len(json.dumps(message.header)) + len(message.buffer) <= MAX_MESSAGE_BYTES
        page.take(message)
    return sent


def named(logs: FakeSource, page: Page, key: tuple[str, str, str] = KEY) -> dict[str, int]:
    """The id of each row in the page, by the row's name; the page holds all rows, in order."""
    held, index = page.indices[key], logs.values["pictures"][key[1:]]
    assert [step for step, _ in held.rows] == index.step.tolist()
    assert held.total == len(index)
    ids = [number for _, number in held.rows]
    assert len(set(ids)) == len(ids)
    return dict(zip(index.identity, ids, strict=True))


def test_an_index_grows_and_is_inserted_into_with_ids_that_stay() -> None:
    logs, page = FakeSource(), Page()
    put_pictures(logs, "a", "x", picture(5), picture(9))
    channel = channel_of(logs)
    show(page, channel, 0, 1)
    before = named(logs, page)
    channel.notify(put_pictures(logs, "a", "x", picture(7)))
    sent = show(page, channel, 1, 2)
    (entry,) = [entry for _, message in sent for entry in message.header["items"]]
    assert (entry["keep"], entry["total"], entry["label"]) == (1, 3, "made up")
    after = named(logs, page)
    assert {name: after[name] for name in before} == before
    assert not page.stale


def test_rows_that_are_gone_leave_the_index() -> None:
    logs, page = FakeSource(), Page()
    put_pictures(logs, "a", "x", *map(picture, range(5)))
    channel = channel_of(logs)
    show(page, channel, 0, 1)
    before = named(logs, page)
    del logs.values["pictures"]["a", "x"].rows[3:]
    changes = Changes(frozenset({KEY}), catalog=False)
    channel.notify(changes)
    show(page, channel, 1, 2)
    assert named(logs, page) == {name: before[name] for name in list(before)[:3]}
    del logs.values["pictures"]["a", "x"].rows[0]
    channel.notify(changes)
    show(page, channel, 2, 3)
    assert set(named(logs, page)) == {"step 1", "step 2"}


def test_ids_are_never_used_again() -> None:
    logs, page = FakeSource(), Page()
    put_pictures(logs, "a", "x", picture(0), picture(1))
    channel = channel_of(logs)
    show(page, channel, 0, 1)
    before = set(named(logs, page).values())
    logs.values["pictures"]["a", "x"] = Pictures([picture(0), picture(1)], revision=1)
    channel.notify(Changes(frozenset({KEY}), catalog=False))
    show(page, channel, 1, 2)
    again = set(named(logs, page).values())
    assert page.indices[KEY].revision == 1
    assert not again & before
    held = logs.values["pictures"].pop(("a", "x"))
    channel.notify(Changes(frozenset({KEY}), catalog=True))
    show(page, channel, 3, 6)
    assert KEY not in page.indices
    logs.values["pictures"]["a", "x"] = held
    channel.notify(Changes(frozenset({KEY}), catalog=True))
    show(page, channel, 6, 9)
    assert not set(named(logs, page).values()) & (before | again)


def test_a_long_index_travels_in_parts_within_one_keyframe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(PICTURES), "prefetch_bytes", 0)
    logs, page = FakeSource(), Page()
    rng = np.random.default_rng(0)
    steps = np.unique(rng.integers(0, 2**62, 60_000)).tolist()
    logs.values["pictures"] = {("a", "x"): Pictures([(step, str(step), b"") for step in steps])}
    logs.put("a", "loss", [1], [1])
    channel = channel_of(logs)
    sent = show(page, channel, 0, 3)
    assert len(named(logs, page)) == len(steps)
    ends = [message.header["ends"] for _, message in sent]
    assert ends.index(True) > 0
    assert not page.stale


@pytest.mark.parametrize("seed", range(4))
def test_after_any_events_the_page_holds_the_index_in_the_end(seed: int) -> None:
    """Insertions, removals, revisions, lost messages: the page ends with the whole index, and each row's own blob."""
    rng = np.random.default_rng(seed)
    logs, page = FakeSource(), Page()
    for tag in "xyz":
        put_pictures(logs, "a", tag, picture(0, name=f"{tag} first"))
    channel, now, blobs = channel_of(logs), 0.0, {}
    for count in range(150):
        tag = "xyz"[rng.integers(3)]
        held = logs.values["pictures"]["a", tag]
        if rng.random() < 0.1 and len(held) > 1:
            del held.rows[int(rng.integers(len(held)))]
        elif rng.random() < 0.05:
            held.revision += 1
        step = int(rng.integers(1000))
        blobs[f"{tag} {count}"] = data = rng.bytes(int(rng.integers(5000)))
        channel.notify(put_pictures(logs, "a", tag, (step, f"{tag} {count}", data)))
        for _, message in drain(channel, now, now + 0.15):
            if rng.random() > 0.1:
                page.take(message)
        now += 0.15
    channel.receive({"type": "resync", "complete": False})
    show(page, channel, now, now + 10)
    for tag in "xyz":
        key = ("pictures", "a", tag)
        rows = named(logs, page, key)
        newest = logs.values["pictures"]["a", tag].identity[-1]
        assert (key, rows[newest]) in page.blobs
        for name, number in rows.items():
            if name in blobs and (key, number) in page.blobs:
                assert page.blobs[key, number] == blobs[name]


def test_a_stale_index_is_sent_whole_when_it_is_asked_for() -> None:
    logs, page = FakeSource(), Page()
    put_pictures(logs, "a", "x", picture(1))
    channel = channel_of(logs)
    drain(channel, 0, 1)  # no page receives this
    channel.notify(put_pictures(logs, "a", "x", picture(2)))
    show(page, channel, 1, 2)
    assert page.stale == {KEY}
    channel.receive(
        {"type": "view", "view": "v", "kinds": None, "tags": ["x"], "want": [["pictures", "x"]], "seq": page.seq}
    )
    show(page, channel, 2, 3)
    assert not page.stale
    assert len(named(logs, page)) == 2


def test_the_newest_blob_of_each_tag_comes_first_then_a_spread_within_the_budget() -> None:
    logs, page = FakeSource(), Page()
    for tag in range(5):
        put_pictures(logs, "a", f"t{tag}", *(picture(step, 10_000) for step in range(64)))
    channel = channel_of(logs)
    order = []
    for _, message in drain(channel, 0, 10):
        page.take(message)
        order += [(message.header["tags"][piece["tag"]], piece["id"]) for piece in message.header["pieces"]]
    assert order[:5] == [(f"t{tag}", 63) for tag in range(5)]
    assert order[5:10] == [(f"t{tag}", 32) for tag in range(5)]
    assert {number for _, number in order[10:20]} == {16, 48}
    assert PICTURES.prefetch_bytes <= sum(map(len, page.blobs.values())) <= PICTURES.prefetch_bytes + 20_000


def test_the_first_message_has_a_blob_though_it_has_no_time_for_all_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tbwidget.wire.channel.MAX_FIRST_COMPOSING_S", -1.0)
    logs, page = FakeSource(), Page()
    for tag in range(5):
        put_pictures(logs, "a", f"t{tag}", picture(1))
    (_, first), *_ = show(page, channel_of(logs), 0, 2)
    assert [len(first.header[name]) for name in ("items", "pieces")] == [1, 1]
    assert len(page.indices) == len(page.blobs) == 5


def test_all_samples_of_the_newest_step_are_sent() -> None:
    logs, page = FakeSource(), Page()
    put_pictures(logs, "a", "x", picture(1), *((2, f"sample {i}", b"abc") for i in range(3)))
    show(page, channel_of(logs), 0, 0.2)
    rows = named(logs, page)
    assert all((KEY, rows[f"sample {i}"]) in page.blobs for i in range(3))


def test_visible_items_are_sent_first_and_beyond_the_budget() -> None:
    logs, page = FakeSource(), Page()
    for tag in range(20):
        put_pictures(logs, "a", f"t{tag:02}", picture(1, 100_000))
    channel = channel_of(logs)
    show(page, channel, 0, 3)
    assert len(page.blobs) == 3
    channel.receive({"type": "view", "view": "v", "kinds": ["pictures"], "tags": ["t17", "t05"], "want": [], "seq": 1})
    sent = show(page, channel, 3, 4)
    pieces = [m.header["tags"][piece["tag"]] for _, m in sent for piece in m.header["pieces"]]
    assert list(dict.fromkeys(pieces)) == ["t17", "t05"]


def test_a_large_blob_travels_in_pieces_beside_updates() -> None:
    logs, page = FakeSource(), Page()
    logs.put("a", "loss", range(100), [1.0] * 100)
    put_pictures(logs, "a", "x", picture(1))
    channel = channel_of(logs)
    show(page, channel, 0, 5)
    blob = np.random.default_rng(0).bytes(3_000_000)
    channel.notify(put_pictures(logs, "a", "x", (2, "large", blob)))
    late = []
    for tenth in range(60):
        channel.notify(logs.put("a", "loss", [100 + tenth], [1.0]))
        for at, message in show(page, channel, 5 + tenth / 10, 5.1 + tenth / 10):
            late += [at for entry in message.header["series"] if entry["total"] < 100 + tenth]
            assert len(message.buffer) < 700_000
    assert page.blobs[KEY, named(logs, page)["large"]] == blob
    assert late == []


def test_blobs_of_updates_keep_to_the_rate() -> None:
    logs, page = FakeSource(), Page()
    put_pictures(logs, "a", "x", picture(0))
    channel, total = channel_of(logs), 0
    show(page, channel, 0, 5)
    for tenth in range(100):
        channel.notify(put_pictures(logs, "a", "x", picture(1 + tenth, 300_000)))
        total += sum(len(m.buffer) for _, m in show(page, channel, 5 + tenth / 10, 5.1 + tenth / 10))
    assert 8e6 < total < 11e6


def test_a_blob_that_cannot_be_read_is_reported_and_takes_nothing_with_it() -> None:
    logs, page = FakeSource(), Page()
    put_pictures(logs, "a", "x", picture(1), (2, "broken", OSError(5, "Input/output error")))
    put_pictures(logs, "a", "y", picture(1))
    show(page, channel_of(logs), 0, 2)
    rows = named(logs, page)
    assert page.unreadable == {(KEY, rows["broken"]): "OSError: [Errno 5] Input/output error"}
    assert page.blobs[KEY, rows["step 1"]] == picture(1)[2]
    assert len(page.blobs) == 2
    assert page.failed == {}


def test_blobs_are_sent_again_to_a_page_that_lost_everything_and_not_with_other_keyframes() -> None:
    logs = FakeSource()
    put_pictures(logs, "a", "x", picture(1), picture(2))
    channel = channel_of(logs)
    drain(channel, 0, 5)
    for second in range(5, 40):  # keyframes are sent while data change
        channel.notify(logs.put("a", "loss", [second], [1.0]))
        sent = drain(channel, second, second + 1)
        assert not any(m.header["pieces"] for _, m in sent)
    channel.receive({"type": "resync", "complete": False})
    page = Page()
    show(page, channel, 40, 43)
    assert len(page.blobs) == 2


def test_an_unheard_channel_pushes_the_newest_again() -> None:
    logs = FakeSource()
    put_pictures(logs, "a", "x", picture(1))
    channel = channel_of(logs, heard=False)
    drain(channel, 0, 1.5)
    page = Page()
    show(page, channel, 1.5, 5)
    assert (KEY, 0) in page.blobs


@pytest.mark.parametrize("count", [1, 2, 3, 10, 64, 100])
def test_the_spread_reaches_every_row(count: int) -> None:
    rows = [spread_row(number, count) for number in range(1, 1 << count.bit_length())]
    assert set(rows) == set(range(count))
    assert rows[0] == count // 2


def test_no_blob_is_read_for_a_message_that_has_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tbwidget.wire.items_stream.BLOBS_AT_ONCE", 5)
    logs = FakeSource()
    for tag in range(20):
        put_pictures(logs, "a", f"t{tag:02}", picture(1, 10))
    channel = channel_of(logs)
    channel.next_message(0)
    assert sum(len(pictures.blobs_read) for pictures in logs.values["pictures"].values()) == 5


def test_blobs_do_not_keep_keyframes_from_coming(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(PICTURES), "prefetch_bytes", 20_000_000)
    logs = FakeSource()
    put_pictures(logs, "a", "x", *(picture(step, 200_000) for step in range(100)))
    channel = channel_of(logs)
    drain(channel, 0, 10)
    begins = []
    for second in range(10, 60):
        channel.notify(logs.put("a", "loss", [second], [1.0]))
        begins += [at for at, m in drain(channel, second, second + 1) if m.header["begins"]]
    assert begins


def test_a_document_does_not_wait_for_items_that_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tbwidget.wire.items_stream.EARLY_BYTES", 0)
    logs, page = FakeSource(ready=False), Page()
    put_pictures(logs, "a", "x", picture(1))
    put_paper(logs, "a", bytes(100_000))
    channel = Channel(logs_over(logs), (PICTURES, PAPERS))
    show(page, channel, 0, 1)
    assert page.blobs == {}
    assert len(page.contents["papers", "a", ""][1]) == 100_000
    logs.ready = True
    show(page, channel, 1, 3)
    assert len(page.blobs) == 1


def test_a_step_that_is_pointed_out_reads_no_items_and_no_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    logs = FakeSource()
    put_pictures(logs, "a", "x", picture(1))
    put_paper(logs, "a", b"paper")
    channel = Channel(logs_over(logs), (PICTURES, PAPERS))
    channel.receive({"type": "hello", "complete": True})
    drain(channel, 0, 3)
    reads: list[str] = []
    monkeypatch.setattr(type(PICTURES), "read", lambda *_: reads.append("picture"))
    monkeypatch.setattr(type(PAPERS), "read", lambda *_: reads.append("paper"))
    for step in range(5):
        view = {"type": "view", "view": "v", "kinds": None, "tags": ["x", ""], "want": [], "linked": step, "seq": 9}
        channel.receive(view)
        drain(channel, 3 + step, 4 + step)
    assert reads == []


class Clock:
    """Time that passes only while blobs are read, by a fixed amount each."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, each: float) -> None:
        self.now = 0.0
        self.reads = 0
        read = type(PICTURES).blob

        def costly(content: Any, index: Pictures, row: int) -> bytes | Callable[[], bytes]:
            self.now += each
            self.reads += 1
            return read(content, index, row)

        monkeypatch.setattr(type(PICTURES), "blob", costly)
        monkeypatch.setattr("tbwidget.wire.channel.MAX_BLOBS_COMPOSING_S", MAX_BLOBS_COMPOSING_S)
        monkeypatch.setattr("tbwidget.wire.channel.time", self)
        monkeypatch.setattr("tbwidget.wire.channel.thread_time", self.monotonic)
        monkeypatch.setattr("tbwidget.wire.items_stream.time", self)

    def monotonic(self) -> float:
        return self.now


def most_reads_of_a_message(logs: FakeSource, clock: Clock, count: int) -> int:
    """Send messages until the page holds `count` blobs; returns the largest number read for one message."""
    page, channel, now, most = Page(), channel_of(logs), 0.0, 0
    while len(page.blobs) < count:
        before = clock.reads
        message, wait = channel.next_message(now)
        assert message is not None
        page.take(message)
        most = max(most, clock.reads - before)
        now += wait
    return most


def test_blobs_that_take_long_to_make_leave_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, logs = Clock(monkeypatch, each=0.04), FakeSource()
    for tag in range(40):
        put_pictures(logs, "a", f"t{tag:02}", picture(1))
    assert most_reads_of_a_message(logs, clock, 40) <= 3


def test_samples_of_one_step_that_take_long_to_make_leave_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, logs = Clock(monkeypatch, each=0.04), FakeSource()
    put_pictures(logs, "a", "x", *(picture(1, name=f"sample {number}") for number in range(16)))
    assert most_reads_of_a_message(logs, clock, 16) <= 4


def test_a_begun_blob_whose_index_cannot_be_read_any_more_does_not_stop_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tests.support.contents.PicturesContent.prefetch_bytes", 10_000_000)
    logs, page = FakeSource(), Page()
    for tag in "vwxyz":
        put_pictures(logs, "a", tag, picture(1, size=290_000))
    channel = Channel(logs_over(logs), (*CONTENTS, PICTURES), budget=ByteBudget(10 * MAX_MESSAGE_BYTES))
    message, wait = channel.next_message(0)
    assert message is not None
    page.take(message)
    begun = next(iter(channel._backlog[Priority.NEWEST_BLOB]))
    assert channel._planner.streams["pictures"].is_open(begun)
    logs.values["pictures"][begun.run, begun.tag] = OSError(5, "Input/output error")
    channel.notify(Changes(frozenset({begun}), catalog=False))
    show(page, channel, wait, wait + 2)
    assert {key[2] for key, _ in page.blobs} == set("vwxyz") - {begun.tag}


def test_older_blobs_take_a_small_share_of_a_core(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch, each=0.05)
    logs, page = FakeSource(), Page()
    put_pictures(logs, "a", "x", *(picture(step) for step in range(200)))
    show(page, channel_of(logs), 0, 60)
    assert 1 / 100 < clock.now / 60 < 1 / 25
    assert (KEY, 199) in page.blobs
    channel = Channel(logs_over(logs), (*CONTENTS, PICTURES), budget=ByteBudget(5_000_000))
    before, now = clock.reads, 0.0
    while clock.reads < before + 200:  # a snapshot is made at once
        message, wait = channel.next_message(now)
        assert message is not None
        now += wait
