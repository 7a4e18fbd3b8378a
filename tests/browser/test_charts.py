"""Behavior of every chart: touch, another screen, zoom that stays, keys that read values out, colors of any theme."""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError
from playwright.sync_api import expect

from tests.browser.pointers import Touch
from tests.support.eventfiles import NAME, event, histogram, simple, write

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator

    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

SHOW = """
import tbwidget
from IPython.display import display
board = tbwidget.Dashboard("charts-runs", x_axis="wall", smoothing=0)
display(board)
"""

TAGS = [f"group{i:02}/loss" for i in range(20)]
PLOT = "[role=group][aria-roledescription]"


@pytest.fixture
def notebook(server: JupyterServer, open_notebook: Open, request: pytest.FixtureRequest) -> NotebookPage:
    """A dashboard over wall time, where each card has its own zoom."""
    for run in range(3):
        events = []
        for step in range(0, 60, 2):
            values = [simple(tag, step / 60 + run) for tag in TAGS]
            values += [histogram("weights", [0, 1, 2], [0, step + 1, 5])] if step % 10 == 0 else []
            events.append(event(1.7e9 + step, step, *values))
        write(server.root / "charts-runs" / f"run{run}" / NAME, event(1.7e9, version="brain.Event:2"), *events)
    name = request.node.name.split("[")[0]
    cells = [SHOW, "board.linked_step", "board.x_axis = 'step'", "board.histogram_mode = 'heatmap'"]
    cells += ["board.histogram_mode = 'offset'"]
    server.write_notebook(f"{name}.ipynb", cells)
    page = open_notebook(f"{name}.ipynb")
    page.run_cell(0)
    page.wait_for_last_steps({TAGS[0]: "58"})
    # It is drawn as soon as the first of the runs has been read.
    page.wait_for_state("idle", "live")
    return page


def card(notebook: NotebookPage, tag: str) -> Locator:
    return notebook.page.locator(f'.tbwidget [data-tag="{tag}"]')


def box_of(locator: Locator) -> dict[str, float]:
    locator.scroll_into_view_if_needed()
    box = locator.bounding_box()
    assert box is not None
    return {"x": box["x"], "y": box["y"], "width": box["width"], "height": box["height"]}


def wait_for_zoom(notebook: NotebookPage, tag: str, *, zoomed: bool) -> None:
    """Wait until the card has a button that shows all again, or until it has none."""
    reset = card(notebook, tag).get_by_role("button", name="reset")
    reset.wait_for(state="attached" if zoomed else "detached")


def drag(notebook: NotebookPage, tag: str) -> None:
    box = box_of(card(notebook, tag).locator(PLOT))
    mouse = notebook.page.mouse
    mouse.move(box["x"] + box["width"] * 0.3, box["y"] + box["height"] * 0.5)
    mouse.down()
    mouse.move(box["x"] + box["width"] * 0.7, box["y"] + box["height"] * 0.5, steps=4)
    mouse.up()


PICTURE = "return document.querySelector(`.tbwidget [data-tag='${arg}'] canvas`)?.toDataURL()"

IS_AS_BEFORE = "return (() => {" + PICTURE.replace("arg", "arg[0]") + "})() === arg[1]"
DIFFERS = IS_AS_BEFORE.replace("===", "!==")


def picture_of(notebook: NotebookPage, tag: str) -> str:
    """Return the pixels of a chart, once it no longer changes."""
    found: str = notebook.steady(PICTURE, tag)
    return found


def test_zoom_survives_scrolling_away_and_another_tab(notebook: NotebookPage) -> None:
    drag(notebook, TAGS[0])
    wait_for_zoom(notebook, TAGS[0], zoomed=True)
    notebook.page.mouse.move(2, 2)
    before = picture_of(notebook, TAGS[0])
    notebook.scroll_to(TAGS[-1])
    notebook.wait(f"return (() => {{{PICTURE}}})() === undefined", arg=TAGS[0])
    notebook.scroll_to(TAGS[0])
    notebook.wait(IS_AS_BEFORE, arg=[TAGS[0], before])
    notebook.page.get_by_role("tab", name="Histograms", exact=True).click()
    card(notebook, "weights").locator("canvas").wait_for()
    notebook.page.get_by_role("tab", name="Scalars", exact=True).click()
    notebook.wait(IS_AS_BEFORE, arg=[TAGS[0], before])
    wait_for_zoom(notebook, TAGS[1], zoomed=False)
    card(notebook, TAGS[0]).get_by_role("button", name="reset").click()
    wait_for_zoom(notebook, TAGS[0], zoomed=False)
    assert notebook.errors == []


SIZES = """
const canvas = document.querySelector('.tbwidget canvas');
const { width, height } = canvas.getBoundingClientRect();
return [canvas.width - width * arg, canvas.height - height * arg].every(off => Math.abs(off) < 1)
"""


def test_another_screen_gets_pixels_of_its_own(notebook: NotebookPage) -> None:
    for first, ratio in ((1380, 2), (1390, 1.5), (1400, 1)):
        # The emulation reports a new screen to the page only together with a new size, and not always then.
        for width in range(first, first + 8):
            notebook.rescale(ratio, width)
            with contextlib.suppress(PlaywrightTimeoutError):
                notebook.wait(SIZES, 5, ratio)
                break
        else:
            pytest.fail(f"the canvas did not follow a screen of {ratio} device pixels a CSS pixel")
    card(notebook, TAGS[0]).evaluate("card => { card.style.width = '233.3px'; }")
    notebook.wait(SIZES, arg=1)
    assert notebook.errors == []


def repeat_until(notebook: NotebookPage, gesture: Callable[[], None], body: str, arg: Any) -> None:
    """Repeat a gesture until it has its effect: on a busy machine a finger may rest so long that it is a long press."""
    for _ in range(4):
        gesture()
        with contextlib.suppress(PlaywrightTimeoutError):
            notebook.wait(body, 5, arg)
            return
    gesture()
    notebook.wait(body, arg=arg)


def test_two_fingers_zoom_one_moves_and_scrolls(notebook: NotebookPage) -> None:
    fingers = Touch(notebook.page)
    box = box_of(card(notebook, TAGS[0]).locator(PLOT))
    x, y, width = box["x"], box["y"] + box["height"] / 2, box["width"]
    fingers.drag([(x + 0.4 * width, y), (x + 0.6 * width, y)], [(x + 0.1 * width, y), (x + 0.9 * width, y)])
    wait_for_zoom(notebook, TAGS[0], zoomed=True)
    before = picture_of(notebook, TAGS[0])

    def move() -> None:
        fingers.drag([(x + 0.5 * width, y)], [(x + 0.2 * width, y)])

    repeat_until(notebook, move, DIFFERS, [TAGS[0], before])
    # A tap points; a drag up or down scrolls.
    fingers.tap((x + 0.3 * width, y))
    notebook.page.get_by_role("tooltip").wait_for()
    scrolled = "return document.querySelector('.tbwidget-main').scrollTop"
    at = notebook.js(scrolled)

    def scroll() -> None:
        fingers.drag([(x + 0.5 * width, y)], [(x + 0.5 * width, y - 132)])

    repeat_until(notebook, scroll, f"return (() => {{{scrolled}}})() > arg", at)
    assert notebook.errors == []


def test_keys_lead_from_point_to_point_and_are_read_out(notebook: NotebookPage) -> None:
    notebook.run_cell(2)
    plot = card(notebook, TAGS[0]).locator(PLOT)
    plot.focus()
    press = notebook.page.keyboard.press
    spoken = notebook.page.locator(".tbwidget [aria-live=polite]")
    for key, step in ((".", "0"), (".", "2"), ("Shift+ArrowRight", "4"), (",", "2")):
        press(key)
        tooltip = notebook.page.get_by_role("tooltip")
        tooltip.wait_for()
        expect(plot).to_have_attribute("aria-describedby", tooltip.get_attribute("id") or "")
        expect(spoken).to_have_text(re.compile(rf"^Step {step}\b.*run2: 2", re.DOTALL))
    press("Enter")
    notebook.wait_for_linked("2")
    press("Escape")
    notebook.page.get_by_role("tooltip").wait_for(state="detached")
    expect(plot).not_to_have_attribute("aria-describedby", re.compile(""))
    # On every tab, keys start from the step that is pointed out.
    press(",")
    expect(spoken).to_have_text(re.compile(r"^Step 0\b"))
    for _ in range(3):
        press("ArrowRight")
        press("-")
    # Keys never leave the range of the data.
    expect(notebook.page.locator(".tbwidget-chip")).to_have_count(0)
    notebook.wait_for_linked("2")
    for tab in ("Histograms", "Distributions"):
        notebook.page.get_by_role("tab", name=tab, exact=True).click()
        plot = card(notebook, "weights").locator(PLOT).first
        plot.focus()
        press(".")
        notebook.page.get_by_role("tooltip").wait_for()
        expect(spoken).to_have_text(re.compile(r"^Step 10\b"))
    assert notebook.errors == []


def test_a_click_does_not_keep_the_buttons_of_a_card(notebook: NotebookPage) -> None:
    notebook.run_cell(2)
    one = card(notebook, TAGS[0])
    one.locator(PLOT).click()
    buttons = one.locator(".tbwidget-card-buttons")
    expect(buttons).to_have_css("opacity", "1")
    notebook.page.mouse.move(0, 0)
    expect(buttons).to_have_css("opacity", "0")
    one.locator(PLOT).focus()
    notebook.page.keyboard.press("Shift+Tab")
    expect(buttons).to_have_css("opacity", "1")


LISTENERS = """
window.testListened = 0;
for (const target of [document, window, document.body]) {
    const original = target.addEventListener;
    target.addEventListener = function (...given) {
        // What the page itself listens to, now and then, does not count.
        window.testListened += new Error().stack.includes('blob:');
        return original.apply(this, given);
    };
}
"""


def test_no_plot_listens_to_the_page(notebook: NotebookPage) -> None:
    # The first hint listens until it ends. If another test has seen it, none appears.
    card(notebook, TAGS[0]).locator(PLOT).hover()
    notebook.sleep(1)
    notebook.js(LISTENERS)
    notebook.page.get_by_role("tab", name="Histograms", exact=True).click()
    card(notebook, "weights").locator(PLOT).nth(2).wait_for()
    notebook.page.get_by_role("tab", name="Scalars", exact=True).click()
    # The plot below the pointer listens to the keys: none is to come there.
    notebook.page.mouse.move(1, 1)
    notebook.scroll_to(TAGS[0])
    notebook.scroll_to(TAGS[-1])
    assert notebook.js("return window.testListened") == 0
    notebook.js("for (const target of [document, window, document.body]) delete target.addEventListener")


def test_alt_and_the_wheel_zoom_in_a_page_without_focus(notebook: NotebookPage) -> None:
    notebook.js("document.hasFocus = () => false")
    box = box_of(card(notebook, TAGS[0]).locator(PLOT))
    place = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    notebook.page.mouse.move(place["x"], place["y"])
    session = notebook.page.context.new_cdp_session(notebook.page)
    scrolled = "return document.querySelector('.tbwidget-main').scrollTop"
    before = notebook.js(scrolled)

    def turn(delta: float) -> None:
        wheel: dict[str, Any] = {"type": "mouseWheel", "deltaX": 0, "deltaY": delta, "modifiers": 1, **place}
        session.send("Input.dispatchMouseEvent", wheel)

    turn(-200)
    wait_for_zoom(notebook, TAGS[0], zoomed=True)
    for _ in range(8):
        turn(300)
        notebook.sleep(0.05)
    # Zooming out ends with all of the data.
    wait_for_zoom(notebook, TAGS[0], zoomed=False)
    assert notebook.js(scrolled) == before
    assert notebook.errors == []
    notebook.js("delete document.hasFocus")


# The color of most pixels of the first canvas; null where the canvas is transparent.
_COLORS = """
const canvas = document.querySelector('.tbwidget [data-tag=weights] canvas');
const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
let dark = 0, painted = 0;
for (let i = 0; i < data.length; i += 4) {
    painted += data[i + 3] > 200;
    dark += data[i + 3] > 200 && data[i] + data[i + 1] + data[i + 2] < 60;
}
return painted > 0 ? dark / painted : 1;
"""


def test_a_theme_may_name_its_colors_in_any_way(notebook: NotebookPage) -> None:
    for color in ("oklch(0.98 0.01 100)", "color(srgb 0.97 0.98 1)", "transparent"):
        style = f":root, body, body * {{ --jp-layout-color1: {color}; }}"
        added = notebook.page.add_style_tag(content=f"{style} .tbwidget-card {{ background: none !important; }}")
        notebook.page.get_by_role("tab", name="Histograms", exact=True).click()
        notebook.scroll_to("weights")
        ridges = picture_of(notebook, "weights")
        assert notebook.js(_COLORS) < 0.1, f"ridges are painted on black paper where it is {color}"
        notebook.run_cell(3)
        notebook.wait(DIFFERS, arg=["weights", ridges])
        picture_of(notebook, "weights")
        assert notebook.js(_COLORS) < 0.6
        assert notebook.errors == []
        added.evaluate("style => style.remove()")
        notebook.page.get_by_role("tab", name="Scalars", exact=True).click()
        notebook.run_cell(4)


def test_a_lost_canvas_is_drawn_again(notebook: NotebookPage) -> None:
    before = picture_of(notebook, TAGS[0])
    notebook.js(
        "const canvas = document.querySelector(`.tbwidget [data-tag='${arg}'] canvas`);"
        "canvas.getContext('2d').clearRect(0, 0, canvas.width, canvas.height);"
        "canvas.dispatchEvent(new Event('contextrestored'))",
        TAGS[0],
    )
    notebook.wait(IS_AS_BEFORE, arg=[TAGS[0], before])


def test_a_hidden_chart_is_drawn_when_it_is_shown(notebook: NotebookPage) -> None:
    before = picture_of(notebook, TAGS[0])
    hide = "document.querySelectorAll('.tbwidget-plot').forEach(plot => { plot.style.display = arg ? 'none' : ''; })"
    notebook.js(hide, arg=True)
    notebook.run_cell(2)
    notebook.sleep(0.3)
    assert notebook.js(PICTURE, TAGS[0]) == before
    notebook.js(hide, arg=False)
    notebook.wait(DIFFERS, arg=[TAGS[0], before])
    assert notebook.errors == []
