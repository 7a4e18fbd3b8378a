"""Importance of hyperparameters and the scatter matrix, while a cell runs: brushed, pointed at, one pair large."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.cells import hold
from tests.support.eventfiles import NAME, event, simple, write
from tests.support.trials import started

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator

    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

SHOW = """
import tbwidget
board = tbwidget.HParamsView({logs!r}, plots=["scatter"], goal="metric:acc", height=900)
board
"""

SESSIONS = 40
TRIAL = """
import shutil
shutil.copytree("swept/trial-00", "swept/trial-99")
"""


def sweep(folder: Path) -> list[float]:
    """Write sessions whose accuracy follows the rate and nothing else."""
    rng = np.random.default_rng(0)
    rates = rng.permutation(SESSIONS) / SESSIONS
    scores = rates**2 + 0.01
    for place, (rate, score) in enumerate(zip(rates, scores, strict=True)):
        hparams = {"rate": float(rate), "kind": "ab"[place % 2], "same": 3.0}
        events = [event(1.7e9, 0, started(**hparams)), event(1.7e9 + 1, 1, simple("acc", float(score)))]
        write(folder / f"trial-{place:02}" / NAME, *events)
    return list(scores)


def save_picture(notebook: NotebookPage, root: Locator) -> None:
    """Save the matrix: a raster of points for each pair, texts as text, and a legend of the colors."""
    root.locator(".tbwidget-toolbar").get_by_role("button", name="Save").click()
    with notebook.page.expect_download() as made:
        root.get_by_role("button", name="Save as SVG").click()
    svg = made.value.path().read_text()
    assert svg.count("<image ") == 3
    for text in ("Scatter matrix", "rate", "kind", "acc", "η² .", " 1.00", "0.01"):
        assert text in svg
    notebook.page.keyboard.press("Escape")


def test_importance_follows_a_cell_that_runs(server: JupyterServer, open_notebook: Open) -> None:
    sweep(server.root / "swept")
    server.write_notebook("swept.ipynb", [SHOW.format(logs="swept"), TRIAL + hold("swept")])
    notebook = open_notebook("swept.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_state("idle", "live")
    root = notebook.page.locator(".tbwidget")
    importance = root.locator("[data-plot=importance]")
    bars = importance.locator("[data-column]")
    expect(bars).to_have_count(2)  # the constant one has none
    first = bars.first
    expect(first).to_have_attribute("data-column", "hparam:rate")
    expect(first).to_have_attribute("data-count", str(SESSIONS))
    assert float(first.get_attribute("data-share") or "") > 0.9
    assert float(first.get_attribute("data-correlation") or "") == pytest.approx(1)
    expect(importance).to_contain_text("Importance for acc: η² of 40 sessions")
    assert bars.last.get_attribute("data-correlation") is None
    save_picture(notebook, root)
    notebook.start_cell(1)
    expect(root.locator("[data-plot=scatter]")).to_have_attribute("data-rows", str(SESSIONS + 1))
    expect(first).to_have_attribute("data-count", str(SESSIONS + 1))
    notebook.release("swept")
    notebook.end_of_cell(1)
    assert notebook.errors == []


def test_cells_are_brushed_pointed_at_and_shown_large(server: JupyterServer, open_notebook: Open) -> None:
    scores = sweep(server.root / "brushed")
    server.write_notebook("brushed.ipynb", [SHOW.format(logs="brushed"), hold("brushed")])
    notebook = open_notebook("brushed.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_state("idle", "live")
    notebook.start_cell(1)
    root = notebook.page.locator(".tbwidget")
    plot = root.locator("[data-plot=scatter]")
    expect(plot).to_have_attribute("data-rows", str(SESSIONS))
    expect(root.locator("[data-plot=importance]")).to_have_count(1)  # the plot moves down when it appears
    cell = plot.locator("[data-x='hparam:rate'][data-y='metric:acc']").first
    cell.scroll_into_view_if_needed()
    box = cell.bounding_box()
    assert box is not None

    # A drag selects on both columns.
    mouse = notebook.page.mouse
    mouse.move(box["x"] + box["width"] / 2, box["y"] + 1)
    mouse.down()
    mouse.move(box["x"] + box["width"] * 0.7, box["y"] + box["height"] / 2, steps=3)
    mouse.move(box["x"] + box["width"] - 1, box["y"] + box["height"] - 1, steps=3)
    mouse.up()
    expect(plot).to_have_attribute("data-brushed", str(SESSIONS // 2))

    # The point of the best session is in the upper right corner.
    best = f"trial-{int(np.argmax(scores)):02}"
    tooltip = root.locator(".tbwidget-tooltip")
    mouse.move(box["x"] + box["width"] - 12, box["y"] + 10, steps=3)
    expect(tooltip).to_contain_text(best)
    expect(tooltip).to_contain_text("rate")
    mouse.move(0, 0)
    expect(tooltip).to_have_count(0)

    # A press shows one pair large; Escape goes back. The brush stays until a press in the plot.
    cell.click()
    across = plot.get_by_label("Horizontal axis")
    expect(across).to_have_value("hparam:rate")
    expect(plot).to_have_attribute("data-brushed", str(SESSIONS // 2))
    across.select_option("hparam:kind")
    across.press("Escape")
    cell.focus()
    cell.press("ArrowUp")
    expect(plot.locator(":focus")).not_to_have_attribute("data-y", "metric:acc")
    cell.click()
    plot.get_by_role("button", name="Drag to select sessions").click()
    expect(plot).not_to_have_attribute("data-brushed", str(SESSIONS // 2))
    plot.get_by_role("button", name="All columns").click()
    expect(cell).to_be_visible()
    notebook.release("brushed")
    notebook.end_of_cell(1)
    assert notebook.errors == []


def test_few_sessions_have_no_importance(server: JupyterServer, open_notebook: Open) -> None:
    for place in range(19):
        events = [event(1.7e9, 0, started(rate=place / 19)), event(1.7e9 + 1, 1, simple("acc", place))]
        write(server.root / "fewswept" / f"trial-{place:02}" / NAME, *events)
    server.write_notebook("fewswept.ipynb", [SHOW.format(logs="fewswept")])
    notebook = open_notebook("fewswept.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_state("idle", "live")
    root = notebook.page.locator(".tbwidget")
    expect(root.locator("[data-plot=scatter]")).to_have_attribute("data-rows", "19")
    expect(root.locator("[data-plot=importance]")).to_have_count(0)
    assert notebook.errors == []


def test_a_plot_that_is_turned_on_is_first_and_in_view(server: JupyterServer, open_notebook: Open) -> None:
    sweep(server.root / "turned")
    cell = "import tbwidget\nboard = tbwidget.HParamsView('turned')\nboard"
    server.write_notebook("turned.ipynb", [cell, "board.height = 300"])
    notebook = open_notebook("turned.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_state("idle", "live")
    root = notebook.page.locator(".tbwidget")
    parallel, scatter = (root.locator(f"[data-plot={name}]") for name in ("parallel", "scatter"))
    expect(parallel).to_be_visible()
    root.get_by_role("button", name="Scatter", exact=True).click()
    expect(scatter).to_be_in_viewport(ratio=0.8)
    tops = [plot.evaluate("one => one.getBoundingClientRect().top") for plot in (scatter, parallel)]
    assert tops == sorted(tops)
    # Where the plot is higher than the dashboard, the way to the table stays on the screen.
    root.get_by_role("button", name="Scatter", exact=True).click()
    expect(scatter).to_have_count(0)
    notebook.run_cell(1)
    root.get_by_role("button", name="Scatter", exact=True).click()
    expect(scatter).to_be_visible()
    notebook.page.wait_for_timeout(200)
    expect(root.get_by_role("button", name="To the table")).to_be_in_viewport()
    assert notebook.errors == []
