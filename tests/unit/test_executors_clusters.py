"""Reading by the workers of other packages: Dask's LocalCluster, loky; from S3 by the workers themselves."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tbwidget
from tbwidget.logs.engine import executors
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
    """Few and small files are worth tasks."""
    monkeypatch.setattr("tbwidget.logs.engine.reader.MIN_BYTES", 0)
    monkeypatch.setattr(executors, "_BATCH_FILES", 3)


@pytest.mark.parametrize("name", ["torch_all_kinds", "tf2_plugins", "corrupt_files"])
def test_a_client_of_dask(name: str, client: Any) -> None:
    logs = tbwidget.load(CORPUS / name / "logs", executor=client)
    assert contents(logs) == cold(CORPUS / name / "logs")
    assert client.status == "running", "it stays the caller's"


def test_the_same_path_is_read_again_by_dask(tmp_path: Path, client: Any) -> None:
    """A pure task would give the old answer."""
    write_runs(tmp_path, 8)
    settle(tmp_path)
    for step in range(20, 23):
        logs = tbwidget.load(tmp_path, executor=client)
        assert logs.problems == []
        assert contents(logs) == cold(tmp_path)
        append(tmp_path / "run1" / NAME, event(1, step, simple("loss", step)))
        settle(tmp_path)


def test_a_worker_of_dask_that_dies(tmp_path: Path, client: Any) -> None:
    write_runs(tmp_path, 8)
    settle(tmp_path)
    client.restart()
    worker = next(iter(client.nthreads()))
    client.retire_workers([worker], close_workers=True)
    logs = tbwidget.load(tmp_path, executor=client)
    assert contents(logs) == cold(tmp_path)


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
