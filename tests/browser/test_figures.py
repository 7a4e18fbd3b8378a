"""Figures of bqplot in the page: updated while a cell runs, brushed, restyled, and gone when they are closed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tbwidget.options.colors import run_color
from tests.browser.cells import COMPUTE, hold
from tests.browser.conftest import ROOT

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

WRITE = """
import time
import numpy as np
import tbwidget
from tensorboardX import SummaryWriter
first = SummaryWriter("figures-live/first", flush_secs=1)
for step in range(50):
    first.add_scalar("loss", step, step)
first.close()
step = 0
"""

SHOW = """
fig = tbwidget.figure("figures-live", "loss")
fig.marks[0].colors = ["red"]
fig.marks[0].labels = ["mine"]
fig
"""

TRAIN = f"""
if step == 0:
    writers = [SummaryWriter("figures-live/second")]
for writer in writers:
    writer.add_scalar("loss", step % 40, step)
    writer.flush()
step += 1
{COMPUTE}
time.sleep(0.02)
"""

LINES = """
return [...cells[1].outputArea.node.querySelectorAll('.curve > path.line')].map(path => path.getAttribute('d'));
"""
COLORS = """
return [...cells[1].outputArea.node.querySelectorAll('.curve > path.line')].map(path => path.style.stroke);
"""

# Does what bqplot does when a mark is brushed or clicked: it sets a trait and sends all pending changes.
TOUCH = """
const within = widget => widget._manager ? [widget] : [...widget.children()].flatMap(within);
return within(cells[1].outputArea)[0]._manager.promise.then(manager => manager.get_model(arg)).then(mark => {
  mark.set('stroke_width', 3);
  mark.save_changes();
  return null;
});
"""


NAMED = "return document.querySelector('.tbwidget-figure-name')?.textContent ?? null;"

# A point near the end of a line, in coordinates of the window.
ON_LINE = """
const line = cells[1].outputArea.node.querySelectorAll('.curve > path.line')[arg];
line.scrollIntoView({ block: 'center' });
const { x, y } = line.getPointAtLength(0.95 * line.getTotalLength()).matrixTransform(line.getScreenCTM());
return [x, y];
"""


def lines(page: NotebookPage) -> list[str]:
    found: list[str] = page.js(LINES)
    return found


def test_figures_live_and_go(server: JupyterServer, open_notebook: Open) -> None:
    selected = "print(fig.selected is not None and 0 < fig.selected[0] < fig.selected[1] < fig.marks[1].x[-1])"
    zoomed = """
ends = fig.x_scale.min, fig.x_scale.max
print(type(fig.interaction).__name__, "zoomed" if None not in ends and ends[0] < ends[1] else ends)
"""
    cells = [WRITE, SHOW, hold("figures-live", TRAIN), selected, zoomed, "fig.close()"]
    cells += ["print(fig.marks[1].model_id)", "print(fig.marks[1].stroke_width, fig.marks[1].colors)"]
    server.write_notebook("figures-live.ipynb", cells)
    page = open_notebook("figures-live.ipynb")
    page.run_cell(0)
    before = page.kernel_comms(), page.page_comms()
    page.run_cell(1)
    page.wait(f"const drawn = (() => {{{LINES}}})(); return drawn.length === 1 && drawn[0]?.length > 100")

    page.start_cell(2)
    page.wait(f"return running(cells[2]) && (() => {{{LINES}}})().length === 2")
    for _ in range(4):
        page.wait(
            f"return running(cells[2]) && (() => {{{LINES}}})()[1] !== arg && (() => {{{LINES}}})()[1]?.length > 10",
            arg=lines(page)[1],
        )
    light, dark = (f"rgb{tuple(bytes.fromhex(run_color(1, palette)[1:]))}" for palette in ("light", "dark"))
    assert page.js(COLORS) == ["red", light]
    # The theme is the page's, which repaints without the kernel; colors set by the user stay.
    page.theme("dark")
    page.wait(f"return (() => {{{COLORS}}})().join() === arg", arg=f"red,{dark}")
    assert page.js("return running(cells[2])")
    assert page.js("return cells[1].outputArea.node.textContent.includes('mine')")
    page.release("figures-live")
    page.end_of_cell(2)

    # The state that a mark sends to the kernel does not contain the colors of a dark page.
    mark = page.run_cell(6).strip()
    page.js(TOUCH, mark)
    page.wait_for_output(7, f"3.0 ['{run_color(1)}']")
    page.theme("light")
    page.wait(f"return (() => {{{COLORS}}})().join() === arg", arg=f"red,{light}")

    # The line near the pointer is named, though the brush covers it. The last update may still move the lines.
    for line, name in enumerate(("mine", "second")):
        for _ in range(20):
            page.page.mouse.move(*page.js(ON_LINE, line))
            if page.steady(NAMED) == name:
                break
        assert page.js(NAMED) == name
    page.page.mouse.move(0, 0)
    page.wait("return document.querySelector('.tbwidget-figure-name') === null")

    figure = page.page.locator(".bqplot.figure").first
    figure.scroll_into_view_if_needed()
    page.drag(figure, (0.3, 0.5), (0.6, 0.5))
    page.wait_for_output(3, "True")

    # The page creates the toolbar's interaction itself, and tells the kernel.
    figure.hover()
    figure.get_by_title("PanZoom").click()
    figure.hover()
    page.page.mouse.wheel(0, -300)
    page.wait_for_output(4, "PanZoom zoomed")

    page.run_cell(5)
    page.wait("return document.querySelector('.bqplot.figure') === null")
    assert (page.kernel_comms(), page.page_comms()) == before
    assert page.errors == []


BANDS = """
const [area, ...bands] = [...document.querySelectorAll('.bqplot .plotarea_background, .bqplot .curve > path.line')]
    .map(one => one.getBoundingClientRect()).slice(0, 4);
const share = (at) => Math.round(20 * (at - area.left) / area.width);
return bands.slice(0, 2).map(band => [share(band.left), share(band.right), Math.round(band.height - area.height)]);
"""

NAME = """
const [area, name] = [...document.querySelectorAll('.bqplot .plotarea_background, .bqplot .object_grp')]
    .map(one => one.getBoundingClientRect());
return Math.round(20 * (name.left - area.left) / area.width);
"""


def test_named_ranges_span_the_figure_whatever_it_shows(server: JupyterServer, open_notebook: Open) -> None:
    show = "fig = tbwidget.figure('figures-ranges', 'loss', named_ranges=[('warm-up', 0, 49), ('later', 49, 490)])\nfig"
    cells = [
        WRITE.replace("figures-live", "figures-ranges"),
        show,
        "fig.y_scale.min, fig.y_scale.max = -1e3, 1e6",
        "fig.x_scale.min, fig.x_scale.max = 24.5, 49.0",
    ]
    server.write_notebook("figures-ranges.ipynb", cells)
    page = open_notebook("figures-ranges.ipynb")
    page.run_cell(0)
    page.run_cell(1)
    # The second band begins where the axis ends.
    page.wait(f"return JSON.stringify((() => {{{BANDS}}})()[0]) === '[0,20,0]'")
    assert page.js(BANDS)[1][0] == 20
    page.run_cell(2)
    page.page.get_by_text("1,000,000", exact=False).or_(page.page.get_by_text("1e+6")).first.wait_for()
    assert page.js(BANDS)[0] == [0, 20, 0]
    page.run_cell(3)
    page.wait(f"return JSON.stringify((() => {{{BANDS}}})()[0]) === '[-20,20,0]'")
    # The name is where its band is seen.
    page.wait(f"return (() => {{{NAME}}})() === 0")
    assert page.errors == []


def test_the_tutorial_of_figures_runs(server: JupyterServer, open_notebook: Open) -> None:
    notebook = json.loads((ROOT / "notebooks" / "figures.ipynb").read_text(encoding="utf-8"))
    code = {cell["id"]: i for i, cell in enumerate(notebook["cells"]) if cell["cell_type"] == "code"}
    assert all(notebook["cells"][i]["outputs"] == [] for i in code.values()), "outputs are stripped"
    server.add_notebook("figures-tutorial.ipynb", notebook)
    page = open_notebook("figures-tutorial.ipynb")
    for cell in ("load", "write", "one", "train", "restyle", "compose"):
        page.run_cell(code[cell])

    # The brush of one figure zooms the other, the dropdown changes both.
    page.js("cells[arg].node.scrollIntoView()", code["compose"])
    output = page.page.locator(".jp-Cell").nth(code["compose"])
    page.drag(output.locator(".bqplot.figure").first, (0.4, 0.5), (0.6, 0.5))
    said = output.locator(".widget-label", has_text="steps ")
    said.wait_for()
    page.wait("return !cells[arg].outputArea.node.textContent.includes('steps 100 to 200')", arg=code["compose"])
    output.locator("select").select_option("accuracy")
    page.wait(
        "return [...cells[arg].outputArea.node.querySelectorAll('.mainheading')]"
        ".map(title => title.textContent).join() === 'accuracy,accuracy'",
        arg=code["compose"],
    )
    assert page.run_cell(code["select"]) == "(100.0, 200.0)"
    output.locator(".widget-label", has_text="steps 100 to 200").wait_for()

    page.run_cell(code["kinds"])
    assert page.run_cell(code["step"]) == "['slow/0 · step 100', 'fast/0 · step 100']"
    for cell in ("numbers", "bands", "close"):
        page.run_cell(code[cell])
    page.wait("return [...document.querySelectorAll('.bqplot.figure')].length <= 1")
    assert [output for i in code.values() for output in page.outputs(i) if output.get("name") == "stderr"] == []
    assert page.errors == []
