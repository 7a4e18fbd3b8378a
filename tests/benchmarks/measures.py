"""The measurements of `make bench`, each in its own processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from tbwidget.proto.event_pb2 import Event
from tests.benchmarks import logs as made
from tests.support.eventfiles import record

ROOT = Path(__file__).parents[2]
_TICKS = os.sysconf("SC_CLK_TCK")
_TIMEOUT = 600


class Cost(NamedTuple):
    """Cost of reading a directory once."""

    cpu: float
    """CPU seconds of all threads, without imports."""
    wall: float
    """Wall-clock seconds."""
    peak: float
    """Peak memory in bytes, in addition to the imports."""
    kept: float
    """Memory in bytes at the end, in addition to the imports."""
    checked: float | None
    """Sum of all values read; None for a reader without one."""


def _python(*arguments: str) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", *arguments],
        check=True,
        capture_output=True,
        text=True,
        timeout=_TIMEOUT,
        cwd=ROOT,
    )
    result: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return result


def read_with(reader: str, logdir: Path, repeats: int, *, without: str | None = None) -> Cost:
    """Best of some cold readings by a reader of readers.py, without one of the ways in ways.py if given."""
    arguments = [reader, str(logdir), *([without] if without else [])]
    results = [_python("-m", "tests.benchmarks.readers", *arguments) for _ in range(repeats)]
    best = min(results, key=lambda result: result["cpu"])
    return Cost(best["cpu"], min(r["wall"] for r in results), best["peak"], best["kept"], best["sum"])


def read_with_server(logdir: Path, repeats: int, *, checksums: bool = True, everything: bool = False) -> Cost:
    """Best of some load cycles of TensorBoard's Rust server, with or without checksums, keeping all points or some."""
    options = ["--checksum"] * checksums + ["--samples-per-plugin", "scalars=all,tensors=all"] * everything
    costs = [_load_cycle(logdir, options) for _ in range(repeats)]
    cpu, wall, peak, kept = (min(column) for column in zip(*(cost[:4] for cost in costs), strict=True))
    return Cost(cpu, wall, peak, kept, None)


def _load_cycle(logdir: Path, options: list[str]) -> Cost:
    import tensorboard_data_server  # noqa: PLC0415 (only where benchmarks run)

    command = [tensorboard_data_server.server_binary(), "--logdir", str(logdir), "--reload", "once", "--port", "0"]
    begin = time.perf_counter()
    with subprocess.Popen(
        [*command, *options, "--die-after-stdin", "-v"], stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stderr is not None
        for line in server.stderr:
            if "Finished load cycle" in line:
                break
        wall = time.perf_counter() - begin
        fields = Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")[2].split()
        cpu = (int(fields[11]) + int(fields[12])) / _TICKS
        status = Path(f"/proc/{server.pid}/status").read_text()
        peak, kept = (1024 * int(status.partition(field)[2].split()[0]) for field in ("VmHWM:", "VmRSS:"))
    return Cost(cpu, wall, peak, kept, None)


def import_times(repeats: int) -> dict[str, tuple[float, float]]:
    """Return the best (CPU, wall) seconds of some imports in fresh processes."""
    statements = {"import tbwidget": "import tbwidget", "… and the widget": "from tbwidget import show"}
    found = {}
    for name, statement in statements.items():
        results = [_python("-c", _IMPORT.format(statement)) for _ in range(repeats)]
        found[name] = (min(r["cpu"] for r in results), min(r["wall"] for r in results))
    return found


_IMPORT = """
import json, time
cpu, wall = time.process_time(), time.perf_counter()
{}
print(json.dumps({{"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall}}))
"""
_FOLLOW = """
import json, sys, time, tbwidget
with tbwidget.LogDir(sys.argv[1]) as logs:
    logs.follow()
    while not getattr(logs, "source", logs).ready:
        time.sleep(0.05)
    time.sleep(1)
    cpu, wall = time.process_time(), time.perf_counter()
    time.sleep(float(sys.argv[2]))
    share = (time.process_time() - cpu) / (time.perf_counter() - wall)
    print(json.dumps({"share": share, "runs": len(logs.runs)}))
"""


def following_idle_runs(count: int, seconds: float) -> float:
    """Return the share of a core for following runs that do not change."""
    with tempfile.TemporaryDirectory() as folder:
        made.write_idle_runs(Path(folder), count)
        return _python("-c", _FOLLOW, folder, str(seconds))["share"]


def following_a_writer(rate: float, seconds: float) -> float:
    """Return the share of a core for following one file that gets `rate` points a second."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run" / made.NAME
        path.parent.mkdir()
        path.write_bytes(b"")
        command = [sys.executable, "-W", "ignore", "-c", _FOLLOW, folder, str(seconds)]
        with (
            subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as follower,
            path.open("ab") as file,
        ):
            step, begin = 0, time.monotonic()
            while follower.poll() is None:
                event = Event(wall_time=time.time(), step=step)
                event.summary.value.append(made.simple(step % 4, step))
                file.write(record(event.SerializeToString()))
                file.flush()
                step += 1
                time.sleep(max(0.0, begin + step / rate - time.monotonic()))
            assert follower.stdout is not None
            share: float = json.loads(follower.stdout.read())["share"]
            return share
