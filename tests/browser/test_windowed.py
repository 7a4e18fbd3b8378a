"""Cards far from the viewport are not mounted, and come back unchanged."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.support.eventfiles import NAME, event, simple, write

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

TAGS = [f"layer/{number:03}" for number in range(240)]

SHOW = """
import tbwidget
from IPython.display import display
board = tbwidget.ScalarsView("windowed-runs", height=500)
display(board)
"""

MOUNTED = "return [...document.querySelectorAll('.tbwidget-card:has(.tbwidget-plot)')].map(card => card.dataset.tag)"


def scroll(notebook: NotebookPage, share: float) -> list[str]:
    """Scroll the cards to a share of their height; returns the tags of the mounted ones."""
    notebook.js(
        "const main = document.querySelector('.tbwidget-main'); main.scrollTop = arg * main.scrollHeight", share
    )
    mounted: list[str] = notebook.steady(MOUNTED)
    return mounted


def test_cards_far_from_the_viewport_are_not_mounted(server: JupyterServer, open_notebook: Open) -> None:
    events = [event(1.7e9 + step, step, *(simple(tag, 1 / (1 + step)) for tag in TAGS)) for step in range(20)]
    write(server.root / "windowed-runs" / NAME, event(1.7e9, version="brain.Event:2"), *events)
    server.write_notebook("windowed.ipynb", [SHOW])
    notebook = open_notebook("windowed.ipynb")
    notebook.run_cell(0)
    first, second, last = TAGS[0], TAGS[1], TAGS[-1]
    notebook.wait_for_last_steps({first: "19"})
    notebook.wait("return document.querySelectorAll('.tbwidget-card').length === arg", arg=len(TAGS))
    page = notebook.page

    # A logarithmic axis and a zoom.
    plot = notebook.plot(first)
    notebook.card(first).hover()
    notebook.card(first).locator("button[aria-pressed=false]", has_text="log").click()
    notebook.drag(plot, (0.2, 0.3), (0.6, 0.7))
    reset = notebook.card(first).get_by_role("button", name=re.compile("reset", re.IGNORECASE))
    reset.wait_for(state="attached")
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement.blur()")
    notebook.steady(f"return document.querySelector(`[data-tag='{first}'] canvas`).toDataURL().length")
    zoomed = notebook.card(first).locator("canvas").evaluate("canvas => canvas.toDataURL()")
    notebook.card(second).focus()

    heights = notebook.js("return document.querySelector('.tbwidget-main').scrollHeight")
    mounted: list[str] = []
    for share in (0.25, 0.5, 0.75, 1):
        mounted = scroll(notebook, share)
        assert len(mounted) < len(TAGS) / 4
        assert first not in mounted
        assert second in mounted, "it has the focus"
    assert last in mounted
    assert notebook.js("return document.querySelector('.tbwidget-main').scrollHeight") == heights
    assert notebook.js("return document.activeElement.closest('.tbwidget-card')?.dataset.tag") == second
    assert notebook.js("return document.querySelector('.tbwidget-main').innerText.includes(arg)", first[-3:])
    page.evaluate("document.activeElement.blur()")
    assert second not in scroll(notebook, 0.6)

    # A placeholder is reached by keys, and its card then has the focus.
    notebook.card(first).focus()
    notebook.wait(
        "return document.activeElement.closest('.tbwidget-card:has(.tbwidget-plot)')?.dataset.tag === arg", arg=first
    )
    page.evaluate("document.activeElement.blur()")

    notebook.scroll_to(last)
    notebook.scroll_to(first)
    notebook.wait("return document.querySelector(`[data-tag='${arg}'] canvas`) !== null", arg=first)
    reset.wait_for(state="attached")
    assert notebook.card(first).locator("canvas").evaluate("canvas => canvas.toDataURL()") == zoomed

    # The picture of the panel has all cards.
    page.locator(".tbwidget-toolbar .tbwidget-save-menu button").first.click()
    with page.expect_download() as download:
        page.get_by_role("button", name="SVG").click()
    assert {tag.rpartition("/")[2] for tag in TAGS} <= set(re.findall(r"\d{3}", download.value.path().read_text()))
    page.keyboard.press("Escape")
    assert len(scroll(notebook, 0.5)) < len(TAGS) / 4
    assert notebook.errors == []
