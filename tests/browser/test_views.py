"""Views of a dashboard work without the kernel, and leave nothing behind when they are removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.cells import hold
from tests.support.eventfiles import NAME, event, simple, write

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

HOSTILE = "loss/<b>bold</b><img src=x onerror=alert(1)>"

SHOW = """
import tbwidget
from IPython.display import display
board = tbwidget.Dashboard("views-runs")
display(board)
display(board)
"""


def write_runs(folder: Path) -> None:
    for run in ("run1", "run2", "run10"):
        (folder / run).mkdir(parents=True)
        events = [event(1.7e9 + i, i, simple(HOSTILE, 1 / (1 + i))) for i in range(50)]
        events += [event(1.7e9 + i, 2 * i, simple("accuracy", i / 50)) for i in range(50)]
        (folder / run / NAME).write_bytes(event(1.7e9, version="brain.Event:2") + b"".join(events))


def shown(notebook: NotebookPage, view: int) -> dict[str, str]:
    found: dict[str, str] = notebook.js(
        """const root = document.querySelectorAll('.tbwidget')[arg];
        return Object.fromEntries([...root?.querySelectorAll('[data-last-step]') ?? []]
            .map(card => [card.dataset.tag, card.dataset.lastStep]))""",
        view,
    )
    return found


def wait_for_cards(notebook: NotebookPage, cards: int) -> None:
    notebook.wait("return document.querySelectorAll('.tbwidget [data-last-step]').length === arg", arg=cards)


@pytest.mark.own_window
def test_views_work_while_the_kernel_is_busy_and_leave_nothing_behind(
    server: JupyterServer, open_notebook: Open
) -> None:
    write_runs(server.root / "views-runs")
    server.write_notebook("views.ipynb", [SHOW, hold("views"), "print(board.selected_runs)", "board.close()"])
    notebook = open_notebook("views.ipynb")
    notebook.run_cell(0)
    wait_for_cards(notebook, 4)
    assert shown(notebook, 0) == shown(notebook, 1) == {"accuracy": "98", HOSTILE: "49"}
    # Charts are drawn while the directory is still being read.
    notebook.wait_for_state("idle", "live")
    names = notebook.page.locator(".tbwidget").first.locator(".tbwidget-run-name")
    expect(names).to_have_text(["run1", "run2", "run10"])

    notebook.start_cell(1)
    notebook.wait("return running(cells[1])")
    first = notebook.page.locator(".tbwidget").first
    for row in (0, 1, 2):
        first.locator(".tbwidget-runs li input[type=checkbox]").nth(row).uncheck()
    wait_for_cards(notebook, 0)
    first.locator(".tbwidget-runs li input[type=checkbox]").nth(2).check()
    wait_for_cards(notebook, 4)
    first.get_by_label("Filter tags").fill("LOSS")
    wait_for_cards(notebook, 2)
    assert shown(notebook, 1) == {HOSTILE: "49"}
    assert notebook.busy(1), "all that was to happen without the kernel"
    notebook.release("views")
    notebook.end_of_cell(1)
    notebook.wait_for_output(2, "['run10']")

    notebook.drag(notebook.plot(HOSTILE), (0.1, 0.1), (0.5, 0.5))
    first.get_by_role("button", name="reset").click()

    # Without this, nothing could be left behind.
    assert set(notebook.alive()) >= {"ResizeObserver", "IntersectionObserver", "MutationObserver", "setInterval"}
    notebook.run_cell(3)
    notebook.wait("return document.querySelector('.tbwidget') === null")
    # Listeners that a module shares among all views stay with it; another test checks that more views add none.
    assert [name for name in notebook.alive() if not name.startswith("listener")] == []
    assert notebook.errors == []


def test_a_page_opened_again_shows_all_charts(server: JupyterServer, open_notebook: Open) -> None:
    write_runs(server.root / "again-runs")
    server.write_notebook("again.ipynb", ["import tbwidget; tbwidget.show('again-runs')"])
    notebook = open_notebook("again.ipynb")
    notebook.run_cell(0)
    wait_for_cards(notebook, 2)
    notebook.save()
    notebook.page.reload()
    wait_for_cards(notebook, 2)
    assert notebook.errors == []


COLORS = """
return [...document.querySelectorAll('.tbwidget')].map(root => Object.fromEntries(
    [...root.querySelectorAll('.tbwidget-runs li')].map(row => [
        row.querySelector('.tbwidget-run-name').textContent,
        getComputedStyle(row.querySelector('.tbwidget-swatch')).borderColor,
    ])));
"""


def test_views_opened_at_different_times_agree_on_colors(server: JupyterServer, open_notebook: Open) -> None:
    def start(run: str) -> None:
        events = [event(1.7e9 + i, i, simple("loss", i)) for i in range(5)]
        write(server.root / "colors-runs" / run / NAME, event(1.7e9, version="brain.Event:2"), *events)

    start("second")
    server.write_notebook("colors.ipynb", ["import tbwidget; tbwidget.show('colors-runs')"] * 2)
    notebook = open_notebook("colors.ipynb")
    notebook.run_cell(0)
    wait_for_cards(notebook, 1)
    listed = "return document.querySelectorAll('.tbwidget-runs li').length === arg"
    # A single run costs no column: the header names it.
    notebook.page.locator(".tbwidget-header").get_by_text("second", exact=True).wait_for()
    assert notebook.js(listed, arg=0)
    start("first")
    notebook.wait(listed, arg=2)
    notebook.wait("return document.querySelector('.tbwidget-single-run') === null")
    notebook.run_cell(1)
    notebook.wait(listed, arg=4)
    start("and a third")
    notebook.wait(listed, arg=6)
    earlier, later = notebook.steady(COLORS)
    assert earlier == later
    assert len(set(earlier.values())) == 3
    assert notebook.errors == []


def test_running_the_cell_again_closes_the_former_dashboard(server: JupyterServer, open_notebook: Open) -> None:
    threads = "import threading; print(sum('tbwidget' in thread.name for thread in threading.enumerate()))"
    server.write_notebook("rerun.ipynb", ["import tbwidget; tbwidget.show('nothing-here')", threads])
    notebook = open_notebook("rerun.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_state("waiting")
    threads_of_one = notebook.run_cell(1).strip()
    for _ in range(2):
        notebook.run_cell(0)
        notebook.wait_for_state("waiting")
        notebook.wait_for_output(1, threads_of_one)
