"""A page remembers the options of a board, one by one, but not the zoom of a view."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.test_views import COLORS
from tests.support.eventfiles import NAME, event, histogram, simple, write

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

# The options of a page's boards: smoothing, shown runs, and panel.
CHOSEN = """
return [...document.querySelectorAll('.tbwidget')].map(root => [
    root.querySelector('input[type=range]')?.value ?? null,
    [...root.querySelectorAll('.tbwidget-runs li')].filter(row => row.querySelector('input').checked)
        .map(row => row.querySelector('.tbwidget-run-name').textContent).join(),
    root.querySelector('[role=tab][aria-selected=true]')?.textContent ?? null,
]);
"""

STATES = """
window.testStates = [];
const note = () => {
    const state = document.querySelector('.tbwidget')?.dataset.state;
    if (state !== undefined && state !== window.testStates.at(-1)) window.testStates.push(state);
};
new MutationObserver(note).observe(document, { subtree: true, childList: true, attributeFilter: ['data-state'] });
"""


def write_runs(folder: Path, steps: int = 60, tags: int = 1) -> None:
    names = ["loss", *(f"other{number:02}" for number in range(1, tags))]
    for run in ("first", "second"):
        events = [event(1.7e9 + i, i, *(simple(tag, (i * 37 % 59) / 60) for tag in names)) for i in range(steps)]
        events.append(event(1.7e9 + steps, 0, histogram("weights", [1, 2], [3, 4])))
        write(folder / run / NAME, event(1.7e9, version="brain.Event:2"), *events)


def wait_for_boards(notebook: NotebookPage, boards: int) -> None:
    notebook.wait(
        "return [...document.querySelectorAll('.tbwidget')].filter(root =>"
        " root.querySelectorAll('.tbwidget-runs li').length === 2).length === arg",
        arg=boards,
    )


def wait_for_options(notebook: NotebookPage, wanted: list[list[str | None]]) -> None:
    """Wait until the boards have these options, and check that they keep them."""
    notebook.wait(
        f"const chosen = (() => {{{CHOSEN}}})(); return JSON.stringify(chosen) === arg[0]",
        arg=[json.dumps(wanted, separators=(",", ":"))],
    )
    notebook.sleep(2)
    assert notebook.js(CHOSEN) == wanted


def test_two_boards_on_one_directory_keep_their_own_options(server: JupyterServer, open_notebook: Open) -> None:
    write_runs(server.root / "own")
    show = "import tbwidget; tbwidget.show('own')"
    server.write_notebook("own.ipynb", [show, show, "tbwidget.show('own', smoothing=0.3)"])
    notebook = open_notebook("own.ipynb", size=(1400, 2400))
    notebook.run_cell(0)
    wait_for_boards(notebook, 1)
    boards = notebook.page.locator(".tbwidget")
    boards.nth(0).get_by_role("slider", name="Smoothing").fill("0.95")
    boards.nth(0).locator(".tbwidget-runs li input[type=checkbox]").nth(1).uncheck()
    notebook.run_cell(1)
    notebook.run_cell(2)
    wait_for_boards(notebook, 3)
    untouched = "first,second"
    default: str = notebook.js(CHOSEN)[1][0]
    wait_for_options(
        notebook,
        [["0.95", "first", "Scalars"], [default, untouched, "Scalars"], ["0.3", untouched, "Scalars"]],
    )
    boards.nth(1).get_by_role("slider", name="Smoothing").fill("0.1")
    boards.nth(2).get_by_role("tab", name="Histograms").click()
    wanted: list[list[str | None]] = [
        ["0.95", "first", "Scalars"],
        ["0.1", untouched, "Scalars"],
        [None, untouched, "Histograms"],
    ]
    wait_for_options(notebook, wanted)
    notebook.save()
    notebook.reload()
    wait_for_boards(notebook, 3)
    wait_for_options(notebook, wanted)
    assert notebook.errors == []


def test_a_new_board_does_not_remember_a_zoom(server: JupyterServer, open_notebook: Open) -> None:
    folder = server.root / "zoomed"
    write_runs(folder, 600)
    server.write_notebook("zoomed.ipynb", ["import tbwidget; tbwidget.show('zoomed')"] * 2)
    notebook = open_notebook("zoomed.ipynb", size=(1400, 2000))
    notebook.run_cell(0)
    notebook.wait_for_last_steps({"loss": "599"})
    notebook.drag(notebook.plot("loss"), (0.8, 0.2), (0.9, 0.8))
    chip = notebook.page.locator(".tbwidget").get_by_role("button", name=re.compile("^Steps "))
    chip.wait_for()
    notebook.sleep(1)
    # The training is restarted, and has fewer steps yet.
    write_runs(folder, 200)
    notebook.run_cell(1)
    notebook.wait(
        "return document.querySelectorAll('.tbwidget')[1]?.querySelector('[data-tag=loss]')?.dataset.lastStep === '199'"
    )
    notebook.sleep(1)
    assert notebook.page.locator(".tbwidget").nth(1).get_by_role("button", name=re.compile("^Steps ")).count() == 0
    notebook.run_cell(0)
    notebook.wait(
        "return document.querySelectorAll('.tbwidget')[0]?.querySelector('[data-tag=loss]')?.dataset.lastStep === '199'"
    )
    notebook.sleep(1)
    assert chip.count() == 0


def test_runs_have_the_same_colors_in_a_fresh_profile(server: JupyterServer, open_notebook: Open) -> None:
    def start(run: str, at: float) -> None:
        events = [event(1.7e9 + at + i, i, simple("loss", i)) for i in range(5)]
        write(server.root / "profile" / run / NAME, event(1.7e9 + at, version="brain.Event:2"), *events)

    listed = "return document.querySelectorAll('.tbwidget-runs li').length === arg"
    start("second", 0)
    server.write_notebook("profile.ipynb", ["import tbwidget; tbwidget.show('profile')"])
    notebook = open_notebook("profile.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_last_steps({"loss": "4"})
    # Begun later, but listed first.
    start("first", 100)
    notebook.wait(listed, arg=2)
    start("and a third", 200)
    notebook.wait(listed, arg=3)
    (colors,) = notebook.steady(COLORS)
    assert len(set(colors.values())) == 3
    notebook.save()
    other = open_notebook("profile.ipynb")
    other.wait(listed, arg=3)
    assert other.steady(COLORS) == [colors]
    # The same colors with a kernel that reads all runs at once.
    other.run_cell(0)
    other.wait(listed, arg=3)
    assert other.steady(COLORS) == [colors]


def test_logs_of_last_year_are_never_live(server: JupyterServer, open_notebook: Open) -> None:
    write_runs(server.root / "old", 5_000, tags=5)
    server.write_notebook("old.ipynb", ["import tbwidget; tbwidget.show('old')"])
    notebook = open_notebook("old.ipynb")
    notebook.js(STATES)
    notebook.run_cell(0)
    notebook.wait_for_last_steps({"loss": "4999"})
    notebook.wait_for_state("idle")
    notebook.sleep(3)
    assert "live" not in notebook.js("return window.testStates")
    # New points with old times do not make a training live either.
    with (server.root / "old/first" / NAME).open("ab") as file:
        file.write(event(1.7e9 + 6_000, 6_000, simple("loss", 0.5)))
    notebook.wait_for_last_steps({"loss": "6000"})
    notebook.sleep(2)
    assert "live" not in notebook.js("return window.testStates")


def test_remembered_options_overrule_the_file_in_the_log_directory(server: JupyterServer, open_notebook: Open) -> None:
    write_runs(server.root / "with_file")
    show = "import tbwidget\nboard = tbwidget.Dashboard('with_file')\nboard"
    server.write_notebook("with_file.ipynb", [show, "print(board.smoothing, board.x_axis)"])
    notebook = open_notebook("with_file.ipynb", size=(1400, 1200))
    notebook.run_cell(0)
    wait_for_boards(notebook, 1)
    smoothing = notebook.page.locator(".tbwidget input[type=range]").first
    smoothing.fill("0.2")
    notebook.wait("return JSON.stringify({...localStorage}).includes('smoothing')")
    (server.root / "with_file" / "tbwidget.json").write_text(
        json.dumps({"version": 1, "smoothing": 0.8, "x_axis": "wall", "hieght": 1})
    )
    notebook.run_cell(0)
    wait_for_boards(notebook, 1)
    notebook.wait_for_output(1, "0.2 wall")
    expect(smoothing).to_have_value("0.2")
    problems = notebook.page.locator(".tbwidget-problems-button")
    problems.click()
    wanted = "there is no option 'hieght': did you mean 'height'?"
    # The file is named once, with its problems below it.
    expect(notebook.page.locator(".tbwidget-problems li")).to_have_text([f"tbwidget.json{wanted}", wanted])
