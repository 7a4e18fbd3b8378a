"""A series with more points than a message carries: zooming in fetches them, along any axis, and while it grows."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from playwright.sync_api import expect

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

# The visible steps end here: appended ones come into view, and the buckets of the whole series double meanwhile.
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
    """Wait until the card says that it shows buckets, or until it no longer does."""
    notebook.wait("return document.querySelector('.tbwidget-marks').textContent.includes('≈') === arg", arg=there)


def test_zooming_in_brings_the_points_along_any_axis(server: JupyterServer, open_notebook: Open) -> None:
    notebook = opened(server, open_notebook, "zoom")
    for axis in ("Step", "Relative", "Clock"):
        notebook.page.locator(".tbwidget").get_by_role("button", name=axis, exact=True).click()
        wait_for_buckets(notebook, there=True)
        notebook.drag(notebook.plot("long"), (0.5, 0.4), (0.55, 0.45))
        wait_for_buckets(notebook, there=False)
        notebook.plot("long").dblclick()
        wait_for_buckets(notebook, there=True)


def test_the_last_value_is_the_one_that_was_written(server: JupyterServer, open_notebook: Open) -> None:
    """The header and the run table show neither the end of the smoothed line nor the mean of the last bucket."""
    rates = b"".join(event(1.7e9 + i, i, simple("lr", 0.01 * 0.9**i)) for i in range(44))
    ends = b"".join(event(1.7e9 + i, i, simple("lr", 0.0125)) for i in range(44, 45))
    write(server.root / "written" / "a" / NAME, event(1.7e9, version="brain.Event:2"), points(), rates, ends)
    cell = SHOW.format(folder="written").replace("board\n", "board.run_columns = ['last:lr', 'last:long']\nboard\n")
    server.write_notebook("written.ipynb", [cell])
    notebook = open_notebook("written.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_last_steps({"long": str(POINTS - 1), "lr": "44"})
    wait_for_buckets(notebook, there=True)
    root = notebook.page.locator(".tbwidget")
    long = (POINTS - 1) * 7919 % 1013 / 1013
    for tag, value in {"lr": 0.0125, "long": long}.items():
        expect(root.locator(f".tbwidget-card[data-tag={tag}] output")).to_have_text(f"last {value:.4g}")
    row = root.locator(".tbwidget-runs li[data-run=a] [role=gridcell]")
    expect(row.filter(has_text="0.0125")).to_have_count(1)
    expect(row.filter(has_text=f"{long:.4g}")).to_have_count(1)
    notebook.drag(notebook.plot("long"), (0.5, 0.4), (0.55, 0.45))
    wait_for_buckets(notebook, there=False)
    expect(root.locator(".tbwidget-card[data-tag=long] output")).to_have_text(f"last {long:.4g}")


def test_a_series_that_grows_into_view_is_shown_point_by_point(server: JupyterServer, open_notebook: Open) -> None:
    folder, root = "growing", str(Path(__file__).resolve().parents[2])
    grow = GROW.format(folder=folder, name=NAME, root=root)
    notebook = opened(server, open_notebook, folder, "board.step_range = 29_500, 40_000", grow)
    notebook.run_cell(1)
    wait_for_buckets(notebook, there=False)
    notebook.run_cell(2)
    notebook.scroll_to("long")
    notebook.wait_for_last_steps({"long": "33014"})
    wait_for_buckets(notebook, there=False)
