"""Which checkpoints lie beside the logs, and the runs that each belongs to.

A checkpoint belongs to the nearest run: from its directory upwards, the first directory that is a run or holds some. If
it holds some, those one or two levels below count: the ones that a directory on the way is named after, else all of
them. So a checkpoint below a run never belongs to another one.
"""

from __future__ import annotations

import operator
import os
import threading
import time
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from tbwidget.logs.checkpoints import (
    TENSORFLOW,
    Checkpoint,
    CheckpointName,
    checkpoints_among,
    may_be_checkpoint,
)
from tbwidget.logs.natural import natural_key
from tbwidget.logs.problems import Problem
from tbwidget.logs.roots import Root
from tbwidget.reasons import Reason
from tbwidget.records.files.scan import PollProgress, Scan
from tbwidget.records.values.attachments import CHECKPOINTS, LoggedCheckpoint

MAX_CHECKPOINTS = 10_000
"""Upper bound for the checkpoints of one directory that are listed, the last ones in natural order."""

OF_FILES = frozenset({"not-a-regular-file", "broken-link", "link-to-special-file"})
"""Reasons why a file is not opened: no checkpoint ever is."""

_LEVELS_ABOVE = 2  # from a run to the directory that its checkpoints lie in or below
_INTERVAL_S = 5.0  # between walks over a directory of checkpoints alone


class CheckpointFile(NamedTuple):
    """A checkpoint and where it is."""

    named: CheckpointName
    root: Root
    """The directory that was searched."""
    place: str
    """The path of that with links followed, so that files of directories that overlap are recognized."""

    @property
    def identity(self) -> tuple[Hashable, str]:
        """Equal for the same checkpoint, found in whichever directory."""
        return self.root.storage.key, f"{self.place}/{self.named.name}"

    def checkpoint(self) -> Checkpoint:
        """Return it with the time that its file has now."""
        named = self.named
        try:
            wall_time = self.root.storage.status(self._path(named.file)).modified_ns / 1e9
        except (OSError, ValueError):
            wall_time = float("nan")
        return Checkpoint(named.step, self._path(named.name), wall_time, named.format, named.epoch, self.root.path)

    def _path(self, name: str) -> str:
        return f"{self.root.path.rstrip('/')}/{name}"


@dataclass
class CheckpointGroup:
    """The checkpoints that belong to the same runs.

    A directory beside very many runs belongs to all of them, so runs and checkpoints are never paired one by one.
    """

    runs: tuple[str, ...]
    files: list[CheckpointFile] = field(default_factory=list)

    @cached_property
    def names(self) -> frozenset[str]:
        """The last parts of their names."""
        return frozenset(file.named.name.rpartition("/")[2] for file in self.files)


@dataclass(slots=True, eq=False)
class CheckpointListing:
    """The checkpoints of all runs. Two are equal only if they are one."""

    groups: dict[tuple[str, ...], CheckpointGroup] = field(default_factory=dict)
    """By their runs."""
    problems: list[Problem] = field(default_factory=list)
    by_run: dict[str, list[CheckpointGroup]] = field(init=False)

    def __post_init__(self) -> None:
        """Sort the groups by run."""
        self.by_run = {}
        for group in self.groups.values():
            for run in group.runs:
                self.by_run.setdefault(run, []).append(group)


def checkpoints_of(root: Root, scan: Scan, runs: Iterable[str]) -> CheckpointListing:
    """Return the checkpoints that a walk over a log directory has found, with their runs."""
    named, problems = _named(root, scan, root.name or ".")
    if not named:
        return CheckpointListing({}, problems)
    start = f"{root.name}/" if root.name else ""
    inside = {"" if run in (".", root.name) else run.removeprefix(start): run for run in runs if root.holds(run)}
    owners = _Owners(inside)
    return CheckpointListing(_groups(root, _place(root), named, owners.of), problems)


def _groups(
    root: Root, place: str, named: Iterable[CheckpointName], owners: Callable[[str], tuple[str, ...]]
) -> dict[tuple[str, ...], CheckpointGroup]:
    """Group checkpoints by the runs that `owners` tells of their directories; those of no run are left out."""
    by_folder: dict[str, list[CheckpointFile]] = {}
    for each in named:
        by_folder.setdefault(each.folder, []).append(CheckpointFile(each, root, place))
    # Directories mostly share one object: to hash that for each of them would cost as much as to pair it.
    shared: dict[int, CheckpointGroup] = {}
    for folder, files in by_folder.items():
        if runs := owners(folder):
            shared.setdefault(id(runs), CheckpointGroup(runs)).files.extend(files)
    groups: dict[tuple[str, ...], CheckpointGroup] = {}
    for group in shared.values():
        groups.setdefault(group.runs, CheckpointGroup(group.runs)).files.extend(group.files)
    return groups


def _place(root: Root) -> str:
    """Return the path of a directory with links followed, and slashes between its parts."""
    try:
        return root.storage.canonical(root.path).replace(os.sep, "/").rstrip("/")
    except (OSError, ValueError):
        return root.path


def _unseen(listing: CheckpointListing, seen: set[tuple[Hashable, str]]) -> CheckpointListing:
    """Return a listing without the checkpoints that were seen, and add its own to these."""
    groups = {
        runs: CheckpointGroup(runs, files)
        for runs, group in listing.groups.items()
        if (files := [file for file in group.files if file.identity not in seen])
    }
    seen.update(file.identity for group in groups.values() for file in group.files)
    return CheckpointListing(groups, listing.problems)


def joined(listings: Sequence[CheckpointListing]) -> CheckpointListing:
    """Return several listings as one."""
    groups: dict[tuple[str, ...], CheckpointGroup] = {}
    for listing in listings:
        for runs, group in listing.groups.items():
            groups.setdefault(runs, CheckpointGroup(runs)).files.extend(group.files)
    return CheckpointListing(groups, list(chain.from_iterable(each.problems for each in listings)))


def logged_apart(logged: Iterable[LoggedCheckpoint], groups: Sequence[CheckpointGroup]) -> list[Checkpoint]:
    """Return the checkpoints that a log names and that are in none of a run's groups; the directories may differ."""
    found = []
    for step, wall_time, path in logged:
        own = path.replace("\\", "/").rpartition("/")[2]
        # The hooks of TensorFlow 1 log the prefix to which `Saver.save` adds the step.
        if all(group.names.isdisjoint((own, f"{own}-{step}")) for group in groups):
            found.append(Checkpoint(step, path, wall_time, TENSORFLOW))
    return found


def _named(root: Root, scan: Scan, name: str) -> tuple[list[CheckpointName], list[Problem]]:
    """Return the checkpoints in a directory, and the problems, which call it by this name."""
    names = (name for name in scan.files if may_be_checkpoint(name.rpartition("/")[2]))
    if scan.links:
        names = (name for name in names if not _leads_out(root, scan, name))
    found = checkpoints_among(names)
    if len(found) <= MAX_CHECKPOINTS:
        return found, []
    return found[-MAX_CHECKPOINTS:], [Problem(name, None, Reason("too-many-checkpoints", most=MAX_CHECKPOINTS))]


def _leads_out(root: Root, scan: Scan, name: str) -> bool:
    """Whether a file was reached by a link that leads out of the directory."""
    parts = name.split("/")
    if not any("/".join(parts[:end]) in scan.links for end in range(1, len(parts) + 1)):
        return False
    try:
        within = root.storage.canonical(root.path).rstrip("/") + "/"
        return not root.storage.canonical(scan.files[name]).startswith(within)
    except (OSError, ValueError):
        return True


class Checkpoints:
    """The checkpoints beside the logs, and in directories that the user names."""

    def __init__(self, directories: Sequence[CheckpointDirectory] = ()) -> None:
        self._directories = directories
        self.storages = [directory.storage for directory in directories]
        """Where these directories lie."""
        self._beside = CheckpointListing()
        self._token: list[object] = []
        self.renew_lock()
        self.listing = CheckpointListing()

    def renew_lock(self) -> None:
        """Take a new lock, in a forked child where no thread holds the old one any more."""
        self._walking = threading.Lock()

    def walk(self, *, force: bool, progress: PollProgress | None) -> None:
        """Walk the directories that are due, one thread at a time. Raises StoppedError."""
        if not self._directories:
            return
        with self._walking:
            for directory in self._directories:
                directory.walk(force=force, progress=progress)

    def take(self, beside: CheckpointListing | None, runs: Collection[str]) -> frozenset[tuple[str, str, str]] | None:
        """Take over the found ones; return the changes as `Changes.series` has them, None if nothing is new.

        `beside` are those in the log directory; None: the same as before.
        """
        beside = self._beside = beside or self._beside
        token = [beside, *(directory.named for directory in self._directories)]
        if len(token) == len(self._token) and all(map(operator.is_, token, self._token)):
            return None
        every = _Runs(sorted(runs, key=natural_key))
        self._token = token
        # What the user names counts more than what is beside the logs, and the innermost directory most.
        seen: set[tuple[Hashable, str]] = set()
        inner_first = sorted(self._directories, key=lambda directory: len(directory.place), reverse=True)
        apart = [_unseen(directory.listing(every), seen) for directory in inner_first]
        found = joined([_unseen(beside, seen) if seen else beside, *apart])
        now, then = found.groups, self.listing.groups
        others = [owners for owners in now.keys() | then.keys() if now.get(owners) != then.get(owners)]
        changed = frozenset((CHECKPOINTS, run, "") for run in chain.from_iterable(others))
        if not changed and found.problems == self.listing.problems:
            return None  # the listing stays the same object: by that it is compared elsewhere
        self.listing = found
        return changed


class _Runs:
    """Runs in natural order, and which of them a directory is named after."""

    def __init__(self, runs: Iterable[str]) -> None:
        self.every = tuple(runs)
        self._places: dict[str, list[int]] = {}  # by the last part of their names
        for place, run in enumerate(self.every):
            self._places.setdefault(run.rpartition("/")[2], []).append(place)
        self._known: dict[frozenset[str], tuple[str, ...]] = {}

    def named_like(self, parts: Iterable[str]) -> tuple[str, ...]:
        """Return the runs whose directory has the name of one of these, else all: one object for the same runs."""
        names = self._places.keys() & set(parts)
        if not names:
            return self.every
        key = frozenset(names)
        if key not in self._known:
            places = sorted(chain.from_iterable(self._places[name] for name in key))
            self._known[key] = tuple(self.every[place] for place in places)
        return self._known[key]


class _Owners:
    """The runs that checkpoints in a directory belong to, by their names within a log directory."""

    def __init__(self, inside: Mapping[str, str]) -> None:
        self._inside = inside
        # By each directory that holds runs: the runs one or two levels below it.
        below: dict[str, list[str]] = {}
        for run in sorted(inside, key=natural_key):
            parts = run.split("/") if run else []
            for level in range(1, len(parts) + 1):
                near = below.setdefault("/".join(parts[:-level]), [])
                if level <= _LEVELS_ABOVE:
                    near.append(inside[run])
        self._below = {folder: _Runs(near) for folder, near in below.items()}

    def of(self, folder: str) -> tuple[str, ...]:
        """Return the runs, by their whole names; none where no run is near."""
        parts = folder.split("/") if folder else []
        for end in range(len(parts), -1, -1):
            above = "/".join(parts[:end])
            if above in self._inside:
                return (self._inside[above],)
            if (below := self._below.get(above)) is not None:
                return below.named_like(parts[end:])
        return ()


class CheckpointDirectory:
    """A directory of checkpoints alone, outside or inside of the log directory, walked every few seconds."""

    def __init__(self, root: Root, runs: tuple[str, ...] = ()) -> None:
        """All of it belongs to `runs`; none: to the runs that its directories are named after, else to all runs."""
        self._root, self._runs = root, runs
        self.place = root.path
        """Its path with links followed."""
        self.storage = root.storage
        self._scanner = root.storage.scanner(root.path, may_be_checkpoint)
        self._scan: Scan | None = None
        self._next = float("-inf")
        self.named: tuple[list[CheckpointName], list[Problem]] = ([], [])
        """The checkpoints found last, and problems; another object where these are others."""

    def walk(self, *, force: bool, progress: PollProgress | None) -> None:
        """Walk the directory if that is due. Raises StoppedError."""
        if not force and time.monotonic() < self._next:
            return
        if not self.storage.is_due(force=force, interval=_INTERVAL_S):
            return
        self._next = time.monotonic() + _INTERVAL_S
        scan = self._scanner.walk(force=force, progress=progress)
        if scan is not self._scan:
            self._scan, self.place = scan, _place(self._root)
            path = self._root.path
            named, problems = _named(self._root, scan, path)
            problems += [
                Problem(path if name == "." else f"{path}/{name}", None, reason)
                for name, reason in scan.problems
                if reason.code not in OF_FILES
            ]
            if scan.is_missing:
                problems = [Problem(path, None, Reason("missing-directory", path=path))]
            self.named = named, problems

    def listing(self, runs: _Runs) -> CheckpointListing:
        """Return the checkpoints with their runs."""
        named, problems = self.named
        known = set(runs.every)

        def owners(folder: str) -> tuple[str, ...]:
            if self._runs:
                return self._runs
            parts = folder.split("/")
            for end in range(len(parts), 0, -1):
                if (above := "/".join(parts[:end])) in known:
                    return (above,)
            return runs.named_like(parts)

        return CheckpointListing(_groups(self._root, self.place, named, owners), problems)


def directories_of(given: Iterable[tuple[Root, str | None]]) -> list[CheckpointDirectory]:
    """Return directories of checkpoints, each with its run; None: of all runs. One for several runs is walked once."""
    roots: dict[tuple[Hashable, str], Root] = {}
    runs: dict[tuple[Hashable, str], list[str | None]] = {}
    for root, run in given:
        key = root.storage.key, root.path
        roots.setdefault(key, root)
        runs.setdefault(key, []).append(run)
    return [
        CheckpointDirectory(root, () if None in runs[key] else tuple(run for run in runs[key] if run is not None))
        for key, root in roots.items()
    ]
