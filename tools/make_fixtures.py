"""Write the small event files of tests/data with writers that people use.

    python tools/make_fixtures.py tensorflow    needs TensorFlow 2 and Keras 3: tests/data/{tf1,tf2,keras}
    python tools/make_fixtures.py torch         needs PyTorch and TensorBoard:  tests/data/torch
    python tools/make_fixtures.py transformers  needs Hugging Face transformers and PyTorch: tests/data/transformers
    python tools/make_fixtures.py sklearn       needs scikit-learn, matplotlib and tensorboardX: tests/data/sklearn
    python tools/make_fixtures.py measures      needs scikit-learn: js/tests/fixtures/pr_curves.json
    python tools/make_fixtures.py checkpoints   needs all of them, and Lightning: tests/data/checkpoints.json

The files are committed, so that the tests need none of these; `.environments/writers` has them all. Values come from
`value` for each step, or from the library itself, in a JSON file next to the log. Wall times are those of the day.
tests/unit/test_logs_writers.py repeats the logged values.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parent.parent / "tests" / "data"
STEPS = range(0, 150, 5)  # steps of one and of two bytes


def value(step: int) -> float:
    """Return a value that is exact in every floating-point type of the writers."""
    return step / 8 - 3


def fresh(name: str) -> str:
    """Make an empty directory."""
    folder = DATA / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return str(folder)


def tensorflow1() -> None:
    """Write in graph mode: one merged summary a step, a Session's metadata, and a restart with SessionLog START."""
    import tensorflow as tf  # noqa: PLC0415 (one of the writers is enough)

    v1: Any = tf.compat.v1
    folder = fresh("tf1")
    with v1.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(v1.float32, [], name="x")
        v1.summary.scalar("loss", x)
        v1.summary.scalar("scope/accuracy", -x)
        v1.summary.histogram("weights", v1.stack([x, x + 1]))
        v1.summary.image("picture", v1.zeros([1, 2, 2, 1]))
        v1.summary.text("note", v1.constant("written"))
        merged = v1.summary.merge_all()
        writer = v1.summary.FileWriter(folder, session.graph)
        for step in STEPS:
            writer.add_summary(session.run(merged, {x: value(step)}), step)
        writer.add_session_log(v1.SessionLog(status=v1.SessionLog.START), 100)
        for step in STEPS[20:]:
            writer.add_summary(session.run(merged, {x: value(step)}), step)
        options = v1.RunOptions(trace_level=v1.RunOptions.FULL_TRACE)
        metadata = v1.RunMetadata()
        session.run(merged, {x: 0}, options=options, run_metadata=metadata)
        writer.add_run_metadata(metadata, "step0")
        writer.close()


def tensorflow2() -> None:
    """Write tensors with metadata in every value."""
    import numpy as np  # noqa: PLC0415
    import tensorflow as tf  # noqa: PLC0415

    with tf.summary.create_file_writer(fresh("tf2")).as_default():
        for step in STEPS:
            tf.summary.scalar("loss", value(step), step=step, description="Said **so**")
            tf.summary.scalar("whole", np.int64(step), step=step)
        tf.summary.histogram("weights", [1.0, 2.0], step=0)
        tf.summary.image("picture", np.zeros([1, 2, 2, 1]), step=0)
        tf.summary.audio("sound", np.zeros([1, 10, 1], np.float32), 8000, step=0)
        tf.summary.text("note", ["written"], step=0)
        tf.summary.write("raw", np.array([1, 2], np.float32), step=0)
        tf.summary.graph(tf.function(lambda: tf.constant(1)).get_concrete_function().graph)


def keras() -> None:
    """Write with Keras' own callback, with its sub-runs."""
    import keras as k  # noqa: PLC0415
    import numpy as np  # noqa: PLC0415

    model = k.Sequential([k.Input((2,)), k.layers.Dense(1, name="layer")])
    model.compile("sgd", "mse", metrics=["mae"])
    x, y = np.ones((8, 2)), np.ones((8, 1))
    callback = k.callbacks.TensorBoard(fresh("keras"), histogram_freq=1)
    model.fit(x, y, epochs=4, validation_data=(x, y), callbacks=[callback], verbose=0)


def torch() -> None:
    """Write scalars in all of PyTorch's forms, and each other kind once."""
    import torch as t  # noqa: PLC0415
    from torch.utils.tensorboard import SummaryWriter  # noqa: PLC0415

    folder = fresh("torch")
    with SummaryWriter(folder) as writer:
        for step in STEPS:
            writer.add_scalar("loss", value(step), step)
            writer.add_scalar("new style", value(step), step, new_style=True)
            writer.add_scalar("double", value(step), step, new_style=True, double_precision=True)
            writer.add_scalars("both", {"plus": value(step), "minus": -value(step)}, step)
        writer.add_histogram("weights", t.arange(4.0), 0)
        writer.add_image("picture", t.zeros(3, 2, 2), 0)
        writer.add_text("note", "written", 0)
        writer.add_pr_curve("curve", t.tensor([0, 1]), t.tensor([0.2, 0.8]), 0)
        writer.add_mesh("mesh", t.zeros(1, 3, 3))
        writer.add_embedding(t.zeros(2, 2), tag="words", global_step=1)
        writer.add_hparams({"lr": 0.1}, {"score": 1.0}, run_name="trial")
        writer.add_graph(t.nn.Linear(2, 1), t.zeros(1, 2))
    with SummaryWriter(folder, purge_step=100, filename_suffix=".restart") as writer:
        for step in range(100, 120, 5):
            writer.add_scalar("loss", value(step), step)


def transformers() -> None:
    """Train a BERT of two layers, from a configuration, on made-up tokens, with Hugging Face's Trainer and logging."""
    import torch as t  # noqa: PLC0415
    import transformers as hf  # noqa: PLC0415

    folder = fresh("transformers")
    hf.set_seed(0)
    sizes = {"hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 16}
    model = hf.BertForSequenceClassification(hf.BertConfig(vocab_size=20, max_position_embeddings=8, **sizes))
    rows = t.randint(0, 20, (64, 8))
    data = [{"input_ids": row, "labels": int(row[0] > 9)} for row in rows]  # noqa: PLR2004 (half of the words)
    every = {"logging_steps": 2, "eval_strategy": "steps", "eval_steps": 8, "save_strategy": "no"}
    os.environ["TENSORBOARD_LOGGING_DIR"] = folder
    with tempfile.TemporaryDirectory() as output, contextlib.chdir(output):  # it logs next to its output
        arguments = hf.TrainingArguments(
            "output", report_to="tensorboard", num_train_epochs=4, learning_rate=0.01, use_cpu=True, **every
        )
        trainer = hf.Trainer(model, arguments, train_dataset=data[:48], eval_dataset=data[48:])
        trainer.train()
    (Path(folder) / "log_history.json").write_text(json.dumps(trainer.state.log_history) + "\n")


def sklearn() -> None:
    """Train a classifier of scikit-learn, which logs nothing itself, and log with tensorboardX as its users do."""
    from matplotlib.figure import Figure  # noqa: PLC0415
    from sklearn import metrics  # noqa: PLC0415
    from sklearn.datasets import make_classification  # noqa: PLC0415
    from sklearn.linear_model import SGDClassifier  # noqa: PLC0415
    from sklearn.model_selection import GridSearchCV, train_test_split  # noqa: PLC0415
    from tensorboardX import SummaryWriter  # noqa: PLC0415

    folder = fresh("sklearn")
    x, y = make_classification(160, 4, flip_y=0.2, random_state=0)
    x_train, x_test, y_train, y_test = train_test_split(x, y, random_state=0)
    model = SGDClassifier(loss="log_loss", learning_rate="constant", eta0=0.01, random_state=0)
    losses = []
    with SummaryWriter(folder) as writer:
        for epoch in range(12):
            model.partial_fit(x_train, y_train, classes=[0, 1])
            losses.append(metrics.log_loss(y_test, model.predict_proba(x_test)))
            writer.add_scalar("log_loss/test", losses[-1], epoch)
            if epoch % 4 == 0:
                writer.add_histogram("coefficients", model.coef_, epoch)
        scores, predicted = model.predict_proba(x_test)[:, 1], model.predict(x_test)
        writer.add_pr_curve("test", y_test, scores, 12)
        report = metrics.classification_report(y_test, predicted)
        writer.add_text("report", f"```\n{report}\n```", 12)
        figure = Figure((2, 2), dpi=50)
        metrics.ConfusionMatrixDisplay.from_predictions(y_test, predicted, ax=figure.add_subplot(), colorbar=False)
        writer.add_figure("confusion", figure, 12)
        search = GridSearchCV(model, {"alpha": [1e-3, 1.0], "penalty": ["l1", "l2"]}, cv=3).fit(x_train, y_train)
        found = search.cv_results_
        tried = list(zip(found["params"], found["mean_test_score"], strict=True))
        for number, (parameters, score) in enumerate(tried):
            writer.add_hparams(parameters, {"mean_test_score": score}, name=f"search_{number}")
    said = {
        "log_loss": losses,
        "labels": y_test.tolist(),
        "scores": scores.tolist(),
        "average_precision": metrics.average_precision_score(y_test, scores),
        "report": report,
        "search": tried,
    }
    (Path(folder) / "metrics.json").write_text(json.dumps(said) + "\n")


def measures() -> None:
    """Write scikit-learn's results for scores that were rounded down to the thresholds of a PR curve."""
    import numpy as np  # noqa: PLC0415
    from sklearn import metrics  # noqa: PLC0415

    cases = []
    for thresholds, rate, skill in ((11, 0.3, 1.0), (127, 0.1, 2.0), (201, 0.5, 0.0), (2, 0.5, 1.0)):
        rng = np.random.default_rng(thresholds)
        labels = (rng.random(200) < rate).astype(int)
        scores = 1 / (1 + np.exp(-rng.normal(skill * (labels - 0.5), 1)))
        places = np.floor(scores * (thresholds - 1)).astype(int)
        steps = np.arange(thresholds)
        predicted = places[None, :] >= steps[:, None]
        case = {
            "counts": {
                "tp": (predicted & (labels == 1)).sum(1).tolist(),
                "fp": (predicted & (labels == 0)).sum(1).tolist(),
                "tn": (~predicted & (labels == 0)).sum(1).tolist(),
                "fn": (~predicted & (labels == 1)).sum(1).tolist(),
            },
            "average_precision": metrics.average_precision_score(labels, places),
            "roc_auc": metrics.roc_auc_score(labels, places),
            "f1": [metrics.f1_score(labels, one, zero_division=0) for one in predicted],
            "precision": [metrics.precision_score(labels, one, zero_division=0) for one in predicted],
            "recall": [metrics.recall_score(labels, one) for one in predicted],
        }
        cases.append(case)
    path = DATA.parent.parent / "js" / "tests" / "fixtures" / "pr_curves.json"
    path.write_text(json.dumps(cases) + "\n")


def checkpoints() -> None:
    """Write the names of the files that libraries leave when they save checkpoints, without the contents."""
    import keras  # noqa: PLC0415
    import lightning  # noqa: PLC0415
    import numpy as np  # noqa: PLC0415
    import tensorflow as tf  # noqa: PLC0415
    import torch  # noqa: PLC0415
    from lightning.pytorch.callbacks import ModelCheckpoint  # noqa: PLC0415
    from safetensors.torch import save_file  # noqa: PLC0415
    from transformers import (  # noqa: PLC0415
        BertConfig,
        BertForSequenceClassification,
        Trainer,
        TrainingArguments,
    )

    found: dict[str, list[str]] = {}

    @contextlib.contextmanager
    def written(writer: str) -> Any:
        with tempfile.TemporaryDirectory() as folder:
            yield folder
            files = (
                Path(above) / name for above, _, names in os.walk(folder) for name in names if "tfevents" not in name
            )
            found[writer] = sorted(path.relative_to(folder).as_posix() for path in files)

    with written("tf.train.CheckpointManager") as folder:
        checkpoint = tf.train.Checkpoint(value=tf.Variable(1.0))
        manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
        for _ in range(3):
            manager.save()
        manager.save(checkpoint_number=500)
    with written("tf.compat.v1.train.MonitoredTrainingSession") as folder, tf.Graph().as_default():
        step = tf.compat.v1.train.get_or_create_global_step()
        add = tf.compat.v1.assign_add(step, 1)
        with tf.compat.v1.train.MonitoredTrainingSession(
            checkpoint_dir=folder, save_checkpoint_steps=5, save_checkpoint_secs=None
        ) as session:
            for _ in range(10):
                session.run(add)
    with written("keras.callbacks.ModelCheckpoint") as folder:
        model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
        model.compile("sgd", "mse")
        callback = keras.callbacks.ModelCheckpoint
        names = ("weights.{epoch:02d}-{loss:.2f}.keras", "epoch_{epoch:02d}.weights.h5", "best.keras")
        callbacks = [callback(f"{folder}/{name}", save_weights_only=name.endswith("h5")) for name in names]
        model.fit(np.ones((4, 1)), np.ones((4, 1)), epochs=2, callbacks=callbacks, verbose=0)

    class Module(lightning.LightningModule):  # type: ignore[misc] # without its stubs
        def __init__(self) -> None:
            super().__init__()
            self.layer = torch.nn.Linear(1, 1)

        def training_step(self, batch: Any) -> Any:
            return self.layer(batch[0]).sum()

        def configure_optimizers(self) -> Any:
            return torch.optim.SGD(self.parameters(), 0.1)

    with written("lightning ModelCheckpoint") as folder:
        data = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.ones(8, 1)), 2)
        saving = ModelCheckpoint(save_top_k=-1, save_last=True)
        trainer = lightning.Trainer(
            default_root_dir=folder, max_epochs=2, callbacks=[saving], enable_progress_bar=False, accelerator="cpu"
        )
        trainer.fit(Module(), data)
    with written("transformers Trainer") as folder:
        config = BertConfig(
            vocab_size=8, hidden_size=4, num_hidden_layers=1, num_attention_heads=1, intermediate_size=4
        )
        rows = [{"input_ids": torch.tensor([1, 2]), "labels": torch.tensor(0)}] * 4
        arguments = TrainingArguments(
            folder,
            max_steps=4,
            save_steps=2,
            report_to=[],
            use_cpu=True,
            disable_tqdm=True,
            per_device_train_batch_size=1,
        )
        Trainer(BertForSequenceClassification(config), arguments, train_dataset=rows).train()
    with written("torch.save") as folder:
        for name in ("model_500.pt", "checkpoint_step1000.pth", "epoch-3.pt"):
            torch.save({}, f"{folder}/{name}")
        save_file({"x": torch.ones(1)}, f"{folder}/model-step-700.safetensors")
    (DATA / "checkpoints.json").write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    writers = {
        "tensorflow": (tensorflow1, tensorflow2, keras),
        "torch": (torch,),
        "transformers": (transformers,),
        "sklearn": (sklearn,),
        "measures": (measures,),
        "checkpoints": (checkpoints,),
    }
    for make in writers[sys.argv[1]]:
        make()
