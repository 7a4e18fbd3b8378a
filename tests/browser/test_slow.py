"""A page so busy that the widget's module loads more slowly than anywidget allows."""

from __future__ import annotations

from tests.browser.conftest import Open
from tests.browser.jupyter import JupyterServer
from tests.support.eventfiles import NAME, event, simple, write

# anywidget gives up after 2 s, and would then block all messages.
SHOW = """
from tbwidget.dashboard import Dashboard
class Slow(Dashboard):
    _esm = "await new Promise(done => setTimeout(done, 3000));" + Dashboard._esm
board = Slow("slow-runs")
board
"""


def test_a_module_that_loads_late_still_receives_messages(server: JupyterServer, open_notebook: Open) -> None:
    events = [event(1.7e9 + i, i, simple("loss", i / 60)) for i in range(60)]
    write(server.root / "slow-runs/a" / NAME, event(1.7e9, version="brain.Event:2"), *events)
    server.write_notebook("slow.ipynb", [SHOW, "board.smoothing = 0.2", "board.close()"])
    notebook = open_notebook("slow.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_last_steps({"loss": "59"})
    notebook.run_cell(1)
    notebook.wait("return document.querySelector('.tbwidget input[type=range]').value === '0.2'")
    notebook.run_cell(2)
    notebook.wait("return document.querySelector('.tbwidget') === null")
