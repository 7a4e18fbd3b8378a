"""Firefox: every panel in JupyterLab, live while a cell runs, and in a page from the disk; both with the pointer."""

from __future__ import annotations

import time
from pathlib import Path

import tbwidget
from tests.browser.cells import hold
from tests.browser.jupyter import JupyterServer
from tests.browser.test_page_file import write_logs
from tests.browser.test_save import same_as_logs
from tests.browser.window import PATIENCE
from tests.hosts.firefox import Firefox

READY = """
const panel = window.jupyterapp?.shell?.currentWidget;
return panel?.sessionContext?.session?.kernel?.connectionStatus === 'connected' && panel.content.widgets.length > 0;
"""

CARD = "document.querySelector('.tbwidget [data-panel=scalars][data-tag=loss]')"
LAST = f"Number({CARD}?.dataset.lastStep)"

PANELS = {
    "Histograms": "[data-panel=histograms][data-last-step] canvas",
    "Distributions": "[data-panel=distributions][data-last-step] canvas",
    "Images": ".tbwidget-tile[data-state=shown] :is(img, canvas)",
    "Audio": ".tbwidget-clip[data-state=shown]",
    "Text": "[data-panel=text] strong",
    "Graphs": "[data-node]",
    "Scalars": "[data-panel=scalars][data-last-step]",
}


def button(text: str, role: str = "") -> str:
    """Return the body of a function that finds a clickable element, by its text or title."""
    among = role or "button"
    return f"""return [...document.querySelectorAll('.tbwidget :is({among})')].find(
        (one) => one.checkVisibility() && (one.textContent.trim() === '{text}' || one.title.startsWith('{text}')))"""


def saved(firefox: Firefox, name: str) -> Path:
    """Save all charts as CSV; returns the file, which has this name."""
    firefox.click(button("Scalars", "[role=tab]"))
    firefox.click(button("Save ▾"))
    firefox.click(button("Save as CSV"))
    path, end = firefox.downloads / name, time.monotonic() + PATIENCE
    while not path.exists() or not path.stat().st_size:
        assert time.monotonic() < end, [path.name for path in firefox.downloads.iterdir()]
        time.sleep(0.1)
    firefox.click(button("Save ▾"))
    return path


def every_panel_works(firefox: Firefox, pictures: Path) -> None:
    """Open each panel and use its controls; then the controls of scalars and the list of runs."""
    used = {"Images": images_open, "Text": texts_are_searched, "Graphs": scopes_open_and_close}
    for panel, shown in PANELS.items():
        firefox.click(button(panel, "[role=tab]"))
        firefox.wait(f"return document.querySelector(`.tbwidget {shown}`)?.checkVisibility() === true")
        if panel in used:
            used[panel](firefox)
        firefox.picture(pictures / f"{panel}.png")
    controls_redraw(firefox)
    firefox.picture(pictures / "controls.png")
    column = """[...document.querySelectorAll('.tbwidget-runs [role=columnheader]')].some(
        (one) => one.textContent.includes('Last step'))"""
    firefox.click(button("Columns and selection"))
    firefox.click(button("Last step", "label"))
    firefox.wait(f"return {column}")
    firefox.picture(pictures / "columns.png")
    firefox.click(button("Last step", "label"))
    firefox.wait(f"return !{column}")
    firefox.click(button("Columns and selection"))
    tags = "return document.querySelector('.tbwidget input[placeholder^=Filter]')"
    firefox.type(tags, "acc")
    firefox.wait("return document.querySelectorAll('.tbwidget [data-panel=scalars]').length === 1")
    firefox.clear(tags)
    firefox.wait("return document.querySelectorAll('.tbwidget [data-panel=scalars]').length === 2")
    assert firefox.errors() == []


def images_open(firefox: Firefox) -> None:
    """Open an image, go to the previous step by a key, and close it."""
    firefox.click("return document.querySelector('.tbwidget-tile[data-state=shown] button')")
    viewed = "document.querySelector('.tbwidget-viewed[data-state=shown]')?.dataset.step"
    firefox.wait(f"return {viewed} === '40'")
    firefox.press("ArrowLeft")
    firefox.wait(f"return {viewed} === '20'")
    firefox.press("Escape")
    firefox.wait("return document.querySelector('.tbwidget-viewed') === null")


def texts_are_searched(firefox: Firefox) -> None:
    """Search all texts of both runs."""
    box = "return document.querySelector('.tbwidget-text-search input')"
    firefox.type(box, "was said")
    firefox.wait("return document.querySelector('.tbwidget-text-search output')?.textContent.includes('6') === true")
    firefox.clear(box)
    firefox.wait("return document.querySelector('.tbwidget-text-search output') === null")


def scopes_open_and_close(firefox: Firefox) -> None:
    """Open a scope of the graph by a double-click, and close it by a key. Other scopes are open from the first."""
    scope = "document.querySelector('.tbwidget [data-node=gradients]')"
    firefox.wait(f"return {scope}?.ariaExpanded === 'false'")
    firefox.click(f"return {scope}", count=2)
    firefox.wait(f"return {scope}.ariaExpanded === 'true'")
    firefox.press("Enter")
    firefox.wait(f"return {scope}.ariaExpanded === 'false'")


def controls_redraw(firefox: Firefox) -> None:
    """Smooth, switch a run off and on, zoom and show all again, in a chart whose data do not grow."""
    chart = "document.querySelector('.tbwidget [data-panel=scalars][data-tag=accuracy] canvas')"

    def redrawn(before: str | None) -> str:
        """Wait for another stable drawing, with the pointer elsewhere."""
        firefox.leave()
        firefox.wait(
            f"""const now = {chart}.toDataURL(), stays = now === window.testDrawn && now !== arg;
            window.testDrawn = now;
            return stays""",
            before,
        )
        return str(firefox.js("return window.testDrawn"))

    whole = redrawn(None)
    firefox.type("return document.querySelector('.tbwidget-smoothing input[type=number]')", "0.95")
    firefox.press("Enter")
    smoothed = redrawn(whole)
    run = button("first", ".tbwidget-runs label")
    firefox.click(run)
    without = redrawn(smoothed)
    firefox.click(run)
    assert redrawn(without) == smoothed
    firefox.drag(f"return {chart}", 0.3, 0.6)
    zoomed = redrawn(smoothed)
    firefox.click(f"return {chart}", count=2)
    assert redrawn(zoomed) == smoothed


def test_jupyterlab_in_firefox_shows_every_panel_and_points_while_a_cell_runs(
    server: JupyterServer, firefox: Firefox, tmp_path: Path
) -> None:
    write_logs(server.root / "firefox-runs")
    training = f"""
import tensorboardX, time
writer = tensorboardX.SummaryWriter("firefox-runs/third")
step = 0
{
        hold(
            "firefox",
            '''writer.add_scalar("loss", 1 / (step + 1), step)
writer.flush()
step += 1
time.sleep(0.1)''',
        )
    }
writer.close()
"""
    server.write_notebook("firefox.ipynb", ["import tbwidget; tbwidget.show('firefox-runs')", training])
    firefox.goto(f"{server.url}lab/tree/firefox.ipynb?token={server.token}&reset")
    firefox.wait(READY, timeout=120)
    firefox.js("window.jupyterapp.commands.execute('notebook:run-all-cells')")
    firefox.wait(f"return {LAST} > 60", timeout=120)
    before = firefox.js(f"return {LAST}")
    firefox.wait(f"return {LAST} > arg + 20", before)
    every_panel_works(firefox, tmp_path)
    before = firefox.js(f"return {LAST}")
    firefox.wait(f"return {LAST} > arg", before)
    assert firefox.js("return document.querySelector('.jp-Notebook').textContent.includes('[*]')")
    (server.root / "firefox.released").touch()
    firefox.wait("return !document.querySelector('.jp-Notebook').textContent.includes('[*]')")
    path = saved(firefox, "scalars.csv")
    with tbwidget.load(server.root / "firefox-runs") as logs:
        same_as_logs(path, logs, "scalars")


def test_a_page_of_the_disk_shows_every_panel_in_firefox(firefox: Firefox, tmp_path: Path) -> None:
    write_logs(tmp_path / "runs")
    tbwidget.export_html(tmp_path / "runs", tmp_path / "report.html")
    firefox.goto((tmp_path / "report.html").as_uri())
    path = saved(firefox, "scalars_as-shown-240-of-240.csv")
    assert len(path.read_text("utf-8").splitlines()) == 241
    every_panel_works(firefox, tmp_path)
    assert firefox.js("return performance.getEntriesByType('resource').filter(({ name }) => /^http/.test(name))") == []
