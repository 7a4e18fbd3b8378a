"""Lowered thresholds of the reader, so that few records take the paths that are meant for many."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from tbwidget.logs.engine import partitioning
from tbwidget.records import limits

_LOWERED: list[tuple[ModuleType, dict[str, int]]] = [
    (
        limits,
        {
            "MIN_FOLLOWED_RECORDS": 4,
            "FIRST_PREDICTED_BYTES": 64,
            "MAX_PREDICTED_BYTES": 512,
            "MIN_COMPARED_ROW_BYTES": 128,
            "SMALL_WINDOW": 16,
            "MIN_RECORDS_OF_LENGTH": 1,
            "MIN_RECORDS_IN_CYCLES": 4,
            "MIN_RECORDS_PER_CYCLE_LENGTH": 1,
            "FIRST_SAMPLE_RECORDS": 4,
            "MAX_LEARNED_RECORDS": 8,
            "MIN_CYCLE_ROW_BYTES": 128,
            "MAX_CYCLE_BLOCK_BYTES": 512,
            "MIN_RECORDS_IN_ORDER": 2,
            "MAX_HASHED_BYTES": 64,
            "MAX_CHECKSUMMED_BYTES": 256,
            "MIN_RECORDS_FOR_LAYOUTS": 2,
            "MIN_EVENTS": 1,
            "MIN_EVENTS_WITH_MORE_VALUES": 1,
            "MAX_VALUES_PER_EVENT": 4,
            "MAX_METADATA": 2,
            "MAX_TENSOR_CLASSES": 3,
        },
    ),
    (partitioning, {"_MAX_PENDING": 50, "_MIN_CHUNK_POINTS": 8}),
]


@contextmanager
def eager(*, wanted: bool = True) -> Iterator[None]:
    """Lower the thresholds if wanted, and restore them."""
    before = [(module, {name: getattr(module, name) for name in lowered}) for module, lowered in _LOWERED]
    try:
        for module, lowered in _LOWERED if wanted else []:
            vars(module).update(lowered)
        yield
    finally:
        for module, values in before:
            vars(module).update(values)
