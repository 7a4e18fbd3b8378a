"""State, tabs and buttons of a dashboard share one row, and the data begin close below it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

import tbwidget
from tests.browser.test_page_file import write_logs
from tests.browser.window import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.browser.chromium import Chromium

MAX_ROW_PX = 36

ROW = """() => {
    const [board, header] = ['.tbwidget', '.tbwidget-header']
        .map(one => document.querySelector(one).getBoundingClientRect());
    const outside = [...document.querySelectorAll('.tbwidget-header :is(button, span)')]
        .filter(one => one.closest('.tbwidget-tabs, .tbwidget-news, .tbwidget-single-run') === null)
        .map(one => one.getBoundingClientRect())
        .filter(({ width }) => width > 0)
        .filter(({ left, right, top, bottom }) =>
            left < header.left || right > header.right || top < header.top || bottom > header.bottom);
    return { top: header.top - board.top, height: header.height, outside: outside.length };
}"""


@pytest.fixture
def open_wide(chromium: Chromium, tmp_path: Path) -> Iterator[Callable[[int], Page]]:
    """Opens a saved dashboard with something in every panel, in a window so many CSS pixels wide."""
    write_logs(tmp_path / "logs")
    path = tmp_path / "page.html"
    tbwidget.export_html(tmp_path / "logs", path)
    contexts = []

    def open_one(width: int) -> Page:
        context = chromium.context((width, 900), 1)
        contexts.append(context)
        context.set_default_timeout(1000 * PATIENCE)
        page = context.new_page()
        page.goto(path.as_uri())
        page.locator(".tbwidget [data-last-step]").first.wait_for()
        return page

    yield open_one
    for context in contexts:
        context.close()


@pytest.mark.parametrize("width", [1400, 700, 480])
def test_the_header_is_one_row_in_any_width(open_wide: Callable[[int], Page], width: int) -> None:
    page = open_wide(width)
    row: Any = page.evaluate(ROW)
    assert row["top"] <= 1
    assert row["height"] <= MAX_ROW_PX
    assert row["outside"] == 0
    state = page.locator(".tbwidget-state")
    assert state.text_content() == "Saved"
    state.click()
    listed = page.locator(".tbwidget-status .tbwidget-popover-list")
    expect(listed.locator(".tbwidget-path")).to_have_text("logs")
    expect(listed.locator(".tbwidget-counts")).to_contain_text("2 runs, ")
    expect(listed.get_by_role("button", name="Reset options")).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(listed).to_have_count(0)
    expect(state).to_be_focused()


def test_tabs_that_do_not_fit_are_reached_by_chevrons_and_keys(open_wide: Callable[[int], Page]) -> None:
    page = open_wide(560)
    strip = page.locator(".tbwidget-tab-strip")
    first, last = (strip.get_by_role("tab", name=name) for name in ("Scalars", "Graphs"))
    back, on = (strip.locator(f".tbwidget-chevron[data-side={side}]") for side in ("start", "end"))
    expect(strip).to_have_attribute("data-hidden", "end")
    expect(back).to_be_hidden()
    assert on.evaluate("one => [one.offsetWidth, one.offsetHeight]") == [24, 24]
    on.click()
    expect(back).to_be_visible()
    for _ in range(5):
        # The last of them find nothing more to scroll to.
        on.dispatch_event("click")
    expect(strip).to_have_attribute("data-hidden", "start")
    expect(last).to_be_in_viewport(ratio=1)
    expect(on).to_be_hidden()
    first.focus()
    page.keyboard.press("End")
    expect(last).to_be_focused()
    expect(last).to_be_in_viewport(ratio=1)
    page.keyboard.press("Home")
    expect(first).to_be_focused()
    expect(strip).to_have_attribute("data-hidden", "end")
    page.set_viewport_size({"width": 1400, "height": 900})
    expect(strip).not_to_have_attribute("data-hidden", "start")
    expect(on).to_be_hidden()
