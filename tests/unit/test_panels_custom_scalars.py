"""Layouts of custom scalars on the wire."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tbwidget
from tbwidget.panels.custom_scalars import PANEL, CustomScalarsContent
from tbwidget.proto import plugins_pb2 as pb
from tests.support.boards import Listener, write
from tests.support.eventfiles import NAME, event, plugin, simple, strings
from tests.support.eventfiles import write as write_parts
from tests.support.waiting import wait_for

CONTENT = CustomScalarsContent()


def write_layout(folder: Path, *layouts: bytes) -> None:
    parts = [
        event(1 + i, 0, strings("custom_scalars__config__", plugin("custom_scalars"), layout, shape=()))
        for i, layout in enumerate(layouts)
    ]
    write_parts(folder / NAME, event(0, version="brain.Event:2"), *parts)


def layout(title: bytes) -> bytes:
    lines = pb.Chart(title=b"lines", multiline=pb.MultilineChartContent(tag=[b"loss/.*", b"a"]))
    series = pb.MarginChartContent.Series(value=b"v\x80", lower=b"l", upper=b"u")
    margin = pb.Chart(title=b"margin", margin=pb.MarginChartContent(series=[series]))
    category = pb.Category(title=title, chart=[lines, margin], closed=True)
    data: bytes = pb.Layout(category=[category]).SerializeToString()
    return data


def test_a_layout_travels_as_json_each_time_it_is_written(tmp_path: Path) -> None:
    write_layout(tmp_path, layout("é".encode() + b"\x80"))
    logs = tbwidget.load(tmp_path)
    first = CONTENT.read(logs, ".", "")
    assert json.loads(first.encode()) == {
        "categories": [
            {
                "title": "é\udc80",
                "closed": True,
                "charts": [
                    {"title": "lines", "tags": ["loss/.*", "a"], "series": []},
                    {"title": "margin", "tags": [], "series": [["v\\udc80", "l", "u"]]},
                ],
            }
        ]
    }
    assert CONTENT.read(logs, ".", "").revision == first.revision
    write_layout(tmp_path, layout(b"a"), layout(b"b"))
    logs.refresh()
    second = CONTENT.read(logs, ".", "")
    assert second.revision != first.revision
    assert json.loads(second.encode())["categories"][0]["title"] == "b"
    assert CONTENT.key_of("run", "tag") == ("run", "")


def test_a_damaged_layout_is_a_problem_and_nothing_else_suffers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listener = Listener(monkeypatch)
    write_layout(tmp_path / "bad", b"\xff\xff\xff")
    write_layout(tmp_path / "good", layout(b"x"))
    write(tmp_path / "good", range(5), "loss/train")
    board: Any = tbwidget.CustomScalarsView(tmp_path)
    try:
        wait_for(lambda: listener.total() == 5 and listener.entries("failed"))
        wait_for(lambda: [entry["run"] for entry in listener.entries("documents")])
        assert {entry["kind"] for entry in listener.entries("failed")} == {"custom_scalars"}
        assert {entry["kind"] for entry in listener.entries("documents")} == {"custom_scalars", "alerts"}
        assert f"bad/{NAME}" in {problem.path for problem in board._logs.problems}
    finally:
        board.close()


def test_the_panel_brings_the_scalars_that_its_charts_draw() -> None:
    assert [content.kind for content in PANEL.contents] == ["custom_scalars", "scalars"]


def test_alone_it_answers_the_requests_of_its_cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its cards are cards of scalars, whose own requests a board with this panel alone does not answer."""
    listener = Listener(monkeypatch)
    first = [event(1e9 + step, step, simple("loss", step)) for step in range(4)]
    again = [event(2e9 + step, step, simple("loss", step)) for step in range(2, 4)]
    for number, points in enumerate((first, again), 1):
        write_parts(tmp_path / f"{NAME}.{number}", event(number * 1e9, version="brain.Event:2"), *points)
    board: Any = tbwidget.CustomScalarsView(tmp_path)
    try:
        wait_for(lambda: listener.total() == 4)
        for name, args in (
            ("superseded", {"run": ".", "tag": "loss"}),
            ("table", {"series": [[".", "loss", 0, None]]}),
        ):
            request = {"type": "request", "id": name, "name": f"custom_scalars.{name}", "args": args}
            board._handle_custom_msg(request, [])
        wait_for(lambda: len(listener.entries("answers")) == 2)
        answers = {entry["request"]: entry for entry in listener.entries("answers")}
        assert answers["superseded"]["value"] == {"points": 2}
        assert answers["table"]["value"][0]["rows"] == 4
    finally:
        board.close()
