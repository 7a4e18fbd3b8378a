"""Files of real writers: those that tools/make_fixtures.py made, and tensorboardX, which writes here and now."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tensorboardX import SummaryWriter

import tbwidget

DATA = Path(__file__).parents[1] / "data"
STEPS = list(range(0, 150, 5))


def values(steps: list[int]) -> list[float]:
    """What the fixtures' writers wrote at each step."""
    return [step / 8 - 3 for step in steps]


def check(scalars: tbwidget.logs.Scalars, steps: list[int], expected: list[float]) -> None:
    assert scalars.step.tolist() == steps
    assert scalars.value.tolist() == expected


def test_tf1() -> None:
    logs = tbwidget.load(DATA / "tf1")
    assert logs.problems == []
    assert logs.tags() == {
        "scalars": {".": ["loss", "scope/accuracy"]},
        "histograms": {".": ["weights"]},
        "images": {".": ["picture/image/0"]},
        "text": {".": ["note"]},
        "graphs": {".": ["__run_graph__"]},
        "run_metadata": {".": ["step0"]},
    }
    check(logs.scalars(".", "loss"), STEPS, values(STEPS))
    check(logs.scalars(".", "scope/accuracy"), STEPS, [-value for value in values(STEPS)])
    assert logs.scalars(".", "loss").superseded == 10
    everything = logs.scalars(".", "loss", superseded=True)
    assert everything.step.tolist() == STEPS + STEPS[20:]
    assert (np.diff(everything.wall_time) >= 0).all()


def test_tf2() -> None:
    logs = tbwidget.load(DATA / "tf2")
    assert logs.problems == []
    assert {kind: runs["."] for kind, runs in logs.tags().items()} == {
        "scalars": ["loss", "whole"],
        "histograms": ["weights"],
        "images": ["picture"],
        "audio": ["sound"],
        "text": ["note"],
        "graphs": ["__run_graph__"],
        "tensors": ["raw"],
    }
    check(logs.scalars(".", "loss"), STEPS, values(STEPS))
    check(logs.scalars(".", "whole"), STEPS, [float(step) for step in STEPS])
    assert logs.metadata(".", "loss") == ("scalars", "loss", "Said **so**")


def test_keras() -> None:
    logs = tbwidget.load(DATA / "keras")
    assert logs.problems == []
    assert logs.runs == ["train", "validation"]
    assert logs.tags()["graphs"] == {"train": ["keras"]}
    assert logs.tags()["scalars"]["train"] == ["epoch_learning_rate", "epoch_loss", "epoch_mae"]
    loss = logs.scalars("train", "epoch_loss")
    assert loss.step.tolist() == [0, 1, 2, 3]
    assert (np.diff(loss.value) < 0).all()
    assert logs.scalars("train", "epoch_learning_rate").value == pytest.approx([0.01] * 4)


def test_torch() -> None:
    logs = tbwidget.load(DATA / "torch")
    assert logs.problems == []
    assert logs.runs == [".", "both_minus", "both_plus", "trial"]
    assert {kind: runs["."] for kind, runs in logs.tags().items() if "." in runs} == {
        "scalars": ["double", "loss", "new style"],
        "histograms": ["weights"],
        "images": ["picture"],
        "text": ["note/text_summary"],
        "pr_curves": ["curve"],
        "meshes": ["mesh_VERTEX"],
        "graphs": ["__run_graph__"],
        "embeddings": ["words:00001"],
        "run_metadata": ["step1"],
    }
    assert logs.tags()["hparams"]["trial"][0] == "_hparams_/experiment"
    for tag in ("new style", "double"):
        check(logs.scalars(".", tag), STEPS, values(STEPS))
    check(logs.scalars("both_minus", "both"), STEPS, [-value for value in values(STEPS)])
    # The second writer purged from step 100 on, and stopped earlier than the first.
    kept = [*range(0, 100, 5), *range(100, 120, 5)]
    check(logs.scalars(".", "loss"), kept, values(kept))
    assert logs.scalars(".", "loss", superseded=True).step.tolist() == STEPS + kept[20:]


def test_tensorboardx(tmp_path: Path) -> None:
    steps = [*range(300), 2**40]
    with SummaryWriter(str(tmp_path)) as writer:
        for step in steps:
            writer.add_scalar("loss", step / 4, step, display_name="Shown", summary_description="TagMetadata")
        writer.add_scalars("both", {"plus": 1.0, "minus": -1.0}, 7)
        writer.add_histogram("weights", np.arange(4.0), 0)
        writer.add_image("picture", np.zeros((3, 2, 2)), 0)
        writer.add_text("note", "written", 0)
        writer.add_pr_curve("curve", np.array([0, 1]), np.array([0.2, 0.8]), 0)
        writer.add_embedding(np.zeros((2, 2)), tag="words", global_step=1)
        writer.add_hparams({"lr": 0.1}, {"score": 1.0}, name="trial")
    logs = tbwidget.load(tmp_path)
    assert logs.problems == []
    check(logs.scalars(".", "loss"), steps, [step / 4 for step in steps])
    assert logs.metadata(".", "loss") == ("scalars", "Shown", "TagMetadata")
    check(logs.scalars("both/minus", "both"), [7], [-1.0])
    tags = logs.tags()
    assert {kind: tags[kind]["."] for kind in ("histograms", "images", "text", "pr_curves", "embeddings")} == {
        "histograms": ["weights"],
        "images": ["picture"],
        "text": ["note/text_summary"],
        "pr_curves": ["curve"],
        "embeddings": ["words:00001"],
    }
    assert tags["scalars"]["trial"] == ["score"]
