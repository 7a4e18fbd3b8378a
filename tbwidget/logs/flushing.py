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
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from tbwidget.logs.discovery import is_event_file
from tbwidget.logs.reader import log
from tbwidget.logs.roots import Root
from tbwidget.logs.threads import have_threads, thread_time

_INTERVAL_S = 0.25
_REST_RATIO = 20  # rest after a round of flushes, and after a search, in multiples of the time it took
_MAX_FLUSH_S = 0.1
_MAX_SLOW_FLUSHES = 2  # in a row: one may meet a disk that is busy for a moment
_GIL_WAITS = 10  # waits for Python's lock in a flush, at most
_JOIN_TIMEOUT_S = 2.0
_FORK_TIMEOUT_S = 1.0

_TF2_SUFFIX = ".v2"
"""How the names of TF2's event files end."""

_FAILURE = "writer"
"""Replaces the kind in the problem that reports a slow writer."""

_LOCAL_FILE_SYSTEMS = frozenset(
    {"bcachefs", "btrfs", "exfat", "ext2", "ext3", "ext4", "f2fs", "fuseblk", "hfsplus", "jfs", "msdos"}
    | {"nilfs2", "ntfs", "ntfs3", "overlay", "ramfs", "reiserfs", "tmpfs", "vfat", "virtiofs", "xfs", "zfs"}
)
"""Linux's names. Object storage uploads a whole file at each flush, so any other is taken for a remote one."""


class Watched(Protocol):
    """The part of a `LogDir` that flushing needs."""

    @property
    def files_found(self) -> int:
        """Count of the event files found so far."""

    def report_failure(self, kind: str, run: str, tag: str, reason: str) -> None:
        """Make a problem of a writer that is too slow."""

    def clear_failure(self, kind: str, run: str, tag: str) -> None:
        """Withdraw that."""


def flush_writers(logs: Watched, roots: Sequence[Root]) -> Callable[[], None]:
    """Flush the writers in this process whose directories lie below one of `roots`; returns how to end that.

    It also ends when nothing else refers to `logs`, with the interpreter, and in a forked child.
    """
    return _flusher.add(logs, roots)


# How each writer is flushed. Every function may be called in any thread, and raises when the writer cannot be flushed.


def _flush(writer: Any) -> None:
    """Call a flush that is safe in any thread."""
    writer.flush()


def _flush_buffer(writer: Any) -> None:
    """Flush tensorboardX's buffer; its own `flush` also waits until the disk has written (fsync)."""
    events = writer._ev_writer  # noqa: SLF001 (what is not there is handled)
    file = getattr(getattr(events, "_py_recordio_writer", None), "_writer", None)
    if isinstance(file, io.BufferedWriter) and hasattr(events, "_lock"):
        with events._lock:  # noqa: SLF001 (likewise)
            file.flush()
    else:
        writer.flush()


def _request_flush(writer: Any) -> None:
    """Ask the thread of TF1's writer to flush. Its `flush` cannot be called by two threads at once."""
    writer._event_queue.put(writer._flush_sentinel)  # noqa: SLF001 (likewise)


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
    """Its real path. TF2's writers do not tell theirs: for them, the path of one of their files."""
    slow_flushes: int = 0
    """In a row."""
    is_left_alone: bool = False
    """It raised, or is too slow."""


def _find_writers() -> Iterator[tuple[Any, Callable[[Any], None]]]:
    """All writers in this process that are not closed. Takes some 40 ms, in which no other thread runs Python."""
    flushes = {cls: flush for name, flush in _FLUSHES.items() if isinstance(cls := _loaded(*name), type)}
    classes = list(flushes)
    for cls in classes:  # which grows
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
        descriptors = os.listdir("/dev/fd")  # noqa: PTH208 (there are thousands, perhaps)
    except OSError:
        return None
    paths = map(_path_of_descriptor, descriptors)
    return [path for path in paths if is_event_file(os.path.basename(path))]  # noqa: PTH119 (likewise)


def _path_of_descriptor(descriptor: str) -> str:
    """The path of an open file; "" for what has none."""
    try:
        if sys.platform != "darwin":
            return os.readlink(f"/dev/fd/{descriptor}")  # noqa: PTH115 (likewise)
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


class _Wish(NamedTuple):
    """A log directory whose holder wants its writers flushed."""

    logs: weakref.ref[Any]
    roots: Sequence[Root]


class _Rounds:
    """Searches for writers, flushes them round by round, and stops flushing slow ones. Used by one thread."""

    def __init__(self) -> None:
        self._writers: list[_Writer] = []
        self._known_files: dict[object, int] = {}  # count of each log directory's event files at the last search
        self._next_search = 0.0  # s, monotonic
        self._reported: list[tuple[weakref.ref[Any], str]] = []

    def flush(self, wishes: Mapping[Any, _Wish], ending: threading.Event) -> float:
        """Flush every writer once; returns for how long to rest."""
        roots = [(os.path.realpath(root.path), root, wish.logs) for wish in wishes.values() for root in wish.roots]
        self._search(wishes, [path for path, _, _ in roots])
        spent = 0.0
        for writer in list(self._writers):
            target = writer.reference()
            if target is None or getattr(target, "_closed", False):
                self._writers.remove(writer)
            elif not writer.is_left_alone and not ending.is_set():
                took = _timed_flush(target, writer)
                spent += took
                writer.slow_flushes = writer.slow_flushes + 1 if took > _MAX_FLUSH_S else 0
                if writer.slow_flushes >= _MAX_SLOW_FLUSHES:
                    writer.is_left_alone = True
                    self._report(writer.directory, took, roots)
            del target
        return max(_INTERVAL_S, _REST_RATIO * spent)

    def _search(self, wishes: Mapping[Any, _Wish], roots: Sequence[str]) -> None:
        """Search for writers if there are event files that were not there at the last search."""
        files = {key: logs.files_found for key, wish in wishes.items() if (logs := wish.logs()) is not None}
        begin = time.monotonic()
        if files == self._known_files or begin < self._next_search:
            return
        self._known_files = files
        opened = _open_event_files()
        # Where other processes write all the files, there is nothing to search for.
        if opened is None or any(_is_below(path, root) for path in opened for root in roots):
            before = {id(target): writer for writer in self._writers if (target := writer.reference()) is not None}
            self._writers = [
                before.get(id(target), _Writer(weakref.ref(target), flush, directory))
                for target, flush, directory in _writers_below(roots, opened or [])
            ]
        else:
            self._writers = []
        self._next_search = time.monotonic() + _REST_RATIO * (time.monotonic() - begin)

    def _report(self, directory: str, took: float, roots: Sequence[tuple[str, Root, weakref.ref[Any]]]) -> None:
        """Make a problem of a writer that is not flushed any more."""
        reason = (
            f"a flush takes {took * 1000:.0f} ms, so it is not flushed any more: its values appear when it writes them "
            "itself; `flush_secs=1` makes it do so every second"
        )
        for path, root, reference in roots:
            logs = reference()
            if logs is not None and _is_below(directory, path):
                run = root.named(os.path.relpath(directory, path).replace(os.sep, "/"))
                logs.report_failure(_FAILURE, run, "", reason)
                self._reported.append((reference, run))

    def end(self) -> None:
        """Withdraw the problems that were reported: nothing is flushed any more."""
        for reference, run in self._reported:
            if (logs := reference()) is not None:
                logs.clear_failure(_FAILURE, run, "")


def _writers_below(roots: Sequence[str], opened: Sequence[str]) -> Iterator[tuple[Any, Callable[[Any], None], str]]:
    """The writers whose directories lie below one of the roots, on a disk of this machine."""
    resources = []
    for target, flush in _find_writers():
        if flush is _flush_resource:
            resources.append(target)
            continue
        try:
            directory = os.path.realpath(os.fsdecode(target.get_logdir()))
        except Exception:  # noqa: BLE001, S112 (its constructor has just begun)
            continue
        if any(_is_below(directory, root) for root in roots) and _is_local(directory):
            yield target, flush, directory
    # TF2's writers do not tell their directories. When each of them has an open file here, none writes elsewhere.
    directories = [os.path.dirname(path) for path in opened if path.endswith(_TF2_SUFFIX)]
    below = [each for each in directories if any(_is_below(each, root) for root in roots)]
    if below and len(resources) <= len(directories) and all(map(_is_local, set(directories))):
        for target in resources:
            yield target, _flush_resource, below[-1]


def _timed_flush(target: Any, writer: _Writer) -> float:
    """Flush a writer; returns the seconds that it took, without waits for Python's lock, which cost nothing."""
    begin = time.perf_counter()
    time.sleep(0)  # gives that lock away, and waits for it
    gil_wait = time.perf_counter() - begin
    begin, cpu = time.perf_counter(), thread_time()
    try:
        with _flushing:
            writer.flush(target)
    except AttributeError:
        log.debug("a writer in %s is not ready to be flushed", writer.directory, exc_info=True)
    except Exception:  # noqa: BLE001 (whatever is wrong with a writer, its owner hears of it)
        log.debug("a writer in %s is left alone", writer.directory, exc_info=True)
        writer.is_left_alone = True
    return max(thread_time() - cpu, time.perf_counter() - begin - _GIL_WAITS * gil_wait)


class _Flusher:
    """Owns the thread, which runs while at least one log directory is registered."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._wishes: dict[object, _Wish] = {}
        self._thread: threading.Thread | None = None
        self._ending = threading.Event()

    def add(self, logs: Watched, roots: Sequence[Root]) -> Callable[[], None]:
        """Serve a log directory too; returns how to end that."""
        if not have_threads():
            return lambda: None
        key = object()
        with self._lock:
            self._wishes[key] = _Wish(weakref.ref(logs), roots)
            if self._thread is None:
                self._ending = threading.Event()
                self._thread = threading.Thread(
                    target=self._run, args=(self._ending,), name="tbwidget-flusher", daemon=True
                )
                self._thread.start()
        return lambda: self._remove(key)

    def _remove(self, key: object) -> None:
        with self._lock:
            self._wishes.pop(key, None)
            thread = None if self._wishes else self._detach()
        if thread is not None and thread is not threading.current_thread():
            thread.join(_JOIN_TIMEOUT_S)

    def _detach(self) -> threading.Thread | None:
        """The thread, which is set to end. The lock is held."""
        thread, self._thread = self._thread, None
        self._ending.set()
        return thread

    def stop(self) -> None:
        """End the thread in any case: a daemon thread may crash an interpreter that is shutting down."""
        with self._lock:
            self._wishes.clear()
            thread = self._detach()
        if thread is not None:
            thread.join(_JOIN_TIMEOUT_S)

    def _run(self, ending: threading.Event) -> None:
        rounds, rest = _Rounds(), 0.0
        while not ending.wait(rest):
            with self._lock:
                self._wishes = {key: wish for key, wish in self._wishes.items() if wish.logs() is not None}
                if not self._wishes and not ending.is_set():
                    self._detach()
                wishes = dict(self._wishes)
            if ending.is_set():
                break
            try:
                rest = rounds.flush(wishes, ending)
            except Exception:  # noqa: BLE001 (a thread has nobody to raise it to, and goes on)
                log.exception("flushing failed")
                rest = _JOIN_TIMEOUT_S
        rounds.end()


_flusher = _Flusher()
_flushing = threading.Lock()
"""Held during a flush, and while the process forks: a child never inherits a lock that a flush was holding."""

_forking: list[bool] = []
"""Whether each fork under way holds that lock. It may go on without it: a flush may never return."""


def _before_fork() -> None:
    _forking.append(_flushing.acquire(timeout=_FORK_TIMEOUT_S))


def _after_fork_in_parent() -> None:
    if _forking and _forking.pop():
        _flushing.release()


def _after_fork_in_child() -> None:
    """A child has none of the threads, and flushes nothing."""
    global _flusher, _flushing
    _flusher, _flushing = _Flusher(), threading.Lock()
    _forking.clear()


atexit.register(lambda: _flusher.stop())  # noqa: PLW0108 (a child has another one)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork_in_parent, after_in_child=_after_fork_in_child)
