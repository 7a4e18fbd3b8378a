"""Take in what others tell the channel: parsed messages of browsers, and the posts of other threads."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard

from tbwidget.texts import escape_surrogates

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tbwidget.logs.source import Changes
    from tbwidget.wire.content import Answer

MAX_ID_LENGTH = 100
"""Characters in the id of a view or request; a longer text is no id."""

MAX_VIEWS = 64
"""Views that one message may name, and that are remembered."""

MAX_TAGS = 10_000
"""Tags that a view may report; the rest is ignored."""


class Announcement(NamedTuple):
    """A page says which of its views are open: "hello", "here" or "resync"."""

    views: tuple[str, ...]
    is_complete: bool
    """The page has seen every message since the last keyframe began."""
    has_arrived: bool
    """The page has just come, or come back."""


class ViewReport(NamedTuple):
    """A view reports its viewport: "view"."""

    view: str
    fields: Mapping[str, Any]
    """The message itself. `viewport_of` reads it, with the keys that its names belong to."""


class Bye(NamedTuple):
    """A view was closed: "bye"."""

    view: str


class Drawn(NamedTuple):
    """A page that is behind has drawn message `seq`, `behind` seconds late: "drawn"."""

    seq: int
    behind: float


class Request(NamedTuple):
    """A page asks for data: "request". A `name` or `args` that is malformed is None."""

    id: str
    name: str | None
    args: Mapping[str, Any] | None


class Cancel(NamedTuple):
    """The answers to these requests are not needed any more: "cancel"."""

    ids: tuple[str, ...]


class ScanControl(NamedTuple):
    """The initial scan is to end, or to go on: "stop" or "resume"."""

    goes_on: bool


class Other(NamedTuple):
    """A sign of life without content. Malformed messages count as such."""


BrowserMessage = Announcement | ViewReport | Bye | Drawn | Request | Cancel | ScanControl | Other


def parse_message(content: object) -> BrowserMessage:
    """Return the message that a browser sent; `Other` for whatever is malformed."""
    if isinstance(content, dict) and isinstance(kind := content.get("type"), str) and (parse := _PARSERS.get(kind)):
        return parse(content)
    return Other()


def _announcement(fields: dict[str, Any]) -> BrowserMessage:
    views = tuple(filter(_is_id, texts_in(fields.get("views"), MAX_VIEWS)))
    is_complete = fields.get("complete") is True
    kind = fields["type"]
    return Announcement(views, is_complete, kind == "hello" or (kind == "here" and not is_complete))


def _view_report(fields: dict[str, Any]) -> BrowserMessage:
    return ViewReport(view, fields) if _is_id(view := fields.get("view")) else Other()


def _bye(fields: dict[str, Any]) -> BrowserMessage:
    return Bye(view) if _is_id(view := fields.get("view")) else Other()


def _drawn(fields: dict[str, Any]) -> BrowserMessage:
    seq, behind = fields.get("seq"), fields.get("behind")
    if isinstance(seq, int) and not isinstance(seq, bool) and isinstance(behind, int | float):
        return Drawn(seq, behind)
    return Other()


def _request(fields: dict[str, Any]) -> BrowserMessage:
    request, name, args = fields.get("id"), fields.get("name"), fields.get("args")
    if not _is_id(request) or not request or escape_surrogates(request) != request:
        return Other()
    args = {} if args is None else args
    return Request(request, name if isinstance(name, str) else None, args if isinstance(args, dict) else None)


def _cancel(fields: dict[str, Any]) -> BrowserMessage:
    return Cancel(texts_in(fields.get("ids")))


_PARSERS: dict[str, Callable[[dict[str, Any]], BrowserMessage]] = {
    "hello": _announcement,
    "here": _announcement,
    "resync": _announcement,
    "view": _view_report,
    "bye": _bye,
    "drawn": _drawn,
    "request": _request,
    "cancel": _cancel,
    "stop": lambda _fields: ScanControl(goes_on=False),
    "resume": lambda _fields: ScanControl(goes_on=True),
}


def _is_id(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and len(value) <= MAX_ID_LENGTH


def texts_in(value: object, most: int = MAX_TAGS) -> tuple[str, ...]:
    """Return the texts in a list, the first `most`; nothing for anything else."""
    return tuple(text for text in value[:most] if isinstance(text, str)) if isinstance(value, list) else ()


MAX_MESSAGES = 1000
"""Messages of browsers that may wait; beyond that the oldest are dropped, as if they had been lost."""


@dataclass(slots=True)
class Post:
    """Everything that was posted since the last time."""

    changed: dict[tuple[str, str, str], None] = field(default_factory=dict)
    """(kind, run, tag) of changed series, as `Changes` has them; in the order of their first change."""
    catalog: bool = False
    """Other runs, tags, kinds or problems than before."""
    messages: deque[tuple[BrowserMessage, bool]] = field(default_factory=lambda: deque(maxlen=MAX_MESSAGES))
    """Messages of browsers, each with whether it came on a subshell."""
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
        """Return everything that was posted since the last time; None if nothing was."""
        with self._lock:
            post, self._post = self._post, None
        return post

    def _opened(self) -> Post:
        if self._post is None:
            self._post = Post()
        return self._post
