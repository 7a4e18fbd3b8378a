"""Two pages on one notebook and its kernel show one board: options are shared, and each page has its own view."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.cells import hold
from tests.support.eventfiles import NAME, event, simple, write
from tests.support.waiting import wait_for

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

SHOW = """
import tbwidget
from IPython.display import display
board = tbwidget.Dashboard("{folder}")
points = []
board.observe(lambda change: points.append(change.new), "hovered")
display(board)
"""

OPTIONS = "print(board.smoothing, board.selected_runs)"

BOX = ".tbwidget [data-run=b] input[type=checkbox]"
"""Shows and hides the run b."""


def set_smoothing(notebook: NotebookPage, value: float, view: int = 0) -> None:
    notebook.page.locator(".tbwidget").nth(view).locator("input[type=range]").first.fill(str(value))


def wait_for_smoothing(value: float, *notebooks: NotebookPage, views: int = 1) -> None:
    for notebook in notebooks:
        for view in range(views):
            slider = notebook.page.locator(".tbwidget").nth(view).locator("input[type=range]").first
            expect(slider).to_have_value(str(value))


def shown_smoothing(notebook: NotebookPage) -> str:
    return notebook.page.locator(".tbwidget input[type=range]").first.input_value()


@pytest.mark.parametrize("is_extended", [False, True])
def test_two_pages_share_the_options_of_a_board_and_not_the_view(
    request: pytest.FixtureRequest, open_notebook: Open, *, is_extended: bool
) -> None:
    server: JupyterServer = request.getfixturevalue("extended_server" if is_extended else "server")
    folder = f"pages{is_extended}"
    for run in ("a", "b"):
        events = [event(1.7e9 + i, i, simple("loss", i / 60)) for i in range(60)]
        write(server.root / folder / run / NAME, event(1.7e9, version="brain.Event:2"), *events)
    cells = [SHOW.replace("{folder}", folder), OPTIONS, hold(folder), "display(board)"]
    server.write_notebook(f"{folder}.ipynb", cells)
    first = open_notebook(f"{folder}.ipynb", server)
    first.run_cell(0)
    first.wait_for_last_steps({"loss": "59"})
    set_smoothing(first, 0.9)
    first.wait_for_output(1, "0.9 None")
    first.save()
    second = open_notebook(f"{folder}.ipynb", server)
    second.wait_for_last_steps({"loss": "59"})

    # A page that opens later has the options of the board; a later change in either page reaches both.
    wait_for_smoothing(0.9, first, second)
    second.page.locator(BOX).click()
    expect(first.page.locator(BOX)).not_to_be_checked()
    first.wait_for_output(1, "0.9 ['a']")
    first.page.locator(BOX).click()
    expect(second.page.locator(BOX)).to_be_checked()

    each_page_has_its_own_pointer(first, second)
    options_set_while_a_cell_runs_are_the_same_after_it(first, second, folder)

    # Two views in one page share its view state.
    first.run_cell(3)
    first.wait("return document.querySelectorAll('.tbwidget').length === 2")
    set_smoothing(first, 0.5, view=1)
    wait_for_smoothing(0.5, first, views=2)
    wait_for_smoothing(0.5, second)
    assert first.errors == second.errors == []


def each_page_has_its_own_pointer(first: NotebookPage, second: NotebookPage) -> None:
    """A linked step and a hovered point belong to a page; Python has the last ones, and may set them in all pages."""
    linked = [
        notebook.page.locator(".tbwidget-step-player:not([data-free]) .tbwidget-step-entry")
        for notebook in (first, second)
    ]
    first.plot("loss").click()
    expect(linked[0]).to_have_count(1)
    wait_for(lambda: first.ask_kernel("print(board.linked_step)") != "None")
    wait_for(lambda: "'tag': 'loss'" in first.ask_kernel("print(points)"))
    second.sleep(1)
    expect(linked[1]).to_have_count(0)
    expect(second.page.locator(".tbwidget-tooltip:visible")).to_have_count(0)
    first.ask_kernel("board.linked_step = 20")
    for entry in linked:
        expect(entry).to_have_value("20")


def options_set_while_a_cell_runs_are_the_same_after_it(first: NotebookPage, second: NotebookPage, folder: str) -> None:
    """Both pages move while a cell runs and accept their user's options; in the end, one option holds in both."""
    first.start_cell(2)
    first.wait("return running(cells[2])")
    with (first.server.root / folder / "a" / NAME).open("ab") as file:
        file.write(event(1.7e9 + 60, 60, simple("loss", 1.0)))
    for notebook, value in ((first, 0.2), (second, 0.3)):
        notebook.wait_for_last_steps({"loss": "60"})
        set_smoothing(notebook, value)
    assert first.busy(2)
    first.release(folder)
    first.end_of_cell(2)
    wait_for(lambda: shown_smoothing(first) == shown_smoothing(second))
    first.wait_for_output(1, f"{shown_smoothing(first)} None")
    assert shown_smoothing(first) == shown_smoothing(second)
