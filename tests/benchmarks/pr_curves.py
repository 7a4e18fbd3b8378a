"""Reading and showing PR curves, compared with TensorBoard: `make bench ARGS="--only pr_curves"`."""

from __future__ import annotations

import json
import statistics
import tempfile
from pathlib import Path

import numpy as np

from tests.benchmarks import cells, measures
from tests.benchmarks.browser import ROOT, Spread, opened, spread
from tests.benchmarks.page import TallPage
from tests.support.curves import value_of
from tests.support.eventfiles import NAME, event

TAGS, STEPS, THRESHOLDS, SCORES = 100, 50, 127, 1_000
FLUSHES = 40
THEIR_LIMIT = 120.0
"""Upper bound of the wait for TensorBoard, in seconds."""

# The first curve in TensorBoard's page, wherever its components keep it.
_CURVES = """() => {
    const find = root => [...root.querySelectorAll('*')].some(
        element => (element.shadowRoot && find(element.shadowRoot))
            || (/^vz-line-chart2?$/i.test(element.tagName)
                && [...(element.shadowRoot ?? element).querySelectorAll('path[d]')]
                    .some(path => path.getAttribute('d').length > 50)));
    return find(document);
}"""


def write(folder: Path) -> None:
    """Write curves as torch does, one event for each tag and step: for scores that separate two classes ever better."""
    rng = np.random.default_rng(0)
    path = folder / "run" / NAME
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        file.write(event(1.7e9, version="brain.Event:2"))
        for step in range(STEPS):
            for tag in range(TAGS):
                labels = rng.random(SCORES) < 0.3
                scores = np.clip(rng.normal(0.5, 0.2, SCORES) + (labels - 0.5) * step / STEPS, 0, 1)
                file.write(event(1.7e9 + step, step, value_of(f"class {tag:02}", _table(labels, scores))))


def _table(labels: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Return counts, precision and recall at each threshold: [6, THRESHOLDS]."""
    places = np.floor(scores * (THRESHOLDS - 1)).astype(int)
    tp, fp = (
        np.cumsum(np.bincount(places[chosen], minlength=THRESHOLDS)[::-1])[::-1].astype(float)
        for chosen in (labels, ~labels)
    )
    tn, fn = fp[0] - fp, tp[0] - tp
    return np.stack([tp, fp, tn, fn, tp / np.maximum(1e-7, tp + fp), tp / np.maximum(1e-7, tp + fn)])


def ours(logdir: Path) -> float:
    """Return the seconds from running the cell to the first curve, in a fresh kernel."""
    with opened(["import tbwidget", f"tbwidget.PRCurvesView({str(logdir)!r})"]) as page:
        page.run_cell(0)
        begun = page.start_cell_at(1)
        page.wait("return window.benchPainted.length > 0", 60)
        return (page.painted()[0][0] - begun) / 1e3


def theirs(logdir: Path) -> float:
    """Return the same for `%tensorboard`, whose extension is loaded, and a new server; infinite after a timeout."""
    command = f"%tensorboard --logdir {logdir} --port 0"
    with opened(["%load_ext tensorboard", command, cells.end_tensorboard(logdir)]) as page:
        page.run_cell(0)
        begun = page.start_cell_at(1)
        try:
            frame = page.tensorboard("pr_curves", THEIR_LIMIT)
            if frame is None or not page.wait_in(frame, _CURVES, THEIR_LIMIT):
                return float("inf")
            return (page.now() - begun) / 1e3
        finally:
            page.run_cell(2)


_TRAIN = """
import json, sys, time
from pathlib import Path
import numpy as np
sys.path.append({root!r})
from tests.support.curves import CASES, table_of, value_of
from tests.support.eventfiles import NAME, event

random = np.random.default_rng(0)
tables = [table_of(case) for case in CASES]
flushed = []
step = globals().get("step", 0)
path = Path("bench-curves/run") / NAME
path.parent.mkdir(parents=True, exist_ok=True)
with path.open("ab", buffering=0) as file:
    for _ in range({count}):
        until = time.monotonic() + {interval} * random.uniform(0.6, 1.4)
        while time.monotonic() < until:
            np.linalg.qr(random.normal(size=(100, 100)))
        file.write(event(time.time(), step, value_of("class", tables[step % len(tables)])))
        flushed.append([step, time.time()])
        step += 1
print(json.dumps(flushed))
"""


def delays(count: int, interval: float) -> Spread:
    """Milliseconds from a flush in a training cell to the frame that shows its curve."""
    show = 'import tbwidget\ntbwidget.PRCurvesView("bench-curves")'
    trains = [_TRAIN.format(root=str(ROOT), count=number, interval=interval) for number in (2, count)]
    with opened([show, *trains], TallPage) as page:
        page.run_cell(0)
        page.run_cell(1)
        page.wait("return window.benchPainted.length > 0", 30)
        page.sleep(2)
        flushed: list[tuple[int, float]] = json.loads(page.run_cell(2, timeout=60 + 3 * count * interval))
        page.sleep(2)
        painted = page.painted()
    found = []
    for step, at in flushed:
        shown = [time for time, _, last in painted if last >= step]
        if not shown:
            raise AssertionError(f"step {step} was never painted")
        found.append(min(shown) - 1e3 * at)
    return spread(found)


def section(repeats: int, *, in_browser: bool = True) -> None:
    """Measure and print all figures."""
    with tempfile.TemporaryDirectory() as folder:
        logdir = Path(folder) / "logs"
        write(logdir)
        print(f"\n{TAGS} tags of {STEPS} PR curves of {THRESHOLDS} thresholds, medians of {repeats}")
        read, accumulated = (measures.read_with(name, logdir, repeats) for name in ("curves", "accumulated curves"))
        assert read.checked == accumulated.checked, "they read other values"
        pairs = [(ours(logdir), theirs(logdir)) for _ in range(repeats)] if in_browser else []
    print(f"{'':34}{'read CPU s':>12}{'read s':>9}{'first curve s':>15}")
    for text, cost, i in (("tbwidget", read, 0), ("EventAccumulator, %tensorboard", accumulated, 1)):
        seconds = statistics.median(pair[i] for pair in pairs) if pairs else float("nan")
        print(f"  {text:32}{cost.cpu:12.3f}{cost.wall:9.3f}{seconds:15.2f}")
    if in_browser:
        found = delays(FLUSHES, 0.5)
        print("\nFrom flush to paint of PR curves while a cell trains, ms")
        print(f"{'':34}{'flushes':>9}{'median':>9}{'p95':>9}")
        print(f"  {'2 flushes/s of a curve':32}{found.number:9}{found.median:9.0f}{found.p95:9.0f}")
