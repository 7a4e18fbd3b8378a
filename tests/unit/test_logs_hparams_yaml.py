"""hparams.yaml next to event files, as Lightning writes it; and hostile files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

import tbwidget
from tbwidget.logs.plain_yaml import parse
from tests.support.eventfiles import NAME, event, simple, write
from tests.support.trials import experiment, started

LIGHTNING = """\
activation: !!python/name:torch.nn.modules.activation.ReLU ''
batch_size: 32
betas: !!python/tuple
- 0.9
- 0.999
data_dir: !!python/object/apply:pathlib.PosixPath
- /
- data
model:
  dropout: 0.1
  name: resnet
  nothing: null
optimizer: &id001
  lr: 1.0e-05
  nesterov: true
again: *id001
seed: 12345678901234567890
stamp: 2026-11-24
empty: {}
"""

BOMB = "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}' if i else 'x'] * 10)}]\n" for i in range(9))


def session(path: Path, text: str | bytes, *values: Any) -> tbwidget.LogDir:
    write(path / NAME, event(1, 0, simple("loss", 0.5), *values))
    (path / "hparams.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
    return tbwidget.load(path)


def test_a_file_that_lightning_writes(tmp_path: Path) -> None:
    logs = session(tmp_path, LIGHTNING)
    (trial,) = logs.hparams()
    assert trial.values == {
        "activation": "torch.nn.modules.activation.ReLU",
        "again/lr": 1e-5,
        "again/nesterov": True,
        "batch_size": 32.0,
        "betas": [0.9, 0.999],
        "data_dir": "pathlib.PosixPath(/, data)",
        "empty": "{}",
        "model/dropout": 0.1,
        "model/name": "resnet",
        "model/nothing": None,
        "optimizer/lr": 1e-5,
        "optimizer/nesterov": True,
        "seed": "12345678901234567890",  # a number would be rounded
        "stamp": "2026-11-24",
    }
    assert (trial.run, trial.status, trial.group, trial.metrics) == (".", "UNKNOWN", "", {"loss": 0.5})
    assert trial.from_file == trial.values.keys()
    assert logs.tags()["hparams"] == {".": ["hparams.yaml"]}
    assert logs.metadata(".", "hparams.yaml").plugin == "hparams"
    assert logs.problems == []
    table = logs.frame("hparams")
    assert (table["hparam/batch_size"].tolist(), table["metric/loss"].tolist()) == ([32], [0.5])


def test_a_summary_counts_more_than_the_file(tmp_path: Path) -> None:
    write(tmp_path / "b" / NAME, event(1, 0, simple("loss", 1)))
    logs = session(tmp_path / "a", "lr: 0.5\nonly: here", experiment([{"name": "lr"}]), started("g", lr=0.1))
    (trial,) = logs.hparams()
    assert trial.values == {"lr": 0.1, "only": "here"}
    assert (list(trial.from_file), trial.group) == (["only"], "g")


def test_a_folder_without_event_files_is_no_session(tmp_path: Path) -> None:
    session(tmp_path / "a", "lr: 0.5")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "hparams.yaml").write_text("lr: 1")
    (tmp_path / "a" / "my-hparams.yaml").write_text("lr: 2")
    assert [(trial.run, trial.values) for trial in tbwidget.load(tmp_path).hparams()] == [("a", {"lr": 0.5})]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("", {}),
        ("# nothing", {}),
        ("{}", {}),
        ("a: '1e-4'\nb: 1e-4\nc: 1.0e-4", {"a": "1e-4", "b": 1e-4, "c": 1e-4}),
        ("a: 1e-05\nb: -3E5\nc: .5e+2\nd: 2.e1", {"a": 1e-5, "b": -3e5, "c": 50, "d": 20}),
        ('a: "1e-05"\nb: !!str 1e-05\nc: ! 1e-05', {"a": "1e-05", "b": "1e-05", "c": "1e-05"}),
        ("a: e5\nb: 1e\nc: 1e5m\nd: 1_0e3\ne: |\n  1e5", {"a": "e5", "b": "1e", "c": "1e5m", "d": "1_0e3", "e": "1e5"}),
        ("a: 1e999\nb: [1e-3, x]\nc: 1.0e+999", {"a": "1e999", "b": [1e-3, "x"], "c": "1.0e+999"}),
        ("a: 12e4567\nb: 9e99999\nc: 1e400\nd: 12e345", {"a": "12e4567", "b": "9e99999", "c": "1e400", "d": "12e345"}),
        ("a: 1e+300\nb: 1e22\nc: 1.5e300", {"a": 1e300, "b": 1e22, "c": 1.5e300}),
        ("1e5: a\nb: {1e-3: c, d: 1e-3}", {"1e5": "a", "b/1e-3": "c", "b/d": 1e-3}),
        ("d: .inf\ne: 0x10\nf: yes", {"d": float("inf"), "e": 16, "f": True}),
        ("!!python/object:argparse.Namespace\nlr: 0.1\n", {"lr": 0.1}),
        ("!!python/object/new:lightning.AttributeDict\ndictitems:\n  lr: 0.1\nstate: {lr: 3}\n", {"lr": 0.1}),
        ("a: !custom 3\nb: !custom [1, x]", {"a": "!custom(3)", "b": "!custom(1, x)"}),
        ("c: !!python/complex '1+2j'", {"c": "1+2j"}),
        ("a: !!int nonsense\nb: !!float ''", {"a": "nonsense", "b": ""}),
        ("c: !!bool perhaps\nd: !!int ''", {"c": "perhaps", "d": ""}),
        ("base: &b {x: 1, y: 2}\nother:\n  <<: *b\n  y: 3", {"base/x": 1, "base/y": 2, "other/x": 1, "other/y": 3}),
        ("1: a\n? [1, 2]\n: b\n2.5: c\nnull: d", {"1": "a", "[1.0, 2.0]": "b", "2.5": "c", "None": "d"}),
        ("a: 1\na: 2", {"a": 2}),
        (b"a: \xff", {"a": "\\xff"}),
        ("\ufeffa: 1", {"a": 1}),
        ("n: " + "9" * 5_000 + "\nm: " + ":".join(["1"] * 5_000), {"n": "9" * 5_000, "m": ":".join(["1"] * 5_000)}),
    ],
)  # fmt: skip
def test_values(tmp_path: Path, text: str | bytes, values: dict[str, Any]) -> None:
    logs = session(tmp_path, text)
    assert [trial.values for trial in logs.hparams()] == ([values] if values else [])
    assert logs.problems == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1, 2]", "expected names and their values"),
        ("just words", "expected names and their values"),
        ("a: [1, 2", "line [12]"),
        ("a: b: c", "line 1"),
        ("a: *nowhere", "unknown alias nowhere"),
        ("a: \0", "control characters are not allowed"),
        ("- " * 60_000, "more than 100 levels"),
        ("[" * 60_000, "levels|nesting"),
        ("? " * 60_000, "more than 100 levels"),
        ("a: " + "{b: " * 1_000 + "1" + "}" * 1_000, "more than 100 levels"),
        (BOMB, "more than 50000"),
        ("a: &a " + "x" * 60_000 + "\nb: [" + "*a, " * 10_000 + "]", "more than 50000"),
        (f"? {'x' * 1_000}\n: ? {'y' * 990}\n  : {{{'z' * 90}: 1}}", "2000 characters"),
        ("a: " + "x" * 128_000, "hyperparameters of 128 kB; at most 128 kB are read"),
    ],
)  # fmt: skip
def test_a_damaged_file_is_a_problem_that_names_it(tmp_path: Path, text: str, message: str) -> None:
    session(tmp_path / "good", "lr: 1")
    session(tmp_path / "bad", text)
    logs = tbwidget.load(tmp_path)
    assert [trial.run for trial in logs.hparams()] == ["good"]
    (problem,) = logs.problems
    assert problem.path == "bad/hparams.yaml"
    assert problem.code in {"yaml", "hparams-file-too-large"}
    with pytest.raises(AssertionError, match=message):
        raise AssertionError(problem.message)
    assert logs.tags()["scalars"] == {"bad": ["loss"], "good": ["loss"]}


@pytest.mark.parametrize("text", ["k: " + "!x [[" * 49 + '"\\\\"' + "]]" * 49, "{? [" * 45 + "'\\'" + "] : 1}" * 45])
def test_texts_made_of_texts_stay_short(text: str) -> None:
    """With each level, the number of nested quotes would double."""
    ((name, value),) = parse(text.encode()).items()
    assert len(name) <= 101
    assert len(str(value)) < 5_000


def test_nothing_is_executed(tmp_path: Path) -> None:
    target = tmp_path / "made"
    text = f'a: !!python/object/apply:os.system ["touch {target}"]\nb: !!python/object/new:os.mkdir ["{target}"]\n'
    (trial,) = session(tmp_path / "run", text).hparams()
    assert trial.values["a"] == f"os.system(touch {target})"
    assert not target.exists()


def test_without_the_library_in_c_the_values_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = parse(LIGHTNING.encode())
    monkeypatch.delattr("yaml.CSafeLoader")
    assert parse(LIGHTNING.encode()) == expected
    for text in ("- " * 5_000, "[" * 5_000):
        with pytest.raises((ValueError, RecursionError)):
            parse(text.encode())


def test_a_file_that_is_written_again(tmp_path: Path) -> None:
    logs = session(tmp_path, "lr: 1")
    seen: list[frozenset[tuple[str, str, str]]] = []
    logs.source.subscribe(lambda changes: seen.append(changes.series))
    (tmp_path / "hparams.yaml").write_text("lr: 2\nmore: x")
    assert logs.refresh()
    assert seen == [frozenset({("hparams", ".", "hparams.yaml")})], "a change of a value alone reaches who shows it"
    assert [trial.values for trial in logs.hparams()] == [{"lr": 2, "more": "x"}]
    (tmp_path / "hparams.yaml").write_text("{")
    assert logs.refresh()
    assert (logs.hparams(), len(logs.problems)) == ([], 1)
    (tmp_path / "hparams.yaml").unlink()
    assert logs.refresh()
    assert (logs.hparams(), logs.problems, logs.tags().get("hparams", {})) == ([], [], {})
    assert not logs.refresh()


def test_one_that_cannot_be_opened(tmp_path: Path) -> None:
    write(tmp_path / NAME, event(1, 0, simple("loss", 0.5)))
    os.mkfifo(tmp_path / "hparams.yaml")
    logs = tbwidget.load(tmp_path)
    assert logs.hparams() == []
    assert "hparams.yaml" not in logs.tags().get("hparams", {})
