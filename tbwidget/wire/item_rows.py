"""Rows of an index whose blobs belong together, or come one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tbwidget.wire.content import Index

MOST_SAMPLES = 16
"""Rows of one step whose blobs are sent together at most."""


def newest_value(index: Index) -> range:
    """The rows of what was written last at the newest step; of more than `MOST_SAMPLES`, the last."""
    step, wall, last = index.step, index.wall_time, len(index) - 1
    first = last
    while last - first < MOST_SAMPLES - 1 and first > 0 and step[first - 1] == step[last]:
        if wall[first - 1] != wall[last]:
            break
        first -= 1
    return range(first, last + 1) if last >= 0 else range(0)


def spread_row(number: int, count: int) -> int:
    """The row that comes as the number-th (from 1 on): the middle, the quarters, the eighths …, at last all."""
    level = number.bit_length()
    return (2 * (number - (1 << (level - 1))) + 1) * count >> level
