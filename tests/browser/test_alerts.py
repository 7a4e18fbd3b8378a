"""A run that fails while a cell trains is named in the header; the way from there to its chart needs no kernel."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.cells import hold

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer

SHOW = """
import os, tbwidget
board = tbwidget.Dashboard("alerts", panel="hparams")
board
"""

TRAIN = """
from tensorboardX import SummaryWriter
import time
good, bad = SummaryWriter("alerts/good"), SummaryWriter("alerts/bad")
good.add_hparams({"lr": 0.1}, {"acc": 1}, name="trial")
for step in range(200):
    good.add_scalar("z/value", 1 / (1 + step), step)
    bad.add_scalar("z/value", float("nan") if step >= 120 else 1 / (1 + step), step)
    for number in range(30):
        good.add_scalar(f"a/{number}", number, step) if step % 50 == 0 else None
good.flush(), bad.flush()
"""

END = """
print([(alert.run, alert.tag, alert.step, alert.rule) for alert in board.alerts])
print(board.linked_step, board.panel)
"""


def test_a_run_that_turns_to_nan_while_a_cell_trains(server: JupyterServer, open_notebook: Open) -> None:
    cells = [SHOW, TRAIN + hold("alerts") + END, "print(board.linked_step, board.panel)"]
    server.write_notebook("alerts.ipynb", cells)
    notebook = open_notebook("alerts.ipynb")
    notebook.run_cell(0)
    notebook.start_cell(1)

    page = notebook.page
    page.locator(".tbwidget-header").get_by_role("button", name="1 alert").click()
    alert = page.get_by_role("list", name="Alerts").get_by_role("listitem")
    expect(alert).to_have_text(re.compile("bad.*z/value.*at step 120.*the value is NaN"))
    alert.get_by_role("button").click()
    card = notebook.card("z/value")
    expect(card).to_be_in_viewport()
    mark = card.locator(".tbwidget-step-mark")
    expect(mark).to_have_attribute("data-kind", "alert")
    expect(mark).to_have_attribute("title", re.compile("^Alert: bad.*at step 120.*the value is NaN"))
    expect(mark).to_have_attribute("aria-label", "Alert: bad, Step 120")
    # Above the axis, whose labels stand below it.
    assert mark.evaluate("one => one.offsetTop + one.offsetHeight <= parseFloat(one.style.top)")

    notebook.release("alerts")
    assert "('bad', 'z/value', 120, 'non-finite')" in notebook.end_of_cell(1)
    notebook.wait_for_output(2, "120 scalars")
