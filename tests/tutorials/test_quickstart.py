"""Each page of the quickstart runs as it stands, and its dashboard shows what the page says."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

import tbwidget
from tests.browser.conftest import ROOT
from tests.support.snippets import everything
from tests.support.translations import originals
from tests.tutorials.lab import as_notebook, run_all

if TYPE_CHECKING:
    from tests.browser.chromium import Chromium
    from tests.browser.jupyter import JupyterServer

PAGES = ROOT / "docs/quickstart"

SAID = {
    "huggingface": {
        "scalars": {"train/loss", "train/learning_rate", "train/grad_norm"},
        "text": {"args/text_summary", "model_config/text_summary"},
    },
    "index": {"scalars": {"loss"}},
    "jax": {"scalars": {"loss/train", "gradient/norm"}, "histograms": {"weights/first"}},
    "keras": {
        "scalars": {"epoch_loss", "batch_loss"},
        "histograms": {"sequential/dense/kernel/histogram"},
        "graphs": set(),
    },
    "lightning": {"scalars": {"loss/train", "epoch"}, "hparams": set()},
    "pytorch": {"scalars": {"loss/train"}, "histograms": {"weights/first"}, "graphs": set()},
    "stable_baselines3": {"scalars": {"rollout/ep_rew_mean", "train/loss", "train/clip_fraction", "state/angle"}},
    "tensorflow1": {"scalars": {"quality/loss"}, "histograms": {"weights"}, "graphs": set()},
}
"""The kinds and tags that each page promises; no tags: the kind alone."""

RUNS = {"keras": ["first/train", "first/validation"], "stable_baselines3": ["ppo_1", "slower_1"]}
"""The runs, where a library names them; else "first" is among them."""


def test_all_are_run() -> None:
    assert [page.stem for page in originals(PAGES, "md")] == sorted(SAID)


@pytest.mark.parametrize("name", SAID)
def test_runs_and_shows_what_it_says(name: str, server: JupyterServer, chromium: Chromium) -> None:
    folders = [server.root / folder for folder in ("runs", "logs")]
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
    with run_all(server, chromium, f"{name}.ipynb", as_notebook(everything(PAGES / f"{name}.md"))) as ran:
        (shown,) = ran.dashboards()
        errors = list(ran.page.errors)
    assert errors == []
    (folder,) = (folder for folder in folders if folder.exists())
    with tbwidget.load(folder) as logs:
        by_kind = {kind: set().union(*by_run.values()) for kind, by_run in logs.tags().items()}
        last = {tag: _last_step(logs, tag) for tag in SAID[name]["scalars"]}
        runs = logs.runs
    for kind, tags in SAID[name].items():
        assert by_kind[kind] >= tags
    drawn = {tag: step for tag, step in shown.steps.items() if tag in last}
    assert drawn, "at least one of them is on the screen"
    assert drawn.items() <= last.items(), "each chart is drawn to its last point"
    assert runs == RUNS[name] if name in RUNS else any("first" in run or "slope" in run for run in runs)


def _last_step(logs: tbwidget.LogDir, tag: str) -> str:
    steps = [logs.scalars(run, tag).step.max() for run, tags in logs.tags()["scalars"].items() if tag in tags]
    return str(max(steps))
