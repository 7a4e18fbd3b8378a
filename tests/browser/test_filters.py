"""A filter never hangs the page: one that takes forever is stopped, reported, and not remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.eventfiles import NAME, event, simple, write

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from playwright.sync_api import Locator

    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

SHOW = """
import tbwidget
from IPython.display import display
board = tbwidget.Dashboard("filter-runs")
display(board)
"""

CHOSEN = "print([board.run_filter, board.tag_filter])"

# They contain no digit and no z, and are so long that the patterns below would take hours.
_LONG = "/".join(["a" * 240] * 3)
RUNS = [f"{_LONG}{chr(97 + number // 20)}{chr(97 + number % 20)}bcd" for number in range(200)]
QUICK = "(ca|cb)bcd$"
ENDLESS = [r".*.*.*.*.*\d", r"(?:a{0,200}){3}(?:a{0,200}){3}z"]

MAX_FRAME_GAP_S = 20.0
"""Longest time between two frames, in seconds, on a machine that is busy with other work."""

WATCH = """
window.testLongestGap = 0;
let last = performance.now();
requestAnimationFrame(function note() {
    const now = performance.now();
    window.testLongestGap = Math.max(window.testLongestGap, now - last);
    last = now;
    requestAnimationFrame(note);
});
"""

_LISTED = "return document.querySelector('.tbwidget-runs [data-rows]')?.dataset.rows === String(arg)"


def write_runs(folder: Path, runs: Iterable[str]) -> None:
    for run in runs:
        write(folder / run / NAME, event(1.7e9, version="brain.Event:2"), event(1.7e9, 1, simple("loss", 1)))


def filter_of(notebook: NotebookPage) -> Locator:
    return notebook.page.locator(".tbwidget").get_by_label("Filter runs")


def wait_for_reason(notebook: NotebookPage, text: str) -> None:
    """Wait until the page says why the filter has no effect."""
    notebook.page.locator(".tbwidget").get_by_role("alert").filter(has_text=text).wait_for()


def test_a_filter_that_takes_forever_is_ended(server: JupyterServer, open_notebook: Open) -> None:
    write_runs(server.root / "filter-runs", RUNS)
    server.write_notebook("filters.ipynb", [SHOW, CHOSEN])
    notebook = open_notebook("filters.ipynb")
    notebook.run_cell(0)
    notebook.wait(_LISTED, arg=200)
    box = filter_of(notebook)

    # A quick regular expression, matched in a worker.
    box.fill(QUICK)
    notebook.wait(_LISTED, arg=2)
    assert notebook.page.locator(".tbwidget").get_by_role("alert").count() == 0

    notebook.js(WATCH)
    for pattern in ENDLESS:
        box.fill(pattern)
        wait_for_reason(notebook, "taking too long")
        notebook.wait(_LISTED, arg=200)
        notebook.wait_for_output(1, "['', '']")
        # An invalid expression stays in the box, with the reason, and is not sent to Python.
        box.fill("run(")
        wait_for_reason(notebook, "unclosed (")
    notebook.sleep(1)
    assert box.input_value() == "run("
    assert notebook.run_cell(1).strip() == "['', '']"
    assert notebook.js("return window.testLongestGap") < 1000 * MAX_FRAME_GAP_S, "the page goes on drawing"

    # After a reload and another run of the cell, the stopped filter does not come back.
    box.fill(ENDLESS[0])
    wait_for_reason(notebook, "taking too long")
    notebook.sleep(1)
    notebook.save()
    notebook.reload()
    notebook.wait(_LISTED, arg=200)
    notebook.sleep(1)
    assert box.input_value() == ""
    notebook.run_cell(0)
    notebook.wait(_LISTED, arg=200)
    assert box.input_value() == ""
    assert notebook.errors == []


def test_without_workers_a_filter_is_plain_text(server: JupyterServer, open_notebook: Open) -> None:
    write_runs(server.root / "no-workers", ["a+b", *(f"aab{number}" for number in range(11))])
    server.write_notebook("no-workers.ipynb", ["import tbwidget; tbwidget.show('no-workers', tag_filter='no such')"])
    notebook = open_notebook("no-workers.ipynb", workers=False)
    notebook.run_cell(0)
    names = notebook.page.locator(".tbwidget-runs .tbwidget-run-name")
    names.nth(11).wait_for()
    filter_of(notebook).fill("a+b")
    names.nth(1).wait_for(state="detached")
    assert names.all_inner_texts() == ["a+b"]
    # A filter that matches no tag offers to clear itself.
    notebook.page.get_by_text("No tag matches").get_by_role("button", name="Show all").click()
    notebook.page.locator(".tbwidget-card").first.wait_for()
    # The policy itself reports that in the console.
    assert [error for error in notebook.errors if "worker" not in error.lower()] == []
