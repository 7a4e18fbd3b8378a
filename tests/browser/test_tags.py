"""Very many tags: folded sections, the tree of tags, a dashboard as high as wanted or over the whole window."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.support.eventfiles import NAME, event, simple, write

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

TAGS = ["loss", *(f"net{scope}/layer{layer}/{tag}" for scope in range(9) for layer in range(20) for tag in ("w", "b"))]

SHOW = """
import tbwidget
from IPython.display import display
board = tbwidget.Dashboard({logs!r})
display(board)
"""

OPEN = """
return [...document.querySelectorAll('.tbwidget-section-fold')].filter(fold => fold.ariaExpanded === 'true').map(
    fold => fold.querySelector('.tbwidget-group-name').textContent);
"""


def show(server: JupyterServer, open_notebook: Open, name: str, tags: list[str], last: str) -> NotebookPage:
    events = [event(1.7e9 + step, step, *(simple(tag, 1 / (1 + step)) for tag in tags)) for step in range(3)]
    for run in ("a", "b"):
        write(server.root / name / run / NAME, event(1.7e9, version="brain.Event:2"), *events)
    server.write_notebook(f"{name}.ipynb", [SHOW.format(logs=name), "print(board.height)"])
    notebook = open_notebook(f"{name}.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_last_steps({last: "2"})
    notebook.wait_for_state("idle", "live")
    return notebook


def test_many_tags_are_folded_and_found_in_a_tree(server: JupyterServer, open_notebook: Open) -> None:
    notebook = show(server, open_notebook, "many-tags", TAGS, "loss")
    page = notebook.page
    # Where tags come in parts, more may be open than the first.
    before = notebook.steady(OPEN)
    assert before[0] == "net0"
    assert len(before) < 5
    after = ",".join([*before, "net7"])

    # A click goes to the card; its section opens for it.
    page.get_by_role("group", name="Runs and tags").get_by_role("button", name="Tags").click()
    tree = page.get_by_role("tree")
    tree.get_by_text("net7").click()
    notebook.wait_for_last_steps({"net7/layer0/b": "2"})
    notebook.wait(f"return (() => {{{OPEN}}})().join() === arg", arg=after)
    tree.get_by_text("layer19").click()
    notebook.wait_for_last_steps({"net7/layer19/b": "2"})

    # By keys: to the scope above and its first tags, and a filter of them.
    tree.focus()
    for key in ("ArrowLeft", "ArrowLeft", "ArrowRight", "Space"):
        page.keyboard.press(key)
    box = page.get_by_label("Filter tags")
    expect(box).to_have_value("^net7/layer0/")
    expect(page.locator(".tbwidget-filter-count")).to_have_text("2 of 361")
    notebook.wait("return document.querySelectorAll('.tbwidget-card').length === 2")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    expect(box).to_have_value("^net7/layer0/|^net7/layer1/")
    # A tag that the filter leaves out is gone to without it.
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    expect(box).to_have_value("")

    # A typed filter opens the sections that match it. Sections opened by hand stay open afterwards.
    box.fill("layer19/w")
    expect(page.locator(".tbwidget-filter-count")).to_have_text("9 of 361")
    notebook.wait(f"return (() => {{{OPEN}}})().length === 9")
    box.fill("")
    notebook.wait(f"return (() => {{{OPEN}}})().join() === arg", arg=after)
    assert notebook.errors == []


def test_a_scope_of_15000_tags_does_not_freeze_the_page(server: JupyterServer, open_notebook: Open) -> None:
    tags = ["loss", *(f"wide/{number}" for number in range(15_000))]
    notebook = show(server, open_notebook, "wide-tags", tags, "loss")
    page = notebook.page
    page.get_by_role("group", name="Runs and tags").get_by_role("button", name="Tags").click()
    tree = page.get_by_role("tree")
    tree.get_by_text("wide").click()
    expect(tree).to_have_attribute("data-rows", "15002")
    assert tree.get_by_role("treeitem").count() <= 100
    tree.focus()
    page.keyboard.press("End")
    expect(tree.locator("[data-active]")).to_have_attribute("data-path", "wide/14999")
    notebook.draw_frames()
    assert notebook.errors == []


def test_the_dashboard_is_as_high_as_wanted_and_fills_the_window(server: JupyterServer, open_notebook: Open) -> None:
    notebook = show(server, open_notebook, "high-tags", TAGS[:31], "loss")
    page = notebook.page
    height = "return document.querySelector('.tbwidget').offsetHeight"
    handle = page.get_by_role("separator", name="Height of the dashboard")
    box = handle.bounding_box()
    assert box is not None
    before = notebook.js(height)
    page.mouse.move(box["x"] + 100, box["y"] + 4)
    page.mouse.down()
    page.mouse.move(box["x"] + 100, box["y"] - 96, steps=4)
    page.mouse.up()
    assert notebook.steady(height) == before - 100
    notebook.wait_for_output(1, str(before - 100))
    handle.focus()
    page.keyboard.press("ArrowDown")
    assert notebook.steady(height) == before - 80
    handle.dblclick()
    notebook.wait(
        "const main = document.querySelector('.tbwidget-main');"
        "return main.scrollHeight === main.clientHeight && main.clientHeight > 1000"
    )

    # The same dashboard over the window, whatever the notebook does with its cells.
    notebook.js("document.querySelector('.tbwidget').dataset.same = ''; return null")
    page.get_by_role("button", name="Maximize the dashboard").click()
    full = page.get_by_role("dialog", name="Dashboard")
    assert (full.bounding_box() or {}) == {"x": 0, "y": 0, **(page.viewport_size or {})}
    full.get_by_role("button", name=re.compile("Cards")).click()
    page.keyboard.press("Escape")
    full.wait_for()
    notebook.wait("return document.querySelector('.tbwidget-popover-list') === null")
    # A card over the window, over that.
    notebook.card("loss").hover()
    notebook.card("loss").get_by_role("button", name="Fill the window").click()
    page.get_by_role("dialog", name="loss").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("dialog", name="loss").wait_for(state="detached")
    full.wait_for()
    page.keyboard.press("Escape")
    notebook.wait("return document.querySelector('dialog:modal') === null")
    notebook.wait("return document.activeElement.classList.contains('tbwidget-maximize')")
    page.keyboard.press("Enter")
    full.wait_for()
    page.get_by_role("button", name="Leave the full window").click()
    notebook.wait("return document.querySelector('dialog:modal') === null")
    assert notebook.js("return document.querySelectorAll('.tbwidget[data-same]').length") == 1
    assert notebook.errors == []
