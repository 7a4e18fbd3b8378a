"""Log directories on remote storage: the same values as from the disk, few requests, one sentence for each failure."""

from __future__ import annotations

import copy
import os
import pickle
import shutil
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import fsspec
import pytest
from fsspec.asyn import get_loop

import tbwidget
from tbwidget.dashboard.inputs import short_name
from tbwidget.logs.engine.reader import Reader
from tbwidget.logs.logdir import _opened, acquire, release
from tbwidget.logs.roots import roots_of
from tbwidget.proto.event_pb2 import Event
from tbwidget.proto.summary_pb2 import Summary
from tbwidget.reasons import Reason
from tbwidget.records.files import filesystems, remote
from tbwidget.records.files.refusals import refusal
from tbwidget.records.files.remote import RemoteStorage
from tbwidget.records.files.remote_file import Fetched, joined
from tbwidget.records.files.urls import connection_of, secrets_of, shown_url
from tbwidget.records.values.attachments import RUN_GRAPH
from tests.support.changing import append, changes, write_runs
from tests.support.corpus import CORPUS
from tests.support.eventfiles import NAME, event, record, simple, write
from tests.support.stores import Counted, upload
from tests.unit.test_records_storage import values

NAMES = sorted(path.name for path in CORPUS.iterdir() if (path / "logs").is_dir())
ROOT = "logs"
URL = f"memory://{ROOT}"


@pytest.fixture(autouse=True)
def _empty_memory() -> Iterator[None]:
    memory = fsspec.filesystem("memory")
    memory.store.clear()
    yield
    memory.store.clear()


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    return Counted(monkeypatch)


def storage_of(logs: tbwidget.LogDir) -> RemoteStorage:
    storage = logs.source.roots[0].storage
    assert isinstance(storage, RemoteStorage)
    return storage


@pytest.mark.parametrize("name", NAMES)
def test_the_corpus_is_read_as_from_the_disk(name: str) -> None:
    upload(CORPUS / name / "logs", ROOT)
    logs = tbwidget.load(URL)
    assert not logs.refresh()
    assert values(logs) == values(tbwidget.load(CORPUS / name / "logs"))
    assert (logs.path, logs.paths, logs.exists) == (URL, {"": URL}, True)


def test_a_poll_is_one_listing_and_one_call_after_a_small_first_one(tmp_path: Path, counted: Counted) -> None:
    write_runs(tmp_path, 100)
    upload(tmp_path, ROOT)
    logs = tbwidget.load(URL)
    assert (counted.listings, [len(ranges) for ranges in counted.calls]) == (1, [16, 84])
    counted.reset()
    logs.refresh()
    assert (counted.listings, counted.calls) == (1, [])
    for run in range(10):
        append(tmp_path / f"run{run}" / NAME, event(2, 20, simple("loss", 20)))
    upload(tmp_path, ROOT)
    counted.reset()
    assert logs.refresh()
    assert (counted.listings, [len(ranges) for ranges in counted.calls]) == (1, [10])
    assert counted.fetched_bytes == 10 * 2 * len(event(2, 20, simple("loss", 20))), "from the last record's begin on"
    assert values(logs) == values(tbwidget.load(tmp_path))


def test_connecting_does_not_delay_the_next_poll(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connect = filesystems.connect

    def slow(url: str, options: Any) -> Any:
        begin = time.thread_time()
        while time.thread_time() < begin + 0.1:
            pass
        return connect(url, options)

    monkeypatch.setattr(filesystems, "connect", slow)
    write_runs(tmp_path, 1)
    upload(tmp_path, ROOT)
    storage = storage_of(tbwidget.load(URL))
    assert not storage.is_due(force=False, interval=0)
    assert storage.poll_interval == 2


def test_no_more_is_held_at_once_than_a_batch(
    tmp_path: Path, counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_runs(tmp_path, 30, 100)
    upload(tmp_path, ROOT)
    size = (tmp_path / "run0" / NAME).stat().st_size
    monkeypatch.setattr(RemoteStorage, "bytes_at_once", 10 * size)
    logs = tbwidget.load(URL)
    assert [len(ranges) for ranges in counted.calls] == [10, 10, 10]
    assert values(logs) == values(tbwidget.load(tmp_path))
    assert storage_of(logs)._fetched == {}


def test_no_more_is_held_at_once_of_one_run(tmp_path: Path, counted: Counted, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(30):
        write(tmp_path / "run" / f"{NAME}.{number}", *(event(1, step, simple("loss", step)) for step in range(100)))
    upload(tmp_path, ROOT)
    size = (tmp_path / "run" / f"{NAME}.0").stat().st_size
    monkeypatch.setattr(RemoteStorage, "bytes_at_once", 10 * size)
    logs = tbwidget.load(URL)
    assert [len(ranges) for ranges in counted.calls] == [10, 10, 10]
    assert values(logs) == values(tbwidget.load(tmp_path))
    assert storage_of(logs)._fetched == {}


def test_members_of_an_archive_count_whole(tmp_path: Path, counted: Counted, monkeypatch: pytest.MonkeyPatch) -> None:
    write_runs(tmp_path / "logs", 6, 100)
    size = (tmp_path / "logs" / "run0" / NAME).stat().st_size
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as file:
        for run in range(6):
            file.write(tmp_path / "logs" / f"run{run}" / NAME, f"logs/run{run}/{NAME}")
    monkeypatch.setattr("tbwidget.records.limits.WINDOW", size // 4)
    monkeypatch.setattr(RemoteStorage, "bytes_at_once", 2 * size)
    logs = tbwidget.load(f"zip://logs::file://{tmp_path / 'x.zip'}")
    assert max(sum(end - begin for _, begin, end in ranges) for ranges in counted.calls) <= 2 * size
    assert values(logs) == values(tbwidget.load(tmp_path / "logs"))


def test_no_request_is_made_while_the_reader_holds_its_lock(
    tmp_path: Path, counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = [event(1, step, simple("loss", step)) for step in range(2000)]
    write(tmp_path / "run" / NAME, *good[:1000], b"garbage" * 900, *good[1000:], record(b"x" * 90_000)[:-9])
    write(tmp_path / "run" / "hparams.yaml", b"lr: 0.1\n")
    write(tmp_path / "run" / "projector_config.pbtxt", b'embeddings { tensor_name: "e" tensor_path: "v" }')
    upload(tmp_path, ROOT)
    monkeypatch.setattr("tbwidget.records.recordfile.limits.WINDOW", 1 << 13)
    logs = tbwidget.LogDir(URL)
    held: list[bool] = []

    def check(answers: list[Any]) -> list[Any]:
        held.append(logs.source._lock._is_owned())  # type: ignore[attr-defined]
        return answers

    counted.on_answers = check
    counted.on_listing = lambda: held.append(logs.source._lock._is_owned())  # type: ignore[attr-defined]
    logs.refresh()
    assert len(held) > 3
    assert not any(held)
    assert logs.scalars("run", "loss").step.tolist() == list(range(2000))


def test_growth_replacement_and_deletion_end_as_a_fresh_load(tmp_path: Path) -> None:
    write_runs(tmp_path, 3)
    upload(tmp_path, ROOT)
    logs = tbwidget.load(URL)

    def check() -> None:
        upload(tmp_path, ROOT)
        assert logs.refresh()
        assert not logs.refresh()
        assert values(logs) == values(tbwidget.load(tmp_path)) == values(tbwidget.load(URL))

    for _ in changes(tmp_path):
        check()
    data = bytearray((tmp_path / "run2" / NAME).read_bytes())
    data[200] ^= 1
    write(tmp_path / "run2" / NAME, bytes(data))
    check()
    shutil.rmtree(tmp_path)
    tmp_path.mkdir()
    upload(tmp_path, ROOT)
    logs.refresh()
    assert (logs.runs, logs.exists) == ([], False)


def test_large_files_are_read_on_in_growing_pieces(tmp_path: Path, counted: Counted) -> None:
    picture = Summary.Value(tag=b"im", image=Summary.Image(encoded_image_string=bytes(20_000_000)))
    points = [event(1, step, simple("loss", step)) for step in range(200_000)]
    write(tmp_path / "a" / NAME, *points)
    write(tmp_path / "b" / NAME, event(1, 0, simple("loss", 0)), event(1, 0, picture), event(1, 1, simple("loss", 1)))
    upload(tmp_path, ROOT)
    logs = tbwidget.load(URL)
    assert logs.scalars("b", "loss").step.tolist() == [0, 1]
    assert len(counted.calls) < 8
    assert counted.fetched_bytes < 1.5 * (tmp_path / "a" / NAME).stat().st_size + 8_000_000
    assert values(logs) == values(tbwidget.load(tmp_path))


def test_a_large_value_is_read_on_in_growing_pieces(counted: Counted) -> None:
    content = bytes(range(256)) * (80 << 12)
    fsspec.filesystem("memory").pipe_file(f"/{ROOT}/x.tsv", content)
    storage, path = storage_of(tbwidget.LogDir(URL)), f"{URL}/x.tsv"
    with closing(storage.open(path)) as file:
        pieces = [file.read_at(offset, 1 << 20) for offset in range(0, len(content), 1 << 20)]
        assert b"".join(pieces) == content
        assert len(counted.calls) == 9
        assert max(end - begin for ((_, begin, end),) in counted.calls) == 1 << 24
        counted.reset()
        assert file.read_at(5, 1000) == content[5:1005]
        assert counted.fetched_bytes == 1000, "behind a jump not more than was asked for"


def test_a_huge_graph_is_fetched_once(tmp_path: Path, counted: Counted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tbwidget.records.limits.HUGE_RECORD", 1 << 16)
    monkeypatch.setattr("tbwidget.records.limits.LOOKUP_FETCHED", 1 << 18)
    monkeypatch.setattr("tbwidget.records.files.remote_file._MAX_AHEAD", 1 << 16)
    graph = bytes(range(256)) * 8000
    write(tmp_path / NAME, record(Event(wall_time=1, graph_def=graph).SerializeToString()))
    upload(tmp_path, ROOT)
    logs = tbwidget.load(URL)
    counted.reset()
    attachment = logs.source.attachment(".", RUN_GRAPH)
    assert attachment is not None
    assert attachment.read() == graph
    assert len(graph) <= counted.fetched_bytes < 1.1 * len(graph)
    assert len(counted.calls) == 2


def test_no_more_of_small_files_is_held_at_once_than_a_batch(
    tmp_path: Path, counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    for run in range(30):
        write(tmp_path / f"run{run:02}" / NAME, event(1, 0, simple("loss", 0)))
        write(tmp_path / f"run{run:02}" / "hparams.yaml", b"lr: 0.1\n" + b"#" * 992)
    upload(tmp_path, ROOT)
    monkeypatch.setattr(RemoteStorage, "bytes_at_once", 10_000)
    logs = tbwidget.load(URL)
    of_yaml = [len(ranges) for ranges in counted.calls if "hparams.yaml" in ranges[0][0]]
    assert of_yaml == [10, 10, 10]
    assert values(logs) == values(tbwidget.load(tmp_path))
    assert len(logs.hparams()) == 30
    assert storage_of(logs)._fetched == {}
    counted.reset()
    assert not logs.refresh()
    assert counted.calls == []


def test_many_images_are_fetched_together(tmp_path: Path, counted: Counted) -> None:
    def image(step: int, size: int) -> bytes:
        value = Summary.Value(tag=b"im", image=Summary.Image(encoded_image_string=step.to_bytes(4, "big") * size))
        return event(1, step, simple("loss", step), value)

    write(tmp_path / NAME, *(image(step, 4000 if step % 3 else 20_000) for step in range(600)))
    upload(tmp_path, ROOT)
    logs = tbwidget.load(URL)
    counted.reset()
    found = [bytes(value.image.encoded_image_string[:4]) for value in logs.source.items(".", "im", "images").values()]
    assert found == [step.to_bytes(4, "big") for step in range(600)]
    assert len(counted.calls) <= 6
    counted.reset()
    assert logs.source.items(".", "im", "images").value(599).image.encoded_image_string[:4] == (599).to_bytes(4, "big")
    assert len(counted.calls) <= 2


def test_nothing_is_asked_of_a_directory_before_it_is_read(tmp_path: Path, counted: Counted) -> None:
    write_runs(tmp_path, 1)
    upload(tmp_path, ROOT)
    logs = tbwidget.LogDir(URL)
    assert not logs.exists
    roots_of([URL, "memory://other"])
    assert (counted.listings, counted.calls) == (0, [])
    assert logs.refresh()
    assert logs.exists
    assert counted.listings == 1


# What fails.


def test_urls_that_are_no_log_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_runs(tmp_path, 1)
    upload(tmp_path, ROOT)
    with pytest.raises(FileNotFoundError, match="no such log directory: memory://none"):
        tbwidget.load("memory://none")
    with pytest.raises(NotADirectoryError, match="is a file"):
        tbwidget.load(f"{URL}/run0/{NAME}")
    with pytest.raises(ValueError, match="no storage is known for nothing://"):
        tbwidget.load("nothing://bucket")
    with pytest.raises(FileNotFoundError, match="memory://none"):
        tbwidget.load({"a": URL, "b": "memory://none"})
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "fsspec", None)
        with pytest.raises(OSError, match=r"reading gs:// needs a package: pip install tbwidget\[remote\]"):
            tbwidget.load("gs://bucket/runs")


def failing(error: Exception) -> Any:
    def fail() -> None:
        raise error

    return fail


ERRORS = [
    (PermissionError("Forbidden"), "storage-forbidden"),
    (TimeoutError(), "storage-timeout"),
    (ConnectionResetError(104, "reset"), "storage-unreachable"),
    (RuntimeError("Internal. More of it"), "storage-failed"),
    (type("NoCredentialsError", (Exception,), {})("Unable to locate"), "storage-no-credentials"),
    (type("EndpointConnectionError", (Exception,), {})("http://key:pw@x"), "storage-unreachable"),
    (type("ReadTimeoutError", (Exception,), {})(""), "storage-timeout"),
]
OF_FILES = ("storage-forbidden", "storage-failed")
"""Codes of errors that concern only one file."""


@pytest.mark.parametrize(("error", "code"), ERRORS)
def test_a_failing_listing_is_one_sentence_and_read_data_stay(
    tmp_path: Path, counted: Counted, error: Exception, code: str
) -> None:
    write_runs(tmp_path, 3)
    upload(tmp_path, ROOT)
    logs = tbwidget.load(URL)
    before = values(logs)
    counted.on_listing = failing(error)
    assert logs.refresh()
    assert [(problem.path, problem.code) for problem in logs.problems] == [(".", code)]
    assert {**values(logs), ("problems", "", ""): []} == before
    assert not logs.refresh()
    with pytest.raises(OSError, match=URL):
        tbwidget.load(URL)
    waiting = tbwidget.LogDir(URL)
    waiting.refresh()
    assert [problem.code for problem in waiting.problems] == [code]
    counted.on_listing = lambda: None
    append(tmp_path / "run0" / NAME, event(1, 20, simple("loss", 20)))
    upload(tmp_path, ROOT)
    for each in (logs, waiting):
        assert each.refresh()
        assert values(each) == values(tbwidget.load(tmp_path))


@pytest.mark.parametrize(("error", "code"), [each for each in ERRORS if each[1] not in OF_FILES])
def test_answers_that_all_fail_are_one_sentence(tmp_path: Path, counted: Counted, error: Exception, code: str) -> None:
    write_runs(tmp_path, 10)
    write(tmp_path / "run1" / "hparams.yaml", b"lr: 0.1\n")
    upload(tmp_path, ROOT)
    logs = tbwidget.LogDir(URL)
    counted.on_answers = lambda answers: [error] * len(answers)
    logs.refresh()
    assert {problem.code for problem in logs.problems} == {code}
    assert len(logs.problems) <= 2
    assert URL in logs.problems[-1].message
    counted.on_answers = lambda answers: answers
    assert logs.refresh()
    assert values(logs) == values(tbwidget.load(tmp_path))
    before = values(logs)
    for run in range(10):
        append(tmp_path / f"run{run}" / NAME, event(1, 20, simple("loss", 20)))
    upload(tmp_path, ROOT)
    counted.on_answers = lambda answers: [error] * len(answers)
    assert logs.refresh()
    assert [(problem.path, problem.code) for problem in logs.problems] == [(".", code)]
    assert {**values(logs), ("problems", "", ""): []} == before
    counted.on_answers = lambda answers: answers
    logs.refresh()
    assert values(logs) == values(tbwidget.load(tmp_path))


@pytest.mark.parametrize(("error", "code"), [each for each in ERRORS if each[1] in OF_FILES])
def test_refused_files_do_not_keep_others_from_being_read(
    tmp_path: Path, counted: Counted, error: Exception, code: str
) -> None:
    write_runs(tmp_path, 20)
    for run in range(5):
        write(tmp_path / f"z{run}" / NAME, event(1, 0, simple("loss", 0)))
    upload(tmp_path, ROOT)

    def refuse(answers: list[Any]) -> list[Any]:
        keys = [key for key, _, _ in counted.calls[-1]]
        return [error if "/run" in key else answer for key, answer in zip(keys, answers, strict=True)]

    counted.on_answers = refuse
    logs = tbwidget.LogDir(URL)
    logs.refresh()
    assert [run for run in logs.runs if run in logs.tags().get("scalars", {})] == [f"z{run}" for run in range(5)]
    assert [problem.code for problem in logs.problems] == [code] * 20
    assert storage_of(logs).problem is None
    counted.on_answers = lambda answers: answers
    logs.refresh()
    assert values(logs) == values(tbwidget.load(tmp_path))


def test_a_refused_file_is_asked_for_ever_more_seldom(
    tmp_path: Path, counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    write_runs(tmp_path, 2)
    upload(tmp_path, ROOT)
    broken: list[Any] = [PermissionError("no"), None]
    counted.on_answers = lambda answers: [bad or good for bad, good in zip(broken, answers, strict=False)]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    logs = tbwidget.load(URL)
    asked = []
    for _ in range(1000):
        now[0] += 2
        counted.reset()
        list(logs.source.poll(everywhere=True))
        assert counted.listings == 1
        asked += [now[0]] * len(counted.calls)
    pauses = [round(after - before) for before, after in zip([1000.0, *asked], asked, strict=False)]
    assert pauses == [2, 4, 8, 16, 32, 64, 128, 256, 512, 600]
    assert [problem.code for problem in logs.problems] == ["storage-forbidden"]
    write(tmp_path / "run0" / NAME, *(event(1, step, simple("loss", step)) for step in range(30)))
    upload(tmp_path, ROOT)
    broken[:] = [None, None]
    now[0] += 2
    list(logs.source.poll(everywhere=True))
    assert values(logs) == values(tbwidget.load(tmp_path)), "another version is asked for at once"
    broken[:] = [PermissionError("no")]
    append(tmp_path / "run0" / NAME, event(1, 30, simple("loss", 30)))
    upload(tmp_path, ROOT)
    logs.refresh()
    assert logs.problems
    broken[:] = [None]
    logs.refresh()
    assert values(logs) == values(tbwidget.load(tmp_path)), "refresh() asks at once"


def test_one_file_that_fails_is_a_problem_of_its_own(tmp_path: Path, counted: Counted) -> None:
    write_runs(tmp_path, 5)
    upload(tmp_path, ROOT)
    logs = tbwidget.LogDir(URL)
    broken: list[Any] = [PermissionError("no"), None, None, None, None]
    counted.on_answers = lambda answers: [bad or good for bad, good in zip(broken, answers, strict=False)]
    logs.refresh()
    assert [(problem.path, problem.code) for problem in logs.problems] == [(f"run0/{NAME}", "storage-forbidden")]
    assert [len(logs.tags()["scalars"].get(run, [])) for run in logs.runs] == [0, 1, 1, 1, 1]
    broken[:] = [b"", *[None] * 4]
    counted.on_answers = lambda answers: [answers[0][:-5]]
    logs.refresh()
    assert [(problem.path, problem.code) for problem in logs.problems] == [(f"run0/{NAME}", "storage-truncated")]
    counted.on_answers = lambda _answers: [FileNotFoundError("gone")]
    logs.refresh()
    assert logs.problems == []
    counted.on_answers = lambda answers: answers
    logs.refresh()
    assert values(logs) == values(tbwidget.load(tmp_path))


def test_values_that_cannot_be_fetched_say_so(tmp_path: Path, counted: Counted) -> None:
    value = Summary.Value(tag=b"im", image=Summary.Image(encoded_image_string=b"x" * 100))
    write(tmp_path / NAME, *(event(1, step, value) for step in range(300)))
    upload(tmp_path, ROOT)
    logs = tbwidget.load(URL)
    counted.reset()
    counted.on_answers = lambda answers: [ConnectionResetError()] * len(answers)
    with pytest.raises(tbwidget.DamagedValueError, match="no connection to"):
        list(logs.source.items(".", "im", "images").values())
    assert len(counted.calls) == 1
    counted.on_answers = lambda answers: answers
    assert len(list(logs.source.items(".", "im", "images").values())) == 300


# Paces.


def test_polls_are_paced_by_their_cost_and_by_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    cost = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(filesystems, "cpu_time", lambda: cost[0])
    storage = RemoteStorage("memory://none", {})
    scanner = storage.scanner(storage.absolute("memory://none"), bool)
    find = filesystems.find

    def costly(connection: Any, root: str) -> Any:
        cost[0] += 0.07
        return find(connection, root)

    def next_poll(interval: float = 0.1) -> float:
        begin = now[0]
        while not storage.is_due(force=False, interval=interval):
            now[0] += 0.5
        scanner.walk()
        return now[0] - begin

    assert (next_poll(), storage.poll_interval) == (0, None)
    assert (next_poll(), storage.poll_interval) == (2, 2)
    assert next_poll(interval=20) == 20
    monkeypatch.setattr(filesystems, "find", costly)
    next_poll()
    assert (next_poll(), storage.poll_interval) == (8, 8)
    assert storage.is_due(force=True, interval=0)

    def broken(_connection: Any, _root: str) -> Any:
        raise ConnectionResetError

    monkeypatch.setattr(filesystems, "find", broken)
    next_poll()
    assert [next_poll() for _ in range(7)] == [2, 4, 8, 16, 32, 60, 60]
    monkeypatch.setattr(filesystems, "find", find)
    next_poll()
    assert next_poll() == 2


def test_the_first_poll_says_nothing_about_the_cost_of_later_ones(
    tmp_path: Path, counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    cost = [0.0]
    monkeypatch.setattr(filesystems, "cpu_time", lambda: cost[0])

    def costly(answers: list[Any]) -> list[Any]:
        cost[0] += 0.1
        return answers

    counted.on_answers = costly
    write_runs(tmp_path, 1)
    upload(tmp_path, ROOT)
    storage = storage_of(tbwidget.load(URL))
    assert not storage.is_due(force=False, interval=0)
    assert storage.poll_interval == 2
    with closing(storage.open(f"{URL}/run0/{NAME}")) as file:
        file.read_at(0, 10)
    assert not storage.is_due(force=False, interval=0)
    assert storage.poll_interval == 2


def test_a_file_that_cannot_be_fetched_is_no_problem_once_it_is_gone(tmp_path: Path, counted: Counted) -> None:
    write_runs(tmp_path, 5)
    upload(tmp_path, ROOT)
    logs = tbwidget.load(URL)
    for run in range(5):
        append(tmp_path / f"run{run}" / NAME, event(1, 20, simple("loss", 20)))
    upload(tmp_path, ROOT)
    gone = FileNotFoundError("gone")
    counted.on_answers = lambda answers: [TimeoutError()] * (len(answers) - 1) + [gone]
    logs.refresh()
    assert [problem.code for problem in logs.problems] == ["storage-timeout"], "one of them was deleted"
    assert storage_of(logs).is_failing
    shutil.rmtree(tmp_path / "run4")
    upload(tmp_path, ROOT)
    logs.refresh()
    assert [problem.code for problem in logs.problems] == ["storage-timeout"]
    shutil.rmtree(tmp_path)
    write(tmp_path / "new" / "other", b"")
    upload(tmp_path, ROOT)
    logs.refresh()
    assert (logs.runs, logs.problems) == ([], [])
    assert not storage_of(logs).is_due(force=False, interval=0)
    assert storage_of(logs).poll_interval == 2


def test_a_storage_may_fail_for_days(tmp_path: Path, counted: Counted, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    write_runs(tmp_path, 1)
    upload(tmp_path, ROOT)
    logs = tbwidget.LogDir(URL)
    counted.on_listing = failing(ConnectionResetError())
    for _ in range(1100):
        logs.refresh()
    now[0] += 59
    assert not storage_of(logs).is_due(force=False, interval=0)
    now[0] += 2
    counted.on_listing = lambda: None
    list(logs.source.poll(everywhere=True))
    assert values(logs) == values(tbwidget.load(tmp_path))


def test_a_file_that_times_out_delays_no_other(
    tmp_path: Path, counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    write_runs(tmp_path, 40)
    upload(tmp_path, ROOT)
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    hangs = "/run23/"

    def answered(answers: list[Any]) -> list[Any]:
        keys = [key for key, _, _ in counted.calls[-1]]
        return [TimeoutError() if hangs in key else answer for key, answer in zip(keys, answers, strict=True)]

    counted.on_answers = answered
    logs = tbwidget.load(URL)
    assert len(logs.tags()["scalars"]) == 39
    problem = f"run23/{NAME}", "storage-timeout"
    asked, expected = [], [2, 6, 14, 30, 62, 122, 182]
    for step in range(20, 120):
        append(tmp_path / "run0" / NAME, event(1, step, simple("loss", step)))
        upload(tmp_path, ROOT)
        now[0] += 2
        counted.reset()
        list(logs.source.poll(everywhere=True))
        asked += [now[0] - 1000] * any(hangs in key for ranges in counted.calls for key, _, _ in ranges)
        assert len(logs.scalars("run0", "loss")) == step + 1, "it is polled as often as before"
        assert [(problem.path, problem.code) for problem in logs.problems] == [problem]
    assert asked == expected
    assert storage_of(logs).problem is None
    hangs = "nothing"
    now[0] += 60
    list(logs.source.poll(everywhere=True))
    assert values(logs) == values(tbwidget.load(tmp_path))


def test_a_large_file_that_hangs_alone_does_not_end_the_poll(
    tmp_path: Path, counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_runs(tmp_path, 3, 100)
    upload(tmp_path, ROOT)
    monkeypatch.setattr(RemoteStorage, "bytes_at_once", (tmp_path / "run0" / NAME).stat().st_size)
    hanging = ["/run0/"]

    def answered(answers: list[Any]) -> list[Any]:
        ((key, _, _),) = counted.calls[-1]
        return [TimeoutError()] if any(name in key for name in hanging) else answers

    counted.on_answers = answered
    logs = tbwidget.load(URL)
    assert list(logs.tags()["scalars"]) == ["run1", "run2"]
    assert [(problem.path, problem.code) for problem in logs.problems] == [(f"run0/{NAME}", "storage-timeout")]
    hanging.append("/run1/")
    again = tbwidget.LogDir(URL)
    counted.reset()
    again.refresh()
    assert next((problem.path, problem.code) for problem in again.problems) == (".", "storage-timeout"), "two in a row"
    assert len(counted.calls) == 2
    hanging.clear()
    for each in (logs, again):
        each.refresh()
        assert values(each) == values(tbwidget.load(tmp_path))


def test_a_storage_that_is_not_due_is_not_polled(tmp_path: Path, counted: Counted) -> None:
    """A local directory in the same board is polled as usual."""
    write_runs(tmp_path, 2)
    upload(tmp_path, ROOT)
    logs = tbwidget.load({"here": tmp_path, "there": URL})
    append(tmp_path / "run0" / NAME, event(1, 20, simple("loss", 20)))
    upload(tmp_path, ROOT)
    counted.reset()
    list(logs.source.poll(everywhere=True))
    list(logs.source.poll(everywhere=False))
    assert (counted.listings, counted.calls) == (0, [])
    assert [len(logs.scalars(run, "loss")) for run in ("here/run0", "there/run0")] == [21, 20]
    logs.refresh()
    assert len(logs.scalars("there/run0", "loss")) == 21


def test_a_follower_finds_appended_data(tmp_path: Path) -> None:
    write_runs(tmp_path, 1)
    upload(tmp_path, ROOT)
    with tbwidget.load(URL) as logs:
        logs.follow()
        append(tmp_path / "run0" / NAME, event(1, 20, simple("loss", 20)))
        upload(tmp_path, ROOT)
        end = time.monotonic() + 60
        while len(logs.scalars("run0", "loss")) < 21:
            assert time.monotonic() < end
            time.sleep(0.05)
        assert logs.source.poll_interval is not None
        assert logs.source.poll_interval >= 2


def test_close_does_not_wait_for_a_request(tmp_path: Path, counted: Counted) -> None:
    write_runs(tmp_path, 1)
    upload(tmp_path, ROOT)
    asked, answered = threading.Event(), threading.Event()

    def wait() -> None:
        asked.set()
        answered.wait(60)

    logs = tbwidget.load(URL)
    counted.on_listing = wait
    logs.follow()
    assert asked.wait(30)
    follower: Any = logs.source._follower
    begin = time.monotonic()
    logs.close()
    assert time.monotonic() - begin < 3
    answered.set()
    follower._thread.join(30)
    assert not follower._thread.is_alive()


# Credentials.


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("s3://bucket/runs/", "s3://bucket/runs"),
        ("s3://AKID:se/cret@bucket/runs", "s3://bucket/runs"),
        ("sftp://me:pa%2Fss@host:22/home/me", "sftp://host:22/home/me"),
        ("sftp://me:pa/ss@host/home", "sftp://host/home"),
        ("sftp://me:pa?ss@host/x", "sftp://host/x"),
        ("ssh://user:12/34@host/runs", "ssh://host/runs"),
        ("ssh://user:12/3?4@host/runs", "ssh://host/runs"),
        ("https://me:pa?ss@host/x?sig=a@b", "https://host/x"),
        ("https://host:8080/x?user=a@b&sig=abc", "https://host:8080/x"),
        ("sftp://host/a@b/c", "sftp://host/a@b/c"),
        ("simplecache::https://u:secretpw@h/x", "simplecache::https://h/x"),
        ("https://host/logs.zip?sig=abc&x=y", "https://host/logs.zip"),
        ("zip://runs::https://u:p@host/logs.zip?sig=abc", "zip://runs::https://host/logs.zip"),
        ("abfs://container@account.dfs.core.windows.net/runs", "abfs://container@account.dfs.core.windows.net/runs"),
        (
            "abfs://container:key@account.dfs.core.windows.net/runs",
            "abfs://container@account.dfs.core.windows.net/runs",
        ),
        ("hf://datasets/me/logs@main/runs", "hf://datasets/me/logs@main/runs"),
        ("memory://", "memory://"),
    ],
)
def test_the_displayed_form_of_a_url(url: str, shown: str) -> None:
    assert shown_url(url) == shown
    assert shown_url(shown) == shown


@pytest.mark.parametrize(
    "url",
    [
        "sftp://me:pa?hunter@host/x",
        "sftp://me:hunter/x@host/x",
        "sftp://me:a::hunter@host/x",
        "simplecache::https://u:hunter@h/x",
        "zip://runs::sftp://me:pa?hunter@host/x.zip",
    ],
)
def test_urls_whose_credentials_no_storage_would_find_are_refused(url: str) -> None:
    with pytest.raises(ValueError, match="URL") as raised:
        tbwidget.load(url)
    assert "hunter" not in str(raised.value)


def test_credentials_are_nowhere(counted: Counted, monkeypatch: pytest.MonkeyPatch) -> None:
    options = {"password": "pa55word", "client_kwargs": {"token": ["tok-en"]}, "port": 22345}
    url = "memory://someone:s3cret@logs?sig=signature"
    spoken = f"{options} {url} {'s3cret'}! signature=signature pa55word"
    counted.on_listing = failing(RuntimeError(spoken.replace(".", "")))
    monkeypatch.setattr(filesystems, "connect", lambda *_: None)
    logs = tbwidget.LogDir(url, storage_options=options)
    logs.refresh()
    held = acquire(url, options)
    with pytest.raises(OSError, match="memory://logs") as raised:
        tbwidget.load(url, storage_options=options)
    said = [repr(logs), str(logs.path), logs.source.title, *map(repr, logs.problems), repr(short_name(url))]
    said += [repr(logs.problems[0].arguments), repr(_opened), repr(storage_of(logs)), str(raised.value)]
    said += [repr(short_name({"a": url})), repr(logs.source.roots)]
    release(held)
    for secret in ("pa55word", "tok-en", "22345", "s3cret", "signature", "someone"):
        assert not [text for text in said if secret in text]
    assert "memory://logs cannot be read" in logs.problems[0].message
    assert raised.value.__cause__ is None


def test_options_decide_whether_a_reader_is_shared() -> None:
    first = acquire(URL, {"token": "a"})
    try:
        for url, options, same in ((URL, {"token": "a"}, True), (URL, {"token": "b"}, False), (URL, None, False)):
            other = acquire(url, options)
            assert (other is first) == same
            release(other)
    finally:
        release(first)


def test_connections() -> None:
    assert connection_of("s3://a/b") == connection_of("s3://c")
    assert connection_of("sftp://a@h/b") == connection_of("sftp://a@h/c") != connection_of("sftp://b@h/b")
    assert connection_of("zip://::s3://b/x.zip") != connection_of("zip://::s3://b/y.zip")
    one, other = roots_of(["memory://a/x", "memory://b/y"])
    assert one.storage is other.storage
    assert secrets_of("s3://b", {"anon": True, "n": None}) == []


def test_a_refusal_is_short() -> None:
    assert len(refusal(RuntimeError("x" * 10_000), URL, [])) < 300
    missing = ImportError("Install s3fs to access S3")
    assert refusal(missing, "s3://b", []) == "reading s3:// needs a package: pip install s3fs"


# Places.


def test_archives_are_read_once(tmp_path: Path, counted: Counted) -> None:
    write_runs(tmp_path / "logs", 3)
    archive = tmp_path / "x.zip"

    def pack() -> None:
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
            for path in sorted((tmp_path / "logs").rglob("*")):
                file.write(path, path.relative_to(tmp_path).as_posix())
        fsspec.filesystem("memory").pipe_file("/x.zip", archive.read_bytes())

    pack()
    for logs in (tbwidget.load(f"zip://logs::{archive}"), tbwidget.load("zip://logs::memory://x.zip")):
        assert values(logs) == values(tbwidget.load(tmp_path / "logs"))
        counted.reset()
        storage_of(logs)._last_request = -1000.0
        list(logs.source.poll(everywhere=True))
        assert (counted.listings, logs.source.poll_interval) == (0, None)
    assert tbwidget.load("zip://::memory://x.zip").runs == ["logs/run0", "logs/run1", "logs/run2"]
    append(tmp_path / "logs" / "run0" / NAME, event(1, 20, simple("loss", 20)))
    pack()
    again = tbwidget.load("zip://logs::memory://x.zip")
    append(tmp_path / "logs" / "run0" / NAME, event(1, 21, simple("loss", 21)))
    pack()
    assert again.refresh()
    assert values(again) == values(tbwidget.load(tmp_path / "logs"))


def test_a_file_url_is_a_directory_of_this_machine(tmp_path: Path) -> None:
    write_runs(tmp_path / "a b", 1)
    logs = tbwidget.load((tmp_path / "a b").as_uri())
    assert logs.path == tmp_path / "a b"
    assert short_name((tmp_path / "a b").as_uri()) == "a b"
    assert logs.runs == ["run0"]


def test_no_path_leads_out(tmp_path: Path) -> None:
    config = 'embeddings {{ tensor_name: "{0}" tensor_path: "{0}" }}\n'
    paths = ["v.tsv", "../v.tsv", f"{URL}/v.tsv", "../../secret", "/etc/passwd", "memory://secret", f"{URL}/../secret"]
    write(tmp_path / "run" / "projector_config.pbtxt", "".join(map(config.format, paths)).encode())
    (tmp_path / "run" / "v.tsv").write_text("1\t2\n")
    (tmp_path / "v.tsv").write_text("3\t4\n")
    upload(tmp_path, ROOT)
    fsspec.filesystem("memory").pipe_file("/secret", b"5\t6\n")
    inside, above, in_full, *outside = tbwidget.load(URL).embeddings("run")
    assert [each.vectors.tolist() for each in (inside, above, in_full)] == [[[1, 2]], [[3, 4]], [[3, 4]]]
    for each in outside:
        with pytest.raises(tbwidget.EmbeddingError):
            _ = each.vectors


def test_files_that_a_configuration_names_are_read_again_when_they_change(tmp_path: Path) -> None:
    memory = fsspec.filesystem("memory")
    config = (
        'embeddings { tensor_name: "a" tensor_path: "a.tsv" }\nembeddings { tensor_name: "b" tensor_path: "b.tsv" }'
    )
    write(tmp_path / "run" / "projector_config.pbtxt", config.encode())
    (tmp_path / "run" / "b.tsv").write_text("1\t2\n")
    upload(tmp_path, ROOT)
    logs = tbwidget.load(URL)
    late, known = logs.embeddings("run")
    with pytest.raises(tbwidget.EmbeddingError):
        _ = late.vectors
    assert known.vectors.tolist() == [[1, 2]]
    assert len(logs.problems) == 1
    before = known.revisions
    logs.refresh()
    assert known.revisions == before, "it was read in this version"
    failed = late.revisions
    memory.pipe_file(f"/{ROOT}/run/a.tsv", b"3\t4\n")
    assert logs.refresh()
    assert logs.problems == []
    assert late.revisions != failed
    assert late.vectors.tolist() == [[3, 4]]
    assert known.revisions == before
    memory.pipe_file(f"/{ROOT}/run/b.tsv", b"5\t6\n7\t8\n")
    assert logs.refresh()
    assert known.revisions[0] != before[0]
    assert known.vectors.tolist() == [[5, 6], [7, 8]]
    assert not logs.refresh()
    memory.rm(f"/{ROOT}/run/b.tsv")
    assert logs.refresh()
    with pytest.raises(tbwidget.EmbeddingError):
        _ = known.vectors


def test_objects_that_represent_directories_are_not_files(tmp_path: Path) -> None:
    write_runs(tmp_path, 1)
    upload(tmp_path, ROOT)
    memory = fsspec.filesystem("memory")
    memory.pipe_file(f"/{ROOT}/tfevents-empty", b"")
    connection = filesystems.connect(URL, {})
    assert not filesystems._is_name("bucket/prefix/tfevents/")
    assert {entry.key for entry in filesystems.find(connection, f"/{ROOT}").entries} == set(memory.find(f"/{ROOT}"))


@pytest.mark.parametrize("is_async", [False, True])
def test_directories_without_an_end(*, is_async: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    def entries(path: str, count: int) -> list[dict[str, Any]]:
        return [{"name": f"{path}/{number}", "type": "directory", "size": 0} for number in range(count)]

    class Endless:
        async_impl = is_async
        loop = get_loop()

        def __init__(self, count: int) -> None:
            self.count, self.listings = count, 0

        def ls(self, path: str, *, detail: bool) -> list[dict[str, Any]]:
            assert detail
            self.listings += 1
            assert self.listings < 1000, "it does not end"
            return entries(path, self.count)

        async def _ls(self, path: str, *, detail: bool) -> list[dict[str, Any]]:
            return self.ls(path, detail=detail)

    def walk(filesystem: Endless) -> list[Reason]:
        reasons: list[Reason] = []
        connection = filesystems.Connection(filesystem, "made", False, True, filesystems.Traffic())  # noqa: FBT003
        filesystems._walk(connection, "/r", reasons)
        return reasons

    monkeypatch.setattr("tbwidget.records.limits.MAX_ENTRIES", 100)
    deep, wide = Endless(1), Endless(2)
    assert walk(deep) == [Reason("too-deep", most=64)]
    assert deep.listings == 65
    assert walk(wide) == [Reason("too-many-entries", most=100)]
    assert wide.listings < 130


def test_a_walk_that_was_cut_short_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_runs(tmp_path, 3)
    upload(tmp_path, ROOT)
    monkeypatch.setattr("tbwidget.records.limits.MAX_DEPTH", 0)
    logs = tbwidget.LogDir(URL)
    logs.refresh()
    assert [problem.code for problem in logs.problems] == ["too-deep"]


def test_a_web_directory_has_no_query() -> None:
    with pytest.raises(ValueError, match="no query") as raised:
        tbwidget.load("http://127.0.0.1:9/runs?token=abc")
    assert "abc" not in str(raised.value)


def test_a_web_server_without_ranges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("aiohttp")
    pytest.importorskip("requests")
    monkeypatch.setattr("tbwidget.records.limits.WINDOW", 4096)
    monkeypatch.setattr(remote, "NEAR", 0)
    folder = tmp_path / "logs"
    path = write(folder / "run" / NAME, *(event(1, step, simple("loss", step)) for step in range(1000)))
    write(folder / "run" / "projector_config.pbtxt", b'embeddings { tensor_name: "v" tensor_path: "v.tsv" }')
    (folder / "run" / "v.tsv").write_text("1\t2\n" * 10_000)
    handler = partial(SimpleHTTPRequestHandler, directory=tmp_path)
    monkeypatch.setattr(SimpleHTTPRequestHandler, "log_message", lambda *_: None)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            logs = tbwidget.load(f"http://127.0.0.1:{server.server_port}/logs")
            assert values(logs) == values(tbwidget.load(folder))
            assert logs.embeddings("run")[0].vectors.shape == (10_000, 2)
            append(path, event(2, 1000, simple("loss", 1000)))
            assert logs.refresh()
            assert not logs.problems
            assert values(logs) == values(tbwidget.load(folder))
        finally:
            server.shutdown()
            thread.join(60)


# Processes.


def test_copies_make_their_own_connections(tmp_path: Path) -> None:
    write_runs(tmp_path, 1)
    upload(tmp_path, ROOT)
    logs = tbwidget.load(URL)
    made = storage_of(logs)
    for other in (pickle.loads(pickle.dumps(made)), copy.copy(made)):  # noqa: S301 (its own)
        assert other._connection is None
        assert other.key == made.key
        assert other.open(f"{URL}/run0/{NAME}").read_at(0, 8) == (tmp_path / "run0" / NAME).read_bytes()[:8]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_reads_on() -> None:
    program = """
import os, sys, fsspec, tbwidget
from pathlib import Path
from tests.support.eventfiles import NAME, event, simple
memory = fsspec.filesystem("memory")
memory.pipe_file(f"/logs/run/{NAME}", event(1, 0, simple("loss", 0)))
logs = tbwidget.load("memory://logs")
storage = logs.source.roots[0].storage
before = storage._connection
storage._connecting.acquire()  # as another thread of the parent may hold it
child = os.fork()
if child == 0:
    memory.pipe_file(f"/logs/run/{NAME}", event(1, 0, simple("loss", 0)) + event(1, 1, simple("loss", 1)))
    logs.refresh()
    read = len(logs.scalars("run", "loss")) == 2 and storage._connection is not before
    os._exit(0 if read else 1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    folder = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, timeout=120, check=False)
    assert done.returncode == 0


def test_fsspec_is_imported_when_a_url_asks(tmp_path: Path) -> None:
    program = f"import sys, tbwidget\ntbwidget.load({str(tmp_path)!r})\nassert 'fsspec' not in sys.modules"
    subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parents[2], timeout=120, check=True)


def test_a_cell_that_names_a_url_does_not_import_fsspec() -> None:
    program = "import sys\nfrom tbwidget.logs.roots import roots_of\nroots_of(['s3://b/runs', 'SFTP://h/runs'])\n"
    program += "assert 'fsspec' not in sys.modules"
    subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parents[2], timeout=120, check=True)


# Pieces.


def test_pieces() -> None:
    assert joined([(10, 20), (0, 5), (100, 110)], 5) == [(0, 20), (100, 110)]
    fetched = Fetched()
    fetched.add(0, bytes(range(100)))
    assert fetched.find(90, 10) == bytes(range(90, 100))
    assert fetched.find(90, 11) is None
    assert [fetched.ahead(100) for _ in range(6)] == [1 << power for power in (21, 22, 23, 24, 24, 24)]
    assert fetched.ahead(1 << 30) == 1 << 20


def test_old_pieces_are_dropped_until_one_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tbwidget.records.files.remote_file._MAX_KEPT", 1000)
    fetched = Fetched()
    for begin in range(0, 2000, 100):
        fetched.add(begin, bytes(100))
    assert fetched.find(0, 10) is None
    assert fetched.find(1900, 100) is not None
    fetched.add(0, bytes(100))
    for begin in range(2000, 4000, 100):
        fetched.add(begin, bytes(100))
    assert fetched.find(0, 10) is not None


def test_a_reader_begins_with_everything(tmp_path: Path) -> None:
    """This also applies to a reader that is recreated while its storage is not due, as in a forked child."""
    write_runs(tmp_path, 1)
    upload(tmp_path, ROOT)
    logs = tbwidget.load(URL)
    reader = Reader(logs.source.roots)
    list(reader.poll())
    assert reader.runs.keys() == {"run0"}
    assert reader.runs["run0"].files[f"run0/{NAME}"].records.offset > 0
