"""The cache of columns of log directories on remote storage: unchanged files are not requested again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import fsspec
import pytest

import tbwidget
from tbwidget.logs.engine import cache
from tests.support.cached import cold, contents, keep, settle
from tests.support.changing import append, changes, write_runs
from tests.support.corpus import CORPUS
from tests.support.eventfiles import NAME, event, simple
from tests.support.stores import Counted, upload

ROOT = "logs"
URL = f"memory://{ROOT}"


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Cache in a directory of the test, even small and new files."""
    monkeypatch.setenv("TBWIDGET_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "MIN_READ_S", 0)
    monkeypatch.setattr(cache, "_IDLE_S", 0)
    memory = fsspec.filesystem("memory")
    memory.store.clear()
    yield tmp_path / "cache"
    memory.store.clear()


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    return Counted(monkeypatch)


@pytest.mark.parametrize("name", ["torch_all_kinds", "tf2_plugins", "aw_restart_overlap"])
def test_unchanged_files_are_not_requested(name: str, counted: Counted) -> None:
    upload(CORPUS / name / "logs", ROOT)
    expected = cold(URL)
    assert keep(URL) == expected
    counted.reset()
    logs = tbwidget.load(URL)
    logs.tags()
    assert (counted.listings, counted.calls) == (1, [])
    assert contents(logs) == expected


def test_growth_is_requested_from_the_last_record_on(tmp_path: Path, counted: Counted) -> None:
    write_runs(tmp_path / "runs", 20)
    settle(tmp_path / "runs")
    upload(tmp_path / "runs", ROOT)
    keep(URL)
    last, new = (event(1, step, simple("loss", step)) for step in (19, 20))
    append(tmp_path / "runs" / "run7" / NAME, new)
    upload(tmp_path / "runs", ROOT)
    counted.reset()
    logs = tbwidget.load(URL)
    assert [len(ranges) for ranges in counted.calls] == [1]
    assert counted.fetched_bytes == len(last) + len(new)
    assert contents(logs) == cold(URL)


def test_each_change_is_noticed(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    write_runs(runs, 3)
    settle(runs)
    upload(runs, ROOT)
    keep(URL)
    for what in changes(runs):
        settle(runs)
        upload(runs, ROOT)
        assert keep(URL) == cold(URL), what
        assert keep(URL) == cold(URL), what
        logs = tbwidget.load(URL)
        logs.refresh()
        assert contents(logs) == cold(URL), what


def test_a_damaged_array_is_requested_again(tmp_path: Path, place: Path, counted: Counted) -> None:
    write_runs(tmp_path / "runs", 2)
    settle(tmp_path / "runs")
    upload(tmp_path / "runs", ROOT)
    expected = keep(URL)
    (pack,) = place.rglob("pack-*")
    data = pack.read_bytes()
    pack.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    counted.reset()
    logs = tbwidget.load(URL)
    assert counted.calls == []
    assert contents(logs) == expected
    assert counted.calls
