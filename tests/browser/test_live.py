"""Charts move while a cell trains, though the kernel hears nothing from the browser."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

SHOW = """
import os, threading
from comm import get_comm_manager
before = set(threading.enumerate())
import tbwidget
from IPython.display import display
board = tbwidget.Dashboard("{folder}")
heard = []
board.on_msg(lambda widget, content, buffers: heard.append(content))
display(board)
"""

TRAIN = """
import time
import numpy as np
from tensorboardX import SummaryWriter
writer = SummaryWriter("{folder}/first")
end = time.monotonic() + 8
step = 0
while time.monotonic() < end:
    np.linalg.qr(np.random.default_rng(step).normal(size=(120, 120)))
    writer.add_scalar("loss/train", 1 / (1 + step), step)
    writer.add_scalar("loss/validation", 2 / (1 + step), step)
    step += 1
    if step % 5 == 0:
        writer.flush()
        time.sleep(0.02)
writer.close()
print(step, len(heard))
"""

CLOSE = """
def open_files():
    links = (f"/proc/self/fd/{number}" for number in os.listdir("/proc/self/fd"))
    return [link for link in map(os.path.realpath, links) if link.startswith(os.path.realpath("{folder}"))]

own = board.model_id
assert own in get_comm_manager().comms
board.close()
print(
    [thread.name for thread in set(threading.enumerate()) - before if thread.name.startswith("tbwidget")],
    open_files(),
    own in get_comm_manager().comms,
)
"""


def test_charts_move_during_a_busy_cell_with_no_message_handled(
    server: JupyterServer, open_notebook: Open, kernel: str
) -> None:
    folder = f"live-{kernel}"
    cells = [source.replace("{folder}", folder) for source in (SHOW, TRAIN, CLOSE)]
    server.write_notebook(f"{folder}.ipynb", cells, kernel)
    notebook = open_notebook(f"{folder}.ipynb")
    notebook.mute()
    notebook.run_cell(0)
    notebook.wait("return document.querySelector('.tbwidget')?.dataset.state === 'waiting'", 20)

    notebook.start_cell(1)
    seen = watch_last_step(notebook, 1, "loss/train", 30)
    steps, heard = map(int, notebook.end_of_cell(1).split())

    assert len(seen) >= 5, f"the chart showed {seen} while the cell ran"
    assert seen == sorted(seen)
    assert heard == 0
    assert notebook.js("return window.testSwallowed") > 0
    notebook.wait_for_last_steps({"loss/train": str(steps - 1), "loss/validation": str(steps - 1)}, 20)
    assert notebook.js("return document.querySelector('.tbwidget').dataset.state") == "live"

    # No thread, no file, no comm of it is left.
    assert notebook.run_cell(2).strip() == "[] [] False"
    notebook.wait("return document.querySelector('.tbwidget') === null", 20)
    assert notebook.errors == []


NOISY = """
import time
from tensorboardX import SummaryWriter
writer = SummaryWriter("noisy-runs/first")
begin = time.monotonic()
step = 0
while time.monotonic() < begin + 8:
    writer.add_scalar("loss/train", 1 / (1 + step), step)
    writer.add_scalar("loss/validation", 2 / (1 + step), step)
    step += 1
    if step % 5 == 0:
        writer.flush()
    print("x" * 60_000, end="\\r")  # 3 MB/s
    time.sleep(0.02)
writer.close()
"""


def test_a_cell_that_prints_too_much_loses_nothing_in_the_end(server: JupyterServer, open_notebook: Open) -> None:
    # The server drops messages of a kernel that prints more than 1 MB/s, ours among them.
    server.write_notebook("noisy.ipynb", [SHOW.replace("{folder}", "noisy-runs"), NOISY, "print(step)"])
    notebook = open_notebook("noisy.ipynb")
    notebook.run_cell(0)
    notebook.wait("return document.querySelector('.tbwidget')?.dataset.state === 'waiting'", 20)
    notebook.run_cell(1, 60)
    assert "IOPub data rate exceeded" in server.log()
    steps = int(notebook.run_cell(2))
    # What is out of sight is not drawn, and running a cell scrolls to it.
    notebook.scroll_to("loss/train")
    notebook.wait_for_last_steps({"loss/train": str(steps - 1), "loss/validation": str(steps - 1)}, 40)
    assert notebook.errors == []


def watch_last_step(notebook: NotebookPage, cell: int, tag: str, timeout: float) -> list[int]:
    """The different values of a card's last step that were on the screen while the cell ran."""
    notebook.wait("return running(cells[arg])", 10, cell)
    seen: list[int] = []
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline:
        # A step counts only if the cell still ran after it was seen.
        shown = notebook.last_steps()
        if not notebook.busy(cell):
            return seen
        if tag in shown and (not seen or seen[-1] != int(shown[tag])):
            seen.append(int(shown[tag]))
        notebook.sleep(0.05)
    raise AssertionError(f"the cell still ran after {timeout} s")
