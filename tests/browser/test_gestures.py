"""Gestures and keys in a chart, and in the list of runs."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.cells import hold
from tests.browser.conftest import Open
from tests.browser.jupyter import KERNEL, JupyterServer
from tests.browser.page import NotebookPage
from tests.support.eventfiles import NAME, event, simple, write

TAGS = {"accuracy": "59", "loss/train": "59", "loss/attention": "59"}

SHOW = """
import time, tbwidget
from IPython.display import display
board = tbwidget.Dashboard("gestures-runs")
display(board)
"""

COLORED = "print(board.run_colors, board.pinned)"


def opened(server: JupyterServer, open_notebook: Open, name: str, kernel: str = KERNEL) -> NotebookPage:
    """Open a notebook whose first cell has made a dashboard."""
    for run in ("first", "second"):
        events = [event(1.7e9 + 2 * i, i, simple(tag, i / 60)) for i in range(60) for tag in TAGS]
        write(server.root / "gestures-runs" / run / NAME, event(1.7e9, version="brain.Event:2"), *events)
    set_late = hold(name) + "board.smoothing = 0.3"
    server.write_notebook(f"{name}.ipynb", [SHOW, COLORED, set_late, "print(board.smoothing)"], kernel)
    page = open_notebook(f"{name}.ipynb")
    page.run_cell(0)
    page.wait_for_last_steps(TAGS)
    return page


@pytest.fixture
def notebook(server: JupyterServer, open_notebook: Open, request: pytest.FixtureRequest) -> NotebookPage:
    return opened(server, open_notebook, request.node.name)


def steps(notebook: NotebookPage) -> list[float] | None:
    """Return the visible steps that the toolbar shows; None for all."""
    found: list[float] | None = notebook.js(
        "const chip = document.querySelector('.tbwidget-chip')?.textContent;"
        "return chip ? chip.match(/[\\d.]+/g).map(Number) : null"
    )
    return found


def wait_for_steps(notebook: NotebookPage, wanted: Callable[[list[float] | None], bool]) -> list[float] | None:
    for _ in range(600):
        found = steps(notebook)
        if wanted(found):
            return found
        notebook.sleep(0.05)
    raise AssertionError(f"the steps in sight are {steps(notebook)}")


def middle(notebook: NotebookPage, tag: str) -> tuple[float, float, float]:
    """The middle of a chart in pixels of the window, and its width."""
    left, top, width, height = notebook.area(notebook.plot(tag))
    return left + width / 2, top + height / 2, width


def test_alt_and_the_wheel_zoom_shift_and_drag_move_a_double_click_shows_all(notebook: NotebookPage) -> None:
    page = notebook.page
    x, y, width = middle(notebook, "loss/train")
    page.mouse.move(x, y)
    page.mouse.wheel(0, -40)
    notebook.sleep(0.5)
    assert steps(notebook) is None, "without Alt the wheel scrolls"
    x, y, width = middle(notebook, "loss/train")
    page.mouse.move(x, y)
    page.keyboard.down("Alt")
    page.mouse.wheel(0, -300)
    page.keyboard.up("Alt")
    zoomed = wait_for_steps(notebook, lambda found: found is not None)
    assert zoomed is not None
    assert 0 < zoomed[0] < 29.5 < zoomed[1] < 59
    assert zoomed[1] - zoomed[0] == pytest.approx(59 * 0.55, abs=2)

    page.keyboard.down("Shift")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + width / 4, y, steps=5)
    page.mouse.up()
    page.keyboard.up("Shift")
    quarter = (zoomed[1] - zoomed[0]) / 4
    dragged = pytest.approx([zoomed[0] - quarter, zoomed[1] - quarter], abs=2)
    wait_for_steps(notebook, lambda found: found == dragged)  # the toolbar follows a moment later

    page.mouse.dblclick(x, y)
    wait_for_steps(notebook, lambda found: found is None)
    assert notebook.errors == []


def test_keys_zoom_move_and_show_all_and_reach_no_cell(notebook: NotebookPage) -> None:
    chart = notebook.plot("loss/train")
    chart.focus()
    cells = notebook.js("return cells.length")
    notebook.page.keyboard.press("+")
    zoomed = wait_for_steps(notebook, lambda found: found is not None)
    notebook.page.keyboard.press("ArrowRight")
    moved = wait_for_steps(notebook, lambda found: found != zoomed)
    assert zoomed is not None
    assert moved is not None
    assert moved[0] > zoomed[0]
    notebook.page.keyboard.press("0")
    wait_for_steps(notebook, lambda found: found is None)
    for key in ("0", "0", "a", "b"):  # in JupyterLab: restart the kernel, insert cells
        notebook.page.keyboard.press(key)
    notebook.sleep(0.5)
    assert notebook.js("return cells.length") == cells
    assert notebook.page.locator(".jp-Dialog").count() == 0
    expect(notebook.page.locator(".tbwidget-state")).to_contain_text("Up to date")


def test_colors_are_picked_and_charts_pinned(notebook: NotebookPage) -> None:
    root = notebook.page.locator(".tbwidget")
    root.get_by_role("button", name="Color of second").click()
    # Playwright cannot reach the browser's own picker: this event is what it sends for a chosen color.
    root.locator("input[type=color]").evaluate(
        "input => { input.value = '#123456'; input.dispatchEvent(new Event('input', { bubbles: true })); }"
    )
    swatch = root.locator("li", has_text="second").locator(".tbwidget-swatch")
    expect(swatch).to_have_css("background-color", "rgb(18, 52, 86)")
    first = "return document.querySelector('.tbwidget [data-tag]').dataset.tag === arg"
    notebook.wait(first, arg="accuracy")
    card = root.locator('[data-tag="loss/train"]')
    card.hover()
    card.get_by_role("button", name="Pin").click()
    notebook.wait(first, arg="loss/train")
    expect(root.locator('[data-tag="loss/train"]')).to_have_count(1)
    notebook.wait_for_output(1, "{'second': '#123456'} ['loss/train']")
    root.get_by_role("button", name="Unpin").click()
    notebook.wait(first, arg="accuracy")


def test_an_option_set_later_by_a_busy_cell_holds_in_page_and_kernel(
    server: JupyterServer, open_notebook: Open, kernel: str
) -> None:
    name = f"late-{kernel}"
    notebook = opened(server, open_notebook, name, kernel)
    slider = notebook.page.locator(".tbwidget").get_by_role("slider", name="Smoothing")
    notebook.start_cell(2)
    notebook.wait("return running(cells[2])")
    slider.fill("0.9")
    notebook.release(name)
    notebook.end_of_cell(2)
    notebook.wait("return document.querySelector('.tbwidget input[type=range]').value === '0.3'")
    notebook.sleep(2)  # by now the kernel has handled the messages sent while it was busy
    assert slider.input_value() == "0.3"
    assert notebook.run_cell(3).strip() == "0.3"
    slider.fill("0.5")
    notebook.wait_for_output(3, "0.5")
