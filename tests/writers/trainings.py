"""Trainings as people write them, one for each library that writes event files; none of them ever flushes.

Each logs one value for every given step, in the folder "run", until there are no more steps.
"""

# ruff: noqa: PLC0415 (a training imports its library itself: they take seconds, and one process runs one of them)

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")


class Training(NamedTuple):
    """A training, and the data that it writes."""

    train: Callable[[str, Iterator[int]], None]
    """Called with the log directory and the steps."""
    tag: str = "loss"
    run: str = "run"
    first_step: int = 0
    """Number of the first step."""
    holds_back: bool = False
    """Values are written when a buffer is full, or after two minutes. The other writers flush at each log call."""


def torch_beside_tensorflow(folder: str, steps: Iterator[int]) -> None:
    """Use torch's writer, which writes with TensorFlow if that is installed."""
    from torch.utils.tensorboard import SummaryWriter

    with SummaryWriter(f"{folder}/run") as writer:
        for step in steps:
            writer.add_scalar("loss", 1 / (1 + step), step)


def tensorboardx(folder: str, steps: Iterator[int]) -> None:
    """Use tensorboardX."""
    from tensorboardX import SummaryWriter

    with SummaryWriter(f"{folder}/run") as writer:
        for step in steps:
            writer.add_scalar("loss", 1 / (1 + step), step)


def lightning(folder: str, steps: Iterator[int]) -> None:
    """Use Lightning's trainer and its logger."""
    import torch
    from lightning.pytorch import LightningModule, Trainer
    from lightning.pytorch.loggers import TensorBoardLogger

    class Model(LightningModule):  # type: ignore[misc]  # torch is not installed where this is checked
        def __init__(self) -> None:
            super().__init__()
            self.layer = torch.nn.Linear(1, 1)

        def training_step(self, _batch: Any, _number: int) -> Any:
            step = next(steps, None)  # here, because batches are made ahead
            if step is None:
                self.trainer.should_stop = True
                return None
            loss = self.layer(torch.tensor([float(step)])).square().mean()
            self.log("loss", loss)
            return loss

        def configure_optimizers(self) -> Any:
            return torch.optim.SGD(self.parameters(), lr=1e-9)

    logger = TensorBoardLogger(folder, name="", version="run")
    quiet = {"enable_progress_bar": False, "enable_model_summary": False, "enable_checkpointing": False}
    trainer = Trainer(max_epochs=1, accelerator="cpu", logger=logger, log_every_n_steps=1, **quiet)
    trainer.fit(Model(), torch.utils.data.DataLoader(range(100_000), num_workers=0))


def transformers(folder: str, steps: Iterator[int]) -> None:
    """Use Hugging Face's Trainer, which logs by torch's writer: a BERT of two layers, from a configuration."""
    import torch
    import transformers as hf

    class Steps(hf.TrainerCallback):  # type: ignore[misc,unused-ignore]  # not installed where this is checked
        def on_step_begin(self, _arguments: Any, _state: Any, control: Any, **_: Any) -> None:
            control.should_training_stop = next(steps, None) is None

    sizes = {"hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 16}
    model = hf.BertForSequenceClassification(hf.BertConfig(vocab_size=20, max_position_embeddings=8, **sizes))
    data = [{"input_ids": torch.randint(0, 20, (8,)), "labels": row % 2} for row in range(64)]
    os.environ["TENSORBOARD_LOGGING_DIR"] = f"{folder}/run"
    quiet = {"save_strategy": "no", "disable_tqdm": True, "use_cpu": True}
    arguments = hf.TrainingArguments(folder, report_to="tensorboard", max_steps=100_000, logging_steps=1, **quiet)
    hf.Trainer(model, arguments, train_dataset=data, callbacks=[Steps()]).train()


def sklearn(folder: str, steps: Iterator[int]) -> None:
    """Train a classifier of scikit-learn by parts, and log its loss by tensorboardX."""
    import numpy as np
    from sklearn.linear_model import SGDClassifier
    from sklearn.metrics import log_loss
    from tensorboardX import SummaryWriter

    x = np.random.default_rng(0).normal(size=(100, 4))
    y = x.sum(axis=1) > 0
    model = SGDClassifier(loss="log_loss")
    with SummaryWriter(f"{folder}/run") as writer:
        for step in steps:
            model.partial_fit(x, y, classes=[False, True])
            writer.add_scalar("loss", log_loss(y, model.predict_proba(x)), step)


def tf_summary(folder: str, steps: Iterator[int]) -> None:
    """Use TensorFlow 2's writer."""
    import tensorflow as tf

    writer = tf.summary.create_file_writer(f"{folder}/run")
    with writer.as_default():
        for step in steps:
            tf.summary.scalar("loss", 1 / (1 + step), step)
    writer.close()


def tf_function(folder: str, steps: Iterator[int]) -> None:
    """Use TensorFlow 2's writer in a compiled function, with a writer that a module may own."""
    import tensorflow as tf

    writer = tf.summary.create_file_writer(f"{folder}/run", experimental_trackable=True)

    @tf.function  # type: ignore[untyped-decorator,unused-ignore]
    def log(step: Any) -> None:
        with writer.as_default(step):
            tf.summary.scalar("loss", 1 / (1 + step))

    for step in steps:
        log(tf.constant(step, tf.int64))
    writer.close()


def keras(folder: str, steps: Iterator[int]) -> None:
    """Use Keras' callback."""
    import keras
    import numpy as np

    class Steps(keras.callbacks.Callback):  # type: ignore[misc]  # not installed where this is checked
        def on_train_batch_begin(self, _batch: int, logs: Any = None) -> None:  # noqa: ARG002 (Keras names it)
            self.model.stop_training = next(steps, None) is None

    def batches() -> Iterator[Any]:
        while True:
            yield np.ones((1, 1), np.float32), np.zeros((1, 1), np.float32)

    model = keras.Sequential([keras.layers.Input((1,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse", jit_compile=False)
    callback = keras.callbacks.TensorBoard(f"{folder}/run", update_freq=1)
    model.fit(batches(), steps_per_epoch=100_000, verbose=0, callbacks=[Steps(), callback])


def tf1_file_writer(folder: str, steps: Iterator[int]) -> None:
    """Use TensorFlow 1's writer in a session."""
    import tensorflow.compat.v1 as tf

    with tf.Graph().as_default(), tf.Session() as session:
        loss = tf.placeholder(tf.float32, [], "value")
        summary = tf.summary.scalar("loss", loss)
        writer = tf.summary.FileWriter(f"{folder}/run", session.graph)
        for step in steps:
            writer.add_summary(session.run(summary, {loss: 1 / (1 + step)}), step)
        writer.close()


def tf1_session_writer(folder: str, steps: Iterator[int]) -> None:
    """Use TensorFlow 1's writer that belongs to a session."""
    import tensorflow.compat.v1 as tf

    with tf.Graph().as_default(), tf.Session() as session:
        loss = tf.placeholder(tf.float32, [], "value")
        summary = tf.summary.scalar("loss", loss)
        writer = tf.summary.FileWriter(f"{folder}/run", session=session)
        for step in steps:
            writer.add_summary(session.run(summary, {loss: 1 / (1 + step)}), step)
        writer.close()


TRAININGS = {
    "torch beside TensorFlow": Training(torch_beside_tensorflow, holds_back=True),
    "tensorboardX": Training(tensorboardx, holds_back=True),
    "Lightning": Training(lightning),
    "transformers": Training(transformers, tag="train/loss", first_step=1),
    "scikit-learn": Training(sklearn, holds_back=True),
    "tf.summary": Training(tf_summary, holds_back=True),
    "tf.summary in tf.function": Training(tf_function),
    "Keras": Training(keras, tag="batch_loss", run="run/train", first_step=1),
    "TF1 FileWriter": Training(tf1_file_writer, holds_back=True),
    "TF1 FileWriter of a session": Training(tf1_session_writer, holds_back=True),
}
