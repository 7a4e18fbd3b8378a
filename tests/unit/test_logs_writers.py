"""Files of real writers: those from tools/make_fixtures.py, and new ones that tensorboardX writes during the test."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tensorboardX import SummaryWriter

import tbwidget

DATA = Path(__file__).parents[1] / "data"
STEPS = list(range(0, 150, 5))


def values(steps: list[int]) -> list[float]:
    """Return the values that the fixtures' writers wrote at these steps."""
    return [step / 8 - 3 for step in steps]


def check(scalars: tbwidget.Scalars, steps: list[int], expected: list[float]) -> None:
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


def test_transformers() -> None:
    """Hugging Face's Trainer: its configuration, and each number of its own history, rounded to 32 bits."""
    logs = tbwidget.load(DATA / "transformers")
    assert logs.problems == []
    history = json.loads((DATA / "transformers/log_history.json").read_text("utf-8"))
    trained = [entry for entry in history if "loss" in entry]
    evaluated = [entry for entry in history if "eval_loss" in entry]
    assert len(trained) == 12
    for name in ("loss", "grad_norm", "learning_rate"):
        check(logs.scalars(".", f"train/{name}"), *steps_and_values(trained, name))
    for name in ("loss", "runtime", "samples_per_second"):
        check(logs.scalars(".", f"eval/{name}"), *steps_and_values(evaluated, f"eval_{name}"))
    check(logs.scalars(".", "train/train_loss"), *steps_and_values(history[-1:], "train_loss"))
    # The epoch is logged with the losses, with the evaluations, and with the final summary.
    assert logs.scalars(".", "train/epoch").step.tolist() == [entry["step"] for entry in history]
    (arguments,) = logs.text(".", "args/text_summary")
    assert json.loads(arguments.value.item())["learning_rate"] == 0.01
    (model,) = logs.text(".", "model_config/text_summary")
    assert json.loads(model.value.item())["num_hidden_layers"] == 2


def steps_and_values(history: list[dict[str, float]], name: str) -> tuple[list[int], list[float]]:
    """Return steps and values of one metric in the Trainer's history, rounded as in event files."""
    return [int(entry["step"]) for entry in history], [float(np.float32(entry[name])) for entry in history]


def test_sklearn() -> None:
    """A classifier's numbers, curve, report and search, as scikit-learn gave them to tensorboardX."""
    logs = tbwidget.load(DATA / "sklearn")
    assert logs.problems == []
    truth = json.loads((DATA / "sklearn/metrics.json").read_text("utf-8"))
    losses = [float(np.float32(loss)) for loss in truth["log_loss"]]
    check(logs.scalars(".", "log_loss/test"), list(range(12)), losses)
    labels, scores = np.array(truth["labels"], bool), np.array(truth["scores"])
    (curve,) = logs.pr_curves(".", "test")
    above = scores >= np.array(curve.thresholds)[:, None]
    assert curve.tp.tolist() == (above & labels).sum(1).tolist()
    assert curve.fp.tolist() == (above & ~labels).sum(1).tolist()
    # The curve has only 127 thresholds, so that some scores are equal.
    steps = -np.diff(np.append(curve.recall, 0))
    assert (steps * curve.precision).sum() == pytest.approx(truth["average_precision"], abs=0.01)
    (report,) = logs.text(".", "report/text_summary")
    assert report.value.tolist() == [f"```\n{truth['report']}\n```"]
    (confusion,) = logs.images(".", "confusion")
    assert (confusion.step, confusion.width, confusion.height) == (12, 100, 100)
    assert logs.histograms(".", "coefficients").step.tolist() == [0, 4, 8]
    tried = [[session.values, session.metrics["mean_test_score"]] for session in logs.hparams()]
    assert tried == [[values, float(np.float32(score))] for values, score in truth["search"]]


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
