"""Histograms in the browser, compared with TensorBoard: `make bench ARGS="--only histograms"`."""

from __future__ import annotations

import json
import statistics
import tempfile
import urllib.parse
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tbwidget.panels.histogram_bins import POWERS
from tbwidget.proto.summary_pb2 import HistogramProto, Summary
from tests.benchmarks import cells
from tests.benchmarks.browser import opened
from tests.support.eventfiles import NAME, event, name

if TYPE_CHECKING:
    from tests.benchmarks.page import MeasuredPage

TAGS, STEPS = 10, 1_000
SETTLE = 6.0
"""Seconds after which a page has all of its initial data."""

# The number of steps that our page shows or holds: a card says so if it has not all of them.
_HELD = """
const marks = [...document.querySelectorAll('.tbwidget [data-panel="histograms"] .tbwidget-marks')];
const partly = marks.map(mark => /([\\d\\u202f]+) of/.exec(mark.textContent)?.[1]).filter(Boolean);
return partly.length === 0 ? arg : Math.min(...partly.map(text => Number(text.replaceAll('\\u202f', ''))));
"""

# The first ridges of the card in TensorBoard's page, wherever its components keep them.
_RIDGES = """() => {
    const find = root => [...root.querySelectorAll('*')].some(
        element => (element.shadowRoot && find(element.shadowRoot))
            || (/^(tb-histogram|histogram-chart|vz-histogram-timeseries)$/i.test(element.tagName)
                && (element.shadowRoot ?? element).querySelectorAll('path[d]').length > 3));
    return find(document);
}"""


class Shown(NamedTuple):
    """Figures of a page with histograms."""

    seconds: float
    """From running the cell to the first ridge."""
    steps: int
    """Steps of a tag in the page; ours fetches the others on zooming into steps."""
    heap: float
    """Bytes of the page's JavaScript, after garbage collection."""


def write(folder: Path) -> None:
    """Write histograms as torch does: on its grid, one event for each tag and step."""
    rng = np.random.default_rng(0)
    folder.mkdir(parents=True)
    with (folder / NAME).open("wb") as file:
        file.write(event(1.7e9, version="brain.Event:2"))
        for step in range(STEPS):
            for tag in range(TAGS):
                values = rng.normal(0, 0.02 + step / 10_000, 2_000)
                counts = np.histogram(values, POWERS)[0]
                full = np.flatnonzero(counts)
                part = slice(full[0], full[-1] + 1)
                histo = HistogramProto(
                    min=values.min(),
                    max=values.max(),
                    num=len(values),
                    sum=values.sum(),
                    sum_squares=(values**2).sum(),
                    bucket_limit=POWERS[1:][part],
                    bucket=counts[part].astype(float),
                )
                file.write(event(1.7e9 + step, step, Summary.Value(tag=name(f"layer{tag}/weights"), histo=histo)))


def heap(page: MeasuredPage) -> float:
    """Return the bytes of JavaScript in the page and its frames."""
    session = page.page.context.new_cdp_session(page.page)
    session.send("HeapProfiler.collectGarbage")
    used: float = page.page.evaluate("() => performance.memory.usedJSHeapSize")
    return used


def ours(logdir: Path) -> Shown:
    """Open them in a fresh kernel."""
    with opened(["import tbwidget", f"tbwidget.HistogramsView({str(logdir)!r})"]) as page:
        page.run_cell(0)
        begun = page.start_cell_at(1)
        page.wait("return window.benchPainted.length > 0", 60)
        seconds = (page.painted()[0][0] - begun) / 1e3
        page.sleep(SETTLE)
        return Shown(seconds, page.js(_HELD, STEPS), heap(page))


def theirs(logdir: Path) -> Shown:
    """Open them with `%tensorboard`, in a fresh kernel that has loaded its extension, with a new server."""
    command = f"%tensorboard --logdir {logdir} --port 0"
    with opened(["%load_ext tensorboard", command, cells.end_tensorboard(logdir)]) as page:
        page.run_cell(0)
        begun = page.start_cell_at(1)
        try:
            at = _first_ridge(page)
            page.sleep(SETTLE)
            return Shown((at - begun) / 1e3, _steps_served(page), heap(page))
        finally:
            page.run_cell(2)


def _first_ridge(page: MeasuredPage) -> int:
    for _ in range(600):
        frame = page.frame()
        if frame is not None and frame.url.startswith("http") and frame.evaluate(_RIDGES):
            return page.now()
        page.sleep(0.1)
    raise TimeoutError("TensorBoard drew no histogram within a minute")


def _steps_served(page: MeasuredPage) -> int:
    """Return the number of steps of a tag that TensorBoard's server sends to its page."""
    frame = page.frame()
    if frame is None:
        return 0
    address = urllib.parse.urlsplit(frame.url)
    query = urllib.parse.urlencode({"run": ".", "tag": "layer0/weights"})
    url = f"{address.scheme}://{address.netloc}/data/plugin/histograms/histograms?{query}"
    with urllib.request.urlopen(url, timeout=30) as answer:
        return len(json.load(answer))


def section(repeats: int) -> None:
    """Measure and print all figures."""
    with tempfile.TemporaryDirectory() as folder:
        logdir = Path(folder) / "logs"
        write(logdir)
        pairs = [(ours(logdir), theirs(logdir)) for _ in range(repeats)]
    print(f"\n{TAGS} tags of {STEPS:,} histograms in torch's bins, medians of {repeats}")
    print(f"{'':34}{'first ridge s':>15}{'steps a tag':>13}{'heap MB':>9}")
    for text, i in (("tbwidget", 0), ("%tensorboard", 1)):
        shown = [pair[i] for pair in pairs]
        seconds = statistics.median(one.seconds for one in shown)
        used = statistics.median(one.heap for one in shown) / 1e6
        print(f"  {text:32}{seconds:15.2f}{shown[0].steps:13,}{used:9.0f}")
