"""A tab in the background draws nothing and forgets nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.browser.cells import hold
from tests.browser.test_live import SHOW, train

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer

# Headless Chromium has no tabs behind others, so the page is told that it is behind one: no frames, slow timers.
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
    notebook.wait("return document.querySelectorAll('.tbwidget [data-last-step]').length === 2")
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
