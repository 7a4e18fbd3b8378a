"""The order in which people list names: "layer2" before "layer10", "lr=0.001" before "lr=0.01"."""

from __future__ import annotations

import re
from functools import lru_cache

# A dot between digits is a decimal point where no letter stands before them, or only a 0 between: "lr=1.5", "lr0.1". In
# what has more dots, and in paths, each number is one of its own: "1.2.10", "layer1.10", "blocks.1.10", "0.10.weight".
# Exponents count in small numbers as Python writes them: "1e-05".
_NUMBER = (
    r"(?:(?:(?<![A-Za-z.])[0-9]+|(?<!\.)0)\.[0-9]+(?![0-9]|\.[0-9A-Za-z])|[0-9]+)"
    r"(?:e-[0-9]{1,3}(?![0-9A-Za-z]))?"
)
_PARTS = re.compile(f"({_NUMBER})").split

# Powers of ten, from the least to the greatest, that are one character of a key.
_LEAST, _GREATEST = -100, 140


# As many keys as a large directory has names. A key is some two names long: little beside what else is kept of a tag.
@lru_cache(1 << 17)
def natural_key(name: str) -> str:
    """A sort key under which numbers made of ASCII digits count as such, however long; ties go by the name itself.

    One text, as those compare ten times as quickly as lists of texts and numbers do: names are many.
    """
    # "\0" ends a text, and a number, as it comes before whatever else may follow there.
    parts = _PARTS(name.replace("\1", "\1\1").replace("\0", "\1\0"))
    for place in range(1, len(parts), 2):
        parts[place] = f"\0{_number_key(parts[place])}\0"
    return f"{''.join(parts)}\0\0{name}"


def _number_key(number: str) -> str:
    """The power of ten of its first digit that is not 0, then the digits from there on."""
    mantissa, _, exponent = number.partition("e-")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    if digits == "":
        return "\1"
    power = len(digits) - len(fraction) - int(exponent or 0)
    digits = digits.rstrip("0")
    if _LEAST <= power <= _GREATEST:
        return f"{chr(power - _LEAST + 3)}{digits}"
    return f"\2{10**19 + power:020}{digits}" if power < 0 else f"\xff{power:020}{digits}"
