"""Interruption at any point, by Ctrl-C or lack of memory: no data are lost for good, and none are duplicated."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

import tbwidget
from tests.support.eager import eager
from tests.support.eventfiles import NAME, event, simple
from tests.support.interrupting import Stopper, interrupted

PARTS = (
    "engine/partitioning.py",
    "logs/columns.py",
    "engine/eventfile.py",
    "records/columnar/layouts.py",
    "records/columnar/groups.py",
    "records/values/summary.py",
)
TAGS, EVERY = 7, 3
Values = dict[str, list[float]]


def events(first: int, last: int) -> bytes:
    return b"".join(
        event(1.7e9 + n, n, simple(f"tag{number}", n + number / 10))
        for n in range(first, last)
        for number in range(TAGS)
    )


def values(logs: tbwidget.LogDir) -> Values:
    return {tag: logs.scalars(".", tag).value.tolist() for tag in logs.tags()["scalars"]["."]}


@pytest.mark.parametrize("asking", [False, True])
def test_an_interrupted_operation_is_completed_later(tmp_path: Path, *, asking: bool) -> None:
    at, interruptions = 1, 0
    path = tmp_path / NAME
    with eager():
        while True:
            path.write_bytes(events(0, 12))
            logs = tbwidget.load(tmp_path)
            logs.scalars(".", "tag3")
            with path.open("ab") as file:
                file.write(events(12, 30))
            if asking:
                logs.refresh()
            work = (lambda logs=logs: values(logs)) if asking else logs.refresh
            stopped = interrupted(work, Stopper(at, KeyboardInterrupt(), PARTS))
            if not asking:
                logs.refresh()
            assert values(logs) == values(tbwidget.load(tmp_path)), f"interrupted in line {at}"
            if not stopped:
                break
            at += EVERY
            interruptions += 1
    assert interruptions > 10


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_an_interrupted_copy_is_completed_later(tmp_path: Path, error: type[BaseException]) -> None:
    """Several files make one series, whose copy grows with each update."""
    first, second = tmp_path / f"{NAME}1", tmp_path / f"{NAME}2"
    at, interruptions = 1, 0
    while True:
        first.write_bytes(events(0, 10))
        second.write_bytes(events(10, 12))
        logs = tbwidget.load(tmp_path)
        held = []
        for number in (12, 13):
            with second.open("ab") as file:
                file.write(events(number, number + 1))
            logs.refresh()
            held.append(logs.scalars(".", "tag3"))
        before = [scalars.value.tolist() for scalars in held]
        with second.open("ab") as file:
            file.write(events(14, 17))
        logs.refresh()
        parts = ("engine/run.py", "logs/columns.py")
        stopped = interrupted(partial(values, logs), Stopper(at, error(), parts))
        assert values(logs) == values(tbwidget.load(tmp_path)), f"interrupted in line {at}"
        assert [scalars.value.tolist() for scalars in held] == before
        if not stopped:
            break
        at += EVERY
        interruptions += 1
    assert interruptions > 10


def test_a_refresh_for_which_memory_is_short_raises_nothing_and_is_made_good(tmp_path: Path) -> None:
    """The file that was being read is a problem until the next refresh, and the other one is read at once."""
    at = 1
    parts = (*PARTS, "engine/run.py", "engine/catalog.py")
    first, second = tmp_path / "first" / NAME, tmp_path / "second" / NAME
    first.parent.mkdir()
    second.parent.mkdir()
    problems = 0
    with eager():
        while True:
            first.write_bytes(events(0, 12))
            second.write_bytes(events(0, 6))
            logs = tbwidget.load(tmp_path)
            with first.open("ab") as file:
                file.write(events(12, 30))
            second.write_bytes(events(0, 30))
            stopper = Stopper(at, MemoryError(), parts)
            assert not interrupted(logs.refresh, stopper), f"raised in line {at}"
            problems += len(logs.problems)
            runs = ["first", "second"]
            read = [run for run in runs if len(everything(logs).get(run, ())) == TAGS]
            assert read, f"neither was read, raised in line {at}"
            logs.refresh()
            assert everything(logs) == everything(tbwidget.load(tmp_path)), f"raised in line {at}"
            assert logs.problems == []
            if stopper.left > 0:
                break
            at += 7 * EVERY
    assert problems > 10


def everything(logs: tbwidget.LogDir) -> dict[str, Values]:
    return {
        run: {tag: logs.scalars(run, tag).value.tolist() for tag in tags}
        for run, tags in logs.tags().get("scalars", {}).items()
    }
