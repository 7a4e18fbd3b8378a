"""The cache of columns: a second opening gives the values of the logs, whatever happened to them or to the cache."""

from __future__ import annotations

import mmap
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tbwidget
from tbwidget.logs.engine import cache
from tbwidget.records.files.storage import LocalStorage
from tests.support.cached import cold, contents, keep, settle
from tests.support.changing import append, changes, write_runs
from tests.support.corpus import CORPUS
from tests.support.eventfiles import NAME, event, histogram, simple, write
from tests.support.waiting import wait_for

NAMES = sorted(path.name for path in CORPUS.iterdir() if (path / "logs").is_dir())


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Cache in a directory of the test, even small and new files."""
    monkeypatch.setenv("TBWIDGET_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "MIN_READ_S", 0)
    monkeypatch.setattr(cache, "_IDLE_S", 0)
    return tmp_path / "cache"


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that collects the paths of opened logs."""
    paths: list[str] = []
    original = LocalStorage.open

    def noted(self: LocalStorage, path: str, *, fetched: bool = False) -> Any:
        paths.append(path)
        return original(self, path, fetched=fetched)

    monkeypatch.setattr(LocalStorage, "open", noted)
    return paths


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Write three runs some time ago."""
    write_runs(tmp_path / "logs", 3)
    settle(tmp_path / "logs")
    return tmp_path / "logs"


def indices(place: Path) -> list[Path]:
    return sorted(place.rglob("index"))


@pytest.mark.parametrize("name", NAMES)
def test_a_second_opening_says_the_same(name: str, opened: list[str]) -> None:
    path = CORPUS / name / "logs"
    expected = cold(path)
    assert keep(path) == expected
    opened.clear()
    logs = tbwidget.load(path)
    logs.tags()
    damaged = {str(path / problem.path) for problem in logs.problems}
    assert {each for each in opened if "tfevents" in each} <= damaged, "only what is damaged is read again"
    assert contents(logs) == expected
    assert not logs.refresh()
    assert keep(path) == expected, "after it was written again"


def test_series_are_views_of_the_files(logs: Path) -> None:
    keep(logs)
    series = tbwidget.load(logs).scalars("run0", "loss")
    for column in (series.step, series.wall_time, series.value):
        base: Any = column
        while isinstance(base, np.ndarray):
            base = base.base
        assert isinstance(memoryview(base).obj, mmap.mmap)
        assert not column.flags.writeable
        with pytest.raises(ValueError, match="WRITEABLE"):
            column.flags.writeable = True


def test_growth_is_read_from_where_the_cache_ends(logs: Path, opened: list[str]) -> None:
    keep(logs)
    append(logs / "run1" / NAME, event(1, 20, simple("loss", 20)), event(1, 0, simple("new", 1)))
    opened.clear()
    found = tbwidget.load(logs)
    assert opened == [str(logs / "run1" / NAME)]
    assert contents(found) == cold(logs)
    assert found.scalars("run1", "loss").value[-1] == 20
    settle(logs)
    assert keep(logs) == cold(logs)


def test_each_change_of_the_logs_is_noticed(logs: Path) -> None:
    keep(logs)
    for what in changes(logs):
        assert keep(logs) == cold(logs), what
        settle(logs)
        assert keep(logs) == cold(logs), what
        assert contents(tbwidget.load(logs)) == cold(logs), what


def test_changes_while_it_is_open_are_noticed(logs: Path) -> None:
    keep(logs)
    found = tbwidget.load(logs)
    for what in changes(logs):
        assert found.refresh(), what
        # Runs keep their first numbers.
        assert contents(found) | {"numbers": None} == cold(logs) | {"numbers": None}, what


def test_a_refresh_verifies_cached_data_of_a_file_that_grew(logs: Path) -> None:
    """Opening trusts the last record; refreshing equals a fresh load."""
    path = logs / "run1" / NAME
    keep(logs)
    whole = path.read_bytes()
    other = event(1, 3, simple("loss", 7.0))
    with path.open("r+b") as file:
        file.seek(3 * len(whole) // 20)
        file.write(other)
    append(path, event(1, 20, simple("loss", 20)))
    found = tbwidget.load(logs)
    found.refresh()
    assert contents(found) == cold(logs)


def _truncated(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def _emptied(path: Path) -> None:
    os.truncate(path, 0)


def _torn(path: Path) -> None:
    append(path, event(1, 20, simple("loss", 20))[:-3])


def _replaced(path: Path) -> None:
    data = path.read_bytes()
    path.unlink()
    path.write_bytes(data[::-1])


def _rewritten(path: Path) -> None:
    """Rewrite the same file with the same length."""
    with path.open("r+b") as file:
        file.write(b"".join(event(1, step, simple("loss", step + 1)) for step in range(20)))


def _restarted(path: Path) -> None:
    write(path.with_name("events.out.tfevents.1800000000.host"), event(100, 5, simple("loss", 5)))


def _gone(path: Path) -> None:
    path.unlink()


def _reset(path: Path) -> None:
    append(path, event(1, 0, start=True), event(1, 5, simple("loss", 50)))


@pytest.mark.parametrize(
    "change",
    [_truncated, _emptied, _torn, _replaced, _rewritten, _restarted, _gone, _reset],
    ids=lambda each: each.__name__,
)
def test_a_changed_file_is_read_again(logs: Path, change: Any) -> None:
    keep(logs)
    change(logs / "run1" / NAME)
    expected = cold(logs)
    assert keep(logs) == expected
    assert keep(logs) == expected
    settle(logs)
    expected = cold(logs)
    assert keep(logs) == expected
    assert keep(logs) == expected


def test_a_copy_is_accepted_by_size_time_and_last_record(logs: Path, tmp_path: Path, opened: list[str]) -> None:
    """Copy the logs as `rsync -a` does: everything is the same but the inodes."""
    keep(logs)
    shutil.copytree(logs, tmp_path / "copy")  # with times, by copy2
    shutil.rmtree(logs)
    (tmp_path / "copy").rename(logs)
    expected = cold(logs)
    opened.clear()
    found = tbwidget.load(logs)
    assert len(opened) == 3, "once, for the last record"
    assert contents(found) == expected
    path = logs / "run1" / NAME
    times = path.stat()
    last = len(event(1, 19, simple("loss", 19)))
    path.write_bytes(path.read_bytes()[:-last] + event(1, 19, simple("loss", 77)))
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert keep(logs) == cold(logs)


def test_damage_in_the_middle_is_kept_and_at_the_end_is_not(logs: Path, opened: list[str]) -> None:
    middle, end = logs / "run0" / NAME, logs / "run1" / NAME
    data = middle.read_bytes()
    middle.write_bytes(data + b"garbage" * 3 + data)
    end.write_bytes(data + b"garbage" * 3)
    settle(logs)
    expected = cold(logs)
    assert len(expected["problems"]) == 2
    keep(logs)
    opened.clear()
    found = tbwidget.load(logs)
    assert opened == [str(end)]
    assert contents(found) == expected


def test_a_file_that_changed_just_now_is_not_kept(
    logs: Path, opened: list[str], monkeypatch: pytest.MonkeyPatch, place: Path
) -> None:
    monkeypatch.setattr(cache, "_IDLE_S", 10.0)
    keep(logs)
    assert not indices(place), "their inodes changed just now"
    monkeypatch.setattr(cache, "_IDLE_S", 0)
    append(logs / "run0" / NAME, event(1, 20, simple("loss", 20)))
    os.utime(logs / "run0" / NAME, (time.time() + 5,) * 2)
    keep(logs)
    opened.clear()
    assert contents(tbwidget.load(logs)) == cold(logs)
    assert str(logs / "run0" / NAME) in opened


def test_a_directory_that_changed_just_now_is_kept_when_it_is_closed(
    logs: Path, monkeypatch: pytest.MonkeyPatch, place: Path
) -> None:
    """The follower has tried to store it before, in vain."""
    found = tbwidget.LogDir(logs)
    found.refresh()
    monkeypatch.setattr(cache, "MIN_READ_S", 1.0)
    kept = found.source._reader._cache
    assert kept is not None
    kept.add(2.0)
    monkeypatch.setattr(cache, "_IDLE_S", 10.0)
    assert found.source._reader.write_cache()
    assert not indices(place), "their inodes changed just now"
    monkeypatch.setattr(cache, "_IDLE_S", 0)
    found.close()
    assert indices(place)
    assert not kept.is_worthwhile


def test_little_is_not_kept(logs: Path, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MIN_READ_S", 100.0)
    keep(logs)
    assert not place.exists()


def test_without_a_cache_nothing_is_read_or_written(
    logs: Path, place: Path, opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with tbwidget.load(logs, cache=False):
        pass
    assert not place.exists()
    keep(logs)
    for off in (True, False):
        if off:
            monkeypatch.setenv("TBWIDGET_CACHE", "0")
        opened.clear()
        tbwidget.load(logs, cache=off)
        assert len(opened) == 3


def test_one_directory_is_kept_under_all_its_names(logs: Path, tmp_path: Path, opened: list[str]) -> None:
    keep(logs)
    (tmp_path / "link").symlink_to(logs)
    opened.clear()
    both = tbwidget.load({"a": logs, "b": tmp_path / "link"})
    assert opened == []
    assert both.runs == [f"{name}/run{run}" for name in "ab" for run in range(3)]
    assert both.scalars("b/run1", "loss").value.tolist() == list(range(20))


def test_a_follower_writes_the_cache(logs: Path, place: Path) -> None:
    found = tbwidget.LogDir(logs)
    found.follow()
    try:
        wait_for(lambda: bool(indices(place)))
    finally:
        found.close()
    assert contents(tbwidget.load(logs)) == cold(logs)


def test_more_is_kept_in_further_packs_until_they_are_joined(tmp_path: Path, place: Path, opened: list[str]) -> None:
    logs = tmp_path / "logs"
    counts = []
    for run in range(20):
        write(logs / f"run{run:02}" / NAME, *(event(1, step, simple("loss", step)) for step in range(300)))
        settle(logs / f"run{run:02}")
        keep(logs)
        (index,) = indices(place)
        counts.append(len(list(index.parent.glob("pack-*"))))
        for path in index.parent.glob("pack-*"):
            os.utime(path, (time.time() - 1000,) * 2)  # so that it is removed when no index names it
        opened.clear()
        assert contents(tbwidget.load(logs)) == cold(logs)
        assert len(opened) == run + 1, "by the cold reading alone"
    assert max(counts) <= cache._MAX_PACKS + 1
    assert min(counts[8:]) < max(counts), "they were joined"


@pytest.mark.parametrize("seed", range(6))
def test_any_logs_that_grow_step_by_step(tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tags in cycles and out of them, restarts, other values: stored, restored, appended to, stored again."""
    if seed % 2:
        for name, value in (("_MAX_PENDING", 64), ("_MIN_CHUNK_POINTS", 16)):
            monkeypatch.setattr(f"tbwidget.logs.engine.partitioning.{name}", value)
    random = np.random.default_rng(seed)
    path, logs = tmp_path / "logs" / "run" / NAME, tmp_path / "logs"
    path.parent.mkdir(parents=True)
    step, offsets = 0, 0.0
    for _ in range(8):
        parts = []
        for _ in range(int(random.integers(1, 60))):
            step += 1
            offsets += 1.0
            if random.random() < 0.05:
                parts.append(event(offsets, step, start=True))
                step = max(0, step - 5)
            tags = ["a", "b", "c"] if random.random() < 0.8 else list(random.permutation(["c", "a", "d"]))
            parts.append(event(offsets, step, *(simple(tag, float(random.normal())) for tag in tags)))
            if random.random() < 0.2:
                parts.append(event(offsets, step, histogram("h", [1.0, 2.0], [1.0, float(step)])))
        append(path, *parts)
        settle(logs)
        expected = cold(logs)
        with tbwidget.load(logs) as found:
            if random.random() < 0.5:
                assert contents(found) == expected
        assert contents(tbwidget.load(logs)) == expected


_ENDS = """
import sys, tbwidget
from tbwidget.logs.engine import cache
cache.MIN_READ_S = cache._IDLE_S = 0
logs = tbwidget.load(sys.argv[1])
if sys.argv[2] == "followed":
    logs.follow()
if sys.argv[2] == "locked":
    import threading
    threading.Thread(target=logs.source._reader.lock.acquire).start()
"""


@pytest.mark.parametrize("how", ["alone", "followed", "locked"])
def test_a_process_that_ends_writes_the_cache(logs: Path, place: Path, opened: list[str], how: str) -> None:
    """The process also ends if another thread never releases the lock; then nothing is stored."""
    subprocess.run([sys.executable, "-c", _ENDS, str(logs), how], check=True, timeout=60)
    assert len(indices(place)) == (how != "locked")
    expected = cold(logs)
    opened.clear()
    assert contents(tbwidget.load(logs)) == expected
    assert len(opened) == (3 if how == "locked" else 0)
