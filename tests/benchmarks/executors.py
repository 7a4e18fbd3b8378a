"""Reading by an executor's workers, compared with this process: from this machine, and from a slow S3 server.

    python -m tests.benchmarks.executors ENGINE PATH_OR_ADDRESS REPEATS

reads with one engine and prints as JSON: seconds until the workers had started, seconds of the first reading and of the
best of some more, CPU seconds of this process for the best, and the sum of all values.
"""

from __future__ import annotations

import json
import logging
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.benchmarks import logs
from tests.benchmarks.remote import serving

_ROOT = Path(__file__).parents[2]
_SIZES = ((1_000, 20, 50), (1_000, 20, 500), (50, 20, 50_000))
"""Runs, tags, steps."""
_WORKERS = 2
_ENGINES = ("in process", "ProcessPoolExecutor", "Dask LocalCluster")
_DELAY_S = 0.05
_KEYS = {"key": "testing", "secret": "testing"}


@contextmanager
def _started(engine: str) -> Iterator[Any]:
    """Start the workers of an engine; yield the argument of `load`."""
    if engine == "ProcessPoolExecutor":
        with ProcessPoolExecutor(_WORKERS, multiprocessing.get_context("spawn")) as pool:
            list(pool.map(time.sleep, [0.1] * _WORKERS))
            yield pool
    elif engine == "Dask LocalCluster":
        import distributed  # noqa: PLC0415 (only where it is measured)

        dask: Any = distributed  # parts of it have no annotations
        options = {"dashboard_address": None, "silence_logs": logging.CRITICAL}
        with (
            dask.LocalCluster(n_workers=_WORKERS, threads_per_worker=1, **options) as cluster,
            dask.Client(cluster) as client,
        ):
            yield client
    else:
        yield None


def _read(engine: str, place: str, repeats: int) -> list[float]:
    import tbwidget  # noqa: PLC0415 (its import is not counted)

    path, options = place, None
    if place.startswith("http"):
        path, options = "s3://bucket/runs", {**_KEYS, "client_kwargs": {"endpoint_url": place}}
        import s3fs  # noqa: F401, PLC0415 (likewise)
    begun = time.perf_counter()
    with _started(engine) as executor:
        started = time.perf_counter() - begun
        walls, cpus, total = [], [], 0.0
        for _ in range(1 + repeats):
            begun, cpu = time.perf_counter(), time.process_time()
            found = tbwidget.load(path, storage_options=options, executor=executor)
            walls.append(time.perf_counter() - begun)
            cpus.append(time.process_time() - cpu)
            assert not found.problems, found.problems[0]
            tags = found.tags()["scalars"]
            total = sum(float(found.scalars(run, tag).value.sum()) for run, names in tags.items() for tag in names)
    return [started, walls[0], min(walls[1:]), min(cpus[1:]), total]


def _measured(engine: str, place: str, repeats: int) -> list[float]:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", __name__, engine, place, str(repeats)],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        cwd=_ROOT,
        env={
            **os.environ,
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_EC2_METADATA_DISABLED": "true",
            "PYTHONWARNINGS": "ignore",
            "TBWIDGET_CACHE": "0",
        },
    )
    found: list[float] = json.loads(done.stdout.splitlines()[-1])
    return found


def _table(place: str, repeats: int, engines: Sequence[str] = _ENGINES) -> None:
    expected: list[float] = []
    for engine in engines:
        started, first, again, cpu, total = found = _measured(engine, place, repeats)
        expected = expected or found
        assert total == expected[-1], f"{engine} read other values"
        ratio = "" if found is expected else f"{again / expected[2]:8.1f}x"
        print(f"    {engine:26}{started:9.2f}{first:9.2f}{again:9.2f}{cpu:9.2f}{ratio}", flush=True)


def section(repeats: int) -> None:
    """Print a line for each size, place and engine."""
    print(f"\nReading by {_WORKERS} workers of an executor (imports of this process not counted)")
    print("first: workers import tbwidget; again: best of later readings, ratio to reading in process")
    print(f"{'':30}{'start s':>9}{'first s':>9}{'again s':>9}{'CPU here':>9}{'again':>9}")
    for runs, tags, steps in _SIZES:
        with tempfile.TemporaryDirectory() as name:
            directory = Path(name) / "runs"
            logs.write_board(directory, runs, tags, steps)
            size = sum(path.stat().st_size for path in directory.glob("*/*")) / 1e6
            print(f"{runs:,} runs x {tags} tags x {steps:,}, {size:,.0f} MB")
            print("  local")
            _table(str(directory), repeats)
            print(f"  S3, {1000 * _DELAY_S:.0f} ms a request")
            with serving(Path(name), _DELAY_S) as address:
                _table(address, repeats)


if __name__ == "__main__":
    print(json.dumps(_read(sys.argv[1], sys.argv[2], int(sys.argv[3]))))
