"""Memory of Chromium's processes while the image viewer goes step by step through many large images."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image

from tbwidget.proto.summary_pb2 import Summary
from tests.benchmarks.browser import opened
from tests.benchmarks.images import ImagesPage, resident
from tests.support.eventfiles import NAME, event, name

STEPS, SIDE = 200, 1_024
"""Images of one tag, and their pixels each way."""
EVERY = 25
"""Steps between two readings of the memory."""

# The element that shows this step, as soon as it does.
_SHOWN = "return !!document.querySelector(`.tbwidget-viewed[data-step='${arg}'][data-state=shown]`)"


def write(folder: Path) -> None:
    """Write images that all differ: a photograph's waves with little noise, as PNG."""
    folder.mkdir(parents=True)
    y, x = np.mgrid[0:SIDE, 0:SIDE] / SIDE
    with (folder / NAME).open("wb") as file:
        file.write(event(1.7e9, version="brain.Event:2"))
        for step in range(STEPS):
            waves = np.stack([np.sin((9 + step / 10) * x + k * y) for k in (3, 5, 8)], axis=-1)
            stream = io.BytesIO()
            pixels = (128 + 100 * waves).astype(np.uint8)
            Image.fromarray(pixels).save(stream, "PNG", compress_level=1)
            image = Summary.Image(height=SIDE, width=SIDE, colorspace=3, encoded_image_string=stream.getvalue())
            file.write(event(1.7e9 + step, step, Summary.Value(tag=name("large"), image=image)))


def viewed(logdir: Path) -> list[int]:
    """Return the bytes beyond those before the viewer was open: at once, then after each `EVERY` of all steps back."""
    show = f"import tbwidget\ntbwidget.ImagesView({str(logdir)!r})"
    with opened([show], ImagesPage) as page:
        page.run_cell(0)
        page.wait("return document.querySelector('.tbwidget-tile[data-state=shown]') !== null", 60)
        page.sleep(5)
        before = resident(page)
        page.page.locator(".tbwidget-tile").first.get_by_role("button").click()
        found = []
        for step in range(STEPS - 1, -1, -1):
            page.wait(_SHOWN, 30, step)
            if (STEPS - 1 - step) % EVERY == 0 or step == 0:
                page.sleep(2)
                found.append(resident(page) - before)
            page.page.keyboard.press("ArrowLeft")
        return found


def section() -> None:
    """Measure and print all figures."""
    with tempfile.TemporaryDirectory() as folder:
        logdir = Path(folder) / "logs"
        write(logdir)
        found = viewed(logdir)
    print(
        f"\nThe viewer, back through {STEPS} images of {SIDE} x {SIDE}, MB of Chromium's processes more than before it"
    )
    print(f"  at the first, then every {EVERY} steps: {', '.join(f'{used / 1e6:.0f}' for used in found)}")
