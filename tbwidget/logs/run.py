"""One run: the event files of a directory taken together."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import count
from typing import NamedTuple

import numpy as np

from tbwidget.logs.columns import Column, Points
from tbwidget.logs.eventfile import EventFile, TagNote
from tbwidget.logs.kinds import GRAPHS, KINDS, RUN_METADATA, WITH_GRAPH, fits, kind_of_plugin
from tbwidget.logs.natural import natural_key
from tbwidget.logs.problems import Problem
from tbwidget.logs.projector import ProjectorFile
from tbwidget.logs.series import Scalars, TagMetadata
from tbwidget.logs.superseding import Part, kept, step_limits
from tbwidget.records import decode
from tbwidget.records.values import NOTHING, TagTable

RUN_GRAPH_TAG, META_GRAPH_TAG = "__run_graph__", "__meta_graph__"
"""Names of the graphs that events hold without a tag; the first is TensorBoard's own."""

_revisions = count()  # of all runs, so that a run reborn never looks like one that has grown


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
        self.files: dict[str, EventFile] = {}
        """By name, in sorted order: the written order of the run."""
        self.projector: dict[str, ProjectorFile] = {}
        self._tags = tags
        self._merged: dict[int, _Merged] = {}
        self._listing: tuple[object, dict[str, list[str]]] = (None, {})
        self._members: dict[str, frozenset[str]] = {}
        self._misfits: list[Problem] = []

    def set_files(self, files: Mapping[str, EventFile]) -> None:
        """Hold these files and no others."""
        self.files = dict(sorted(files.items()))

    def listing(self) -> dict[str, list[str]]:
        """The tags that have data, by kind, in natural order."""
        state = (
            tuple((file.generation, file.listed, len(file.columns)) for file in self.files.values()),
            tuple((name, tuple(file.tensors)) for name, file in self.projector.items()),
        )
        if state != self._listing[0]:
            self._listing = (state, self._list())
            self._misfits = list(self._find_misfits())
            self._members = {kind: frozenset(names) for kind, names in self._listing[1].items()}
        return self._listing[1]

    def _list(self) -> dict[str, list[str]]:
        found: dict[str, set[str]] = {kind: set() for kind in KINDS}
        for tag, kind, plugin in self._kinds():
            if self._has_data(tag, kind):
                name = self._tags.names[tag]
                found[kind].add(name)
                if plugin == WITH_GRAPH:
                    found[GRAPHS].add(name)
        extras = {extra for file in self.files.values() for extra in file.extras}
        if (decode.RUN_GRAPH, "") in extras:
            found[GRAPHS].add(RUN_GRAPH_TAG)
        elif (decode.META_GRAPH, "") in extras:
            # Beside a run graph it holds the same graph once more.
            found[GRAPHS].add(META_GRAPH_TAG)
        found[RUN_METADATA] |= {tag for what, tag in extras if what == decode.RUN_METADATA}
        found["embeddings"] |= {tensor for file in self.projector.values() for tensor in file.tensors}
        return {kind: sorted(names, key=natural_key) for kind, names in found.items() if names}

    def _kinds(self) -> Iterator[tuple[int, str, str]]:
        """Each tag with its kind and plugin: those of the first value, in written order, that says one."""
        plugins: dict[int, str] = {}
        for file in self.files.values():
            for tag, note in file.notes.items():
                plugins[tag] = plugins.get(tag) or note.plugin
        for tag, plugin in plugins.items():
            yield tag, kind_of_plugin(plugin), plugin

    def _has_data(self, tag: int, kind: str) -> bool:
        notes = (file.notes.get(tag) for file in self.files.values())
        # A value without content holds data only where the metadata are the data.
        return any(fits(kind, form) for note in notes if note for form in note.forms)

    def kind(self, tag: str) -> str | None:
        """The kind of a tag; None if the run has no such tag."""
        self.listing()
        return next((kind for kind, names in self._members.items() if tag in names), None)

    def metadata(self, tag: str) -> TagMetadata:
        """What the writers said about a tag that the run has."""
        notes = [note for file in self.files.values() for note in self._notes(file, tag)]
        plugin = next((note.plugin for note in notes if note.plugin), "")
        if not notes:  # no summary: a graph, run metadata or an embedding
            plugin = {GRAPHS: "graphs", RUN_METADATA: "graph_tagged_run_metadata"}.get(
                self.kind(tag) or "", "projector"
            )
        return TagMetadata(
            plugin,
            next((note.display_name for note in notes if note.display_name), tag),
            next((note.description for note in notes if note.description), ""),
        )

    def _notes(self, file: EventFile, tag: str) -> list[TagNote]:
        note = file.notes.get(self._tags.number(tag))
        return [note] if note else []

    def problems(self) -> list[Problem]:
        """What could not be read in the run's files, and values that do not fit the kind of their tag."""
        self.listing()
        found = [problem for file in self.files.values() for problem in file.problems()]
        found += [problem for file in self.projector.values() for problem in file.problems()]
        return found + self._misfits

    def _find_misfits(self) -> Iterator[Problem]:
        kinds = {tag: kind for tag, kind, _ in self._kinds()}
        for file in self.files.values():
            for tag, note in file.notes.items():
                for form, offset in note.forms.items():
                    if form != NOTHING and not fits(kinds[tag], form):
                        message = f"tag {self._tags.names[tag]!r}: a {form} does not fit its kind, {kinds[tag]}"
                        yield Problem(file.name, offset, message)

    def scalars(self, tag: str, *, superseded: bool) -> Scalars:
        """The series of a tag whose kind is scalars; with `superseded` all points, in the order written."""
        number = self._tags.number(tag)
        columns = [(file, file.columns[number]) for file in self.files.values() if number in file.columns]
        if superseded:
            return _joined([column.points() for _, column in columns], 0, 0)
        columns.sort(key=lambda pair: (_begin(pair[0]), pair[0].name))
        limits = step_limits(
            [
                Part(
                    _begin(file),
                    math.inf if file.last_wall_time == -math.inf else file.last_wall_time,
                    column.stretches,
                )
                for file, column in columns
            ]
        )
        return self._merge(number, columns, limits)

    def _merge(self, tag: int, columns: list[tuple[EventFile, Column]], limits: list[list[int | None]]) -> Scalars:
        parts = tuple((file.generation, tuple(of_part)) for (file, _), of_part in zip(columns, limits, strict=True))
        counts = tuple(len(column) for _, column in columns)
        before = self._merged.get(tag)
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
        scalars = _joined(kept_points, revision, left_out)
        self._merged[tag] = _Merged(parts, counts, scalars)
        return scalars


def _begin(file: EventFile) -> float:
    begin = file.first_wall_time
    return -math.inf if begin is None or math.isnan(begin) else begin


def _joined(parts: list[Points], revision: int, superseded: int) -> Scalars:
    if len(parts) == 1:
        return Scalars(*parts[0], revision, superseded)
    joined = Points(
        np.concatenate([np.empty(0, np.int64), *(points.step for points in parts)]),
        np.concatenate([np.empty(0), *(points.wall_time for points in parts)]),
        np.concatenate([np.empty(0), *(points.value for points in parts)]),
    )
    for column in joined:
        column.flags.writeable = False
    return Scalars(*joined, revision, superseded)
