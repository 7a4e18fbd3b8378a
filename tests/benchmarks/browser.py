"""Latency and cost in the browser, in a real JupyterLab: `make bench ARGS="--only browser"`."""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks import cells, logs
from tests.benchmarks.page import MeasuredPage, TallPage
from tests.browser.chromium import Chromium
from tests.browser.jupyter import JupyterServer

ROOT = Path(__file__).parents[2]
SIZES = ((3, 5, 1_000), (50, 40, 1_000))
"""Runs, tags and steps of the log directories."""
SETTLE = 10.0
"""Seconds after which a dashboard has received all of its initial data."""


class Spread(NamedTuple):
    """Summary of some figures."""

    number: int
    median: float
    p95: float


def spread(figures: list[float]) -> Spread:
    """Return the summary of some figures."""
    ordered = sorted(figures)
    return Spread(len(ordered), statistics.median(ordered), ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))])


class Cost(NamedTuple):
    """Cost of a dashboard for the cell that trains next to it."""

    threads: dict[str, float]
    """CPU time of all threads except the training one, as shares of the cell's time."""
    busier: tuple[float, float, float]
    """Relative increase of the training thread's CPU time with a dashboard: quartiles of pairs."""
    longer: tuple[float, float, float]
    """Relative increase of its duration, which includes waiting for a core or for the GIL."""
    pairs: int


class FirstChart(NamedTuple):
    """Duration until a first chart appears."""

    seconds: float
    """From running the cell to the first line (TensorBoard: to the chart, which has no line yet)."""
    bytes: int
    """Data that the page received from then to `SETTLE` seconds later, including the widget's code."""


@contextmanager
def opened(notebook_cells: list[str], kind: type[MeasuredPage] = MeasuredPage) -> Iterator[MeasuredPage]:
    """Open a notebook in its own JupyterLab; its folder is `page.server.root`."""
    os.environ["TENSORBOARD_BINARY"] = str(Path(sys.executable).parent / "tensorboard")
    with JupyterServer() as server, Chromium() as chromium:
        server.write_notebook("bench.ipynb", notebook_cells)
        with kind(server, "bench.ipynb", chromium) as page:
            yield page


def delays(count: int, interval: float) -> Spread:
    """Milliseconds from a flush in a training cell to the frame that shows its point."""
    notebook = [cells.SHOW, cells.flushing(ROOT, 1, 1.0), cells.flushing(ROOT, count, interval)]
    with opened(notebook, TallPage) as page:
        page.run_cell(0)
        page.run_cell(1)
        page.wait("return document.querySelectorAll('.tbwidget [data-last-step]').length > 0", 30)
        page.sleep(2)
        flushed: list[tuple[int, float]] = json.loads(page.run_cell(2, timeout=60 + 3 * count * interval))
        page.sleep(2)
        painted = page.painted()
    found = []
    for step, at in flushed:
        shown = [time for time, tag, last in painted if tag == logs.tag(0) and last >= step]
        if not shown:
            raise AssertionError(f"step {step} was never painted")
        found.append(min(shown) - 1e3 * at)
    return spread(found)


def cost(seconds: float, pairs: int) -> Cost:
    """Measure the cost for a cell that writes 100 points a second, in pairs of runs with and without a dashboard."""
    with opened([cells.work(ROOT, seconds), cells.SHOW, "train()", cells.CLOSE]) as page:
        page.run_cell(0, timeout=120)

        def train(*, shown: bool) -> dict[str, float]:
            if shown:
                page.run_cell(1)
                page.wait("return document.querySelectorAll('.tbwidget [data-last-step]').length > 0", 30)
                page.sleep(2)
            measured: dict[str, float] = json.loads(page.run_cell(2, timeout=60 + 5 * seconds))
            if shown:
                page.run_cell(3)
            return measured

        train(shown=False)  # fills caches, and creates the first file
        shown, busier, longer = [], [], []
        for pair in range(pairs):
            order = (True, False) if pair % 2 == 0 else (False, True)
            done = {state: train(shown=state) for state in order}
            shown.append(done[True])
            busier.append(done[True]["own"] / done[False]["own"] - 1)
            longer.append(done[True]["wall"] / done[False]["wall"] - 1)
    wall = sum(one["wall"] for one in shown)
    return Cost(
        {name: sum(one[name] for one in shown) / wall for name in ("follower", "push", "others")},
        quartiles(busier),
        quartiles(longer),
        pairs,
    )


def quartiles(figures: list[float]) -> tuple[float, float, float]:
    """Return the quartiles; a single figure is all of them."""
    if len(figures) == 1:
        return (figures[0],) * 3
    low, middle, high = statistics.quantiles(figures, n=4, method="inclusive")
    return low, middle, high


def first_chart_of_ours(logdir: Path) -> FirstChart:
    """Open a log directory in a fresh kernel that has loaded the extension."""
    with opened(["%load_ext tbwidget", f"show({str(logdir)!r})"]) as page:
        page.run_cell(0)
        page.received.clear()
        begun = page.start_cell_at(1)
        page.wait("return window.benchPainted.length > 0", 60)
        seconds = (page.painted()[0][0] - begun) / 1e3
        page.sleep(SETTLE)
        sizes = [got.size for got in page.received if got.comm]
    return FirstChart(seconds, sum(sizes))


def all_runs_beside_a_busy_cell(logdir: Path) -> float:
    """Seconds from opening a log directory until all is read and shown, while the next cell computes in Python."""
    with opened(["%load_ext tbwidget", f"show({str(logdir)!r})", cells.BUSY]) as page:
        page.run_cell(0)
        begun = page.start_cell_at(1)
        page.start_cell(2)
        page.wait("return ['idle', 'busy', 'live'].includes(document.querySelector('.tbwidget')?.dataset.state)", 60)
        return (page.now() - begun) / 1e3


def first_chart_of_theirs(logdir: Path) -> FirstChart:
    """Open it with `%tensorboard`, in a fresh kernel that has loaded its extension, with a new server."""
    command = f"%tensorboard --logdir {logdir} --port 0"
    with opened(["%load_ext tensorboard", command, cells.end_tensorboard(logdir)]) as page:
        page.run_cell(0)
        begun = page.start_cell_at(1)
        try:
            seconds = (page.wait_for_first_chart(60) - begun) / 1e3
            page.sleep(SETTLE)
            received = page.frame_bytes()
        finally:
            page.run_cell(2)
    return FirstChart(seconds, received)


def median(charts: list[FirstChart]) -> FirstChart:
    """Return the medians of repeats."""
    return FirstChart(
        statistics.median(chart.seconds for chart in charts), round(statistics.median(chart.bytes for chart in charts))
    )


def section(points: int, pairs: int, repeats: int) -> None:
    """Measure and print all figures."""
    _print_delays(points)
    _print_cost(pairs)
    _print_first_charts(repeats)
    size = (ROOT / "tbwidget/static/dashboard.js").stat().st_size
    print(f"\nBundle, as sent: {size / 1e3:.0f} kB")


def _print_delays(points: int) -> None:
    print("\nFrom flush to paint while a cell trains, ms")
    print(f"{'':34}{'flushes':>9}{'median':>9}{'p95':>9}")
    for interval in (0.25, 0.04):
        found = delays(points, interval)
        name = f"{1 / interval:.0f} flushes/s of {cells.TAGS} tags"
        print(f"  {name:32}{found.number:9}{found.median:9.0f}{found.p95:9.0f}")
    print("  TensorBoard's page shows new points never by default, after 20 to 34 s with auto-reload")


def _print_cost(pairs: int) -> None:
    found = cost(seconds=6, pairs=pairs)
    print("\nCost to a cell that trains and writes 100 points/s, as a share of its time")
    names = {
        "follower": "CPU of tbwidget's follower",
        "push": "CPU of tbwidget's sender",
        "others": "CPU of ipykernel's threads",
    }
    for name, text in names.items():
        print(f"  {text:32}{found.threads[name]:9.2%}")
    for name, (low, middle, high) in {"CPU": found.busier, "time": found.longer}.items():
        text = f"more {name} of the cell itself"
        print(f"  {text:32}{middle:9.2%}   (quartiles of {found.pairs} pairs: {low:.1%} to {high:.1%})")


def _print_first_charts(repeats: int) -> None:
    print(f"\nFirst chart after running the cell, medians of {repeats}; MB received until {SETTLE:.0f} s later")
    print(f"{'':34}{'s':>9}{'MB':>9}{'time':>12}{'MB':>9}")
    for runs, tags, steps in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            logdir = Path(folder) / "logs"
            logs.write_runs(logdir, runs, tags, steps)
            size = sum(path.stat().st_size for path in logdir.glob("*/*")) / 1e6
            print(f"{runs} runs of {tags} tags of {steps:,} steps, {size:.0f} MB")
            pairs = [(first_chart_of_ours(logdir), first_chart_of_theirs(logdir)) for _ in range(repeats)]
            busy = statistics.median(all_runs_beside_a_busy_cell(logdir) for _ in range(repeats))
        ours, theirs = (median([pair[i] for pair in pairs]) for i in (0, 1))
        print(f"  {'tbwidget':32}{ours.seconds:9.2f}{ours.bytes / 1e6:9.2f}")
        ratios = f"{theirs.seconds / ours.seconds:11.1f}x{theirs.bytes / ours.bytes:8.1f}x"
        print(f"  {'%tensorboard':32}{theirs.seconds:9.2f}{theirs.bytes / 1e6:9.2f}{ratios}")
        print(f"  {'tbwidget, all runs, a cell busy':32}{busy:9.2f}")
