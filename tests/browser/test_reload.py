"""A page that is loaded again in mid-cell has the dashboard back, and the chart moves: the extension of JupyterLab."""

from __future__ import annotations

import os
import re
import signal
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.cells import hold
from tests.browser.jupyter import KERNEL, KERNEL6
from tests.browser.test_notebook7 import ITS_OWN
from tests.support.eventfiles import NAME, event, simple, write
from tests.support.waiting import wait_for

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

SHOW = """
import tbwidget
from IPython.display import display
board = tbwidget.Dashboard("{folder}", smoothing=0.4)
display(board)
"""

BEGIN = """
import os
from pathlib import Path
from tensorboardX import SummaryWriter
Path("{folder}.process").write_text(str(os.getpid()))
writer = SummaryWriter("{folder}/second")
step = 0
"""

STEP = """
sum(i * i for i in range(20_000))
writer.add_scalar("loss", 1 / (1 + step) + step % 2 / 10, step)
step += 1
if step % 5 == 0:
    writer.flush()
"""

# With rests, so that the pages which are loaded meanwhile have the processor.
QUIET_STEP = STEP + "time.sleep(0.05)\n"

NOISY_STEP = (
    STEP
    + """
print("x" * 20_000, end="\\r")  # 1 MB/s or more, beyond which the server drops messages
time.sleep(0.01)
"""
)

ROOTS = "return document.querySelectorAll('.tbwidget').length"

VIEW = "application/vnd.jupyter.widget-view+json"

# As the first cell's own, but without a picture: logs that held nothing yet; for no widget manager; without a text. And
# as it is saved of a dashboard that was closed.
ADD_OUTPUTS = """
const { outputs } = cells[0].model;
const { data, ...output } = outputs.toJSON()[0];
const { "image/png": picture, ...still } = data;
const { "application/vnd.jupyter.widget-view+json": view, ...own } = still;
const { "text/plain": text, ...bare } = still;
const closed = { ...data, "application/vnd.jupyter.widget-view+json": { ...view, model_id: "" } };
for (const data of [still, own, bare, closed]) {
    outputs.add({ ...output, data });
}
"""

SMOOTHING = ".tbwidget input[type=range][aria-label=Smoothing]"

LAST_VIEW = ".tbwidget[data-last-view]"

# Does something with the views in the page's storage; `arg` says what, and what it has to say of them is returned.
STORAGE = """
return new Promise((done, failed) => {
    const opening = indexedDB.open('tbwidget', 1);
    opening.onerror = failed;
    opening.onsuccess = () => {
        const transaction = opening.result.transaction('views', 'readwrite');
        const views = transaction.objectStore('views');
        const asked = (BODY);
        transaction.oncomplete = () => { opening.result.close(); done(asked?.result ?? null); };
    };
})
"""

KEYS = STORAGE.replace("BODY", "views.getAllKeys()")

ADD_OLD = STORAGE.replace("BODY", "views.put({ key: 'old', at: 1, size: 1 })")

VIEWS = STORAGE.replace("BODY", "views.getAll()")

# As on a page that is hidden and then shown again, which a page that nobody sees never is by itself.
HIDE = """
Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
document.dispatchEvent(new Event('visibilitychange'));
delete document.visibilityState;
document.dispatchEvent(new Event('visibilitychange'));
"""

# As another version may have left them, or a page that was ended while it wrote.
DAMAGE = STORAGE.replace(
    "BODY",
    """(views.openCursor().onsuccess = ({ target: { result: cursor } }) => {
        cursor?.update({ ...cursor.value, messages: [{ header: '{', buffer: '' }] });
        cursor?.continue();
    })""",
)


def opened(server: JupyterServer, open_notebook: Open, folder: str, kernel: str, step: str) -> NotebookPage:
    """A notebook that was saved with its dashboard, and now trains."""
    events = [event(1.7e9 + i, i, simple("loss", i / 60)) for i in range(60)]
    write(server.root / folder / "first" / NAME, event(1.7e9, version="brain.Event:2"), *events)
    train = BEGIN.replace("{folder}", folder) + hold(folder, step) + "writer.close(); print(step)"
    server.write_notebook(f"{folder}.ipynb", [SHOW.replace("{folder}", folder), train], kernel)
    notebook = open_notebook(f"{folder}.ipynb", server)
    notebook.run_cell(0)
    notebook.wait_for_last_steps({"loss": "59"})
    assert notebook.js(ROOTS) == 1
    notebook.save()
    notebook.start_cell(1)
    wait_until_it_moves(notebook, 60)
    return notebook


def wait_until_it_moves(notebook: NotebookPage, beyond: int = 0) -> int:
    """Wait for two steps beyond this one, one after the other; returns the last."""
    for _ in range(2):
        notebook.wait("return document.querySelector('.tbwidget [data-tag=loss]')?.dataset.lastStep > arg", arg=beyond)
        beyond = int(notebook.last_steps()["loss"])
    return beyond


def reload_in_mid_cell(notebook: NotebookPage) -> None:
    """Load the page again; the dashboard comes back and moves, as it does while the cell runs."""
    before = int(notebook.last_steps()["loss"])
    notebook.page.reload()
    wait_until_it_moves(notebook, before)
    notebook.wait_for_state("live")
    expect(notebook.page.locator(SMOOTHING)).to_have_value("0.4")


def reload_while_the_kernel_is_held(notebook: NotebookPage, process: int) -> None:
    """Load the page again while no message comes: what it showed last is there, old and dated, and then goes on."""
    page = notebook.page
    # A page that is left has little time to keep what it shows; after a while it does so by itself. What is old goes.
    notebook.js(ADD_OLD)
    wait_for(lambda: (keys := notebook.js(KEYS)) and "old" not in keys)
    os.kill(process, signal.SIGSTOP)
    try:
        # What was on its way has arrived.
        before = int(notebook.steady("return document.querySelector('.tbwidget [data-tag=loss]').dataset.lastStep"))
        page.reload()
        page.locator(LAST_VIEW).wait_for()
        page.locator(f"{LAST_VIEW} [data-tag=loss][data-last-step]").wait_for()
        assert 60 <= int(notebook.last_steps()["loss"]) <= before
        assert notebook.state() == "disconnected"
        expect(page.locator(".tbwidget-header")).to_contain_text(re.compile(r"as of .*\d:\d.*waiting for the kernel"))
        expect(page.locator(SMOOTHING)).to_have_value("0.4")
        drawn = notebook.steady("return document.querySelector('.tbwidget [data-tag=loss] canvas').toDataURL()")
        page.locator(SMOOTHING).fill("0.9")
        notebook.wait(
            "return document.querySelector('.tbwidget [data-tag=loss] canvas').toDataURL() !== arg", arg=drawn
        )
        assert (
            notebook.js("window.testRoot = document.querySelector('.tbwidget'); return testRoot.dataset.lastView") == ""
        )
    finally:
        os.kill(process, signal.SIGCONT)
    wait_until_it_moves(notebook, before)
    # The same cards, of which none was made anew.
    assert notebook.js("return testRoot.isConnected && testRoot.dataset.lastView === undefined")
    notebook.wait_for_state("live")
    expect(page.locator(SMOOTHING)).to_have_value("0.9")


def end_cell(notebook: NotebookPage) -> None:
    """Let the cell end; what it wrote last is shown, once, and Python has what was chosen meanwhile."""
    notebook.page.locator(SMOOTHING).fill("0.8")
    notebook.release(notebook.notebook.removesuffix(".ipynb"))
    # Once the kernel is idle, which it then has been asked.
    steps = int(notebook.ask_kernel("print(step)"))
    notebook.wait_for_last_steps({"loss": str(steps - 1)})
    for _ in range(40):
        if notebook.ask_kernel("print(board.smoothing)") == "0.8":
            break
        notebook.sleep(0.25)
    else:
        raise AssertionError("Python does not know what was chosen in the page")
    assert notebook.js(ROOTS) == 1
    assert [error for error in notebook.errors if ITS_OWN not in error] == []


def reload_while_idle(notebook: NotebookPage, process: int) -> None:
    """Load the page again: the widget itself comes back, with what is chosen until it is there."""
    # A page that is left may have no time to keep what was chosen last; one that is hidden before has.
    notebook.js(HIDE)
    wait_for(lambda: any('"smoothing":0.8' in view["options"] for view in notebook.js(VIEWS)))
    os.kill(process, signal.SIGSTOP)
    try:
        notebook.page.reload()
        notebook.page.locator(f"{LAST_VIEW} [data-tag=loss][data-last-step]").wait_for()
        expect(notebook.page.locator(SMOOTHING)).to_have_value("0.8")
        notebook.page.locator(SMOOTHING).fill("0.7")
    finally:
        os.kill(process, signal.SIGCONT)
    notebook.wait(f"return document.querySelector('{LAST_VIEW}') === null && {ROOTS.removeprefix('return ')} === 1")
    expect(notebook.page.locator(SMOOTHING)).to_have_value("0.7")
    wait_for(lambda: notebook.ask_kernel("print(board.smoothing)") == "0.7")


def shows_what_the_notebook_holds(notebook: NotebookPage) -> None:
    """Check the outputs that `ADD_OUTPUTS` made: a picture, or else a text, and what brings the dashboard back."""
    outputs = notebook.page.locator(".jp-OutputArea-output")
    figures = notebook.page.locator("figure:visible")
    for number in range(3):
        expect(figures.nth(number)).to_contain_text("Run the cell")
    assert notebook.js("return document.querySelector('figure img').naturalWidth") > 400
    # It is drawn on white paper.
    picture_filter = "return getComputedStyle(document.querySelector('figure img')).filter"
    assert notebook.js(picture_filter) == "none"
    notebook.theme("dark")
    assert "invert" in notebook.js(picture_filter)
    notebook.theme("light")
    for number in (1, 2):
        expect(figures.nth(number)).to_contain_text("Dashboard")
        expect(figures.nth(number).locator("img")).to_have_count(0)
    # Of nothing that it could show, it says what the widget manager does.
    expect(outputs.nth(3)).to_contain_text("model not found")
    expect(figures).to_have_count(3)
    of_cell = notebook.page.locator(".jp-CodeCell").first.locator(".jp-OutputArea-output")
    expect(of_cell).to_have_count(5)
    expect(of_cell.nth(4)).to_be_hidden()


@pytest.mark.own_window
def test_a_reload_in_mid_cell_in_jupyterlab(extended_server: JupyterServer, open_notebook: Open) -> None:
    server = extended_server
    notebook = opened(server, open_notebook, "reloaded", KERNEL, QUIET_STEP)
    reload_in_mid_cell(notebook)
    process = int((server.root / "reloaded.process").read_text())
    reload_while_the_kernel_is_held(notebook, process)
    # A colleague's page on the same kernel.
    other = open_notebook("reloaded.ipynb", server)
    wait_until_it_moves(other)
    wait_until_it_moves(notebook, int(notebook.last_steps()["loss"]))
    other.close()
    end_cell(notebook)
    reload_while_idle(notebook, process)
    # Without one, what was shown last is shown.
    notebook.js(ADD_OUTPUTS)
    notebook.save()
    server.end_kernels("reloaded.ipynb")
    notebook.open()
    kept = notebook.page.locator(LAST_VIEW)
    expect(kept).to_have_count(4)
    for number in range(4):
        expect(kept.nth(number)).to_contain_text("run the cell")
    expect(notebook.page.locator("figure")).to_have_count(0)
    # Or else, where that cannot be read, what the notebook holds.
    notebook.js(DAMAGE)
    notebook.open()
    shows_what_the_notebook_holds(notebook)
    notebook.run_cell(0)
    notebook.page.locator(".tbwidget [data-last-step]").first.wait_for()
    assert notebook.js(ROOTS) == 1
    # A closed one leaves no empty output, and nothing that a saved notebook would bring back.
    output = notebook.page.locator(".jp-OutputArea-output").first
    expect(output).to_be_visible()
    notebook.ask_kernel("board.close()")
    expect(output).to_be_hidden()
    expect(notebook.page.locator("figure:visible")).to_have_count(0)
    assert notebook.outputs(0)[0]["data"][VIEW]["model_id"] == ""
    notebook.run_cell(0)
    notebook.page.locator(".tbwidget [data-last-step]").first.wait_for()


@pytest.mark.own_window
def test_a_reload_in_mid_cell_in_notebook_7(extended_notebook_server: JupyterServer, open_notebook: Open) -> None:
    server = extended_notebook_server
    notebook = opened(server, open_notebook, "seven-reloaded", KERNEL6, NOISY_STEP)
    reload_in_mid_cell(notebook)
    end_cell(notebook)
