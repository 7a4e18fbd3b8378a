"""Growing columns: arrays handed out stay unchanged, and other points are in memory only once."""

from __future__ import annotations

import gc
import tracemalloc
import weakref
from pathlib import Path

import numpy as np

import tbwidget
from tbwidget.logs.columns import ADDRESS, Column, Points
from tests.support.eventfiles import points as written
from tests.support.eventfiles import write

EACH = 20_000


def piece(n: int) -> Points:
    value = np.zeros(EACH, ADDRESS)
    value["offset"] = n
    return Points(np.full(EACH, n), np.full(EACH, float(n)), value)


def test_growing_does_not_copy_unreferenced_arrays() -> None:
    column = Column()
    tracemalloc.start()
    try:
        for n in range(60):
            column.append(piece(n), 0)
            column.flush()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    points = column.points()
    kept = sum(array.nbytes for array in points)
    assert points.step.tolist() == np.repeat(np.arange(60), EACH).tolist()
    assert np.array_equal(points.value["offset"], points.step)
    assert peak < 1.7 * kept  # one of the three columns counts twice while it grows; copying all would give 2.1


def test_growing_does_not_change_referenced_arrays() -> None:
    column = Column()
    snapshots = []
    for n in range(20):
        column.append(piece(n), 0)
        snapshots.append(column.points())
    for n, points in enumerate(snapshots):
        assert not any(array.flags.writeable for array in points)
        assert np.array_equal(points.step, np.repeat(np.arange(n + 1), EACH))
        assert np.array_equal(points.value["offset"], points.step)


def test_a_run_of_several_files_holds_its_points_once(tmp_path: Path) -> None:
    """Arrays handed out are a copy of all points, and are freed with their last reference."""
    for file in range(4):
        write(
            tmp_path / f"events.out.tfevents.{file}", written("a", list(range(5000 * file, 5000 * file + 5000)), file)
        )
    logs = tbwidget.load(tmp_path)
    series = logs.scalars(".", "a")
    assert series is logs.scalars(".", "a")
    reference, revision = weakref.ref(series), series.revision
    del series
    gc.collect()
    assert reference() is None
    again = logs.scalars(".", "a")
    assert (again.revision, again.step.tolist()) == (revision, list(range(20_000)))
