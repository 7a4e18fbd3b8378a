"""Reading by an executor's workers gives the values of this process, which reads itself if the executor fails."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tbwidget
from tbwidget.logs.engine import cache, executors
from tbwidget.records.files.storage import LocalFile, LocalStorage
from tests.support.cached import changed, cold, contents, settle
from tests.support.changing import append, changes, write_runs
from tests.support.corpus import CORPUS
from tests.support.eventfiles import NAME, event, histogram, simple
from tests.support.waiting import wait_for

NAMES = sorted(path.name for path in CORPUS.iterdir() if (path / "logs").is_dir())


@pytest.fixture(scope="module")
def pool() -> Iterator[Executor]:
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as made:
        yield made


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make even few and small files worth a task."""
    monkeypatch.setattr("tbwidget.logs.engine.executors.MIN_BYTES", 0)
    monkeypatch.setattr(executors, "_BATCH_FILES", 3)


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    write_runs(tmp_path / "logs", 20)
    settle(tmp_path / "logs")
    return tmp_path / "logs"


class Noted(Executor):
    """Passes tasks on to another executor, and records them."""

    def __init__(self, inner: Executor) -> None:
        self.inner = inner
        self.tasks: list[list[str]] = []
        self.answers: list[Future[Any]] = []
        self.most = 0

    _max_workers = 2

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.tasks.append([name for name, *_ in args[-1]])
        self.answers.append(self.inner.submit(function, *args, **kwargs))
        self.most = max(self.most, sum(not each.done() for each in self.answers))
        return self.answers[-1]


@pytest.mark.parametrize("name", NAMES)
def test_workers_read_the_corpus_as_this_process_does(name: str, pool: Executor) -> None:
    path = CORPUS / name / "logs"
    noted = Noted(pool)
    logs = tbwidget.load(path, executor=noted)
    assert contents(logs) == cold(path)
    assert noted.tasks
    assert not logs.refresh()


def test_batches_and_tasks_in_flight(logs: Path, pool: Executor) -> None:
    noted = Noted(pool)
    found = tbwidget.load(logs, executor=noted)
    assert contents(found) == cold(logs)
    assert sorted(name for task in noted.tasks for name in task) == sorted(f"run{run}/{NAME}" for run in range(20))
    assert max(map(len, noted.tasks)) == 3
    assert noted.most <= 4
    assert pool.submit(os.getpid).result() != os.getpid(), "it was not shut down"


def test_logs_that_grow(logs: Path, pool: Executor) -> None:
    found = tbwidget.load(logs, executor=pool)
    found.scalars("run1", "loss")
    append(logs / "run1" / NAME, event(1, 20, simple("loss", 20)), event(1, 0, simple("new", 1)))
    assert found.refresh()
    assert contents(found) == cold(logs)
    for what in changes(logs):
        assert found.refresh(), what
        assert contents(found) | {"numbers": None} == cold(logs) | {"numbers": None}, what


def polled(logs: tbwidget.LogDir) -> list[tbwidget.Changes]:
    """Poll as a follower does; return the changes."""
    return [step.changes for step in logs.source._reader.poll() if step.changes]


@pytest.mark.parametrize("is_forced", [False, True], ids=["followed", "refreshed"])
@pytest.mark.parametrize("is_recent", [False, True], ids=["old", "recent"])
def test_workers_read_appended_bytes(
    logs: Path, pool: Executor, monkeypatch: pytest.MonkeyPatch, *, is_forced: bool, is_recent: bool
) -> None:
    """A forced poll rereads an old file from its start: the reader did not keep its earlier bytes."""
    if is_recent:
        settle(logs, 1.0)
    noted = Noted(pool)
    found = tbwidget.load(logs, executor=noted)
    before = found.scalars("run1", "loss")
    noted.tasks.clear()
    parts = [event(1, 20, simple("loss", 20)), event(1, 0, simple("new", 1), histogram("h", [1.0, 2.0], [1.0, 3.0]))]
    for run in (1, 2):
        append(logs / f"run{run}" / NAME, *parts)
        settle(logs / f"run{run}", 1.0)
    opened: list[str] = []

    def open_noted(_: Any, path: str, **__: Any) -> LocalFile:
        opened.append(path)
        return LocalFile(path)

    monkeypatch.setattr(LocalStorage, "open", open_noted)
    told: list[tbwidget.Changes] = []
    if is_forced:
        found.source.subscribe(told.append)
        assert found.refresh()
    else:
        told = polled(found)
    assert noted.tasks == [[f"run1/{NAME}", f"run2/{NAME}"]]
    assert opened == [], "by this process"
    assert {each for each in changed(told) if each[1] == "run1"} == {
        *(("scalars", "run1", "loss"), ("scalars", "run1", "new"), ("histograms", "run1", "h"))
    }
    monkeypatch.undo()
    assert before.value.tolist() == list(range(20))
    assert contents(found) == cold(logs)
    noted.tasks.clear()
    assert polled(found) == []
    assert noted.tasks == []


def _growth(random: np.random.Generator, turns: int) -> Iterator[bytes]:
    """Yield appended bytes of a file: tags in cycles and out of them, restarts, temporarily incomplete records."""
    step, time, rest = 0, 0.0, b""
    for turn in range(turns):
        parts = [rest]
        for _ in range(int(random.integers(1, 60))):
            step, time = step + 1, time + 1.0
            if random.random() < 0.02:
                parts.append(event(time, step, start=True))
                step = max(0, step - 5)
            tags = ["a", "b", "c"] if random.random() < 0.8 else list(random.permutation(["c", "a", f"d{turn}"]))
            parts.append(event(time, step, *(simple(tag, float(random.normal())) for tag in tags)))
            if random.random() < 0.2:
                parts.append(event(time, step, histogram("h", [1.0, 2.0], [1.0, float(step)])))
        data = b"".join(parts)
        cut = len(data) - int(random.integers(0, 20)) * int(random.random() < 0.3)
        rest = data[cut:]
        yield data[:cut]


@pytest.mark.parametrize("seed", range(6))
def test_any_logs_that_grow_step_by_step(tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers and this process read in turn."""
    if seed % 2:
        for name, value in (("_MAX_PENDING", 64), ("_MIN_CHUNK_POINTS", 16)):
            monkeypatch.setattr(f"tbwidget.logs.engine.partitioning.{name}", value)
    random = np.random.default_rng(seed)
    path, logs = tmp_path / "logs" / "run" / NAME, tmp_path / "logs"
    path.parent.mkdir(parents=True)
    taken: list[bool] = []
    original = executors.take_over

    def noted(*args: Any) -> bool:
        taken.append(original(*args))
        return taken[-1]

    monkeypatch.setattr("tbwidget.logs.engine.reader.take_over", noted)
    path.write_bytes(b"")
    with ThreadPoolExecutor(1) as threads:
        found = tbwidget.load(logs, executor=threads)
        for data in _growth(random, 12):
            append(path, data)
            if random.random() < 0.3:
                found.refresh()
            else:
                is_small = random.random() < 0.2
                monkeypatch.setattr(executors, "MIN_BYTES", 1 << 20 if is_small else 0)
                polled(found)
                monkeypatch.setattr(executors, "MIN_BYTES", 0)
            assert found.problems == []
            assert contents(found) == cold(logs)
    assert sum(taken) >= 4


def test_a_writer_that_restarts_is_read_by_this_process(logs: Path) -> None:
    """New points alone do not tell in which session of the file the earlier ones were."""
    with ThreadPoolExecutor(1) as threads:
        found = tbwidget.load(logs, executor=threads)
        for parts in (
            [event(1, 5, simple("loss", -5))],
            [event(1, 0, start=True), event(1, 0, simple("other", 1))],
            [event(1, 0, start=True), event(1, 25, simple("loss", 25))],
        ):
            append(logs / "run1" / NAME, *parts)
        polled(found)
        assert contents(found) == cold(logs)
        assert found.scalars("run1", "loss").step.tolist() == [*range(20), 5, 25]


def test_workers_that_are_busy_do_not_delay_updates(logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ThreadPoolExecutor(1) as threads:
        noted = Noted(threads)
        found = tbwidget.load(logs, executor=noted)
        may_go = threading.Event()
        threads.submit(may_go.wait, 60)
        monkeypatch.setattr(executors, "_PATIENCE_FOR_GROWTH_S", 0.5)
        noted.tasks.clear()
        for step in (20, 21):
            append(logs / "run1" / NAME, event(1, step, simple("loss", step)))
            polled(found)
            assert contents(found) == cold(logs)
        assert noted.tasks == [[f"run1/{NAME}"]], "then not for a while"
        assert found.problems == []
        assert noted.answers[-1].cancelled()
        may_go.set()
        monkeypatch.setattr(found.source._reader._workers, "_resume_at", 0.0)
        append(logs / "run1" / NAME, event(1, 22, simple("loss", 22)))
        polled(found)
        assert len(noted.tasks) == 2
        assert contents(found) == cold(logs)


def test_subscribers_are_notified_of_data_that_workers_read(logs: Path, pool: Executor) -> None:
    found = tbwidget.LogDir(logs, executor=pool)
    told: list[tbwidget.Changes] = []
    found.source.subscribe(told.append)
    found.follow()
    try:
        wait_for(lambda: found.source.ready)
    finally:
        found.source.close()
    assert changed(told) == {("scalars", f"run{run}", "loss") for run in range(20)}


def test_small_logs_are_read_in_this_process(logs: Path, pool: Executor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tbwidget.logs.engine.executors.MIN_BYTES", 1 << 20)
    noted = Noted(pool)
    assert contents(tbwidget.load(logs, executor=noted)) == cold(logs)
    assert noted.tasks == []


def test_data_that_workers_read_are_cached(
    logs: Path, pool: Executor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TBWIDGET_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "_IDLE_S", 0)
    monkeypatch.setattr(cache, "MIN_READ_S", 1e-9)
    with tbwidget.load(logs, executor=pool):
        pass
    noted = Noted(pool)
    assert contents(tbwidget.load(logs, executor=noted)) == cold(logs)
    assert noted.tasks == []


class Unpicklable(Exception):  # noqa: N818 (not an error of ours)
    """Constructed with two arguments, and pickled with one."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__(one + two)


def _dies(*_: Any) -> None:
    os._exit(3)


def _raises(*_: Any) -> None:
    raise Unpicklable(1, 2)


def _answers_nonsense(*_: Any) -> Any:
    return ["", "not JSON", b""]


class Wrong(Noted):
    """Runs another function than the given one."""

    def __init__(self, inner: Executor, function: Callable[..., Any]) -> None:
        super().__init__(inner)
        self.function = function

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        return super().submit(self.function if len(self.tasks) == 1 else function, *args, **kwargs)


@pytest.mark.parametrize("function", [_dies, _raises, _answers_nonsense], ids=["dies", "raises", "nonsense"])
def test_a_worker_that_fails_is_one_problem(logs: Path, function: Callable[..., Any]) -> None:
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        found = tbwidget.load(logs, executor=Wrong(pool, function))
    (problem,) = found.problems
    assert (problem.path, problem.code) == (".", "executor-failed")
    assert contents(found) | {"problems": []} == cold(logs)
    append(logs / "run1" / NAME, event(1, 20, simple("loss", 20)))
    assert found.refresh()
    assert found.problems == [problem]


def test_an_executor_that_was_shut_down(logs: Path) -> None:
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    found = tbwidget.load(logs, executor=pool)
    assert [problem.code for problem in found.problems] == ["executor-failed"]
    assert contents(found) | {"problems": []} == cold(logs)


def test_a_worker_of_another_version(logs: Path) -> None:
    def other(_: Any, *rest: Any) -> Any:
        return executors.read_files((0, "0.0"), *rest)

    with ThreadPoolExecutor(1) as pool:
        found = tbwidget.load(logs, executor=Wrong(pool, other))
    assert [problem.arguments["detail"][:17] for problem in found.problems] == ["tbwidget 0.0 asks"]
    assert contents(found) | {"problems": []} == cold(logs)


def test_an_executor_that_never_answers(logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "_PATIENCE_S", 0.5)

    class Silent(Noted):
        def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:  # noqa: ARG002
            self.answers.append(Future())
            return self.answers[-1]

    silent = Silent(ThreadPoolExecutor(1))
    found = tbwidget.load(logs, executor=silent)
    assert [str(problem) for problem in found.problems] == [
        ".: the executor failed, so this process reads: no task ended within 0.5 s"
    ]
    assert all(each.cancelled() for each in silent.answers)
    assert contents(found) | {"problems": []} == cold(logs)


def test_a_stop_cancels_the_tasks(logs: Path) -> None:
    may_go = threading.Event()

    def waits(*args: Any) -> Any:
        may_go.wait(60)
        return executors.read_files(*args)

    with ThreadPoolExecutor(1) as pool:
        noted = Wrong(pool, waits)
        noted.submit = lambda _, *args, **kwargs: Noted.submit(noted, waits, *args, **kwargs)  # type: ignore[method-assign]
        found = tbwidget.LogDir(logs, executor=noted)
        thread = threading.Thread(target=found.refresh)
        thread.start()
        wait_for(lambda: len(noted.answers) == 4)
        found.source.stop()
        thread.join(60)
        assert not thread.is_alive()
        assert [each.cancelled() for each in noted.answers] == [False, True, True, True]
        may_go.set()
    assert found.refresh()
    assert contents(found)["runs"] == cold(logs)["runs"]


def test_something_else_than_an_executor() -> None:
    with pytest.raises(TypeError, match=r"concurrent\.futures\.Executor, not str"):
        tbwidget.LogDir(".", executor="2")


class Answering(Executor):
    """Answers every task with an exception, and refuses to cancel."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:  # noqa: ARG002
        made: Future[Any] = Future()
        made.cancel = self._refuse  # type: ignore[method-assign]
        made.set_exception(self.error)
        return made

    @staticmethod
    def _refuse() -> bool:
        raise RuntimeError("the client is closed")


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(1), ValueError("bad"), RuntimeError()])
def test_any_exception_of_an_executor_is_one_problem(logs: Path, error: BaseException) -> None:
    with tbwidget.load(logs, executor=Answering(error)) as found:
        (problem,) = found.problems
        assert problem.code == "executor-failed"
        assert {key: value for key, value in contents(found).items() if key != "problems"} == {
            key: value for key, value in cold(logs).items() if key != "problems"
        }
