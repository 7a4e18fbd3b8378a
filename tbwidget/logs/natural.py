"""The order in which people list names: "layer2" before "layer10"."""

from __future__ import annotations

import re

_PARTS = re.compile(r"([0-9]+)").split
_LONG = 250  # digits


def natural_key(name: str) -> str:
    """A sort key under which runs of ASCII digits count as numbers, however long; ties go by the name itself.

    One text, as those compare ten times as quickly as lists of texts and numbers do: names are many.
    """
    # "\0" ends a text, as it comes before whatever else may follow there.
    parts = _PARTS(name.replace("\1", "\1\1").replace("\0", "\1\0"))
    for place in range(1, len(parts), 2):
        # Numbers without leading zeros compare by length, then digit by digit.
        number = parts[place].lstrip("0")
        size = len(number)
        parts[place] = f"\0{chr(size + 1)}{number}" if size < _LONG else f"\0\xff{size:020}{number}"
    return f"{''.join(parts)}\0\0{name}"
