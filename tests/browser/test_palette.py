"""The palette, the sheet of keys and gestures, and "Copy as Python", in a JupyterLab that has its own keys."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser import access_page
from tests.browser.cells import hold
from tests.browser.page import LAYER
from tests.support.eventfiles import NAME, event, histogram, simple, write

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

RUNS = ["run1", "run2", "<b>it's run3"]

SHOW = """
import tbwidget
from IPython.display import display
board = tbwidget.Dashboard({name!r})
display(board)
"""

CHOSEN = "print(board.ignore_outliers, board.smoothing, board.x_axis, board.selected_runs, board.panel)"

# The search boxes of JupyterLab and of the browser.
_SEARCHES = (
    "return document.querySelectorAll('.jp-DocumentSearch-overlay, .jp-FileBrowser-filterBox input:focus').length"
)

# Hints are shown once; tests hover over charts that no longer have one.
_NOTED = "localStorage.getItem('tbwidget-noted')"


def write_logs(server: JupyterServer, name: str) -> None:
    for number, run in enumerate(RUNS):
        events = [event(1.7e9 + step, step, simple("loss/train", number + 1 / (1 + step))) for step in range(20)]
        events += [event(1.7e9 + step, step, histogram("layer/weights", [1, 2], [step + 1, 2])) for step in range(3)]
        write(server.root / name / run / NAME, event(1.7e9, version="brain.Event:2"), *events)


def opened(server: JupyterServer, open_notebook: Open, name: str, *cells: str) -> NotebookPage:
    write_logs(server, name)
    server.write_notebook(f"{name}.ipynb", [SHOW.format(name=name), *cells])
    notebook = open_notebook(f"{name}.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_last_steps({"loss/train": "19"})
    return notebook


def focus_chart(notebook: NotebookPage, view: int = 0) -> Locator:
    """Give a chart the focus without a click, which would link a step."""
    plot = notebook.plot("loss/train", view=view)
    plot.focus()
    return plot


def choose(notebook: NotebookPage, text: str, found: str, key: str = "Enter") -> None:
    """Type into the palette, and choose the first result."""
    palette = notebook.page.locator(".tbwidget-palette")
    palette.get_by_role("combobox").fill(text)
    expect(palette.get_by_role("option", selected=True)).to_contain_text(found)
    notebook.page.keyboard.press(key)


def test_a_question_mark_lists_keys_and_gestures(server: JupyterServer, open_notebook: Open) -> None:
    notebook = opened(server, open_notebook, "palette-help")
    page, root = notebook.page, notebook.page.locator(".tbwidget")
    plot = focus_chart(notebook)
    page.keyboard.press("?")
    sheet = page.get_by_role("dialog", name="Keys and gestures")
    expect(sheet.get_by_role("region", name="Dashboard")).to_contain_text("Show only this run")
    # It renames runs, and sections of cards.
    assert sheet.locator("kbd", has_text="F2").count() == 2
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    expect(plot).to_be_focused()

    box = root.get_by_label("Filter tags").or_(root.get_by_label("Filter runs")).first
    if box.count() > 0:
        box.press("?")
        assert box.input_value() == "?"
        box.fill("")
    expect(sheet).to_have_count(0)

    root.get_by_role("button", name="Keys and gestures").click()
    sheet.get_by_role("button", name="Close").click()
    expect(sheet).to_have_count(0)
    expect(root.get_by_role("button", name="Keys and gestures")).to_be_focused()
    assert notebook.errors == []


def test_the_palette_reaches_everything_while_a_cell_runs(server: JupyterServer, open_notebook: Open) -> None:
    notebook = opened(server, open_notebook, "palette-busy", hold("palette-busy"), CHOSEN)
    page, root = notebook.page, notebook.page.locator(".tbwidget")
    palette = page.get_by_role("dialog", name="Search tags, runs and actions")
    notebook.start_cell(1)
    notebook.wait("return running(cells[1])")

    # A tag of another panel. The focus stays in the dashboard, so that it handles the next key, too.
    focus_chart(notebook)
    page.keyboard.press("/")
    choose(notebook, "weights", "layer/weights")
    expect(root.get_by_role("tab", selected=True)).to_have_text("Histograms")
    notebook.card("layer/weights").wait_for()
    expect(palette).to_have_count(0)

    # Ctrl+K finds a panel.
    page.keyboard.press("Control+k")
    choose(notebook, "scalars", "Scalars")
    expect(root.get_by_role("tab", selected=True)).to_have_text("Scalars")

    # A switch shows its state, and stays open; an option and a number are set.
    page.keyboard.press("Control+k")
    choose(notebook, "outliers", "Ignore outliers")
    expect(palette.get_by_role("option", name="Ignore outliers")).to_have_attribute("aria-checked", "false")
    choose(notebook, "axis relative", "X axis: Relative")
    expect(root.get_by_role("button", name="Relative", exact=True)).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Control+k")
    choose(notebook, "smoothing 7", "Smoothing: 7")  # too large: refused with a message
    expect(palette.get_by_role("option", selected=True)).to_have_attribute("aria-disabled", "true")
    choose(notebook, "smoothing 0.25", "Smoothing: 0.25")
    expect(root.get_by_label("Smoothing", exact=True).first).to_have_value("0.25")

    # A run whose name is markup: first only that run, then another one as well.
    page.keyboard.press("/")
    choose(notebook, "its run3".replace("its", "it's"), RUNS[2])
    shown = "return [...document.querySelectorAll('.tbwidget-runs li[data-shown]')].map(row => row.dataset.run).join()"
    notebook.wait(f"return (() => {{{shown}}})() === arg", arg=RUNS[2])
    page.keyboard.press("/")
    choose(notebook, "run1", "run1", "Shift+Enter")
    notebook.wait(f"return (() => {{{shown}}})() === arg", arg=f"{RUNS[2]},run1")
    page.keyboard.press("Escape")
    expect(palette).to_have_count(0)

    # Recent choices come first.
    page.keyboard.press("/")
    expect(palette.get_by_role("option").first).to_contain_text("run1")
    page.keyboard.press("Escape")

    assert notebook.js(_SEARCHES) == 0
    assert notebook.busy(1), "all that was to happen without the kernel"
    notebook.release("palette-busy")
    notebook.end_of_cell(1)
    notebook.wait_for_output(2, f"False 0.25 relative {sorted([RUNS[2], 'run1'], reverse=True)[::-1]} scalars")
    assert notebook.errors == []


def test_keys_belong_to_the_notebook_where_it_has_the_focus(server: JupyterServer, open_notebook: Open) -> None:
    notebook = opened(server, open_notebook, "palette-outside")
    notebook.js("panel.content.mode = 'command'; panel.content.node.focus()")
    for key in ("/", "?", "Control+k"):
        notebook.page.keyboard.press(key)
    notebook.draw_frames()
    assert notebook.page.locator(f".tbwidget {LAYER}").count() == 0


# A page that refuses the clipboard refuses it also in the tests that follow.
@pytest.mark.parametrize("may_copy", [True, pytest.param(False, marks=pytest.mark.own_window)])
def test_copied_python_shows_the_same_view_again(server: JupyterServer, open_notebook: Open, *, may_copy: bool) -> None:
    name = f"palette-copy-{may_copy}"
    notebook = opened(server, open_notebook, name, "")
    page = notebook.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    if not may_copy:
        notebook.js("navigator.clipboard.writeText = async () => { throw new Error('refused') };")
        notebook.js("document.execCommand = () => false;")
    focus_chart(notebook)
    page.keyboard.press("/")
    choose(notebook, "smoothing 0.3", "Smoothing: 0.3")
    page.keyboard.press("/")
    choose(notebook, "it's", RUNS[2])
    notebook.drag(notebook.plot("loss/train"), (0.2, 0.5), (0.6, 0.95))
    # The range of steps is set a moment after the drag.
    expect(page.get_by_role("slider", name="Last visible step")).not_to_have_attribute("aria-valuenow", "19")
    code = copied(notebook, 0, may_copy=may_copy)
    assert re.search(r"y_ranges=\{'loss/train': \[\S+, \S+\]\}", code)
    assert "step_range=" in code
    assert "smoothing=0.3" in code
    assert f"selected_runs=[{RUNS[2]!r}]" in code
    assert str(server.root / name) in code

    notebook.js("cells[1].model.sharedModel.setSource(arg)", code)
    notebook.run_cell(1)
    notebook.wait("return document.querySelectorAll('.tbwidget .tbwidget-plot canvas').length > 1")
    notebook.wait_for_state("idle", "live", view=1)
    # The second board has the zoom as an option, so the line of it stands elsewhere.
    assert sorted(copied(notebook, 1, may_copy=may_copy).splitlines()) == sorted(code.splitlines())
    assert notebook.errors == []


def copied(notebook: NotebookPage, view: int, *, may_copy: bool) -> str:
    """Copy the code by the menu; returns the clipboard's text, or the text shown instead of it."""
    root = notebook.page.locator(".tbwidget").nth(view)
    root.get_by_role("toolbar").or_(root.locator(".tbwidget-toolbar")).first.get_by_role("button", name="Save").click()
    root.get_by_role("button", name="Copy as Python").click()
    if may_copy:
        root.get_by_text("Python copied").wait_for()
        text: str = notebook.page.evaluate("navigator.clipboard.readText()")
        return text
    box = root.get_by_role("textbox", name="Copy as Python")
    shown = box.input_value()
    selected: str = box.evaluate("box => box.value.slice(box.selectionStart, box.selectionEnd)")
    assert selected == shown
    notebook.page.keyboard.press("Escape")
    box.wait_for(state="detached")
    return shown


def test_the_palette_finds_terms_of_tensorboard(server: JupyterServer, open_notebook: Open) -> None:
    notebook = opened(server, open_notebook, "palette-words")
    page, root = notebook.page, notebook.page.locator(".tbwidget")
    focus_chart(notebook)
    page.keyboard.press("/")
    choose(notebook, "wall", "X axis: Clock")
    clock = root.get_by_role("button", name="Clock", exact=True)
    expect(clock).to_have_attribute("aria-pressed", "true")
    expect(clock).to_have_attribute("title", re.compile("wall time"))
    page.keyboard.press("Control+k")
    choose(notebook, "download", "Save")
    expect(root.get_by_role("button", name="Save as CSV")).to_be_visible()
    page.keyboard.press("Escape")
    focus_chart(notebook)
    page.keyboard.press("Control+k")
    choose(notebook, "pin", "Pin: loss/train")
    expect(root.locator("[data-pinned]")).to_have_count(1)
    assert notebook.errors == []


def test_a_chart_that_is_pinned_keeps_the_focus(server: JupyterServer, open_notebook: Open) -> None:
    notebook = opened(server, open_notebook, "palette-pin")
    pinned = notebook.page.locator('.tbwidget-card[data-pinned][data-tag="loss/train"]')
    focus_chart(notebook)
    notebook.page.keyboard.press("Control+k")
    choose(notebook, "pin loss", "Pin: loss/train")
    expect(pinned).to_be_focused()
    notebook.page.keyboard.press("Control+k")
    choose(notebook, "unpin loss", "Unpin: loss/train")
    expect(pinned).to_have_count(0)
    expect(notebook.card("loss/train")).to_be_focused()
    assert notebook.errors == []


def test_the_focus_is_back_where_it_was_when_the_palette_closes(server: JupyterServer, open_notebook: Open) -> None:
    notebook = opened(server, open_notebook, "palette-focus-back")
    page, root = notebook.page, notebook.page.locator(".tbwidget")
    palette = page.locator(".tbwidget-palette")
    menu = root.locator(".tbwidget-toolbar").get_by_role("button", name="Axes")
    switch = root.locator(".tbwidget-popover-list").get_by_role("checkbox").first
    for element in (focus_chart(notebook), root.get_by_role("tab", name="Scalars"), switch):
        if element is switch:
            menu.click()
        element.focus()
        page.keyboard.press("Control+k")
        expect(palette.get_by_role("combobox")).to_be_focused()
        page.keyboard.press("Escape")
        expect(palette).to_have_count(0)
        expect(element).to_be_focused()
    expect(menu).to_have_attribute("aria-expanded", "true")
    assert notebook.errors == []


def test_lists_and_boxes_of_toolbars_are_set_by_name(server: JupyterServer, open_notebook: Open) -> None:
    access_page.write(server.root / "palette-lists")
    server.write_notebook("palette-lists.ipynb", [SHOW.format(name="palette-lists")])
    notebook = open_notebook("palette-lists.ipynb")
    notebook.run_cell(0)
    access = access_page.Access(notebook)
    page, root = notebook.page, access.root
    palette = page.locator(".tbwidget-palette")

    def act(panel: str, text: str, found: str) -> None:
        access.show(panel)
        page.keyboard.press("Control+k")
        choose(notebook, text, found)

    act("hparams", "goal loss", "Goal: val/loss")
    expect(root.get_by_role("combobox", name="Goal")).to_have_value("metric:val/loss")
    act("hparams", "metrics best accuracy", "Metrics: best val/accuracy")
    expect(root.get_by_role("combobox", name="Metrics")).to_have_value("at:metric:val/accuracy")
    # Plots and columns are on or off; the palette stays open, and says which.
    act("hparams", "scatter", "Plots: Scatter")
    expect(palette.get_by_role("option", selected=True)).to_have_attribute("aria-checked", "true")
    choose(notebook, "columns units", "Columns: units")
    page.keyboard.press("Escape")
    expect(root.locator("[data-plot=scatter]")).to_be_visible()
    expect(root.get_by_role("button", name="Scatter")).to_have_attribute("aria-pressed", "true")
    expect(root.get_by_role("button", name="Menu of units")).to_have_count(0)

    act("pr_curves", "threshold 0.5", "Threshold: 0.5")
    threshold = root.get_by_role("spinbutton", name="Threshold")
    expect(threshold).to_have_value("0.5")
    act("pr_curves", "threshold none", "Threshold: none")
    expect(threshold).to_have_value("")

    act("graphs", "run: dropout", "Run: dropout")
    expect(root.get_by_role("combobox", name="Run")).to_have_value("dropout")
    act("graphs", "color none", "Color: None")
    expect(root.get_by_role("combobox", name="Color")).to_have_value("none")
    act("graphs", "hide MatMul", "Hide op types: MatMul")
    page.keyboard.press("Escape")
    expect(root.get_by_text("1 op hidden")).to_be_visible()
    act("graphs", "search nodes", "Search nodes")
    expect(root.get_by_role("searchbox", name="Search nodes")).to_be_focused()

    act("scalars", "step 100", "Step of all cards: 100")
    notebook.wait_for_linked("100")
    act("scalars", "latest", "latest")
    expect(root.get_by_role("button", name="latest")).to_have_attribute("aria-pressed", "true")
    act("scalars", "last step 150", "Last step: 150")
    expect(root.get_by_role("button", name=re.compile("^Steps .* 150"))).to_be_visible()
    act("scalars", "combine", "Combine tags")
    expect(root.get_by_role("textbox", name="Combine tags")).to_be_focused()
    page.keyboard.press("Escape")
    act("scalars", "filter tags", "Filter tags")
    expect(root.get_by_role("searchbox", name="Filter tags")).to_be_focused()
    assert notebook.errors == []


def test_controls_below_a_chart_that_fills_the_window_are_not_offered(
    server: JupyterServer, open_notebook: Open
) -> None:
    # Tags have a filter from two on.
    rate = event(1.7e9, 0, simple("rate", 1))
    write(server.root / "palette-covered" / "other" / NAME, event(1.7e9, version="brain.Event:2"), rate)
    notebook = opened(server, open_notebook, "palette-covered")
    page, modal = notebook.page, notebook.page.locator(f".tbwidget {LAYER}:not(.tbwidget-sheet)")
    palette = page.locator(".tbwidget-palette")
    offered = palette.get_by_role("option", name="Filter tags")
    focus_chart(notebook)
    page.keyboard.press("Control+k")
    palette.get_by_role("combobox").fill("filter tags")
    expect(offered).to_have_count(1)
    page.keyboard.press("Escape")
    notebook.card("loss/train").hover()
    notebook.card("loss/train").get_by_role("button", name="Fill the window").click()
    page.keyboard.press("Control+k")
    palette.get_by_role("combobox").fill("filter tags")
    expect(offered).to_have_count(0)
    choose(notebook, "smoothing 0.3", "Smoothing: 0.3")
    expect(modal.get_by_label("Smoothing", exact=True).first).to_have_value("0.3")
    page.keyboard.press("Control+k")
    choose(notebook, "step 5", "Step of all cards: 5")
    expect(modal.get_by_role("textbox", name="Step of all cards")).to_have_value("5")
    page.keyboard.press("Control+k")
    choose(notebook, "save", "Save")
    expect(modal.get_by_role("button", name="Save as CSV")).to_be_visible()
    page.keyboard.press("Escape")
    expect(modal).to_have_count(1)
    # The focus is in the card, which Escape leaves first.
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(modal).to_have_count(0)
    assert notebook.errors == []


def test_a_message_is_seen_while_the_dashboard_is_maximized(server: JupyterServer, open_notebook: Open) -> None:
    notebook = opened(server, open_notebook, "palette-maximized")
    page = notebook.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator(".tbwidget-maximize").click()
    board = page.locator(f".tbwidget {LAYER}")
    page.keyboard.press("/")
    choose(notebook, "copy python", "Copy as Python")
    message = board.get_by_role("status").filter(has_text="Python copied")
    message.wait_for()
    box, window = message.bounding_box(), page.viewport_size
    assert box is not None
    assert window is not None
    assert 0 <= box["y"] < box["y"] + box["height"] <= window["height"]
    expect(message).to_have_count(0)
    page.keyboard.press("Escape")
    expect(board).to_have_count(0)
    assert notebook.errors == []


def test_the_dashboard_is_maximized_from_a_chart_that_fills_the_window(
    server: JupyterServer, open_notebook: Open
) -> None:
    notebook = opened(server, open_notebook, "palette-filled")
    page, modal = notebook.page, notebook.page.locator(f".tbwidget {LAYER}")
    notebook.card("loss/train").hover()
    notebook.card("loss/train").get_by_role("button", name="Fill the window").click()
    expect(modal).to_have_count(1)
    page.keyboard.press("Control+k")
    choose(notebook, "maximize", "Maximize the dashboard")
    expect(modal).to_have_count(1)
    expect(modal).to_have_attribute("aria-label", "Dashboard")
    expect(page.get_by_role("button", name="Leave the full window")).to_be_focused()
    page.keyboard.press("Control+k")
    choose(notebook, "leave window", "Leave the full window")
    expect(modal).to_have_count(0)
    notebook.plot("loss/train").click()
    assert notebook.errors == []


def test_every_panel_copies_the_view_from_its_menu(server: JupyterServer, open_notebook: Open) -> None:
    access_page.write(server.root / "palette-panels")
    server.write_notebook("palette-panels.ipynb", [SHOW.format(name="palette-panels")])
    notebook = open_notebook("palette-panels.ipynb")
    notebook.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    notebook.run_cell(0)
    root = notebook.page.locator(".tbwidget")
    for panel, (title, shown) in access_page.PANELS.items():
        root.get_by_role("tab", name=title, exact=True).click()
        root.locator(shown).first.wait_for()
        code = copied(notebook, 0, may_copy=True)
        assert f"panel={panel!r}" in code or panel == "scalars"
        expect(root.get_by_text("Python copied")).to_have_count(0)
    assert notebook.errors == []


@pytest.mark.own_window  # whose page has noted nothing
def test_the_first_chart_below_the_pointer_has_a_hint_once(server: JupyterServer, open_notebook: Open) -> None:
    notebook = opened(server, open_notebook, "palette-hint")
    hint = notebook.page.locator(".tbwidget-hover-hint")
    notebook.plot("loss/train").hover()
    expect(hint).to_have_text("drag: zoom · click: link the step · ? for all")
    notebook.page.mouse.move(0, 0)
    expect(hint).to_have_count(0)
    assert "hover" in notebook.page.evaluate(_NOTED)
    notebook.plot("loss/train").hover()
    notebook.sleep(1)
    expect(hint).to_have_count(0)
    assert notebook.errors == []


def test_escape_leaves_the_graph_and_then_the_maximized_dashboard(server: JupyterServer, open_notebook: Open) -> None:
    access_page.write(server.root / "palette-escape")
    server.write_notebook("palette-escape.ipynb", [SHOW.format(name="palette-escape")])
    notebook = open_notebook("palette-escape.ipynb")
    notebook.run_cell(0)
    access = access_page.Access(notebook)
    page, modal = notebook.page, notebook.page.locator(f".tbwidget {LAYER}:not(.tbwidget-sheet)")
    access.show("graphs")
    page.keyboard.press("Control+k")
    choose(notebook, "maximize", "Maximize the dashboard")
    access.root.get_by_role("button", name="Fill the window").click()
    expect(modal).to_have_count(2)
    # The box has the focus, and no text that Escape would clear first.
    page.keyboard.press("Control+k")
    choose(notebook, "search nodes", "Search nodes")
    expect(modal.last.get_by_role("searchbox", name="Search nodes")).to_be_focused()
    page.keyboard.press("Escape")
    expect(modal).to_have_count(1)
    # The focus is in the card, which Escape leaves first.
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(modal).to_have_count(0)
    assert notebook.errors == []
