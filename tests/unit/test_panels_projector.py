"""Blobs of embeddings, and the errors of files that are damaged, hostile or still being written."""

from __future__ import annotations

import json
import os
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from tensorboardX import SummaryWriter

import tbwidget
from tbwidget.dashboard import Dashboard
from tbwidget.logs import vectors, vectors_process
from tbwidget.logs.kinds import embeddings as kind
from tbwidget.panels import projector_blobs, projector_columns
from tbwidget.panels.projector import PANEL, EmbeddingsContent
from tbwidget.panels.projector_vectors import embedding_named
from tbwidget.wire.channel import Channel
from tbwidget.wire.content import Refusal
from tbwidget.wire.snapshot import snapshot
from tests.support.boards import Listener
from tests.support.embeddings import array, cells, unpacked
from tests.support.eventfiles import write
from tests.support.page import Page
from tests.support.waiting import wait_for
from tests.unit.test_logs_embeddings import CONFIG, described, load

POINTS, VECTORS, SPRITES = (content for content in PANEL.contents if isinstance(content, EmbeddingsContent))
TABLE = b"1\t2\n3\t4\n5\t7\n"


def blob(content: EmbeddingsContent, logs: tbwidget.LogDir, tag: str = "v", row: int = -1) -> Any:
    """Return the header and body of a row, the newest by default."""
    index = content.read(logs, ".", tag)
    return unpacked(content.blob(index, row % len(index))())


def refusal(content: EmbeddingsContent, logs: tbwidget.LogDir, tag: str = "v") -> Any:
    with pytest.raises(Refusal) as caught:
        blob(content, logs, tag)
    return caught.value.args[0]


def settle(path: Path) -> None:
    """Make a file look unchanged for some time."""
    os.utime(path, (time.time() - 30,) * 2)


# What travels.


def test_points_with_their_metadata(tmp_path: Path) -> None:
    vectors = np.random.default_rng(0).normal(size=(6, 12)).astype(np.float32)
    vectors[4, 3] = np.nan
    np.savetxt(tmp_path / "v.tsv", vectors, delimiter="\t")
    rows = ["name\tloss\tempty", "a\t0.5\t", "b\t\t", "a\t-1e3\t", "\udcff\t3\t", "b\t4\t", "c\t5\t"]
    (tmp_path / "m.tsv").write_bytes("\n".join(rows).encode("utf-8", "surrogateescape"))
    logs = load(tmp_path, described("v", "v.tsv", 'metadata_path: "m.tsv"'))
    header, body = blob(POINTS, logs)
    assert (header["points"], header["dimensions"], header["components"]) == (6, 12, 10)
    assert (header["without_place"], header["waits"], header["columns_left_out"]) == (1, None, 0)
    assert [note["code"] for note in header["notes"]] == ["embedding-not-finite"]
    coordinates = array(body, "<f4", header["coordinates"]["offset"], 10, 6)
    kept = np.delete(vectors, 4, axis=0).astype(float)
    singular = np.linalg.svd(kept - kept.mean(axis=0), compute_uv=False)
    np.testing.assert_allclose(header["variance"][:4], (singular**2 / np.sum(singular**2))[:4], atol=1e-6)
    np.testing.assert_allclose(np.sqrt(np.nansum(coordinates[:4] ** 2, axis=1)), singular[:4], rtol=1e-5)
    assert np.isnan(coordinates[:, 4]).all()
    found = cells(header, body)
    assert found["name"] == ["a", "b", "a", "\\udcff", "b", "c"]
    assert found["empty"] == [""] * 6
    np.testing.assert_array_equal(found["loss"], [0.5, np.nan, -1000, 3, 4, 5])
    assert header["columns"][0]["values"] == ["a", "b", "\\udcff", "c"]


def test_small_vectors_travel_whole_and_large_ones_in_fewer_dimensions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = np.random.default_rng(0)
    vectors = (random.normal(size=(300, 80)) * 1.2 ** -np.arange(80) + 3).astype(np.float32)
    vectors[7] = np.nan
    np.savetxt(tmp_path / "v.tsv", vectors, delimiter="\t")
    logs = load(tmp_path, described("v", "v.tsv"))
    header, body = blob(VECTORS, logs)
    assert {name: header[name] for name in ("points", "dimensions", "held", "type")} == {
        "points": 300, "dimensions": 80, "held": 80, "type": "float32",
    }  # fmt: skip
    np.testing.assert_array_equal(array(body, "<f4", header["offset"], 300, 80), vectors)
    monkeypatch.setattr(projector_blobs, "WHOLE_VECTORS_BYTES", 1_000)
    header, body = blob(VECTORS, logs)
    assert (header["dimensions"], header["held"], header["type"]) == (80, 50, "float16")
    held = array(body, "<f2", header["offset"], 300, 50).astype(float) * header["scale"]
    assert np.isnan(held[7]).all()

    def cosines(rows: Any) -> Any:
        rows = np.delete(rows, 7, axis=0)
        rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return rows @ rows.T

    np.testing.assert_allclose(cosines(held), cosines(vectors.astype(float)), atol=2e-3)
    monkeypatch.setattr(projector_blobs, "MAX_VECTORS_BYTES", 300 * 2 * 20)
    assert blob(VECTORS, logs)[0]["held"] == 20


def test_very_many_points_travel_in_fewer_components(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = np.random.default_rng(0).normal(size=(100, 12)).astype(np.float32)
    np.savetxt(tmp_path / "v.tsv", vectors, delimiter="\t")
    logs = load(tmp_path, described("v", "v.tsv"))
    whole, _ = blob(POINTS, logs)
    monkeypatch.setattr(projector_blobs, "WHOLE_VECTORS_BYTES", 0)
    for name, size, content in (("MAX_POINTS_BYTES", 4, POINTS), ("MAX_VECTORS_BYTES", 2, VECTORS)):
        monkeypatch.setattr(projector_blobs, name, 100 * size * 4 - 1)
        header, _ = blob(content, logs)
        assert header["components" if content is POINTS else "held"] == 3
        assert header.get("variance", whole["variance"])[:3] == whole["variance"][:3]
        monkeypatch.setattr(projector_blobs, name, 100 * size * 2)
        assert blob(content, logs)[0]["dimensions"] == 12
        monkeypatch.setattr(projector_blobs, name, 100 * size * 2 - 1)
        assert refusal(content, logs).code == "too-large-to-send"
        monkeypatch.undo()
        monkeypatch.setattr(projector_blobs, "WHOLE_VECTORS_BYTES", 0)


def test_numbers_too_large_for_float16_are_scaled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(projector_blobs, "WHOLE_VECTORS_BYTES", 0)
    vectors = np.array([[1e30, -2e30], [3e30, 0], [0, 5e29]], np.float32)
    np.savetxt(tmp_path / "v.tsv", vectors, delimiter="\t")
    header, body = blob(VECTORS, load(tmp_path, described("v", "v.tsv")))
    held = array(body, "<f2", header["offset"], 3, 2).astype(float) * header["scale"]
    np.testing.assert_allclose(held, vectors, rtol=1e-3)


def test_a_sprite_as_it_was_written(tmp_path: Path) -> None:
    (tmp_path / "v.tsv").write_bytes(TABLE)
    Image.new("L", (20, 12)).save(tmp_path / "s.png")
    sprite = 'sprite { image_path: "s.png" single_image_dim: 10 single_image_dim: 6 }'
    logs = load(tmp_path, described("v:1", "v.tsv"), described("v:2", "v.tsv", sprite))
    assert len(SPRITES.read(logs, ".", "v")) == 1
    header, body = blob(SPRITES, logs)
    written = (tmp_path / "s.png").read_bytes()
    assert body[header.pop("offset") :][: header.pop("bytes")] == written
    assert header == {"width": 10, "height": 6, "columns": 2, "count": 3, "type": "image/png"}


def test_steps_of_one_name_are_rows(tmp_path: Path) -> None:
    for step in (2, 10, 0):
        (tmp_path / f"{step}.tsv").write_bytes(TABLE * (step + 1))
    logs = load(
        tmp_path,
        described("w:00002", "2.tsv"),
        described("w:00010", "2.tsv"),
        described("w:00000", "0.tsv"),
        described("w:00010", "10.tsv"),
        described("w", "2.tsv"),
        described("x:y", "2.tsv"),
    )
    assert [(each.tag, each.step) for each in logs.embeddings(".")] == [
        ("w", 2), ("w", 10), ("w", 0), ("w", None), ("x:y", None),
    ]  # fmt: skip
    index = POINTS.read(logs, ".", "w")
    assert index.step.tolist() == [0, 2, 10], "w and w:0 are one"
    assert blob(POINTS, logs, "w")[0]["points"] == 33, "the last of those with one name"
    assert POINTS.key_of(".", "w:00010") == (".", "w")
    with pytest.raises(KeyError):
        POINTS.read(logs, ".", "w:00010")


def test_columns_whose_names_are_blank_or_repeated_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "v.tsv").write_bytes(TABLE)
    (tmp_path / "m.tsv").write_text("a\t\ta\ta (2)\t \n" + "1\t2\t3\t4\t5\n" * 3)
    header, body = blob(POINTS, load(tmp_path, described("v", "v.tsv", 'metadata_path: "m.tsv"')))
    assert [column["name"] for column in header["columns"]] == ["a", "column 2", "a (2)", "a (2) (2)", "column 5"]
    assert [one[0] for one in cells(header, body).values()] == [1, 2, 3, 4, 5]


def test_columns_that_do_not_fit_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "v.tsv").write_bytes(TABLE)
    (tmp_path / "m.tsv").write_text("a\tb\tc\n" + f"{'x' * 900}\t1\t{'y' * 5000}\n" * 3)
    logs = load(tmp_path, described("v", "v.tsv", 'metadata_path: "m.tsv"'))
    header, body = blob(POINTS, logs)
    assert cells(header, body)["c"][0] == "y" * projector_columns.MAX_CHARACTERS + "…"
    monkeypatch.setattr(projector_blobs, "MAX_POINTS_BYTES", 500)
    header, _ = blob(POINTS, logs)
    assert ([column["name"] for column in header["columns"]], header["columns_left_out"]) == (["b"], 2)


@pytest.mark.parametrize("text", ["1_0", "nan", "inf", "0x1", "1 2", "1e999"])
def test_values_that_are_no_numbers_are_text(tmp_path: Path, text: str) -> None:
    (tmp_path / "v.tsv").write_bytes(TABLE)
    (tmp_path / "m.tsv").write_text(f"1\n2\n{text}\n")
    header, _ = blob(POINTS, load(tmp_path, described("v", "v.tsv", 'metadata_path: "m.tsv"')))
    assert [(column["name"], column["sort"]) for column in header["columns"]] == [("label", "text")]


# Bad input.


@pytest.mark.parametrize(
    ("table", "points", "dimensions"),
    [
        ("\n", 0, 0),
        ("\n1\t2\n\n", 1, 2),
        ("1\t2\t3\n", 1, 3),
        ("5\t5\n" * 9, 9, 2),
        ("4\n5\n", 2, 1),
        ("nan\tnan\n" * 2, 2, 2),
    ],
)
def test_few_points_and_equal_ones(tmp_path: Path, table: str, points: int, dimensions: int) -> None:
    (tmp_path / "v.tsv").write_text(table)
    logs = load(tmp_path, described("v", "v.tsv"))
    header, body = blob(POINTS, logs)
    assert (header["points"], header["dimensions"], header["components"]) == (points, dimensions, dimensions)
    coordinates = array(body, "<f4", header["coordinates"]["offset"], dimensions, points)
    assert np.isfinite(coordinates).all() == ("nan" not in table)
    assert header["without_place"] == (2 if "nan" in table else 0)
    assert all(0 <= part <= 1 for part in header["variance"])
    assert blob(VECTORS, logs)[0]["points"] == points
    assert logs.problems == []


def test_each_damage_is_reported_and_nothing_else_suffers(tmp_path: Path) -> None:
    for name, content in {
        "good.tsv": TABLE, "ragged.tsv": b"1\t2\n3\n4\t5\n", "words.tsv": b"a\tb\n", "few.tsv": b"x\ny\n",
        "cells.tsv": b"a\tb\n1\t2\n3\n4\t5\t6\n", "s.txt": b"no image",
    }.items():  # fmt: skip
        (tmp_path / name).write_bytes(content)
    Image.new("L", (8, 8)).save(tmp_path / "s.png")
    image = 'sprite { image_path: "%s" single_image_dim: %d single_image_dim: 4 }'
    logs = load(
        tmp_path,
        described("ragged", "ragged.tsv"),
        described("words", "words.tsv"),
        described("outside", "../other.tsv"),
        described("few", "good.tsv", 'metadata_path: "few.tsv"'),
        described("shape", "good.tsv", "tensor_shape: 3 tensor_shape: 9"),
        described("cells", "good.tsv", 'metadata_path: "cells.tsv"'),
        described("gone", "good.tsv", 'metadata_path: "gone.tsv"'),
        described("text", "good.tsv", image % ("s.txt", 4)),
        described("large", "good.tsv", image % ("s.png", 9)),
        described("lost", "good.tsv", image % ("lost.png", 4)),
        described("good", "good.tsv", image % ("s.png", 4)),
    )
    assert refusal(POINTS, logs, "ragged").code == "embedding-vectors"
    assert refusal(POINTS, logs, "ragged").endswith(": the number of columns changed from 2 to 1 at row 2")
    assert refusal(VECTORS, logs, "words").code == "embedding-vectors"
    assert refusal(POINTS, logs, "outside").code == "embedding-outside"
    named = {"few": "rows", "cells": "cells", "gone": "unreadable", "shape": "shape"}
    for tag, code in named.items():
        header, _ = blob(POINTS, logs, tag)
        assert header["points"] == 3
        assert [note["code"] for note in header["notes"]] == [f"embedding-{code}"]
    header, body = blob(POINTS, logs, "few")
    assert cells(header, body) == {"label": ["x", "y", ""]}
    said = "embedding 'text': the sprite 's.txt' cannot be shown: not a known image format (8 bytes)"
    assert refusal(SPRITES, logs, "text") == said
    assert refusal(SPRITES, logs, "large").arguments["detail_code"] == "embedding-tiles"
    assert refusal(SPRITES, logs, "lost").code == "embedding-unreadable"
    assert {problem.code for problem in logs.problems} == {
        "embedding-vectors", "embedding-outside", "embedding-unreadable", "embedding-sprite", "embedding-shape",
    }  # fmt: skip
    assert {problem.path for problem in logs.problems} == {CONFIG}
    assert blob(POINTS, logs, "good")[0]["points"] == 3
    assert blob(SPRITES, logs, "good")[0]["count"] == 3


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("1\t2\n3\t4\n", []),
        ("", ["has 0 rows; a projection needs two"]),
        ("1\t2\n", ["has 1 row; a projection needs two"]),
        ("1\t2\n" * 3, ["the rows of 'v.tsv' do not differ"]),
        ("1\t2\nnan\t3\n3\t4\n", ["has 1 row with a value that is not finite, not drawn"]),
        ("nan\t2\ninf\t3\n", ["has 2 rows with a value that is not finite, not drawn"]),
        ("nan\t2\n1\t3\n1\t3\n", ["has 1 row with a value that is not finite, not drawn", "do not differ"]),
    ],
)
def test_vectors_that_make_no_picture_name_their_file(tmp_path: Path, table: str, said: list[str]) -> None:
    (tmp_path / "v.tsv").write_text(table)
    settle(tmp_path / "v.tsv")
    header, _ = blob(POINTS, load(tmp_path, described("v", "v.tsv")))
    assert len(header["notes"]) == len(said)
    for note, text in zip(header["notes"], said, strict=True):
        assert "'v.tsv'" in note["reason"]
        assert text in note["reason"]


def test_sprites_larger_than_memory_are_not_decoded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "v.tsv").write_bytes(TABLE)
    Image.new("1", (9_000, 9_000)).save(tmp_path / "s.png")
    sprite = 'sprite { image_path: "s.png" single_image_dim: 10 single_image_dim: 6 }'
    logs = load(tmp_path, described("v", "v.tsv", sprite))
    assert refusal(SPRITES, logs).arguments["detail_code"] == "image-pixels"
    monkeypatch.setattr(projector_blobs, "MAX_SPRITE_BYTES", 1_000)
    assert refusal(SPRITES, logs).arguments["detail_code"] == "too-large-to-send"


# Large tables.


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Collect the tasks of processes; every table counts as large."""
    monkeypatch.setattr("tbwidget.logs.vectors.NUMBERS_HERE", 5)
    done: list[list[str]] = []
    run = vectors._in_process

    def noted(task: list[str], feed: Any) -> Any:
        done.append(task)
        return run(task, feed)

    monkeypatch.setattr(vectors, "_in_process", noted)
    return done


def test_a_large_table_is_parsed_by_a_process(tmp_path: Path, processes: list[list[str]]) -> None:
    vectors = np.random.default_rng(0).normal(size=(70_000, 3)).astype(np.float32)
    (tmp_path / "v.tsv").write_text("".join(f"{a!r}\t{b!r}\t{c!r}\r\n" for a, b, c in vectors.tolist()))
    (tmp_path / "w.tsv").write_bytes(b"1\t2\n" * 30 + b"1\tx\n" + b"1\t2\n")
    logs = load(tmp_path, described("v", "v.tsv"), described("w", "w.tsv"))
    good, bad = logs.embeddings(".")
    np.testing.assert_array_equal(good.vectors, vectors)
    with pytest.raises(kind.EmbeddingError, match="could not convert string 'x' to float32 at row 31, column 2"):
        _ = bad.vectors
    assert processes == [["table"], ["table"]]


def test_without_processes_it_is_parsed_here(
    tmp_path: Path, processes: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("subprocess.Popen.__init__", lambda *_, **__: (_ for _ in ()).throw(OSError("no process")))
    (tmp_path / "v.tsv").write_bytes(TABLE)
    (embedding,) = load(tmp_path, described("v", "v.tsv")).embeddings(".")
    assert embedding.vectors.shape == (3, 2)
    assert processes == [["table"]]


def test_a_process_that_dies_is_no_end(
    tmp_path: Path, processes: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    dying = tmp_path / "dying.py"
    dying.write_text("import os; os.abort()")
    monkeypatch.setattr(vectors_process, "__file__", str(dying))
    (tmp_path / "v.tsv").write_bytes(TABLE * 100_000)
    (embedding,) = load(tmp_path, described("v", "v.tsv")).embeddings(".")
    with pytest.raises(kind.EmbeddingError, match="cannot be read: the process that reads it ended with code -6"):
        _ = embedding.vectors
    assert processes == [["table"]]


@pytest.mark.usefixtures("processes")
def test_another_attempt_follows_a_process_that_died(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = vectors_process.__file__
    dying = tmp_path / "dying.py"
    dying.write_text("import os; os.abort()")
    monkeypatch.setattr(vectors_process, "__file__", str(dying))
    (tmp_path / "v.tsv").write_bytes(TABLE)
    logs = load(tmp_path, described("v", "v.tsv"))
    (embedding,) = logs.embeddings(".")
    revisions = []
    for _ in range(5):
        revisions.append(embedding.revisions[0])
        with pytest.raises(kind.EmbeddingError):
            _ = embedding.vectors
        logs.refresh()
    assert len(set(revisions)) == 3, "it is not tried for ever"
    assert [problem.path for problem in logs.problems] == [CONFIG]
    monkeypatch.setattr(vectors_process, "__file__", program)
    assert embedding.vectors.shape == (3, 2)
    assert logs.problems == []


def test_an_interrupt_of_the_kernel_does_not_reach_the_process(
    tmp_path: Path, processes: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "program.py"
    said = "{'error': f'leads its group: {os.getpgrp() == os.getpid()}'}"
    program.write_text(f"import json, os; print(json.dumps({said}))")
    monkeypatch.setattr(vectors_process, "__file__", str(program))
    (tmp_path / "v.tsv").write_bytes(TABLE)
    (embedding,) = load(tmp_path, described("v", "v.tsv")).embeddings(".")
    with pytest.raises(kind.EmbeddingError, match="leads its group: True"):
        _ = embedding.vectors
    assert processes == [["table"]]


# TensorFlow's checkpoints.

TENSORFLOW = """
import numpy, os

class _Reader:
    def get_variable_to_shape_map(self):
        return {"words/.ATTRIBUTES/VARIABLE_VALUE": [3, 2], "bias": [3]}

    def get_tensor(self, name):
        return numpy.arange(6.0).reshape(3, 2)

class io:
    class gfile:
        isdir = staticmethod(os.path.isdir)

class train:
    @staticmethod
    def load_checkpoint(prefix):
        open(prefix + ".index").close()
        return _Reader()
"""
NAME = "words/.ATTRIBUTES/VARIABLE_VALUE"


def checkpoint(folder: Path, prefix: str = "model.ckpt-1") -> None:
    for ending in ("index", "data-00000-of-00001"):
        (folder / f"{prefix}.{ending}").write_bytes(b"x")
    (folder / "checkpoint").write_text(f'model_checkpoint_path: "{prefix}"\nall_model_checkpoint_paths: "{prefix}"\n')


def of_checkpoint(name: str, prefix: str = "") -> bytes:
    path = f'model_checkpoint_path: "{prefix}"' if prefix else ""
    return f'embeddings {{ tensor_name: "{name}" metadata_path: "m.tsv" }} {path}\n'.encode()


@pytest.fixture
def tensorflow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Provide a module with the few names of TensorFlow that are used, for this process and others."""
    folder = tmp_path / "modules"
    folder.mkdir()
    (folder / "tensorflow.py").write_text(TENSORFLOW)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", str(folder))


@pytest.mark.usefixtures("tensorflow")
@pytest.mark.parametrize("prefix", ["", "model.ckpt-1", "{folder}/model.ckpt-1"])
def test_tensorflow_reads_tensors_of_checkpoints(tmp_path: Path, prefix: str) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    checkpoint(folder)
    (folder / "m.tsv").write_text("a\nb\nc\n")
    logs = load(folder, of_checkpoint(NAME, prefix.format(folder=folder)))
    header, body = blob(POINTS, logs, NAME)
    assert (header["points"], header["dimensions"]) == (3, 2)
    assert cells(header, body) == {"label": ["a", "b", "c"]}
    assert logs.problems == []


@pytest.mark.usefixtures("tensorflow")
def test_missing_tensors_of_a_checkpoint_are_reported(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    checkpoint(folder)
    logs = load(folder, of_checkpoint("other"), of_checkpoint("bias"))
    assert "has no tensor 'other'; its matrices are words/.ATTRIBUTES" in refusal(POINTS, logs, "other")
    assert "shape [3]" in refusal(POINTS, logs, "bias")
    assert {problem.code for problem in logs.problems} == {"embedding-checkpoint"}


def test_without_tensorflow_the_card_names_the_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    checkpoint(tmp_path)
    logs = load(tmp_path, of_checkpoint(NAME))
    reason = refusal(POINTS, logs, NAME)
    assert reason.endswith("the checkpoint 'model.ckpt-1' cannot be read: TensorFlow is not installed")
    assert [problem.message for problem in logs.problems] == [reason]


@pytest.mark.usefixtures("tensorflow")
def test_no_file_of_a_checkpoint_is_outside(tmp_path: Path) -> None:
    folder, outside = tmp_path / "logs", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    checkpoint(outside)
    for prefix in ("../outside/model.ckpt-1", str(outside / "model.ckpt-1")):
        logs = load(folder, of_checkpoint(NAME, prefix))
        assert refusal(POINTS, logs, NAME).code == "embedding-outside"
    checkpoint(folder)
    shard = folder / "model.ckpt-1.data-00000-of-00001"
    shard.unlink()
    shard.symlink_to(outside / shard.name)
    logs = load(folder, of_checkpoint(NAME, "model.ckpt-1"))
    assert refusal(POINTS, logs, NAME).code == "embedding-outside"


@pytest.mark.usefixtures("tensorflow")
def test_a_directory_is_no_checkpoint(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    (folder / "model.ckpt-1").mkdir(parents=True)
    checkpoint(folder)
    logs = load(folder, of_checkpoint(NAME, "model.ckpt-1"))
    assert refusal(POINTS, logs, NAME).endswith("cannot be read: it is a directory")


def test_a_configuration_of_many_embeddings_is_searched_once(tmp_path: Path) -> None:
    compared = []

    class Tag(str):
        __slots__ = ()
        __hash__ = str.__hash__

        def __eq__(self, other: object) -> bool:
            compared.append(other)
            return str(self) == other

    (tmp_path / "v.tsv").write_bytes(TABLE)
    logs = load(tmp_path, *(described(f"a{number}:{step}", "v.tsv") for number in range(50) for step in (1, 2)))
    for number in range(50):
        assert len(POINTS.read(logs, ".", Tag(f"a{number}"))) == 2
    assert len(compared) <= 100


def test_the_last_of_several_embeddings_with_one_name_and_step_counts(tmp_path: Path) -> None:
    (tmp_path / "v.tsv").write_bytes(TABLE)
    logs = load(tmp_path, *(described(name, "v.tsv") for name in ("a", "a:0", "a:2", "a:00")))
    index = POINTS.read(logs, ".", "a")
    assert [embedding.name for embedding in index.embeddings] == ["a:00", "a:2"]
    assert embedding_named(logs, ".", "a", "0")[1].name == "a:00"


# Files that are being written.


def test_a_file_that_is_not_there_yet_is_waited_for(tmp_path: Path) -> None:
    logs = load(tmp_path, described("v", "v.tsv", 'metadata_path: "m.tsv"'))
    header, _ = blob(POINTS, logs)
    assert (header["points"], header["waits"]["code"]) == (0, "embedding-missing")
    assert refusal(VECTORS, logs).code == "embedding-missing"
    before = POINTS.read(logs, ".", "v").identity
    assert not logs.refresh()
    (tmp_path / "v.tsv").write_bytes(TABLE)
    assert logs.refresh()
    assert POINTS.read(logs, ".", "v").identity != before
    header, _ = blob(POINTS, logs)
    assert (header["points"], header["waits"]) == (3, None)
    assert [note["code"] for note in header["notes"]] == ["embedding-unreadable"]
    assert len(logs.problems) == 1
    vectors = VECTORS.read(logs, ".", "v").identity
    (tmp_path / "m.tsv").write_text("a\nb\nc\n")
    assert logs.refresh()
    assert logs.problems == []
    assert cells(*blob(POINTS, logs))["label"] == ["a", "b", "c"]
    assert VECTORS.read(logs, ".", "v").identity == vectors, "they do not travel again"


@pytest.mark.parametrize("cut", [1, 2, 3, 4, 6, 7])
def test_a_row_that_is_cut_off_is_waited_for(tmp_path: Path, cut: int) -> None:
    table = b"1.25\t2.5\n3.75\t4.5\n"
    (tmp_path / "v.tsv").write_bytes(table[:-cut])
    header, _ = blob(POINTS, logs := load(tmp_path, described("v", "v.tsv")))
    assert (header["points"], header["waits"]["code"]) == (0, "embedding-partial")
    (tmp_path / "v.tsv").write_bytes(table)
    logs.refresh()
    assert blob(POINTS, logs)[0]["points"] == 2


def test_a_last_line_without_an_end_is_complete_once_the_file_rests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "v.tsv"
    path.write_bytes(TABLE[:-1])
    logs = load(tmp_path, described("v", "v.tsv"))
    assert blob(POINTS, logs)[0]["waits"]["code"] == "embedding-partial"
    before = POINTS.read(logs, ".", "v").identity
    monkeypatch.setattr(vectors, "SETTLED_S", 0.0)
    assert logs.refresh()
    assert POINTS.read(logs, ".", "v").identity != before
    assert blob(POINTS, logs)[0]["points"] == 3
    assert not logs.refresh()
    monkeypatch.undo()
    path.write_bytes(b"1\t2\n3")
    settle(path)
    assert blob(POINTS, load(tmp_path, described("v", "v.tsv")))[0]["waits"]["code"] == "embedding-partial"


def test_a_file_that_will_never_be_a_table_is_not_waited_for(tmp_path: Path) -> None:
    np.save(tmp_path / "v.npy", np.arange(12.0).reshape(3, 4))
    (tmp_path / "raw").write_bytes(np.arange(7, dtype="<f4").tobytes())
    (tmp_path / "long").write_bytes(b"1\t" * (1 << 21) + b"2\n1")
    described_raw = described("raw", "raw", "tensor_shape: 3 tensor_shape: 2")
    logs = load(tmp_path, described("v", "v.npy"), described_raw, described("long", "long"))
    for tag, code in (("v", "embedding-binary"), ("raw", "embedding-bytes"), ("long", "embedding-vectors")):
        assert refusal(POINTS, logs, tag).code == code


def test_a_row_that_stays_cut_off_is_a_problem_in_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "v.tsv"
    path.write_bytes(b"1\t2\n3")
    settle(path)
    logs = load(tmp_path, described("v", "v.tsv"))
    assert blob(POINTS, logs)[0]["waits"]["code"] == "embedding-partial"
    assert not logs.refresh()
    before = POINTS.read(logs, ".", "v").identity
    monkeypatch.setattr(vectors, "ABANDONED_S", 0.0)
    assert logs.refresh()
    assert POINTS.read(logs, ".", "v").identity != before
    assert refusal(POINTS, logs).code == "embedding-vectors"
    logs.refresh()
    assert not logs.refresh()


def test_a_file_that_grows_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "v.tsv"
    path.write_bytes(TABLE)
    logs = load(tmp_path, described("v", "v.tsv"))
    assert blob(POINTS, logs)[0]["points"] == 3
    monkeypatch.setattr(vectors, "SETTLED_S", 3600.0)
    for count in (2, 3, 4):
        with path.open("ab") as file:
            file.write(TABLE)
        assert logs.refresh()
        header, _ = blob(POINTS, logs)
        if count == 2:
            assert header["points"] == 6, "it may be complete"
        else:
            assert header["waits"]["code"] == "embedding-growing"
            assert header["waits"]["arguments"]["bytes"] == count * len(TABLE)
    monkeypatch.setattr(vectors, "SETTLED_S", 0.0)
    assert logs.refresh()
    assert blob(POINTS, logs)[0]["points"] == 12
    path.write_bytes(TABLE)
    logs.refresh()
    assert blob(POINTS, logs)[0]["points"] == 3, "a file that was replaced is not one that grows"


def test_raw_numbers_that_are_too_few_are_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "v.bytes"
    path.write_bytes(bytes(20))
    shape = "tensor_shape: 3 tensor_shape: 2"
    logs = load(tmp_path, described("v", "v.bytes", shape))
    assert blob(POINTS, logs)[0]["waits"]["code"] == "embedding-partial"
    path.write_bytes(bytes(24))
    logs.refresh()
    assert blob(POINTS, logs)[0]["points"] == 3
    path.write_bytes(bytes(20))
    settle(path)
    assert refusal(POINTS, load(tmp_path, described("v", "v.bytes", shape))).code == "embedding-bytes"


# On the wire.


def test_a_directory_of_nothing_but_a_configuration_is_shown(tmp_path: Path) -> None:
    write(tmp_path / "words" / CONFIG, described("words", "v.tsv"))
    (tmp_path / "words" / "v.tsv").write_bytes(TABLE)
    logs = tbwidget.load(tmp_path)
    channel, page = Channel(logs, PANEL.contents), Page()
    channel.receive({"type": "hello", "complete": True})
    kinds: set[str] = set()
    for turn in range(50):
        message, _ = channel.next_message(turn / 10)
        if message is not None:
            page.take(message)
            kinds.update(message.header["status"]["kinds"])
    assert kinds == {"embeddings"}, "so that their tab is shown"
    assert {key for key, _ in page.blobs} == {(kind, "words", "words") for kind in ("embeddings", "embedding_vectors")}


def test_a_saved_page_holds_the_points(tmp_path: Path) -> None:
    with SummaryWriter(str(tmp_path)) as writer:
        for step in (1, 2):
            writer.add_embedding(np.eye(4) * step, list("abcd"), tag="words", global_step=step)
    saved = snapshot(tbwidget.load(tmp_path), PANEL.contents)
    headers = [json.loads(message["header"]) for message in saved["messages"]]
    pieces = [piece["kind"] for header in headers for piece in header["pieces"] if piece["of"] == "item"]
    for name in ("embeddings", "embedding_vectors"):
        assert pieces.count(name) == 2


def test_requests_give_data_that_were_not_pushed(tmp_path: Path) -> None:
    (tmp_path / "v.tsv").write_bytes(TABLE)
    logs = load(tmp_path, described("v:00004", "v.tsv"), described("w", "v.tsv"))
    for name, content in (("points", POINTS), ("vectors", VECTORS)):
        for tag, step in (("v", "4"), ("w", "0")):
            args = {"run": ".", "tag": tag, "step": step}
            answer = PANEL.requests[name](logs, args, lambda: False)
            assert answer.data == content.blob(content.read(logs, ".", tag), 0)()
    with pytest.raises(Refusal, match="gone"):
        PANEL.requests["points"](logs, {"run": ".", "tag": "v", "step": "5"}, lambda: False)


def test_a_new_embedding_appears_while_a_cell_trains(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listener = Listener(monkeypatch)
    writer = SummaryWriter(str(tmp_path))
    board: Any = Dashboard(tmp_path)
    is_over = threading.Event()

    def train() -> None:
        while not is_over.is_set():
            sum(range(10_000))

    cell = threading.Thread(target=train)
    try:
        wait_for(lambda: board._logs.source.ready)
        cell.start()
        for step in (1, 2):
            vectors = np.random.default_rng(step).normal(size=(500, 8))
            writer.add_embedding(vectors, [str(row % 3) for row in range(500)], tag="words", global_step=step)
            wait_for(partial(has_points, listener, step))
        wait_for(lambda: sizes(listener, "embedding_vectors") >= 2)
        assert not listener.entries("failed")
    finally:
        is_over.set()
        cell.join()
        board.close()
        writer.close()


def has_points(listener: Listener, steps: int) -> bool:
    return sizes(listener, "embeddings") >= steps


def sizes(listener: Listener, name: str) -> int:
    """Return the number of rows of a kind whose blobs were announced."""
    pieces = [piece for piece in listener.entries("pieces") if piece["of"] == "item" and piece["kind"] == name]
    return len({piece["id"] for piece in pieces if piece["size"]})
