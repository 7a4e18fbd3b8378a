"""Documents: replaced as a whole, named in each keyframe, and sent to pages that lack them."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from tbwidget.logs.source import Changes
from tbwidget.wire.channel import Channel
from tbwidget.wire.message import MAX_MESSAGE_BYTES
from tests.support.contents import PAPERS, put_paper
from tests.support.feeds import CONTENTS, FakeSource, drain, logs_over
from tests.support.page import Page

KEY = ("papers", "a", "")


def channel_of(logs: FakeSource, *, heard: bool = True) -> Channel:
    channel = Channel(logs_over(logs), (*CONTENTS, PAPERS))
    if heard:
        channel.receive({"type": "hello", "complete": True})
    return channel


def show(page: Page, channel: Channel, begin: float, end: float) -> list[tuple[float, Any]]:
    sent = drain(channel, begin, end)
    for _, message in sent:
        assert len(json.dumps(message.header)) + len(message.buffer) <= MAX_MESSAGE_BYTES
        page.take(message)
    return sent


def test_a_document_arrives_and_is_replaced() -> None:
    logs, page = FakeSource(), Page()
    put_paper(logs, "a", b"first")
    channel = channel_of(logs)
    show(page, channel, 0, 1)
    assert page.contents[KEY] == (page.documents[KEY][0], b"first")
    channel.notify(put_paper(logs, "a", b"second"))
    show(page, channel, 2, 3)
    assert page.contents[KEY] == (page.documents[KEY][0], b"second")
    channel.notify(Changes(frozenset({("papers", "a", "paper")}), catalog=False))
    sent = show(page, channel, 4, 5)
    assert not any(m.header["documents"] or m.header["pieces"] for _, m in sent), "nothing changed"


def test_revisions_are_never_used_again() -> None:
    logs, page, seen = FakeSource(), Page(), set()
    put_paper(logs, "a", b"a")
    put_paper(logs, "b", b"b")
    channel = channel_of(logs)
    show(page, channel, 0, 1)
    for turn in range(5):
        seen |= {revision for revision, _ in page.documents.values()}
        channel.notify(put_paper(logs, "a", bytes([turn])))
        show(page, channel, 1 + turn, 2 + turn)
        assert page.documents[KEY][0] not in seen
        assert page.contents[KEY] == (page.documents[KEY][0], bytes([turn]))


def test_a_large_document_travels_in_pieces_and_the_unheard_get_it_again() -> None:
    logs, page = FakeSource(), Page()
    data = np.random.default_rng(0).bytes(1_800_000)
    put_paper(logs, "a", data)
    channel = channel_of(logs, heard=False)
    show(page, channel, 0, 1)
    assert page.contents[KEY][1] == data
    late = Page()
    show(late, channel, 1, 10)
    assert late.contents[KEY][1] == data


def test_once_heard_keyframes_only_name_large_documents_and_a_page_asks() -> None:
    logs = FakeSource()
    put_paper(logs, "a", bytes(200_000))
    put_paper(logs, "b", bytes(20_000))
    channel = channel_of(logs)
    drain(channel, 0, 3)
    channel.receive({"type": "resync", "complete": False})
    page = Page()
    show(page, channel, 3, 6)
    assert set(page.documents) == {KEY, ("papers", "b", "")}
    assert set(page.contents) == {("papers", "b", "")}
    view = {"type": "view", "view": "v", "kinds": None, "tags": [""], "want": [["papers", ""]], "seq": page.seq}
    channel.receive(view)
    show(page, channel, 6, 8)
    assert len(page.contents[KEY][1]) == 200_000
    channel.receive({**view, "want": []})
    assert show(page, channel, 8, 9) == []


def test_beyond_the_budget_documents_are_only_named() -> None:
    logs, page = FakeSource(), Page()
    for run in range(12):
        put_paper(logs, f"run{run}", bytes(600_000))
    show(page, channel_of(logs), 0, 10)
    assert len(page.documents) == 12
    assert len(page.contents) == PAPERS.prefetch_bytes // 600_000


def test_a_document_that_changes_all_the_time_arrives_nevertheless() -> None:
    logs, page, arrived = FakeSource(), Page(), set()
    put_paper(logs, "a", bytes(10))
    channel = channel_of(logs)
    show(page, channel, 0, 3)
    for tenth in range(150):
        channel.notify(put_paper(logs, "a", bytes([tenth]) * 900_000))
        show(page, channel, 3 + tenth / 10, 3.1 + tenth / 10)
        arrived.add(page.contents[KEY][1][0])
    assert len(arrived) > 6
    show(page, channel, 18, 22)
    assert page.contents[KEY] == (page.documents[KEY][0], bytes([149]) * 900_000)


def test_the_sources_of_a_document_matter() -> None:
    """A tag that disappears changes the document of its run, though no series changes."""
    logs, page = FakeSource(), Page()
    put_paper(logs, "a", b"one", tag="x")
    put_paper(logs, "a", b"two", tag="y")
    channel = channel_of(logs)
    show(page, channel, 0, 1)
    assert page.contents[KEY][1] == b"two"
    del logs.values["papers"]["a", "y"]
    logs.values["papers"]["a", "x"].revision = 7
    channel.notify(Changes(frozenset(), catalog=True))
    show(page, channel, 2, 3)
    assert page.contents[KEY][1] == b"one"
    del logs.values["papers"]["a", "x"]
    channel.notify(Changes(frozenset(), catalog=True))
    show(page, channel, 4, 8)
    assert page.documents == {}


@pytest.mark.parametrize("seed", range(3))
def test_lost_documents_are_repaired(seed: int) -> None:
    rng = np.random.default_rng(seed)
    logs, page = FakeSource(), Page()
    for run in "abc":
        put_paper(logs, run, b"-")
    channel, now = channel_of(logs, heard=False), 0.0
    for _ in range(60):
        channel.notify(put_paper(logs, "abc"[rng.integers(3)], rng.bytes(int(rng.integers(700_000)))))
        for _, message in drain(channel, now, now + 0.5):
            if rng.random() > 0.3:
                page.take(message)
        now += 0.5
    show(page, channel, now, now + 100)
    for run in "abc":
        key = ("papers", run, "")
        assert page.contents[key] == (page.documents[key][0], logs.values["papers"][run, "paper"].data)
