"""Writers of this process are flushed while a holder of their log directory wants it; nothing else is touched."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.summary.writer.event_file_writer import EventFileWriter
from tensorboardX import SummaryWriter
from tensorboardX.event_file_writer import EventFileWriter as Buffered

from tbwidget.logs import LogDir, flushing
from tbwidget.logs.roots import roots_of
from tests.support.eventfiles import NAME, points, write
from tests.support.waiting import wait_for


def flushers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "tbwidget-flusher"]


@pytest.fixture
def logs(tmp_path: Path) -> Iterator[LogDir]:
    """A directory that is followed, and whose writers are flushed."""
    made = LogDir(tmp_path / "logs")
    made.follow()
    end = made.flush_writers()
    yield made
    end()
    made.close()
    wait_for(lambda: not flushers())


def count(logs: LogDir, run: str = "run") -> int:
    try:
        return len(logs.scalars(run, "loss"))
    except KeyError:
        return 0


def wait_for_points(logs: LogDir, number: int, run: str = "run") -> None:
    wait_for(lambda: count(logs, run) == number)


def size(path: Path) -> int:
    return sum(file.stat().st_size for file in path.iterdir())


def test_values_arrive_without_a_flush(logs: LogDir) -> None:
    writer = SummaryWriter(str(logs.path / "run"))
    for step in range(3):
        writer.add_scalar("loss", 0.5, step)
        wait_for_points(logs, step + 1)
    second = SummaryWriter(str(logs.path / "run" / "later"))
    second.add_scalar("loss", 0.5, 0)
    wait_for_points(logs, 1, "run/later")
    writer.close()
    second.add_scalar("loss", 0.5, 1)
    wait_for_points(logs, 2, "run/later")
    second.close()


def test_each_of_several_directories_is_served(tmp_path: Path) -> None:
    several = LogDir({"x": tmp_path / "a", "y": tmp_path / "b"})
    several.follow()
    end = several.flush_writers()
    writers = [SummaryWriter(str(tmp_path / name / "run")) for name in ("a", "b")]
    for writer in writers:
        writer.add_scalar("loss", 0.5, 0)
    wait_for(lambda: count(several, "x/run") == count(several, "y/run") == 1)
    end()
    several.close()
    for writer in writers:
        writer.close()


def test_a_writer_elsewhere_is_left_alone(logs: LogDir, tmp_path: Path) -> None:
    elsewhere = SummaryWriter(str(tmp_path / "logs2"))
    writer = SummaryWriter(str(logs.path / "run"))
    for step in range(3):
        elsewhere.add_scalar("loss", 0.5, step)
        writer.add_scalar("loss", 0.5, step)
        wait_for_points(logs, step + 1)
    assert size(tmp_path / "logs2") == 0
    writer.close()
    elsewhere.close()


def test_it_goes_on_while_any_holder_wants_it(tmp_path: Path) -> None:
    logs = LogDir(tmp_path)
    logs.follow()
    ends = [logs.flush_writers(), logs.flush_writers()]
    (thread,) = flushers()
    ends[0]()
    ends[0]()
    assert flushers() == [thread]
    writer = SummaryWriter(str(tmp_path / "run"))
    writer.add_scalar("loss", 0.5, 0)
    wait_for_points(logs, 1)
    ends[1]()
    assert not thread.is_alive()
    writer.add_scalar("loss", 0.5, 1)
    assert count(logs) == 1
    logs.close()
    writer.close()


def test_it_ends_with_a_log_directory_that_nobody_holds(tmp_path: Path) -> None:
    logs = LogDir(tmp_path)
    logs.flush_writers()
    (thread,) = flushers()
    del logs
    gc.collect()
    wait_for(lambda: not thread.is_alive())


def test_no_writer_is_kept(tmp_path: Path) -> None:
    writer = Buffered(str(tmp_path / "run"))  # SummaryWriter keeps itself until the process ends
    flush = rounds(tmp_path)
    flush()
    reference = weakref.ref(writer)
    writer.close()
    del writer
    gc.collect()
    assert reference() is None
    flush()


class Raising(EventFileWriter):  # type: ignore[misc]  # tensorboard has no types
    """A real writer that cannot be flushed."""

    flushes = 0

    def flush(self) -> None:
        self.flushes += 1
        if self.flushes > 1:  # its constructor flushes
            raise OSError("no space left on device")


class Slow(EventFileWriter):  # type: ignore[misc]  # likewise
    """A real writer to a slow disk."""

    flushes = 0

    def flush(self) -> None:
        self.flushes += 1
        if self.flushes > 1:
            time.sleep(0.15)
        super().flush()


def log(writer: EventFileWriter) -> None:
    writer.add_event(Event(wall_time=1.0, step=1))


def rounds(path: Path) -> Any:
    """Return a function that does one round of the thread."""
    logs = LogDir(path)
    logs.refresh()
    found, wishes = flushing._Rounds(), {"one": flushing._Wish(weakref.ref(logs), roots_of(path))}

    def flush() -> LogDir:
        found.flush(wishes, threading.Event())
        found._next_search = 0.0
        return logs

    return flush


@pytest.fixture
def open_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files count as open: without TensorFlow, tensorboard's writer keeps none. Waits for Python's lock count."""
    monkeypatch.setattr(flushing, "_open_event_files", lambda: None)
    monkeypatch.setattr(flushing, "_GIL_WAITS", 0)


@pytest.mark.usefixtures("open_everywhere")
def test_a_writer_that_raises_is_left_alone(tmp_path: Path) -> None:
    writer, good = Raising(str(tmp_path / "bad")), SummaryWriter(str(tmp_path / "good"))
    flush = rounds(tmp_path)
    for _ in range(3):
        flush()
    assert writer.flushes == 2
    write(tmp_path / "other" / NAME, points("loss", [0], 1.0))
    logs = flush()
    logs.refresh()
    flush()
    assert writer.flushes == 2, "found again, it is still left alone"
    assert logs.problems == []
    for one in (writer, good):
        one.close()


@pytest.mark.usefixtures("open_everywhere")
def test_a_slow_writer_is_no_longer_flushed_and_that_is_a_problem(tmp_path: Path) -> None:
    writer = Slow(str(tmp_path / "run"))
    flush = rounds(tmp_path)
    logs = flush()
    assert logs.problems == [], "one slow flush says nothing"
    for _ in range(3):
        flush()
    assert writer.flushes == 3
    (problem,) = logs.problems
    assert problem.path == "run"
    assert "it is not flushed any more" in problem.message
    writer.close()


def test_the_rest_after_a_round_is_twenty_times_what_it_took(
    tmp_path: Path,
    open_everywhere: None,  # noqa: ARG001 (a fixture)
) -> None:
    found = flushing._Rounds()
    logs = LogDir(tmp_path)
    wishes = {"one": flushing._Wish(weakref.ref(logs), roots_of(tmp_path))}
    assert found.flush(wishes, threading.Event()) == 0.25
    writer = Slow(str(tmp_path / "run"))
    logs.refresh()
    found._next_search = 0.0
    assert found.flush(wishes, threading.Event()) >= 20 * 0.15
    writer.close()


def test_writers_are_searched_for_only_when_this_process_has_a_new_event_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, searches = flushing._find_writers, []

    def find() -> Iterator[tuple[Any, Any]]:
        searches.append(1)
        return real()

    monkeypatch.setattr(flushing, "_find_writers", find)
    write(tmp_path / "other process" / NAME, points("loss", [0], 1.0))
    flush = rounds(tmp_path)
    for _ in range(2):
        flush()
    assert searches == []
    writer = SummaryWriter(str(tmp_path / "run"))
    flush().refresh()
    assert searches == [], "the file was not found yet"
    for _ in range(3):
        flush()
    assert searches == [1]
    writer.close()


def test_nothing_is_flushed_on_a_file_system_that_may_be_remote(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = SummaryWriter(str(tmp_path / "run"))
    writer.add_scalar("loss", 0.5, 0)
    monkeypatch.setattr(flushing, "_LOCAL_FILE_SYSTEMS", frozenset({"of others"}))
    flush = rounds(tmp_path)
    wait_for(writer.file_writer.event_writer._event_queue.empty)
    for _ in range(3):
        flush()
    assert size(tmp_path / "run") == 0
    writer.close()


MOUNTS = r"""22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 0:40 / /data rw,relatime shared:9 - nfs4 server:/data rw,vers=4.2
31 30 8:2 / /data/scratch rw,relatime - xfs /dev/sdb1 rw
32 22 0:50 / /mnt/my\040bucket rw,nosuid,nodev,relatime shared:10 - fuse.gcsfuse bucket rw
33 22 0:51 / /twice rw,relatime - ext4 /dev/sdc1 rw
34 22 0:52 / /twice rw,relatime - fuse.sshfs host:/ rw
nonsense

"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/home/me/runs", "ext4"),
        ("/data", "nfs4"),
        ("/data/runs", "nfs4"),
        ("/database", "ext4"),
        ("/data/scratch/runs", "xfs"),
        ("/mnt/my bucket/runs", "fuse.gcsfuse"),
        ("/twice/runs", "fuse.sshfs"),
    ],
)
def test_the_file_system_of_a_path(path: str, kind: str) -> None:
    assert flushing._file_system(path, MOUNTS.splitlines()) == kind


def test_where_the_system_does_not_tell_only_the_disk_of_temporary_files_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert flushing._is_local(str(tmp_path))
    assert not flushing._is_local("/proc")
    assert not flushing._is_local(str(tmp_path / "missing"))


def test_a_forked_child_flushes_nothing_and_its_parent_goes_on(logs: LogDir) -> None:
    writer = SummaryWriter(str(logs.path / "run"))
    child = os.fork()
    if not child:
        held = flushing._flushing.acquire(timeout=5)
        os._exit(0 if held and not flushers() and not flushing._flusher._wishes else 1)
    assert os.waitpid(child, 0)[1] == 0
    writer.add_scalar("loss", 0.5, 0)
    wait_for_points(logs, 1)
    writer.close()


def test_nothing_is_imported(tmp_path: Path) -> None:
    script = f"""
import sys, weakref, threading
from tbwidget.logs import LogDir, flushing
from tbwidget.logs.roots import roots_of
logs = LogDir({str(tmp_path)!r})
before = set(sys.modules)
file = open({str(write(tmp_path / "run" / NAME, b""))!r}, "ab")
logs.refresh()
before = set(sys.modules)
flushing._Rounds().flush({{1: flushing._Wish(weakref.ref(logs), roots_of({str(tmp_path)!r}))}}, threading.Event())
assert set(sys.modules) == before, set(sys.modules) - before
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
