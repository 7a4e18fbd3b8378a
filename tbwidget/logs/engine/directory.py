"""Log directories as a source: read once, kept up to date, shared by threads and dashboards."""

from __future__ import annotations

import atexit
import os
import threading
import weakref
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from tbwidget.logs.checkpoints import Checkpoint, in_order, order_key
from tbwidget.logs.engine.checkpoint_files import directories_of, logged_apart
from tbwidget.logs.engine.flushing import abandon_hanging_flush, flush_writers
from tbwidget.logs.engine.follower import Follower
from tbwidget.logs.engine.reader import PollStep, Reader, log
from tbwidget.logs.engine.run import Run
from tbwidget.logs.items import Attachment, Items
from tbwidget.logs.kinds.declare import OwnFile
from tbwidget.logs.kinds.registry import KINDS, SCALARS
from tbwidget.logs.natural import natural_key
from tbwidget.logs.problems import Problem, ReportedProblems
from tbwidget.logs.roots import Root, common_parent, title
from tbwidget.logs.series import NO_DESCRIBED_TAGS, DescribedTags, Scalars, TagMetadata
from tbwidget.logs.source import Changes, Progress
from tbwidget.logs.threads import have_threads
from tbwidget.logs.unknown import UnknownNameError
from tbwidget.reasons import text_reason

if TYPE_CHECKING:
    from pathlib import Path

    from tbwidget.graph import Graph

_Snapshot = TypeVar("_Snapshot", Scalars, Items)

INTERVAL_S = 0.1
"""Seconds between polls of files that grow."""

_all: weakref.WeakSet[DirectorySource] = weakref.WeakSet()


class DirectorySource:
    """The event files below some directories, as a `LogSource`. It reads nothing before `refresh` or a follower does.

    Any thread may call any method.
    """

    def __init__(
        self,
        roots: tuple[Root, ...],
        *,
        cache: bool = True,
        executor: Any = None,
        checkpoints: Sequence[tuple[Root, str | None]] = (),
    ) -> None:
        """Without `cache`, nothing is read from the user's cache directory, nor written there.

        `checkpoints` are directories of checkpoints, each with its run; None: of all runs.
        """
        self.roots = roots
        self._has_cache = cache
        self._checkpoint_roots = checkpoints
        self.path = self.roots[0].place if len(self.roots) == 1 else common_parent(self.roots)
        """The directory, or the common parent of several."""
        directories = directories_of(checkpoints)
        self._reader = Reader(self.roots, cache=cache, executor=executor, checkpoints=directories)
        self._lock = self._reader.lock
        self._reported = ReportedProblems()
        self._subscribers: dict[object, tuple[Callable[[Changes], None], bool]] = {}
        self._holders = 0
        self._run_numbers: dict[str, int] = {}
        self._described = NO_DESCRIBED_TAGS
        self._interrupted: object = None  # a new object for each interruption
        self._repairing = threading.RLock()
        self._inside = 0  # identity of the thread that is in `_locked`
        self._owner_follows = False
        self._follower: Follower | None = None
        self._ending = threading.Event()  # of the follower
        _all.add(self)

    # Contents.

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Block the scanner while the context is held, so that a batch of reads waits for it only once."""
        self._repair()
        with self._reader.fair_lock, self._locked():
            yield

    @property
    def paths(self) -> dict[str, Path | str]:
        """Directories by name; the only one may have the name ""."""
        return {root.name: root.place for root in self.roots}

    @property
    def title(self) -> str:
        """Name for people: the path, or the names and paths of several directories."""
        return title(self.roots)

    @property
    def exists(self) -> bool:
        """Whether one of the directories exists."""
        return any(root.storage.is_directory(root.path) for root in self.roots)

    @property
    def runs(self) -> list[str]:
        """Names of the runs, in natural order: paths relative to the log directory; "." is the directory itself."""
        with self._locked():
            return sorted(self._reader.runs, key=natural_key)

    @property
    def run_count(self) -> int:
        """Number of runs, without a lock: nothing is read, and a busy scanner is not waited for."""
        return len(self._reader.runs)

    def run_numbers(self) -> dict[str, int]:
        """Return a number for each run, which sets its color and never changes.

        Runs are numbered by the wall time of their first event, then by name in natural order. Runs without a finite
        first wall time come last. A run that appears later gets the next number.
        """
        with self._locked():
            begins = {name: run.begin for name, run in self._reader.runs.items() if name not in self._run_numbers}
            for name in sorted(begins, key=lambda name: (begins[name], natural_key(name))):
                self._run_numbers[name] = len(self._run_numbers)
            return dict(self._run_numbers)

    def tags(self) -> dict[str, dict[str, list[str]]]:
        """Return all tags that have data: {kind: {run: [tag, ...]}}, runs and tags in natural order."""
        with self._locked():
            listings = {run: self._reader.runs[run].catalog.listing() for run in self.runs}
            found = {kind: {run: list(tags[kind]) for run, tags in listings.items() if kind in tags} for kind in KINDS}
        return {kind: runs for kind, runs in found.items() if runs}

    def scalars(self, run: str, tag: str, *, superseded: bool = False) -> Scalars:
        """Return the points of a scalar tag, in the order written.

        Points that a later restart wrote again are left out unless `superseded` is true.
        Raises KeyError for a run or scalar tag that does not exist.
        """
        return self._snapshot(lambda: self._holder(run, tag, SCALARS).scalars(tag, superseded=superseded))

    def items(self, run: str, tag: str, kind: str, *, superseded: bool = False) -> Items:
        """Return the values of a tag of this kind. Raises KeyError for a run or tag that does not exist."""
        return self._snapshot(lambda: self._holder(run, tag, kind).items(tag, kind, superseded=superseded))

    def graphs(self, run: str) -> dict[str, Graph]:
        """Return none: all graphs are in files."""
        with self._locked():
            self._run(run)
        return {}

    def attachment(self, run: str, what: str, tag: str = "") -> Attachment | None:
        """Return a run's last graph, meta graph or run metadata of a tag, as `decode` names these; None: none.

        Raises KeyError for a run that does not exist.
        """
        with self._locked():
            found = self._run(run).attachment(what, tag)
        return None if found is None else Attachment(*found, what)

    def own_files(self, run: str) -> list[OwnFile]:
        """Return the files of a run that only one kind reads. Raises KeyError for a run that does not exist."""
        with self._locked():
            return list(self._run(run).own_files())

    @property
    def checkpoint_roots(self) -> list[Root]:
        """The directories that are searched for checkpoints."""
        return [*self.roots, *(root for root, _ in self._checkpoint_roots)]

    def checkpoints(self, run: str) -> list[Checkpoint]:
        """Return the checkpoints of a run, by step. Raises KeyError for a run that does not exist."""
        with self._locked():
            holder = self._run(run)
            groups = self._reader.checkpoints.listing.by_run.get(run, [])
            logged = logged_apart(holder.logged_checkpoints(), groups)
        return in_order([*(file.checkpoint() for group in groups for file in group.files), *logged])

    def every_checkpoint(self) -> list[tuple[Checkpoint, tuple[str, ...]]]:
        """Return the checkpoints of all runs by step, each once with its runs."""
        with self._locked():
            listing, runs = self._reader.checkpoints.listing, self._reader.runs
            groups = [(group, tuple(run for run in group.runs if run in runs)) for group in listing.groups.values()]
            found: list[tuple[Checkpoint, tuple[str, ...]]] = [
                (each, (name,))
                for name, run in runs.items()
                for each in logged_apart(run.logged_checkpoints(), listing.by_run.get(name, []))
            ]
        found += [(file.checkpoint(), owners) for group, owners in groups if owners for file in group.files]
        return sorted(found, key=lambda pair: order_key(pair[0]))

    def checkpoints_revision(self) -> Hashable:
        """Return what is equal as long as `every_checkpoint` is, the times of files aside; no file is asked for."""
        with self._locked():
            listing = self._reader.checkpoints.listing
            logged = {name: repr(run.logged_checkpoints()) for name, run in self._reader.runs.items()}
            return listing, tuple((name, log) for name, log in logged.items() if log != "[]" or name in listing.by_run)

    def runs_with_checkpoints(self) -> list[str]:
        """Return the names of the runs that have checkpoints."""
        with self._locked():
            of_files = self._reader.checkpoints.listing.by_run
            return [name for name, run in self._reader.runs.items() if name in of_files or run.logged_checkpoints()]

    def directory_of(self, run: str) -> str:
        """Return the name of the directory that a run lies in; "" where there is only one."""
        return next((root.name for root in self.roots if root.holds(run)), "")

    def tags_of(self, run: str) -> dict[str, list[str]]:
        """Return the tags of a run that have data: {kind: [tag, ...]}."""
        with self._locked():
            return {kind: list(tags) for kind, tags in self._run(run).catalog.listing().items()}

    def kind(self, run: str, tag: str) -> str | None:
        """Return the kind of a tag; None for a tag that does not exist."""
        with self._locked():
            return self._run(run).catalog.kind(tag)

    def metadata(self, run: str, tag: str) -> TagMetadata:
        """Return what the writer declared about a tag. Raises KeyError for a run or tag that does not exist."""
        with self._locked():
            holder = self._run(run)
            if holder.catalog.kind(tag) is None:
                raise self._unknown_tag(f"no tag {tag!r} in run {run!r}", holder, tag)
            return holder.catalog.metadata(tag)

    def described_tags(self) -> DescribedTags:
        """Return the tags with a display name or a description of their own."""
        with self._locked():
            found = {name: run.catalog.described() for name, run in self._reader.runs.items()}
            found = {run: found[run] for run in sorted((run for run in found if found[run]), key=natural_key)}
            revision, before = self._described
            if list(found) != list(before) or any(found[run] is not before[run] for run in found):
                self._described = DescribedTags(revision + 1, found)
            return self._described

    @property
    def problems(self) -> list[Problem]:
        """Problems with what could not be read or shown, by path and offset."""
        with self._locked():
            found = [*self._reader.walk_problems, *self._reported.problems(self._has)]
            found += self._reader.checkpoints.listing.problems
            found += self._reader.storage_problems()
            for run in self._reader.runs.values():
                found += run.problems()
        return sorted(found, key=lambda problem: (problem.path, -1 if problem.offset is None else problem.offset))

    @property
    def empty_files(self) -> int:
        """Number of event files without data and without problems: their writers may hold data back."""
        with self._locked():
            files = [file for run in self._reader.runs.values() for file in run.files.values()]
            return sum(not (file.declarations or file.attachments or file.problems()) for file in files)

    def report_failure(self, kind: str, run: str, tag: str, reason: str) -> None:
        """List a problem until `clear_failure`, or until the run or tag is gone.

        A document of a run has no tag (""), one of the directory no run either. The next poll notifies subscribers.
        """
        with self._lock:
            if self._reported.add_failure(kind, run, tag, text_reason(reason)):
                self._reader.problems_changed()

    def report_problems(self, source: str, problems: list[Problem]) -> None:
        """List problems in place of those that the same `source` reported before."""
        with self._lock:
            if self._reported.replace(source, problems):
                self._reader.problems_changed()

    def clear_failure(self, kind: str, run: str, tag: str) -> None:
        """Withdraw a problem; do nothing if there was none."""
        if not self._reported.has_failures:
            return
        with self._lock:
            if self._reported.remove_failure(kind, run, tag):
                self._reader.problems_changed()

    def _has(self, run: str, tag: str) -> bool:
        """Whether a run exists, and has the tag; "" stands for any."""
        holder = self._reader.runs.get(run)
        return not run or (holder is not None and (not tag or holder.catalog.kind(tag) is not None))

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Keep all data unchanged while the context is held. After an interruption, read the files again first."""
        self._repair()
        with self._lock:
            outer, self._inside = self._inside, threading.get_ident()
            try:
                yield
            finally:
                self._inside = outer

    def _repair(self) -> None:
        """Read the files again after an interruption, while other threads wait. A follower does so by itself."""
        # A thread that holds the lock would wait for ever for another one that reads.
        if not self._interrupted or self._follower is not None or self._inside == threading.get_ident():
            return
        with self._repairing:
            interrupted = self._interrupted
            if not interrupted:
                return
            changes = self._read_again()
            if self._interrupted is interrupted:
                self._interrupted = None
        if changes:
            self.notify(changes)

    def _snapshot(self, make: Callable[[], _Snapshot]) -> _Snapshot:
        """Return what `make` returns. After an interruption within it, the next access reads the files again."""
        with self._locked():
            try:
                return make()
            except KeyError:
                raise
            except BaseException:
                self._interrupted = object()
                raise

    def _holder(self, run: str, tag: str, kind: str) -> Run:
        """Return the run. Raises KeyError unless it has a tag of this name and kind."""
        holder = self._run(run)
        found = holder.catalog.kind(tag)
        if found != kind:
            message = f"no tag {tag!r} of kind {kind} in run {run!r}"
            if found:
                raise KeyError(f"{message} (it holds {found})")
            raise self._unknown_tag(message, holder, tag, kind)
        return holder

    @staticmethod
    def _unknown_tag(message: str, holder: Run, tag: str, kind: str = "") -> KeyError:
        def known() -> list[str]:
            listing = holder.catalog.listing()
            return listing.get(kind) or [name for names in listing.values() for name in names]

        return UnknownNameError(message, tag, known, "tag")

    def _run(self, name: str) -> Run:
        run = self._reader.runs.get(name)
        if run is None:
            raise UnknownNameError(f"no run {name!r} in {self.title}", name, lambda: self.runs, "run")
        return run

    # Updates.

    @property
    def ready(self) -> bool:
        """Whether the initial scan has ended."""
        return self._reader.ready

    @property
    def polled_at(self) -> float | None:
        """When all files were polled last, by `time.monotonic`; None before the initial scan has ended."""
        return self._reader.polled_at

    @property
    def poll_interval(self) -> float | None:
        """Seconds between polls of remote storage; None where all files are on this machine."""
        return max((pace for root in self.roots if (pace := root.storage.poll_interval) is not None), default=None)

    @property
    def progress(self) -> Progress:
        """How far reading has come."""
        with self._lock:
            return self._reader.progress

    def refresh(self) -> bool:
        """Read appended bytes; return whether something changed. The result always equals a fresh load."""
        changes = self._read_again()
        if changes:
            self.notify(changes)
        return changes is not None

    def _read_again(self) -> Changes | None:
        parts = [step.changes for step in self._reader.poll(force=True) if step.changes]
        if not parts:
            return None
        return Changes(frozenset().union(*(part.series for part in parts)), any(part.catalog for part in parts))

    def stop(self) -> None:
        """End the reading that runs now, and read nothing until `resume` or `refresh`; data that were read stay."""
        self._reader.is_stopped = True
        self._reader.stop()

    def resume(self) -> None:
        """Let the follower read on after `stop`."""
        self._reader.is_stopped = False

    def stop_polling(self) -> None:
        """End the poll of the follower that runs now."""
        self._reader.stop(forced=False)

    def poll(self, *, everywhere: bool) -> Iterator[PollStep]:
        """Poll step by step, for the follower: all files, or only the roots and the files that grew lately."""
        if self._reader.is_stopped:
            return
        if everywhere:
            abandon_hanging_flush()  # the flushing thread cannot watch itself
            follower = self._follower
            yield from self._reader.poll(interval=follower.interval if follower else 0.0)
            if self._reader.write_cache():
                yield PollStep(None, is_reading=True)
        else:
            yield from self._reader.poll_roots()
            yield from self._reader.poll_growing()

    @property
    def is_waiting(self) -> bool:
        """Whether a remote storage is waited for now."""
        return any(root.storage.is_waiting for root in self.checkpoint_roots)

    @property
    def growing(self) -> bool:
        """Whether a file grew in the last seconds."""
        return self._reader.growing

    def follow(self, interval: float = INTERVAL_S) -> None:
        """Refresh in a background thread from now on, about every `interval` seconds where files grow.

        The follower ends with `close()`, with the interpreter, or when nothing refers to the source any more. Where no
        thread can be started, as in JupyterLite, only `refresh()` reads appended bytes.
        """
        with self._lock:
            self._owner_follows = True
            self._start(interval)

    def close(self) -> None:
        """End following, and reading in other threads, remove the subscribers and disconnect; data that were read stay.

        A second call does nothing. Dashboards that hold the source keep it followed, and stay subscribed, until they
        release it.
        """
        with self._lock:
            self._owner_follows = False
            self._subscribers = {key: entry for key, entry in self._subscribers.items() if entry[1]}
            follower = self._unneeded()
            is_held = self._holders > 0
        if is_held:
            return
        self._reader.stop()
        if follower:
            follower.stop()
        self._reader.write_cache(final=True)
        for root in self.checkpoint_roots:
            root.storage.disconnect()

    def hold(self) -> None:
        """Follow the logs until `release`, whatever their owner does."""
        with self._lock:
            if self._follower is None:
                self._start(INTERVAL_S)
            self._holders += 1

    def release(self) -> None:
        """End one `hold`. After the last one, the follower ends unless the owner follows the logs, too."""
        with self._lock:
            self._holders = max(0, self._holders - 1)  # a forked child may release what its parent held
            follower = self._unneeded()
        if follower:
            follower.stop()

    def flush_writers(self) -> Callable[[], None]:
        """Flush this process's writers of these logs from now on; return a function that ends that.

        Most writers hold values back for up to 120 s. Writers whose directory is not on a local disk are never
        flushed. A writer whose flush is slow or hangs is disabled, which is listed as a problem.
        """
        return flush_writers(self, self.roots)

    @property
    def files_found(self) -> int:
        """Number of event files found so far, deleted ones included."""
        return self._reader.files_found

    def _start(self, interval: float) -> None:
        if self._follower is None and have_threads():
            self._ending = threading.Event()
            self._follower = Follower(weakref.ref(self), self._ending, interval)
        if self._follower is not None:
            self._follower.interval = interval

    def _unneeded(self) -> Follower | None:
        """Detach the follower and tell it to end unless it is still needed; return it, or None."""
        if self._owner_follows or self._holders:
            return None
        follower, self._follower = self._follower, None
        self._ending.set()
        return follower

    def subscribe(self, callback: Callable[[Changes], None], *, held: bool = False) -> Callable[[], None]:
        """Call back after each poll that changed something, in its thread; return a function that ends that.

        `close()` ends it too, unless it is `held`: the subscriber called `hold`.
        """
        key = object()
        with self._lock:
            self._subscribers[key] = (callback, held)

        def unsubscribe() -> None:
            with self._lock:
                self._subscribers.pop(key, None)

        return unsubscribe

    def notify(self, changes: Changes) -> None:
        """Call the subscribers."""
        with self._lock:
            callbacks = [callback for callback, _ in self._subscribers.values()]
        for callback in callbacks:
            try:
                callback(changes)
            except Exception:  # noqa: BLE001 (reading goes on whatever a subscriber does)
                log.exception("a subscriber of %s failed", self.path)

    def _after_fork(self) -> None:
        """Make it usable in a forked child, where a lock that another thread held is never released."""
        if not self._lock.acquire(blocking=False):
            directories = directories_of(self._checkpoint_roots)
            self._reader = Reader(self.roots, cache=self._has_cache, checkpoints=directories)
            self._interrupted = object()
        else:
            self._lock.release()
            self._reader.renew_locks()
        self._lock = self._reader.lock
        self._repairing, self._inside = threading.RLock(), 0
        self._follower, self._ending = None, threading.Event()
        self._holders, self._owner_follows = 0, False
        self._subscribers.clear()


def _at_exit() -> None:
    for source in list(_all):
        source._reader.write_cache_at_exit()  # noqa: SLF001 (the class's own module)


atexit.register(_at_exit)


def _after_fork() -> None:
    for source in list(_all):
        source._after_fork()  # noqa: SLF001 (the class's own module)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
