"""A series of more points than travel at once: zooming in brings them, along any axis, and while it grows."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.conftest import Open
from tests.browser.jupyter import JupyterServer
from tests.browser.page import NotebookPage
from tests.support.eventfiles import NAME, event, simple, write

POINTS = 30_000

SHOW = """
import tbwidget
board = tbwidget.Dashboard("{folder}", x_axis="{axis}")
board
"""

# The steps in sight end here: more come into sight, and the buckets of the whole double on the way.
GROW = """
import sys, time
sys.path.insert(0, {root!r})
from tests.support.eventfiles import event, simple
with open("{folder}/a/{name}", "ab") as file:
    for begin in range(30_000, 33_005, 15):
        for i in range(begin, begin + 15):
            file.write(event(1.7e9 + i, i, simple("long", (i * 7919 % 1013) / 1013)))
        file.flush()
        time.sleep(0.03)
"""


def opened(server: JupyterServer, open_notebook: Open, axis: str) -> NotebookPage:
    folder = f"zoom-{axis}"
    events = [event(1.7e9 + i, i, simple("long", (i * 7919 % 1013) / 1013)) for i in range(POINTS)]
    write(server.root / folder / "a" / NAME, event(1.7e9, version="brain.Event:2"), *events)
    root = str(Path(__file__).resolve().parents[2])
    cells = [SHOW.format(folder=folder, axis=axis), GROW.format(folder=folder, name=NAME, root=root)]
    server.write_notebook(f"{folder}.ipynb", [*cells, "board.step_range = 29_500, 40_000"])
    notebook = open_notebook(f"{folder}.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_last_steps({"long": str(POINTS - 1)}, 30)
    return notebook


def wait_for_buckets(notebook: NotebookPage, *, there: bool) -> None:
    """Wait until the card says that it shows buckets, or that it does not."""
    notebook.wait("return document.querySelector('.tbwidget-marks').textContent.includes('≈') === arg", 15, there)


@pytest.mark.parametrize("axis", ["step", "relative", "wall"])
def test_zooming_in_brings_the_points_along_any_axis(server: JupyterServer, open_notebook: Open, axis: str) -> None:
    notebook = opened(server, open_notebook, axis)
    wait_for_buckets(notebook, there=True)
    chart = notebook.page.locator(".tbwidget .u-over")
    box = chart.bounding_box()
    assert box is not None
    mouse = notebook.page.mouse
    mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.4 * box["height"])
    mouse.down()
    mouse.move(box["x"] + 0.55 * box["width"], box["y"] + 0.45 * box["height"], steps=4)
    mouse.up()
    wait_for_buckets(notebook, there=False)
    chart.dblclick()
    wait_for_buckets(notebook, there=True)


def test_what_grows_into_sight_is_shown_point_by_point(server: JupyterServer, open_notebook: Open) -> None:
    notebook = opened(server, open_notebook, "step")
    notebook.run_cell(2)
    wait_for_buckets(notebook, there=False)
    notebook.run_cell(1)
    notebook.scroll_to("long")
    notebook.wait_for_last_steps({"long": "33014"}, 20)
    wait_for_buckets(notebook, there=False)
