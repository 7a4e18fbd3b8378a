"""A page that falls behind the kernel says so, and stops saying so when it has caught up."""

from __future__ import annotations

from tests.browser.cells import hold
from tests.browser.conftest import Open
from tests.browser.jupyter import KERNEL6, JupyterServer
from tests.browser.states import STEP

SHOW = """
import tbwidget
board = tbwidget.Dashboard("{folder}")
board
"""

TRAIN = """
from tensorboardX import SummaryWriter
writer = SummaryWriter("{folder}/run")
step = 0
"""

# Records each state that the dashboard shows, in the frame that shows it.
WATCH = """
window.testSaid = [];
const board = document.querySelector('.tbwidget');
const note = () => window.testSaid.push([board.dataset.behind ?? null,
    board.querySelector('.tbwidget-news').textContent, board.querySelector('.tbwidget-state').textContent]);
new MutationObserver(note).observe(board, { attributes: true, attributeFilter: ['data-behind'] });
window.testTexts = new Set();
const news = board.querySelector('.tbwidget-news');
const noteText = () => window.testTexts.add(news.textContent);
new MutationObserver(noteText).observe(news, { characterData: true, childList: true, subtree: true });
"""

# Blocks the page's thread, as long scripts of other extensions do.
BLOCK = "const until = performance.now() + arg; while (performance.now() < until) {}"


def test_a_page_that_was_kept_busy_says_how_far_it_is_behind(
    server: JupyterServer, open_notebook: Open, kernel: str
) -> None:
    folder = f"behind-{kernel}"
    cells = [SHOW.replace("{folder}", folder), TRAIN.replace("{folder}", folder) + hold(folder, STEP), "writer.close()"]
    server.write_notebook(f"{folder}.ipynb", cells, kernel)
    notebook = open_notebook(f"{folder}.ipynb")
    notebook.run_cell(0)
    notebook.start_cell(1)
    notebook.wait("return Number(document.querySelector('.tbwidget [data-last-step]')?.dataset.lastStep) > 20")
    assert notebook.js("return document.querySelector('.tbwidget').dataset.behind ?? null") is None
    notebook.js(WATCH)
    notebook.js(BLOCK, 6000)
    notebook.wait("return window.testSaid.length > 1 && window.testSaid.at(-1)[0] === null")
    said = notebook.js("return window.testSaid")
    behind = [int(seconds) for seconds, *_ in said if seconds is not None]
    assert behind
    assert 3 <= max(behind) <= 60
    assert all(f"{seconds}\u202fs behind" in text for seconds, text, _ in said if seconds is not None)
    assert all(word == "Catching up" for seconds, _, word in said if seconds is not None)
    assert "behind" not in said[-1][1]
    # ipykernel 6 does not receive that while the cell runs.
    texts = notebook.js("return [...window.testTexts]")
    assert any("fewer updates" in text for text in texts) == (kernel != KERNEL6)
    # It continues as before.
    last = notebook.js("return Number(document.querySelector('.tbwidget [data-last-step]').dataset.lastStep)")
    notebook.wait(
        "return Number(document.querySelector('.tbwidget [data-last-step]').dataset.lastStep) > arg", arg=last
    )
    notebook.release(folder)
    notebook.end_of_cell(1)
