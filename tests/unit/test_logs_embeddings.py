"""Embeddings: the files that a configuration names, and files that it must not reach."""

from __future__ import annotations

import os
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from tensorboardX import SummaryWriter

import tbwidget
from tbwidget.logs import vectors_process
from tbwidget.logs.kinds.embeddings import EmbeddingError
from tests.support.eventfiles import NAME, event, simple, write

CONFIG = "projector_config.pbtxt"


def described(name: str, path: str, more: str = "") -> bytes:
    return f'embeddings {{ tensor_name: "{name}" tensor_path: "{path}" {more} }}\n'.encode()


def load(path: Path, *parts: bytes) -> tbwidget.LogDir:
    write(path / NAME, event(1, 0, simple("s", 1)))
    write(path / CONFIG, *parts)
    return tbwidget.load(path)


def test_text_and_raw_numbers(tmp_path: Path) -> None:
    vectors = np.arange(6, dtype="<f4").reshape(2, 3) + np.float32(0.1)
    (tmp_path / "raw.bytes").write_bytes(vectors.tobytes())
    (tmp_path / "zeros").write_bytes(bytes(24))
    (tmp_path / "table.tsv").write_text("\n".join("\t".join(map(str, row)) for row in vectors.tolist()))
    (tmp_path / "empty").write_bytes(b"\n")
    logs = load(
        tmp_path,
        described("table", "table.tsv"),
        described("raw", "raw.bytes", "tensor_shape: 2 tensor_shape: 3"),
        described("zeros", "zeros", "tensor_shape: 3 tensor_shape: 2"),
        described("empty", "empty"),
        described("wrong", "raw.bytes", "tensor_shape: 2 tensor_shape: 2"),
    )
    table, raw, zeros, empty, wrong = logs.embeddings(".")
    assert (table.name, table.vectors.dtype.name) == ("table", "float32")
    np.testing.assert_array_equal(table.vectors, vectors)
    np.testing.assert_array_equal(raw.vectors, vectors)
    assert not raw.vectors.flags.writeable
    np.testing.assert_array_equal(zeros.vectors, np.zeros((3, 2)))
    assert empty.vectors.shape == (0, 0)
    assert (table.metadata, table.labels, table.sprite) == (None, None, None)
    assert logs.problems == []
    said = rf"^{CONFIG}: embedding 'wrong': 'raw.bytes' has 24 bytes; .* shape 2 x 2 in {CONFIG} take 16$"
    with pytest.raises(EmbeddingError, match=said):
        _ = wrong.vectors
    assert [problem.path for problem in logs.problems] == [CONFIG]


def test_a_shape_that_the_table_does_not_have(tmp_path: Path) -> None:
    (tmp_path / "v.tsv").write_text("1\t2\n3\t4\n5\t6\n")
    (tmp_path / "empty").write_bytes(b"")
    many = " ".join(f"tensor_shape: {size}" for size in range(9))
    logs = load(
        tmp_path,
        described("same", "v.tsv", "tensor_shape: 3 tensor_shape: 2"),
        described("nothing", "empty", "tensor_shape: 0 tensor_shape: 2"),
        described("wide", "v.tsv", "tensor_shape: 3 tensor_shape: 5"),
        described("flat", "v.tsv", "tensor_shape: 6"),
        described("many", "v.tsv", many),
        described("gone", "empty", "tensor_shape: 3 tensor_shape: 2"),
    )
    shapes = [embedding.vectors.shape for embedding in logs.embeddings(".")]
    assert shapes == [(3, 2), (0, 0), (3, 2), (3, 2), (3, 2), (0, 0)]
    assert [problem.message for problem in logs.problems] == [
        f"embedding 'wide': 'v.tsv' has shape 3 x 2; {CONFIG} says 3 x 5",
        f"embedding 'flat': 'v.tsv' has shape 3 x 2; {CONFIG} says 6",
        f"embedding 'many': 'v.tsv' has shape 3 x 2; {CONFIG} says 0 x 1 x 2 x 3 x \N{HORIZONTAL ELLIPSIS}",
        f"embedding 'gone': 'empty' has shape 0 x 0; {CONFIG} says 3 x 2",
    ]
    write(tmp_path / CONFIG, described("wide", "v.tsv", "tensor_shape: 3 tensor_shape: 2"))
    logs.refresh()
    assert logs.embeddings(".")[0].vectors.shape == (3, 2)
    assert logs.problems == []


def test_binary_numbers_need_their_shape(tmp_path: Path) -> None:
    numbers = np.full(6, 1.7, "<f4")  # without a zero byte
    assert b"\0" not in numbers.tobytes()
    (tmp_path / "raw").write_bytes(numbers.tobytes())
    (tmp_path / "word").write_text("é" * 4096)
    logs = load(
        tmp_path,
        described("none", "raw"),
        described("flat", "raw", "tensor_shape: 6"),
        described("right", "raw", "tensor_shape: 3 tensor_shape: 2"),
        described("text", "word", "tensor_shape: 3 tensor_shape: 2"),
    )
    none, flat, right, text = logs.embeddings(".")
    np.testing.assert_array_equal(right.vectors, numbers.reshape(3, 2))
    for embedding in (none, flat):
        with pytest.raises(EmbeddingError, match=f"'raw' is binary, and {CONFIG} does not give its tensor_shape"):
            _ = embedding.vectors
    with pytest.raises(EmbeddingError, match="'word' is not a table of numbers: could not convert"):
        _ = text.vectors


def test_labels_and_sprites(tmp_path: Path) -> None:
    (tmp_path / "v.tsv").write_text("1\t2\n3\t4\n")
    (tmp_path / "one.tsv").write_bytes(b"a\r\n\xff\r\n")
    (tmp_path / "two.tsv").write_text("name\tkind\na\t1\nb\t2\n")
    (tmp_path / "s.png").write_bytes(b"sprite")
    sprite = 'sprite { image_path: "s.png" single_image_dim: 28 single_image_dim: 14 }'
    logs = load(
        tmp_path,
        described("one", "v.tsv", f'metadata_path: "one.tsv" {sprite}'),
        described("two", "v.tsv", 'metadata_path: "two.tsv"'),
        described("gone", "v.tsv", 'metadata_path: "gone.tsv" sprite { image_path: "gone.png" }'),
    )
    one, two, gone = logs.embeddings(".")
    assert one.metadata == ["a", "\udcff"]
    assert one.sprite is not None
    assert (one.sprite.data, one.sprite.single_image_dim) == (b"sprite", (28, 14))
    assert two.labels is not None
    assert (two.labels.columns, two.metadata) == (("name", "kind"), [("a", "1"), ("b", "2")])
    assert (gone.metadata, gone.sprite) == (None, None)
    assert len(logs.problems) == 2
    assert all("No such file" in problem.message for problem in logs.problems)


@pytest.mark.parametrize(
    ("text", "columns", "rows", "sizes"),
    [
        (b"", (), [], (0, 0, False)),
        (b"\r", (), [], (0, 0, False)),
        (b"a\n\nc\nd", (), ["a", ""], (4, 0, False)),
        (b"a\nb\n", (), ["a", "b"], (2, 0, False)),
        (b"x\ty\tz\r\n1\t2\t3\r\n4\n5\t6\t7\t8\n", ("x", "y"), [("1", "2"), ("4",)], (3, 3, True)),
        (b"x\ty\n1\t2\n3\t4", ("x", "y"), [("1", "2"), ("3", "4")], (2, 2, False)),
        (b"x\ty", ("x", "y"), [], (0, 2, False)),
        (b"\t" * 5, ("", ""), [], (0, 6, False)),
    ],
)
def test_the_beginning_of_metadata(
    tmp_path: Path,
    text: bytes,
    columns: tuple[str, ...],
    rows: list[str | tuple[str, ...]],
    sizes: tuple[int, int, bool],
) -> None:
    (tmp_path / "m").write_bytes(text)
    (embedding,) = load(tmp_path, described("v", "v", 'metadata_path: "m"')).embeddings(".")
    found = embedding.first_labels(2, 2)
    assert found is not None
    assert (found.labels.columns, found.labels.rows) == (columns, rows)
    assert (found.row_count, found.column_count, found.is_ragged) == sizes
    labels = embedding.labels
    assert labels is not None
    assert (len(labels.rows), len(labels.columns)) == sizes[:2]


def test_metadata_of_very_many_cells_take_little_memory(tmp_path: Path) -> None:
    (tmp_path / "m").write_bytes((b"\t" * 100_000 + b"\n") * 20 + b"\n" * 2_000_000)
    (embedding,) = load(tmp_path, described("v", "v", 'metadata_path: "m"')).embeddings(".")
    tracemalloc.start()
    try:
        found = embedding.first_labels(10, 100)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found is not None
    assert (len(found.labels.rows), found.row_count, found.column_count) == (10, 2_000_019, 100_001)
    assert peak < 10_000_000


def test_no_path_leads_out(tmp_path: Path) -> None:
    secret = tmp_path / "secret.tsv"
    secret.write_text("1\t2\n")
    logdir = tmp_path / "logs"
    (logdir / "run").mkdir(parents=True)
    (logdir / "inside.tsv").write_text("5\t6\n")
    (logdir / "run" / "link.tsv").symlink_to(secret)
    (logdir / "run" / "good.tsv").symlink_to(logdir / "inside.tsv")
    (logdir / "run" / "up").symlink_to(tmp_path)
    os.mkfifo(logdir / "run" / "pipe")
    bad = ["../../secret.tsv", str(secret), "link.tsv", "up/secret.tsv", "../run/../../secret.tsv", "/etc/passwd",
           "~/.bashrc", "pipe", ".", "a\\000b", "../../logs2/x"]  # fmt: skip
    good = ["../inside.tsv", str(logdir / "inside.tsv"), "good.tsv"]
    write(logdir / "run" / NAME, event(1, 0, simple("s", 1)))
    write(logdir / "run" / CONFIG, *(described(path, path, f'metadata_path: "{path}"') for path in bad + good))
    (tmp_path / "logs2").mkdir()
    (tmp_path / "logs2" / "x").write_text("1\n")
    logs = tbwidget.load(logdir)
    embeddings = logs.embeddings("run")
    for embedding in embeddings[: len(bad)]:
        with pytest.raises(EmbeddingError):
            _ = embedding.vectors
        assert embedding.metadata is None
    for embedding in embeddings[len(bad) :]:
        assert embedding.vectors.tolist() == [[5, 6]]
    outside = [problem.message for problem in logs.problems if "outside the log directory" in problem.message]
    assert len(outside) == len(bad) - 3  # a pipe, a directory and a missing name are inside


def test_a_run_that_a_link_led_to_has_its_own_files(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "v.tsv").write_text("1\t2\n")
    write(elsewhere / NAME, event(1, 0, simple("s", 1)))
    write(elsewhere / CONFIG, described("v", "v.tsv"))
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "run").symlink_to(elsewhere)
    logs = tbwidget.load(tmp_path / "logs")
    (embedding,) = logs.embeddings("run")
    assert embedding.vectors.tolist() == [[1, 2]]
    assert logs.problems == []


def test_files_too_large_are_not_read(tmp_path: Path) -> None:
    with (tmp_path / "huge.tsv").open("wb") as file:
        file.truncate(1 << 40)
    logs = load(tmp_path, described("v", "huge.tsv", 'metadata_path: "huge.tsv"'))
    (embedding,) = logs.embeddings(".")
    with pytest.raises(EmbeddingError, match=r"'huge.tsv' has 1\.1 TB; at most 4\.3 GB are read"):
        _ = embedding.vectors
    assert embedding.metadata is None


def test_raw_numbers_are_bounded_as_those_of_a_table_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors_process, "MAX_NUMBERS", 6)
    (tmp_path / "raw").write_bytes(bytes(28))
    shapes = ["tensor_shape: 7 tensor_shape: 1", "tensor_shape: 1 tensor_shape: 7"]
    logs = load(tmp_path, *(described(f"v{number}", "raw", shape) for number, shape in enumerate(shapes)))
    for embedding in logs.embeddings("."):
        with pytest.raises(EmbeddingError, match="'raw' has 28 bytes; at most 24 bytes are read"):
            _ = embedding.vectors


def test_a_line_too_long_is_not_split(tmp_path: Path) -> None:
    (tmp_path / "wide.tsv").write_bytes(b"1\t2\n" + b"1\t" * 5_000_000)
    (embedding,) = load(tmp_path, described("v", "wide.tsv")).embeddings(".")
    with pytest.raises(EmbeddingError, match="a line of 10000000 bytes"):
        _ = embedding.vectors


def test_problems_end_when_the_configuration_is_written_again(tmp_path: Path) -> None:
    logs = load(tmp_path, described("v", "/outside"))
    logs.embeddings(".")
    assert len(logs.problems) == 1
    (tmp_path / "v.tsv").write_text("1\n")
    write(tmp_path / CONFIG, described("w", "v.tsv"))
    assert logs.refresh()
    assert logs.problems == []
    assert [embedding.name for embedding in logs.embeddings(".")] == ["w"]
    assert not logs.refresh()
    with pytest.raises(KeyError):
        logs.embeddings("nowhere")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'embeddings { tensor_name: "cut" tensor_pa', "not a projector configuration: "),
        (bytes(range(256)) * 8, "not a projector configuration: "),
        (described("v", "v.tsv") * 20_000, "a projector configuration of "),
    ],
)
def test_a_configuration_that_cannot_be_read_is_an_embedding_without_vectors(
    tmp_path: Path, content: bytes, said: str
) -> None:
    (tmp_path / "v.tsv").write_text("1\t2\n")
    write(tmp_path / "bad" / CONFIG, content)
    write(tmp_path / "good" / CONFIG, described("v", "v.tsv"))
    logs = tbwidget.load(tmp_path)
    assert logs.tags()["embeddings"] == {"bad": [CONFIG], "good": ["v"]}
    (unread,) = logs.embeddings("bad")
    assert (unread.name, unread.tag, unread.step, unread.waits) == (CONFIG, CONFIG, None, None)
    assert (unread.metadata, unread.sprite) == (None, None)
    with pytest.raises(EmbeddingError, match=f"^'bad/{CONFIG}' cannot be read: {said}"):
        _ = unread.vectors
    assert [(problem.path, problem.message[: len(said)]) for problem in logs.problems] == [(f"bad/{CONFIG}", said)]
    assert not logs.refresh()
    assert logs.embeddings("bad")[0].revisions == unread.revisions
    write(tmp_path / "bad" / CONFIG, described("w", "../v.tsv"))
    assert logs.refresh()
    assert (logs.tags()["embeddings"]["bad"], logs.problems) == (["w"], [])
    write(tmp_path / "bad" / CONFIG, content)
    assert logs.refresh()
    assert [embedding.name for embedding in logs.embeddings("bad")] == [CONFIG]


def test_a_configuration_is_polled_as_often_as_the_files_that_grow(tmp_path: Path) -> None:
    (tmp_path / "v.tsv").write_text("1\n")
    logs = load(tmp_path, described("v", "v.tsv"))
    with (tmp_path / NAME).open("ab") as file:
        file.write(event(2, 1, simple("s", 2)))
    assert logs.refresh()  # so that it counts as growing
    with (tmp_path / CONFIG).open("ab") as file:
        file.write(described("w", "v.tsv"))
    changed = [step.changes.series for step in logs.source.poll(everywhere=False) if step.changes]
    assert changed == [{("embeddings", ".", "v"), ("embeddings", ".", "w")}]
    assert [embedding.name for embedding in logs.embeddings(".")] == ["v", "w"]
    assert not any(step.changes for step in logs.source.poll(everywhere=False))


def test_a_real_writer(tmp_path: Path) -> None:
    vectors = np.random.default_rng(0).normal(size=(5, 3)).astype(np.float32)
    with SummaryWriter(str(tmp_path)) as writer:
        writer.add_embedding(vectors, metadata=list("abcde"), tag="words", global_step=3)
    (embedding,) = tbwidget.load(tmp_path).embeddings(".")
    np.testing.assert_allclose(embedding.vectors, vectors, rtol=1e-6)
    assert embedding.metadata == list("abcde")
    assert repr(embedding) == f"Embedding({embedding.name!r})"


def test_a_configuration_makes_its_directory_a_run(tmp_path: Path) -> None:
    """It has no event file."""
    write(tmp_path / "trained" / NAME, event(1, 0, simple("s", 1)))
    write(tmp_path / "only" / CONFIG, described("words", "v.tsv"))
    (tmp_path / "only" / "v.tsv").write_text("1\t2\n")
    assets = tmp_path / "assets" / "plugins" / "org_tensorflow_tensorboard_projector"
    write(assets / CONFIG, described("faces", "v.tsv"))
    logs = tbwidget.load(tmp_path)
    assert logs.runs == ["assets", "only", "trained"]
    assert logs.tags() == {"scalars": {"trained": ["s"]}, "embeddings": {"assets": ["faces"], "only": ["words"]}}
    (embedding,) = logs.embeddings("only")
    assert embedding.vectors.tolist() == [[1, 2]]
    assert logs.metadata("only", "words").plugin == "projector"
    assert logs.source.run_numbers() == {"trained": 0, "assets": 1, "only": 2}
    assert logs.frame()["run"].unique().tolist() == ["trained"]
    assert logs.frame(runs="only").empty
    assert logs.frame("hparams").empty
    assert (logs.hparams(), logs.problems, logs.source.progress[-2:]) == ([], [], (37, 37))
    write(tmp_path / "only" / NAME, event(1, 0, simple("s", 1)))
    assert logs.refresh()
    assert logs.tags()["scalars"] == {"only": ["s"], "trained": ["s"]}
    for name in (CONFIG, NAME):
        (tmp_path / "only" / name).unlink()
    (assets / CONFIG).unlink()
    assert logs.refresh()
    assert (logs.runs, logs.tags()) == (["trained"], {"scalars": {"trained": ["s"]}})


def test_a_log_directory_of_nothing_but_a_configuration(tmp_path: Path) -> None:
    write(tmp_path / CONFIG, described("words", "v.tsv"))
    logs = tbwidget.load(tmp_path)
    assert (logs.runs, logs.tags()) == (["."], {"embeddings": {".": ["words"]}})
    assert logs.source.empty_files == 0
    assert tbwidget.export_html(logs, tmp_path / "page.html").stat().st_size > 1000
