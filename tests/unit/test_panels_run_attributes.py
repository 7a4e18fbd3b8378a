"""The hyperparameters of all runs, as one document."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import tbwidget
from tbwidget.panels.run_attributes import RUN_ATTRIBUTES
from tests.support.eventfiles import NAME, event, simple, write
from tests.support.trials import started


def document(*logdir: Path) -> tuple[dict[str, Any], object]:
    read = RUN_ATTRIBUTES.read(tbwidget.load(*logdir), "", "")
    return json.loads(read.encode()), read.revision


def test_each_run_has_its_values_and_null_for_those_that_others_have(tmp_path: Path) -> None:
    write(tmp_path / "a" / NAME, event(1, 0, started("trial", lr=0.1, name="adam", none=None, many=[1, 2])))
    write(tmp_path / "b" / NAME, event(1, 0, started(lr=math.inf, fast=True)), event(2, 1, simple("loss", 1)))
    found, revision = document(tmp_path)
    values = dict(zip(found["runs"], found["values"], strict=True))
    assert list(values) == ["a", "trial", "b"]
    row = dict(zip(found["names"], values["a"], strict=True))
    assert row == {"fast": None, "lr": 0.1, "many": "[1.0, 2.0]", "name": "adam", "none": None}
    assert values["trial"] == values["a"]
    assert dict(zip(found["names"], values["b"], strict=True))["lr"] == "inf"
    assert document(tmp_path)[1] == revision
    write(tmp_path / "c" / NAME, event(1, 0, started(lr=1)))
    assert document(tmp_path)[1] != revision


def test_no_hyperparameters_are_an_empty_document(tmp_path: Path) -> None:
    write(tmp_path / "a" / NAME, event(1, 1, simple("loss", 1)))
    assert document(tmp_path)[0] == {"names": [], "runs": [], "values": []}


def test_a_group_is_a_name_within_its_directory(tmp_path: Path) -> None:
    for name, rate in (("old", 0.1), ("new", 0.2)):
        write(tmp_path / name / "a" / NAME, event(1, 0, started("trial", lr=rate)))
    found, _ = document(tmp_path / "old", tmp_path / "new")
    values = {run: row[0] for run, row in zip(found["runs"], found["values"], strict=True)}
    assert values == {"old/a": 0.1, "old/trial": 0.1, "new/a": 0.2, "new/trial": 0.2}
