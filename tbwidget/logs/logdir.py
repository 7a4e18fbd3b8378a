"""A log directory: its runs, their series, read once and kept up to date."""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from tbwidget.logs.accessors import Accessors
from tbwidget.logs.follower import Follower
from tbwidget.logs.items import Items, Source, read_extra
from tbwidget.logs.kinds import KINDS, SCALARS
from tbwidget.logs.natural import natural_key
from tbwidget.logs.problems import Problem
from tbwidget.logs.reader import Changes, Reader, log
from tbwidget.logs.run import Run
from tbwidget.logs.series import Scalars, TagMetadata

_Taken = TypeVar("_Taken", Scalars, Items)

_INTERVAL = 0.1  # s

_all: weakref.WeakSet[LogDir] = weakref.WeakSet()


class LogDir(Accessors):
    """The event files below a directory.

    Not read yet when made: `refresh`, or the follower, reads. A directory that is missing counts as empty until it
    is there.
    All methods may be called from any thread.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(os.path.abspath(os.path.expanduser(path)))  # noqa: PTH100, PTH111 (links stay as the user wrote them)
        self._reader = Reader(str(self.path))
        self._lock = self._reader.lock
        self._subscribers: dict[object, tuple[Callable[[Changes], None], bool]] = {}
        self._holders = 0
        self._interrupted = False
        self._owner_follows = False
        self._follower: Follower | None = None
        self._ending = threading.Event()  # of the follower
        _all.add(self)

    # What is there.

    @property
    def runs(self) -> list[str]:
        """Names of the runs, in natural order: paths relative to the log directory; "." is the directory itself."""
        with self._lock:
            return sorted(self._reader.runs, key=natural_key)

    def tags(self) -> dict[str, dict[str, list[str]]]:
        """All tags that have data: {kind: {run: [tag, ...]}}, runs and tags in natural order."""
        with self._lock:
            listings = {run: self._reader.runs[run].catalog.listing() for run in self.runs}
            found = {kind: {run: list(tags[kind]) for run, tags in listings.items() if kind in tags} for kind in KINDS}
        return {kind: runs for kind, runs in found.items() if runs}

    def scalars(self, run: str, tag: str, *, superseded: bool = False) -> Scalars:
        """The points of a scalar tag, in the order written.

        Points that a later restart wrote anew are left out, unless `superseded` asks for them.
        Raises KeyError for a run, or a scalar tag, that is not there.
        """
        return self._taken(lambda: self._holder(run, tag, SCALARS).scalars(tag, superseded=superseded))

    def _items(self, run: str, tag: str, kind: str, *, superseded: bool = False) -> Items:
        """The values of a tag of another kind than scalars, likewise."""
        return self._taken(
            lambda: self._holder(run, tag, kind).items(tag, kind, superseded=superseded, report=self._report)
        )

    def _extra(self, run: str, what: str, tag: str = "") -> bytes | None:
        """The bytes of a run's last graph, meta graph or run metadata of a tag, as `decode` names these; None: none.

        Raises KeyError for a run that is not there, DamagedValueError where the bytes are not true.
        """
        with self._lock:
            source = self._run(run).beside(what, tag)
        return None if source is None else read_extra(*source, what, self._report)

    def _report(self, source: Source, offset: int, place: int, message: str) -> None:
        """A value could not be read or decoded: a problem, as long as its file is what it was."""
        with self._lock:
            self._reader.report(source.name, source.generation, offset, place, message)

    def metadata(self, run: str, tag: str) -> TagMetadata:
        """What the writer said about a tag. Raises KeyError for a run or tag that is not there."""
        with self._lock:
            holder = self._run(run)
            if holder.catalog.kind(tag) is None:
                raise KeyError(f"no tag {tag!r} in run {run!r}")
            return holder.catalog.metadata(tag)

    @property
    def problems(self) -> list[Problem]:
        """What could not be read and was passed over, by path and offset."""
        with self._lock:
            found = list(self._reader.walk_problems)
            for run in self._reader.runs.values():
                found += run.problems()
        return sorted(found, key=lambda problem: (problem.path, -1 if problem.offset is None else problem.offset))

    def _taken(self, take: Callable[[], _Taken]) -> _Taken:
        """What `take` puts together; where that is interrupted, the files are read again."""
        if self._interrupted and self._follower is None:  # which else does so soon
            self._interrupted = False
            self.refresh()
        with self._lock:
            try:
                return take()
            except KeyError:
                raise
            except BaseException:
                self._interrupted = True
                raise

    def _holder(self, run: str, tag: str, kind: str) -> Run:
        """The run, if it has such a tag and that is of the kind."""
        holder = self._run(run)
        found = holder.catalog.kind(tag)
        if found != kind:
            other = f" (it holds {found})" if found else ""
            raise KeyError(f"no tag {tag!r} of kind {kind} in run {run!r}{other}")
        return holder

    def _run(self, name: str) -> Run:
        run = self._reader.runs.get(name)
        if run is None:
            raise KeyError(f"no run {name!r} in {self.path}")
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
        parts = [changes for changes in self._reader.look(afresh=True) if changes]
        if parts:
            self._tell(
                Changes(frozenset().union(*(part.series for part in parts)), any(part.catalog for part in parts))
            )
        return bool(parts)

    def look(self, *, everywhere: bool) -> float:
        """One look of the follower: at all files, or at those that grew lately.

        Returns the CPU seconds that it cost to look. What subscribers do with the changes does not count, nor does the
        first walk; nor, where all files are looked at, reading what is new: no looking less often saves that.
        """
        reading, spent = self._reader.reading, 0.0
        first, steps = not self._reader.walked, self._reader.look() if everywhere else self._reader.look_at_growing()
        begin = time.thread_time()
        for changes in steps:
            spent += time.thread_time() - begin
            if first:
                first, spent = False, 0.0
            if self._ending.is_set():
                break
            if changes:
                self._tell(changes)
            begin = time.thread_time()
        spent += time.thread_time() - begin
        return spent - (self._reader.reading - reading if everywhere else 0.0)

    @property
    def growing(self) -> bool:
        """Some file grew in the last seconds."""
        return self._reader.growing

    def follow(self, interval: float = _INTERVAL) -> None:
        """Refresh in a background thread from now on, about every `interval` seconds where files grow.

        Files at rest are looked at every 2 s at most, and all that looking costs 1 % of a core at most.
        Ends with `close()`, with the interpreter, or when nobody holds the directory any more.
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
            self._holders += 1
            if self._follower is None:
                self._start(_INTERVAL)

    def release(self) -> None:
        """End one `hold`; the last one ends the follower, unless the owner follows too."""
        with self._lock:
            self._holders -= 1
            follower = self._unneeded()
        if follower:
            follower.stop()

    def _start(self, interval: float) -> None:
        if self._follower is None:
            self._ending = threading.Event()
            self._follower = Follower(weakref.ref(self), self._ending, interval)
        self._follower.interval = interval

    def _unneeded(self) -> Follower | None:
        """The follower, taken out and told to end, if nobody needs it any more."""
        if self._owner_follows or self._holders:
            return None
        follower, self._follower = self._follower, None
        self._ending.set()
        return follower

    def __enter__(self) -> Self:
        """Close on leaving."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self.close()

    def __repr__(self) -> str:
        """Name the path and count the runs."""
        return f"LogDir({str(self.path)!r}, {len(self._reader.runs)} runs)"

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

    def _tell(self, changes: Changes) -> None:
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
            self._reader = Reader(str(self.path))
        else:
            self._lock.release()
            self._reader.renew_locks()
        self._lock = self._reader.lock
        self._follower, self._ending = None, threading.Event()
        self._holders, self._owner_follows = 0, False
        self._subscribers.clear()


def _after_fork() -> None:
    for logs in list(_all):
        logs._after_fork()  # noqa: SLF001 (the class's own module)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
