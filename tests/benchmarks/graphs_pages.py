"""Our page of a large graph: time until the graph is shown, and until its scopes open."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from tbwidget.graph.view import BoxKind
from tests.benchmarks.browser import opened
from tests.benchmarks.page import MeasuredPage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tbwidget.graph import Graph

ORDINARY = 3
"""Scopes of the root that are opened, apart from the widest."""
HEIGHT = 700
TIMEOUT = 120.0
"""Upper bound of a wait, in seconds."""

# Times at which the first box appeared, all scopes could be opened, a double-click began; and long tasks since then.
_OBSERVE = """
if (window === window.top) {
    requestAnimationFrame(function look() {
        if (document.querySelector('.tbwidget [data-node]') !== null) {
            window.benchFirstBox ??= Date.now();
            if (document.querySelector('.tbwidget-graph-busy') === null) window.benchAllScopes ??= Date.now();
        }
        if (window.benchAllScopes === undefined) requestAnimationFrame(look);
    });
    addEventListener('dblclick', event => {
        window.benchClicked = event.timeStamp;
        window.benchHeld = 0;
    }, true);
    new PerformanceObserver(list => {
        for (const { startTime, duration } of list.getEntries()) {
            if (startTime + duration > window.benchClicked) window.benchHeld = Math.max(window.benchHeld, duration);
        }
    }).observe({ entryTypes: ['longtask'] });
}
"""

# Once a double-clicked box is open and still: milliseconds from the click to the first frame with its inside, to the
# first frame without motion, and the longest task in between.
_OPENED = """async path => {
    const isOpen = () => document.querySelector(`.tbwidget [data-node="${CSS.escape(path)}"][aria-expanded="true"]`);
    const frame = () => new Promise(requestAnimationFrame);
    while (isOpen() === null) await frame();
    const first = performance.now();
    let rest = first;
    for (let quiet = 0; quiet < 20; quiet += 1) {
        await frame();
        if (document.querySelector('.tbwidget [data-moving]') !== null) {
            rest = performance.now();
            quiet = 0;
        }
    }
    return [first - window.benchClicked, rest - window.benchClicked, window.benchHeld];
}"""

ELEMENTS = "return document.querySelector('.tbwidget').querySelectorAll('*').length"
"""Function body that counts the widget's elements."""


class Opening(NamedTuple):
    """Milliseconds from a double-click."""

    first: float
    """To the first frame that shows the inside."""
    rest: float
    """To the end of the animation."""
    held: float
    """The longest task of the page in that time; 0 if none took 50 ms."""


class Ours(NamedTuple):
    """Figures of our page for a graph."""

    paint: float
    """Seconds from running the cell to the first boxes."""
    whole: float
    """Seconds until every scope could be opened."""
    received: int
    """Bytes, including the widget's code."""
    graph: int
    """Bytes that arrived after that code."""
    opening: dict[str, Opening]
    elements: int
    """Elements of the widget, after the widest scope was opened."""


class Scopes(NamedTuple):
    """Scopes of a graph that are opened."""

    nodes: int
    widest: str
    ordinary: list[str]
    unfolded: list[str]
    """The stacks and layers in the widest scope."""
    boxes: int
    """Boxes on the screen when the widest scope is open without its stacks and layers."""


class GraphsPage(MeasuredPage):
    """Records the time at which boxes appear."""

    def prepare(self) -> None:
        """Install none of the tests' own probes, which would be measured, too."""
        super().prepare()
        self.page.add_init_script(_OBSERVE)


def scopes(graph: Graph) -> Scopes:
    """Choose scopes of the root: the one with most children, and others, those with most nodes first."""
    structure = graph.structure
    children = structure.hierarchy.children
    root = graph.view([])
    found = [box for box, kind in enumerate(root.kind) if kind == BoxKind.SCOPE]
    widest = max(found, key=lambda box: len(children.of(root.item[box])))
    others = sorted((box for box in found if box != widest), key=lambda box: -root.nodes[box])
    path = root.path[widest]
    ungrouped = folds(graph, [path], f"{path}/")
    boxes = len(graph.view([path], ungrouped))
    return Scopes(graph.node_count, path, [root.path[box] for box in others[:ORDINARY]], ungrouped, boxes)


def folds(graph: Graph, opened: Sequence[str], within: str = "") -> list[str]:
    """Paths of the stacks and layers in opened scopes."""
    ungrouped: list[str] = []
    while True:
        view = graph.view(opened, ungrouped)
        made = [
            path
            for path, kind in zip(view.path, view.kind, strict=True)
            if kind in {BoxKind.STACK, BoxKind.LAYER} and path.startswith(within)
        ]
        if not made:
            return ungrouped
        ungrouped += made


@contextmanager
def shown(logdir: Path, **options: Any) -> Iterator[tuple[MeasuredPage, int]]:
    """Show the graph in a fresh kernel that has loaded the extension.

    Yields the page with all scopes, and its time when the cell was run.
    """
    made = ", ".join(f"{name}={value!r}" for name, value in options.items())
    cells = [
        "%load_ext tbwidget\nimport tbwidget",
        f"view = tbwidget.GraphView({str(logdir)!r}, {made})\nview",
        "view.expanded = []",
    ]
    with opened(cells, GraphsPage) as page:
        page.run_cell(0)
        page.received.clear()
        begun = page.start_cell_at(1)
        page.wait("return window.benchAllScopes !== undefined", TIMEOUT)
        page.sleep(1)
        yield page, begun


def _open(page: MeasuredPage, path: str) -> Opening:
    """Open a box of the closed root with the mouse."""
    page.page.get_by_role("button", name="Fit", exact=True).click()
    page.sleep(1)
    page.page.locator(f'.tbwidget [data-node="{path}"]').dblclick()
    return Opening(*page.page.evaluate(_OPENED, path))


def ours(logdir: Path, wanted: Scopes) -> Ours:
    """Open the scopes one after another, each in the closed root."""
    with shown(logdir, height=HEIGHT) as (page, begun):
        first, whole = (page.js(f"return window.{name}") for name in ("benchFirstBox", "benchAllScopes"))
        sizes = [got for got in page.received if got.comm]
        opening, elements = {}, 0
        page.run_cell(2)
        page.wait("return document.querySelector('.tbwidget [aria-expanded=true]') === null")
        for path in (*wanted.ordinary, wanted.widest):
            opening[path] = _open(page, path)
            elements = page.js(ELEMENTS)
            page.page.keyboard.press("Escape")
            page.run_cell(2)
            page.wait("return document.querySelector('.tbwidget [aria-expanded=true]') === null")
    return Ours(
        (first - begun) / 1e3,
        (whole - begun) / 1e3,
        sum(got.size for got in sizes),
        sum(got.size for got in sizes if got.type == "comm_msg"),
        opening,
        elements,
    )


def unfolded(logdir: Path, wanted: Scopes) -> Opening:
    """Open the widest scope when nothing in it is folded."""
    with shown(logdir, height=HEIGHT, ungrouped=wanted.unfolded, expanded=[]) as (page, _):
        return _open(page, wanted.widest)
