"""The room that saved messages have, which nothing exceeds; what did not fit is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tbwidget.wire.draft import CONTENT_BYTES
from tbwidget.wire.queue import Urgency

if TYPE_CHECKING:
    from tbwidget.wire.content import Key
    from tbwidget.wire.draft import Draft

_LARGEST_BLOB = 1 / 4  # of the room
_FEW = 3 / 8  # of the room: so much may travel in full at once

_MOST_REFUSED = 200
"""Keys that are read in vain, at most: then nothing more is tried."""


class Room:
    """Bytes that the messages of a channel may take in all; without a number, as many as there are."""

    def __init__(self, total: float = float("inf")) -> None:
        self.left = total
        """Bytes that the next message may take."""
        self.largest_blob = _LARGEST_BLOB * total
        """Bytes of a blob that is sent unasked at most."""
        self.few = min(CONTENT_BYTES / 2, _FEW * total)
        """Series that take no more travel in full at once."""
        self.share = min(CONTENT_BYTES, total) / 2
        """Bytes of a message that blobs may take before series have theirs."""
        self.refused: set[Key] = set()
        """Keys of which something did not fit."""
        self.unnamed: set[Key] = set()
        """Those among them of which nothing at all did."""

    @property
    def is_over(self) -> bool:
        """So much did not fit that nothing more is worth a try."""
        return len(self.refused) > _MOST_REFUSED

    def is_exceeded(self, draft: Draft, *, more: bool) -> bool:
        """Whether a message has become too large; `more`: of what was added last, some is still to come."""
        return draft.size > self.left or (more and self.left < CONTENT_BYTES)

    def refuse(self, urgency: Urgency, key: Key) -> None:
        """Something of a key did not fit, and never will."""
        self.refused.add(key)
        if urgency in (Urgency.KEYFRAME, Urgency.NEW):
            self.unnamed.add(key)
