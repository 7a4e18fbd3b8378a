"""Notebook 7 shows the dashboard, which moves while a cell trains."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.browser.cells import hold
from tests.browser.conftest import ROOT
from tests.browser.test_live import SHOW, train, watch_last_step

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer

# Notebook 7.6 logs this itself, also in a notebook without any widget.
ITS_OWN = "Cannot read properties of undefined (reading 'schema')"


def test_charts_move_in_notebook_7(notebook_server: JupyterServer, open_notebook: Open, kernel: str) -> None:
    folder = f"seven-{kernel}"
    cells = [SHOW.replace("{folder}", folder), train(folder)]
    notebook_server.write_notebook(f"{folder}.ipynb", cells, kernel)
    notebook = open_notebook(f"{folder}.ipynb", notebook_server)
    notebook.run_cell(0)
    notebook.wait_for_state("waiting")
    notebook.start_cell(1)
    watch_last_step(notebook, 1, "loss/train", 3)
    notebook.release(folder)
    steps = int(notebook.end_of_cell(1).split()[0])
    notebook.wait_for_last_steps({"loss/train": str(steps - 1), "loss/validation": str(steps - 1)})
    assert [error for error in notebook.errors if ITS_OWN not in error] == []


# The kernel's environment may lack Playwright, which modules of tests import.
MEDIA = """
import sys
sys.path.insert(0, {root!r})
from pathlib import Path
from PIL import Image
from tests.support.eventfiles import event, plugin, strings
from tests.support.pictures import encoded
from tests.support.sounds import tone, wav
path = Path("{folder}/run/events.out.tfevents.1")
path.parent.mkdir(parents=True)
step = 0
"""

STEP = """
shade = Image.new("L", (32, 24), step % 256)
picture = strings("picture", plugin("images"), b"0", b"0", encoded(shade, "PNG"))
clip = strings("clip", plugin("audio"), wav(tone(1)))
words = strings("words", plugin("text"), b"step **%d**" % step)
with path.open("ab") as file:
    file.write(event(time.time(), step, picture, clip, words))
step += 1
time.sleep(0.2)
"""

# The visible steps of the panel; each tile and each clip has one.
SHOWN = """
return [...document.querySelectorAll('.tbwidget [data-state=shown][data-step]')]
    .map(({ dataset }) => Number(dataset.step));
"""


def test_media_come_in_notebook_7(notebook_server: JupyterServer, open_notebook: Open, kernel: str) -> None:
    folder = f"seven-media-{kernel}"
    show = f"import tbwidget; board = tbwidget.Dashboard({folder!r}, panel='images'); board"
    write = MEDIA.format(root=str(ROOT), folder=folder) + hold(folder, STEP) + "print(step)"
    notebook_server.write_notebook(f"{folder}.ipynb", [show, write], kernel)
    notebook = open_notebook(f"{folder}.ipynb", notebook_server)
    notebook.run_cell(0)
    notebook.wait_for_state("waiting")
    notebook.start_cell(1)
    for tab in ("Images", "Audio"):
        notebook.page.get_by_role("tab", name=tab).click()
        seen = -1
        for _ in range(3):
            newer = f"return Math.max(-1, ...(() => {{{SHOWN}}})()) > arg"
            notebook.wait(newer, arg=seen)
            seen = max(notebook.js(SHOWN), default=seen)
    notebook.page.get_by_role("tab", name="Text").click()
    notebook.page.locator(".tbwidget strong", has_text="3").first.wait_for()
    assert notebook.busy(1)
    notebook.release(folder)
    steps = int(notebook.end_of_cell(1))
    notebook.page.locator(".tbwidget strong", has_text=str(steps - 1)).first.wait_for()
    assert [error for error in notebook.errors if ITS_OWN not in error] == []
