"""Which runs a log directory has, and which files each of them.

A run is a directory that directly holds an event file: one with `tfevents` in its name (the rule of TensorBoard's
io_wrapper.IsTensorFlowEventsFile). Kinds may declare further files, and that these make a run as well. The storage
walks the tree; here its files are sorted into runs. Several roots are one log directory: only this module joins them,
and one reader, follower and lock serve all.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from tbwidget.logs.checkpoints import may_be_checkpoint
from tbwidget.logs.engine.checkpoint_files import OF_FILES, CheckpointListing, checkpoints_of, joined
from tbwidget.logs.kinds import registry
from tbwidget.logs.kinds.declare import FoundFile
from tbwidget.logs.problems import Problem
from tbwidget.logs.roots import Root
from tbwidget.reasons import Reason
from tbwidget.records.files.scan import PollProgress, Scan
from tbwidget.records.files.storage import Storage

_MARK, _NOT = "tfevents", ".profile-empty"


@dataclass(slots=True)
class Found:
    """The files of one run, by name, relative to the log directory."""

    root: Root
    """The directory that the run lies in."""
    files: dict[str, str] = field(default_factory=dict)
    """Event files: name -> path."""
    own: dict[str, dict[str, FoundFile]] = field(default_factory=dict)
    """Files that only one kind reads: kind -> name -> file."""


@dataclass(slots=True)
class Listing:
    """Result of a walk over the log directory."""

    runs: dict[str, Found]
    problems: list[Problem]
    checkpoints: CheckpointListing = field(default_factory=CheckpointListing)


class Discovery:
    """Walks the roots of a log directory again and again."""

    def __init__(self, roots: Sequence[Root]) -> None:
        self._roots = roots
        endings = _endings()

        def is_wanted(name: str) -> bool:
            """Whether a file of a name is read, or may be a checkpoint."""
            return name.endswith(endings) or is_event_file(name) or may_be_checkpoint(name)

        self._scanners = [root.storage.scanner(root.path, is_wanted) for root in roots]
        self._scans: list[Scan] = []  # that the listing was made of
        self._listing = Listing({}, [])

    def walk(
        self,
        due: Collection[Storage] | None = None,
        *,
        force: bool = False,
        progress: PollProgress | None = None,
    ) -> Listing:
        """Find all runs; the same object as before when nothing has changed. `force` trusts no earlier walk.

        Files on storages that are not `due` are taken from the last walk. Raises StoppedError where
        `progress` is stopped.
        """
        before: Sequence[Scan | None] = self._scans or [None] * len(self._roots)
        return self._listing_of(
            [
                scan
                if scan is not None and due is not None and root.storage not in due
                else scanner.walk(force=force, progress=progress)
                for root, scanner, scan in zip(self._roots, self._scanners, before, strict=True)
            ]
        )

    def walk_new(self) -> Listing | None:
        """Find the runs that appeared directly below a root, and take what else was there from the last walk.

        None where only a whole walk can tell, as with links; the same object as before when nothing has appeared.
        """
        found = [scanner.walk_new() for scanner in self._scanners]
        if not self._scans or not any(found):
            return None
        # Some roots may need a whole walk; the others have their new runs all the same.
        return self._listing_of([new or old for new, old in zip(found, self._scans, strict=True)])

    def _listing_of(self, scans: list[Scan]) -> Listing:
        if not self._scans or any(new is not old for new, old in zip(scans, self._scans, strict=True)):
            self._scans, self._listing = scans, Listing({}, [])
            all_missing = all(scan.is_missing for scan in scans)
            for root, scan in zip(self._roots, scans, strict=True):
                if scan.is_missing and not all_missing:
                    self._listing.problems.append(Problem(root.name, None, Reason("missing-directory", path=root.path)))
                self._listing.problems += [
                    Problem(root.named(name), None, reason)
                    for name, reason in scan.problems
                    if not _is_of_checkpoint(name, reason)
                ]
                _sort(root, scan, self._listing.runs)
            found = [
                checkpoints_of(root, scan, self._listing.runs) for root, scan in zip(self._roots, scans, strict=True)
            ]
            self._listing.checkpoints = joined(found)
        return self._listing


def _endings() -> tuple[str, ...]:
    return tuple(ending for files in registry.FILES.values() for ending in files.endings)


def _is_read(name: str) -> bool:
    """Whether a file of this name may hold events, or is one that a kind reads."""
    return name.endswith(_endings()) or is_event_file(name)


def _is_of_checkpoint(name: str, reason: Reason) -> bool:
    return reason.code in OF_FILES and not _is_read(name.rpartition("/")[2])


def is_event_file(name: str) -> bool:
    """Whether a file of this name holds events."""
    return _MARK in name and not name.endswith(_NOT)


def _sort(root: Root, scan: Scan, runs: dict[str, Found]) -> None:
    """Sort the files of a root into runs."""
    others = []
    endings = _endings()
    for name, path in scan.files.items():
        folder, _, entry = name.rpartition("/")
        if is_event_file(entry):
            _run(root, folder, runs).files[root.named(name)] = path
        elif entry.endswith(endings):
            others.append((name, path))
    for kind, files in registry.FILES.items():
        for name, path in others:
            place = files.folder_of_run(name)
            if place is not None and (files.makes_run or root.named(place or ".") in runs):
                file = FoundFile(root.storage, path, root.named(name), root.path)
                _run(root, place, runs).own.setdefault(kind, {})[file.name] = file


def _run(root: Root, folder: str, runs: dict[str, Found]) -> Found:
    return runs.setdefault(root.named(folder or "."), Found(root))
