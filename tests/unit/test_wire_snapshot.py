"""The contents of an exported page: all series coarsely, and as many as fit in full."""

from __future__ import annotations

import base64
import json
from typing import Any

import numpy as np
import pytest

from tbwidget.wire.message import Message
from tbwidget.wire.snapshot import MAX_SAVED_CHARACTERS, snapshot
from tests.support.contents import PAPERS, PICTURES, put_paper, put_pictures
from tests.support.feeds import CONTENTS, FakeSource, logs_over
from tests.support.page import Page

LARGE = 5_000_000
"""Characters of an exported page."""


def logs_of(runs: int, tags: int, points: int) -> FakeSource:
    rng, logs = np.random.default_rng(0), FakeSource()
    for run in range(runs):
        for tag in range(tags):
            logs.put(f"run{run}", f"tag{tag}", range(points), rng.normal(size=points).tolist())
    return logs


def widths(saved: dict[str, Any]) -> dict[tuple[str, str], int]:
    """Return the final number of points in each row, by run and tag."""
    held: dict[tuple[str, str], int] = {}
    for message in saved["messages"]:
        header = json.loads(message["header"])
        assert isinstance(base64.b64decode(message["buffer"], validate=True), bytes)
        for entry in header["series"]:
            held[header["runs"][entry["run"]], header["tags"][entry["tag"]]] = entry["width"]
    return held


def test_little_is_saved_in_full() -> None:
    saved = snapshot(logs_over(logs_of(2, 3, 500)), CONTENTS)
    assert list(widths(saved).values()) == [1] * 6
    assert saved["at"] > 1.7e12
    assert [json.loads(message["header"])["seq"] for message in saved["messages"]] == [1]


def test_much_is_bounded_and_all_of_it_is_there() -> None:
    saved = snapshot(logs_over(logs_of(40, 40, 1500)), CONTENTS, LARGE)
    assert len(json.dumps(saved)) <= LARGE + 100
    held = widths(saved)
    assert len(held) == 1600
    assert {held[f"run{run}", f"tag{tag}"] for run in range(40) for tag in range(2)} == {1}
    assert max(held.values()) == 32


@pytest.mark.parametrize("others", [(), ("images",)])
def test_nothing_is_saved_of_nothing(others: tuple[str, ...]) -> None:
    assert snapshot(logs_over(FakeSource(others=others)), CONTENTS) == {}


def shown(saved: dict[str, Any]) -> Page:
    page = Page()
    for one in saved["messages"]:
        page.take(Message(json.loads(one["header"]), base64.b64decode(one["buffer"]), 0))
    return page


def test_items_and_documents_are_saved_beside_series() -> None:
    logs = logs_of(2, 3, 500)
    put_pictures(logs, "a", "x", *((step, str(step), bytes([step]) * 1000) for step in range(20)))
    put_paper(logs, "a", b"a document")
    saved = snapshot(logs_over(logs), (*CONTENTS, PICTURES, PAPERS))
    page = shown(saved)
    assert len(page.indices["pictures", "a", "x"].rows) == 20
    assert len(page.blobs) == 20
    assert page.contents["papers", "a", ""][1] == b"a document"
    assert len(widths(saved)) == 6


def test_a_large_blob_leaves_room_for_the_others() -> None:
    logs = logs_of(30, 30, 1500)
    put_paper(logs, "a", bytes(2_000_000))
    put_paper(logs, "b", bytes(900_000))
    for tag in range(20):
        put_pictures(logs, "a", f"t{tag}", (1, "one", bytes(3_000_000) if tag == 0 else bytes(1000)))
    saved = snapshot(logs_over(logs), (*CONTENTS, PICTURES, PAPERS), LARGE)
    assert len(json.dumps(saved)) <= LARGE + 100
    page = shown(saved)
    assert len(widths(saved)) == 900
    assert set(page.documents) == {("papers", "a", ""), ("papers", "b", "")}
    assert set(page.contents) == {("papers", "b", "")}
    assert {key[2] for key, _ in page.blobs} == {f"t{tag}" for tag in range(1, 20)}


def test_a_document_that_was_begun_is_saved_whole_before_the_last_series(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tbwidget.wire.channel.MAX_FIRST_COMPOSING_S", 0)
    monkeypatch.setattr("tbwidget.wire.message._LARGEST_BLOB", 1)
    logs = logs_of(100, 60, 3)
    put_paper(logs, "run0", bytes(900_000))
    most = 2_000_000
    saved = snapshot(logs_over(logs), (PAPERS, *CONTENTS), most)
    assert statuses(saved)[-1]["left_out"] > 0
    assert len(json.dumps(saved)) <= most + 100
    assert set(shown(saved).contents) == {("papers", "run0", "")}


def statuses(saved: dict[str, Any]) -> list[dict[str, Any]]:
    return [json.loads(message["header"])["status"] for message in saved["messages"]]


@pytest.mark.parametrize("most", [20_000, 100_000, MAX_SAVED_CHARACTERS, 1_000_000])
def test_the_budget_is_used_and_omitted_series_are_counted(most: int) -> None:
    logs = logs_of(40, 40, 1500)
    saved = snapshot(logs_over(logs), CONTENTS, most)
    held = widths(saved) if saved else {}
    assert len(json.dumps(saved)) <= most + 100
    assert most < MAX_SAVED_CHARACTERS or len(json.dumps(saved)) > 0.7 * most
    assert not saved or statuses(saved)[-1]["left_out"] == 1600 - len(held)


def test_series_and_blobs_share_a_small_room() -> None:
    logs = logs_of(3, 4, 1000)
    put_paper(logs, "a", bytes(50_000))
    put_paper(logs, "b", bytes(200_000))
    for tag in range(30):
        put_pictures(logs, "a", f"t{tag}", *((step, str(step), bytes(20_000)) for step in range(5)))
    saved = snapshot(logs_over(logs), (*CONTENTS, PICTURES, PAPERS))
    assert 0.8 * MAX_SAVED_CHARACTERS < len(json.dumps(saved)) <= MAX_SAVED_CHARACTERS + 100
    page = shown(saved)
    assert len(widths(saved)) == 12
    assert set(page.contents) == {("papers", "a", "")}
    assert len([key for key in page.indices if key[0] == "pictures"]) == 30
    assert len(page.blobs) > 5
    assert statuses(saved)[-1]["left_out"] == 0
