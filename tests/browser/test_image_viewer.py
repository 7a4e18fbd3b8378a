"""The viewer of images: steps by keys, comparisons of stored values, files as they were written."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

import tbwidget
from tests.browser.cells import hold

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from playwright.sync_api import Locator

    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

WRITE = """
import numpy as np
from tensorboardX import SummaryWriter
for number in range(2):
    rng = np.random.default_rng(number)
    with SummaryWriter(f"{logs}/run{{number}}") as writer:
        for step in range(0, 60, 10):
            writer.add_image("small", rng.integers(0, 256, (3, 30, 40), dtype=np.uint8), step)
        writer.add_image("large", rng.integers(0, 256, (3, 500, 700), dtype=np.uint8), 7)
"""

SHOW = """
import tbwidget
from IPython.display import display
board = tbwidget.ImagesView("{logs}")
display(board)
"""

VIEWED = ".tbwidget-viewed"


def shown(notebook: NotebookPage, tag: str, run: str, step: int) -> None:
    """Wait until the viewer shows this image."""
    notebook.page.locator(
        f'{VIEWED}[data-tag="{tag}"][data-run="{run}"][data-step="{step}"][data-state=shown]'
    ).wait_for()


def open_viewer(notebook: NotebookPage, tag: str, run: str) -> Locator:
    """Open the viewer at a tile; returns the dialog."""
    notebook.scroll_to(tag)
    tile = notebook.page.locator(f'.tbwidget-tile[data-tag="{tag}"][data-run="{run}"][data-state=shown]')
    tile.get_by_role("button").click()
    notebook.page.get_by_role("dialog", name=tag).wait_for()
    return notebook.page.get_by_role("dialog")


def pixels(data: bytes) -> NDArray[np.int64]:
    """Return the pixel values of an image."""
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).astype(np.int64)


def show_images(server: JupyterServer, open_notebook: Open, name: str) -> NotebookPage:
    """Write images, show them, and start a cell that runs until it is released."""
    server.write_notebook(f"{name}.ipynb", [WRITE.format(logs=name), SHOW.format(logs=name), hold(name)])
    notebook = open_notebook(f"{name}.ipynb")
    notebook.run_cell(0)
    notebook.run_cell(1)
    notebook.start_cell(2)
    notebook.wait("return document.querySelectorAll('.tbwidget-tile[data-state=shown]').length === 4")
    return notebook


def test_the_viewer_goes_through_steps_and_runs_by_keys(server: JupyterServer, open_notebook: Open) -> None:
    notebook = show_images(server, open_notebook, "viewer")
    # From here on, the page works without the kernel.
    notebook.mute()
    dialog = open_viewer(notebook, "small", "run0")
    shown(notebook, "small", "run0", 50)
    keyboard = notebook.page.keyboard
    for key, run, step in (
        ("ArrowLeft", "run0", 40),
        ("Home", "run0", 0),
        ("ArrowRight", "run0", 10),
        ("ArrowDown", "run1", 10),
        ("ArrowUp", "run0", 10),
    ):
        keyboard.press(key)
        shown(notebook, "small", run, step)
    dialog.get_by_role("button", name="Step 20", exact=True).click()
    shown(notebook, "small", "run0", 20)
    # All runs side by side, at this step.
    dialog.get_by_role("button", name="All runs").click()
    shown(notebook, "small", "run0", 20)
    shown(notebook, "small", "run1", 20)
    dialog.get_by_role("button", name="One", exact=True).click()
    # Only part of the large image has arrived, and the viewer says so.
    dialog.get_by_role("combobox", name="Tag").select_option(label="large")
    shown(notebook, "large", "run0", 7)
    dialog.get_by_text("waiting for the kernel").wait_for()
    assert notebook.busy(2)
    keyboard.press("Escape")
    dialog.wait_for(state="detached")
    notebook.wait("return document.activeElement.closest('.tbwidget-tile')?.dataset.tag === 'small'")
    # The notebook has handled none of the keys.
    assert notebook.js("return cells.length") == 3
    notebook.release("viewer")
    notebook.end_of_cell(2)
    assert notebook.errors == []


def test_two_runs_are_compared_by_their_stored_values(server: JupyterServer, open_notebook: Open) -> None:
    notebook = show_images(server, open_notebook, "compared")
    notebook.mute()
    dialog = open_viewer(notebook, "small", "run0")
    dialog.get_by_role("button", name="Step 20", exact=True).click()
    shown(notebook, "small", "run0", 20)
    images = [tbwidget.load(server.root / "compared").images(run, "small") for run in ("run0", "run1")]
    first, second = (pixels(each[2].data) for each in images)
    dialog.get_by_role("button", name="Difference", exact=True).click()
    difference = dialog.locator(".tbwidget-difference")
    difference.wait_for()
    assert int(difference.get_attribute("data-most") or "") == np.abs(first - second).max()
    assert abs(float(difference.get_attribute("data-mean") or "") - np.abs(first - second).mean()) < 1e-9

    # The pixel below the pointer, in both images.
    box = dialog.get_by_role("img", name="small").bounding_box()
    assert box is not None
    scale = min(box["width"] / 40, box["height"] / 30)
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    notebook.page.mouse.move(middle[0] + 2.5 * scale, middle[1] - 4.5 * scale)
    values = dialog.locator("[data-values]")
    values.nth(1).wait_for()
    found = [values.nth(side).get_attribute("data-values") for side in (0, 1)]
    assert found == [" ".join(map(str, [*each[10, 22], 255])) for each in (first, second)]
    # After zooming around the pointer, it is the same one.
    notebook.page.mouse.wheel(0, -600)
    notebook.steady("return document.querySelector('.tbwidget-stage canvas').style.width")
    notebook.page.mouse.move(middle[0] + 2.6 * scale, middle[1] - 4.4 * scale)
    assert [values.nth(side).get_attribute("data-values") for side in (0, 1)] == found

    notebook.page.keyboard.press("ArrowRight")
    shown(notebook, "small", "run0", 30)
    notebook.page.get_by_role("button", name="Side by side").click()
    dialog.locator(".tbwidget-stage canvas").nth(1).wait_for()
    shown(notebook, "small", "run1", 30)
    widths = notebook.js(
        "return [...document.querySelectorAll('.tbwidget-stage canvas')].map(image => image.style.width)"
    )
    assert len(widths) == 2
    assert widths[0] == widths[1]
    # Images of unequal sizes are not stretched, and their pixels are not compared.
    dialog.get_by_role("combobox", name="Tag").nth(1).select_option(label="large")
    shown(notebook, "large", "run1", 7)
    notebook.page.get_by_role("button", name="Difference", exact=True).click()
    dialog.get_by_text("A is 40 \u00d7 30, B is 700 \u00d7 500: pixels cannot be compared").wait_for()
    assert notebook.busy(2)
    notebook.release("compared")
    notebook.end_of_cell(2)
    assert notebook.errors == []


def save_in_a_zip(notebook: NotebookPage, place: Locator, menu: str, name: str, wanted: dict[str, bytes]) -> None:
    """Save by a menu in this place, and check that the zip contains these files."""
    place.get_by_role("button", name=menu, exact=True).click()
    place.get_by_text(f"{len(wanted)} images").wait_for()
    with notebook.page.expect_download() as download:
        place.get_by_role("button", name="Save as logged, in a zip").click()
    assert download.value.suggested_filename == f"{name}.zip"
    with zipfile.ZipFile(download.value.path()) as archive:
        assert archive.testzip() is None
        assert {file: archive.read(file) for file in archive.namelist()} == wanted


def test_images_are_saved_as_they_were_written(server: JupyterServer, open_notebook: Open) -> None:
    notebook = show_images(server, open_notebook, "saving")
    notebook.release("saving")
    notebook.end_of_cell(2)
    logs = tbwidget.load(server.root / "saving")
    written = {
        f"{run}_{tag}_step{step}.png": logs.images(run, tag)[-1].data
        for run in ("run0", "run1")
        for tag, step in (("small", 50), ("large", 7))
    }
    root = notebook.page.locator(".tbwidget")
    save_in_a_zip(notebook, root.locator(".tbwidget-toolbar"), "Save", "images", written)
    root.get_by_text("4 saved as logged").wait_for()
    notebook.page.keyboard.press("Escape")
    card = notebook.card("small")
    card.hover()
    save_in_a_zip(notebook, card, "Save", "images_small", {key: written[key] for key in written if "small" in key})
    notebook.page.keyboard.press("Escape")

    # The viewer asks for all pixels as soon as it can.
    dialog = open_viewer(notebook, "large", "run0")
    dialog.get_by_text("700 \u00d7 500").wait_for()
    dialog.get_by_text("scaled to").wait_for(state="detached")
    notebook.page.mouse.move(700, 400)
    large = pixels(written["run0_large_step7.png"])
    found = dialog.locator("[data-values]").get_attribute("data-values") or ""
    assert found.split()[3] == "255"
    assert [int(value) for value in found.split()[:3]] in large.reshape(-1, 3).tolist()
    notebook.page.keyboard.press("Escape")
    dialog.wait_for(state="detached")

    # While the kernel does not answer, the loaded pixels are saved, and the dialog says so.
    notebook.mute()
    dialog = open_viewer(notebook, "large", "run1")
    dialog.get_by_role("button", name="Save", exact=True).click()
    dialog.get_by_role("button", name="Save as logged", exact=True).click()
    with notebook.page.expect_download() as download:
        dialog.get_by_role("button", name="save what is loaded").click()
    dialog.get_by_text("1 saved as shown here").wait_for()
    assert download.value.suggested_filename in {
        "run1_large_step7.jpeg",
        "run1_large_step7.png",
        "run1_large_step7.jpg",
    }
    with Image.open(download.value.path()) as image:
        assert image.size == (320, 229)
    # Images that were loaded as written need no kernel. Escape closes the menu first, then the viewer.
    notebook.page.keyboard.press("Escape")
    dialog.get_by_text("1 saved as shown here").wait_for(state="detached")
    notebook.page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    dialog = open_viewer(notebook, "small", "run1")
    dialog.get_by_role("button", name="Save", exact=True).click()
    with notebook.page.expect_download() as download:
        dialog.get_by_role("button", name="Save as logged", exact=True).click()
    assert download.value.suggested_filename == "run1_small_step50.png"
    assert download.value.path().read_bytes() == written["run1_small_step50.png"]
    assert notebook.errors == []
