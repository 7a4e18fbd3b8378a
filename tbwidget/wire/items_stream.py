"""Send the items of one kind: the index in parts, its newest blobs, then some older ones."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from tbwidget.reasons import Reason, reason_of
from tbwidget.wire.columns import add_times, start_of
from tbwidget.wire.keys import KeyState, Stream
from tbwidget.wire.message import MAX_CONTENT_BYTES, MIN_PIECE_BYTES, Blob, wire_reason
from tbwidget.wire.plan import BLOBS, Priority

if TYPE_CHECKING:
    from collections.abc import Hashable

    from tbwidget.wire.content import Index, ItemsContent, Key
    from tbwidget.wire.keys import ChannelState
    from tbwidget.wire.message import MessageBuilder

MAX_ROWS = 4096
"""Rows of an index in one part at most."""

BLOBS_AT_ONCE = 64
"""Blobs that are read for one message at most: something else may be waiting for the next one."""

MAX_SAMPLES = 16
"""Rows of one step whose blobs are sent together at most."""

EARLY_BYTES = 1_000_000
"""Bytes of blobs off the screen that may be sent before the initial scan has ended."""

_SPACE = 20_000  # bytes that must be left of a message to add to it
_ENTRY = 2_000  # bytes of an entry beside its rows
_USUAL_ROW = 64.0  # bytes, before any was sent
_FEW_ROWS = 16  # too few to estimate the size of others
_MAX_ROW_BYTES = MAX_CONTENT_BYTES / 3
_NEWEST_BLOBS = (Priority.UPDATE_BLOB, Priority.VISIBLE_BLOB, Priority.NEWEST_BLOB)
_PREFETCHED = (Priority.NEWEST_BLOB, Priority.OLDER_BLOB)


@dataclass(slots=True)
class IndexState(KeyState):
    """State of one index."""

    read_revision: int | None = None
    """Revision of the index, as last read."""
    identities: list[Hashable] = field(default_factory=list)
    """Identities of all rows, as last read."""
    ids: list[int] = field(default_factory=list)
    """As many: each names a row's blob."""
    held: int = 0
    """Rows that browsers hold which saw every message."""
    counts: tuple[int, int] | None = None
    """Rows in all and rows superseded, as last sent; None: browsers may hold nothing."""
    making: set[int] = field(default_factory=set)
    """Ids of the blobs that a worker makes."""
    made: dict[int, bytes | Reason] = field(default_factory=dict)
    """By id: blobs that it has made, or the reason why there is none."""
    sent_blobs: set[int] = field(default_factory=set)
    """Ids of the blobs that were sent since browsers may have held nothing."""
    value_ids: list[int] = field(default_factory=list)
    """Ids of the new rows whose blobs are being sent: all of one value, even if others follow it."""
    index: Index | None = None
    """As last read, while older blobs are sent."""
    spread: int = 1
    """Number of the next older step to prefetch blobs of; see `spread_row`."""

    def has_blob(self, item: int) -> bool:
        """Whether a blob was sent, or comes by itself."""
        return item in self.sent_blobs or item in self.making or item in self.made


class ItemsStream(Stream[IndexState]):
    """The items of one kind."""

    def __init__(self, content: ItemsContent, state: ChannelState) -> None:
        super().__init__(state, IndexState, None if state.workers is None else state.workers.items)
        self.content = content
        self._next_ids: dict[Key, int] = {}  # ids are never reused, also where a key vanishes and comes again
        self._row_bytes = _USUAL_ROW

    def restart(self) -> None:
        """Send the newest blobs again."""
        super().restart()
        for key, track in self._keys.items():
            track.sent_blobs.clear()
            track.open, track.spread = None, 1
            in_view = key.group in self._state.in_view
            self._state.backlog.add(Priority.VISIBLE_BLOB if in_view else Priority.NEWEST_BLOB, key)

    def wanted(self, key: Key, seq: int, *, lacking: bool) -> tuple[Priority, ...]:
        """Return how to send items of a viewport: the index if the page lacks it, the newest blob if it is unsent."""
        track, priorities = self._keys[key], []
        if lacking and track.sent_seq <= seq:
            track.counts = None
            priorities.append(Priority.VISIBLE)
        if not track.ids or not track.has_blob(track.ids[-1]):
            priorities.append(Priority.VISIBLE_BLOB)
        if track.making and self._worker is not None:
            self._worker.want(key)
        return tuple(priorities)

    def fits(self, builder: MessageBuilder) -> bool:
        """Whether some rows fit, or a piece of a blob."""
        return builder.space > _SPACE and len(builder.entries["pieces"]) < BLOBS_AT_ONCE

    def may_prefetch(self) -> bool:
        """Whether blobs may be prefetched: during the initial scan, the newest one changes all the time."""
        return self._state.was_ready or self._prefetched_bytes < EARLY_BYTES

    def send(self, priority: Priority, builder: MessageBuilder, key: Key, now: float) -> bool:  # noqa: ARG002
        """Add the due part of an index to the message; return whether some of it did not fit."""
        if (track := self._keys.get(key)) is None:
            return False
        if priority == Priority.OLDER_BLOB and track.index is not None:
            return self._send_blobs(priority, builder, key, track, track.index)
        index = self._state.read(self.content.read, key)
        track.index = None
        queue = self._state.backlog
        soon = key in queue[Priority.KEYFRAME] or key in queue[Priority.NEW]
        if priority == Priority.UPDATE and track.keyframe < self._state.keyframe and soon:
            return False  # it is sent from the first row on then
        track = self._assign_ids(key, track, index)
        if self._send_index(builder, key, track, index):
            return True
        if priority in BLOBS:
            return self._send_blobs(priority, builder, key, track, index)
        if track.ids and not track.has_blob(track.ids[-1]):
            is_update = priority == Priority.UPDATE and self._state.was_ready
            queue.add(Priority.UPDATE_BLOB if is_update else Priority.NEWEST_BLOB, key)
        return False

    # The index.

    def _assign_ids(self, key: Key, track: IndexState, index: Index) -> IndexState:
        """Give ids to new rows, and count the valid ones of the rows that clients hold; return the state."""
        identities = list(index.identity)
        if track.read_revision != index.revision:
            self.reset(key)
            track = self._keys[key]
            track.read_revision = index.revision
        before = track.identities
        same = min(len(before), len(identities))
        if identities[:same] != before[:same]:
            same = next(i for i in range(same) if identities[i] != before[i])
        if same == len(identities) == len(before):
            return track
        self._withdraw(key, track)  # the newest blob comes first
        known = dict(zip(before[same:], track.ids[same:], strict=True))
        ids, next_id = track.ids[:same], self._next_ids.get(key, 0)
        for identity in identities[same:]:
            if (number := known.get(identity)) is None:
                number, next_id = next_id, next_id + 1
            ids.append(number)
        self._next_ids[key] = next_id
        track.identities, track.ids, track.held = identities, ids, min(track.held, same)
        return track

    def _send_index(self, builder: MessageBuilder, key: Key, track: IndexState, index: Index) -> bool:
        """Send as many of the rows that browsers lack as fit; return whether there are more."""
        total, counts = len(index), (len(index), index.superseded)
        if track.counts is None or track.keyframe < self._state.keyframe:
            track.held, track.keyframe = 0, self._state.keyframe
        elif track.held == total and track.counts == counts:
            return False
        while True:
            rows = min(total - track.held, MAX_ROWS, int((builder.space - _ENTRY) / self._row_bytes))
            if rows <= 0 < total - track.held:
                return True
            if self._add_rows(builder, key, track, index, rows):
                track.counts = counts
                track.held += rows
                if track.held == total:
                    break
            elif rows == 1:
                return True
        track.sent_seq = self._state.seq + 1
        self._state.backlog.discard(Priority.UPDATE, key)
        self._state.note_rows(key, index)
        return False

    def _add_rows(self, builder: MessageBuilder, key: Key, track: IndexState, index: Index, count: int) -> bool:
        """Add the next rows to the message; return whether they fit."""
        savepoint, before, space = builder.savepoint(), builder.size, builder.space
        rows, columns = slice(track.held, track.held + count), builder.columns
        entry: dict[str, Any] = {
            "revision": index.revision,
            "keep": track.held,
            "total": len(index),
            "superseded": index.superseded,
            "start": start_of(index),
            "id": columns.add_steps(np.array(track.ids[rows], np.int64)),
            "step": columns.add_steps(index.step[rows]),
            "wall": add_times(index, index.wall_time[rows], columns, key.run),
            **self.content.entry(index, rows, columns),
        }
        builder.add("items", key, entry)
        size = builder.size - before
        if size <= space:
            if count > _FEW_ROWS:
                self._row_bytes = max(_USUAL_ROW, size / count)
            return True
        builder.rollback(savepoint)
        if count == 1 and size > _MAX_ROW_BYTES:
            raise ValueError(Reason("index-row-too-large", bytes=size))
        self._row_bytes = min(_MAX_ROW_BYTES, max(2 * self._row_bytes, size / count))
        return False

    # The blobs.

    def _send_blobs(
        self, priority: Priority, builder: MessageBuilder, key: Key, track: IndexState, index: Index
    ) -> bool:
        """Send blobs; return whether some did not fit."""
        turn: int | None = None
        first = True
        while True:
            if track.open is None:
                row = None if track.made else self._next_row(priority, track, index)
                turn = track.spread if turn is None else turn
                # One older step at a time, then other keys have their turn.
                if (row is None or track.spread != turn) and not track.made:
                    break
                is_full = len(builder.entries["pieces"]) >= BLOBS_AT_ONCE or builder.blob_space < MIN_PIECE_BYTES
                if is_full or (not first and time.monotonic() > self._state.blobs_until):
                    return True
                first = False
                item = next(iter(track.made)) if row is None else track.ids[row]
                data = track.made.pop(item) if row is None else self._content_of(priority, key, track, index, row)
                if isinstance(data, Reason):
                    builder.add("pieces", key, {"of": "item", "id": item, "from": 0, "size": 0, **wire_reason(data)})
                elif data is not None and (fitting := self._fitting(priority, builder, data)) is not None:
                    track.open = Blob("item", key, item, fitting)
                    continue
                if data is not None:
                    track.sent_blobs.add(item)
                continue
            if not self._send_open(builder, track.open, is_prefetch=priority in _PREFETCHED):
                return True
            track.sent_blobs.add(int(track.open.name))
            track.open = None
        self._requeue(priority, key, track, index)
        return False

    def _requeue(self, priority: Priority, key: Key, track: IndexState, index: Index) -> None:
        """Queue the rest for later: everything due now was sent, or is being made."""
        queue = self._state.backlog
        if priority == Priority.UPDATE_BLOB:
            track.value_ids = [item for item in track.value_ids if item in track.making]
            if not track.value_ids and not all(track.has_blob(track.ids[row]) for row in newest_value(index)):
                queue.add(priority, key)  # written meanwhile: behind what others have written
        if _unsent(track, index, len(index) - 1) is None:
            for other in _NEWEST_BLOBS:
                queue.discard(other, key)
        if self._prefetched_bytes < self.content.prefetch_bytes and track.spread >> len(index).bit_length() < 1:
            track.index = index
            queue.add(Priority.OLDER_BLOB, key)
        else:
            track.index = None

    def _next_row(self, priority: Priority, track: IndexState, index: Index) -> int | None:
        """The next row whose blob is to be sent: of the newest step, or of one older step at a time."""
        if priority == Priority.UPDATE_BLOB:
            track.value_ids = track.value_ids or [track.ids[row] for row in newest_value(index)]
            lacking = [item for item in track.value_ids if not track.has_blob(item)]
            return next((row for item in lacking if (row := _row_of(track, item)) is not None), None)
        if priority in _PREFETCHED and self._prefetched_bytes >= self.content.prefetch_bytes:
            return None
        if not len(index):
            return None
        if priority != Priority.OLDER_BLOB:
            return _unsent(track, index, len(index) - 1)
        while track.spread >> len(index).bit_length() < 1:
            row = _unsent(track, index, spread_row(track.spread, len(index)))
            if row is not None:
                return row
            track.spread += 1
        return None

    def _content_of(
        self, priority: Priority, key: Key, track: IndexState, index: Index, row: int
    ) -> bytes | Reason | None:
        """Return the blob of a row, or the reason why there is none; None while a worker makes it."""
        try:
            found = self.content.blob(index, row)
            if callable(found) and self._worker is not None:
                self._worker.submit(key, track.ids[row], priority, found, self._take_made)
                track.making.add(track.ids[row])
                return None
            return found() if callable(found) else found
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 (one item that cannot be read takes no other with it)
            return reason_of(error)

    def _fitting(self, priority: Priority, builder: MessageBuilder, data: bytes) -> bytes | None:
        """Return a blob as it is sent, smaller where a saved page needs that; None: too large to be prefetched."""
        if priority not in _PREFETCHED:
            return data
        budget, largest = self._state.budget, self._state.budget.largest_blob
        if not budget.fits_blob(builder, len(data)):
            reduced = self.content.reduced(data)
            if reduced is not None:
                data, largest = reduced, budget.largest_reduced_blob
        return data if len(data) <= largest else None

    def _take_made(self, key: Key, item: int, priority: Priority, content: bytes | BaseException) -> None:
        """Send a blob that was made, unless it is not wanted any more."""
        track = self._keys.get(key)
        if track is not None and item in track.making:
            track.making.discard(item)
            track.made[item] = content if isinstance(content, bytes) else reason_of(content)
            self._state.backlog.add(priority, key)

    def _withdraw(self, key: Key, track: IndexState) -> None:
        """Have no blobs made that were not begun."""
        if track.making and self._worker is not None and (withdrawn := self._worker.withdraw(key)):
            track.making -= withdrawn
            track.spread = 1
            if track.open is None and not any(map(track.has_blob, track.value_ids)):
                track.value_ids.clear()


def _unsent(track: IndexState, index: Index, row: int) -> int | None:
    """The first row of the same step as this one whose blob was not sent."""
    step, first = index.step, row
    while first > 0 and step[first - 1] == step[row] and row - first < MAX_SAMPLES:
        first -= 1
    for other in range(max(first, 0), min(first + MAX_SAMPLES, len(step))):
        if step[other] == step[row] and not track.has_blob(track.ids[other]):
            return other
    return None


def _row_of(track: IndexState, item: int) -> int | None:
    """The row of an id, which is among the last ones; None where it is gone."""
    return next((row for row in range(len(track.ids) - 1, -1, -1) if track.ids[row] == item), None)


def newest_value(index: Index) -> range:
    """Return the rows of the value written last at the newest step: the last `MAX_SAMPLES` of them at most."""
    step, wall, last = index.step, index.wall_time, len(index) - 1
    first = last
    while last - first < MAX_SAMPLES - 1 and first > 0 and step[first - 1] == step[last]:
        if wall[first - 1] != wall[last]:
            break
        first -= 1
    return range(first, last + 1) if last >= 0 else range(0)


def spread_row(number: int, count: int) -> int:
    """The row that comes as the number-th (from 1 on): the middle, the quarters, the eighths …, at last all."""
    level = number.bit_length()
    return (2 * (number - (1 << (level - 1))) + 1) * count >> level
