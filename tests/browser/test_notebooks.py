"""Notebooks that need no page, run from the first cell to the last in a real kernel."""

from __future__ import annotations

import json
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from tests.browser.conftest import ROOT

_WIDGET = "application/vnd.jupyter.widget-view+json"
WITHOUT_A_PAGE = {
    "reading": ("image/png", 2),
    "scalars": (_WIDGET, 4),
    "pr_curves": (_WIDGET, 2),
    "hparams": (_WIDGET, 2),
    "projector": (_WIDGET, 2),
    "meshes": (_WIDGET, 1),
}
"""Text that each notebook prints, and its minimum number of occurrences."""


@pytest.mark.parametrize("name", WITHOUT_A_PAGE)
def test_runs_to_its_end(name: str, tmp_path: Path) -> None:
    source = (ROOT / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8")
    code = [cell for cell in json.loads(source)["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] for cell in code), "outputs are stripped from committed notebooks"

    notebook = nbformat.reads(source, as_version=4)  # type: ignore[no-untyped-call]
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()

    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert not [output for output in outputs if output.get("name") == "stderr"], "nothing is warned of"
    shown, least = WITHOUT_A_PAGE[name]
    assert sum(shown in output.get("data", {}) for output in outputs) >= least, "it draws"
