"""Graphs by touch, by the keyboard's menu key, by buttons on boxes, and with a screen reader."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tbwidget.proto.event_pb2 import Event, TaggedRunMetadata
from tests.browser.pointers import Touch
from tests.support.eventfiles import NAME, event, record, write
from tests.support.graphs import DATA

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage
    from tests.browser.pointers import Place

CPU = b"/job:localhost/replica:0/task:0/device:CPU:0"
GPU = b"/job:localhost/replica:0/task:0/device:GPU:0"

PRESS = 0.7
"""Seconds of a long press."""

OPENED = "return document.querySelector('[data-node=loss]').getAttribute('aria-expanded') === arg"

MAX_VALUE = "const most = document.querySelector('.tbwidget-graph-ends span:last-child')?.textContent;"

ZOOM = """
const box = document.querySelector('.tbwidget [data-node=loss]').getBoundingClientRect();
return [box.x, box.y, box.width].map(Math.round);
"""

SAID = "return [...document.querySelectorAll('.tbwidget [aria-live]')].map(one => one.textContent.trim()).join('')"


SHOW = "import tbwidget\nview = tbwidget.GraphView({!r}{})\nview"

BOXES_COVERED = """
const covers = arg.map(one => document.querySelector(one).getBoundingClientRect());
return [...document.querySelectorAll('.tbwidget [data-node]')].filter(one => {
    const box = one.getBoundingClientRect();
    return covers.some(({ left, top, right, bottom }) =>
        box.left < right && left < box.right && box.top < bottom && top < box.bottom);
}).map(one => one.dataset.node);
"""


def shown(server: JupyterServer, open_notebook: Open, name: str, options: str = "", *cells: str) -> NotebookPage:
    """Show a training graph, with a step recorded on two devices; nothing is open unless `options` say so."""
    if "expanded" not in options:
        options += ", expanded=[]"
    recorded = (DATA / "train.run_metadata").read_bytes()
    on_both = recorded + recorded.replace(CPU, GPU)
    step = TaggedRunMetadata(tag=b"step 7", run_metadata=on_both)
    graph = Event(graph_def=(DATA / "train.graph_def").read_bytes())
    write(
        server.root / name / "train" / NAME,
        event(1.7e9, version="brain.Event:2"),
        record(graph.SerializeToString()),
        record(Event(tagged_run_metadata=step).SerializeToString()),
    )
    server.write_notebook(f"{name}.ipynb", [SHOW.format(name, options), *cells])
    notebook = open_notebook(f"{name}.ipynb")
    notebook.run_cell(0)
    notebook.wait("return document.querySelector('.tbwidget [data-node=loss]') !== null")
    notebook.wait("return document.querySelector('.tbwidget-graph-busy') === null")
    notebook.steady(ZOOM)
    return notebook


def middle(notebook: NotebookPage, path: str) -> Place:
    """Return the middle of a box, in coordinates of the window."""
    box = notebook.page.locator(f'.tbwidget [data-node="{path}"]').bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_fingers(server: JupyterServer, open_notebook: Open) -> None:
    notebook = shown(server, open_notebook, "graph-fingers")
    page, fingers = notebook.page, Touch(notebook.page)
    # A tap selects, two taps open and close.
    fingers.tap(middle(notebook, "loss"))
    notebook.wait("return document.querySelector('.tbwidget [aria-selected=true]')?.dataset.node === 'loss'")
    page.keyboard.press("Escape")
    for expanded in ("true", "false"):
        x, y = middle(notebook, "loss")
        fingers.tap((x - 12, y))
        fingers.tap((x - 12, y))
        notebook.wait(OPENED, arg=expanded)
        notebook.steady(ZOOM)
    # One finger moves the graph, two zoom it; neither opens a box.
    left, top, width = notebook.steady(ZOOM)
    canvas = page.locator(".tbwidget-graph-canvas").bounding_box()
    assert canvas is not None
    x, y = canvas["x"] + 60, canvas["y"] + 60
    fingers.drag([(x, y)], [(x + 50, y + 30)])
    assert notebook.steady(ZOOM) == [left + 50, top + 30, width]
    fingers.drag([(x, y), (x + 80, y)], [(x - 40, y), (x + 120, y)])
    assert notebook.steady(ZOOM)[2] > 1.5 * width
    # A long press opens the menu.
    page.get_by_role("button", name="Fit").click()
    notebook.steady(ZOOM)
    fingers.press(middle(notebook, "loss"), PRESS)
    page.get_by_role("menuitem", name="Open", exact=True).wait_for()
    fingers.tap(middle(notebook, "input"))
    page.get_by_role("menu").wait_for(state="detached")
    assert notebook.errors == []


_MIDDLE_OF_INPUT = """
const { x, y, width, height } = document.querySelector('.tbwidget [data-node=input]').getBoundingClientRect();
return [x + width / 2, y + height / 2]
"""


def test_the_menu_of_a_box(server: JupyterServer, open_notebook: Open) -> None:
    notebook = shown(server, open_notebook, "graph-menu")
    page, keys = notebook.page, notebook.page.keyboard
    loss = page.locator(".tbwidget [data-node=loss]")
    for key in ("Shift+F10", "ContextMenu"):
        loss.focus()
        keys.press(key)
        page.get_by_role("menuitem", name="Open", exact=True).wait_for()
        assert page.get_by_role("menu").count() == 1
        keys.press("Escape")
        page.get_by_role("menu").wait_for(state="detached")
        notebook.wait("return document.activeElement?.dataset.node === 'loss'")
    # The button on a box stays while the pointer moves to it.
    # The focus may have scrolled the notebook, and the pointer must stay on the box meanwhile.
    x, y = notebook.steady(_MIDDLE_OF_INPUT)
    page.mouse.move(x, y)
    more = page.get_by_title("Actions (right click)")
    more.wait_for()
    button = more.bounding_box()
    assert button is not None
    page.mouse.move(button["x"] + button["width"] / 2, button["y"] + button["height"] / 2, steps=4)
    assert more.is_visible()
    page.mouse.down()
    page.mouse.up()
    page.get_by_role("menuitem", name="Open", exact=True).click()
    page.locator('.tbwidget [data-node="input/x"]').wait_for()
    # A selected box shows the button without a pointer.
    page.mouse.move(0, 0)
    more.wait_for(state="hidden")
    loss.focus()
    keys.press("ArrowUp")
    more.wait_for()
    assert notebook.errors == []


def test_the_accessibility_tree(server: JupyterServer, open_notebook: Open) -> None:
    notebook = shown(server, open_notebook, "graph-heard", ", expanded=['loss', 'gradients', 'gradients/loss']")
    page = notebook.page
    heard = page.get_by_role("tree").aria_snapshot()
    assert re.search(r'- treeitem "loss, scope, \d+ nodes" \[expanded\] \[level=1\]', heard)
    # Nodes inside a scope follow it, one level below.
    rows = page.get_by_role("treeitem").evaluate_all(
        "items => items.map(item => [item.dataset.node, Number(item.getAttribute('aria-level'))])"
    )
    around: list[str] = []
    for path, level in rows:
        del around[level - 1 :]
        assert len(around) == level - 1
        assert all(path.startswith(f"{scope}/") for scope in around)
        around.append(path)
    assert max(level for _, level in rows) == 3
    page.get_by_role("img", name="Drawing of ").wait_for()
    page.locator(".tbwidget [data-node=input]").dblclick()
    notebook.wait(f"return (() => {{{SAID}}})() === 'input is open: 2 boxes inside'")
    page.locator(".tbwidget [data-node=input]").focus()
    page.keyboard.press("Enter")
    notebook.wait(f"return (() => {{{SAID}}})() === 'input is closed'")
    assert notebook.errors == []


def test_devices_are_chosen(server: JupyterServer, open_notebook: Open) -> None:
    options = ", color_by='time', selected='loss/MatMul'"
    notebook = shown(server, open_notebook, "graph-devices", options, "print(view.devices)")
    page = notebook.page
    page.locator(".tbwidget [data-node=loss]").dblclick()
    page.get_by_role("button", name="View", exact=True).click()
    page.get_by_role("checkbox", name="Legend").check()
    page.keyboard.press("Escape")
    most = page.locator(".tbwidget-graph-ends span").last
    both = most.text_content()
    page.get_by_role("button", name="Devices", exact=True).click()
    page.get_by_role("checkbox", name=GPU.decode()).uncheck()
    page.get_by_role("button", name="1 of 2 devices").wait_for()
    notebook.wait(f"{MAX_VALUE} return most !== undefined && most !== arg", arg=both)
    notebook.wait_for_output(1, str([CPU.decode()]))
    page.get_by_role("button", name="1 of 2 devices").click()  # the list closed when another cell was run
    page.get_by_role("checkbox", name=GPU.decode()).check()
    page.get_by_role("button", name="Devices", exact=True).wait_for()
    notebook.wait(f"{MAX_VALUE} return most === arg", arg=both)
    assert notebook.errors == []


def test_colors_stay_until_the_kernel_has_others(server: JupyterServer, open_notebook: Open) -> None:
    notebook = shown(server, open_notebook, "graph-colors-stay", ", color_by='time'")
    page = notebook.page
    page.get_by_role("button", name="View", exact=True).click()
    page.get_by_role("checkbox", name="Legend").check()
    page.keyboard.press("Escape")
    notebook.wait(f"{MAX_VALUE} return most !== undefined")
    both = notebook.js(f"{MAX_VALUE} return most")
    notebook.mute()
    page.get_by_role("button", name="Devices", exact=True).click()
    page.get_by_role("checkbox", name=GPU.decode()).uncheck()
    page.get_by_role("button", name="1 of 2 devices").wait_for()
    page.get_by_role("status").get_by_text("waiting for the kernel").wait_for()
    page.locator(".tbwidget-graph-ends[data-waits]").wait_for()
    assert notebook.js(f"{MAX_VALUE} return most") == both
    assert notebook.errors == []


COVERED = """
const [card, box] = [arg, '[aria-selected=true]'].map(
    one => document.querySelector(`.tbwidget ${one}`).getBoundingClientRect());
return card.left < box.right && box.left < card.right && card.top < box.bottom && box.top < card.bottom
"""


@pytest.mark.own_window
def test_no_card_covers_what_it_is_about(server: JupyterServer, open_notebook: Open) -> None:
    notebook = shown(server, open_notebook, "graph-covered")
    page = notebook.page
    for width in (1_400, 700):
        notebook.resize(width, 900)
        page.get_by_role("button", name="Fit").click()
        notebook.steady(ZOOM)
        canvas = page.locator(".tbwidget-graph-canvas").bounding_box()
        assert canvas is not None
        # Below the place of the card, which appears at the right or at the bottom.
        there = (0.88, 0.1) if width > 1_000 else (0.5, 0.85)
        (x, y), start = middle(notebook, "loss"), (canvas["x"] + 5, canvas["y"] + canvas["height"] / 2)
        to_x, to_y = canvas["x"] + canvas["width"] * there[0], canvas["y"] + canvas["height"] * there[1]
        page.mouse.move(*start)
        page.mouse.down()
        page.mouse.move(start[0] + to_x - x, start[1] + to_y - y, steps=4)
        page.mouse.up()
        notebook.steady(ZOOM)
        before = middle(notebook, "loss")
        assert before == pytest.approx((to_x, to_y), abs=2)
        page.locator(".tbwidget [data-node=loss]").click()
        page.locator(".tbwidget-graph-info").wait_for()
        notebook.wait(f"return !(() => {{{COVERED}}})()", arg=".tbwidget-graph-info")
        notebook.steady(ZOOM)
        assert middle(notebook, "loss") != before
        page.keyboard.press("0")
        notebook.steady(ZOOM)
        assert notebook.js(BOXES_COVERED, [".tbwidget-graph-info", ".tbwidget-graph-zoom"]) == []
        page.keyboard.press("Escape")
    # In a narrow window the hits of a search also lie over the drawing.
    page.get_by_role("searchbox", name="Search nodes").fill("loss/sub")
    page.keyboard.press("Enter")
    notebook.wait("return document.querySelector('.tbwidget [aria-selected=true]')?.dataset.node?.endsWith('loss/sub')")
    for card in (".tbwidget-graph-info", ".tbwidget-graph-hits"):
        page.locator(card).wait_for()
        notebook.wait(f"return !(() => {{{COVERED}}})()", arg=card)
    assert notebook.errors == []
