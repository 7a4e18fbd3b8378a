"""The user arranges cards while the kernel is busy; code reads and writes the arrangement."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.browser.cells import hold
from tests.browser.pointers import Touch
from tests.support.eventfiles import NAME, event, simple, write

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

TAGS = ["angle/one", "angle/two", "limit/one", "limit/two", "norm/1", "norm/2", "rate"]

SHOW = """
import json, tbwidget
from IPython.display import display
board = tbwidget.Dashboard("cards-runs", height=900)
display(board)
"""

PLACED = """
return [...document.querySelectorAll('.tbwidget [data-section]')].map(section => [section.dataset.section,
    ...[...section.querySelectorAll('.tbwidget-card')].map(card =>
        card.dataset.tags ? JSON.parse(card.dataset.tags).join('+') : card.dataset.tag)]);
"""
"""Names of the sections: the prefixes of their cards' tags."""

LAYOUT = {
    "version": 1,
    "sections": [
        {"name": "norm", "open": True, "cards": [{"tags": ["norm/2", "rate"], "title": "two"}]},
        {"name": "limit", "open": False, "cards": []},
    ],
}


def write_runs(server: JupyterServer) -> None:
    for run in ("a", "b"):
        events = [
            event(1.7e9 + step, step, simple(tag, 1 / (1 + step) + 0.1 * i))
            for step in range(40)
            for i, tag in enumerate(TAGS)
        ]
        write(server.root / "cards-runs" / run / NAME, event(1.7e9, version="brain.Event:2"), *events)


class Cards:
    """The cards of a page, with ways to drag and measure them."""

    def __init__(self, notebook: NotebookPage) -> None:
        self.notebook, self.page = notebook, notebook.page

    def wait_for(self, *sections: list[str]) -> None:
        """Wait until the cards stand in these sections."""
        self.notebook.wait(
            f"return JSON.stringify((() => {{{PLACED}}})()) === arg", arg=json.dumps(sections, separators=(",", ":"))
        )

    def header(self, tag: str) -> Locator:
        return self.notebook.card(tag).locator(".tbwidget-card-header").first

    def box(self, locator: Locator) -> tuple[float, float, float, float]:
        locator.scroll_into_view_if_needed()
        found = locator.bounding_box()
        assert found is not None
        return found["x"], found["y"], found["width"], found["height"]

    def drag(self, tag: str, onto: str, share: float) -> None:
        """Drag a card by its header to this share of the width of another."""
        x, y, *_ = self.box(self.header(tag))
        left, top, width, height = self.box(self.notebook.card(onto))
        self.page.mouse.move(x + 40, y + 12)
        self.page.mouse.down()
        self.page.mouse.move(x + 60, y + 16, steps=3)
        self.page.mouse.move(left + share * width, top + height / 2, steps=5)
        self.page.locator(".tbwidget [data-drop]").wait_for()
        self.page.mouse.up()
        self.page.mouse.move(0, 0)

    def width(self, tag: str) -> float:
        found: float = self.notebook.steady(
            "return document.querySelector(`.tbwidget-card[data-tag='${arg}']`)?.offsetWidth ?? 0", tag
        )
        return found


def test_cards_are_arranged_while_the_kernel_is_busy(server: JupyterServer, open_notebook: Open) -> None:
    write_runs(server)
    cells = [
        *(SHOW, hold("cards"), "print(json.dumps(board.card_layout, sort_keys=True))"),
        f"board.card_layout = json.loads({json.dumps(LAYOUT)!r})",
        "board.card_layout = None",
    ]
    server.write_notebook("cards.ipynb", cells)
    notebook = open_notebook("cards.ipynb")
    cards = Cards(notebook)
    notebook.run_cell(0)
    notebook.start_cell(1)
    notebook.wait("return running(cells[1])")
    cards.wait_for(["", "rate"], ["angle", *TAGS[:2]], ["limit", *TAGS[2:4]], ["norm", *TAGS[4:6]])

    move_by_pointer_and_keys(cards)
    whole_stays_in_place(cards)
    put_together(cards)
    resize(cards)
    change_sections(cards)
    show_in_the_whole_window(cards)
    fill_the_panel(cards)
    assert notebook.busy(1), "all that was to happen without the kernel"

    notebook.release("cards")
    notebook.end_of_cell(1)
    sections: list[dict[str, Any]] = [
        {"name": "", "prefix": "/ordinary", "cards": [{"pattern": "norm"}, {"tags": ["rate"], "width": 2}]},
        {"name": "limits", "open": False, "prefix": "limit", "cards": []},
        {
            "name": "angle",
            "cards": [{"tags": ["angle/two", "limit/one"], "width": 2, "height": 2}],
        },
        {"name": "norm", "cards": [{"tags": ["norm/2"]}]},
    ]
    notebook.wait_for_output(2, json.dumps({"version": 1, "sections": sections}, sort_keys=True))
    notebook.run_cell(3)
    cards.wait_for(["norm", "norm/2+rate", "norm/1"], ["limit"], ["angle", *TAGS[:2]])
    notebook.run_cell(4)
    cards.wait_for(["", "rate"], ["angle", *TAGS[:2]], ["limit", *TAGS[2:4]], ["norm", *TAGS[4:6]])
    assert notebook.errors == []


def move_by_pointer_and_keys(cards: Cards) -> None:
    cards.drag("angle/two", "angle/one", 0.1)
    cards.wait_for(["", "rate"], ["angle", *TAGS[1::-1]], ["limit", *TAGS[2:4]], ["norm", *TAGS[4:6]])
    cards.notebook.card("limit/one").focus()
    cards.page.keyboard.press("Alt+ArrowRight")
    cards.wait_for(["", "rate"], ["angle", *TAGS[1::-1]], ["limit", *TAGS[3:1:-1]], ["norm", *TAGS[4:6]])
    # The card still has the focus, so that it can be moved on.
    cards.notebook.wait("return document.activeElement.closest('.tbwidget-card')?.dataset.tag === 'limit/one'")


def whole_stays_in_place(cards: Cards) -> None:
    """Check that scrolling a card into view never scrolls the dashboard itself, with its header."""
    assert cards.notebook.js(
        "const root = document.querySelector('.tbwidget');"
        "root.querySelector('[data-tag]').scrollIntoView({ block: 'end' });"
        "root.scrollTop = 1000; return root.scrollTop === 0"
    )


def put_together(cards: Cards) -> None:
    cards.drag("limit/one", "angle/two", 0.5)
    together = "angle/two+limit/one"
    cards.wait_for(["", "rate"], ["angle", together, "angle/one"], ["limit", "limit/two"], ["norm", *TAGS[4:6]])
    legend = cards.notebook.card("angle/two").get_by_role("list", name="Tags and runs")
    assert legend.locator("li > span").all_inner_texts() == ["angle/two", "limit/one", "a", "b"]
    cards.notebook.wait("return document.querySelector('.tbwidget [data-tags]').dataset.lastStep === '39'")
    cards.page.get_by_role("button", name="View", exact=True).click()
    cards.page.get_by_label("Combine tags").fill("norm")
    cards.page.keyboard.press("Enter")
    cards.notebook.wait(
        "return document.querySelector('.tbwidget [data-section=\"\"] [data-tags]')?.dataset.tags === arg",
        arg='["norm/1","norm/2"]',
    )


def resize(cards: Cards) -> None:
    before = cards.width("angle/two")
    card = cards.notebook.card("angle/two")
    left, top, width, height = cards.box(card)
    cards.page.mouse.move(left + width - 5, top + height - 5)
    cards.page.mouse.down()
    cards.page.mouse.move(left + 2 * width, top + 2 * height, steps=6)
    cards.page.mouse.up()
    cards.notebook.wait(
        "return document.querySelector('.tbwidget-card[data-tag=\"angle/two\"]').offsetWidth > arg",
        arg=1.9 * before,
    )
    after = cards.box(card)
    assert after[3] > 1.9 * height
    cards.notebook.card("rate").focus()
    cards.page.keyboard.press("Alt+Shift+ArrowRight")
    cards.notebook.wait(
        "return document.querySelector('.tbwidget-card[data-tag=rate]').offsetWidth > arg", arg=1.9 * before
    )
    # A card in a section without a title follows the pointer by columns of the grid that it shares.
    wide = cards.width("rate")
    for share in (0.5, 1.0):
        left, top, width, height = cards.box(cards.notebook.card("rate"))
        cards.page.mouse.move(left + width - 5, top + height - 5)
        cards.page.mouse.down()
        cards.page.mouse.move(left + share * wide - 5, top + height - 5, steps=6)
        cards.page.mouse.up()
        assert abs(cards.width("rate") - share * wide) < 10


def change_sections(cards: Cards) -> None:
    page = cards.page
    section = page.locator(".tbwidget [data-section=limit]")
    section.locator("h3").hover()
    section.get_by_role("button", name="Rename the section").click()
    page.get_by_label("Name of the section limit").fill("limits")
    page.keyboard.press("Enter")
    fold = page.locator(".tbwidget [data-section=limits] h3 button").first
    fold.press("Alt+ArrowUp")
    names = "[...document.querySelectorAll('.tbwidget [data-section]')].map(one => one.dataset.section).join()"
    cards.notebook.wait(f"return {names} === ',limits,angle,norm'")
    fold.click()
    page.locator(".tbwidget [data-tag='limit/two']").wait_for(state="detached")


def show_in_the_whole_window(cards: Cards) -> None:
    page = cards.page
    card = cards.notebook.card("angle/one")
    card.scroll_into_view_if_needed()
    card.hover()
    button = card.get_by_role("button", name="Fill the window")
    button.click()
    dialog = page.get_by_role("dialog", name="angle/one")
    plot = dialog.locator("canvas")
    plot.wait_for()
    assert (dialog.bounding_box() or {}) == {"x": 0, "y": 0, **(page.viewport_size or {})}
    left, top, width, height = cards.box(plot)
    page.mouse.move(left + width / 2, top + height / 2)
    dialog.get_by_role("tooltip").wait_for()
    assert dialog.get_by_role("listitem").all_inner_texts() == ["a", "b"]
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    cards.notebook.wait("return document.activeElement.title === 'Fill the window'")
    page.mouse.move(0, 0)
    cards.notebook.wait("return document.querySelector('.tbwidget-card[data-tag=\"angle/one\"] canvas') !== null")


def fill_the_panel(cards: Cards) -> None:
    """Check that a lone card is as wide as the panel, also among the pinned ones; fingers arrange cards, too."""
    page, notebook = cards.page, cards.notebook
    page.get_by_label("Filter tags").fill("angle/one")
    whole = notebook.js("return document.querySelector('.tbwidget-main').clientWidth")
    notebook.wait(
        "return document.querySelector('.tbwidget-card[data-tag=\"angle/one\"]').offsetWidth > arg - 30", arg=whole
    )
    page.get_by_label("Filter tags").fill("")
    wide = "return document.querySelector('.tbwidget-card[data-tag=\"norm/1\"][data-pinned]')?.offsetWidth > arg - 30"
    card = notebook.card("norm/1")
    card.scroll_into_view_if_needed()
    card = page.locator(".tbwidget [data-section=norm] [data-tag='norm/1']")
    card.hover()
    card.get_by_role("button", name="Pin").click()
    notebook.wait(wide, arg=whole)
    page.get_by_role("button", name="Unpin").click()
    # Two cards of a section share its row, whatever other sections contain.
    notebook.wait(
        "const cards = [...document.querySelectorAll('.tbwidget [data-section=norm] [data-tag]')];"
        "const sum = cards.reduce((sum, card) => sum + card.offsetWidth, 0);"
        "return cards.length === 2 && cards[0].offsetWidth === cards[1].offsetWidth && sum > arg - 40",
        arg=whole,
    )

    # A finger that rests for a moment drags.
    card.wait_for()
    other = page.locator(".tbwidget [data-section=norm] [data-tag='norm/2']")
    x, y, *_ = cards.box(other.locator(".tbwidget-card-header"))
    left, top, width, height = cards.box(card)
    Touch(page).drag_after(0.7, (x + 14, y + 12), (left + 0.1 * width, top + height / 2))
    notebook.wait(
        "const cards = [...document.querySelectorAll('.tbwidget [data-section=norm] [data-tag]')];"
        "return cards.map(card => card.dataset.tag).join() === 'norm/2,norm/1'"
    )
