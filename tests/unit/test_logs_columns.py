"""Columns that grow: what was handed out stays, and what nobody holds is in memory once."""

from __future__ import annotations

import tracemalloc

import numpy as np

from tbwidget.logs.columns import ADDRESS, Column, Points

EACH = 20_000


def piece(n: int) -> Points:
    value = np.zeros(EACH, ADDRESS)
    value["offset"] = n
    return Points(np.full(EACH, n), np.full(EACH, float(n)), value)


def test_growing_does_not_copy_what_nobody_holds() -> None:
    column = Column()
    tracemalloc.start()
    try:
        for n in range(60):
            column.append(piece(n), 0)
            column.settle()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    points = column.points()
    kept = sum(array.nbytes for array in points)
    assert points.step.tolist() == np.repeat(np.arange(60), EACH).tolist()
    assert np.array_equal(points.value["offset"], points.step)
    assert peak < 1.7 * kept  # one of the three counts twice while it is enlarged; were all copied: 2.1


def test_growing_leaves_alone_what_somebody_holds() -> None:
    column = Column()
    snapshots = []
    for n in range(20):
        column.append(piece(n), 0)
        snapshots.append(column.points())
    for n, points in enumerate(snapshots):
        assert not any(array.flags.writeable for array in points)
        assert np.array_equal(points.step, np.repeat(np.arange(n + 1), EACH))
        assert np.array_equal(points.value["offset"], points.step)
