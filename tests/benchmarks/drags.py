"""Duration of frames while a drag turns a picture, in our page and TensorBoard's."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from playwright.sync_api import Error

if TYPE_CHECKING:
    from playwright.sync_api import Frame, Locator

    from tests.benchmarks.page import MeasuredPage

MOVES = 40

# Records the milliseconds of each frame from now on.
_FRAMES = """() => {
    window.benchFrames = [];
    let last = performance.now();
    requestAnimationFrame(function note(now) {
        window.benchFrames.push(now - last);
        last = now;
        requestAnimationFrame(note);
    });
}"""


def frames_of_drag(page: MeasuredPage, frame: Frame, shown: Locator) -> list[float]:
    """Drag over an element, back and forth; returns milliseconds of each frame that `frame` draws meanwhile."""
    shown.scroll_into_view_if_needed()
    box = shown.bounding_box()
    if box is None:
        raise RuntimeError("what was to be turned is gone")
    left, top = box["x"] + box["width"] / 3, box["y"] + box["height"] / 3
    mouse = page.page.mouse
    mouse.move(left, top)
    mouse.down()
    frame.evaluate(_FRAMES)
    for number in range(MOVES):
        mouse.move(left + 4 * (number % 20), top + number % 20)
    frames: list[float] = frame.evaluate("() => window.benchFrames")
    mouse.up()
    return frames


def frame_where(page: MeasuredPage, script: str, argument: object, timeout: float) -> Frame | None:
    """Return the frame inside the notebook in which a script is true; None after `timeout` seconds without one."""
    for _ in range(round(timeout / 0.1)):
        for frame in page.page.frames[1:]:
            with suppress(Error):  # it is navigating
                if frame.evaluate(script, argument):
                    return frame
        page.sleep(0.1)
    return None
