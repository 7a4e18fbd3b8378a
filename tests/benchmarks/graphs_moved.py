"""Cost of a frame while a graph with thousands of boxes on the screen moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tbwidget.graph.view import BoxKind
from tests.benchmarks.graphs_pages import ELEMENTS, HEIGHT, TIMEOUT, folds, shown
from tests.benchmarks.moves import frame_cost

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tbwidget.graph import Graph
    from tests.benchmarks.page import MeasuredPage

VISIBLE = 20_000
"""Boxes on the screen."""
MOVES = 60
"""Moves of the pointer in a pan, or turns of the wheel in a zoom: one for each frame."""
_AT_ONCE = 100
"""Scopes that are opened before the boxes are counted again."""

# Counts frames in which the graph has moved, since the last call.
_COUNT_FRAMES = """
window.benchCounting?.abort();
const { signal } = window.benchCounting = new AbortController();
window.benchMoved = 0;
let moved = false;
for (const type of ['pointermove', 'wheel']) addEventListener(type, () => { moved = true; }, { capture: true, signal });
requestAnimationFrame(function note() {
    window.benchMoved += Number(moved);
    moved = false;
    if (!signal.aborted) requestAnimationFrame(note);
});
"""


class Moving(NamedTuple):
    """Milliseconds for each frame in which the graph moves."""

    boxes: int
    elements: int
    pan: tuple[float, float]
    """CPU of the page's main thread, and of all of Chromium's processes, which includes drawing."""
    zoom: tuple[float, float]


def many_boxes(graph: Graph) -> tuple[list[str], list[str]]:
    """Return paths to open and folds to ungroup, so that `VISIBLE` boxes, or all, are on the screen."""
    expanded: list[str] = []
    while True:
        ungrouped = folds(graph, expanded)
        view = graph.view(expanded, ungrouped)
        closed = [box for box, kind in enumerate(view.kind) if kind == BoxKind.SCOPE and not view.open[box]]
        if len(view) >= VISIBLE or not closed:
            return expanded, ungrouped
        expanded += [view.path[box] for box in sorted(closed, key=lambda box: -view.nodes[box])[:_AT_ONCE]]


def moving(logdir: Path, graph: Graph) -> Moving:
    """Pan and zoom with `VISIBLE` boxes on the screen."""
    expanded, ungrouped = many_boxes(graph)
    boxes = len(graph.view(expanded, ungrouped))
    with shown(logdir, height=HEIGHT, expanded=expanded, ungrouped=ungrouped) as (page, _):
        page.wait(
            "return document.querySelector('.tbwidget [aria-expanded=true]') !== null"
            " && document.querySelector('.tbwidget-graph-busy') === null",
            TIMEOUT,
        )
        page.page.get_by_role("button", name="Fit", exact=True).click()
        page.sleep(3)
        elements = page.js(ELEMENTS)
        box = page.page.locator(".tbwidget-graph-canvas").bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        mouse, keyboard = page.page.mouse, page.page.keyboard
        mouse.move(x, y)
        mouse.down()
        pan = _measured(page, lambda move: mouse.move(x + 4 + 4 * (move % 20), y + 4 + 2 * (move % 20)))
        mouse.up()
        keyboard.down("Control")
        zoom = _measured(page, lambda move: mouse.wheel(0, 60 if move % 20 < 10 else -60))
        keyboard.up("Control")
    return Moving(boxes, elements, pan, zoom)


def _measured(page: MeasuredPage, move: Callable[[int], None]) -> tuple[float, float]:
    """Average CPU milliseconds of a frame, of the main thread and of all processes."""

    def moved() -> int:
        page.js(_COUNT_FRAMES)
        for number in range(MOVES):
            move(number)
        frames: int = page.js("return window.benchMoved")
        return frames

    cost = frame_cost(page, moved)
    return cost.main, cost.all
