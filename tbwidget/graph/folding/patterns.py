"""Names with numbers in them: what siblings have in common, and what they are called together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

_NUMBERS = re.compile(r"[0-9]+(?:[A-Za-z]$)?")
"""Numbers, at the end of a name with a letter: block2a, block2b."""
_LAYER_END = re.compile(r"(?<=[0-9])_|(?<=[0-9][^_])_")  # behind block15, or block7d
_MIN_NAMES, _MAX_NAMES = 3, 40  # names in a layer
_NEARLY = 2 / 3

RANGE = ".."
"""Between the first and the last number of siblings."""

TO = "→"
"""Between the names of the first and the last box of a chain."""


def pattern(label: str) -> str:
    """The label with `#` for each number."""
    return _NUMBERS.sub("#", label)


def common_label(labels: Sequence[str]) -> str:
    """Return a common label of siblings: `Block[0..95]`, or with `#` for each number if several vary.

    The most common pattern decides.
    """
    patterns = [pattern(label) for label in labels]
    most_common = Counter(patterns).most_common(1)[0][0]
    alike = [label for label, of_label in zip(labels, patterns, strict=True) if of_label == most_common]
    columns = list(zip(*map(_NUMBERS.findall, alike), strict=True))
    varying = sum(len(set(column)) > 1 for column in columns)
    pieces = _NUMBERS.split(alike[0])
    numbers = [
        column[0] if len(set(column)) == 1 else _span(column) if varying == 1 and len(alike) == len(labels) else "#"
        for column in columns
    ]
    return "".join(piece + number for piece, number in zip(pieces, [*numbers, ""], strict=True))


def _span(numbers: Sequence[str]) -> str:
    """The first and the last of numbers that may end with a letter."""
    ordered = sorted(numbers, key=_rank)
    return f"{ordered[0]}{RANGE}{ordered[-1]}"


def _rank(number: str) -> tuple[int, str, str]:
    """A number's place among others; not read as an `int`, which has a limit of digits."""
    letter = number.lstrip("0123456789")
    digits = number.removesuffix(letter).lstrip("0")
    return len(digits), digits, letter


def layers(labels: Sequence[str]) -> list[str | None]:
    """Return the layer of each name, or None.

    Keras applications have no scopes for their blocks, but their names tell: `conv4_block15_1_conv` and its siblings
    belong to `conv4_block15`. A layer is a prefix of names that ends in a number before an underscore. Between 3 and 40
    names share it, and not all of these continue with a number alone. Other prefixes have the same pattern. If several
    patterns fit, and cover nearly the most names, the longest one counts.
    """
    members: dict[str, int] = {}
    worded: set[str] = set()
    beginnings = [_beginnings(label) for label in labels]
    for label, prefixes in zip(labels, beginnings, strict=True):
        for prefix in prefixes:
            members[prefix] = members.get(prefix, 0) + 1
            if prefix not in worded and not label[len(prefix) :].replace("_", "").isdigit():
                worded.add(prefix)
    fitting = {prefix: pattern(prefix) for prefix in worded if _MIN_NAMES <= members[prefix] <= _MAX_NAMES}
    taken: dict[str, int] = {}
    distinct: dict[str, int] = {}
    for prefix, of_prefix in fitting.items():
        taken[of_prefix] = taken.get(of_prefix, 0) + members[prefix]
        distinct[of_prefix] = distinct.get(of_prefix, 0) + 1
    fitting = {prefix: of_prefix for prefix, of_prefix in fitting.items() if distinct[of_prefix] > 1}
    found = []
    for prefixes in beginnings:
        own = [prefix for prefix in prefixes if prefix in fitting]
        most = max((taken[fitting[prefix]] for prefix in own), default=0)
        found.append(next((prefix for prefix in reversed(own) if taken[fitting[prefix]] >= _NEARLY * most), None))
    kept = Counter(found)
    return [layer if layer is not None and kept[layer] >= _MIN_NAMES else None for layer in found]


def _beginnings(label: str) -> list[str]:
    """Beginnings of a name that could be a layer's, the shortest first."""
    if label.count("_") >= _MAX_NAMES:
        return []
    return [label[: end.start()] for end in _LAYER_END.finditer(label)]
