"""A few of the cases of `make fuzz`, the same ones each time; and proof that its checks can fail."""

from __future__ import annotations

from random import Random

import pytest

from tbwidget.records import framing
from tbwidget.records.places import Places
from tests.fuzz import targets
from tests.fuzz.cases import Cases
from tests.fuzz.mutations import fields_of, message, mutated, real_records
from tests.support.eventfiles import record


@pytest.mark.parametrize(
    ("sort", "count"), [("framing", 600), ("layouts", 150), ("tensors", 3000), ("directories", 60)]
)
def test_some_cases(sort: str, count: int) -> None:
    run(Cases(7), sort, count)


def run(cases: Cases, sort: str, count: int) -> None:
    for number in range(count):
        cases.run(sort, number)


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
    monkeypatch.setattr(Places, "hashes", lambda _self, rows: rows[:, 0].astype("u8"))
    with pytest.raises(AssertionError):
        run(Cases(7), "layouts", 150)


def test_missing_numbers_are_noticed() -> None:
    cases, written = Cases(7), targets.Written()
    written.add(cases.scalars[0])
    written.numbers *= 2
    with pytest.raises(AssertionError, match="missing"):
        targets.directory(written, [])
