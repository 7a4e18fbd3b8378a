"""Firefox: every panel in JupyterLab, live while a cell runs, and in a page of the disk; both by the pointer."""

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
    """The body of a function that finds what can be clicked, by its text or title."""
    among = role or "button"
    return f"""return [...document.querySelectorAll('.tbwidget :is({among})')].find(
        (one) => one.checkVisibility() && (one.textContent.trim() === '{text}' || one.title.startsWith('{text}')))"""


def saved(firefox: Firefox, name: str) -> Path:
    """Save all charts as CSV; returns the file, which has this name."""
    firefox.click(button("Scalars", "[role=tab]"))
    firefox.click(button("Save ▾"))
    firefox.click(button("As CSV"))
    path, end = firefox.downloads / name, time.monotonic() + PATIENCE
    while not path.exists() or not path.stat().st_size:
        assert time.monotonic() < end, [path.name for path in firefox.downloads.iterdir()]
        time.sleep(0.1)
    firefox.click(button("Save ▾"))
    return path


def every_panel_works(firefox: Firefox, pictures: Path) -> None:
    """Look at each panel, open a scope, zoom, add a column to the list of runs, filter tags."""
    for panel, shown in PANELS.items():
        firefox.click(button(panel, "[role=tab]"))
        firefox.wait(f"return document.querySelector(`.tbwidget {shown}`)?.checkVisibility() === true")
        firefox.picture(pictures / f"{panel}.png")
        if panel == "Graphs":
            firefox.click("return document.querySelector('.tbwidget [data-node][aria-expanded=false]')", count=2)
            firefox.wait("return document.querySelector('.tbwidget [data-node][aria-expanded=true]') !== null")
    drawn = f"{CARD}.querySelector('canvas').toDataURL()"
    whole = firefox.js(f"return {drawn}")
    firefox.drag(f"return {CARD}.querySelector('canvas')", 0.3, 0.6)
    firefox.wait(f"return {drawn} !== arg", whole)
    firefox.picture(pictures / "zoomed.png")
    firefox.click(button("Columns, groups"))
    firefox.click(button("Steps", "label"))
    firefox.wait("return document.querySelectorAll('.tbwidget-runs [role=columnheader]').length > 0")
    firefox.picture(pictures / "columns.png")
    firefox.click(button("Columns, groups"))
    firefox.type("return document.querySelector('.tbwidget input[placeholder^=Filter]')", "acc")
    firefox.wait("return document.querySelectorAll('.tbwidget [data-panel=scalars]').length === 1")
    assert firefox.errors() == []


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
    firefox.picture(tmp_path / "busy.png")
    (server.root / "firefox.released").touch()
    firefox.wait("return !document.querySelector('.jp-Notebook').textContent.includes('[*]')")
    path = saved(firefox, "scalars.csv")
    with tbwidget.load(server.root / "firefox-runs") as logs:
        same_as_logs(path, logs, "scalars")
    every_panel_works(firefox, tmp_path)


def test_a_page_of_the_disk_shows_every_panel_in_firefox(firefox: Firefox, tmp_path: Path) -> None:
    write_logs(tmp_path / "runs")
    tbwidget.export_html(tmp_path / "runs", tmp_path / "report.html")
    firefox.goto((tmp_path / "report.html").as_uri())
    path = saved(firefox, "scalars_as-shown-240-of-240.csv")
    assert len(path.read_text("utf-8").splitlines()) == 241
    every_panel_works(firefox, tmp_path)
    assert firefox.js("return performance.getEntriesByType('resource').filter(({ name }) => /^http/.test(name))") == []
