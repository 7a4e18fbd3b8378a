"""Answers on the channel: small ones at once, large ones in pieces among the other messages."""

from __future__ import annotations

import json

import numpy as np

from tbwidget.wire.content import Answer
from tbwidget.wire.message import MAX_MESSAGE_BYTES
from tests.support.feeds import FakeSource, channel_of, drain
from tests.support.page import Page


def test_an_answer_leaves_with_the_next_message() -> None:
    channel, page = channel_of(FakeSource()), Page()
    channel.receive({"type": "hello", "complete": True})
    drain(channel, 0, 5)
    channel.post_answer("r1", Answer({"a": [1]}, b"12345"))
    channel.post_answer("r2", Answer("small"))
    channel.post_answer("r3", "there is no such thing")
    message, _ = channel.next_message(5)
    assert message is not None
    page.take(message)
    assert page.answers == {"r1": ({"a": [1]}, b"12345"), "r2": ("small", b"")}
    assert page.refusals == {"r3": "there is no such thing"}
    assert drain(channel, 5.1, 6) == []


def test_a_large_answer_comes_in_pieces_and_updates_do_not_wait_for_it() -> None:
    logs, page = FakeSource(), Page()
    channel = channel_of(logs)
    logs.put("a", "loss", range(100), [1.0] * 100)
    channel.receive({"type": "hello", "complete": True})
    drain(channel, 0, 5)
    data = np.random.default_rng(0).bytes(20_000_000)
    channel.post_answer("r", Answer(None, data))
    now, late = 5.0, 0
    while not page.answers:
        total = len(logs.series["a", "loss"]) + 1
        channel.notify(logs.put("a", "loss", [total], [1.0]))
        message, wait = channel.next_message(now)
        assert message is not None
        assert len(json.dumps(message.header)) + len(message.buffer) <= MAX_MESSAGE_BYTES
        late += not any(entry["total"] == total for entry in message.header["series"])
        page.take(message)
        now += wait
    assert page.answers["r"] == (None, data)
    assert late == 0
    assert now < 10, "someone waits: an answer is not held back to the rate of updates"


def test_a_cancelled_answer_is_not_sent_and_a_new_one_replaces_the_old() -> None:
    channel, page = channel_of(FakeSource()), Page()
    channel.receive({"type": "hello", "complete": True})
    drain(channel, 0, 5)
    channel.post_answer("r1", Answer(1, bytes(2_000_000)))
    channel.post_answer("r2", Answer(2))
    channel.next_message(5)
    channel.receive({"type": "cancel", "ids": ["r1", 3]})
    for _, message in drain(channel, 5.1, 6):
        page.take(message)
    assert page.answers == {"r2": (2, b"")}
    channel.post_answer("r3", Answer(3, bytes(900_000)))
    channel.next_message(6)
    channel.post_answer("r3", Answer(3, b"again"))
    page = Page()
    for _, message in drain(channel, 6.1, 7):
        page.take(message)
    assert page.answers == {"r3": (3, b"again")}
