"""A panel that only tests declare, in Python and in the page, shows a kind of log as a card."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.conftest import ROOT

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer

WRITE = """
from tensorboardX import SummaryWriter
with SummaryWriter("noted") as writer:
    writer.add_text("remark", "one", 1)
    writer.add_text("remark", "the last word", 2)
    writer.add_scalar("loss", 0.5, 1)
"""

SHOW = """
from pathlib import Path
from IPython.display import display
from tbwidget.dashboard import compose
from tbwidget.panels import registry
from tests.support.made_up import NOTES
if NOTES not in registry.PANELS:
    registry.register(NOTES)

class Made(compose(registry.PANELS)):
    _esm = Path("{folder}", "dashboard.js").read_text("utf-8")

board = Made("noted")
display(board)
"""


def test_a_made_up_panel_comes_from_a_log_to_the_screen(
    server: JupyterServer, open_notebook: Open, tmp_path: Path
) -> None:
    build = ["node", "build.mjs", "tests/madeup/entry.ts", str(tmp_path)]
    subprocess.run(build, check=True, timeout=120, cwd=ROOT / "js")
    server.write_notebook("made-up.ipynb", [WRITE, SHOW.format(folder=tmp_path), "print(board.loud)"])
    notebook = open_notebook("made-up.ipynb")
    notebook.run_cell(0)
    notebook.run_cell(1)
    root = notebook.page.locator(".tbwidget")
    root.get_by_role("tab", name="Notes").click()
    card = root.locator("[data-panel=notes][data-tag='remark/text_summary']")
    card.get_by_text("the last word", exact=True).wait_for()
    expect(root.get_by_role("tab")).to_have_text(["Scalars", "Text", "Notes"])

    # Its option is a trait, and its request is answered.
    root.get_by_label("Loud").check()
    card.get_by_text("THE LAST WORD", exact=True).wait_for()
    card.get_by_role("button", name="count").click()
    card.locator(".tbwidget-marks", has_text="2").wait_for()
    notebook.sleep(0.5)
    assert notebook.run_cell(2).strip() == "True"
    assert notebook.errors == []
