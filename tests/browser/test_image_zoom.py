"""Zoom in the grid of images: wheel, drag, fingers and keys on one tile move all tiles of its tag."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.browser.pointers import Touch

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

WRITE = """
import numpy as np
from tensorboardX import SummaryWriter
for number in range(3):
    rng = np.random.default_rng(number)
    all_pictures = rng.integers(0, 256, (2, 2, 3, 60, 90), dtype=np.uint8).repeat(10, axis=3).repeat(10, axis=4)
    with SummaryWriter(f"{logs}/run{{number}}") as writer:
        for tag, pictures in zip(("large", "other"), all_pictures):
            for step, picture in enumerate(pictures):
                writer.add_image(tag, picture, step)
"""

SHOW = """
import tbwidget
board = tbwidget.ImagesView("{logs}", height=420)
board
"""

# For each tile of a tag: the visible part of its image (left, top, share of the width), and its width in pixels.
PARTS = """
return [...document.querySelectorAll(`.tbwidget-tile[data-tag="${arg}"][data-state=shown]`)].map(tile => {
    const frame = tile.querySelector('.tbwidget-tile-frame').getBoundingClientRect();
    const canvas = tile.querySelector('canvas');
    const box = canvas.getBoundingClientRect();
    const part = [(frame.left - box.left) / box.width, (frame.top - box.top) / box.height, frame.width / box.width];
    return [...part.map(share => Math.round(1000 * share) / 1000), canvas.width];
});
"""

WHOLE = [0, 0, 1]


def parts(notebook: NotebookPage, tag: str, width: int = 0) -> list[list[float]]:
    """Return `PARTS` of the three tiles, once they are stable and have at least this width."""
    notebook.wait(
        f"const found = (() => {{{PARTS.replace('arg', 'arg[0]')}}})();"
        " return found.length === 3 && found.every(each => each[3] >= arg[1])",
        arg=[tag, width],
    )
    found: list[list[float]] = notebook.steady(PARTS, tag)
    return found


def middle(tile: Locator) -> tuple[float, float]:
    """Return the middle of a tile's picture, in CSS pixels of the window."""
    box = tile.locator(".tbwidget-tile-frame").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def show(server: JupyterServer, open_notebook: Open, name: str) -> tuple[NotebookPage, Locator]:
    """Show images of three runs; returns the notebook and a tile of one of them."""
    server.write_notebook(f"{name}.ipynb", [WRITE.format(logs=name), SHOW.format(logs=name)])
    notebook = open_notebook(f"{name}.ipynb")
    notebook.run_cell(0)
    notebook.run_cell(1)
    assert [found[:3] for found in parts(notebook, "large")] == [WHOLE] * 3
    return notebook, notebook.page.locator(".tbwidget-tile[data-tag=large][data-run=run1]")


def scrolled(notebook: NotebookPage) -> Any:
    """Return how far the elements around and in the dashboard have been scrolled."""
    return notebook.js(
        "let sum = 0; for (let at = document.querySelector('.tbwidget-tile'); at; at = at.parentElement)"
        " sum += at.scrollTop; return sum"
    )


def test_the_wheel_zooms_all_tiles_of_a_tag_and_a_drag_moves_them(server: JupyterServer, open_notebook: Open) -> None:
    notebook, tile = show(server, open_notebook, "zoomed-tiles")
    mouse, keyboard = notebook.page.mouse, notebook.page.keyboard
    x, y = middle(tile)
    mouse.move(x, y)
    keyboard.down("Control")
    for _ in range(10):
        mouse.wheel(0, -100)
    keyboard.up("Control")
    # The page asks for the whole image, because only a scaled one had arrived.
    zoomed = parts(notebook, "large", 900)
    left, top, share, _ = zoomed[0]
    assert abs(share - 2.718**-2) < 0.01
    assert abs(left - (1 - share) / 2) < 0.02
    assert abs(top - (1 - share) / 2) < 0.02
    # The other tag is unchanged.
    assert zoomed == [[left, top, share, 900]] * 3
    assert [found[:3] for found in parts(notebook, "other")] == [WHOLE] * 3
    mouse.down()
    mouse.move(x + 30, y + 10, steps=4)
    mouse.up()
    moved = parts(notebook, "large")
    assert moved == [moved[0]] * 3
    assert moved[0][0] < left - 0.01
    assert moved[0][1] < top - 0.005
    # Another step shows the same part of its image.
    notebook.own_step("large").press("ArrowLeft")
    notebook.page.locator(".tbwidget-tile[data-tag=large][data-run=run1][data-step='0'][data-state=shown]").wait_for()
    assert parts(notebook, "large", 900) == moved
    # So does the viewer; a drag has not opened it.
    assert notebook.page.get_by_role("dialog").count() == 0
    tile.get_by_role("button").click()
    dialog = notebook.page.get_by_role("dialog", name="large")
    dialog.wait_for()
    assert not dialog.get_by_text("100 %").is_visible()
    keyboard.press("Escape")
    dialog.wait_for(state="detached")
    assert parts(notebook, "large", 900) == moved
    # The tile has the focus again, and the notebook does not handle its keys.
    keyboard.press("+")
    assert parts(notebook, "large")[0][2] < moved[0][2]
    keyboard.press("0")
    assert [found[:3] for found in parts(notebook, "large")] == [WHOLE] * 3
    keyboard.press("+")
    notebook.card("large").get_by_role("button", name="reset").click()
    assert [found[:3] for found in parts(notebook, "large")] == [WHOLE] * 3
    tile.get_by_role("button").press("+")
    tile.get_by_role("button").dblclick()
    assert [found[:3] for found in parts(notebook, "large")] == [WHOLE] * 3
    assert notebook.page.get_by_role("dialog").count() == 0
    # Without a key, the wheel scrolls the page.
    before = scrolled(notebook)
    mouse.move(x, y)
    mouse.wheel(0, 60)
    notebook.wait(
        "let sum = 0; for (let at = document.querySelector('.tbwidget-tile'); at; at = at.parentElement)"
        " sum += at.scrollTop; return sum > arg",
        arg=before,
    )
    assert notebook.errors == []


def test_two_fingers_zoom_and_one_scrolls_what_is_not_zoomed(server: JupyterServer, open_notebook: Open) -> None:
    notebook, tile = show(server, open_notebook, "pinched-tiles")
    fingers = Touch(notebook.page)
    x, y = middle(tile)
    before = scrolled(notebook)
    fingers.drag([(x, y)], [(x, y - 45)])
    after = notebook.steady(
        "let sum = 0; for (let at = document.querySelector('.tbwidget-tile'); at; at = at.parentElement)"
        " sum += at.scrollTop; return sum"
    )
    assert after > before + 10
    assert [found[:3] for found in parts(notebook, "large")] == [WHOLE] * 3
    x, y = middle(tile)

    def pinch() -> list[list[float]]:
        fingers.drag([(x - 15, y), (x + 15, y)], [(x - 45, y), (x + 45, y)])
        return parts(notebook, "large")

    zoomed = pinch()
    if zoomed[0][:3] == WHOLE:  # Chromium was still scrolling, and the page did not get these touches
        zoomed = pinch()
    assert zoomed == [zoomed[0]] * 3
    assert abs(zoomed[0][2] - 1 / 3) < 0.02
    fingers.drag([(x, y)], [(x - 20, y - 30)])
    moved = parts(notebook, "large")
    assert moved[0][0] > zoomed[0][0] + 0.01
    assert moved[0][1] > zoomed[0][1] + 0.01
    assert scrolled(notebook) == after
    assert notebook.page.get_by_role("dialog").count() == 0
    assert notebook.errors == []
