"""Make slow blobs of items and documents in threads of their own, while everything else is sent."""

from __future__ import annotations

import threading
import time
from collections import deque
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from tbwidget.logs.threads import short_switch_interval, thread_time
from tbwidget.wire.plan import OLDER_SHARE, Priority

if TYPE_CHECKING:
    from collections.abc import Callable

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


Take: TypeAlias = "Callable[[Key, int, Priority, bytes | BaseException], None]"
"""Takes key, item and priority of a job, and what it made or raised, in the thread that sends."""


@dataclass(slots=True)
class _Job:
    key: Key
    item: int
    """Id of its row; of a document, its revision on the wire."""
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
        self, name: str, wake: Callable[[], object], results: deque[Callable[[], None]], prefetch_time: float
    ) -> None:
        self._name = name
        self._results = results
        self._wake = wake
        self._changed = threading.Condition(threading.Lock())
        self._jobs: dict[tuple[Key, int], _Job] = {}
        """Jobs that wait, and the current one."""
        self._current: _Job | None = None
        self._row: set[Key] = set()
        """Keys of the last jobs, which all had the same run and tag."""
        self._at_once = {Priority.NEWEST_BLOB: prefetch_time, Priority.OLDER_BLOB: 0.0}
        self._settled_at = dict.fromkeys(self._at_once, float("-inf"))
        """When what each of these took so far keeps to its share; of the monotonic clock."""
        self.is_stopped = False
        """Nothing more is made. From any thread."""
        self._thread: threading.Thread | None = None

    def submit(self, key: Key, item: int, priority: Priority, make: Callable[[], bytes], take: Take) -> None:
        """Have something made for `take`; if it is being made already, as urgently as this."""
        with self._changed:
            if self.is_stopped:
                return
            if self._thread is None:
                thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                thread.start()
                self._thread = thread
            if (job := self._jobs.get((key, item))) is None:
                self._jobs[key, item] = _Job(key, item, priority, make, take)
            else:
                job.priority = min(job.priority, priority)
            self._changed.notify_all()

    def want(self, key: Key) -> None:
        """Raise the priority of a key that has come on the screen."""
        with self._changed:
            for job in self._jobs.values():
                if job.key == key and job.priority == Priority.NEWEST_BLOB:
                    job.priority = Priority.VISIBLE_BLOB
            self._changed.notify_all()

    def withdraw(self, key: Key) -> set[int]:
        """Have nothing made of a key that was not begun; returns the items."""
        with self._changed:
            withdrawn = {job.item for job in self._jobs.values() if job.key == key and job is not self._current}
            for item in withdrawn:
                del self._jobs[key, item]
        return withdrawn

    def is_occupied(self, priority: Priority) -> bool:
        """Whether another one of this priority would not be the next, or would have to wait for its share of a core."""
        with self._changed:
            rests = self._settled_at.get(priority, float("-inf")) > time.monotonic()
            return rests or any(job.priority == priority for job in self._jobs.values())

    def stop(self) -> None:
        """Make nothing more, and drop the current job."""
        with self._changed:
            self.is_stopped = True
            self._jobs = {name: job for name, job in self._jobs.items() if job is self._current}
            self._changed.notify_all()

    def join(self, timeout: float) -> None:
        """Wait at most `timeout` seconds for the current job, after `stop`; not in its own thread."""
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout)

    def _run(self) -> None:
        _own.worker = self
        while self._make_next():
            pass

    def _make_next(self) -> bool:
        """Wait for something to make, and make it; False once it is stopped. Nothing of it is held on to."""
        job: _Job | None = None
        with self._changed:
            while not self.is_stopped and (job := self._next()) is None:
                self._changed.wait(self._rest())
            if self.is_stopped or job is None:
                return False
            self._row = {*self._row, job.key} if self._is_beside(job.key) else {job.key}
            self._current = job
        begun = thread_time()
        content: bytes | BaseException
        try:
            with short_switch_interval():  # beside a busy cell, waits for Python's lock are what takes longest
                content = job.make()
        except BaseException as error:  # noqa: BLE001 (a library may raise SystemExit, or a panic of its own)
            content = error.with_traceback(None)  # which would hold everything the result was made of
        seconds = thread_time() - begun
        with self._changed:
            self._current = None
            self._jobs.pop((job.key, job.item), None)
            if self.is_stopped:
                return False
            if (priority := job.priority) in self._settled_at:
                earliest = time.monotonic() - self._at_once[priority] / OLDER_SHARE
                self._settled_at[priority] = max(self._settled_at[priority], earliest) + seconds / OLDER_SHARE
            self._results.append(partial(job.take, job.key, job.item, job.priority, content))
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


class Workers:
    """The workers of one board: two, since a large document takes seconds, for which no blob is to wait."""

    def __init__(self, wake: Callable[[], object]) -> None:
        self.results: deque[Callable[[], None]] = deque()
        """Calls that take one result each. For the thread that sends."""
        # Blobs of newest items are bounded by what may be prefetched of them.
        self.items = Worker("tbwidget-items", wake, self.results, prefetch_time=float("inf"))
        self.documents = Worker("tbwidget-documents", wake, self.results, prefetch_time=PREFETCH_TIME_S)

    def close(self, timeout: float) -> None:
        """Make nothing more, and wait at most `timeout` seconds for what each is making, which is dropped."""
        for worker in (self.items, self.documents):
            worker.stop()
        for worker in (self.items, self.documents):
            worker.join(timeout)
