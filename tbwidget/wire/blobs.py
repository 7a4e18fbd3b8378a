"""Blobs on their way: cut into pieces that fit into messages."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tbwidget.wire.draft import MAX_PIECE_BYTES, wire_reason

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tbwidget.wire.content import Answer, Key
    from tbwidget.wire.draft import MessageBuilder

MIN_PIECE_BYTES = 16_000
"""Bytes of a piece at least: less is not worth an entry, unless it is the rest."""

ANSWER_BYTES = 512_000
"""Bytes of answers in one message."""


@dataclass(slots=True)
class Blob:
    """One blob, and how much of it was sent."""

    of: str
    """Its owner: "item", "document" or "answer"."""
    key: Key | None
    name: int | str
    """The item's id, the document's revision, or the request's id."""
    data: bytes
    sent: int = 0
    begun: bool = False

    @property
    def complete(self) -> bool:
        """All of it was sent."""
        return self.begun and self.sent == len(self.data)

    def send(self, builder: MessageBuilder) -> bool:
        """Add as many pieces to the message as fit; return whether the blob is complete then."""
        while not self.complete:
            left, space = len(self.data) - self.sent, builder.blob_space
            if space < min(left, MIN_PIECE_BYTES):
                return False
            size = min(left, space, MAX_PIECE_BYTES)
            piece = memoryview(self.data)[self.sent : self.sent + size]
            builder.add_piece(self.of, self.key, self.name, piece, self.sent, len(self.data))
            self.sent += size
            self.begun = True
        return True


@dataclass(slots=True)
class OpenAnswer:
    """An answer, and how much of it was sent."""

    request: str
    entry: dict[str, Any]
    blob: Blob
    is_announced: bool = False


class Answers:
    """Answers to requests that are not sent yet, the oldest first."""

    def __init__(self) -> None:
        self.waiting: deque[OpenAnswer] = deque()

    def add(self, request: str, answer: Answer | str) -> None:
        """Add an answer, or the reason why there is none, in place of an older one to the same request."""
        self.cancel([request])
        if isinstance(answer, str):
            entry: dict[str, Any] = {"request": request, "ok": False, **wire_reason(answer), "size": 0}
            blob = Blob("answer", None, request, b"")
        else:
            entry = {"request": request, "ok": True, "value": answer.value, "size": len(answer.data)}
            blob = Blob("answer", None, request, answer.data)
        self.waiting.append(OpenAnswer(request, entry, blob))

    def cancel(self, requests: Iterable[str]) -> None:
        """Drop the answers to these requests."""
        dropped = set(requests)
        self.waiting = deque(one for one in self.waiting if one.request not in dropped)

    def send(self, builder: MessageBuilder, entry_bytes: int) -> None:
        """Add as much as fits into the part of the message that is meant for answers.

        `entry_bytes` is what an answer's entry takes at most.
        """
        builder.blob_limit = builder.size + ANSWER_BYTES
        while self.waiting and builder.size < builder.blob_limit and builder.space > entry_bytes:
            first = self.waiting[0]
            if not first.is_announced:
                builder.add_answer(first.entry)
                first.is_announced = True
            if first.blob.data and not first.blob.send(builder):
                break
            self.waiting.popleft()
        builder.blob_limit = float("inf")
