"""Which checkpoints lie beside the logs, and the runs that each belongs to.

A checkpoint belongs to the nearest run: from its directory upwards, the first directory that is a run or holds some. If
it holds some, those one or two levels below count: the ones that a directory on the way is named after, else all of
them. So a checkpoint below a run never belongs to another one.
"""

from __future__ import annotations

import operator
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
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

_LEVELS_ABOVE = 2  # from a run to the directory that its checkpoints lie in or below
_INTERVAL_S = 5.0  # between walks over a directory of checkpoints alone


class CheckpointFile(NamedTuple):
    """A checkpoint and where it is."""

    named: CheckpointName
    root: Root
    """The directory that was searched."""
    runs: tuple[str, ...]
    """The runs that it belongs to."""

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


@dataclass(slots=True)
class CheckpointListing:
    """The checkpoints of all runs."""

    files: list[CheckpointFile] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    by_run: dict[str, list[CheckpointFile]] = field(init=False)

    def __post_init__(self) -> None:
        """Sort the checkpoints by run."""
        self.by_run = {}
        for file in self.files:
            for run in file.runs:
                self.by_run.setdefault(run, []).append(file)


def checkpoints_of(root: Root, scan: Scan, runs: Iterable[str]) -> CheckpointListing:
    """Return the checkpoints that a walk over a log directory has found, with their runs."""
    named, problems = _named(root, scan)
    if not named:
        return CheckpointListing([], problems)
    start = f"{root.name}/" if root.name else ""
    inside = {"" if run in (".", root.name) else run.removeprefix(start): run for run in runs if root.holds(run)}
    owners = _Owners(inside)
    files = [CheckpointFile(each, root, owner) for each in named if (owner := owners.of(each.folder))]
    return CheckpointListing(files, problems)


def joined(listings: Sequence[CheckpointListing]) -> CheckpointListing:
    """Return several listings as one."""
    return CheckpointListing(
        list(chain.from_iterable(each.files for each in listings)),
        list(chain.from_iterable(each.problems for each in listings)),
    )


def logged_apart(logged: Iterable[LoggedCheckpoint], files: Iterable[CheckpointFile]) -> list[Checkpoint]:
    """Return the checkpoints that a log names and that are none of these files; the directories may differ."""
    names = {file.named.name.rpartition("/")[2] for file in files}
    found = []
    for step, wall_time, path in logged:
        own = path.replace("\\", "/").rpartition("/")[2]
        # The hooks of TensorFlow 1 log the prefix to which `Saver.save` adds the step.
        if names.isdisjoint((own, f"{own}-{step}")):
            found.append(Checkpoint(step, path, wall_time, TENSORFLOW))
    return found


def _named(root: Root, scan: Scan) -> tuple[list[CheckpointName], list[Problem]]:
    names = (name for name in scan.files if may_be_checkpoint(name.rpartition("/")[2]))
    if scan.links:
        names = (name for name in names if not _leads_out(root, scan, name))
    found = checkpoints_among(names)
    if len(found) <= MAX_CHECKPOINTS:
        return found, []
    return found[-MAX_CHECKPOINTS:], [
        Problem(root.name or ".", None, Reason("too-many-checkpoints", most=MAX_CHECKPOINTS))
    ]


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
        self._token: list[object] = []
        self.listing = CheckpointListing()

    def walk(self, *, force: bool, progress: PollProgress | None) -> None:
        """Walk the directories that are due. Raises StoppedError."""
        for directory in self._directories:
            directory.walk(force=force, progress=progress)

    def take(self, beside: CheckpointListing, runs: Collection[str]) -> frozenset[tuple[str, str, str]] | None:
        """Take over the found ones; return the changes as `Changes.series` has them, None if nothing is new."""
        token = [beside, *(directory.named for directory in self._directories)]
        if len(token) == len(self._token) and all(map(operator.is_, token, self._token)):
            return None
        names = sorted(runs, key=natural_key)
        before, self._token = self.listing, token
        self.listing = joined([beside, *(directory.listing(names) for directory in self._directories)])
        now, then = self.listing.by_run, before.by_run
        runs_there = now.keys() | then.keys()
        changed = frozenset((CHECKPOINTS, run, "") for run in runs_there if now.get(run) != then.get(run))
        return changed if changed or self.listing.problems != before.problems else None


class _Owners:
    """The runs that checkpoints in a directory belong to, by their names within a log directory."""

    def __init__(self, inside: Mapping[str, str]) -> None:
        self._inside = inside
        # By each directory that holds runs: the runs one or two levels below it.
        self._below: dict[str, list[str]] = {}
        for run in sorted(inside, key=natural_key):
            parts = run.split("/") if run else []
            for level in range(1, len(parts) + 1):
                below = self._below.setdefault("/".join(parts[:-level]), [])
                if level <= _LEVELS_ABOVE:
                    below.append(run)
        self._known: dict[str, tuple[str, ...]] = {}

    def of(self, folder: str) -> tuple[str, ...]:
        """Return the runs, by their whole names; none where no run is near."""
        if folder not in self._known:
            self._known[folder] = tuple(self._inside[run] for run in self._near(folder))
        return self._known[folder]

    def _near(self, folder: str) -> list[str]:
        parts = folder.split("/") if folder else []
        for end in range(len(parts), -1, -1):
            above = "/".join(parts[:end])
            if above in self._inside:
                return [above]
            if (below := self._below.get(above)) is not None:
                return _named_like(below, parts[end:]) or below
        return []


def _named_like(runs: Iterable[str], parts: Sequence[str]) -> list[str]:
    """Return the runs whose directory has the name of one of these."""
    return [run for run in runs if run.rpartition("/")[2] in parts]


class CheckpointDirectory:
    """A directory of checkpoints alone, outside or inside of the log directory, walked every few seconds."""

    def __init__(self, root: Root, run: str | None) -> None:
        """All of it belongs to `run`; None: to the runs that its directories are named after, else to all runs."""
        self._root, self._run = root, run
        self._scanner = root.storage.scanner(root.path, may_be_checkpoint)
        self._scan: Scan | None = None
        self._next = float("-inf")
        self.named: tuple[list[CheckpointName], list[Problem]] = ([], [])
        """The checkpoints found last, and problems; another object where these are others."""

    def walk(self, *, force: bool, progress: PollProgress | None) -> None:
        """Walk the directory if that is due. Raises StoppedError."""
        storage = self._root.storage
        if not force and time.monotonic() < self._next:
            return
        if not storage.is_due(force=force, interval=_INTERVAL_S):
            return
        self._next = time.monotonic() + _INTERVAL_S
        scan = self._scanner.walk(force=force, progress=progress)
        if scan is not self._scan:
            self._scan = scan
            named, problems = _named(self._root, scan)
            if scan.is_missing:
                problems = [Problem(self._root.path, None, Reason("missing-directory", path=self._root.path))]
            self.named = named, problems

    def listing(self, runs: Sequence[str]) -> CheckpointListing:
        """Return the checkpoints with their runs."""
        named, problems = self.named
        known = set(runs)
        by_folder: dict[str, tuple[str, ...]] = {}
        for each in named:
            if each.folder not in by_folder:
                by_folder[each.folder] = self._owners(each.folder, runs, known)
        files = [CheckpointFile(each, self._root, by_folder[each.folder]) for each in named]
        return CheckpointListing(files, problems)

    def _owners(self, folder: str, runs: Sequence[str], known: set[str]) -> tuple[str, ...]:
        if self._run is not None:
            return (self._run,)
        parts = folder.split("/")
        for end in range(len(parts), 0, -1):
            if (above := "/".join(parts[:end])) in known:
                return (above,)
        return tuple(_named_like(runs, parts) or runs)
