"""Writers that buffer values: the kernel's own are flushed; for others, an empty directory explains the delay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.cells import hold
from tests.support.eventfiles import NAME, event, points, write

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer

SHOW = """
import tbwidget
board = tbwidget.Dashboard("{folder}")
board
"""

BEGIN = """
from tensorboardX import SummaryWriter
writer = SummaryWriter("{folder}/run")
step = 0
"""

# tensorboardX buffers all of it for two minutes: longer than the test waits.
STEP = """
step += 1
writer.add_scalar("loss", 1 / step, step)
time.sleep(1)
"""


def test_charts_move_during_a_cell_that_never_flushes(server: JupyterServer, open_notebook: Open, kernel: str) -> None:
    folder = f"unflushed-{kernel}"
    train = BEGIN + hold(folder, STEP)
    cells = [cell.replace("{folder}", folder) for cell in (SHOW, train, "writer.close(); board.close()")]
    server.write_notebook(f"{folder}.ipynb", cells, kernel)
    notebook = open_notebook(f"{folder}.ipynb")
    notebook.mute()
    notebook.run_cell(0)
    notebook.start_cell(1)
    for step in (1, 3):
        notebook.wait(
            "return Number(document.querySelector('.tbwidget [data-tag=loss]')?.dataset.lastStep) >= arg", arg=step
        )
        assert notebook.busy(1)
    notebook.release(folder)
    notebook.end_of_cell(1)
    notebook.run_cell(2)


def test_files_without_data_are_counted_where_nothing_can_be_drawn(server: JupyterServer, open_notebook: Open) -> None:
    folder = "empty-files"
    empty = write(server.root / folder / "a" / NAME)
    server.write_notebook(f"{folder}.ipynb", [SHOW.replace("{folder}", folder), "board.close()"])
    notebook = open_notebook(f"{folder}.ipynb")
    notebook.run_cell(0)
    waiting = notebook.page.locator(".tbwidget-waiting")
    expect(waiting.locator("h4")).to_have_text("1 event file, no data in it yet")
    expect(waiting.locator("p")).to_have_text(
        "Some writers write every 120 s; flush_secs=1 or writer.flush() shows it now."
    )
    write(server.root / folder / "b" / NAME, event(1.7e9, version="brain.Event:2"))
    expect(waiting.locator("h4")).to_have_text("2 event files, no data in them yet")
    write(empty, points("loss", [0, 1], 1.7e9))
    notebook.wait_for_last_steps({"loss": "1"})
    expect(waiting).to_have_count(0)
    notebook.run_cell(1)
