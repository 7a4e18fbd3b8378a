"""The list of runs shows for each run its course and last value, its state, its group, its name."""

from __future__ import annotations

import math
import re
import time
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.cells import hold
from tests.support.eventfiles import NAME, event, simple, write

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer

SHOW = """
import tbwidget
from IPython.display import display
board = tbwidget.Dashboard({logs!r})
display(board)
"""

_COLORS = """return new Set([...document.querySelectorAll('.tbwidget-runs li .tbwidget-swatch')]
    .map(swatch => swatch.style.getPropertyValue('--tbwidget-run'))).size === arg"""


_FIT = """return [...document.querySelectorAll('.tbwidget-run-name')]
    .every(name => name.scrollWidth <= name.clientWidth)"""


def write_run(folder: Path, losses: list[float], *, ended: float = 1.7e9) -> None:
    """Write losses a second apart, the last one at this time."""
    count = len(losses)
    events = [event(ended - count + 1 + step, step, simple("loss", loss)) for step, loss in enumerate(losses)]
    rates = [event(ended - count + 1 + step, step, simple("rate", 0.5)) for step in range(count)]
    write(folder / NAME, event(ended - count, version="brain.Event:2"), *events, *rates)


def test_each_run_shows_its_results_while_a_cell_is_busy(server: JupyterServer, open_notebook: Open) -> None:
    logs = server.root / "headline-runs"
    write_run(logs / "ended", [4, 3, 2])
    write_run(logs / "running", [4, 3, 1], ended=time.time())
    write_run(logs / "spoilt", [4, 3, math.nan])
    train = f"""
import tensorboardX
with tensorboardX.SummaryWriter("headline-runs/running") as writer:
    writer.add_scalar("loss", 0.25, 9)
{hold("headline")}
"""
    choose = "print(board.headline_tag)"
    server.write_notebook(
        "headline.ipynb", [SHOW.format(logs="headline-runs"), train, choose, "board.headline_tag = ''"]
    )
    notebook = open_notebook("headline.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_last_steps({"loss": "2"})
    pane = notebook.page.locator(".tbwidget-runs")
    row = {name: pane.locator(f"li[data-run='{name}']") for name in ("ended", "running", "spoilt")}
    expect(pane.get_by_role("columnheader")).to_have_text(["Name▲", "last loss"])
    for name, value, state in (("ended", "2", "ended"), ("running", "1", "running"), ("spoilt", "NaN", "not finite")):
        expect(row[name].get_by_role("gridcell")).to_have_text(value)
        expect(row[name].get_by_role("img", name=state, exact=True)).to_be_visible()
    before = row["running"].locator("path").get_attribute("d")

    notebook.start_cell(1)
    expect(row["running"].get_by_role("gridcell")).to_have_text("0.25")
    expect(row["running"].locator("path")).not_to_have_attribute("d", before or "")
    pane.locator(".tbwidget-runs-head").get_by_role("button", name="Table").first.click()
    pane.get_by_label("Headline tag").select_option("rate")
    notebook.page.keyboard.press("Escape")
    expect(row["ended"].get_by_role("gridcell")).to_have_text("0.5")
    expect(pane.get_by_role("columnheader")).to_have_text(["Name▲", "last rate"])
    pane.get_by_role("columnheader", name="last rate").get_by_role("button").click()
    expect(pane.get_by_role("columnheader", name="last rate")).to_have_attribute("aria-sort", "ascending")
    assert notebook.busy(1), "all that was to happen without the kernel"
    notebook.release("headline")
    notebook.end_of_cell(1)
    notebook.wait_for_output(2, "rate")
    notebook.run_cell(3)
    expect(pane.get_by_role("gridcell")).to_have_count(0)
    assert notebook.errors == []


def test_many_runs_are_colored_by_their_few_groups_until_that_is_undone(
    server: JupyterServer, open_notebook: Open
) -> None:
    for number in range(14):
        folder = server.root / "grouped-runs" / ("adam" if number % 2 else "sgd")
        write_run(folder / f"seed{number}", [4.0 + number, 3, 2])
    chosen = "print([board.group_by], board.run_color_by, board.aggregate, board.band)"
    explicit = "board.close(); tbwidget.show('grouped-runs', run_color_by='run')"
    server.write_notebook("grouped.ipynb", [SHOW.format(logs="grouped-runs"), chosen, chosen, chosen, explicit])
    notebook = open_notebook("grouped.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_last_steps({"loss": "2"})
    root = notebook.page.locator(".tbwidget")
    pane = notebook.page.locator(".tbwidget-runs")
    notebook.wait(_COLORS, arg=2)
    notebook.wait_for_output(1, "[''] auto None std")
    means = pane.get_by_role("checkbox", name="Means with bands")
    means.check()
    expect(pane.locator("[data-group]")).to_have_count(2)
    # The drawn groups are listed, with the last values of their means; their runs are folded.
    adam = pane.locator("[data-group]").filter(has_text="adam")
    expect(adam).to_contain_text("2")
    expect(pane.locator("li[data-run]")).to_have_count(0)
    adam.get_by_role("button").first.click()
    expect(pane.locator("li[data-run='adam/seed1'] .tbwidget-run-name")).to_have_text("seed1")
    expect(pane.locator("li[data-run='adam/seed1'] label")).to_have_attribute("title", re.compile("^adam/seed1\n"))
    expect(root.locator("[data-tag=loss] output")).to_contain_text("2")
    notebook.wait_for_output(2, "['folder'] group mean std")

    pane.get_by_role("button", name="2 groups").click()
    notebook.wait(_COLORS, arg=14)
    expect(pane.locator("[data-group]")).to_have_count(0)
    expect(means).to_have_count(0)
    notebook.wait_for_output(3, "[''] run None std")
    notebook.run_cell(0)
    notebook.wait_for_last_steps({"loss": "2"})
    notebook.wait(_COLORS, arg=14)
    pane.locator(".tbwidget-runs-head").get_by_role("button", name="Group").first.click()
    pane.get_by_label("Group by").select_option("folder")
    notebook.wait(_COLORS, arg=2)
    # In the menu, and beside the groups that it is about.
    expect(means).to_have_count(2)
    means.first.check()
    expect(means.last).to_be_checked()
    pane.get_by_label("Color by").select_option("auto")
    notebook.page.keyboard.press("Escape")
    notebook.wait(_COLORS, arg=2)
    notebook.run_cell(4)
    notebook.wait(_COLORS, arg=14)
    assert notebook.errors == []


def test_names_take_one_line_and_no_button_covers_them(server: JupyterServer, open_notebook: Open) -> None:
    names = [f"experiment_of_a_long_name_lr{rate}_decay0.01_seed{seed}" for rate in (0.1, 0.25) for seed in range(3)]
    for name in [*names, "experiment_of_a_long_name_lr0.9\ndecay0.01_seed0"]:
        write_run(server.root / "named-runs" / name, [4, 3, 2])
    server.write_notebook("named.ipynb", [SHOW.format(logs="named-runs")])
    notebook = open_notebook("named.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_last_steps({"loss": "2"})
    pane = notebook.page.locator(".tbwidget-runs")
    rows = pane.locator("li")
    shown = rows.locator(".tbwidget-run-name")
    for width in (1_400, 1_000):
        notebook.resize(width, 900)
        notebook.steady("return document.querySelector('.tbwidget-runs').offsetWidth")
        assert all(
            box is not None and box["height"] <= 24
            for part in (rows, shown)
            for box in (one.bounding_box() for one in part.all())
        )
        texts = shown.all_inner_texts()
        assert all(text.startswith("…") and text.endswith(str(i % 3)) for i, text in enumerate(texts))
        assert len(set(texts)) == len(names) + 1
        assert notebook.js(_FIT)
        assert pane.get_by_role("checkbox", name=names[0], exact=True).count() == 1
        rows.first.hover()
        label, only = shown.first.bounding_box(), rows.first.get_by_role("button", name="Only").bounding_box()
        assert label is not None
        assert only is not None
        assert label["x"] + label["width"] <= only["x"]
    notebook.resize(1_400, 900)
    assert notebook.errors == []
