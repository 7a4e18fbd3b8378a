"""The list of runs as a table, while a cell is busy; and its newest runs out of hundreds."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.cells import hold
from tests.support.eventfiles import NAME, event, simple, write
from tests.support.trials import started

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

SHOW = """
import tbwidget
from IPython.display import display
board = tbwidget.Dashboard({logs!r})
display(board)
"""

CHOSEN = "print(board.run_columns, board.run_sort, board.group_by, board.run_color_by, board.run_names)"

RATES = [3.0, 10.0, 1.0, 0.5, 20.0, 2.0, 5.0, 0.1]
"""Rates of the runs, in the order of their names; the losses are their squares."""

_RUNS = "return [...document.querySelectorAll('.tbwidget-runs li[data-run]')].map(row => row.dataset.run)"
_SHOWN = _RUNS.replace("li[data-run]", "li[data-run][data-shown]")
_COLORS = """return [...document.querySelectorAll('.tbwidget-runs li[data-run] .tbwidget-swatch')]
    .map(swatch => swatch.style.getPropertyValue('--tbwidget-run'))"""


def write_trials(folder: Path) -> None:
    for number, rate in enumerate(RATES):
        run = folder / ("even" if number % 2 == 0 else "odd") / f"trial{number}"
        values = [event(1.7e9 + 60 * step, step, simple("loss", rate**2 + 4 - step)) for step in range(5)]
        write(run / NAME, event(1.7e9, 0, started(rate=rate, parity=("even", "odd")[number % 2])), *values)


def cells(root: Locator, run: str) -> list[str]:
    return root.locator(f".tbwidget-runs li[data-run='{run}'] [role=gridcell]").all_inner_texts()


def until(notebook: NotebookPage, body: str, wanted: list[str]) -> None:
    notebook.wait(f"return JSON.stringify((() => {{ {body} }})()) === JSON.stringify(arg)", arg=wanted)


def sort_by_columns(notebook: NotebookPage, root: Locator) -> None:
    """Add columns, and sort by them."""
    menu = root.locator(".tbwidget-runs-head").get_by_role("button", name="Table").first
    menu.click()
    for name in ("Last step", "Duration", "rate"):
        root.get_by_role("checkbox", name=name, exact=True).check()
    root.get_by_label("Statistic").select_option("min")
    root.get_by_label("Tag", exact=True).fill("loss")
    root.get_by_role("button", name="Add").click()
    root.get_by_role("columnheader", name="min loss").wait_for()
    assert cells(root, "odd/trial1") == ["100", "4", "4\u202fmin", "10", "100"]
    notebook.page.keyboard.press("Escape")
    title = root.get_by_role("columnheader", name="min loss")
    title.get_by_role("button").click()
    by_loss = ["odd/trial7", "odd/trial3", "even/trial2", "odd/trial5", "even/trial0", "even/trial6", "odd/trial1"]
    until(notebook, _RUNS, [*by_loss, "even/trial4"])
    title.get_by_role("button").click()
    until(notebook, _RUNS, ["even/trial4", *reversed(by_loss)])
    expect(title).to_have_attribute("aria-sort", "descending")


def save_as_csv(notebook: NotebookPage, root: Locator) -> None:
    """Save the table."""
    menu = root.locator(".tbwidget-runs-head").get_by_role("button", name="Table").first
    menu.click()
    with notebook.page.expect_download() as saved:
        root.get_by_role("button", name="CSV").click()
    rows = list(csv.reader(Path(saved.value.path()).read_text("utf-8").splitlines()))
    assert rows[:2] == [
        ["run", "last:loss", "last_step", "duration_s", "hparam:rate", "min:loss"],
        ["even/trial4", "400", "4", "240", "20", "400"],
    ]
    assert len(rows) == 9


def group_and_color(notebook: NotebookPage, root: Locator) -> None:
    """Fold and hide groups, and select the best."""
    notebook.page.keyboard.press("Escape")
    menu = root.locator(".tbwidget-runs-head").get_by_role("button", name="Group").first
    menu.click()
    root.get_by_label("Group by").select_option("folder")
    assert len(set(notebook.js(_COLORS))) == 2
    root.get_by_label("Color by").select_option("hparam:parity")
    notebook.page.keyboard.press("Escape")
    root.get_by_role("checkbox", name="Runs of even").uncheck()
    until(notebook, _SHOWN, ["odd/trial1", "odd/trial5", "odd/trial3", "odd/trial7"])
    fold = root.get_by_role("button", name="Show or hide the runs of even")
    expect(fold).to_have_text(re.compile(r"^\s*even\s*0/4\s*$"))
    colors = notebook.js(_COLORS)
    assert [len(set(colors[:4])), len(set(colors[4:])), len(set(colors))] == [1, 1, 2]
    assert [row.get_attribute("data-group") for row in root.locator("[data-group]").all()] == ["even", "odd"]
    fold.click()
    until(notebook, _RUNS, ["odd/trial1", "odd/trial5", "odd/trial3", "odd/trial7"])
    fold.click()
    root.locator(".tbwidget-runs-head").get_by_role("button", name="Table").first.click()
    root.locator(".tbwidget-runs").get_by_role("button", name="Select", exact=True).first.click()
    root.get_by_label("How many").fill("3")
    root.get_by_label("Tag", exact=True).fill("loss")
    form = root.locator("form").filter(has=notebook.page.get_by_label("How many"))
    form.get_by_role("button", name="Select").click()
    until(notebook, _SHOWN, ["even/trial2", "odd/trial3", "odd/trial7"])
    notebook.page.keyboard.press("Escape")


def rename_and_resize(notebook: NotebookPage, root: Locator) -> None:
    """Give a column another name and another width, by keys."""
    row = root.locator(".tbwidget-runs li[data-run='odd/trial7']")
    row.locator("input").focus()
    notebook.page.keyboard.press("F2")
    row.get_by_role("textbox").fill("the <b>best</b>")
    notebook.page.keyboard.press("Enter")
    row.locator(".tbwidget-run-name").filter(has_text="the <b>best</b>").wait_for()
    notebook.plot("loss").hover()
    root.get_by_role("tooltip").get_by_text("the <b>best</b>").wait_for()
    edge = root.get_by_role("separator", name="Width of the list of runs")
    before = notebook.js("return document.querySelector('.tbwidget-runs').offsetWidth")
    edge.focus()
    notebook.page.keyboard.press("ArrowLeft")
    notebook.wait("return document.querySelector('.tbwidget-runs').offsetWidth < arg", arg=before)
    drag_from_right_to_left(notebook, edge)


def drag_from_right_to_left(notebook: NotebookPage, edge: Locator) -> None:
    """Check that right-to-left pages have the list on the right, and that its edge follows the pointer."""
    width = "return document.querySelector('.tbwidget-runs').offsetWidth"
    edge.evaluate("edge => { edge.closest('.tbwidget').style.direction = 'rtl'; }")
    box = edge.bounding_box()
    assert box is not None
    before = notebook.js(width)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    notebook.page.mouse.move(x, y)
    notebook.page.mouse.down()
    notebook.page.mouse.move(x + 30, y)
    notebook.page.mouse.move(x + 60, y)
    notebook.page.mouse.up()
    notebook.wait(f"{width} === arg", arg=before - 60)
    edge.press("ArrowRight")
    notebook.wait(f"{width} === arg", arg=before - 76)
    edge.evaluate("edge => { edge.closest('.tbwidget').style.direction = ''; }")


def test_runs_are_a_table_that_sorts_groups_selects_and_colors_while_a_cell_is_busy(
    server: JupyterServer, open_notebook: Open
) -> None:
    write_trials(server.root / "table-runs")
    server.write_notebook("table.ipynb", [SHOW.format(logs="table-runs"), hold("table"), CHOSEN])
    notebook = open_notebook("table.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_last_steps({"loss": "4"})
    notebook.start_cell(1)
    notebook.wait("return running(cells[1])")
    root = notebook.page.locator(".tbwidget")
    even, odd = ([f"{name}/trial{n}" for n in range(first, 8, 2)] for name, first in (("even", 0), ("odd", 1)))
    until(notebook, _RUNS, [*even, *odd])

    sort_by_columns(notebook, root)
    save_as_csv(notebook, root)
    group_and_color(notebook, root)
    rename_and_resize(notebook, root)
    assert notebook.busy(1), "all that was to happen without the kernel"
    notebook.release("table")
    notebook.end_of_cell(1)
    columns = "['steps', 'duration', 'hparam:rate', 'min:loss']"
    notebook.wait_for_output(2, f"{columns} -min:loss folder hparam:parity {{'odd/trial7': 'the <b>best</b>'}}")
    assert notebook.errors == []


def test_the_newest_of_hundreds_of_runs_are_shown_and_few_rows_exist(
    server: JupyterServer, open_notebook: Open
) -> None:
    count = 600
    for number in range(count):
        # The runs in the middle began last.
        time = 1.7e9 - 100 * abs(number - 300.4)
        write(server.root / "newest-runs" / f"run{number}" / NAME, event(time, 0, simple("loss", number)))
    server.write_notebook("newest.ipynb", [SHOW.format(logs="newest-runs"), "print(board.selected_runs)"])
    notebook = open_notebook("newest.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_last_steps({"loss": "0"})
    pane = notebook.page.locator(".tbwidget-runs")
    pane.get_by_text("Newest 50 of 600 shown").wait_for()
    shown = [f"run{number}" for number in range(276, 326)]
    found = notebook.steady(_SHOWN)
    assert found == shown[: len(found)]
    expect(pane.locator("li[data-shown]").first, "the list opens where the newest are").to_be_in_viewport()
    notebook.wait_for_output(1, "None")
    assert pane.locator("li").count() <= 100
    pane.locator("li input").first.focus()
    notebook.page.keyboard.press("End")
    notebook.wait("return document.activeElement.closest('li')?.dataset.run === arg", arg=f"run{count - 1}")
    assert pane.locator("li").count() <= 100
    box = pane.get_by_label("Filter runs")
    box.fill("un5.$")
    until(notebook, _RUNS, [f"run{number}" for number in range(50, 60)])
    assert set(pane.locator("mark").all_inner_texts()) == {f"un{number}" for number in range(50, 60)}
    box.fill("")
    notebook.wait("return document.querySelector('.tbwidget-runs [data-rows]').dataset.rows === arg", arg=str(count))
    pane.get_by_role("button", name="Show all runs").click()
    pane.get_by_text("Newest 50").wait_for(state="detached")
    pane.locator("li input").first.focus()
    notebook.page.keyboard.press("Home")
    notebook.wait("return document.activeElement.closest('li')?.dataset.run === 'run0'")
    notebook.page.keyboard.press("Space")
    notebook.wait_for_output(1, repr([f"run{number}" for number in range(1, count)]))
    assert notebook.errors == []


WRITE_UNDRAWN = """
import numpy as np
from tensorboardX import SummaryWriter
from tensorboardX.proto.summary_pb2 import Summary, SummaryMetadata
from tensorboardX.proto.tensor_pb2 import TensorProto
with SummaryWriter("undrawn-runs/rest") as writer:
    writer.add_pr_curve("class 1", np.array([0, 1, 1]), np.array([0.1, 0.4, 0.9]), 3)
    metadata = SummaryMetadata(plugin_data=SummaryMetadata.PluginData(plugin_name="own"))
    value = {"tag": "weights", "tensor": TensorProto(dtype="DT_FLOAT", float_val=[1, 2]), "metadata": metadata}
    value["tensor"].tensor_shape.dim.add(size=2)
    writer.file_writer.add_summary(Summary(value=[Summary.Value(**value)]), 3)
"""


def test_data_without_a_tab_are_named_with_their_python_call(server: JupyterServer, open_notebook: Open) -> None:
    write_trials(server.root / "undrawn-runs")
    show = SHOW.format(logs="undrawn-runs")
    server.write_notebook("undrawn.ipynb", [WRITE_UNDRAWN, show])
    notebook = open_notebook("undrawn.ipynb")
    notebook.run_cell(0)
    notebook.run_cell(1)
    root = notebook.page.locator(".tbwidget")
    line = root.locator(".tbwidget-undrawn")
    expect(line).to_contain_text("Also logged: tensors.")
    expect(line.locator("code")).to_have_text(["logs.tensors(run, tag)"])
    assert notebook.errors == []
