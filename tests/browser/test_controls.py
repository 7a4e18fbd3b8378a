"""Every control works on what the browser has: while the kernel is busy, and with no answer from it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.browser.cells import hold
from tests.support.eventfiles import NAME, event, simple, write

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

RUNS = [f"run{number}" for number in range(1, 11)]
TAGS = {"accuracy": "59", "loss/train": "59", "loss/attention": "59"}

SHOW = """
import time, tbwidget
from IPython.display import display
board = tbwidget.Dashboard("controls-runs")
display(board)
"""

CHOSEN = "print(board.smoothing, board.x_axis, board.tag_filter, board.run_filter, board.selected_runs)"

PICTURE = """document.querySelector(`.tbwidget [data-tag="${arg[0]}"] canvas`)?.toDataURL()"""


def write_runs(server: JupyterServer) -> None:
    for number, run in enumerate(RUNS):
        events = [
            event(1.7e9 + 2 * step, step, simple(tag, 1 / (1 + step) + 0.02 * (step * 7919 % 13) + 0.1 * number))
            for step in range(60)
            for tag in TAGS
        ]
        write(server.root / "controls-runs" / run / NAME, event(1.7e9, version="brain.Event:2"), *events)


class Cards:
    """What the cards of a page show."""

    def __init__(self, notebook: NotebookPage) -> None:
        self.notebook = notebook
        self.root = notebook.page.locator(".tbwidget")

    def picture(self, tag: str) -> str:
        """The pixels of a chart, once it no longer changes."""
        found: str = self.notebook.steady(f"return {PICTURE}", [tag])
        return found

    def wait_for_change(self, tag: str, before: str) -> str:
        """Wait until a chart no longer looks as before; returns how it looks then."""
        self.notebook.wait(f"const now = {PICTURE}; return now !== undefined && now !== arg[1]", arg=[tag, before])
        return self.picture(tag)

    def wait_for_tags(self, *tags: str) -> None:
        """Wait until there are cards of these tags, and no others."""
        self.notebook.wait(
            "return [...document.querySelectorAll('.tbwidget [data-last-step]')].map(card => card.dataset.tag)"
            ".toSorted().join() === arg",
            arg=",".join(sorted(tags)),
        )

    def toggle_log_y(self, tag: str) -> None:
        """Press the button of a card, and leave it."""
        card = self.root.locator(f'[data-tag="{tag}"]')
        card.hover()
        card.get_by_role("button", name="Log", exact=True).click()
        self.notebook.page.mouse.move(0, 0)

    def drag(self, tag: str) -> None:
        """Draw a box over the middle of a chart."""
        self.notebook.drag(self.notebook.plot(tag), (0.3, 0.2), (0.6, 0.8))


def test_controls_work_while_the_kernel_is_busy(server: JupyterServer, open_notebook: Open, kernel: str) -> None:
    write_runs(server)
    cells = [SHOW, hold(f"controls-{kernel}"), CHOSEN, "board.smoothing = 0.25"]
    server.write_notebook(f"controls-{kernel}.ipynb", cells, kernel)
    notebook = open_notebook(f"controls-{kernel}.ipynb")
    cards = Cards(notebook)
    notebook.run_cell(0)
    notebook.start_cell(1)
    cards.wait_for_tags(*TAGS)
    notebook.wait("return running(cells[1])")

    change_how_lines_are_drawn(cards)
    zoom(cards)
    choose_runs_and_tags(cards)
    assert notebook.busy(1), "all that was to happen without the kernel"

    # What was chosen is known in Python afterwards, and what is chosen there is seen here.
    notebook.release(f"controls-{kernel}")
    notebook.end_of_cell(1)
    notebook.wait_for_output(2, f"0.95 step ^acc|TION$ run[12]$ {[run for run in RUNS if run != 'run1']}")
    notebook.run_cell(3)
    notebook.wait("return document.querySelector('.tbwidget input[type=range]').value === '0.25'")
    assert notebook.errors == []


def change_how_lines_are_drawn(cards: Cards) -> None:
    before = cards.picture("loss/train")
    cards.root.get_by_role("slider", name="Smoothing").fill("0.95")
    smooth = cards.wait_for_change("loss/train", before)
    cards.toggle_log_y("loss/train")
    logarithmic = cards.wait_for_change("loss/train", smooth)
    cards.toggle_log_y("loss/train")
    assert cards.wait_for_change("loss/train", logarithmic) == smooth
    cards.root.get_by_role("button", name="Relative", exact=True).click()
    relative = cards.wait_for_change("loss/train", smooth)
    cards.root.get_by_role("button", name="Step", exact=True).click()
    assert cards.wait_for_change("loss/train", relative) == smooth


def zoom(cards: Cards) -> None:
    """All cards share the steps in sight."""
    before, other = cards.picture("loss/train"), cards.picture("loss/attention")
    cards.drag("loss/train")
    zoomed = cards.wait_for_change("loss/train", before)
    cards.wait_for_change("loss/attention", other)
    cards.root.get_by_role("button", name=re.compile("^Steps ")).click()
    cards.wait_for_change("loss/train", zoomed)


def choose_runs_and_tags(cards: Cards) -> None:
    before = cards.picture("loss/attention")
    cards.root.get_by_label("Filter runs").fill("run[12]$")
    names = cards.root.locator(".tbwidget-runs .tbwidget-run-name")
    names.nth(2).wait_for(state="detached")
    assert names.all_inner_texts() == ["run1", "run2"]
    cards.root.locator(".tbwidget-runs li input[type=checkbox]").first.uncheck()
    cards.wait_for_change("loss/attention", before)
    cards.root.get_by_label("Filter tags").fill("(")
    cards.root.get_by_role("alert").wait_for()
    cards.wait_for_tags(*TAGS)
    cards.root.get_by_label("Filter tags").fill("^acc|TION$")
    cards.wait_for_tags("accuracy", "loss/attention")
