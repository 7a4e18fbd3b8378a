"""Code copied in one notebook shows the same view in another one, with a kernel of its own."""

from __future__ import annotations

import ast
import io
import json
from typing import TYPE_CHECKING, Any

from PIL import Image

from tbwidget.proto.summary_pb2 import Summary
from tests.browser.test_palette import choose, copied
from tests.browser.window import PATIENCE
from tests.support.eventfiles import NAME, event, histogram, simple, write

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

NAMES = {'it\'s, "new": {a}': "copied, a: 'x', \"y\"", "old: b, c\\n": "copied/{d, e: f}"}
SIZE = 200  # of images: the last option that is set
TAGS = ("loss/train", "loss/valid", "acc, b: 'c'")

SHOW = """
import tbwidget
from IPython.display import display
board = tbwidget.{view}({logs!r})
display(board)
"""

# Prints the only board of a kernel, made by `show` or not.
STATE = """
import json
from ipywidgets.widgets.widget import _instances
(board,) = [one for one in _instances.values() if one.has_trait("_view_class")]
options = {name: board._as_json(name, getattr(board, name)) for name in board.class_trait_names(option=True)}
print(json.dumps([type(board).__name__, options, {name: str(path) for name, path in board._logs.source.paths.items()}]))
"""


def picture() -> Summary.Value:
    image = Image.new("RGB", (8, 8), "red")
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return Summary.Value(tag=b"a, 'b'", image=Summary.Image(height=8, width=8, encoded_image_string=buffer.getvalue()))


def write_logs(folder: Path) -> None:
    for run in ("first", "second, third: 4"):
        events = [event(1.7e9, version="brain.Event:2")]
        for step in range(0, 44, 4):
            values = [simple(tag, number + 1 / (1 + step)) for number, tag in enumerate(TAGS)]
            events.append(event(1.7e9 + step, step, *values, histogram("weights", [1, 2], [3, 4]), picture()))
        write(folder / run / NAME, *events)


def test_a_view_of_two_directories_is_the_same_in_another_notebook(server: JupyterServer, open_notebook: Open) -> None:
    logs = {name: str(server.root / path) for name, path in NAMES.items()}
    for path in logs.values():
        write_logs(server.root / path)
    notebook = shown(server, open_notebook, "copied-from", SHOW.format(view="Dashboard", logs=logs))
    notebook.card("loss/train").wait_for()
    set_options(notebook)
    code = copied(notebook, 0, may_copy=True)
    assert ast.literal_eval(code.partition("show(")[2].partition("},")[0].strip() + "}") == logs

    wanted = state(notebook)
    fresh = shown(server, open_notebook, "copied-to", code)
    fresh.page.get_by_role("tab", name="Images", selected=True).wait_for()
    assert json.loads(fresh.run_cell(1)) == wanted
    changed = {name for name, value in wanted[1].items() if f"{name}=" in code}
    assert changed == {
        *("smoothing", "x_axis", "ignore_outliers", "log_y", "tag_filter", "selected_runs", "pinned", "card_layout"),
        *("named_ranges", "selected_steps", "histogram_mode", "image_size", "panel"),
    }
    assert copied(fresh, 0, may_copy=True) == code
    assert notebook.errors == fresh.errors == []


def test_a_view_of_one_panel_is_the_same_in_another_notebook(server: JupyterServer, open_notebook: Open) -> None:
    path = server.root / "copied, one: {'a', \"b\"}"
    write_logs(path)
    notebook = shown(server, open_notebook, "copied-view", SHOW.format(view="ImagesView", logs=str(path)))
    by_palette(notebook, f"size {SIZE}", f"Size: {SIZE}")
    code = copied(notebook, 0, may_copy=True)
    assert code == f"import tbwidget\n\ntbwidget.ImagesView({str(path)!r}, image_size={SIZE})\n"

    wanted = state(notebook)
    fresh = shown(server, open_notebook, "copied-view-to", code)
    assert json.loads(fresh.run_cell(1)) == wanted
    assert wanted[0] == "ImagesView"
    assert wanted[1]["image_size"] == SIZE
    assert copied(fresh, 0, may_copy=True) == code
    assert notebook.errors == fresh.errors == []


def shown(server: JupyterServer, open_notebook: Open, name: str, code: str) -> NotebookPage:
    server.write_notebook(f"{name}.ipynb", [code, STATE])
    notebook = open_notebook(f"{name}.ipynb", size=(1400, 1000))
    notebook.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    notebook.run_cell(0)
    notebook.wait_for_state("idle", "live")
    return notebook


def state(notebook: NotebookPage) -> Any:
    """Return the state of the kernel once it knows the last option that was set."""
    for _ in range(round(PATIENCE / 0.25)):
        held = json.loads(notebook.run_cell(1))
        if held[1]["image_size"] == SIZE:
            return held
        notebook.sleep(0.25)
    raise AssertionError("the kernel does not know what was set")


def set_options(notebook: NotebookPage) -> None:
    """Set thirteen options as a user does."""
    root = notebook.page.locator(".tbwidget")
    joined = notebook.card("loss/train")
    joined.hover()
    joined.get_by_role("button", name="Give each tag its own card").click()
    notebook.card("loss/valid").wait_for()
    notebook.page.keyboard.down("Control")
    notebook.drag(notebook.plot("loss/train"), (0.12, 0.5), (0.52, 0.5))
    notebook.page.keyboard.up("Control")
    name = root.get_by_label("Name of the selected steps")
    name.fill("it's \"\\ </script> 한국어 🙂")
    name.press("Enter")
    notebook.card(TAGS[2]).hover()
    notebook.card(TAGS[2]).get_by_role("button", name="Log", exact=True).click()
    by_palette(notebook, "outliers", "Ignore outliers")
    by_palette(notebook, "smoothing 0.3", "Smoothing: 0.3")
    by_palette(notebook, "axis relative", "X axis: Relative")
    by_palette(notebook, "pin acc", f"Pin: {TAGS[2]}")
    by_palette(notebook, "second, third", "second, third: 4")
    root.get_by_label("Filter tags").fill("loss/(train|val)|'")
    root.get_by_role("tab", name="Histograms").click()
    by_palette(notebook, "heat map", "Heat map")
    root.get_by_role("tab", name="Images").click()
    by_palette(notebook, f"size {SIZE}", f"Size: {SIZE}")


def by_palette(notebook: NotebookPage, text: str, found: str) -> None:
    notebook.page.locator(".tbwidget").get_by_role("button", name="Keys and gestures").focus()
    notebook.page.keyboard.press("Control+k")
    choose(notebook, text, found)
    notebook.page.keyboard.press("Escape")
