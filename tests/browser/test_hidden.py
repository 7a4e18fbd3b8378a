"""A tab in the background draws nothing and forgets nothing."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from tbwidget.wire.plan import OUT_OF_WINDOW_INTERVAL
from tests.browser.cells import hold
from tests.browser.jupyter import KERNEL6
from tests.browser.test_live import SHOW, train

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer

# Headless Chromium has no background tabs, so the page is made to think it is in one: no frames, slow timers.
HIDE = """
const { requestAnimationFrame, setTimeout } = window;
const held = [];
let hidden = true;
window.requestAnimationFrame = callback => hidden ? -held.push(callback) : requestAnimationFrame(callback);
window.setTimeout = (callback, delay = 0, ...rest) =>
    setTimeout(callback, hidden ? Math.max(delay, 1000) : delay, ...rest);
Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => hidden ? 'hidden' : 'visible' });
document.dispatchEvent(new Event('visibilitychange'));
window.testReveal = () => {
    hidden = false;
    Object.assign(window, { requestAnimationFrame, setTimeout });
    delete document.hidden;
    delete document.visibilityState;
    document.dispatchEvent(new Event('visibilitychange'));
    for (const callback of held.splice(0)) {
        requestAnimationFrame(callback);
    }
};
"""


def test_a_hidden_tab_catches_up_when_it_is_shown(server: JupyterServer, open_notebook: Open) -> None:
    cells = [SHOW.replace("{folder}", "hidden-runs"), train("hidden-runs"), hold("hidden-later")]
    server.write_notebook("hidden.ipynb", cells)
    notebook = open_notebook("hidden.ipynb")
    notebook.run_cell(0)
    notebook.start_cell(1)
    notebook.wait("return document.querySelectorAll('.tbwidget [data-last-step]').length === 1")
    notebook.js(HIDE)
    notebook.sleep(0.5)
    before = notebook.last_steps()
    notebook.sleep(2)
    notebook.release("hidden-runs")
    steps = int(notebook.end_of_cell(1).split()[0])
    assert steps > int(before["loss/train"]) + 1
    assert notebook.last_steps() == before, "no frame was drawn while hidden"

    notebook.start_cell(2)
    notebook.wait("return running(cells[2])")
    notebook.js("window.testReveal()")
    notebook.wait_for_last_steps({"loss/train": str(steps - 1), "loss/validation": str(steps - 1)})
    assert notebook.busy(2), "all that was to happen without the kernel"
    notebook.release("hidden-later")
    notebook.end_of_cell(2)
    assert notebook.errors == []


TALL = "from IPython.display import HTML; HTML('<div style=\"height: 4000px\"></div>')"

COUNT_PAINTING = """
window.testPainted = 0;
for (const name of ['stroke', 'fill', 'fillRect', 'fillText', 'drawImage']) {
    const original = CanvasRenderingContext2D.prototype[name];
    CanvasRenderingContext2D.prototype[name] = function (...given) {
        window.testPainted += 1;
        return original.apply(this, given);
    };
}
"""

SCROLL = """
const board = document.querySelector('.tbwidget');
let outer = board.parentElement;
while (outer.scrollHeight <= outer.clientHeight || getComputedStyle(outer).overflowY === 'visible') {
    outer = outer.parentElement;
}
outer.scrollTop = arg === 'away' ? outer.scrollTop + board.getBoundingClientRect().bottom + 1000 : 0;
"""


@pytest.mark.own_window
def test_a_dashboard_scrolled_out_of_the_notebook_paints_nothing(server: JupyterServer, open_notebook: Open) -> None:
    cells = [SHOW.replace("{folder}", "away-runs"), TALL, train("away-runs"), hold("away-later")]
    server.write_notebook("away.ipynb", cells)
    notebook = open_notebook("away.ipynb")
    notebook.js(COUNT_PAINTING)
    notebook.run_cell(0)
    notebook.run_cell(1)
    notebook.start_cell(2)
    notebook.js(SCROLL, "back")
    notebook.wait("return document.querySelectorAll('.tbwidget [data-last-step]').length === 1")
    notebook.wait("return window.testPainted > 0")

    notebook.js(SCROLL, "away")
    # New data is drawn once, wherever the dashboard is.
    notebook.sleep(3)
    painted = notebook.js("return window.testPainted")
    notebook.sleep(2)
    assert notebook.js("return window.testPainted") == painted
    notebook.release("away-runs")
    steps = int(notebook.end_of_cell(2).split()[0])

    notebook.start_cell(3)
    notebook.wait("return running(cells[3])")
    notebook.js(SCROLL, "back")
    notebook.wait_for_last_steps({"loss/train": str(steps - 1), "loss/validation": str(steps - 1)})
    assert notebook.busy(3), "all that was to happen without the kernel"
    notebook.release("away-later")
    notebook.end_of_cell(3)
    assert notebook.errors == []


TWO = """
import time
import tbwidget
from IPython.display import display
heard, sent = [], {name: [] for name in ("away", "near")}

def noted(name):
    board = tbwidget.Dashboard("{folder}")
    send = board.send
    board.send = lambda *given, **options: (sent[name].append(time.monotonic()), send(*given, **options))
    return board

away, near = noted("away"), noted("near")
display(away)
"""

# The shortest time between two messages, and their number, while one dashboard was out of the window.
COUNT = """
begin = float(open("{folder}-begin").read())
end = float(open("{folder}-end").read())
times = {name: [at for at in sent[name] if begin < at < end] for name in sent}
gaps = [after - before for before, after in zip(times["away"], times["away"][1:])]
print(len(times["away"]), len(times["near"]), min(gaps))
"""

BRING = """
const board = document.querySelectorAll('.tbwidget')[arg];
board.scrollIntoView({ block: 'start' });
"""

LAST = "return Number(document.querySelectorAll('.tbwidget')[arg].querySelector('[data-last-step]')?.dataset.lastStep)"


@pytest.mark.own_window
def test_a_dashboard_out_of_the_window_gets_few_messages_until_it_is_back(
    server: JupyterServer, open_notebook: Open, kernel: str
) -> None:
    folder = f"apart-{kernel}"
    cells = [TWO, TALL, "near", train("{folder}"), COUNT]
    server.write_notebook(f"{folder}.ipynb", [cell.replace("{folder}", folder) for cell in cells], kernel)
    notebook = open_notebook(f"{folder}.ipynb")
    for cell in range(3):
        notebook.run_cell(cell)
    notebook.start_cell(3)
    for view in range(2):
        notebook.js(BRING, view)
        notebook.wait(f"{LAST} > 50", arg=view)

    # A dashboard draws once wherever it is, and is then out of the window.
    notebook.sleep(4)
    (server.root / f"{folder}-begin").write_text(str(time.monotonic()))
    notebook.sleep(5)
    (server.root / f"{folder}-end").write_text(str(time.monotonic()))

    newest = notebook.js(LAST, 1)
    notebook.js(BRING, 0)
    notebook.wait(f"{LAST} >= {newest}", arg=0)
    assert notebook.busy(3), "all that was to happen beside the cell"
    notebook.release(folder)
    steps = int(notebook.end_of_cell(3).split()[0])
    notebook.wait(f"{LAST} === {steps - 1}", arg=0)
    away, near, least = notebook.run_cell(4).split()
    if kernel == KERNEL6:
        # It would not receive that the dashboard is back, and would continue.
        assert int(away) > int(near) / 2
    else:
        assert int(away) < int(near) / 2
        assert float(least) > 0.9 * OUT_OF_WINDOW_INTERVAL
    assert notebook.errors == []
