"""Writers of this process are flushed while a dashboard of their log directory wants it; others are left alone."""

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

from tbwidget.logs.engine import flushing
from tbwidget.logs.logdir import LogDir
from tbwidget.logs.roots import roots_of
from tests.support.eventfiles import NAME, points, write
from tests.support.waiting import PATIENCE, wait_for

MAX_FLUSH_S, REST_RATIO = flushing._MAX_FLUSH_S, flushing._REST_RATIO
"""The real values; the tests use others, which do not depend on the machine's speed."""


def flushers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "tbwidget-flusher"]


@pytest.fixture
def logs(tmp_path: Path) -> Iterator[LogDir]:
    """Yield a followed directory whose writers are flushed."""
    made = LogDir(tmp_path / "logs")
    made.follow()
    end = made.source.flush_writers()
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
    writer = SummaryWriter(str(Path(logs.path, "run")))
    for step in range(3):
        writer.add_scalar("loss", 0.5, step)
        wait_for_points(logs, step + 1)
    second = SummaryWriter(str(Path(logs.path, "run", "later")))
    second.add_scalar("loss", 0.5, 0)
    wait_for_points(logs, 1, "run/later")
    writer.close()
    second.add_scalar("loss", 0.5, 1)
    wait_for_points(logs, 2, "run/later")
    second.close()


def test_each_of_several_directories_is_served(tmp_path: Path) -> None:
    several = LogDir({"x": tmp_path / "a", "y": tmp_path / "b"})
    several.follow()
    end = several.source.flush_writers()
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
    writer = SummaryWriter(str(Path(logs.path, "run")))
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
    ends = [logs.source.flush_writers(), logs.source.flush_writers()]
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


def test_it_ends_with_an_unreferenced_log_directory(tmp_path: Path) -> None:
    logs = LogDir(tmp_path)
    logs.source.flush_writers()
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


class Slow(EventFileWriter):  # type: ignore[misc]  # tensorboard has no types
    """A real writer to a slow disk."""

    flushes = 0

    def flush(self) -> None:
        self.flushes += 1
        if self.flushes > 1:
            time.sleep(0.15)
        super().flush()


class Late(EventFileWriter):  # type: ignore[misc]  # tensorboard has no types
    """A real writer whose constructor does something else first."""

    flushes = 0

    def __init__(self, path: str, begun: threading.Event, ready: threading.Event) -> None:
        begun.set()
        ready.wait(PATIENCE)
        super().__init__(path)

    def flush(self) -> None:
        self.flushes += 1
        super().flush()


class Hanging(EventFileWriter):  # type: ignore[misc]  # tensorboard has no types
    """A real writer whose thread has ended: a flush waits forever for its queue to become empty."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self._async_writer._worker.stop()
        log(self)

    def let_flush_return(self) -> None:
        self._async_writer._byte_queue.task_done()


def log(writer: EventFileWriter) -> None:
    writer.add_event(Event(wall_time=1.0, step=1))


def new_flusher() -> flushing._WriterFlusher:
    return flushing._WriterFlusher(flushing._Problems(), flushing._FlushLock())


def rounds(path: Path) -> Any:
    """Return a function that does one round of the flushing thread."""
    logs = LogDir(path)
    logs.refresh()
    found = new_flusher()
    registrations = {"one": flushing._Registration(weakref.ref(logs.source), roots_of(path))}

    def flush() -> LogDir:
        found.flush(registrations, threading.Event())
        found._next_search = 0.0
        return logs

    return flush


@pytest.fixture
def open_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make files count as open: without TensorFlow, tensorboard's writer keeps none. Waits for Python's lock count."""
    monkeypatch.setattr(flushing, "_open_event_files", lambda: None)
    monkeypatch.setattr(flushing, "_GIL_WAITS", 0)


@pytest.fixture
def slow_flushes_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the flushes of `Slow` count as slow."""
    monkeypatch.setattr(flushing, "_MAX_FLUSH_S", MAX_FLUSH_S)


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


@pytest.mark.usefixtures("open_everywhere", "slow_flushes_count")
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
    assert "tbwidget no longer flushes this writer" in problem.message
    writer.close()


@pytest.mark.usefixtures("open_everywhere", "slow_flushes_count")
def test_a_slow_writer_is_a_problem_of_the_registered_log_directories(tmp_path: Path) -> None:
    writer = Slow(str(tmp_path / "run"))
    a, b, other = LogDir(tmp_path), LogDir(tmp_path), LogDir(tmp_path / "other")
    for each in (a, b, other):
        each.refresh()
    flusher = new_flusher()
    registrations = {
        name: flushing._Registration(weakref.ref(each.source), roots_of(each.path))
        for name, each in {"a": a, "b": b, "other": other}.items()
    }

    def flush(*names: str) -> list[int]:
        flusher._next_search = 0.0
        flusher.flush({name: registrations[name] for name in names}, threading.Event())
        return [len(each.problems) for each in (a, b, other)]

    flush("a", "other")
    assert flush("a", "other") == [1, 0, 0]
    assert flush("a", "b", "other") == [1, 1, 0], "the one that came later hears of it"
    assert flush("b", "other") == [0, 1, 0], "the one that left has no problem any more"
    writer.close()


@pytest.mark.usefixtures("open_everywhere", "slow_flushes_count")
def test_the_problem_of_a_slow_writer_ends_with_the_request_of_its_log_directory(tmp_path: Path) -> None:
    writer = Slow(str(tmp_path / "run"))
    logs, same, other = LogDir(tmp_path), LogDir(tmp_path), LogDir(tmp_path / "other")
    for each in (logs, same):
        each.refresh()
    end_logs, end_other = logs.source.flush_writers(), other.source.flush_writers()
    wait_for(lambda: logs.problems)
    end_same = same.source.flush_writers()
    wait_for(lambda: same.problems)
    end_logs()
    wait_for(lambda: not logs.problems)
    assert same.problems
    end_other()
    end_same()
    assert same.problems == []
    writer.close()


@pytest.mark.usefixtures("open_everywhere")
def test_a_flush_that_never_returns_is_a_problem_and_the_other_writers_are_flushed(
    logs: LogDir, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flushing, "_MAX_HANG_S", 0.5)
    (first,) = flushers()
    end = logs.source.flush_writers()
    hanging = Hanging(str(Path(logs.path, "hanging")))
    wait_for(lambda: logs.problems)
    (problem,) = logs.problems
    assert problem.path == "hanging"
    assert "did not return within 0.5 s" in problem.message
    good = SummaryWriter(str(Path(logs.path, "run")))
    good.add_scalar("loss", 0.5, 0)
    wait_for_points(logs, 1)
    assert len(logs.problems) == 1
    assert first in flushers(), "it still waits"
    child = os.fork()
    if not child:
        end()  # a child may end an object of its parent
        os._exit(0 if flushing._flusher.flush_lock.hanging_writer() is None and not flushers() else 1)
    assert os.waitpid(child, 0)[1] == 0
    flushing._before_fork()
    assert flushing._forking != [None], "a fork gets the lock"
    flushing._after_fork_in_parent()

    hanging.let_flush_return()
    wait_for(lambda: not first.is_alive())
    good.add_scalar("loss", 0.5, 1)
    wait_for_points(logs, 2)
    assert len(logs.problems) == 1, "the thread that was abandoned changes nothing"
    end()
    for writer in (good, hanging):
        writer.close()


@pytest.mark.usefixtures("open_everywhere")
def test_flushing_can_end_and_begin_again_during_a_flush_that_never_returns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flushing, "_MAX_HANG_S", 0.5)
    monkeypatch.setattr(flushing, "_JOIN_TIMEOUT_S", 0.0)
    hanging = Hanging(str(tmp_path / "hanging"))
    logs = LogDir(tmp_path)
    logs.refresh()
    end = logs.source.flush_writers()
    wait_for(lambda: flushing._flusher.flush_lock._flush)
    end()
    (first,) = flushers()
    end = logs.source.flush_writers()
    wait_for(flushing._flusher.flush_lock.hanging_writer)
    logs.source.flush_writers()()
    wait_for(lambda: logs.problems)
    end()
    assert logs.problems == []
    hanging.let_flush_return()
    wait_for(lambda: not first.is_alive() and not flushers())
    hanging.close()


@pytest.mark.usefixtures("open_everywhere")
def test_a_writer_whose_constructor_still_runs_is_searched_for_again(tmp_path: Path) -> None:
    begun, ready, made = threading.Event(), threading.Event(), []
    thread = threading.Thread(target=lambda: made.append(Late(str(tmp_path / "late"), begun, ready)))
    thread.start()
    begun.wait(PATIENCE)
    other = EventFileWriter(str(tmp_path / "other"))
    flush = rounds(tmp_path)
    flush()
    ready.set()
    thread.join()
    (writer,) = made
    before = writer.flushes
    flush()
    assert writer.flushes == before + 1
    for each in (writer, other):
        each.close()


@pytest.mark.usefixtures("open_everywhere")
def test_a_writer_whose_constructor_failed_is_not_searched_for_forever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, real, searches = EventFileWriter.__new__(EventFileWriter), flushing._find_writers, []

    def find() -> Iterator[tuple[Any, Any]]:
        searches.append(1)
        return real()

    monkeypatch.setattr(flushing, "_find_writers", find)
    flush = rounds(tmp_path)
    for _ in range(30):
        flush()
    assert 1 < len(searches) < 20
    del broken


def test_the_pause_after_a_round_is_twenty_times_its_duration(
    tmp_path: Path,
    open_everywhere: None,  # noqa: ARG001 (a fixture)
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(flushing, "_REST_RATIO", REST_RATIO)
    found = new_flusher()
    logs = LogDir(tmp_path)
    registrations = {"one": flushing._Registration(weakref.ref(logs.source), roots_of(tmp_path))}
    assert found.flush(registrations, threading.Event()) == 0.25
    writer = Slow(str(tmp_path / "run"))
    logs.refresh()
    found._next_search = 0.0
    assert found.flush(registrations, threading.Event()) >= 20 * 0.15
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
    writer = SummaryWriter(str(Path(logs.path, "run")))
    child = os.fork()
    if not child:
        held = flushing._flusher.flush_lock.lock.acquire(timeout=PATIENCE)
        os._exit(0 if held and not flushers() and not flushing._flusher._registrations else 1)
    assert os.waitpid(child, 0)[1] == 0
    writer.add_scalar("loss", 0.5, 0)
    wait_for_points(logs, 1)
    writer.close()


def test_nothing_is_imported(tmp_path: Path) -> None:
    script = f"""
import sys, weakref, threading
from tbwidget import LogDir
from tbwidget.logs.engine import flushing
from tbwidget.logs.roots import roots_of
logs = LogDir({str(tmp_path)!r})
before = set(sys.modules)
file = open({str(write(tmp_path / "run" / NAME, b""))!r}, "ab")
logs.refresh()
before = set(sys.modules)
flusher = flushing._WriterFlusher(flushing._Problems(), flushing._FlushLock())
registrations = {{1: flushing._Registration(weakref.ref(logs.source), roots_of({str(tmp_path)!r}))}}
flusher.flush(registrations, threading.Event())
assert set(sys.modules) == before, set(sys.modules) - before
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
