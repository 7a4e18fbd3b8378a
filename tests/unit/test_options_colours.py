"""The colours of runs in figures and still pictures are those of the dashboards."""

from __future__ import annotations

import json
from pathlib import Path

from tbwidget.options.colours import run_colour

COLOURS = Path(__file__).parents[2] / "js/tests/fixtures/colours.json"
"""By background, as js/tests/lib/colours.test.ts finds them, too."""


def test_are_those_of_the_page() -> None:
    light, dark = json.loads(COLOURS.read_text("utf-8")).values()
    assert [run_colour(number) for number in range(len(light))] == light
    assert [run_colour(number, "dark") for number in range(len(dark))] == dark
    assert len(set(light[:50])) == 50
