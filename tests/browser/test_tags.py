"""Hundreds of tags: folded sections, the tree of tags, a dashboard of any height or in the full window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.page import NO_LAYER
from tests.support.eventfiles import NAME, event, histogram, plugin, simple, strings, write

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


def show(
    server: JupyterServer, open_notebook: Open, name: str, tags: list[str], *, runs: str = "ab", steps: int = 3
) -> NotebookPage:
    """Open a notebook with a dashboard of these tags, and wait until all of them have come."""
    events = [event(1.7e9 + step, step, *(simple(tag, 1 / (1 + step)) for tag in tags)) for step in range(steps)]
    for run in runs:
        write(server.root / name / run / NAME, event(1.7e9, version="brain.Event:2"), *events)
    server.write_notebook(f"{name}.ipynb", [SHOW.format(logs=name), "print(board.height)"])
    notebook = open_notebook(f"{name}.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_last_steps({"loss": str(steps - 1)})
    notebook.wait_for_state("idle", "live")
    return notebook


def test_many_tags_are_folded_and_found_in_a_tree(server: JupyterServer, open_notebook: Open) -> None:
    notebook = show(server, open_notebook, "many-tags", TAGS)
    page = notebook.page
    # If tags arrive in parts, more sections than the first may be open.
    before = notebook.steady(OPEN)
    assert before[0] == "net0"
    assert len(before) < 5
    after = ",".join([*before, "net7"])

    # A click goes to the card, and opens its section.
    page.get_by_role("group", name="Runs and tags").get_by_role("button", name="Tags").click()
    tree = page.get_by_role("tree")
    tree.get_by_text("net7").click()
    notebook.wait_for_last_steps({"net7/layer0/b": "2"})
    notebook.wait(f"return (() => {{{OPEN}}})().join() === arg", arg=after)
    tree.get_by_text("layer19").click()
    notebook.wait_for_last_steps({"net7/layer19/b": "2"})

    # Keys go to the scope above and its first tags, and to a filter of them.
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
    # Going to a tag that the filter hides clears the filter.
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    expect(box).to_have_value("")

    # A typed filter opens the sections that match it. Sections opened by hand stay open afterwards.
    box.fill("layer19/w")
    expect(page.locator(".tbwidget-filter-count")).to_have_text("9 of 361")
    notebook.wait(f"return (() => {{{OPEN}}})().length === 9")
    box.fill("")
    notebook.wait(f"return (() => {{{OPEN}}})().join() === arg", arg=after)

    # Going to a tag that is hidden by a filter and in a folded section clears the filter and scrolls to its card.
    box.fill("layer19/w")
    expect(page.locator(".tbwidget-filter-count")).to_have_text("9 of 361")
    page.locator('[data-path="net7/layer5/b"]').or_(page.locator('[data-path="net7/layer5"]')).first.click()
    expect(box).to_have_value("")
    notebook.wait_for_last_steps({"net7/layer5/b": "2"})
    expect(notebook.card("net7/layer5/b")).to_be_in_viewport()

    # The picture of all cards omits those in folded sections, and says so.
    page.locator(".tbwidget-toolbar").get_by_role("button", name="Save").click()
    expect(page.locator(".tbwidget-toolbar .tbwidget-save-menu")).to_contain_text("cards that are folded away")
    assert notebook.errors == []


def test_a_scope_of_15000_tags_does_not_freeze_the_page(server: JupyterServer, open_notebook: Open) -> None:
    tags = ["loss", *(f"wide/{number}" for number in range(15_000))]
    # The kernel sends 1 MB a second at most: of a single point of each tag, these are few seconds.
    notebook = show(server, open_notebook, "wide-tags", tags, runs="a", steps=1)
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


def test_the_side_bar_and_the_height_follow_the_tabs(server: JupyterServer, open_notebook: Open) -> None:
    scalars = [simple(tag, 0.5) for tag in TAGS[:80]]
    histograms = [histogram(f"weights/{number}", [1, 2, 3], [1, 2, 1]) for number in range(24)]
    text = strings("note", plugin("text"), b"short")
    events = [event(1.7e9 + step, step, *scalars, *histograms, text) for step in range(3)]
    write(server.root / "several-tabs" / "run" / NAME, event(1.7e9, version="brain.Event:2"), *events)
    server.write_notebook("several-tabs.ipynb", [SHOW.format(logs="several-tabs")])
    notebook = open_notebook("several-tabs.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_last_steps({"loss": "2"})
    notebook.wait_for_state("idle", "live")
    page = notebook.page
    tree = page.get_by_role("tree")
    expect(tree.get_by_text("net0")).to_be_visible()
    side_tabs = page.get_by_role("group", name="Runs and tags")
    side_tabs.get_by_role("button", name="Tags").click()

    # The tree shows the tags of the panel; in a panel without tags, the bar stays.
    page.get_by_role("tab", name="Distributions").click()
    expect(tree.get_by_text("weights")).to_be_visible()
    expect(tree.get_by_text("net0")).to_have_count(0)
    page.get_by_role("tab", name="Text").click()
    page.get_by_role("complementary", name="Runs").wait_for()

    # The page does not jump with the tab, but a double-click makes the dashboard as low as its content.
    height = "return document.querySelector('.tbwidget').offsetHeight"
    before = notebook.steady(height)
    page.get_by_role("separator", name="Height of the dashboard").dblclick()
    notebook.wait(f"const height = (() => {{{height}}})(); return height < arg - 100", arg=before)

    # The chosen tab of the side bar stays while the bar is closed.
    page.get_by_role("tab", name="Scalars").click()
    side_tabs.get_by_role("button", name="Runs").click()
    expect(tree).to_have_count(0)
    toggle = page.get_by_role("button", name="Show or hide runs and tags")
    toggle.click()
    toggle.click()
    side_tabs.wait_for()
    expect(tree).to_have_count(0)
    assert notebook.errors == []


def leave_nothing_but_what_is_open(notebook: NotebookPage) -> None:
    """Check that Escape in the full window ends the open interaction, and leaves the window only if there is none."""
    page = notebook.page
    full = page.get_by_role("dialog", name="Dashboard")
    header = notebook.card("loss").locator(".tbwidget-card-header").first
    box = header.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 40, box["y"] + 12)
    page.mouse.down()
    page.mouse.move(box["x"] + 80, box["y"] + 40, steps=4)
    expect(full.locator(".tbwidget-ghost")).to_be_visible()
    page.keyboard.press("Escape")
    page.mouse.up()
    full.wait_for()
    section = page.locator("[data-section=net0]")
    section.locator("h3").hover()
    section.get_by_role("button", name="Rename").first.click()
    page.keyboard.press("Escape")
    expect(page.locator(".tbwidget-rename")).to_have_count(0)
    full.wait_for()
    plot = notebook.plot("loss")
    plot.focus()
    page.keyboard.press(".")
    page.keyboard.press("Escape")
    full.wait_for()
    # Text typed into a step box is discarded.
    entry = full.locator(".tbwidget-step-control .tbwidget-step-entry")
    entry.fill("7")
    page.keyboard.press("Escape")
    expect(entry).not_to_have_value("7")
    full.wait_for()
    # Escape leaves the card, then the window.
    plot.focus()
    page.keyboard.press("Escape")
    full.wait_for()
    page.keyboard.press("Escape")
    notebook.wait(NO_LAYER)


def test_the_dashboard_is_as_high_as_wanted_and_fills_the_window(server: JupyterServer, open_notebook: Open) -> None:
    notebook = show(server, open_notebook, "high-tags", TAGS[:31])
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

    # The same dashboard fills the window, even if the notebook changes its cells.
    notebook.js("document.querySelector('.tbwidget').dataset.same = ''; return null")
    page.get_by_role("button", name="Maximize the dashboard").click()
    leave_nothing_but_what_is_open(notebook)
    page.get_by_role("button", name="Maximize the dashboard").click()
    full = page.get_by_role("dialog", name="Dashboard")
    assert (full.bounding_box() or {}) == {"x": 0, "y": 0, **(page.viewport_size or {})}
    full.get_by_role("button", name="View", exact=True).click()
    page.keyboard.press("Escape")
    full.wait_for()
    notebook.wait("return document.querySelector('.tbwidget-popover-list') === null")
    # A card fills the window, above the dashboard.
    notebook.card("loss").hover()
    notebook.card("loss").get_by_role("button", name="Fill the window").click()
    page.get_by_role("dialog", name="loss").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("dialog", name="loss").wait_for(state="detached")
    full.wait_for()
    # The focus is on the card's button again.
    page.keyboard.press("Escape")
    full.wait_for()
    page.keyboard.press("Escape")
    notebook.wait(NO_LAYER)
    notebook.wait("return document.activeElement.classList.contains('tbwidget-maximize')")
    page.keyboard.press("Enter")
    full.wait_for()
    page.get_by_role("button", name="Leave the full window").click()
    notebook.wait(NO_LAYER)
    assert notebook.js("return document.querySelectorAll('.tbwidget[data-same]').length") == 1
    assert notebook.errors == []
