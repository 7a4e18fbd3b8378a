"""Notebook 7: it shows, and it moves while a cell trains."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.browser.test_live import SHOW, TRAIN, watch_last_step

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer

# Notebook 7.6 says this of itself, in a notebook without any widget too.
ITS_OWN = "Cannot read properties of undefined (reading 'schema')"


def test_charts_move_in_notebook_7(notebook_server: JupyterServer, open_notebook: Open, kernel: str) -> None:
    folder = f"seven-{kernel}"
    cells = [source.replace("{folder}", folder).replace("+ 8", "+ 4") for source in (SHOW, TRAIN)]
    notebook_server.write_notebook(f"{folder}.ipynb", cells, kernel)
    notebook = open_notebook(f"{folder}.ipynb", notebook_server)
    notebook.run_cell(0)
    notebook.wait("return document.querySelector('.tbwidget')?.dataset.state === 'waiting'", 20)
    notebook.start_cell(1)
    seen = watch_last_step(notebook, 1, "loss/train", 30)
    assert len(seen) >= 3, f"the chart showed {seen} while the cell ran"
    steps = int(notebook.end_of_cell(1).split()[0])
    notebook.wait_for_last_steps({"loss/train": str(steps - 1), "loss/validation": str(steps - 1)}, 20)
    assert [error for error in notebook.errors if ITS_OWN not in error] == []
