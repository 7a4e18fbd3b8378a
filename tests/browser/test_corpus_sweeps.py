"""PR curves and hyperparameters of real writers: what the page shows is what the logs say."""

from __future__ import annotations

import json
import shutil
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

import tbwidget
from tests.browser.test_hparams_parallel import brush
from tests.support.corpus import CORPUS

if TYPE_CHECKING:
    from tests.browser.conftest import Open
    from tests.browser.jupyter import JupyterServer
    from tests.browser.page import NotebookPage

CURVES = ("torch_tutorial", "tf2_plugins", "tensorboardx_all")
SWEEPS = ("tf2_hparams_grid", "torch_hparams", "tensorboardx_all")


def opened(server: JupyterServer, open_notebook: Open, name: str, view: str, corpora: tuple[str, ...]) -> NotebookPage:
    for corpus in corpora:
        shutil.copytree(CORPUS / corpus / "logs", server.root / name / corpus)
    begin = f"import tbwidget\nnames = iter({corpora!r})"
    server.write_notebook(f"{name}.ipynb", [begin, f"tbwidget.{view}('{name}/' + next(names), height=900)"])
    notebook = open_notebook(f"{name}.ipynb")
    notebook.run_cell(0)
    return notebook


def test_areas_of_curves_of_real_writers(server: JupyterServer, open_notebook: Open) -> None:
    notebook = opened(server, open_notebook, "written-curves", "PRCurvesView", CURVES)
    for corpus in CURVES:
        logs = tbwidget.load(CORPUS / corpus / "logs")
        notebook.run_cell(1)
        notebook.wait_for_state("idle", "live")
        for run, tags in logs.tags()["pr_curves"].items():
            for tag in tags:
                notebook.scroll_to(tag)
                wanted = logs.pr_curves(run, tag)[-1]
                row = notebook.page.locator(f"tr[data-run={json.dumps(run)}][data-tag={json.dumps(tag)}]")
                expect(row).to_have_attribute("data-state", "shown")
                shown = row.evaluate("row => ({...row.dataset})")
                assert int(shown["step"]) == wanted.step
                assert float(shown["ap"]) == pytest.approx(wanted.average_precision, abs=1e-6)
                assert float(shown["auc"]) == pytest.approx(wanted.roc_auc, abs=1e-6, nan_ok=True)
    assert notebook.errors == []


def test_sessions_of_real_writers(server: JupyterServer, open_notebook: Open) -> None:
    notebook = opened(server, open_notebook, "written-sweeps", "HParamsView", SWEEPS)
    for corpus in SWEEPS:
        sessions = tbwidget.load(CORPUS / corpus / "logs").hparams()
        notebook.run_cell(1)
        notebook.wait_for_state("idle", "live")
        rows = notebook.page.locator(".tbwidget-hparams-table tr[data-run]")
        expect(rows).to_have_count(len(sessions))
        assert sorted(rows.evaluate_all("rows => rows.map(row => row.dataset.run)")) == sorted(
            session.run for session in sessions
        )
        plot = notebook.page.locator("[data-plot=parallel]")
        expect(plot).to_have_attribute("data-lines", str(len(sessions)))
        axis = plot.locator("[data-axis^='metric:']").last.get_attribute("data-axis") or ""
        values = {session.run: session.metrics[axis.removeprefix("metric:")] for session in sessions}
        for run, value in values.items():
            cell = notebook.page.locator(f"tr[data-run={json.dumps(run)}] td[data-column={json.dumps(axis)}]")
            assert float(cell.inner_text().replace("\u2212", "-")) == pytest.approx(value, rel=1e-3)
        expect(plot.locator(".tbwidget-parallel-scale-button").last).to_have_text("linear")
        # A brush down to the middle of the widest gap between two values.
        low, high = min(values.values()), max(values.values())
        places = sorted((value - low) / (high - low) for value in values.values())
        gaps = list(pairwise(places))
        below, above = max(gaps, key=lambda gap: gap[1] - gap[0])
        brush(notebook, plot, axis, 0, 1 - (below + above) / 2)
        expect(plot).to_have_attribute("data-brushed", str(len(places) - gaps.index((below, above)) - 1))
    assert notebook.errors == []
