"""Make slow blobs of items and documents in threads of their own, while everything else is sent."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from tbwidget.logs.threads import short_switch_interval, thread_time
from tbwidget.wire.plan import Priority
from tbwidget.wire.scheduler import OLDER_SHARE

if TYPE_CHECKING:
    from tbwidget.wire.content import Key

PREFETCH_TIME_S = 10.0
"""Seconds of a core that documents off the screen may take at once; after that they have `OLDER_SHARE`."""


class StoppedError(Exception):
    """The result is not wanted any more: the worker was stopped."""


_own = threading.local()


def unless_stopped() -> None:
    """Raise `StoppedError` in a worker's thread once that is stopped: what takes long to make calls this on its way."""
    worker: Worker | None = getattr(_own, "worker", None)
    if worker is not None and worker.is_stopped:
        raise StoppedError


class Made(NamedTuple):
    """The result of a job."""

    key: Key
    item: int
    """Id of its row; of a document, its revision on the wire."""
    priority: Priority
    content: bytes | BaseException
    """An error is what making it raised."""


Take = Callable[[Made], None]
"""Takes a result, in the thread that sends."""


@dataclass(slots=True)
class _Job:
    key: Key
    item: int
    priority: Priority
    make: Callable[[], bytes]
    take: Take


class Worker:
    """One thread, which makes one thing at a time: the most urgent first, then in the order asked for.

    A job of the same run and tag as the last one, and of another kind, goes before all jobs of its priority: the data
    that were read for one may serve the other. Jobs off the screen may take `prefetch_time` seconds of a core at
    once, blobs of older items none. Both have `OLDER_SHARE` of a core from then on.

    `wake` is called, by this thread, whenever something was made. All but `stop`, `join` and
    `is_stopped` is for the thread that sends.
    """

    def __init__(
        self, name: str, wake: Callable[[], object], results: deque[tuple[Take, Made]], prefetch_time: float
    ) -> None:
        self._name = name
        self._results = results
        self._wake = wake
        self._changed = threading.Condition(threading.Lock())
        self._jobs: dict[tuple[Key, int], _Job] = {}
        """Jobs that wait."""
        self._current: _Job | None = None
        self._row: set[Key] = set()
        """Keys of the last jobs, which all had the same run and tag."""
        self._at_once = {Priority.NEWEST_BLOB: prefetch_time, Priority.OLDER_BLOB: 0.0}
        self._settled_at = dict.fromkeys(self._at_once, float("-inf"))
        """When what each of these took so far keeps to its share; of the monotonic clock."""
        self._stopped = False
        self._thread: threading.Thread | None = None

    def submit(self, key: Key, item: int, priority: Priority, make: Callable[[], bytes], take: Take) -> None:
        """Have something made for `take`; if it is being made already, as urgently as this."""
        with self._changed:
            if self._stopped:
                return
            if self._thread is None:
                thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                thread.start()
                self._thread = thread
            job, current = self._jobs.get((key, item)), self._current
            if job is None and current is not None and (current.key, current.item) == (key, item):
                job = current
            if job is None:
                self._jobs[key, item] = _Job(key, item, priority, make, take)
            else:
                job.priority = min(job.priority, priority)
            self._changed.notify_all()

    def want(self, key: Key) -> None:
        """Raise the priority of a key that has come on the screen."""
        with self._changed:
            for job in self._asked():
                if job.key == key and job.priority == Priority.NEWEST_BLOB:
                    job.priority = Priority.VISIBLE_BLOB
            self._changed.notify_all()

    def withdraw(self, key: Key) -> set[int]:
        """Have nothing made of a key that was not begun; returns the items."""
        with self._changed:
            withdrawn = {item for other, item in self._jobs if other == key}
            for item in withdrawn:
                del self._jobs[key, item]
        return withdrawn

    def is_occupied(self, priority: Priority) -> bool:
        """Whether another one of this priority would not be the next, or would have to wait for its share of a core."""
        with self._changed:
            rests = self._settled_at.get(priority, float("-inf")) > time.monotonic()
            return rests or any(job.priority == priority for job in self._asked())

    def stop(self) -> None:
        """Make nothing more, and drop the current job."""
        with self._changed:
            self._stopped = True
            self._jobs.clear()
            self._changed.notify_all()

    def join(self, timeout: float) -> None:
        """Wait at most `timeout` seconds for the current job, after `stop`; not in its own thread."""
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout)

    @property
    def is_stopped(self) -> bool:
        """Nothing more is made. From any thread."""
        return self._stopped

    def _asked(self) -> list[_Job]:
        return [*self._jobs.values(), *([self._current] if self._current is not None else ())]

    def _run(self) -> None:
        _own.worker = self
        while self._make_next():
            pass

    def _make_next(self) -> bool:
        """Wait for something to make, and make it; False once it is stopped. Nothing of it is held on to."""
        job: _Job | None = None
        with self._changed:
            while not self._stopped and (job := self._next()) is None:
                self._changed.wait(self._rest())
            if self._stopped or job is None:
                return False
            self._row = {*self._row, job.key} if self._is_beside(job.key) else {job.key}
            self._current = self._jobs.pop((job.key, job.item))
        begun = thread_time()
        content = _content(job.make)
        seconds = thread_time() - begun
        with self._changed:
            self._current = None
            if self._stopped:
                return False
            self._settle(job.priority, seconds)
            self._results.append((job.take, Made(job.key, job.item, job.priority, content)))
        self._wake()
        return True

    def _next(self) -> _Job | None:
        now = time.monotonic()
        may_begin = (job for job in self._jobs.values() if self._settled_at.get(job.priority, now) <= now)
        return min(may_begin, key=lambda job: (job.priority, not self._is_beside(job.key)), default=None)

    def _is_beside(self, key: Key) -> bool:
        # Each kind once, or a run that keeps changing would keep all others waiting.
        return key not in self._row and any(key[1:] == other[1:] for other in self._row)

    def _rest(self) -> float | None:
        """Seconds until one may begin, where none may now; None where none waits."""
        settled_at = [self._settled_at[job.priority] for job in self._jobs.values()]
        return max(0.0, min(settled_at) - time.monotonic()) if settled_at else None

    def _settle(self, priority: Priority, seconds: float) -> None:
        if priority in self._settled_at:
            earliest = time.monotonic() - self._at_once[priority] / OLDER_SHARE
            self._settled_at[priority] = max(self._settled_at[priority], earliest) + seconds / OLDER_SHARE


class Workers:
    """The workers of one board: two, since a large document takes seconds, for which no blob is to wait."""

    def __init__(self, wake: Callable[[], object]) -> None:
        self.results: deque[tuple[Take, Made]] = deque()
        """Results, each with the function that takes it. For the thread that sends."""
        # Blobs of newest items are bounded by what may be prefetched of them.
        self.items = Worker("tbwidget-items", wake, self.results, prefetch_time=float("inf"))
        self.documents = Worker("tbwidget-documents", wake, self.results, prefetch_time=PREFETCH_TIME_S)

    def close(self, timeout: float) -> None:
        """Make nothing more, and wait at most `timeout` seconds for what each is making, which is dropped."""
        for worker in (self.items, self.documents):
            worker.stop()
        for worker in (self.items, self.documents):
            worker.join(timeout)


def _content(make: Callable[[], bytes]) -> bytes | BaseException:
    try:
        with short_switch_interval():  # beside a busy cell, waits for Python's lock are what takes longest
            return make()
    except BaseException as error:  # noqa: BLE001 (a library may raise SystemExit, or a panic of its own)
        return error.with_traceback(None)  # which would hold everything the result was made of
