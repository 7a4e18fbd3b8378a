"""Meshes: visible while a cell runs, turned by pointer and keys for all runs at once; omitted parts are named."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

import tbwidget
from tests.browser.cells import hold
from tests.browser.conftest import ROOT
from tests.browser.test_saved import ServedPage, says_it_is_saved, write_page
from tests.support.eventfiles import NAME, event, write
from tests.support.meshes import cube, part

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.chromium import Chromium
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

SHOW = """
import tbwidget
board = tbwidget.MeshesView({logs!r}, height=900)
board
"""

BEGIN = """
import sys
sys.path.insert(0, {root!r})
from pathlib import Path
from tests.support.eventfiles import event
from tests.support.meshes import cube, part
path = Path("grows/run/events.out.tfevents.1")
path.parent.mkdir(parents=True)
points, faces = cube()
step = 0
"""

STEP = """
made = part("box", "VERTEX", points * (1 + step)), part("box", "FACE", faces, "<i4")
with path.open("ab") as file:
    file.write(event(time.time(), step, *made))
flushed = time.time()
step += 1
time.sleep(0.5)
"""

# The number of a canvas's pixels that differ from its corner, and a checksum of the picture.
PICTURE = """
const canvas = document.querySelectorAll(arg)[0];
const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
let [drawn, sum] = [0, 0];
for (let i = 0; i < data.length; i += 4) {
    const differs = data[i] !== data[0] || data[i + 1] !== data[1] || data[i + 2] !== data[2];
    drawn += differs ? 1 : 0;
    sum = (sum * 31 + data[i] + 7 * data[i + 1] + 49 * data[i + 2]) % 1000000007;
}
return [drawn / (data.length / 4), sum];
"""

HEIGHTS = """
const card = document.querySelector(`.tbwidget-card[data-tag="${arg}"]`);
return [...card.querySelectorAll('canvas')].map(({ offsetHeight }) => offsetHeight);
"""

CANVAS = ".tbwidget-tile[data-run={run}][data-tag={tag}] canvas"


def picture(notebook: NotebookPage, run: str, tag: str = "box") -> tuple[float, int]:
    notebook.draw_frames()
    share, total = notebook.js(PICTURE, CANVAS.format(run=run, tag=tag))
    return share, total


def write_boxes(folder: Path) -> None:
    """Write two runs of the same box, at two steps."""
    points, faces = cube()
    for run in ("a", "b"):
        values = part("box", "VERTEX", points), part("box", "FACE", faces, "<i4")
        write(folder / run / NAME, event(1.7e9, 0, *values), event(1.7e9 + 1, 10, *values))


def wait_for_card(notebook: NotebookPage, tag: str, state: str) -> dict[str, str]:
    card = notebook.card(tag)
    card.and_(notebook.page.locator(f"[data-state={state}]")).wait_for()
    names = ("data-step", "data-vertices", "data-faces")
    return {name: card.get_attribute(name) or "" for name in names}


def test_a_mesh_is_seen_while_a_cell_trains(server: JupyterServer, open_notebook: Open) -> None:
    train = BEGIN.format(root=str(ROOT)) + hold("grows", STEP) + "print(step)"
    server.write_notebook("grows.ipynb", [SHOW.format(logs="grows"), train])
    notebook = open_notebook("grows.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_state("waiting")
    notebook.start_cell(1)
    said = wait_for_card(notebook, "box", "shown")
    assert (said["data-vertices"], said["data-faces"]) == ("8", "12")
    first = int(said["data-step"])
    notebook.wait(
        "const { dataset } = document.querySelector('.tbwidget-card');"
        "return dataset.state === 'shown' && Number(dataset.step) > arg + 1 && dataset.lastStep === dataset.step",
        arg=first,
    )
    assert notebook.busy(1)
    assert picture(notebook, "run")[0] > 0.05
    notebook.release("grows")
    last = int(notebook.end_of_cell(1)) - 1
    notebook.wait_for_last_steps({"box": str(last)})
    steps = notebook.own_step("box")
    for key, step in (("Home", 0), ("End", last)):
        steps.press(key)
        notebook.wait("return document.querySelector('.tbwidget-card').dataset.step === arg", arg=str(step))
    assert notebook.errors == []


def drag(notebook: NotebookPage, right: int, down: int) -> None:
    """Drag from the middle of the first run's mesh."""
    box = notebook.page.locator(CANVAS.format(run="a", tag="box")).bounding_box()
    assert box is not None
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    notebook.page.mouse.move(*middle)
    notebook.page.mouse.down()
    notebook.page.mouse.move(middle[0] + right, middle[1] + down, steps=4)
    notebook.page.mouse.up()
    # A loaded browser handles the last move late.
    notebook.steady(PICTURE, CANVAS.format(run="a", tag="box"))


def test_pointer_and_keys_turn_all_runs_at_once(server: JupyterServer, open_notebook: Open) -> None:
    write_boxes(server.root / "boxes")
    server.write_notebook("boxes.ipynb", [SHOW.format(logs="boxes")])
    notebook = open_notebook("boxes.ipynb")
    notebook.run_cell(0)
    assert wait_for_card(notebook, "box", "shown") == {
        "data-step": "10",
        "data-vertices": "16",
        "data-faces": "24",
    }
    canvas = notebook.page.locator(CANVAS.format(run="a", tag="box"))
    mouse, keyboard = notebook.page.mouse, notebook.page.keyboard
    (fitted, before), (other, _) = picture(notebook, "a"), picture(notebook, "b")
    assert fitted == other > 0.1
    drag(notebook, 60, 20)
    (turned, look), (other, _) = picture(notebook, "a"), picture(notebook, "b")
    assert look != before
    assert turned == other
    notebook.page.get_by_role("button", name="Fit").wait_for()
    # At another step, the camera keeps its place.
    notebook.page.get_by_role("slider", name="Step of all cards").press("Home")
    notebook.wait("return document.querySelector('.tbwidget-card').dataset.step === '0'")
    assert picture(notebook, "a")[1] == look
    keyboard.down("Shift")
    drag(notebook, 150, 0)
    keyboard.up("Shift")
    moved = picture(notebook, "a")[1]
    assert moved != look
    # The wheel without a key scrolls the notebook.
    mouse.wheel(0, 30)
    assert picture(notebook, "a")[1] == moved
    mouse.wheel(0, -30)
    canvas.dblclick()
    assert picture(notebook, "a")[1] == before
    keyboard.down("Alt")
    mouse.wheel(0, 200)
    keyboard.up("Alt")
    assert picture(notebook, "a")[0] < fitted
    canvas.focus()
    for key in ("+", "+", "+", "ArrowLeft", "Shift+ArrowUp"):
        last = picture(notebook, "b")[1]
        keyboard.press(key)
        assert picture(notebook, "b")[1] != last
    keyboard.press("0")
    assert picture(notebook, "b")[0] == fitted
    assert notebook.errors == []


def test_controls_and_options_change_what_is_drawn(server: JupyterServer, open_notebook: Open) -> None:
    write_boxes(server.root / "shaded")
    server.write_notebook("shaded.ipynb", [SHOW.format(logs="shaded")])
    notebook = open_notebook("shaded.ipynb")
    notebook.run_cell(0)
    wait_for_card(notebook, "box", "shown")
    notebook.page.get_by_role("button", name="View", exact=True).click()
    notebook.page.get_by_label("Same camera").uncheck()
    notebook.page.keyboard.press("Escape")
    drag(notebook, 60, 20)
    assert picture(notebook, "a")[0] != picture(notebook, "b")[0]
    pictures = {picture(notebook, "a")[1]}
    for name in ("Flat", "Plain", "Wire", "Points"):
        notebook.page.get_by_role("button", name=name, exact=True).click()
        pictures.add(picture(notebook, "a")[1])
    assert len(pictures) == 5
    for _ in range(50):
        if notebook.ask_kernel("print(board.shade)").strip() == "points":
            break
        notebook.sleep(0.1)
    else:
        raise AssertionError("the shade never came to the kernel")
    notebook.ask_kernel("board.shade, board.color = 'lit', 'depth'")
    notebook.page.get_by_role("button", name="Depth", exact=True, pressed=True).wait_for()
    assert picture(notebook, "a")[1] not in pictures
    assert notebook.errors == []


def test_omitted_parts_of_meshes_are_named(server: JupyterServer, open_notebook: Open) -> None:
    points, faces = cube()
    scene = json.dumps({"lights": [{"cls": "constructor"}], "material": {"cls": "Function"}})
    worse = np.concatenate([faces, [[[0, 1, 99]]]], axis=1)
    lost = points.copy()
    lost[0, 3, 1] = np.nan
    folder = server.root / "odd"
    write(
        folder / "a" / NAME,
        event(1, 0, part("box", "VERTEX", points), part("box", "FACE", faces, "<i4")),
        event(1, 0, part("cloud", "VERTEX", lost, config=scene), part("cloud", "COLOR", points[:, :5], "u1")),
        event(1, 0, part("several", "VERTEX", np.repeat(points, 3, 0))),
        event(1, 0, part("empty", "VERTEX", points[:, :0])),
        event(1, 0, part("faces", "VERTEX", points), part("faces", "FACE", worse, "<f4")),
        event(1, 0, part("only", "FACE", faces, "<i4")),
    )
    server.write_notebook("odd.ipynb", [SHOW.format(logs="odd")])
    notebook = open_notebook("odd.ipynb")
    notebook.run_cell(0)
    wait_for_card(notebook, "box", "shown")
    assert notebook.card("box").locator("[data-remark]").count() == 0
    for tag, state, faces_shown, texts in (
        (
            "cloud",
            "shown",
            "0",
            (
                "a, step 0: vertices without a finite place, not drawn: 1",
                "5 colors for 8 vertices: not drawn",
                "settings of the scene that are not drawn: lights, material.cls Function",
            ),
        ),
        ("several", "shown", "0", ("#2",)),
        ("empty", "shown", "0", ("No vertices",)),
        ("faces", "shown", "12", ("a, step 0: faces left out, because a corner is no vertex: 1",)),
        ("only", "broken", "0", ("no vertices were written at this step",)),
    ):
        notebook.scroll_to(tag)
        assert wait_for_card(notebook, tag, state)["data-faces"] == faces_shown
        for text in texts:
            notebook.card(tag).get_by_text(text).wait_for()
        # Widening a card does not stretch its meshes.
        heights = notebook.steady(HEIGHTS, arg=tag)
        assert set(heights) <= {320}
    assert notebook.errors == []


def test_an_exported_page_shows_meshes(tmp_path: Path, server: JupyterServer, chromium: Chromium) -> None:
    write_boxes(tmp_path / "boxes")
    board = tbwidget.Dashboard(tmp_path / "boxes", panel="meshes")
    try:
        write_page(server.root / "meshes.html", board)
    finally:
        board.close()
    with ServedPage(server, "meshes.html", chromium) as page:
        says_it_is_saved(page)
        assert wait_for_card(page, "box", "shown")["data-step"] == "10"
        before = picture(page, "a")
        assert before[0] > 0.1
        page.page.locator(CANVAS.format(run="a", tag="box")).focus()
        page.page.keyboard.press("ArrowLeft")
        assert picture(page, "a")[1] != before[1]
        assert page.errors == []


def test_a_card_fills_the_window_and_saves_pictures(server: JupyterServer, open_notebook: Open) -> None:
    points, faces = cube()
    worse = faces + 99
    cloud = np.random.default_rng(0).normal(size=(1, 900, 3)).astype(np.float32)
    for run in ("a", "b"):
        values = part("box", "VERTEX", points), part("box", "FACE", worse, "<i4"), part("cloud", "VERTEX", cloud)
        write(server.root / "points" / run / NAME, event(1, 0, *values))
    server.write_notebook("points.ipynb", [SHOW.format(logs="points")])
    notebook = open_notebook("points.ipynb")
    notebook.run_cell(0)
    # Without a face to draw, the page draws vertices.
    assert wait_for_card(notebook, "box", "shown") == {"data-step": "0", "data-vertices": "16", "data-faces": "0"}
    assert picture(notebook, "a")[0] > 0.001
    buttons = notebook.page.get_by_role("button", exact=True, name="Normal")
    assert buttons.is_disabled()
    assert notebook.page.get_by_role("button", exact=True, name="Auto", pressed=True).count() == 1
    notebook.page.get_by_role("button", exact=True, name="Depth").click()
    notebook.page.locator(".tbwidget-mesh-key", has_text="near").wait_for()
    card = notebook.card("cloud")
    notebook.scroll_to("cloud")
    wait_for_card(notebook, "cloud", "shown")
    card.hover()
    small = card.locator("canvas").first.bounding_box()
    card.get_by_role("button", name="Save", exact=True).click()
    card.get_by_role("button", name="Save as PLY, as logged, in a zip").wait_for()
    with notebook.page.expect_download() as download:
        card.get_by_role("button", name="Save as PNG").click()
    assert download.value.suggested_filename == "meshes_cloud.zip"
    notebook.page.keyboard.press("Escape")
    card.hover()
    card.get_by_role("button", name="Fill the window").click()
    # All runs, and any single one of them.
    dialog = notebook.page.get_by_role("dialog", name="Meshes of cloud")
    dialog.get_by_role("button", name="Written", exact=True).click()
    viewed = dialog.locator(".tbwidget-viewed[data-state=shown] canvas")
    viewed.nth(1).wait_for()
    notebook.draw_frames()
    large = viewed.first.bounding_box()
    assert small is not None
    assert large is not None
    assert small["height"] == 320
    assert large["height"] > 1.3 * small["height"]
    other = viewed.last.bounding_box()
    assert other is not None
    assert (other["y"], other["width"]) == (large["y"], large["width"])
    notebook.page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    assert card.locator("canvas").first.bounding_box() is not None
    assert notebook.errors == []


def write_growing_boxes(folder: Path) -> None:
    """Write two runs of four steps; the boxes of the second are larger."""
    points, faces = cube()
    for run, size in (("a", 1), ("b", 2)):
        values = [part("box", "VERTEX", points * size * (1 + step)) for step in range(4)]
        events = [event(1 + step, step, value, part("box", "FACE", faces, "<i4")) for step, value in enumerate(values)]
        write(folder / run / NAME, *events)


VIEWED = ".tbwidget-viewed[data-run={run}][data-step='{step}'][data-state=shown]"


def test_the_viewer_compares_runs_and_steps_from_one_side(server: JupyterServer, open_notebook: Open) -> None:
    write_growing_boxes(server.root / "viewed")
    server.write_notebook("viewed.ipynb", [SHOW.format(logs="viewed"), hold("viewed")])
    notebook = open_notebook("viewed.ipynb")
    notebook.run_cell(0)
    wait_for_card(notebook, "box", "shown")
    notebook.start_cell(1)
    tile = notebook.page.locator(".tbwidget-tile[data-run=b]")
    tile.hover()
    tile.get_by_role("button", name="Open the mesh of b").click()
    dialog = notebook.page.get_by_role("dialog", name="Meshes of box")
    keyboard, mouse = notebook.page.keyboard, notebook.page.mouse

    def shown(run: str, step: int) -> tuple[float, int]:
        dialog.locator(VIEWED.format(run=run, step=step)).wait_for()
        notebook.draw_frames()
        share, total = notebook.js(PICTURE, VIEWED.format(run=run, step=step) + " canvas")
        return share, total

    assert shown("b", 3)[0] > 0.1
    # Keys choose steps and runs as in the viewer of images; loaded meshes need no kernel.
    for key, run, step in (("ArrowUp", "a", 3), ("ArrowDown", "b", 3)):
        keyboard.press(key)
        shown(run, step)
    dialog.get_by_role("button", name="Side by side").click()
    before = [shown(run, 3) for run in "ab"]
    assert before[0][1] != before[1][1]
    # One camera for both: with Shift the arrows turn it, the wheel zooms, and a drag turns.
    keyboard.press("Shift+ArrowLeft")
    turned = [shown(run, 3) for run in "ab"]
    box = dialog.locator("canvas").first.bounding_box()
    assert box is not None
    mouse.move(box["x"] + 60, box["y"] + 60)
    mouse.wheel(0, 200)
    zoomed = [shown(run, 3) for run in "ab"]
    mouse.down()
    mouse.move(box["x"] + 100, box["y"] + 70, steps=3)
    mouse.up()
    dragged = [shown(run, 3) for run in "ab"]
    for one, other in ((before, turned), (turned, zoomed), (zoomed, dragged)):
        assert all(a[1] != b[1] for a, b in zip(one, other, strict=True))
    assert all(a[0] < b[0] for a, b in zip(zoomed, turned, strict=True))
    dialog.get_by_role("button", name="Fit", exact=True).click()
    assert [shown(run, 3)[1] for run in "ab"] == [picture[1] for picture in before]
    notebook.release("viewed")
    notebook.end_of_cell(1)
    # The slider chooses another step; the second side follows.
    steps = dialog.get_by_role("slider", name="Step of box")
    steps.press("Home")
    first = [shown(run, 0) for run in "ab"]
    assert first[0][0] < before[0][0]
    dialog.get_by_role("button", name="All runs").click()
    assert [shown(run, 0)[0] > 0 for run in "ab"] == [True, True]
    keyboard.press("Escape")
    dialog.wait_for(state="detached")
    notebook.wait("return document.querySelector('.tbwidget-card').dataset.step === '0'")
    assert picture(notebook, "a")[0] > 0
    assert notebook.errors == []


def test_a_step_that_comes_back_is_shown_while_another_waits_for_the_kernel(
    server: JupyterServer, open_notebook: Open
) -> None:
    # More steps than the kernel sends unasked.
    cloud = np.random.default_rng(0).normal(size=(1, 60_000, 3)).astype(np.float32)
    steps = 80
    values = (event(1.7e9 + step, step, part("cloud", "VERTEX", cloud + np.float32(step))) for step in range(steps))
    write(server.root / "clouds" / "run" / NAME, *values)
    server.write_notebook("clouds.ipynb", [SHOW.format(logs="clouds"), hold("clouds")])
    notebook = open_notebook("clouds.ipynb")
    notebook.run_cell(0)
    card = notebook.card("cloud")
    card.and_(notebook.page.locator(f"[data-step='{steps - 1}'][data-state=shown]")).wait_for()
    notebook.mute()
    notebook.start_cell(1)
    entry = notebook.page.locator(".tbwidget-step-control").get_by_role("textbox")
    tile = card.locator(".tbwidget-tile")
    before = steps - 1
    for step in range(steps - 2, 0, -3):
        entry.fill(str(step))
        entry.press("Enter")
        notebook.wait(
            """const tile = document.querySelector(`.tbwidget-tile[data-step="${arg}"]`);
            return tile?.dataset.state === 'shown' || tile?.dataset.state === 'waits'""",
            arg=step,
        )
        if tile.get_attribute("data-state") == "waits":
            break
        card.and_(notebook.page.locator(f"[data-step='{step}'][data-state=shown]")).wait_for()
        before = step
    assert tile.get_attribute("data-state") == "waits", "all steps were sent"
    card.and_(notebook.page.locator("[data-state=waits]")).wait_for()
    entry.fill(str(before))
    entry.press("Enter")
    card.and_(notebook.page.locator(f"[data-step='{before}'][data-state=shown]")).wait_for()
    assert card.get_attribute("data-vertices") == "60000"
    assert notebook.busy(1)
    notebook.page.evaluate("() => { window.testMuted = false; }")
    notebook.release("clouds")
    notebook.end_of_cell(1)
    assert notebook.errors == []
