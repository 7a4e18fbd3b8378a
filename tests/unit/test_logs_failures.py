"""Unexpected errors while reading: a problem of one file, without effect on others; and reading is tried again."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tbwidget
from tbwidget.logs.columns import Column, Points
from tbwidget.logs.engine import eventfile
from tbwidget.logs.engine.follower import poll
from tbwidget.logs.engine.run import Run
from tbwidget.logs.problems import Problem
from tbwidget.logs.source import Changes
from tbwidget.records import decode as decoding
from tbwidget.records.recordfile import RecordFile
from tests.support.eventfiles import NAME, event, plugin, points, simple, strings, write
from tests.support.waiting import wait_for

TAGS = ["a", "b", "c"]


def world(root: Path) -> None:
    for n, run in enumerate(TAGS):
        write(root / run / NAME, points("loss", list(range(100)), 100 + 100 * n))


def counts(logs: tbwidget.LogDir) -> dict[str, int]:
    """Count the points of the loss in each listed run; runs that a follower removes meanwhile are left out."""
    found: dict[str, int] = {}
    for run in logs.tags().get("scalars", {}):
        with suppress(KeyError):
            found[run] = len(logs.scalars(run, "loss"))
    return found


class Fault:
    """Makes reading one run's files raise, at one of several places."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, run: str, error: BaseException) -> None:
        self.run, self.error = run, error
        self.raised = 0
        self.active = True
        self._monkeypatch = monkeypatch

    def at(self, owner: type, name: str, run_of: Callable[[Any], str]) -> None:
        real = getattr(owner, name)

        def faulty(this: Any, *arguments: Any, **keywords: Any) -> Any:
            if self.active and run_of(this) == self.run:
                self.raised += 1
                raise self.error
            return real(this, *arguments, **keywords)

        self._monkeypatch.setattr(owner, name, faulty)


def folder(of: Any) -> str:
    return Path(of.path).parent.name


PLACES: list[tuple[type, str, Callable[[Any], str]]] = [
    (RecordFile, "read", folder),
    (eventfile.EventFile, "_add", folder),
    (eventfile.EventFile, "_keep", folder),
    (Run, "update", lambda run: run.name),
]


@pytest.mark.parametrize("place", PLACES, ids=lambda place: f"{place[0].__name__}.{place[1]}")
@pytest.mark.parametrize("error", [IndexError("index 7 is out of bounds"), MemoryError()], ids=["index", "memory"])
def test_one_file_that_raises_is_a_problem_of_its_own(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    place: tuple[type, str, Callable[[Any], str]],
    error: Exception,
) -> None:
    world(tmp_path)
    fault = Fault(monkeypatch, "b", error)
    fault.at(*place)
    logs = tbwidget.load(tmp_path)
    assert fault.raised
    assert logs.source.ready
    assert counts(logs) == {"a": 100, "c": 100}
    (problem,) = logs.problems
    assert problem.path == f"b/{NAME}"
    assert type(error).__name__ in problem.message
    told: list[Changes] = []
    logs.source.subscribe(told.append)
    fault.active = False
    if not isinstance(error, MemoryError):
        assert not logs.refresh()  # reading would raise again
        write(tmp_path / "b" / NAME, points("loss", list(range(101)), 200))
    assert logs.refresh()
    assert counts(logs) == {"a": 100, "b": 100 if isinstance(error, MemoryError) else 101, "c": 100}
    assert logs.problems == []
    assert told[-1].catalog
    assert ("scalars", "b", "loss") in told[-1].series


@pytest.mark.parametrize("error", [IndexError(), MemoryError()], ids=["index", "memory"])
def test_the_follower_goes_on_and_tries_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    monkeypatch.setattr(eventfile, "_FIRST_DELAY", 0.2)
    world(tmp_path)
    fault = Fault(monkeypatch, "a", error)
    fault.at(RecordFile, "read", folder)
    with tbwidget.LogDir(tmp_path) as logs:
        logs.follow(0.01)
        wait_for(lambda: logs.source.ready and counts(logs) == {"b": 100, "c": 100} and logs.problems)
        write(tmp_path / "d" / NAME, points("loss", [1, 2, 3], 500))
        wait_for(lambda: counts(logs).get("d") == 3)
        fault.active = False
        if not isinstance(error, MemoryError):
            with (tmp_path / "a" / NAME).open("ab") as file:
                file.write(points("loss", [100], 150))
        wait_for(lambda: counts(logs).get("a", 0) >= 100 and not logs.problems)


def test_a_file_that_keeps_failing_is_tried_ever_more_rarely(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    world(tmp_path)
    fault = Fault(monkeypatch, "a", MemoryError())
    fault.at(RecordFile, "read", folder)
    logs = tbwidget.load(tmp_path)
    for _ in range(10_000):
        now += 0.1
        poll(logs.source, everywhere=True)
    assert 8 <= fault.raised <= 14
    fault.active = False
    now += 300
    poll(logs.source, everywhere=True)
    assert counts(logs)["a"] == 100
    assert logs.problems == []


def test_ctrl_c_is_no_problem_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world(tmp_path)
    fault = Fault(monkeypatch, "b", KeyboardInterrupt())
    fault.at(RecordFile, "read", folder)
    logs = tbwidget.LogDir(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        logs.refresh()
    fault.active = False
    logs.refresh()
    assert counts(logs) == dict.fromkeys(TAGS, 100)
    assert logs.problems == []


def failing_decode(monkeypatch: pytest.MonkeyPatch, mark: bytes, error: Exception) -> None:
    """Make decoding raise wherever these bytes occur, as for a record with an unknown structure."""
    real = decoding.decode

    def decode(data: Any, frames: Any, *others: Any) -> Any:
        if len(frames.starts) and mark in bytes(data[int(frames.starts[0]) : frames.end]):
            raise error
        return real(data, frames, *others)

    monkeypatch.setattr(decoding, "decode", decode)


def test_records_that_cannot_be_decoded_are_passed_over_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, bad = points("loss", list(range(500)), 100), event(200, 7, simple("poison", 1))
    write(tmp_path / NAME, before, bad, points("loss", list(range(500, 1000)), 300), bad, points("acc", [1], 500))
    with monkeypatch.context() as patch:
        failing_decode(patch, b"poison", IndexError("list index out of range"))
        logs = tbwidget.load(tmp_path)
    assert logs.tags() == {"scalars": {".": ["acc", "loss"]}}
    assert logs.scalars(".", "loss").step.tolist() == list(range(1000))
    first, second = logs.problems
    assert first == Problem(NAME, len(before), "this record cannot be decoded: IndexError: list index out of range")
    assert second.message == first.message
    with (tmp_path / NAME).open("ab") as file:
        file.write(points("acc", [2], 501))
    logs.refresh()
    assert logs.problems == []
    assert logs.tags() == {"scalars": {".": ["acc", "loss", "poison"]}}


def test_a_file_that_grows_is_not_read_from_its_start_for_one_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(eventfile, "_FIRST_DELAY", 0.01)
    write(tmp_path / NAME, points("loss", list(range(500)), 100), event(200, 7, simple("poison", 1)))
    failing_decode(monkeypatch, b"poison", IndexError("list index out of range"))
    logs = tbwidget.load(tmp_path)
    revision = logs.scalars(".", "loss").revision
    time.sleep(0.02)
    with (tmp_path / NAME).open("ab") as file:
        file.write(points("loss", [500], 300))
    poll(logs.source, everywhere=True)
    assert len(logs.scalars(".", "loss")) == 501
    assert logs.scalars(".", "loss").revision == revision


def test_a_large_record_for_which_memory_is_short_is_read_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = event(150, 3, strings("picture", plugin("images"), b"1", b"1", b"x" * 200_000))
    before = points("loss", [1, 2], 100)
    write(tmp_path / NAME, before, picture, points("loss", [3, 4], 200))

    def parse_large_record(*_: object) -> None:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(decoding, "parse_large_record", parse_large_record)
        logs = tbwidget.load(tmp_path)
        assert logs.scalars(".", "loss").step.tolist() == [1, 2, 3, 4]
        assert logs.problems == [Problem(NAME, len(before), "this record cannot be decoded: MemoryError")]
    logs.refresh()
    assert logs.problems == []
    assert len(logs.images(".", "picture")) == 1


def test_a_file_of_which_nothing_can_be_decoded_is_one_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "bad" / NAME, *(event(100 + n, n, simple("poison", n)) for n in range(3000)))
    write(tmp_path / "good" / NAME, points("loss", [1, 2], 100))
    failing_decode(monkeypatch, b"poison", ValueError("no"))
    logs = tbwidget.load(tmp_path)
    assert [problem.path for problem in logs.problems] == [f"bad/{NAME}"]
    assert counts(logs) == {"good": 2}


def test_failures_of_dashboards_are_problems_of_the_logs(tmp_path: Path) -> None:
    world(tmp_path)
    logs = tbwidget.load(tmp_path)
    told: list[Changes] = []
    logs.source.subscribe(told.append)
    logs.source.report_failure("scalars", "b", "loss", "MemoryError")
    logs.source.report_failure("layout", "", "", "ValueError: no")
    logs.source.report_failure("graphs", "a", "", "ValueError: no")
    assert logs.problems == [
        Problem(".", None, "layout of the log directory: ValueError: no"),
        Problem("a", None, "graphs of run 'a': ValueError: no"),
        Problem("b", None, "scalars 'loss' of run 'b': MemoryError"),
    ]
    assert logs.refresh()
    assert told == [Changes(frozenset(), catalog=True)]
    assert not logs.refresh()
    logs.source.report_failure("scalars", "b", "loss", "MemoryError")
    assert not logs.refresh()  # already known
    logs.source.clear_failure("layout", "", "")
    logs.source.clear_failure("layout", "", "")
    logs.source.clear_failure("graphs", "a", "")
    assert logs.refresh()
    assert [problem.path for problem in logs.problems] == ["b"]


@pytest.mark.parametrize("gone", ["run", "tag"])
def test_failures_of_files_that_vanished_are_no_problems(tmp_path: Path, gone: str) -> None:
    world(tmp_path)
    logs = tbwidget.load(tmp_path)
    logs.source.report_failure("scalars", "b", "loss", "MemoryError")
    if gone == "run":
        (tmp_path / "b" / NAME).unlink()
    else:
        write(tmp_path / "b" / NAME, points("other", [1], 200))
    logs.refresh()
    assert logs.problems == []
    world(tmp_path)
    logs.refresh()
    assert logs.problems == []


def test_runs_have_numbers_in_the_order_in_which_they_began_and_keep_them(tmp_path: Path) -> None:
    begins = {"run10": 300.0, "run9": 300.0, "late": 400.0, "early": 0.0, "nan": float("nan"), "inf": float("-inf")}
    for run, begin in begins.items():
        write(tmp_path / run / NAME, event(begin, 1, simple("loss", 1)))
    write(tmp_path / "late" / f"{NAME}.2", event(200, 1, simple("loss", 1)))
    write(tmp_path / "empty" / NAME)
    logs = tbwidget.load(tmp_path)
    numbers = logs.source.run_numbers()
    assert sorted(numbers, key=numbers.__getitem__) == ["early", "late", "run9", "run10", "empty", "inf", "nan"]
    write(tmp_path / "earliest" / NAME, event(-5.0, 1, simple("loss", 1)))
    (tmp_path / "late" / f"{NAME}.2").unlink()
    logs.refresh()
    assert logs.source.run_numbers() == {**numbers, "earliest": len(numbers)}


def test_a_series_that_does_not_fit_into_memory_takes_no_other_of_its_file_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = {tag: list(range(100 * n, 100 * n + 100)) for n, tag in enumerate(TAGS)}
    write(tmp_path / NAME, *(points(tag, steps[tag], 100) for tag in TAGS))
    logs = tbwidget.load(tmp_path)
    revisions = [logs.scalars(".", tag).revision for tag in ("a", "c")]
    logs.follow()
    real, short = Column.flush, True

    def flush(column: Column) -> None:
        if short and column.sessions[0].step == steps["b"][0]:
            raise MemoryError
        real(column)

    monkeypatch.setattr(Column, "flush", flush)
    for _ in range(2):
        assert len(logs.scalars(".", "a")) == 100
        with pytest.raises(MemoryError):
            logs.scalars(".", "b")
        assert len(logs.scalars(".", "c")) == 100
    assert logs.problems == []
    assert [logs.scalars(".", tag).revision for tag in ("a", "c")] == revisions
    short = False
    assert logs.scalars(".", "b").value.tolist() == steps["b"]
    logs.close()


def test_a_column_for_which_there_is_no_room_stays_as_it_was() -> None:
    def of(steps: range) -> Points:
        return Points(np.array(steps), np.array(steps, float), np.array(steps, float))

    column = Column()
    column.append(of(range(3)), 0)
    column.flush()
    storage = column._storage
    # An array that shares its memory cannot be enlarged.
    column._storage = storage._replace(value=np.zeros(4)[:3])
    column.append(of(range(3, 6)), 0)
    with pytest.raises(ValueError, match="resize"):
        column.points()
    column._storage = column._storage._replace(value=storage.value)
    assert [column_.tolist() for column_ in column.points()] == [list(range(6))] * 3
