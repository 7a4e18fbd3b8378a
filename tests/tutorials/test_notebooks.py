"""The tutorials run from the first cell to the last, and their dashboards show what they are about."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import tbwidget
from tests.support.translations import originals
from tests.tutorials.lab import run_all
from tests.tutorials.outputs import FOLDER

if TYPE_CHECKING:
    from tests.browser.chromium import Chromium
    from tests.browser.jupyter import JupyterServer

SHOWN = {
    "digits": ("digits_logs", {"scalars", "histograms", "images", "graphs"}, {"scalars", "histograms", "images"}),
    "pytorch": (
        "digit_runs",
        {"scalars", "images", "graphs", "embeddings", "pr_curves"},
        {"images", "graphs", "projector", "pr_curves"},
    ),
    "reading_a_graph": ("graph_logs", {"scalars", "graphs", "run_metadata"}, {"graphs"}),
    "segmentation": ("shapes_logs", {"scalars", "images"}, {"scalars", "images"}),
    "xor": ("xor_logs", {"scalars", "histograms", "graphs"}, {"scalars", "graphs"}),
}
"""For each its log directory, the kinds that are logged there, and the panels of its dashboards."""


def test_all_are_run() -> None:
    assert [path.stem for path in originals(FOLDER, "ipynb")] == sorted(SHOWN)


@pytest.mark.parametrize("name", SHOWN)
def test_runs_and_shows_what_it_is_about(name: str, server: JupyterServer, chromium: Chromium) -> None:
    folder, kinds, panels = SHOWN[name]
    notebook = json.loads((FOLDER / f"{name}.ipynb").read_text("utf-8"))
    with run_all(server, chromium, f"{name}.ipynb", notebook) as ran:
        dashboards = ran.dashboards()
        printed = [(cell, o) for cell, outputs in ran.outputs().items() for o in outputs if o.get("name") == "stderr"]
        errors = list(ran.page.errors)
    assert printed == [], "no library warns of anything"
    assert errors == []
    assert [shown.cell for shown in dashboards if not shown.panels] == [], "no dashboard is empty"
    assert set().union(*(shown.panels for shown in dashboards)) >= panels
    with tbwidget.load(server.root / folder) as logs:
        assert set(logs.tags()) >= kinds
        assert logs.problems == []
