"""Reading by the workers of other packages: Dask's LocalCluster, and loky."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import tbwidget
from tbwidget.logs.engine import executors
from tbwidget.records.files.storage import LocalFile, LocalStorage
from tests.support.cached import cold, contents, settle
from tests.support.changing import append, write_runs
from tests.support.corpus import CORPUS
from tests.support.eventfiles import NAME, event, simple

distributed = pytest.importorskip("distributed")
loky = pytest.importorskip("loky")
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=2, dashboard_address=None, silence_logs=logging.CRITICAL
        ) as cluster,
        distributed.Client(cluster) as made,
    ):
        yield made


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make even few and small files worth a task."""
    monkeypatch.setattr("tbwidget.logs.engine.executors.MIN_BYTES", 0)
    monkeypatch.setattr(executors, "_BATCH_FILES", 3)


@pytest.mark.parametrize("name", ["torch_all_kinds", "tf2_plugins", "corrupt_files"])
def test_a_client_of_dask(name: str, client: Any) -> None:
    logs = tbwidget.load(CORPUS / name / "logs", executor=client)
    assert contents(logs) == cold(CORPUS / name / "logs")
    assert client.status == "running", "it stays the caller's"


def test_the_same_path_is_read_again_by_dask(tmp_path: Path, client: Any) -> None:
    """Dask would return the cached answer of a pure task."""
    write_runs(tmp_path, 8)
    settle(tmp_path)
    for step in range(20, 23):
        logs = tbwidget.load(tmp_path, executor=client)
        assert logs.problems == []
        assert contents(logs) == cold(tmp_path)
        append(tmp_path / "run1" / NAME, event(1, step, simple("loss", step)))
        settle(tmp_path)


def test_growth_is_read_by_dask(tmp_path: Path, client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    write_runs(tmp_path, 8)
    settle(tmp_path)
    logs = tbwidget.load(tmp_path, executor=client)
    opened: list[str] = []

    def open_noted(_: Any, path: str, **__: Any) -> LocalFile:
        opened.append(path)
        return LocalFile(path)

    monkeypatch.setattr(LocalStorage, "open", open_noted)
    append(tmp_path / "run1" / NAME, event(1, 20, simple("loss", 20)), event(1, 0, simple("new", 1)))
    settle(tmp_path / "run1")
    assert [step.changes.series for step in logs.source._reader.poll() if step.changes] == [
        {("scalars", "run1", "loss"), ("scalars", "run1", "new")}
    ]
    assert opened == [], "by this process"
    assert contents(logs) == cold(tmp_path)


def _dies_once(marker: str, *args: Any) -> Any:
    """Kill the worker's process during the first task."""
    try:
        os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return executors.read_files(*args)
    executors.read_files(*args)
    os.kill(os.getpid(), signal.SIGKILL)
    return None


def _dies(*_: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Killing:
    """A client whose executor runs another function."""

    def __init__(self, client: Any, function: Callable[..., Any]) -> None:
        self.client, self.function, self.nthreads = client, function, client.nthreads

    def get_executor(self, **options: Any) -> Any:
        executor = self.client.get_executor(**options)
        submit = executor.submit
        executor.submit = lambda _, *args: submit(self.function, *args)
        return executor


def test_a_task_whose_worker_is_killed_is_carried_out_by_another(tmp_path: Path, client: Any) -> None:
    write_runs(tmp_path / "logs", 8)
    settle(tmp_path / "logs")
    before = set(client.scheduler_info()["workers"])
    function = partial(_dies_once, str(tmp_path / "marker"))
    logs = tbwidget.load(tmp_path / "logs", executor=Killing(client, function))
    assert (tmp_path / "marker").exists()
    assert logs.problems == []
    assert contents(logs) == cold(tmp_path / "logs")
    client.wait_for_workers(2, timeout=60)
    assert set(client.scheduler_info()["workers"]) != before, "a worker died"


def test_tasks_that_kill_each_worker_are_one_problem(
    tmp_path: Path, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_runs(tmp_path, 3)
    settle(tmp_path)
    monkeypatch.setattr(client.cluster.scheduler, "allowed_failures", 0)  # the default is 3, each with a new worker
    logs = tbwidget.load(tmp_path, executor=Killing(client, _dies))
    (problem,) = logs.problems
    assert problem.code == "executor-failed"
    assert "KilledWorker" in str(problem)
    assert contents(logs) | {"problems": []} == cold(tmp_path)
    client.wait_for_workers(2, timeout=60)
    assert client.submit(abs, -1).result() == 1, "it goes on"


def test_loky(tmp_path: Path) -> None:
    write_runs(tmp_path, 8)
    settle(tmp_path)
    pool = loky.get_reusable_executor(max_workers=2)
    try:
        logs = tbwidget.load(tmp_path, executor=pool)
        assert logs.problems == []
        assert contents(logs) == cold(tmp_path)
    finally:
        pool.shutdown()
