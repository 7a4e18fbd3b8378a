"""Several log directories in one board, live while a cell runs; and events that the page sends to Python."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

from tests.browser.cells import hold
from tests.support.eventfiles import NAME, event, simple, write

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

SHOW = """
import json, time, tbwidget
from IPython.display import display
board = tbwidget.Dashboard({"old": "several-old", "new": "several-new"}, smoothing=0)
heard = {}
names = ["hovered", "selected_runs", "step_range"]
board.observe(lambda change: heard.setdefault(change.name, []).append(change.new), names)
display(board)
"""

HEARD = "print(json.dumps(heard))"


def write_run(server: JupyterServer, run: str, first: float, steps: int) -> None:
    events = (event(1.7e9 + step, step, simple("loss", first + step)) for step in range(steps))
    write(server.root / run / NAME, event(1.7e9, version="brain.Event:2"), *events)


def test_several_directories_live_and_heard(server: JupyterServer, open_notebook: Open) -> None:
    for folder in ("several-old", "several-new"):
        shutil.rmtree(server.root / folder, ignore_errors=True)
    write_run(server, "several-old", 0, 41)
    write_run(server, "several-old/r1", 100, 41)
    server.write_notebook("several.ipynb", [SHOW, hold("several")])
    notebook = open_notebook("several.ipynb")
    names = notebook.page.locator(".tbwidget-runs .tbwidget-run-name")
    notebook.run_cell(0)
    notebook.start_cell(1)
    notebook.wait("return document.querySelector('.tbwidget [data-last-step]')?.dataset.lastStep === '40'")
    expect(names).to_have_text(["old", "old/r1"])
    # The other directory appears while the cell runs, and both grow.
    write_run(server, "several-new/r2", 200, 51)
    notebook.wait("return document.querySelector('.tbwidget [data-last-step]')?.dataset.lastStep === '50'")
    write_run(server, "several-old/r1", 100, 61)
    notebook.wait("return document.querySelector('.tbwidget [data-last-step]')?.dataset.lastStep === '60'")
    expect(names).to_have_text(["new/r2", "old", "old/r1"])

    notebook.drag(notebook.plot("loss"), (0.25, 0.3), (0.75, 0.6))
    notebook.page.locator(".tbwidget-runs li input[type=checkbox]").nth(1).uncheck()
    point_at_step_by_keys(notebook)
    assert notebook.busy(1), "all that was done while the kernel was busy"

    notebook.release("several")
    notebook.end_of_cell(1)
    heard = ask(notebook, lambda heard: names_heard(heard) == {"hovered", "selected_runs", "step_range"})
    assert heard["selected_runs"][-1] == ["new/r2", "old/r1"]
    first, last = heard["step_range"][-1]
    assert 0 < first < last < 60
    point = heard["hovered"][-1]
    assert (point["panel"], point["tag"], first <= point["step"] <= last) == ("scalars", "loss", True)
    assert point["values"] == {"new/r2": 200.0 + point["step"], "old/r1": 100.0 + point["step"]}
    assert point["value"] == point["values"][point["run"]]
    notebook.page.keyboard.press("Escape")
    ask(notebook, lambda heard: heard["hovered"][-1] is None)
    assert notebook.errors == []


def ask(notebook: NotebookPage, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Return the values that Python observed, once they are as wanted; runs no cell, to keep the focus on the chart."""
    heard: dict[str, Any] = {}
    for _ in range(200):
        heard = json.loads(notebook.ask_kernel(HEARD))
        if wanted(heard):
            return heard
        notebook.sleep(0.1)
    raise AssertionError(f"not all was heard: {heard}")


def names_heard(heard: dict[str, Any]) -> set[str]:
    """Return the names of observed options whose last value is not None."""
    return {name for name, values in heard.items() if values[-1] is not None}


def point_at_step_by_keys(notebook: NotebookPage) -> None:
    notebook.plot("loss").focus()
    notebook.page.keyboard.press(".")
    notebook.page.get_by_role("tooltip").wait_for()
    notebook.wait("return document.querySelectorAll('.tbwidget-tooltip tbody tr').length === 2")
