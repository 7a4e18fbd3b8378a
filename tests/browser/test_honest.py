"""Cards of scalars show the logged values: outliers outside the axis, the linked step, smoothing, long series."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.cells import hold
from tests.support.eventfiles import NAME, event, simple, write

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

SHOW = """
import tbwidget
board = tbwidget.Dashboard("honest-runs", linked_step=670)
board
"""

FAR = 2**53 + 1
"""A step that a double cannot distinguish from the one before."""

LONG = 5_000


def write_runs(server: JupyterServer) -> None:
    fps = [1334.0 if i in (12, 13) else 600 + 200 * math.sin(i / 9) for i in range(100)]
    series: dict[str, dict[int, float]] = {
        "a/fps": {10 * i: value for i, value in enumerate(fps)},
        "a/eval": {i * 50: 0.1 * i for i in range(14)} | {800: 40.0},
        "far/step": {FAR - 2: 1.0, FAR - 1: 2.0, FAR: 3.0},
        "long": {i: math.sin(i) for i in range(LONG)},
    }
    events = [
        event(1.7e9 + i, step, simple(tag, value))
        for tag, points in series.items()
        for i, (step, value) in enumerate(points.items())
    ]
    write(server.root / "honest-runs" / "one" / NAME, event(1.7e9, version="brain.Event:2"), *events)
    later = [event(1.7e9 + i, 10 * i + 5, simple("a/eval", 2.0)) for i in range(60)]
    write(server.root / "honest-runs" / "two" / NAME, event(1.7e9, version="brain.Event:2"), *later)


def test_cards_say_what_was_written(server: JupyterServer, open_notebook: Open) -> None:
    write_runs(server)
    said = "print(board.outliers_y, board.linked_step)"
    server.write_notebook("honest.ipynb", [SHOW, hold("honest"), said, "board.linked_step = None"])
    notebook = open_notebook("honest.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_last_steps({"a/fps": "990", "a/eval": "800"})
    notebook.start_cell(1)
    notebook.wait("return running(cells[1])")
    linked_step_is_that_of_the_values(notebook)
    short_series_are_counted(notebook)
    outliers_are_marked(notebook)
    long_series_are_named(notebook)
    steps_beyond_doubles_are_linked(notebook)
    assert notebook.busy(1), "all that was to happen without the kernel"
    notebook.release("honest")
    notebook.end_of_cell(1)
    notebook.wait_for_output(2, f"['a/fps'] {FAR}")
    notebook.run_cell(3)
    # The one value of a long series that is known exactly is its newest.
    newest = f"last {math.sin(LONG - 1):.4g}".replace("-", "\u2212")
    expect(notebook.card("long").locator("output")).to_have_text(newest)
    assert notebook.errors == []


def linked_step_is_that_of_the_values(notebook: NotebookPage) -> None:
    """Check that each of two runs has its own step: the label at the axis names both, and covers no data."""
    expect(notebook.card("a/fps").locator("output")).to_have_text(f"at 670 {600 + 200 * math.sin(67 / 9):.4g}")
    expect(notebook.card("a/eval").locator("output")).to_have_text("at 595 \u2013 650 1.3 \u2013 2")
    labels = notebook.card("a/eval").locator(".tbwidget-at-step")
    expect(labels).to_have_text(["steps 595 \u2013 650"])
    _, top, _, height = notebook.area(notebook.plot("a/eval"))
    box = labels.first.bounding_box()
    assert box is not None
    assert top + height <= box["y"] < box["y"] + box["height"] <= top + height + 26


def short_series_are_counted(notebook: NotebookPage) -> None:
    """Check that the slider counts the series drawn unsmoothed; their tooltip has no smoothed values."""
    slider = notebook.page.locator(".tbwidget-smoothing")
    notebook.wait(
        "return / series on screen are not smoothed/.test(document.querySelector('.tbwidget-smoothing').title)"
    )
    assert "Smoothing: weight" in (slider.get_attribute("title") or "")
    tooltip = notebook.page.get_by_role("tooltip")
    notebook.plot("a/fps").hover()
    tooltip.get_by_text("Smoothed", exact=True).wait_for()
    notebook.plot("a/eval").hover()
    tooltip.get_by_text("two", exact=True).wait_for()
    assert tooltip.get_by_text("Smoothed", exact=True).count() == 0
    notebook.page.mouse.move(0, 0)


def outliers_are_marked(notebook: NotebookPage) -> None:
    """Check the mark on the edge: it names the farthest value, and includes it in this card alone, by keys too."""
    card, mark = notebook.card("a/fps"), notebook.card("a/fps").locator(".tbwidget-cut")
    assert notebook.card("a/eval").locator(".tbwidget-cut").count() == 0, "the newest value is in sight"
    expect(mark).to_have_text("▲ 1\u202f334")
    expect(card.get_by_text("2 cut", exact=True)).to_have_count(1)
    mark.focus()
    notebook.page.keyboard.press("Enter")
    expect(mark).to_have_count(0)
    expect(notebook.plot("a/fps")).to_be_focused()
    expect(card.get_by_text("2 cut", exact=True)).to_have_count(0)
    card.hover()
    card.get_by_role("button", name="Chart axes").click()
    card.get_by_label("Ignore outliers").check()
    expect(mark).to_have_count(1)
    card.get_by_label("Ignore outliers").uncheck()
    expect(mark).to_have_count(0)
    notebook.page.keyboard.press("Escape")


def long_series_are_named(notebook: NotebookPage) -> None:
    notebook.scroll_to("long")
    marks = notebook.card("long").locator(".tbwidget-marks")
    expect(marks).to_have_text("≈ 5\u202f000 points")
    # The mean of a bucket is known at the linked step.
    expect(notebook.card("long").locator("output")).to_have_text(re.compile(r"^at 6\d\d ≈"))


def steps_beyond_doubles_are_linked(notebook: NotebookPage) -> None:
    """Check that a click links a step with all its digits, and another click on it unlinks it."""
    notebook.scroll_to("far/step")
    newest = notebook.page.locator(".tbwidget-step-control").get_by_role("button", name="latest")
    output = notebook.card("far/step").locator("output")
    entry = notebook.page.get_by_role("textbox", name="Step of all cards")
    entry.fill(str(FAR))
    entry.press("Enter")
    expect(output).to_have_text("at 9\u202f007\u202f199\u202f254\u202f740\u202f993 3")
    box = notebook.area(notebook.plot("far/step"))
    notebook.page.mouse.click(box[0] + box[2] - 4, box[1] + 20)
    expect(newest).to_have_attribute("aria-pressed", "true")
    entry.fill(str(FAR))
    entry.press("Enter")
    expect(newest).to_have_attribute("aria-pressed", "false")
