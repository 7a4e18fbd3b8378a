"""The quickstart notebook, run as every user runs it first: all cells at once."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import ROOT
from tests.browser.test_live import watch_last_step

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer


@pytest.mark.own_window
def test_run_all_moves_the_charts(server: JupyterServer, open_notebook: Open) -> None:
    notebook = json.loads((ROOT / "notebooks" / "quickstart.ipynb").read_text(encoding="utf-8"))
    code = [i for i, cell in enumerate(notebook["cells"]) if cell["cell_type"] == "code"]
    assert all(notebook["cells"][i]["outputs"] == [] for i in code), "outputs are stripped from committed notebooks"
    shutil.rmtree(server.root / "runs", ignore_errors=True)
    server.add_notebook("quickstart.ipynb", notebook)
    page = open_notebook("quickstart.ipynb")

    page.start_all()
    show, train, read = code[-3:]
    watch_last_step(page, train, "loss/train", 20)
    page.end_of_cell(read)
    assert "widget-view" in json.dumps(page.outputs(show))
    tags = page.js("return [...document.querySelectorAll('.tbwidget [data-panel]')].map(card => card.dataset.tag)")
    assert tags == ["loss/train", "accuracy/validation", "optimizer/learning_rate"]
    assert page.js("return document.querySelector('.tbwidget [data-tags]').dataset.tags") == (
        '["loss/train","loss/validation"]'
    )
    assert page.errors == []
