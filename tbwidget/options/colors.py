"""The colors of runs, equal to those that the dashboard gives them: js/src/lib/colors.ts says why these."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import numpy as np

Palette = Literal["light", "dark"]

# Hues in degrees (OKLCH), each with what is added to the lightness of the first round; of that a part in the others.
_HUES = (
    (236, -0.08),
    (72, 0.11),
    (152, 0.02),
    (347, -0.14),
    (114, -0.05),
    (209, 0.13),
    (18, -0.14),
    (276, -0.14),
    (174, 0.08),
    (136, -0.13),
)
_FURTHER_ROUNDS = 0.3

# Lightness and chroma of each round through the hues, by background.
_ROUNDS: dict[Palette, tuple[tuple[float, float], ...]] = {
    "light": ((0.6, 0.18), (0.69, 0.15), (0.5, 0.16), (0.66, 0.11), (0.44, 0.12)),
    "dark": ((0.72, 0.16), (0.84, 0.11), (0.62, 0.17), (0.78, 0.08), (0.68, 0.12)),
}
_TURNS = (0, 18, 9, 27, 4)  # degrees added to the hues of each round

# OKLCH's a and b to cube roots of cone responses, and these cubed to linear sRGB.
_TO_CONES = np.array(
    [[1, 0.3963377774, 0.2158037573], [1, -0.1055613458, -0.0638541728], [1, -0.0894841775, -1.291485548]]
)
_TO_SRGB = np.array(
    [
        [4.0767416621, -3.3077115913, 0.2309699292],
        [-1.2684380046, 2.6097574011, -0.3413193965],
        [-0.0041960863, -0.7034186147, 1.707614701],
    ]
)
_LINEAR_BELOW = 0.0031308
_ROUNDING = 0.001


@lru_cache(maxsize=1024)
def run_color(number: int, palette: Palette = "light") -> str:
    """The color of the run with this number (`LogDir.run_numbers`), as #rrggbb."""
    hue, lighter = _HUES[number % len(_HUES)]
    turn = number // len(_HUES)
    rounds = _ROUNDS[palette]
    lightness, chroma = rounds[turn % len(rounds)]
    part = 1 if turn == 0 else _FURTHER_ROUNDS
    return _hexadecimal(lightness + part * lighter, chroma, hue + _TURNS[turn % len(_TURNS)])


def _hexadecimal(lightness: float, chroma: float, hue: float) -> str:
    """OKLCH as sRGB; colors outside of sRGB lose chroma until they fit."""
    while True:
        channels = _srgb(lightness, max(0.0, chroma), hue)
        if chroma <= 0 or all(-_ROUNDING <= channel <= 1 + _ROUNDING for channel in channels):
            # Half a byte is rounded up, as in JavaScript.
            return "#" + "".join(f"{int(min(1.0, max(0.0, channel)) * 255 + 0.5):02x}" for channel in channels)
        chroma -= 0.005


def _srgb(lightness: float, chroma: float, hue: float) -> list[float]:
    angle = np.radians(hue)
    cones = (_TO_CONES @ (lightness, chroma * np.cos(angle), chroma * np.sin(angle))) ** 3
    return [
        float(12.92 * linear if linear <= _LINEAR_BELOW else 1.055 * linear ** (1 / 2.4) - 0.055)
        for linear in _TO_SRGB @ cones
    ]
