"""Keeps the data of a log directory equal to its files."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, nullcontext, suppress
from functools import partial
from typing import Any, NamedTuple, TypeVar

from tbwidget.logs.cachefiles import Pack
from tbwidget.logs.engine.cache import Cache
from tbwidget.logs.engine.checkpoint_files import CheckpointDirectory, Checkpoints
from tbwidget.logs.engine.discovery import Discovery, Found, Listing
from tbwidget.logs.engine.eventfile import EventFile
from tbwidget.logs.engine.executors import TaskFile, Workers, batches, take_over, task_file
from tbwidget.logs.engine.fetching import fetch_groups
from tbwidget.logs.engine.run import Run
from tbwidget.logs.kinds.declare import OwnFile
from tbwidget.logs.kinds.registry import FILES
from tbwidget.logs.problems import Problem
from tbwidget.logs.roots import Root
from tbwidget.logs.source import Changes, Progress
from tbwidget.records.columnar.layouts import LayoutTable
from tbwidget.records.files.scan import PollProgress, StoppedError
from tbwidget.records.files.storage import Range, Storage
from tbwidget.records.values.summary import TagTable

log = logging.getLogger("tbwidget")
log.addHandler(logging.NullHandler())  # a library stays silent unless its user wants to hear it

_Answer = TypeVar("_Answer")

_ROOTS_INTERVAL_S = 0.5  # between searches for runs that appeared directly below a root
_FIRST_FILES = 16
"""Files that the initial scan fetches before all others, so that a chart can be shown early."""
_EXIT_PATIENCE_S = 1.0  # to wait for a lock when the interpreter ends
_GROWING_S = 10.0  # s for which a file that has grown is polled often


class PollStep(NamedTuple):
    """A part of a poll, during which no other thread polls or reads."""

    changes: Changes | None
    """None: nothing is other than before."""
    is_reading: bool = False
    """It read new bytes of a file; all other steps only search for them."""


class Reader:
    """Runs and their files, and the polls that bring them up to date.

    A poll is made of steps: one walk over the tree, then one window of one file after the other. Each step holds the
    lock; between two steps nothing is half done, so polls from several threads may interleave.
    """

    def __init__(
        self,
        roots: Sequence[Root],
        *,
        cache: bool = False,
        executor: Any = None,
        checkpoints: Sequence[CheckpointDirectory] = (),
    ) -> None:
        """With `cache`, use the data that earlier processes have read, and keep data for later ones.

        An `executor` reads where very much is unread. `checkpoints` are directories to search, too.
        """
        self.checkpoints = Checkpoints(checkpoints)
        self._workers = Workers(executor) if executor is not None else None
        self._roots = roots
        self._storages = list(dict.fromkeys(root.storage for root in roots))
        self._stoppable = [*self._storages, *self.checkpoints.storages]
        self._near = [storage for storage in self._storages if not storage.is_remote]
        self._told_problems: list[Problem] = []
        self.lock = threading.RLock()
        self.fair_lock = threading.RLock()
        """Held while one waits for the lock, and passed before it is taken for the next step of a reading.

        `RLock` is not fair: a thread that releases and immediately re-acquires it starves waiters.
        """
        self.runs: dict[str, Run] = {}
        self.walk_problems: list[Problem] = []
        self.ready = False
        """A complete poll has ended."""
        self.polled_at: float | None = None
        """When the last complete poll ended, by `time.monotonic`."""
        self.is_stopped = False
        """Only a forced poll reads, which sets this to False."""
        self._polls: dict[PollProgress, bool] = {}  # complete polls under way, and whether each is forced
        self._listed = PollProgress()  # by the last of them
        self._is_listing = True
        self.files_found = 0
        """Count of the event files found so far, of those that are gone too."""
        self._discovery = Discovery(roots)
        self._listing: Listing | None = None
        self._next_roots = 0.0  # s, monotonic
        self._walking = threading.Lock()  # an older listing never comes after a newer one
        self._tags = TagTable()
        self._table = LayoutTable(self._tags)
        self._cache = Cache(roots, self._tags) if cache else None
        self._restored: set[EventFile] = set()  # from the cache, until the initial scan has ended
        self._sizes: dict[EventFile, int] = {}  # as the initial scan found them, until it has ended
        self._grown: dict[EventFile, float] = {}  # when each file grew last, monotonic
        self._logged: set[str] = set()
        # Set while no poll has reported the latest problems. Files refer to it, not to this reader, which would be a
        # cycle: the data of a dropped reader would stay until the garbage is collected.
        self._other_problems = threading.Event()

    def renew_locks(self) -> None:
        """Take new locks, in a forked child where no thread holds the old ones any more."""
        self.lock, self.fair_lock = threading.RLock(), threading.RLock()
        self._walking = threading.Lock()
        self.checkpoints.renew_lock()
        self._workers = None  # nothing in the child serves the parent's executor

    @property
    def progress(self) -> Progress:
        """How far reading has come. The caller holds the lock."""
        files, sizes = [file for _, file in _files_of(self.runs.values())], self._sizes
        return Progress(
            self._phase(),
            self._listed.entries,
            sum(file.records.finished for file in files),
            len(files),
            sum(storage.bytes_fetched for storage in self._storages),
            sum(file.records.offset for file in files),
            sum(file.records.size or sizes.get(file, 0) for file in files),
        )

    def _phase(self) -> str:
        if self.ready:
            return "ready"
        if self.is_stopped:
            return "stopped"
        if self._is_listing:
            return "listing"
        return "fetching" if any(storage.is_waiting for storage in self._stoppable) else "reading"

    def stop(self, *, forced: bool = True) -> None:
        """End the polls of everything that run now, in other threads, with their requests; forced ones only if so."""
        for progress, is_forced in list(self._polls.items()):
            progress.is_stopped |= forced or not is_forced
        for storage in self._stoppable:
            storage.stop()

    @property
    def growing(self) -> bool:
        """Some file of this machine grew in the last seconds."""
        return any(not file.storage.is_remote for file in list(self._grown))

    def poll(self, *, force: bool = False, interval: float = 0.0) -> Iterator[PollStep]:
        """Poll the whole directory, step by step, but only those remote storages that are due.

        `force` trusts no directory's time of change, and reads files again that were changed without growing.
        `interval` is the user's, in seconds. A poll that is stopped ends after the step that it is in.
        """
        if force:
            self.is_stopped = False
        elif self.is_stopped:
            return
        progress = PollProgress()
        self._polls[progress] = force
        try:
            for step in self._poll(progress, force=force, interval=interval):
                yield step
                progress.check()
            self.polled_at = time.monotonic()
        except StoppedError:
            pass
        finally:
            del self._polls[progress]

    def _poll(self, progress: PollProgress, *, force: bool, interval: float) -> Iterator[PollStep]:
        with self._walking:
            progress.check()
            self._listed, self._is_listing = progress, True
            is_asked = force or not self.ready
            due = [each for each in self._storages if each.is_due(force=is_asked, interval=interval)]
            listing = self._retried(progress, lambda: self._discovery.walk(due, force=force, progress=progress))
            self._is_listing = False
            with self.lock:
                self._forget_resting()
                changes = self._apply(listing)
                if self._other_problems.is_set():
                    self._other_problems.clear()
                    changes = Changes(changes.series if changes else frozenset(), catalog=True)
                runs = list(self.runs.values())
        # The cost of a remote storage sets its own pace.
        yield PollStep(changes, is_reading=changes is not None or any(storage.is_remote for storage in due))
        if not self.ready:
            self._sizes = {file: self._size(file) for _, file in _files_of(runs) if not file.records.size}
        yield from self._poll_own_files(progress, runs, due)
        if self._workers is not None:
            yield from self._read_elsewhere(self._workers, _files_of(runs), due, progress, force=force)
        yield from self._poll_files(_files_of(runs), due, progress, force=force)
        self._sizes = {}
        self._restored.clear()
        yield from self._poll_checkpoints(progress, force=is_asked)
        problems = self.storage_problems()
        if problems != self._told_problems:
            self._told_problems = problems
            yield PollStep(Changes(frozenset(), catalog=True))
        if not self.ready:
            self.ready = True
            self.is_stopped = False  # a stop that came too late for this scan must not end the updates
            yield PollStep(Changes(frozenset(), catalog=True))

    def _poll_checkpoints(self, progress: PollProgress, *, force: bool) -> Iterator[PollStep]:
        """Walk directories of checkpoints alone: after the files, as a far one may not answer for a long time."""
        self._retried(progress, lambda: self.checkpoints.walk(force=force, progress=progress))
        with self.lock:
            series = self.checkpoints.take(None, self.runs)
        if series is not None:
            yield PollStep(Changes(series, catalog=True), is_reading=True)

    def _retried(self, progress: PollProgress, request: Callable[[], _Answer]) -> _Answer:
        """Return what a request returns, again if only a poll of another thread was to be stopped."""
        while True:
            progress.check()
            with suppress(StoppedError):
                return request()

    def _fetch(self, storage: Storage, ranges: Sequence[Range], progress: PollProgress) -> None:
        self._retried(progress, lambda: storage.prefetch(ranges))

    def storage_problems(self) -> list[Problem]:
        """Return why files of a storage cannot be fetched now, or by workers: one problem for all of them."""
        workers = self._workers.problem if self._workers else None
        return [*([Problem(".", None, workers)] if workers else [])] + [
            Problem(root.name or ".", None, storage.problem)
            for storage in self._storages
            if storage.problem is not None
            for root in [next(root for root in self._roots if root.storage is storage)]
        ]

    def _read_elsewhere(
        self,
        workers: Workers,
        files: Sequence[tuple[Run, EventFile]],
        due: Collection[Storage],
        progress: PollProgress,
        *,
        force: bool,
    ) -> Iterator[PollStep]:
        """Let workers read the files with unread bytes, if those are many; the poll reads the others."""
        with self.lock:
            roots = {} if self._listing is None else {name: each.root for name, each in self._listing.runs.items()}
        runs = {file: run for run, file in files if run.storage in due and run.name in roots}
        offers, by_name = workers.offers(runs), {file.name: file for file in runs}
        if not offers:
            return

        def wanted() -> Iterator[tuple[Root, TaskFile]]:
            for file, size in offers.items():
                task = None
                with self.lock, suppress(OSError):  # reading it says what is wrong
                    task = task_file(file, size, self._tags, force=force)
                if task is not None:
                    yield roots[runs[file].name], task

        cpu_s = workers.cpu_s
        for batch, found, pack in workers.read(batches(wanted()), progress.check, is_live=self.ready):
            for task in batch.files:
                if task.name in found["files"]:
                    file = by_name[task.name]
                    with self.fair_lock:
                        pass
                    with self.lock:
                        changes = self._install(runs[file], file, task, found, pack)
                    yield PollStep(changes, is_reading=True)
        if self._cache is not None:
            self._cache.add(workers.cpu_s - cpu_s)

    def _install(self, run: Run, file: EventFile, task: TaskFile, found: Any, pack: Pack) -> Changes | None:
        """Give a file the data that a worker has read, unless something was read of it meanwhile."""
        if run.files.get(file.name) is not file or not take_over(file, task, found, pack, self._tags):
            return None
        if task.progress is None:
            self._restored.add(file)
        if task.is_growth:
            self._grown[file] = time.monotonic()
        names = run.update(file)
        self._log_problem(file)
        return Changes(frozenset((kind, run.name, tag) for kind, tag in names), catalog=True)

    def poll_roots(self) -> Iterator[PollStep]:
        """Search for runs that appeared directly below a root, every 0.5 s at most, and read those."""
        if time.monotonic() < self._next_roots:
            return
        self._next_roots = time.monotonic() + _ROOTS_INTERVAL_S
        with self._walking:
            before, listing = self._listing, self._discovery.walk_new()
            if listing is None or listing is before or before is None:
                return
            with self.lock:
                changes = self._apply(listing)
                # The others are the same objects as before.
                new = [run for name, run in self.runs.items() if listing.runs[name] != before.runs.get(name)]
        yield PollStep(changes, is_reading=True)
        yield from self._poll_files(_files_of(new), self._near, PollProgress())

    def poll_growing(self) -> Iterator[PollStep]:
        """Poll the files of this machine that grew lately, and at the files of one kind of their runs."""
        if not self._grown:
            return
        with self.lock:
            self._forget_resting()
            growing = [each for each in _files_of(self.runs.values()) if each[1] in self._grown]
            # `ranges` costs the status of one file; `refresh` costs the status of each file that this one names.
            runs = dict.fromkeys(run for run, _ in growing)
            own = [each for storage in self._near for each in _own_files_on(storage, runs) if each[2].ranges()]
            series, found = self._refreshed(own)
        if found:
            yield PollStep(Changes(frozenset(series), catalog=True), is_reading=True)
        yield from self._poll_files(growing, self._near, PollProgress())

    def _forget_resting(self) -> None:
        """Drop files that have not grown for some time from those that are polled often."""
        oldest = time.monotonic() - _GROWING_S
        resting = {file for file, grown in self._grown.items() if grown <= oldest}
        if not resting:
            return
        for file in resting:
            del self._grown[file]
        for run in self.runs.values():
            if not resting.isdisjoint(run.files.values()):
                run.free_copies()

    def _poll_files(
        self,
        files: Sequence[tuple[Run, EventFile]],
        storages: Iterable[Storage],
        progress: PollProgress,
        *,
        force: bool = False,
    ) -> Iterator[PollStep]:
        """Read new bytes of the files that are on these storages, in groups as large as each fetches at once."""
        for storage in storages:
            there = [(run, file) for run, file in files if run.storage is storage]
            changed = ((each, ranges) for each in there if (ranges := self._ranges(each[1], force=force)) is not None)
            first = storage.files_at_once if self.ready else min(_FIRST_FILES, storage.files_at_once)
            read: set[Run] = set()
            for group, ranges in fetch_groups(storage, changed, first):
                if storage.is_failing:
                    break  # the next poll goes on
                if ranges:
                    self._fetch(storage, ranges, progress)
                for run, file in group:
                    if run not in read:
                        yield from self._reorder(read)
                        read = {run}
                    yield from self._read_file(run, file, progress, force=force)
            else:
                yield from self._reorder(dict.fromkeys(run for run, _ in there))

    def _ranges(self, file: EventFile, *, force: bool) -> list[Range] | None:
        """The bytes that are read next; None: there is nothing new."""
        try:
            status = file.storage.status(file.path)
            force &= file not in self._restored
            return None if file.unchanged(status, force=force) else file.records.ranges(status.size)
        except Exception:  # noqa: BLE001 (reading it says what is wrong)
            return []

    def _read_file(
        self, run: Run, file: EventFile, progress: PollProgress, *, force: bool = False
    ) -> Iterator[PollStep]:
        yield PollStep(None)  # the time up to here was spent on searching for new bytes
        more, force_next, known = True, force and file not in self._restored, file.records.offset > 0
        unfetched: Range | None = None  # of this poll: another one may read the file too
        while more:
            if unfetched is not None:
                self._fetch(file.storage, [unfetched], progress)
            with self.fair_lock:
                pass
            with self.lock:
                if run.files.get(file.name) is not file:
                    break  # dropped meanwhile
                try:
                    more, changes = self._read(run, file, known=known, force=force_next, fetched=unfetched)
                except Exception as error:  # noqa: BLE001 (one file never keeps the others from being read)
                    more, changes = False, self._give_up(run, file, error)
                unfetched = file.unfetched
            # A file that changes all the time must not be read from its start again and again.
            force_next = force_next and unfetched is not None
            yield PollStep(changes, is_reading=True)
        file.storage.forget(file.path)

    def _reorder(self, runs: Iterable[Run]) -> Iterator[PollStep]:
        """Tell of series that other files supersede than before."""
        for run in runs:
            if run.order_is_stale:
                with self.lock:
                    series = frozenset((kind, run.name, tag) for kind, tag in run.reorder())
                    there = self.runs.get(run.name) is run
                if series and there:
                    yield PollStep(Changes(series, catalog=False))

    def _give_up(self, run: Run, file: EventFile, error: Exception) -> Changes:
        """Return the changes after a run could not take over the data of a file: any of them may have changed."""
        series: set[tuple[str, str, str]] = set()
        file.fail(error)
        try:
            series = self._series(run)
            run.update(file)
            series |= self._series(run)
        except Exception:
            log.exception("run %r is not up to date", run.name)
        return Changes(frozenset(series), catalog=True)

    def _read(
        self, run: Run, file: EventFile, *, known: bool, force: bool, fetched: Range | None
    ) -> tuple[bool, Changes | None]:
        """Read a window of a file; says whether there is more, and what has changed."""
        listed, offset = file.listed, file.records.offset
        try:
            with self._cache.measured() if self._cache else nullcontext():
                more = file.read(force=force, fetched=fetched)
        finally:  # also what an interrupted reading has undone
            names = run.update(file)
        # A file that the initial scan finds is usually old.
        is_recent = self.ready and time.time() - file.records.modified < _GROWING_S
        if file.records.offset != offset and (known or is_recent):
            self._grown[file] = time.monotonic()
        series = frozenset((kind, run.name, tag) for kind, tag in names)
        catalog = file.listed != listed
        if not series and not catalog:
            return more, None
        self._log_problem(file)
        return more, Changes(series, catalog)

    def problems_changed(self) -> None:
        """There are other problems than before; the next poll reports them."""
        self._other_problems.set()

    def _log_problem(self, file: EventFile) -> None:
        if file.path in self._logged:
            return
        problems = file.problems()
        if problems:
            self._logged.add(file.path)
            more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
            log.warning("%s%s", problems[0], more)

    def _apply(self, listing: Listing) -> Changes | None:
        """Take over a listing, and the checkpoints."""
        changes = self._apply_files(listing)
        series = self.checkpoints.take(listing.checkpoints, self.runs)
        if series is None:
            return changes
        return Changes(series | changes.series if changes else series, catalog=True)

    def _apply_files(self, listing: Listing) -> Changes | None:
        """Take over the files of a listing; the data of files that are gone go with them."""
        series, catalog = self._refresh_own()
        if listing is self._listing:
            return Changes(frozenset(series), catalog) if catalog else None
        self._listing = listing
        catalog |= self.walk_problems != listing.problems
        self.walk_problems = listing.problems
        for name in self.runs.keys() - listing.runs.keys():
            series |= self._series(self.runs.pop(name))
            catalog = True
        for name, found in listing.runs.items():
            run = self.runs.get(name)
            if run is None:
                run = self.runs[name] = Run(name, found.root.storage, self._tags)
                catalog = True
            if run.files.keys() != found.files.keys() or _names(run.own) != _names(found.own):
                before = self._series(run)
                self.files_found += len(found.files.keys() - run.files.keys())
                run.set_files(
                    {
                        name: run.files.get(name) or self._new_file(found.root, name, path)
                        for name, path in found.files.items()
                    },
                    _own_files(run, found),
                )
                series.update(before, self._series(run))
                catalog = True
        of_new, is_new = self._refresh_own()
        series, catalog = series | of_new, catalog or is_new
        return Changes(frozenset(series), catalog) if series or catalog else None

    def _new_file(self, root: Root, name: str, path: str) -> EventFile:
        make = partial(EventFile, root.storage, path, name, self._table, self._other_problems.set)
        file, is_restored = self._cache.restored(root, make) if self._cache else (make(), False)
        if is_restored:
            self._log_problem(file)
            if not self.ready:
                self._restored.add(file)
        return file

    def write_cache(self, *, final: bool = False) -> bool:
        """Keep data for later processes if that is worthwhile; return whether it was.

        `final`: also right after the cache was written last.
        """
        cache = self._cache
        if cache is None or not self.ready or not (cache.is_worthwhile if final else cache.is_due):
            return False
        files: dict[Root, dict[str, EventFile]] = {}
        with self.lock:
            found = {} if self._listing is None else self._listing.runs
            for name, run in self.runs.items():
                files.setdefault(found[name].root, {}).update(run.files)
        cache.write(files, self.lock, self.fair_lock)
        return True

    def write_cache_at_exit(self) -> None:
        """Keep data while the interpreter ends, unless a thread holds a lock that it may never release."""
        with ExitStack() as held:
            for lock in (self.fair_lock, self.lock):
                if not lock.acquire(timeout=_EXIT_PATIENCE_S):
                    return
                held.callback(lock.release)
            self.write_cache(final=True)

    def _poll_own_files(
        self, progress: PollProgress, runs: Sequence[Run], due: Collection[Storage]
    ) -> Iterator[PollStep]:
        """Read files of remote storages that only one kind reads, if they were written again, in groups."""
        for storage in due:
            if not storage.is_remote:
                continue
            with self.lock:
                files = list(_own_files_on(storage, runs))
            for group, ranges in fetch_groups(
                storage, ((each, each[2].ranges()) for each in files), storage.files_at_once
            ):
                if ranges:
                    self._fetch(storage, ranges, progress)
                with self.lock:
                    there = [each for each in group if self.runs.get(each[0].name) is each[0]]
                    series, found = self._refreshed(there)
                yield PollStep(Changes(frozenset(series), catalog=True) if found else None, is_reading=bool(ranges))

    def _refresh_own(self) -> tuple[set[tuple[str, str, str]], bool]:
        """Read files of this machine that only one kind reads again; returns as `_refreshed` does."""
        return self._refreshed([each for storage in self._near for each in _own_files_on(storage, self.runs.values())])

    @staticmethod
    def _refreshed(files: Iterable[tuple[Run, str, OwnFile]]) -> tuple[set[tuple[str, str, str]], bool]:
        """Read files again; returns each series that they change, and whether anything did."""
        series: set[tuple[str, str, str]] = set()
        found = False
        for run, kind, file in files:
            before = file.tags
            changed = file.refresh()
            run.storage.forget(file.found.path)
            if changed:
                series.update((kind, run.name, tag) for tag in (*before, *file.tags))
                run.catalog.forget_listing()
                found = True
        return series, found

    def _series(self, run: Run) -> set[tuple[str, str, str]]:
        return {(kind, run.name, tag) for kind, tags in run.catalog.listing().items() for tag in tags}

    def _size(self, file: EventFile) -> int:
        try:
            return file.storage.status(file.path).size
        except OSError:
            return 0


def _files_of(runs: Iterable[Run]) -> list[tuple[Run, EventFile]]:
    return [(run, file) for run in runs for file in run.files.values()]


def _names(own: Mapping[str, Mapping[str, object]]) -> dict[str, Collection[str]]:
    return {kind: files.keys() for kind, files in own.items()}


def _own_files_on(storage: Storage, runs: Iterable[Run]) -> Iterator[tuple[Run, str, OwnFile]]:
    """The files on a storage that only one kind reads, with their runs and kinds."""
    for run in runs:
        if run.storage is storage:
            for kind, files in run.own.items():
                for file in files.values():
                    yield run, kind, file


def _own_files(run: Run, found: Found) -> dict[str, dict[str, OwnFile]]:
    """Return the objects that read a run's own files: those that it has already, and new ones."""
    return {
        kind: {name: run.own.get(kind, {}).get(name) or FILES[kind].read(file) for name, file in files.items()}
        for kind, files in found.own.items()
    }
