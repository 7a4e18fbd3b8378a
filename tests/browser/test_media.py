"""The tutorial of images, audio and text, run as a reader runs it."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

from tests.browser.conftest import ROOT

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer

STEPS = """
return [...document.querySelectorAll('.tbwidget-tile[data-state="shown"]')]
    .filter(tile => tile.dataset.tag === 'filters' && tile.dataset.run === '1 filter').map(tile => tile.dataset.step);
"""


def test_the_tutorial_runs(server: JupyterServer, open_notebook: Open) -> None:
    notebook = json.loads((ROOT / "notebooks" / "media.ipynb").read_text(encoding="utf-8"))
    code = {cell["id"]: i for i, cell in enumerate(notebook["cells"]) if cell["cell_type"] == "code"}
    assert all(notebook["cells"][i]["outputs"] == [] for i in code.values()), "outputs are stripped"
    shutil.rmtree(server.root / "media", ignore_errors=True)
    server.add_notebook("media.ipynb", notebook)
    page = open_notebook("media.ipynb")
    for cell in ("load", "show", "scenes", "figure"):
        page.run_cell(code[cell])
    page.start_cell(code["train"])
    # Running a cell scrolls to it; a dashboard outside the viewport does not update.
    page.js("document.querySelector('.tbwidget').scrollIntoView()")
    seen: set[str] = set()
    while page.busy(code["train"]):
        seen.update(page.js(STEPS))
        page.sleep(0.1)
    assert len(seen) >= 4, f"the tile showed {seen} while the cell ran"
    page.end_of_cell(code["train"])
    page.run_cell(code["strip"])
    assert "step 160, sample 0: 48 x 48 PNG" in json.dumps(page.outputs(code["strip"]))
    for cell, kind in {"predictions": "image/png", "audio": "<audio controls", "text": "12 filters"}.items():
        page.run_cell(code[cell])
        assert kind in json.dumps(page.outputs(code[cell]))
    assert "1 filter: " in page.run_cell(code["difference"])
    assert page.run_cell(code["filters"]).startswith("21 steps, 36 x 27 PNG")
    assert page.errors == []
