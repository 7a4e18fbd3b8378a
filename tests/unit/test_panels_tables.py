"""Series as tables: the browser saves the values of the logs, to the last bit."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tbwidget
from tbwidget.panels import tables
from tbwidget.panels.histograms import histograms_table
from tbwidget.panels.registry import PANELS
from tbwidget.panels.scalar_answers import scalars_table
from tbwidget.wire.content import Answer, Refusal
from tests.support.eventfiles import NAME, event, histogram, simple, write

HANDLERS = {panel.name: panel.requests.get("table") for panel in PANELS}
HOSTILE = "bytes \udcff\udcfe"
VALUES = [0.1, -0.0, math.nan, math.inf, -math.inf, 3e38, 1e-45, 2.5]


def ask(logs: tbwidget.LogDir, panel: str, *series: object) -> Answer:
    handler = HANDLERS[panel]
    assert handler is not None
    return handler(logs, {"series": list(series)}, lambda: False)


def parsed(answer: Answer, columns: int, *, nested: bool) -> list[list[np.ndarray[Any, Any]]]:
    """Return the columns of each entry that has some."""
    found, at = [], 0
    for entry in answer.value:
        if "rows" not in entry:
            continue
        shapes = [("<i8", entry["rows"]), ("<f8", entry["rows"]), *([("<i8", entry["rows"])] if nested else [])]
        shapes += [("<f8", entry["cells"])] * columns
        own = []
        for name, count in shapes:
            own.append(np.frombuffer(answer.data, name, count, at))
            at += 8 * count
        found.append(own)
    assert at == len(answer.data)
    return found


def test_both_panels_of_a_kind_answer() -> None:
    assert HANDLERS["scalars"] is HANDLERS["custom_scalars"] is scalars_table
    assert HANDLERS["histograms"] is HANDLERS["distributions"] is histograms_table


def test_scalars_are_given_to_the_last_bit(tmp_path: Path) -> None:
    far = 2**53 + 1
    points = [event(1.7e9 + i / 7, far + i, simple("loss", value)) for i, value in enumerate(VALUES)]
    write(tmp_path / "a" / NAME, event(1.7e9, version="brain.Event:2"), *points)
    write(tmp_path / HOSTILE / NAME, event(1.7e9, 3, simple(HOSTILE, 1)))
    with tbwidget.load(tmp_path) as logs:
        travels = "bytes \\udcff\\udcfe"
        answer = ask(logs, "scalars", ["a", "loss", 0, None], ["a", "none", 0, None], [travels, travels, 0, None])
        first, none, hostile = answer.value
        assert (first["first"], first["rows"], first["total"]) == (0, len(VALUES), len(VALUES))
        assert "none" in none["reason"]
        assert hostile["rows"] == 1
        (step, wall, value), (other, _, _) = parsed(answer, 1, nested=False)
        held = logs.scalars("a", "loss")
        assert (step.tobytes(), wall.tobytes(), value.tobytes()) == (
            held.step.tobytes(),
            held.wall_time.tobytes(),
            held.value.tobytes(),
        )
        assert list(other) == [3]


def test_a_long_series_comes_in_several_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "ANSWER_BYTES", 10 * 24)
    run = tmp_path / "a" / NAME
    write(run, *(event(1.7e9 + i, i, simple("loss", i), simple("rate", i)) for i in range(25)))
    with tbwidget.load(tmp_path) as logs:
        answer = ask(logs, "scalars", ["a", "loss", 0, None], ["a", "rate", 0, None])
        assert answer.value[1] == {"later": True}
        revision = answer.value[0]["revision"]
        steps = [parsed(answer, 1, nested=False)[0][0]]
        for first in (10, 20):
            answer = ask(logs, "scalars", ["a", "loss", first, revision])
            assert answer.value[0]["first"] == first
            steps.append(parsed(answer, 1, nested=False)[0][0])
        assert list(np.concatenate(steps)) == list(range(25))
        # The series has changed: it starts again.
        assert ask(logs, "scalars", ["a", "loss", 10, revision + 1]).value[0]["first"] == 0


def test_histograms_are_given_with_all_their_bins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = [
        event(1.7e9 + i, i, histogram("w", [float(k) for k in range(1, 4 + i)], [1.0 + k for k in range(3 + i)]))
        for i in range(70)
    ]
    write(tmp_path / "a" / NAME, *made)
    with tbwidget.load(tmp_path) as logs:
        frame = logs.frame("histograms")
        for limit in (tables.ANSWER_BYTES, 1_000):
            monkeypatch.setattr(tables, "ANSWER_BYTES", limit)
            first, revision, parts = 0, None, []
            while first < 70:
                answer = ask(logs, "histograms", ["a", "w", first, revision])
                (entry,) = answer.value
                assert entry["rows"] > 0
                first, revision = entry["first"] + entry["rows"], entry["revision"]
                parts.append(parsed(answer, 3, nested=True)[0])
            step, wall, lengths, left, right, count = (np.concatenate(column) for column in zip(*parts, strict=True))
            assert len(parts) == (1 if limit > 1_000 else 3)
            rows = {"step": np.repeat(step, lengths), "wall_time": np.repeat(wall, lengths), "left": left}
            for name, column in {**rows, "right": right, "count": count}.items():
                assert frame[name].to_numpy().tobytes() == column.tobytes()


@pytest.mark.parametrize("asked", [{}, {"series": None}, {"series": "all"}])
def test_malformed_requests_are_refused(tmp_path: Path, asked: dict[str, Any]) -> None:
    with tbwidget.load(tmp_path) as logs, pytest.raises(Refusal):
        scalars_table(logs, asked, lambda: False)


@pytest.mark.parametrize(
    "one", [None, [], ["a", "loss"], ["a", "loss", -1, None], ["a", 5, 0, None], ["a", "b", 0, "x"]]
)
def test_malformed_and_missing_series_get_a_reason(tmp_path: Path, one: object) -> None:
    with tbwidget.load(tmp_path) as logs:
        answer = ask(logs, "scalars", one)
        assert answer.value[0]["code"] in ("malformed-request", "text")


def test_a_cancelled_request_ends(tmp_path: Path) -> None:
    with tbwidget.load(tmp_path) as logs, pytest.raises(Refusal):
        histograms_table(logs, {"series": [["a", "w", 0, None]]}, lambda: True)
