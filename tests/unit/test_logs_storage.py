"""Remote files: the reader fetches data before it takes its lock, and many files at once."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tbwidget
from tbwidget import extension
from tbwidget.dashboard.inputs import short_name
from tbwidget.logs.engine.eventfile import EventFile
from tbwidget.logs.logdir import acquire, release
from tbwidget.logs.roots import roots_of, title
from tbwidget.proto.summary_pb2 import Summary
from tbwidget.records.columnar.layouts import LayoutTable
from tbwidget.records.files import remote
from tbwidget.records.files.remote import storage_of
from tbwidget.records.files.storage import LOCAL
from tbwidget.records.values.summary import TagTable
from tbwidget.wire.redaction import Redaction, places_of, wire_title
from tests.support.corpus import CORPUS
from tests.support.eventfiles import NAME, event, record, simple, write
from tests.support.far import URL, FarStorage
from tests.unit.test_records_storage import values

NAMES = sorted(path.name for path in CORPUS.iterdir() if (path / "logs").is_dir())


@pytest.fixture
def storage(monkeypatch: pytest.MonkeyPatch) -> FarStorage:
    """Register a storage for URLs with the scheme "far"."""
    made = FarStorage()
    monkeypatch.setitem(remote.REMOTE, "far", lambda _scheme, _options: made)
    return made


@pytest.fixture
def no_local_files(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make every call fail that asks this machine about a path in the far storage."""

    def refusing(call: Any) -> Any:
        def refuse(path: Any, *arguments: Any, **options: Any) -> Any:
            assert "far:" not in os.fsdecode(path) if isinstance(path, str | bytes | os.PathLike) else True
            return call(path, *arguments, **options)

        return refuse

    with monkeypatch.context() as patch:
        for name in ("scandir", "stat", "lstat", "open", "listdir", "readlink"):
            patch.setattr(os, name, refusing(getattr(os, name)))
        for name in ("realpath", "abspath", "isdir", "isfile", "exists"):
            patch.setattr(os.path, name, refusing(getattr(os.path, name)))
        yield


@pytest.mark.usefixtures("no_local_files")
@pytest.mark.parametrize("name", NAMES)
def test_the_corpus_is_read_as_from_the_disk(name: str, storage: FarStorage) -> None:
    storage.copy(CORPUS / name / "logs")
    logs = tbwidget.load(URL)
    assert storage.single == 0
    assert not storage.pieces
    assert logs.exists
    assert (logs.source.title, repr(logs).partition(",")[0]) == (URL, f"LogDir({URL!r}")
    assert not logs.refresh()
    assert values(logs) == values(tbwidget.load(CORPUS / name / "logs"))


def test_files_are_fetched_together(tmp_path: Path, storage: FarStorage) -> None:
    for run in range(100):
        write(tmp_path / f"{run}" / NAME, *(event(1, step, simple("loss", step)) for step in range(20)))
    storage.copy(tmp_path)
    storage.files_at_once = 50
    logs = tbwidget.LogDir(URL)
    logs.refresh()
    assert [len(ranges) for ranges in storage.requests] == [16, 50, 34]
    logs.refresh()
    assert len(storage.requests) == 3
    for run in range(30, 40):
        with (tmp_path / f"{run}" / NAME).open("ab") as file:
            file.write(event(1, 20, simple("loss", 20)))
    storage.copy(tmp_path)
    list(logs.source.poll(everywhere=True))
    assert [len(ranges) for ranges in storage.requests[3:]] == [10]
    assert (storage.single, storage.walks) == (0, 3)
    assert values(logs) == values(tbwidget.load(tmp_path))


def test_bytes_that_a_refresh_fetches(tmp_path: Path, storage: FarStorage) -> None:
    """An unchanged file is not fetched, a growing one from its last record on, and another one as a whole."""
    path = tmp_path / "run" / NAME
    whole = [event(1, step, simple("loss", step)) for step in range(1000)]
    write(path, *whole[:900])
    write(tmp_path / "run" / "projector_config.pbtxt", b'embeddings { tensor_name: "e" tensor_path: "v" }')
    write(tmp_path / "run" / "v", b"1\t2")
    storage.copy(tmp_path)
    logs = tbwidget.load(URL)
    for _ in range(3):
        assert not logs.refresh()
    before = len(storage.requests)
    for end in (950, 1000):
        write(path, *whole[:end])
        storage.copy(tmp_path)
        assert logs.refresh()
        assert not logs.refresh()
    assert storage.fetched_bytes(before) == sum(map(len, whole[900:])) + sum(len(whole[end]) for end in (899, 949))
    assert values(logs) == values(tbwidget.load(tmp_path))
    before = len(storage.requests)
    write(path, *whole[:500], event(1, 500, simple("loss", 7.0)), *whole[501:])
    storage.copy(tmp_path)
    list(logs.source.poll(everywhere=True))
    assert storage.fetched_bytes(before) == len(whole[-1]), "its end tells that it may have been written again"
    assert logs.refresh()
    assert storage.fetched_bytes(before) > path.stat().st_size
    assert logs.scalars("run", "loss").value[500] == 7
    before = len(storage.requests)
    assert not logs.refresh()
    assert len(storage.requests) == before
    assert storage.single == 1, "the vectors, which were asked for"
    assert values(logs) == values(tbwidget.load(tmp_path))


def test_files_that_appear_and_disappear(tmp_path: Path, storage: FarStorage) -> None:
    with pytest.raises(FileNotFoundError, match=f"no such log directory: {URL}"):
        tbwidget.load(URL)
    logs = tbwidget.LogDir(URL)
    assert not logs.exists
    logs.refresh()
    for run in ("a", "b/c", "."):
        write(tmp_path / run / NAME, event(1, 0, simple("loss", 0)))
    storage.copy(tmp_path)
    assert logs.refresh()
    assert logs.runs == [".", "a", "b/c"]
    (tmp_path / "a" / NAME).unlink()
    storage.copy(tmp_path)
    assert logs.refresh()
    assert logs.runs == [".", "b/c"]


def test_a_place_here_beside_one_far_away(tmp_path: Path, storage: FarStorage) -> None:
    write(tmp_path / "one" / NAME, event(1, 0, simple("loss", 0)))
    storage.copy(tmp_path)
    given: dict[str, str | Path] = {"here": tmp_path, "there": URL, "missing": "far://none"}
    assert title(roots_of(given)) == f"{{here: {tmp_path}, there: {URL}, missing: far://none}}"
    logs = acquire(given)
    try:
        assert acquire({**given, "there": f"{URL}/x/../"}) is logs, "whoever names the same place shares its reader"
        release(logs)
        logs.refresh()
        assert logs.runs == ["here/one", "there/one"]
        assert [(problem.path, problem.code) for problem in logs.problems] == [("missing", "missing-directory")]
        assert values(logs).keys() >= {("scalars", "here/one", "loss"), ("scalars", "there/one", "loss")}
    finally:
        release(logs)
    assert [root.name for root in roots_of([URL, "far://other/logs"])] == ["logs", "other/logs"]


def test_a_class_and_its_scheme_make_a_storage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(remote.REMOTE, "far", FarStorage)
    write(tmp_path / "one" / NAME, event(1, 0, simple("loss", 0)))
    logs = tbwidget.load({"there": URL, "here": tmp_path, "sub": f"{URL}/one"}, storage_options={"copy_of": tmp_path})
    assert logs.runs == ["here/one", "sub", "there/one"]
    there, _here, below = (root.storage for root in logs.source.roots)
    assert isinstance(there, FarStorage)
    assert there is below
    assert (there.scheme, there.options) == ("far", {"copy_of": tmp_path})
    with pytest.raises(FileNotFoundError):
        tbwidget.load(URL)
    with tbwidget.LogDir(URL, storage_options={"copy_of": tmp_path}) as later:
        assert later.refresh()


def test_options_for_no_storage(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="storage_options are for URLs"):
        tbwidget.load(tmp_path, storage_options={"anon": True})
    with pytest.raises(TypeError, match="must be a dict, not str"):
        tbwidget.load(tmp_path, storage_options="anon")  # type: ignore[arg-type]
    assert tbwidget.load(tmp_path, storage_options={}).runs == []


def test_no_path_leads_out(tmp_path: Path, storage: FarStorage) -> None:
    config = 'embeddings {{ tensor_name: "{0}" tensor_path: "{0}" }}\n'
    paths = ["v.tsv", "../v.tsv", "../../secret", "/etc/passwd", "far://secret/v.tsv"]
    write(tmp_path / "run" / "projector_config.pbtxt", "".join(map(config.format, paths)).encode())
    (tmp_path / "run" / "v.tsv").write_text("1\t2\n")
    (tmp_path / "v.tsv").write_text("3\t4\n")
    storage.copy(tmp_path)
    storage.put("far://secret/v.tsv", b"5\t6\n", 0)
    storage.put("far://secret", b"5\t6\n", 0)
    logs = tbwidget.load(URL)
    inside, above, *outside = logs.embeddings("run")
    assert (inside.vectors.tolist(), above.vectors.tolist()) == ([[1, 2]], [[3, 4]])
    for each in outside:
        with pytest.raises(tbwidget.EmbeddingError):
            _ = each.vectors


@pytest.mark.usefixtures("storage", "no_local_files")
def test_a_url_stays_as_it_is_written() -> None:
    one, other = "far://bucket/runs//a", "far://bucket/b..c"
    logs = tbwidget.LogDir(one)
    assert (logs.path, logs.paths, logs.source.title) == (one, {"": one}, one)
    assert (short_name(one), short_name(logs)) == (one, one)
    several = tbwidget.LogDir(one, other)
    assert (several.path, several.source.title) == ("far://bucket", "far://bucket/{a: runs/a, b..c}")
    assert several.paths == short_name(several) == {"a": one, "b..c": other}
    assert title(roots_of(["far://one", "far://two"])) == "far://{one, two}"
    assert extension.parse(f"--logdir_spec x:{one},{other}") == ({"x": one, "b..c": other}, [], {})
    assert extension.parse(f"--logdir {one},{other}") == ([one, other], [], {})


@pytest.mark.usefixtures("storage", "no_local_files")
def test_a_url_is_left_out_of_saved_data() -> None:
    redaction = Redaction(places_of(tbwidget.LogDir("far://secret/team/runs")))
    assert redaction.text("far://secret/team/runs: far://secret/team/runs/a is gone") == "runs: runs/a is gone"
    assert redaction.text("far://secret/team/runs-2") == "far://secret/team/runs-2"
    several = tbwidget.LogDir({"new": "far://secret/new", "old": "far://secret"})
    redaction = Redaction(places_of(several))
    assert redaction.text("far://secret/new/a, far://secret/b, far://secret") == "new/a, old/b, old"
    assert redaction.text(wire_title(several)) == "{new, old}"


def test_urls_that_lead_nowhere(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no storage is known for hf\+x://"):
        storage_of("hf+x://a")
    assert storage_of("C://runs") == (LOCAL, "C://runs")
    assert storage_of(tmp_path.as_uri()) == (LOCAL, str(tmp_path))


def test_a_large_record_is_not_fetched_whole(tmp_path: Path, storage: FarStorage) -> None:
    picture = Summary.Value(tag=b"im", image=Summary.Image(encoded_image_string=bytes(30_000_000)))
    write(tmp_path / NAME, event(1, 0, simple("loss", 0)), event(1, 0, picture), event(1, 1, simple("loss", 1)))
    storage.copy(tmp_path)
    logs = tbwidget.load(URL)
    assert logs.scalars(".", "loss").step.tolist() == [0, 1]
    assert storage.fetched_bytes() < 10_000_000
    assert values(logs) == values(tbwidget.load(tmp_path))
    assert storage.single > 0  # its bytes are fetched on request


def test_damage_is_passed_over(tmp_path: Path, storage: FarStorage) -> None:
    good = [event(1, step, simple("loss", step)) for step in range(9)]
    write(tmp_path / NAME, *good[:3], b"garbage" * 9000, *good[3:6], record(b"x" * 300_000)[:-9], *good[6:])
    storage.copy(tmp_path)
    logs = tbwidget.load(URL)
    with (tmp_path / NAME).open("ab") as file:
        file.write(event(1, 9, simple("loss", 9)))
    storage.copy(tmp_path)
    logs.refresh()
    assert storage.single == 0
    assert values(logs) == values(tbwidget.load(tmp_path))
    assert len(logs.scalars(".", "loss")) == 10


def test_a_file_that_cannot_be_fetched_is_a_problem_and_not_requested_repeatedly(
    tmp_path: Path, storage: FarStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "a" / NAME, event(1, 0, simple("loss", 0)))
    write(tmp_path / "b" / NAME, event(1, 0, simple("loss", 0)))
    storage.copy(tmp_path)
    fetch = FarStorage.prefetch
    monkeypatch.setattr(
        FarStorage, "prefetch", lambda self, ranges: fetch(self, [each for each in ranges if "/b/" in each.path])
    )
    logs = tbwidget.load(URL)
    assert [(problem.path, problem.message) for problem in logs.problems] == [
        (f"a/{NAME}", "bytes 0 to 40 were not fetched")
    ]
    assert logs.tags() == {"scalars": {"b": ["loss"]}}


def test_bytes_that_another_poll_requested_are_no_problem(tmp_path: Path, storage: FarStorage) -> None:
    write(tmp_path / NAME, event(1, 1, simple("loss", 1)))
    storage.copy(tmp_path)
    storage.scanner(URL, bool).walk()
    file = EventFile(storage, f"{URL}/{NAME}", NAME, LayoutTable(TagTable()))
    for _look in range(2):
        assert file.read()
        assert file.unfetched is not None
        assert file.problems() == []
    assert not file.read(fetched=file.unfetched), "fetching them did not help"
    assert len(file.problems()) == 1
