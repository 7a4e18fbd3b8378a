"""Large meshes in the browser, compared with TensorBoard: `make bench ARGS="--only meshes"`."""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np

import tbwidget
from tbwidget.panels.meshes import MeshesContent
from tests.benchmarks import cells
from tests.benchmarks.browser import opened
from tests.benchmarks.drags import frame_where, frames_of_drag
from tests.benchmarks.page import MeasuredPage
from tests.support.eventfiles import NAME, event
from tests.support.meshes import PARTS, part

SIDES = (72, 225, 449)
"""Sides of spheres, whose 2 * side ** 2 faces are 10,000, 100,000 and 400,000."""
LIMIT = 120.0
"""Upper bound of the wait for a page, in seconds."""

# Records when a mesh is on the screen.
_OBSERVE = """
requestAnimationFrame(function look() {
    if (document.querySelector('.tbwidget-card[data-state="shown"] canvas') !== null) window.benchMesh = Date.now();
    else requestAnimationFrame(look);
});
"""

# TensorBoard's mesh, wherever its components keep it, once it is part of a scene.
_THEIRS = """() => {
    const find = root => {
        for (const element of root.querySelectorAll('*')) {
            const mesh = element._meshViewer?._lastMesh;
            if (mesh) return mesh;
            const inner = element.shadowRoot && find(element.shadowRoot);
            if (inner) return inner;
        }
        return null;
    };
    return find(document) !== null;
}"""


class Shown(NamedTuple):
    """Figures of a page with a mesh."""

    seconds: float
    """From running the cell to the mesh; infinite after a timeout."""
    frame: float
    """Milliseconds of a frame while a drag orbits: the 90th percentile."""


NEVER = Shown(float("inf"), float("nan"))


class MeshPage(MeasuredPage):
    """Records when a mesh appears."""

    def prepare(self) -> None:
        """Install none of the tests' own probes, which would be measured, too."""
        super().prepare()
        self.page.add_init_script(_OBSERVE)


def write(folder: Path, side: int) -> int:
    """Write a wavy sphere of 2 * side ** 2 faces; returns the number of faces."""
    u, v = np.meshgrid(np.linspace(0, np.pi, side + 1), np.linspace(0, 2 * np.pi, side + 1), indexing="ij")
    radius = 1 + 0.1 * np.sin(9 * u) * np.sin(7 * v)
    points = np.stack([np.sin(u) * np.cos(v), np.cos(u), np.sin(u) * np.sin(v)], -1) * radius[..., None]
    corner = (np.arange(side)[:, None] * (side + 1) + np.arange(side)).ravel()
    below = corner + side + 1
    faces = np.concatenate([np.stack([corner, corner + 1, below], -1), np.stack([corner + 1, below + 1, below], -1)])
    colors = 127.5 * (points / np.abs(points).max() + 1)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / NAME).write_bytes(
        event(1.7e9, version="brain.Event:2")
        + event(
            1.7e9,
            0,
            part("sphere", "VERTEX", points.reshape(1, -1, 3), beside=PARTS),
            part("sphere", "FACE", faces[None], "<i4", beside=PARTS),
            part("sphere", "COLOR", colors.reshape(1, -1, 3), "u1", beside=PARTS),
        )
    )
    return len(faces)


def ours(logdir: Path) -> Shown:
    """Show it in a fresh kernel that has loaded the extension."""
    show = f"tbwidget.MeshesView({str(logdir)!r}, size=640, height=900)"
    with opened(["%load_ext tbwidget\nimport tbwidget", show], MeshPage) as page:
        page.run_cell(0)
        begun = page.start_cell_at(1)
        page.wait("return window.benchMesh !== undefined", LIMIT)
        at: int = page.page.evaluate("() => window.benchMesh")
        canvas = page.page.locator(".tbwidget-mesh canvas")
        return Shown((at - begun) / 1e3, _p90(frames_of_drag(page, page.page.main_frame, canvas)))


def theirs(logdir: Path) -> Shown:
    """Show it with `%tensorboard`, whose extension is loaded, and a new server."""
    command = f"%tensorboard --logdir {logdir} --port 0"
    with opened(["%load_ext tensorboard", command, cells.end_tensorboard(logdir)]) as page:
        page.run_cell(0)
        begun = page.start_cell_at(1)
        try:
            if page.tensorboard("mesh", LIMIT) is None:
                return NEVER
            frame = frame_where(page, _THEIRS, None, LIMIT)
            if frame is None:
                return NEVER
            seconds = (page.now() - begun) / 1e3
            return Shown(seconds, _p90(frames_of_drag(page, frame, frame.locator("tf-mesh-loader canvas").first)))
        finally:
            page.run_cell(2)


def _p90(frames: list[float]) -> float:
    return statistics.quantiles(frames, n=10)[-1]


def section() -> None:
    """Print the time until a mesh appears, the cost of a frame in an orbit, and the bytes sent."""
    print("\nMeshes: a sphere with colors of its vertices, in a tile of 640 pixels; a drag orbits it")
    print(f"{'':32}{'MB sent':>9}{'shown s':>9}{'p90 ms':>10}")
    for side in SIDES:
        with tempfile.TemporaryDirectory() as folder:
            faces = write(Path(folder) / "run", side)
            with tbwidget.load(folder) as logs:
                content = MeshesContent()
                size = len(content.blob(content.read(logs, "run", "sphere"), 0)())
            for name, measure in (("tbwidget", ours), ("%tensorboard", theirs)):
                shown = measure(Path(folder))
                sent = f"{size / 1e6:9.1f}" if measure is ours else " " * 9
                print(f"{f'{faces:>9,} faces, {name}':32}{sent}{shown.seconds:9.2f}{shown.frame:10.1f}", flush=True)
