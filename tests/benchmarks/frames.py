"""Smoothness of a full screen of charts, and memory of the page: `make bench ARGS="--only frames"`."""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks import logs
from tests.benchmarks.browser import opened
from tests.benchmarks.histograms import heap
from tests.benchmarks.page import MeasuredPage, TallPage

RUNS, TAGS, STEPS = 50, 12, 1_000
HEIGHT = 1_600
"""CSS pixels of the dashboard, so that all cards are on the screen."""
MOVES = 90
"""Movements of the pointer in one pan, one a frame."""

# Records the time of each canvas's last paint, by any method.
_OBSERVE_PAINT = """
window.benchPaintedAt = new Map();
for (const name of ['stroke', 'fill', 'fillRect']) {
    const original = CanvasRenderingContext2D.prototype[name];
    CanvasRenderingContext2D.prototype[name] = function (...given) {
        window.benchPaintedAt.set(this.canvas, performance.now());
        return original.apply(this, given);
    };
}
"""

# Milliseconds between the frames of the last pan.
_RECORD_FRAMES = """
window.benchFrames = [];
let last = null;
window.benchRecording = true;
requestAnimationFrame(function note(time) {
    if (last !== null) window.benchFrames.push(time - last);
    last = time;
    if (window.benchRecording) requestAnimationFrame(note);
});
"""

# Changes the smoothing; resolves to milliseconds until the first card, and until the last one, was repainted.
_SMOOTH = """async weight => {
    const box = document.querySelector('.tbwidget input[type="number"]');
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(box, String(weight));
    window.benchPaintedAt.clear();
    const begin = performance.now();
    box.dispatchEvent(new Event('input', { bubbles: true }));
    let first = null;
    for (let quiet = 0; quiet < 20; quiet += 1) {
        const before = window.benchPaintedAt.size;
        await new Promise(requestAnimationFrame);
        if (window.benchPaintedAt.size !== before) {
            first ??= performance.now() - begin;
            quiet = 0;
        }
    }
    return [first, Math.max(...window.benchPaintedAt.values()) - begin];
}"""


class Smoothness(NamedTuple):
    """Medians in milliseconds, except for the heap."""

    pan: float
    slowest: float
    """The 95th percentile of the frames of all pans."""
    smoothing_first: float
    smoothing_all: float
    heap: float
    """Bytes of the page's JavaScript at the end."""


class _PaintedPage(TallPage):
    def prepare(self) -> None:
        super().prepare()
        self.page.add_init_script(_OBSERVE_PAINT)


def measure(logdir: Path, repeats: int) -> Smoothness:
    """Open a screen of cards, pan one of them, and change the smoothing."""
    frames: list[float] = []
    smoothed: list[tuple[float, float]] = []
    with opened(["import tbwidget", f"tbwidget.ScalarsView({str(logdir)!r}, height={HEIGHT})"], _PaintedPage) as page:
        page.run_cell(0)
        page.run_cell(1)
        page.wait("return document.querySelectorAll('.tbwidget [data-last-step]').length >= arg", 60, TAGS)
        page.sleep(4)
        for repeat in range(repeats):
            frames += pan(page)
            first, last = page.page.evaluate(_SMOOTH, 0.8 + 0.01 * repeat)
            smoothed.append((first, last))
            page.sleep(1)
        used = heap(page)
    return Smoothness(
        statistics.median(frames),
        sorted(frames)[round(0.95 * len(frames)) - 1],
        statistics.median(first for first, _ in smoothed),
        statistics.median(last for _, last in smoothed),
        used,
    )


def pan(page: MeasuredPage, *, hover: bool = False) -> list[float]:
    """Shift the first chart back and forth by hand, or only point at it; returns the milliseconds of each frame."""
    box = page.page.locator('.tbwidget [data-panel="scalars"] canvas').first.bounding_box()
    if box is None:
        raise AssertionError("there is no chart")
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse, keyboard = page.page.mouse, page.page.keyboard
    mouse.move(x, y)
    if not hover:
        # A chart that shows all of its data cannot be shifted.
        mouse.move(box["x"] + 0.3 * box["width"], y)
        mouse.down()
        mouse.move(box["x"] + 0.8 * box["width"], y, steps=5)
        mouse.up()
        page.sleep(1)
        mouse.move(x, y)
        keyboard.down("Shift")
        mouse.down()
    page.js(_RECORD_FRAMES)
    for move in range(MOVES):
        mouse.move(x + 40 * ((move % 30) / 15 - 1), y)
    frames: list[float] = page.js("window.benchRecording = false; return window.benchFrames")
    if not hover:
        mouse.up()
        keyboard.up("Shift")
        mouse.dblclick(x, y)
    mouse.move(0, 0)
    page.sleep(1)
    return frames


def section(repeats: int) -> None:
    """Measure and print all figures."""
    with tempfile.TemporaryDirectory() as folder:
        logdir = Path(folder) / "logs"
        logs.write_runs(logdir, RUNS, TAGS, STEPS, groups=1)
        found = measure(logdir, max(3, repeats))
    print(f"\n{TAGS} cards of {RUNS} runs of {STEPS:,} points on the screen, ms")
    print(f"  {'pan, a frame (median, p95)':32}{found.pan:9.1f}{found.slowest:9.1f}")
    print(f"  {'smoothing, first and last card':32}{found.smoothing_first:9.0f}{found.smoothing_all:9.0f}")
    print(f"  {'heap, MB':32}{found.heap / 1e6:9.0f}")
