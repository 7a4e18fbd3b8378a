"""A cell that draws with pyplot keeps its figures, although the page sends messages to the kernel meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer

SHOW = """
import tbwidget
from tensorboardX import SummaryWriter
with SummaryWriter("pyplot_logs") as writer:
    for step in range(50):
        writer.add_scalar("loss", 1 / (1 + step), step)
board = tbwidget.Dashboard("pyplot_logs")
board
"""

# A message has been handled completely when the next one has arrived.
DRAW = """
import time
import matplotlib.pyplot as plt
figure, axes = plt.subplots()
for smoothing in (0.9, 0.95):
    print("draws", flush=True)
    end = time.monotonic() + 90
    while board.smoothing != smoothing and time.monotonic() < end:
        time.sleep(0.02)
print(board.smoothing, plt.get_fignums())
plt.close("all")
"""

PRINTED = "return cells[1].outputArea.node.innerText.split(arg[0]).length > arg[1]"


def test_figures_of_a_running_cell_stay_open(server: JupyterServer, open_notebook: Open) -> None:
    server.write_notebook("pyplot.ipynb", [SHOW, DRAW])
    notebook = open_notebook("pyplot.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_last_steps({"loss": "49"})
    notebook.start_cell(1)
    slider = notebook.page.get_by_role("slider", name="Smoothing")
    for count, smoothing in ((1, "0.9"), (2, "0.95")):
        notebook.wait(PRINTED, arg=["draws", count])
        slider.fill(smoothing)
    assert notebook.end_of_cell(1).splitlines() == ["draws", "draws", "0.95 [1]"]
    assert notebook.errors == []
