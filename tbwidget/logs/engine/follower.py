"""The background thread that keeps a log directory up to date."""

from __future__ import annotations

import atexit
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple, Protocol

from tbwidget.logs.engine.reader import PollStep, log
from tbwidget.logs.source import Changes
from tbwidget.logs.threads import short_switch_interval, thread_time

_EVERYWHERE = 0.5  # s between polls of all files, at least, and between searches for new runs
_MAX_EVERYWHERE = 5.0  # s between polls of all files, at most
_SLOWEST = 2.0  # s between polls of files that grow, at most
_SHARE_EVERYWHERE = 1 / 200  # of a core, at most: the whole cost of idle runs
_SHARE_GROWING = 1 / 260
_AFTER_ERROR = 2.0  # s
_PATIENCE = 5.0  # s to wait for the thread to end; a dead file system may hold it for longer
_PATIENCE_AFAR = 0.2  # s between attempts to stop a request; it may have been made just after one
_PATIENCE_TO_STOP = 1.0  # s to wait where a request of a remote storage cannot be stopped


class Followed(Protocol):
    """The part of a `DirectorySource` that a follower needs."""

    path: Path | str

    @property
    def ready(self) -> bool:
        """The first pass over the directory has ended."""

    @property
    def growing(self) -> bool:
        """Some file grew in the last seconds."""

    @property
    def is_waiting(self) -> bool:
        """A remote storage is waited for now."""

    def stop_polling(self) -> None:
        """End the poll that runs now."""

    def poll(self, *, everywhere: bool) -> Iterator[PollStep]:
        """Poll all files, or search for new runs and poll files that grew lately, step by step."""

    def notify(self, changes: Changes) -> None:
        """Call back those who subscribed."""


class PollCost(NamedTuple):
    """CPU seconds that a poll cost, without what subscribers do with the changes."""

    searching: float
    """Search for new bytes."""
    reading: float


def poll(logs: Followed, *, everywhere: bool, ending: threading.Event | None = None) -> PollCost:
    """Poll all files, or search for new runs and poll files that grew lately, until `ending` is set."""
    searching, reading, begin = 0.0, 0.0, thread_time()
    for step in logs.poll(everywhere=everywhere):
        spent = thread_time() - begin
        if step.is_reading:
            reading += spent
        else:
            searching += spent
        if ending is not None and ending.is_set():
            break
        if step.changes:
            logs.notify(step.changes)
        begin = thread_time()
    return PollCost(searching + thread_time() - begin, reading)


class Timetable:
    """Seconds from one poll to the next, so that polling costs less than 1 % of a core where it takes up to 25 ms."""

    def __init__(self) -> None:
        self._begun = False
        self._unused = 0.0  # share of a core that polls of all files might take, and do not

    def after_everywhere(self, spent: PollCost) -> float:
        """Seconds from a poll of all files to the next. Reading does not count: rarer polls do not save it."""
        # The first walk costs more than later ones, so that it says nothing about those.
        needed = spent.searching / _SHARE_EVERYWHERE if self._begun else 0.0
        pause = min(max(_EVERYWHERE, needed), _MAX_EVERYWHERE)
        self._begun = True
        # Half of the rest: to wake the thread costs, too, which it cannot measure.
        self._unused = max(0.0, _SHARE_EVERYWHERE - sum(spent) / pause) / 2
        return pause

    def after_growing(self, spent: PollCost) -> float:
        """Seconds from a poll of files that grow to the next."""
        return min(sum(spent) / (_SHARE_GROWING + self._unused), _SLOWEST)


class Follower:
    """One daemon thread. It ends with `stop`, the interpreter, or the last reference to the log directory."""

    def __init__(self, logs: weakref.ref[Followed], ending: threading.Event, interval: float) -> None:
        self.interval = interval
        """Seconds between polls of files that grow."""
        self._ending = ending
        self._logs = logs
        self._timetable = Timetable()
        self._next_everywhere = 0.0
        self._thread = threading.Thread(target=self._run, args=(logs,), name="tbwidget-follower", daemon=True)
        # A daemon thread that still runs while the interpreter is taken down may crash it.
        atexit.register(self.stop)
        self._thread.start()

    def stop(self) -> None:
        """End the thread and wait for it, unless it is the caller; a request that cannot be stopped, it ends after."""
        self._ending.set()
        atexit.unregister(self.stop)
        if self._thread is threading.current_thread():
            return
        begun = time.monotonic()
        give_up = begun + _PATIENCE
        while self._thread.is_alive() and time.monotonic() < give_up:
            logs = self._logs()
            if logs is not None:
                logs.stop_polling()
            self._thread.join(_PATIENCE_AFAR)
            if logs is not None and logs.is_waiting and time.monotonic() > begun + _PATIENCE_TO_STOP:
                return

    def _run(self, reference: weakref.ref[Followed]) -> None:
        while not self._ending.is_set():
            logs = reference()
            if logs is None:
                break
            try:
                rest = self._poll(logs)
            except Exception:  # noqa: BLE001 (a thread has nobody to raise it to, and goes on)
                log.exception("following %s failed", logs.path)
                rest = _AFTER_ERROR
            del logs  # so that it can go while this thread sleeps
            self._ending.wait(rest)
        atexit.unregister(self.stop)

    def _poll(self, logs: Followed) -> float:
        """Poll once; returns for how long to rest."""
        everywhere = time.monotonic() >= self._next_everywhere
        with nullcontext() if logs.ready else short_switch_interval():
            spent = poll(logs, everywhere=everywhere, ending=self._ending)
        now = time.monotonic()
        rest = 0.0
        if everywhere:
            self._next_everywhere = now + self._timetable.after_everywhere(spent)
        else:
            rest = self._timetable.after_growing(spent)
        until_everywhere = max(0.0, self._next_everywhere - now)
        return min(max(self.interval, rest) if logs.growing else _EVERYWHERE, until_everywhere)
