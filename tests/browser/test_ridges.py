"""Ridges as they are drawn, and the slider that leads from one to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tbwidget.proto.summary_pb2 import HistogramProto, Summary
from tests.browser.test_histograms import SHOW, wait_for_cards
from tests.support.eventfiles import NAME, event

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer

# How many pixels each column of a plot is full of what is not paper, a pixel in part as far as its colour goes; null
# where a line of the grid is.
_AREAS = """
const card = document.querySelector('.tbwidget [data-panel="histograms"]');
const canvas = card.querySelector('canvas');
const over = card.querySelector('.tbwidget-over');
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


def test_the_area_drawn_of_each_bin_is_what_was_counted(server: JupyterServer, open_notebook: Open) -> None:
    folder = server.root / "areas"
    folder.mkdir()
    edges = [0.0, 1.0, 1.5, 3.5, 4.0, 7.0, 8.0]
    counts = [30_000.0, 4_000.0, 2_200.0, 90_000.0, 200.0, 22.0]
    histo = HistogramProto(min=0, max=8, bucket_limit=edges, bucket=[0.0, *counts])
    events = [event(1.7e9, version="brain.Event:2"), event(1.7e9, 3, Summary.Value(tag=b"w", histo=histo))]
    (folder / NAME).write_bytes(b"".join(events))
    show = SHOW.format(view="HistogramsView", folder="areas").replace('")\n', '", ignore_outliers=False)\n', 1)
    server.write_notebook("areas.ipynb", [show])
    notebook = open_notebook("areas.ipynb")
    notebook.run_cell(0)
    wait_for_cards(notebook, "histograms", 1)
    notebook.sleep(0.5)
    areas: list[float | None] = notebook.js(_AREAS)
    # All is in sight, with a margin of 2 % of it on either side.
    first, last = edges[0] - 0.02 * 8, edges[-1] + 0.02 * 8
    column = (last - first) / len(areas)
    tallest = max(area for area in areas if area is not None)
    for i, count in enumerate(counts):
        low, high = ((edge - first) / column for edge in edges[i : i + 2])
        inside = [area for area in areas[int(low) + 1 : int(high)] if area is not None]
        assert len(inside) > 5
        wanted = tallest * (count / (edges[i + 1] - edges[i])) / (90_000 / 0.5)
        # A pixel has 255 shades, no more.
        assert abs(sum(inside) / len(inside) - wanted) <= max(0.01 * wanted, 1 / 255), (i, wanted, inside)
    assert sum(area for area in areas[: int((0 - first) / column)] if area is not None) == 0


# The step that is pointed out, beside the slider.
_CHIP = "return document.querySelector('.tbwidget-steps .tbwidget-chip')?.textContent.replace(/\\D/g, '') ?? ''"


def test_a_step_is_reached_with_the_slider_and_asked_for_where_it_is_not_held(
    server: JupyterServer, open_notebook: Open
) -> None:
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
    cells = [SHOW.format(view="HistogramsView", folder="slider"), "import time; time.sleep(6)", "board.linked_step"]
    server.write_notebook("slider.ipynb", cells)
    notebook = open_notebook("slider.ipynb")
    notebook.run_cell(0)
    held = "parseInt(document.querySelector('.tbwidget-marks')?.textContent.replaceAll('\u202f', '') ?? '0')"
    notebook.wait(f"return {held} === 376", 20)
    slider = notebook.page.get_by_role("slider", name="Step that all charts point out")
    slider.press("Home")
    assert notebook.js(_CHIP) == "0"
    notebook.wait(f"return {held} > 376", 10)  # what is about it, with nothing left out
    before = notebook.js(f"return {held}")
    for key, step in (("ArrowRight", 10), ("ArrowRight", 20), ("ArrowLeft", 10), ("PageUp", 110), ("End", 14_990)):
        slider.press(key)
        assert notebook.js(_CHIP) == str(step)
    box: Any = slider.bounding_box()
    slider.click(position={"x": box["width"] / 2, "y": box["height"] / 2})
    notebook.wait(f"return {held} !== {before}", 10)
    # While the kernel is busy, one goes on nevertheless.
    notebook.start_cell(1)
    chosen = int(notebook.js(_CHIP))
    assert chosen % 10 == 0
    slider.press("PageDown")
    assert notebook.busy(1)
    assert notebook.js(_CHIP) == str(chosen - 100)
    notebook.end_of_cell(1, 30)
    notebook.sleep(0.6)
    assert notebook.run_cell(2) == str(chosen - 100)
    slider.press("Delete")
    assert notebook.js(_CHIP) == ""
    assert notebook.errors == []
