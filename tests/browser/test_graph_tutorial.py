"""The tutorial of graphs, run as a reader runs it."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

from tests.browser.conftest import ROOT

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer

OUTPUT = "const out = cells[arg.cell].outputArea.node;"
NODES = OUTPUT + "return [...out.querySelectorAll('[data-node]')].map(({ dataset }) => dataset.node).sort();"
HAS = OUTPUT + 'return arg.paths.every(path => out.querySelector(`[data-node="${CSS.escape(path)}"]`) !== null);'

SHOWN = {
    "configured": ["input/shard_7", "loss/CrossEntropy", "gradients", "train"],
    "time": ["gradients/loss", "gradients/layer0..4"],
    "result": ["layer0..4", "step"],
    "torch": ["GPT/Block[0]/Attention[attention]"],
    "any": ["clean/filter", "validate/score", "report"],
}


def test_the_tutorial_runs(server: JupyterServer, open_notebook: Open) -> None:
    notebook = json.loads((ROOT / "notebooks" / "graphs.ipynb").read_text(encoding="utf-8"))
    code = {cell["id"]: i for i, cell in enumerate(notebook["cells"]) if cell["cell_type"] == "code"}
    assert all(notebook["cells"][i]["outputs"] == [] for i in code.values()), "outputs are stripped"
    shutil.rmtree(server.root / "graphs", ignore_errors=True)
    server.add_notebook("graphs.ipynb", notebook)
    page = open_notebook("graphs.ipynb")
    for cell in ("load", "tracer", "model", "show"):
        page.run_cell(code[cell])
    page.wait(HAS, arg={"cell": code["show"], "paths": ["layer0..4"]})
    shown = page.steady(NODES, {"cell": code["show"]})
    assert {"gradients", "input", "layer0..4", "loss", "step", "train"} < set(shown)

    page.run_cell(code["set"])
    page.wait(HAS, arg={"cell": code["show"], "paths": ["layer0/MatMul", "loss/Softmax"]})
    assert page.run_cell(code["get"]).startswith("('loss/Softmax', ['layer0..4'")
    assert page.run_cell(code["python"]).startswith("104 nodes; in layer0: VariableV2, MatMul")
    for cell, paths in SHOWN.items():
        page.run_cell(code[cell])
        page.js("cells[arg].node.scrollIntoView()", code[cell])
        page.wait(HAS, arg={"cell": code[cell], "paths": paths})
    configured = page.steady(NODES, {"cell": code["configured"]})
    assert "loss/weights" not in configured
    assert "input/shard_0..15" not in configured
    assert page.errors == []
