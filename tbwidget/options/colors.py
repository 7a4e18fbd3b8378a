"""The colors of runs: a table that the page reads too, js/src/lib/colors.ts."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Literal

Palette = Literal["light", "dark"]


def run_color(number: int, palette: Palette = "light") -> str:
    """The color of the run with this number (`LogDir.run_numbers`), as #rrggbb."""
    colors = _table()[palette]
    return colors[number % len(colors)]


@lru_cache(maxsize=1)
def _table() -> dict[str, list[str]]:
    table: dict[str, list[str]] = json.loads(Path(__file__).with_name("run_colors.json").read_text("utf-8"))
    return table
