"""The image grid: tiles while a cell trains, every step afterwards, and placeholders of what cannot be shown."""

from __future__ import annotations

import io
import struct
import zlib
from typing import TYPE_CHECKING, Any

import numpy as np
from PIL import Image
from playwright.sync_api import expect

from tests.browser.cells import hold
from tests.support.drawings import BOMBS, ORDINARY
from tests.support.eventfiles import NAME, event, plugin, strings, write

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

SHOW = "import tbwidget\nboard = tbwidget.Dashboard({logs!r}, panel='images', height={height})\nboard"

TRAIN = """
import numpy as np
from tensorboardX import SummaryWriter
writer = SummaryWriter("live-images")
step = 0
"""

STEP = """
picture = np.zeros((24, 32, 3), np.uint8)
picture[..., 0] = step % 256
writer.add_image("sample", picture, step, dataformats="HWC")
step += 1
writer.flush()
time.sleep(0.2)
"""

MORE = 'writer = SummaryWriter("live-images", filename_suffix=".more")'

# Nearly 2 MB a second, twice the byte budget.
MUCH = """
for tag in range(4):
    picture = np.random.default_rng(step).integers(0, 256, (150, 150, 3), np.uint8)
    picture[..., 0] = step % 256
    writer.add_image(f"noise{tag}", picture, step, dataformats="HWC")
picture = np.full((24, 32, 3), step % 256, np.uint8)
writer.add_image("sample", picture, step, dataformats="HWC")
step += 1
writer.flush()
time.sleep(0.05)
"""

TILES = """
return [...document.querySelectorAll('.tbwidget-tile')].map(({ dataset }) => ({ ...dataset }));
"""

# For each tile that shows a picture: its tag, its step, and the red value of the middle pixel.
REDS = """
return [...document.querySelectorAll('.tbwidget-tile[data-state=shown]:has(canvas)')].map(tile => {
    const picture = tile.querySelector('canvas');
    const copy = document.createElement('canvas');
    [copy.width, copy.height] = [picture.width, picture.height];
    const context = copy.getContext('2d');
    context.drawImage(picture, 0, 0);
    const [red] = context.getImageData(picture.width >> 1, picture.height >> 1, 1, 1).data;
    return [tile.dataset.tag, Number(tile.dataset.step), red];
});
"""

# Step and red value of the first tile.
RED = f"return (() => {{{REDS}}})()[0]?.slice(1) ?? null"

SCRIPT = b"""<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="20"
    onload="window.top.testInjected = 1">
<style>@import url(https://example.invalid/a.css); rect { fill: url(https://example.invalid/b.png) }</style>
<script>window.top.testInjected = 1; fetch("https://example.invalid/c")</script>
<image href="https://example.invalid/d.png" width="9" height="9"/>
<foreignObject width="40" height="20"><img xmlns="http://www.w3.org/1999/xhtml" src="https://example.invalid/e.png"/>
</foreignObject><rect width="40" height="20" fill="green"/></svg>"""


def encoded(picture: Any, form: str = "PNG", **options: Any) -> bytes:
    file = io.BytesIO()
    Image.fromarray(picture).save(file, form, **options)
    return file.getvalue()


def noise(width: int, height: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), np.uint8)


def bomb(side: int) -> bytes:
    """Make a PNG with a large number of black pixels in very few bytes."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    rows = zlib.compress(bytes((side // 8 + 1) * side), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def images(tag: str, step: int, *pictures: bytes) -> bytes:
    """Make an event of images as TensorFlow 2 writes it."""
    return event(1.7e9 + step, step, strings(tag, plugin("images"), b"0", b"0", *pictures))


def log(path: Path, *events: bytes) -> None:
    write(path / NAME, event(1.7e9, version="brain.Event:2"), *events)


def shown(notebook: NotebookPage) -> dict[tuple[str, int], tuple[str, str]]:
    """Return step and state of each tile, by run and sample."""
    found: list[dict[str, str]] = notebook.js(TILES)
    return {(tile["run"], int(tile["sample"])): (tile["step"], tile["state"]) for tile in found}


def test_images_come_while_a_cell_runs_and_every_step_after_it(server: JupyterServer, open_notebook: Open) -> None:
    train = TRAIN + hold("images", STEP) + "writer.close()\nprint(step)"
    overload = MORE + hold("much-images", MUCH) + "writer.close()\nprint(step)"
    show = SHOW.format(logs="live-images", height=800)
    server.write_notebook("live-images.ipynb", [show, train, overload])
    notebook = open_notebook("live-images.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_state("waiting")
    notebook.mute()
    notebook.start_cell(1)
    seen: list[int] = []
    for _ in range(600):
        found = notebook.js(RED)
        assert notebook.busy(1)
        if found is not None and found[0] not in seen:
            # The tile shows the picture of the step in its caption.
            assert found[1] == found[0] % 256
            seen.append(found[0])
        if len(seen) >= 4:
            break
        notebook.sleep(0.05)
    assert len(seen) >= 4, f"the steps shown while the cell ran are {seen}"
    notebook.page.evaluate("() => { window.testMuted = false; }")
    notebook.release("images")
    steps = int(notebook.end_of_cell(1))
    notebook.wait(f"const found = (() => {{{RED}}})(); return found?.[0] === arg", arg=steps - 1)
    slider = notebook.page.get_by_role("slider", name="Step of all cards")
    # The test reads its steps once a second.
    notebook.wait(
        "return document.querySelector('.tbwidget [aria-label=\"Step of all cards\"]')?.max === arg", arg=str(steps - 1)
    )
    slider.press("Home")
    for step in range(min(steps, 8)):
        notebook.wait(
            f"const found = (() => {{{RED}}})(); return found?.[0] === arg && found[1] === arg % 256", arg=step
        )
        slider.press("ArrowRight")
    slider.press("End")
    notebook.wait(f"const found = (() => {{{RED}}})(); return found?.[0] === arg", arg=steps - 1)

    # More data than may be sent: tiles show older steps, but move on; no tag waits for another.
    notebook.mute()
    notebook.start_cell(2)
    tags = {"sample", *(f"noise{number}" for number in range(4))}
    steps_of: dict[str, set[int]] = {tag: set() for tag in tags}
    states = set()
    for _ in range(600):
        for tag, step, red in notebook.js(REDS):
            assert red == step % 256
            steps_of[tag].add(step)
        states.add(notebook.state())
        assert notebook.busy(2)
        if all(len([step for step in shown if step >= steps]) >= 4 for shown in steps_of.values()):
            break
        notebook.sleep(0.05)
    else:
        raise AssertionError(f"the steps shown while the cell ran are {steps_of}")
    assert states <= {"live", "busy"}, f"the dashboard said {states}"
    notebook.page.evaluate("() => { window.testMuted = false; }")
    notebook.release("much-images")
    last = int(notebook.end_of_cell(2)) - 1
    notebook.wait(
        f"""const found = (() => {{{REDS}}})();
        return found.length === arg[0] && found.every(([, step, red]) => step === arg[1] && red === arg[1] % 256)""",
        arg=[len(tags), last],
    )
    assert notebook.errors == []


def test_a_step_is_that_of_all_cards_or_of_one(server: JupyterServer, open_notebook: Open) -> None:
    huge = 2**62 + 1
    for run, steps in {"a": [0, 10, 20, huge], "b": [5, 15]}.items():
        events = [images(tag, step, encoded(noise(8, 8, step % 97))) for step in steps for tag in ("first", "other")]
        log(server.root / "stepped-images" / run, *events)
    server.write_notebook("stepped-images.ipynb", [SHOW.format(logs="stepped-images", height=900)])
    notebook = open_notebook("stepped-images.ipynb")
    notebook.run_cell(0)

    def wait(tag: str, a: tuple[str, str] | None, b: tuple[str, str] | None) -> None:
        """Wait until the tiles of a card have these steps and captions."""
        notebook.wait(
            """return [...document.querySelectorAll(`.tbwidget-card[data-tag="${arg.tag}"] .tbwidget-tile`)].map(tile =>
                [tile.dataset.run, tile.dataset.state, tile.dataset.step,
                 tile.querySelector('.tbwidget-tile-step').textContent.replaceAll('\\u202f', '')].join()).join(';')
                === arg.wanted""",
            arg={
                "tag": tag,
                "wanted": ";".join(",".join((run, "shown", *at)) for run, at in (("a", a), ("b", b)) if at is not None),
            },
        )

    shows_first = "return document.querySelector('.tbwidget-card[data-tag=first]').dataset.lastStep === arg"
    newest = ((str(huge), f"step {huge}"), ("15", "step 15"))
    wait("first", *newest)
    notebook.own_step("first")
    notebook.card("first").get_by_role("textbox").fill("12")
    notebook.card("first").get_by_role("textbox").press("Enter")
    wait("first", ("10", "step 10 (asked for 12)"), ("5", "step 5 (asked for 12)"))
    wait("other", *newest)
    notebook.wait(shows_first, arg="10")
    all_cards = notebook.page.get_by_role("slider", name="Step of all cards")
    all_cards.press("Home")
    # The card's own step ends when all cards move.
    expect(notebook.page.get_by_role("slider", name="Step of first")).to_have_count(0)
    for tag in ("first", "other"):
        wait(tag, ("0", "step 0"), None)
    notebook.card("other").get_by_text("nothing up to step 0").first.wait_for()
    all_cards.press("ArrowRight")
    for tag in ("first", "other"):
        wait(tag, ("0", "step 0 (asked for 5)"), ("5", "step 5"))
    all_cards.press("End")
    wait("first", *newest)
    notebook.wait(shows_first, arg=str(huge))
    assert notebook.errors == []


def test_broken_huge_and_active_images_have_tiles_that_say_so(server: JupyterServer, open_notebook: Open) -> None:
    photo = encoded(noise(64, 48))
    big = encoded(np.tile(noise(50, 40), (20, 20, 1)), "JPEG")
    made = {
        "plain": photo,
        "cut off": photo[: len(photo) // 2],
        "no image": b"no image at all",
        "empty": b"",
        "huge": bomb(16_384),
        "script": SCRIPT,
        "tiff": encoded(noise(64, 48), "TIFF"),
        "large": big,
        "moving": encoded(
            noise(16, 8), "GIF", save_all=True, append_images=[Image.fromarray(noise(16, 8, 1))], duration=100, loop=0
        ),
    }
    log(server.root / "bad-images" / "run", *(images(tag, 3, data) for tag, data in made.items()))
    server.write_notebook("bad-images.ipynb", [SHOW.format(logs="bad-images", height=4000)])
    notebook = open_notebook("bad-images.ipynb")
    requested: list[str] = []
    notebook.page.on("request", lambda request: requested.append(request.url))
    notebook.run_cell(0)
    notebook.wait(
        f"const tiles = (() => {{{TILES}}})(); return tiles.length === arg && tiles.every(t => t.state !== 'waits')",
        arg=len(made),
    )
    states = {tile["tag"]: tile["state"] for tile in notebook.js(TILES)}
    broken = {"cut off", "no image", "empty", "huge"}
    assert states == {tag: "broken" if tag in broken else "shown" for tag in made}
    for tag in broken:
        tile = notebook.card(tag).locator(".tbwidget-tile")
        assert tile.locator("canvas, img").count() == 0
        assert tile.locator(".tbwidget-tile-note").inner_text().strip() != ""
    assert "million" in notebook.card("huge").locator(".tbwidget-tile-note").inner_text()
    # Animations and drawings are `img` elements, the others are canvases; all have the aspect that was written.
    for tag, aspect in {"script": 2.0, "moving": 2.0, "tiff": 64 / 48, "large": 1000 / 800}.items():
        element = "img" if tag in {"script", "moving"} else "canvas"
        box = notebook.card(tag).locator(f".tbwidget-tile {element}").bounding_box()
        assert box is not None
        assert abs(box["width"] / box["height"] - aspect) < 0.02
    notebook.sleep(0.5)
    assert notebook.js("return window.testInjected ?? null") is None
    assert [url for url in requested if not url.startswith((server.url, "blob:", "data:"))] == []
    assert notebook.errors == []


def test_a_drawing_that_would_freeze_the_page_is_a_tile_that_says_so(
    server: JupyterServer, open_notebook: Open
) -> None:
    drawings = {**BOMBS, **ORDINARY}
    log(server.root / "bombs" / "run", *(images(tag, 3, data) for tag, data in drawings.items()))
    result = "images = tbwidget.load('bombs').images('run', 'use')\nimages"
    server.write_notebook("bombs.ipynb", [SHOW.format(logs="bombs", height=24000), result, "images[0]"])
    notebook = open_notebook("bombs.ipynb")
    notebook.run_cell(0)
    notebook.wait(
        f"const tiles = (() => {{{TILES}}})(); return tiles.length === arg && tiles.every(t => t.state !== 'waits')",
        arg=len(drawings),
    )
    notebook.draw_frames()
    states = {tile["tag"]: tile["state"] for tile in notebook.js(TILES)}
    assert states == {tag: "shown" if tag in ORDINARY else "broken" for tag in drawings}
    for tag in BOMBS:
        tile = notebook.card(tag).locator(".tbwidget-tile")
        assert "SVG too complex to draw" in tile.locator(".tbwidget-tile-note").inner_text()
        assert tile.locator("canvas, img").count() == 0
    # Its bytes can still be saved, from the card and in the viewer.
    card = notebook.card("use")
    card.hover()
    card.get_by_role("button", name="Save", exact=True).click()
    with notebook.page.expect_download() as download:
        card.get_by_role("button", name="Save as logged", exact=True).click()
    assert download.value.path().read_bytes() == BOMBS["use"]
    notebook.page.keyboard.press("Escape")
    card.locator(".tbwidget-tile").click()
    dialog = notebook.page.get_by_role("dialog")
    dialog.get_by_text("SVG too complex to draw").first.wait_for()
    assert dialog.locator("img").count() == 0
    notebook.draw_frames()
    notebook.page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    # Cells that display these drawings as their result say the same.
    notebook.run_cell(1)
    notebook.run_cell(2)
    assert "SVG too complex to draw" in str(notebook.outputs(1))
    assert "SVG too complex to draw" in str(notebook.outputs(2))
    assert "<img" not in str(notebook.outputs(1)) + str(notebook.outputs(2))
    notebook.draw_frames()
    assert notebook.errors == []


def test_only_tiles_in_the_viewport_exist(server: JupyterServer, open_notebook: Open) -> None:
    for run in ("a", "b"):
        pictures = [encoded(noise(16, 16, seed)) for seed in range(150)]
        log(server.root / "many-images" / run, images("grid", 1, *pictures))
    server.write_notebook("many-images.ipynb", [SHOW.format(logs="many-images", height=600)])
    notebook = open_notebook("many-images.ipynb")
    notebook.run_cell(0)
    notebook.wait(f"const tiles = (() => {{{TILES}}})(); return tiles.length && tiles.every(t => t.state === 'shown')")
    first = shown(notebook)
    assert len(first) < 150
    assert ("a", 0) in first
    notebook.js(
        "const main = document.querySelector('.tbwidget-main'); main.scrollTop = main.scrollHeight; return null"
    )
    notebook.wait(
        f"""const tiles = (() => {{{TILES}}})(); return tiles.some(t => t.run === 'b' && t.sample === '149')
            && tiles.every(t => t.state === 'shown')"""
    )
    last = shown(notebook)
    assert ("a", 0) not in last
    assert len(last) < 150
    assert notebook.errors == []


WRITE_LARGE = """
import numpy as np
from tensorboardX import SummaryWriter
noise = np.random.default_rng(0).integers(0, 256, (900, 1200, 3), np.uint8)
with SummaryWriter("sharp-images") as writer:
    writer.add_image("large", noise, 0, dataformats="HWC")
"""

SHARPNESS = """
const tile = document.querySelector('.tbwidget-tile[data-state=shown]');
return tile && [tile.querySelector('canvas').width, tile.querySelector('.tbwidget-tile-coarse') !== null];
"""


def test_a_large_image_is_shown_scaled_at_once_and_sharp_when_the_kernel_answers(
    server: JupyterServer, open_notebook: Open
) -> None:
    show = "import tbwidget\nboard = tbwidget.Dashboard('sharp-images', panel='images', image_size=640)\nboard"
    server.write_notebook("sharp-images.ipynb", [show, WRITE_LARGE + hold("sharp")])
    notebook = open_notebook("sharp-images.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_state("waiting")
    notebook.mute()
    notebook.start_cell(1)
    notebook.wait(f"const found = (() => {{{SHARPNESS}}})(); return found && found[0] === 320 && found[1]")
    assert notebook.busy(1)
    notebook.page.evaluate("() => { window.testMuted = false; }")
    notebook.release("sharp")
    notebook.end_of_cell(1)
    # Another size needs another request; the kernel never received the one before.
    notebook.page.get_by_role("button", name="View", exact=True).click()
    notebook.page.get_by_role("slider", name="Size").press("ArrowRight")
    notebook.wait(f"const found = (() => {{{SHARPNESS}}})(); return found && found[0] > 500 && !found[1]")
    assert notebook.errors == []


def test_a_step_that_was_not_sent_waits_for_the_kernel(server: JupyterServer, open_notebook: Open) -> None:
    # More steps than the kernel sends unasked.
    picture = encoded(noise(140, 140))
    assert 50_000 < len(picture) < 64_000
    log(server.root / "long-images" / "run", *(images("long", step, picture) for step in range(800)))
    server.write_notebook("long-images.ipynb", [SHOW.format(logs="long-images", height=500), hold("long")])
    notebook = open_notebook("long-images.ipynb")
    notebook.run_cell(0)
    tile = notebook.page.locator(".tbwidget-tile")
    tile.and_(notebook.page.locator("[data-step='799'][data-state=shown]")).wait_for()
    notebook.mute()
    notebook.start_cell(1)
    own = notebook.own_step("long")
    entry = notebook.card("long").get_by_role("textbox")
    for step in range(797, 397, -40):
        entry.fill(str(step))
        entry.press("Enter")
        notebook.wait(
            """const tile = document.querySelector(`.tbwidget-tile[data-step="${arg}"]`);
            return tile?.dataset.state === 'shown' || tile?.textContent.includes('waiting for the kernel')""",
            arg=step,
        )
        if tile.get_attribute("data-state") == "waits":
            break
    assert tile.get_attribute("data-state") == "waits"
    assert notebook.busy(1)
    notebook.page.evaluate("() => { window.testMuted = false; }")
    notebook.release("long")
    notebook.end_of_cell(1)
    own.press("ArrowLeft")
    notebook.page.locator(f".tbwidget-tile[data-step='{step - 1}'][data-state=shown]").wait_for()
    assert notebook.errors == []
