"""A filesystem of fsspec, and the few requests that are made of it: one listing, and ranges of many files at once.

fsspec is imported when the first URL is read, and its implementations by fsspec itself.
"""

from __future__ import annotations

import inspect
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from concurrent.futures import CancelledError, Future, wait
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, NamedTuple, TypeAlias

from tbwidget.reasons import Reason
from tbwidget.records import limits
from tbwidget.records.files.scan import PollProgress, StoppedError
from tbwidget.records.files.storage import Status
from tbwidget.records.files.urls import family_of, scheme_of

_CONNECT_TIMEOUT_S = 5
_READ_TIMEOUT_S = 30  # without a byte
_LISTING_TIMEOUT_S = 120.0
_FETCH_TIMEOUT_S = 60.0
_SLOWEST_BYTES_PER_S = 50_000  # that a fetch is waited for
_CONNECTIONS = 64
_AZURE_CONNECTIONS = 32
_SSH_DIRECTORIES_AT_ONCE = 16
_SSH_FILES_AT_ONCE = 32
_SSH_KEEPALIVE_S = 15  # after three without an answer the connection is lost
_RETRIES = 2
_WAKE_INTERVAL_S = 1.0  # of a thread that waits: some systems interrupt none that waits without a timeout

_VERSIONS = {
    "s3": ("ETag",),
    "gs": ("generation",),
    "az": ("etag",),
    "ssh": ("mtime",),
    "hf": ("blob_id",),
    "zip": ("CRC",),
    "tar": ("mtime", "chksum"),
    "memory": ("modified",),
}
"""Entries of a listing that change with the content of a file, by protocol; for others all entries count."""

_TIMES = ("LastModified", "updated", "last_modified", "mtime", "modified", "created")
"""Entries of a listing that tell when a file was modified."""


class Traffic:
    """Bytes that some requests have brought so far, and the requests that wait. Any thread may stop them."""

    def __init__(self) -> None:
        self.progress = PollProgress()
        """Progress of the present listing."""
        self.bytes_fetched = 0
        self.stops = 0
        self.requests: set[Future[Any]] = set()

    def stop(self) -> None:
        """Cancel the requests that wait."""
        self.stops += 1
        for request in list(self.requests):
            request.cancel()


class Connection(NamedTuple):
    """A private filesystem: it shares neither options nor listings with other users of fsspec."""

    filesystem: Any
    protocol: str
    """The usual scheme of its URLs, such as "s3" for s3a."""
    is_archive: bool
    """Its files lie inside one other file, such as a zip, and change only with it."""
    reads_ranges: bool
    traffic: Traffic

    def run(self, function: Callable[..., Awaitable[Any]], *arguments: Any, timeout: float, **options: Any) -> Any:
        """Run a coroutine in fsspec's thread. Raises what it raises, TimeoutError, and StoppedError if it is stopped.

        fsspec's own `sync` lets it run on where the thread that waits for it is interrupted.
        """
        import asyncio  # noqa: PLC0415 (fsspec imports it, nothing else needs it)

        stops = self.traffic.stops
        work = asyncio.wait_for(function(*arguments, **options), timeout)
        request = asyncio.run_coroutine_threadsafe(work, self.filesystem.loop)
        self.traffic.requests.add(request)
        if self.traffic.stops != stops:  # before it was among those that are canceled
            request.cancel()
        try:
            while not wait([request], _WAKE_INTERVAL_S).done:
                pass
            return request.result()
        except CancelledError:
            if self.traffic.stops != stops:
                raise StoppedError from None
            raise ConnectionAbortedError("the request was canceled") from None
        finally:
            request.cancel()  # for one that was interrupted
            self.traffic.requests.discard(request)

    def call(self, name: str, *arguments: Any, timeout: float, **options: Any) -> Any:
        """Call a method, of an asynchronous filesystem with a timeout in seconds."""
        if not self.filesystem.async_impl:
            return getattr(self.filesystem, name)(*arguments, **options)
        return self.run(getattr(self.filesystem, f"_{name}"), *arguments, timeout=timeout, **options)

    def close(self) -> None:
        """Close sockets and sessions now, and not when the filesystem is collected. Raises nothing."""
        close = getattr(self.filesystem, "_finalize", None)
        with suppress(Exception):
            if self.protocol == "ssh" and close is not None:
                close(self.filesystem.loop, self.filesystem._pool, self.filesystem._stack)  # noqa: SLF001 (sshfs has no other way)
            elif self.protocol == "s3":
                self.filesystem.close_session(self.filesystem.loop, self.filesystem._s3creator)  # noqa: SLF001


class Entry(NamedTuple):
    """A file as a listing names it."""

    key: str
    """Its path in the filesystem."""
    size: int | None
    """Bytes; None where only a request for the file itself tells."""
    written: float | None
    """When it was modified; seconds since the epoch."""
    version: object


class Found(NamedTuple):
    """The files below a directory."""

    entries: list[Entry]
    unreadable: list[tuple[str, Exception]]
    """Directories below it that cannot be listed."""
    reasons: Sequence[Reason] = ()
    """Why the listing may be incomplete."""
    is_file: bool = False
    """Whether the listed path is a file, which is the only entry."""


_Walked: TypeAlias = tuple[list[dict[str, Any]], list[tuple[str, Exception]]]
"""Entries of directories, and those directories that cannot be listed."""
_ReadRange: TypeAlias = Callable[[str, int, int], Awaitable[Any]]
"""Reads a file from a first byte to an end."""

_KNOWN = frozenset({*_VERSIONS, "adl", "http", "https"})
"""Schemes that fsspec has for certain: to import it takes longer than a cell may."""


def knows_scheme(url: str) -> bool:
    """Whether fsspec has a filesystem for a URL; True where fsspec itself is missing. Rare schemes import fsspec."""
    if family_of(url) in _KNOWN:
        return True
    try:
        from fsspec.registry import available_protocols, registry  # noqa: PLC0415 (costly, and an extra)
    except ImportError:
        return True
    scheme = scheme_of(url).lower()
    return scheme in registry or scheme in available_protocols()


def connect(url: str, options: Mapping[str, Any]) -> Connection:
    """Make the filesystem that a URL leads to. Raises whatever fsspec and its implementations raise."""
    from fsspec import get_filesystem_class  # noqa: PLC0415
    from fsspec.archive import AbstractArchiveFileSystem  # noqa: PLC0415
    from fsspec.core import url_to_fs  # noqa: PLC0415

    first, *inner = (scheme_of(part).lower() for part in url.split("::"))
    given = {name: value for name, value in options.items() if name not in inner}
    merged = _with_defaults(first, get_filesystem_class(first), given)
    for scheme in filter(None, inner):
        merged[scheme] = _with_defaults(scheme, get_filesystem_class(scheme), options.get(scheme, {}))
    filesystem, _ = url_to_fs(_lowered(url), **merged)
    protocol = family_of(url)
    if protocol == "s3":
        filesystem.retries = _RETRIES
    if filesystem.async_impl:
        filesystem.batch_size = _AZURE_CONNECTIONS if protocol in ("az", "adl") else _CONNECTIONS
    reads_ranges = not filesystem.async_impl or "start" in inspect.signature(filesystem._cat_file).parameters  # noqa: SLF001
    connection = Connection(
        filesystem, protocol, isinstance(filesystem, AbstractArchiveFileSystem), reads_ranges, Traffic()
    )
    _count_listed(connection)
    return connection


def _count_listed(connection: Connection) -> None:
    """Count the objects of a bucket while they come: s3fs lists 1,000 by a request, and returns when it has all."""
    entries = getattr(connection.filesystem, "_iterdir", None)
    if entries is None or not inspect.isasyncgenfunction(entries):
        return

    async def counted(*arguments: Any, **options: Any) -> AsyncIterator[Any]:
        async for entry in entries(*arguments, **options):
            connection.traffic.progress.add(1)
            yield entry

    connection.filesystem._iterdir = counted  # noqa: SLF001 (the filesystem is ours alone)


def _lowered(url: str) -> str:
    """A URL with its schemes in lower case, as fsspec looks for them."""
    parts = [(scheme_of(part), part) for part in url.split("::")]
    return "::".join(scheme.lower() + part[len(scheme) :] for scheme, part in parts)


def _with_defaults(scheme: str, cls: type, given: Mapping[str, Any]) -> dict[str, Any]:
    """The user's options for one filesystem, and ours where the user gave none."""
    found: dict[str, Any] = {"skip_instance_cache": True}
    family = family_of(f"{scheme}://")
    if family == "s3":
        config = {
            "max_pool_connections": _CONNECTIONS,
            "connect_timeout": _CONNECT_TIMEOUT_S,
            "read_timeout": _READ_TIMEOUT_S,
            "retries": {"max_attempts": _RETRIES},
        }
        given = {**given, "config_kwargs": {**config, **given.get("config_kwargs", {})}}
        found["use_listings_cache"] = False
    elif family in ("gs", "az", "http", "https", "hf"):
        found["use_listings_cache"] = False
    elif cls.__module__.startswith("sshfs"):
        found |= {"connect_timeout": _CONNECT_TIMEOUT_S, "login_timeout": _READ_TIMEOUT_S}
        found["keepalive_interval"] = _SSH_KEEPALIVE_S
    return {**found, **given}


def cpu_time() -> float:
    """CPU seconds of this thread and of the one in which fsspec makes its requests, where the system tells."""
    spent = time.thread_time() if hasattr(time, "thread_time") else 0.0
    if hasattr(time, "pthread_getcpuclockid"):
        with suppress(Exception):
            from fsspec.asyn import iothread  # noqa: PLC0415

            thread = iothread[0]
            if thread is not None and thread.is_alive() and thread.ident is not None:
                spent += time.clock_gettime(time.pthread_getcpuclockid(thread.ident))
    return spent


def key_of(connection: Connection, url: str) -> str:
    """Return the path in the filesystem that a URL names."""
    return str(connection.filesystem._strip_protocol(_lowered(url).partition("::")[0])).rstrip("/")  # noqa: SLF001 (fsspec's own protocol)


def real_key(connection: Connection, key: str, root: str) -> str:
    """Return the path in the filesystem of a file below a directory, links followed.

    Raises FileNotFoundError where it leads out of that directory. Only SFTP has links: elsewhere keys are names.
    """
    filesystem = connection.filesystem
    if connection.protocol != "ssh":
        return key

    async def both() -> list[str]:
        async with filesystem._pool.get() as channel:  # noqa: SLF001 (sshfs has no other way to ask)
            return [str(await channel.realpath(each)) for each in (key, root or ".")]

    target: str
    target, place = connection.run(both, timeout=_LISTING_TIMEOUT_S)
    if not target.startswith(f"{place.rstrip('/')}/"):
        raise FileNotFoundError(key)
    return target


def find(connection: Connection, root: str) -> Found:
    """List all files below a directory: where the storage can, by one request. Raises FileNotFoundError and others."""
    filesystem = connection.filesystem
    filesystem.invalidate_cache()
    reasons: list[Reason] = []
    try:
        infos, unreadable = _listed(connection, root, reasons)
    except FileNotFoundError:
        info = connection.call("info", root, timeout=_LISTING_TIMEOUT_S)
        if info["type"] != "file":
            raise
        infos, unreadable = [info], []
    if not infos and not unreadable:  # an empty directory, where the storage has such
        connection.call("info", root, timeout=_LISTING_TIMEOUT_S)
    entries = [_entry(connection, info) for info in infos if info["type"] != "directory" and _is_name(info["name"])]
    is_file = len(entries) == 1 and entries[0].key.strip("/") == root.strip("/")
    return Found(entries, unreadable, reasons, is_file)


def _listed(connection: Connection, root: str, reasons: list[Reason]) -> _Walked:
    """The entries of a directory and of those below it, and which of those cannot be listed."""
    from fsspec.asyn import AsyncFileSystem  # noqa: PLC0415

    filesystem = connection.filesystem
    if not filesystem.async_impl or type(filesystem)._find is AsyncFileSystem._find:  # noqa: SLF001
        return _walk(connection, root, reasons)
    return list(connection.call("find", root, timeout=_LISTING_TIMEOUT_S, detail=True).values()), []


def _is_name(key: str) -> bool:
    return not key.endswith("/")  # an empty object that stands for a directory


def _walk(connection: Connection, root: str, reasons: list[Reason]) -> _Walked:
    """List one level of directories after the other, some at once.

    fsspec's own walk passes over directories that it could not list, as if they were empty.
    """
    infos: list[dict[str, Any]] = []
    unreadable: list[tuple[str, Exception]] = []
    below: list[str] = []

    def take(path: str, answer: Any) -> int:
        """Take over what a directory holds, and count it; a lost connection is no empty directory."""
        is_root = path.strip("/") == root.strip("/")
        if isinstance(answer, FileNotFoundError) and not is_root:
            return 0  # deleted meanwhile
        is_forbidden = isinstance(answer, PermissionError) or "PermissionDenied" in type(answer).__name__
        if isinstance(answer, Exception) and is_forbidden and not is_root:
            unreadable.append((path, answer))
            return 0
        if isinstance(answer, BaseException):  # also of a request that was canceled
            raise answer
        infos.extend(info for info in answer if info["type"] != "directory")
        names = [info["name"] for info in answer if info["type"] == "directory"]
        below.extend(name.rstrip("/") for name in names if name.strip("/") != path.strip("/"))
        return len(answer)

    level, depth, listed = [root or "/" if connection.filesystem.async_impl else root], 0, 0
    while level:
        below = []
        for begin in range(0, len(level), _SSH_DIRECTORIES_AT_ONCE):
            chunk = level[begin : begin + _SSH_DIRECTORIES_AT_ONCE]
            for path, answer in zip(chunk, _answers(connection, "ls", chunk, detail=True), strict=True):
                connection.traffic.progress.add(take(path, answer))
            listed += len(chunk)
            if listed + len(infos) > limits.MAX_ENTRIES:  # a storage may list without an end
                reasons.append(Reason("too-many-entries", most=limits.MAX_ENTRIES))
                return infos, unreadable
        level, depth = below, depth + 1
        if below and depth > limits.MAX_DEPTH:  # a link may lead to where it lies
            reasons.append(Reason("too-deep", most=limits.MAX_DEPTH))
            break
    return infos, unreadable


def _answers(connection: Connection, name: str, keys: Sequence[str], **options: Any) -> list[Any]:
    """Call a method with each of these paths, at once where the filesystem is asynchronous; errors are answers."""
    filesystem = connection.filesystem
    if not filesystem.async_impl:
        found: list[Any] = []
        for key in keys:
            try:
                found.append(getattr(filesystem, name)(key, **options))
            except Exception as error:  # noqa: BLE001 (handed out)
                found.append(error)
        return found
    import asyncio  # noqa: PLC0415 (fsspec imports it, nothing else needs it)

    async def gathered() -> list[Any]:
        method = getattr(filesystem, f"_{name}")
        return await asyncio.gather(*(method(key, **options) for key in keys), return_exceptions=True)

    answers: list[Any] = connection.run(gathered, timeout=_LISTING_TIMEOUT_S)
    return answers


def infos(connection: Connection, keys: Sequence[str]) -> list[Entry | Exception]:
    """Ask for each of these files itself, many at once."""
    chunks = [keys[begin : begin + _AZURE_CONNECTIONS] for begin in range(0, len(keys), _AZURE_CONNECTIONS)]
    found = [answer for chunk in chunks for answer in _answers(connection, "info", chunk)]
    return [each if isinstance(each, Exception) else _entry(connection, each) for each in found]


def _entry(connection: Connection, info: Mapping[str, Any]) -> Entry:
    protocol = connection.protocol
    if protocol == "memory":  # its listings do not tell of bytes that were appended
        with suppress(FileNotFoundError):
            info = {**info, "modified": connection.filesystem.modified(info["name"])}
    named = [info.get(name) for name in _VERSIONS.get(protocol, ())]
    if any(value is not None for value in named):
        version: object = tuple(map(str, named))
    else:
        version = tuple(sorted((name, repr(value)) for name, value in info.items() if name != "time"))
    size = info.get("size")
    is_known = isinstance(size, int) and info["type"] == "file"
    return Entry(str(info["name"]), size if is_known else None, _time_of(info), version)


def _time_of(info: Mapping[str, Any]) -> float | None:
    for name in _TIMES:
        value = info.get(name)
        if isinstance(value, str):
            with suppress(ValueError):
                value = datetime.fromisoformat(value)
        if isinstance(value, datetime):
            return (value if value.tzinfo else value.replace(tzinfo=UTC)).timestamp()
        if isinstance(value, int | float) and not isinstance(value, bool):
            return float(value)
    return None


def status_of(path: str, entry: Entry, before: Status | None) -> Status:
    """Return the status of a file whose size is known: the one from `before` where nothing has changed.

    The storage's clock may be wrong. A change that we observe is dated by our clock, an earlier one by the storage's,
    but never later than now.
    """
    size = entry.size or 0
    if before is not None and (before.size, before.version) == (size, str(entry.version)):
        return before
    now = time.time()
    written = now if before is not None or entry.written is None else min(entry.written, now)
    return Status(path, size, int(written * 1e9), str(entry.version))


def cat(connection: Connection, keys: list[str], begins: list[int], ends: list[int]) -> list[bytes | Exception]:
    """Read ranges of many files at once; an answer may be shorter or longer than the range.

    A late answer is a TimeoutError, so that one file that hangs does not block the others. Raises errors that concern
    all of them.
    """
    filesystem, traffic = connection.filesystem, connection.traffic
    timeout = _FETCH_TIMEOUT_S + (sum(ends) - sum(begins)) / _SLOWEST_BYTES_PER_S
    wanted = list(zip(keys, begins, ends, strict=True))
    read, at_once = _range_reader(connection)
    if read is None:
        stops = traffic.stops
        found: list[bytes | Exception] = []
        for each in wanted:
            if traffic.stops != stops:
                raise StoppedError
            found.append(answer := _read_opened(filesystem, *each))
            traffic.bytes_fetched += 0 if isinstance(answer, Exception) else len(answer)
        return found
    most_s = timeout + _WAKE_INTERVAL_S
    answers: list[bytes | Exception] = connection.run(_gather, read, wanted, at_once, traffic, timeout, timeout=most_s)
    return answers


async def _gather(
    read: _ReadRange, wanted: Sequence[tuple[str, int, int]], at_once: int, traffic: Traffic, most_s: float
) -> list[bytes | Exception]:
    """Read ranges, some at once; those that have not come after `most_s` seconds are TimeoutErrors."""
    import asyncio  # noqa: PLC0415

    free = asyncio.Semaphore(at_once)

    async def counted(key: str, begin: int, end: int) -> bytes:
        async with free:
            data = bytes(await read(key, begin, end))
        traffic.bytes_fetched += len(data)
        return data

    tasks = [asyncio.ensure_future(counted(*each)) for each in wanted]
    try:
        await asyncio.wait(tasks, timeout=most_s)
        return [_answer(task) if task.done() else TimeoutError() for task in tasks]
    finally:
        for task in tasks:
            task.cancel()


def _answer(task: Any) -> bytes | Exception:
    """The bytes or the error of a task that has ended."""
    if task.cancelled():
        return ConnectionAbortedError("the request was canceled")
    error = task.exception()
    if isinstance(error, Exception):
        return error
    found: bytes = task.result()
    return found


def _range_reader(connection: Connection) -> tuple[_ReadRange | None, int]:
    """Return what reads a range of a file, and how many of them at once; None: one after the other, in this thread."""
    filesystem = connection.filesystem
    if filesystem.async_impl and connection.reads_ranges:

        async def read(key: str, begin: int, end: int) -> Any:
            return await filesystem._cat_file(key, start=begin, end=end)  # noqa: SLF001

        return read, filesystem.batch_size
    if type(filesystem).__module__.startswith("sshfs"):
        from sshfs.utils import wrap_exceptions  # noqa: PLC0415

        async def read_by_ssh(key: str, begin: int, end: int) -> Any:
            """Read by SFTP; sshfs itself waits without end."""
            async with filesystem._pool.get() as channel, channel.open(key, "rb") as file:  # noqa: SLF001
                return await file.read(end - begin, begin)

        return wrap_exceptions(read_by_ssh), _SSH_FILES_AT_ONCE
    return None, 1


def _read_opened(filesystem: Any, key: str, begin: int, end: int) -> bytes | Exception:
    try:
        if not filesystem.async_impl:
            return bytes(filesystem.cat_file(key, start=begin, end=end))
        with filesystem.open(key, "rb") as file:
            file.seek(begin)
            return bytes(file.read(end - begin))
    except Exception as error:  # noqa: BLE001 (handed out)
        return error
