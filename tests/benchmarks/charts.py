"""Many runs and many tags of scalars in the browser: `make bench ARGS="--only charts"`.

Seconds count from running the cell that shows a board, in a kernel that has loaded the extension. They include
reading the logs.
"""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.benchmarks import cells, logs
from tests.benchmarks.browser import ROOT, SETTLE, opened, spread
from tests.benchmarks.frames import pan
from tests.benchmarks.page import MeasuredPage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

SIZES = ((3, 5, 1_000), (50, 40, 1_000), (1_000, 20, 500), (50, 200, 10_000))
"""Runs, tags and steps. The last ones are 100 million points in 1.7 GB, deleted afterwards."""
PATIENCE = 120.0
"""Upper bound for each duration, in seconds."""
QUIET = 2.0
"""Seconds without a message with series, after which a page has all of its data."""
GROWING, FLUSHES, INTERVAL = 200, 40, 0.25
"""Number of growing tags, number of flushes, and seconds between them."""

# Counts paint calls on canvases, and records the time of the last.
_OBSERVE_PAINT = """
window.benchStrokes = window.benchStrokeAt = 0;
for (const name of ['stroke', 'fill', 'fillRect']) {
    const original = CanvasRenderingContext2D.prototype[name];
    CanvasRenderingContext2D.prototype[name] = function (...given) {
        window.benchStrokes += 1;
        window.benchStrokeAt = performance.now();
        return original.apply(this, given);
    };
}
"""

# Changes the page; resolves to milliseconds until the first frame that repaints has ended, and until the last.
_CHANGE = """async ([what, given]) => {
    const input = (box, value) => {
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(box, value);
        box.dispatchEvent(new Event('input', { bubbles: true }));
        box.dispatchEvent(new Event('change', { bubbles: true }));
    };
    const find = selector => document.querySelector(`.tbwidget ${selector}`);
    const target = {
        smooth: () => find('input[type="number"]'),
        filter: () => find('input[aria-label="Filter runs"]'),
        toggle: () => find('.tbwidget-runs :is(li, [data-run]) input[type="checkbox"]'),
    }[what]();
    if (target === null) return null;
    window.benchStrokes = 0;
    const begin = performance.now();
    if (what === 'toggle') target.click(); else input(target, given);
    let first = null, last = null, seen = 0;
    for (let quiet = 0; quiet < 20 || (first === null && performance.now() - begin < 10000); quiet += 1) {
        await new Promise(requestAnimationFrame);
        await new Promise(resolve => setTimeout(resolve));
        if (window.benchStrokes !== seen) {
            seen = window.benchStrokes;
            last = performance.now() - begin;
            first ??= last;
            quiet = 0;
        }
    }
    return [first, last];
}"""


class _BoardPage(MeasuredPage):
    """Records the series in the kernel's messages, with times."""

    def prepare(self) -> None:
        super().prepare()
        self.named: set[tuple[str, str]] = set()
        self.named_at = 0.0
        """Time at which the last of them was first named, in ms since the epoch."""
        self.series_at = 0.0
        """Time of the last message with series."""
        self.page.add_init_script(_OBSERVE_PAINT)

    def take(self, content: dict[str, Any]) -> None:
        """Record the series named in a message."""
        header = content.get("data", {}).get("content")
        if isinstance(header, dict) and header.get("series"):
            self.series_at = 1e3 * time.time()
            runs, tags, before = header["runs"], header["tags"], len(self.named)
            self.named.update((runs[entry["run"]], tags[entry["tag"]]) for entry in header["series"])
            if len(self.named) > before:
                self.named_at = self.series_at

    def until(self, is_so: Callable[[], bool], timeout: float = PATIENCE) -> bool:
        """Wait for a condition that messages bring about; returns whether it came true."""
        end = time.monotonic() + timeout
        while not is_so() and time.monotonic() < end:
            self.sleep(0.05)
        return is_so()


@contextmanager
def _opened(*notebook_cells: str) -> Iterator[_BoardPage]:
    with opened(["%load_ext tbwidget", *notebook_cells], _BoardPage) as page:
        assert isinstance(page, _BoardPage)
        yield page


class Board(NamedTuple):
    """Seconds since the cell was run, milliseconds until the first and last card was painted."""

    first: float
    coarse: float
    """Every series has arrived, at least coarsely."""
    settled: float
    """All data that are sent unasked have arrived."""
    received: int
    """Bytes until then, including the widget's code."""
    heap: float
    nodes: float
    kernel: float
    """CPU seconds of the kernel."""
    smooth: tuple[float, float] | None
    toggle: tuple[float, float] | None
    filter: tuple[float, float] | None
    pan: list[float]
    hover: list[float]


class Theirs(NamedTuple):
    """Figures of TensorBoard's page."""

    first: float | None
    received: int
    heap: float
    nodes: float


def _show(logdir: Path, runs: int) -> str:
    """Return the cell, which selects all runs, however many."""
    names = f"[f'run_{{i:03d}}' for i in range({runs})]"
    return f"show({str(logdir)!r}, selected_runs={names})"


def board(logdir: Path, runs: int, tags: int) -> Board:
    """Show a board in an idle kernel, and use it."""
    with _opened(_show(logdir, runs)) as page:
        page.run_cell(0)
        page.received.clear()
        used = float(page.ask_kernel("import time; print(time.process_time())"))
        begun = page.start_cell_at(1)
        page.wait("return window.benchPainted.length > 0", PATIENCE)
        first = page.painted()[0][0]
        if not page.until(lambda: len(page.named) == runs * tags):
            raise AssertionError(f"only {len(page.named)} of {runs * tags} series came")
        page.until(lambda: 1e3 * time.time() - page.series_at > 1e3 * QUIET)
        received = sum(got.size for got in page.received if got.comm)
        used = float(page.ask_kernel("print(time.process_time())")) - used
        held = page.heap()
        changes: dict[str, list[tuple[float, float]]] = {"smooth": [], "toggle": [], "filter": []}
        for what, values in {
            "smooth": ("0.7", "0.8", "0.9"),
            "toggle": ("", "", ""),
            "filter": ("run_.*1$", "run_.*[12]$", ""),
        }.items():
            for value in values:
                changed = page.page.evaluate(_CHANGE, [what, value])
                if changed is not None and changed[0] is not None:
                    changes[what].append(changed)
                page.sleep(0.5)
        page.sleep(1)
        return Board(
            (first - begun) / 1e3,
            (page.named_at - begun) / 1e3,
            (page.series_at - begun) / 1e3,
            received,
            held["JSHeapUsedSize"],
            held["Nodes"],
            used,
            _medians(changes["smooth"]),
            _medians(changes["toggle"]),
            _medians(changes["filter"]),
            pan(page),
            pan(page, hover=True),
        )


def _medians(pairs: Iterable[tuple[float, float]]) -> tuple[float, float] | None:
    firsts, lasts = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    return (statistics.median(firsts), statistics.median(lasts)) if firsts else None


def beside_a_busy_cell(logdir: Path, runs: int, tags: int) -> tuple[float, float]:
    """Seconds until the first chart and until all series are shown, while the next cell computes in Python."""
    with _opened(_show(logdir, runs), cells.BUSY) as page:
        page.run_cell(0)
        begun = page.start_cell_at(1)
        page.start_cell(2)
        page.wait("return window.benchPainted.length > 0", PATIENCE)
        page.until(lambda: len(page.named) == runs * tags, 60)
        coarse = (page.named_at - begun) / 1e3 if len(page.named) == runs * tags else float("inf")
        return (page.painted()[0][0] - begun) / 1e3, coarse


def theirs(logdir: Path) -> Theirs:
    """Open it with `%tensorboard`, in a fresh kernel that has loaded its extension, with a new server."""
    command = f"%tensorboard --logdir {logdir} --port 0"
    with opened(["%load_ext tensorboard", command, cells.end_tensorboard(logdir)]) as page:
        page.run_cell(0)
        begun = page.start_cell_at(1)
        try:
            first = (page.wait_for_first_chart(60) - begun) / 1e3
        except TimeoutError:
            first = None
        page.sleep(SETTLE)
        held = page.heap()
        received = page.frame_bytes()
        page.run_cell(2)
    return Theirs(first, received, held["JSHeapUsedSize"], held["Nodes"])


class Live(NamedTuple):
    """Cost of many growing tags, as shares of a core; and milliseconds from flush to paint."""

    kernel: dict[str, float]
    page: float
    delays: list[float]


def live() -> Live:
    """Let many tags grow, while a cell of the kernel runs."""
    warm, grow = (cells.growing(ROOT, GROWING, count, INTERVAL) for count in (2, FLUSHES))
    with opened([cells.SHOW, warm, grow], _BoardPage) as page:
        page.run_cell(0)
        page.run_cell(1)
        page.wait("return document.querySelectorAll('.tbwidget [data-last-step]').length > 0", 30)
        page.sleep(2)
        before = _main_thread(page)
        found = json.loads(page.run_cell(2, timeout=60 + 3 * FLUSHES * INTERVAL))
        busy = _main_thread(page) - before
        page.sleep(2)
        painted = page.painted()
    delays = []
    for step, at in found["flushed"]:
        shown = [when for when, tag, last in painted if tag == logs.tag(0) and last >= step]
        delays.append(min(shown, default=float("inf")) - 1e3 * at)
    shares = {name: found[name] / found["wall"] for name in ("follower", "push", "others")}
    return Live(shares, busy / found["wall"], delays)


def _main_thread(page: MeasuredPage) -> float:
    """Seconds that the page's main thread has worked."""
    page.devtools.send("Performance.enable")
    metrics = page.devtools.send("Performance.getMetrics")["metrics"]
    return float(next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration"))


def section(repeats: int) -> None:
    """Measure and print all figures."""
    print(f"\nCharts of many runs and tags, all runs selected; medians of {repeats}")
    for size in SIZES:
        _print_size(*size, repeats)
    found = live()
    at = spread(found.delays)
    print(f"\n{GROWING} tags that grow, {1 / INTERVAL:.0f} flushes/s")
    for name, share in {**found.kernel, "page's main thread": found.page}.items():
        print(f"  {'CPU, ' + name:40}{share:9.2%}")
    print(f"  {'from flush to paint, ms (median, p95)':40}{at.median:9.0f}{at.p95:9.0f}")


def _print_size(runs: int, tags: int, steps: int, repeats: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        logdir = Path(folder) / "logs"
        logs.write_board(logdir, runs, tags, steps)
        size = sum(path.stat().st_size for path in logdir.glob("*/*")) / 1e6
        print(f"\n{runs:,} runs of {tags:,} tags of {steps:,} steps, {size:,.0f} MB", flush=True)
        boards = [board(logdir, runs, tags) for _ in range(repeats)]
        busy = [beside_a_busy_cell(logdir, runs, tags) for _ in range(repeats)]
        others = [theirs(logdir) for _ in range(repeats)]

    def row(text: str, *figures: float | None, digits: int = 2) -> None:
        print(f"  {text:40}" + "".join(f"{'-':>9}" if at is None else f"{at:9,.{digits}f}" for at in figures))

    def median(figures: Iterable[float]) -> float:
        return statistics.median(figures)

    firsts = [one.first for one in others if one.first is not None]
    row("first chart, s (ours, theirs)", median(one.first for one in boards), median(firsts) if firsts else None)
    row(
        "every series coarsely, settled, s", median(one.coarse for one in boards), median(one.settled for one in boards)
    )
    row("beside a busy cell: first, coarsely, s", *(median(one[i] for one in busy) for i in (0, 1)))
    row("MB received", median(one.received for one in boards) / 1e6, median(one.received for one in others) / 1e6)
    row("heap, MB", median(one.heap for one in boards) / 1e6, median(one.heap for one in others) / 1e6, digits=0)
    row("DOM nodes", median(one.nodes for one in boards), median(one.nodes for one in others), digits=0)
    row("kernel, CPU s", median(one.kernel for one in boards))
    # The list of runs is sorted by its order here, as soon as that is possible.
    for text, of in {
        "smoothing, first and last card, ms": [one.smooth for one in boards],
        "a run toggled": [one.toggle for one in boards],
        "runs filtered": [one.filter for one in boards],
    }.items():
        row(text, *(_medians([pair for pair in of if pair is not None]) or (None, None)), digits=0)
    for text, frames in {
        "pan, a frame (median, p95), ms": [frame for one in boards for frame in one.pan],
        "pointing at it, a frame": [frame for one in boards for frame in one.hover],
    }.items():
        row(text, spread(frames).median, spread(frames).p95, digits=1)
