"""Flushing of the writers in this process, which would otherwise hold their values back for up to two minutes.

One daemon thread serves all log directories whose holders want it. It searches for writers when a new event file
appears, among modules that are already imported. It calls what a writer offers for that, and changes nothing of it.
"""

from __future__ import annotations

import atexit
import gc
import io
import os
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from tbwidget.logs.engine.discovery import is_event_file
from tbwidget.logs.engine.reader import log
from tbwidget.logs.roots import Root
from tbwidget.logs.source import LogSource
from tbwidget.logs.threads import have_threads, thread_time
from tbwidget.reasons import Reason
from tbwidget.records.files.storage import LOCAL

_INTERVAL_S = 0.25
_REST_RATIO = 20  # rest after a round of flushes, and after a search, in multiples of the time it took
_MAX_FLUSH_S = 0.1
_MAX_SLOW_FLUSHES = 2  # in a row: one may meet a disk that is busy for a moment
_GIL_WAITS = 10  # waits for Python's lock in a flush, at most
_JOIN_TIMEOUT_S = 2.0
_FORK_TIMEOUT_S = 1.0
_MAX_HANG_S = 5.0  # of a flush, until its thread is abandoned
_HANG_CHECK_S = 0.1
_MAX_INCOMPLETE_SEARCHES = 10  # in a row, without a new event file

_TF2_SUFFIX = ".v2"
"""How the names of TF2's event files end."""

_FAILURE = "writer"
"""Replaces the kind in the problem that reports a slow writer."""

_LOCAL_FILE_SYSTEMS = frozenset(
    {"bcachefs", "btrfs", "exfat", "ext2", "ext3", "ext4", "f2fs", "fuseblk", "hfsplus", "jfs", "msdos"}
    | {"nilfs2", "ntfs", "ntfs3", "overlay", "ramfs", "reiserfs", "tmpfs", "vfat", "virtiofs", "xfs", "zfs"}
)
"""Linux's names. Object storage uploads a whole file at each flush, so any other is taken for a remote one."""


class Watched(LogSource, Protocol):
    """Logs in directories."""

    @property
    def files_found(self) -> int:
        """Count of the event files found so far."""


def flush_writers(logs: Watched, roots: Sequence[Root]) -> Callable[[], None]:
    """Flush the writers in this process whose directories lie below one of `roots`; returns how to end that.

    It also ends when nothing else refers to `logs`, with the interpreter, and in a forked child.
    """
    return _flusher.add(logs, roots)


def abandon_hanging_flush() -> None:
    """Go on without a writer whose flush has not returned for long, which becomes a problem. Costs nothing else."""
    _flusher.abandon_hanging_flush()


# How each writer is flushed. Every function may be called in any thread, and raises when the writer cannot be flushed.


def _flush(writer: Any) -> None:
    """Call a flush that is safe in any thread."""
    writer.flush()


def _flush_buffer(writer: Any) -> None:
    """Flush tensorboardX's buffer; its own `flush` also waits until the disk has written (fsync)."""
    events = writer._ev_writer  # noqa: SLF001 (a missing attribute is handled)
    file = getattr(getattr(events, "_py_recordio_writer", None), "_writer", None)
    if isinstance(file, io.BufferedWriter) and hasattr(events, "_lock"):
        with events._lock:  # noqa: SLF001 (its presence was checked)
            file.flush()
    else:
        writer.flush()


def _request_flush(writer: Any) -> None:
    """Ask the thread of TF1's writer to flush. Its `flush` cannot be called by two threads at once."""
    writer._event_queue.put(writer._flush_sentinel)  # noqa: SLF001 (a missing attribute is handled)


def _flush_resource(writer: Any) -> None:
    """Flush TF2's writer, unless it belongs to a graph, to which that would add an operation."""
    if _is_eager(writer):
        writer.flush()


def _is_eager(writer: Any) -> bool:
    context = _loaded("tensorflow.python.eager.context", "executing_eagerly")
    tensor = _loaded("tensorflow.python.framework.ops", "EagerTensor")
    return bool(context and context()) and isinstance(tensor, type) and isinstance(writer._resource, tensor)  # noqa: SLF001


_FLUSHES: Mapping[tuple[str, str], Callable[[Any], None]] = {
    ("tensorboard.summary.writer.event_file_writer", "EventFileWriter"): _flush,  # torch's, and Lightning's
    ("tensorboardX.event_file_writer", "EventFileWriter"): _flush_buffer,
    ("tensorflow.python.summary.writer.event_file_writer", "EventFileWriter"): _request_flush,
    ("tensorflow.python.summary.writer.event_file_writer_v2", "EventFileWriterV2"): _flush,
    ("tensorflow.python.ops.summary_ops_v2", "_ResourceSummaryWriter"): _flush_resource,  # tf.summary's, and Keras'
}


def _loaded(module: str, name: str) -> Any:
    """Return a name that a module defines, None unless it has been imported. Nothing is computed or imported for it."""
    found = sys.modules.get(module)
    return getattr(found, "__dict__", {}).get(name)


@dataclass(slots=True)
class _Writer:
    """A writer that was found."""

    reference: weakref.ref[Any]
    flush: Callable[[Any], None]
    directory: str
    """Its real path. TF2's writers do not tell theirs: for them, the directory of one of their files."""
    slow_flushes: int = 0
    """Count of slow flushes in a row."""
    is_disabled: bool = False
    """Whether it is no longer flushed: it raised, is too slow, or a flush did not return."""
    problem: Reason | None = None
    """The reason to report; None for a writer that raised, because its owner gets that error too."""

    def disable(self, problem: Reason | None = None) -> None:
        """Stop flushing it."""
        self.is_disabled, self.problem = True, problem


def _find_writers() -> Iterator[tuple[Any, Callable[[Any], None]]]:
    """All writers in this process that are not closed. Takes some 40 ms, in which no other thread runs Python."""
    flushes = {cls: flush for name, flush in _FLUSHES.items() if isinstance(cls := _loaded(*name), type)}
    classes = list(flushes)
    for cls in classes:  # the loop also visits what it appends, so that subclasses of subclasses are found
        subclasses: list[type] = type.__subclasses__(cls)
        classes += [each for each in subclasses if each not in classes]
    for found in gc.get_referrers(*classes) if classes else ():
        # Not isinstance: it asks each object, and some are proxies that import what they stand for.
        flush = next((flushes[cls] for cls in type(found).__mro__ if cls in flushes), None)
        if flush is not None and not getattr(found, "_closed", False):
            yield found, flush


def _open_event_files() -> list[str] | None:
    """Real paths of the event files that this process holds open; None where the system does not tell."""
    try:
        descriptors = os.listdir("/dev/fd")  # noqa: PTH208 (there may be thousands; a `Path` of each is slow)
    except OSError:
        return None
    paths = map(_path_of_descriptor, descriptors)
    return [path for path in paths if is_event_file(os.path.basename(path))]  # noqa: PTH119 (no `Path`, for speed)


def _path_of_descriptor(descriptor: str) -> str:
    """The path of an open file; "" for what has none."""
    try:
        if sys.platform != "darwin":
            return os.readlink(f"/dev/fd/{descriptor}")  # noqa: PTH115 (no `Path`, for speed)
        import fcntl  # noqa: PLC0415 (Windows has none)

        path: bytes = fcntl.fcntl(int(descriptor), fcntl.F_GETPATH, bytes(1024))
        return os.fsdecode(path.rstrip(b"\0"))
    except (OSError, ValueError):
        return ""  # closed meanwhile


def _is_local(directory: str) -> bool:
    """Whether a directory, by its real path, certainly lies on a disk of this machine."""
    try:
        if not sys.platform.startswith("linux"):
            return os.stat(directory).st_dev == os.stat(tempfile.gettempdir()).st_dev
        with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as file:  # noqa: PTH123
            return _file_system(directory, file) in _LOCAL_FILE_SYSTEMS
    except OSError:
        return False


def _file_system(path: str, mounts: Iterable[str]) -> str:
    """The type of the file system that a path lies on, by lines of Linux' mountinfo; "" if none says."""
    longest, found = -1, ""
    for line in mounts:
        fields, _, rest = line.partition(" - ")
        parts, kind = fields.split(" "), rest.split(" ")
        if len(parts) < 5:  # noqa: PLR2004 (the fifth is where it is mounted)
            continue
        point = parts[4].encode("utf-8", "surrogateescape").decode("unicode_escape").encode("latin-1")
        where = os.fsdecode(point).rstrip("/")
        # A later mount hides an earlier one at the same place.
        if _is_below(path, where) and len(where) >= longest:
            longest, found = len(where), kind[0]
    return found


def _is_below(path: str, directory: str) -> bool:
    return path == directory or path.startswith(directory.rstrip("/\\") + os.sep)


class _Registration(NamedTuple):
    """A log directory whose holder wants its writers flushed."""

    logs: weakref.ref[Any]
    roots: Sequence[Root]


class _Problems:
    """The problems of disabled writers, by log directory and run."""

    def __init__(self) -> None:
        self._reported: dict[tuple[weakref.ref[Any], str], Reason] = {}

    def replace(self, problems: dict[tuple[weakref.ref[Any], str], Reason]) -> None:
        """Withdraw the problems reported so far that are not among these, and report the new ones."""
        before, self._reported = self._reported, problems
        for reference, run in before.keys() - problems.keys():
            if (logs := reference()) is not None:
                logs.clear_failure(_FAILURE, run, "")
        for (reference, run), reason in problems.items():
            if before.get((reference, run)) != reason and (logs := reference()) is not None:
                logs.report_failure(_FAILURE, run, "", reason)


class _FlushLock:
    """Held during a flush and while the process forks, so that a child never inherits a lock that a flush holds."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self._flush: tuple[_Writer, float] | None = None
        """The writer that is being flushed, and since when (monotonic)."""

    @contextmanager
    def held_for(self, writer: _Writer) -> Iterator[None]:
        """A context in which the writer is flushed."""
        with self.lock:
            self._flush = writer, time.monotonic()
            try:
                yield
            finally:
                self._flush = None

    def hanging_writer(self) -> _Writer | None:
        """Return the writer whose flush has not returned for long, if there is one."""
        flush = self._flush
        if flush is None or time.monotonic() - flush[1] < _MAX_HANG_S:
            return None
        time.sleep(_HANG_CHECK_S)  # where another thread held Python's lock for long, the flush can return now
        return flush[0] if self._flush is flush else None


class _WriterFlusher:
    """Searches for writers, flushes them round by round, and stops flushing slow ones. Used by one thread."""

    def __init__(self, problems: _Problems, lock: _FlushLock, hanging: Sequence[_Writer] = ()) -> None:
        """Hold `lock` during each flush, and skip the `hanging` writers, which are disabled."""
        self._problems = problems
        self._lock = lock
        self._hanging = hanging
        self._writers: list[_Writer] = []
        self._known_files: dict[object, int] = {}  # count of each log directory's event files at the last search
        self._next_search = 0.0  # s, monotonic
        self._incomplete_searches = 0  # in a row

    def flush(self, registrations: Mapping[Any, _Registration], ending: threading.Event) -> float:
        """Flush every writer once; returns for how long to rest."""
        roots = [
            (os.path.realpath(root.path), root, each.logs)
            for each in registrations.values()
            for root in each.roots
            if root.storage is LOCAL
        ]
        self._search(registrations, [path for path, _, _ in roots])
        spent = 0.0
        for writer in list(self._writers):
            target = writer.reference()
            if target is None or getattr(target, "_closed", False):
                self._writers.remove(writer)
            elif not writer.is_disabled:
                took = _timed_flush(target, writer, self._lock)
                spent += took
                writer.slow_flushes = writer.slow_flushes + 1 if took > _MAX_FLUSH_S else 0
                if writer.slow_flushes >= _MAX_SLOW_FLUSHES and not writer.is_disabled:
                    writer.disable(Reason("slow-writer", milliseconds=round(took * 1000)))
            del target
            if ending.is_set():
                return 0.0  # another thread may have taken over the problems
        self._report(roots)
        return max(_INTERVAL_S, _REST_RATIO * spent)

    def _search(self, registrations: Mapping[Any, _Registration], roots: Sequence[str]) -> None:
        """Search for writers if there are event files that were not there at the last search."""
        files = {key: logs.files_found for key, each in registrations.items() if (logs := each.logs()) is not None}
        begin = time.monotonic()
        if files == self._known_files or begin < self._next_search:
            return
        opened = _open_event_files()
        known = [*self._hanging, *self._writers]
        self._writers, is_complete = [], True
        # Where other processes write all the files, there is nothing to search for.
        if opened is None or any(_is_below(path, root) for path in opened for root in roots):
            before = {id(target): writer for writer in known if (target := writer.reference()) is not None}
            found, is_complete = _writers_below(roots, opened or [])
            self._writers = [
                before.get(id(target), _Writer(weakref.ref(target), flush, directory))
                for target, flush, directory in found
            ]
        # A writer whose constructor is running is found by a later search. There are few of those, because a writer
        # whose constructor failed may live on in a traceback.
        self._incomplete_searches = 0 if is_complete else self._incomplete_searches + 1
        self._known_files = {} if 0 < self._incomplete_searches <= _MAX_INCOMPLETE_SEARCHES else files
        self._next_search = time.monotonic() + _REST_RATIO * (time.monotonic() - begin)

    def _report(self, roots: Sequence[tuple[str, Root, weakref.ref[Any]]]) -> None:
        """Report the disabled writers to every log directory that is registered now."""
        problems: dict[tuple[weakref.ref[Any], str], Reason] = {}
        for writer in self._writers:
            for path, root, reference in roots:
                if writer.problem and _is_below(writer.directory, path):
                    run = root.named(os.path.relpath(writer.directory, path).replace(os.sep, "/"))
                    problems[reference, run] = writer.problem
        self._problems.replace(problems)


def _writers_below(
    roots: Sequence[str], opened: Sequence[str]
) -> tuple[list[tuple[Any, Callable[[Any], None], str]], bool]:
    """Return the writers below one of the roots, on a disk of this machine, and whether all could be asked."""
    found, resources, is_complete = [], [], True
    for target, flush in _find_writers():
        if flush is _flush_resource:
            resources.append(target)
            continue
        try:
            directory = os.path.realpath(os.fsdecode(target.get_logdir()))
        except Exception:  # noqa: BLE001 (its constructor has just begun)
            is_complete = False
            continue
        if any(_is_below(directory, root) for root in roots) and _is_local(directory):
            found.append((target, flush, directory))
    # TF2's writers do not tell their directories. When each of them has an open file here, none writes elsewhere.
    directories = [os.path.dirname(path) for path in opened if path.endswith(_TF2_SUFFIX)]
    below = [each for each in directories if any(_is_below(each, root) for root in roots)]
    if below and len(resources) <= len(directories) and all(map(_is_local, set(directories))):
        found += [(target, _flush_resource, below[-1]) for target in resources]
    return found, is_complete


def _timed_flush(target: Any, writer: _Writer, lock: _FlushLock) -> float:
    """Flush a writer; returns the seconds that it took, without waits for Python's lock, which cost nothing."""
    begin = time.perf_counter()
    time.sleep(0)  # gives that lock away, and waits for it
    gil_wait = time.perf_counter() - begin
    begin, cpu = time.perf_counter(), thread_time()
    try:
        with lock.held_for(writer):
            writer.flush(target)
    except AttributeError:
        log.debug("a writer in %s is not ready to be flushed", writer.directory, exc_info=True)
    except Exception:  # noqa: BLE001 (whatever is wrong with a writer, its owner hears of it)
        log.debug("a writer in %s is not flushed any more", writer.directory, exc_info=True)
        writer.disable()
    return max(thread_time() - cpu, time.perf_counter() - begin - _GIL_WAITS * gil_wait)


class _Flusher:
    """Owns the thread, which runs while at least one log directory is registered."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Begin without registrations and threads, as a forked child does: it has none, and flushes nothing."""
        self._lock = threading.Lock()
        self._registrations: dict[object, _Registration] = {}
        self._problems = _Problems()
        self._hanging: list[_Writer] = []
        self.flush_lock = _FlushLock()
        """Replaced when a flush does not return."""
        self._thread: threading.Thread | None = None
        self._ending = threading.Event()

    def add(self, logs: Watched, roots: Sequence[Root]) -> Callable[[], None]:
        """Serve a log directory too; returns how to end that."""
        if not have_threads():
            return lambda: None
        self.abandon_hanging_flush()
        key = object()
        with self._lock:
            self._registrations[key] = _Registration(weakref.ref(logs), roots)
            if self._thread is None:
                self._start()
        return lambda: self._remove(key)

    def _start(self) -> None:
        """Start a thread. The lock is held."""
        self._ending = threading.Event()
        self._hanging = [writer for writer in self._hanging if writer.reference() is not None]
        arguments = (self._ending, _WriterFlusher(self._problems, self.flush_lock, self._hanging))
        thread = threading.Thread(target=self._run, args=arguments, name="tbwidget-flusher", daemon=True)
        thread.start()
        self._thread = thread

    def abandon_hanging_flush(self) -> None:
        """Go on in another thread if a flush has not returned for long; its writer is disabled."""
        lock = self.flush_lock
        writer = lock.hanging_writer()
        if writer is None:
            return
        with self._lock:
            if lock is not self.flush_lock:
                return  # another thread was faster
            writer.disable(Reason("hanging-writer", seconds=_MAX_HANG_S))
            self._hanging = [*self._hanging, writer]
            self.flush_lock = _FlushLock()
            if self._thread is not None:
                self._detach()
                if self._registrations:
                    self._start()

    def _remove(self, key: object) -> None:
        with self._lock:
            self._registrations.pop(key, None)
        if self._end_thread():
            self._problems.replace({})  # the thread does so, too, unless it waits for a flush

    def _end_thread(self) -> bool:
        """End the thread if no log directory is registered any more; return whether none is."""
        self.abandon_hanging_flush()
        with self._lock:
            if self._registrations:
                return False
            thread = self._detach()
        if thread is not None and thread is not threading.current_thread():
            thread.join(_JOIN_TIMEOUT_S)
        return True

    def _detach(self) -> threading.Thread | None:
        """Tell the thread to end, and return it. The lock is held."""
        thread, self._thread = self._thread, None
        self._ending.set()
        return thread

    def stop(self) -> None:
        """End the thread in any case: a daemon thread may crash an interpreter that is shutting down."""
        with self._lock:
            self._registrations.clear()
        self._end_thread()

    def _run(self, ending: threading.Event, flusher: _WriterFlusher) -> None:
        rest = 0.0
        while not ending.wait(rest):
            with self._lock:
                self._registrations = {
                    key: each for key, each in self._registrations.items() if each.logs() is not None
                }
                if not self._registrations and not ending.is_set():
                    self._detach()
                registrations = dict(self._registrations)
            if ending.is_set():
                break
            try:
                rest = flusher.flush(registrations, ending)
            except Exception:  # noqa: BLE001 (a thread has nobody to raise it to, and goes on)
                log.exception("flushing failed")
                rest = _JOIN_TIMEOUT_S
        if self._thread is None:
            self._problems.replace({})


_flusher = _Flusher()

_forking: list[threading.Lock | None] = []
"""The lock that each fork under way holds. It may go on without it: a flush may never return."""


def _before_fork() -> None:
    held = _flusher.flush_lock
    timeout = 0.0 if held.hanging_writer() is not None else _FORK_TIMEOUT_S
    _forking.append(held.lock if held.lock.acquire(timeout=timeout) else None)


def _after_fork_in_parent() -> None:
    if _forking and (lock := _forking.pop()) is not None:
        lock.release()


def _after_fork_in_child() -> None:
    _flusher.reset()
    _forking.clear()


atexit.register(_flusher.stop)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork_in_parent, after_in_child=_after_fork_in_child)
