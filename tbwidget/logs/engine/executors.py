"""Reading in other processes: an executor of the user's reads files, and what they have grown by.

A task is a batch of files. It keeps no state: of a file that grew, it is told where this process has stopped. It
returns what a cache would hold of them, JSON and a pack; of a file that grew, the new points alone. Errors are values;
files whose data are not certain are read in this process, and so are all where the executor fails.
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
from weakref import WeakKeyDictionary

from tbwidget._version import __version__
from tbwidget.logs.cachefiles import DamagedCacheError, Pack, packed
from tbwidget.logs.engine.cache import Token, accepted_status, token_of
from tbwidget.logs.engine.discovery import is_event_file
from tbwidget.logs.engine.entries import (
    Encoder,
    Snapshot,
    decoded_declarations,
    encoded_progress,
    extend,
    restore,
    resume,
    status_of,
)
from tbwidget.logs.engine.eventfile import EventFile
from tbwidget.logs.roots import Root
from tbwidget.logs.threads import thread_time
from tbwidget.reasons import Reason, reason_of
from tbwidget.records.columnar.layouts import LayoutTable
from tbwidget.records.files.scan import StoppedError
from tbwidget.records.files.storage import Status, Storage
from tbwidget.records.values.summary import TagTable

PROTOCOL = 2
"""Number of the meaning of tasks and of their answers."""

MIN_BYTES = 8 << 20
"""Unread bytes, of all files together, below which no task is worth its cost."""
_BATCH_BYTES = 16 << 20
_BATCH_FILES = 50
_TASKS_PER_WORKER = 2
_COUNT_INTERVAL_S = 1.0  # between questions how many workers there are
_CHECK_INTERVAL_S = 0.2  # for a stop
_MIN_BYTES_PER_S = 4 << 20  # that a worker is expected to read
_PATIENCE_S = 120.0  # in which no task ends, beyond the time for its bytes, after which this process reads
_PATIENCE_FOR_GROWTH_S = 10.0  # the same, where updates wait for the tasks
_PAUSE_S = 60.0  # after that, in which growth is read by this process


class TaskFile(NamedTuple):
    """A file that a task reads; it travels as a plain tuple."""

    name: str
    path: str
    size: int
    read_to: Token
    """How far this process had read it."""
    progress: Any = None
    """The state from which a worker reads on; None: it reads from the start."""

    @property
    def is_growth(self) -> bool:
        """Whether some of it was read before."""
        return self.read_to[1] > 0

    @property
    def unread(self) -> int:
        """Bytes to be read."""
        return self.size - (self.read_to[1] if self.progress else 0)


class Batch(NamedTuple):
    """Files of one directory that a task reads."""

    root: Root
    files: list[TaskFile]


class Answer(NamedTuple):
    """The answer of a task: plain data."""

    error: str
    """Why the batch could not be read; empty if it was."""
    text: str = ""
    """JSON: the files by name, and the declarations to which they refer."""
    pack: bytes = b""
    cpu_s: float = 0.0


_worker = threading.local()


def read_files(version: tuple[int, str], storage: Storage, root: str, files: list[tuple[Any, ...]]) -> Any:
    """Read a batch, in a worker; return an `Answer` as a plain tuple. Raises nothing."""
    if version != (PROTOCOL, __version__):
        return tuple(Answer(f"tbwidget {version[1]} asks a worker that has {__version__}"))
    begun = thread_time()
    try:
        text, pack = _read(storage, root, [TaskFile(*file) for file in files])
    except Exception as error:  # noqa: BLE001 (an exception might not survive its way)
        return tuple(Answer(str(reason_of(error))))
    return tuple(Answer("", text, pack, thread_time() - begun))


def _read(storage: Storage, root: str, files: list[TaskFile]) -> tuple[str, bytes]:
    storages = _worker.__dict__.setdefault("storages", {})
    storage = storages.setdefault((storage.key, root), storage)  # with its connection and listing
    tags = TagTable()
    table = LayoutTable(tags)
    _list(storage, root, files)
    opened = [EventFile(storage, file.path, file.name, table) for file in files]
    for file, task in zip(opened, files, strict=True):
        if task.progress:
            resume(file, task.progress, tags)
    pairs = list(zip(opened, files, strict=True))
    storage.prefetch([each for file, task in pairs for each in file.records.ranges(task.size)])
    encoder, entries = Encoder(tags, []), {}
    for file, task in pairs:
        progress, fetched = task.progress, None
        force = bool(progress and progress["verify"])
        while file.read(force=force, fetched=fetched):
            fetched, force = file.unfetched, force and file.unfetched is not None
            if fetched is not None:
                storage.prefetch([fetched])
        storage.forget(file.path)
        snapshot = Snapshot.of(file)
        # Not where a file was read from its start, or a writer restarted: new points alone do not tell of that.
        if snapshot and (not progress or (not file.restarted and snapshot.state.session == progress["session"])):
            entries[file.name] = encoder.add(snapshot)
    text = json.dumps({"files": entries, "declarations": encoder.declarations})
    head, parts, _ = packed(encoder.ordered())
    return text, b"".join((*head, *parts))


def _list(storage: Storage, root: str, files: list[TaskFile]) -> None:
    """Find the files, where a storage knows only those that it has listed. Raises OSError for files out of reach."""
    try:
        is_known = all(storage.status(file.path).size >= file.size for file in files)
    except OSError:
        if not storage.is_remote and not storage.is_directory(root):
            raise FileNotFoundError(Reason("executor-unreachable", path=root)) from None
        is_known = False
    if not is_known and storage.is_remote:
        storage.is_due(force=True, interval=0.0)
        storage.scanner(root, is_event_file).walk(force=True)


class _SilentError(Exception):
    """No task ended for a long time."""


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
        self._offered = WeakKeyDictionary[EventFile, int]()  # where each file that was offered had been read to
        self._resume_at = 0.0  # monotonic

    def offers(self, files: Iterable[EventFile]) -> dict[EventFile, int]:
        """Return the files with unread bytes, and their sizes, if these are worth tasks.

        Each is offered once as far as it was read: a worker that cannot read it does not read it again and again.
        """
        if self.problem or time.monotonic() < self._resume_at:
            return {}
        found = {file: size for file in files if (size := self._unread_size(file))}
        if sum(size - file.records.offset for file, size in found.items()) < MIN_BYTES:
            return {}
        self._offered.update({file: file.records.offset for file in found})
        return found

    def _unread_size(self, file: EventFile) -> int:
        """Return the size of a file with unread bytes; 0 of others."""
        offset = file.records.offset
        if self._offered.get(file) == offset:
            return 0
        try:
            status = file.storage.status(file.path)
            return status.size if status.size > offset and not file.unchanged(status) else 0
        except OSError:
            return 0

    def read(
        self, batches: Iterable[Batch], check: Callable[[], None], *, is_live: bool
    ) -> Iterator[tuple[Batch, Any, Pack]]:
        """Yield each batch that was read: with the files and declarations, and the pack. `check` raises for a stop.

        `is_live`: updates wait for it. So busy workers are waited for shortly, and are no problem.
        """
        pending: dict[Future[Any], Batch] = {}
        patience = _PATIENCE_FOR_GROWTH_S if is_live else _PATIENCE_S
        try:
            for batch, answer in self._answers(iter(batches), pending, check, patience):
                if answer.error:
                    self.problem = Reason("executor-failed", detail=answer.error)
                    return
                self.cpu_s += answer.cpu_s
                yield batch, json.loads(answer.text), Pack(answer.pack, "answer")
        except StoppedError:
            raise
        except _SilentError as error:
            if is_live:
                self._resume_at = time.monotonic() + _PAUSE_S
            else:
                self.problem = Reason("executor-failed", detail=str(reason_of(error)))
        except Exception as error:  # noqa: BLE001 (executors raise what they like)
            self.problem = Reason("executor-failed", detail=str(reason_of(error)))
        finally:
            for each in pending:
                with suppress(Exception):
                    each.cancel()

    def _answers(
        self,
        batches: Iterator[Batch],
        pending: dict[Future[Any], Batch],
        check: Callable[[], None],
        patience: float,
    ) -> Iterator[tuple[Batch, Answer]]:
        """Submit batches, two a worker at a time; yield their answers. Raises what the executor raises."""
        most, counted, last_end = 0, -_COUNT_INTERVAL_S, time.monotonic()
        while True:
            if time.monotonic() > counted + _COUNT_INTERVAL_S:  # of a cluster, more may have come
                most, counted = _TASKS_PER_WORKER * self._count(), time.monotonic()
            while len(pending) < most and (batch := next(batches, None)) is not None:
                pending[self._submit(batch)] = batch
            if not pending:
                return
            done = wait(pending, _CHECK_INTERVAL_S, FIRST_COMPLETED).done
            check()
            if done:
                last_end = time.monotonic()
            else:
                largest = max(sum(file.unread for file in batch.files) for batch in pending.values())
                seconds = patience + largest / _MIN_BYTES_PER_S
                if time.monotonic() > last_end + seconds:
                    raise _SilentError(Reason("executor-silent", seconds=round(seconds, 1)))
            for each in done:
                batch, error = pending.pop(each), each.exception()
                if error is not None and not isinstance(error, Exception):  # a worker was interrupted, not this process
                    raise RuntimeError(str(reason_of(error)))
                yield batch, Answer(*each.result())

    def _submit(self, batch: Batch) -> Future[Any]:
        version, root = (PROTOCOL, __version__), batch.root
        return self._executor.submit(
            read_files, version, root.storage, root.path, [tuple(file) for file in batch.files]
        )

    def _count(self) -> int:
        """Number of the workers, as far as the executor tells."""
        if self._client is not None:
            return max(1, sum(map(int, self._client.nthreads().values())))
        count = getattr(self._executor, "_max_workers", None)
        return count if isinstance(count, int) else os.cpu_count() or 1


def task_file(file: EventFile, size: int, tags: TagTable, *, force: bool) -> TaskFile | None:
    """Return what a worker needs to read a file; None for one that only this process can read."""
    task, verify = TaskFile(file.name, file.path, size, token_of(file)), force and file.storage.verifies_growth
    if not file.records.offset:
        return task
    progress = encoded_progress(file, tags)
    if progress is None or file.storage.status(file.path).identity != status_of(progress).identity:
        return None
    if verify and progress["fingerprint"] is None:  # nothing to compare its earlier bytes with
        return task
    return task._replace(progress={**progress, "verify": verify})


def take_over(file: EventFile, task: TaskFile, found: Any, pack: Pack, tags: TagTable) -> bool:
    """Give a file the data that a worker has read, unless something else was read of it meanwhile."""
    entry = found["files"][file.name]
    status = _status_here(file, entry)
    if status is None or token_of(file) != task.read_to or (file.records.size and file.state() is None):
        return False
    declared = decoded_declarations(found["declarations"][entry["declarations"]], tags)
    if task.progress is None:
        if file.records.size:
            file.start_again()
        restore(file, entry, status, declared, lambda: pack)
        file.changed_tags.update(declared.notes)
        file.numbers.changed.update(declared.notes)
        file.attachments_changed.update(file.attachments)
        return True
    try:
        extend(file, entry, status, declared, pack)
    except DamagedCacheError:
        return False
    return True


def _status_here(file: EventFile, entry: Any) -> Status | None:
    """Return the status with which this process goes on; None where it is not the file that a worker has read.

    On another machine, the same file has another identity. Where it has grown since, its last record is compared.
    """
    try:
        status = accepted_status(file, entry)
        if status is None and not file.storage.is_remote:
            before, now = status_of(entry), file.storage.status(file.path)
            if now.size > before.size:
                return before._replace(identity=now.identity)
    except OSError:
        return None
    return status


def batches(files: Iterable[tuple[Root, TaskFile]]) -> Iterator[Batch]:
    """Group files into batches, each of one directory."""
    root: Root | None = None
    group: list[TaskFile] = []
    size = 0
    for of, file in files:
        is_full = len(group) >= _BATCH_FILES or size + file.unread > _BATCH_BYTES
        if root is not None and group and (of != root or is_full):
            yield Batch(root, group)
            group, size = [], 0
        root = of
        group.append(file)
        size += file.unread
    if root is not None and group:
        yield Batch(root, group)
