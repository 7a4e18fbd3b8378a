"""A dashboard of 585 CSS pixels, as in a window of 700: everything fits, or is shortened and says so."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

import tbwidget
from tests.browser.window import PATIENCE
from tests.support.eventfiles import NAME, event, histogram, simple, write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.browser.chromium import Chromium

WIDTH = 585
MARGINS = 24

ROWS = """selector => new Set([...document.querySelectorAll(selector)]
    .map(one => one.getBoundingClientRect())
    .filter(({ height }) => height > 0)
    .map(({ top, height }) => Math.round((top + height / 2) / 8))).size"""

OUTSIDE = """header => {
    const card = header.parentElement.getBoundingClientRect();
    return [...header.querySelectorAll('button, .tbwidget-fitted-marks > *')]
        .filter(one => one.getBoundingClientRect().width > 0)
        .filter(one => one.getBoundingClientRect().right > card.right || one.getBoundingClientRect().width < 8)
        .map(one => one.className + one.textContent);
}"""


@pytest.fixture
def open_narrow(chromium: Chromium, tmp_path: Path) -> Iterator[Callable[..., Page]]:
    """Opens a saved dashboard of the logs in `tmp_path / "logs"`."""
    contexts = []

    def open_one(**options: Any) -> Page:
        path = tmp_path / "page.html"
        tbwidget.export_html(tmp_path / "logs", path, **options)
        context = chromium.context((WIDTH + MARGINS, 700), 1)
        contexts.append(context)
        context.set_default_timeout(1000 * PATIENCE)
        page = context.new_page()
        page.goto(path.as_uri())
        page.locator(".tbwidget [data-last-step]").first.wait_for()
        assert page.evaluate("document.querySelector('.tbwidget').offsetWidth") == WIDTH
        return page

    yield open_one
    for context in contexts:
        context.close()


def write_run(folder: Path, run: str, values: list[float], tags: tuple[str, ...] = ("loss/train", "rate")) -> None:
    rows = [event(1.7e9 + step, step, *(simple(tag, value) for tag in tags)) for step, value in enumerate(values)]
    write(folder / "logs" / run / NAME, event(1.7e9, version="brain.Event:2"), *rows)


def test_all_controls_of_scalars_are_in_one_row(open_narrow: Callable[..., Page], tmp_path: Path) -> None:
    write_run(tmp_path, "a", [3, 2, 1])
    page = open_narrow()
    assert page.evaluate(ROWS, ".tbwidget-toolbar :is(button, select, input)") == 1
    filtered = page.get_by_role("searchbox", name="Filter tags")
    filtered.fill("loss")
    page.locator(".tbwidget-filter-count", has_text="1 of 2").wait_for(state="attached")
    assert page.evaluate(ROWS, ".tbwidget-toolbar :is(button, select, input)") == 1


def test_a_linked_step_moves_no_card(open_narrow: Callable[..., Page], tmp_path: Path) -> None:
    write_run(tmp_path, "a", [3, 2, 1])
    page = open_narrow()
    plot = page.locator(".tbwidget-plot").first
    before = plot.bounding_box()
    plot.click(position={"x": 200, "y": 80})
    newest = page.locator(".tbwidget-step-control").get_by_role("button", name="latest")
    expect(newest).to_have_attribute("aria-pressed", "false")
    assert plot.bounding_box() == before
    newest.click()
    expect(newest).to_have_attribute("aria-pressed", "true")
    assert plot.bounding_box() == before


CONTRAST = """mark => {
    const [context, pixels] = [document.createElement('canvas').getContext('2d'), []];
    const [ink, paper] = [mark, mark.closest('.tbwidget-card')].map(one => getComputedStyle(one));
    for (const color of [ink.color, paper.backgroundColor]) {
        context.fillStyle = color;
        context.fillRect(0, 0, 1, 1);
        const [red, green, blue] = [...context.getImageData(0, 0, 1, 1).data]
            .map(byte => byte / 255)
            .map(share => share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4);
        pixels.push(0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
    }
    return Math.max(...pixels) / Math.min(...pixels);
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_warnings_can_be_read_on_any_page(open_narrow: Callable[..., Page], tmp_path: Path, scheme: str) -> None:
    write_run(tmp_path, "a", [3, 2, math.nan])
    page = open_narrow()
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.reload()
    page.locator(f".tbwidget[data-theme={scheme}]").wait_for()
    assert page.locator(".tbwidget-not-finite").first.evaluate(CONTRAST) >= 4.5


def test_the_menus_of_the_runs_stand_beside_their_count(open_narrow: Callable[..., Page], tmp_path: Path) -> None:
    for run in range(12):
        write_run(tmp_path, f"run{run}", [3, 2, 1])
    page = open_narrow(headline_tag="")
    menus = page.locator(".tbwidget-runs-menus")
    before = menus.bounding_box()
    assert page.evaluate(ROWS, ".tbwidget-runs-head :is(.tbwidget-all, button)") == 1
    page.locator(".tbwidget-runs li[data-run] input").first.click()
    expect(page.locator(".tbwidget-all")).to_have_text("Runs11/12")
    assert menus.bounding_box() == before


def test_marks_without_room_are_glyphs_that_say_the_same(open_narrow: Callable[..., Page], tmp_path: Path) -> None:
    tags = ("rate", "loss/validation_of_a_data_set_of_a_long_name")
    falling = [2 * math.exp(-step / 100) for step in range(300)]
    for run in ("spoilt", "calm", "quiet"):
        write_run(tmp_path, run, [*falling, *([math.inf, *[math.nan] * 50] if run == "spoilt" else [])], tags)
    write_run(tmp_path, "diverged", [*falling, *[10.0 * step for step in range(60)]], tags)
    page = open_narrow()
    header = page.locator(".tbwidget-card-header").first
    dots = header.locator(".tbwidget-fitted-marks > [data-glyph]")
    expect(dots).to_have_count(2)
    expect(dots.first).to_have_text("50 NaN, 1 +∞")
    expect(dots.first).to_have_attribute("title", "spoilt: 50 NaN, 1 +∞, at steps 300 \u2013 350")
    assert header.evaluate(OUTSIDE) == []
    shown = "dot => getComputedStyle(dot, '::after').content"
    assert dots.first.evaluate(shown) == "none"
    # Stacked dots spread below the pointer.
    header.locator(".tbwidget-fitted-marks").hover()
    dots.first.hover()
    assert "50 NaN, 1 +∞" in dots.first.evaluate(shown)
    # The card's buttons appear under the pointer.
    assert header.evaluate(OUTSIDE) == []
    dots.nth(1).focus()
    assert "ended in NaN, diverged" in dots.nth(1).evaluate(shown)
    # The header says in words, at any width, that outliers are cut, and nothing overflows it.
    page.locator(".tbwidget-cut-offer").first.click()
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement.blur()")
    expect(header.locator("b", has_text="show all")).to_be_visible()
    assert header.evaluate(OUTSIDE) == []
    page.set_viewport_size({"width": 2_000, "height": 700})
    expect(dots).to_have_count(0)
    expect(header.locator("[tabindex] [tabindex]")).to_have_count(0)


HEADER_TITLE = """header => {
    const name = header.querySelector('h4 .tbwidget-elided > span') ?? header.querySelector('h4');
    return name.scrollWidth <= name.clientWidth;
}"""

HEADER = """header => {
    const isCut = one => one !== null && one.scrollWidth > one.clientWidth;
    const value = header.querySelector('.tbwidget-card-value');
    const marks = [...header.querySelectorAll('.tbwidget-fitted-marks > *')];
    return {
        title: !isCut(header.querySelector('h4 .tbwidget-elided > span') ?? header.querySelector('h4')),
        value: value.scrollHeight <= value.clientHeight && value.clientWidth > 0,
        words: marks.filter(one => one.dataset.glyph === undefined).length, marks: marks.length,
    };
}"""


def test_marks_give_way_to_the_value_and_the_value_to_the_title(
    open_narrow: Callable[..., Page], tmp_path: Path
) -> None:
    tag = "b/gradient_norm_total_all"
    write_run(tmp_path, "a", [*(1 / (1 + step) for step in range(60)), *[math.inf] * 20, *[math.nan] * 20], (tag,))
    page = open_narrow()
    header = page.locator(".tbwidget-card-header").first
    found = []
    for width in (250, 290, 364, 560):
        header.evaluate("(header, width) => { header.parentElement.style.width = `${width}px`; }", width)
        page.wait_for_timeout(200)
        state: Any = header.evaluate(HEADER)
        assert state["title"] or not state["value"], width
        assert state["value"] or state["words"] == 0, width
        found.append(state)
    assert [state["title"] for state in found[1:]] == [True] * 3
    assert [state["value"] for state in found[1:]] == [True] * 3
    assert found[-1]["words"] == found[-1]["marks"] > 1


def test_marks_without_room_for_dots_are_stacked(open_narrow: Callable[..., Page], tmp_path: Path) -> None:
    tag = "train/a_long_loss_name_of_something"
    values = [1e6 if step == 20 else math.exp(-step / 20) for step in range(90)]
    rows = [event(1.7e9 + i, i, simple(tag, math.nan if i > 78 else value)) for i, value in enumerate(values)]
    again = [event(1.7e9 + 90 + i, i, simple(tag, math.exp(-i / 20))) for i in range(60, 70)]
    version = event(1.7e9, version="brain.Event:2")
    write(tmp_path / "logs" / "a" / NAME, version, *rows[:70], *again, *rows[70:])
    page = open_narrow()
    header = page.locator(".tbwidget-card-header").first
    header.evaluate("header => { header.parentElement.style.width = '311px'; }")
    marks = header.locator(".tbwidget-fitted-marks")
    expect(marks).to_have_attribute("data-stacked", "")
    dots = marks.locator("[data-glyph]")
    expect(dots).to_have_count(4)
    assert marks.evaluate("marks => marks.offsetWidth") <= 16
    assert header.evaluate(HEADER)["title"]
    # Each still says what it means.
    dots.last.focus()
    boxes = [dot.bounding_box() or {"x": 0.0} for dot in dots.all()]
    assert len({box["x"] for box in boxes}) == 4
    for dot in dots.all():
        dot.hover()
        assert (dot.get_attribute("data-glyph") or "-") in dot.evaluate(
            "dot => getComputedStyle(dot, '::after').content"
        )


def test_the_buttons_of_a_narrow_card_leave_the_title_its_room(
    open_narrow: Callable[..., Page], tmp_path: Path
) -> None:
    write_run(tmp_path, "a", [3, 2, 1], ("block0/attn/k/max_abs",))
    page = open_narrow()
    card = page.locator(".tbwidget-card").first
    header = card.locator(".tbwidget-card-header")
    texts = header.locator(".tbwidget-label-icon + span")
    card.hover()
    icons = header.locator(".tbwidget-label-icon")
    expect(icons.first).to_be_hidden()
    header.evaluate("header => { header.parentElement.style.width = '290px'; }")
    expect(icons.first).to_be_visible()
    expect(header.get_by_role("button")).to_have_count(5)
    for name in ("Chart axes", "Save"):
        button = header.get_by_role("button", name=name, exact=True)
        expect(button).to_have_attribute("title", re.compile("."))
    widths = "buttons => buttons.map(one => one.offsetWidth)"
    assert all(24 <= width <= 30 for width in header.get_by_role("button").evaluate_all(widths))
    page.wait_for_timeout(200)
    assert header.evaluate(HEADER_TITLE)
    expect(texts).to_have_text(["Chart axes ▾", "Save ▾"])


def test_a_run_that_flattens_the_others_is_cut_on_demand(open_narrow: Callable[..., Page], tmp_path: Path) -> None:
    falling = [2 * math.exp(-step / 100) for step in range(300)]
    for run in ("a", "b", "c"):
        write_run(tmp_path, run, falling)
    write_run(tmp_path, "diverged", [*falling, *[10.0 * step for step in range(60)]])
    page = open_narrow()
    card = page.locator(".tbwidget-card").first
    cuts = card.locator(".tbwidget-cut")
    offer = card.get_by_role("button", name="diverged flattens the others · show them")
    expect(offer).to_have_attribute("title", re.compile("^diverged ends at 590\n"))
    expect(cuts).to_have_count(0)
    offer.click()
    expect(offer).to_have_count(0)
    expect(cuts.first).to_have_text("590")
    undo = card.get_by_role("button", name="diverged is beyond the axis · show all")
    expect(undo).to_contain_text("show all")
    assert card.locator(".tbwidget-card-header").evaluate(OUTSIDE) == []
    undo.press("Enter")
    expect(cuts).to_have_count(0)
    # The value at the edge includes it as well.
    offer.press("Enter")
    cuts.first.click()
    expect(offer).to_be_visible()
    expect(undo).to_have_count(0)


def test_the_offer_to_cut_a_run_has_room_for_its_name(open_narrow: Callable[..., Page], tmp_path: Path) -> None:
    falling = [2 * math.exp(-step / 100) for step in range(300)]
    for run in ("a", "b", "c"):
        write_run(tmp_path, run, falling)
    run = "diverged_after_a_long_while"
    write_run(tmp_path, run, [*falling, *[10.0 * step for step in range(60)]])
    name = open_narrow().locator(".tbwidget-cut-offer .tbwidget-cut-subject > :first-child").first
    expect(name).to_have_text(run)
    assert name.evaluate("name => [name, ...name.children].every(one => one.scrollWidth <= one.clientWidth)")


NEWS_GAP = """news => {
    const text = document.createRange();
    text.selectNodeContents(news.firstElementChild);
    const [words, own] = [text.getBoundingClientRect(), news.getBoundingClientRect()];
    const isShown = words.top < own.bottom - 2 && own.width > 4;
    return isShown ? news.nextElementSibling.getBoundingClientRect().left - Math.min(words.right, own.right) : null;
}"""
"""CSS pixels between the words beside the state and the next element; null where the words are hidden."""


SHOWN_NAMES = """names => names.map(name => {
    const { content } = getComputedStyle(name, '::before');
    return name.dataset.cut === undefined ? name.textContent : JSON.parse(content.replace(/ \\/ ""$/, ''));
})"""
"""The visible texts of names that may be cut."""


def test_a_cut_name_keeps_its_end_and_is_read_whole(open_narrow: Callable[..., Page], tmp_path: Path) -> None:
    tag = "accuracy_of_the_larger_set_of_the_two/validation"
    write_run(tmp_path, "a", [1.234567e-9, 9.876543e-9], (tag,))
    write_run(tmp_path, "b", [1.234567e-8, 9.876543e-8], (tag,))
    page = open_narrow()
    name = page.locator(".tbwidget-card-header h4 .tbwidget-elided")
    expect(name).to_have_attribute("data-cut", re.compile("^accuracy.+…validation$"))
    before = name.get_attribute("data-cut") or ""
    page.set_viewport_size({"width": WIDTH + MARGINS - 12, "height": 700})
    expect(name).not_to_have_attribute("data-cut", before)
    [shown] = name.evaluate_all(SHOWN_NAMES)
    assert shown.endswith("…validation")
    assert len(shown) < len(before)
    assert page.locator(".tbwidget-card-header").first.aria_snapshot().startswith(f'- heading "{tag}" [level=4]\n')


def test_the_inner_folders_of_a_cut_name_stay_in_sight(open_narrow: Callable[..., Page], tmp_path: Path) -> None:
    tags = [f"layer/attention_of_several_heads/{part}/gradient_norm_of_all" for part in ("key", "value")]
    write_run(tmp_path, "a", [1.234567e-9, 9.876543e-9], (*tags, "layer/mlp"))
    write_run(tmp_path, "b", [1.234567e-8, 9.876543e-8], (*tags, "layer/mlp"))
    page = open_narrow()
    names = page.locator(".tbwidget-card-header h4 .tbwidget-elided[data-cut]")
    expect(names).to_have_count(2)
    for shown, part in zip(names.evaluate_all(SHOWN_NAMES), ("key", "value"), strict=True):
        assert shown.startswith("…")
        assert shown.endswith(f"{part}/gradient_norm_of_all")


def test_runs_are_told_apart_where_their_names_do_not_fit(open_narrow: Callable[..., Page], tmp_path: Path) -> None:
    runs = [f"run_lr{rate}_seed{seed}" for rate in ("0.01", "0.02") for seed in (0, 1)]
    for run in runs:
        write_run(tmp_path, run, [3, 2, 1])
    page = open_narrow()
    names = page.locator(".tbwidget-runs li .tbwidget-run-name")
    expect(names).to_have_text([f"…{run.removeprefix('run_')}" for run in runs])
    assert names.evaluate_all("names => names.every(one => one.scrollWidth <= one.clientWidth)")


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_state_keeps_clear_of_the_divider_beside_it(
    open_narrow: Callable[..., Page], tmp_path: Path, language: str
) -> None:
    write_run(tmp_path, "a", [3, 2, 1])
    write(tmp_path / "logs" / "b" / NAME, event(1.7e9, 1, histogram("weights", [1, 2], [3, 4])))
    page = open_narrow(language=language)
    gaps = set()
    for width in range(WIDTH, 1_400, 60):
        page.set_viewport_size({"width": width + MARGINS, "height": 700})
        gaps.add(page.locator(".tbwidget-news").evaluate(NEWS_GAP))
    gaps.discard(None)
    assert gaps
    assert min(gaps) >= 11


def test_runs_never_read_alike_where_their_names_are_cut(open_narrow: Callable[..., Page], tmp_path: Path) -> None:
    # The names differ between their beginning and end, and some others share both with them.
    starts = ("24_10-11-12", "24_10-48-05", "25_22-11-12", "26_10-11-12")
    runs = [f"Nov{start}_node-{node}.cluster" for start in starts for node in (4, 17)]
    for run in runs:
        write_run(tmp_path, run, [3, 2, 1])
    page = open_narrow()
    names = page.locator(".tbwidget-runs li .tbwidget-run-name")
    expect(names).to_have_count(len(runs))
    page.wait_for_function("names => names.some(one => one.textContent.includes('…'))", arg=names.element_handles())
    assert len(set(names.all_inner_texts())) == len(runs)
    assert names.evaluate_all("names => names.every(one => one.scrollWidth <= one.clientWidth)")
    titles = page.locator(".tbwidget-runs li label").evaluate_all("all => all.map(one => one.title.split('\\n')[0])")
    assert titles == sorted(runs, key=lambda run: [int(part) for part in re.findall(r"\d+", run)])


def test_values_in_the_list_of_runs_are_rounded_to_their_room(open_narrow: Callable[..., Page], tmp_path: Path) -> None:
    for run, last in (("a", -0.0069123), ("b", -1.2345e-10)):
        write_run(tmp_path, run, [0.5, last])
    page = open_narrow()
    values = page.locator(".tbwidget-runs li .tbwidget-headline-value")
    expect(values).to_have_text(["\N{MINUS SIGN}0.00691", "\N{MINUS SIGN}1.2e-10"])
    assert values.evaluate_all("values => values.every(one => one.scrollWidth <= one.clientWidth)")
    expect(values.first).to_have_attribute("title", "\N{MINUS SIGN}0.006912")


def test_a_name_has_the_room_of_a_value_that_has_none(open_narrow: Callable[..., Page], tmp_path: Path) -> None:
    for run, last in (("a", -0.0069123), ("b", -0.0015234)):
        write_run(tmp_path, run, [0.5, last], ("train/policy_gradient_loss", "rate"))
    page = open_narrow()
    name = page.locator(".tbwidget-card-header h4").first
    expect(name).to_have_text("train/policy_gradient_loss")
    # Marks are fitted in the frame after their width changed.
    page.wait_for_function(
        "() => [...document.querySelectorAll('.tbwidget-card-header h4 span')]"
        ".every(one => one.scrollWidth <= one.clientWidth || one.clientWidth === 0)"
    )


def test_a_chart_in_the_whole_window_has_the_controls_of_its_panel(
    open_narrow: Callable[..., Page], tmp_path: Path
) -> None:
    write_run(tmp_path, "a", [3, 2, 1])
    page = open_narrow()
    page.locator(".tbwidget-card").first.hover()
    page.get_by_role("button", name="Fill the window").first.click()
    dialog = page.get_by_role("dialog", name="loss/train")
    dialog.get_by_role("button", name="Smooth 0.6").click()
    dialog.get_by_role("combobox", name="Smoothing").select_option("none")
    dialog.get_by_role("button", name="Relative").click()
    dialog.get_by_role("toolbar").get_by_role("button", name="View", exact=True).click()
    dialog.get_by_text("Run names at line ends").wait_for()
    for _ in range(2):
        page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    page.get_by_role("button", name="Not smoothed").wait_for()
    expect(page.get_by_role("button", name="Relative")).to_have_attribute("aria-pressed", "true")
