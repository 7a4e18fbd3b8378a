"""UMAP and t-SNE in their own processes: results, progress, failures, and the end of each process with its last user.

A module that replaces umap-learn decides what the process does; tests/projections uses the real libraries.
"""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import tbwidget
from tbwidget.panels import projector_jobs
from tbwidget.panels.projector_jobs import Floats, Jobs, Progress, Result, Task, parameters_for
from tbwidget.wire.content import Refusal
from tests.support.waiting import wait_for

VECTORS = np.random.default_rng(0).normal(size=(12, 5)).astype(np.float32)

PLACES = """
import numpy
def places(model, vectors):
    return vectors[:, : model.options["n_components"]] * 10
"""

Library = Callable[[str], None]


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Library:
    """Puts a module `umap` on the path whose last call runs the given body."""

    def put(body: str) -> None:
        (tmp_path / "umap.py").write_text(
            PLACES
            + "class UMAP:\n"
            + "    def __init__(self, **options): self.options = options\n"
            + "    def fit(self, vectors): return self\n"
            + "    def fit_transform(self, vectors):\n"
            + textwrap.indent(textwrap.dedent(body), "        ")
        )

    monkeypatch.syspath_prepend(str(tmp_path))
    return put


@pytest.fixture
def jobs() -> Iterator[Jobs]:
    made = Jobs()
    yield made
    running = made.running()
    made.stop_all()
    for job in running:
        job.thread.join(10)
        assert not job.thread.is_alive()


@pytest.fixture
def logs(tmp_path: Path) -> tbwidget.LogDir:
    return tbwidget.load(tmp_path)


def task(digest: str = "a", dimensions: int = 2, **asked: object) -> Task:
    return Task(digest, "umap", dimensions, parameters_for("umap", 12, asked))


def finished(jobs: Jobs, wanted: Task, logs: tbwidget.LogDir, vectors: Floats = VECTORS) -> Result:
    """Wait for the result."""
    found: list[Result] = []

    def is_done() -> bool:
        answer = jobs.ask(wanted, lambda: vectors, logs)
        found.extend([answer] if isinstance(answer, Result) else [])
        return bool(found)

    wait_for(is_done)
    return found[0]


def ended(pid: int) -> bool:
    """Return whether the process has ended; a zombie that its parent has not waited for yet counts as ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def test_finite_rows_have_places(library: Library, jobs: Jobs, logs: tbwidget.LogDir) -> None:
    library("assert numpy.isfinite(vectors).all() and vectors.dtype == 'float32'\nreturn places(self, vectors)")
    vectors = VECTORS.copy()
    vectors[3, 1], vectors[7, 0] = np.nan, np.inf
    jobs.hold(logs)
    result = finished(jobs, task(dimensions=3), logs, vectors)
    expected = vectors.T[:3] * 10
    expected[:, [3, 7]] = np.nan
    np.testing.assert_array_equal(result.coordinates, expected)
    assert (result.used, result.coordinates.dtype.name, result.coordinates.flags.writeable) == (10, "float32", False)


def test_a_vector_of_zeros_has_no_direction(library: Library, jobs: Jobs, logs: tbwidget.LogDir) -> None:
    library("assert vectors.any(axis=1).all()\nreturn places(self, vectors)")
    vectors = VECTORS.copy()
    vectors[5] = 0
    jobs.hold(logs)
    result = finished(jobs, task(metric="cosine"), logs, vectors)
    assert result.used == 11
    assert np.isnan(result.coordinates[:, 5]).all()


def test_a_point_that_the_library_places_nowhere(library: Library, jobs: Jobs, logs: tbwidget.LogDir) -> None:
    library("found = places(self, vectors)\nfound[2, 1] = numpy.nan\nreturn found")
    jobs.hold(logs)
    result = finished(jobs, task(), logs)
    assert np.isnan(result.coordinates[:, 2]).all()
    assert result.used == 11


def test_the_library_gets_the_parameters(library: Library, jobs: Jobs, logs: tbwidget.LogDir) -> None:
    library(
        "o = self.options\n"
        "expected = (7, 0.25, 'cosine', 2, 0)\n"
        "found = (o['n_neighbors'], o['min_dist'], o['metric'], o['n_components'], o['random_state'])\n"
        "assert found == expected, found\n"
        "return places(self, vectors)"
    )
    jobs.hold(logs)
    finished(jobs, task(neighbors=7, min_dist=0.25, metric="cosine"), logs)


def test_epochs_are_reported(library: Library, jobs: Jobs, logs: tbwidget.LogDir, tmp_path: Path) -> None:
    library(
        "import os, time\n"
        "bar = self.options['tqdm_kwds']['file']\n"
        "bar.write('\\r120/200')\n"
        f"while not os.path.exists({str(tmp_path / 'go')!r}): time.sleep(0.01)\n"
        "print('noise on the output')\n"
        "return places(self, vectors)"
    )
    jobs.hold(logs)
    seen: list[Progress] = []

    def is_half_way() -> bool:
        answer = jobs.ask(task(), lambda: VECTORS, logs)
        assert isinstance(answer, Progress)
        seen.append(answer)
        return answer.phase == "layout"

    wait_for(is_half_way)
    assert seen[-1] == Progress("layout", 120, 200)
    assert (seen[-1].share, seen[-1].text) == (0.6, "step 120 of 200")
    assert (seen[0].share, seen[0].phase in ("waiting", "starting")) == (None, True)
    (tmp_path / "go").touch()
    finished(jobs, task(), logs)


def test_a_task_is_computed_once(library: Library, jobs: Jobs, logs: tbwidget.LogDir, tmp_path: Path) -> None:
    library(f"open({str(tmp_path / 'calls')!r}, 'a').write('x')\nreturn places(self, vectors)")
    jobs.hold(logs)
    for _ in range(3):
        jobs.ask(task(), lambda: VECTORS, logs)
    assert len(jobs.running()) == 1
    result = finished(jobs, task(), logs)
    assert jobs.ask(task(), lambda: pytest.fail("read again"), logs) is result
    assert finished(jobs, task(neighbors=3), logs) is not result
    assert (tmp_path / "calls").read_text() == "xx"


def test_kept_results_are_bounded(
    library: Library, jobs: Jobs, logs: tbwidget.LogDir, monkeypatch: pytest.MonkeyPatch
) -> None:
    library("return places(self, vectors)")
    monkeypatch.setattr(projector_jobs, "MAX_RESULT_BYTES", 2 * 2 * 4 * len(VECTORS))
    jobs.hold(logs)
    for digest in ("a", "b", "a", "c"):
        finished(jobs, task(digest), logs)
    assert [digest for digest in "abc" if jobs.result(task(digest))] == ["a", "c"]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("raise ValueError('no such metric')", "UMAP failed: ValueError: no such metric"),
        ("return vectors[:, :1]", "UMAP failed: ValueError: the library made an array of shape (12, 1)"),
        (
            "import os; os.kill(os.getpid(), 9)",
            "UMAP failed: its process was killed; perhaps the memory was not enough",
        ),
        ("return vectors[:, :2] * numpy.nan", "UMAP failed: the library gives no point a place"),
        ("import os; os._exit(3)", "UMAP failed: its process ended with status 3"),
    ],
)
def test_failures_are_told_once(
    library: Library, jobs: Jobs, logs: tbwidget.LogDir, body: str, text: str, tmp_path: Path
) -> None:
    library(body)
    jobs.hold(logs)
    with pytest.raises(Refusal) as refused:
        finished(jobs, task(), logs)
    assert str(refused.value) == text
    (tmp_path / "umap.py").unlink()
    library("return places(self, vectors)")
    assert finished(jobs, task(), logs).used == 12


@pytest.mark.parametrize(("method", "package"), [("umap", "umap-learn"), ("tsne", "openTSNE")])
def test_a_missing_package_is_named(
    jobs: Jobs, logs: tbwidget.LogDir, monkeypatch: pytest.MonkeyPatch, method: str, package: str
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    monkeypatch.delitem(sys.modules, {"umap": "umap", "tsne": "openTSNE"}[method], raising=False)
    jobs.hold(logs)
    with pytest.raises(Refusal, match=rf"needs the package {package}: pip install \"tbwidget\[projector\]\""):
        jobs.ask(Task("a", method, 2, ()), lambda: pytest.fail("read for nothing"), logs)
    assert jobs.running() == []


BUSY = "sum(range(10**12))"  # never releases the GIL


def running_pid(jobs: Jobs, wanted: Task, logs: tbwidget.LogDir) -> int:
    """Return the process id, once the library is computing in it."""

    def is_computing() -> bool:
        answer = jobs.ask(wanted, lambda: VECTORS, logs)
        return isinstance(answer, Progress) and answer.phase == "neighbors"

    wait_for(is_computing)
    (job,) = (job for job in jobs.running() if job.task == wanted)
    assert job.pid is not None
    assert not ended(job.pid)
    return job.pid


def test_a_stopped_task_ends_its_process(library: Library, jobs: Jobs, logs: tbwidget.LogDir) -> None:
    library(BUSY)
    jobs.hold(logs)
    pid = running_pid(jobs, task(), logs)
    assert os.getpriority(os.PRIO_PROCESS, pid) > os.getpriority(os.PRIO_PROCESS, 0)
    jobs.stop(task())
    wait_for(lambda: ended(pid))
    assert (jobs.running(), jobs.result(task())) == ([], None)
    jobs.stop(task())


def test_a_closed_dashboard_keeps_no_task_running(
    library: Library, jobs: Jobs, logs: tbwidget.LogDir, tmp_path: Path
) -> None:
    library(BUSY)
    release = jobs.hold(logs)
    pid = running_pid(jobs, task(), logs)
    with pytest.raises(Refusal, match="canceled"):
        jobs.ask(task(), lambda: VECTORS, closed := tbwidget.load(tmp_path))
    (job,) = jobs.running()
    assert closed not in job.users
    release()
    wait_for(lambda: ended(pid))


def test_tasks_wait_for_one_another(
    library: Library, jobs: Jobs, logs: tbwidget.LogDir, monkeypatch: pytest.MonkeyPatch
) -> None:
    library(BUSY)
    jobs.hold(logs)
    for digest in ("a", "b"):
        running_pid(jobs, task(digest), logs)
    waiting = jobs.ask(task("c"), lambda: VECTORS, logs)
    assert waiting == Progress("waiting")
    monkeypatch.setattr(projector_jobs, "MAX_TASKS", 3)
    with pytest.raises(Refusal, match="too many requests"):
        jobs.ask(task("d"), lambda: VECTORS, logs)
    jobs.stop(task("a"))
    running_pid(jobs, task("c"), logs)


def test_an_abandoned_task_gives_way(
    library: Library, jobs: Jobs, logs: tbwidget.LogDir, monkeypatch: pytest.MonkeyPatch
) -> None:
    library(BUSY)
    jobs.hold(logs)
    pids = [running_pid(jobs, task(digest), logs) for digest in ("a", "b")]
    monkeypatch.setattr(projector_jobs, "ABANDONED_S", 0.5)

    def b_and_c_are_asked_for() -> bool:
        jobs.ask(task("b"), lambda: VECTORS, logs)
        answer = jobs.ask(task("c"), lambda: VECTORS, logs)
        return isinstance(answer, Progress) and answer.phase == "neighbors"

    wait_for(b_and_c_are_asked_for)
    assert [ended(pid) for pid in pids] == [True, False]
    assert {job.task.digest for job in jobs.running()} == {"b", "c"}


def test_nothing_gives_way_while_nothing_is_asked(
    library: Library, jobs: Jobs, logs: tbwidget.LogDir, monkeypatch: pytest.MonkeyPatch
) -> None:
    library(BUSY)
    jobs.hold(logs)
    pids = [running_pid(jobs, task(digest), logs) for digest in ("a", "b")]
    jobs.ask(task("c"), lambda: VECTORS, logs)
    monkeypatch.setattr(projector_jobs, "ABANDONED_S", 0.0)
    time.sleep(1)
    assert [ended(pid) for pid in pids] == [False, False]


def test_a_process_ends_with_the_last_dashboard_of_its_logs(
    library: Library, jobs: Jobs, logs: tbwidget.LogDir, tmp_path: Path
) -> None:
    library(BUSY)
    other = tbwidget.load(tmp_path)
    first, second, of_other = jobs.hold(logs), jobs.hold(logs), jobs.hold(other)
    pid, shared = running_pid(jobs, task("a"), logs), running_pid(jobs, task("b"), logs)
    jobs.ask(task("b"), lambda: VECTORS, other)
    first()
    assert not ended(pid)
    second()
    wait_for(lambda: ended(pid))
    assert not ended(shared)
    with pytest.raises(Refusal, match="canceled"):
        jobs.ask(task("a"), lambda: VECTORS, logs)
    of_other()
    wait_for(lambda: ended(shared))
    assert jobs.running() == []


KERNEL = """
import os, signal, sys, time
import numpy as np
sys.path.insert(0, sys.argv[1])
import tbwidget
from tbwidget.panels.projector_jobs import JOBS, Progress, Task, parameters_for
logs = tbwidget.load(sys.argv[1])
JOBS.hold(logs)
task = Task("a", "umap", 2, parameters_for("umap", 12, {}))
while JOBS.ask(task, lambda: np.ones((12, 5), np.float32), logs).phase != "neighbors":
    time.sleep(0.01)
print(JOBS.running()[0].pid, flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("end", ["exit", "killed"])
def test_a_process_ends_with_the_kernel(library: Library, tmp_path: Path, end: str) -> None:
    library(BUSY)
    with subprocess.Popen(
        [sys.executable, "-c", KERNEL, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as kernel:
        assert kernel.stdout is not None
        pid = int(kernel.stdout.readline())
        assert not ended(pid)
        if end == "killed":
            kernel.send_signal(signal.SIGKILL)
        else:
            kernel.communicate()
    wait_for(lambda: ended(pid))


@pytest.mark.parametrize(
    ("points", "perplexity"), [(4, 1.0), (10, 3.0), (100, 5), (1_600, 10), (1_601, 11), (100_000, 80)]
)
def test_the_usual_perplexity(points: int, perplexity: float) -> None:
    assert dict(parameters_for("tsne", points, {}))["perplexity"] == perplexity


def test_parameters_fit_the_points() -> None:
    assert dict(parameters_for("umap", 10, {"neighbors": 15})) == {
        "metric": "euclidean",
        "min_dist": 0.1,
        "neighbors": 9,
    }
    assert dict(parameters_for("tsne", 301, {"perplexity": 200, "metric": "cosine"})) == {
        "metric": "cosine",
        "perplexity": 100.0,
    }
