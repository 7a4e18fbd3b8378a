"""What one event file holds: numbers by tag, and what else it says about its tags."""

from __future__ import annotations

import math
import os
import time
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tbwidget.logs.columns import Column, Points, joined
from tbwidget.logs.problems import Problem
from tbwidget.logs.superseding import Extent
from tbwidget.records.decode import Batch, Met, decode
from tbwidget.records.framing import Frames
from tbwidget.records.layouts import LayoutTable
from tbwidget.records.recordfile import RecordFile

_generations = count()
_TORN_AFTER = 60.0  # s without a change, after which a file that ends within a record counts as cut off
_MOST_UNREADABLE = 1000  # problems kept of one file; more are counted
_FEW = 64  # numbers
_MOST_PENDING = 1 << 20  # numbers kept in the order of the file before they are sorted by tag


@dataclass(slots=True)
class TagNote:
    """What the values of one tag say about it, in the order written."""

    plugin: str = ""
    """Of the first value that names or implies one."""
    display_name: str = ""
    description: str = ""
    forms: dict[str, int] = field(default_factory=dict)
    """Forms of values met, with the offset of the first record of each."""


class EventFile:
    """One event file and all that was read of it so far. Its owner sees to it that one thread uses it at a time."""

    def __init__(self, path: str, name: str, table: LayoutTable) -> None:
        self.path = path
        self.name = name
        """Relative to the log directory."""
        self.changed: set[int] = set()
        """Tags with other points since the owner last looked."""
        self.noted: set[int] = set()
        """Tags that said something new about themselves since the owner last looked."""
        self.restarted = False
        """It was read from its start again since the owner last looked."""
        self.listed = 0
        """Counts changes in which tags there are, of which kind, and in the problems."""
        self._table = table
        self._records = RecordFile(path)
        self._error: str | None = None
        self._cut_off = False
        self._forget()

    def _forget(self) -> None:
        self.generation = next(_generations)
        """Another number whenever it is read from its start, and for every other file."""
        self._columns: dict[int, Column] = {}
        self._pending: list[_Pending] = []
        self._pending_count = 0
        self._met = Met()
        self.notes: dict[int, TagNote] = {}
        self.extras: dict[tuple[str, str], None] = {}  # a set that keeps its order
        self._first_wall_time: float | None = None
        self._last_wall_time = -math.inf
        self._unreadable: list[Problem] = []
        self._more_unreadable = 0
        self._stretch = 0

    @property
    def extent(self) -> Extent:
        """The wall times at which it begins and ends."""
        return Extent.of(self._first_wall_time, self._last_wall_time)

    @property
    def size(self) -> int:
        """Bytes in the file at the last reading."""
        return self._records.size

    @property
    def offset(self) -> int:
        """Bytes read."""
        return self._records.offset

    @property
    def modified(self) -> float:
        """When the file was modified last, as of the last reading; seconds since the epoch."""
        return self._records.modified

    def unchanged(self, status: os.stat_result) -> bool:
        """Whether there is nothing to read or to say, judged by a fresh `stat` alone."""
        return self._error is None and self._records.unchanged(status) and self._is_cut_off() == self._cut_off

    def _is_cut_off(self) -> bool:
        """It ends within a record, and nobody has written to it for a while."""
        return self._records.torn and time.time() - self._records.modified > _TORN_AFTER

    def read(self) -> bool:
        """Read a window of what is new; True when there is more.

        An error of the file system becomes a problem until a later reading succeeds.
        """
        said = self._said()
        more, self._error = False, None
        try:
            more = self._records.read(self)
        except FileNotFoundError:
            pass  # gone since the directory was listed; the next listing tells
        except OSError as error:
            self._error = error.strerror or str(error)
        except BaseException:
            # Interrupted between keeping numbers and knowing that: nothing read so far is certain.
            self._records = RecordFile(self.path)
            self.restart()
            raise
        if not more:
            self._settle()
        self._cut_off = self._is_cut_off()
        if self._said() != said:
            self.listed += 1
        return more

    def _said(self) -> tuple[object, ...]:
        records = self._records
        return self._error, records.tail, len(records.damage), records.more_damage, len(self._unreadable), self._cut_off

    def problems(self) -> list[Problem]:
        """What could not be read in this file."""
        found = list(self._unreadable)
        if self._more_unreadable:
            found.append(Problem(self.name, None, f"{self._more_unreadable} more records that are no events"))
        found += [Problem(self.name, offset, message) for offset, message in self._records.damage]
        if self._records.more_damage:
            found.append(Problem(self.name, None, f"{self._records.more_damage} more damaged places"))
        if self._records.tail:
            found.append(Problem(self.name, *self._records.tail))
        elif self._cut_off:
            left = self.size - self.offset
            found.append(Problem(self.name, self.offset, f"the file ends within a record, {left} bytes into it"))
        if self._error:
            found.append(Problem(self.name, None, self._error))
        return found

    # Taking records, as RecordFile finds them.

    def restart(self) -> None:
        """Forget all that was read: the file is another one."""
        self._settle()
        self.changed |= self._columns.keys()
        self.noted.clear()
        self.restarted = True
        self.listed += 1
        self._forget()

    def take(self, data: bytes, frames: Frames, base: int) -> int:
        """Take framed records; returns how many, up to the first that is damaged."""
        batch = decode(data, frames, self._table, self._met)
        self._note(batch, frames, base)
        stretch = np.full(len(batch.value), self._stretch)
        if len(batch.restart):
            stretch += np.searchsorted(batch.restart, np.arange(len(stretch)), side="right")
            self._stretch += len(batch.restart)
        self._pending.append(_Pending(batch.tag, stretch, Points(batch.step, batch.wall_time, batch.value)))
        self._pending_count += len(stretch)
        if self._pending_count > _MOST_PENDING:
            self._settle()
        return batch.records

    def _note(self, batch: Batch, frames: Frames, base: int) -> None:
        if self._first_wall_time is None:
            self._first_wall_time = batch.first_wall_time
        if batch.last_wall_time is not None:
            self._last_wall_time = float(np.fmax(self._last_wall_time, batch.last_wall_time))
        for record, info in batch.seen:
            note = self.notes.setdefault(info.tag, TagNote())
            note.display_name = note.display_name or info.display_name
            note.description = note.description or info.description
            if (info.plugin and not note.plugin) or info.form not in note.forms:
                note.plugin = note.plugin or info.plugin
                note.forms.setdefault(info.form, base + int(frames.starts[record]))
                self.noted.add(info.tag)
                self.listed += 1
        for extra in batch.extras:
            if extra not in self.extras:
                self.extras[extra] = None
                self.listed += 1
        room = _MOST_UNREADABLE - len(self._unreadable)
        self._more_unreadable += max(0, len(batch.unreadable) - room)
        self._unreadable += [
            Problem(self.name, base + int(frames.starts[record]), message)
            for record, message in batch.unreadable[:room]
        ]

    @property
    def columns(self) -> dict[int, Column]:
        """The numbers read so far, by tag."""
        self._settle()
        return self._columns

    def _settle(self) -> None:
        """Sort by tag what was read: many windows at once, since there may be very many tags."""
        if not self._pending_count:
            self._pending.clear()
            return
        if self._pending_count <= _FEW:
            self._settle_few()
            return
        tags = np.concatenate([pending.tags for pending in self._pending])
        order = _stable_order(tags)
        tags = tags[order]
        stretch = np.concatenate([pending.stretch for pending in self._pending])[order]
        points = joined([pending.points for pending in self._pending]).taken(order)
        self._pending, self._pending_count = [], 0
        bounds = np.flatnonzero(np.diff(tags, prepend=-1, append=-1))
        several = stretch[bounds[:-1]] != stretch[bounds[1:] - 1]
        if several.any():
            bounds = np.unique(np.concatenate((bounds, 1 + np.flatnonzero(np.diff(stretch)))))
        firsts = zip(bounds[:-1].tolist(), bounds[1:].tolist(), tags[bounds[:-1]].tolist(), strict=True)
        for (first, last, tag), its_stretch in zip(firsts, stretch[bounds[:-1]].tolist(), strict=True):
            column = self._columns.get(tag)
            if column is None:
                column = self._columns[tag] = Column()
            piece = points.taken(slice(first, last))
            # A view would keep the points of all tags in memory for those of a few.
            column.append(piece if 2 * (last - first) > len(tags) else piece.copied(), its_stretch)
            self.changed.add(tag)

    def _settle_few(self) -> None:
        """Sort by tag without numpy, whose calls cost more than so few numbers do."""
        pending, self._pending, self._pending_count = self._pending, [], 0
        for tags, stretch, points in pending:
            places: dict[tuple[int, int], list[int]] = {}
            for place, key in enumerate(zip(tags.tolist(), stretch.tolist(), strict=True)):
                places.setdefault(key, []).append(place)
            for (tag, its_stretch), where in places.items():
                column = self._columns.get(tag)
                if column is None:
                    column = self._columns[tag] = Column()
                column.append(points.taken(np.array(where)), its_stretch)
                self.changed.add(tag)


class _Pending(NamedTuple):
    """Numbers in the order of the file."""

    tags: npt.NDArray[np.int32]
    stretch: npt.NDArray[np.int64]
    points: Points


def _stable_order(tags: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    """The order that sorts the tags and keeps that of equal ones; numpy sorts 16 bits in linear time."""
    order = np.argsort(tags.astype(np.uint16), kind="stable")
    if tags.max() >= 1 << 16:
        order = order[np.argsort((tags[order] >> 16).astype(np.uint16), kind="stable")]
    return order
