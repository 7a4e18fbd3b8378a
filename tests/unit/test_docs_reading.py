"""The examples of tables in docs/reading.md work as described."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tbwidget
from tests.support.eventfiles import NAME, event, simple, write

ROOT = Path(__file__).parents[2]
FIXTURE = ROOT / "js/tests/fixtures/aggregates.json"
"""Runs, and mean and standard deviation of their groups as js/tests/lines computes them for the view."""


def test_statistics_of_groups_are_those_of_the_view(tmp_path: Path) -> None:
    fixture = json.loads(FIXTURE.read_text("utf-8"))
    for run, columns in fixture["runs"].items():
        points = zip(columns["step"], map(float, columns["value"]), strict=True)
        write(tmp_path / run / NAME, *(event(1.7e9, step, simple("accuracy", value)) for step, value in points))
    (code,) = re.findall(
        r"<!-- tested -->\n```python\n(.*?)```", (ROOT / "docs/reading.md").read_text("utf-8"), re.DOTALL
    )
    found: dict[str, Any] = {"logs": tbwidget.load(tmp_path), "np": np}
    exec(code, found)  # noqa: S102 (our own)
    for group, wanted in fixture["groups"].items():
        rows = {what: found[what].loc[wanted["step"], group].tolist() for what in ("mean", "std", "count")}
        assert rows["count"] == wanted["n"]
        assert rows["mean"] == pytest.approx(wanted["mean"], rel=1e-12)
        assert rows["std"] == pytest.approx(wanted["std"], rel=1e-12, abs=1e-12)
