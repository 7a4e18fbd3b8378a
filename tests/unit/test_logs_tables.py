"""Tables of every kind that has a table form, and series that grow or are rewritten."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tbwidget
from tbwidget.proto.summary_pb2 import HistogramProto, Summary
from tbwidget.proto.tensor_pb2 import DT_COMPLEX128, DT_DOUBLE, DT_INT64, TensorProto
from tests.support.eventfiles import NAME, event, plugin, simple, strings, write
from tests.support.trials import started

KINDS = ["scalars", "histograms", "images", "audio", "text", "pr_curves", "tensors", "hparams"]


def histogram(tag: str, count: float) -> Summary.Value:
    return Summary.Value(tag=tag.encode(), histo=HistogramProto(min=0, max=2, bucket_limit=[1, 2], bucket=[count, 1]))


def text(tag: str, *words: bytes) -> Summary.Value:
    return strings(tag, plugin("text"), *words)


def make(path: Path) -> tbwidget.LogDir:
    """Write two runs; the first was restarted, and repeated step 1."""
    first = event(1, 0, histogram("h", 1), text("t", b"a", b"b")) + event(2, 1, histogram("h", 2), text("t", b"c"))
    anew = event(3, start=True) + event(4, 1, histogram("h", 3), text("t", b"d", b"e"))
    write(path / "one" / NAME, first, anew)
    write(path / "two" / NAME, event(5, 7, histogram("h", 4), histogram("other", 5), simple("s", 1)))
    return tbwidget.load(path)


def test_long_form(tmp_path: Path) -> None:
    logs = make(tmp_path)
    table = logs.frame("histograms")
    assert list(table) == ["run", "tag", "step", "wall_time", "left", "right", "count"]
    assert table["run"].astype(str).tolist() == ["one"] * 4 + ["two"] * 4
    assert table["tag"].astype(str).tolist() == ["h"] * 6 + ["other"] * 2
    assert table["count"].tolist() == [1, 1, 3, 1, 4, 1, 5, 1]
    assert table["wall_time"].tolist() == [1, 1, 4, 4, 5, 5, 5, 5]
    assert table["step"].dtype == np.int64
    assert logs.frame("text")["value"].tolist() == ["a", "b", "d", "e"]
    pickle.loads(pickle.dumps(table))  # noqa: S301 (our own)


def test_superseded_values_on_request(tmp_path: Path) -> None:
    logs = make(tmp_path)
    assert logs.frame("text", superseded=True)["value"].tolist() == ["a", "b", "c", "d", "e"]
    assert logs.frame("histograms", runs="one", superseded=True)["count"].tolist() == [1, 1, 2, 1, 3, 1]
    histograms = logs.histograms("one", "h")
    assert (len(histograms), histograms.superseded) == (2, 1)
    assert logs.histograms("one", "h", superseded=True).superseded == 0


def number(tag: str, value: Any) -> Summary.Value:
    """Make a tensor of an unknown plugin, which could only be guessed from its name."""
    array = np.asarray(value)
    dtypes = {"float64": DT_DOUBLE, "int64": DT_INT64, "complex128": DT_COMPLEX128}
    tensor = TensorProto(dtype=dtypes[array.dtype.name], tensor_content=array.tobytes())
    return Summary.Value(tag=tag.encode(), metadata=plugin("other"), tensor=tensor)


def test_tensors_of_several_types_share_a_column_with_nothing_lost(tmp_path: Path) -> None:
    found = {}
    for name, values in {"short": (1, 0.5), "long": (2**53 + 1, 0.5), "complex": (1, 0.5, 1j)}.items():
        write(tmp_path / name / NAME, event(1, 0, *(number(f"t{i}", value) for i, value in enumerate(values))))
        found[name] = tbwidget.load(tmp_path / name).frame("tensors")["value"]
        assert found[name].tolist() == [*values]
    assert [column.dtype for column in found.values()] == [np.float64, object, object]
    assert [type(value) for value in found["complex"]] == [int, float, complex]
    # The types also differ between steps of one tag.
    write(tmp_path / "steps" / NAME, event(1, 0, number("t", 2**53 + 1)), event(2, 1, number("t", 0.5)))
    assert tbwidget.load(tmp_path / "steps").frame("tensors")["value"].tolist() == [2**53 + 1, 0.5]


def test_some_of_them(tmp_path: Path) -> None:
    logs = make(tmp_path)
    assert logs.frame("histograms", tags="other")["count"].tolist() == [5, 1]
    assert logs.frame("histograms", runs=["two", "one", "two"], tags=["h"])["count"].tolist() == [4, 1, 1, 1, 3, 1]
    with pytest.raises(KeyError, match="no run 'three'"):
        logs.frame("histograms", runs=["one", "three"])
    with pytest.raises(KeyError, match="no tag 'other' of kind histograms in run 'one'"):
        logs.frame("histograms", runs=["one"], tags=["other"])
    with pytest.raises(KeyError, match="no tag 't' of kind histograms in these runs"):
        logs.frame("histograms", tags=["h", "t"])


@pytest.mark.parametrize("kind", KINDS)
def test_tables_without_rows_have_the_same_columns(tmp_path: Path, kind: str) -> None:
    write(tmp_path / NAME)
    table = tbwidget.load(tmp_path).frame(kind)
    assert len(table) == 0
    assert (
        list(table)[: 1 if kind == "hparams" else 4]
        == ["run", "tag", "step", "wall_time"][: 1 if kind == "hparams" else 4]
    )
    if kind in ("histograms", "text"):
        full = make(tmp_path / "full").frame(kind)
        assert table.dtypes[2:].to_dict() == full.dtypes[2:].to_dict()


@pytest.mark.parametrize("kind", ["meshes", "graphs", "embeddings", "custom_scalars", "run_metadata", "nonsense"])
def test_kinds_without_a_table(tmp_path: Path, kind: str) -> None:
    with pytest.raises(ValueError, match=f"no table of kind '{kind}'; choose one of scalars, histograms, .*hparams"):
        make(tmp_path).frame(kind)


def test_series_grow_by_what_is_appended(tmp_path: Path) -> None:
    logs = make(tmp_path)
    before = logs.histograms("two", "h")
    with (tmp_path / "two" / NAME).open("ab") as file:
        file.write(event(6, 8, histogram("h", 6)))
    assert logs.refresh()
    after = logs.histograms("two", "h")
    assert (before.revision, len(before), len(after)) == (after.revision, 1, 2)
    assert before[0].counts.tolist() == after[0].counts.tolist() == [4, 1]
    assert after[-1].counts.tolist() == [6, 1]
    with (tmp_path / "two" / NAME).open("ab") as file:
        file.write(event(7, start=True) + event(8, 8, histogram("h", 7)))
    logs.refresh()
    anew = logs.histograms("two", "h")
    assert anew.revision != after.revision
    assert (anew[-1].counts[0], after[-1].counts[0]) == (7, 6)


@pytest.mark.parametrize("kind", ["scalars", "histograms", "text", "hparams"])
def test_a_run_that_goes_while_its_table_is_made(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    values = simple("s", 1), histogram("h", 1), text("t", b"a"), started(lr=0.1)
    for run in ("goes", "stays"):
        write(tmp_path / run / NAME, event(1, 1, *values))

    logs = tbwidget.load(tmp_path)
    tags = logs.source.tags

    def gone_when_listed() -> dict[str, dict[str, list[str]]]:
        listed = tags()
        (tmp_path / "goes" / NAME).unlink(missing_ok=True)
        logs.refresh()
        return listed

    monkeypatch.setattr(logs.source, "tags", gone_when_listed)
    table = logs.frame(kind)
    assert (logs.runs, table["run"].astype(str).tolist()[0]) == (["stays"], "stays")


def test_wall_times_as_datetimes(tmp_path: Path) -> None:
    times = [0.25, 1.7e9 + 1e-6, float("nan"), float("inf"), -1.5, 1e300, 1e12]
    write(tmp_path / NAME, *(event(time, step, simple("x", 1)) for step, time in enumerate(times)))
    logs = tbwidget.load(tmp_path)
    column = logs.frame(times=True)["wall_time"]
    assert str(column.dtype) == "datetime64[us, UTC]"
    assert column[0] == pd.Timestamp(0.25, unit="s", tz="UTC")
    assert (column[1].microsecond, column[4].isoformat()) == (1, "1969-12-31T23:59:58.500000+00:00")
    assert column.isna().tolist() == [False, False, True, True, False, True, True]
    assert str(logs.frame("images", times=True)["wall_time"].dtype) == "datetime64[us, UTC]"
