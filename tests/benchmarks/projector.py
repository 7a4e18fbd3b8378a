"""Embeddings in the browser, compared with TensorBoard's projector: `make bench ARGS="--only projector"`."""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tests.benchmarks import cells
from tests.benchmarks.browser import opened
from tests.benchmarks.drags import frame_where, frames_of_drag
from tests.support.eventfiles import NAME, event, simple, write

if TYPE_CHECKING:
    from tests.benchmarks.page import MeasuredPage

POINTS = (1_000, 10_000, 100_000)
DIMENSIONS, CLUSTERS = 128, 20
THEIR_LIMIT = 180.0
"""Upper bound of the wait for TensorBoard, in seconds."""
THEIR_PATIENCE = 20.0
"""Seconds after which TensorBoard's page is reloaded once, as a user would: it requests embeddings only once, and gets
none while the server is still reading the vectors."""

_OURS = '.tbwidget [data-panel="projector"][data-points]'

_STAGE = ".tbwidget [data-stage]"

# Records when all points are drawn, by the page's clock.
_WATCH = """([selector, points]) => {
    window.benchShown = null;
    requestAnimationFrame(function look() {
        const card = document.querySelector(selector);
        if (card?.dataset.points === points && card.dataset.state === 'shown') window.benchShown = Date.now();
        else requestAnimationFrame(look);
    });
}"""

# TensorBoard's projector, wherever its components keep it; ready once all components are computed, and so drawn.
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
    """Figures of a page with an embedding."""

    seconds: float
    """From running the cell to all points; infinite after a timeout."""
    frame: float
    """Median milliseconds for a frame while the points are turned."""
    neighbors: float
    """Milliseconds for the 15 nearest neighbors of a point, in all dimensions or in those that the page has."""
    megabytes: float
    """Bytes that the page received until then."""


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


def ours(logdir: Path, points: int) -> Shown:
    """Measure the first embedding in a fresh kernel."""
    command = f"tbwidget.ProjectorView({str(logdir)!r}, dimensions=3, height=700)"
    with opened(["import tbwidget", command]) as page:
        page.run_cell(0)
        page.page.evaluate(_WATCH, [_OURS, str(points)])
        begun = page.start_cell_at(1)
        page.wait("return window.benchShown !== null", 120)
        seconds = (page.page.evaluate("() => window.benchShown") - begun) / 1e3
        megabytes = sum(message.size for message in page.received) / 1e6
        frame = statistics.median(frames_of_drag(page, page.page.main_frame, page.page.locator(_STAGE).first))
        return Shown(seconds, frame, _neighbors(page), megabytes)


def _neighbors(page: MeasuredPage) -> float:
    """Return milliseconds from the key that selects a point to its neighbors, once the vectors are in the page."""
    stage = page.page.locator(_STAGE).first
    page.sleep(5)  # the vectors arrive after the points
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
    """Measure the same for `%tensorboard`, whose extension is loaded, and a new server."""
    command = f"%tensorboard --logdir {logdir} --port 0"
    with opened(["%load_ext tensorboard", command, cells.end_tensorboard(logdir)]) as page:
        page.run_cell(0)
        begun = page.start_cell_at(1)
        try:
            board = page.tensorboard("projector", THEIR_LIMIT)
            if board is None:
                return NEVER
            frame = frame_where(page, _THEIRS, points, THEIR_PATIENCE)
            if frame is None:
                board.evaluate("() => location.reload()")
                frame = frame_where(page, _THEIRS, points, THEIR_LIMIT - THEIR_PATIENCE)
            if frame is None:
                return NEVER
            seconds = (page.now() - begun) / 1e3
            megabytes = page.frame_bytes() / 1e6
            turned = statistics.median(frames_of_drag(page, frame, frame.locator("canvas").first))
            return Shown(seconds, turned, frame.evaluate(_THEIR_NEIGHBORS), megabytes)
        finally:
            page.run_cell(2)


def section(repeats: int) -> None:
    """Measure and print all figures."""
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
