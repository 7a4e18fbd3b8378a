"""Many dashboards are opened and closed in one page: each leaves little behind, in the page and in the kernel."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import tbwidget
from tests.support.eventfiles import NAME, event, simple, write

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

DASHBOARDS = 20

BUNDLE = Path(tbwidget.__file__).parent / "static"
MAX_BYTES = 200_000
"""Upper bound for the remains of a closed dashboard, apart from the text of its module, which no page frees.

About 155 kB remain with JupyterLab 4.6 and anywidget 0.11.
"""

MAX_LISTENERS = 20
"""Listeners of the host itself; a dashboard that leaked would have more than a hundred."""

BEGIN = "import tbwidget\nfrom IPython.display import display\nboard = None"

# One cell for both, because JupyterLab itself retains something whenever another cell becomes the active one.
TOGGLE = """
if board is None:
    board = tbwidget.Dashboard("leaks")
    display(board)
else:
    board.close()
    board = None
"""

RELEASE_TIMEOUT_S = 60
"""Seconds to wait: anywidget waits two for a model to begin, and a busy machine takes longer."""


def open_and_close(notebook: NotebookPage, times: int) -> None:
    for _ in range(times):
        notebook.run_cell(1)
        notebook.wait_for_last_steps({"loss": "59"})
        notebook.run_cell(1)
        notebook.wait("return document.querySelector('.tbwidget') === null")


def opened(server: JupyterServer, open_notebook: Open, name: str) -> NotebookPage:
    events = [event(1.7e9 + i, i, simple("loss", i / 60)) for i in range(60)]
    write(server.root / "leaks" / NAME, event(1.7e9, version="brain.Event:2"), *events)
    server.write_notebook(name, [BEGIN, TOGGLE])
    notebook = open_notebook(name)
    notebook.run_cell(0)
    open_and_close(notebook, 3)
    notebook.sleep(3)  # anything freed later only makes the measured growth smaller
    return notebook


@pytest.mark.own_window
def test_closed_dashboards_leave_little_on_the_heap_of_the_page(server: JupyterServer, open_notebook: Open) -> None:
    notebook = opened(server, open_notebook, "leaks-heap.ipynb")
    before, alive = notebook.heap(), notebook.alive()
    open_and_close(notebook, DASHBOARDS)
    module = (BUNDLE / "dashboard.js").stat().st_size
    end = time.monotonic() + RELEASE_TIMEOUT_S
    while True:
        notebook.sleep(2)
        after, late = notebook.heap(), time.monotonic() > end
        grown = {name: (after[name] - before[name]) / DASHBOARDS for name in after}
        little = grown["JSHeapUsedSize"] < module + MAX_BYTES and grown["JSEventListeners"] < MAX_LISTENERS
        if late or (little and sorted(notebook.alive()) == sorted(alive)):
            break
    assert little, grown
    assert sorted(notebook.alive()) == sorted(alive)
    assert notebook.errors == []


def test_closed_dashboards_leave_no_comm(server: JupyterServer, open_notebook: Open) -> None:
    notebook = opened(server, open_notebook, "leaks-comms.ipynb")
    before = notebook.kernel_comms(), notebook.page_comms()
    open_and_close(notebook, 10)
    end = time.monotonic() + RELEASE_TIMEOUT_S
    while (now := (notebook.kernel_comms(), notebook.page_comms())) != before and time.monotonic() < end:
        notebook.sleep(0.5)
    assert now == before
    assert notebook.errors == []
