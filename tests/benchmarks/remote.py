"""Many runs on S3, compared with TensorBoard: time to a first chart, time to read everything, and requests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.benchmarks import logs

_ROOT = Path(__file__).parents[2]
_TAGS, _STEPS = 5, 50
_DELAYS_S = (0.0, 0.05)
_SHARE = 10
"""TensorBoard by boto3 reads one run in this many, to save minutes; all figures except the first are scaled up."""
_TIMEOUT_S = 900
_READERS = {"tbwidget": 1, "tbwidget, one by one": 1, "TensorBoard by fsspec": 1, "TensorBoard by boto3": _SHARE}


@contextmanager
def serving(folder: Path, delay: float) -> Iterator[str]:
    """Run the S3 server; yield its address."""
    command = [sys.executable, "-m", "tests.benchmarks.s3server", str(folder), str(delay)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=_ROOT) as server:
        assert server.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(server.stdout.readline())}"
        finally:
            server.terminate()


def _read(reader: str, address: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.benchmarks.remote_readers", reader, address],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        timeout=_TIMEOUT_S,
        cwd=_ROOT,
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
    )
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _said(counts: dict[str, int], times: int) -> str:
    """Return the requests by method as text."""
    return " + ".join(f"{times * count:,} {method}" for method, count in sorted(counts.items())) or "none"


def section(runs: int, repeats: int) -> None:
    """Print a line for each reader and delay; for tbwidget, the best of some repeats."""
    print(f"\nReading {runs:,} runs of {_TAGS} tags of {_STEPS} steps from S3 (imports of the readers not counted)")
    print(f"By boto3 one run of {_SHARE} is read, and all its figures but the first are {_SHARE}-fold")
    print(f"{'':26}{'first s':>9}{'all s':>9}{'CPU s':>8}{'all':>8}  {'requests':38}a poll without news")
    with tempfile.TemporaryDirectory() as name:
        whole, share = Path(name) / "whole", Path(name) / "share"
        logs.write_runs(whole / "runs", runs, _TAGS, _STEPS)
        logs.write_runs(share / "runs", runs // _SHARE, _TAGS, _STEPS)
        for delay in _DELAYS_S:
            print(f"{1000 * delay:.0f} ms a request")
            ours = 0.0
            for reader, times in _READERS.items():
                with serving(whole if times == 1 else share, delay) as address:
                    found = min(
                        (_read(reader, address) for _ in range(repeats if reader == "tbwidget" else 1)),
                        key=lambda found: float(found["all"]),
                    )
                assert found["points"] * times == runs * _TAGS * _STEPS, f"{reader} read {found['points']} points"
                ours = ours or found["all"]
                idle = found["idle"]
                print(
                    f"  {reader:24}{found['first']:9.2f}{times * found['all']:9.1f}{times * found['cpu']:8.1f}"
                    f"{times * found['all'] / ours:7.1f}x  {_said(found['requests'], times):38}"
                    f"{_said(idle['requests'], times)}, {times * idle['all']:.1f} s",
                    flush=True,
                )
