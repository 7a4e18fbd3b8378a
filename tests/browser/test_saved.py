"""Saved notebooks and exported pages show their charts without a kernel."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from ipywidgets.embed import dependency_state, embed_minimal_html
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from nbformat.sign import NotebookNotary
from playwright.sync_api import expect

import tbwidget
from tbwidget.export.offline import OfflineHTMLExporter
from tests.browser.chromium import Chromium
from tests.browser.conftest import Open
from tests.browser.jupyter import JupyterServer
from tests.browser.page import NotebookPage
from tests.browser.window import PATIENCE
from tests.support.eventfiles import NAME, event, simple, write

STEPS = {"accuracy": "59", "loss": "59"}


def write_runs(folder: Path) -> None:
    for run in ("first", "second"):
        events = [event(1.7e9 + i, i, simple(tag, i / 60)) for i in range(60) for tag in STEPS]
        write(folder / run / NAME, event(1.7e9, version="brain.Event:2"), *events)


def wait_for_saved_widgets(notebook: NotebookPage) -> None:
    """Wait for the dashboards of a saved notebook.

    If the kernel connects while JupyterLab's widget manager restores widgets from the notebook, the manager considers
    them restored too early. It then shows an error in their place until the page is loaded again.
    """
    for _ in range(5):
        notebook.wait(
            "return document.querySelector('.tbwidget') !== null"
            " || document.body.innerText.includes('Error displaying widget: model not found')"
        )
        if notebook.state() is not None:
            return
        notebook.errors.clear()  # errors of the manager itself
        notebook.open()


def says_it_is_saved(notebook: NotebookPage) -> None:
    notebook.page.locator(".tbwidget-state", has_text="Saved").wait_for()
    expect(notebook.page.locator(".tbwidget-news")).to_contain_text("as of ")
    notebook.sleep(3)
    assert notebook.js("return document.querySelector('.tbwidget').dataset.state") == "idle"


@pytest.mark.own_window
def test_a_notebook_saved_with_its_widgets_shows_the_charts_without_its_kernel(
    saving_server: JupyterServer, open_notebook: Open
) -> None:
    server = saving_server
    write_runs(server.root / "saved-runs")
    paths = {"one": "saved-runs/first", "two": "saved-runs/second"}
    server.write_notebook("saved.ipynb", [f"import tbwidget; tbwidget.show({paths}, smoothing=0.9)"])
    notebook = open_notebook("saved.ipynb", server)
    notebook.run_cell(0)
    notebook.wait_for_last_steps(STEPS)
    notebook.save()
    saved = json.loads((server.root / "saved.ipynb").read_text("utf-8"))
    (state,) = widgets_of(saved)
    assert set(state["_saved"]) == {"answers", "at", "messages"}
    assert state["_saved"]["answers"] == []
    assert len(json.dumps(state, indent=1)) < 680_000
    statuses = [json.loads(message["header"])["status"] for message in state["_saved"]["messages"]]
    assert [(status["path"], "places" in status) for status in statuses] == [("{one, two}", False)] * 2
    assert str(server.root) not in json.dumps(state["_saved"])
    (output,) = saved["cells"][0]["outputs"]
    assert "image/png" in output["data"]
    assert "2 runs (one, two)" in "".join(output["data"]["text/plain"])
    for kernel in server.api("api/kernels"):
        server.api(f"api/kernels/{kernel['id']}", "DELETE")
    notebook.open()
    wait_for_saved_widgets(notebook)
    notebook.wait_for_last_steps(STEPS)
    says_it_is_saved(notebook)
    assert notebook.js("return document.querySelector('.tbwidget input[type=range]').value") == "0.9"
    notebook.page.locator(".tbwidget").get_by_label("Filter tags").fill("loss")
    notebook.wait("return document.querySelectorAll('.tbwidget [data-last-step]').length === 1")


def widgets_of(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the states of the dashboards in a saved notebook."""
    states = notebook["metadata"]["widgets"]["application/vnd.jupyter.widget-state+json"]["state"].values()
    return [one["state"] for one in states if "_saved" in one["state"]]


@pytest.mark.own_window
def test_a_notebook_executed_by_a_program_shows_the_charts(
    server: JupyterServer, open_notebook: Open, tmp_path: Path, chromium: Chromium, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_runs(server.root / "executed-runs")
    cells = ["import tbwidget; tbwidget.show('executed-runs')", "import ipywidgets; ipywidgets.IntSlider(value=7)"]
    path = server.write_notebook("executed.ipynb", cells)
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(server.home / "data"))
    executed = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    NotebookClient(executed, timeout=120, resources={"metadata": {"path": str(server.root)}}).execute()
    html, _ = HTMLExporter().from_notebook_node(executed)  # type: ignore[no-untyped-call]
    offline = OfflineHTMLExporter()  # type: ignore[no-untyped-call]
    (tmp_path / "executed.html").write_text(offline.from_notebook_node(executed)[0], "utf-8")
    # JupyterLab shows no widget of a notebook that it does not trust.
    notary = NotebookNotary()  # type: ignore[no-untyped-call]
    notary.sign(executed)  # type: ignore[no-untyped-call]
    notary.store.close()
    nbformat.write(executed, path)  # type: ignore[no-untyped-call]
    (state,) = widgets_of(json.loads(path.read_text("utf-8")))
    assert len(json.dumps(state["_saved"])) < 100_000
    assert re.search(r'"_saved": {\s*"at": ', html)
    works_offline(chromium, tmp_path / "executed.html")
    opened = open_notebook("executed.ipynb")
    wait_for_saved_widgets(opened)
    opened.wait_for_last_steps(STEPS)
    says_it_is_saved(opened)
    # A kernel replaces the saved view.
    opened.run_cell(0)
    opened.page.locator(".tbwidget-state", has_text="Up to date").wait_for()
    opened.wait_for_last_steps(STEPS)


def works_offline(chromium: Chromium, page: Path) -> None:
    """Open the page made by nbconvert without a network: a frame shows the charts, without requests or errors."""
    context = chromium.context((1400, 1000), 1)
    try:
        context.set_offline(True)
        context.set_default_timeout(1000 * PATIENCE)
        shown = context.new_page()
        requests: list[str] = []
        errors: list[str] = []
        shown.on("request", lambda request: requests.append(request.url))
        shown.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        shown.on("pageerror", lambda error: errors.append(str(error)))
        shown.goto(page.as_uri())
        frame = shown.frame_locator("iframe[title=tbwidget]")
        frame.locator(".tbwidget [data-tag=loss][data-last-step='59']").wait_for()
        # Two charts need less height than a dashboard may take.
        expect(shown.locator("iframe[title=tbwidget]")).not_to_have_css("height", "666px")
        frame.get_by_label("Filter tags").fill("accuracy")
        frame.locator(".tbwidget [data-tag=loss]").wait_for(state="detached")
        expect(shown.get_by_text("IntSlider(value=7)", exact=True)).to_be_visible()
        assert [url for url in requests[1:] if not url.startswith(("blob:null/", "data:", "about:"))] == []
        assert errors == []
    finally:
        context.close()


PAGE = """<!doctype html><body style="width:900px"><div id="host"></div>
<script type="application/json" id="state">{state}</script>
<script type="module">
const state = JSON.parse(document.getElementById("state").textContent);
const url = URL.createObjectURL(new Blob([state._esm], {{ type: "text/javascript" }}));
const widget = (await import(url)).default;
const model = {{ get: name => state[name], set: (name, value) => {{ state[name] = value; }},
    save_changes() {{}}, send() {{}}, on() {{}}, off() {{}} }};
const {{ signal }} = new AbortController();
widget.initialize({{ model, signal }});
widget.render({{ model, signal, el: document.getElementById("host") }});
</script>"""


class ServedPage(NotebookPage):
    """A page in the server's folder, without JupyterLab."""

    def open(self, timeout: float = PATIENCE) -> None:
        """Open the page."""
        address = f"{self.server.url}files/{self.notebook}?token={self.server.token}"
        self.page.goto(address, timeout=1000 * timeout)


def write_page(path: Path, board: Any) -> None:
    """Write a page that does what hosts' widget managers do with the state; those are loaded from the internet."""
    (state,) = (one["state"] for one in dependency_state([board]).values() if "_saved" in one["state"])
    text = json.dumps(state).replace("</", "<\\/")
    path.write_text(PAGE.format(state=text), "utf-8")


def test_an_exported_page_shows_the_charts(tmp_path: Path, server: JupyterServer, chromium: Chromium) -> None:
    write_runs(tmp_path / "runs")
    board = tbwidget.Dashboard(tmp_path / "runs")
    try:
        embed_minimal_html(tmp_path / "page.html", views=[board])
        write_page(server.root / "page.html", board)
        assert board.get_state()["_saved"] == {}
    finally:
        board.close()
    exported = (tmp_path / "page.html").read_text("utf-8")
    assert re.search(r'"_saved": {\s*"at": ', exported)
    assert '"_esm": ' in exported
    with ServedPage(server, "page.html", chromium) as page:
        page.wait_for_last_steps(STEPS)
        says_it_is_saved(page)
