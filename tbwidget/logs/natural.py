"""The order in which people list names: "layer2" before "layer10"."""

from __future__ import annotations

import re

_PARTS = re.compile(r"([0-9]+)")


def natural_key(name: str) -> tuple[list[tuple[int, str] | str], str]:
    """A sort key under which runs of ASCII digits count as numbers, however long; ties go by the name itself."""
    parts = _PARTS.split(name)
    # Numbers without leading zeros compare by length, then digit by digit; texts and numbers alternate.
    numbers = [(len(number), number) for part in parts[1::2] for number in (part.lstrip("0"),)]
    key: list[tuple[int, str] | str] = [*parts]
    key[1::2] = numbers
    return key, name
