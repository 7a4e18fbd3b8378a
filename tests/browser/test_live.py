"""Charts move while a cell trains, though the kernel hears nothing from the browser."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

SHOW = """
import threading
before = set(threading.enumerate())
import tbwidget
from IPython.display import display
board = tbwidget.Dashboard("live-runs")
heard = []
board.on_msg(lambda widget, content, buffers: heard.append(content))
display(board)
"""

TRAIN = """
import time
import numpy as np
from tensorboardX import SummaryWriter
writer = SummaryWriter("live-runs/first")
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
board.close()
print([thread.name for thread in set(threading.enumerate()) - before if thread.name.startswith("tbwidget")])
"""

LAST_STEPS = """
return Object.fromEntries([...document.querySelectorAll('.tbwidget [data-panel="scalars"]')]
    .filter(card => card.dataset.lastStep !== undefined)
    .map(card => [card.dataset.tag, card.dataset.lastStep]))
"""


def test_charts_move_during_a_busy_cell_with_no_message_handled(server: JupyterServer, open_notebook: Open) -> None:
    server.write_notebook("live.ipynb", [SHOW, TRAIN, CLOSE])
    notebook = open_notebook("live.ipynb")
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
    final = {"loss/train": str(steps - 1), "loss/validation": str(steps - 1)}
    notebook.wait(f"const shown = (() => {{{LAST_STEPS}}})(); return JSON.stringify(shown) === arg", 20, compact(final))
    assert notebook.js("return document.querySelector('.tbwidget').dataset.state") == "live"

    assert notebook.run_cell(2).strip() == "[]"
    notebook.wait("return document.querySelector('.tbwidget') === null", 20)
    assert notebook.errors == []


def watch_last_step(notebook: NotebookPage, cell: int, tag: str, timeout: float) -> list[int]:
    """The different values of a card's last step that were on the screen while the cell ran."""
    notebook.wait("return running(cells[arg])", 10, cell)
    seen: list[int] = []
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline:
        # Asked for together: a step counts only if the cell ran when it was seen.
        shown, busy = notebook.js(
            f"const shown = (() => {{{LAST_STEPS}}})(); return [shown, running(cells[arg])]", cell
        )
        if not busy:
            return seen
        if tag in shown and (not seen or seen[-1] != int(shown[tag])):
            seen.append(int(shown[tag]))
        notebook.sleep(0.05)
    raise AssertionError(f"the cell still ran after {timeout} s")


def compact(value: object) -> str:
    """JSON as JavaScript writes it."""
    return json.dumps(value, separators=(",", ":"))
