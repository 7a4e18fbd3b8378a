"""Send the documents of one kind: first that they exist, then their content."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tbwidget.wire.keys import KeyState, Stream
from tbwidget.wire.message import Blob
from tbwidget.wire.plan import UPDATE_RATE, Priority

if TYPE_CHECKING:
    from collections.abc import Hashable

    from tbwidget.wire.content import Document, DocumentContent, Key
    from tbwidget.wire.keys import ChannelState
    from tbwidget.wire.message import MessageBuilder

SMALL_DOCUMENT = 64_000
"""Bytes of a document that a keyframe carries although browsers may hold it; larger ones are only named then."""

MIN_INTERVAL = 0.5
"""Seconds between two revisions of a document that are sent, at least."""

READ_IDLE_RATIO = 3
"""How many times as long as reading a document took, it is not read again."""

_SPACE = 4_000  # bytes that must be left of a message to add to it
_ENTRY = 2_000  # bytes of the entries of a document and a piece
_BLOBS = (Priority.UPDATE_BLOB, Priority.VISIBLE_BLOB, Priority.NEWEST_BLOB)


@dataclass(slots=True)
class DocumentState(KeyState):
    """State of one document."""

    value: Hashable = None
    """Its own revision, as last read."""
    revision: int = 0
    """The number of that on the wire; 0: none yet."""
    size: int | None = 0
    """Bytes of it; None until a worker has made it."""
    is_lacking: bool = True
    """Its content was not sent since browsers may have lacked it."""
    made: bytes | BaseException | None = None
    """The content that a worker has made of this revision, or what that raised, until it is sent."""
    deferred_until: float = float("-inf")
    """When the next revision may be sent."""


class DocumentStream(Stream[DocumentState]):
    """The documents of one kind."""

    def __init__(self, content: DocumentContent, state: ChannelState) -> None:
        is_made_later = content.in_background and state.workers is not None
        super().__init__(state, DocumentState, state.workers.documents if is_made_later and state.workers else None)
        self.content = content
        self._last_revision = 0  # of any key: none is ever used twice

    def restart(self) -> None:
        """Send contents from their first byte on."""
        super().restart()
        for track in self._keys.values():
            track.open = None

    def wanted(self, key: Key, seq: int, *, lacking: bool) -> tuple[Priority, ...]:
        """Return how to send a document of a viewport: its content, if the page lacks it."""
        track = self._keys[key]
        if lacking and track.open is None and track.sent_seq <= seq:
            track.is_lacking = True
        return (Priority.VISIBLE_BLOB,) if track.is_lacking else ()

    def fits(self, builder: MessageBuilder) -> bool:
        """Whether a name fits, or a piece of a content."""
        return builder.space > _SPACE

    def send(self, priority: Priority, builder: MessageBuilder, key: Key, now: float) -> bool:
        """Add the due part of a document to the message; return whether some of it did not fit."""
        if (track := self._keys.get(key)) is None:
            return False
        if priority in _BLOBS and track.open is not None:
            return self._send_content(priority, builder, key, track, track.open)
        if priority == Priority.UPDATE and (now < track.deferred_until or track.open is not None):
            self._state.backlog.defer(key, max(track.deferred_until, now + MIN_INTERVAL))
            return False
        begin = time.monotonic()
        document = self._state.read(self.content.read, key)
        rest = READ_IDLE_RATIO * (time.monotonic() - begin)
        data = self._read_revision(key, track, document)
        if track.keyframe < self._state.keyframe:
            self._name(builder, key, track)
        if priority == Priority.UPDATE:
            track.deferred_until = now + max(MIN_INTERVAL, rest, (track.size or 0) / UPDATE_RATE)
        if not self._is_due(priority, track):
            track.made = None
            return False
        is_small = not self._worker and track.size is not None and track.size <= SMALL_DOCUMENT
        if priority not in _BLOBS and not (is_small and builder.space > (track.size or 0) + _ENTRY):
            # It is too large to be sent with its name.
            later = Priority.VISIBLE_BLOB if key.group in self._state.in_view else Priority.NEWEST_BLOB
            self._state.backlog.add(Priority.UPDATE_BLOB if priority == Priority.UPDATE else later, key)
            return False
        if data is None and (data := self._made(priority, builder, key, track, document)) is None:
            return False
        track.open = Blob("document", key, track.revision, data)
        return self._send_content(priority, builder, key, track, track.open)

    def _read_revision(self, key: Key, track: DocumentState, document: Document) -> bytes | None:
        """Give a new revision to a value that is new; returns the content, if it had to be encoded."""
        if track.revision and track.value == document.revision:
            return None
        self._withdraw(key, track)
        data = None if self._worker else document.encode()
        self._last_revision += 1
        track.value, track.revision = document.revision, self._last_revision
        track.size = None if data is None else len(data)
        track.keyframe, track.is_lacking, track.open, track.made = 0, True, None, None
        return data

    def _is_due(self, priority: Priority, track: DocumentState) -> bool:
        """Whether the content is to be sent, now or as a blob."""
        if priority == Priority.KEYFRAME:
            first = self._state.keyframe == 1 or not self._state.scheduler.is_heard
            track.is_lacking |= first or (track.size is not None and track.size <= SMALL_DOCUMENT)
        left = self.content.prefetch_bytes - self._prefetched_bytes
        may_prefetch = left > 0 and (track.size or 0) <= min(left, self._state.budget.largest_blob)
        return track.is_lacking and (priority != Priority.NEWEST_BLOB or may_prefetch)

    def _made(
        self, priority: Priority, builder: MessageBuilder, key: Key, track: DocumentState, document: Document
    ) -> bytes | None:
        """The content that is to be sent; None while it is being made, until which the channel comes back to it."""
        if self._worker is None:
            return document.encode()
        data, track.made = track.made, None
        if data is None:
            self._worker.submit(key, track.revision, priority, document.encode, self._take_made)
            return None
        if isinstance(data, BaseException):
            raise data
        if track.size is not None:
            return data
        track.size = len(data)
        self._name(builder, key, track)
        return data if self._is_due(priority, track) else None

    def _take_made(self, key: Key, revision: int, priority: Priority, content: bytes | BaseException) -> None:
        """Send a content that was made, unless the revision has changed."""
        track = self._keys.get(key)
        if track is not None and track.revision == revision:
            track.made = content
            self._state.backlog.add(priority, key)

    def _withdraw(self, key: Key, state: DocumentState) -> None:
        if self._worker is not None and state.revision:
            self._worker.withdraw(key)

    def _name(self, builder: MessageBuilder, key: Key, track: DocumentState) -> None:
        builder.add("documents", key, {"revision": track.revision, "size": track.size or 0})
        track.keyframe = self._state.keyframe

    def _send_content(
        self, priority: Priority, builder: MessageBuilder, key: Key, track: DocumentState, blob: Blob
    ) -> bool:
        """Send pieces of the content; whether there are more."""
        if not self._send_open(builder, blob, is_prefetch=priority == Priority.NEWEST_BLOB):
            return True
        track.open, track.is_lacking, track.sent_seq = None, False, self._state.seq + 1
        for other in _BLOBS:
            self._state.backlog.discard(other, key)
        return False
