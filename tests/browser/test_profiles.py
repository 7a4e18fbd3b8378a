"""Profiles in the page: saved and loaded from the menu, the file in the log directory, notes and archived runs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from playwright.sync_api import FilePayload, expect

import tbwidget
from tests.browser.cells import hold
from tests.support.eventfiles import NAME, event, simple, write

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage


def write_runs(folder: Path) -> None:
    for run in ("first", "second", "third"):
        write(folder / run / NAME, *(event(1.7e9 + i, i, simple("loss", 1 / (i + 1))) for i in range(9)))


def open_menu(notebook: NotebookPage) -> None:
    if notebook.page.locator(".tbwidget-profile").count() == 0:
        notebook.page.locator(".tbwidget-state").click()


def load(notebook: NotebookPage, content: bytes) -> None:
    open_menu(notebook)
    file = FilePayload(name="profile.json", mimeType="application/json", buffer=content)
    notebook.page.locator(".tbwidget-profile input[type=file]").set_input_files([file])


def test_a_profile_is_saved_in_one_dashboard_and_loaded_in_another(server: JupyterServer, open_notebook: Open) -> None:
    write_runs(server.root / "profiled")
    show = "import tbwidget\nboard = tbwidget.Dashboard('profiled', smoothing=0.25)\nboard"
    cells = [show, hold("profiled"), "print(sorted(board.archived_runs), board.run_notes)"]
    server.write_notebook("profiled.ipynb", cells)
    notebook = open_notebook("profiled.ipynb", size=(1400, 1000))
    notebook.run_cell(0)
    notebook.wait_for_last_steps({"loss": "8"})
    page = notebook.page
    # All of this happens while a cell runs.
    notebook.start_cell(1)
    row = page.locator(".tbwidget-runs li[data-run='first']")
    row.hover()
    row.get_by_role("button", name="Note about first").click()
    page.get_by_role("textbox", name="Note about first").fill("<img src=x onerror='window.hacked=1'>\ngood")
    page.locator(".tbwidget-run-noting").get_by_role("button", name="Save").click()
    expect(row.locator(".tbwidget-run-note")).to_have_attribute("title", "<img src=x onerror='window.hacked=1'>\ngood")
    third = page.locator(".tbwidget-runs li[data-run='third']")
    third.hover()
    third.get_by_role("button", name="Archive third").click()
    expect(third).to_have_count(0)
    archived = page.locator(".tbwidget-archived")
    expect(archived).to_contain_text("1 archived")
    archived.get_by_role("checkbox", name="Show archived runs").check()
    expect(third).to_have_attribute("data-archived", "")
    archived.get_by_role("checkbox", name="Show archived runs").uncheck()
    expect(third).to_have_count(0)
    open_menu(notebook)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save profile…").click()
    assert download.value.suggested_filename == "tbwidget.json"
    saved = json.loads(download.value.path().read_text())
    assert (saved["version"], saved["smoothing"], saved["archived_runs"]) == (1, 0.25, ["third"])
    notebook.release("profiled")
    notebook.end_of_cell(1)
    notebook.run_cell(2)
    notebook.wait_for_output(2, "['third'] {'first': \"<img src=x onerror='window.hacked=1'>\\ngood\"}")
    assert notebook.js("return window.hacked ?? null") is None


def test_a_profile_is_loaded_in_another_dashboard_and_python_takes_the_same(
    server: JupyterServer, open_notebook: Open
) -> None:
    write_runs(server.root / "other")
    board = tbwidget.Dashboard(server.root / "other")
    saved = {**board.profile, "smoothing": 0.25, "archived_runs": ["third"], "run_notes": {"first": "x"}}
    board.close()
    (server.root / "saved.json").write_text(json.dumps(saved))
    show = "import tbwidget\nboard = tbwidget.Dashboard('other')\nboard"
    check = "print(board.profile == {**tbwidget.Dashboard('other', profile='saved.json').profile})"
    server.write_notebook("other.ipynb", [show, check])
    other = open_notebook("other.ipynb", size=(1400, 1000))
    other.run_cell(0)
    other.wait_for_last_steps({"loss": "8"})
    load(other, json.dumps(saved).encode())
    expect(other.page.locator(".tbwidget-profile [role=status]")).to_contain_text("options loaded")
    expect(other.page.locator(".tbwidget input[type=range]").first).to_have_value("0.25")
    expect(other.page.locator(".tbwidget-runs li[data-run='third']")).to_have_count(0)
    other.run_cell(1)
    other.wait_for_output(1, "True")
    hostile = {"version": 1, "smoothing": 0.5, "x_axis": 3, "<script>window.hacked=1</script>\u202e": 1}
    load(other, json.dumps(hostile).encode())
    said = other.page.locator(".tbwidget-profile [role=status] p")
    expect(said.nth(0)).to_have_text("1 option loaded")
    expect(said.nth(1)).to_contain_text("Wrong value, left out: \u2068x_axis\u2069")
    expect(said.nth(2)).to_contain_text("<script>window.hacked=1</script>")
    expect(other.page.locator(".tbwidget input[type=range]").first).to_have_value("0.5")
    load(other, b'{"version": 1, "smoothing": 0.9' + b" " * 10_000_000 + b"}")
    expect(said).to_have_text(["This file is no profile: it has more than 10 MB"])
    load(other, b"[" * 100_000 + b"]" * 100_000)
    expect(said).to_have_count(1)
    expect(other.page.locator(".tbwidget input[type=range]").first).to_have_value("0.5")
    assert other.js("return window.hacked ?? null") is None
    open_menu(other)
    other.page.get_by_role("button", name="Reset options").click()
    expect(other.page.locator(".tbwidget input[type=range]").first).to_have_value("0.6")


def test_the_menu_of_the_state_names_the_file_that_one_click_ignores(
    server: JupyterServer, open_notebook: Open
) -> None:
    write_runs(server.root / "by_file")
    (server.root / "by_file" / "tbwidget.json").write_text(
        json.dumps({"version": 1, "smoothing": 0.8, "run_names": {"first": "The <b>first</b>"}})
    )
    show = "import tbwidget\nboard = tbwidget.Dashboard('by_file')\nboard"
    server.write_notebook("by_file.ipynb", [show, "print(board.smoothing, board.run_names)"])
    notebook = open_notebook("by_file.ipynb", size=(1400, 1000))
    notebook.run_cell(0)
    notebook.wait_for_last_steps({"loss": "8"})
    smoothing = notebook.page.locator(".tbwidget input[type=range]").first
    file = notebook.page.locator(".tbwidget-options-file")
    open_menu(notebook)
    expect(smoothing).to_have_value("0.8")
    expect(file).to_have_text("tbwidget.json \u00d7")
    expect(notebook.page.get_by_role("checkbox", name="The <b>first</b>")).to_have_count(1)
    file.click()
    expect(file).to_have_text("tbwidget.json ignored")
    expect(smoothing).to_have_value("0.6")
    notebook.run_cell(1)
    notebook.wait_for_output(1, "0.6 {}")
    notebook.run_cell(0)
    notebook.wait_for_last_steps({"loss": "8"})
    open_menu(notebook)
    expect(file).to_have_text("tbwidget.json ignored")
    expect(smoothing).to_have_value("0.6")
    file.click()
    expect(file).to_have_text("tbwidget.json \u00d7")
    expect(smoothing).to_have_value("0.8")
    notebook.run_cell(1)
    notebook.wait_for_output(1, "0.8 {'first': 'The <b>first</b>'}")
