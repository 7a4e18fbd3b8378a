"""Graphs: colors by XLA cluster, the path between two nodes, two views of one board, a graph recorded with a step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tbwidget.proto.event_pb2 import Event, TaggedRunMetadata
from tbwidget.proto.run_metadata_pb2 import RunMetadata
from tests.browser.graph_page import NODES, SHOW, box, info
from tests.support.eventfiles import NAME, event, record, write
from tests.support.graphs import definition, node, text

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tbwidget.proto.graph_pb2 import NodeDef
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

OPENED = """
return [...document.querySelectorAll('.tbwidget')].map(
    view => view.querySelector('[data-node=encoder]')?.getAttribute('aria-expanded')).join()
"""

SAID = "return [...document.querySelectorAll('.tbwidget [aria-live]')].map(one => one.textContent.trim()).join('')"

SELECTED = "return [...document.querySelectorAll('.tbwidget [aria-selected=true]')].map(one => one.dataset.node).join()"


def clustered(name: str, op: str, cluster: str, *inputs: str) -> NodeDef:
    """Make a node that XLA compiled into a cluster, unless `cluster` is empty."""
    made = node(name, op, inputs)
    if cluster:
        made.attr["_XlaCluster"].CopyFrom(text(cluster))
    return made


NODES_OF_ALL = (
    clustered("x", "Placeholder", ""),
    clustered("encoder/MatMul", "MatMul", "cluster_0", "x"),
    clustered("encoder/Tanh", "Tanh", "cluster_1", "encoder/MatMul"),
    clustered("decoder", "Square", "cluster_1", "encoder/Tanh"),
    clustered("loss", "Sum", "", "decoder"),
    clustered("other", "Neg", "", "x"),
)


def rows(legend: Locator) -> list[str]:
    """Return the names of colors in the legend, with their numbers of nodes."""
    return [row.strip() for row in legend.locator("li").all_inner_texts()]


def names(notebook: NotebookPage) -> list[str]:
    """Return roles and names from the accessibility tree for the widget's controls that have no name."""
    devtools = notebook.page.context.new_cdp_session(notebook.page)
    tree = devtools.send("Accessibility.getFullAXTree")["nodes"]
    devtools.detach()
    controls = {"button", "checkbox", "combobox", "img", "radio", "searchbox", "tree", "treeitem", "menuitem", "tab"}
    return [
        one["role"]["value"]
        for one in tree
        if not one.get("ignored") and one["role"]["value"] in controls and not one.get("name", {}).get("value")
    ]


def test_clusters_paths_and_two_views(  # noqa: PLR0915 (one page, opened once for all of it)
    server: JupyterServer, open_notebook: Open
) -> None:
    step = RunMetadata()
    step.partition_graphs.add().node.extend(NODES_OF_ALL)
    tagged = TaggedRunMetadata(tag=b"step 3", run_metadata=step.SerializeToString())
    folder = server.root / "graph-options"
    first = event(1.7e9, version="brain.Event:2")
    write(folder / "step" / NAME, first, record(Event(tagged_run_metadata=tagged).SerializeToString()))
    whole = Event(graph_def=definition(*NODES_OF_ALL))
    write(folder / "whole" / NAME, first, record(whole.SerializeToString()))
    cells = [
        SHOW.format(logs="graph-options", options=", run='step', expanded=[]"),
        "from IPython.display import display\ndisplay(view)",
    ]
    server.write_notebook("graph-options.ipynb", cells)
    notebook = open_notebook("graph-options.ipynb", size=(1400, 1800))
    page = notebook.page
    notebook.run_cell(0)
    closed = ["decoder", "encoder", "loss", "other", "x"]

    # A graph that only a recorded step contains has a panel like any other.
    box(notebook, "encoder").wait_for()
    assert notebook.steady(NODES) == closed
    page.locator('.tbwidget [data-panel=graphs][data-tag="step 3"]').wait_for()
    # The list of runs selects the graph, as the box does.
    page.get_by_role("radio", name="whole", exact=True).check()
    page.locator('.tbwidget [data-panel=graphs][data-tag="__run_graph__"]').wait_for()
    expect(page.get_by_role("combobox", name="Run")).to_have_value("whole")

    # The legend names the clusters, largest first.
    page.get_by_role("button", name="View", exact=True).click()
    page.get_by_role("checkbox", name="Legend").check()
    page.keyboard.press("Escape")
    legend = page.locator(".tbwidget-graph-legend")
    page.get_by_role("combobox", name="Color").select_option("cluster")
    legend.get_by_text("cluster_1").wait_for()
    assert [" ".join(row.split()) for row in rows(legend)] == ["cluster_1 2", "cluster_0 1"]
    colors = legend.locator("li i").evaluate_all("all => all.map(one => one.style.background)")
    assert len(set(colors)) == 2

    # The path between two nodes, in either order of selection; and the text if no path exists.
    box(notebook, "decoder").click()
    info(notebook).get_by_role("button", name="loss", exact=True).click()
    # The focus has not moved to the text, so a screen reader needs a live region.
    notebook.wait(f"return (() => {{{SAID}}})() === 'loss is selected'")
    page.get_by_role("button", name="View", exact=True).click()
    page.get_by_role("combobox", name="Trace").select_option(label="Path to next selection")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Path from loss: select its end").wait_for()
    box(notebook, "x").click()
    page.get_by_role("button", name="Path from loss to x").wait_for()
    box(notebook, "other").click()
    page.get_by_role("button", name="There is no path from loss to other").wait_for()
    assert names(notebook) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="There is no path").wait_for(state="detached")

    # Two views of one board open, close and select together, and one continues without the other.
    notebook.run_cell(1)
    notebook.wait(f"return (() => {{{OPENED}}})() === 'false,false'")
    views = page.locator(".tbwidget")
    views.nth(1).locator("[data-node=encoder]").dblclick()
    notebook.wait(f"return (() => {{{OPENED}}})() === 'true,true'")
    views.nth(0).locator('[data-node="encoder/Tanh"]').click()
    notebook.wait(f"return (() => {{{SELECTED}}})() === 'encoder/Tanh,encoder/Tanh'")
    notebook.js("cells[1].model.clearExecution(); cells[1].outputArea.model.clear()")
    notebook.wait("return document.querySelectorAll('.tbwidget').length === 1")
    box(notebook, "encoder").focus()
    page.keyboard.press("Enter")
    notebook.wait(f"return (() => {{{OPENED}}})() === 'false'")
    assert notebook.errors == []
