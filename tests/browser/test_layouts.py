"""A dashboard within ipywidgets' layouts: its own `layout` applies there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.browser.test_views import write_runs

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

MAKE = """
import ipywidgets, tbwidget
from ipywidgets import AppLayout, GridspecLayout, HBox, Layout, TwoByTwoLayout, VBox
from IPython.display import display
def board(**options):
    return tbwidget.Dashboard("layout-runs", **options)
"""

BOXES = """
return [...document.querySelectorAll('.tbwidget')].map(root => {
    const box = root.getBoundingClientRect();
    const around = root.closest('.jp-OutputArea-output').getBoundingClientRect();
    return [box.width / around.width, box.height];
})
"""


def shown(notebook: NotebookPage, cell: int, boards: int) -> list[list[float]]:
    """Return the width of each dashboard as a share of the output's, and its height in CSS pixels."""
    notebook.run_cell(cell)
    notebook.wait("return document.querySelectorAll('.tbwidget').length === arg", arg=boards)
    notebook.wait("return [...document.querySelectorAll('.tbwidget')].every(one => one.querySelector('[data-tag]'))")
    boxes: list[list[float]] = notebook.steady(BOXES)
    notebook.js("return app.commands.execute('notebook:clear-all-cell-outputs').then(() => null)")
    notebook.wait("return document.querySelector('.tbwidget') === null")
    return boxes


def test_dashboards_stand_in_the_layouts_of_ipywidgets(server: JupyterServer, open_notebook: Open) -> None:
    write_runs(server.root / "layout-runs")
    cells = [
        MAKE,
        "display(HBox([board(), board()]))",
        "display(HBox([board(layout=Layout(width='30%')), board(height=300)]))",
        "display(AppLayout(left_sidebar=board(), right_sidebar=board()))",
        "grid = GridspecLayout(1, 2)\ngrid[0, 0], grid[0, 1] = board(), board()\ndisplay(grid)",
        "display(TwoByTwoLayout(top_left=board(), top_right=board()))",
        "one = board()\ndisplay(one)\none.layout.height = '350px'\none.layout.width = '50%'",
        "display(VBox([board(layout={'height': '400px'}), board(height=300)]))",
    ]
    server.write_notebook("layouts.ipynb", cells)
    notebook = open_notebook("layouts.ipynb")
    notebook.run_cell(0)

    (first, second) = shown(notebook, 1, 2)
    assert 0.45 < first[0] <= 0.5
    assert first[0] == second[0]
    (first, second) = shown(notebook, 2, 2)
    assert 0.29 < first[0] < 0.31
    assert 0.65 < second[0] < 0.71
    assert second[1] <= 300
    (first, second) = shown(notebook, 3, 2)
    assert 0.2 < first[0] <= 0.5
    assert abs(first[0] - second[0]) < 0.01
    for cell in (4, 5):
        (first, second) = shown(notebook, cell, 2)
        assert 0.45 < first[0] <= 0.5
        assert abs(first[0] - second[0]) < 0.01
    ((width, height),) = shown(notebook, 6, 1)
    assert 0.49 < width < 0.51
    assert height == 350
    (first, second) = shown(notebook, 7, 2)
    assert first[0] > 0.98
    assert first[1] == 400
    assert second[0] > 0.98
    assert 200 < second[1] <= 300
    assert notebook.errors == []
