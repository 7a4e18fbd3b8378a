"""Thresholds of the reading path lowered, so that few records take the ways that are meant for many."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from tbwidget.logs.engine import sorting
from tbwidget.records import limits

_LOWERED: list[tuple[ModuleType, dict[str, int]]] = [
    (
        limits,
        {
            "FEWEST_FOLLOWED": 4,
            "FIRST_PREDICTED": 64,
            "MOST_PREDICTED": 512,
            "ROW_COMPARED": 128,
            "SMALL_WINDOW": 16,
            "FEWEST_OF_LENGTH": 1,
            "FEWEST_IN_CYCLES": 4,
            "FEWEST_OF_CYCLE_LENGTH": 1,
            "SAMPLE": 4,
            "LEARNED_AT_ONCE": 8,
            "CYCLE_ROW": 128,
            "CYCLE_BLOCK": 512,
            "FEWEST_IN_ORDER": 2,
            "HASHED_AT_ONCE": 64,
            "CHECKSUMMED_AT_ONCE": 256,
            "FEWEST_FOR_LAYOUTS": 2,
            "FEWEST_EVENTS": 1,
            "FEWEST_WITH_MORE": 1,
            "MOST_VALUES": 4,
            "MOST_METADATA": 2,
            "MOST_TENSOR_CLASSES": 3,
        },
    ),
    (sorting, {"_FEW": 2, "_FEWEST_SORTED": 2, "_FEWEST_EACH": 2, "_FEWEST_TOGETHER": 8}),
    (sorting, {"_MOST_PENDING": 50, "_MOST_IN_CYCLE": 60}),
]


@contextmanager
def eager(*, wanted: bool = True) -> Iterator[None]:
    """Lower the thresholds, if that is wanted, and put them back."""
    before = [(module, {name: getattr(module, name) for name in lowered}) for module, lowered in _LOWERED]
    try:
        for module, lowered in _LOWERED if wanted else []:
            vars(module).update(lowered)
        yield
    finally:
        for module, values in before:
            vars(module).update(values)
