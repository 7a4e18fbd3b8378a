"""TensorBoard's layouts of custom scalars open as such, live; a damaged layout harms nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

import tbwidget
from tbwidget.proto import plugins_pb2 as pb
from tests.browser.cells import hold
from tests.support.eventfiles import NAME, event, plugin, simple, strings, write

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.chromium import Chromium
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer

SHOW = """
import tbwidget
from tensorboardX import SummaryWriter
from IPython.display import display
display(tbwidget.Dashboard("custom-runs", panel="custom_scalars", height=900))
"""

WRITE = """
with SummaryWriter("custom-runs/live") as writer:
    for step in range(30):
        for tag in ("loss/train", "loss/later"):
            writer.add_scalar(tag, 1 / (1 + step), step)
"""

TAGS = ["Loss/x", "high", "loss/train", "low", "my loss/x", "value", "x" * 40]

CARDS = """
return Object.fromEntries([...document.querySelectorAll('.tbwidget [data-panel=custom_scalars]')].map(card =>
    [card.querySelector('h4').textContent, card.dataset.tags ?? card.querySelector('p').textContent]));
"""


def lines(title: bytes, *tags: bytes) -> pb.Chart:
    return pb.Chart(title=title, multiline=pb.MultilineChartContent(tag=tags))


def layout() -> bytes:
    series = pb.MarginChartContent.Series(value=b"value", lower=b"low", upper=b"high")
    margin = pb.Chart(title=b"margin", margin=pb.MarginChartContent(series=[series]))
    charts = [
        lines(b"losses", b"loss/(?:.*)"),
        margin,
        lines(b"broken", b"("),
        lines(b"slow", b"(x+x+)+y"),
    ]
    folded = pb.Category(title=b"folded", chart=[lines(b"inside", b"value", b"low")], closed=True)
    data: bytes = pb.Layout(category=[pb.Category(title=b"first", chart=charts), folded]).SerializeToString()
    return data


def write_runs(server: JupyterServer) -> None:
    for run, data in (("bad", b"\xff\xff"), ("good", layout())):
        config = strings("custom_scalars__config__", plugin("custom_scalars"), data, shape=())
        events = [
            event(1.7e9 + step, step, *(simple(tag, i + 1 / (1 + step)) for i, tag in enumerate(TAGS)))
            for step in range(20)
        ]
        write(
            server.root / "custom-runs" / run / NAME,
            event(1.7e9, version="brain.Event:2"),
            event(1.7e9, 0, config),
            *events,
        )


def test_layouts_of_custom_scalars_open_as_such(server: JupyterServer, open_notebook: Open) -> None:
    write_runs(server)
    server.write_notebook("custom.ipynb", [SHOW, WRITE + hold("custom")])
    notebook = open_notebook("custom.ipynb")
    notebook.run_cell(0)
    shown = {
        "losses": '["loss/train"]',
        "margin": '["value","low","high"]',
        "broken": "(: unclosed (",
        "slow": "stopped after taking too long",
    }
    wait = f"""
        const shown = (() => {{{CARDS}}})();
        return JSON.stringify(Object.keys(shown)) === JSON.stringify(Object.keys(arg))
            && Object.keys(arg).every(title => shown[title].includes(arg[title]));
    """
    notebook.wait(wait, arg=shown)
    notebook.page.get_by_text("bad: ").first.wait_for()
    section = notebook.page.locator(".tbwidget [data-section=folded]")
    section.get_by_role("button", expanded=False).click()
    notebook.wait(wait, arg={**shown, "inside": '["value","low"]'})

    # New data that matches a chart appears in it while the cell runs.
    notebook.start_cell(1)
    notebook.wait(wait, arg={**shown, "losses": '["loss/later","loss/train"]', "inside": '["value","low"]'})
    notebook.wait("return document.querySelector('.tbwidget [data-panel=custom_scalars]').dataset.lastStep === '29'")

    # The tooltip of a margin shows its lower and upper end.
    plot = notebook.page.locator(".tbwidget [data-tags*=low]").first.locator("[role=group][aria-roledescription]").first
    left, top, width, height = notebook.area(plot)
    notebook.page.mouse.move(left + width / 2, top + height / 2)
    notebook.page.get_by_role("tooltip").get_by_text("3.091 \N{EN DASH} 1.091").first.wait_for()
    assert notebook.busy(1)
    notebook.release("custom")
    notebook.end_of_cell(1)
    assert notebook.errors == []


def test_a_card_is_one_stop_of_the_tab_key(chromium: Chromium, tmp_path: Path) -> None:
    charts = pb.Category(title=b"all", chart=[lines(b"one", b"value"), lines(b"two", b"low")])
    data = pb.Layout(category=[charts]).SerializeToString()
    config = strings("custom_scalars__config__", plugin("custom_scalars"), data, shape=())
    events = [event(1.7e9 + step, step, simple("value", step), simple("low", -step)) for step in range(9)]
    write(tmp_path / "logs" / "run" / NAME, event(1.7e9, 0, config), *events)
    tbwidget.export_html(tmp_path / "logs", tmp_path / "page.html", panel="custom_scalars")
    context = chromium.context((900, 700), 1)
    page = context.new_page()
    page.goto((tmp_path / "page.html").as_uri())
    one, two = (page.locator(".tbwidget-main .tbwidget-card").filter(has_text=title) for title in ("one", "two"))
    expect(one).to_have_attribute("data-last-step", "8")
    one.focus()
    page.keyboard.press("Tab")
    expect(two).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(one).to_be_focused()
    page.keyboard.press("Enter")
    expect(one.locator(".tbwidget-plot-area")).to_be_focused()
    page.keyboard.press("Tab")
    expect(one.locator(".tbwidget-card-header button").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(one).to_be_focused()
    context.close()


HOSTILE = """
import tbwidget
board = tbwidget.Dashboard("hostile-layout", height=900)
board
"""


def test_expressions_of_a_layout_hold_up_no_filter_of_the_user(server: JupyterServer, open_notebook: Open) -> None:
    charts = [lines(b"bad %d" % n, b"(a+)+N%d$" % n) for n in range(400)]
    charts.insert(2, lines(b"good", b"(?:loss/){1}.*"))
    data = pb.Layout(category=[pb.Category(title=b"all", chart=charts)]).SerializeToString()
    config = strings("custom_scalars__config__", plugin("custom_scalars"), data, shape=())
    tags = ["a" * 40, "loss/train", "other"]
    events = [event(1.7e9 + step, step, *(simple(tag, step) for tag in tags)) for step in range(9)]
    begin = event(1.7e9, version="brain.Event:2")
    write(server.root / "hostile-layout" / "run" / NAME, begin, event(1.7e9, 0, config), *events)
    server.write_notebook("hostile-layout.ipynb", [HOSTILE])
    notebook = open_notebook("hostile-layout.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_last_steps(dict.fromkeys(tags, "8"))
    notebook.page.get_by_role("tab", name="Custom").click()
    shown = f"const shown = (() => {{{CARDS}}})(); return "
    notebook.wait(f"{shown} shown['bad 0'] !== undefined")
    # The filter applies while the layout's first expressions are still being tried.
    notebook.page.get_by_role("tab", name="Scalars").click()
    notebook.page.get_by_role("searchbox", name="Filter tags").fill("(?:l|o)oss")
    notebook.wait("return document.querySelectorAll('.tbwidget [data-panel=scalars]').length === 1")
    notebook.page.get_by_role("searchbox", name="Filter tags").fill("")
    notebook.page.get_by_role("tab", name="Custom").click()
    notebook.wait(f"{shown} shown['good'] === arg", arg='["loss/train"]')
    notebook.wait(
        f"{shown} shown['bad 1'].includes('stopped after taking too long') && shown['bad 99'].includes('not tried')"
    )
    assert (
        notebook.js(
            f"{shown} Object.values(shown).filter(text => text.includes('stopped after taking too long')).length"
        )
        == 3
    )
    assert notebook.errors == []


HUGE = """
import tbwidget
board = tbwidget.Dashboard("huge-layout", panel="custom_scalars", height=900)
board
"""


def test_a_layout_of_very_many_charts_is_shown_part_by_part(server: JupyterServer, open_notebook: Open) -> None:
    charts = [lines(b"chart %d" % number, b"loss/%d$" % number) for number in range(20_000)]
    data = pb.Layout(category=[pb.Category(title=b"all", chart=charts)]).SerializeToString()
    config = strings("custom_scalars__config__", plugin("custom_scalars"), data, shape=())
    events = [event(1.7e9 + step, step, simple("loss/0", step)) for step in range(20)]
    write(server.root / "huge-layout" / "run" / NAME, event(1.7e9, 0, config), *events)
    server.write_notebook("huge-layout.ipynb", [HUGE])
    notebook = open_notebook("huge-layout.ipynb")
    notebook.run_cell(0)
    notebook.wait("return document.querySelector('.tbwidget [data-panel=custom_scalars]')?.dataset.lastStep === '19'")
    cards = notebook.page.locator(".tbwidget [data-panel=custom_scalars]")
    expect(cards).to_have_count(120)
    expect(notebook.page.locator(".tbwidget [data-section=all] h3")).to_contain_text("20\u202f000")
    notebook.page.get_by_role("button", name="120 more").click()
    expect(cards).to_have_count(240)
    assert notebook.errors == []
