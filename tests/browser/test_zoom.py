"""A series of more points than travel at once: zooming in brings them, along any axis, and while it grows."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tests.browser.conftest import Open
from tests.browser.jupyter import JupyterServer
from tests.browser.page import NotebookPage
from tests.support.eventfiles import NAME, event, simple, write

POINTS = 30_000

SHOW = """
import tbwidget
board = tbwidget.Dashboard("{folder}")
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


@cache
def points() -> bytes:
    """Events of one long series."""
    return b"".join(event(1.7e9 + i, i, simple("long", (i * 7919 % 1013) / 1013)) for i in range(POINTS))


def opened(server: JupyterServer, open_notebook: Open, folder: str, *cells: str) -> NotebookPage:
    write(server.root / folder / "a" / NAME, event(1.7e9, version="brain.Event:2"), points())
    server.write_notebook(f"{folder}.ipynb", [SHOW.format(folder=folder), *cells])
    notebook = open_notebook(f"{folder}.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_last_steps({"long": str(POINTS - 1)})
    return notebook


def wait_for_buckets(notebook: NotebookPage, *, there: bool) -> None:
    """Wait until the card says that it shows buckets, or that it does not."""
    notebook.wait("return document.querySelector('.tbwidget-marks').textContent.includes('≈') === arg", arg=there)


def test_zooming_in_brings_the_points_along_any_axis(server: JupyterServer, open_notebook: Open) -> None:
    notebook = opened(server, open_notebook, "zoom")
    for axis in ("Step", "Relative", "Wall"):
        notebook.page.locator(".tbwidget").get_by_role("button", name=axis, exact=True).click()
        wait_for_buckets(notebook, there=True)
        notebook.drag(notebook.plot("long"), (0.5, 0.4), (0.55, 0.45))
        wait_for_buckets(notebook, there=False)
        notebook.plot("long").dblclick()
        wait_for_buckets(notebook, there=True)


def test_what_grows_into_sight_is_shown_point_by_point(server: JupyterServer, open_notebook: Open) -> None:
    folder, root = "growing", str(Path(__file__).resolve().parents[2])
    grow = GROW.format(folder=folder, name=NAME, root=root)
    notebook = opened(server, open_notebook, folder, "board.step_range = 29_500, 40_000", grow)
    notebook.run_cell(1)
    wait_for_buckets(notebook, there=False)
    notebook.run_cell(2)
    notebook.scroll_to("long")
    notebook.wait_for_last_steps({"long": "33014"})
    wait_for_buckets(notebook, there=False)
