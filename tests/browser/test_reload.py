"""The extension of JupyterLab restores a live dashboard when its page is reloaded while the cell runs."""

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
from tbwidget.export.preview import wait_for_logs
from IPython.display import display
board = tbwidget.Dashboard("{folder}", smoothing=0.4)
wait_for_logs(board._logs, 60)  # a dashboard that is displayed earlier has no picture in the notebook
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

# With pauses, so that pages that load meanwhile get the processor.
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

# Variants of the first cell's own output: without a picture, as for logs that were still empty; without a view, as
# without a widget manager; without a text; and the saved output of a closed dashboard.
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

CARD_WIDTH = "return document.querySelector('.tbwidget [data-tag=loss]').offsetWidth"

# Runs the request BODY on the stored views of the page, and returns its result.
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

# Hides and shows the page again; headless Chromium never does so by itself.
HIDE = """
Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
document.dispatchEvent(new Event('visibilitychange'));
delete document.visibilityState;
document.dispatchEvent(new Event('visibilitychange'));
"""

# Damages the stored views, as another version or a page that was closed while writing might.
DAMAGE = STORAGE.replace(
    "BODY",
    """(views.openCursor().onsuccess = ({ target: { result: cursor } }) => {
        cursor?.update({ ...cursor.value, messages: [{ header: '{', buffer: '' }] });
        cursor?.continue();
    })""",
)


def opened(server: JupyterServer, open_notebook: Open, folder: str, kernel: str, step: str) -> NotebookPage:
    """Open a notebook that was saved with its dashboard, and train in it."""
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
    """Wait for two different steps after this one; returns the last."""
    for _ in range(2):
        notebook.wait("return document.querySelector('.tbwidget [data-tag=loss]')?.dataset.lastStep > arg", arg=beyond)
        beyond = int(notebook.last_steps()["loss"])
    return beyond


def reload_in_mid_cell(notebook: NotebookPage) -> None:
    """Load the page again; the dashboard comes back and moves while the cell runs."""
    before = int(notebook.last_steps()["loss"])
    notebook.page.reload()
    wait_until_it_moves(notebook, before)
    notebook.wait_for_state("live")
    expect(notebook.page.locator(SMOOTHING)).to_have_value("0.4")


def reload_while_the_kernel_is_held(notebook: NotebookPage, process: int) -> None:
    """Load the page again while no message arrives: it shows its last view, dated as old, and then continues."""
    page = notebook.page
    # A closing page has little time to store its view, so it also does so from time to time. Old views are deleted.
    notebook.js(ADD_OLD)
    wait_for(lambda: (keys := notebook.js(KEYS)) and "old" not in keys)
    os.kill(process, signal.SIGSTOP)
    try:
        # All sent messages have arrived.
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
    # The page has kept these cards, and not recreated them.
    assert notebook.js("return testRoot.isConnected && testRoot.dataset.lastView === undefined")
    notebook.wait_for_state("live")
    expect(page.locator(SMOOTHING)).to_have_value("0.9")


def end_cell(notebook: NotebookPage) -> None:
    """Let the cell end; its last steps are shown, once, and Python has the option set meanwhile."""
    notebook.page.locator(SMOOTHING).fill("0.8")
    notebook.release(notebook.notebook.removesuffix(".ipynb"))
    # The kernel answers once it is idle.
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
    """Load the page again: the widget itself comes back, with the options set before and meanwhile."""
    width = notebook.steady(CARD_WIDTH)
    # A page may close without time to store the last option; a page that was hidden before stores it.
    notebook.js(HIDE)
    wait_for(lambda: any('"smoothing":0.8' in view["options"] for view in notebook.js(VIEWS)))
    os.kill(process, signal.SIGSTOP)
    try:
        notebook.page.reload()
        notebook.page.locator(f"{LAST_VIEW} [data-tag=loss][data-last-step]").wait_for()
        expect(notebook.page.locator(SMOOTHING)).to_have_value("0.8")
        assert notebook.steady(CARD_WIDTH) == width
        notebook.page.locator(SMOOTHING).fill("0.7")
    finally:
        os.kill(process, signal.SIGCONT)
    notebook.wait(f"return document.querySelector('{LAST_VIEW}') === null && {ROOTS.removeprefix('return ')} === 1")
    expect(notebook.page.locator(SMOOTHING)).to_have_value("0.7")
    wait_for(lambda: notebook.ask_kernel("print(board.smoothing)") == "0.7")


def shows_what_the_notebook_holds(notebook: NotebookPage) -> None:
    """Check the outputs that `ADD_OUTPUTS` made: a picture, or else a text, and the hint to run the cell."""
    outputs = notebook.page.locator(".jp-OutputArea-output")
    figures = notebook.page.locator("figure:visible")
    for number in range(3):
        expect(figures.nth(number)).to_contain_text("Run the cell")
    assert notebook.js("return document.querySelector('figure img').naturalWidth") > 400
    # The picture has a white background.
    picture_filter = "return getComputedStyle(document.querySelector('figure img')).filter"
    assert notebook.js(picture_filter) == "none"
    notebook.theme("dark")
    assert "invert" in notebook.js(picture_filter)
    notebook.theme("light")
    for number in (1, 2):
        expect(figures.nth(number)).to_contain_text("Dashboard")
        expect(figures.nth(number).locator("img")).to_have_count(0)
    # An output with nothing to show has the widget manager's own message.
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
    # A colleague opens the notebook with the same kernel.
    other = open_notebook("reloaded.ipynb", server)
    wait_until_it_moves(other)
    wait_until_it_moves(notebook, int(notebook.last_steps()["loss"]))
    other.close()
    end_cell(notebook)
    reload_while_idle(notebook, process)
    # Without a kernel, the page shows its last view.
    notebook.js(ADD_OUTPUTS)
    notebook.save()
    server.end_kernels("reloaded.ipynb")
    notebook.open()
    kept = notebook.page.locator(LAST_VIEW)
    expect(kept).to_have_count(4)
    for number in range(4):
        expect(kept.nth(number)).to_contain_text("run the cell")
    expect(notebook.page.locator("figure")).to_have_count(0)
    # If the last view is unreadable, the page shows the notebook's outputs.
    notebook.js(DAMAGE)
    notebook.open()
    shows_what_the_notebook_holds(notebook)
    notebook.run_cell(0)
    notebook.page.locator(".tbwidget [data-last-step]").first.wait_for()
    assert notebook.js(ROOTS) == 1
    # Closing a dashboard hides its output, and a saved notebook restores none of it.
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
