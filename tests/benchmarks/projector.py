"""Embeddings in the browser, beside TensorBoard's projector: `make bench ARGS="--only projector"`."""

from __future__ import annotations

import statistics
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from playwright.sync_api import Error

from tests.benchmarks import cells
from tests.benchmarks.browser import opened
from tests.support.eventfiles import NAME, event, simple, write

if TYPE_CHECKING:
    from playwright.sync_api import Frame

    from tests.benchmarks.page import MeasuredPage

POINTS = (1_000, 10_000, 100_000)
DIMENSIONS, CLUSTERS = 128, 20
THEIR_LIMIT = 180.0
"""Seconds after which TensorBoard is waited for no longer."""
THEIR_PATIENCE = 200
"""Looks, ten a second, after which TensorBoard's page is reloaded once, as a user would: it asks for embeddings once,
and gets none while the server is still reading the vectors."""
MOVES = 40

_OURS = '.tbwidget [data-panel="projector"][data-points]'

_STAGE = ".tbwidget [data-stage]"

# Notes when all points are drawn, by the page's clock.
_WATCH = """([selector, points]) => {
    window.benchShown = null;
    requestAnimationFrame(function look() {
        const card = document.querySelector(selector);
        if (card?.dataset.points === points && card.dataset.state === 'shown') window.benchShown = Date.now();
        else requestAnimationFrame(look);
    });
}"""

# Notes milliseconds of each frame from now on.
_FRAMES = """() => {
    window.benchFrames = [];
    let last = performance.now();
    requestAnimationFrame(function note(now) {
        window.benchFrames.push(now - last);
        last = now;
        requestAnimationFrame(note);
    });
}"""

# TensorBoard's projector, wherever its components keep it; once all components are computed, and so drawn.
_THEIRS = """points => {
    const find = root => {
        for (const element of root.querySelectorAll('*')) {
            if (element.dataSet?.points?.length !== undefined && element.projectorScatterPlotAdapter) return element;
            const inner = element.shadowRoot && find(element.shadowRoot);
            if (inner) return inner;
        }
        return null;
    };
    window.benchProjector = find(document);
    const data = window.benchProjector?.dataSet;
    return data?.points.length >= Math.min(points, 100000) && Boolean(data.projections['pca-0']);
}"""

_THEIR_NEIGHBORS = """() => {
    const data = window.benchProjector.dataSet;
    const length = v => Math.sqrt(v.reduce((sum, x) => sum + x * x, 0));
    const cosine = (a, b) => {
        let [dot, x, y] = [0, 0, 0];
        for (let i = 0; i < a.length; i++) {
            dot += a[i] * b[i];
            x += a[i] * a[i];
            y += b[i] * b[i];
        }
        return 1 - dot / Math.sqrt(x * y);
    };
    const begin = performance.now();
    data.findNeighbors(5, cosine, 15);
    return performance.now() - begin;
}"""


class Shown(NamedTuple):
    """How a page shows an embedding."""

    seconds: float
    """From running the cell to all points; infinite where they did not come in time."""
    frame: float
    """Milliseconds a frame while the points are turned: median."""
    neighbors: float
    """Milliseconds for the 15 nearest neighbors of a point, by all dimensions or those that the page holds."""
    megabytes: float
    """What came into the page until then."""


NEVER = Shown(float("inf"), float("nan"), float("nan"), float("nan"))


def write_embedding(folder: Path, points: int) -> None:
    """Write clusters as torch does: vectors and labels as tables."""
    random = np.random.default_rng(0)
    label = random.integers(0, CLUSTERS, points)
    vectors = random.normal(0, 1, (CLUSTERS, DIMENSIONS))[label] * 3 + random.normal(0, 1, (points, DIMENSIONS))
    write(folder / "run" / NAME, event(1, 0, simple("s", 1)))
    np.savetxt(folder / "run/tensors.tsv", vectors, "%.6g", "\t")
    (folder / "run/metadata.tsv").write_text("".join(f"{one}\n" for one in label))
    described = 'embeddings { tensor_name: "a:00000" tensor_path: "tensors.tsv" metadata_path: "metadata.tsv" }\n'
    write(folder / "run/projector_config.pbtxt", described.encode())


def _turn(page: MeasuredPage, frame: Frame, left: float, top: float) -> float:
    """Drag from a place in the page; the median of the frames meanwhile, which `frame` draws."""
    mouse = page.page.mouse
    mouse.move(left, top)
    mouse.down()
    frame.evaluate(_FRAMES)
    for move in range(MOVES):
        mouse.move(left + 4 * move, top + move)
    frames: list[float] = frame.evaluate("() => window.benchFrames")
    mouse.up()
    return statistics.median(frames)


def ours(logdir: Path, points: int) -> Shown:
    """The first embedding in a fresh kernel."""
    command = f"tbwidget.ProjectorView({str(logdir)!r}, dimensions=3, height=700)"
    with opened(["import tbwidget", command]) as page:
        page.run_cell(0)
        page.page.evaluate(_WATCH, [_OURS, str(points)])
        begun = page.start_cell_at(1)
        page.wait("return window.benchShown !== null", 120)
        seconds = (page.page.evaluate("() => window.benchShown") - begun) / 1e3
        megabytes = sum(message.size for message in page.received) / 1e6
        stage = page.page.locator(
            f"{_OURS.split(',', maxsplit=1)[0].split(' [data-points]', maxsplit=1)[0]} [data-stage]"
        ).first
        box = stage.bounding_box()
        assert box is not None
        frame = _turn(page, page.page.main_frame, box["x"] + box["width"] / 3, box["y"] + box["height"] / 3)
        return Shown(seconds, frame, _neighbors(page), megabytes)


def _neighbors(page: MeasuredPage) -> float:
    """Milliseconds from the key that selects a point to its neighbors, once the vectors are in the page."""
    stage = page.page.locator(_STAGE).first
    page.sleep(5)  # the vectors follow the points
    stage.focus()
    page.page.keyboard.press(".")
    page.page.evaluate("""() => {
        window.benchNear = null;
        addEventListener('keydown', () => {
            const begin = performance.now();
            requestAnimationFrame(function look() {
                const list = document.querySelector('.tbwidget [data-neighbors]');
                if (Number(list?.dataset.neighbors) > 0) window.benchNear = performance.now() - begin;
                else requestAnimationFrame(look);
            });
        }, { capture: true, once: true });
    }""")
    page.page.keyboard.press("Enter")
    page.wait("return window.benchNear !== null", 60)
    milliseconds: float = page.page.evaluate("() => window.benchNear")
    return milliseconds


def theirs(logdir: Path, points: int) -> Shown:
    """The same with `%tensorboard`, whose extension is loaded, by a server of its own."""
    command = f"%tensorboard --logdir {logdir} --port 0"
    with opened(["%load_ext tensorboard", command, cells.end_tensorboard(logdir)]) as page:
        page.run_cell(0)
        begun = page.start_cell_at(1)
        try:
            if page.tensorboard("projector", THEIR_LIMIT) is None:
                return NEVER
            frame = _their_frame(page, points)
            if frame is None:
                return NEVER
            seconds = (page.now() - begun) / 1e3
            megabytes = page.frame_bytes() / 1e6
            return Shown(seconds, _their_turn(page, frame), frame.evaluate(_THEIR_NEIGHBORS), megabytes)
        finally:
            page.run_cell(2)


def _their_frame(page: MeasuredPage, points: int) -> Frame | None:
    """The frame of TensorBoard's projector, once it has drawn; None where it has not in time."""
    for look in range(round(THEIR_LIMIT / 0.1)):
        for frame in page.page.frames[1:]:
            with suppress(Error):
                if frame.evaluate(_THEIRS, points):
                    return frame
        if look == THEIR_PATIENCE:
            with suppress(Error):
                page.page.frames[1].evaluate("() => location.reload()")
        page.sleep(0.1)
    return None


def _their_turn(page: MeasuredPage, frame: Frame) -> float:
    canvas = frame.locator("canvas").first
    box = canvas.bounding_box()
    assert box is not None
    return _turn(page, frame, box["x"] + box["width"] / 3, box["y"] + box["height"] / 3)


def section(repeats: int) -> None:
    """Measure and print it all."""
    print(f"\nEmbeddings of {DIMENSIONS} dimensions, medians of {repeats}")
    print(f"{'':34}{'shown s':>10}{'frame ms':>10}{'neighbors ms':>14}{'MB':>8}")
    for points in POINTS:
        with tempfile.TemporaryDirectory() as folder:
            logdir = Path(folder) / "logs"
            write_embedding(logdir, points)
            for name, measure in (("tbwidget", ours), ("%tensorboard", theirs)):
                found = [measure(logdir, points) for _ in range(repeats)]
                shown = Shown(*(statistics.median(column) for column in zip(*found, strict=True)))
                print(f"  {f'{points:,}, {name}':32}", end="")
                print(f"{shown.seconds:10.2f}{shown.frame:10.1f}{shown.neighbors:14.1f}{shown.megabytes:8.1f}")
