"""What each way that records can take gains: directories read with all ways, and with one switched off at a time."""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import tbwidget
from tbwidget.logs import sorting
from tbwidget.records import limits
from tbwidget.records.columnar import layouts
from tbwidget.records.files import framing
from tests.benchmarks import breadth, logs

_NEVER = 1 << 60
_Off = tuple[ModuleType | type, str, Any]

WAYS: dict[str, list[_Off]] = {
    "periods of lengths (framing)": [(framing, "period_of", lambda _: 0), (layouts, "period_of", lambda _: 0)],
    "layouts": [(limits, "FEWEST_FOR_LAYOUTS", _NEVER)],
    "patterns of tags (layouts)": [(layouts.LayoutTable, "_pattern", lambda *_: None)],
    "cycles": [(limits, "FEWEST_IN_CYCLES", _NEVER)],
    "tags in cycles (sorting)": [(sorting, "cycle_of", lambda *_: None)],
    "events by column": [(limits, "FEWEST_EVENTS", _NEVER)],
}
"""What is replaced by what, to switch a way off; all else reads the same values then, only slower."""


def _directories(points: int) -> dict[str, Callable[[Path], None]]:
    def shape(name: str) -> Callable[[Path], None]:
        return lambda folder: logs.write_shape(folder, name, points)

    others = [
        breadth.tags(12_345, points // 12_345),
        breadth.runs(10, 40, points // 400),
        breadth.runs(200, 20, 10),
        breadth.histograms(500, points // 1_000),
    ]
    return {name: shape(name) for name in logs.SHAPES} | {each.name: each.write for each in others}


@contextmanager
def _replaced(off: list[_Off]) -> Iterator[None]:
    before = [(owner, name, getattr(owner, name)) for owner, name, _ in off]
    try:
        for owner, name, value in off:
            setattr(owner, name, value)
        yield
    finally:
        for owner, name, value in before:
            setattr(owner, name, value)


def _cost(folder: str, off: list[_Off]) -> float:
    """CPU milliseconds of a reading."""
    with _replaced(off):
        begin = time.thread_time()
        tbwidget.load(folder)
        return 1000 * (time.thread_time() - begin)


def section(points: int, repeats: int) -> None:
    """Print a column for each directory and a line for each way."""
    directories, ways = _directories(points), {"all": [], **WAYS}
    print("\nWhat each way of reading gains: CPU ms of a reading with all of them, and times that without one")
    for number, name in enumerate(directories, 1):
        print(f"  {number}: {name}")
    print(f"  {'':32}" + "".join(f"{number:>8}" for number in range(1, len(directories) + 1)))
    lines: dict[str, list[str]] = {name: [] for name in ways}
    for write in directories.values():
        best = dict.fromkeys(ways, math.inf)
        with tempfile.TemporaryDirectory() as folder:
            write(Path(folder))
            for _ in range(repeats):  # in turn, since a machine has slower times
                for name, off in ways.items():
                    best[name] = min(best[name], _cost(folder, off))
        for name, cost in best.items():
            lines[name].append(f"{cost:8.0f}" if name == "all" else f"{cost / best['all']:7.2f}x")
    for name, costs in lines.items():
        print(f"  {name:32}{''.join(costs)}")
