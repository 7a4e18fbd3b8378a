"""Write log directories for the documentation: a few runs of each kind of data, always the same.

`write_runs` makes the directory that the pages' snippets call "runs"; the others are what the embedded dashboards show.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tensorboardX import SummaryWriter
from tensorboardX.proto.graph_pb2 import GraphDef
from tensorboardX.proto.summary_pb2 import Summary
from tensorboardX.summary import hparams

from tbwidget.proto.run_metadata_pb2 import RunMetadata
from tests.support.sounds import wav

RUNS = {"baseline": (1.0, 0.05), "dropout": (0.8, 0.05), "wide": (0.62, 0.03), "cosine": (0.45, 0.02)}
"""For each run its final difficulty, from 0 to 1, and the noise of its losses."""
CLASSES = ("cat", "dog", "bird")


@contextmanager
def _writer(folder: Path) -> Iterator[SummaryWriter]:
    with SummaryWriter(str(folder)) as writer:
        yield writer


def write_runs(folder: Path, steps: int = 600) -> None:
    """Write four trainings with scalars, histograms, images, audio, text, PR curves and a graph."""
    for number, (run, (difficulty, noise)) in enumerate(RUNS.items()):
        rng = np.random.default_rng(number)
        with _writer(folder / run) as writer:
            _graph(writer, layers=4)
            writer.add_text("notes", f"**{run}**: difficulty {difficulty}\n\n| layer | units |\n|---|---|\n| 1 | 32 |")
            for step in range(0, steps, 2):
                progress = step / steps
                loss = 2.3 * (0.15 + difficulty * math.exp(-5 * progress) * 0.85)
                writer.add_scalar("loss/train", loss * (1 + rng.normal(0, noise)), step)
                writer.add_scalar("accuracy/train", 1 - loss / 2.6 + rng.normal(0, noise / 4), step)
                writer.add_scalar("lr", 0.1 * (0.5 + 0.5 * math.cos(math.pi * progress)), step)
                if step % 20 == 0:
                    overfit = 0.4 * progress**3 * difficulty
                    writer.add_scalar("loss/validation", loss * 1.05 + overfit, step)
                    writer.add_scalar("accuracy/validation", 1 - loss / 2.4 - overfit / 5, step)
                    for layer in range(2):
                        weights = rng.normal(0.2 * layer * progress, 0.3 + 0.5 * progress * difficulty, 2000)
                        writer.add_histogram(f"weights/layer{layer}", weights, step)
                if step % 100 == 0:
                    _media(writer, rng, progress, step)
                    _pr_curves(writer, rng, 1 - difficulty + progress, step)


def _media(writer: SummaryWriter, rng: np.random.Generator, progress: float, step: int) -> None:
    y, x = np.mgrid[-1:1:48j, -1:1:48j]
    rings = 0.5 + 0.5 * np.sin(8 * np.hypot(x, y) + 6 * progress)
    mixed = progress * rings + (1 - progress) * rng.random((48, 48))
    writer.add_image("predictions", np.stack([mixed, rings, 1 - mixed]).clip(0, 1), step)
    time = np.linspace(0, 0.5, 4000)
    tone = np.sin(2 * np.pi * (220 + 440 * progress) * time) * np.exp(-4 * time)
    clip = Summary.Audio(
        sample_rate=8000,
        num_channels=1,
        length_frames=len(tone),
        content_type="audio/wav",
        encoded_audio_string=wav(tone),
    )
    writer.file_writer.add_summary(Summary(value=[Summary.Value(tag="sample", audio=clip)]), step)
    writer.add_text(
        "greedy", f"step {step}: the quick brown fox jumps over {'the lazy dog' if progress > 0.5 else '…'}", step
    )


def _pr_curves(writer: SummaryWriter, rng: np.random.Generator, skill: float, step: int) -> None:
    for number, name in enumerate(CLASSES):
        labels = rng.random(800) < 0.2 + 0.2 * number
        scores = 1 / (1 + np.exp(-(rng.normal(0, 1, 800) + skill * 2 * (labels - 0.5))))
        writer.add_pr_curve(name, labels, scores, step)


def _graph(writer: SummaryWriter, layers: int) -> None:
    graph = GraphDef()

    def add(name: str, op: str, *inputs: str) -> str:
        graph.node.add(name=name, op=op, input=inputs)
        return name

    output = add("input/images", "Placeholder")
    for number in range(layers):
        scope = f"layer{number}"
        weights = add(f"{scope}/weights", "VariableV2")
        product = add(f"{scope}/MatMul", "MatMul", output, weights)
        biased = add(f"{scope}/BiasAdd", "BiasAdd", product, add(f"{scope}/biases", "VariableV2"))
        output = add(f"{scope}/Relu", "Relu", biased)
    logits = add("logits/MatMul", "MatMul", output, add("logits/weights", "VariableV2"))
    losses = add("loss/softmax", "SoftmaxCrossEntropyWithLogits", logits, add("input/labels", "Placeholder"))
    add("loss/mean", "Mean", losses)
    writer.file_writer.add_graph((graph, RunMetadata()))


def write_sweep(folder: Path, sessions: int = 24) -> None:
    """Write the sessions of a sweep over three hyperparameters, each with two metrics."""
    rng = np.random.default_rng(0)
    for number in range(sessions):
        lr, units = float(10 ** rng.uniform(-3, -0.5)), int(rng.choice([16, 32, 64, 128]))
        values = {"lr": lr, "units": units, "optimizer": str(rng.choice(["adam", "sgd"]))}
        best = 0.9 - 0.08 * (math.log10(lr) + 1.7) ** 2 + 0.02 * math.log2(units / 16)
        with _writer(folder / f"trial {number:02}") as writer:
            for summary in hparams(values, {"val/accuracy": 0, "val/loss": 0}):
                writer.file_writer.add_summary(summary)
            for step in range(12):
                accuracy = best * (1 - math.exp(-(step + 1) / 3)) + rng.normal(0, 0.004)
                writer.add_scalar("val/accuracy", accuracy, step)
                writer.add_scalar("val/loss", 2 * (1 - accuracy), step)


def write_embeddings(folder: Path, points: int = 600) -> None:
    """Write vectors of five clusters that move apart over three epochs, with labels and small images."""
    rng = np.random.default_rng(0)
    label = rng.integers(0, 5, points)
    centers, noise = rng.normal(0, 1, (5, 24)), rng.normal(0, 1, (points, 24))
    y, x = np.mgrid[-1:1:16j, -1:1:16j]
    shapes = np.stack([np.hypot(x, y) < 0.3 + 0.12 * n for n in range(5)]).astype(np.float32)
    images = np.repeat(shapes[label][:, None], 3, axis=1) * rng.uniform(0.6, 1, (points, 3, 1, 1))
    with _writer(folder / "classifier") as writer:
        for epoch in range(3):
            vectors = centers[label] * (epoch + 0.5) + noise
            rows = [[f"class {n}", f"{distance:.2f}"] for n, distance in zip(label, abs(noise).mean(1), strict=True)]
            writer.add_embedding(
                vectors.astype(np.float32),
                metadata=rows,
                metadata_header=["class", "distance"],
                label_img=images.astype(np.float32),
                global_step=epoch,
                tag="hidden",
            )


def write_meshes(folder: Path, side: int = 33) -> None:
    """Write a surface that rises over four steps, as a triangle mesh with a color for each vertex."""
    y, x = np.mgrid[-1 : 1 : side * 1j, -1 : 1 : side * 1j]
    corner = (np.arange(side - 1)[:, None] * side + np.arange(side - 1)).ravel()
    lower = np.stack([corner, corner + 1, corner + side], 1)
    upper = np.stack([corner + 1, corner + side + 1, corner + side], 1)
    for run, frequency in {"few units": 2, "many units": 4}.items():
        with _writer(folder / run) as writer:
            for step in range(4):
                z = np.sin(frequency * x) * np.cos(frequency * y) * (step + 1) / 8
                vertices = np.stack([x, y, z], -1).reshape(1, -1, 3).astype(np.float32)
                colors = _colors(z).reshape(1, -1, 3)
                faces = np.concatenate([lower, upper])[None].astype(np.int32)
                writer.add_mesh("surface", vertices, colors=colors, faces=faces, global_step=step)


def _colors(height: NDArray[np.float64]) -> NDArray[np.uint8]:
    share = (height.ravel() / 0.5).clip(-1, 1)[:, None] / 2 + 0.5
    colors: NDArray[np.uint8] = (share * [230, 120, 40] + (1 - share) * [60, 110, 220]).astype(np.uint8)
    return colors


def write_layout(folder: Path) -> None:
    """Write two runs with a layout of custom scalars: several tags in one chart, and a value with its margin."""
    for number, run in enumerate(("small", "large")):
        rng = np.random.default_rng(number)
        with _writer(folder / run) as writer:
            writer.add_custom_scalars(
                {
                    "losses": {"train and validation": ["Multiline", ["loss/.*"]]},
                    "forecast": {"with its margin": ["Margin", ["forecast/mean", "forecast/low", "forecast/high"]]},
                }
            )
            for step in range(200):
                loss = math.exp(-step / (40 + 30 * number))
                writer.add_scalar("loss/train", loss + rng.normal(0, 0.01), step)
                writer.add_scalar("loss/validation", loss * 1.1 + 0.05, step)
                mean, width = math.sin(step / 30) + number, 0.1 + step / 600
                for name, value in {"mean": mean, "low": mean - width, "high": mean + width}.items():
                    writer.add_scalar(f"forecast/{name}", value, step)


def write_all(folder: Path) -> None:
    """Write all directories: runs, sweep, shapes, surface and layout."""
    write_runs(folder / "runs")
    write_sweep(folder / "sweep")
    write_embeddings(folder / "shapes")
    write_meshes(folder / "surface")
    write_layout(folder / "layout")
