"""Log directories as a source: read once, kept up to date, shared by threads and by those who show them."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from tbwidget.logs.engine.failures import Failures
from tbwidget.logs.engine.flushing import abandon_hanging_flush, flush_writers
from tbwidget.logs.engine.follower import Follower
from tbwidget.logs.engine.reader import Reader, Step, log
from tbwidget.logs.engine.run import Run
from tbwidget.logs.items import Attachment, Items
from tbwidget.logs.kinds.declare import OwnFile
from tbwidget.logs.kinds.registry import KINDS, SCALARS
from tbwidget.logs.natural import natural_key
from tbwidget.logs.problems import Problem
from tbwidget.logs.roots import Root, common_parent, title
from tbwidget.logs.series import Scalars, TagMetadata
from tbwidget.logs.source import Changes
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
    """The event files below some directories, as a `LogSource`. Nothing is read until `refresh`, or a follower, reads.

    Any thread may call any method.
    """

    def __init__(self, roots: tuple[Root, ...]) -> None:
        self.roots = roots
        self.path = self.roots[0].place if len(self.roots) == 1 else common_parent(self.roots)
        """The directory; of several the one that they lie in."""
        self._reader = Reader(self.roots)
        self._lock = self._reader.lock
        self._failures = Failures()
        self._subscribers: dict[object, tuple[Callable[[Changes], None], bool]] = {}
        self._holders = 0
        self._run_numbers: dict[str, int] = {}
        self._interrupted: object = None  # another object for each time
        self._repairing = threading.RLock()
        self._inside = 0  # the thread that holds the lock in `_locked`
        self._owner_follows = False
        self._follower: Follower | None = None
        self._ending = threading.Event()  # of the follower
        _all.add(self)

    # What is there.

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Block the scanner while the context is held, so that a batch of reads waits for it only once."""
        self._repair()
        with self._reader.turnstile, self._locked():
            yield

    @property
    def paths(self) -> dict[str, Path | str]:
        """The directories, by the names that come before those of their runs: "" for one without a name."""
        return {root.name: root.place for root in self.roots}

    @property
    def title(self) -> str:
        """What it is called where it is shown: its path; of several their names and paths."""
        return title(self.roots)

    @property
    def exists(self) -> bool:
        """Some of its directories are there."""
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
        """A number for each run, from which views take its color; one that a run was given stays while this is open.

        Runs get their numbers in the order in which they began: by the wall time of their first event, then naturally;
        last those of which no event was read yet, or whose first wall time is no finite number. A run that appears
        later gets the next number.
        """
        with self._locked():
            begins = {name: run.begin for name, run in self._reader.runs.items() if name not in self._run_numbers}
            for name in sorted(begins, key=lambda name: (begins[name], natural_key(name))):
                self._run_numbers[name] = len(self._run_numbers)
            return dict(self._run_numbers)

    def tags(self) -> dict[str, dict[str, list[str]]]:
        """All tags that have data: {kind: {run: [tag, ...]}}, runs and tags in natural order."""
        with self._locked():
            listings = {run: self._reader.runs[run].catalog.listing() for run in self.runs}
            found = {kind: {run: list(tags[kind]) for run, tags in listings.items() if kind in tags} for kind in KINDS}
        return {kind: runs for kind, runs in found.items() if runs}

    def scalars(self, run: str, tag: str, *, superseded: bool = False) -> Scalars:
        """The points of a scalar tag, in the order written.

        Points that a later restart wrote anew are left out, unless `superseded` asks for them.
        Raises KeyError for a run, or a scalar tag, that is not there.
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
        """What the writer said about a tag. Raises KeyError for a run or tag that is not there."""
        with self._locked():
            holder = self._run(run)
            if holder.catalog.kind(tag) is None:
                raise self._unknown_tag(f"no tag {tag!r} in run {run!r}", holder, tag)
            return holder.catalog.metadata(tag)

    @property
    def problems(self) -> list[Problem]:
        """What could not be read and was passed over, by path and offset."""
        with self._locked():
            found = [*self._reader.walk_problems, *self._failures.problems(self._is_there)]
            for run in self._reader.runs.values():
                found += run.problems()
        return sorted(found, key=lambda problem: (problem.path, -1 if problem.offset is None else problem.offset))

    @property
    def empty_files(self) -> int:
        """Count of the event files in which no data were found, and nothing wrong: their writers may hold it back."""
        with self._locked():
            files = [file for run in self._reader.runs.values() for file in run.files.values()]
            return sum(not (file.notes or file.attachments or file.problems()) for file in files)

    def report_failure(self, kind: str, run: str, tag: str, reason: str) -> None:
        """Make a problem of what cannot be read or shown, until `clear_failure`, or until it is gone.

        A document of a run has no tag (""), one of the directory no run either. The next look tells of it.
        """
        with self._lock:
            if self._failures.add((kind, run, tag), text_reason(reason)):
                self._reader.problems_changed()

    def report_problems(self, source: str, problems: list[Problem]) -> None:
        """List problems that others found, in place of those that this source reported before."""
        with self._lock:
            if self._failures.replace(source, problems):
                self._reader.problems_changed()

    def clear_failure(self, kind: str, run: str, tag: str) -> None:
        """It can be read and shown again; nothing happens if there was no problem with it."""
        if not self._failures:
            return
        with self._lock:
            if self._failures.remove((kind, run, tag)):
                self._reader.problems_changed()

    def _is_there(self, run: str, tag: str) -> bool:
        holder = self._reader.runs.get(run)
        return not run or (holder is not None and (not tag or holder.catalog.kind(tag) is not None))

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """A context in which what was read stays as it is; where reading it was interrupted, it is read again first."""
        self._repair()
        with self._lock:
            outer, self._inside = self._inside, threading.get_ident()
            try:
                yield
            finally:
                self._inside = outer

    def _repair(self) -> None:
        """Read the files again after an interruption, unless a follower does so soon; other threads wait meanwhile."""
        # Who holds the lock must not wait for one who reads.
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
        """What `make` puts together; where that is interrupted, the files are read again."""
        with self._locked():
            try:
                return make()
            except KeyError:
                raise
            except BaseException:
                self._interrupted = object()
                raise

    def _holder(self, run: str, tag: str, kind: str) -> Run:
        """The run, if it has such a tag and that is of the kind."""
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

    # Keeping up with the disk.

    @property
    def ready(self) -> bool:
        """The first pass over the directory has ended."""
        return self._reader.ready

    @property
    def progress(self) -> tuple[int, int]:
        """Bytes read so far, and bytes in the files found."""
        with self._lock:
            return self._reader.progress

    def refresh(self) -> bool:
        """Read what was written since the last time; True when something changed.

        Afterwards everything equals what a first reading would give.
        """
        changes = self._read_again()
        if changes:
            self.notify(changes)
        return changes is not None

    def _read_again(self) -> Changes | None:
        parts = [step.changes for step in self._reader.look(force=True) if step.changes]
        if not parts:
            return None
        return Changes(frozenset().union(*(part.series for part in parts)), any(part.catalog for part in parts))

    def look(self, *, everywhere: bool) -> Iterator[Step]:
        """One look of the follower, step by step: at all files, or for new runs and at files that grew lately."""
        if everywhere:
            abandon_hanging_flush()  # the thread that flushes cannot watch itself
            yield from self._reader.look()
        else:
            yield from self._reader.look_at_roots()
            yield from self._reader.look_at_growing()

    @property
    def growing(self) -> bool:
        """Some file grew in the last seconds."""
        return self._reader.growing

    def follow(self, interval: float = INTERVAL_S) -> None:
        """Refresh in a background thread from now on, about every `interval` seconds where files grow.

        A run that appears directly below the directory is found within 0.5 s. Everything else is looked at every 0.5 to
        5 s, so that looking costs 1 % of a core for up to some thousands of runs.
        Ends with `close()`, with the interpreter, or when nobody holds the directory any more. Where no thread can be
        started, as in JupyterLite, only `refresh()` reads what is new.
        """
        with self._lock:
            self._owner_follows = True
            self._start(interval)

    def close(self) -> None:
        """End following and drop subscribers; what was read stays. May be called twice, and from any thread.

        Whoever holds the directory (a dashboard that shows it) goes on until it lets go.
        """
        with self._lock:
            self._owner_follows = False
            self._subscribers = {key: entry for key, entry in self._subscribers.items() if entry[1]}
            follower = self._unneeded()
        if follower:
            follower.stop()

    def hold(self) -> None:
        """Keep it followed until `release`, whatever its owner does; for those who show it."""
        with self._lock:
            if self._follower is None:
                self._start(INTERVAL_S)
            self._holders += 1

    def release(self) -> None:
        """End one `hold`; the last one ends the follower, unless the owner follows too."""
        with self._lock:
            self._holders = max(0, self._holders - 1)  # in a forked child nobody holds it
            follower = self._unneeded()
        if follower:
            follower.stop()

    def flush_writers(self) -> Callable[[], None]:
        """Flush this process's own writers below it from now on; returns how to end that. For those who hold it.

        Most writers hold values back for up to 120 s. One whose directory is not on a local disk is never flushed; one
        that is slow or hangs no longer is, which is a problem.
        """
        return flush_writers(self, self.roots)

    @property
    def files_found(self) -> int:
        """Count of the event files found so far, of those that are gone too."""
        return self._reader.files_found

    def _start(self, interval: float) -> None:
        if self._follower is None and have_threads():
            self._ending = threading.Event()
            self._follower = Follower(weakref.ref(self), self._ending, interval)
        if self._follower is not None:
            self._follower.interval = interval

    def _unneeded(self) -> Follower | None:
        """The follower, which is set to end and no longer held, if nobody needs it any more."""
        if self._owner_follows or self._holders:
            return None
        follower, self._follower = self._follower, None
        self._ending.set()
        return follower

    def subscribe(self, callback: Callable[[Changes], None], *, held: bool = False) -> Callable[[], None]:
        """Call back after each look that changed something, in the thread that looked; returns how to end that.

        `close()` ends it too, unless it is `held`: by one who holds the directory.
        """
        key = object()
        with self._lock:
            self._subscribers[key] = (callback, held)

        def unsubscribe() -> None:
            with self._lock:
                self._subscribers.pop(key, None)

        return unsubscribe

    def notify(self, changes: Changes) -> None:
        """Call back those who subscribed."""
        with self._lock:
            callbacks = [callback for callback, _ in self._subscribers.values()]
        for callback in callbacks:
            try:
                callback(changes)
            except Exception:  # noqa: BLE001 (reading goes on whatever a subscriber does)
                log.exception("a subscriber of %s failed", self.path)

    def _after_fork(self) -> None:
        """Make it usable in a forked child, which has none of the threads: what one of them held is not as it was."""
        if not self._lock.acquire(blocking=False):
            self._reader = Reader(self.roots)
            self._interrupted = object()
        else:
            self._lock.release()
            self._reader.renew_locks()
        self._lock = self._reader.lock
        self._repairing, self._inside = threading.RLock(), 0
        self._follower, self._ending = None, threading.Event()
        self._holders, self._owner_follows = 0, False
        self._subscribers.clear()


def _after_fork() -> None:
    for source in list(_all):
        source._after_fork()  # noqa: SLF001 (the class's own module)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
