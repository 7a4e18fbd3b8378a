"""A run that fails while a cell trains is named in the header; the way from there to its chart needs no kernel."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.cells import hold
from tests.support.eventfiles import NAME, event, simple, write
from tests.support.trials import started

if TYPE_CHECKING:
    from playwright.sync_api import Locator

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
    # Above the axis, whose labels stand below the plot.
    assert mark.evaluate("one => one.offsetTop + one.offsetHeight <= parseFloat(one.style.top)")

    notebook.release("alerts")
    assert "('bad', 'z/value', 120, 'non-finite')" in notebook.end_of_cell(1)
    notebook.wait_for_output(2, "120 scalars")


FILLED = """
import tbwidget
tbwidget.Dashboard("filled", panel="scalars", height=640)
"""


def test_lists_can_be_used_when_a_chart_fills_the_window(server: JupyterServer, open_notebook: Open) -> None:
    rows = [event(1.7e9 + step, step, simple("loss", float("nan") if step > 5 else step)) for step in range(9)]
    write(
        server.root / "filled/bad" / NAME, event(1.7e9, version="brain.Event:2"), event(1.7e9, 0, started(lr=1)), *rows
    )
    server.write_notebook("filled.ipynb", [FILLED])
    notebook = open_notebook("filled.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_last_steps({"loss": "8"})
    page, card = notebook.page, notebook.card("loss")
    full, listed = page.locator("dialog.tbwidget-full"), page.locator(".tbwidget-popover-list")

    def choose(text: str) -> None:
        page.keyboard.press("Control+k")
        palette = page.locator(".tbwidget-palette")
        palette.get_by_role("combobox").fill(text)
        page.keyboard.press("Enter")
        expect(palette).to_have_count(0)

    def by_mark() -> None:
        full.locator(".tbwidget-step-mark").click()

    for opens in (by_mark, lambda: choose("list of alerts")):
        card.hover()
        card.get_by_role("button", name="Fill the window").click()
        expect(full).to_be_visible()
        opens()
        expect(listed.get_by_role("heading")).to_have_text("1 alert")
        expect(full).to_have_count(0)
        listed.get_by_role("list", name="Alerts").get_by_role("button").click()
        expect(listed).to_have_count(0)
        expect(card).to_be_focused()
    for panel in ("Scalars", "Hyperparameters"):
        page.get_by_role("tab", name=panel).click()
        choose("download")
        expect(listed.get_by_role("button", name="Save as CSV")).to_be_visible()
        page.keyboard.press("Escape")
        expect(listed).to_have_count(0)
    assert notebook.errors == []


LISTED = """
import tbwidget
tbwidget.ScalarsView("listed", height=640)
"""

RUNS = 30

# Whether the list is in the window and on top, and whether heading and last row show when it is scrolled to its end.
_PLACE = """list => {
    const { left, right, top, bottom, width } = list.getBoundingClientRect();
    const inside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    const covered = document.elementFromPoint(left + width / 2, bottom - 12);
    list.scrollTop = list.scrollHeight;
    const last = list.querySelector('li:last-child').getBoundingClientRect();
    const head = list.querySelector('h4').getBoundingClientRect();
    return {
        inside,
        above: list.contains(covered),
        scrolls: list.scrollTop > 0 && last.bottom <= bottom + 1,
        headed: head.top >= top && head.bottom <= top + 40,
    };
}"""

_ABOVE_CARDS = """return document.querySelector('.tbwidget-main').getBoundingClientRect().top
    - document.querySelector('.tbwidget').getBoundingClientRect().top"""


def write_listed(server: JupyterServer) -> None:
    """Write runs that end in NaN, each with a damaged record at its end."""
    for number in range(RUNS):
        path = server.root / "listed" / f"experiment/with/a/long/name/run{number}" / NAME
        rows = [event(1.7e9 + step, step, simple("loss", float("nan") if step > 5 else step)) for step in range(9)]
        write(path, event(1.7e9, version="brain.Event:2"), *rows, b"\x10" + bytes(7) + b"x" * 60)


def test_lists_of_the_header_lie_over_the_cards_and_give_the_focus_back(
    server: JupyterServer, open_notebook: Open
) -> None:
    write_listed(server)
    server.write_notebook("listed.ipynb", [LISTED])
    notebook = open_notebook("listed.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_last_steps({"loss": "8"})
    page, press = notebook.page, notebook.page.keyboard.press
    header, listed = page.locator(".tbwidget-header"), page.locator(".tbwidget-popover-list")
    alerts, problems = (header.get_by_role("button", name=f"{RUNS} {what}") for what in ("alerts", "problems"))

    for width in (1400, 620):
        notebook.resize(width, 900)
        for button in (alerts, problems):
            above = notebook.js(_ABOVE_CARDS)
            button.click()
            # Alerts that differ in their runs are one row.
            group = listed.get_by_role("button", name=f"{RUNS} runs")
            if button == alerts:
                expect(group).to_have_text(re.compile("loss *at step 6 *not finite"))
                expect(listed.get_by_role("listitem")).to_have_count(1)
                group.click()
                expect(listed.get_by_role("listitem")).to_have_count(1 + RUNS)
            expect(listed.get_by_role("heading")).to_have_text(button.get_attribute("title") or "")
            place = listed.evaluate(_PLACE)
            assert place == {"inside": True, "above": True, "scrolls": True, "headed": True}
            assert notebook.js(_ABOVE_CARDS) == above, "the cards stay where they were"
            close = listed.get_by_role("button", name="Close")
            size = close.bounding_box()
            assert size is not None
            assert min(size["width"], size["height"]) >= 24
            close.click()
            assert_closed(listed, button)
            button.press("Enter")
            # Elsewhere, arrow keys are JupyterLab's.
            press("ArrowDown")
            expect(close).to_be_focused()
            press("ArrowDown")
            press("Escape")
            assert_closed(listed, button)
            button.click()
            page.locator(".tbwidget-card-header").first.click(position={"x": 2, "y": 2})
            expect(listed).to_have_count(0)

    # From a row to its card.
    alerts.press("Enter")
    # The button that closes, then the group.
    for key in ("ArrowDown", "ArrowDown", "Enter", "ArrowDown", "End", "Home", "ArrowDown", "Enter"):
        press(key)
    expect(listed).to_have_count(0)
    expect(notebook.card("loss")).to_be_focused()
    assert notebook.errors == []


def assert_closed(listed: Locator, button: Locator) -> None:
    """The list is closed, and its button has the focus."""
    expect(listed).to_have_count(0)
    expect(button).to_be_focused()
