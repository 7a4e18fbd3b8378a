"""Several values of one step: the user can reach all of them. Steps keep all their digits, also from Python."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image
from playwright.sync_api import expect

from tests.support.eventfiles import NAME, event, plugin, strings, write
from tests.support.sounds import tone, wav

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer

SHOW = "import tbwidget\nboard = tbwidget.{view}('{logs}')\nboard"

BIG = 2**62


def png(shade: int) -> bytes:
    file = io.BytesIO()
    Image.fromarray(np.full((20, 20), shade, np.uint8)).save(file, "PNG")
    return file.getvalue()


def test_images_of_one_step_are_gone_through_and_steps_have_all_digits(
    server: JupyterServer, open_notebook: Open
) -> None:
    events = [event(1.7e9 + n, 0, strings("same", plugin("images"), b"20", b"20", png(50 * n))) for n in range(5)]
    events += [event(1.7e9 + n, BIG + n, strings("far", plugin("images"), b"20", b"20", png(50 * n))) for n in range(3)]
    write(server.root / "same-images" / "run" / NAME, event(1.7e9, version="brain.Event:2"), *events)
    cells = [SHOW.format(view="ImagesView", logs="same-images"), f"board.linked_step = {BIG + 1}", "board.linked_step"]
    server.write_notebook("same-images.ipynb", cells)
    notebook = open_notebook("same-images.ipynb")
    notebook.run_cell(0)
    tile = notebook.page.locator(".tbwidget-tile[data-tag=same]")
    shade = """
        const canvas = document.querySelector('.tbwidget-tile[data-tag=same][data-state=shown] canvas');
        if (!canvas) return null;
        const copy = document.createElement('canvas');
        [copy.width, copy.height] = [canvas.width, canvas.height];
        copy.getContext('2d').drawImage(canvas, 0, 0);
        return copy.getContext('2d').getImageData(3, 3, 1, 1).data[0];
    """
    notebook.wait(f"return (() => {{{shade}}})() === 200")
    expect(tile).to_have_count(1)
    expect(tile).to_contain_text("5 of 5")
    slider = notebook.page.get_by_role("slider", name="Value of same at this step")
    for number in (3, 2, 1, 0):
        slider.press("ArrowLeft")
        notebook.wait(f"return (() => {{{shade}}})() === arg", arg=50 * number)
    expect(tile).to_contain_text("1 of 5")
    slider.press("End")
    notebook.wait(f"return (() => {{{shade}}})() === 200")
    # A step that no double can represent.
    far = notebook.page.locator(".tbwidget-tile[data-tag=far]")
    far.and_(notebook.page.locator(f"[data-step='{BIG + 2}'][data-state=shown]")).wait_for()
    notebook.run_cell(1)
    far.and_(notebook.page.locator(f"[data-step='{BIG + 1}'][data-state=shown]")).wait_for()
    notebook.page.get_by_role("slider", name="Step of all cards").press("ArrowLeft")
    far.and_(notebook.page.locator(f"[data-step='{BIG}'][data-state=shown]")).wait_for()
    notebook.wait_for_output(2, str(BIG))
    assert notebook.errors == []


def test_clips_of_one_step_are_gone_through(server: JupyterServer, open_notebook: Open) -> None:
    events = [
        event(1.7e9 + n, 0, strings("same", plugin("audio"), wav(tone((n + 1) / 4)), b"", shape=(1, 2)))
        for n in range(3)
    ]
    write(server.root / "same-clips" / "run" / NAME, event(1.7e9, version="brain.Event:2"), *events)
    server.write_notebook("same-clips.ipynb", [SHOW.format(view="AudioView", logs="same-clips")])
    notebook = open_notebook("same-clips.ipynb")
    notebook.run_cell(0)
    clip = notebook.page.locator(".tbwidget-clip[data-state=shown]")
    slider = notebook.page.get_by_role("slider", name="Value of same at this step")
    clip.filter(has_text="0.75").filter(has_text="3 of 3").wait_for()
    slider.press("ArrowLeft")
    clip.filter(has_text="0.50").filter(has_text="2 of 3").wait_for()
    slider.press("Home")
    clip.filter(has_text="0.25").filter(has_text="1 of 3").wait_for()
    assert notebook.page.locator(".tbwidget-clip").count() == 1
    assert notebook.errors == []
