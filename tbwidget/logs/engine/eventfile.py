"""Contents of one event file: numbers and addresses by tag, and the information about its tags."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from itertools import count
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tbwidget.logs.cachefiles import DamagedCacheError
from tbwidget.logs.columns import ADDRESS, Points, Session
from tbwidget.logs.engine.declarations import TagDeclarations
from tbwidget.logs.engine.partitioning import Chunk, RestoredPoints, TagPartitioner
from tbwidget.logs.engine.superseding import FileTimeSpan
from tbwidget.logs.problems import MAX_LISTED, Problem, ValueProblems
from tbwidget.reasons import Reason, reason_of, system_reason, text_reason
from tbwidget.records import limits
from tbwidget.records.columnar.layouts import LayoutTable
from tbwidget.records.decode import Window
from tbwidget.records.files.refusals import UnavailableError
from tbwidget.records.files.scan import StoppedError
from tbwidget.records.files.storage import NotFetchedError, Range, Status, Storage
from tbwidget.records.recordfile import Checkpoint, RecordFile, Restart
from tbwidget.records.values.attachments import CHECKPOINT
from tbwidget.records.values.batch import Addresses, Batch
from tbwidget.records.values.forms import CODES, NUMBER

_generations = count()
_TORN_AFTER = 60.0  # s without a change, after which a file that ends within a record counts as cut off


class TagPoints(NamedTuple):
    """Points of a tag in one file."""

    file: EventFile
    points: Points
    sessions: Sequence[Session]


class FileState(NamedTuple):
    """The data of a file, apart from its numbers and addresses."""

    checkpoint: Checkpoint
    first_wall_time: float | None
    last_wall_time: float
    session: int
    declarations: TagDeclarations
    attachments: dict[tuple[str, str], int]
    unreadable: list[tuple[int | None, Reason]]
    more_unreadable: int


class EventFile:
    """One event file and the data read so far. Its owner ensures that one thread uses it at a time."""

    def __init__(
        self,
        storage: Storage,
        path: str,
        name: str,
        table: LayoutTable,
        problems_changed: Callable[[], None] = lambda: None,
    ) -> None:
        """`problems_changed` is called when a value that was asked for could not be read."""
        self.storage = storage
        self.path = path
        self.name = name
        """Relative to the log directory."""
        self._partitioners: dict[str, TagPartitioner] = {}  # made when one is needed
        self._restored: dict[str, RestoredPoints] = {}  # for those that are not made yet
        self.changed_tags: set[int] = set()
        """Tags with new information about them since the owner last took them over."""
        self.attachments_changed: set[tuple[str, str]] = set()
        """Graphs and run metadata that are others since the owner last took them over."""
        self.restarted = False
        """It was read from its start again since the owner last took them over."""
        self.listed = 0
        """Count of changes of the tags, their kinds and the problems."""
        self.value_problems = ValueProblems(name, problems_changed)
        """Problems with its values; a new object whenever the file is read from its start."""
        self.unfetched: Range | None = None
        """Bytes that the last call of `read` met and that were not fetched."""
        self._table = table
        self._problems_changed = problems_changed
        self.records = RecordFile(storage, path, table)
        """How far it was read; another object whenever an error makes its data uncertain."""
        self._error: Reason | None = None
        self._cut_off = False
        self._given_up: Problem | None = None
        self._retry = Retry(storage, path)
        self._forget()

    @property
    def numbers(self) -> TagPartitioner:
        """The numbers read so far."""
        return self._partitioner("numbers")

    @property
    def addresses(self) -> TagPartitioner:
        """Where the values are that are read when asked for."""
        return self._partitioner("addresses")

    def _partitioner(self, what: str) -> TagPartitioner:
        found = self._partitioners.get(what)
        if found is None:  # an interruption in between loses no points
            found = self._partitioners[what] = TagPartitioner(self._restored.get(what))
            self._restored.pop(what, None)
        return found

    def _forget(self) -> None:
        self.generation = next(_generations)
        """Another number whenever it is read from its start, and for every other file."""
        self.declarations = TagDeclarations()
        self.attachments: dict[tuple[str, str], int] = {}
        """Graphs and run metadata: the offset of the last record of each (what, tag)."""
        self._first_wall_time: float | None = None
        self._last_wall_time = -math.inf
        self._unreadable: list[Problem] = []
        self._more_unreadable = 0
        self.value_problems.end()
        self.value_problems = ValueProblems(self.name, self._problems_changed)
        self._session = 0

    def state(self) -> FileState | None:
        """The data read so far; None where they are not certain, or still change."""
        checkpoint = self.records.checkpoint()
        if checkpoint is None or self._error or self._given_up or self._retry.has_failed:
            return None
        return FileState(
            checkpoint,
            self._first_wall_time,
            self._last_wall_time,
            self._session,
            self.declarations,
            dict(self.attachments),
            [(problem.offset, text_reason(problem.message)) for problem in self._unreadable],
            self._more_unreadable,
        )

    def install(self, state: FileState, points: dict[str, RestoredPoints]) -> None:
        """Take over the data that another process has read; `points` are the "numbers" and the "addresses"."""
        for what, partitioner in self._partitioners.items():
            partitioner.restore(points.pop(what, None))
        self._restored = points
        self.restore(state)

    def restore(self, state: FileState) -> None:
        """Take over the data that another process has read, but for the points."""
        self.records.restore(state.checkpoint)
        self._first_wall_time, self._last_wall_time = state.first_wall_time, state.last_wall_time
        self._session = state.session
        self.declarations, self.attachments = state.declarations, state.attachments
        self._unreadable = [Problem(self.name, offset, reason) for offset, reason in state.unreadable]
        self._more_unreadable = state.more_unreadable
        self.listed += 1

    def extend(self, state: FileState, numbers: Sequence[Chunk], addresses: Sequence[Chunk]) -> None:
        """Take over what another process has read on from where this one had stopped, and the state as of then."""
        before, attachments = self.declarations, self.attachments
        try:
            for partitioner, chunks in ((self.numbers, numbers), (self.addresses, addresses)):
                partitioner.extend(chunks)
                partitioner.finish()
        except DamagedCacheError:  # points that were restored earlier are damaged
            self.start_again()
        except Exception as error:  # noqa: BLE001 (one file never keeps the others from being read)
            self.fail(error)
        except BaseException:
            self.start_again()
            raise
        else:
            self.restore(state)
            self.changed_tags.update(tag for tag, note in state.declarations.items() if before.get(tag) != note)
            self.attachments_changed |= dict(state.attachments.items() - attachments.items()).keys()

    def drop_restored(self) -> None:
        """Read the whole file from its start, because the restored data are damaged. Other threads wait for that."""
        self.start_again()
        fetched: Range | None = None
        while self.read(fetched=fetched):
            fetched = self.unfetched
            if fetched is not None:
                self._fetch(fetched)
        self.storage.forget(self.path)

    def _fetch(self, range_: Range) -> None:
        """Fetch bytes, again if only a poll of another thread was to be stopped."""
        while True:
            with suppress(StoppedError):
                self.storage.prefetch([range_])
                return

    @property
    def time_span(self) -> FileTimeSpan:
        """The wall times at which it begins and ends."""
        return FileTimeSpan.of(self._first_wall_time, self._last_wall_time)

    def unchanged(self, status: Status, *, force: bool = False) -> bool:
        """Whether its present status shows nothing new, not even a problem; `force` as for `read`."""
        if self._retry.is_due(force=force):
            return False
        if self._given_up is not None:
            return True
        if self._error is not None or (force and self.records.needs_verification):
            return False
        return self.records.unchanged(status) and self._is_cut_off() == self._cut_off

    def _is_cut_off(self) -> bool:
        """Whether it was read, ends within a record, and has not grown for a while."""
        return self.records.finished and self.records.torn and time.time() - self.records.modified > _TORN_AFTER

    def read(self, *, force: bool = False, fetched: Range | None = None) -> bool:
        """Read a window of new bytes; True when there is more. `force` reads all again where it may have changed.

        Where `unfetched` is set afterwards, the caller fetches those bytes and passes them to the next call. An OSError
        is a problem until the next successful read. Any other exception discards everything read from the file until
        the retry.
        """
        listed = self._listed_state()
        more, self._error = False, None
        try:
            if self._retry.is_due(force=force):
                self.start_again()
            if self._given_up is not None:
                return False
            more = self._read_records(force=force, fetched=fetched)
            if not more:
                self.numbers.finish()
                self.addresses.finish()
                self._retry.succeeded()
        except DamagedCacheError:
            self.start_again()
            more = True
        except Exception as error:  # noqa: BLE001 (one file never keeps the others from being read)
            more = False
            self.fail(error)
        except BaseException:
            # Interrupted between keeping numbers and knowing that: nothing read so far is certain.
            self._table.forget()
            self.start_again()
            raise
        self._cut_off = not more and self._is_cut_off()
        if self._listed_state() != listed:
            self.listed += 1
        return more

    def _read_records(self, *, force: bool, fetched: Range | None) -> bool:
        more, self.unfetched = False, None
        try:
            with closing(self.records.read(force=force)) as windows:
                for window in windows:
                    self._add(window)
            more = not self.records.finished
        except NotFetchedError as error:
            if error.range == fetched:  # fetching it did not help
                self._error = system_reason(error)
            else:
                more, self.unfetched = True, error.range
        except (FileNotFoundError, UnavailableError):
            pass  # gone since the directory was listed: the next listing tells; or a problem of all files there
        except OSError as error:
            self._error = system_reason(error)
        return more

    def fail(self, error: Exception) -> None:
        """Give the file up after an error that makes its data uncertain, until it is tried again."""
        offset = self.records.offset
        self._table.forget()
        self.start_again()
        self._given_up = Problem(self.name, offset or None, reason_of(error))
        self._retry.failed(error)

    def start_again(self) -> None:
        """Discard all data, and read the file from its start."""
        self.records = RecordFile(self.storage, self.path, self._table)
        self._given_up = None
        self._restart()

    def held(self, partitioner: TagPartitioner, tag: int) -> TagPoints | None:
        """The points of a tag among its numbers, or its addresses; None: none.

        Where memory is short, the points of other tags stay. After an interruption, or where points are lost, the next
        poll reads the file again.
        """
        column = None
        try:
            column = partitioner.column(tag)
            return None if column is None else TagPoints(self, column.points(), column.sessions)
        except DamagedCacheError:
            self.drop_restored()
            return self.held(partitioner, tag)
        except Exception as error:
            if column is None:
                self.fail(error)
            raise
        except BaseException:
            self.start_again()
            raise

    def _listed_state(self) -> tuple[object, ...]:
        """State that changes whenever other problems are listed, except problems that are counted as they come."""
        records = self.records
        of_records = records.tail, len(records.damage), records.more_damage
        return self._error, self._given_up, self._cut_off, len(self._unreadable), self._more_unreadable, *of_records

    def problems(self) -> list[Problem]:
        """Problems with this file."""
        found = [*self._unreadable, *self.value_problems]
        if self._more_unreadable:
            found.append(Problem(self.name, None, Reason("more-unreadable", records=self._more_unreadable)))
        records = self.records
        found += [Problem(self.name, *damage) for damage in records.damage]
        if records.more_damage:
            found.append(Problem(self.name, None, Reason("more-damage", places=records.more_damage)))
        if records.tail:
            found.append(Problem(self.name, *records.tail))
        elif self._cut_off:
            found.append(Problem(self.name, records.offset, Reason("cut-off", bytes=records.size - records.offset)))
        if self._given_up:
            found.append(self._given_up)
        if self._error:
            found.append(Problem(self.name, None, self._error))
        return found

    def _restart(self) -> None:
        """Discard all data: the file is another one."""
        self.numbers.clear()
        self.addresses.clear()
        self.attachments_changed |= self.attachments.keys()
        self.changed_tags.clear()
        self.restarted = True
        self.listed += 1
        self._retry.begin()
        self._forget()

    def _add(self, window: Window | Restart) -> None:
        if isinstance(window, Restart):
            self._restart()
            return
        batch, offsets, error = window
        if error is not None:
            self._retry.failed(error, gave_up=False)
            batch.unreadable = [(0, Reason("undecodable-record", reason=reason_of(error)))]
        self._keep(batch, offsets)

    def _keep(self, batch: Batch, offsets: npt.NDArray[np.int64]) -> None:
        """Store the contents of the records at these offsets."""
        self._note(batch, offsets)
        session: int | npt.NDArray[np.int64] = self._session
        if len(batch.restart):
            session = self._session + np.searchsorted(batch.restart, np.arange(len(batch.value)), side="right")
        self.numbers.add(batch.tag, session, Points(batch.step, batch.wall_time, batch.value))
        if batch.addresses is not None:
            self._keep_addresses(batch.addresses, batch, offsets)
        self._session += len(batch.restart)

    def _keep_addresses(self, found: Addresses, batch: Batch, offsets: npt.NDArray[np.int64]) -> None:
        value = np.empty(len(found.record), ADDRESS)
        value["offset"] = offsets[found.record]
        value["session"] = self._session
        if len(batch.restart):
            value["session"] += np.searchsorted(batch.restart_record, found.record, side="right").astype(np.uint32)
        value["place"], value["samples"], value["form"] = found.place, found.samples, found.form
        points = Points(found.step, found.wall_time, value)
        tags = found.tag
        numbers = np.flatnonzero(found.form == CODES[NUMBER])
        if len(numbers):
            needless = [
                self._is_known_scalar(tag, offset)
                for tag, offset in zip(tags[numbers].tolist(), value["offset"][numbers].tolist(), strict=True)
            ]
            keep = np.ones(len(tags), np.bool_)
            keep[numbers[needless]] = False
            points, tags = points.select(keep), tags[keep]
        session = points.value["session"].astype(np.int64) if len(batch.restart) else self._session
        self.addresses.add(tags, session, points)

    def _is_known_scalar(self, tag: int, offset: int) -> bool:
        """Whether a record before this one declares a tag's numbers to be scalars, which the columns hold."""
        since = self.declarations.scalars_from(tag)
        return since is not None and since < offset

    def _note(self, batch: Batch, offsets: npt.NDArray[np.int64]) -> None:
        if self._first_wall_time is None:
            self._first_wall_time = batch.first_wall_time
        if batch.last_wall_time is not None:
            self._last_wall_time = float(np.fmax(self._last_wall_time, batch.last_wall_time))
        if batch.occurrences:
            self.declarations = self.declarations.own()
        for record, number, info in batch.occurrences:
            if self.declarations.add(number, info, int(offsets[record])):
                self.changed_tags.add(number)
                self.listed += 1
        for record, what, tag in batch.attachments:
            if what == CHECKPOINT and len(self.attachments) >= limits.MAX_LOGGED_CHECKPOINTS:
                continue
            self.listed += (what, tag) not in self.attachments
            self.attachments[what, tag] = int(offsets[record])
            self.attachments_changed.add((what, tag))
        room = MAX_LISTED - len(self._unreadable)
        self._more_unreadable += max(0, len(batch.unreadable) - room)
        self._unreadable += [
            Problem(self.name, int(offsets[record]), reason) for record, reason in batch.unreadable[:room]
        ]


_FIRST_DELAY = 1.0  # s
_MAX_DELAY = 300.0  # s


class Retry:
    """Whether and when a file is worth reading from its start again.

    An error of the file system is tried at every poll. Anything else would happen again, so the file is left alone
    until it changes or, where memory was short, for a while. Each failure in a row doubles the delay, so that a file
    that grows all the time is not read from its start all the time; for a single record that was passed over it is not
    unless that is forced.
    """

    def __init__(self, storage: Storage, path: str) -> None:
        self._storage, self._path = storage, path
        self._delay = _FIRST_DELAY
        self._due: float | None = None  # monotonic; None: nothing failed
        self._short_of_memory = self._gave_up = False
        self._status: Status | None = None

    def failed(self, error: Exception, *, gave_up: bool = True) -> None:
        """Reading the file raised this; without `gave_up`, only a record was passed over."""
        if self._due is None:
            self._due = time.monotonic() + self._delay
            self._delay = min(2 * self._delay, _MAX_DELAY)
        self._short_of_memory |= isinstance(error, MemoryError)
        self._gave_up |= gave_up or self._short_of_memory
        self._status = self._status_now()

    def is_due(self, *, force: bool) -> bool:
        """Whether it is time to read the file from its start; `force` skips the delay."""
        if self._due is None or not (force or (self._gave_up and time.monotonic() >= self._due)):
            return False
        return self._short_of_memory or self._status_now() != self._status

    @property
    def has_failed(self) -> bool:
        """Whether the file is to be read from its start again."""
        return self._due is not None

    def begin(self) -> None:
        """The file is read from its start."""
        self._due, self._short_of_memory, self._gave_up = None, False, False

    def succeeded(self) -> None:
        """The file was read to its end."""
        if self._due is None:
            self._delay = _FIRST_DELAY

    def _status_now(self) -> Status | None:
        try:
            return self._storage.status(self._path)
        except OSError:
            return None
