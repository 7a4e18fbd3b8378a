"""The colors of runs in figures and still pictures are those of the dashboards."""

from __future__ import annotations

import json
from pathlib import Path

from tbwidget.options.colors import run_color

COLORS = Path(__file__).parents[2] / "js/tests/fixtures/colors.json"
"""By background, as js/tests/lib/colors.test.ts finds them, too."""


def test_are_those_of_the_page() -> None:
    light, dark = json.loads(COLORS.read_text("utf-8")).values()
    assert [run_color(number) for number in range(len(light))] == light
    assert [run_color(number, "dark") for number in range(len(dark))] == dark
    assert len(set(light[:50])) == 50
