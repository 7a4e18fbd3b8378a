"""Checkpoints in charts and in the list of runs, while a cell is busy."""

from __future__ import annotations

import ast
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.access_page import Access
from tests.browser.cells import hold
from tests.support.eventfiles import NAME, event, simple, write

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer

SHOW = """
import tbwidget
from IPython.display import display
board = tbwidget.Dashboard("checkpoints", run_columns=["checkpoints"])
display(board)
"""

HOSTILE = "it's <img src=x onerror=alert(1)>\n_40.pt"


def write_checkpoints(folder: Path) -> Path:
    """Write two runs, one with three checkpoints, one with a single hostile name."""
    for run, best in (("a", 20), ("b", 30)):
        values = [event(1.7e9 + step, step, simple("loss", abs(step - best) / 10)) for step in range(0, 41, 10)]
        write(folder / run / NAME, *values)
    for step in (0, 20, 40):
        (folder / "a" / f"epoch={step // 20}-step={step}.ckpt").touch()
    (folder / "b" / HOSTILE).touch()
    return folder


@pytest.mark.own_window
def test_checkpoints_are_marked_listed_and_copied_while_a_cell_runs(server: JupyterServer, open_notebook: Open) -> None:
    folder = write_checkpoints(Path(server.root) / "checkpoints")
    server.write_notebook("checkpoints.ipynb", [SHOW, hold("checkpoints")])
    notebook = open_notebook("checkpoints.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_last_steps({"loss": "40"})
    notebook.start_cell(1)
    notebook.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    root = notebook.page.locator(".tbwidget").first
    assert notebook.js("return [...document.querySelectorAll('.tbwidget-runs li')].map(li => li.dataset.run)") == [
        "a",
        "b",
    ]
    # Four checkpoints: at steps 0, 20 and 40 of one run, at 40 of the other.
    marks = notebook.card("loss").locator(".tbwidget-step-mark")
    expect(marks).to_have_count(3)
    expect(marks.last).to_have_text("2")
    assert Access(notebook).small_targets(".tbwidget-step-mark") == []
    expect(marks.nth(1)).to_have_attribute(
        "title", re.compile("^Checkpoint: a\nstep 20 · epoch 1 · epoch=1-step=20[.]ckpt")
    )
    expect(root.locator("li[data-run=a] [role=gridcell]").last).to_have_text("3 · 40")

    marks.last.click()
    dialog = root.get_by_role("dialog", name="Checkpoints")
    expect(dialog.locator("section[data-run]")).to_have_count(2)
    hostile = dialog.locator("section[data-run=b] > ul > li")
    expect(hostile.locator("img")).to_have_count(0)
    hostile.get_by_role("button", name="Copy Python").click()
    expect(hostile.get_by_role("status")).to_have_text("Copied")
    line = notebook.page.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(r"state = torch[.]load\(.*, weights_only=True\)", line, re.DOTALL)
    call = ast.parse(line).body[0].value
    assert ast.literal_eval(call.args[0]) == os.fspath(folder / "b" / HOSTILE)
    if "CHECKPOINT_PICTURE" in os.environ:
        notebook.picture(Path(os.environ["CHECKPOINT_PICTURE"]))
    notebook.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)

    # The list of a run, and its best checkpoint by a metric: the loss of this run is least at step 20.
    row = root.locator("li[data-run=a]")
    row.hover()
    row.get_by_role("button", name="Checkpoints of a").click()
    best = dialog.locator(".tbwidget-checkpoint-best")
    expect(best.get_by_role("combobox", name="Which value is best")).to_have_value("lowest")
    expect(best).to_contain_text("0 at step 20")
    expect(best.locator("li")).to_have_attribute("data-step", "20")
    best.get_by_role("button", name="Copy path").click()
    expect(best.get_by_role("status")).to_have_text("Copied")
    path = notebook.page.evaluate("navigator.clipboard.readText()")
    assert path == os.fspath(folder / "a" / "epoch=1-step=20.ckpt")
    notebook.page.keyboard.press("Escape")

    # A new one is marked while the cell still runs, and the marks can be hidden.
    (folder / "a" / "epoch=0-step=10.ckpt").touch()
    expect(marks).to_have_count(4)
    root.get_by_role("button", name="Lines", exact=True).click()
    root.get_by_role("checkbox", name="Checkpoints").uncheck()
    expect(marks).to_have_count(0)
    notebook.page.keyboard.press("Escape")
    notebook.release("checkpoints")
    assert notebook.end_of_cell(1) == ""
