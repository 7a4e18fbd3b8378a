"""The dashboard over the whole window: the same element, with what a modal dialog gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.page import NO_LAYER
from tests.browser.test_notebook7 import ITS_OWN
from tests.support.eventfiles import NAME, event, simple, write

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

SHOW = """
import tbwidget
from IPython.display import display
display(tbwidget.Dashboard("full-window"))
"""

_STOPS = """
const stops = [...document.querySelector('.tbwidget-board').querySelectorAll('button:enabled, input, [tabindex="0"]')]
    .filter(one => one.tabIndex >= 0 && one.checkVisibility());
"""

# Gives the focus to a button of the page, and returns whether it has it.
_FOCUS_OUTSIDE = """
const outside = document.body.appendChild(document.createElement('button'));
outside.focus();
const has = document.activeElement === outside;
outside.remove();
return has;
"""


def maximized(server: JupyterServer, open_notebook: Open, name: str) -> tuple[NotebookPage, Locator]:
    """Show a dashboard over the whole window, of a notebook that has more to scroll to."""
    events = [event(1.7e9 + step, step, simple("loss", 1 / (1 + step))) for step in range(3)]
    write(server.root / "full-window" / "run" / NAME, event(1.7e9, version="brain.Event:2"), *events)
    server.write_notebook(name, [SHOW, *(["\n" * 40] * 3)])
    notebook = open_notebook(name, server)
    notebook.run_cell(0)
    notebook.wait_for_last_steps({"loss": "2"})
    notebook.page.get_by_role("button", name="Maximize the dashboard").click()
    board = notebook.page.get_by_role("dialog", name="Dashboard")
    board.wait_for()
    return notebook, board


@pytest.mark.parametrize("app", ["server", "notebook_server"])
def test_the_focus_goes_round_in_the_full_window(app: str, open_notebook: Open, request: pytest.FixtureRequest) -> None:
    notebook, board = maximized(request.getfixturevalue(app), open_notebook, "full-focus.ipynb")
    keyboard, inside = notebook.page.keyboard, "board => board.contains(document.activeElement)"
    notebook.js(f"{_STOPS} stops.at(-1).focus()")
    keyboard.press("Tab")
    assert notebook.js(f"{_STOPS} return document.activeElement === stops[0]")
    keyboard.press("Shift+Tab")
    assert notebook.js(f"{_STOPS} return document.activeElement === stops.at(-1)")
    # The notebook may give the focus to a cell at any time.
    assert not notebook.js(_FOCUS_OUTSIDE)
    assert board.evaluate(inside)
    # A focused control that is gone leaves the focus nowhere.
    notebook.js("document.activeElement.blur()")
    keyboard.press("Tab")
    assert board.evaluate(inside)
    notebook.js("document.activeElement.blur()")
    keyboard.press("Escape")
    notebook.wait(NO_LAYER)
    expect(notebook.page.locator(".tbwidget-maximize")).to_be_focused()
    assert notebook.js(_FOCUS_OUTSIDE), "nothing is kept at its place"
    assert [error for error in notebook.errors if ITS_OWN not in error] == []


@pytest.mark.parametrize("above", ["nothing", "the palette", "a card"])
def test_what_the_notebook_asks_is_seen(above: str, server: JupyterServer, open_notebook: Open) -> None:
    notebook, board = maximized(server, open_notebook, "full-asked.ipynb")
    if above == "the palette":
        notebook.page.keyboard.press("Control+k")
    elif above == "a card":
        board.locator(".tbwidget-card").hover()
        board.get_by_role("button", name="Fill the window").click()
    expect(notebook.page.locator(".tbwidget dialog:modal")).to_have_count(0 if above == "nothing" else 1)
    notebook.js("app.commands.execute('kernelmenu:restart')")
    asked = notebook.page.locator(".jp-Dialog")
    asked.wait_for()
    notebook.wait(NO_LAYER)
    assert asked.evaluate("dialog => dialog.contains(document.activeElement)")
    notebook.page.keyboard.press("Escape")
    asked.wait_for(state="detached")
    assert notebook.errors == []


@pytest.mark.own_window  # whose page loses a function
def test_the_page_behind_is_not_scrolled(server: JupyterServer, open_notebook: Open) -> None:
    notebook, board = maximized(server, open_notebook, "full-scroll.ipynb")
    tops = "return [...document.querySelectorAll('.jp-Notebook, .jp-WindowedPanel-outer')].map(one => one.scrollTop)"
    before = notebook.js(tops)
    assert len(before) > 0
    board.locator(".tbwidget-header").hover()
    for by in (300, -300):
        notebook.page.mouse.wheel(0, by)
        notebook.draw_frames()
        assert notebook.js(tops) == before
    window = notebook.page.viewport_size
    assert window is not None
    assert board.bounding_box() == {"x": 0, "y": 0, **window}
    notebook.page.keyboard.press("Escape")
    notebook.wait(NO_LAYER)
    # Browsers without popovers.
    notebook.js("HTMLElement.prototype.showPopover = undefined")
    notebook.page.get_by_role("button", name="Maximize the dashboard").click()
    box = board.bounding_box()
    assert box is not None
    assert (box["width"], box["height"]) == (window["width"], window["height"])
    notebook.page.keyboard.press("Escape")
    notebook.wait(NO_LAYER)
    assert notebook.errors == []
