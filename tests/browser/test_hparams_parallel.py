"""Parallel coordinates of sessions: brushes by pointer and keys, axes moved, a preview of runs in all panels."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.cells import hold
from tests.support.eventfiles import NAME, event, simple, write
from tests.support.trials import started

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator

    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

SHOW = """
import tbwidget
board = tbwidget.Dashboard({logs!r}, panel="hparams", height=900)
board
"""


def sweep(folder: Path, sessions: int) -> None:
    """Write sessions whose accuracy follows the rate; every fourth has no momentum."""
    for place in range(sessions):
        share = place / (sessions - 1)
        hparams = {"rate": share, "kind": "ab"[place % 2]} | ({"momentum": share} if place % 4 else {})
        events = [event(1.7e9, 0, started(**hparams)), event(1.7e9 + 1, 1, simple("acc", 0.1 + share))]
        write(folder / f"trial-{place:02}" / NAME, *events)


def opened(server: JupyterServer, open_notebook: Open, name: str, sessions: int) -> tuple[NotebookPage, Locator]:
    sweep(server.root / name, sessions)
    server.write_notebook(f"{name}.ipynb", [SHOW.format(logs=name), hold(name)])
    notebook = open_notebook(f"{name}.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_state("idle", "live")
    notebook.start_cell(1)
    plot = notebook.page.locator("[data-plot=parallel]")
    expect(plot).to_have_attribute("data-lines", str(sessions))
    expect(plot).to_have_attribute("data-brushed", "0")
    # The text appears a moment later, above the plot, which then moves down.
    expect(notebook.page.locator("[data-plot=importance]")).to_have_count(int(sessions >= 20))
    return notebook, plot


def brush(notebook: NotebookPage, plot: Locator, axis: str, start: float, end: float, *, release: bool = True) -> None:
    """Drag along an axis, between two shares of its height."""
    area = plot.locator(f"[data-axis-brush='{axis}']")
    area.scroll_into_view_if_needed()
    box = area.bounding_box()
    assert box is not None
    mouse = notebook.page.mouse
    across = box["x"] + box["width"] / 2
    mouse.move(across, box["y"] + box["height"] * start)
    mouse.down()
    mouse.move(across, box["y"] + box["height"] * (start + end) / 2, steps=2)
    mouse.move(across, box["y"] + box["height"] * end, steps=2)
    if release:
        mouse.up()


def see_lit(notebook: NotebookPage, plot: Locator) -> None:
    """Check that a line below the pointer lights its row in the table, until the pointer leaves it or brushes."""
    canvas = plot.locator("canvas").bounding_box()
    assert canvas is not None
    mouse, lit = notebook.page.mouse, notebook.page.locator(".tbwidget tr[data-lit]")
    tooltip = notebook.page.locator(".tbwidget-tooltip")
    for place in range(40):
        mouse.move(canvas["x"] + canvas["width"] * 0.3, canvas["y"] + canvas["height"] * (0.2 + place / 80))
        if tooltip.count() > 0:
            break
    expect(tooltip).to_contain_text("trial-")
    expect(lit).to_have_count(1)
    # No line is lit once the pointer is elsewhere, nor after a brush.
    mouse.move(0, 0)
    expect(tooltip).to_have_count(0)
    expect(lit).to_have_count(0)
    mouse.move(canvas["x"] + canvas["width"] * 0.3, canvas["y"] + canvas["height"] * (0.2 + place / 80))
    expect(lit).to_have_count(1)
    brush(notebook, plot, "metric:acc", 0, 0.5)
    expect(lit).to_have_count(0)


def axes(plot: Locator) -> list[str]:
    titles = plot.locator("[data-axis]")
    left = titles.evaluate_all("all => all.map((one) => [one.getBoundingClientRect().left, one.dataset.axis])")
    return [key for _, key in sorted(left)]


def test_brushes_preview_runs_in_all_panels(server: JupyterServer, open_notebook: Open) -> None:
    notebook, plot = opened(server, open_notebook, "previewed", 80)
    root = notebook.page.locator(".tbwidget")
    brush(notebook, plot, "hparam:momentum", 0, 0.92)  # all but the missing ones
    expect(plot).to_have_attribute("data-brushed", "60")
    brush(notebook, plot, "metric:acc", 0, 0.45)
    brushed = "Number(document.querySelector('[data-plot=parallel]').dataset.brushed)"
    notebook.wait(f"return {brushed} > 20 && {brushed} < 40")
    brush(notebook, plot, "metric:acc", 0.55, 1)  # another brush on the same axis
    notebook.wait(f"return {brushed} > 50 && {brushed} < 60")
    expect(root.locator("[data-brush]")).to_have_count(2)
    line = root.locator(".tbwidget-sessions-line")
    expect(line).to_contain_text("Other panels show the best 50 of")

    root.get_by_role("tab", name="Scalars").click()
    bar = root.locator(".tbwidget-preview")
    expect(bar).to_contain_text("Preview: the best 50 of")
    expect(root.locator("[data-run='trial-79'][data-shown]")).to_have_count(1)
    bar.get_by_role("button", name="End preview").click()
    expect(bar).to_have_count(0)

    root.get_by_role("tab", name="Hyperparameters").click()
    expect(plot).to_have_attribute("data-brushed", "0")
    brush(notebook, plot, "metric:acc", 0, 0.4, release=False)
    notebook.wait(f"return {brushed} > 20 && {brushed} < 45")
    count = notebook.steady(f"return {brushed}")
    # The plot is removed while the button is down.
    root.get_by_role("tab", name="Scalars").dispatch_event("click")
    expect(bar).to_contain_text(f"Preview: {count} sessions")
    notebook.page.mouse.up()
    bar.get_by_role("button", name=f"Show only these {count}").click()
    expect(bar).to_have_count(0)
    notebook.release("previewed")
    notebook.end_of_cell(1)
    assert notebook.errors == []


def test_axes_are_moved_flipped_and_rescaled(server: JupyterServer, open_notebook: Open) -> None:
    notebook, plot = opened(server, open_notebook, "arranged", 12)
    mouse = notebook.page.mouse
    before = axes(plot)
    assert set(before) == {"hparam:kind", "hparam:momentum", "hparam:rate", "metric:acc"}
    first = plot.locator(f"[data-axis='{before[0]}']")
    last = plot.locator(f"[data-axis='{before[-1]}']")
    first.scroll_into_view_if_needed()
    start, end = first.bounding_box(), last.bounding_box()
    assert start is not None
    assert end is not None
    mouse.move(start["x"] + 8, start["y"] + 8)
    mouse.down()
    mouse.move(end["x"] + 8, end["y"] + 8, steps=8)
    mouse.up()
    notebook.wait(f"return document.querySelectorAll('[data-axis]')[3]?.dataset.axis === {before[0]!r}")
    assert axes(plot) == [*before[1:], before[0]]
    expect(first).to_have_attribute("aria-pressed", "false")  # a drag is no click

    rate = plot.locator("[data-axis='hparam:rate']")
    rate.click()
    expect(rate).to_have_attribute("aria-pressed", "true")
    rate.press("ArrowUp")
    expect(plot).to_have_attribute("data-brushed", "3")  # the lower quarter, which has the greatest rates
    rate.press("Shift+ArrowUp")
    rate.press("Shift+ArrowUp")
    expect(plot).to_have_attribute("data-brushed", "4")
    rate.press("Delete")
    expect(plot).to_have_attribute("data-brushed", "0")
    rate.press("s")
    expect(plot.get_by_role("button", name="Scale of rate: log")).to_have_count(1)
    at = axes(plot).index("hparam:rate")
    rate.press("Shift+ArrowRight")
    expect(rate).to_be_focused()
    notebook.wait(f"return document.querySelectorAll('[data-axis]')[{at + 1}]?.dataset.axis === 'hparam:rate'")

    see_lit(notebook, plot)
    notebook.release("arranged")
    notebook.end_of_cell(1)
    assert notebook.errors == []


def test_axes_out_of_sight_are_named_at_the_edge(server: JupyterServer, open_notebook: Open) -> None:
    for place in range(4):
        hparams = {f"h{i:02}": place * i for i in range(1, 40)}
        events = [event(1.7e9, 0, started(**hparams)), event(1.7e9, 1, simple("acc", place))]
        write(server.root / "edges" / f"trial-{place}" / NAME, *events)
    server.write_notebook("edges.ipynb", [SHOW.format(logs="edges")])
    notebook = open_notebook("edges.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_state("idle", "live")
    plot = notebook.page.locator("[data-plot=parallel]")
    right, left = plot.locator("[data-edge=right]"), plot.locator("[data-edge=left]")
    expect(right).to_have_text("acc →")  # the axis of the goal
    expect(left).to_have_count(0)
    for _ in range(5):
        if right.count() > 0:
            right.click()
            notebook.steady("return document.querySelector('.tbwidget-parallel-scroll').scrollLeft")
    expect(right).to_have_count(0)
    expect(left).to_have_text(re.compile(r"^← \d+ more$"))
    expect(left).to_have_attribute("title", re.compile("^h01, h02"))
    assert notebook.errors == []
