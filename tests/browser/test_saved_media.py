"""Images, clips and texts in saved notebooks and pages: shown if they were saved, and otherwise named as missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import tbwidget
from tests.browser.jupyter import JupyterServer
from tests.browser.test_images import encoded, noise
from tests.browser.test_saved import ServedPage, says_it_is_saved, wait_for_saved_widgets, write_page
from tests.support.eventfiles import NAME, event, plugin, strings, write
from tests.support.sounds import tone, wav

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.chromium import Chromium
    from tests.browser.conftest import Open
    from tests.browser.page import NotebookPage

SHOW = "import tbwidget; board = tbwidget.Dashboard('saved-media', panel='images'); board"
STEPS = 120


def write_media(folder: Path) -> None:
    """Write more images than a page may hold, a clip and a text."""
    values = [strings("picture", plugin("images"), b"0", b"0", encoded(noise(320, 320, step))) for step in range(STEPS)]
    values += [strings("clip", plugin("audio"), wav(tone(1))), strings("words", plugin("text"), b"**what** was said")]
    write(folder / "run" / NAME, *(event(1.7e9 + step, step, value) for step, value in enumerate(values)))


def wait_for(notebook: NotebookPage, selector: str, state: str) -> None:
    notebook.page.locator(f".tbwidget {selector}[data-state={state}]").first.wait_for()


def shows_what_it_has(page: NotebookPage) -> None:
    """Check that it shows the newest image and some older ones, names the missing ones, plays a clip, shows a text."""
    # If the tab was chosen just before saving, the saved page may not know it.
    page.page.get_by_role("tab", name="Images").click()
    wait_for(page, ".tbwidget-tile", "shown")
    says_it_is_saved(page)
    tile = page.page.locator(".tbwidget-tile")
    assert tile.get_attribute("data-step") == str(STEPS - 1)
    steps = page.page.get_by_role("slider", name="Step of all cards")
    steps.press("End")
    found = set()
    for step in reversed(range(3 * STEPS // 4, STEPS)):
        page.wait(
            "const { dataset: { step, state }, innerText } = document.querySelector('.tbwidget-tile');"
            "return step === arg && (state === 'shown' || innerText.includes('not in this saved page'))",
            arg=str(step),
        )
        found.add(tile.get_attribute("data-state"))
        steps.press("ArrowLeft")
    assert found == {"shown", "waits"}
    # All panels share the step.
    steps.press("End")
    page.page.get_by_role("tab", name="Audio").click()
    wait_for(page, ".tbwidget-clip", "shown")
    page.page.locator(".tbwidget-clip").first.get_by_role("button", name="Play").click()
    page.page.get_by_role("button", name="Pause").first.wait_for()
    page.page.get_by_role("tab", name="Text").click()
    page.page.locator(".tbwidget strong", has_text="what").wait_for()
    assert page.errors == []


@pytest.mark.own_window
def test_saved_media_are_shown_without_a_kernel(saving_server: JupyterServer, open_notebook: Open) -> None:
    server = saving_server
    write_media(server.root / "saved-media")
    server.write_notebook("saved-media.ipynb", [SHOW])
    notebook = open_notebook("saved-media.ipynb", server)
    notebook.run_cell(0)
    wait_for(notebook, ".tbwidget-tile", "shown")
    notebook.page.get_by_role("tab", name="Audio").click()
    wait_for(notebook, ".tbwidget-clip", "shown")
    notebook.page.get_by_role("tab", name="Text").click()
    notebook.page.locator(".tbwidget strong", has_text="what").wait_for()
    notebook.page.get_by_role("tab", name="Images").click()
    wait_for(notebook, ".tbwidget-tile", "shown")
    notebook.save()
    for kernel in server.api("api/kernels"):
        server.api(f"api/kernels/{kernel['id']}", "DELETE")
    notebook.open()
    wait_for_saved_widgets(notebook)
    shows_what_it_has(notebook)


def test_exported_media_are_shown(tmp_path: Path, server: JupyterServer, chromium: Chromium) -> None:
    write_media(tmp_path / "media")
    board = tbwidget.Dashboard(tmp_path / "media", panel="images")
    try:
        write_page(server.root / "media-page.html", board)
    finally:
        board.close()
    with ServedPage(server, "media-page.html", chromium) as page:
        shows_what_it_has(page)
