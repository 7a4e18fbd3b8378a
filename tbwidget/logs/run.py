"""One run: the event files of a directory taken together."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import NamedTuple

from tbwidget.logs.catalog import Catalog
from tbwidget.logs.columns import Column, joined
from tbwidget.logs.eventfile import EventFile
from tbwidget.logs.kinds import SCALARS
from tbwidget.logs.problems import Problem
from tbwidget.logs.projector import ProjectorFile
from tbwidget.logs.series import Scalars
from tbwidget.logs.superseding import Part, kept, relations, step_limits
from tbwidget.records.values import TagTable

_revisions = count(1)  # of all runs, so that a run reborn never looks like one that has grown


class _Merged(NamedTuple):
    """A series as it was handed out last."""

    parts: tuple[tuple[int, tuple[int | None, ...]], ...]
    """Generation of each file, and the limits of its stretches."""
    counts: tuple[int, ...]
    scalars: Scalars


class Run:
    """The event files of one directory. Its owner sees to it that one thread uses it at a time."""

    def __init__(self, name: str, tags: TagTable) -> None:
        self.name = name
        self._tags = tags
        self._merged: dict[tuple[int, bool], _Merged] = {}
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

    def update(self, file: EventFile) -> set[str]:
        """Take over what was just read of a file; returns the scalar tags whose points are others than before."""
        certain: set[int] = set()  # changed, whatever kind they are of now
        if file.restarted:
            before = set(self.catalog.tags_of(SCALARS))
            self._catalogue_again()
            certain = before & file.changed | before ^ set(self.catalog.tags_of(SCALARS))
        elif file.noted:
            certain = self.catalog.note(file, file.noted)
        elif file.extras:
            self.catalog.forget_listing()
        order = self._wall_order() if len(self.files) > 1 else self._order
        # When a file turns out to begin or end elsewhere, it may supersede others, in all of its tags.
        changed = file.changed if order == self._order else set(self.catalog.tags_of(SCALARS))
        self._order = order
        names = {
            self._tags.names[tag]
            for tag in changed | file.changed | certain
            if tag in certain or self.catalog.kind(self._tags.names[tag]) == SCALARS
        }
        file.changed, file.noted, file.restarted = set(), set(), False
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
        columns = [(file, file.columns[number]) for file in self.files.values() if number in file.columns]
        if superseded:
            limits: list[list[int | None]] = [[None] * len(column.stretches) for _, column in columns]
        else:
            columns.sort(key=lambda pair: (pair[0].extent.begin, pair[0].name))
            limits = step_limits([Part(file.extent, column.stretches) for file, column in columns])
        return self._merge((number, superseded), columns, limits)

    def _merge(
        self, key: tuple[int, bool], columns: list[tuple[EventFile, Column]], limits: list[list[int | None]]
    ) -> Scalars:
        parts = tuple((file.generation, tuple(of_part)) for (file, _), of_part in zip(columns, limits, strict=True))
        counts = tuple(len(column) for _, column in columns)
        before = self._merged.get(key)
        if before and before.parts == parts and before.counts == counts:
            return before.scalars
        grown = before is not None and before.parts == parts and before.counts[:-1] == counts[:-1]
        kept_points = []
        for (_, column), of_part in zip(columns, limits, strict=True):
            points = column.points()
            keep = kept(points.step, column.stretches, of_part)
            kept_points.append(points if keep is None else points.taken(keep))
        left_out = sum(counts) - sum(len(points.step) for points in kept_points)
        revision = before.scalars.revision if before and grown else next(_revisions)
        scalars = Scalars(*joined(kept_points).frozen(), revision, left_out)
        self._merged[key] = _Merged(parts, counts, scalars)
        return scalars
