"""Histograms and distributions in a real notebook: live, linked by step, and whatever was written."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

from tbwidget.proto.summary_pb2 import HistogramProto, Summary
from tests.browser.cells import hold
from tests.browser.conftest import ROOT
from tests.support.corpus import CORPUS
from tests.support.eventfiles import NAME, event, name, simple

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

SHOW = """
import tbwidget
from IPython.display import display
board = tbwidget.{view}("{folder}")
display(board)
"""

BEGIN = """
import numpy as np
from tensorboardX import SummaryWriter
writer = SummaryWriter("{folder}")
rng = np.random.default_rng(0)
step = 0
"""

STEP = """
np.linalg.qr(rng.normal(size=(120, 120)))
writer.add_histogram("layer1/weights", rng.normal(0, 1 + step / 100, 1000), step)
writer.add_histogram("layer2/weights", rng.normal(0, 1, 1000), step)
step += 1
if step % 5 == 0:
    writer.flush()
    time.sleep(0.02)
"""

END = """
writer.close()
print(step)
"""

_LAST_STEPS = """
return Object.fromEntries([...document.querySelectorAll(`.tbwidget [data-panel="${arg}"]`)]
    .filter(card => card.dataset.lastStep !== undefined)
    .map(card => [card.dataset.tag, card.dataset.lastStep]))
"""

# Whether a card, drawn before, is drawn now.
_IS_DRAWN = """
return document.querySelector(`.tbwidget [data-panel="${arg[0]}"][data-tag="${arg[1]}"] canvas`) !== null
"""

# How many different colors a card's canvas shows: one, if nothing is drawn.
_COLORS = """
const canvas = document.querySelector(`.tbwidget [data-panel="${arg[0]}"][data-tag="${arg[1]}"] canvas`);
const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
return new Set(new Uint32Array(data.buffer)).size
"""


def last_steps(notebook: NotebookPage, panel: str) -> dict[str, str]:
    found: dict[str, str] = notebook.js(_LAST_STEPS, panel)
    return found


def wait_for_cards(notebook: NotebookPage, panel: str, cards: int) -> None:
    notebook.wait(
        'return document.querySelectorAll(`.tbwidget [data-panel="${arg[0]}"][data-last-step]`).length >= arg[1]',
        arg=[panel, cards],
    )


def colors(notebook: NotebookPage, tag: str) -> int:
    notebook.wait(_IS_DRAWN, arg=["histograms", tag])
    found: int = notebook.steady(_COLORS, ["histograms", tag])
    return found


def open_tab(notebook: NotebookPage, title: str) -> None:
    notebook.page.get_by_role("tab", name=title, exact=True).click()


def test_histograms_move_during_a_busy_cell_with_no_message_handled(
    server: JupyterServer, open_notebook: Open, kernel: str
) -> None:
    folder = f"histograms-{kernel}"
    train = BEGIN.replace("{folder}", folder) + hold(folder, STEP) + END
    cells = [SHOW.format(view="HistogramsView", folder=folder), train]
    server.write_notebook(f"{folder}.ipynb", cells, kernel)
    notebook = open_notebook(f"{folder}.ipynb")
    notebook.mute()
    notebook.run_cell(0)
    notebook.start_cell(1)
    seen: list[int] = []
    while len(seen) < 5:
        step = int(last_steps(notebook, "histograms").get("layer1/weights", -1))
        # A step counts only if the cell still ran after it was seen.
        assert notebook.busy(1), f"the card showed {seen} while the cell ran"
        if step >= 0 and (not seen or step != seen[-1]):
            seen.append(step)
        notebook.sleep(0.05)
    notebook.release(folder)
    steps = int(notebook.end_of_cell(1))
    assert seen == sorted(seen)
    for tag in ("layer1/weights", "layer2/weights"):
        notebook.wait(
            'return document.querySelector(`.tbwidget [data-tag="${arg[0]}"]`)?.dataset.lastStep === arg[1]',
            arg=[tag, str(steps - 1)],
        )
    assert colors(notebook, "layer1/weights") > 20
    assert notebook.errors == []


def write_both(folder: Path) -> None:
    """Two runs of scalars and histograms; histograms every ten steps."""
    folder.mkdir()
    for run in ("run1", "run2"):
        events = []
        for step in range(100):
            values = [simple("loss", 1 / (1 + step))]
            if step % 10 == 0:
                limits, counts = [-1.0, 0.0, 1.0, 2.0], [0.0, 30.0, 10.0 + step, 5.0]
                histo = HistogramProto(min=-1, max=2, num=sum(counts), bucket_limit=limits, bucket=counts)
                values += [Summary.Value(tag=name(f"layer{i}/weights"), histo=histo) for i in range(40)]
            events.append(event(1.7e9 + step, step, *values))
        (folder / run).mkdir()
        (folder / run / NAME).write_bytes(event(1.7e9, version="brain.Event:2") + b"".join(events))


def test_a_step_is_linked_through_all_panels_while_the_kernel_is_busy(
    server: JupyterServer, open_notebook: Open
) -> None:
    write_both(server.root / "linked")
    cells = [SHOW.format(view="Dashboard", folder="linked"), hold("linked"), "print(board.linked_step)"]
    server.write_notebook("linked.ipynb", cells)
    notebook = open_notebook("linked.ipynb")
    notebook.run_cell(0)
    wait_for_cards(notebook, "scalars", 1)
    notebook.start_cell(1)
    open_tab(notebook, "Histograms")
    wait_for_cards(notebook, "histograms", 2)
    assert set(last_steps(notebook, "histograms").values()) == {"90"}
    over = notebook.plot("layer0/weights")
    # The card takes the height that its plots need.
    notebook.steady("return document.querySelector('.tbwidget').getBoundingClientRect().height")
    box: Any = over.bounding_box()
    over.click(position={"x": box["width"] * 0.6, "y": box["height"] - 2})
    notebook.wait_for_linked("90")
    assert over.evaluate("over => over === document.activeElement"), "keys go elsewhere than where the click went"
    over.dblclick(position={"x": box["width"] * 0.6, "y": box["height"] - 2})
    notebook.wait_for_linked("90")
    for title, panel in (("Distributions", "distributions"), ("Scalars", "scalars")):
        open_tab(notebook, title)
        wait_for_cards(notebook, panel, 1)
        notebook.wait_for_linked("90")
    assert notebook.busy(1)
    notebook.release("linked")
    notebook.end_of_cell(1)
    notebook.wait_for_output(2, "90")
    assert notebook.errors == []


def test_controls_and_scrolling(server: JupyterServer, open_notebook: Open) -> None:
    write_both(server.root / "many-histograms")
    chosen = "print(board.histogram_mode, board.log_counts)"
    cells = [SHOW.format(view="HistogramsView", folder="many-histograms"), chosen]
    server.write_notebook("many-histograms.ipynb", cells)
    notebook = open_notebook("many-histograms.ipynb")
    notebook.run_cell(0)
    wait_for_cards(notebook, "histograms", 2)
    for tag in ("layer7/weights", "layer39/weights", "layer0/weights"):
        notebook.scroll_to(tag)
        assert colors(notebook, tag) > 5
    before = colors(notebook, "layer0/weights")
    for mode in ("Overlay", "Heat map"):
        notebook.page.get_by_role("button", name=mode, exact=True).click()
        assert colors(notebook, "layer0/weights") not in (1, before)
    card = notebook.page.locator('[data-tag="layer0/weights"]')
    card.hover()
    card.get_by_role("button", name="Log", exact=True).click()
    notebook.plot("layer0/weights").hover()
    notebook.page.get_by_role("tooltip").filter(has_text="Count").wait_for()
    notebook.wait_for_output(1, "heatmap ['layer0/weights']")
    assert notebook.errors == []


def test_zooming_into_steps_brings_those_between(server: JupyterServer, open_notebook: Open) -> None:
    folder = server.root / "long"
    folder.mkdir()
    limits = [float(i) for i in range(1, 401)]
    events = [
        event(
            1.7e9 + step,
            step,
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
    cells = [SHOW.format(view="HistogramsView", folder="long"), "board.step_range = (1000, 1040)"]
    server.write_notebook("long.ipynb", cells)
    notebook = open_notebook("long.ipynb")
    notebook.run_cell(0)
    held = "return (document.querySelector('.tbwidget-marks')?.textContent ?? '')"
    notebook.wait(f"{held}.startsWith('376 of')")
    notebook.run_cell(1)
    # Every fourth was there; now the others of these steps are, too.
    notebook.wait(f"const held = (() => {{ {held} }})(); return parseInt(held) >= 376 + 30")
    assert notebook.errors == []


AWKWARD = CORPUS / "aw_histograms/logs"
"""Awkward histograms of real writers."""

ODD = {
    "empty": ([], []),
    "zeros": ([1.0, 2.0], [0.0, 0.0]),
    "one value": ([2.0, 2.0, 1.7976931348623157e308], [0.0, 9.0, 0.0]),
    "endless": ([-1.0, 1.0, 1.7976931348623157e308], [4.0, 5.0, 6.0]),
    "no numbers": ([float("nan"), float("inf")], [1.0, float("nan")]),
    "negative": ([0.0, 1.0, 2.0], [1.0, -5.0, 0.25]),
    "huge": ([-1e300, 0.0, 1e300], [1e300, 1e-300, 1e300]),
    "many": ([float(i) for i in range(5000)], [float(i % 7) for i in range(5000)]),
    "<img src=x onerror=alert(1)>": ([0.0, 1.0], [1.0, 1.0]),
}


def test_whatever_was_written_is_drawn_without_an_error(server: JupyterServer, open_notebook: Open) -> None:
    folder = server.root / "odd"
    folder.mkdir()
    made = {
        tag: HistogramProto(
            min=limits[0] if limits else 0, max=limits[-1] if limits else 0, bucket_limit=limits, bucket=counts
        )
        for tag, (limits, counts) in ODD.items()
    }
    events = [
        event(1.7e9 + step, step, *(Summary.Value(tag=name(tag), histo=histo) for tag, histo in made.items()))
        for step in range(3)
    ]
    (folder / NAME).write_bytes(event(1.7e9, version="brain.Event:2") + b"".join(events))
    shutil.copytree(AWKWARD, folder / "corpus")
    views = ("HistogramsView", "DistributionsView")
    server.write_notebook("odd.ipynb", [SHOW.format(view=view, folder="odd") for view in views])
    notebook = open_notebook("odd.ipynb")
    for cell, panel in enumerate(("histograms", "distributions")):
        notebook.run_cell(cell)
        wait_for_cards(notebook, panel, 3)
        if panel == "histograms":
            for tag in ODD:
                notebook.scroll_to(tag)
            for mode in ("Overlay", "Heat map"):
                notebook.page.get_by_role("button", name=mode, exact=True).click()
                for tag in ODD:
                    notebook.scroll_to(tag)
        notebook.sleep(0.2)
    assert notebook.errors == []


def test_the_tutorial_runs(server: JupyterServer, open_notebook: Open) -> None:
    notebook = json.loads((ROOT / "notebooks" / "histograms.ipynb").read_text(encoding="utf-8"))
    code = [i for i, cell in enumerate(notebook["cells"]) if cell["cell_type"] == "code"]
    assert all(notebook["cells"][i]["outputs"] == [] for i in code), "outputs are stripped from committed notebooks"
    for folder in ("histograms", "xor"):
        shutil.rmtree(server.root / folder, ignore_errors=True)
    server.add_notebook("histograms.ipynb", notebook)
    page = open_notebook("histograms.ipynb")
    load, show, train, *rest = code
    for cell in (load, show):
        page.run_cell(cell)
    page.start_cell(train)
    seen: set[str] = set()
    while page.busy(train):
        seen |= {step for tag, step in last_steps(page, "histograms").items() if tag == "layer1/gradients"}
        page.sleep(0.1)
    assert len(seen) >= 10, f"the card showed {seen} while the cell ran"
    page.end_of_cell(train)
    for cell in rest[:-1]:
        page.run_cell(cell)
        wait_for_cards(page, "distributions" if cell == rest[0] else "histograms", 1)
    assert page.run_cell(rest[-1]).startswith("180 histograms, the last at step 895: 64 numbers")
    assert page.errors == []
