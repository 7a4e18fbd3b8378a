"""States that no other test shows: a page of another version, and a directory that comes later."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.states import OTHER_PROTOCOL, SHOW
from tests.support.eventfiles import NAME, event, simple, write

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer


@pytest.mark.parametrize("width", [1400, 700])
def test_a_page_of_another_version_says_what_to_do(server: JupyterServer, open_notebook: Open, width: int) -> None:
    write(server.root / "state-error" / NAME, event(1.7e9, 0, simple("loss", 1)))
    name = f"state-error-{width}.ipynb"
    server.write_notebook(name, [OTHER_PROTOCOL, SHOW.format(logs="state-error")])
    notebook = open_notebook(name)
    notebook.resize(width, 1000)
    notebook.run_cell(0)
    notebook.run_cell(1)
    notebook.wait_for_state("error")
    page = notebook.page
    expect(page.locator(".tbwidget-state")).to_have_text("Error")
    expect(page.locator(".tbwidget-waiting h4")).to_have_text("This page cannot show the kernel's data")
    expect(page.locator(".tbwidget-waiting p")).to_contain_text("Run the cell again.")
    expect(page.locator(".tbwidget-skeleton")).to_have_count(0)
    # Once is enough.
    expect(page.locator(".tbwidget-news")).to_be_hidden()
    assert notebook.errors == []


def test_a_directory_that_does_not_exist_yet_is_read_when_it_does(server: JupyterServer, open_notebook: Open) -> None:
    server.write_notebook("state-later.ipynb", [SHOW.format(logs="state-later")])
    notebook = open_notebook("state-later.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_state("waiting")
    expect(notebook.page.locator(".tbwidget-waiting h4")).to_have_text("This directory does not exist yet")
    write(server.root / "state-later" / NAME, event(1.7e9, 0, simple("loss", 1)))
    notebook.wait_for_last_steps({"loss": "0"})
    notebook.wait_for_state("idle")
    assert notebook.errors == []
