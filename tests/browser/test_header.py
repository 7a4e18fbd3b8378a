"""The header says "Up to date" when the page has all data, and that the kernel is busy while it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.cells import hold
from tests.support.eventfiles import NAME, event, simple, write

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer

TAGS, STEPS = 30, 80
"""Enough steps for 50 runs to take several messages."""

WATCH = """
window.testStates = [];
const note = () => {
    const root = document.querySelector('.tbwidget');
    if (root === null) return;
    // The list that the state opens has the counts.
    root.querySelector('.tbwidget-state[aria-expanded=false]')?.click();
    if (root.querySelector('.tbwidget-state-menu .tbwidget-popover-list') === null) return;
    const now = [root.dataset.state, root.querySelector('.tbwidget-counts')?.textContent ?? ''];
    if (now.join() !== window.testStates.at(-1)?.join()) window.testStates.push(now);
};
new MutationObserver(note).observe(document, {
    subtree: true, childList: true, characterData: true, attributeFilter: ['data-state'],
});
"""


@pytest.mark.own_window  # where the list is opened of every dashboard that is shown later
@pytest.mark.parametrize("runs", [1, 50])
def test_a_page_is_up_to_date_when_it_has_everything(server: JupyterServer, open_notebook: Open, runs: int) -> None:
    name = f"header-{runs}"
    for run in range(runs):
        rows = (event(1, step, *(simple(f"tag{tag}", step) for tag in range(TAGS))) for step in range(STEPS))
        write(server.root / name / f"run{run}" / NAME, *rows)
    server.write_notebook(f"{name}.ipynb", [f"import tbwidget; tbwidget.show({name!r})", hold(name)])
    notebook = open_notebook(f"{name}.ipynb")
    notebook.js(WATCH)
    # The cell begins at once, so that the data arrive while it runs.
    notebook.start_cell(0)
    notebook.start_cell(1)
    notebook.wait_for_state("busy")
    assert notebook.busy(1)
    everything = f"{runs} run{'s' if runs > 1 else ''}, {TAGS} tags"
    states: list[tuple[str, str]] = [(state, counts) for state, counts in notebook.js("return window.testStates")]
    assert {state for state, _ in states} <= {"reading", "idle", "busy"}
    assert {counts for state, counts in states if state != "reading"} == {everything}
    header = notebook.page.locator(".tbwidget-header").last
    assert "Kernel busy" in header.inner_text()
    # A page that is behind says that first.
    expect(header).to_contain_text("last data")
    if runs == 1:
        # Otherwise the name of the only run would read as the end of a sentence.
        line = "return getComputedStyle(document.querySelector('.tbwidget-single-run')).borderInlineStartStyle"
        assert notebook.js(line) == "solid"
    notebook.release(name)
    notebook.end_of_cell(1)
    notebook.wait_for_state("idle")
    # A page that is behind catches up first.
    expect(header).to_contain_text("Up to date")
    assert notebook.errors == []
