"""Which files lie below a directory: the form in which a place tells that, and the walk over a tree of this machine.

Links are followed once each, after the tree itself was walked, so that a file has its own name rather than a link's. A
link never leads to a directory above the root. FIFOs, devices and sockets are not opened.
"""

from __future__ import annotations

import os
import stat
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import PurePath
from types import MappingProxyType
from typing import NamedTuple, Protocol

from tbwidget.reasons import Reason, system_reason
from tbwidget.records import limits


class StoppedError(Exception):
    """The poll that waited for this was stopped."""


class PollProgress:
    """The count of entries that one poll has listed. Other threads read it, and may stop the poll."""

    __slots__ = ("entries", "is_stopped")

    def __init__(self) -> None:
        self.entries = 0
        """Files and directories met so far."""
        self.is_stopped = False

    def add(self, count: int) -> None:
        """Count further entries. Raises StoppedError once the poll is stopped."""
        self.entries += count
        self.check()

    def check(self) -> None:
        """Raise StoppedError once the poll is stopped."""
        if self.is_stopped:
            raise StoppedError


_RECENT_S = 10.0  # for which a new directory without files is walked again: they may come a moment later
_STALE_S = 60.0  # after which a directory is listed again: on some network file systems its times tell nothing

Identity = tuple[int, int]  # device, inode


class ScanProblem(NamedTuple):
    """Something below the root that was passed over."""

    name: str
    """Relative to the root; "." is the root itself."""
    reason: Reason


class Scan(NamedTuple):
    """The result of a walk."""

    files: Mapping[str, str]
    """Path by name. Names are relative to the root, and "/" separates their parts."""
    problems: list[ScanProblem]
    is_missing: bool = False
    """The root does not exist."""
    links: Mapping[str, Identity] = MappingProxyType({})
    """Names of links that were followed, and where each leads: what lies there may be outside of the root."""


class Scanner(Protocol):
    """Walks one directory again and again. One thread uses it at a time."""

    def walk(self, *, force: bool = False, progress: PollProgress | None = None) -> Scan:
        """Find all files; the same object as before when nothing has changed.

        `force` trusts no earlier walk. A directory that cannot be listed is a problem. Raises only StoppedError, where
        `progress` is stopped.
        """

    def walk_new(self) -> Scan | None:
        """Find files in directories that appeared directly below the root; take all others from the last walk.

        None where only a whole walk can tell; the same object as before when nothing has appeared.
        """


@dataclass(slots=True)
class _Directory:
    """The entries of a directory that matter, as of the time when it was listed."""

    signature: tuple[int, ...]
    settled: bool
    seen: float
    """When it was listed, monotonic seconds."""
    entries: int = 0
    directories: list[str] = field(default_factory=list)
    files: list[tuple[str, Identity]] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    special: list[str] = field(default_factory=list)
    """Entries with the name of a file that are FIFOs, devices or sockets."""


class LocalScanner:
    """Walks a directory of this machine; a directory below it that has not changed is not listed again."""

    def __init__(self, root: str, is_wanted: Callable[[str], bool]) -> None:
        """`is_wanted` tells by the last part of its name whether a file is to be found."""
        self._root = root
        self._is_wanted = is_wanted
        self._known: dict[str, _Directory] = {}
        self._last: Scan | None = None  # of the last walk
        self._scan: Scan | None = None  # the same, if the times of directories tell all about it
        self._recent: dict[str, float] = {}  # new directories without files, and when each was first seen, monotonic
        self._found_new: set[str] = set()  # new directories in which files were found since the last walk

    def walk(self, *, force: bool = False, progress: PollProgress | None = None) -> Scan:
        """Find all files. `force` lists every directory, for file systems whose directory times tell nothing."""
        if self._scan is not None and not force and self._all_unchanged():
            return self._scan
        self._found_new.clear()
        self._scan = None  # a walk that is stopped has not been everywhere
        walk = _Walk(self._root, self._is_wanted, {} if force else self._known, self._known, progress)
        scan = walk.scan()
        if scan == self._last:
            scan = self._last
        self._last = scan
        self._scan = None if walk.met_links or scan.problems or not self._known else scan
        return scan

    def walk_new(self) -> Scan | None:
        """Find files in directories that appeared directly below the root; None where there are links, too."""
        before = self._known.get(self._root)
        if self._scan is None or before is None:
            return None
        now = time.monotonic()
        self._recent = {name: seen for name, seen in self._recent.items() if now - seen < _RECENT_S}
        try:
            status = os.stat(self._root)
            if not before.settled or _signature(status) != before.signature:
                listed = _Directory(_signature(status), settled=False, seen=now)
                _list(self._root, listed, self._is_wanted)
                # The next whole walk finds all other changes: the root stays as it is known here.
                for name in set(listed.directories) - set(before.directories) - self._found_new:
                    self._recent.setdefault(name, now)
        except OSError:
            return None
        if not self._recent:
            return self._scan
        walk = _Walk(self._root, self._is_wanted, self._known, self._known)
        found = walk.scan_below(sorted(self._recent))
        if walk.met_links or found.problems:
            return None
        with_files = {name.partition("/")[0] for name in found.files}
        self._recent = {name: seen for name, seen in self._recent.items() if name not in with_files}
        self._found_new |= with_files
        if found.files:
            self._scan = self._last = Scan({**self._scan.files, **found.files}, self._scan.problems)
        return self._scan

    def _all_unchanged(self) -> bool:
        now = time.monotonic()
        for path, directory in self._known.items():
            if not directory.settled or now - directory.seen >= _STALE_S:
                return False
            try:
                if _signature(os.stat(path)) != directory.signature:
                    return False
            except OSError:
                return False
        return True


class _Walk:
    def __init__(
        self,
        root: str,
        is_wanted: Callable[[str], bool],
        before: Mapping[str, _Directory],
        keep: dict[str, _Directory],
        progress: PollProgress | None = None,
    ) -> None:
        self._root = root
        self._is_wanted = is_wanted
        self._before = dict(before)
        self._keep = keep
        self._progress = progress or PollProgress()
        self.met_links = False
        """Where a link leads may change without a trace in the directory that holds it."""
        self._found: dict[str, str] = {}
        self._problems: list[ScanProblem] = []
        self._is_missing = False
        self._entries = 0
        self._directories: set[Identity] = set()
        self._files: set[Identity] = set()
        self._links: deque[tuple[str, str, int]] = deque()  # path, name, depth
        self._followed: dict[str, Identity] = {}

    def scan(self) -> Scan:
        self._keep.clear()
        self._directories |= _ancestors(self._root)
        self._tree(self._root, "", 0)
        while self._links and self._entries <= limits.MAX_ENTRIES:
            self._follow(*self._links.popleft())
        return Scan(self._found, self._problems, self._is_missing, self._followed)

    def scan_below(self, names: Iterable[str]) -> Scan:
        """List some directories below the root, and what lies in them. Links are not followed."""
        for name in names:
            self._tree(os.path.join(self._root, name), name, 1)
        return Scan(self._found, self._problems)

    def _tree(self, path: str, name: str, depth: int) -> None:
        """Walk a directory and what lies in it, links aside. `name` is relative to the root; empty for itself."""
        waiting = deque([(path, name, depth)])
        links: list[tuple[str, str, int]] = []
        while waiting:
            path, name, depth = waiting.popleft()
            directory = self._listed(path, name)
            if directory is None:
                continue
            inside = f"{name}/" if name else ""
            for entry in directory.special:
                self._problem(inside + entry, Reason("not-a-regular-file"))
            for entry, identity in directory.files:
                self._files.add(identity)
                self._found[inside + entry] = os.path.join(path, entry)
            self._entries += directory.entries
            self._progress.add(directory.entries)
            if self._entries > limits.MAX_ENTRIES:
                self._problem(name, Reason("too-many-entries", most=limits.MAX_ENTRIES))
                return
            self.met_links |= bool(directory.links)
            links += [(os.path.join(path, entry), inside + entry, depth) for entry in directory.links]
            if depth >= limits.MAX_DEPTH and directory.directories:
                self._problem(name, Reason("too-deep", most=limits.MAX_DEPTH))
                continue
            waiting.extend((os.path.join(path, entry), inside + entry, depth + 1) for entry in directory.directories)
        self._links.extend(sorted(links, key=lambda link: link[1]))

    def _listed(self, path: str, name: str) -> _Directory | None:
        """The entries of a directory, as listed earlier if nothing has changed since; None if it was visited before."""
        try:
            status = os.stat(path)
            identity = (status.st_dev, status.st_ino)
            if name and identity in self._directories:
                return None
            self._directories.add(identity)
            signature = _signature(status)
            directory = self._before.get(path)
            now = time.monotonic()
            known = directory is not None and directory.settled and now - directory.seen < _STALE_S
            if directory is None or not known or directory.signature != signature:
                settled = time.time_ns() - status.st_mtime_ns > limits.CLOCK_TICK_NS
                directory = _Directory(signature, settled, now)
                _list(path, directory, self._is_wanted)
        except (FileNotFoundError, NotADirectoryError):
            self._is_missing |= not name  # any other is gone meanwhile
            return None
        except OSError as error:
            self._problem(name, system_reason(error))
            return None
        self._keep[path] = directory
        return directory

    def _follow(self, path: str, name: str, depth: int) -> None:
        """Follow a link to a directory or file that was not met yet."""
        is_wanted = self._is_wanted(name.rpartition("/")[2])
        try:
            status = os.stat(path)
        except OSError as error:
            if is_wanted:
                self._problem(name, Reason("broken-link", detail=error.strerror or str(error)))
            return
        identity = (status.st_dev, status.st_ino)
        self._followed[name] = identity
        if stat.S_ISDIR(status.st_mode):
            if depth >= limits.MAX_DEPTH:
                self._problem(name, Reason("too-deep", most=limits.MAX_DEPTH))
            else:
                self._tree(path, name, depth + 1)
        elif not is_wanted:
            return
        elif not stat.S_ISREG(status.st_mode):
            self._problem(name, Reason("link-to-special-file"))
        elif identity not in self._files:
            self._files.add(identity)
            self._found[name] = path

    def _problem(self, name: str, reason: Reason) -> None:
        self._problems.append(ScanProblem(name or ".", reason))


def _ancestors(root: str) -> set[Identity]:
    """The directories above the root: no link leads there."""
    found: set[Identity] = set()
    for above in PurePath(os.path.realpath(root)).parents:
        with suppress(OSError):
            status = os.stat(above)
            found.add((status.st_dev, status.st_ino))
    return found


def _signature(status: os.stat_result) -> tuple[int, ...]:
    return status.st_dev, status.st_ino, status.st_mtime_ns, status.st_ctime_ns


def _list(path: str, directory: _Directory, is_wanted: Callable[[str], bool]) -> None:
    """Sort the entries of a directory into its lists."""
    device = directory.signature[0]
    with os.scandir(path) as entries:
        for entry in entries:
            directory.entries += 1
            if directory.entries > limits.MAX_ENTRIES:
                break
            name = entry.name
            if entry.is_symlink():
                directory.links.append(name)
            elif entry.is_dir(follow_symlinks=False):
                directory.directories.append(name)
            elif is_wanted(name):
                if entry.is_file(follow_symlinks=False):
                    directory.files.append((name, (device, entry.inode())))
                else:
                    directory.special.append(name)
    directory.directories.sort()
