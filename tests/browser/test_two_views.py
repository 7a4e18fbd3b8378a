"""Two views of one dashboard, scrolled to different places: each gets the data that it shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.eventfiles import NAME, event, histogram, write

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer

TAGS = [f"tag{number:02}" for number in range(40)]
STEPS, BINS = 300, 200
"""Large enough that a kernel sends only the histograms in a viewport in full."""

SHOW = """
import tbwidget
from IPython.display import display
board = tbwidget.HistogramsView("two", height=500)
display(board)
"""

# Scrolls to a card of one view; true once it is drawn with all its points.
SEEK = """
const [tag, view] = arg;
const root = document.querySelectorAll('.tbwidget')[view];
const cards = [...root.querySelectorAll('[data-tag]')];
const card = cards.find(card => card.dataset.tag === tag);
let scrolled = cards[0];
// While the view has but a few cards, nothing of it scrolls: what would is the notebook, and the other view leaves it.
while (root.contains(scrolled) && (scrolled.scrollHeight <= scrolled.clientHeight
        || !['auto', 'scroll'].includes(getComputedStyle(scrolled).overflowY))) {
    scrolled = scrolled.parentElement;
}
if (!root.contains(scrolled)) return false;
if (card === undefined) {
    scrolled.scrollBy(0, scrolled.clientHeight / 2);
    return false;
}
scrolled.scrollTop += card.getBoundingClientRect().top - scrolled.getBoundingClientRect().top - 20;
return card.dataset.lastStep !== undefined;
"""

WHOLE = """
return arg.map(([tag, view]) => {
    const card = document.querySelectorAll('.tbwidget')[view].querySelector(`[data-tag="${tag}"]`);
    return card?.dataset.lastStep !== undefined && !/≈|\\d of /.test(card.textContent);
}).every(Boolean);
"""


def test_both_views_show_every_histogram_in_their_viewports(server: JupyterServer, open_notebook: Open) -> None:
    limits = [float(i) for i in range(1, BINS + 1)]
    events = []
    for step in range(STEPS):
        counts = [float((i * step) % 197 + 1) for i in range(BINS)]
        events.append(event(1.7e9 + step, step, *(histogram(tag, limits, counts) for tag in TAGS)))
    write(server.root / "two/a" / NAME, event(1.7e9, version="brain.Event:2"), *events)
    server.write_notebook("two.ipynb", [SHOW, "display(board)"])
    notebook = open_notebook("two.ipynb", size=(1400, 1400))
    notebook.run_cell(0)
    notebook.run_cell(1)
    notebook.wait("return document.querySelectorAll('.tbwidget').length === 2")
    for first, second in [("tag20", "tag35"), ("tag14", "tag28"), ("tag39", "tag24")]:
        notebook.wait(SEEK, arg=[first, 0])
        notebook.wait(SEEK, arg=[second, 1])
        notebook.wait(WHOLE, arg=[[first, 0], [second, 1]])
    assert notebook.errors == []
