"""Distributions in a real notebook: plots of runs side by side with the same axes, and labels of the linked step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.page import PLOT
from tests.support.eventfiles import NAME, event, histogram, simple, write

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

RUNS = [f"width{number}" for number in range(14)]

SHOW = """
import tbwidget
from IPython.display import display
board = tbwidget.Dashboard("distributions-runs", panel="distributions", selected_runs={runs})
display(board)
"""

# For each plot: the name above it, and the steps written over it.
_PLOTS = """
const card = document.querySelector('.tbwidget [data-panel="distributions"]');
const titles = [...card?.querySelectorAll('figcaption, .tbwidget-plot-title') ?? []];
const labels = [...card?.querySelectorAll('.tbwidget-at-step:not([hidden])') ?? []].map(label => {
    const { left, width } = label.getBoundingClientRect();
    return [left + width / 2, label.textContent];
});
return [...card?.querySelectorAll('[role=group][aria-roledescription]') ?? []].map((plot, i) => {
    const { left, right } = plot.getBoundingClientRect();
    const own = labels.filter(([at]) => at >= left && at <= right).map(([, text]) => text);
    return [titles[i] === undefined || titles[i].hidden ? null : titles[i].textContent, own.join()];
});
"""


def write_runs(server: JupyterServer) -> None:
    for number, run in enumerate(RUNS):
        events = [
            event(
                1.7e9 + step,
                step,
                # Each run writes at other steps.
                histogram("weights", [1, 2, 3], [5, 5 + number, step], num=10, sum=15, sum_squares=32.5),
                simple("loss", 1 / (1 + step)),
            )
            for step in range(number, 100, 10)
        ]
        write(server.root / "distributions-runs" / run / NAME, event(1.7e9, version="brain.Event:2"), *events)


def wait_for_plots(notebook: NotebookPage, wanted: list[list[str | None]]) -> None:
    notebook.wait(f"const found = (() => {{{_PLOTS}}})(); return found.join('|') === arg.join('|')", arg=wanted)


def test_runs_stand_side_by_side_and_say_their_true_step(server: JupyterServer, open_notebook: Open) -> None:
    write_runs(server)
    cells = [
        SHOW.format(runs=RUNS[:3]),
        "board.linked_step = 55",
        "board.overlay_runs = True",
        "board.panel = 'scalars'",
    ]
    server.write_notebook("side.ipynb", cells)
    notebook = open_notebook("side.ipynb")
    notebook.run_cell(0)
    wait_for_plots(notebook, [["width0", ""], ["width1", ""], ["width2", ""]])
    expect(notebook.card("weights")).to_have_attribute("data-last-step", "92")

    notebook.run_cell(1)
    wait_for_plots(notebook, [["width0", "step 50"], ["width1", "step 51"], ["width2", "step 52"]])
    hover_shows_the_run(notebook)
    zoom_moves_all(notebook)

    # Overlaid, their steps would cover each other: one label names them.
    notebook.run_cell(2)
    wait_for_plots(notebook, [[None, "steps 50 \u2013 52"]])
    notebook.run_cell(3)
    notebook.wait("return document.querySelector('.tbwidget [data-panel=scalars] .tbwidget-at-step') !== null")
    assert notebook.errors == []


def hover_shows_the_run(notebook: NotebookPage) -> None:
    """Check that the tooltip is of the run whose plot is under the pointer, with percentiles and moments."""
    notebook.plot("weights", 1).hover()
    tooltip = notebook.page.get_by_role("tooltip")
    tooltip.wait_for()
    text = tooltip.inner_text()
    assert "width1" in text
    assert "width0" not in text
    assert "median" in text
    assert "1.5 ± 1" in text
    notebook.page.mouse.move(0, 0)


def zoom_moves_all(notebook: NotebookPage) -> None:
    """Check that a key on the first plot zooms into all of them; the card is the only stop."""
    overs = notebook.card("weights").locator(PLOT)
    assert [overs.nth(i).get_attribute("tabindex") for i in range(3)] == ["-1", "-1", "-1"]
    pictures = "return [...document.querySelectorAll('.tbwidget canvas')].map(canvas => canvas.toDataURL())"
    before = notebook.steady(pictures)
    overs.first.focus()
    notebook.page.keyboard.press("+")
    notebook.wait(f"return (() => {{{pictures}}})().every((picture, i) => picture !== arg[i])", arg=before)
    notebook.page.keyboard.press("0")
    notebook.wait(f"return (() => {{{pictures}}})().every((picture, i) => picture === arg[i])", arg=before)


def test_more_runs_than_plots_are_named(server: JupyterServer, open_notebook: Open) -> None:
    write_runs(server)
    server.write_notebook("more.ipynb", [SHOW.format(runs=None)])
    notebook = open_notebook("more.ipynb")
    notebook.run_cell(0)
    wait_for_plots(notebook, [[run, ""] for run in RUNS[:12]])
    expect(notebook.page.locator(".tbwidget-marks")).to_have_text("and 2 more")
    notebook.page.locator(".tbwidget-runs li input").nth(1).uncheck()
    wait_for_plots(notebook, [[run, ""] for run in [RUNS[0], *RUNS[2:13]]])
    assert notebook.errors == []
