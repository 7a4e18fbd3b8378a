"""Scales, limits and smoothing of scalars, chosen while the kernel is busy; and points superseded by restarts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tests.browser.cells import hold
from tests.support.eventfiles import event, simple, write

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

SHOW = """
import tbwidget
from IPython.display import display
board = tbwidget.Dashboard("axes-runs", smoothing_kind="gaussian", smoothing_window=30, join_splits=False)
display(board)
"""

CHOSEN = (
    "print(board.x_scale, board.step_range, board.y_ranges, board.symlog_y, board.log_y, board.smoothing_kind,"
    " board.smoothing_window, board.raw_values, board.split_restarts, board.share_y, board.superseded)"
)

PICTURE = """document.querySelector(`.tbwidget [data-tag="${arg[0]}"] canvas`)?.toDataURL()"""


def write_runs(server: JupyterServer) -> None:
    """Write two runs whose steps go back once within a file, and one that was restarted in another file."""
    folder = server.root / "axes-runs"
    for number in (1, 2):
        steps = [*range(60), *range(40, 80)]
        events = [
            event(1.7e9 + i, step, simple(tag, value + 0.1 * number + 0.02 * (i * 7919 % 13)))
            for i, step in enumerate(steps)
            for tag, value in (("loss/train", 3 * math.exp(-step / 20)), ("loss/validation", 30 - step / 4))
        ]
        events += [event(1.7e9, step, simple("gap", [5.0, math.nan, math.inf, -200.0][step % 4])) for step in range(20)]
        write(folder / f"run{number}" / "a.tfevents.1", event(1.7e9, version="brain.Event:2"), *events)
    for number, (first, last) in enumerate(((0, 50), (30, 90))):
        begin = 1.7e9 + 1e6 * number
        events = [event(begin + i, i, simple("loss/restarted", 1 / (1 + i) + number)) for i in range(first, last)]
        write(folder / "run3" / f"{number}.tfevents.1", event(begin, version="brain.Event:2"), *events)


WHOLLY_IN_SIGHT = """
const list = document.querySelector('.tbwidget-main .tbwidget-popover-list')
const [own, around] = [list, list?.closest('.tbwidget-main')].map(one => one?.getBoundingClientRect())
return own !== undefined && own.left >= around.left && own.right <= around.right
"""


class Card:
    """The card of a tag."""

    def __init__(self, notebook: NotebookPage, tag: str) -> None:
        self.notebook, self.tag = notebook, tag

    @property
    def itself(self) -> Locator:
        return self.notebook.card(self.tag)

    def picture(self) -> str:
        """Return its pixels, once they no longer change."""
        found: str = self.notebook.steady(f"return {PICTURE}", [self.tag])
        return found

    def after(self, before: str) -> str:
        """Wait until its pixels differ from those before; returns the new ones."""
        self.notebook.wait(f"const now = {PICTURE}; return now !== undefined && now !== arg[1]", arg=[self.tag, before])
        return self.picture()

    def open_menu(self) -> Locator:
        self.itself.hover()
        self.itself.get_by_role("button", name="Chart axes").click()
        self.notebook.wait(WHOLLY_IN_SIGHT)
        return self.itself.locator(".tbwidget-card-axes")


def choose(menu: Locator, name: str) -> None:
    menu.get_by_role("button", name=name, exact=True).click()


def enter(box: Locator, text: str) -> None:
    box.fill(text)
    box.press("Enter")


def test_axes_and_smoothing_are_chosen_while_the_kernel_is_busy(server: JupyterServer, open_notebook: Open) -> None:
    write_runs(server)
    server.write_notebook("axes.ipynb", [SHOW, hold("axes"), CHOSEN, "board.x_scale = 'symlog'; board.y_ranges = {}"])
    notebook = open_notebook("axes.ipynb")
    notebook.run_cell(0)
    notebook.start_cell(1)
    notebook.wait_for_last_steps({"gap": "19", "loss/train": "79", "loss/validation": "79", "loss/restarted": "89"})
    notebook.wait("return running(cells[1])")
    for what in ("restarts", "gaps"):
        seen = {"restarts": ("loss/train", "2 restarts"), "gaps": ("gap", "10 NaN, 10 +∞")}[what]
        # Where the header is too narrow, a mark gives way to the name and the value.
        notebook.card(seen[0]).get_by_text(seen[1], exact=True).wait_for(state="attached")
    assert "steps go back to 40" in (notebook.card("loss/train").locator("abbr").first.get_attribute("title") or "")

    of_all(notebook)
    of_one_card(notebook)
    without = superseded(notebook)
    assert notebook.busy(1), "all that was to happen without the kernel"
    notebook.release("axes")
    notebook.end_of_cell(1)
    restarted = Card(notebook, "loss/restarted")
    restarted.after(without)
    restarted.itself.get_by_text("waiting for the kernel").wait_for(state="detached")

    notebook.wait_for_output(2, "log (2, 70) {'gap': (-10.0, None)} ['gap'] ['loss/train'] mean 5 band False True True")
    before = Card(notebook, "gap").picture()
    notebook.run_cell(3)
    Card(notebook, "gap").after(before)
    assert notebook.errors == []


def of_all(notebook: NotebookPage) -> None:
    """Test the menu of the toolbar, and the smoothing beside it."""
    train, root = Card(notebook, "loss/train"), notebook.page.locator(".tbwidget-toolbar")
    before = train.picture()
    root.get_by_label("Smoothing method").select_option("Mean")
    mean = train.after(before)
    enter(root.get_by_label("Smoothing window"), "5")
    mean = train.after(mean)
    root.get_by_role("button", name="Lines", exact=True).click()
    menu = root.locator(".tbwidget-action-menu")
    choose(menu, "Band")
    banded = train.after(mean)
    menu.get_by_label("Break lines at restarts").uncheck()
    led_back = train.after(banded)
    train.itself.get_by_text("2 restarts", exact=True).wait_for(state="detached")
    root.get_by_role("button", name="Axes", exact=True).click()
    x_scale = menu.get_by_role("group", name="X scale")
    choose(x_scale, "Log")
    logarithmic = train.after(led_back)
    choose(x_scale, "Linear")
    assert train.after(logarithmic) == led_back
    menu.get_by_label("Same y-range for one prefix").check()
    shared = train.after(led_back)
    choose(x_scale, "Log")
    logarithmic = train.after(shared)
    enter(menu.get_by_label("Last step"), "70")
    enter(menu.get_by_label("First step"), "2")
    train.after(logarithmic)
    notebook.page.locator(".tbwidget-step-control").get_by_role("button", name="Steps 2 ").wait_for()
    notebook.page.keyboard.press("Escape")


def of_one_card(notebook: NotebookPage) -> None:
    """Test the menu of a card: scale and limits; F and its button reset the limits."""
    gap = Card(notebook, "gap")
    before = gap.picture()
    menu = gap.open_menu()
    choose(menu, "Symlog")
    scaled = gap.after(before)
    first, last = menu.get_by_label("Min value"), menu.get_by_label("Max value")
    enter(first, "-10")
    limited = gap.after(scaled)
    enter(last, "-20")
    notebook.wait("return document.querySelector('.tbwidget-range-boxes [aria-invalid=true]') !== null")
    assert gap.picture() == limited, "the least value comes first"
    enter(last, "")
    notebook.page.keyboard.press("Escape")
    notebook.plot("gap").focus()
    notebook.page.keyboard.press("f")
    gap.after(limited)
    menu = gap.open_menu()
    assert menu.get_by_label("Min value").input_value() == ""
    enter(menu.get_by_label("Min value"), "-10")
    enter(menu.get_by_label("Last step"), "70")
    enter(menu.get_by_label("First step"), "2")
    notebook.page.keyboard.press("Escape")
    train = Card(notebook, "loss/train")
    before = train.picture()
    train.itself.hover()
    train.itself.get_by_role("button", name="Log", exact=True).click()
    notebook.page.mouse.move(0, 0)
    train.after(before)


def superseded(notebook: NotebookPage) -> str:
    """Show superseded points, which some kernels send during a cell; returns the card's pixels without them."""
    root = notebook.page.locator(".tbwidget-toolbar")
    restarted = Card(notebook, "loss/restarted")
    restarted.itself.get_by_text("20 overwritten").wait_for()
    before = restarted.picture()
    root.get_by_role("button", name="Lines", exact=True).click()
    root.get_by_label("Show overwritten points").check()
    notebook.page.keyboard.press("Escape")
    return before
