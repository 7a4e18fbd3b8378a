"""Accessibility: rules of WCAG, keys, targets for fingers, names, high contrast, reduced motion."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Literal

import pytest
from playwright.sync_api import expect

from tests.browser.access_page import PANELS, Access, write, write_marks, write_scrolled
from tests.browser.page import LAYER

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer

SHOW = """
import tbwidget
from IPython.display import display
board = tbwidget.Dashboard("accessible")
display(board)
"""


def opened(server: JupyterServer, open_notebook: Open, name: str, logs: str = "accessible") -> Access:
    """Show a dashboard of every kind of data."""
    if not (server.root / logs).exists():
        write(server.root / logs)
        write_marks(server.root / logs)
    server.write_notebook(name, [SHOW.replace("accessible", logs)])
    notebook = open_notebook(name)
    notebook.run_cell(0)
    notebook.wait_for_state("idle", "live")
    access = Access(notebook)
    access.show("scalars")
    return access


def assert_none(found: dict[str, list[str]]) -> None:
    """Fail with all findings, each with the first place where it was found."""
    places = {finding: where for where, findings in reversed(found.items()) for finding in findings}
    assert not places, "\n".join(f"{where}: {finding}" for finding, where in places.items())


@pytest.mark.own_window
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(server: JupyterServer, open_notebook: Open, theme: Literal["light", "dark"]) -> None:
    access = opened(server, open_notebook, f"axe-{theme}.ipynb")
    notebook, root, keyboard = access.notebook, access.root, access.notebook.page.keyboard
    notebook.theme(theme)
    found: dict[str, list[str]] = {}
    for panel in PANELS:
        access.show(panel)
        found[panel] = access.findings()
        for menu in access.menus(panel):
            found[menu] = access.findings(".tbwidget-popover")
    access.show("text")
    for tag, shown in {"data": "[role=tree]", "headings": "h3[aria-level='5']"}.items():
        root.locator(f".tbwidget-card[data-tag^={tag}]").scroll_into_view_if_needed()
        root.locator(f".tbwidget-text {shown}").first.scroll_into_view_if_needed()
        found[f"text, {shown}"] = access.findings()
    for sheet, key in {"palette": "Control+k", "help": "?"}.items():
        root.locator(".tbwidget-card").first.press(key)
        root.locator("dialog:modal").wait_for()
        found[sheet] = access.findings("dialog:modal")
        keyboard.press("Escape")
        root.locator("dialog:modal").wait_for(state="detached")
    for panel, button in {
        "scalars": "Fill the window",
        "images": "Open the image of",
        "meshes": "Open the mesh of",
        "projector": "Fill the window",
        "graphs": "Fill the window",
        "text": "Maximize the dashboard",
    }.items():
        access.show(panel)
        root.get_by_role("button", name=button).first.dispatch_event("click")
        root.locator(LAYER).wait_for()
        found[f"{panel}, in the full window"] = access.findings(LAYER)
        keyboard.press("Escape")
        root.locator(LAYER).wait_for(state="detached")
    assert_none(found)
    assert notebook.errors == []


def test_targets_are_large_enough(server: JupyterServer, open_notebook: Open) -> None:
    access = opened(server, open_notebook, "targets.ipynb")
    root = access.root
    found: dict[str, list[str]] = {}
    for panel in PANELS:
        access.show(panel)
        found[panel] = access.small_targets()
        for menu in access.menus(panel):
            found[menu] = access.small_targets(".tbwidget-popover-list")
    # Controls that appear under the pointer.
    access.show("scalars")
    root.locator(".tbwidget-card").first.hover()
    found["card"] = access.small_targets()
    root.locator("[data-run]").first.hover()
    found["run"] = access.small_targets()
    access.show("graphs")
    root.locator("[data-node]").first.click()
    root.locator(".tbwidget-graph-info").wait_for()
    root.locator("[data-node][aria-expanded]").first.hover()
    found["selected box"] = access.small_targets(".tbwidget-graph-area")
    root.get_by_role("searchbox", name="Search nodes").fill("s")
    root.locator(".tbwidget-graph-hits li").first.wait_for()
    found["search"] = access.small_targets(".tbwidget-graph-hits")
    access.show("text")
    cards = root.locator("[data-panel=text]")
    for number in range(cards.count()):
        cards.nth(number).locator(".tbwidget-text").first.hover()
        found[f"text {number}"] = access.small_targets()
    root.locator("[data-panel=text][data-tag^=notes]").get_by_role("button", name="compare").last.dispatch_event(
        "click"
    )
    root.locator(".tbwidget-comparison select").first.wait_for()
    found["compared texts"] = access.small_targets()
    assert_none(found)
    access.show("projector")
    expect(root.locator(".tbwidget-projector-runs button")).to_have_count(2)


# The contrast of a control's border to the background around it.
_CONTRASTS = """
const luminance = color => {
    const [r, g, b] = color.match(/[\\d.]+/g).map(Number).map(part => part / 255)
        .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ground = luminance(getComputedStyle(document.querySelector('.tbwidget')).backgroundColor);
const controls = '.tbwidget :is(.tbwidget-button, .tbwidget-select, .tbwidget-segments button, input.tbwidget-filter,'
    + ' input[type=number], input[type=checkbox]:not(:checked))';
return [...document.querySelectorAll(controls)].filter(control => control.checkVisibility()).map(control => {
    const border = luminance(getComputedStyle(control).borderTopColor);
    return (Math.max(border, ground) + 0.05) / (Math.min(border, ground) + 0.05);
});
"""


@pytest.mark.own_window
def test_borders_of_controls_stand_out(server: JupyterServer, open_notebook: Open) -> None:
    access = opened(server, open_notebook, "borders.ipynb")
    for theme in ("light", "dark"):
        access.notebook.theme(theme)
        for panel in ("scalars", "histograms", "images"):
            access.show(panel)
            contrasts: list[float] = access.notebook.js(_CONTRASTS)
            assert len(contrasts) > 5
            assert min(contrasts) >= 3, (theme, panel)


def test_names_are_short_and_read_out_once(server: JupyterServer, open_notebook: Open) -> None:
    access = opened(server, open_notebook, "names.ipynb")
    own: list[str] = access.notebook.js(
        "return [...document.querySelectorAll('.tbwidget [data-run]')].map(({ dataset }) => dataset.run)"
    )
    found = {}
    tags: list[str] = []
    for panel in PANELS:
        access.show(panel)
        tags = access.notebook.js(
            "return [...document.querySelectorAll('.tbwidget [data-tag]')].map(({ dataset }) => dataset.tag)"
        )
        if panel == "scalars":
            marks = access.notebook.card("marked").locator("abbr")
            expect(marks).to_have_count(5)
        found[panel] = access.long_names([*own, *filter(None, tags)]) + access.doubled_names()
    for query in ("", "projection", "threshold"):
        access.root.locator(".tbwidget-card").first.press("Control+k")
        access.root.locator("dialog:modal").get_by_role("combobox").fill(query)
        found[f"palette, {query}"] = access.long_names([*own, *filter(None, tags)])
        access.notebook.page.keyboard.press("Escape")
    assert_none(found)
    # Buttons are no part of a heading's name.
    access.show("scalars")
    # The state is read out when it changes; until then only its button has the word.
    words = [node["name"]["value"] for node in access.nodes() if node["role"]["value"] == "StaticText"]
    assert words.count("Up to date") == 1
    # The box of a run has its name, and the text beside the box is silent.
    assert words.count("baseline") == 0
    assert {heading.inner_text() for heading in access.root.locator("h3").all()} == {"forecast\n3"}


def test_a_card_is_one_stop_and_enter_goes_in(server: JupyterServer, open_notebook: Open) -> None:
    access = opened(server, open_notebook, "stops.ipynb")
    notebook, keyboard = access.notebook, access.notebook.page.keyboard
    stops = access.stops()
    cards = [stop["card"] for stop in stops if stop["card"] is not None]
    assert all(stop["is_card"] for stop in stops if stop["card"] is not None)
    assert len(cards) == len(set(cards)) == 9
    assert len(stops) <= 40
    runs = notebook.js("return document.querySelector('.tbwidget-runs [data-run]').dataset.run")
    assert [stop["name"] for stop in stops].count(runs) == 1, "the list of runs is one stop"

    # Into a card and out again.
    notebook.card(cards[-1]).focus()
    focused = access.focused()
    assert focused is not None
    assert focused["is_card"]
    assert focused["card"] == cards[-1]
    keyboard.press("Enter")
    inside = []
    while (focused := access.focused()) is not None and focused["card"] == cards[-1]:
        assert not focused["is_card"]
        inside.append(focused["name"])
        keyboard.press("Tab")
    assert inside[0] == cards[-1], "the chart comes first, and is called as its tag"
    assert inside[-1].startswith("Pin")
    assert len(inside) >= 4
    keyboard.press("Shift+Tab")
    assert access.focused() == {"name": cards[-1], "card": cards[-1], "is_card": True}

    # Keys of the chart keep their meaning; Escape ends what they show, then leaves the card.
    keyboard.press("Enter")
    keyboard.press("Tab")
    keyboard.press("Shift+Tab")
    keyboard.press(".")
    notebook.page.get_by_role("tooltip").wait_for()
    keyboard.press("Escape")
    notebook.page.get_by_role("tooltip").wait_for(state="detached")
    assert access.focused() == {"name": cards[-1], "card": cards[-1], "is_card": False}
    keyboard.press("Escape")
    assert access.focused() == {"name": cards[-1], "card": cards[-1], "is_card": True}

    # In the full window, Escape leaves only that.
    keyboard.press("Enter")
    notebook.card(cards[-1]).get_by_role("button", name="Fill the window").press("Enter")
    dialog = access.root.locator("dialog:modal")
    dialog.wait_for()
    keyboard.press("Tab")
    keyboard.press("Escape")
    dialog.wait_for(state="detached")
    focused = access.focused()
    assert focused is not None
    assert focused["name"] == "Fill the window"
    assert notebook.errors == []


# Whether each element that scrolls in a card is a stop or has one, while the focus is in the card.
_SCROLLED = """
const card = document.activeElement.closest('.tbwidget-card');
return [...card.querySelectorAll('*')].filter(element => /auto|scroll/.test(getComputedStyle(element).overflow)
        && (element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight))
    .map(element => [element, ...element.querySelectorAll('*')].some(one => one.tabIndex >= 0));
"""


@pytest.mark.own_window
def test_what_scrolls_in_a_card_is_a_stop_only_while_the_focus_is_in_it(
    server: JupyterServer, open_notebook: Open
) -> None:
    # For axe such an element must be a stop at any time, as it does not know that Enter opens a card.
    write(server.root / "scrolled")
    write_scrolled(server.root / "scrolled")
    access = opened(server, open_notebook, "scrolled-stops.ipynb", "scrolled")
    notebook, root, keyboard = access.notebook, access.root, access.notebook.page.keyboard
    # The controls of a projector scroll in this window.
    notebook.resize(1200, 600)
    scrolled = {}
    for panel in PANELS:
        access.show(panel)
        if panel == "text":
            config = root.locator(".tbwidget-card[data-tag^=config]")
            config.scroll_into_view_if_needed()
            config.get_by_role("button", name="differences").dispatch_event("click")
            config.locator("table").wait_for()
        elif panel == "projector":
            # The run with the most controls.
            root.locator(".tbwidget-projector-runs button").last.click()
        cards = [stop["card"] for stop in access.stops() if stop["card"] is not None]
        assert len(cards) == len(set(cards)), (panel, cards)
        for tag in cards:
            card = root.locator(f".tbwidget-card[data-tag={json.dumps(tag)}]")
            card.focus()
            keyboard.press("Enter")
            scrolled[panel, tag] = notebook.js(_SCROLLED)
            visited = 0
            while (focused := access.focused()) is not None and focused["card"] == tag and not focused["is_card"]:
                keyboard.press("Tab")
                visited += 1
                assert visited < 80, f"no way out of {tag}"
            # Back into the closed card.
            keyboard.press("Shift+Tab")
            focused = access.focused()
            assert focused is not None
            assert focused["is_card"], tag
            assert focused["card"] == tag
    assert all(all(stops) for stops in scrolled.values()), scrolled
    assert {tag.split("/")[0] for (panel, tag), stops in scrolled.items() if panel == "text" and stops} >= {
        "config",
        "wide code",
        "wide table",
    }
    assert any(stops for (panel, _), stops in scrolled.items() if panel == "projector"), scrolled
    assert notebook.errors == []


def test_a_graph_is_one_stop_and_its_run_is_checked(server: JupyterServer, open_notebook: Open) -> None:
    access = opened(server, open_notebook, "graph-stop.ipynb")
    notebook, keyboard = access.notebook, access.notebook.page.keyboard
    access.show("graphs")
    notebook.wait("return document.querySelector('.tbwidget [data-node]') !== null")
    shown = notebook.js("return [...document.querySelectorAll('.tbwidget [data-shown]')].map(row => row.dataset.run)")
    radios = "return [...document.querySelectorAll('.tbwidget-runs [type=radio]:checked')]"
    assert len(shown) == 1
    assert notebook.js(f"{radios}.map(radio => radio.closest('[data-run]').dataset.run)") == shown

    assert [stop["is_card"] for stop in access.stops() if stop["card"] is not None] == [True]
    card = access.root.locator(".tbwidget-card")
    card.focus()
    role = "return document.activeElement.getAttribute('role')"
    keyboard.press("Enter")
    assert notebook.js(role) == "treeitem"
    keyboard.press("Tab")
    assert access.focused() == {"name": "Fit", "card": "__run_graph__", "is_card": False}
    keyboard.press("Shift+Tab")
    assert notebook.js(role) == "treeitem"
    keyboard.press("Shift+Tab")
    assert card.evaluate("card => card === document.activeElement")
    # Escape leaves the drawing, where nothing in it is selected.
    keyboard.press("Enter")
    keyboard.press("Escape")
    assert card.evaluate("card => card === document.activeElement")
    assert notebook.errors == []


# How controls show their state where the user has chosen all colors; whether the first chart has lines in colors.
_FORCED = """
const style = (selector, part) => getComputedStyle(document.querySelector('.tbwidget ' + selector), part);
const canvas = document.querySelector('.tbwidget-plot canvas');
const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
let colored = 0;
for (let i = 0; i < data.length; i += 4) {
    colored += data[i + 3] > 200 && Math.max(...data.slice(i, i + 3)) - Math.min(...data.slice(i, i + 3)) > 60 ? 1 : 0;
}
return {
    tab: style('[role=tab][aria-selected=true]').outlineStyle,
    other_tab: style('[role=tab][aria-selected=false]').outlineStyle,
    pressed: style('.tbwidget-segments [aria-pressed=true]').outlineStyle,
    checked: style('.tbwidget-runs [data-run] input', '::before').backgroundColor
        !== style('.tbwidget-runs [data-run] input').backgroundColor,
    bordered: ['.tbwidget-button', '.tbwidget-card', '.tbwidget-filter'].every(selector =>
        style(selector).borderTopColor !== style('.tbwidget-main').backgroundColor
        && style(selector).borderTopStyle === 'solid'),
    chart: colored > 100,
};
"""


@pytest.mark.own_window
def test_states_are_seen_in_forced_colors(server: JupyterServer, open_notebook: Open) -> None:
    access = opened(server, open_notebook, "forced.ipynb")
    notebook = access.notebook
    for scheme in ("dark", "light"):
        notebook.page.emulate_media(forced_colors="active", color_scheme=scheme)
        notebook.steady("return document.querySelector('.tbwidget-plot canvas').toDataURL().length")
        assert notebook.js(_FORCED) == {
            "tab": "solid",
            "other_tab": "none",
            "pressed": "solid",
            "checked": True,
            "bordered": True,
            "chart": True,
        }
        access.root.locator(".tbwidget-card").first.press("Shift+Tab")
        notebook.page.keyboard.press("Tab")
        focus = "const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);"
        assert notebook.js(f"{focus} return [outlineStyle, parseFloat(outlineWidth) >= 2]") == ["solid", True]


# Count the pixels of each canvas that have the system's text color, and those in a gray of the theme.
_TEXTS = """
const probe = document.body.appendChild(document.createElement('p'));
probe.style.color = 'CanvasText';
const system = getComputedStyle(probe).color.match(/\\d+/g).map(Number);
probe.remove();
const grays = [0x61, 0xb0].map(part => [part, part, part]);
return [...document.querySelectorAll('.tbwidget .tbwidget-main canvas')].filter(one => one.width > 0).map(canvas => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const count = wanted => data.reduce((sum, alpha, i) => sum + (i % 4 === 3 && alpha > 250
        && wanted.some(color => color.every((part, j) => Math.abs(part - data[i - 3 + j]) < 3)) ? 1 : 0), 0);
    return { system: count([system]), gray: count(grays) };
});
"""


@pytest.mark.own_window
def test_texts_of_charts_have_the_system_color_in_forced_colors(server: JupyterServer, open_notebook: Open) -> None:
    access = opened(server, open_notebook, "forced-texts.ipynb")
    notebook = access.notebook

    def emulate(forced: str, scheme: str) -> None:
        features = [{"name": "forced-colors", "value": forced}, {"name": "prefers-color-scheme", "value": scheme}]
        notebook.devtools.send("Emulation.setEmulatedMedia", {"features": features})

    for panel in ("scalars", "histograms", "pr_curves", "hparams"):
        access.show(panel)
        for forced, scheme in (("none", "light"), ("active", "dark"), ("active", "light"), ("none", "light")):
            emulate(forced, scheme)
            # Drawn again at once, though nothing else has changed.
            found = notebook.steady(_TEXTS)
            system, gray = (sum(one[color] for one in found) for color in ("system", "gray"))
            # The edges of letters also have other colors.
            is_right = system > 30 and system > 5 * gray if forced == "active" else gray > 10
            assert is_right, (panel, forced, scheme, found)
    # Saved pictures have the colors and the background of their theme.
    emulate("active", "dark")
    for panel, text in (("scalars", "#b0b0b0"), ("histograms", "#b0b0b0"), ("graphs", "rgb(224,224,224)")):
        access.show(panel)
        notebook.sleep(0.5)
        with notebook.page.expect_download() as saved:
            access.root.locator(".tbwidget-toolbar .tbwidget-save-menu button").first.click()
            notebook.page.get_by_role("button", name="Save as SVG").first.click()
        picture = saved.value.path().read_text("utf-8")
        assert "rgb(30,30,30)" in picture
        assert text in picture
        assert "rgb(0,0,0)" not in picture
    # The check boxes of the runs have become radio buttons, and the chosen one is checked.
    expect(access.root.get_by_role("radio", name="baseline", exact=True)).to_be_checked()
    assert notebook.errors == []


@pytest.mark.own_window
def test_nothing_moves_with_reduced_motion(server: JupyterServer, open_notebook: Open) -> None:
    access = opened(server, open_notebook, "motion.ipynb")
    moving = """
        return [...document.querySelectorAll('.tbwidget, .tbwidget *')].flatMap(element =>
            [undefined, '::before', '::after'].map(part => getComputedStyle(element, part))
                .filter(style => parseFloat(style.transitionDuration) > 0 || parseFloat(style.animationDuration) > 0)
                .map(() => element.className));
    """
    access.show("audio")
    assert access.notebook.js(moving) != [], "else this would find nothing"
    access.notebook.page.emulate_media(reduced_motion="reduce")
    for panel in PANELS:
        access.show(panel)
        assert access.notebook.js(moving) == [], panel
    access.root.get_by_role("button", name="Expand all").click()
    access.notebook.steady("return [...document.querySelectorAll('[data-node]')].map(box => box.style.transform)")


_ANNOUNCEMENTS = """
const seen = [];
window.testAnnounced = seen;
const LIVE = '[aria-live]:not([aria-live=off]), [role=status], [role=alert], output:not([role])';
new MutationObserver(records => {
    for (const { target, addedNodes } of records) {
        const element = target.nodeType === 3 ? target.parentElement : target;
        const live = element?.closest(LIVE);
        if (live?.closest('.tbwidget')) seen.push(live.textContent);
        for (const node of addedNodes) if (node.matches?.(LIVE)) seen.push(node.textContent);
    }
}).observe(document.querySelector('.tbwidget'), { childList: true, subtree: true, characterData: true });
"""

_TRAIN = """
import time
from tensorboardX import SummaryWriter
with SummaryWriter("announced/run") as writer:
    for step in range(30):
        writer.add_scalar("loss", 1 / (step + 1), step)
        writer.add_scalar("accuracy", step / 30, step)
        writer.flush()
        time.sleep(0.2)
"""


def test_updates_are_not_announced(server: JupyterServer, open_notebook: Open) -> None:
    show = SHOW.replace("accessible", "announced")
    begin = _TRAIN.replace("range(30)", "range(1)")
    server.write_notebook("announced.ipynb", [begin, show, _TRAIN])
    notebook = open_notebook("announced.ipynb")
    notebook.run_cell(0)
    notebook.run_cell(1)
    notebook.wait_for_last_steps({"loss": "0"})
    notebook.js(_ANNOUNCEMENTS)
    notebook.run_cell(2)
    notebook.wait_for_last_steps({"loss": "29"})
    announced: list[str] = notebook.js("return window.testAnnounced")
    # The state changes to busy, live or idle are announced; each of 30 updates is not.
    assert len(announced) <= 6, announced
