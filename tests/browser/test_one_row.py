"""State, tabs and buttons of a dashboard share one row, and the data begin close below it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

import tbwidget
from tbwidget.proto import plugins_pb2 as pb
from tests.browser.test_page_file import write_logs
from tests.browser.window import PATIENCE
from tests.support.eventfiles import NAME, event, plugin, simple, strings, write
from tests.support.meshes import cube, part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.browser.chromium import Chromium

MAX_ROW_PX = 32

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
    """Opens a saved dashboard with something in every panel, in a window of some width in CSS pixels."""
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
    listed = page.locator(".tbwidget-state-menu .tbwidget-popover-list")
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
        # The last of these presses have nothing more to scroll to.
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


MAX_ABOVE_DATA_PX = 96

DRAWING = ".tbwidget-main :is(.tbwidget-plot, .tbwidget-tiles img, .tbwidget-text-list, .tbwidget-graph-stage, article)"

TOPS = """(drawing) => {
    const board = document.querySelector('.tbwidget').getBoundingClientRect();
    const box = one => document.querySelector(one)?.getBoundingClientRect() ?? null;
    const [header, toolbar, card, foot] =
        ['.tbwidget-header', '.tbwidget-toolbar', '.tbwidget-main .tbwidget-card-header', '.tbwidget-step-control']
            .map(box);
    return {
        toolbar: toolbar.height, card: card.top - board.top,
        drawing: document.querySelector(drawing).getBoundingClientRect().top - board.top,
        below: foot ? board.bottom - foot.bottom : null,
        foot: foot?.height ?? null,
        ordered: header.bottom <= toolbar.top + 1 && toolbar.bottom <= card.top && (!foot || card.top < foot.top),
    };
}"""


def test_the_data_begin_close_below_the_top_and_the_steps_stand_at_the_foot(open_wide: Callable[[int], Page]) -> None:
    page = open_wide(1400)
    feet = set()
    for tab in ("Scalars", "Histograms", "Distributions", "Images", "Text", "Audio", "PR curves", "Graphs"):
        page.get_by_role("tab", name=tab, exact=True).click()
        page.locator(DRAWING).first.wait_for()
        # The clips of these logs have only one step.
        expect(page.locator(".tbwidget-step-control")).to_have_count(0 if tab in {"Audio", "Graphs"} else 1)
        tops: Any = page.evaluate(TOPS, DRAWING)
        assert tops["ordered"], tab
        assert tops["toolbar"] <= MAX_ROW_PX, tab
        assert tops["drawing"] <= MAX_ABOVE_DATA_PX, tab
        if tab not in {"Audio", "Graphs"}:
            # Below it are the border and the edge that changes the height, of 24 px.
            assert tops["below"] <= 25, tab
            feet.add(tops["foot"])
    assert len(feet) == 1
    # A slider of 24 px, and the strip of visible steps.
    assert feet.pop() <= 39


def test_the_title_of_the_first_section_leaves_the_data_close_below_the_top(chromium: Chromium, tmp_path: Path) -> None:
    layout = pb.Layout(category=[pb.Category(title=b"custom", chart=[pb.Chart(title=b"rewards")])])
    layout.category[0].chart[0].multiline.tag.append(b"rollout/.*")
    config = strings("custom_scalars__config__", plugin("custom_scalars"), layout.SerializeToString(), shape=())
    tags = ["rollout/ep_rew_mean", "rollout/ep_len_mean", *(f"layers/{i}" for i in range(6))]
    values = [event(1.7e9 + step, step, *(simple(tag, step) for tag in tags)) for step in range(9)]
    write(tmp_path / "logs" / "run" / NAME, event(1.7e9, 0, config), *values)
    tbwidget.export_html(tmp_path / "logs", tmp_path / "page.html")
    context = chromium.context((1400, 900), 1)
    page = context.new_page()
    page.goto((tmp_path / "page.html").as_uri())
    for tab, titles in (("Scalars", ["rollout", "layers"]), ("Custom", ["custom"])):
        page.get_by_role("tab", name=tab, exact=True).click()
        page.locator(".tbwidget-main .tbwidget-card-header").first.wait_for()
        folds = page.locator(".tbwidget-section-fold")
        expect(folds.locator(".tbwidget-group-name")).to_have_text(titles)
        assert page.evaluate(TOPS, DRAWING)["card"] <= MAX_ABOVE_DATA_PX, tab
        for fold in folds.all():
            box = fold.bounding_box()
            assert box is not None
            assert box["height"] >= 24, "large enough for a finger"
    context.close()


def test_drawings_of_joined_tags_and_meshes_begin_close_below_the_top(chromium: Chromium, tmp_path: Path) -> None:
    points, faces = cube()
    mesh = part("box", "VERTEX", points), part("box", "FACE", faces, "<i4")
    splits = ("loss/train", "loss/validation")
    values = [event(1.7e9 + step, step, *(simple(tag, step) for tag in splits)) for step in range(9)]
    write(tmp_path / "logs" / "run" / NAME, event(1.7e9, 0, *mesh), *values)
    tbwidget.export_html(tmp_path / "logs", tmp_path / "page.html")
    context = chromium.context((1400, 900), 1)
    page = context.new_page()
    page.goto((tmp_path / "page.html").as_uri())
    legend = page.get_by_role("list", name="Tags and runs")
    expect(legend.locator("li")).to_have_text(["train", "validation"])
    plot = page.locator(".tbwidget-main .tbwidget-plot")
    expect(plot).to_have_count(1)
    above, below = plot.bounding_box(), legend.bounding_box()
    assert above is not None
    assert below is not None
    assert above["y"] + above["height"] <= below["y"]
    assert page.evaluate(TOPS, DRAWING)["drawing"] <= MAX_ABOVE_DATA_PX
    page.get_by_role("tab", name="Meshes", exact=True).click()
    tile = ".tbwidget-main .tbwidget-mesh canvas"
    page.locator(tile).wait_for()
    assert page.evaluate(TOPS, tile)["drawing"] <= MAX_ABOVE_DATA_PX
    context.close()


def test_one_control_shows_chooses_and_plays_the_steps_of_all_panels(open_wide: Callable[[int], Page]) -> None:
    page = open_wide(1400)
    control = page.locator(".tbwidget-step-control")
    slider = control.get_by_role("slider", name="Step of all cards")
    entry = control.get_by_role("textbox", name="Step of all cards")
    newest = control.get_by_role("button", name="latest")
    expect(entry).to_have_value("59")
    expect(newest).to_have_attribute("aria-pressed", "true")
    expect(control.get_by_role("button", name="Select range")).to_be_visible()
    expect(control.get_by_role("slider", name="First visible step")).to_be_visible()
    slider.press("ArrowLeft")
    expect(entry).to_have_value("58")
    expect(page.locator("[data-tag=loss] output")).to_contain_text("at 58")
    page.get_by_role("tab", name="Images").click()
    tile = page.locator(".tbwidget-tile").first
    expect(tile).to_have_attribute("data-step", "40")
    expect(entry).to_have_value("58")
    # Items have no axis of steps, and so no strip.
    expect(control.get_by_role("slider")).to_have_count(1)
    slider.press("Home")
    expect(tile).to_have_attribute("data-step", "0")
    slider.press("ArrowRight")
    expect(entry).to_have_value("20")
    expect(page.get_by_role("slider", name="Step of picture")).to_have_count(0)
    control.get_by_role("button", name="Play").click()
    expect(newest).to_have_attribute("aria-pressed", "true")
    expect(tile).to_have_attribute("data-step", "40")
    card = page.locator("[data-tag=picture]").first
    card.hover()
    card.get_by_role("button", name="Own step").click()
    own = page.get_by_role("slider", name="Step of picture")
    own.press("Home")
    expect(tile).to_have_attribute("data-step", "0")
    expect(entry).to_have_value("40")
    newest.click()
    expect(own).to_have_count(0)


BUTTONS = """() => [...document.querySelector('.tbwidget-main .tbwidget-card-buttons').querySelectorAll('button')]
    .map(one => one.closest('.tbwidget-save-menu') ? 'save' : one.dataset.action ?? one.className)"""


def test_buttons_of_cards_have_one_order_in_all_panels(open_wide: Callable[[int], Page]) -> None:
    page = open_wide(1400)
    for tab in ("Images", "PR curves"):
        page.get_by_role("tab", name=tab, exact=True).click()
        card = page.locator(".tbwidget-main .tbwidget-card").first
        card.hover()
        expect(card.get_by_role("button", name="Own step")).to_be_visible()
        # An image fills the window from its tile.
        fill = [] if tab == "Images" else ["card.fill"]
        assert page.evaluate(BUTTONS) == ["card.own_step", "save", *fill, "tbwidget-pin"], tab
