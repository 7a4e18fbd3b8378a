"""The dashboard by keyboard and with a screen reader: few stops before the charts, tabs that name their panels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.support.eventfiles import NAME, event, histogram, simple, write

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

RUNS = [f"run{number}" for number in range(50)]

SHOW = """
import tbwidget
from IPython.display import display
board = tbwidget.Dashboard("keyboard-runs")
display(board)
"""

# The focused control: whether it is on a card, the run whose row contains it, and its name.
_FOCUSED = """
const focused = document.activeElement;
const row = focused.closest('li')?.querySelector('.tbwidget-run-name').textContent ?? null;
return [focused.closest('.tbwidget-card') !== null, row, focused.ariaLabel ?? (focused.title || focused.type)];
"""


def write_runs(server: JupyterServer) -> None:
    for number, run in enumerate(RUNS):
        events = [event(1.7e9 + step, step, simple("loss", number / (1 + step))) for step in range(20)]
        events += [event(1.7e9 + step, step, histogram("weights", [1, 2], [step + 1, 2])) for step in range(3)]
        write(server.root / "keyboard-runs" / run / NAME, event(1.7e9, version="brain.Event:2"), *events)


def focused(notebook: NotebookPage) -> list[bool | str | None]:
    found: list[bool | str | None] = notebook.js(_FOCUSED)
    return found


def test_keys_reach_every_control_and_the_charts_without_passing_every_run(
    server: JupyterServer, open_notebook: Open
) -> None:
    write_runs(server)
    server.write_notebook(
        "keyboard.ipynb", [SHOW, "print(len(board.selected_runs or []), (board.selected_runs or [])[:2])"]
    )
    notebook = open_notebook("keyboard.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_last_steps({"loss": "19"})
    notebook.wait("return document.querySelectorAll('.tbwidget-runs li').length === arg", arg=len(RUNS))
    press = notebook.page.keyboard.press

    root = notebook.page.locator(".tbwidget")
    root.locator(".tbwidget-runs li input").first.focus()
    assert focused(notebook)[1:] == ["run0", "run0"]
    for key, row, control in [
        ("ArrowDown", "run1", "run1"),
        ("End", "run49", "run49"),
        ("ArrowRight", "run49", "Color of run49"),
        ("ArrowRight", "run49", "Rename run49 here"),
        ("ArrowRight", "run49", "Note about run49"),
        ("ArrowRight", "run49", "Archive run49"),
        ("ArrowRight", "run49", "Show only run49"),
        ("PageUp", "run39", "Show only run39"),
        ("Home", "run0", "Show only run0"),
        ("ArrowLeft", "run0", "Archive run0"),
        ("ArrowLeft", "run0", "Note about run0"),
        ("ArrowLeft", "run0", "Rename run0 here"),
        ("ArrowLeft", "run0", "Color of run0"),
        ("ArrowLeft", "run0", "run0"),
        # The titles of the columns, which sort.
        ("ArrowUp", None, "Name"),
        ("ArrowDown", "run0", "run0"),
    ]:
        press(key)
        assert focused(notebook)[1:] == [row, control], key
    press("Space")
    # From one row to the next card, and back to that row.
    stops = 0
    while not focused(notebook)[0]:
        press("Tab")
        stops += 1
        assert stops <= 3
    for _ in range(stops):
        press("Shift+Tab")
    assert focused(notebook)[1:] == ["run0", "run0"]
    notebook.wait_for_output(1, "49 ['run1', 'run2']")
    assert notebook.errors == []


def test_tabs_and_what_they_show_belong_together(server: JupyterServer, open_notebook: Open) -> None:
    write_runs(server)
    server.write_notebook("tabs.ipynb", [SHOW])
    notebook = open_notebook("tabs.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_last_steps({"loss": "19"})
    tabs = notebook.page.locator(".tbwidget [role=tab]")
    expect(tabs).to_have_text(["Scalars", "Histograms", "Distributions"])
    tabs.first.focus()
    for key, shown in [("End", "Distributions"), ("ArrowRight", "Scalars"), ("ArrowLeft", "Distributions")]:
        notebook.page.keyboard.press(key)
        tab = notebook.page.get_by_role("tab", name=shown, selected=True)
        tab.wait_for()
        panel = notebook.page.get_by_role("tabpanel", name=shown)
        assert panel.get_attribute("id") == tab.get_attribute("aria-controls")
        expect(notebook.page.locator(":focus")).to_have_text(shown)
    assert notebook.errors == []


def test_arrow_keys_stay_in_menus(server: JupyterServer, open_notebook: Open) -> None:
    write_runs(server)
    server.write_notebook("menus.ipynb", [SHOW, "1"])
    notebook = open_notebook("menus.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_last_steps({"loss": "19"})
    press, root = notebook.page.keyboard.press, notebook.page.locator(".tbwidget")
    focus, listed = root.locator(":focus"), root.locator(".tbwidget-popover-list")

    toolbar = root.get_by_role("toolbar")

    # A list keeps the keys that select in it; JupyterLab would go on to the next cell.
    smoothing = root.get_by_label("Smoothing method")
    smoothing.focus()
    press("ArrowDown")
    press("ArrowDown")
    expect(smoothing).to_be_focused()

    lines = toolbar.get_by_role("button", name="Lines")
    lines.press("Enter")
    press("ArrowUp")
    expect(focus).to_have_attribute("type", "checkbox")
    press("ArrowDown")
    expect(lines).to_be_focused()
    press("ArrowUp")
    # A menu that has lost the focus is closed.
    press("Tab")
    expect(listed).to_have_count(0)
    expect(toolbar.get_by_role("button", name="Axes")).to_be_focused()
    assert notebook.errors == []


def test_the_table_of_values_opens_beside_its_button_and_takes_the_focus(
    server: JupyterServer, open_notebook: Open
) -> None:
    write_runs(server)
    server.write_notebook("table.ipynb", [SHOW])
    notebook = open_notebook("table.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_last_steps({"loss": "19"})
    press, root = notebook.page.keyboard.press, notebook.page.locator(".tbwidget")
    table, heading = root.get_by_role("region", name="Table of values"), root.locator(".tbwidget-values h4")
    button = root.get_by_role("group", name="Steps").get_by_role("button", name="Table of values")
    cards = root.locator(".tbwidget-main").bounding_box()
    assert cards is not None

    button.press("Enter")
    expect(heading).to_be_focused()
    apart = """table => [document.querySelector('.tbwidget-main').getBoundingClientRect().top,
        document.querySelector('.tbwidget-step-control').getBoundingClientRect().top
            - table.getBoundingClientRect().bottom]"""
    assert table.evaluate(apart) == [cards["y"], 0]
    # With the focus elsewhere, another tab and back does not take it.
    for name in ("Histograms", "Scalars"):
        root.get_by_role("tab", name=name, exact=True).click()
        expect(root.get_by_role("tab", name=name, exact=True)).to_be_focused()
    table.get_by_role("textbox", name="First selected step").press("Escape")
    expect(table).to_have_count(0)

    # From a menu, which then closes.
    menu = root.get_by_role("toolbar").get_by_role("button", name="View")
    menu.click()
    root.locator(".tbwidget-popover-list").get_by_label("Table of values").press("Space")
    expect(heading).to_be_focused()
    expect(root.locator(".tbwidget-popover-list")).to_have_count(0)
    table.get_by_role("button", name="Close").click()
    expect(table).to_have_count(0)
    expect(menu).to_be_focused()
    button.press("Enter")
    press("Escape")
    expect(button).to_be_focused()
    assert notebook.errors == []


def test_the_focus_stays_in_the_dashboard_when_its_control_is_removed(
    server: JupyterServer, open_notebook: Open
) -> None:
    for run in RUNS[:2]:
        values = [simple(tag, 1) for tag in ("loss/train", "loss/validation", "rate")]
        events = [event(1.7e9 + step, step, *values) for step in range(20)]
        write(server.root / "removed" / run / NAME, event(1.7e9, version="brain.Event:2"), *events)
    server.write_notebook("removed.ipynb", [SHOW.replace("keyboard-runs", "removed"), "1"])
    notebook = open_notebook("removed.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_last_steps({"rate": "19"})
    press, root = notebook.page.keyboard.press, notebook.page.locator(".tbwidget")

    # A card that is split, or that moves to the pinned ones.
    card = root.locator(".tbwidget-card[data-tags*='loss/train']")
    card.get_by_role("button", name="Give each tag its own card").focus()
    press("Enter")
    expect(card).to_have_count(0)
    expect(root.locator(".tbwidget-card:focus")).to_have_count(1)
    rate = notebook.card("rate")
    rate.focus()
    press("Enter")
    rate.get_by_role("button", name="Pin").focus()
    press("Enter")
    expect(root.locator(".tbwidget-card[data-pinned]")).to_be_focused()

    # A button that ends what it names.
    root.get_by_role("slider", name="First visible step").press("ArrowRight")
    chip = root.locator(".tbwidget-step-control .tbwidget-chip")
    chip.press("Enter")
    expect(chip).to_have_count(0)
    expect(root.get_by_role("button", name="Play the steps")).to_be_focused()
    assert notebook.errors == []
