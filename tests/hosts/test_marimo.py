"""A dashboard in an app of marimo is live while a cell runs."""

from __future__ import annotations

import textwrap
from pathlib import Path

from tests.hosts.conftest import OpenPage, Serve
from tests.hosts.dashboards import STEPS, WRITE, answers, follows_a_run

APP = """
import marimo

app = marimo.App()

@app.cell
def _():
{write}
    return tbwidget, train

@app.cell
def _(tbwidget):
    board = tbwidget.Dashboard("runs")
    board
    return (board,)

@app.cell
def _(board, train):
    train("second", {steps}, 0.1)
    return

if __name__ == "__main__":
    app.run()
"""


def test_marimo_shows_points_while_a_cell_runs(tmp_path: Path, serve: Serve, open_page: OpenPage) -> None:
    source = APP.format(write=textwrap.indent(WRITE, "    "), steps=STEPS)
    (tmp_path / "app.py").write_text(source, "utf-8")
    address = serve(["marimo", "run", "app.py", "--headless", "--no-token", "--port={port}"])
    answers(follows_a_run(open_page(address)))
