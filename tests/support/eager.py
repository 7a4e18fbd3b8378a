"""Thresholds of the reading path lowered, so that few records take the ways that are meant for many."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from tbwidget.logs import sorting
from tbwidget.records import cycles, decode, framing, guesses, layouts, payloads, places, turns, walk

_LOWERED: list[tuple[ModuleType, dict[str, int]]] = [
    (framing, {"_FIRST_WALK": 4, "_FIRST_BLOCK": 64, "_LARGEST_BLOCK": 512, "_ROW": 128, "_SMALL": 16}),
    (layouts, {"_FEWEST_ROWS": 1, "_FEWEST_REPEATED": 4, "_FEWEST_EACH": 1, "_SAMPLE": 4, "_LEARNED": 8}),
    (cycles, {"_ROW": 128, "_BLOCK": 512}),
    (places, {"_FEWEST_IN_ORDER": 2, "_HASHED": 64}),
    (turns, {"_TOGETHER": 64}),
    (guesses, {"_FEWEST": 2, "_MOST_TURNS": 2}),
    (decode, {"_FEWEST_RECORDS": 2}),
    (walk, {"_FEWEST_EVENTS": 1, "_FEWEST_AT_ONCE": 1, "_MOST_VALUES": 4, "_MOST_METADATA": 2}),
    (payloads, {"_MOST_KNOWN": 3}),
    (sorting, {"_FEW": 2, "_FEWEST_SORTED": 2, "_FEWEST_EACH": 2, "_MOST_PENDING": 50, "_FEWEST_TOGETHER": 8}),
]


@contextmanager
def eager(*, wanted: bool = True, as_rows: bool = False) -> Iterator[None]:
    """Lower the thresholds, if that is wanted, and put them back; `as_rows` has turns of a cycle read as rows."""
    before = [(module, {name: getattr(module, name) for name in lowered}) for module, lowered in _LOWERED]
    try:
        for module, lowered in _LOWERED if wanted else []:
            vars(module).update(lowered)
        if wanted and as_rows:
            vars(layouts)["_FEWEST_EACH"] = 1 << 60
        yield
    finally:
        for module, values in before:
            vars(module).update(values)
