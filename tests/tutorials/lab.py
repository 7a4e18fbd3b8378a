"""A notebook run in a real JupyterLab: what its cells printed, and what its dashboards show."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.browser.jupyter import JupyterServer
from tests.browser.page import NotebookPage

if TYPE_CHECKING:
    from tests.browser.chromium import Chromium

CELL_TIMEOUT_S = 280.0
"""For one cell; the first one imports TensorFlow on a machine that has other work."""

SIZE = (1180, 1000)
"""CSS pixels of the window. The output of a cell is as wide as a notebook on GitHub."""

_ROOTS = "const roots = [...cells[arg].outputArea.node.querySelectorAll('.tbwidget')];"

# One entry a dashboard of the cell: the panels that have drawn data, and the largest step of each tag.
_SHOWN = f"""{_ROOTS}
const drawn = ['[data-last-step]', '[data-node]', '[data-points]', '[data-state=shown]', 'td'];
return roots.map(root => {{
    const cards = [...root.querySelectorAll('[data-panel]')]
        .filter(card => drawn.some(data => card.matches(data) || card.querySelector(data) !== null));
    return {{
        state: root.dataset.state,
        panels: [...new Set(cards.map(card => card.dataset.panel))],
        steps: Object.fromEntries(cards.flatMap(card =>
            JSON.parse(card.dataset.tags ?? JSON.stringify([card.dataset.tag]))
                .map(tag => [tag, card.dataset.lastStep]))),
    }};
}});
"""

_SETTLED = f"""{_ROOTS}
return roots.every(root => ['idle', 'live'].includes(root.dataset.state) && root.querySelector('[data-panel]') !== null
    && root.querySelector('[data-state=waits], [data-state=computing]') === null);
"""

_LOOKS = f"""{_ROOTS}
return roots.map(root => root.innerText + [...root.querySelectorAll('canvas')].map(canvas => canvas.toDataURL()));
"""

# The header of a dashboard names the whole path, which says nothing to a reader of the picture.
_HIDE_FOLDER = """
const texts = document.createTreeWalker(document.querySelector('.jp-Notebook'), NodeFilter.SHOW_TEXT);
while (texts.nextNode()) {
    const node = texts.currentNode;
    const inside = node.parentElement.closest(".tbwidget") !== null;
    if (inside) node.data = node.data.replace(`${arg}/`, "");
}
"""

_ALL = "[...document.querySelectorAll('.tbwidget')]"


class Shown(NamedTuple):
    """A dashboard as it is when all cells have run."""

    cell: str
    """The id of its cell."""
    panels: frozenset[str]
    """Panels with a card that has drawn data."""
    steps: dict[str, str]
    """The largest step that each card shows, by tag."""


class Ran(NamedTuple):
    """A notebook whose cells have all run, in a page that is still open."""

    page: NotebookPage
    notebook: Mapping[str, Any]

    def code(self) -> Iterator[tuple[int, str]]:
        """Yield the position and the id of each code cell."""
        for index, cell in enumerate(self.notebook["cells"]):
            if cell["cell_type"] == "code":
                yield index, cell["id"]

    def outputs(self) -> dict[str, list[dict[str, Any]]]:
        """Return the outputs of each code cell by its id."""
        return {name: self.page.outputs(index) for index, name in self.code()}

    def dashboards(self) -> list[Shown]:
        """Bring each dashboard on the screen, wait until it has drawn what it holds, and return what that is."""
        found = []
        for index, name in self.code():
            self._bring_on_screen(index)
            shown = self.page.js(_SHOWN, index)
            found += [Shown(name, frozenset(each["panels"]), each["steps"]) for each in shown]
        return found

    def pictures(self) -> dict[str, list[bytes]]:
        """Return a PNG of each dashboard, by the id of its cell."""
        found = {}
        for index, name in self.code():
            self._bring_on_screen(index)
            self.page.js(_HIDE_FOLDER, str(self.page.server.root))
            places: list[int] = self.page.js(f"{_ROOTS} return roots.map(root => {_ALL}.indexOf(root))", index)
            found[name] = [self.page.page.locator(".tbwidget").nth(place).screenshot() for place in places]
        return found

    def _bring_on_screen(self, index: int) -> None:
        if self.page.js(f"{_ROOTS} roots.at(-1)?.scrollIntoView(); return roots.length", index):
            self.page.wait(_SETTLED, arg=index)
            self.page.steady(_LOOKS, index)


@contextmanager
def one_core_server() -> Iterator[JupyterServer]:
    """Start a JupyterLab whose kernels compute on one core: OpenMP's threads spin, which slows a busy machine down."""
    os.environ["OMP_NUM_THREADS"] = "1"
    with JupyterServer() as server:
        yield server


@contextmanager
def run_all(server: JupyterServer, chromium: Chromium, name: str, notebook: Mapping[str, Any]) -> Iterator[Ran]:
    """Run all cells of a notebook as its reader does. An error in a cell is one here."""
    server.add_notebook(name, notebook)
    with NotebookPage(server, name, chromium, SIZE) as page:
        page.js("return app.commands.execute('application:toggle-left-area').then(() => null)")
        ran = Ran(page, notebook)
        page.start_all()
        for index, _ in ran.code():
            page.end_of_cell(index, CELL_TIMEOUT_S)
        yield ran
    server.end_kernels(name)


def as_notebook(cells: list[str]) -> dict[str, Any]:
    """Return a notebook of code cells."""
    made: list[dict[str, Any]] = [
        {"cell_type": "code", "id": f"cell-{n}", "metadata": {}, "source": s, "outputs": [], "execution_count": None}
        for n, s in enumerate(cells)
    ]
    return {"cells": made, "nbformat": 4, "nbformat_minor": 5, "metadata": {}}
