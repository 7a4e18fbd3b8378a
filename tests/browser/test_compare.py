"""Runs are compared with the browser's own data: aggregates, a baseline, another tag along x, a table of values."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.cells import hold
from tests.support.eventfiles import NAME, event, simple, write

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Locator

    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

BASES = {"a/1": 1, "a/2": 3, "b/1": 10}
STEPS = range(0, 44, 4)
DASH = "\u2013"

SHOW = """
import tbwidget
from IPython.display import display
board = tbwidget.Dashboard("compare-runs", smoothing=0, tooltip_sort="name")
display(board)
"""

IN_ONE_CARD = """
cards = [{"tags": ["loss", "part"], "title": "both"}]
board.card_layout = {"version": 1, "sections": [{"name": "", "open": True, "cards": cards}]}
board.step_range, board.linked_step, board.baseline = None, None, "a/1"
"""

CHOSEN = (
    "print(board.aggregate, board.group_by, board.baseline, board.compare_as, board.x_axis, board.x_tag,"
    " board.selected_steps, board.linked_step, board.step_range)"
)


def write_runs(server: JupyterServer) -> None:
    for run, base in BASES.items():
        events = [event(1.7e9, version="brain.Event:2")]
        for step in STEPS:
            events.append(event(1.7e9 + step, step, simple("loss", float(base + step))))
            events.append(event(1.7e9 + step, step, simple("part", step / 40)))
        if run == "b/1":
            events.append(event(1.7e9, 0, simple("rare", 0.5)))
        write(server.root / "compare-runs" / run / NAME, *events)


def hover(notebook: NotebookPage, tag: str, at: tuple[float, float] = (0.5, 0.5)) -> str:
    """Return the tooltip's lines at a position, joined by bars."""
    left, top, width, height = notebook.area(notebook.plot(tag))
    notebook.page.mouse.move(0, 0)
    notebook.page.mouse.move(left + at[0] * width, top + at[1] * height)
    rows = notebook.page.get_by_role("tooltip").locator("tr")
    rows.first.wait_for()
    return "|".join(" ".join(row.replace(DASH, "to").split()) for row in rows.all_inner_texts())


def wait_for_hover(notebook: NotebookPage, tag: str, said: str) -> None:
    """Wait until the tooltip in the middle of a chart shows this."""
    found = ""
    for _ in range(50):
        found = hover(notebook, tag)
        if said in found:
            return
        notebook.sleep(0.1)
    raise AssertionError(found)


# A running cell may scroll the chart away from the pointer, which is then on nothing.
HEAR = """
heard = []
def hear(change):
    if change.new and change.new["run"] is None:
        heard.append(change.new["group"])
board.observe(hear, "hovered")
board.baseline, board.aggregate, board.group_by = None, "mean", ""
"""


def test_runs_are_compared_while_the_kernel_is_busy(server: JupyterServer, open_notebook: Open) -> None:
    write_runs(server)
    cells = [SHOW, hold("compare"), CHOSEN, "board.selected_steps = (0, 4); board.baseline = None", IN_ONE_CARD]
    cells += [HEAR, "print(heard[-1:], board.selected_steps)"]
    server.write_notebook("compare.ipynb", cells)
    notebook = open_notebook("compare.ipynb")
    root = notebook.page.locator(".tbwidget")
    notebook.run_cell(0)
    notebook.start_cell(1)
    notebook.wait("return document.querySelectorAll('.tbwidget [data-last-step=\"40\"]').length === 2")
    notebook.wait("return running(cells[1])")

    put_together(notebook, root)
    compare_with_a_run(notebook, root)
    select_steps(notebook, root)
    zoom_by_the_strip(notebook, root)
    hide_empty_cards(notebook, root)
    assert notebook.busy(1), "all that was to happen without the kernel"

    notebook.release("compare")
    notebook.end_of_cell(1)
    notebook.wait_for_output(2, "None folder a/1 difference step None (4, 20) 12 (4, 40)")
    notebook.run_cell(3)
    notebook.wait(
        "return document.querySelector('.tbwidget [data-values-run=\"a/1\"] [data-column=n]').innerText === '2'"
    )
    tags_in_one_card_are_compared_alike(notebook, root)
    assert notebook.errors == []


@contextmanager
def menu(root: Locator, name: str = "Lines") -> Iterator[Locator]:
    """Open a menu of the toolbar, and close it."""
    root.locator(".tbwidget-toolbar").get_by_role("button", name=name, exact=True).click()
    opened = root.locator(".tbwidget-action-menu")
    yield opened
    opened.press("Escape")
    opened.wait_for(state="detached")


def put_together(notebook: NotebookPage, root: Locator) -> None:
    """Show the mean of all runs, then of each folder, with a band and the number of runs."""
    wait_for_hover(notebook, "loss", "Step 20 Value")
    with menu(root) as controls:
        controls.get_by_role("button", name="Mean", exact=True).click()
    wait_for_hover(notebook, "loss", "mean of 3 runs 24.67 20.81 to 28.53 3")
    with menu(root) as controls:
        controls.get_by_label("Group by").select_option("folder")
        controls.get_by_role("button", name=f"Min{DASH}max").click()
    wait_for_hover(notebook, "loss", "|a 22 21 to 23 2|b 30 30 1")
    with menu(root) as controls:
        controls.get_by_role("group", name="Average runs").get_by_role("button", name="None").click()


def compare_with_a_run(notebook: NotebookPage, root: Locator) -> None:
    """Show a difference, a ratio, and one tag along another."""
    with menu(root) as controls:
        controls.get_by_label("Baseline").select_option("a/1")
    wait_for_hover(notebook, "loss", "|a/1 0 ")
    wait_for_hover(notebook, "loss", "|a/2 2 ")
    wait_for_hover(notebook, "loss", "|b/1 9 ")
    notebook.card("loss").get_by_text("\u2212 a/1").wait_for()
    with menu(root) as controls:
        controls.get_by_role("button", name="Ratio").click()
    wait_for_hover(notebook, "loss", "|b/1 1.429 ")
    with menu(root) as controls:
        controls.get_by_role("button", name="Difference").click()
    with menu(root, "Axes") as controls:
        controls.get_by_label("X from a tag").select_option("part")
    wait_for_hover(notebook, "loss", "|b/1 9 ")
    with menu(root, "Axes") as controls:
        controls.get_by_label("X from a tag").select_option("none")


def select_steps(notebook: NotebookPage, root: Locator) -> None:
    """Open the table by a drag with Ctrl; boxes take other steps, columns sort; a linked step is typed."""
    notebook.page.keyboard.down("Control")
    notebook.drag(notebook.plot("loss"), (0.12, 0.5), (0.52, 0.5))
    notebook.page.keyboard.up("Control")
    table = root.get_by_role("region", name="Table of values")
    table.wait_for()
    table.get_by_role("textbox", name="First selected step").fill("4")
    table.get_by_role("textbox", name="First selected step").press("Enter")
    cells = table.locator('[data-values-run="a/2"][data-values-tag="loss"] td')
    notebook.wait(
        "return document.querySelector('.tbwidget [data-values-run=\"a/2\"] [data-column=minStep]')?.innerText === '4'"
    )
    assert cells.all_inner_texts() == ["a/2", "loss", "5", "7", "23", "16", "228.6", "7", "23", "15", "4", "20"]
    table.get_by_role("button", name="Max", exact=True).click()
    expect(table.locator("tbody tr").first.locator("td").first).to_have_text("b/1")
    with notebook.page.expect_download() as download:
        table.get_by_role("button", name="CSV").click()
    lines = download.value.path().read_text("utf-8").splitlines()
    assert lines[:2] == ["run,tag,n,start,end,change,percent,min,max,mean,minStep,maxStep", CSV_FIRST]
    entry = root.get_by_role("textbox", name="Step of all cards")
    entry.fill("12")
    entry.press("Enter")
    expect(root.get_by_role("button", name="latest")).to_have_attribute("aria-pressed", "false")
    expect(entry).to_have_value("12")


CSV_FIRST = "b/1,loss,5,14,30,16,114.28571428571429,14,30,22,4,20"


def zoom_by_the_strip(notebook: NotebookPage, root: Locator) -> None:
    """Move the handles of the strip by keys and by drags; a chip shows the visible steps."""
    first = root.get_by_role("slider", name="First visible step")
    first.focus()
    for _ in range(4):
        first.press("ArrowRight")
    root.get_by_role("button", name=f"Steps 4 {DASH} 40 ").wait_for()
    last = root.get_by_role("slider", name="Last visible step")
    box = last.bounding_box()
    assert box is not None
    notebook.page.mouse.move(box["x"] + 3, box["y"] + 8)
    notebook.page.mouse.down()
    notebook.page.mouse.move(box["x"] - 100, box["y"] + 8, steps=4)
    notebook.wait("return Number(document.querySelectorAll('.tbwidget-overview-handle')[1].ariaValueNow) < 40")
    notebook.page.mouse.move(box["x"] + 60, box["y"] + 8, steps=4)
    notebook.page.mouse.up()
    root.get_by_role("button", name=f"Steps 4 {DASH} 40 ").wait_for()


def hide_empty_cards(notebook: NotebookPage, root: Locator) -> None:
    """Check that a tag of a hidden run has no card until the user asks for it."""
    rare = notebook.card("rare")
    rare.wait_for()
    box = root.locator(".tbwidget-runs li input[type=checkbox]").last
    box.uncheck()
    rare.wait_for(state="detached")
    empty = root.locator(".tbwidget-main").get_by_role("checkbox", name="Show empty charts")
    empty.check()
    rare.wait_for()
    empty.uncheck()
    box.check()
    rare.wait_for()


def tags_in_one_card_are_compared_alike(notebook: NotebookPage, root: Locator) -> None:
    """Check the same for a card of both tags; steps reach Python with all their digits."""
    notebook.run_cell(4)
    wait_for_hover(notebook, "loss", "|a/2 loss 2 ")
    assert "|b/1 loss 9 " in hover(notebook, "loss")
    assert "|b/1 part 0 " in hover(notebook, "loss")
    notebook.card("loss").get_by_text("\u2212 a/1").wait_for()
    notebook.run_cell(5)
    wait_for_hover(notebook, "loss", "|mean of 3 runs loss 24.67 ")
    last = root.get_by_role("textbox", name="Last selected step")
    last.fill(str(2**60 + 1))
    last.press("Enter")
    said, wanted = "", f"['mean of 3 runs'] (0, {2**60 + 1})"
    for _ in range(20):
        # Python receives it a moment later, and only while the pointer is on the chart.
        hover(notebook, "loss")
        notebook.sleep(0.5)
        said = notebook.run_cell(6).strip()
        if said == wanted:
            break
    assert said == wanted
