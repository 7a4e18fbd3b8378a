"""Ridges as they are drawn, and the slider that steps through them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tbwidget.proto.summary_pb2 import HistogramProto, Summary
from tests.browser.cells import hold
from tests.browser.test_histograms import SHOW, wait_for_cards
from tests.support.eventfiles import NAME, event, histogram, write

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

# For each column of a plot, the number of pixels that are not background, fractional by color; null where a grid line
# is.
_AREAS = """
const card = document.querySelector('.tbwidget [data-panel="histograms"]');
const canvas = card.querySelector('canvas');
const over = card.querySelector('[role=group][aria-roledescription]');
const paper = getComputedStyle(card.querySelector('.tbwidget-plot')).backgroundColor.match(/\\d+/g).map(Number);
const [left, top, width, height] = [over.offsetLeft, over.offsetTop, over.offsetWidth, over.offsetHeight];
const { data } = canvas.getContext('2d').getImageData(left, top, width, height);
const away = (x, y) => {
    const i = 4 * (y * width + x);
    const seen = channel => data[i + 3] / 255 * data[i + channel] + (1 - data[i + 3] / 255) * paper[channel];
    return [0, 1, 2].reduce((sum, channel) => sum + Math.abs(seen(channel) - paper[channel]), 0);
};
const columns = Array.from({ length: width }, (_, x) => Array.from({ length: height }, (_, y) => away(x, y)));
const full = Math.max(...columns.map(column => column[height - 1]));
return columns.map(column => column[0] > 3 ? null : column.reduce((sum, part) => sum + Math.min(1, part / full), 0));
"""


# A pixel has only 255 shades: the browser rounds to one when it draws, and to another one when the pixel is read.
_SHADES = 2 / 255


def test_the_drawn_area_of_each_bin_is_its_count(server: JupyterServer, open_notebook: Open) -> None:
    folder = server.root / "areas"
    folder.mkdir()
    edges = [0.0, 1.0, 1.5, 3.5, 4.0, 6.9, 8.0]
    counts = [30_000.0, 4_000.0, 2_200.0, 90_000.0, 200.0, 22.0]
    histo = HistogramProto(min=0, max=8, bucket_limit=edges, bucket=[0.0, *counts])
    events = [event(1.7e9, version="brain.Event:2"), event(1.7e9, 3, Summary.Value(tag=b"w", histo=histo))]
    (folder / NAME).write_bytes(b"".join(events))
    options = 'ignore_outliers=False, bins="written"'
    show = SHOW.format(view="HistogramsView", folder="areas").replace('")\n', f'", {options})\n', 1)
    server.write_notebook("areas.ipynb", [show, 'board.bins = "even"', "print(board.bins)"])
    notebook = open_notebook("areas.ipynb")
    notebook.run_cell(0)
    wait_for_cards(notebook, "histograms", 1)
    areas: list[float | None] = notebook.steady(_AREAS)
    # All bins are visible, with a margin of 2 % on either side.
    first, last = edges[0] - 0.02 * 8, edges[-1] + 0.02 * 8
    column = (last - first) / len(areas)
    tallest = max(area for area in areas if area is not None)
    for i, count in enumerate(counts):
        low, high = ((edge - first) / column for edge in edges[i : i + 2])
        inside = [area for area in areas[int(low) + 1 : int(high)] if area is not None]
        assert len(inside) > 5
        wanted = tallest * (count / (edges[i + 1] - edges[i])) / (90_000 / 0.5)
        assert abs(sum(inside) / len(inside) - wanted) <= max(0.01 * wanted, _SHADES), (i, wanted, inside)
    assert sum(area for area in areas[: int((0 - first) / column)] if area is not None) < 1e-9
    # The visible range is 8.32: 0.2 is the round bin width that gives at most 42 bins.
    notebook.run_cell(1)
    notebook.wait(
        f"return JSON.stringify((() => {{{_AREAS}}})()) !== arg", arg=json.dumps(areas, separators=(",", ":"))
    )
    areas = notebook.steady(_AREAS)
    width = 0.2
    spread = {
        start * width: sum(
            count * max(0.0, min(high, start * width + width) - max(low, start * width)) / (high - low)
            for low, high, count in zip(edges, edges[1:], counts, strict=False)
        )
        for start in range(40)
    }
    most = max(spread.values())
    tallest = max(area for area in areas if area is not None)
    for start, count in spread.items():
        low, high = ((edge - first) / column for edge in (start, start + width))
        inside = [area for area in areas[int(low) + 1 : int(high)] if area is not None]
        wanted = tallest * count / most
        assert abs(sum(inside) / len(inside) - wanted) <= max(0.01 * wanted, _SHADES), (start, wanted, inside)
    notebook.page.get_by_role("button", name="Axes", exact=True).click()
    notebook.page.get_by_role("button", name="As logged", exact=True).click()
    notebook.wait_for_output(2, "written")
    assert notebook.errors == []


# The highlighted step, next to the slider; empty while the newest is followed.
_STEP = """
const entry = document.querySelector('.tbwidget-step-player:not([data-free]) .tbwidget-step-entry');
return entry?.value.replaceAll('\u202f', '') ?? '';
"""


def wait_for_step(notebook: NotebookPage, step: str) -> None:
    """Wait until all charts highlight this step; empty for none."""
    notebook.wait(f"return (() => {{{_STEP}}})() === arg", arg=step)


def test_the_slider_reaches_every_step_and_requests_missing_ones(server: JupyterServer, open_notebook: Open) -> None:
    folder = server.root / "slider"
    folder.mkdir()
    limits = [float(i) for i in range(1, 401)]
    events = [
        event(
            1.7e9 + step,
            10 * step,
            Summary.Value(
                tag=b"w",
                histo=HistogramProto(
                    min=0, max=400, bucket_limit=limits, bucket=[float((i * step) % 200 + 1) for i in range(400)]
                ),
            ),
        )
        for step in range(1500)
    ]
    (folder / NAME).write_bytes(event(1.7e9, version="brain.Event:2") + b"".join(events))
    cells = [SHOW.format(view="HistogramsView", folder="slider"), hold("slider"), "print(board.linked_step)"]
    server.write_notebook("slider.ipynb", cells)
    notebook = open_notebook("slider.ipynb")
    notebook.run_cell(0)
    held = "parseInt(document.querySelector('.tbwidget-marks')?.textContent.replaceAll('\u202f', '') ?? '0')"
    notebook.wait(f"return {held} === 376")
    slider = notebook.page.get_by_role("slider", name="Step of all cards")
    # The slider follows the charts on the screen.
    notebook.wait("return document.querySelector('.tbwidget-step-control input').max === '14990'")
    slider.press("Home")
    wait_for_step(notebook, "0")
    notebook.wait(f"return {held} > 376")  # the neighborhood of the step, with nothing left out
    before = notebook.js(f"return {held}")
    for key, step in (("ArrowRight", 10), ("ArrowRight", 20), ("ArrowLeft", 10), ("PageUp", 110)):
        slider.press(key)
        wait_for_step(notebook, str(step))
    slider.press("End")
    wait_for_step(notebook, "")
    box: Any = slider.bounding_box()
    slider.click(position={"x": box["width"] / 2, "y": box["height"] / 2})
    notebook.wait(f"return {held} !== {before}")
    # It continues while the kernel is busy.
    notebook.start_cell(1)
    notebook.wait("return running(cells[1])")
    notebook.wait(f"return (() => {{{_STEP}}})() !== ''")
    chosen = int(notebook.js(_STEP))
    assert chosen % 10 == 0
    slider.press("PageDown")
    assert notebook.busy(1)
    wait_for_step(notebook, str(chosen - 100))
    notebook.release("slider")
    notebook.end_of_cell(1)
    notebook.wait_for_output(2, str(chosen - 100))
    slider.press("Delete")
    wait_for_step(notebook, "")
    assert notebook.errors == []


def test_keys_name_hidden_mass_of_each_step_while_the_kernel_is_busy(
    server: JupyterServer, open_notebook: Open
) -> None:
    usual = histogram("gradients", [0.01], [1000.0], least=-0.01)
    # Step 50 has 28.7 % far below the axis, which is shown; step 70 has 0.4 % far above it, which is not.
    odd = {
        50: histogram("gradients", [-0.9, -0.01, 0.01], [287.0, 0.0, 713.0], least=-1.0),
        70: histogram("gradients", [0.01, 50.0, 51.0], [996.0, 0.0, 4.0], least=-0.01),
    }
    events = [event(1.7e9 + step, step, odd.get(step, usual)) for step in range(0, 100, 10)]
    write(server.root / "beyond" / NAME, event(1.7e9, version="brain.Event:2"), *events)
    server.write_notebook("beyond.ipynb", [SHOW.format(view="Dashboard", folder="beyond"), hold("beyond")])
    notebook = open_notebook("beyond.ipynb")
    notebook.run_cell(0)
    wait_for_cards(notebook, "histograms", 1)
    notebook.start_cell(1)
    notebook.wait("return running(cells[1])")
    spoken = notebook.page.locator(".tbwidget [aria-live=polite]")
    press = notebook.page.keyboard.press

    def step_by(key: str, times: int = 1) -> str:
        for _ in range(times):
            press(key)
        notebook.page.get_by_role("tooltip").wait_for()
        text = spoken.inner_text()
        assert "below" not in text, "the spike is in sight"
        return text

    notebook.plot("gradients").focus()
    # The newest step is below the others.
    assert step_by("ArrowUp").startswith("Step 90,")
    assert "0.4 % above 0.5" in step_by("ArrowUp", 2)
    assert "0.4 % above 0.5" in notebook.page.get_by_role("tooltip").inner_text()
    assert step_by("ArrowUp", 2).startswith("Step 50,")
    assert "%" not in step_by("ArrowDown")
    press("Enter")
    notebook.wait_for_linked("60")
    for mode in ("Overlay", "Heat map"):
        notebook.page.get_by_role("button", name=mode, exact=True).click()
        notebook.plot("gradients").focus()
        # Keys start from the highlighted step.
        assert "0.4 % above 0.5" in step_by("ArrowDown" if mode == "Overlay" else "ArrowRight")
        press("Escape")
    labels = "return [...document.querySelectorAll('.tbwidget-at-step')].map(label => label.textContent)"
    notebook.page.get_by_role("button", name="Offset", exact=True).click()
    notebook.page.get_by_role("button", name="Clock", exact=True).click()
    notebook.wait(f"return (() => {{{labels}}})().join() === 'step 60'")
    assert beside_plot(notebook)
    notebook.page.get_by_role("button", name="Overlay", exact=True).click()
    notebook.wait(f"return (() => {{{labels}}})().join() === 'Step 60'")
    assert beside_plot(notebook)
    notebook.page.get_by_role("tab", name="Distributions", exact=True).click()
    wait_for_cards(notebook, "distributions", 1)
    notebook.plot("gradients").focus()
    assert "0.4 % above 0.5" in step_by("ArrowRight")
    assert step_by("ArrowLeft", 2).startswith("Step 50,")
    assert notebook.busy(1)
    notebook.release("beyond")
    notebook.end_of_cell(1)
    assert notebook.errors == []


def beside_plot(notebook: NotebookPage) -> bool:
    """Return whether the label of the highlighted step covers nothing of the plot."""
    found: bool = notebook.js("""
        const [label, plot] = ['.tbwidget-at-step', '.tbwidget [role=group][aria-roledescription]'].map(
            one => document.querySelector(one).getBoundingClientRect());
        return label.left >= plot.right || label.bottom <= plot.top + 1;
    """)
    return found
