"""Texts on the wire: the newest last, of any shape, long ones cut, and each of them again on request."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tbwidget
from tbwidget.logs.kinds.text import Text
from tbwidget.logs.logdir import LogDir
from tbwidget.panels.step_index import StepIndex
from tbwidget.panels.text import (
    ANSWER_BYTES,
    MAX_BYTES,
    MAX_TEXTS,
    MAX_VALUES,
    TextContent,
    encoded,
    search,
    texts,
)
from tbwidget.wire.channel import Channel
from tbwidget.wire.columns import Columns
from tbwidget.wire.content import Refusal
from tests.support.eventfiles import NAME, event, plugin, strings, write
from tests.support.feeds import drain
from tests.support.page import Page

TEXT = plugin("text")


def logs_of(folder: Path, *steps: tuple[int, Sequence[bytes]]) -> LogDir:
    events = [event(1.7e9 + n, step, strings("t", TEXT, *values)) for n, (step, values) in enumerate(steps)]
    write(folder / NAME, *events)
    return tbwidget.load(folder)


def said(blob: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(blob)
    return found


def values(*texts: str, shape: tuple[int, ...] | None = None) -> np.ndarray[Any, Any]:
    array = np.empty(len(texts), object)
    array[:] = texts
    return array.reshape(shape if shape is not None else (len(texts),))


def all_of(index: StepIndex[Text]) -> list[str]:
    return [said(TextContent().blob(index, row))["values"][0] for row in range(len(index))]


def test_texts_stand_in_the_order_of_their_steps(tmp_path: Path) -> None:
    logs = logs_of(tmp_path, (20, [b"a"]), (10, [b"b"]), (20, [b"c"]), (-5, [b"d"]))
    index = TextContent().read(logs, ".", "t")
    assert index.step.tolist() == [-5, 10, 20, 20]
    assert all_of(index) == ["d", "b", "a", "c"]
    assert len(set(index.identity)) == len(index) == 4


def test_rows_are_known_again_after_an_insertion(tmp_path: Path) -> None:
    logs = logs_of(tmp_path, (10, [b"a"]), (30, [b"b"]))
    before = TextContent().read(logs, ".", "t")
    with (tmp_path / NAME).open("ab") as file:
        file.write(event(1.7e9 + 5, 20, strings("t", TEXT, b"c")))
    logs.refresh()
    after = TextContent().read(logs, ".", "t")
    assert after.revision == before.revision
    assert after.step.tolist() == [10, 20, 30]
    by_identity = dict(zip(after.identity, all_of(after), strict=True))
    assert [by_identity[one] for one in before.identity] == ["a", "b"]


def test_the_index_says_where_each_row_was_written(tmp_path: Path) -> None:
    index = TextContent().read(logs_of(tmp_path, (2, [b"a"]), (1, [b"b"]), (3, [b"c"])), ".", "t")
    columns = Columns()
    entry = TextContent().entry(index, slice(0, 2), columns)
    assert entry == {"place": columns.add_steps(np.array([1, 0]))}


@pytest.mark.parametrize("shape", [(), (1,), (2, 3), (2, 1, 3), (0,), (0, 4)])
def test_any_shape_travels(shape: tuple[int, ...]) -> None:
    count = int(np.prod(shape, dtype=np.int64))
    found = said(encoded(values(*map(str, range(count)), shape=shape)))
    assert found == {"shape": list(shape), "values": [str(i) for i in range(count)], "cut": 0}


def test_bytes_that_are_no_utf8_are_visible(tmp_path: Path) -> None:
    logs = logs_of(tmp_path, (0, [b"\xff caf\xe9", "é 数\0".encode()]))
    found = said(TextContent().blob(TextContent().read(logs, ".", "t"), 0))
    assert found["values"] == ["\\udcff caf\\udce9", "é 数\0"]


@pytest.mark.parametrize(
    ("length", "cut"), [(MAX_BYTES - 1, 0), (MAX_BYTES, 0), (MAX_BYTES + 1, 1), (3 * MAX_BYTES, 2 * MAX_BYTES)]
)
def test_a_long_text_is_cut(length: int, cut: int) -> None:
    found = said(encoded(values("x" * length, "y")))
    assert found["cut"] == cut
    assert len(found["values"][0]) == length - cut
    assert found["shape"] == [2]
    assert len(found["values"]) == 1


def test_a_cut_leaves_no_half_of_a_letter() -> None:
    found = said(encoded(values("é" * 10), most_bytes=5))
    assert (found["values"], found["cut"]) == (["éé"], 15)


def test_values_that_are_only_claimed_cost_nothing() -> None:
    claimed = np.broadcast_to(values("a", shape=(1, 1)), (1 << 20, 1 << 20))
    found = said(encoded(claimed))
    assert found["shape"] == [1 << 20, 1 << 20]
    assert len(found["values"]) == MAX_VALUES


def test_every_text_is_sent(tmp_path: Path) -> None:
    logs = logs_of(tmp_path, *((step, [f"text {step}".encode()]) for step in (5, 3, 9, 3)))
    channel, page = Channel(logs, (TextContent(),)), Page()
    channel.receive({"type": "hello", "complete": True})
    for _, message in drain(channel, 0, 5):
        page.take(message)
    held = page.indices["text", ".", "t"]
    assert [step for step, _ in held.rows] == [3, 3, 5, 9]
    texts = [said(page.blobs[("text", ".", "t"), number])["values"] for _, number in held.rows]
    assert texts == [["text 3"], ["text 3"], ["text 5"], ["text 9"]]


def asked(logs: LogDir, *wanted: Any, whole: bool = False) -> list[Any]:
    """Ask for texts; returns the content of each, or its entry if it has none."""
    answer = texts(logs, {"texts": list(wanted), "whole": whole}, lambda: False)
    found, begin = [], 0
    for entry in answer.value:
        if "size" in entry:
            found.append(said(answer.data[begin : begin + entry["size"]])["values"])
            begin += entry["size"]
        else:
            found.append(entry)
    assert begin == len(answer.data)
    return found


def test_each_text_can_be_asked_for(tmp_path: Path) -> None:
    logs = logs_of(tmp_path, (20, [b"a"]), (10, [b"b", b"B"]), (20, [b"c"]))
    revision = logs.text(".", "t").revision
    assert asked(logs, *([".", "t", revision, place] for place in (2, 0, 1))) == [["c"], ["a"], ["b", "B"]]


def test_a_missing_text_spoils_no_other(tmp_path: Path) -> None:
    logs = logs_of(tmp_path, (1, [b"a"]))
    revision = logs.text(".", "t").revision
    wanted = [
        [".", "t", revision, 1],
        [".", "t", revision, -1],
        [".", "t", revision + 1, 0],
        ["no", "t", revision, 0],
        [".", "no", revision, 0],
        "?",
        [".", "t", revision, 0],
    ]
    *refused, last = asked(logs, *wanted)
    assert last == ["a"]
    assert all(one["reason"] for one in refused)
    assert "'no'" in refused[3]["reason"]


def test_a_text_that_is_broken_by_now_says_so(tmp_path: Path) -> None:
    logs = logs_of(tmp_path, (1, [b"a" * 100]), (2, [b"b"]))
    revision = logs.text(".", "t").revision
    content = (tmp_path / NAME).read_bytes()
    (tmp_path / NAME).write_bytes(content.replace(b"a" * 100, b"z" * 100))
    broken, good = asked(logs, [".", "t", revision, 0], [".", "t", revision, 1])
    assert "at byte 0" in broken["reason"]
    assert good == ["b"]


def test_names_that_are_no_utf8_are_known_by_their_escapes(tmp_path: Path) -> None:
    run, tag = os.fsdecode(b"run\xff"), "tag\udcfe"
    write(tmp_path / run / NAME, event(1.7e9, 1, strings(tag, TEXT, b"a")))
    logs = tbwidget.load(tmp_path)
    revision = logs.text(run, tag).revision
    assert asked(logs, ["run\\udcff", "tag\\udcfe", revision, 0]) == [["a"]]
    assert found(logs, "A", ["run\\udcff", "tag\\udcfe"]) == [[revision, 1, [0]]]


def test_a_whole_text_is_given_when_it_is_asked_for(tmp_path: Path) -> None:
    long = b"x" * (MAX_BYTES + 10)
    logs = logs_of(tmp_path, (1, [long, b"y"]))
    wanted = [".", "t", logs.text(".", "t").revision, 0]
    assert [len(one) for one in asked(logs, wanted)[0]] == [MAX_BYTES]
    assert [len(one) for one in asked(logs, wanted, whole=True)[0]] == [len(long), 1]


def test_an_answer_that_grew_too_large_asks_to_be_asked_again(tmp_path: Path) -> None:
    logs = logs_of(tmp_path, *((step, [b"x" * MAX_BYTES]) for step in range(10)))
    revision = logs.text(".", "t").revision
    found = asked(logs, *([".", "t", revision, place] for place in range(10)))
    fit = ANSWER_BYTES // MAX_BYTES
    assert [type(one) for one in found] == [list] * fit + [dict] * (10 - fit)
    assert found[-1] == {"later": True}


@pytest.mark.parametrize("args", [{}, {"texts": "all"}, {"texts": [[]] * (MAX_TEXTS + 1)}])
def test_malformed_lists_are_refused(tmp_path: Path, args: dict[str, Any]) -> None:
    with pytest.raises(Refusal, match="malformed request: a list of texts"):
        texts(logs_of(tmp_path, (1, [b"a"])), args, lambda: False)


def test_a_cancelled_request_reads_no_more(tmp_path: Path) -> None:
    logs = logs_of(tmp_path, (1, [b"a"]))
    wanted = [".", "t", logs.text(".", "t").revision, 0]
    with pytest.raises(Refusal, match="canceled"):
        texts(logs, {"texts": [wanted]}, lambda: True)


def found(logs: LogDir, words: str, *keys: Any) -> list[Any]:
    answer: list[Any] = json.loads(search(logs, {"words": words, "keys": list(keys)}, lambda: False).data)
    return answer


def test_words_are_found_in_all_texts(tmp_path: Path) -> None:
    logs = logs_of(tmp_path, (20, [b"a.b"]), (10, [b"x", b"AxB"]), (5, [b"A.B", b""]), (7, [b"\xffA.b"]))
    revision = logs.text(".", "t").revision
    assert found(logs, "a.B", [".", "t"], [".", "no"], "?", 3) == [[revision, 4, [0, 2, 3]], *([[0, 0, []]] * 3)]
    assert found(logs, "\\") == []


def test_a_text_that_cannot_be_read_is_passed_over(tmp_path: Path) -> None:
    logs = logs_of(tmp_path, (1, [b"a" * 100]), (2, [b"ab"]))
    content = (tmp_path / NAME).read_bytes()
    (tmp_path / NAME).write_bytes(content.replace(b"a" * 100, b"z" * 100))
    assert found(logs, "a", [".", "t"])[0][1:] == [2, [1]]


def test_a_search_ends_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    logs = logs_of(tmp_path, *((step, [b"a"]) for step in range(10)))
    monkeypatch.setattr("tbwidget.panels.text.MAX_FOUND", 3)
    revision = logs.text(".", "t").revision
    assert found(logs, "a", [".", "t"], [".", "t"]) == [[revision, 3, [0, 1, 2]], [revision, 0, []]]
    monkeypatch.setattr("tbwidget.panels.text.SEARCH_TIME_S", -1.0)
    assert found(logs, "a", [".", "t"]) == [[revision, 0, []]]


@pytest.mark.parametrize("args", [{}, {"words": "", "keys": []}, {"words": "a", "keys": "t"}, {"words": 1, "keys": []}])
def test_a_search_for_nothing_is_refused(tmp_path: Path, args: dict[str, Any]) -> None:
    with pytest.raises(Refusal):
        search(logs_of(tmp_path, (1, [b"a"])), args, lambda: False)
