"""A board keeps its options when its cell runs again, and its groups while another panel is shown; and its end."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.support.eventfiles import NAME, event, histogram, simple, write

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

TAGS = ["accuracy", "loss/train", "loss/validation", "rate/a", "rate/b", "rate/c", "rate/d", "rate/e"]

SHOW = """
import tbwidget
from IPython.display import display
one = tbwidget.Dashboard("{folder}")
other = tbwidget.Dashboard("{folder}", smoothing=0.3)
display(one)
display(other)
"""

_SMOOTHING = """
return [...document.querySelectorAll('.tbwidget')].map(root => root.querySelector('input[type=number]')?.value)
"""

_CARDS = "return document.querySelectorAll('.tbwidget [data-last-step]').length > arg"


def write_run(server: JupyterServer, folder: str, run: str, tags: list[str]) -> None:
    events = [
        event(1.7e9 + step, step, simple(tag, 1 / (1 + step)), histogram("weights", [0.0, 1.0], [1.0, 2.0]))
        for step in range(20)
        for tag in tags
    ]
    write(server.root / folder / run / NAME, event(1.7e9, version="brain.Event:2"), *events)


def test_options_come_back_on_their_own_board(server: JupyterServer, open_notebook: Open) -> None:
    for run in ("run1", "run2"):
        write_run(server, "board-runs", run, TAGS)
    server.write_notebook("boards.ipynb", [SHOW.format(folder="board-runs"), "one.step_range"])
    notebook = open_notebook("boards.ipynb")
    notebook.run_cell(0)
    notebook.wait(_CARDS, arg=3)
    boards = notebook.page.locator(".tbwidget")
    boards.nth(0).locator("input[type=number]").fill("0.95")
    boards.nth(0).locator(".tbwidget-runs li input[type=checkbox]").first.uncheck()
    boards.nth(1).get_by_role("tab", name="Histograms").click()
    notebook.run_cell(1)
    notebook.sleep(1)

    notebook.run_cell(0)
    notebook.wait(f"{_SMOOTHING.replace('return', 'const found =', 1)}; return found[0] === '0.95'")
    # The other board showed another tab, which has no smoothing.
    expect(boards.nth(1).get_by_role("tab", name="Histograms")).to_have_attribute("aria-selected", "true")
    expect(boards.nth(0).get_by_role("tab", name="Scalars")).to_have_attribute("aria-selected", "true")
    for board, runs in enumerate((1, 2)):
        expect(boards.nth(board).locator(".tbwidget-runs li[data-shown]")).to_have_count(runs)
    boards.nth(1).get_by_role("tab", name="Scalars").click()
    notebook.wait(f"{_SMOOTHING.replace('return', 'const found =', 1)}; return found[1] === '0.3'")
    assert notebook.errors == []


def test_a_view_keeps_its_groups_and_waits_for_names_until_the_kernel_is_gone(
    server: JupyterServer, open_notebook: Open
) -> None:
    few = TAGS[:3]
    write_run(server, "kept-runs", "run1", few)
    cells = [
        "import tbwidget; board = tbwidget.Dashboard('kept-runs'); board",
        "board.pin('later'); board.selected_runs = ['run1', 'absent']",
    ]
    server.write_notebook("kept.ipynb", cells)
    notebook = open_notebook("kept.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_last_steps(dict.fromkeys(few, "19"))
    root = notebook.page.locator(".tbwidget")
    rate = root.locator(".tbwidget-main").get_by_role("button", name="rate")
    assert rate.count() == 0
    notebook.js("window.testCanvas = document.querySelector('.tbwidget [data-tag=\"loss/train\"] canvas')")
    # More tags bring groups with titles; a card that is shown, or plays, stays where it is.
    write_run(server, "kept-runs", "run2", TAGS)
    rate.wait_for()
    assert notebook.js("return window.testCanvas.isConnected")

    rate.click()
    root.get_by_role("tab", name="Histograms").click()
    root.locator("[data-panel=histograms]").first.wait_for()
    root.get_by_role("tab", name="Scalars").click()
    rate.wait_for()
    assert rate.get_attribute("aria-expanded") == "false"
    assert root.locator("[data-tag='rate/a']").count() == 0

    notebook.run_cell(1)
    root.get_by_text("Pinned, no data yet: later.").wait_for()
    root.get_by_text("Waiting for absent.").wait_for()
    assert notebook.errors == []

    begun = time.monotonic()
    for kernel in server.api("api/kernels"):
        server.api(f"api/kernels/{kernel['id']}", "DELETE")
    says_it_is_disconnected(notebook)
    assert time.monotonic() - begun < 45
    assert root.locator("[data-panel=scalars] canvas").count() > 0, "the charts stay"


def says_it_is_disconnected(notebook: NotebookPage) -> None:
    notebook.wait("return document.querySelector('.tbwidget').dataset.state === 'disconnected'", 60)
    expect(notebook.page.locator(".tbwidget-news")).to_contain_text("run the cell again")
