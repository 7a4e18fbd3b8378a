"""Latency from a log call to the screen with real writers that never flush, and the cost of flushing to the training.

    .environments/writers/bin/python -m tests.benchmarks.writers

In a real JupyterLab, with `flush_writers` and without; figures of one machine at one time.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from tests.benchmarks.browser import opened, quartiles, spread
from tests.writers.trainings import TRAININGS, Training

ROOT = Path(__file__).parents[2]

SHOW = """
import tbwidget
board = tbwidget.Dashboard("{folder}", flush_writers={flush})
board
"""

TRAIN = """
import json, sys, time
sys.path.append({root!r})
from tests.writers.trainings import TRAININGS

def steps():
    for step in range({count}):
        logged.append(time.time())
        yield step
        until = time.monotonic() + {seconds}
        while time.monotonic() < until:
            sum(range(1000))

logged = []
TRAININGS[{name!r}].train({folder!r}, steps())
print("\\n" + json.dumps([logged, time.time()]))
"""

WORK = """
import json, sys, time
sys.path.append({root!r})
from tests.writers.trainings import TRAININGS

def steps():
    global begun
    for step in range({count}):
        if step == {count} // 10:  # libraries are loaded, the writer is found
            begun = time.monotonic(), time.thread_time()
        yield step
        for _ in range(300):
            sum(range(1000))

def train(folder):
    TRAININGS[{name!r}].train(folder, steps())
    print("\\n" + json.dumps([time.monotonic() - begun[0], time.thread_time() - begun[1]]))
"""


def last_line(output: str) -> Any:
    """Return the last line that a cell printed, after the output of libraries."""
    return json.loads(output.strip().splitlines()[-1])


def delays(name: str, training: Training, count: int, seconds: float, *, flush: bool) -> tuple[list[float], int]:
    """Milliseconds from each log call to the frame that shows it, while the cell runs; and the number never shown."""
    folder = f"bench-{flush}"
    train = TRAIN.format(root=str(ROOT), name=name, folder=folder, count=count, seconds=seconds)
    with opened([SHOW.format(folder=folder, flush=flush), train]) as page:
        page.run_cell(0)
        logged, ended = last_line(page.run_cell(1, timeout=120 + 3 * count * seconds))
        page.sleep(2)
        painted = [(time, last) for time, tag, last in page.painted() if tag == training.tag and time < 1e3 * ended]
    found = []
    for step, at in enumerate(logged):
        if shown := [time for time, last in painted if last - training.first_step >= step]:
            found.append(min(shown) - 1e3 * at)
    return found, len(logged) - len(found)


def cost(name: str, count: int, pairs: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Relative increase of a training's duration and CPU time when its writer is flushed: quartiles of pairs."""
    work = WORK.format(root=str(ROOT), name=name, count=count)
    longer, busier = [], []
    with opened(["board = None", work, "train(folder)", "board.close()"]) as page:
        page.run_cell(0)
        page.run_cell(1, timeout=120)

        def train(number: int, *, flush: bool) -> list[float]:
            folder = f"bench-{number}-{flush}"
            page.ask_kernel(
                f"folder = {folder!r}; import tbwidget; board = tbwidget.Dashboard(folder, flush_writers={flush})"
            )
            done: list[float] = last_line(page.run_cell(2, timeout=300))
            page.run_cell(3)
            return done

        train(-1, flush=True)
        for pair in range(pairs):
            order = (True, False) if pair % 2 == 0 else (False, True)
            done = {flush: train(pair, flush=flush) for flush in order}
            longer.append(done[True][0] / done[False][0] - 1)
            busier.append(done[True][1] / done[False][1] - 1)
    return quartiles(longer), quartiles(busier)


def main() -> None:
    """Run the measurements that the command line selects."""
    parser = argparse.ArgumentParser(description="From a log call to the screen, with writers that never flush.")
    parser.add_argument("--only", choices=TRAININGS, action="append", help="this training; may be given several times")
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=0.2, help="of work between two steps")
    parser.add_argument(
        "--pairs", type=int, default=4, help="trainings with and without flushing, for the cost; 0: none"
    )
    options = parser.parse_args()
    print("ms from log call to frame              flushed: median    p95   never      not flushed: median   never")
    for name in options.only or TRAININGS:
        shown = []
        for flush in (True, False):
            found, never = delays(name, TRAININGS[name], options.steps, options.seconds, flush=flush)
            summary = spread(found) if found else None
            shown.append((f"{summary.median:8.0f}{summary.p95:8.0f}" if summary else f"{'-':>8}{'-':>8}", never))
        (on, on_never), (off, off_never) = shown
        print(f"  {name:34}{'':9}{on}{on_never:8}{'':18}{off[:8]}{off_never:8}", flush=True)
    if options.pairs:
        print("\nWhat flushing adds to a training of 100 steps a second: quartiles of pairs, %")
        for name in options.only or TRAININGS:
            longer, busier = cost(name, 1000, options.pairs)
            figures = ("".join(f"{100 * figure:+7.1f}" for figure in group) for group in (longer, busier))
            print(f"  {name:34}time {next(figures)}     CPU time of its thread {next(figures)}", flush=True)


if __name__ == "__main__":
    main()
