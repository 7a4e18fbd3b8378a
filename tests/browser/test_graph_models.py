"""Graphs of whole models and awkward graphs, all in one page: the page draws the boxes that Python expects."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import tbwidget
from tbwidget.proto.event_pb2 import Event
from tests.browser.cells import hold
from tests.browser.graph_page import (
    NODES,
    PLACES,
    SHOW,
    any_box,
    box,
    closed_boxes,
    info,
    wait_for_selected,
    wait_for_view,
)
from tests.support.awkward_graphs import EVIL, awkward_graphs
from tests.support.corpus import CORPUS
from tests.support.eventfiles import NAME, event, record, write
from tests.support.graphs import model

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tbwidget.graph import Graph
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

MODELS = {
    # Boxes to open, by double click and Enter in turn; a node to search for, and the boxes that open for it.
    "mnist": (
        ["train", "layer1", "train/gradients"],
        "layer2/weights/summaries/Mean",
        ["layer2", "layer2/weights", "layer2/weights/summaries"],
    ),
    "mobilenetv2": (
        ["mobilenetv2_1.00_96_1", "mobilenetv2_1.00_96_1/block_16"],
        "mobilenetv2_1.00_96_1/predictions_1/Softmax",
        ["mobilenetv2_1.00_96_1/predictions_1"],
    ),
    "gpt": (
        ["GPT", "GPT/Block[0..23]"],
        "GPT/Block[0]/MLP[mlp]/Dropout[drop]/5553",
        ["GPT/Block[0]/MLP[mlp]", "GPT/Block[0]/MLP[mlp]/Dropout[drop]"],
    ),
}

MAX_OPENED = 8
"""Boxes to open of an awkward graph."""

MAX_ELEMENTS = 1_200
"""Boxes that have elements at the same time."""

# A tooltip has its own bold letters.
MADE = """
const made = '.tbwidget :is(img, script, iframe, style, link), .tbwidget b:not(.tbwidget-tooltip *)';
return document.querySelectorAll(made).length;
"""

STYLES = """
const root = document.querySelector('.tbwidget');
return [document.querySelectorAll('style, link').length, getComputedStyle(document.body).background,
    getComputedStyle(root).display, root.querySelectorAll('.tbwidget-graph-canvas').length]
"""


def write_graphs(folder: Path, graphs: Mapping[str, bytes]) -> None:
    """Write a run for each graph."""
    for name, graph in graphs.items():
        written = Event(wall_time=1.7e9, graph_def=graph).SerializeToString()
        write(folder / name / NAME, event(1.7e9, version="brain.Event:2"), record(written))


def choose(notebook: NotebookPage, run: str) -> None:
    """Show the graph of another run, with all boxes closed."""
    notebook.page.get_by_role("button", name="Collapse all").click()
    notebook.page.get_by_role("combobox", name="Run").select_option(run)


def open_box(notebook: NotebookPage, path: str, number: int) -> None:
    """Open a box, wherever it is, in one of two ways."""
    if number % 2:
        any_box(notebook, path).focus()
        notebook.page.keyboard.press("Enter")
    else:
        any_box(notebook, path).dblclick()


def test_models_are_explored_without_the_kernel(server: JupyterServer, open_notebook: Open) -> None:
    folder = server.root / "graph-models"
    write_graphs(folder, {name: model(name) for name in MODELS})
    cells = [SHOW.format(logs="graph-models", options=", run='mnist', expanded=[]"), hold("graph-models")]
    server.write_notebook("graph-models.ipynb", cells)
    notebook = open_notebook("graph-models.ipynb")
    page, card = notebook.page, info(notebook)
    notebook.start_cell(0)
    notebook.start_cell(1)
    notebook.wait("return running(cells[1])")
    notebook.mute()
    with tbwidget.load(folder) as logs:
        for name, (opened, sought, around) in MODELS.items():
            graph = logs.graph(name)
            if name != "mnist":
                choose(notebook, name)
            wait_for_view(notebook, graph, [])
            for number, path in enumerate(opened):
                open_box(notebook, path, number)
                wait_for_view(notebook, graph, opened[: number + 1])
            assert box(notebook, opened[-1]).get_attribute("aria-expanded") == "true"
            explore(notebook, graph, opened)
            # A search opens the boxes around its hit, and the hit's card shows its path.
            page.get_by_role("searchbox", name="Search nodes").fill(sought)
            page.keyboard.press("Enter")
            wait_for_view(notebook, graph, [*opened, *around])
            wait_for_selected(notebook, sought)
            card.get_by_text(sought, exact=True).wait_for()
            page.keyboard.press("Escape")
            # Closing a box closes all boxes in it.
            any_box(notebook, opened[0]).dblclick()
            every = [*opened, *around]
            wait_for_view(notebook, graph, [path for path in every if not f"{path}/".startswith(f"{opened[0]}/")])
    notebook.release("graph-models")
    assert notebook.errors == []


def explore(notebook: NotebookPage, graph: Graph, opened: list[str]) -> None:
    """Follow edges, trace, and move a box to the side and back."""
    page, keys, card = notebook.page, notebook.page.keyboard, info(notebook)
    view = graph.view(opened)
    leads = set(view.edges.source[view.edges.source != view.edges.target].tolist())
    around = max(box for box, is_open in enumerate(view.open) if is_open)
    inside = next(path for box, path in enumerate(view.path) if box in leads and view.parent[box] == around)
    # Opening a box selected it; the graph has moved so that its card does not cover it.
    notebook.steady(PLACES)
    any_box(notebook, inside).click()
    wait_for_selected(notebook, inside)
    keys.press("ArrowUp")
    notebook.wait("return document.querySelector('.tbwidget [aria-selected=true]')?.dataset.node !== arg", arg=inside)
    page.get_by_role("button", name="View", exact=True).click()
    page.get_by_role("combobox", name="Trace").select_option(label="Inputs of the selection, to the start")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="All inputs of").click()
    any_box(notebook, inside).click()
    card.get_by_role("button", name="Move to auxiliary").click()
    card.get_by_role("button", name="Move to main graph").click()
    wait_for_view(notebook, graph, opened)


def test_awkward_graphs_open_and_their_names_do_nothing(server: JupyterServer, open_notebook: Open) -> None:
    folder = server.root / "graph-awkward"
    recorded = CORPUS / "aw_graphs/logs"
    shutil.copytree(recorded, folder, copy_function=shutil.copyfile)
    write_graphs(folder, awkward_graphs())
    cells = [SHOW.format(logs="graph-awkward", options=", run='circle', expanded=[]")]
    server.write_notebook("graph-awkward.ipynb", cells)
    notebook = open_notebook("graph-awkward.ipynb")
    page = notebook.page
    asked: list[str] = []
    page.context.on("request", lambda request: asked.append(request.url))
    notebook.run_cell(0)
    page.locator(".tbwidget [data-node]").first.wait_for()
    styles = notebook.js(STYLES)
    with tbwidget.load(folder) as logs:
        for run in logs.runs:
            graph = logs.graph(run)
            choose(notebook, run)
            if len(graph.view([])) == 0:
                page.get_by_text("This graph has no nodes").wait_for()
            elif len(graph.view([])) > MAX_ELEMENTS:
                wait_for_many(notebook, graph)
            else:
                wait_for_view(notebook, graph, [])
                opened: list[str] = []
                while (closed := closed_boxes(graph, opened)) and len(opened) < MAX_OPENED:
                    opened.append(closed[0])
                    open_box(notebook, closed[0], len(opened))
                    wait_for_view(notebook, graph, opened)
                assert notebook.js(STYLES) == styles
            assert notebook.js(MADE) == 0
    assert notebook.js("return window.testInjected ?? null") is None
    assert [url for url in asked if url.startswith(EVIL)] == []
    assert notebook.errors == []


def wait_for_many(notebook: NotebookPage, graph: Graph) -> None:
    """Check that only boxes in the viewport have elements, and that a search scrolls to any other."""
    known = set(graph.view([]).path)
    last = graph.view([]).path[-1]
    notebook.wait("return document.querySelectorAll('.tbwidget [data-node]').length > 1000")
    assert set(notebook.js(NODES)) <= known
    notebook.page.get_by_role("searchbox", name="Search nodes").fill(last)
    notebook.page.keyboard.press("Enter")
    wait_for_selected(notebook, last)
    assert len(notebook.js(NODES)) <= MAX_ELEMENTS
    notebook.page.keyboard.press("Escape")
