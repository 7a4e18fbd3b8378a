"""Gain of each fast path for records: directories are read with all paths, and with one switched off at a time."""

from __future__ import annotations

import math
import struct
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from tbwidget.records import limits
from tbwidget.records.columnar import layouts
from tbwidget.records.files import framing
from tbwidget.records.files.checksums import masked_checksum
from tests.benchmarks import breadth, logs, measures
from tests.support.eventfiles import event, simple

_NEVER = 1 << 60
_CLAIMED = 4_000_000  # bytes that a forged header claims
_Off = tuple[ModuleType | type, str, Any]

WAYS: dict[str, list[_Off]] = {
    "periods of lengths (framing)": [(framing, "period_of", lambda _: 0), (layouts, "period_of", lambda _: 0)],
    "layouts": [(limits, "MIN_RECORDS_FOR_LAYOUTS", _NEVER)],
    "cycles": [(limits, "MIN_RECORDS_IN_CYCLES", _NEVER)],
    "events by column": [(limits, "MIN_EVENTS", _NEVER)],
    "budget of checksums (damage)": [(limits, "SEARCH_BUDGET_BYTES", _NEVER)],
}
"""Replacements that switch a path off; the reader still reads the same values, only more slowly."""


def switch_off(way: str) -> None:
    """Switch a path off in this process."""
    for owner, name, value in WAYS[way]:
        setattr(owner, name, value)


def _forged(folder: Path) -> None:
    """Write valid records, each after a header that claims millions of bytes, which the file contains."""
    header = struct.pack("<Q", _CLAIMED)
    header += struct.pack("<I", masked_checksum(header))
    path = folder / "run" / logs.NAME
    path.parent.mkdir(parents=True)
    path.write_bytes(
        b"".join(header + event(1e9, step, simple("loss", step)) for step in range(1000)) + bytes(_CLAIMED)
    )


def _directories(points: int) -> dict[str, Callable[[Path], None]]:
    def shape(name: str) -> Callable[[Path], None]:
        return lambda folder: logs.write_shape(folder, name, points)

    others = [
        breadth.tags(12_345, points // 12_345),
        breadth.runs(10, 40, points // 400),
        breadth.runs(200, 20, 10),
        breadth.histograms(500, points // 1_000),
    ]
    shapes = {name: shape(name) for name in logs.SHAPES}
    return {**shapes, **{each.name: each.write for each in others}, "1,000 forged lengths": _forged}


def section(points: int, repeats: int) -> None:
    """Print a column for each directory and a line for each way."""
    directories = _directories(points)
    print("\nWhat each way of reading gains: CPU ms of a cold reading with all of them, and times that without one")
    for number, name in enumerate(directories, 1):
        print(f"  {number}: {name}")
    print(f"  {'':32}" + "".join(f"{number:>8}" for number in range(1, len(directories) + 1)))
    lines: dict[str | None, list[str]] = {way: [] for way in (None, *WAYS)}
    for write in directories.values():
        best = dict.fromkeys(lines, math.inf)
        with tempfile.TemporaryDirectory() as folder:
            write(Path(folder))
            for _ in range(repeats):  # alternately, because a machine has slower periods
                for way in lines:
                    cost = measures.read_with("tbwidget", Path(folder), 1, without=way)
                    best[way] = min(best[way], cost.cpu)
        for way, cpu in best.items():
            lines[way].append(f"{1000 * cpu:8.0f}" if way is None else f"{cpu / best[None]:7.2f}x")
    for way, costs in lines.items():
        print(f"  {way or 'all':32}{''.join(costs)}")
