"""The colors of runs: a table that the page reads too, js/src/lib/tokens.ts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

Palette = Literal["light", "dark"]

_COLORS: dict[Palette, list[str]] = json.loads(Path(__file__).with_name("run_colors.json").read_text("utf-8"))


def run_color(number: int, palette: Palette = "light") -> str:
    """The color of the run with this number (`LogDir.run_numbers`), as #rrggbb."""
    colors = _COLORS[palette]
    return colors[number % len(colors)]


_SCALE = ("#411172", "#2e2c89", "#034889", "#0c5b7a", "#0d6b76", "#0e7b71", "#048d5e", "#519736", "#8d990a")
"""Colors of the scale on light pages, evenly spaced. Keep in step with scaleColor in js/src/lib/colors.ts."""

_NO_COLOR = "#8c8c8c"


def scale_color(share: float | None) -> str:
    """The color at a place from 0 to 1 on a continuous scale, as #rrggbb; gray for None."""
    if share is None:
        return _NO_COLOR
    at = min(1.0, max(0.0, share)) * (len(_SCALE) - 1)
    below = min(int(at), len(_SCALE) - 2)
    ends = [bytes.fromhex(color[1:]) for color in _SCALE[below : below + 2]]
    mixed = (round(a + (b - a) * (at - below)) for a, b in zip(*ends, strict=True))
    return f"#{bytes(mixed).hex()}"
