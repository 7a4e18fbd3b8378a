"""Sweeps of hyperparameters, in the kernel and in the browser: `make bench ARGS="--only hparams"`."""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from collections.abc import Callable
from math import isnan, nan
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from tensorboard.plugins.hparams.plugin_data_pb2 import HParamsPluginData

import tbwidget
from tbwidget.panels.hparams import HPARAMS
from tbwidget.proto.summary_pb2 import Summary
from tests.benchmarks import cells
from tests.benchmarks.browser import ROOT, Spread, opened, spread
from tests.benchmarks.moves import FrameCost, frame_cost
from tests.benchmarks.page import MeasuredPage, TallPage
from tests.support.eventfiles import NAME, event, plugin, simple

if TYPE_CHECKING:
    from playwright.sync_api import Frame

SESSIONS = (1_000, 10_000)
HPARAMS_EACH, METRICS_EACH, STEPS = 12, 8, 3
TIMEOUT = 120.0
"""Upper bound of waits for our page, in seconds."""
THEIR_LIMIT = 60.0
"""Upper bound of the wait for TensorBoard's first row, in seconds."""
ACTION_LIMIT = 8.0
"""Upper bound of waits for other rows or parallel coordinates in TensorBoard's page, in seconds."""
SORTS = 3
MOVES = 60
"""Movements of the pointer while a brush is drawn: one for each frame."""
DRAG_LIMIT = 8.0
"""Upper bound of drawing a brush, in seconds, in either page."""
ROUNDS = 12
"""Number of sessions that appear while a cell trains."""

# Records when the first row of our table appears, or of TensorBoard's, whose cells are in shadow roots.
_OBSERVE = """
if (window === window.top) {
    requestAnimationFrame(function look() {
        if (document.querySelector('.tbwidget [data-run] td') !== null) window.benchRow = Date.now();
        else requestAnimationFrame(look);
    });
} else {
    window.benchDeep = function* (root, selector) {
        yield* root.querySelectorAll(selector);
        for (const element of root.querySelectorAll('*')) {
            if (element.shadowRoot) yield* window.benchDeep(element.shadowRoot, selector);
        }
    };
    window.benchCells = () => [...window.benchDeep(document, 'vaadin-grid-cell-content')]
        .map(cell => cell.textContent.trim()).filter(text => /^[0-9a-f]{3,}|^[-0-9.e]+$/.test(text));
    setTimeout(function look() {
        if (window.benchCells().length > 0) window.benchRow = Date.now();
        else setTimeout(look, 200);
    });
}
"""

# Clicks the title of a metric; resolves to milliseconds until the order of rows changes, and two frames are over.
_SORT_OURS = """async () => {
    const first = () => document.querySelector('.tbwidget-table tbody [data-run]')?.dataset.run;
    const head = [...document.querySelectorAll('.tbwidget-table th')].find(one => one.textContent.includes('metric0'));
    const before = first();
    const begin = performance.now();
    (head.querySelector('button') ?? head).click();
    while (first() === before && performance.now() - begin < 10000) await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    return performance.now() - begin;
}"""

# In TensorBoard's page: puts all sessions on one page, like ours, sorts by the first metric, or bounds it, with the
# page's controls. Resolves to the milliseconds until a frame shows other cells; NaN if that never happens.
_THEIR_ACTION = """async ([action, sessions, most]) => {
    const pane = window.benchDeep(document, 'tf-hparams-query-pane').next().value;
    const shown = () => window.benchCells().slice(0, 40).join();
    const act = {
        all: () => pane.set('_pageSizeInput.value', String(sessions)),
        sort: () => {
            pane.set('_sortByIndex', pane._metricSortByIndex(0));
            pane.set('_sortDirection', pane._sortDirection === 0 ? 1 : 0);
        },
        filter: () => pane.set('_metrics.0.filter.interval.max.value', '2.5'),
    }[action];
    const before = shown();
    const begin = performance.now();
    act();
    pane._queryServer();
    while (shown() === before && performance.now() - begin < most) await new Promise(requestAnimationFrame);
    if (shown() === before) return NaN;
    await new Promise(requestAnimationFrame);
    return performance.now() - begin;
}"""

# Opens its parallel coordinates; resolves to the middle, the top and the height of the first axis, in CSS pixels.
_THEIR_AXIS = """async most => {
    const tab = [...window.benchDeep(document, 'paper-tab')].find(one => /parallel/i.test(one.textContent));
    tab.click();
    const begin = performance.now();
    while (performance.now() - begin < most) {
        await new Promise(done => setTimeout(done, 100));
        for (const brush of window.benchDeep(document, '.brush .overlay, .axis .brush rect')) {
            const box = brush.getBoundingClientRect();
            if (box.height > 50) return [box.x + box.width / 2, box.y, box.height];
        }
    }
    return null;
}"""

# Moves the pressed pointer once for each frame, for a limited time; resolves to the number of frames.
_DRAG = """async ([x, top, height, moves, most]) => {
    let target = document.elementFromPoint(x, top);
    while (target.shadowRoot?.elementFromPoint(x, top)) target = target.shadowRoot.elementFromPoint(x, top);
    const begin = performance.now();
    let move = 0;
    while (move < moves && performance.now() - begin < most) {
        move += 1;
        await new Promise(requestAnimationFrame);
        const at = { clientX: x, clientY: top + height * (1 + move % 29) / 29, buttons: 1, pointerId: 1 };
        const common = { ...at, bubbles: true, composed: true, cancelable: true, view: window };
        target.dispatchEvent(new PointerEvent('pointermove', common));
        target.dispatchEvent(new MouseEvent('mousemove', common));
    }
    await new Promise(requestAnimationFrame);
    return move;
}"""


class Shown(NamedTuple):
    """Figures of a page with a sweep."""

    seconds: float
    """From running the cell to the first row; infinite after a timeout."""
    sorted: float
    """Milliseconds from a click on a title to the other order."""
    filtered: float
    """Seconds from running a cell that sets a filter to the rows that pass it."""
    brush: FrameCost
    """Cost of a frame while a brush is drawn."""


def write(folder: Path, sessions: int) -> None:
    """Write sessions as torch does, each in one file: its hyperparameters, its metrics, its end."""
    rng = np.random.default_rng(0)
    for session in range(sessions):
        start = HParamsPluginData()
        values = start.session_start_info.hparams
        for number in range(HPARAMS_EACH):
            if number % 4 == 3:
                values[f"hparam{number:02}"].string_value = f"kind{rng.integers(number)}"
            else:
                values[f"hparam{number:02}"].number_value = float(f"{10 ** rng.uniform(-4, 0):.3g}")
        end = HParamsPluginData()
        end.session_end_info.status, end.session_end_info.end_time_secs = 1, 1.7e9 + session
        level = rng.random(METRICS_EACH)
        parts = [event(1.7e9, version="brain.Event:2"), event(1.7e9, 0, _said("session_start_info", start))]
        for step in range(STEPS):
            metrics = [simple(f"metric{number}", level[number] + step) for number in range(METRICS_EACH)]
            parts.append(event(1.7e9 + step, step, *metrics))
        path = folder / f"session_{session:05}" / NAME
        path.parent.mkdir(parents=True)
        path.write_bytes(b"".join([*parts, event(1.7e9, 0, _said("session_end_info", end))]))
    experiment = HParamsPluginData()
    for number in range(HPARAMS_EACH):
        experiment.experiment.hparam_infos.add(name=f"hparam{number:02}")
    for number in range(METRICS_EACH):
        experiment.experiment.metric_infos.add().name.tag = f"metric{number}"
    (folder / NAME).write_bytes(
        event(1.7e9, version="brain.Event:2") + event(1.7e9, 0, _said("experiment", experiment))
    )


def _said(tag: str, message: HParamsPluginData) -> Summary.Value:
    metadata = plugin("hparams")
    metadata.plugin_data.content = message.SerializeToString()
    return Summary.Value(tag=f"_hparams_/{tag}".encode(), metadata=metadata)


class SweepPage(MeasuredPage):
    """Records the time of the first row."""

    def prepare(self) -> None:
        """Install none of the tests' own probes, which would be measured, too."""
        super().prepare()
        self.page.add_init_script(_OBSERVE)


def ours(logdir: Path) -> Shown:
    """Open it in a fresh kernel that has loaded the extension."""
    show = f"board = tbwidget.HParamsView({str(logdir)!r})\nboard"
    wanted = 'board.filters = {"hparam:hparam00": {"max": 0.001}}'
    with opened(["%load_ext tbwidget\nimport tbwidget", show, wanted], SweepPage) as page:
        page.run_cell(0)
        begun = page.start_cell_at(1)
        page.wait("return window.benchRow !== undefined", TIMEOUT)
        first: int = page.page.evaluate("() => window.benchRow")
        page.wait("return document.querySelector('.tbwidget').dataset.state !== 'reading'", TIMEOUT)
        page.sleep(5)
        sorts = [page.page.evaluate(_SORT_OURS) for _ in range(SORTS)]
        brush = _brushed(page)
        page.page.locator("[data-brush]").click()
        page.wait("return document.querySelector('[data-brush]') === null", TIMEOUT)
        filtered = time.monotonic()
        page.start_cell(2)
        page.wait("return document.querySelector('.tbwidget [data-filter]') !== null", TIMEOUT)
        page.draw_frames()
        return Shown((first - begun) / 1e3, statistics.median(sorts), time.monotonic() - filtered, brush)


def _brushed(page: MeasuredPage) -> FrameCost:
    """Draw a brush on the first axis, back and forth. Without a selection the figure is missing."""
    axis = page.page.locator("[data-axis-brush]").first
    axis.scroll_into_view_if_needed()
    box = axis.bounding_box()
    if box is None:
        raise RuntimeError("the parallel coordinates have no axis")
    cost = _drag_cost(page, page.page.main_frame, box["x"] + box["width"] / 2, box["y"] + 20, box["height"] - 40)
    if page.js("return Number(document.querySelector('[data-plot=parallel]').dataset.brushed)") == 0:
        raise RuntimeError("the brush selected no session")
    return cost


def _drag_cost(page: MeasuredPage, frame: Frame, x: float, top: float, height: float) -> FrameCost:
    """Drag down a line, back and forth, as a pointer that moves before every frame."""
    outer = None if frame.parent_frame is None else frame.frame_element().bounding_box()
    left, above = (0, 0) if outer is None else (outer["x"], outer["y"])
    mouse = page.page.mouse
    mouse.move(x, top)
    mouse.down()
    mouse.move(x, top + 10)
    cost = frame_cost(
        page, lambda: int(frame.evaluate(_DRAG, [x - left, top - above, height, MOVES, 1e3 * DRAG_LIMIT]))
    )
    mouse.up()
    return cost


_NO_COST = FrameCost(nan, nan, nan)


def theirs(logdir: Path, sessions: int) -> Shown:
    """Open it with `%tensorboard`, in a fresh kernel that has loaded its extension, with a new server.

    A click does not sort its table; the pane beside it does.
    """
    command = f"%tensorboard --logdir {logdir} --port 0"
    with opened(["%load_ext tensorboard", command, cells.end_tensorboard(logdir)], SweepPage) as page:
        page.run_cell(0)
        begun = page.start_cell_at(1)
        try:
            frame = page.tensorboard("hparams", THEIR_LIMIT)
            first = None if frame is None else page.wait_in(frame, "() => window.benchRow ?? null", THEIR_LIMIT)
            if frame is None or first is None:
                return Shown(float("inf"), nan, nan, _NO_COST)

            def act(action: str) -> float:
                took: float = frame.evaluate(_THEIR_ACTION, [action, sessions, 1e3 * ACTION_LIMIT])
                return took

            act("all")
            sorts = [act("sort")]
            while not isnan(sorts[-1]) and len(sorts) < SORTS:
                sorts.append(act("sort"))
            seconds, sorted_ms = (first - begun) / 1e3, statistics.median(sorts)
            if isnan(sorted_ms):  # the page still works on it, which would disturb the other measurements
                return Shown(seconds, nan, nan, _NO_COST)
            return Shown(seconds, sorted_ms, act("filter") / 1e3, _their_brush(page, frame))
        finally:
            page.run_cell(2)


def _their_brush(page: MeasuredPage, frame: Frame) -> FrameCost:
    axis: list[float] | None = frame.evaluate(_THEIR_AXIS, 1e3 * ACTION_LIMIT)
    outer = frame.frame_element().bounding_box()
    if axis is None or outer is None:
        return _NO_COST
    x, top, height = axis
    return _drag_cost(page, frame, outer["x"] + x, outer["y"] + top + 5, height - 10)


# Records when each row of the table, and each value in the column of the metric, first appears.
_SEE = """
window.benchSeen = new Map();
new MutationObserver(() => {
    const now = Date.now();
    for (const row of document.querySelectorAll('.tbwidget [data-run]')) {
        const value = row.querySelector('td[data-column="metric:metric"]')?.textContent;
        for (const seen of [row.dataset.run, `${row.dataset.run} ${value}`]) {
            if (!window.benchSeen.has(seen)) window.benchSeen.set(seen, now);
        }
    }
}).observe(document, { subtree: true, childList: true, characterData: true });
"""

_TRAIN = """
import json, sys, time
from pathlib import Path
import numpy as np
sys.path.append({root!r})
from tests.support.eventfiles import NAME, event, simple
from tests.support.trials import started

random = np.random.default_rng(0)
flushed = []
written = globals().get("written", 0)


def train():
    until = time.monotonic() + {interval} * random.uniform(0.6, 1.4)
    while time.monotonic() < until:
        np.linalg.qr(random.normal(size=(100, 100)))


def flush(run, seen, *values):
    path = Path("bench-sweep", run, NAME)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab", buffering=0) as file:
        file.write(b"".join(values))
    flushed.append([seen, time.time()])


for number in range(written, written + {rounds}):
    run = f"run{{number}}"
    train()
    flush(run, run, event(time.time(), version="brain.Event:2"), event(time.time(), 0, started(lr=number + 0.5)))
    for step in (1, 2):
        train()
        flush(run, f"{{run}} {{10 * number + step}}", event(time.time(), step, simple("metric", 10 * number + step)))
written += {rounds}
print(json.dumps(flushed))
"""


class SeeingPage(TallPage):
    """Records the contents of its table, with times."""

    def prepare(self) -> None:
        super().prepare()
        self.page.add_init_script(_SEE)


def delays(rounds: int, interval: float) -> tuple[Spread, Spread]:
    """Milliseconds from a flush in a training cell to the table that shows it: new sessions, points of their metric."""
    show = 'import tbwidget\ntbwidget.HParamsView("bench-sweep")'
    trains = [_TRAIN.format(root=str(ROOT), rounds=count, interval=interval) for count in (3, rounds)]
    with opened([show, *trains], SeeingPage) as page:
        page.run_cell(0)
        page.run_cell(1)
        page.wait("return window.benchSeen.size > 0", 30)
        page.sleep(2)
        flushed: list[tuple[str, float]] = json.loads(page.run_cell(2, timeout=60 + 9 * rounds * interval))
        page.sleep(2)
        seen: dict[str, int] = page.page.evaluate("() => Object.fromEntries(window.benchSeen)")
    found: tuple[list[float], list[float]] = [], []
    for number, (what, at) in enumerate(flushed):
        run, *value = what.split(" ")
        # A point that a later one of its run replaced before the next message is never shown.
        later = [name for name, _ in flushed[number:] if name == what or (value and name.startswith(f"{run} "))]
        shown = [seen[name] for name in later if name in seen]
        if not shown:
            raise AssertionError(f"{what!r} was never shown, nor a later point")
        found[len(value)].append(min(shown) - 1e3 * at)
    return spread(found[0]), spread(found[1])


def _timed(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def in_the_kernel(logdir: Path, *, with_frame: bool) -> None:
    """Print the cost of reading and of the encoded document. The frame of 10,000 sessions takes half a minute."""
    begin = time.perf_counter()
    with tbwidget.load(logdir) as logs:
        read = time.perf_counter() - begin
        documents: list[bytes] = []
        repeats = 3 if with_frame else 1
        encoded = min(_timed(lambda: documents.append(HPARAMS.read(logs, "", "").encode())) for _ in range(repeats))
        table = f", frame {_timed(lambda: logs.frame('hparams')):.2f} s" if with_frame else ""
        size = len(documents[0]) / 1e6
    print(f"  in the kernel: read {read:.2f} s, document of {size:.1f} MB {encoded:.2f} s{table}")


def section(*, browser: bool = True) -> None:
    """Measure and print all figures."""
    if browser:
        print("\nFrom flush to paint of hyperparameters while a cell trains, ms")
        print(f"{'':34}{'flushes':>9}{'median':>9}{'p95':>9}")
        for text, found in zip(("a new session", "a point of a metric"), delays(ROUNDS, 0.4), strict=True):
            print(f"  {text:32}{found.number:9}{found.median:9.0f}{found.p95:9.0f}")
    for sessions in SESSIONS:
        with tempfile.TemporaryDirectory() as folder:
            logdir = Path(folder) / "logs"
            write(logdir, sessions)
            print(f"\n{sessions:,} sessions of {HPARAMS_EACH} hyperparameters and {METRICS_EACH} metrics")
            in_the_kernel(logdir, with_frame=sessions == min(SESSIONS))
            if browser:
                print(
                    f"{'':24}{'first row s':>13}{'sort ms':>9}{'filter by code s':>18}{'brush ms a frame':>18}"
                    f"{'CPU, main thread':>18}{'CPU, all':>10}"
                )
                for name, shown in (("tbwidget", ours(logdir)), ("%tensorboard", theirs(logdir, sessions))):
                    print(
                        f"  {name:22}{shown.seconds:13.2f}{shown.sorted:9.0f}{shown.filtered:18.2f}"
                        f"{shown.brush.wall:18.0f}{shown.brush.main:18.0f}{shown.brush.all:10.0f}"
                    )
                print(
                    f"  inf: no row within {THEIR_LIMIT:.0f} s; nan: not within {ACTION_LIMIT:.0f} s, or not tried then"
                )
