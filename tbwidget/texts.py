"""Texts for people: names from logs that can be shown and sent, counts, sizes and steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_MAX_CHARACTERS = 200
"""Characters of a text from a log within a sentence of ours."""

_KILOBYTE = 1000


def decode_text(name: bytes) -> str:
    """Decode UTF-8; invalid bytes become lone surrogates, so that none are lost."""
    return name.decode("utf-8", "surrogateescape")


def escape_surrogates(name: str) -> str:
    """Return a name that is valid Unicode: lone surrogates become visible escapes, so names still differ."""
    return name if name.isascii() else name.encode("utf-8", "backslashreplace").decode("utf-8")


def shorten(text: str, longest: int = _MAX_CHARACTERS) -> str:
    """Cut a text after `longest` characters."""
    return text if len(text) <= longest else f"{text[:longest]}…"


def shorten_middle(text: str, longest: int) -> str:
    """Cut the middle out of a text of more than `longest` characters."""
    half = longest // 2
    return text if len(text) <= longest else f"{text[:half]}…{text[1 - half :]}"


def pluralize(count: int, noun: str) -> str:
    """Return a count and its noun: "1 point", "2 points"."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def format_steps(step: npt.NDArray[np.int64], noun: str = "value") -> str:
    """Return how many values there are, and over which steps: "3 values, steps 0 to 20"."""
    if not len(step):
        return f"no {noun}s"
    return f"{pluralize(len(step), noun)}, steps {step.min()} to {step.max()}"


def format_size(size: int) -> str:
    """Return a size in bytes with its unit: "12 bytes", "36 kB", "1.2 MB"."""
    if size < _KILOBYTE:
        return pluralize(size, "byte")
    for power, unit in enumerate(("kB", "MB", "GB"), start=1):
        size_in_unit = size / _KILOBYTE**power
        if size_in_unit < 999.5:  # noqa: PLR2004 (what rounds to 1000 belongs to the next unit)
            return f"{size_in_unit:.0f} {unit}" if size_in_unit >= 10 or unit == "kB" else f"{size_in_unit:.1f} {unit}"  # noqa: PLR2004
    return f"{size / 1e12:,.1f} TB"
