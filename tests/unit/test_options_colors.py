"""The colors of runs in figures and static preview; js/tests/lib/colors.test.ts measures their distances."""

from __future__ import annotations

import re

import pytest

from tbwidget.options.colors import Palette, run_color


@pytest.mark.parametrize("palette", ["light", "dark"])
def test_there_are_fifty_colors_which_come_again(palette: Palette) -> None:
    colors = [run_color(number, palette) for number in range(50)]
    assert all(re.fullmatch("#[0-9a-f]{6}", color) for color in colors)
    assert len(set(colors)) == 50
    assert [run_color(number, palette) for number in range(50, 60)] == colors[:10]


def test_a_run_has_another_color_on_another_background() -> None:
    assert run_color(0) == run_color(0, "light") != run_color(0, "dark")
