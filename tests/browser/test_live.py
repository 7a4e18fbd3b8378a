"""Charts move while a cell trains, though the kernel receives nothing from the browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.browser.cells import hold

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

BEGIN = """
import numpy as np
from tensorboardX import SummaryWriter
writer = SummaryWriter("{folder}/first")
step = 0
"""

STEP = """
np.linalg.qr(np.random.default_rng(step).normal(size=(120, 120)))
writer.add_scalar("loss/train", 1 / (1 + step), step)
writer.add_scalar("loss/validation", 2 / (1 + step), step)
step += 1
if step % 5 == 0:
    writer.flush()
    time.sleep(0.02)
"""

END = """
writer.close()
print(step, len(heard))
"""


def train(folder: str, step: str = STEP) -> str:
    """Make a cell that writes two tags, and computes between steps, until `folder` is released."""
    return BEGIN.replace("{folder}", folder) + hold(folder, step) + END


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
    cells = [SHOW.replace("{folder}", folder), train(folder), CLOSE.replace("{folder}", folder)]
    server.write_notebook(f"{folder}.ipynb", cells, kernel)
    notebook = open_notebook(f"{folder}.ipynb")
    notebook.mute()
    notebook.run_cell(0)
    notebook.wait_for_state("waiting")

    notebook.start_cell(1)
    seen = watch_last_step(notebook, 1, "loss/train", 5)
    notebook.release(folder)
    steps, heard = map(int, notebook.end_of_cell(1).split())

    assert seen == sorted(seen)
    assert heard == 0
    assert notebook.js("return window.testSwallowed") > 0
    notebook.wait_for_last_steps({"loss/train": str(steps - 1), "loss/validation": str(steps - 1)})
    assert notebook.state() == "live"

    # None of its threads, files or comms remains.
    assert notebook.run_cell(2).strip() == "[] [] False"
    notebook.wait("return document.querySelector('.tbwidget') === null")
    assert notebook.errors == []


NOISY_STEP = """
writer.add_scalar("loss/train", 1 / (1 + step), step)
writer.add_scalar("loss/validation", 2 / (1 + step), step)
step += 1
if step % 5 == 0:
    writer.flush()
print("x" * 60_000, end="\\r")  # 3 MB/s
time.sleep(0.02)
"""


def test_a_cell_that_prints_too_much_loses_nothing_in_the_end(server: JupyterServer, open_notebook: Open) -> None:
    # The server drops messages of a kernel that prints more than 1 MB/s, ours among them.
    cells = [SHOW.replace("{folder}", "noisy-runs"), train("noisy-runs", NOISY_STEP), "print(step)"]
    server.write_notebook("noisy.ipynb", cells)
    notebook = open_notebook("noisy.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_state("waiting")
    notebook.start_cell(1)
    for _ in range(600):
        if "IOPub data rate exceeded" in server.log():
            break
        notebook.sleep(0.1)
    else:
        raise AssertionError("the server dropped no message")
    notebook.sleep(4)  # the server drops messages for some seconds
    notebook.release("noisy-runs")
    notebook.end_of_cell(1)
    steps = int(notebook.run_cell(2))
    # Cards outside the viewport are not drawn, and running a cell scrolls to the cell.
    notebook.scroll_to("loss/train")
    notebook.wait_for_last_steps({"loss/train": str(steps - 1), "loss/validation": str(steps - 1)}, 90)
    assert notebook.errors == []


def watch_last_step(notebook: NotebookPage, cell: int, tag: str, wanted: int, timeout: float = 90) -> list[int]:
    """Return the first `wanted` different last steps of a card that appear while the cell runs."""
    notebook.wait("return running(cells[arg])", arg=cell)
    seen: list[int] = []
    for _ in range(round(timeout / 0.05)):
        # A step counts only if the cell still ran after it was seen.
        shown = notebook.last_steps()
        if not notebook.busy(cell):
            raise AssertionError(f"{tag} showed {seen} while the cell ran")
        if tag in shown and (not seen or seen[-1] != int(shown[tag])):
            seen.append(int(shown[tag]))
            if len(seen) >= wanted:
                return seen
        notebook.sleep(0.05)
    raise AssertionError(f"{tag} showed {seen} in {timeout} s")
