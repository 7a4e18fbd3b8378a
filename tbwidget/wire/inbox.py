"""What other threads tell the channel: kept until the thread that sends looks at it."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tbwidget.logs import Changes
    from tbwidget.wire.content import Answer

MOST_MESSAGES = 1000
"""Messages of browsers that wait at most; of more the oldest are dropped, as if lost on their way."""


@dataclass(slots=True)
class Post:
    """All that was posted since the last look."""

    changed: dict[tuple[str, str, str], None] = field(default_factory=dict)
    """(kind, run, tag) of changed series, as `Changes` has them; in the order of their first change."""
    catalog: bool = False
    """Other runs, tags, kinds or problems than before."""
    messages: deque[tuple[object, bool]] = field(default_factory=lambda: deque(maxlen=MOST_MESSAGES))
    """Of browsers; and whether each came on a subshell."""
    answers: list[tuple[str, Answer | str]] = field(default_factory=list)
    """To requests, by id; text is a refusal."""
    repeat: bool = False
    """A message may be lost: everything is to be sent again."""
    newcomers: bool = False
    """Perhaps to a page that has nothing yet."""


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

    def receive(self, message: object, *, on_subshell: bool) -> None:
        """Post a message of a browser."""
        with self._lock:
            self._opened().messages.append((message, on_subshell))

    def post_answer(self, request: str, answer: Answer | str) -> None:
        """Post the answer to a request, or why there is none."""
        with self._lock:
            self._opened().answers.append((request, answer))

    def repeat(self, *, newcomers: bool) -> None:
        """Post that everything is to be sent again, perhaps to newcomers."""
        with self._lock:
            post = self._opened()
            post.repeat = True
            post.newcomers |= newcomers

    def drain(self) -> Post | None:
        """All that was posted since the last time, if anything was."""
        with self._lock:
            post, self._post = self._post, None
        return post

    def _opened(self) -> Post:
        if self._post is None:
            self._post = Post()
        return self._post
