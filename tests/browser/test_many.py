"""Many runs and tags while a cell is busy: a card that is scrolled to has its data, though the kernel never heard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.benchmarks import logs
from tests.browser.cells import COMPUTE, hold

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer

RUNS, TAGS, STEPS = 50, 40, 200

SHOW = """
import tbwidget
from IPython.display import display
board = tbwidget.Dashboard("many-runs")
heard = []
board.on_msg(lambda widget, content, buffers: heard.append(content))
display(board)
"""

BUSY = "import numpy as np" + hold("many", COMPUTE) + "print(len(heard))"

# Pixels of the card's chart that are neither gray nor nearly so: its lines.
COLORED = """
const canvas = document.querySelector(`.tbwidget [data-tag="${arg}"] canvas`);
const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
let found = 0;
for (let i = 0; i < data.length; i += 4) {
    const [r, g, b, alpha] = data.slice(i, i + 4);
    found += alpha > 0 && Math.max(r, g, b) - Math.min(r, g, b) > 40;
}
return found;
"""

# For each card: its name, and its numbers of buttons and canvases.
PARTS = """
return Array.from(document.querySelectorAll('.tbwidget .tbwidget-card[data-panel=scalars]'), (card) =>
    [card.dataset.tag, card.querySelectorAll('button').length, card.querySelectorAll('canvas').length]);
"""


def test_a_far_card_shows_its_series_though_the_kernel_never_heard_of_it(
    server: JupyterServer, open_notebook: Open
) -> None:
    logs.write_runs(server.root / "many-runs", RUNS, TAGS, STEPS)
    server.write_notebook("many.ipynb", [SHOW, BUSY])
    notebook = open_notebook("many.ipynb")
    notebook.mute()
    notebook.start_all()
    notebook.wait("return running(cells[1])")
    notebook.wait("return document.querySelectorAll('.tbwidget .tbwidget-card').length === arg", arg=TAGS)
    for number in (0, TAGS // 2, TAGS - 1):
        tag = logs.tag(number)
        notebook.scroll_to(tag)
        notebook.wait_for_last_steps({tag: str(STEPS - 1)})
        assert notebook.js(COLORED, tag) > 200
        parts = {name: (buttons, canvases) for name, buttons, canvases in notebook.js(PARTS)}
        assert min(parts[tag]) > 0
        assert sum(canvases > 0 for _, canvases in parts.values()) < TAGS // 2
        if number < TAGS - 1:
            assert parts[logs.tag(TAGS - 1)] == (0, 0), "far off the screen: its name"
    assert notebook.busy(1), "all that was to happen without the kernel"
    notebook.release("many")
    assert notebook.end_of_cell(1).strip() == "0"
    assert notebook.js("return window.testSwallowed") > 0
    assert notebook.errors == []
