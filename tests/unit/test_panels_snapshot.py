"""What an exported page holds: all of it coarsely, in full what fits."""

from __future__ import annotations

import base64
import json
from typing import Any

import numpy as np
import pytest

from tbwidget.panels.snapshot import MOST_SAVED, snapshot
from tests.support.feeds import FakeLogs


def logs_of(runs: int, tags: int, points: int) -> FakeLogs:
    rng, logs = np.random.default_rng(0), FakeLogs()
    for run in range(runs):
        for tag in range(tags):
            logs.put(f"run{run}", f"tag{tag}", range(points), rng.normal(size=points).tolist())
    return logs


def widths(saved: dict[str, Any]) -> dict[tuple[str, str], int]:
    """Points a row of what is held in the end, by run and tag."""
    held: dict[tuple[str, str], int] = {}
    for message in saved["messages"]:
        header = message["header"]
        assert isinstance(base64.b64decode(message["buffer"], validate=True), bytes)
        for entry in header["series"]:
            held[header["runs"][entry["run"]], header["tags"][entry["tag"]]] = entry["width"]
    return held


def test_little_is_saved_in_full() -> None:
    saved = snapshot(logs_of(2, 3, 500))  # type: ignore[arg-type]
    assert list(widths(saved).values()) == [1] * 6
    assert saved["at"] > 1.7e12
    assert [message["header"]["seq"] for message in saved["messages"]] == [1]


def test_much_is_bounded_and_all_of_it_is_there() -> None:
    saved = snapshot(logs_of(40, 40, 1500))  # type: ignore[arg-type]
    assert len(json.dumps(saved)) <= MOST_SAVED + 100
    held = widths(saved)
    assert len(held) == 1600
    assert {held[f"run{run}", f"tag{tag}"] for run in range(40) for tag in range(2)} == {1}
    assert max(held.values()) == 32


@pytest.mark.parametrize("others", [(), ("images",)])
def test_nothing_is_saved_of_nothing(others: tuple[str, ...]) -> None:
    assert snapshot(FakeLogs(others=others)) == {}  # type: ignore[arg-type]
