"""Reading in other processes: an executor of the user's reads files that nothing was read of yet.

A task is a batch of files. It keeps no state, and returns what a cache would hold of them: JSON and a pack. Errors are
values; files whose data are not certain are read in this process, and so are all where the executor fails.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import suppress
from typing import Any, NamedTuple

from tbwidget._version import __version__
from tbwidget.logs.cachefiles import Pack, packed
from tbwidget.logs.engine.discovery import is_event_file
from tbwidget.logs.engine.entries import Encoder, Snapshot
from tbwidget.logs.engine.eventfile import EventFile
from tbwidget.logs.roots import Root
from tbwidget.logs.threads import thread_time
from tbwidget.reasons import Reason, reason_of
from tbwidget.records.columnar.layouts import LayoutTable
from tbwidget.records.files.scan import StoppedError
from tbwidget.records.files.storage import Range, Storage
from tbwidget.records.values.summary import TagTable

PROTOCOL = 1
"""Number of the meaning of tasks and of their answers."""

MIN_BYTES = 8 << 20
"""Bytes of unread files below which no task is worth its cost."""
_BATCH_BYTES = 16 << 20
_BATCH_FILES = 50
_TASKS_PER_WORKER = 2
_CHECK_INTERVAL_S = 0.2  # for a stop
_PATIENCE_S = 120.0  # in which no task ends, after which this process reads

_worker = threading.local()


class Batch(NamedTuple):
    """Files of one directory that a task reads."""

    root: Root
    files: list[tuple[str, str, int]]
    """Name, path and size of each."""


class Answer(NamedTuple):
    """The answer of a task: plain data."""

    error: str
    """Why the batch could not be read; empty if it was."""
    text: str = ""
    """JSON: the files by name, and the declarations to which they refer."""
    pack: bytes = b""
    cpu_s: float = 0.0


def read_files(version: tuple[int, str], storage: Storage, root: str, files: list[tuple[str, str, int]]) -> Any:
    """Read a batch, in a worker; return an `Answer` as a plain tuple. Raises nothing."""
    if version != (PROTOCOL, __version__):
        return tuple(Answer(f"tbwidget {version[1]} asks a worker that has {__version__}"))
    begun = thread_time()
    try:
        text, pack = _read(storage, root, files)
    except Exception as error:  # noqa: BLE001 (an exception might not survive its way)
        return tuple(Answer(str(reason_of(error))))
    return tuple(Answer("", text, pack, thread_time() - begun))


def _read(storage: Storage, root: str, files: list[tuple[str, str, int]]) -> tuple[str, bytes]:
    storages = _worker.__dict__.setdefault("storages", {})
    storage = storages.setdefault((storage.key, root), storage)  # with its connection and listing
    tags = TagTable()
    table = LayoutTable(tags)
    _list(storage, root, files)
    opened = [EventFile(storage, path, name, table) for name, path, _ in files]
    ranges = zip(opened, files, strict=True)
    storage.prefetch([each for file, (_, _, size) in ranges for each in file.records.ranges(size)])
    encoder, entries = Encoder(tags, []), {}
    for file in opened:
        fetched: Range | None = None
        while file.read(fetched=fetched):
            fetched = file.unfetched
            if fetched is not None:
                storage.prefetch([fetched])
        storage.forget(file.path)
        snapshot = Snapshot.of(file) if _is_settled(file) else None
        if snapshot is not None:
            entries[file.name] = encoder.add(snapshot)
    text = json.dumps({"files": entries, "declarations": encoder.declarations})
    head, parts, _ = packed(encoder.ordered())
    return text, b"".join((*head, *parts))


def _is_settled(file: EventFile) -> bool:
    """Whether a file was read to its end, and its status shows each later change."""
    try:
        return file.records.unchanged(file.storage.status(file.path))
    except OSError:
        return False


def _list(storage: Storage, root: str, files: list[tuple[str, str, int]]) -> None:
    """Find the files, where a storage knows only those that it has listed. Raises OSError for files out of reach."""
    try:
        is_known = all(storage.status(path).size >= size for _, path, size in files)
    except OSError:
        if not storage.is_remote and not storage.is_directory(root):
            raise FileNotFoundError(Reason("executor-unreachable", path=root)) from None
        is_known = False
    if not is_known and storage.is_remote:
        storage.is_due(force=True, interval=0.0)
        storage.scanner(root, is_event_file).walk(force=True)


class Workers:
    """An executor of the user's, which is never shut down here."""

    def __init__(self, executor: Any) -> None:
        """Take an `Executor`, or what has one to give, as a `Client` of Dask. Raises TypeError for anything else."""
        self._client = executor if hasattr(executor, "get_executor") else None
        self._executor: Executor = executor.get_executor(pure=False) if self._client else executor
        if not callable(getattr(self._executor, "submit", None)):
            raise TypeError(f"executor must be a concurrent.futures.Executor, not {type(executor).__name__}")
        self.problem: Reason | None = None
        """Why it is not used any more; None if it is."""
        self.cpu_s = 0.0
        """CPU seconds that workers have read for."""

    def read(self, batches: Iterable[Batch], check: Callable[[], None]) -> Iterator[tuple[Batch, Any, Pack]]:
        """Yield each batch that was read: with the files and declarations, and the pack. `check` raises for a stop."""
        pending: dict[Future[Any], Batch] = {}
        try:
            for batch, answer in self._answers(iter(batches), pending, check):
                if answer.error:
                    self.problem = Reason("executor-failed", detail=answer.error)
                    return
                self.cpu_s += answer.cpu_s
                yield batch, json.loads(answer.text), Pack(answer.pack, "answer")
        except StoppedError:
            raise
        except Exception as error:  # noqa: BLE001 (executors raise what they like)
            self.problem = Reason("executor-failed", detail=str(reason_of(error)))
        finally:
            for each in pending:
                with suppress(Exception):
                    each.cancel()

    def _answers(
        self, batches: Iterator[Batch], pending: dict[Future[Any], Batch], check: Callable[[], None]
    ) -> Iterator[tuple[Batch, Answer]]:
        """Submit batches, two a worker at a time; yield their answers. Raises what the executor raises."""
        most, last_end = _TASKS_PER_WORKER * self._count(), time.monotonic()
        while True:
            while len(pending) < most and (batch := next(batches, None)) is not None:
                pending[self._submit(batch)] = batch
            if not pending:
                return
            done = wait(pending, _CHECK_INTERVAL_S, FIRST_COMPLETED).done
            check()
            if done:
                last_end = time.monotonic()
            elif time.monotonic() > last_end + _PATIENCE_S:
                raise TimeoutError(Reason("executor-silent", seconds=_PATIENCE_S))
            for each in done:
                batch, error = pending.pop(each), each.exception()
                if error is not None and not isinstance(error, Exception):  # a worker was interrupted, not this process
                    raise RuntimeError(str(reason_of(error)))
                yield batch, Answer(*each.result())

    def _submit(self, batch: Batch) -> Future[Any]:
        version = PROTOCOL, __version__
        return self._executor.submit(read_files, version, batch.root.storage, batch.root.path, batch.files)

    def _count(self) -> int:
        """Number of the workers, as far as the executor tells."""
        if self._client is not None:
            return max(1, sum(map(int, self._client.nthreads().values())))
        count = getattr(self._executor, "_max_workers", None)
        return count if isinstance(count, int) else os.cpu_count() or 1


def batches(files: Iterable[tuple[Root, str, str, int]]) -> Iterator[Batch]:
    """Group files (root, name, path, size) into batches."""
    root: Root | None = None
    group: list[tuple[str, str, int]] = []
    size = 0
    for of, name, path, bytes_of_file in files:
        is_full = len(group) >= _BATCH_FILES or size + bytes_of_file > _BATCH_BYTES
        if root is not None and group and (of != root or is_full):
            yield Batch(root, group)
            group, size = [], 0
        root = of
        group.append((name, path, bytes_of_file))
        size += bytes_of_file
    if root is not None and group:
        yield Batch(root, group)
