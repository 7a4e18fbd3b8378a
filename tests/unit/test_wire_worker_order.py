"""The order of a worker's jobs, the recipients of its results, and its end."""

from __future__ import annotations

import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest

from tbwidget.wire import worker as module
from tbwidget.wire.content import Key
from tbwidget.wire.plan import Priority
from tbwidget.wire.worker import Worker, Workers
from tests.support.waiting import PATIENCE, wait_for

UPDATE, WANTED, NEWEST, OLDER = Priority.UPDATE_BLOB, Priority.VISIBLE_BLOB, Priority.NEWEST_BLOB, Priority.OLDER_BLOB


class Made(NamedTuple):
    """The result of one job."""

    key: Key
    item: int
    priority: Priority
    content: bytes | BaseException


class Worked:
    """A worker, its started jobs, and its results."""

    def __init__(self, prefetch_time: float = float("inf")) -> None:
        self.begun: list[str] = []
        self.made: list[Made] = []
        self.wakes = 0
        self.go_on = threading.Event()
        self.results: deque[Callable[[], None]] = deque()
        self.worker = Worker("tbwidget-tested", self._wake, self.results, prefetch_time)
        self._items = 0

    def _wake(self) -> None:
        self.wakes += 1

    def submit(self, name: str, priority: Priority = NEWEST, *, item: int | None = None, seconds: float = 0.0) -> int:
        """Submit a job whose kind and run are the first two letters of its name."""

        def make() -> bytes:
            self.begun.append(name)
            assert self.go_on.wait(PATIENCE)
            end = time.thread_time() + seconds
            while time.thread_time() < end:
                pass
            return name.encode()

        if item is None:
            self._items = item = self._items + 1
        self.worker.submit(Key(name[0], name[1], ""), item, priority, make, self.keep)
        return item

    def keep(self, key: Key, item: int, priority: Priority, content: bytes | BaseException) -> None:
        """Take a result."""
        self.made.append(Made(key, item, priority, content))

    def hold(self) -> None:
        """Keep the worker busy until it may go on."""
        self.submit("-- held", UPDATE)
        wait_for(lambda: self.begun)
        self.begun.clear()

    def take(self, count: int) -> list[Made]:
        """Wait for `count` results, and return all."""

        def is_there() -> bool:
            while self.results:
                self.results.popleft()()
            return len(self.made) >= count

        wait_for(is_there)
        return self.made


@pytest.fixture
def worked() -> Iterator[Worked]:
    made = Worked()
    yield made
    end(made)


def end(worked: Worked) -> None:
    worked.go_on.set()
    worked.worker.stop()
    worked.worker.join(PATIENCE)
    assert "tbwidget-tested" not in [thread.name for thread in threading.enumerate()]


def test_the_most_urgent_is_made_first_and_nothing_after_the_end(worked: Worked) -> None:
    worked.hold()
    older = worked.submit("pa older", OLDER)
    updates = worked.submit("pa updates", UPDATE)
    withdrawn = worked.submit("pb withdrawn", NEWEST)
    assert worked.worker.withdraw(Key("p", "b", "")) == {withdrawn}
    assert (worked.worker.is_occupied(OLDER), worked.worker.is_occupied(WANTED)) == (True, False)
    worked.go_on.set()
    assert [made.item for made in worked.take(3)][1:] == [updates, older]
    assert worked.made[1] == Made(Key("p", "a", ""), updates, UPDATE, b"pa updates")
    assert worked.begun == ["pa updates", "pa older"]
    wait_for(lambda: worked.wakes == 3)
    worked.worker.stop()
    worked.submit("pa late", UPDATE)
    assert not worked.worker.is_occupied(UPDATE)


def test_jobs_with_data_already_read_come_before_jobs_of_equal_urgency(worked: Worked) -> None:
    worked.hold()
    items = [worked.submit(kind + run) for kind in "rs" for run in "abc"]
    worked.submit("sc", WANTED, item=items[-1])
    worked.go_on.set()
    assert [made.priority for made in worked.take(7)][1:] == [WANTED, *[NEWEST] * 5]
    assert worked.begun == ["sc", "rc", "ra", "sa", "rb", "sb"]


def test_a_run_that_keeps_changing_keeps_no_other_waiting(worked: Worked) -> None:
    worked.hold()
    for name in ("ra 1", "sa 1", "rb 1", "ra 2", "sa 2", "sb 1"):
        worked.submit(name)
    worked.go_on.set()
    worked.take(7)
    assert worked.begun == ["ra 1", "sa 1", "rb 1", "sb 1", "ra 2", "sa 2"]


def test_a_job_submitted_again_runs_once_with_its_highest_urgency(worked: Worked) -> None:
    item = worked.submit("pa", NEWEST)
    wait_for(lambda: worked.begun)
    worked.submit("pa", WANTED, item=item)
    worked.submit("pa", OLDER, item=item)
    waits = worked.submit("pb", OLDER)
    worked.submit("pb", UPDATE, item=waits)
    assert not worked.worker.is_occupied(OLDER)
    worked.go_on.set()
    assert [(made.item, made.priority) for made in worked.take(2)] == [(item, WANTED), (waits, UPDATE)]
    assert worked.begun == ["pa", "pb"]


def test_older_items_take_their_share_of_a_core(worked: Worked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "OLDER_SHARE", 1e-6)
    worked.hold()
    worked.submit("pa older", OLDER, seconds=0.05)
    worked.submit("pb older", OLDER)
    worked.go_on.set()
    worked.take(2)
    worked.submit("pc newest", NEWEST, seconds=0.05)
    worked.submit("pd newest", NEWEST)
    worked.take(4)
    assert worked.begun == ["pa older", "pc newest", "pd newest"]
    assert worked.worker.is_occupied(OLDER)
    assert worked.worker.withdraw(Key("p", "b", "")), "it waits"
    assert worked.worker.is_occupied(OLDER), "another one would have to wait, too"


def test_invisible_items_are_limited_to_their_share_after_their_initial_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "OLDER_SHARE", 1e-6)
    worked = Worked(prefetch_time=0.1)
    worked.go_on.set()
    worked.submit("ra first", NEWEST, seconds=0.04)
    worked.submit("rb long", NEWEST, seconds=0.1)
    worked.take(2)
    worked.submit("rc unasked", NEWEST)
    worked.submit("rd unasked", NEWEST)
    worked.submit("re asked", UPDATE)
    worked.take(3)
    worked.worker.want(Key("r", "d", ""))
    worked.take(4)
    assert worked.begun == ["ra first", "rb long", "re asked", "rd unasked"]
    end(worked)


def test_results_are_not_kept(worked: Worked) -> None:
    class Large:
        pass

    def submit(run: str, *, fails: bool) -> weakref.ref[Large]:
        large = Large()

        def make(held: Large = large) -> bytes:
            assert isinstance(held, Large)
            if fails:
                raise ValueError("too large")
            return b""

        worked.worker.submit(Key("p", run, ""), 0, NEWEST, make, worked.keep)
        return weakref.ref(large)

    held = [submit("a", fails=False), submit("b", fails=True)]
    (made, failed) = worked.take(2)
    assert made.content == b""
    assert str(failed.content) == "too large"
    wait_for(lambda: [one() for one in held] == [None, None])


def test_a_running_job_is_dropped_when_the_worker_ends(worked: Worked) -> None:
    worked.submit("pa")
    worked.submit("pb")
    wait_for(lambda: worked.begun)
    worked.worker.stop()
    worked.worker.join(0.0)
    assert worked.worker.is_occupied(NEWEST), "its thread is still at it"
    worked.go_on.set()
    worked.worker.join(PATIENCE)
    assert not worked.results
    assert (worked.begun, worked.made, worked.wakes) == (["pa"], [], 0)


def test_a_board_ends_both_of_its_threads() -> None:
    workers, go_on, begun = Workers(lambda: None), threading.Event(), threading.Semaphore(0)

    def make() -> bytes:
        begun.release()
        assert go_on.wait(PATIENCE)
        return b""

    for worker in (workers.items, workers.documents):
        for item in range(2):
            worker.submit(Key("p", "a", ""), item, NEWEST, make, print)
    for _ in range(2):
        assert begun.acquire(timeout=PATIENCE), "neither waits for the other"
    workers.close(0.0)
    go_on.set()
    workers.close(PATIENCE)
    assert not begun.acquire(blocking=False)
    assert not [thread for thread in threading.enumerate() if thread.name in ("tbwidget-items", "tbwidget-documents")]
