"""What is shown over something else: it is in sight, and hides nothing by half."""

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
    expect(row.get_by_role("button", name="Only a")).to_be_visible()
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
