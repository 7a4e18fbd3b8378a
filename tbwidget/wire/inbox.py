"""Keep what other threads tell the channel until the thread that sends looks at it."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tbwidget.logs import Changes
    from tbwidget.wire.browser_messages import BrowserMessage
    from tbwidget.wire.content import Answer

MAX_MESSAGES = 1000
"""Messages of browsers that may wait; beyond that the oldest are dropped, as if they had been lost."""


@dataclass(slots=True)
class Post:
    """All that was posted since the last time."""

    changed: dict[tuple[str, str, str], None] = field(default_factory=dict)
    """(kind, run, tag) of changed series, as `Changes` has them; in the order of their first change."""
    catalog: bool = False
    """Other runs, tags, kinds or problems than before."""
    messages: deque[tuple[BrowserMessage, bool]] = field(default_factory=lambda: deque(maxlen=MAX_MESSAGES))
    """Of browsers, each with whether it came on a subshell."""
    answers: list[tuple[str, Answer | str]] = field(default_factory=list)
    """To requests, by id; text is a refusal."""
    repeat: bool = False
    """A message may be lost: everything is to be sent again."""
    connections: int = 0
    """Pages that connected, which may have nothing yet, and may not make themselves heard."""


class Inbox:
    """Posting costs next to nothing, and waits for nothing but a lock that is held as briefly. From any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._post: Post | None = None

    def notify(self, changes: Changes) -> None:
        """Post what the follower has read."""
        with self._lock:
            post = self._opened()
            post.changed.update(dict.fromkeys(changes.series))
            post.catalog |= changes.catalog

    def receive(self, message: BrowserMessage, *, on_subshell: bool) -> None:
        """Post a message of a browser."""
        with self._lock:
            self._opened().messages.append((message, on_subshell))

    def post_answer(self, request: str, answer: Answer | str) -> None:
        """Post the answer to a request, or why there is none."""
        with self._lock:
            self._opened().answers.append((request, answer))

    def repeat(self) -> None:
        """Post that everything is to be sent again."""
        with self._lock:
            self._opened().repeat = True

    def connect(self) -> None:
        """Post that a page connected."""
        with self._lock:
            self._opened().connections += 1

    @property
    def has_client(self) -> bool:
        """Whether a client sent something, or connected, since the last time."""
        with self._lock:
            return self._post is not None and bool(self._post.messages or self._post.connections)

    def drain(self) -> Post | None:
        """All that was posted since the last time, if anything was."""
        with self._lock:
            post, self._post = self._post, None
        return post

    def _opened(self) -> Post:
        if self._post is None:
            self._post = Post()
        return self._post
