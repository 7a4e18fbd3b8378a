"""Graphs: scopes open, are searched, traced and moved while the kernel is busy; names of nodes run nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tbwidget.graph import GRAPH_DEF, read_graph
from tbwidget.proto.event_pb2 import Event, TaggedRunMetadata
from tests.browser.cells import hold
from tests.browser.graph_page import NODES, OPENED_LIST, PLACES, SHOW, box, info, wait_for_selected, wait_for_view
from tests.browser.page import LAYER, NO_LAYER
from tests.support.eventfiles import NAME, event, plugin, record, simple, strings, write
from tests.support.graphs import DATA, definition, node
from tests.support.waiting import wait_for

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

# Names the boxes outside the drawing, and the card if it is outside the panel.
OUTSIDE = """
const inside = (inner, outer) => inner.left >= outer.left - 1 && inner.right <= outer.right + 1
    && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
const rect = selector => document.querySelector(`.tbwidget ${selector}`).getBoundingClientRect();
const boxes = [...document.querySelectorAll('.tbwidget [data-node]')]
    .filter(box => !inside(box.getBoundingClientRect(), rect('.tbwidget-graph-drawing'))).map(box => box.dataset.node);
return inside(rect('[data-panel=graphs]'), rect('.tbwidget-main')) ? boxes : [...boxes, 'card'];
"""

TRAIN = record(Event(graph_def=(DATA / "train.graph_def").read_bytes()).SerializeToString())
LIBRARY = record(Event(graph_def=(DATA / "library.graph_def").read_bytes()).SerializeToString())
STEP = record(
    Event(
        tagged_run_metadata=TaggedRunMetadata(tag=b"step 7", run_metadata=(DATA / "train.run_metadata").read_bytes())
    ).SerializeToString()
)

EVIL = "http://evil.invalid"
HOSTILE = [
    f"<img src={EVIL}/a onerror='window.testInjected=1'>",
    "<script>window.testInjected=1<",  # the slash of its end tag separates scopes
    "constructor/__proto__/toString",
    '"] onmouseover=window.testInjected=1 x="',
    "\u202eleft\u202c/\0/\x1b[31m",
    "a//b/",
    "/".join(["deep"] * 200),
    "x" * 5_000,
]


def test_a_graph_is_explored_without_the_kernel(  # noqa: PLR0915 (one page, opened once for all that it can do)
    server: JupyterServer, open_notebook: Open
) -> None:
    write(server.root / "graphs-busy" / "train" / NAME, event(1.7e9, version="brain.Event:2"), TRAIN)
    cells = [SHOW.format(logs="graphs-busy", options=", expanded=[]"), hold("graphs-busy")]
    server.write_notebook("graphs-busy.ipynb", cells)
    notebook = open_notebook("graphs-busy.ipynb")
    page, keys = notebook.page, notebook.page.keyboard
    notebook.start_cell(0)
    notebook.start_cell(1)
    notebook.wait("return document.querySelector('.tbwidget [data-panel=graphs][data-tag] [data-node]') !== null")
    notebook.mute()
    closed = ["Momentum", "gradients", "init", "input", "layer0..2", "loss"]
    assert notebook.steady(NODES) == closed
    card = info(notebook)

    # Boxes open by double-click; their nodes lie below their title.
    box(notebook, "loss").dblclick()
    box(notebook, "loss/MatMul").wait_for()
    expect(box(notebook, "loss")).to_have_attribute("aria-expanded", "true")
    notebook.steady(PLACES)
    title, inner = box(notebook, "loss").bounding_box(), box(notebook, "loss/MatMul").bounding_box()
    assert title is not None
    assert inner is not None
    assert title["x"] <= inner["x"]
    assert inner["x"] + inner["width"] <= title["x"] + title["width"]
    assert title["y"] + title["height"] <= inner["y"]

    # The card of a node shows the browser's data at once; names in it are links.
    box(notebook, "loss/MatMul").click()
    wait_for_selected(notebook, "loss/MatMul")
    card.get_by_role("heading", name="MatMul").wait_for()
    card.get_by_text("waiting for the kernel").wait_for()
    card.get_by_role("button", name="loss/sub", exact=True).click()
    wait_for_selected(notebook, "loss/sub")
    card.get_by_role("heading", name="sub", exact=True).wait_for()
    # Escape closes the card that a name opened, though that name and its focus are gone.
    keys.press("Escape")
    card.wait_for(state="detached")

    # By keyboard: along edges, out of the scope, which is closed.
    box(notebook, "loss/Square").focus()
    keys.press("ArrowDown")
    wait_for_selected(notebook, "loss/sub")
    box(notebook, "loss").focus()
    keys.press("Enter")
    notebook.wait("return document.querySelector('[data-node=loss]').getAttribute('aria-expanded') === 'false'")
    assert notebook.steady(NODES) == closed
    wait_for_selected(notebook, "loss")
    keys.press("Escape")
    card.wait_for(state="detached")

    # The search finds nodes in closed boxes, and opens these boxes.
    box(notebook, "input").focus()
    keys.press("/")
    keys.type("gradients/loss/sub")
    keys.press("Enter")
    page.locator(".tbwidget-graph-hits").wait_for()
    notebook.wait(f"return ({OPENED_LIST}).includes('gradients/loss')")
    keys.press("Escape")
    page.locator(".tbwidget-graph-hits").wait_for(state="detached")
    page.get_by_role("button", name="Collapse all").click()
    assert notebook.steady(NODES) == closed

    # Boxes are moved to the side and back.
    box(notebook, "input").click()
    card.get_by_role("button", name="Move to auxiliary").click()
    card.get_by_role("button", name="Move to main graph").click()
    card.get_by_role("button", name="Move to auxiliary").wait_for()

    # A stack is ungrouped, and made again from the menu of a member.
    box(notebook, "layer0..2").click(button="right")
    page.get_by_role("menuitem", name="Ungroup").click()
    box(notebook, "layer1").wait_for()
    assert notebook.steady(NODES) == ["Momentum", "gradients", "init", "input", "layer0", "layer1", "layer2", "loss"]
    box(notebook, "layer1").click(button="right")
    page.get_by_role("menuitem", name="Group again").click()
    box(notebook, "layer0..2").wait_for()
    assert notebook.steady(NODES) == closed

    # Ops are hidden, scopes isolated, and everything is shown again.
    page.get_by_role("button", name="View", exact=True).click()
    page.get_by_role("checkbox", name="NoOp").check()
    notebook.wait("return document.querySelector('[data-node=init]') === null")
    page.get_by_role("checkbox", name="NoOp").uncheck()
    box(notebook, "init").wait_for()
    keys.press("Escape")
    box(notebook, "loss").click(button="right")
    page.get_by_role("menuitem", name="Show only this").click()
    assert notebook.steady(NODES) == ["loss/MatMul", "loss/Square", "loss/mean", "loss/sub"]
    page.get_by_role("button", name="Only loss").click()
    assert notebook.steady(NODES) == closed

    # A trace is announced and ended.
    box(notebook, "loss").click()
    page.get_by_role("button", name="View", exact=True).click()
    page.get_by_role("combobox", name="Trace").select_option(label="Inputs of the selection, to the start")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="All inputs of loss").click()
    page.get_by_role("button", name="All inputs of loss").wait_for(state="detached")
    # Escape also ends it, before the selection, wherever in the panel the focus is.
    page.get_by_role("button", name="View", exact=True).click()
    page.get_by_role("combobox", name="Trace").select_option(label="Outputs of the selection, to the end")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="All outputs of loss").wait_for()
    keys.press("Escape")
    page.get_by_role("button", name="All outputs of loss").wait_for(state="detached")
    wait_for_selected(notebook, "loss")

    page.get_by_role("button", name="Expand all").click()
    box(notebook, "gradients/layer0..2").wait_for()
    notebook.release("graphs-busy")
    assert notebook.errors == []


def test_the_card_stays_in_its_panel(server: JupyterServer, open_notebook: Open) -> None:
    """Check that neither tabs, nor the line about kinds without a panel, nor Expand all cut off the card."""
    others = event(1.7e9, 1, simple("loss", 1), strings("other", plugin("other"), b"a", b"b"))
    write(server.root / "graphs-low" / "train" / NAME, event(1.7e9, version="brain.Event:2"), TRAIN, others)
    made = "tbwidget.Dashboard('graphs-low', panel='graphs', height=560, graph_expanded=[])"
    cell = f"import tbwidget\nboard = {made}\nboard"
    server.write_notebook("graphs-low.ipynb", [cell])
    notebook = open_notebook("graphs-low.ipynb")
    notebook.run_cell(0)
    box(notebook, "loss").wait_for()
    notebook.page.locator(".tbwidget-undrawn").wait_for()
    notebook.steady(PLACES)
    assert notebook.js(OUTSIDE) == []
    shown = len(notebook.js(PLACES))
    notebook.page.get_by_role("button", name="Expand all").click()
    notebook.wait("return document.querySelectorAll('.tbwidget [data-node]').length > arg", arg=shown)
    notebook.steady(PLACES)
    assert notebook.js(OUTSIDE) == []
    # The user may make it taller; it scrolls then.
    higher = "const card = document.querySelector('.tbwidget [data-panel=graphs]'); card.style.height = '800px'; "
    assert notebook.js(higher + "return card.getBoundingClientRect().height") == 800
    assert notebook.errors == []


def test_code_and_page_agree(server: JupyterServer, open_notebook: Open) -> None:
    write(server.root / "graphs-code" / "train" / NAME, event(1.7e9, version="brain.Event:2"), TRAIN)
    options = ", expanded=['loss', 'later'], hidden_ops=['NoOp'], extract=['input'], selected='loss/MatMul'"
    say = "print(sorted(view.expanded), view.selected, view.color_by)"
    cells = [
        SHOW.format(logs="graphs-code", options=options),
        say,
        "view.expanded, view.selected = ['input'], 'input/x'",
    ]
    server.write_notebook("graphs-code.ipynb", cells)
    notebook = open_notebook("graphs-code.ipynb")
    notebook.run_cell(0)
    wait_for_selected(notebook, "loss/MatMul")
    assert "init" not in notebook.steady(NODES)
    info(notebook).get_by_role("heading", name="MatMul").wait_for()
    box(notebook, "gradients").dblclick()
    box(notebook, "gradients/loss").wait_for()
    notebook.page.get_by_role("combobox", name="Color").select_option("none")
    # A path that does not exist is kept: it may appear later.
    notebook.wait_for_output(1, "['gradients', 'later', 'loss'] gradients none")
    notebook.run_cell(2)
    wait_for_selected(notebook, "input/x")
    assert [path for path in notebook.steady(NODES) if "/" in path] == ["input/x", "input/y"]
    assert notebook.errors == []


def a_selected_box_has_no_tooltip(notebook: NotebookPage) -> None:
    """Check that the selected box has no tooltip, which would repeat its card; `loss/MatMul` stays selected."""
    tip = notebook.page.locator(".tbwidget-graph-tip")
    box(notebook, "gradients").hover()
    tip.get_by_text("gradients", exact=True).wait_for()
    box(notebook, "loss/MatMul").hover()
    tip.wait_for(state="detached")
    box(notebook, "gradients").hover()
    tip.get_by_text("gradients", exact=True).wait_for()
    box(notebook, "gradients").click()
    tip.wait_for(state="detached")
    box(notebook, "loss/MatMul").click()


def color_by_time(notebook: NotebookPage) -> Locator:
    """Color by time, and return the color key, which only colors with names or units have."""
    key = notebook.page.locator(".tbwidget-graph-key")
    assert key.count() == 0
    colors = notebook.page.get_by_role("combobox", name="Color")
    # No node of this graph has a device or an XLA cluster.
    offered = colors.locator("option").evaluate_all("all => all.map(one => one.value)")
    assert offered == ["structure", "time", "memory", "none"]
    colors.select_option("time")
    key.get_by_text("Compute time").wait_for()
    assert re.search(r"^0\n[\d.]+\sms$", key.inner_text(), re.MULTILINE)
    return key


def test_the_kernel_tells_of_attributes_functions_and_times(server: JupyterServer, open_notebook: Open) -> None:
    folder = server.root / "graphs-asked"
    write(folder / "train" / NAME, event(1.7e9, version="brain.Event:2"), TRAIN, STEP)
    write(folder / "traced" / NAME, event(1.7e9, version="brain.Event:2"), LIBRARY)
    server.write_notebook(
        "graphs-asked.ipynb", [SHOW.format(logs="graphs-asked", options=", run='train', expanded=[]")]
    )
    notebook = open_notebook("graphs-asked.ipynb")
    page, card = notebook.page, info(notebook)
    notebook.run_cell(0)
    box(notebook, "loss").dblclick()
    box(notebook, "loss/MatMul").click()
    card.get_by_text("transpose_a").wait_for()
    # Attributes are searched, too.
    page.get_by_role("searchbox", name="Search nodes").fill("transpose_b=false")
    page.locator(".tbwidget-graph-hits").get_by_role("button", name="loss/MatMul", exact=True).wait_for()
    page.get_by_role("searchbox", name="Search nodes").fill("")
    # The list of hits closes a moment later, and gives its width to the drawing, which then moves.
    page.locator(".tbwidget-graph-hits").wait_for(state="detached")
    notebook.steady(PLACES)
    a_selected_box_has_no_tooltip(notebook)
    key = color_by_time(notebook)
    page.get_by_role("button", name="View", exact=True).click()
    page.get_by_role("checkbox", name="Legend").check()
    page.keyboard.press("Escape")
    key.wait_for(state="detached")
    page.locator(".tbwidget-graph-legend").get_by_text("Compute time").wait_for()
    page.locator(".tbwidget-graph-ramp").wait_for()
    card.get_by_text("Compute time").wait_for()
    # Another run: the body of a function from its library.
    page.get_by_role("combobox", name="Run").select_option("traced")
    box(notebook, "normalise").wait_for()
    page.get_by_role("combobox", name="Graph").select_option(label="__inference_moments_134()")
    notebook.wait("return document.querySelector('[data-node=normalise]') === null")
    assert len(notebook.steady(NODES)) > 1
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save", exact=True).click()
        page.get_by_role("button", name="Save as SVG").click()
    assert saved.value.suggested_filename == "traced___run_graph__-__inference_moments_134.svg"
    assert saved.value.path().read_text("utf-8").startswith("<svg")
    # The whole graph in the full window, and back.
    page.get_by_role("button", name="Fill the window").click()
    page.locator(f"{LAYER} [data-node]").first.wait_for()
    page.get_by_role("button", name="Fit").click()
    full = page.locator(LAYER)
    full.get_by_role("button", name="Close (Escape)", exact=True).click()
    notebook.wait(NO_LAYER)
    # Escape first clears the selection, wherever the focus is.
    page.get_by_role("button", name="Fill the window").click()
    first = full.locator("[data-node]").first
    first.click()
    full.locator("[aria-selected=true]").wait_for()
    page.keyboard.press("Escape")
    full.locator("[aria-selected=true]").wait_for(state="detached")
    page.keyboard.press("Escape")
    notebook.wait(NO_LAYER)
    assert len(notebook.steady(NODES)) > 1
    assert notebook.errors == []


def test_names_of_nodes_run_nothing(server: JupyterServer, open_notebook: Open) -> None:
    nodes = [node(name, op=name[:200], inputs=HOSTILE[:2]) for name in HOSTILE]
    data = record(Event(graph_def=definition(*nodes)).SerializeToString())
    write(server.root / "graphs-hostile" / "<b>run" / NAME, event(1.7e9, version="brain.Event:2"), data)
    write(
        server.root / "graphs-hostile" / "other" / NAME,
        event(1.7e9),
        record(Event(graph_def=b"\xff\x00\x01").SerializeToString()),
    )
    server.write_notebook("graphs-hostile.ipynb", [SHOW.format(logs="graphs-hostile", options=", expanded=[]")])
    notebook = open_notebook("graphs-hostile.ipynb")
    page = notebook.page
    asked: list[str] = []
    page.context.on("request", lambda request: asked.append(request.url))
    notebook.run_cell(0)
    notebook.wait("return document.querySelector('.tbwidget [data-node]') !== null")
    for _ in range(3):
        page.get_by_role("button", name="Expand all").click()
        notebook.steady(NODES)
    first = notebook.steady(NODES)[0]
    notebook.js("document.querySelector(`[data-node=${CSS.escape(arg)}]`).focus()", first)
    for key in ("ArrowUp", "ArrowLeft", "ArrowRight", "ArrowDown") * 4:
        page.keyboard.press(key)
    info(notebook).wait_for()
    page.get_by_role("searchbox", name="Search nodes").fill("o")
    page.locator(".tbwidget-graph-hits li").first.wait_for()
    page.get_by_role("button", name="View", exact=True).click()
    made = "return document.querySelectorAll('.tbwidget :is(img, script, iframe, b, style)').length"
    assert notebook.js(made) == 0
    assert notebook.js("return window.testInjected ?? null") is None
    page.get_by_role("combobox", name="Run").select_option("other")
    page.get_by_text("This graph has no nodes").wait_for()
    assert [url for url in asked if not url.startswith((server.url, "blob:", "data:"))] == []
    assert notebook.errors == []


def test_a_graph_appears_while_the_cell_that_writes_it_runs(server: JupyterServer, open_notebook: Open) -> None:
    file = server.root / "graphs-live" / "train" / NAME
    write(file, event(1.7e9, version="brain.Event:2"), event(1.7e9, 1, simple("loss", 1)))
    cells = [
        "import tbwidget\nboard = tbwidget.Dashboard('graphs-live')\nboard",
        hold("graphs-live"),
    ]
    server.write_notebook("graphs-live.ipynb", cells)
    notebook = open_notebook("graphs-live.ipynb")
    notebook.run_cell(0)
    notebook.wait_for_last_steps({"loss": "1"})
    notebook.start_cell(1)
    notebook.wait("return running(cells[1])")
    notebook.mute()
    with file.open("ab") as appended:
        appended.write(
            record(Event(wall_time=1.7e9, graph_def=definition(node("a"), node("b", inputs=["a"]))).SerializeToString())
        )
    notebook.page.get_by_role("tab", name="Graphs", exact=True).click()
    notebook.wait(f'return JSON.stringify((() => {{{NODES}}})()) === \'["a","b"]\'')
    # A later graph replaces it.
    with file.open("ab") as appended:
        appended.write(
            record(Event(wall_time=1.7e9, graph_def=definition(node("a"), node("c", inputs=["a"]))).SerializeToString())
        )
    notebook.wait(f'return JSON.stringify((() => {{{NODES}}})()) === \'["a","c"]\'')
    notebook.release("graphs-live")
    assert notebook.errors == []


def test_the_first_view_shows_what_python_says(server: JupyterServer, open_notebook: Open) -> None:
    nodes = [node("x", "Placeholder"), node("net/w", "Variable")]
    nodes += [node(f"save/{op}", op, ["net/w"] if op == "SaveV2" else []) for op in ("SaveV2", "RestoreV2")]
    for n in range(40):
        nodes.append(node(f"net/b{n}/conv", "Conv2D", [f"net/b{n - 1}/relu" if n else "x"]))
        nodes.append(node(f"net/b{n}/relu", "Relu", [f"net/b{n}/conv"]))
    nodes += [node(f"out/{n}", f"Op{n}", [f"out/{n - 1}"] if n else ["net/b39/relu", "net/w"]) for n in range(20)]
    data = definition(*nodes)
    graph = read_graph(data, GRAPH_DEF)
    logged = record(Event(graph_def=data).SerializeToString())
    write(server.root / "graphs-first" / NAME, event(1.7e9, version="brain.Event:2"), logged)
    show = SHOW.format(logs="graphs-first", options="")
    cells = [show, "print(view.expanded)", "view.expanded = []", "view.expanded = None"]
    server.write_notebook("graphs-first.ipynb", cells)
    notebook = open_notebook("graphs-first.ipynb")
    notebook.run_cell(0)
    wait_for_view(notebook, graph, graph.first_opened)
    assert notebook.run_cell(1).strip() == str(list(graph.first_opened))
    stack, member = "net/b0..39", "net/b0"
    assert {"net", stack, member} <= set(graph.first_opened)
    counted = "[...document.querySelectorAll('[data-node]')].map(one => [one.dataset.node, one.dataset.nodes])"
    view = graph.view()
    assert dict(notebook.js(f"return {counted}")) == {
        path: str(nodes) for path, nodes in zip(view.path, view.nodes, strict=True)
    }
    aside = "return [...document.querySelectorAll('[data-auxiliary=true]')].map(one => one.dataset.node)"
    assert notebook.js(aside) == ["save"]

    # Boxes opened and closed in the page are known in Python, a stack with its visible member.
    for path, is_open in ((member, False), (stack, True)):
        box(notebook, path).dblclick()
        notebook.wait(f"return ({OPENED_LIST}).includes({member!r}) === arg", arg=is_open)
        wanted = [is_open, is_open]
        wait_for(lambda: [f"'{one}'" in notebook.run_cell(1) for one in (stack, member)] == wanted)  # noqa: B023 (called at once)
    notebook.run_cell(2)
    wait_for_view(notebook, graph, [])
    assert notebook.run_cell(1).strip() == "[]"
    notebook.run_cell(3)
    wait_for_view(notebook, graph, graph.first_opened)
    assert notebook.errors == []
