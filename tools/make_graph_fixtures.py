"""Write the graphs that the tests read, into tests/data/graphs/, with the frameworks themselves.

    python tools/make_graph_fixtures.py tensorflow | keras3 | keras2 | torch | log EVENTFILE NAME

Each needs a Python with its framework: TensorFlow 2 for the first two, also tf_keras for the third; torch with
tensorboard for the fourth. The last needs only this environment: it compresses the graph in an event file to
models/NAME.graph_def.xz. That directory contains graphs of whole models. mnist is the tutorial on summaries in graph
mode: two layers with dropout, trained by Adam (TensorFlow 2.21, FileWriter). mobilenetv2 is the application of Keras
3.15 with frozen variables (tf.summary.graph). gpt is a decoder of 24 blocks (torch 2.13, add_graph). The first two
lack constants of more than 64 bytes, which have been removed.
"""

from __future__ import annotations

import json
import lzma
import sys
from pathlib import Path
from typing import Any

OUT = Path(__file__).resolve().parent.parent / "tests/data/graphs"


def tensorflow() -> None:
    """Write a training step in graph mode with its RunMetadata, and a function that calls another, with its trace."""
    import tensorflow as tf  # noqa: PLC0415

    v1 = tf.compat.v1
    with tf.Graph().as_default() as graph:
        with v1.name_scope("input"):
            x = v1.placeholder(tf.float32, [None, 4], "x")
            y = v1.placeholder(tf.float32, [None, 2], "y")
        hidden: Any = x
        for number in range(3):
            with v1.name_scope(f"layer{number}"):
                initial = v1.truncated_normal([hidden.shape[1], 2 + number], seed=1)
                weights = v1.Variable(initial, name="weights", use_resource=False)
                v1.summary.histogram("weights", weights)
                hidden = v1.nn.relu(v1.matmul(hidden, weights), name="activation")
        with v1.name_scope("loss"):
            loss = v1.reduce_mean(v1.square(v1.matmul(hidden, v1.ones([4, 2])) - y), name="mean")
            v1.summary.scalar("loss", loss)
        train = v1.train.MomentumOptimizer(0.1, 0.9).minimize(loss)
        merged = v1.summary.merge_all()
        with v1.Session() as session:
            session.run(v1.global_variables_initializer())
            metadata = v1.RunMetadata()
            session.run(
                [train, merged],
                {x: [[1.0, 2.0, 3.0, 4.0]], y: [[0.0, 1.0]]},
                options=v1.RunOptions(trace_level=v1.RunOptions.FULL_TRACE),
                run_metadata=metadata,
            )
    metadata.partition_graphs.clear()
    (OUT / "train.graph_def").write_bytes(graph.as_graph_def(add_shapes=True).SerializeToString())
    (OUT / "train.run_metadata").write_bytes(metadata.SerializeToString())

    @tf.function  # type: ignore[untyped-decorator]
    def moments(values: Any) -> Any:
        mean, variance = tf.nn.moments(values, [0])
        return mean, tf.sqrt(variance)

    @tf.function  # type: ignore[untyped-decorator]
    def normalized(values: Any) -> Any:
        with tf.name_scope("normalise"):
            mean, deviation = moments(values)
            return (values - mean) / deviation

    concrete = normalized.get_concrete_function(tf.TensorSpec([None, 3]))
    (OUT / "library.graph_def").write_bytes(concrete.graph.as_graph_def(add_shapes=True).SerializeToString())
    tf.summary.trace_on(graph=True)
    normalized(tf.constant([[1.0, 2.0, 3.0], [4.0, 6.0, 8.0]]))
    moments(tf.constant([[1.0], [2.0]]))
    from tensorflow.python.eager import context  # noqa: PLC0415 (no public name)

    trace = context.context().export_run_metadata()
    (OUT / "trace.run_metadata").write_bytes(trace.SerializeToString())


def _keras(keras: Any, version: str) -> None:
    """Write a functional model with nested models, a sequential one, and Keras's description of both."""
    layers = keras.layers
    inner_in = layers.Input((8, 8, 4), name="inner_in")
    convolved = layers.Conv2D(6, 3, padding="same", name="c1")(inner_in)
    inner = keras.Model(inner_in, [convolved, layers.BatchNormalization(name="bn")(convolved)], name="inner")
    image, tokens = layers.Input((16, 16, 3), name="image"), layers.Input((5,), dtype="int32", name="tokens")
    stem = layers.Conv2D(4, 3, strides=2, padding="same", activation="relu", name="stem")(image)
    summed = layers.Add(name="add")(inner(stem))
    seen = layers.MaxPooling2D(2, name="mp")(layers.DepthwiseConv2D(3, name="dw")(summed))
    read = layers.LSTM(9, name="lstm")(layers.Embedding(100, 7, name="emb")(tokens))
    both = layers.Concatenate(name="cat")([layers.Flatten(name="flat")(seen), read])
    head_layers = [layers.Dense(12, name="d1"), layers.Dropout(0.1, name="drop"), layers.Dense(3, name="d2")]
    head = keras.Sequential(head_layers, name="head")
    out = head(both)
    model = keras.Model([image, tokens], [out, layers.Dot(axes=1, name="dot")([out, out])], name="net")
    plain_layers = [layers.Dense(4, activation="relu", name="a"), layers.LayerNormalization(name="ln")]
    plain = keras.Sequential([layers.Input((12,)), *plain_layers, layers.Dense(2, name="b")], name="plain")
    (OUT / f"{version}_functional.json").write_text(model.to_json())
    (OUT / f"{version}_sequential.json").write_text(plain.to_json())
    said = {
        f"{scope}/{layer.name}": [layer.count_params(), [-1 if size is None else size for size in layer.output.shape]]
        for scope, held in (("net", model), ("net/inner", inner), ("net/head", head), ("plain", plain))
        for layer in held.layers
        if not hasattr(layer, "layers") and not isinstance(layer.output, list)
    }
    (OUT / f"{version}.said.json").write_text(json.dumps(said))


def keras3() -> None:
    """Write the models of Keras 3."""
    import keras  # noqa: PLC0415

    _keras(keras, "keras3")


def keras2() -> None:
    """Write the models of Keras 2."""
    import tf_keras  # type: ignore[import-not-found]  # noqa: PLC0415

    _keras(tf_keras, "keras2")


def torch() -> None:
    """Write a trace of a model of four equal blocks, with `add_graph`."""
    import torch  # noqa: PLC0415
    from torch import nn  # noqa: PLC0415
    from torch.utils.tensorboard._pytorch_graph import graph  # noqa: PLC0415

    class Block(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.norm, self.linear = nn.LayerNorm(8), nn.Linear(8, 8)

        def forward(self, values: Any) -> Any:
            scaled = self.linear(self.norm(values))
            return values + torch.softmax(scaled.view(scaled.size(0), 2, 4), dim=-1).reshape(scaled.shape)

    class Model(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.blocks, self.head = nn.ModuleList(Block() for _ in range(4)), nn.Linear(8, 3)

        def forward(self, values: Any) -> Any:
            for block in self.blocks:
                values = block(values)
            return self.head(values)

    definition, _ = graph(Model(), torch.zeros(2, 8))
    (OUT / "torch.graph_def").write_bytes(definition.SerializeToString())

    def collatz(value: int) -> int:
        steps = 0
        while value != 1:
            value = value // 2 if value % 2 == 0 else 3 * value + 1
            steps += 1
        return steps

    sys.path.insert(0, str(OUT.parents[2]))
    from tests.support.torchscript import recorded  # noqa: PLC0415

    said = {
        "module": recorded(torch.jit.trace(Model(), torch.zeros(2, 8))),
        "function": recorded(torch.jit.script(collatz)),
    }
    (OUT / "torchscript.json").write_text(json.dumps(said, separators=(",", ":")) + "\n", "ascii")


def log() -> None:
    """Write the last graph of an event file, compressed."""
    sys.path.insert(0, str(OUT.parents[2]))
    from tests.support.graphs import MODELS, events  # noqa: PLC0415

    file, name = sys.argv[2:]
    *_, written = (event.graph_def for event in events(Path(file)) if event.graph_def)
    MODELS.mkdir(exist_ok=True)
    (MODELS / f"{name}.graph_def.xz").write_bytes(lzma.compress(written))


def main() -> None:
    """Run the command."""
    OUT.mkdir(parents=True, exist_ok=True)
    {"tensorflow": tensorflow, "keras3": keras3, "keras2": keras2, "torch": torch, "log": log}[sys.argv[1]]()


if __name__ == "__main__":
    main()
