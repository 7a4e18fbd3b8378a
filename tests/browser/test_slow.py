"""A page so busy that the widget's module takes longer to load than anywidget waits for it."""

from __future__ import annotations

from tests.browser.conftest import Open
from tests.browser.jupyter import JupyterServer
from tests.support.eventfiles import NAME, event, simple, write

# anywidget gives up after 2 s, and would let no message through from then on.
SHOW = """
from tbwidget.dashboard import Dashboard
class Slow(Dashboard):
    _esm = "await new Promise(done => setTimeout(done, 3000));" + Dashboard._esm
board = Slow("slow-runs")
board
"""


def test_a_module_that_loads_late_hears_all_the_same(server: JupyterServer, open_notebook: Open) -> None:
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
