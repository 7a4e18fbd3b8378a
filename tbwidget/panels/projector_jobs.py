"""UMAP and t-SNE of embeddings, each computed once, in processes of low priority.

A task names a result by the content of the vectors, so all dashboards share it. A process ends when it is stopped, when
the last dashboard of its logs is closed, and with this process.
"""

from __future__ import annotations

import atexit
import importlib.util
import json
import math
import os
import subprocess
import sys
import threading
import time
import weakref
from collections import OrderedDict
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from tbwidget.logs.threads import have_threads
from tbwidget.panels.projector_vectors import comparable
from tbwidget.reasons import Reason, reason_of
from tbwidget.wire.content import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tbwidget.logs.accessors import Logs
    from tbwidget.panels.projector_vectors import Summary

Floats = npt.NDArray[np.float32]

MAX_RUNNING = 2
"""Processes at a time; further tasks wait."""

MAX_TASKS = 16
"""Tasks that run or wait; more are refused."""

MAX_RESULT_BYTES = 64_000_000
"""Results that are kept for the next question; at least one is."""

MAX_RESULTS = 256
"""Most results kept: a page may send any number of tiny ones."""

ABANDONED_S = 3.0
"""Seconds since a task was asked for after which it gives way to one that is asked for now.

A page asks every half second. While a cell runs, nothing is asked, and nothing gives way.
"""

MIN_POINTS = 4
"""Points that both methods need."""

NAMES = {"umap": "UMAP", "tsne": "t-SNE"}
"""Names of the methods in texts."""

_PACKAGES = {"umap": ("umap", "umap-learn"), "tsne": ("openTSNE", "openTSNE")}
"""By method: the module that computes it, and the package that the module comes with."""

_PROGRAM = Path(__file__).with_name("projector_process.py")
_MAX_LINE_BYTES = 10_000
_CHUNK = 1 << 20  # bytes written at once
_WAIT = 0.2  # seconds between looks of a waiting task at whether it was stopped
_PATIENCE = 2.0  # seconds that a process without a result has to end
_KILLED = 9  # the signal by which systems end processes that take too much memory


class Task(NamedTuple):
    """One projection of the vectors with this content."""

    digest: str
    """Names the vectors by their content."""
    method: str
    """ "umap" or "tsne"."""
    dimensions: int
    """2 or 3."""
    parameters: tuple[tuple[str, Any], ...]
    """Name and value of each, in order of their names; as computed, not as asked for."""


class Result(NamedTuple):
    """A finished projection."""

    coordinates: Floats
    """float32[dimensions, n], read-only; NaN where a point has no place."""
    used: int
    """Points that have a place."""
    held: int | None = None
    """Numbers of each vector that a page computed it from; None where a process of this module did."""


class Progress(NamedTuple):
    """How far a task has come."""

    phase: str = "waiting"
    """ "waiting" for other tasks, "starting" the process, "compiling", finding "neighbors", or "layout"."""
    done: int = 0
    """Steps of the layout that are done."""
    total: int = 0
    """Steps of the layout; 0 before it."""

    @property
    def share(self) -> float | None:
        """How much of the layout is done, from 0 to 1; None before it, which may take longer than the layout."""
        return self.done / self.total if self.total else None

    @property
    def text(self) -> str:
        """The same in words."""
        if self.phase == "layout":
            return f"step {self.done:,} of {self.total:,}"
        return {"waiting": "waiting for other projections", "neighbors": "finding neighbors"}.get(
            self.phase, self.phase
        )


def asked_parameters(method: str, option: Callable[[str], Any]) -> dict[str, Any] | None:
    """Return the parameters that the page asks for with these options, by their names; None for other methods."""
    metric = {"metric": option("projector_metric")}
    if method == "umap":
        return {
            "neighbors": option("projector_umap_neighbors"),
            "min_dist": option("projector_umap_min_dist"),
            **metric,
        }
    return {"perplexity": option("projector_perplexity"), **metric} if method == "tsne" else None


def parameters_for(method: str, points: int, asked: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """Return effective parameters for a number of points; `asked` holds valid ones, and some may be absent."""
    metric = asked.get("metric", "euclidean")
    if method == "umap":
        found = {"metric": metric, "min_dist": float(asked.get("min_dist", 0.1))}
        found["neighbors"] = min(int(asked.get("neighbors", 15)), points - 1)
    else:
        perplexity = asked.get("perplexity")
        wanted = max(5, math.ceil(math.sqrt(points) / 4)) if perplexity is None else float(perplexity)
        found = {"metric": metric, "perplexity": min(wanted, (points - 1) / 3)}
    return tuple(sorted(found.items()))


def task_for(summary: Summary, method: str, dimensions: int, asked: Mapping[str, Any]) -> Task:
    """Return the task of these vectors with the `asked` parameters; absent ones get defaults.

    Raises Refusal where there are too few points.
    """
    points = summary.directed_points if asked.get("metric") == "cosine" else summary.points
    if points < MIN_POINTS:
        raise Refusal(Reason("projection-few", points=points, method=NAMES[method], least=MIN_POINTS))
    return Task(summary.digest, method, dimensions, parameters_for(method, points, asked))


class Job:
    """A task being computed, by a thread that speaks with its process."""

    def __init__(
        self,
        task: Task,
        vectors: Floats,
        slots: threading.Semaphore,
        make_room: Callable[[], None],
        ended: Callable[[Job], None],
    ) -> None:
        self.task = task
        self.users: weakref.WeakSet[Logs] = weakref.WeakSet()
        """Logs whose dashboards asked for it."""
        self.progress = Progress()
        self.result: Result | None = None
        self.failure: Reason | None = None
        """Reason of the failure, or None."""
        self._vectors: Floats | None = vectors
        self._slots = slots
        self._make_room = make_room
        self._ended = ended
        self.asked = time.monotonic()
        """When it was asked for last, monotonic."""
        self._lock = threading.Lock()
        self._is_stopped = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self.thread = threading.Thread(target=self._run, name="tbwidget-projection", daemon=True)

    @property
    def pid(self) -> int | None:
        """Process id; None without a process."""
        process = self._process
        return None if process is None else process.pid

    @property
    def is_abandoned(self) -> bool:
        """Whether no page has asked for it recently."""
        return time.monotonic() - self.asked > ABANDONED_S

    def stop(self) -> None:
        """End the process at once. The result is lost."""
        self._is_stopped.set()
        with self._lock:
            if self._process is not None:
                self._process.kill()

    def _run(self) -> None:
        try:
            while not self._slots.acquire(timeout=_WAIT):
                if self._is_stopped.is_set():
                    return
                if not self.is_abandoned:
                    self._make_room()
            try:
                self._compute()
            finally:
                self._slots.release()
        except Exception as error:  # noqa: BLE001 (a thread has no caller to raise it to)
            self.failure = self._failed(error)
        finally:
            self._vectors = None
            self._ended(self)

    def _failed(self, detail: BaseException | str) -> Reason:
        text = detail if isinstance(detail, str) else reason_of(detail)
        return Reason("projection-failed", method=NAMES[self.task.method], detail=text)

    def _compute(self) -> None:
        vectors = self._vectors
        if vectors is None:
            return
        is_used = comparable(vectors, dict(self.task.parameters)["metric"])
        used = np.ascontiguousarray(vectors[is_used], "<f4")
        self._vectors = None
        self.progress = Progress("starting")
        with self._lock:
            if self._is_stopped.is_set():
                return
            process = self._process = _start()
        try:
            self._send(process, used)
            placed = self._receive(process, len(used))
            if placed is None:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(_PATIENCE)  # so that its own status is known
        finally:
            with self._lock:
                process.kill()
            process.communicate()
        if placed is None:
            if self.failure is None:
                self.failure = self._failed(_exit_reason(process.returncode))
            return
        coordinates = np.full((self.task.dimensions, len(is_used)), np.nan, np.float32)
        coordinates[:, is_used] = np.where(np.isfinite(placed).all(axis=1), placed.T, np.nan)
        coordinates.flags.writeable = False
        count = int(np.isfinite(coordinates).all(axis=0).sum())
        if count:
            self.result = Result(coordinates, count)
        else:
            self.failure = self._failed("the library gives no point a place")

    def _send(self, process: subprocess.Popen[bytes], vectors: Floats) -> None:
        """Write the task and the vectors; the input stays open."""
        _, method, dimensions, parameters = self.task
        task = {
            "method": method,
            "dimensions": dimensions,
            "parameters": dict(parameters),
            "shape": vectors.shape,
            "path": [os.fspath(one) for one in sys.path],
        }
        stdin = cast("IO[bytes]", process.stdin)
        try:
            stdin.write(json.dumps(task).encode("ascii") + b"\n")
            data = vectors.data.cast("B")
            for start in range(0, len(data), _CHUNK):
                stdin.write(data[start : start + _CHUNK])
            stdin.flush()
        except BrokenPipeError:
            pass  # it has ended: what it wrote before says why

    def _receive(self, process: subprocess.Popen[bytes], points: int) -> Floats | None:
        """The places of the points, float32[points, dimensions]; None without a result."""
        stdout = cast("IO[bytes]", process.stdout)
        while line := stdout.readline(_MAX_LINE_BYTES):
            said = json.loads(line)
            if "error" in said:
                self.failure = self._failed(said["error"])
                return None
            if said["phase"] == "done":
                shape = points, self.task.dimensions
                data = stdout.read(4 * shape[0] * shape[1])
                return np.frombuffer(data, "<f4").reshape(shape) if len(data) == 4 * shape[0] * shape[1] else None
            self.progress = Progress(said["phase"], said.get("done", 0), said.get("total", 0))
        return None


def _start() -> subprocess.Popen[bytes]:
    """The process. An interrupt of this one, which a notebook sends to the whole group, does not reach it."""
    threads = str(max(1, (os.cpu_count() or 1) // 2))
    names = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    return subprocess.Popen(
        [sys.executable, "-P", str(_PROGRAM)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        creationflags=getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0),
        env={**dict.fromkeys(names, threads), **os.environ},
    )


def _exit_reason(status: int) -> Reason:
    return Reason("process-killed") if status == -_KILLED else Reason("process-ended", status=status)


class Jobs:
    """The tasks of this process, and what came of them."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget all, as in a forked process: it has no threads of its parent, and ends no processes of it."""
        self._lock = threading.Lock()
        self._slots = threading.Semaphore(MAX_RUNNING)
        self._running: dict[Task, Job] = {}
        self._failures: dict[Task, Reason] = {}
        self._results: OrderedDict[Task, Result] = OrderedDict()
        self._holds: weakref.WeakKeyDictionary[Logs, int] = weakref.WeakKeyDictionary()

    def hold(self, logs: Logs) -> Callable[[], None]:
        """Let tasks be computed for these logs until the function that is returned is called."""
        with self._lock:
            self._holds[logs] = self._holds.get(logs, 0) + 1
        return lambda: self._release(logs)

    def _release(self, logs: Logs) -> None:
        with self._lock:
            self._holds[logs] -= 1
            unwanted = []
            if not self._holds[logs]:
                del self._holds[logs]
                for job in list(self._running.values()):
                    job.users.discard(logs)
                    if not job.users:
                        unwanted.append(self._running.pop(job.task))
        for job in unwanted:
            job.stop()

    def is_held(self, logs: Logs) -> bool:
        """Whether tasks may be computed for these logs."""
        with self._lock:
            return logs in self._holds

    def result(self, task: Task) -> Result | None:
        """Return the result of a task; None if it is not in the cache."""
        with self._lock:
            found = self._results.get(task)
            if found is not None:
                self._results.move_to_end(task)
            return found

    def keep(self, task: Task, result: Result) -> bool:
        """Keep a result that was computed elsewhere, and return True, unless the cache has one or computes one here."""
        with self._lock:
            if task in self._results or task in self._running:
                return False
            self._keep(task, result)
            return True

    def _keep(self, task: Task, result: Result) -> None:
        self._results[task] = result
        while len(self._results) > MAX_RESULTS or (self.kept_bytes > MAX_RESULT_BYTES and len(self._results) > 1):
            self._results.popitem(last=False)

    @property
    def kept_bytes(self) -> int:
        """Bytes of all results that are kept."""
        return sum(result.coordinates.nbytes for result in list(self._results.values()))

    def ask(self, task: Task, vectors: Callable[[], Floats], logs: Logs) -> Result | Progress:
        """The result, or how far it is; the first to ask starts the computation. `vectors` are all, float32[n, d].

        Raises Refusal where the task failed, once; the next to ask starts it again.
        """
        found = self.result(task)
        if found is not None:
            return found
        with self._lock:
            failure = self._failures.pop(task, None)
            job = self._running.get(task)
            if job is not None:
                if logs not in self._holds:
                    raise Refusal(Reason("canceled"))
                job.users.add(logs)
                job.asked = time.monotonic()
        if failure is not None:
            raise Refusal(failure)
        if job is None:
            check_package(task.method)
            job = self._begin(task, vectors(), logs)
        return job.progress

    def _begin(self, task: Task, vectors: Floats, logs: Logs) -> Job:
        if len(self.running()) >= MAX_TASKS:
            self._stop_abandoned(self.running())
        with self._lock:
            if logs not in self._holds:
                raise Refusal(Reason("canceled"))
            if len(self._running) >= MAX_TASKS:
                raise Refusal(Reason("too-many-requests"))
            job = self._running.setdefault(task, Job(task, vectors, self._slots, self._make_room, self._end))
            job.users.add(logs)
            if job.thread.ident is None:
                job.thread.start()
        return job

    def _make_room(self) -> None:
        """End a process that no page has asked for recently, so that a waiting task can start."""
        self._stop_abandoned([job for job in self.running() if job.pid is not None])

    def _stop_abandoned(self, jobs: list[Job]) -> None:
        abandoned = [job for job in jobs if job.is_abandoned]
        if abandoned:
            self.stop(min(abandoned, key=lambda job: job.asked).task)

    def _end(self, job: Job) -> None:
        with self._lock:
            if self._running.get(job.task) is not job:
                return  # stopped
            del self._running[job.task]
            if job.result is not None:
                self._keep(job.task, job.result)
            elif job.failure is not None:
                while len(self._failures) >= MAX_TASKS:
                    del self._failures[next(iter(self._failures))]
                self._failures[job.task] = job.failure

    def running(self) -> list[Job]:
        """The tasks that run or wait."""
        with self._lock:
            return list(self._running.values())

    def stop(self, task: Task) -> None:
        """End a task; do nothing where it does not run."""
        with self._lock:
            job = self._running.pop(task, None)
        if job is not None:
            job.stop()

    def stop_all(self) -> None:
        """End all tasks."""
        for job in self.running():
            self.stop(job.task)


def check_package(method: str) -> None:
    """Raise Refusal for a method whose package is not installed, or on a host without processes."""
    name, (module, package) = NAMES[method], _PACKAGES[method]
    if not have_threads() or not sys.executable:
        raise Refusal(Reason("projection-unavailable", method=name))
    importlib.invalidate_caches()  # it may have been installed a moment ago
    try:
        is_there = module in sys.modules or importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        is_there = False
    if not is_there:
        raise Refusal(Reason("projection-package", method=name, package=package))


JOBS = Jobs()
atexit.register(JOBS.stop_all)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=JOBS.reset)
