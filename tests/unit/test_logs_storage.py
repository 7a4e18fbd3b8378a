"""Files that lie far away: what the reader takes under its lock was fetched before, and many files at once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import tbwidget
from tbwidget.logs.engine.eventfile import EventFile
from tbwidget.proto.summary_pb2 import Summary
from tbwidget.records.columnar.layouts import LayoutTable
from tbwidget.records.values.summary import TagTable
from tests.support.corpus import CORPUS
from tests.support.eventfiles import NAME, event, record, simple, write
from tests.support.far import FarStorage
from tests.unit.test_records_storage import values

NAMES = sorted(path.name for path in CORPUS.iterdir() if (path / "logs").is_dir())


def far(path: Path, storage: FarStorage) -> tbwidget.LogDir:
    logs = tbwidget.LogDir(path)
    logs.source._reader._storage = storage
    return logs


@pytest.mark.parametrize("name", NAMES)
def test_what_writers_wrote_is_read_as_from_the_disk(name: str) -> None:
    storage = FarStorage()
    logs = far(CORPUS / name / "logs", storage)
    logs.refresh()
    assert storage.single == 0
    assert not storage.pieces
    assert values(logs) == values(tbwidget.load(CORPUS / name / "logs"))


def test_files_are_fetched_together(tmp_path: Path) -> None:
    for run in range(100):
        path = write(tmp_path / f"{run}" / NAME, *(event(1, step, simple("loss", step)) for step in range(20)))
        os.utime(path, (1, 1))  # what changed just now may change again unseen, so it is compared again
    storage = FarStorage(files_at_once=50)
    logs = far(tmp_path, storage)
    logs.refresh()
    assert [len(ranges) for ranges in storage.requests] == [50, 50]
    logs.refresh()
    assert len(storage.requests) == 2
    for run in range(30, 40):
        with (tmp_path / f"{run}" / NAME).open("ab") as file:
            file.write(event(1, 20, simple("loss", 20)))
    list(logs.source.look(everywhere=True))
    assert [len(ranges) for ranges in storage.requests[2:]] == [10]
    assert storage.single == 0
    assert values(logs) == values(tbwidget.load(tmp_path))


def test_a_large_record_is_not_fetched_whole(tmp_path: Path) -> None:
    picture = Summary.Value(tag=b"im", image=Summary.Image(encoded_image_string=bytes(30_000_000)))
    write(tmp_path / NAME, event(1, 0, simple("loss", 0)), event(1, 0, picture), event(1, 1, simple("loss", 1)))
    storage = FarStorage()
    logs = far(tmp_path, storage)
    logs.refresh()
    assert logs.scalars(".", "loss").step.tolist() == [0, 1]
    fetched = sum(end - begin for ranges in storage.requests for _, begin, end in ranges)
    assert fetched < 10_000_000
    assert values(logs) == values(tbwidget.load(tmp_path))
    assert storage.single > 0  # its bytes, when they are asked for


def test_damage_is_passed_over(tmp_path: Path) -> None:
    good = [event(1, step, simple("loss", step)) for step in range(9)]
    write(tmp_path / NAME, *good[:3], b"garbage" * 9000, *good[3:6], record(b"x" * 300_000)[:-9], *good[6:])
    storage = FarStorage()
    logs = far(tmp_path, storage)
    logs.refresh()
    with (tmp_path / NAME).open("ab") as file:
        file.write(event(1, 9, simple("loss", 9)))
    logs.refresh()
    assert storage.single == 0
    assert values(logs) == values(tbwidget.load(tmp_path))
    assert len(logs.scalars(".", "loss")) == 10


def test_what_cannot_be_fetched_is_a_problem_and_not_asked_for_again_and_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "a" / NAME, event(1, 0, simple("loss", 0)))
    write(tmp_path / "b" / NAME, event(1, 0, simple("loss", 0)))
    storage = FarStorage()
    fetch = FarStorage.prefetch
    monkeypatch.setattr(
        FarStorage, "prefetch", lambda self, ranges: fetch(self, [each for each in ranges if "/b/" in each.path])
    )
    logs = far(tmp_path, storage)
    logs.refresh()
    assert [(problem.path, problem.message) for problem in logs.problems] == [
        (f"a/{NAME}", "bytes 0 to 40 were not fetched")
    ]
    assert logs.tags() == {"scalars": {"b": ["loss"]}}


def test_bytes_that_another_look_asked_for_are_no_problem(tmp_path: Path) -> None:
    path = write(tmp_path / NAME, event(1, 1, simple("loss", 1)))
    file = EventFile(FarStorage(), str(path), NAME, LayoutTable(TagTable()))
    for _look in range(2):
        assert file.read()
        assert file.unfetched is not None
        assert file.problems() == []
    assert not file.read(fetched=file.unfetched), "fetching them did not help"
    assert len(file.problems()) == 1
