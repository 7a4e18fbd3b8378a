"""Ranges of steps have names, which stand in the step charts of all panels."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.cells import hold
from tests.support.eventfiles import NAME, event, histogram, simple, write

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

HOSTILE = "<b>drop</b>"
DASH = "\u2013"
LOGGED = re.compile(r"^(4|8|12|16|20|24)$")  # steps that were logged

SHOW = """
import tbwidget
from IPython.display import display
board = tbwidget.Dashboard("named")
display(board)
"""

# The steps of named ranges, measured on the strip of all steps, which are 0 to 40.
ON_STRIP = """
return [...document.querySelectorAll('.tbwidget-overview-named')].map(({ style }) => {
    const [first, length] = [style.insetInlineStart, style.width].map(share => parseFloat(share) * 0.4);
    return `${Math.round(first)} to ${Math.round(first + length)}`;
}).join() === '8 to 20'
"""

FROM_PYTHON = """
board.named_ranges = [*board.named_ranges, ("resumed", 2**60, 2**60 + 1)]
try:
    board.named_ranges = [("backwards", 2, 1)]
except Exception as error:
    print(error)
"""


def write_runs(server: JupyterServer) -> None:
    for run in ("first", "second"):
        events = [event(1.7e9, version="brain.Event:2")]
        for step in range(0, 44, 4):
            events.append(event(1.7e9 + step, step, simple("loss", float(step)), histogram("weights", [1, 2], [3, 4])))
            events.append(event(1.7e9 + step, step, simple("part", step / 40)))
        write(server.root / "named" / run / NAME, *events)


def test_a_range_is_named_while_a_cell_runs_and_stands_in_all_panels(
    server: JupyterServer, open_notebook: Open
) -> None:
    write_runs(server)
    cells = [SHOW, hold("named"), "print(board.named_ranges, board.profile['named_ranges'])", FROM_PYTHON]
    server.write_notebook("named.ipynb", cells)
    notebook = open_notebook("named.ipynb", size=(1400, 1000))
    root = notebook.page.locator(".tbwidget")
    notebook.run_cell(0)
    notebook.start_cell(1)
    notebook.wait("return document.querySelectorAll('.tbwidget [data-last-step=\"40\"]').length === 2")
    notebook.wait("return running(cells[1])")

    name_steps(notebook, root)
    zoom_to_it(notebook, root)
    assert notebook.busy(1), "all that was to happen without the kernel"

    notebook.release("named")
    notebook.end_of_cell(1)
    notebook.wait_for_output(2, f"[('{HOSTILE} 2', 8, 20)] [['{HOSTILE} 2', 8, 20]]")
    assert "the first step comes first, unlike in ('backwards', 2, 1)" in notebook.run_cell(3)
    root.get_by_role("tab", name="Scalars").click()
    listed = root.get_by_role("list", name="Named ranges of steps").get_by_role("button")
    expect(listed).to_have_count(2)
    notebook.sleep(1)
    notebook.save()

    notebook.reload()
    named_in(notebook, "loss").wait_for()
    if listed.count() == 0:
        root.get_by_role("button", name="Values", exact=True).click()
    expect(listed).to_have_count(2)
    remove_it(notebook, root, listed)
    assert notebook.errors == []


def named_in(notebook: NotebookPage, tag: str) -> Locator:
    """Find the name of the range in a chart."""
    return notebook.card(tag).get_by_role("button", name=f"{HOSTILE} 2: steps 8 {DASH} 20", exact=True)


def name_steps(notebook: NotebookPage, root: Locator) -> None:
    """Select steps and name them; another name replaces the first."""
    notebook.page.keyboard.down("Control")
    notebook.drag(notebook.plot("loss"), (0.12, 0.5), (0.52, 0.5))
    notebook.page.keyboard.up("Control")
    table = root.get_by_role("region", name="Table of values")
    for label in ("First selected step", "Last selected step"):
        expect(table.get_by_role("textbox", name=label)).to_have_value(LOGGED)
    for label, step in (("First selected step", "8"), ("Last selected step", "20")):
        table.get_by_role("textbox", name=label).fill(step)
        table.get_by_role("textbox", name=label).press("Enter")
    name = table.get_by_label("Name of the selected steps")
    name.fill(HOSTILE)
    name.press("Enter")
    listed = table.get_by_role("list").get_by_role("button")
    expect(listed).to_have_text([f"{HOSTILE} 8 {DASH} 20"])
    # The steps keep their text direction, whatever the name's is.
    expect(listed.locator("bdi")).to_have_text(HOSTILE)
    expect(listed).to_have_attribute("aria-pressed", "true")
    assert root.locator("b", has_text="drop").count() == 0
    name.fill(f"{HOSTILE} 2")
    name.press("Enter")
    expect(listed).to_have_text([f"{HOSTILE} 2 8 {DASH} 20"])
    for tag in ("loss", "part"):
        expect(named_in(notebook, tag)).to_have_count(1)
    notebook.wait(ON_STRIP)
    root.get_by_role("button", name="Relative", exact=True).click()
    expect(named_in(notebook, "loss")).to_have_count(1)
    # The strip is below the slider, which is alone now, as in panels of items.
    expect(root.locator(".tbwidget-overview[data-still]")).to_have_count(1)
    notebook.wait(ON_STRIP)
    root.get_by_role("button", name="Step", exact=True).click()


def zoom_to_it(notebook: NotebookPage, root: Locator) -> None:
    """In another panel, a click on the name zooms to the range, another click back."""
    root.get_by_role("tab", name="Distributions").click()
    in_first = named_in(notebook, "weights")
    expect(in_first).to_have_count(2)  # in the plots of both runs
    in_first.last.click()
    chip = root.get_by_role("button", name=re.compile(f"^Steps 8 {DASH} 20 "))
    chip.wait_for()
    in_first.last.click()
    chip.wait_for(state="detached")
    root.get_by_role("tab", name="Histograms").click()
    expect(named_in(notebook, "weights")).to_have_count(2)  # beside the ridges of both runs
    pixels = "return document.querySelector('.tbwidget [data-tag=weights] canvas').toDataURL()"
    before = notebook.steady(pixels)
    in_first.last.hover()
    notebook.wait(f"{pixels} !== {json.dumps(before)}")
    root.get_by_role("button", name="Heat map").click()
    expect(named_in(notebook, "weights")).to_have_count(2)
    root.get_by_role("button", name="Overlay").click()
    expect(named_in(notebook, "weights")).to_have_count(1)  # in the row above both plots
    in_first.click()
    chip.wait_for()
    in_first.click()
    chip.wait_for(state="detached")


def remove_it(notebook: NotebookPage, root: Locator, listed: Locator) -> None:
    """The list selects the steps again; removing the name removes the range."""
    # The kernel has kept the selection.
    expect(listed.first).to_have_attribute("aria-pressed", "true")
    listed.first.focus()
    listed.first.press("ArrowRight")
    expect(listed.last).to_be_focused()
    listed.last.press("Enter")
    expect(listed.first).to_have_attribute("aria-pressed", "false")
    listed.first.click()
    table = root.get_by_role("region", name="Table of values")
    expect(table.get_by_role("textbox", name="First selected step")).to_have_value("8")
    expect(table.get_by_label("Name of the selected steps")).to_have_value(f"{HOSTILE} 2")
    table.get_by_role("button", name="remove").click()
    expect(listed).to_have_count(1)
    expect(named_in(notebook, "loss")).to_have_count(0)
    notebook.wait_for_output(2, f"[('resumed', {2**60}, {2**60 + 1})] [['resumed', '{2**60}', '{2**60 + 1}']]")
