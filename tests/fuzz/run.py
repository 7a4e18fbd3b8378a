"""`make fuzz`: reading must survive any contents of a file.

    make fuzz ARGS="--cases 1000000 --guided 50000 --seed 1"

Seeded cases are split between the sorts, and the same seed gives the same cases. Then an engine searches for cases,
guided by the code that they reach. A failing case is printed with everything needed to run it again.
"""

from __future__ import annotations

import argparse
import multiprocessing
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from itertools import repeat
from pathlib import Path
from types import FrameType

from tests.fuzz.cases import TOGETHER, Cases
from tests.fuzz.mutations import real_records
from tests.fuzz.targets import TARGETS

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "fuzz"  # inputs on which the engine fails
SHARES = {
    "framing": 0.30,
    "layouts": 0.06,
    "values": 0.02,
    "tensors": 0.58,
    "directories": 0.02,
    "pictures": 0.02,
}
_MAX_CASE_S = 20  # s that a case may take
_MAX_GROWTH_BYTES = 1 << 29  # bytes that cases may add to a process
_MAX_SHOWN_FAILURES = 10  # failures


class HangError(Exception):
    """A case took too long."""


def _hang(_signal: int, _frame: FrameType | None) -> None:
    raise HangError(f"a case took more than {_MAX_CASE_S} s")


def _memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def some(sort: str, seed: int, numbers: range) -> list[str]:
    """Run some cases of a sort; returns failures, and how to reproduce them."""
    cases, failures, memory = Cases(seed), [], _memory()
    signal.signal(signal.SIGALRM, _hang)
    for number in numbers:
        signal.alarm(_MAX_CASE_S)
        try:
            cases.run(sort, number)
        except Exception:  # noqa: BLE001 (that is what is looked for)
            failures.append(f"{traceback.format_exc()}FAILED: --seed {seed} --only {sort} --case {number}")
        finally:
            signal.alarm(0)
    grown = _memory() - memory
    if grown > _MAX_GROWTH_BYTES:
        failures.append(f"FAILED: --seed {seed} --only {sort}: cases {numbers} took {grown >> 20} MB")
    return failures


def seeded(pool: ProcessPoolExecutor, sort: str, count: int, seed: int) -> int:
    """Run `count` cases of a sort; returns the number of failures."""
    begin, failures = time.monotonic(), 0
    parts = [range(first, min(first + TOGETHER, count)) for first in range(0, count, TOGETHER)]
    for failed in pool.map(some, repeat(sort), repeat(seed), parts):
        for failure in failed:
            failures += 1
            if failures <= _MAX_SHOWN_FAILURES:
                print(failure, flush=True)
    print(f"  {sort:12}{count:10,} cases, {failures} failed, {time.monotonic() - begin:7.1f} s", flush=True)
    return failures


def guided(count: int, seed: int) -> int:
    """Run `count` cases that an engine makes, guided by the code they reach; returns 1 if one failed."""
    begin, seeds = time.monotonic(), TARGETS * len(real_records())
    BUILD.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as corpus:
        command = [sys.executable, "-m", "tests.fuzz.guided", corpus, f"-runs={seeds + count}", f"-seed={seed}"]
        limits = ["-max_len=4096", "-rss_limit_mb=2048", f"-timeout={_MAX_CASE_S}"]
        options = ["-print_final_stats=1", f"-artifact_prefix={BUILD}/"]
        done = subprocess.run([*command, *limits, *options], cwd=ROOT, check=False, capture_output=True, text=True)
    if done.returncode:
        print(done.stdout, done.stderr, sep="\n")
    said = dict(re.findall(r"stat::(\w+): +(\d+)", done.stderr))
    executed, fresh = int(said.get("number_of_executed_units", 0)) - seeds, int(said.get("new_units_added", 0))
    failed, spent = int(done.returncode != 0 or executed < count), time.monotonic() - begin
    print(f"  {'guided':12}{executed:10,} cases, {failed} failed, {spent:7.1f} s; {fresh} reached what none had before")
    return failed


def main() -> None:
    """Run the cases that the command line selects."""
    parser = argparse.ArgumentParser(description="Read what nobody should have written.")
    parser.add_argument("--cases", type=int, default=1_000_000, help="seeded cases in all")
    parser.add_argument("--guided", type=int, default=50_000, help="further cases, guided by coverage")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=[*SHARES, "guided"], help="one sort instead of all")
    parser.add_argument("--case", type=int, help="one case of that sort, to see it fail")
    options = parser.parse_args()
    if options.case is not None:
        # First the cases before it that share its table, and then the case itself.
        cases = Cases(options.seed)
        for number in range(options.case // TOGETHER * TOGETHER, options.case):
            with suppress(Exception):
                cases.run(options.only, number)
        cases.run(options.only, options.case)
        return
    print(f"Seed {options.seed}")
    failures = 0
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as pool:
        for sort, share in SHARES.items():
            if options.only in (None, sort):
                failures += seeded(pool, sort, round(share * options.cases), options.seed)
    if options.only in (None, "guided") and options.guided:
        failures += guided(options.guided, options.seed)
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
