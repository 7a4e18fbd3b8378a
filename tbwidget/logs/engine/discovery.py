"""Which runs a log directory has, and which files each of them.

A run is a directory that directly holds an event file: a regular file with `tfevents` in its name (the rule of
TensorBoard's io_wrapper.IsTensorFlowEventsFile). Links are followed once each, after all that lies in the tree itself,
so that a file has its own name rather than a link's.
"""

from __future__ import annotations

import os
import stat
import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tbwidget.logs.problems import Problem
from tbwidget.logs.projector import ASSETS, CONFIG
from tbwidget.reasons import Reason, system_reason

_MARK, _NOT = "tfevents", ".profile-empty"
_DEEPEST, _MOST_ENTRIES = 64, 1_000_000
_SETTLED = 50_000_000  # ns; within one tick of the file system's clock two changes leave one time
_RECENT_S = 10.0  # for which a new directory without a run is walked again: its files may come a moment later
_STALE = 60.0  # s after which a directory is listed again: on some network file systems its times tell nothing

Identity = tuple[int, int]  # device, inode


@dataclass(slots=True)
class Found:
    """The files of one run, by name, relative to the log directory."""

    files: dict[str, str] = field(default_factory=dict)
    """Event files: name -> path."""
    projector: dict[str, str] = field(default_factory=dict)
    """Configurations of the projector: name -> path."""


@dataclass(slots=True)
class Listing:
    """What a walk over the log directory found."""

    runs: dict[str, Found]
    problems: list[Problem]


@dataclass(slots=True)
class _Directory:
    """The entries of a directory that matter, as of one look at it."""

    signature: tuple[int, ...]
    settled: bool
    seen: float
    """When it was listed, monotonic seconds."""
    entries: int = 0
    directories: list[str] = field(default_factory=list)
    files: list[tuple[str, Identity]] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    strange: list[str] = field(default_factory=list)
    configuration: bool = False


class Discovery:
    """Walks a log directory again and again; a directory that has not changed is not listed again."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._known: dict[str, _Directory] = {}
        self._listing: Listing | None = None  # of the last walk, if the times of directories tell all about it
        self._recent: dict[str, float] = {}  # new directories without a run, and when each was first seen, monotonic
        self._found_new: set[str] = set()  # new directories in which runs were found since the last walk

    def walk(self, *, force: bool = False) -> Listing:
        """Find all runs; the same object as before when nothing has changed.

        `force` lists every directory, for file systems whose directory times tell nothing.
        """
        if self._listing is not None and not force and self._all_unchanged():
            return self._listing
        self._found_new.clear()
        walk = _Walk(self._root, {} if force else self._known, self._known)
        listing = walk.listing()
        self._listing = None if walk.met_links or listing.problems or not self._known else listing
        return listing

    def walk_new(self) -> Listing | None:
        """Find the runs that appeared directly below the root, and take what else was there from the last walk.

        None where only a whole walk can tell, as with links; the same object as before when nothing has appeared.
        """
        before = self._known.get(self._root)
        if self._listing is None or before is None:
            return None
        now = time.monotonic()
        self._recent = {name: seen for name, seen in self._recent.items() if now - seen < _RECENT_S}
        try:
            status = os.stat(self._root)
            if not before.settled or _signature(status) != before.signature:
                listed = _list(self._root, _Directory(_signature(status), settled=False, seen=now))
                # The next whole walk finds all other changes: the root stays as it is known here.
                for name in set(listed.directories) - set(before.directories) - self._found_new:
                    self._recent.setdefault(name, now)
        except OSError:
            return None
        if not self._recent:
            return self._listing
        walk = _Walk(self._root, self._known, self._known)
        found = walk.listing_below(sorted(self._recent))
        if walk.met_links or found.problems:
            return None
        with_runs = {run.partition("/")[0] for run in found.runs}
        self._recent = {name: seen for name, seen in self._recent.items() if name not in with_runs}
        self._found_new |= with_runs
        if found.runs:
            self._listing = Listing({**self._listing.runs, **found.runs}, self._listing.problems)
        return self._listing

    def _all_unchanged(self) -> bool:
        now = time.monotonic()
        for path, directory in self._known.items():
            if not directory.settled or now - directory.seen >= _STALE:
                return False
            try:
                if _signature(os.stat(path)) != directory.signature:
                    return False
            except OSError:
                return False
        return True


class _Walk:
    def __init__(self, root: str, before: dict[str, _Directory], keep: dict[str, _Directory]) -> None:
        self._root = root
        self._before = dict(before)
        self._keep = keep
        self.met_links = False
        """Where a link leads may change without a trace in the directory that holds it."""
        self._runs: dict[str, Found] = {}
        self._configurations: dict[str, str] = {}
        self._problems: list[Problem] = []
        self._entries = 0
        self._directories: set[Identity] = set()
        self._files: set[Identity] = set()
        self._links: deque[tuple[str, str, int]] = deque()  # path, name, depth

    def listing(self) -> Listing:
        self._keep.clear()
        self._directories |= _ancestors(self._root)
        self._tree(self._root, "", 0)
        while self._links and self._entries <= _MOST_ENTRIES:
            self._follow(*self._links.popleft())
        return self._finished()

    def listing_below(self, names: Iterable[str]) -> Listing:
        """List some directories below the root, and what lies in them. Links are not followed."""
        for name in names:
            self._tree(os.path.join(self._root, name), name, 1)
        return self._finished()

    def _finished(self) -> Listing:
        for name, path in self._configurations.items():
            run = f"/{name}".removesuffix(f"/{CONFIG}").removesuffix(f"/{ASSETS}").removeprefix("/") or "."
            if run in self._runs:
                self._runs[run].projector[name] = path
        return Listing(self._runs, self._problems)

    def _tree(self, path: str, name: str, depth: int) -> None:
        """Walk a directory and what lies in it, links aside. `name` is relative to the root; empty for itself."""
        waiting = deque([(path, name, depth)])
        links: list[tuple[str, str, int]] = []
        while waiting:
            path, name, depth = waiting.popleft()
            directory = self._look(path, name)
            if directory is None:
                continue
            inside = f"{name}/" if name else ""
            for entry in directory.strange:
                self._problem(inside + entry, Reason("not-a-regular-file"))
            for entry, identity in directory.files:
                self._files.add(identity)
                self._file(path, name, entry)
            if directory.configuration:
                self._configurations[inside + CONFIG] = os.path.join(path, CONFIG)
            self._entries += directory.entries
            if self._entries > _MOST_ENTRIES:
                self._problem(name, Reason("too-many-entries", most=_MOST_ENTRIES))
                return
            self.met_links |= bool(directory.links)
            links += [(os.path.join(path, entry), inside + entry, depth) for entry in directory.links]
            if depth >= _DEEPEST and directory.directories:
                self._problem(name, Reason("too-deep", most=_DEEPEST))
                continue
            waiting.extend((os.path.join(path, entry), inside + entry, depth + 1) for entry in directory.directories)
        self._links.extend(sorted(links, key=lambda link: link[1]))

    def _file(self, path: str, run: str, entry: str) -> None:
        found = self._runs.setdefault(run or ".", Found())
        found.files[f"{run}/{entry}" if run else entry] = os.path.join(path, entry)

    def _look(self, path: str, name: str) -> _Directory | None:
        """The entries of a directory, from an earlier look if nothing has changed since; None if it was met before."""
        try:
            status = os.stat(path)
            identity = (status.st_dev, status.st_ino)
            if name and identity in self._directories:
                return None
            self._directories.add(identity)
            signature = _signature(status)
            directory = self._before.get(path)
            now = time.monotonic()
            known = directory is not None and directory.settled and now - directory.seen < _STALE
            if directory is None or not known or directory.signature != signature:
                settled = time.time_ns() - status.st_mtime_ns > _SETTLED
                directory = _list(path, _Directory(signature, settled, now))
        except (FileNotFoundError, NotADirectoryError):
            return None  # gone meanwhile
        except OSError as error:
            self._problem(name, system_reason(error))
            return None
        self._keep[path] = directory
        return directory

    def _follow(self, path: str, name: str, depth: int) -> None:
        """Follow a link to what was not met yet."""
        folder, _, entry = name.rpartition("/")
        wanted = is_event_file(entry)
        try:
            status = os.stat(path)
        except OSError as error:
            if wanted:
                self._problem(name, Reason("broken-link", detail=error.strerror or str(error)))
            return
        identity = (status.st_dev, status.st_ino)
        if stat.S_ISDIR(status.st_mode):
            if depth >= _DEEPEST:
                self._problem(name, Reason("too-deep", most=_DEEPEST))
            else:
                self._tree(path, name, depth + 1)
        elif stat.S_ISREG(status.st_mode):
            if wanted and identity not in self._files:
                self._files.add(identity)
                self._file(os.path.dirname(path), folder, entry)
            elif entry == CONFIG:
                self._configurations[name] = path
        elif wanted:
            self._problem(name, Reason("link-to-special-file"))

    def _problem(self, name: str, reason: Reason) -> None:
        self._problems.append(Problem(name or ".", None, reason))


def _ancestors(root: str) -> set[Identity]:
    """The directories above the root: no link leads there."""
    found: set[Identity] = set()
    path = os.path.realpath(root)
    for above in _above(path):
        try:
            status = os.stat(above)
        except OSError:
            continue
        found.add((status.st_dev, status.st_ino))
    return found


def _above(path: str) -> Iterator[str]:
    while (parent := os.path.dirname(path)) != path:
        yield parent
        path = parent


def _signature(status: os.stat_result) -> tuple[int, ...]:
    return status.st_dev, status.st_ino, status.st_mtime_ns, status.st_ctime_ns


def is_event_file(name: str) -> bool:
    """Whether a file of this name holds events."""
    return _MARK in name and not name.endswith(_NOT)


def _list(path: str, directory: _Directory) -> _Directory:
    device = directory.signature[0]
    with os.scandir(path) as entries:
        for entry in entries:
            directory.entries += 1
            if directory.entries > _MOST_ENTRIES:
                break
            name = entry.name
            if entry.is_symlink():
                directory.links.append(name)
            elif entry.is_dir(follow_symlinks=False):
                directory.directories.append(name)
            elif is_event_file(name):
                if entry.is_file(follow_symlinks=False):
                    directory.files.append((name, (device, entry.inode())))
                else:
                    directory.strange.append(name)
            elif name == CONFIG:
                directory.configuration = True
    directory.directories.sort()
    return directory
