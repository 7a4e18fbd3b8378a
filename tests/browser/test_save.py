"""Data and pictures are saved and copied: loaded points at once, every bit as logged once the kernel answers."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import struct
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import numpy as np
from PIL import Image
from playwright.sync_api import expect

import tbwidget
from tests.browser.cells import hold
from tests.support.eventfiles import NAME, event, histogram, simple, write

if TYPE_CHECKING:
    from playwright.sync_api import Download, Locator

    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

HOSTILE = "<img src=x onerror='window.testInjected=1'>,\"\n"
FORMULA = "=HYPERLINK(1)"
FAR = 2**53 + 1
LONG = 5_000
"""Points of a series that the browser holds in buckets."""

SHOW = "import tbwidget\nboard = tbwidget.Dashboard('save-data', height=900)\nboard"
SVG = "{http://www.w3.org/2000/svg}"


def write_logs(folder: Path) -> None:
    values = np.random.default_rng(0).normal(size=LONG)
    for number, run in enumerate(("a", HOSTILE)):
        own = [event(1.7e9 + i / 7, i, simple("loss", v + number)) for i, v in enumerate(values[: LONG - 10 * number])]
        odd = (math.nan, math.inf, -math.inf, -0.0, 1e-45, 3e38)
        far = [event(1.7e9 + i, FAR + i, simple(HOSTILE, v), simple(FORMULA, i)) for i, v in enumerate(odd)]
        bins = [
            event(1.7e9 + i, i, histogram("weights", [1.0, 2.0, 3.5], [1.0, 2.0 + i, 4.0 / (i + 1)])) for i in range(30)
        ]
        write(folder / run.replace("/", "") / NAME, event(1.7e9, version="brain.Event:2"), *own, *far, *bins)


def lines_of(path: Path) -> tuple[list[str], list[list[str]]]:
    with path.open(newline="", encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    return head, rows


def same_as_logs(path: Path, logs: tbwidget.LogDir, kind: str) -> None:
    """Check that the file and the frame have the same rows, to the last bit."""
    head, rows = lines_of(path)
    frame = logs.frame(kind)
    assert head == list(frame.columns)
    assert len(rows) == len(frame)
    columns = dict(zip(head, zip(*rows, strict=True), strict=True))
    guarded = {FORMULA: f"'{FORMULA}"}
    found = sorted(zip(*(columns[name] for name in head), strict=True))
    wanted = sorted(
        (run, guarded.get(tag, tag), str(step), *(text_of(number) for number in numbers))
        for run, tag, step, *numbers in frame.itertuples(index=False)
    )
    for one, other in zip(found, wanted, strict=True):
        assert one[:3] == other[:3]
        for text, bits in zip(one[3:], other[3:], strict=True):
            assert text_of(float(text or "nan")) == bits


def text_of(number: float) -> str:
    """Return the bits of a number as text; all NaN are equal."""
    return "nan" if math.isnan(number) else float(number).hex()


def card(root: Locator, tag: str) -> Locator:
    """Return the card whose tag begins like this one: selectors have no line breaks."""
    return root.locator(f".tbwidget-card[data-tag^={json.dumps(tag.splitlines()[0])}]")


# VS Code saves only downloads that reach the body.
REACHES_BODY = """
() => document.body.addEventListener('click', ({ target }) => { window.testSaved ||= target.download; })
"""


def menu_of(place: Locator) -> Locator:
    """Open the menu of a card."""
    place.hover()
    place.get_by_role("button", name="Save", exact=True).click()
    return place.locator(".tbwidget-save-menu")


def saved(notebook: NotebookPage, menu: Locator, item: str) -> Download:
    with notebook.page.expect_download() as download:
        menu.get_by_role("button", name=item, exact=True).click()
    return download.value


def drawing_of(notebook: NotebookPage, menu: Locator) -> ET.Element:
    text = Path(saved(notebook, menu, "Save as SVG").path()).read_text("utf-8")
    return ET.fromstring(text)  # noqa: S314 (it is of our own making)


def save_while_busy(notebook: NotebookPage, root: Locator, logs: tbwidget.LogDir) -> None:
    """Check that while no request is answered, loaded points are saved, and named so."""
    menu = menu_of(card(root, "loss"))
    menu.get_by_text(re.compile(r"^[\d\u202f]+ of 9\u202f990 points loaded; waiting for the kernel")).wait_for()
    menu.get_by_role("button", name="Save as CSV").click()
    menu.get_by_text("0 of 9\u202f990 points: waiting for the kernel").wait_for()
    early = saved(notebook, menu, "save what is loaded")
    name = re.fullmatch(r"loss_scalars_as-shown-(\d+)-of-9990\.csv", early.suggested_filename)
    assert name is not None
    menu.get_by_text(re.compile("of 9\u202f990 points saved: as shown here, means")).wait_for()
    head, rows = lines_of(Path(early.path()))
    assert head == ["run", "tag", "step", "wall_time", "value", "min", "max", "points"]
    assert len(rows) == int(name[1]) < 9_990
    assert sum(float(row[-1]) for row in rows) == 9_990
    for run in ("a", HOSTILE):
        values = logs.scalars(run, "loss").value
        own = [row for row in rows if row[0] == run]
        assert min(float(row[5]) for row in own) == values.min()
        assert max(float(row[6]) for row in own) == values.max()
    notebook.page.keyboard.press("Escape")


def save_tables(notebook: NotebookPage, root: Locator, logs: tbwidget.LogDir) -> None:
    """Save all cards as CSV, one as JSON, and copy one."""
    root.locator(".tbwidget-toolbar").get_by_role("button", name="Save", exact=True).focus()
    notebook.page.keyboard.press("Enter")
    menu = root.locator(".tbwidget-toolbar .tbwidget-save-menu")
    # The kernel answers again, which removes a line of the menu: nothing moves from under the pointer after that.
    expect(menu.get_by_text(re.compile(r"^[\d\u202f]+ points$"))).to_be_visible()
    download = saved(notebook, menu, "Save as CSV")
    assert download.suggested_filename == "scalars.csv"
    same_as_logs(Path(download.path()), logs, "scalars")
    notebook.page.keyboard.press("Escape")
    menu = menu_of(card(root, HOSTILE))
    notebook.page.evaluate(REACHES_BODY)
    download = saved(notebook, menu, "Save as JSON")
    assert notebook.page.evaluate("window.testSaved") == download.suggested_filename
    assert re.fullmatch(r"[\w-]+_scalars\.json", download.suggested_filename)
    table = json.loads(Path(download.path()).read_text("utf-8"))
    assert table["exact"] is True
    for series in table["series"]:
        held = logs.scalars(series["run"], series["tag"])
        assert series["step"] == held.step.tolist()
        assert [float(value).hex() for value in series["value"]] == [float(value).hex() for value in held.value]
    context = notebook.page.context
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    menu.get_by_role("button", name="Copy as a table").click()
    menu.get_by_text("12 points copied").wait_for()
    text = notebook.page.evaluate("navigator.clipboard.readText()")
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter="\t"))
    assert rows[0] == ["run", "tag", "step", "wall_time", "value"]
    assert rows[1][:3] == ["a", HOSTILE, str(FAR)] or rows[1][:3] == [HOSTILE, HOSTILE, str(FAR)]
    menu.get_by_role("button", name="Copy as PNG").click()
    menu.get_by_text("Picture copied").wait_for()
    types = "navigator.clipboard.read().then(items => items.flatMap(item => item.types))"
    assert notebook.page.evaluate(types) == ["image/png"]
    context.clear_permissions()
    notebook.page.keyboard.press("Escape")


def save_pictures(notebook: NotebookPage, root: Locator) -> None:
    """Save a card as PNG and SVG, and then all of them."""
    place = card(root, HOSTILE)
    menu = menu_of(place)
    box = place.locator(".tbwidget-plot").bounding_box()
    assert box is not None
    png = Path(saved(notebook, menu, "Save as PNG").path()).read_bytes()
    width, height = struct.unpack(">II", png[16:24])
    assert width == 2 * (math.floor(box["width"]) + 24)
    assert height > 2 * box["height"]
    with Image.open(io.BytesIO(png)) as image:
        colors = image.convert("RGB").getcolors(1 << 24) or []
    assert len(colors) > 20
    drawing = drawing_of(notebook, menu)
    assert {element.tag.removeprefix(SVG) for element in drawing.iter()} <= {
        *("svg", "title", "g", "clipPath", "path", "rect", "text"),
    }
    texts = [element.text or "" for element in drawing.iter(f"{SVG}text")]
    assert texts[0].startswith("<img src=x")
    notebook.page.keyboard.press("Escape")
    menu = menu_of(card(root, "loss"))
    drawing = drawing_of(notebook, menu)
    longest = max((element.get("d", "").count("L") for element in drawing.iter(f"{SVG}path")), default=0)
    assert longest > 300
    notebook.page.keyboard.press("Escape")
    root.locator(".tbwidget-toolbar").get_by_role("button", name="Save", exact=True).click()
    menu = root.locator(".tbwidget-toolbar .tbwidget-save-menu")
    drawing = drawing_of(notebook, menu)
    texts = [element.text or "" for element in drawing.iter(f"{SVG}text")]
    # Lines that all legends share stand once.
    assert [texts.count(name) for name in ("Scalars", "loss", FORMULA, "a")] == [1, 1, 1, 1]
    page = saved(notebook, menu, "Save as PNG")
    assert page.suggested_filename == "scalars.png"
    notebook.page.keyboard.press("Escape")


def save_histograms(notebook: NotebookPage, root: Locator, logs: tbwidget.LogDir) -> None:
    """Save histograms with a line for each bin; ridges as shapes."""
    root.get_by_role("tab", name="Histograms").click()
    menu = menu_of(card(root, "weights"))
    download = saved(notebook, menu, "Save as CSV")
    assert download.suggested_filename == "weights_histograms.csv"
    same_as_logs(Path(download.path()), logs, "histograms")
    drawing = drawing_of(notebook, menu)
    assert len(list(drawing.iter(f"{SVG}path"))) > 30
    notebook.page.keyboard.press("Escape")


def test_data_and_pictures_are_saved(server: JupyterServer, open_notebook: Open) -> None:
    folder = server.root / "save-data"
    write_logs(folder)
    server.write_notebook("save-data.ipynb", [SHOW, hold("save-data")])
    notebook = open_notebook("save-data.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_last_steps({"loss": str(LONG - 1)})
    root = notebook.page.locator(".tbwidget").first
    with tbwidget.load(folder) as logs:
        notebook.start_cell(1)
        notebook.wait("return running(cells[1])")
        # Some kernels answer while a cell runs.
        notebook.mute()
        save_while_busy(notebook, root, logs)
        notebook.js("window.testMuted = false; return null")
        notebook.release("save-data")
        save_tables(notebook, root, logs)
        save_pictures(notebook, root)
        save_histograms(notebook, root, logs)
    assert notebook.js("return window.testInjected ?? null") is None
    assert notebook.errors == []
