"""One run: the event files of a directory taken together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from typing import NamedTuple, TypeVar, cast

import numpy as np

from tbwidget.logs.catalog import Catalog, name_of_extra
from tbwidget.logs.columns import NO_ADDRESSES, Points, Stretch, joined
from tbwidget.logs.eventfile import EventFile, Held
from tbwidget.logs.items import Items, Report, Source
from tbwidget.logs.kinds import SCALARS, fits
from tbwidget.logs.problems import Problem
from tbwidget.logs.projector import ProjectorFile
from tbwidget.logs.series import Scalars
from tbwidget.logs.superseding import Part, kept, relations, step_limits
from tbwidget.records.forms import FORMS
from tbwidget.records.values import TagTable

_revisions = count(1)  # of all runs, so that a run reborn never looks like one that has grown


_Made = TypeVar("_Made", Scalars, Items)
_Make = Callable[[Points, int, int, list[Points]], _Made]


class _Merged(NamedTuple):
    """A series as it was handed out last."""

    origin: tuple[tuple[int, ...], list[list[int | None]] | None]
    """Generation of each file, and the limits of its stretches; None: all points are there."""
    counts: tuple[int, ...]
    made: Scalars | Items


class Run:
    """The event files of one directory. Its owner sees to it that one thread uses it at a time."""

    def __init__(self, name: str, tags: TagTable) -> None:
        self.name = name
        self._tags = tags
        self._merged: dict[tuple[int, str, bool], _Merged] = {}
        self._order: tuple[object, ...] = ()
        self.set_files({}, {})

    def set_files(self, files: Mapping[str, EventFile], projector: Mapping[str, ProjectorFile]) -> None:
        """Hold these files and no others."""
        self.files: dict[str, EventFile] = dict(sorted(files.items()))
        """By name, in sorted order: the written order of the run."""
        self.projector: dict[str, ProjectorFile] = dict(sorted(projector.items()))
        self._catalogue_again()
        self._order = self._wall_order()

    def _catalogue_again(self) -> None:
        self.catalog = Catalog(self._tags, self.files, self.projector)

    def update(self, file: EventFile) -> set[tuple[str, str]]:
        """Take over what was just read of a file; returns each (kind, tag) whose series is another than before."""
        told: set[tuple[str, int]] = set()  # of kinds that are no more
        changed = file.numbers.changed | file.addresses.changed
        if file.restarted:
            before = self.catalog.kinds()
            self._catalogue_again()
            after = self.catalog.kinds()
            gone = before.items() - after.items()
            told |= {(kind, tag) for tag, kind in gone}
            changed |= {tag for tag, _ in after.items() - before.items()}
        elif file.noted:
            told |= self.catalog.note(file, file.noted)
            changed |= {tag for _, tag in told}
        elif file.extras_changed:
            self.catalog.forget_listing()
        order = self._wall_order() if len(self.files) > 1 else self._order
        if order != self._order:
            # When a file turns out to begin or end elsewhere, it may supersede others, in all of its tags.
            changed |= self.catalog.kinds().keys()
        self._order = order
        kinds = self.catalog.kinds()
        told |= {(kinds[tag], tag) for tag in changed if tag in kinds}
        names = {(kind, self._tags.names[tag]) for kind, tag in told}
        names |= {name_of_extra(what, tag) for what, tag in file.extras_changed}
        file.numbers.changed, file.addresses.changed, file.noted = set(), set(), set()
        file.extras_changed, file.restarted = set(), False
        return names

    def _wall_order(self) -> tuple[object, ...]:
        files = sorted(self.files.values(), key=lambda file: (file.extent.begin, file.name))
        return (*(file.name for file in files), *relations([file.extent for file in files]))

    def problems(self) -> list[Problem]:
        """What could not be read in the run's files, and values that do not fit the kind of their tag."""
        found = [problem for file in self.files.values() for problem in file.problems()]
        found += [problem for file in self.projector.values() for problem in file.problems()]
        return found + list(self.catalog.misfits())

    def scalars(self, tag: str, *, superseded: bool) -> Scalars:
        """The series of a tag whose kind is scalars; with `superseded` all points, in the order written."""
        number = self._tags.find(tag)
        parts = []
        for file in self.files.values():
            held = file.held(file.numbers, number)
            if held is not None:
                parts.append(held)
        return self._merge((number, SCALARS, superseded), parts, _scalars)

    def items(self, tag: str, kind: str, *, superseded: bool, report: Report) -> Items:
        """The values of a tag of another kind, likewise."""
        number = self._tags.find(tag)
        fitting = np.array([fits(kind, form) for form in FORMS])
        parts = []
        for file in self.files.values():
            held = file.held(file.addresses, number)
            if held is not None:
                points = held.points
                keep = fitting[points.value["form"]]
                points = points if keep.all() else points.taken(keep)
                if len(points.step):
                    parts.append(Held(file, points, _stretches(points)))
        name = self._tags.bytes_of(number)
        return self._merge(
            (number, kind, superseded),
            parts,
            lambda points, revision, left_out, kept_points: Items(
                name,
                points if parts else NO_ADDRESSES,
                [(_source(part.file), len(left.step)) for part, left in zip(parts, kept_points, strict=True)],
                revision,
                left_out,
                report,
            ),
        )

    def beside(self, what: str, tag: str) -> tuple[Source, int] | None:
        """Where the last graph or run metadata of a name is, in written order: file and offset; None: nowhere."""
        for file in reversed(self.files.values()):
            offset = file.extras.get((what, tag))
            if offset is not None:
                return _source(file), offset
        return None

    def _merge(self, key: tuple[int, str, bool], parts: list[Held], make: _Make[_Made]) -> _Made:
        """Put together what the files hold of a tag; the same object as before while nothing has changed.

        `make` takes the points, their revision, how many were left out, and the points that are left of each part.
        """
        limits = _limits(parts, superseded=key[2])
        origin = tuple([part.file.generation for part in parts]), limits
        counts = tuple([len(part.points.step) for part in parts])
        before = self._merged.get(key)
        if before and before.origin == origin and before.counts == counts:
            return cast("_Made", before.made)
        grown = before is not None and before.origin == origin and before.counts[:-1] == counts[:-1]
        kept_points = [part.points for part in parts]
        for index, of_part in enumerate(limits or ()):
            keep = kept(kept_points[index].step, parts[index].stretches, of_part)
            if keep is not None:
                kept_points[index] = kept_points[index].taken(keep)
        points = joined(kept_points).frozen()
        revision = before.made.revision if before and grown else next(_revisions)
        made = make(points, revision, sum(counts) - len(points.step), kept_points)
        self._merged[key] = _Merged(origin, counts, made)
        return made


def _scalars(points: Points, revision: int, superseded: int, _: list[Points]) -> Scalars:
    return Scalars(points.step, points.wall_time, points.value, revision, superseded)


def _limits(parts: list[Held], *, superseded: bool) -> list[list[int | None]] | None:
    """For each stretch of each part, the step from which on its points are left out. Brings the parts in order.

    None: all are kept.
    """
    if superseded or (len(parts) == 1 and len(parts[0].stretches) == 1):
        return None
    parts.sort(key=lambda part: (part.file.extent.begin, part.file.name))
    return step_limits([Part(part.file.extent, part.stretches) for part in parts])


def _source(file: EventFile) -> Source:
    return Source(file.path, file.name, file.generation)


def _stretches(points: Points) -> list[Stretch]:
    """The stretches of values, of which some may have been left out."""
    begins = np.flatnonzero(np.diff(points.value["stretch"].astype(np.int64), prepend=-1)).tolist()
    return [Stretch(begin, int(points.step[begin])) for begin in begins]
