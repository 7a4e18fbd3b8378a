"""What was saved or exported shows its charts without a kernel."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ipywidgets.embed import dependency_state, embed_minimal_html

import tbwidget
from tests.browser.conftest import Open
from tests.browser.jupyter import JupyterServer
from tests.browser.page import NotebookPage
from tests.support.eventfiles import NAME, event, simple, write

STEPS = {"accuracy": "59", "loss": "59"}


def write_runs(folder: Path) -> None:
    for run in ("first", "second"):
        events = [event(1.7e9 + i, i, simple(tag, i / 60)) for i in range(60) for tag in STEPS]
        write(folder / run / NAME, event(1.7e9, version="brain.Event:2"), *events)


@pytest.fixture(scope="module")
def saving_server() -> Iterator[JupyterServer]:
    with JupyterServer(settings={"@jupyter-widgets/jupyterlab-manager:plugin": {"saveState": True}}) as running:
        yield running


def says_it_is_saved(notebook: NotebookPage) -> None:
    notebook.page.locator(".tbwidget-state", has_text="Saved").wait_for(timeout=20_000)
    assert "as of " in notebook.page.locator(".tbwidget-news").inner_text()
    notebook.sleep(3)
    assert notebook.js("return document.querySelector('.tbwidget').dataset.state") == "idle"


def test_a_notebook_saved_with_its_widgets_shows_the_charts_without_its_kernel(
    saving_server: JupyterServer, open_notebook: Open
) -> None:
    server = saving_server
    write_runs(server.root / "saved-runs")
    server.write_notebook("saved.ipynb", ["import tbwidget; tbwidget.show('saved-runs', smoothing=0.9)"])
    notebook = open_notebook("saved.ipynb", server)
    notebook.run_cell(0)
    notebook.wait_for_last_steps(STEPS, 20)
    notebook.js("return app.commands.execute('docmanager:save').then(() => null)")
    saved = json.loads((server.root / "saved.ipynb").read_text("utf-8"))
    (state,) = widgets_of(saved)
    assert list(state["_saved"]) == ["at", "messages"]
    for kernel in server.api("api/kernels"):
        server.api(f"api/kernels/{kernel['id']}", "DELETE")
    notebook.open()
    notebook.wait_for_last_steps(STEPS, 30)
    says_it_is_saved(notebook)
    assert notebook.js("return document.querySelector('.tbwidget input[type=range]').value") == "0.9"
    notebook.page.locator(".tbwidget").get_by_label("Filter tags").fill("loss")
    notebook.wait("return document.querySelectorAll('.tbwidget [data-last-step]').length === 1", 10)


def jupyter(server: JupyterServer, *command: str) -> None:
    """Run one of Jupyter's programs where the server's notebooks and kernels are."""
    subprocess.run(
        [sys.executable, "-m", "jupyter", *command],
        check=True,
        capture_output=True,
        timeout=120,
        cwd=server.root,
        env={**os.environ, "JUPYTER_DATA_DIR": str(server.home / "data")},
    )


def widgets_of(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    """States of the dashboards in a saved notebook."""
    states = notebook["metadata"]["widgets"]["application/vnd.jupyter.widget-state+json"]["state"].values()
    return [one["state"] for one in states if "_saved" in one["state"]]


def test_a_notebook_executed_by_a_program_shows_the_charts(server: JupyterServer, open_notebook: Open) -> None:
    write_runs(server.root / "executed-runs")
    path = server.write_notebook("executed.ipynb", ["import tbwidget; tbwidget.show('executed-runs')", "1 + 1"])
    jupyter(server, "execute", "--inplace", path.name)
    jupyter(server, "nbconvert", "--to=html", path.name)
    # JupyterLab shows no widget of a notebook that it does not trust.
    jupyter(server, "trust", path.name)
    (state,) = widgets_of(json.loads(path.read_text("utf-8")))
    assert len(json.dumps(state["_saved"])) < 100_000
    assert re.search(r'"_saved": {\s*"at": ', path.with_suffix(".html").read_text("utf-8"))
    opened = open_notebook("executed.ipynb")
    opened.wait_for_last_steps(STEPS, 30)
    says_it_is_saved(opened)
    # A kernel takes its place.
    opened.run_cell(0)
    opened.page.locator(".tbwidget-state", has_text="Watching").wait_for(timeout=20_000)
    opened.wait_for_last_steps(STEPS, 20)


PAGE = """<!doctype html><body style="width:900px"><style>{css}</style><div id="host"></div>
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


def test_an_exported_page_shows_the_charts(tmp_path: Path, server: JupyterServer, open_notebook: Open) -> None:
    write_runs(tmp_path / "runs")
    board = tbwidget.Dashboard(tmp_path / "runs")
    try:
        embed_minimal_html(tmp_path / "page.html", views=[board])
        (state,) = (one["state"] for one in dependency_state([board]).values() if "_saved" in one["state"])
        assert board.get_state()["_saved"] == {}
    finally:
        board.close()
    exported = (tmp_path / "page.html").read_text("utf-8")
    assert re.search(r'"_saved": {\s*"at": ', exported)
    assert '"_esm": ' in exported
    # Hosts fetch their widget manager from the net: here stands what it does with the state.
    text = json.dumps(state).replace("</", "<\\/")
    (server.root / "page.html").write_text(PAGE.format(css=state["_css"], state=text), "utf-8")
    server.write_notebook("any.ipynb", [""])
    page = open_notebook("any.ipynb")
    page.page.goto(f"{server.url}files/page.html?token={server.token}")
    page.wait_for_last_steps(STEPS, 20)
    says_it_is_saved(page)
