"""Tables as Parquet and Arrow: every bit of them, from Python and on a shell."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import tbwidget
from tbwidget.__main__ import main
from tests.support.eventfiles import NAME, event, simple, write
from tests.support.trials import started

VALUES = [0.1, np.nan, np.inf, -0.0, 5e-324]


def make(path: Path) -> tbwidget.LogDir:
    for run in ("a", "b"):
        trial = event(1, 0, started(rate=0.5, name=run))
        write(
            path / run / NAME, trial, *(event(1.7e9 + i / 3, 2**40 + i, simple("x", v)) for i, v in enumerate(VALUES))
        )
    return tbwidget.load(path)


def equal(found: pd.DataFrame, wanted: pd.DataFrame) -> None:
    assert list(found) == list(wanted)
    for name in ("step", "wall_time", "value"):
        assert found[name].to_numpy().tobytes() == wanted[name].to_numpy().tobytes()
    assert found["run"].astype(str).tolist() == wanted["run"].astype(str).tolist()


def test_a_table_becomes_parquet_and_arrow_in_one_line(tmp_path: Path) -> None:
    logs = make(tmp_path / "logs")
    logs.frame().to_parquet(tmp_path / "points.parquet")
    equal(pd.read_parquet(tmp_path / "points.parquet"), logs.frame())
    equal(pa.Table.from_pandas(logs.frame()).to_pandas(), logs.frame())


def test_the_shell_writes_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logs = make(tmp_path / "logs")
    target = tmp_path / "points.parquet"
    assert main(["export", str(tmp_path / "logs"), "--parquet", "--hparams", "-o", str(target)]) == 0
    found = pd.read_parquet(target)
    equal(found, logs.frame(hparams=True))
    assert found["hparam/name"].tolist() == ["a"] * 5 + ["b"] * 5
    assert main(["export", str(tmp_path / "logs"), "--parquet"]) == 2
    assert "needs a file" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["scalars", "hparams"])
def test_values_of_several_types_and_names_that_are_no_text(tmp_path: Path, kind: str) -> None:
    for run, value in (("a", "high"), ("b\udcff", 0.5), ("c", True), ("d", None)):
        trial = started() if value is None else started(rate=value)
        write(tmp_path / "logs" / run / NAME, event(1, 0, trial), event(1, 1, simple("x\udcff", 1)))
    target = tmp_path / "points.parquet"
    assert main(["export", str(tmp_path / "logs"), "--parquet", "--hparams", "--kind", kind, "-o", str(target)]) == 0
    found = pd.read_parquet(target)
    assert found["run"].tolist() == ["a", "b\\udcff", "c", "d"]
    assert found["hparam/rate"].tolist()[:3] == ["high", "0.5", "True"]
    assert found["hparam/rate"].isna().tolist() == [False, False, False, True]
    if kind == "scalars":
        assert found["tag"].tolist() == ["x\\udcff"] * 4
