"""Tensors in checkpoints that TensorFlow writes are embeddings."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tbwidget

NAME = "words/.ATTRIBUTES/VARIABLE_VALUE"


def test_a_checkpoint_of_tensorflow(tmp_path: Path) -> None:
    tf = pytest.importorskip("tensorflow")
    vectors = np.random.default_rng(0).normal(size=(50, 7)).astype(np.float32)
    tf.train.Checkpoint(words=tf.Variable(vectors)).save(str(tmp_path / "words.ckpt"))
    (tmp_path / "projector_config.pbtxt").write_text(f'embeddings {{ tensor_name: "{NAME}" }}')
    (embedding,) = tbwidget.load(tmp_path).embeddings(".")
    assert embedding.waits is None
    np.testing.assert_array_equal(embedding.vectors, vectors)
