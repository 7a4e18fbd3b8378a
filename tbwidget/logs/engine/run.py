"""One run: the event files of a directory taken together."""

from __future__ import annotations

import math
import weakref
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from typing import NamedTuple, TypeVar, cast

import numpy as np

from tbwidget.logs.columns import NO_ADDRESSES, Column, Points, Session, joined
from tbwidget.logs.engine.catalog import Catalog, name_of_attachment
from tbwidget.logs.engine.eventfile import EventFile, TagPoints
from tbwidget.logs.engine.partitioning import TagPartitioner
from tbwidget.logs.engine.superseding import FileTimeSpan, kept, overlap_counts, step_limits
from tbwidget.logs.items import Items, Source
from tbwidget.logs.kinds.declare import OwnFile
from tbwidget.logs.kinds.registry import GRAPHS, RUN_METADATA, SCALARS, fits
from tbwidget.logs.problems import Problem
from tbwidget.logs.series import Scalars
from tbwidget.records.files.storage import Storage
from tbwidget.records.values.attachments import CHECKPOINT, LoggedCheckpoint
from tbwidget.records.values.forms import FORMS
from tbwidget.records.values.summary import TagTable

_revisions = count(1)  # of all runs, so that a run reborn never looks like one that has grown


_ONE_SESSION = 0
"""Session of all points of a merged column, in which sessions do not matter any more."""

_Made = TypeVar("_Made", Scalars, Items)
_Make = Callable[[Points, int, int, list[int]], _Made]


class _Merged(NamedTuple):
    """A series as it was handed out last."""

    origin: tuple[tuple[int, ...], list[list[int]] | None]
    """Generation of each file, and the limits of its sessions; None: no point is superseded."""
    counts: tuple[int, ...]
    kept_counts: list[int]
    """Points of each file that are not superseded."""
    revision: int
    made: weakref.ref[Scalars | Items]
    """Its callers hold it: a copy of the points would double the memory of a series."""
    column: Column | None
    """A copy of the points of a series that grows, to which an update appends; freed when its file rests."""


class Run:
    """The event files of one directory. Its owner sees to it that one thread uses it at a time."""

    def __init__(self, name: str, storage: Storage, tags: TagTable) -> None:
        self.name = name
        self.storage = storage
        """Where its files lie."""
        self._tags = tags
        self._merged: dict[tuple[int, str, bool], _Merged] = {}
        self._order: tuple[object, ...] = ()
        self._time_spans: dict[str, FileTimeSpan] = {}  # of each file, as of its last update
        self.order_is_stale = False
        """Some file begins or ends at another time than when `reorder` was called last."""
        self.files: dict[str, EventFile] = {}
        """By name, in sorted order: the written order of the run."""
        self.own: dict[str, dict[str, OwnFile]] = {}
        """By kind, then by name, in sorted order."""
        self.catalog = Catalog(tags, self.files, self.own)

    def set_files(self, files: Mapping[str, EventFile], own: Mapping[str, Mapping[str, OwnFile]]) -> None:
        """Hold these event files, and these files that only one kind reads, and no others."""
        self.files = dict(sorted(files.items()))
        self.own = {kind: dict(sorted(own[kind].items())) for kind in own}
        self._catalog_again()
        self._order, self.order_is_stale = self._wall_order(), False
        self._time_spans = {name: file.time_span for name, file in self.files.items()}

    def _catalog_again(self) -> None:
        self.catalog = Catalog(self._tags, self.files, self.own)
        there = self.catalog.kinds
        self._merged = {key: merged for key, merged in self._merged.items() if key[0] in there}

    def own_files(self) -> Iterator[OwnFile]:
        """The files that only one kind reads."""
        for files in self.own.values():
            yield from files.values()

    def update(self, file: EventFile) -> set[tuple[str, str]]:
        """Take over new data of a file; return each (kind, tag) whose series changed.

        Changes of other files' series are returned by `reorder`, which is called once for all files that were read.
        """
        changed_series: set[tuple[str, int]] = set()  # by kind, also by those that tags no longer have
        changed = file.numbers.changed | file.addresses.changed
        if file.restarted:
            before = self.catalog.kinds
            self._catalog_again()
            after = self.catalog.kinds
            gone = before.items() - after.items()
            changed_series |= {(kind, tag) for tag, kind in gone}
            changed |= {tag for tag, _ in after.items() - before.items()}
        elif file.changed_tags:
            changed_series |= self.catalog.note(file, file.changed_tags)
            changed |= {tag for _, tag in changed_series}
        elif file.attachments_changed:
            self.catalog.forget_listing()
        if self._time_spans.get(file.name) != file.time_span:
            self._time_spans[file.name] = file.time_span
            self.order_is_stale = len(self.files) > 1
        kinds = self.catalog.kinds
        changed_series |= {(kinds[tag], tag) for tag in changed if tag in kinds}
        names = {(kind, self._tags.names[tag]) for kind, tag in changed_series}
        names |= {name_of_attachment(what, tag) for what, tag in file.attachments_changed}
        traced = {tag for kind, tag in names if kind == RUN_METADATA}
        if traced:
            names |= {(GRAPHS, tag) for tag in traced.intersection(self.catalog.listing().get(GRAPHS, ()))}
        file.numbers.changed, file.addresses.changed, file.changed_tags = set(), set(), set()
        file.attachments_changed, file.restarted = set(), False
        return names

    def reorder(self) -> set[tuple[str, str]]:
        """Each (kind, tag) whose series may be another, since some file has come to begin or end at another time.

        It may supersede others then, or no longer do so, in all of its tags.
        """
        self.order_is_stale = False
        order = self._wall_order()
        if order == self._order:
            return set()
        self._order = order
        return {(kind, self._tags.names[tag]) for tag, kind in self.catalog.kinds.items()}

    def _wall_order(self) -> tuple[object, ...]:
        files = sorted((file.time_span.begin, file.name, file.time_span) for file in self.files.values())
        return (*(name for _, name, _ in files), *overlap_counts([time_span for *_, time_span in files]))

    @property
    def begin(self) -> float:
        """The wall time of the first event, in seconds since the epoch; infinite where no number tells."""
        begins = [file.time_span.begin for file in self.files.values()]
        return min((begin for begin in begins if math.isfinite(begin)), default=math.inf)

    def problems(self) -> list[Problem]:
        """Problems with the run's files, and values that do not fit the kind of their tag."""
        found = [problem for file in self.files.values() for problem in file.problems()]
        found += [problem for file in self.own_files() for problem in file.problems()]
        return found + list(self.catalog.type_mismatches())

    def scalars(self, tag: str, *, superseded: bool) -> Scalars:
        """The series of a tag whose kind is scalars; with `superseded` all points, in the order written."""
        number = self._tags.find(tag)
        held = (self._held(file, file.numbers, number) for file in self.files.values())
        parts = [part for part in held if part is not None]
        return self._merge((number, SCALARS, superseded), parts, _scalars)

    def items(self, tag: str, kind: str, *, superseded: bool) -> Items:
        """The values of a tag of another kind; with `superseded` all of them, in the order written."""
        number = self._tags.find(tag)
        fitting = np.array([fits(kind, form) for form in FORMS])
        parts = []
        for file in self.files.values():
            held = self._held(file, file.addresses, number)
            if held is not None:
                points = held.points
                keep = fitting[points.value["form"]]
                points = points if keep.all() else points.select(keep)
                if len(points.step):
                    parts.append(TagPoints(file, points, _sessions(points)))
        name = self._tags.bytes_of(number)
        return self._merge(
            (number, kind, superseded),
            parts,
            lambda points, revision, left_out, kept_counts: Items(
                name,
                points if parts else NO_ADDRESSES,
                [(_source(part.file), count) for part, count in zip(parts, kept_counts, strict=True)],
                revision,
                left_out,
            ),
        )

    def _held(self, file: EventFile, partitioner: TagPartitioner, number: int) -> TagPoints | None:
        """Return the points of a tag in a file."""
        held = file.held(partitioner, number)
        if file.restarted:  # its restored data were damaged, and the log was read instead
            self.update(file)
        return held

    def attachment(self, what: str, tag: str) -> tuple[Source, int] | None:
        """Where the last graph or run metadata of a name is, in written order: file and offset; None: nowhere."""
        for file in reversed(self.files.values()):
            offset = file.attachments.get((what, tag))
            if offset is not None:
                return _source(file), offset
        return None

    def _merge(self, key: tuple[int, str, bool], parts: list[TagPoints], make: _Make[_Made]) -> _Made:
        """Join the points of a tag from all files. While a caller holds the result, an unchanged tag gives it again.

        `make` takes the points, their revision, how many were left out, and how many are left of each part.
        """
        limits = _limits(parts, superseded=key[2])
        origin = tuple([part.file.generation for part in parts]), limits
        counts = tuple([len(part.points.step) for part in parts])
        before = self._merged.get(key)
        if before and before.origin == origin and before.counts == counts:
            same = before.made()
            if same is not None:
                return cast("_Made", same)
        grown = before is not None and before.origin == origin and before.counts[:-1] == counts[:-1]
        column = before.column if before is not None and grown else None
        if before is not None and column is not None:
            del self._merged[key]  # an interrupted copy is not used again
            # Nothing supersedes what the last session of the last file appends.
            new = parts[-1].points.select(slice(before.counts[-1], None))
            *earlier, last = before.kept_counts
            kept_counts = [*earlier, last + len(new.step)]
            if len(new.step):
                column.append(new, _ONE_SESSION)
            points = column.points()
        else:
            kept_points = [_kept(part, limits[index] if limits else None) for index, part in enumerate(parts)]
            kept_counts = [len(each.step) for each in kept_points]
            points = joined(kept_points).frozen()
            is_copy = bool(parts) and points.step is not parts[0].points.step
            if before and grown and before.counts != counts and is_copy and len(points.step):
                column = Column(points, _ONE_SESSION)
        revision = before.revision if before and grown else next(_revisions)
        made = make(points, revision, sum(counts) - len(points.step), kept_counts)
        self._merged[key] = _Merged(origin, counts, kept_counts, revision, weakref.ref(made), column)
        return made

    def logged_checkpoints(self) -> list[LoggedCheckpoint]:
        """The checkpoints that session logs name, in written order."""
        held = (each for file in self.files.values() for each in file.attachments)
        return [LoggedCheckpoint.of_tag(tag) for what, tag in held if what == CHECKPOINT]

    def free_copies(self) -> None:
        """Free the copies of series that grew: no file of the run has grown for some time."""
        for key, merged in list(self._merged.items()):
            if merged.column is not None:
                self._merged[key] = merged._replace(column=None)


def _kept(part: TagPoints, limits: list[int] | None) -> Points:
    """Return the points of a part that are not superseded."""
    keep = None if limits is None else kept(part.points.step, part.sessions, limits)
    return part.points if keep is None else part.points.select(keep)


def _scalars(points: Points, revision: int, superseded: int, _: list[int]) -> Scalars:
    return Scalars(points.step, points.wall_time, points.value, revision, superseded)


def _limits(parts: list[TagPoints], *, superseded: bool) -> list[list[int]] | None:
    """For each session of each part, the step from which on its points are left out. Brings the parts in order.

    None: all are kept.
    """
    if superseded or (len(parts) == 1 and len(parts[0].sessions) == 1):
        return None
    parts.sort(key=lambda part: (part.file.time_span.begin, part.file.name))
    return step_limits([(part.file.time_span, part.sessions) for part in parts])


def _source(file: EventFile) -> Source:
    return Source(file.storage, file.path, file.name, file.value_problems)


def _sessions(points: Points) -> list[Session]:
    """The sessions of values, some of which may have been left out."""
    begins = np.flatnonzero(np.diff(points.value["session"].astype(np.int64), prepend=-1)).tolist()
    return [Session(begin, int(points.step[begin])) for begin in begins]
