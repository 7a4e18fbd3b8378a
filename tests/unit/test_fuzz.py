"""A few of the cases of `make fuzz`, always the same; and proof that its checks can fail."""

from __future__ import annotations

import warnings
from pathlib import Path
from random import Random

import numpy as np
import pytest

import tbwidget
from tbwidget.proto.summary_pb2 import Summary
from tbwidget.proto.tensor_pb2 import TensorProto
from tbwidget.records.columnar.groups import LayoutGroup
from tbwidget.records.files import framing
from tests.fuzz import cases, targets
from tests.fuzz.cases import Cases
from tests.fuzz.mutations import fields_of, message, mutated, real_records
from tests.support.eventfiles import NAME, event, numbers, plugin, record, simple, write


@pytest.mark.parametrize(
    ("sort", "count"),
    [("framing", 600), ("layouts", 150), ("values", 150), ("tensors", 3000), ("directories", 60), ("pictures", 150)],
)
def test_some_cases(sort: str, count: int) -> None:
    run(Cases(7), sort, count)


def run(cases: Cases, sort: str, count: int) -> None:
    for number in range(count):
        cases.run(sort, number)


def test_numbers_that_say_they_are_scalars_too_late(tmp_path: Path) -> None:
    """An earlier value without content has decided the kind of the tag."""
    empty = Summary.Value(tag=b"whole", tensor=TensorProto.FromString(b"\x08\x63"), metadata=plugin("unknown"))
    write(tmp_path / NAME, event(1, 1, empty), event(2, 2, numbers("whole", plugin("scalars"))))
    logs = tbwidget.load(tmp_path)
    assert logs.problems
    for tag in logs.tags().get("tensors", {}).get(".", []):
        assert len(list(logs.tensors(".", tag))) <= 1


def test_signaling_nan(tmp_path: Path) -> None:
    """Read alone and in a column, the value is the same, without a warning."""
    made = bytearray(event(1, 1, simple("loss", 1.5)))
    place = len(made) - 8
    made[place : place + 4] = bytes.fromhex("0100a07f")
    signaling = record(bytes(made[12:-4]))
    write(tmp_path / NAME, signaling * 40)
    with warnings.catch_warnings(action="error"):
        value = tbwidget.load(tmp_path).scalars(".", "loss").value
    assert len(value) == 40
    assert np.isnan(value).all()


def test_mutations_start_from_messages_and_change_them() -> None:
    records, random = real_records(), Random(1)
    assert all(message(fields_of(payload) or []) == payload for payload in records)
    changed = sum(mutated(payload, random, records) != payload for payload in records)
    assert changed > 0.9 * len(records)


def test_wrong_framing_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(framing, "_agreeing", lambda rows, *_: len(rows))
    data = bytearray(record(bytes(40)) * 1000)
    data[56 * 500] ^= 1
    with pytest.raises(AssertionError, match="other records"):
        targets.framing(bytes(data))


def test_wrong_layouts_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LayoutGroup, "hashes", lambda _self, rows: rows[:, 0].astype("u8"))
    monkeypatch.setattr(cases, "TOGETHER", 1)  # a table that knows other layouts would hide it behind checksums
    with pytest.raises(AssertionError):
        run(Cases(4), "layouts", 150)


def test_missing_numbers_are_noticed() -> None:
    made, written = Cases(7), targets.Written()
    written.add(made.scalars[0])
    written.numbers *= 2
    with pytest.raises(AssertionError, match="missing"):
        targets.directory(written, [])
