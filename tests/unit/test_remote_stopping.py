"""Progress while a log directory is opened, and stopping that: in `load`, on the shell, and from other threads."""

from __future__ import annotations

import asyncio
import io
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec
import pytest
from fsspec.asyn import AsyncFileSystem
from fsspec.implementations.memory import MemoryFileSystem

import tbwidget
from tbwidget import __main__ as shell
from tbwidget.logs.logdir import acquire, release
from tbwidget.logs.watching import describe
from tbwidget.records.files.scan import PollProgress, StoppedError
from tests.support.changing import write_runs
from tests.support.eventfiles import NAME, event, simple, write
from tests.support.stores import upload
from tests.support.waiting import wait_for
from tests.unit.test_records_storage import values

URL = "slow://logs"


class Slow(AsyncFileSystem):  # type: ignore[misc]
    """fsspec's files in memory, whose requests may hang."""

    protocol = "slow"
    hanging: str | None = None
    """Part of a request, "ls /logs" or "cat /logs/run0/…", that is not answered."""
    running = 0
    asked: list[str] = []  # noqa: RUF012 (of the class: each connection has an instance of its own)
    delay = 0.0

    async def _wait(self, request: str) -> None:
        Slow.asked.append(request)
        Slow.running += 1
        try:
            await asyncio.sleep(3600 if Slow.hanging and Slow.hanging in request else Slow.delay)
        finally:
            Slow.running -= 1

    async def _ls(self, path: str, detail: bool = True, **_: Any) -> Any:  # noqa: FBT001, FBT002 (fsspec's own)
        await self._wait(f"ls {path}")
        return fsspec.filesystem("memory").ls(path, detail=detail)

    async def _info(self, path: str, **_: Any) -> Any:
        return fsspec.filesystem("memory").info(path)

    async def _cat_file(self, path: str, start: int | None = None, end: int | None = None, **_: Any) -> Any:
        await self._wait(f"cat {path}")
        return fsspec.filesystem("memory").cat_file(path, start=start, end=end)

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        return MemoryFileSystem._strip_protocol(path.replace("slow://", "memory://"))  # type: ignore[no-any-return]


@pytest.fixture(autouse=True)
def _slow(tmp_path: Path) -> Iterator[None]:
    fsspec.register_implementation("slow", Slow, clobber=True)
    fsspec.filesystem("memory").store.clear()
    Slow.hanging, Slow.delay = None, 0.0
    Slow.asked.clear()
    write_runs(tmp_path, 40)
    upload(tmp_path, "logs")
    yield
    Slow.hanging = None
    wait_for(lambda: Slow.running == 0)
    fsspec.filesystem("memory").store.clear()


@pytest.fixture
def _interruptible() -> Iterator[None]:
    """Enable interrupts, which are ignored in a process that a shell started in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def wait_until_asked(request: str) -> None:
    wait_for(lambda: Slow.running > 0 and any(request in each for each in Slow.asked))


def interrupt_soon() -> threading.Thread:
    """Interrupt the main thread, as Ctrl+C does, once a request hangs."""

    def interrupt() -> None:
        wait_until_asked(Slow.hanging or "")
        time.sleep(0.1)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    return thread


def readers() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("tbwidget-")]


@pytest.mark.skipif(sys.platform == "win32", reason="os.kill ends a process there")
@pytest.mark.usefixtures("_interruptible")
@pytest.mark.parametrize("progress", [False, True])
@pytest.mark.parametrize("request_that_hangs", ["ls /logs", "ls /logs/run7", "cat /logs/run9"])
def test_an_interrupted_load_leaves_nothing_running(request_that_hangs: str, *, progress: bool) -> None:
    Slow.hanging = request_that_hangs
    shown: list[Any] = []
    thread = interrupt_soon()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        tbwidget.load(URL, progress=shown.append if progress else False)
    assert time.monotonic() - begin < 40, "far less than the timeouts of requests"
    thread.join()
    wait_for(lambda: Slow.running == 0)
    wait_for(lambda: readers() == [])
    assert bool(shown) == progress


def test_another_thread_closes_and_the_reading_ends_at_once(tmp_path: Path) -> None:
    Slow.hanging = "cat /logs/run9"
    logs = tbwidget.LogDir(URL)
    ended = threading.Event()

    def refresh() -> None:
        logs.refresh()
        ended.set()

    thread = threading.Thread(target=refresh)
    thread.start()
    wait_until_asked(Slow.hanging)
    wait_for(lambda: logs.source.progress.files_read == 16)
    begin = time.monotonic()
    logs.close()
    thread.join(30)
    assert ended.is_set()
    assert time.monotonic() - begin < 20, "far less than the timeouts of requests"
    wait_for(lambda: Slow.running == 0)
    assert len(logs.tags()["scalars"]) == 16, "what was read stays"
    assert logs.problems == []
    Slow.hanging = None
    assert logs.refresh()
    assert values(logs) == values(tbwidget.load(tmp_path))


@pytest.mark.parametrize("request_that_hangs", ["ls /logs/run7", "cat /logs/run9"])
def test_close_ends_the_follower_in_the_midst_of_a_request(request_that_hangs: str) -> None:
    Slow.hanging = request_that_hangs
    logs = tbwidget.LogDir(URL)
    logs.follow()
    wait_until_asked(request_that_hangs)
    follower: Any = logs.source._follower
    begin = time.monotonic()
    logs.close()
    assert time.monotonic() - begin < 20, "far less than the timeouts of requests"
    follower._thread.join(20)
    assert not follower._thread.is_alive()
    wait_for(lambda: Slow.running == 0)


def test_a_directory_of_checkpoints_that_does_not_answer_holds_nothing_up(tmp_path: Path) -> None:
    Slow.hanging = "ls /logs"
    logs = tbwidget.LogDir(tmp_path, checkpoints=URL)
    logs.source.follow()
    wait_until_asked("ls /logs")
    assert len(logs.tags()["scalars"]) == 40, "all files are read before"
    assert logs.source.is_waiting
    assert (logs.source.progress.phase, logs.source.ready) == ("fetching", False)
    begin = time.monotonic()
    logs.close()
    assert time.monotonic() - begin < 20, "far less than the timeouts of requests"
    wait_for(lambda: Slow.running == 0)
    wait_for(lambda: readers() == [])


def test_stop_reads_nothing_more_until_it_is_requested(tmp_path: Path) -> None:
    Slow.hanging = "cat /logs/run9"
    logs = acquire(URL)
    try:
        wait_until_asked(Slow.hanging)
        wait_for(lambda: logs.source.progress.files_read == 16)
        assert logs.source.progress.phase == "fetching"
        logs.source.stop()
        wait_for(lambda: Slow.running == 0)
        read = logs.source.progress
        assert (read.phase, read.files_read, read.files, read.entries) == ("stopped", 16, 40, 80)
        assert 0 < read.bytes_read < read.bytes_found
        assert len(logs.tags()["scalars"]) == 16
        asked = len(Slow.asked)
        time.sleep(1.2)  # longer than the interval of polls
        assert (len(Slow.asked), logs.source.ready) == (asked, False)
        Slow.hanging = None
        logs.source.resume()
        wait_for(lambda: logs.source.ready)
        assert values(logs) == values(tbwidget.load(tmp_path))
        assert logs.source.progress.phase == "ready"
    finally:
        release(logs)


def test_refresh_reads_on_after_a_stop(tmp_path: Path) -> None:
    logs = tbwidget.LogDir(URL)
    logs.source.stop()
    assert list(logs.source.poll(everywhere=True)) == []
    assert logs.refresh()
    assert values(logs) == values(tbwidget.load(tmp_path))


def test_only_the_poll_of_the_follower_is_stopped_when_a_dashboard_closes(tmp_path: Path) -> None:
    logs = tbwidget.LogDir(URL)
    Slow.delay = 0.3
    acquire(logs)
    thread = threading.Thread(target=logs.refresh)
    thread.start()
    wait_until_asked("cat")
    release(logs)
    thread.join(30)
    assert values(logs) == values(tbwidget.load(tmp_path)), "the user's own refresh went on"


def test_a_walk_over_this_machine_is_stopped(tmp_path: Path) -> None:
    logs = tbwidget.LogDir(tmp_path)
    steps = logs.source._reader.poll(force=True)
    next(steps)
    logs.source.stop()
    assert list(steps) == []
    assert logs.source.progress.phase == "stopped"
    write(tmp_path / "more" / "deep" / NAME, event(1, 0, simple("loss", 0)))
    scanner = logs.source.roots[0].storage.scanner(str(tmp_path), bool)
    whole = scanner.walk()

    class Stopped(PollProgress):
        def add(self, count: int) -> None:
            self.is_stopped = self.entries > 3
            super().add(count)

    with pytest.raises(StoppedError):
        scanner.walk(force=True, progress=Stopped())
    assert scanner.walk() == whole, "a walk that was stopped is none to build on"
    assert logs.refresh()
    assert values(logs) == values(tbwidget.load(tmp_path))


# Display of progress.


def test_load_shows_listing_fetching_and_reading(tmp_path: Path) -> None:
    Slow.delay = 0.15
    shown: list[tbwidget.Progress] = []
    logs = tbwidget.load(URL, progress=shown.append)
    assert values(logs) == values(tbwidget.load(tmp_path))
    phases = list(dict.fromkeys(each.phase for each in shown))
    assert phases[:2] == ["listing", "fetching"]
    assert phases[-1] == "ready"
    size = sum(path.stat().st_size for path in tmp_path.rglob("*tfevents*"))
    assert shown[-1] == tbwidget.Progress("ready", 80, 40, 40, size, size, size)
    for numbers in zip(*(each[1:] for each in shown), strict=True):
        assert list(numbers) == sorted(numbers)
    assert describe(shown[0]).startswith("listing: ")


def test_a_bar_of_tqdm(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("tqdm")
    logs = tbwidget.load(URL, progress=True)
    assert values(logs) == values(tbwidget.load(tmp_path))
    shown = capsys.readouterr().err
    assert "read: 40 of 40 files" in shown
    assert "100%" in shown


def test_a_bar_without_tqdm_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.raises(ImportError, match=r'pip install "tbwidget\[remote\]"'):
        tbwidget.load(URL, progress=True)
    assert Slow.asked == []


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_shell_shows_a_line_and_leaves_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(shell, "_PROGRESS_DELAY_S", 0.0)
    Slow.delay = 0.15
    assert shell.main(["ls", URL]) == 0
    lines = [line.strip() for line in terminal.getvalue().split("\r")]
    assert lines[-2:] == ["", ""], "the line is empty in the end"
    assert any(line.startswith("listing: ") for line in lines)
    assert any(line.startswith("fetching: 16 of 40 files, ") for line in lines)
    assert "\n" not in terminal.getvalue()
    assert capsys.readouterr().out.count("loss") == 40


def test_the_shell_shows_no_progress_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    Slow.delay = 0.15
    assert shell.main(["ls", URL]) == 0
    assert capsys.readouterr().err == ""


PROGRAM = """
import sys, fsspec
from tests.unit import test_remote_stopping as tests
from tests.support.eventfiles import NAME, event, simple
fsspec.register_implementation("slow", tests.Slow, clobber=True)
for run in range(3):
    fsspec.filesystem("memory").pipe_file(f"/logs/run{run}/{NAME}", event(1, 0, simple("loss", 0)))
tests.Slow.hanging = "cat"
wait = tests.Slow._wait
async def told(self, request):
    print(request, flush=True)
    await wait(self, request)
tests.Slow._wait = told
if "terminal" in sys.argv:
    sys.stderr.isatty = lambda: True
from tbwidget.__main__ import main
sys.exit(main(['ls', 'slow://logs']))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for one process there")
@pytest.mark.usefixtures("_interruptible")
@pytest.mark.parametrize("terminal", [False, True])
def test_an_interrupted_command_ends_with_130_and_without_a_traceback(*, terminal: bool) -> None:
    command = [sys.executable, "-c", PROGRAM, *(["terminal"] if terminal else [])]
    root = Path(__file__).parents[2]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=root) as process:
        assert process.stdout is not None
        while not process.stdout.readline().startswith("cat"):
            assert process.poll() is None
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        begin = time.monotonic()
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert time.monotonic() - begin < 40, "far less than the timeouts of requests"
    assert "Traceback" not in errors
    assert "Error" not in errors
    assert errors.rpartition("\n")[2] == "", "the line is empty in the end"
    assert ("fetching" in errors) == terminal
