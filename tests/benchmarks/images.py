"""Images in the browser, compared with TensorBoard: `make bench ARGS="--only images"`."""

from __future__ import annotations

import io
import json
import statistics
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from PIL import Image
from playwright.sync_api import Error

from tbwidget.proto.summary_pb2 import Summary
from tests.benchmarks import cells
from tests.benchmarks.browser import Spread, opened, spread
from tests.benchmarks.page import MeasuredPage
from tests.support.eventfiles import NAME, event, name

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
TAGS, STEPS, SIDE = 100, 100, 256
"""Size of the log directory; its images have SIDE x SIDE pixels and about 50 kB."""
THEIR_STEPS = 10
"""Number of steps that TensorBoard keeps of a tag."""
DIFFERENT = 32
"""Number of different images."""
SETTLE = 12.0
"""Seconds after which a page has all of its initial data."""
MOVES = (50, 10, 90, 30, 70, 20, 80, 40, 60, 5)
"""Positions of the slider, one after another, in hundredths of its range."""

# In the notebook: when each tag and step was first on the screen. In a frame of TensorBoard: the first image.
_OBSERVE = """
if (window === window.top) {
    window.benchTiles = new Map();
    requestAnimationFrame(function look() {
        for (const { dataset } of document.querySelectorAll('.tbwidget-tile[data-state="shown"]')) {
            const key = `${dataset.tag} ${dataset.step}`;
            if (!window.benchTiles.has(key)) window.benchTiles.set(key, Date.now());
        }
        requestAnimationFrame(look);
    });
} else {
    requestAnimationFrame(function look() {
        const images = [...document.querySelectorAll('image-card-component img')];
        if (images.some(image => image.complete && image.naturalWidth > 0)) window.benchFirstImage = Date.now();
        else requestAnimationFrame(look);
    });
}
"""

# Moves our slider of all cards; resolves to milliseconds until all visible tiles show that step.
_MOVE_OURS = """async share => {
    const slider = document.querySelector('.tbwidget-step-control input[type="range"]');
    const place = Math.round(share * Number(slider.max));
    const main = document.querySelector('.tbwidget-main').getBoundingClientRect();
    const begin = performance.now();
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(slider, String(place));
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    for (;;) {
        await new Promise(requestAnimationFrame);
        const tiles = [...document.querySelectorAll('.tbwidget-tile')].filter(tile => {
            const box = tile.getBoundingClientRect();
            return box.bottom > main.top && box.top < main.bottom;
        });
        const done = tiles.every(({ dataset }) => dataset.state === 'shown' && Number(dataset.step) === place);
        if (tiles.length > 0 && done) return [performance.now() - begin, tiles.length];
        if (performance.now() - begin > 10000) return [Infinity, tiles.length];
    }
}"""

# Moves the slider of TensorBoard's first card, which has no common one; resolves to milliseconds in the same way.
_MOVE_THEIRS = """async share => {
    const slider = document.querySelector('image-card-component input[type="range"]');
    const image = () => document.querySelector('image-card-component img');
    const before = image().src;
    const begin = performance.now();
    slider.value = String(Math.round(share * Number(slider.max)));
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    slider.dispatchEvent(new Event('change', { bubbles: true }));
    for (;;) {
        await new Promise(requestAnimationFrame);
        const now = image();
        if (now?.src && now.src !== before && now.complete && now.naturalWidth > 0) return performance.now() - begin;
        if (performance.now() - begin > 5000) return Infinity;
    }
}"""

# Makes TensorBoard's page reload its data; resolves to the number of steps of its first slider.
_RELOAD = """() => {
    document.querySelector('button.reload-button')?.click();
    return Number(document.querySelector('image-card-component input[type="range"]')?.max ?? 0) + 1;
}"""

_TRAIN = """
import io, json, sys, time
from pathlib import Path
import numpy as np
from PIL import Image
from playwright.sync_api import Error
sys.path.append({root!r})
from tests.benchmarks import images
from tests.support.eventfiles import event

path = Path("bench-images/run") / images.NAME
path.parent.mkdir(parents=True, exist_ok=True)
written = path.open("ab", buffering=0)
random = np.random.default_rng(0)
pictures = list(images.pictures(8))
step = globals().get("step", 0)
flushed = []
for _ in range({count}):
    until = time.monotonic() + {interval} * random.uniform(0.6, 1.4)
    while time.monotonic() < until:
        np.linalg.qr(random.normal(size=(100, 100)))
    values = [images.value(tag, pictures[(step + tag) % len(pictures)]) for tag in range({tags})]
    written.write(event(time.time(), step, *values))
    flushed.append([step, time.time()])
    step += 1
written.close()
print(json.dumps(flushed))
"""


class Shown(NamedTuple):
    """Figures of a page with images."""

    seconds: float
    """From running the cell to the first image."""
    moves: list[float]
    """Milliseconds from moving the slider to the images of that step: all visible ones, or one card's."""
    again: list[float]
    """The same moves a second time."""
    steps: int
    """Steps of a tag that the slider reaches."""
    memory: float
    """Bytes that Chromium's processes gained from before the cell ran until after all moves."""


class ImagesPage(MeasuredPage):
    """Records when images are first on the screen."""

    def prepare(self) -> None:
        """Install none of the tests' own probes, which would be measured, too."""
        super().prepare()
        self.page.add_init_script(_OBSERVE)


def pictures(count: int) -> Iterator[bytes]:
    """Photographs as JPEG, about 50 kB each."""
    y, x = np.mgrid[0:SIDE, 0:SIDE] / SIDE
    for seed in range(count):
        rng = np.random.default_rng(seed)
        waves = np.stack([np.sin(9 * x * rng.random() + 9 * y * rng.random()) for _ in range(3)], axis=-1)
        pixels = (128 + 60 * waves + rng.normal(0, 30, waves.shape)).clip(0, 255).astype(np.uint8)
        stream = io.BytesIO()
        Image.fromarray(pixels).save(stream, "JPEG", quality=93)
        yield stream.getvalue()


def value(tag: int, data: bytes) -> Summary.Value:
    """An image as torch and tensorboardX write it."""
    image = Summary.Image(height=SIDE, width=SIDE, colorspace=3, encoded_image_string=data)
    return Summary.Value(tag=name(f"image{tag:02}"), image=image)


def write(folder: Path) -> int:
    """Write the images, an event each; returns their median number of bytes."""
    made = list(pictures(DIFFERENT))
    folder.mkdir(parents=True)
    with (folder / NAME).open("wb") as file:
        file.write(event(1.7e9, version="brain.Event:2"))
        for step in range(STEPS):
            for tag in range(TAGS):
                file.write(event(1.7e9 + step, step, value(tag, made[(7 * tag + step) % DIFFERENT])))
    return round(statistics.median(map(len, made)))


def resident(page: MeasuredPage) -> int:
    """Return the bytes of the Chromium processes of the page, with shared memory counted once: their PSS."""
    browser = page.page.context.browser
    if browser is None:
        raise RuntimeError("the page has no browser")
    session = browser.new_browser_cdp_session()
    processes: list[dict[str, Any]] = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    rollups = [Path(f"/proc/{process['id']}/smaps_rollup").read_text(encoding="ascii") for process in processes]
    lines = [line for text in rollups for line in text.splitlines() if line.startswith("Pss:")]
    return 1024 * sum(int(line.split()[1]) for line in lines)


def ours(logdir: Path) -> tuple[Shown, int]:
    """Open them in a fresh kernel that has loaded the extension; also returns the number of visible tiles."""
    show = f"tbwidget.ImagesView({str(logdir)!r})"
    with opened(["%load_ext tbwidget\nimport tbwidget", show], ImagesPage) as page:
        page.run_cell(0)
        before = resident(page)
        begun = page.start_cell_at(1)
        page.wait("return window.benchTiles.size > 0", 60)
        first = min(page.page.evaluate("() => [...window.benchTiles.values()]"))
        page.sleep(SETTLE)
        moves, again = ([page.page.evaluate(_MOVE_OURS, move / 100) for move in MOVES] for _ in range(2))
        steps = page.js("return Number(document.querySelector('.tbwidget-step-control input').max) + 1")
        used = resident(page) - before
    found = Shown((first - begun) / 1e3, [ms for ms, _ in moves], [ms for ms, _ in again], steps, used)
    return found, max(tiles for _, tiles in moves)


def theirs(logdir: Path) -> Shown:
    """Open them with `%tensorboard`, in a fresh kernel that has loaded its extension, with a new server."""
    command = f"%tensorboard --logdir {logdir} --port 0"
    with opened(["%load_ext tensorboard", command, cells.end_tensorboard(logdir)], ImagesPage) as page:
        page.run_cell(0)
        before = resident(page)
        begun = page.start_cell_at(1)
        try:
            first = _first_image_of_theirs(page)
            page.sleep(SETTLE)
            frame = page.frame()
            if frame is None:
                raise RuntimeError("TensorBoard's frame is gone")
            for _ in range(30):  # its page shows only data that its server had read by then, until it reloads
                if frame.evaluate(_RELOAD) >= THEIR_STEPS:
                    break
                page.sleep(2)
            moves, again = ([frame.evaluate(_MOVE_THEIRS, move / 100) for move in MOVES] for _ in range(2))
            steps = frame.evaluate("() => Number(document.querySelector('image-card-component input').max) + 1")
            return Shown((first - begun) / 1e3, moves, again, steps, resident(page) - before)
        finally:
            page.run_cell(2)


def _first_image_of_theirs(page: MeasuredPage) -> int:
    until = time.monotonic() + 120
    while time.monotonic() < until:
        frame = page.frame()
        if frame is not None and frame.url.startswith("http"):
            with suppress(Error):  # it is navigating
                at: int | None = frame.evaluate("() => window.benchFirstImage ?? null")
                if at is not None:
                    return at
        page.sleep(0.1)
    raise TimeoutError("TensorBoard showed no image within two minutes")


def delays(count: int, interval: float, tags: int) -> Spread:
    """Milliseconds from a flush in a training cell to the frame that shows its image, or the last tag's."""
    show = 'import tbwidget\ntbwidget.ImagesView("bench-images")'
    trains = [_TRAIN.format(root=str(ROOT), count=number, interval=interval, tags=tags) for number in (2, count)]
    with opened([show, *trains], ImagesPage) as page:
        page.run_cell(0)
        page.run_cell(1)
        page.wait("return window.benchTiles.size > 0", 30)
        page.sleep(2)
        flushed: list[tuple[int, float]] = json.loads(page.run_cell(2, timeout=60 + 3 * count * interval))
        page.sleep(2)
        seen: dict[str, int] = page.page.evaluate("() => Object.fromEntries(window.benchTiles)")
    found = []
    for number, (step, at) in enumerate(flushed):
        # An image that a later one replaced before it was sent is never shown.
        later = [next_step for next_step, _ in flushed[number:]]
        shown = [min(seen.get(f"image{tag:02} {each}", np.inf) for each in later) for tag in range(tags)]
        if max(shown) == np.inf:
            raise AssertionError(f"step {step} was never shown, nor a later one")
        found.append(max(shown) - 1e3 * at)
    return spread(found)


def section(points: int, repeats: int) -> None:
    """Measure and print all figures."""
    with tempfile.TemporaryDirectory() as folder:
        logdir = Path(folder) / "logs"
        size = write(logdir)
        pairs = [(ours(logdir), theirs(logdir)) for _ in range(repeats)]
    tiles = pairs[0][0][1]
    print(f"\n{TAGS} tags of {STEPS} images of {size / 1e3:.0f} kB, medians of {repeats}")
    print(f"{'':34}{'first s':>9}{'slider ms':>11}{'again ms':>10}{'steps':>7}{'memory MB':>11}")
    names = (f"tbwidget, {tiles} tiles move", "%tensorboard, 1 card moves")
    for text, shown in zip(names, ([one for (one, _), _ in pairs], [one for _, one in pairs]), strict=True):
        seconds = statistics.median(one.seconds for one in shown)
        moves, again = (statistics.median(ms for one in shown for ms in each(one)) for each in (_moves, _again))
        used = statistics.median(one.memory for one in shown) / 1e6
        print(f"  {text:32}{seconds:9.2f}{moves:11.0f}{again:10.0f}{shown[0].steps:7}{used:11.0f}")
    print("\nFrom flush to paint of images while a cell trains, ms")
    print(f"{'':34}{'flushes':>9}{'median':>9}{'p95':>9}")
    for tags in (1, 4):
        found = delays(points, 0.5, tags)
        text = f"2 flushes/s of {tags} image{'s' if tags > 1 else ''} of {size / 1e3:.0f} kB"
        print(f"  {text:32}{found.number:9}{found.median:9.0f}{found.p95:9.0f}")


def _moves(shown: Shown) -> list[float]:
    return shown.moves


def _again(shown: Shown) -> list[float]:
    return shown.again
