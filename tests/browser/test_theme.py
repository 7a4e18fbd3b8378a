"""The page turns dark, and light again: charts are redrawn in the other colors."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer

WRITE = """
import numpy as np
from tensorboardX import SummaryWriter
rng = np.random.default_rng(0)
for run in ("one", "two"):
    with SummaryWriter(f"theme/{run}") as writer:
        for step in range(40):
            writer.add_histogram("weights", rng.normal(0, 1 + step / 20, 500), step)
            writer.add_scalar("loss", 1 / (step + 1), step)
"""
# The panel of each canvas, and its number of colors.
LOOK = """
    return [...document.querySelectorAll(".tbwidget [data-panel] canvas")].map((canvas) => {
        const { width, height } = canvas;
        const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
        return [canvas.closest("[data-panel]").dataset.panel, new Set(new Uint32Array(data.buffer)).size];
    });
"""
PANELS = ["histograms", "distributions", "scalars"]


def test_charts_outlive_a_change_of_theme(server: JupyterServer, open_notebook: Open) -> None:
    shown = ["%load_ext tbwidget", "import tbwidget", "board = tbwidget.Dashboard('theme')", "board"]
    server.write_notebook("theme.ipynb", [WRITE, "\n".join(shown), *(f"board.panel = {panel!r}" for panel in PANELS)])
    page = open_notebook("theme.ipynb")
    page.run_cell(0)
    page.run_cell(1)
    for number, panel in enumerate(PANELS):
        page.run_cell(2 + number)
        page.wait("return document.querySelector(`[data-panel=${arg}][data-last-step]`) !== null", arg=panel)
        for theme in ("dark", "light") * 2:
            page.theme(theme)
            found = page.steady(LOOK)
            assert {name for name, _ in found} == {panel}
            assert all(colors > 20 for _, colors in found), f"{panel} in {theme}"
    assert page.errors == []
