"""A page under load, over time: `make bench ARGS="--only load"`.

Ten runs of 50 tags are flushed 20 times a second, while other processes keep every core busy. The table shows how far
the first card is behind the writer, the delay that the page reports, and the cost of page and kernel.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.browser.chromium import Chromium
from tests.browser.jupyter import JupyterServer
from tests.browser.page import NotebookPage

ROOT = Path(__file__).parents[2]
RUNS, TAGS, FLUSHES = 10, 50, 20
BUSY_PROCESSES = 2
ROWS = 12
"""Rows of the table."""

SHOW = """
import tbwidget
board = tbwidget.Dashboard("load")
board
"""

# Writes until it is ended; `times` contains the wall time of each flush, as float64, one after another.
_WRITE = """
import struct, sys, time
from pathlib import Path
from tbwidget.proto.event_pb2 import Event
from tests.benchmarks import logs
from tests.support.eventfiles import record

folder, runs, tags, flushes = Path(sys.argv[1]), *map(int, sys.argv[2:5])
files = []
for run in range(runs):
    (folder / f"run_{run}").mkdir(parents=True)
    files.append((folder / f"run_{run}" / logs.NAME).open("ab", buffering=0))
times = (folder.parent / "times").open("ab", buffering=0)
begin, step = time.monotonic(), 0
while True:
    now = time.time()
    for run, file in enumerate(files):
        events = []
        for tag in range(tags):
            event = Event(wall_time=now, step=step)
            value = (1 + run) / (1 + 0.01 * step) + ((step * 7919 + tag) % 97) / 500
            event.summary.value.append(logs.simple(tag, value))
            events.append(record(event.SerializeToString()))
        file.write(b"".join(events))
    times.write(struct.pack("<d", time.time()))
    step += 1
    time.sleep(max(0.0, begin + step / flushes - time.monotonic()))
"""

_SHOWN = """
const board = document.querySelector('.tbwidget');
const card = board?.querySelector('[data-last-step]');
return {
    last: Number(card?.dataset.lastStep ?? -1),
    state: board?.dataset.state ?? '',
    behind: board?.dataset.behind ?? '',
    header: ['-state', '-news'].map(part => board?.querySelector(`.tbwidget${part}`)?.textContent ?? '').join(': '),
    at: Date.now() / 1e3,
};
"""


class Sample(NamedTuple):
    """One line of the table; bytes and seconds."""

    lag: float
    """Median age, since the previous sample, of the first flush that the first card does not show yet."""
    worst: float
    """Greatest age."""
    said: float
    """Greatest delay that the page reported, in seconds."""
    state: str
    header: str
    renderer_rss: int
    renderer_cpu: float
    heap: int
    arrays: int
    """Backing stores of arrays."""
    kernel_rss: int
    kernel_cpu: float


class _Load:
    """The observed page and processes."""

    def __init__(self, page: NotebookPage, kernel: int) -> None:
        self._page, self._kernel = page, kernel
        browser = page.page.context.browser
        if browser is None:
            raise RuntimeError("this page belongs to no browser of ours")
        self._processes = browser.new_browser_cdp_session()

    def sample(self, until: float) -> Sample:
        """Sample the page until then, and the rest at the end; waits while the page's main thread is busy."""
        seen: list[dict[str, Any]] = []
        while not seen or time.monotonic() < until:
            seen.append(self._page.js(_SHOWN))
            self._page.sleep(max(0.0, min(0.5, until - time.monotonic())))
        shown, lags = seen[-1], [self._lag(one["last"], one["at"]) for one in seen]
        usage = self._page.devtools.send("Runtime.getHeapUsage")
        found = self._processes.send("SystemInfo.getProcessInfo")["processInfo"]
        renderers = [one for one in found if one["type"] == "renderer"]
        renderer = max(renderers, key=lambda one: _rss(one["id"]))
        return Sample(
            statistics.median(lags),
            max(lags),
            max(float(one["behind"] or 0) for one in seen),
            shown["state"],
            shown["header"],
            _rss(renderer["id"]),
            _cpu(renderer["id"]),
            usage["usedSize"],
            usage.get("backingStorageSize", 0),
            _rss(self._kernel),
            _cpu(self._kernel),
        )

    def _lag(self, last: int, at: float) -> float:
        """Return the age at a time of the first flush after the last step that is shown."""
        times = (self._page.server.root / "times").read_bytes()
        flushed = memoryview(times[: len(times) // 8 * 8]).cast("d")
        return max(0.0, at - flushed[last + 1]) if last + 1 < len(flushed) else 0.0


def _rss(process: int) -> int:
    fields = Path(f"/proc/{process}/statm").read_text().split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE")


def _cpu(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def _running(*arguments: str) -> Iterator[None]:
    """Run Python with these arguments, and end it."""
    process = subprocess.Popen([sys.executable, "-W", "ignore", *arguments], cwd=ROOT)
    try:
        yield
    finally:
        process.kill()
        process.wait()


def measure(seconds: float, busy_processes: int = BUSY_PROCESSES) -> Iterator[tuple[float, Sample]]:
    """Yield samples as they are taken, with seconds since the writer began."""
    with ExitStack() as stack:
        server = stack.enter_context(JupyterServer())
        chromium = stack.enter_context(Chromium())
        server.write_notebook("load.ipynb", [SHOW])
        page = stack.enter_context(_QuietPage(server, "load.ipynb", chromium))
        load = _Load(page, page.kernel_process())
        sizes = map(str, (RUNS, TAGS, FLUSHES))
        stack.enter_context(_running("-c", _WRITE, str(server.root / "load"), *sizes))
        page.sleep(1)
        page.run_cell(0)
        page.wait("return document.querySelectorAll('.tbwidget [data-last-step]').length > 0", 60)
        for _ in range(busy_processes):
            stack.enter_context(_running("-c", "while True: pass"))
        begin = time.monotonic()
        for row in range(1, ROWS + 1):
            sample = load.sample(begin + row * seconds / ROWS)
            yield time.monotonic() - begin, sample


class _QuietPage(NotebookPage):
    """Records nothing, because recording would add load."""

    def prepare(self) -> None:
        pass


def section(seconds: float) -> None:
    """Measure and print line by line."""
    rate = RUNS * TAGS * FLUSHES
    print(f"\n{rate:,} points/s in {RUNS * TAGS} series for {seconds:.0f} s beside {BUSY_PROCESSES} busy processes")
    print(f"{'':>6}{'behind, s':>24}{'page':>31}{'kernel':>17}")
    print(f"{'s':>6}{'median':>8}{'worst':>8}{'says':>8}{'RSS MB':>9}{'heap':>7}{'arrays':>8}{'CPU':>7}", end="")
    print(f"{'RSS MB':>10}{'CPU':>7}  says")
    before: tuple[float, float, float] | None = None
    for now, found in measure(seconds):
        used = now, found.renderer_cpu, found.kernel_cpu
        passed, page_cpu, kernel_cpu = (new - old for new, old in zip(used, before or (0.0, *used[1:]), strict=True))
        before = used
        print(
            f"{now:6.0f}{found.lag:8.1f}{found.worst:8.1f}{found.said:8.0f}"
            f"{found.renderer_rss / 1e6:9.0f}{found.heap / 1e6:7.0f}{found.arrays / 1e6:8.0f}{page_cpu / passed:7.0%}"
            f"{found.kernel_rss / 1e6:10.0f}{kernel_cpu / passed:7.0%}  {found.state}, {found.header}",
            flush=True,
        )
