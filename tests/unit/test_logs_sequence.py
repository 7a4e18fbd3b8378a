"""Scalars as a sequence and an array; unknown names; names selected by regular expressions."""

from __future__ import annotations

import inspect
import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tbwidget
from tbwidget.logs.series import Scalar, Scalars
from tbwidget.logs.unknown import closest
from tests.support.eventfiles import NAME, event, histogram, simple, write

VALUES = [4.0, float("nan"), -1.5, float("inf")]


@pytest.fixture
def logs(tmp_path: Path) -> tbwidget.LogDir:
    write(
        tmp_path / "train" / NAME,
        *(
            event(100 + s, 10 * s, simple("loss", value), simple("loss/aux", 1), simple("acc", 0))
            for s, value in enumerate(VALUES)
        ),
        event(200, 0, histogram("weights", [1, 2], [3, 4])),
    )
    write(tmp_path / "val" / NAME, event(100, 0, simple("loss", 1), simple("a[0", 2), simple("a.c", 3)))
    return tbwidget.load(tmp_path)


def test_scalars_are_a_sequence(logs: tbwidget.LogDir) -> None:
    series = logs.scalars("train", "loss")
    assert series[0] == Scalar(step=0, wall_time=100.0, value=4.0)
    assert series[-2] == (20, 102.0, -1.5)
    assert type(series[0].step) is int
    assert [point.step for point in series] == [0, 10, 20, 30]
    assert [point.step for point in reversed(series)] == [30, 20, 10, 0]
    some = series[1:3]
    assert isinstance(some, Scalars)
    assert (some.step.tolist(), some[1].value, len(series[9:])) == ([10, 20], -1.5, 0)
    assert series[::-1].step.tolist() == [30, 20, 10, 0]
    assert not some.value.flags.writeable
    for wrong in (4, -5):
        with pytest.raises(IndexError):
            series[wrong]


def test_scalars_are_an_array_of_their_values(logs: tbwidget.LogDir) -> None:
    series = logs.scalars("train", "loss")
    array = np.asarray(series)
    assert np.shares_memory(array, series.value)
    assert array.dtype == np.float64
    np.testing.assert_array_equal(array, VALUES)
    assert np.asarray(series, np.float32).dtype == np.float32
    own = np.array(series)
    own[0] = 9
    assert series[0].value == 4
    assert float(np.nanmin(series)) == -1.5
    with pytest.raises(ValueError, match="without a copy"):
        series.__array__(np.int64, copy=False)
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1


def test_scalars_as_a_table(logs: tbwidget.LogDir) -> None:
    series = logs.scalars("train", "loss")
    frame = series.to_frame()
    assert list(frame) == ["step", "wall_time", "value"]
    assert [dtype.name for dtype in frame.dtypes] == ["int64", "float64", "float64"]
    np.testing.assert_array_equal(frame["value"], VALUES)
    frame.loc[0, "value"] = 7
    assert series[0].value == 4


def test_the_repr_of_scalars(logs: tbwidget.LogDir) -> None:
    series = logs.scalars("train", "loss")
    assert repr(series) == "Scalars(4 points, steps 0 to 30, values -1.5 to 4, 2 not finite)"
    assert repr(series[:1]) == "Scalars(1 point, steps 0 to 0, values 4 to 4)"
    assert repr(series[:0]) == "Scalars(no points)"
    assert repr(series[1:2]) == "Scalars(1 point, steps 10 to 10, 1 not finite)"


@pytest.mark.parametrize(
    ("run", "tag", "hint"),
    [
        ("trian", "loss", "no run 'trian' in .*; did you mean 'train'?"),
        ("Train", "loss", "did you mean 'train'?"),
        ("zzz", "loss", "the runs are 'train', 'val'"),
        ("train", "lost", "no tag 'lost' of kind scalars in run 'train'; did you mean 'loss'?"),
        ("train", "aux", "did you mean 'loss/aux'?"),
        ("train", "zzz", "the tags are 'acc', 'loss', 'loss/aux'"),
        ("train", "weights", "(it holds histograms)"),
    ],
)
def test_a_wrong_name_gets_a_suggestion(logs: tbwidget.LogDir, run: str, tag: str, hint: str) -> None:
    with pytest.raises(KeyError) as raised:
        logs.scalars(run, tag)
    assert re.search(re.escape(hint).replace(r"\.\*", ".*"), str(raised.value))
    again = pickle.loads(pickle.dumps(raised.value))  # noqa: S301 (our own)
    assert isinstance(again, KeyError)


def test_other_wrong_names(logs: tbwidget.LogDir) -> None:
    with pytest.raises(KeyError, match="did you mean 'weights'"):
        logs.metadata("train", "weight")
    with pytest.raises(KeyError, match="there is 'weights'"):
        logs.histograms("train", "zzz")
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'tag'"):
        logs.scalars("train")  # type: ignore[call-arg]
    assert closest("nothing", []) is None


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        (None, ["a.c", "a[0", "acc", "loss", "loss/aux"]),
        ("loss", ["loss"]),
        (re.compile("loss.*"), ["loss", "loss/aux"]),
        (re.compile("^a"), ["a.c", "a[0", "acc"]),
        (["loss", re.compile("^acc"), re.compile("los")], ["acc", "loss", "loss/aux"]),
        (iter(["loss"]), ["loss"]),
        ("a[0", ["a[0"]),
        ("a.c", ["a.c"]),
        (["loss", "acc", "loss"], ["acc", "loss"]),
        ([], []),
        (re.compile("LOSS$", re.IGNORECASE), ["loss"]),
        (re.compile(r"a\.c"), ["a.c"]),
        (re.compile("none"), []),
    ],
)
def test_tags_of_a_table(logs: tbwidget.LogDir, tags: Any, expected: list[str]) -> None:
    frame = logs.frame(tags=tags)
    assert sorted(frame["tag"].unique()) == expected
    assert frame["tag"].cat.categories.tolist() == expected


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"tags": "lost"}, "no tag 'lost' of kind scalars in these runs; did you mean 'loss'"),
        ({"tags": "b["}, r"no tag 'b\[' of kind scalars in these runs; the tags are"),
        (
            {"tags": "^loss"},
            r"no tag '\^loss' of kind scalars.*; a regular expression is given as re.compile\('\^loss'\)",
        ),
        ({"tags": ["loss", "los."]}, "no tag 'los.'"),
        ({"tags": "loss/aux", "runs": "val"}, "no tag 'loss/aux' of kind scalars in run 'val'"),
        ({"runs": "vale"}, "no run 'vale' in .*did you mean 'val'"),
        ({"runs": ["v.*"]}, "no run"),
    ],
)
def test_wrong_selections_of_a_table(logs: tbwidget.LogDir, chosen: Any, message: str) -> None:
    with pytest.raises(KeyError, match=message):
        logs.frame(**chosen)


def test_runs_of_a_table(logs: tbwidget.LogDir) -> None:
    assert logs.frame(runs=re.compile("^v"))["run"].unique().tolist() == ["val"]
    assert logs.frame(runs=re.compile("a"), tags="loss")["run"].cat.categories.tolist() == ["train", "val"]


def test_a_name_has_the_same_meaning_beside_any_others(logs: tbwidget.LogDir) -> None:
    assert logs.frame(tags=re.compile("none")).empty
    with pytest.raises(KeyError, match=r"no run '\.'"):
        logs.frame(runs=".")
    with pytest.raises(TypeError, match="a tag must be a str or a compiled regular expression, not 3"):
        logs.frame(tags=[3])  # type: ignore[list-item]


def test_only_public_names_are_listed(logs: tbwidget.LogDir) -> None:
    names = [name for name in dir(logs) if not name.startswith("_")]
    assert {"runs", "tags", "scalars", "frame", "follow", "close", "problems"} <= set(names)
    assert not {"hold", "release", "poll", "subscribe", "exclusive", "notify", "graph_revision"} & set(names)
    assert type(logs).__dir__ is object.__dir__
    assert (
        str(inspect.signature(tbwidget.LogDir.text))
        == "(self, run: 'str', tag: 'str', *, superseded: 'bool' = False) -> 'Texts'"
    )
    with pytest.raises(TypeError, match=r"^text\(\) missing 1"):
        logs.text("a")  # type: ignore[call-arg]
