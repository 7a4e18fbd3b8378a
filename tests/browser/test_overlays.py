"""Elements over other elements: they are visible, and cover nothing partly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

import tbwidget
from tests.browser.window import PATIENCE
from tests.support.eventfiles import NAME, event, simple, write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.browser.chromium import Chromium


@pytest.fixture
def open_sized(chromium: Chromium, tmp_path: Path) -> Iterator[Callable[[int, int], Page]]:
    """Opens a saved dashboard of two runs of one tag, in a window of this width and height."""
    for run in ("a", "b"):
        rows = [event(1.7e9 + step, step, simple("loss", 1 / (1 + step))) for step in range(30)]
        write(tmp_path / "logs" / run / NAME, event(1.7e9, version="brain.Event:2"), *rows)
    path = tmp_path / "page.html"
    tbwidget.export_html(tmp_path / "logs", path)
    contexts = []

    def open_one(width: int, height: int) -> Page:
        context = chromium.context((width, height), 1)
        contexts.append(context)
        context.set_default_timeout(1000 * PATIENCE)
        page = context.new_page()
        page.goto(path.as_uri())
        page.locator(".tbwidget [data-last-step]").first.wait_for()
        return page

    yield open_one
    for context in contexts:
        context.close()


def test_buttons_of_a_run_hide_its_value_wholly(open_sized: Callable[[int, int], Page]) -> None:
    page = open_sized(1200, 700)
    row = page.locator(".tbwidget-runs li[data-run='a']")
    value = row.locator(".tbwidget-headline-value")
    expect(value).to_have_text("0.03333")
    expect(value).to_have_css("opacity", "1")
    row.hover()
    expect(row.get_by_role("button", name="Show only a")).to_be_visible()
    expect(value).to_have_css("opacity", "0")
    other = page.locator(".tbwidget-runs li[data-run='b'] .tbwidget-headline-value")
    expect(other).to_have_css("opacity", "1")


def test_the_first_hint_is_apart_from_the_tooltip(open_sized: Callable[[int, int], Page]) -> None:
    page = open_sized(1200, 700)
    plot = page.locator(".tbwidget-plot")
    plot.hover()
    hint = page.locator(".tbwidget-hover-hint")
    hint.wait_for()
    hinted, shown, around = (one.bounding_box() for one in (hint, page.locator(".tbwidget-tooltip"), plot))
    assert hinted is not None
    assert shown is not None
    assert around is not None
    assert around["y"] <= hinted["y"] < hinted["y"] + hinted["height"] <= shown["y"]
    assert abs(hinted["x"] + hinted["width"] / 2 - around["x"] - around["width"] / 2) <= 1


CUT = """list => {
    const { left, right, top, bottom } = list.getBoundingClientRect();
    const board = list.closest('.tbwidget').getBoundingClientRect();
    const points = [[left + 3, top + 3], [right - 3, top + 3], [left + 3, bottom - 3], [right - 3, bottom - 3]];
    return {
        below: bottom - board.bottom,
        scrolls: list.scrollHeight > list.clientHeight,
        covered: points.filter(([x, y]) => !list.contains(document.elementFromPoint(x, y))).length,
    };
}"""


@pytest.mark.parametrize("menu", ["View", "Save"])
def test_a_menu_is_whole_in_a_low_dashboard(open_sized: Callable[[int, int], Page], menu: str) -> None:
    page = open_sized(1200, 900)
    page.evaluate("document.querySelector('.tbwidget').style.maxHeight = '200px'")
    page.locator(".tbwidget-toolbar").get_by_role("button", name=menu).first.click()
    listed = page.locator(".tbwidget-popover-list")
    cut = listed.evaluate(CUT)
    assert cut["below"] > 0
    assert not cut["scrolls"]
    assert cut["covered"] == 0
    page.keyboard.press("Escape")
    expect(listed).to_have_count(0)


def test_a_press_on_text_in_a_menu_leaves_it_open(open_sized: Callable[[int, int], Page]) -> None:
    page = open_sized(1200, 700)
    page.locator(".tbwidget-toolbar").get_by_role("button", name="Lines").click()
    listed = page.locator(".tbwidget-popover-list")
    listed.locator("h4").first.click()
    # The text of the label and not the box beside it, which takes the focus itself.
    box = listed.get_by_role("checkbox", name="Break lines at restarts")
    expect(box).to_be_checked()
    listed.get_by_text("Break lines at restarts").click()
    expect(box).not_to_be_checked()
    expect(listed).to_have_count(1)
    page.keyboard.press("Escape")
    expect(listed).to_have_count(0)


def test_a_menu_scrolls_where_the_window_is_too_low_and_stays_with_its_button(
    open_sized: Callable[[int, int], Page],
) -> None:
    page = open_sized(1200, 300)
    page.evaluate("document.body.style.minHeight = '1200px'")
    button = page.locator(".tbwidget-toolbar").get_by_role("button", name="View").first
    button.click()
    listed = page.locator(".tbwidget-popover-list")
    expect(listed).to_be_in_viewport(ratio=1)
    assert listed.evaluate(CUT)["scrolls"]
    page.evaluate("scrollBy(0, 20)")
    apart = "list => list.getBoundingClientRect().top - list.parentElement.getBoundingClientRect().bottom"
    assert abs(listed.evaluate(apart) - 3) <= 1
    page.mouse.move(5, 290)
    page.mouse.wheel(0, 10)
    expect(listed).to_have_count(0)
