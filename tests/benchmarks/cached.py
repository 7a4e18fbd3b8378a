"""CPU time to open a log directory a second time, from the cache, compared with the first opening."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.benchmarks import logs

_ROOT = Path(__file__).parents[2]
_SIZES = ((1_000, 5, 50), (1_000, 20, 500), (10, 20, 50_000))
"""Runs, tags, steps."""

_OPEN = """
import json, sys, time
import tbwidget
from tbwidget.logs.engine import cache

cache.MIN_READ_S = cache._IDLE_S = 0  # keep little, and files that were written just now
begun = time.process_time()
logs = tbwidget.load(sys.argv[1])
tags = logs.tags()["scalars"]
opened = time.process_time()
points = total = 0
for run, names in tags.items():
    for tag in names:
        series = logs.scalars(run, tag)
        points += len(series)
        total += float(series.value.sum()) + float(series.wall_time.sum()) + int(series.step.sum())
touched = time.process_time()
logs.close()
closed = time.process_time()
print(json.dumps([opened - begun, touched - opened, closed - touched, points, total]))
"""


def _opening(directory: Path, cache: Path) -> list[float]:
    """CPU seconds to open, to read every value, and to close; points, and the sum of all values."""
    done = subprocess.run(
        [sys.executable, "-c", _OPEN, str(directory)],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        cwd=_ROOT,
        env={**os.environ, "TBWIDGET_CACHE": str(cache)},
    )
    found: list[float] = json.loads(done.stdout)
    return found


def section(repeats: int) -> None:
    """Print a line for each size: the best of some repeats of each opening."""
    print("\nOpening again from the cache, CPU s (imports not counted); all values: reading each series on top of that")
    print(f"{'':32}{'first':>9}{'second':>9}{'ratio':>9}{'all values':>12}{'again':>8}{'keeping':>9}{'MB':>7}")
    for runs, tags, steps in _SIZES:
        with tempfile.TemporaryDirectory() as name:
            directory = Path(name) / "runs"
            logs.write_board(directory, runs, tags, steps)
            first = min(_opening(directory, Path(name) / f"cache{turn}") for turn in range(repeats))
            kept = Path(name) / "cache0"
            second = min(_opening(directory, kept) for _ in range(repeats))
            assert second[3:] == first[3:], "other values came from the cache"
            size = sum(path.stat().st_size for path in kept.rglob("*") if path.is_file()) / 1e6
            print(
                f"  {f'{runs:,} runs x {tags} tags x {steps:,}':30}{first[0]:9.3f}{second[0]:9.3f}"
                f"{f'1/{first[0] / second[0]:.0f}':>9}{first[1]:12.3f}{second[1]:8.3f}{first[2]:9.3f}{size:7.0f}"
            )
