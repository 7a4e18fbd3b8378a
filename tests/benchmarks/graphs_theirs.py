"""A graph in TensorBoard's page, opened with `%tensorboard` in a fresh kernel with a new server."""

from __future__ import annotations

import time
import urllib.parse
import urllib.request
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from playwright.sync_api import Error

from tests.benchmarks import cells
from tests.benchmarks.browser import opened
from tests.benchmarks.page import MeasuredPage

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Frame

FIRST_TIMEOUT, OPEN_TIMEOUT = 120.0, 300.0
"""Upper bound of a wait, in seconds."""
_ANSWER = "data/plugin/graphs/graph?"

# In TensorBoard's frame: the scene of its graph, wherever its components keep it, and the time of its first box.
_OBSERVE = """
if (window !== window.top) {
    const within = root => {
        for (const element of root.querySelectorAll('*')) {
            if (element.tagName === 'TF-GRAPH-SCENE') return element.shadowRoot ?? element;
            const found = element.shadowRoot && within(element.shadowRoot);
            if (found) return found;
        }
        return null;
    };
    window.benchBoxes = () => {
        window.benchScene ??= within(document);
        return window.benchScene?.querySelectorAll('g.node') ?? [];
    };
    setTimeout(function look() {
        if (window.benchBoxes().length > 0) requestAnimationFrame(() => { window.benchFirstBox = Date.now(); });
        else setTimeout(look, 20);
    });
}
"""

# Opens a scope as a double-click does; resolves to milliseconds until the frame that shows its inside.
_OPEN = """async ([path, most]) => {
    const before = window.benchBoxes().length;
    const box = window.benchScene.querySelector(`g.node[data-name="${CSS.escape(path)}"] .nodeshape > *`);
    const begin = performance.now();
    box.dispatchEvent(new MouseEvent('dblclick', { bubbles: true, composed: true, cancelable: true }));
    while (window.benchBoxes().length <= before) {
        if (performance.now() - begin > most) return Infinity;
        await new Promise(resolve => setTimeout(resolve, 5));
    }
    await new Promise(requestAnimationFrame);
    await new Promise(resolve => setTimeout(resolve));
    return performance.now() - begin;
}"""

_ELEMENTS = """() => {
    const count = root => [...root.querySelectorAll('*')].reduce(
        (sum, element) => sum + 1 + (element.shadowRoot ? count(element.shadowRoot) : 0), 0);
    return count(document);
}"""


class Theirs(NamedTuple):
    """Figures of TensorBoard's page for a graph."""

    paint: float
    """Seconds from running the cell to the first box."""
    received: int
    """Bytes that its page fetched until then, including its code, as transferred (compressed)."""
    graph: int
    """Bytes of the graph among these."""
    text: int
    """Bytes of the graph after decompression."""
    opening: dict[str, float]
    """Milliseconds of opening scopes."""
    elements: int
    """Elements of its page at the end."""


class _GraphPage(MeasuredPage):
    def prepare(self) -> None:
        super().prepare()
        self.page.add_init_script(_OBSERVE)


def theirs(logdir: Path, scopes: list[str]) -> Theirs:
    """Show the graph, and open these scopes one after another; each may take five minutes."""
    with _shown(logdir) as (page, frame, paint):
        page.sleep(1)
        received = page.frame_bytes()
        graph = sum(size for url, size in page.fetched() if _ANSWER in url)
        opening = {}
        for scope in scopes:
            opening[scope] = frame.evaluate(_OPEN, [scope, 1e3 * OPEN_TIMEOUT])
            page.sleep(1)
        return Theirs(paint, received, graph, _text(frame), opening, frame.evaluate(_ELEMENTS))


@contextmanager
def _shown(logdir: Path) -> Iterator[tuple[MeasuredPage, Frame, float]]:
    command = f"%tensorboard --logdir {logdir} --port 0"
    with opened(["%load_ext tensorboard", command, cells.end_tensorboard(logdir)], _GraphPage) as page:
        page.run_cell(0)
        begun = page.start_cell_at(1)
        try:
            at = _first_box(page)
            frame = page.frame()
            if frame is None:
                raise RuntimeError("TensorBoard's frame is gone")
            yield page, frame, (at - begun) / 1e3
        finally:
            page.run_cell(2)


def _first_box(page: MeasuredPage) -> int:
    until = time.monotonic() + FIRST_TIMEOUT
    while time.monotonic() < until:
        frame = page.frame()
        if frame is not None and frame.url.startswith("http"):
            with suppress(Error):  # it is navigating
                at: int | None = frame.evaluate("() => window.benchFirstBox ?? null")
                if at is not None:
                    return at
        page.sleep(0.1)
    raise TimeoutError(f"TensorBoard showed no graph within {FIRST_TIMEOUT} s")


def _text(frame: Frame) -> int:
    """Return the bytes of the graph from its server without compression."""
    address = urllib.parse.urlsplit(frame.url)
    query = urllib.parse.urlencode({"run": ".", "conceptual": "false"})
    url = f"{address.scheme}://{address.netloc}/{_ANSWER}{query}"
    with urllib.request.urlopen(url, timeout=60) as answer:
        return len(answer.read())
