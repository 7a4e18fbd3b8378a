"""Panels that only tests declare bring items, their blobs, a document and a request to the page while a cell runs."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.cells import hold
from tests.browser.conftest import ROOT

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer

SHOW = """
import sys
sys.path.insert(0, {root!r})
from pathlib import Path
from IPython.display import display
from tbwidget.dashboard import compose
from tbwidget.panels import registry
from tests.support.made_up import NOTES
from tests.support.made_up_items import REMARKS
for panel in (NOTES, REMARKS):
    registry.register(panel)

class Made(compose(registry.PANELS)):
    _esm = Path({folder!r}, "dashboard.js").read_text("utf-8")

board = Made("remarks")
display(board)
"""

BEGIN = """
from tensorboardX import SummaryWriter
writer = SummaryWriter("remarks")
step = 0
"""

STEP = """
writer.add_text("remark", f"word {step} " + "of many " * 20, step)
step += 1
writer.flush()
time.sleep(0.3)
"""

NEWEST = """
const newest = document.querySelector('[data-panel=remarks] .test-newest');
return newest?.textContent.startsWith(`word ${newest.dataset.step} `) ? Number(newest.dataset.step) : null;
"""


@pytest.fixture(scope="session")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The widget with the made-up panels."""
    folder = tmp_path_factory.mktemp("bundle")
    build = ["node", "build.mjs", "tests/madeup/itemsentry.ts", str(folder)]
    subprocess.run(build, check=True, timeout=120, cwd=ROOT / "js")
    return folder


def test_made_up_panels_are_live_while_a_cell_runs(server: JupyterServer, open_notebook: Open, bundle: Path) -> None:
    train = BEGIN + hold("remarks", STEP) + "writer.close()\nprint(step)"
    server.write_notebook("remarks.ipynb", [SHOW.format(root=str(ROOT), folder=str(bundle)), train])
    notebook = open_notebook("remarks.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_state("waiting")
    notebook.start_cell(1)
    root = notebook.page.locator(".tbwidget")
    root.get_by_role("tab", name="Remarks").click()
    seen: list[int] = []
    for _ in range(600):
        now = notebook.js(NEWEST)
        assert notebook.busy(1)
        if now is not None and (not seen or now != seen[-1]):
            seen.append(now)
        if len(seen) >= 4:
            break
        notebook.sleep(0.05)
    assert len(seen) >= 4, f"the blobs shown while the cell ran are {seen}"
    # The document arrives, too.
    root.get_by_role("tab", name="Notes").click()
    root.locator("[data-panel=notes] p", has_text="word ").wait_for()
    assert notebook.busy(1)
    notebook.release("remarks")
    steps = int(notebook.end_of_cell(1))
    root.get_by_role("tab", name="Remarks").click()
    card = root.locator("[data-panel=remarks]")
    card.locator(".tbwidget-marks", has_text=f"{steps} of {steps}").wait_for()
    notebook.wait(f"return (() => {{{NEWEST}}})() === arg", arg=steps - 1)
    card.get_by_role("button", name="first", exact=True).click()
    card.locator(".test-first", has_text="word 0 ").wait_for()
    assert notebook.errors == []
