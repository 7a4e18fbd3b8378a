"""The committed tutorials read well without running, such as on GitHub: they contain pictures and results.

`make tutorials` runs them; `python -m tests.tutorials.outputs` writes these outputs.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.translations import originals

FOLDER = Path(__file__).parents[2] / "notebooks/tutorials"
NAMES = [path.stem for path in originals(FOLDER, "ipynb")]

MAX_BYTES = 1_000_000

_OF_A_MACHINE = re.compile(r"/home/|/root/|/tmp/|/usr/|/work/|/Users/|site-packages|[A-Z]:\\\\")
_DASHBOARD = re.compile(r"(Dashboard|\w+View)\(")


def outputs(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    return [output for cell in notebook["cells"] for output in cell.get("outputs", [])]


def text_of(output: dict[str, Any]) -> str:
    """Return all of an output but pictures."""
    data = {kind: value for kind, value in output.get("data", {}).items() if not kind.startswith("image/")}
    return json.dumps([data, output.get("text"), output.get("metadata")])


def test_there_are_five() -> None:
    assert len(NAMES) == 5


@pytest.mark.parametrize("name", NAMES)
def test_reads_well_without_being_run(name: str) -> None:
    path = FOLDER / f"{name}.ipynb"
    notebook = json.loads(path.read_text("utf-8"))
    cells = notebook["cells"]
    assert path.stat().st_size <= MAX_BYTES
    assert "".join(cells[0]["source"]).startswith("# ")
    assert "".join(cells[-1]["source"]).startswith("## What to look at\n")
    numbers = [cell["execution_count"] for cell in cells if cell["cell_type"] == "code"]
    assert numbers == list(range(1, len(numbers) + 1)), "it was run once, from the first cell to the last"
    assert "widgets" not in notebook["metadata"], "widget state has megabytes, and is of no use here"


@pytest.mark.parametrize("name", NAMES)
def test_outputs_are_pictures_and_results(name: str) -> None:
    found = outputs(json.loads((FOLDER / f"{name}.ipynb").read_text("utf-8")))
    assert [output for output in found if output["output_type"] == "error" or output.get("name") == "stderr"] == []
    assert [text for text in map(text_of, found) if _OF_A_MACHINE.search(text)] == []
    results = [output["data"] for output in found if "data" in output]
    shown = [data for data in results if _DASHBOARD.match("".join(data["text/plain"]))]
    assert len(shown) >= 2
    assert [data["text/plain"] for data in shown if set(data) != {"image/png", "text/plain"}] == []
