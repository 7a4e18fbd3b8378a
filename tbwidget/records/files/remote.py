"""Files on remote storage, by fsspec, and which storage a path or URL leads to.

One request lists all files, and one call fetches ranges of many. A request takes long, so none is made while the reader
holds its lock: it reads bytes that were fetched before. Sizes and versions come from the last listing, and each answer
is checked against them. Polls are paced by what they cost, and by failures.
"""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeGuard

from tbwidget.reasons import Reason
from tbwidget.records import limits
from tbwidget.records.files import filesystems
from tbwidget.records.files.filesystems import Connection, Entry, Traffic, knows_scheme
from tbwidget.records.files.refusals import UnavailableError, refusal
from tbwidget.records.files.remote_file import NEAR, Fetched, RemoteFile, joined
from tbwidget.records.files.scan import PollProgress, Scan, ScanProblem, StoppedError
from tbwidget.records.files.storage import LOCAL, Range, Status, Storage
from tbwidget.records.files.urls import (
    LOCAL_SCHEMES,
    ConnectionKey,
    check_url,
    connection_of,
    family_of,
    local_path,
    resolved_url,
    scheme_of,
    secrets_of,
    shown_url,
)

_MIN_S = 2.0  # between polls
_MAX_S = 60.0
_COST_RATIO = 100  # a poll costs 1 % of a core
_PACES_S = (2, 3, 5, 8, 12, 20, 30, 60)
_FIRST_DELAY_S = 2.0  # after a failure; twice as long after each further one
_MAX_DELAY_S = 60.0
_MAX_DOUBLINGS = 10
_MAX_FILE_DELAY_S = 600.0  # of one file that is refused

_ARCHIVED_WHOLE = 1 << 26  # bytes of a member of an archive that is read at once

_WHOLE_SECONDS_NS = 2_000_000_000
_WHOLE_SECONDS = frozenset({"ssh", "ftp"})
"""Schemes whose times of change are whole seconds, and that have no other version."""

_FILE_CODES = frozenset({"storage-missing", "storage-forbidden", "storage-truncated", "storage-failed"})
"""Codes that are about one file: an object in an archive class, one that was deleted meanwhile."""

_all: weakref.WeakSet[RemoteStorage] = weakref.WeakSet()


class RemoteStorage(Storage):
    """The files that URLs with one connection lead to."""

    key: Hashable = ""
    is_remote = True
    verifies_growth = False
    files_at_once = 256
    bytes_at_once = 1 << 26

    def __init__(self, url: str, options: Mapping[str, Any]) -> None:
        """Connect to nothing yet. `options` are for fsspec's filesystem."""
        self._url = url
        self._options = dict(options)
        self._secrets = secrets_of(url, options)
        self.key = ConnectionKey(connection_of(url), self._options)
        self.settle_ns = _WHOLE_SECONDS_NS if family_of(url) in _WHOLE_SECONDS else 0
        self._urls: dict[str, str] = {}  # as the user wrote them, by how they are shown
        self._keys: dict[str, str] = {}  # path in the filesystem by the path that is shown
        self._statuses: dict[str, Status] = {}
        self._named: dict[str, Status | None] = {}  # of files that logs name
        self._roots: dict[str, bool | Reason] = {}  # whether each is a directory, or why that is unknown
        self._fetched: dict[str, Fetched] = {}
        self._failed: dict[str, OSError] = {}
        self._refused: dict[str, tuple[int, float]] = {}  # how often in a row, and when to ask again (monotonic)
        self._failures = {"list": 0, "fetch": 0}  # polls in a row
        self._failing: set[str] = set()  # which of these failed in this poll
        self._spent = 0.0  # CPU seconds of this poll
        self._polls = 0
        self._last_request = 0.0  # monotonic
        self._fetched_before = 0  # bytes, on connections that are closed
        self._unanswered: set[str] = set()  # files that alone were asked for in this poll, in vain
        self.after_fork()
        _all.add(self)

    def after_fork(self) -> None:
        """Drop the connection in a forked child: its threads and sockets are the parent's."""
        self._connecting = threading.Lock()
        self._connection: Connection | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the arguments, credentials included; the copy makes its own connection."""
        return RemoteStorage, (self._url, self._options), {"_urls": self._urls}

    def __repr__(self) -> str:
        """Name the scheme; options are not shown."""
        return f"RemoteStorage({shown_url(self._url)!r})"

    # Requests.

    def _connected(self) -> Connection:
        """The connection, made when it is needed first, and after a failure."""
        with self._connecting:
            if self._connection is None:
                self._connection = filesystems.connect(self._url, self._options)
            return self._connection

    def reconnect(self) -> None:
        """Make another connection with the next request: this one may be broken, or an archive be another one."""
        connection, self._connection = self._connection, None
        if connection is not None:
            self._fetched_before += connection.traffic.bytes_fetched

    @property
    def bytes_fetched(self) -> int:
        """Bytes that polls have fetched."""
        connection = self._connection
        return self._fetched_before + (connection.traffic.bytes_fetched if connection is not None else 0)

    def stop(self) -> None:
        """Cancel the requests of polls."""
        connection = self._connection
        if connection is not None:
            connection.traffic.stop()

    def disconnect(self) -> None:
        """Close the connection at once."""
        connection = self._connection
        self.reconnect()
        if connection is not None:
            connection.close()

    @contextmanager
    def _counted(self, *, cost: bool = True) -> Iterator[None]:
        """Count a request as part of a poll, and what it costs."""
        begin = filesystems.cpu_time()
        self.is_waiting = True
        try:
            yield
        finally:
            self.is_waiting = False
            if cost:
                self._spent += filesystems.cpu_time() - begin
            self._last_request = time.monotonic()

    def _refusal(self, error: Exception, path: str) -> Reason:
        return refusal(error, path, self._secrets)

    def _may_ask(self, path: str) -> bool:
        """Whether it is time to ask again for a file that was refused."""
        refused = self._refused.get(path)
        return refused is None or time.monotonic() >= refused[1]

    def _note_refusal(self, path: str, answer: bytes | OSError) -> None:
        """Ask ever more seldom for a file that is refused: each request may be paid for."""
        if isinstance(answer, OSError) and not isinstance(answer, UnavailableError):
            count = self._refused.get(path, (0, 0.0))[0] + 1
            most = _MAX_DELAY_S if _is_of_storage(answer) else _MAX_FILE_DELAY_S
            self._refused[path] = count, time.monotonic() + _delay(count, most)
        else:
            self._refused.pop(path, None)

    def _note(self, kind: str, *, failed: bool) -> None:
        if kind in self._failing:
            return
        self._failures[kind] = self._failures[kind] + 1 if failed else 0
        if failed:
            self._failing.add(kind)

    def _give_up(self) -> None:
        """End this poll: the connection may be broken."""
        self.is_failing = True
        self.reconnect()

    # Polls.

    def is_due(self, *, force: bool, interval: float) -> bool:
        """Poll at most 1 % of the time, and ever more seldom where requests fail."""
        connection = self._connection
        is_static = (
            connection is not None and connection.is_archive and self._polls and not any(self._failures.values())
        )
        needed = max(_MIN_S, min(_COST_RATIO * self._spent, _MAX_S))
        pace = next(each for each in _PACES_S if each >= needed)  # one of few, so that it can be shown
        delays = [_delay(count, _MAX_DELAY_S) for count in self._failures.values() if count]
        pause = max(interval, pace, *delays)
        self.poll_interval = None if is_static or not self._polls else pause
        if not force and self._polls and (is_static or time.monotonic() < self._last_request + pause):
            return False
        if force and is_static:
            self.reconnect()
        if force:
            self._refused = {path: (count, 0.0) for path, (count, _) in self._refused.items()}
        if self._polls and not self._failing:
            self._end_problem()  # the last poll read each file that it asked for
        self._failing.clear()
        self._unanswered.clear()
        self._polls += 1
        self._spent = 0.0
        self.is_failing = False
        return True

    # Paths.

    def absolute(self, path: str) -> str:
        """Leave the credentials out."""
        shown = shown_url(path)
        self._urls[shown] = path
        return shown

    def canonical(self, path: str) -> str:
        """Return the path: keys are names. Where one leads to another, as on SFTP, `open` follows it."""
        return path

    def parent(self, path: str) -> str:
        """Cut off the last part."""
        return path.rpartition("/")[0]

    def resolve(self, directory: str, named: str, within: Sequence[str]) -> str | None:
        """Take a URL only where it begins as a place does, as the writer may have written it in full."""
        return resolved_url(directory, named, within)

    def is_directory(self, path: str) -> bool:
        """As of the last walk."""
        return self._roots.get(path) is True

    def key_of(self, path: str, connection: Connection) -> str:
        """Return what the filesystem calls a path."""
        found = self._keys.get(path)
        if found is not None:
            return found
        root = self._root_of(path)
        return filesystems.key_of(connection, self._urls[root]) + path.removeprefix(root)

    def _root_of(self, path: str) -> str:
        """The URL, as it is shown, of the directory that a path lies below."""
        return max((shown for shown in self._urls if path == shown or path.startswith(f"{shown}/")), key=len)

    # Listing.

    def scanner(self, root: str, is_wanted: Callable[[str], bool]) -> RemoteScanner:
        """List everything below the root with each walk."""
        return RemoteScanner(self, root, is_wanted)

    def find(self, root: str, is_wanted: Callable[[str], bool], progress: PollProgress) -> Scan | Reason:
        """List the wanted files below a root, and note their statuses; return why that failed if it did.

        Raises StoppedError.
        """
        # Importing a client and connecting take CPU time that later polls do not.
        with self._counted(cost=self._connection is not None):
            try:
                scan = self._find(root, is_wanted, progress)
            except StoppedError:
                raise
            except FileNotFoundError:
                self._roots[root] = False
                scan = Scan({}, [], is_missing=True)
            except Exception as error:  # noqa: BLE001 (filesystems raise anything)
                reason = self._refusal(error, root)
                if not isinstance(self._roots.get(root), bool):
                    self._roots[root] = reason
                self._note("list", failed=True)
                self._give_up()
                return reason
        self._note("list", failed=False)
        return scan

    def _find(self, root: str, is_wanted: Callable[[str], bool], progress: PollProgress) -> Scan:
        connection = self._connected()
        connection.traffic.progress = progress
        progress.check()
        key = self.key_of(root, connection)
        found = filesystems.find(connection, key)
        inside = f"{key}/" if key else ""
        if found.is_file:
            self._roots[root] = False
            self._statuses[root] = filesystems.status_of(root, found.entries[0], None)
            return Scan({}, [ScanProblem(".", Reason("storage-failed", path=root, detail=Reason("storage-file")))])
        problems = [
            ScanProblem(path.removeprefix(inside), self._refusal(error, root)) for path, error in found.unreadable
        ]
        problems += [ScanProblem(".", reason) for reason in found.reasons]
        entries = found.entries
        if len(entries) > limits.MAX_ENTRIES and not found.reasons:
            problems.append(ScanProblem(".", Reason("too-many-entries", most=limits.MAX_ENTRIES)))
            entries = entries[: limits.MAX_ENTRIES]
        wanted = {
            entry.key.removeprefix(inside).lstrip("/"): entry
            for entry in entries
            if is_wanted(entry.key.rpartition("/")[2]) and entry.key.startswith(inside)
        }
        wanted |= self._with_sizes(connection, {name: entry for name, entry in wanted.items() if entry.size is None})
        files: dict[str, str] = {}
        for name, entry in sorted(wanted.items()):
            path = f"{root}/{name}"
            if entry.size is None:
                problems.append(ScanProblem(name, Reason("storage-no-size")))
                continue
            files[name] = path
            self._keys[path] = entry.key
            before = self._statuses.get(path)
            status = self._statuses[path] = filesystems.status_of(path, entry, before)
            if status is not before:
                self._fetched.pop(path, None)  # of another version
                self._refused.pop(path, None)
        self._roots[root] = True
        if self._named:
            self._note_named(root, {f"{root}/{entry.key.removeprefix(inside).lstrip('/')}": entry for entry in entries})
        return Scan(files, problems)

    def _note_named(self, root: str, entries: Mapping[str, Entry]) -> None:
        for path, before in list(self._named.items()):
            if path.startswith(f"{root}/"):
                entry = entries.get(path)
                is_there = entry is not None and entry.size is not None
                self._named[path] = filesystems.status_of(path, entry, before) if entry and is_there else None

    def _with_sizes(self, connection: Connection, unsized: Mapping[str, Entry]) -> dict[str, Entry]:
        """Ask for files whose size a listing does not tell, such as links and web pages."""
        answers = filesystems.infos(connection, [entry.key for entry in unsized.values()])
        return {
            name: answer._replace(key=entry.key)
            for (name, entry), answer in zip(unsized.items(), answers, strict=True)
            if isinstance(answer, Entry)
        }

    def drop(self, paths: Sequence[str]) -> None:
        """Forget files that are gone."""
        for path in paths:
            for known in (self._statuses, self._keys, self._fetched, self._failed, self._refused):
                known.pop(path, None)
        if self.problem is not None and not any(isinstance(error, UnavailableError) for error in self._failed.values()):
            self._end_problem()

    def _end_problem(self) -> None:
        """Nothing is left that could not be fetched."""
        self.problem = None
        self._failures["fetch"] = 0

    def status(self, path: str) -> Status:
        """As of the last walk that found the file."""
        found = self._statuses.get(path)
        if found is not None:
            return found
        reason = self._roots.get(path)
        if isinstance(reason, Reason):
            raise OSError(reason)
        raise FileNotFoundError(Reason("storage-missing", path=path))

    def named_status(self, path: str) -> Status | None:
        """As of the last walk, which lists all files."""
        return self._named.setdefault(path, None)

    # Contents.

    def open(self, path: str, *, fetched: bool = False) -> RemoteFile:
        """Ask for the status of a file that no walk has found."""
        status = self._statuses.get(path)
        if status is not None or fetched:
            return RemoteFile(self, path, status or self.status(path), fetched=fetched)
        try:
            connection = self._connected()
            root = self._root_of(path)
            key = filesystems.real_key(connection, self.key_of(path, connection), self.key_of(root, connection))
            entry = filesystems.infos(connection, [key])[0]
            if isinstance(entry, Exception):
                raise entry  # noqa: TRY301 (of fsspec's)
            if entry.size is None:
                raise FileNotFoundError(path)  # noqa: TRY301
            self._keys[path] = key
        except FileNotFoundError:
            raise FileNotFoundError(Reason("storage-missing", path=path)) from None
        except Exception as error:  # noqa: BLE001
            raise UnavailableError(self._refusal(error, path)) from None
        status = filesystems.status_of(path, entry, self._named.get(path))
        if path in self._named:
            self._named[path] = status
        return RemoteFile(self, path, status, fetched=False)

    def fetch_size(self, ranges: Sequence[Range]) -> int:
        """Return the size of these ranges, or of the whole member of an archive, which is read as a whole."""
        whole = self._whole_size(ranges[0].path) if ranges else None
        return sum(end - begin for _, begin, end in ranges) if whole is None else whole

    def _whole_size(self, path: str) -> int | None:
        """Size of a file that is only fetched whole: in an archive each seek decompresses all before it again."""
        connection, status = self._connection, self._statuses.get(path)
        is_whole = connection is not None and connection.is_archive
        return status.size if is_whole and status is not None and status.size <= _ARCHIVED_WHOLE else None

    def prefetch(self, ranges: Sequence[Range]) -> None:
        """Fetch ranges of many files by one call; where one file is read on, more of it than was asked for.

        Raises StoppedError.
        """
        wanted = self._joined([each for each in ranges if self._may_ask(each.path)])
        if not wanted:
            return
        for path in {each.path for each in wanted}:
            self._failed.pop(path, None)
        # The first poll fetches everything, which no later one does.
        with self._counted(cost=self._polls > 1):
            answers = self.read_ranges(wanted, of_poll=True)
        blamed = next((answer for answer in answers if _is_of_storage(answer)), None)
        if self._is_unavailable(wanted, answers) and blamed is not None:
            self._note("fetch", failed=True)
            self._give_up()
            self.problem = self._of_root(wanted[0].path, blamed)
            answers = [UnavailableError(answer.args[0]) if _is_of_storage(answer) else answer for answer in answers]
        elif not self.is_failing and not self._unanswered:
            self._note("fetch", failed=False)
            self.problem = None
        for each, answer in zip(wanted, answers, strict=True):
            self._note_refusal(each.path, answer)
            if isinstance(answer, OSError):
                self._failed[each.path] = answer
            else:
                self._fetched.setdefault(each.path, Fetched()).add(each.begin, answer)

    def _is_unavailable(self, wanted: Sequence[Range], answers: Sequence[bytes | OSError]) -> bool:
        """Whether the storage is to blame, and not one file: of several files in a row, no bytes came."""
        if any(isinstance(answer, bytes) for answer in answers):
            self._unanswered.clear()
        elif any(map(_is_of_storage, answers)):
            self._unanswered |= {each.path for each in wanted}
        return len(self._unanswered) > 1

    def _of_root(self, path: str, answer: OSError) -> Reason:
        """The reason of an error about a file, as one about the directory that it lies below."""
        reason: Reason = answer.args[0]
        roots = [root for root in self._roots if path.startswith(f"{root}/")]
        return Reason(reason.code, **{**reason.arguments, "path": max(roots, key=len, default=path)})

    def _joined(self, ranges: Sequence[Range]) -> list[Range]:
        """Ranges to fetch: those near each other in a file as one."""
        by_path: dict[str, list[tuple[int, int]]] = {}
        for path, begin, end in ranges:
            if end > begin:
                by_path.setdefault(path, []).append((begin, end))
        if len(ranges) == 1 and by_path:
            ((path, [(begin, end)]),) = by_path.items()
            known, status = self._fetched.get(path), self._statuses.get(path)
            if known is not None and known.pieces and status is not None:
                by_path[path] = [(begin, min(max(end, begin + known.ahead(begin)), max(end, status.size)))]
        for path in by_path:
            whole = self._whole_size(path)
            if whole is not None:
                by_path[path] = [(0, whole)]
        return [Range(path, *each) for path, found in by_path.items() for each in joined(found, NEAR)]

    def read_ranges(
        self, ranges: Sequence[Range], size: int | None = None, *, of_poll: bool = False
    ) -> list[bytes | OSError]:
        """Return the bytes of each range, or an error with a reason. Raises only StoppedError, and only for a poll.

        `size` is the size of a file that no walk has found.
        """
        try:
            connection = self._connected()
            if not of_poll:
                connection = connection._replace(traffic=Traffic())
            keys = [self.key_of(each.path, connection) for each in ranges]
            begins, ends = [each.begin for each in ranges], [each.end for each in ranges]
            answers = filesystems.cat(connection, keys, begins, ends)
        except StoppedError:
            raise
        except Exception as error:  # noqa: BLE001 (filesystems raise anything)
            answers = [error] * len(ranges)
        return [self._checked(each, answer, size) for each, answer in zip(ranges, answers, strict=True)]

    def _checked(self, wanted: Range, answer: bytes | Exception, size: int | None) -> bytes | OSError:
        if isinstance(answer, FileNotFoundError):
            return FileNotFoundError(Reason("storage-missing", path=wanted.path))
        if isinstance(answer, Exception):
            return OSError(self._refusal(answer, wanted.path))
        status = self._statuses.get(wanted.path)
        if len(answer) == (status.size if status is not None else size):  # some web servers know no ranges
            answer = answer[wanted.begin : wanted.end]
        if len(answer) != wanted.end - wanted.begin:
            return OSError(Reason("storage-truncated", got=len(answer), bytes=wanted.end - wanted.begin))
        return answer

    def fetched(self, path: str, offset: int, size: int) -> bytes | None:
        """Return bytes that were fetched; None where they were not. Raises what kept them from being fetched."""
        known = self._fetched.get(path)
        found = known.find(offset, size) if known is not None else None
        if found is None and path in self._failed:
            failed = self._failed[path]
            raise type(failed)(*failed.args)
        return found

    def forget(self, path: str) -> None:
        """Drop the bytes; an error stays until the bytes are fetched again."""
        self._fetched.pop(path, None)


class RemoteScanner:
    """Lists one root with each walk."""

    def __init__(self, storage: RemoteStorage, root: str, is_wanted: Callable[[str], bool]) -> None:
        """`is_wanted` tells by the last part of its name whether a file is to be found."""
        self._storage, self._root, self._is_wanted = storage, root, is_wanted
        self._scan: Scan | None = None

    def walk(self, *, force: bool = False, progress: PollProgress | None = None) -> Scan:  # noqa: ARG002 (a listing is never out of date)
        """List again; where that fails, the files of the last listing stay and the problem says why."""
        before = self._scan or Scan({}, [])
        found = self._storage.find(self._root, self._is_wanted, progress or PollProgress())
        if isinstance(found, Reason):
            found = before._replace(problems=[ScanProblem(".", found)])
        else:
            self._storage.drop([path for name, path in before.files.items() if name not in found.files])
        if self._scan is None or found != before:
            self._scan = found
        return self._scan

    def walk_new(self) -> Scan | None:
        """Only a whole walk tells."""
        return None


def _is_of_storage(answer: bytes | OSError) -> TypeGuard[OSError]:
    """Whether the storage did not answer; to refuse a file is an answer."""
    return isinstance(answer, OSError) and answer.args[0].code not in _FILE_CODES


def _delay(count: int, most: float) -> float:
    """Seconds to wait after `count` failures in a row."""
    return min(_FIRST_DELAY_S * 2.0 ** min(count - 1, _MAX_DOUBLINGS), most)


def _after_fork() -> None:
    for storage in list(_all):
        storage.after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


REMOTE: dict[str, Callable[[str, Mapping[str, Any]], Storage]] = {}
"""Classes of other storages than fsspec's, by the scheme of the URLs that lead to them.

Each is called with the scheme and the user's `storage_options`. Making one is cheap: it connects when it is asked.
"""


def storage_of(path: str, options: Mapping[str, Any] | None = None) -> tuple[Storage, str]:
    """Return the storage that a path or URL leads to, a new one for a URL, and the path in it.

    Raises ValueError for a URL that leads to none.
    """
    scheme = scheme_of(path).lower()
    if not scheme:
        return LOCAL, path
    if scheme in REMOTE:
        return REMOTE[scheme](scheme, options or {}), path
    if scheme in LOCAL_SCHEMES:
        return LOCAL, local_path(path)
    check_url(path)
    if not knows_scheme(path):
        raise ValueError(f"no storage is known for {scheme}://")
    return RemoteStorage(path, options or {}), path
