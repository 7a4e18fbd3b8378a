"""What others tell the channel: messages of browsers, parsed, and what the threads of the kernel post."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard

from tbwidget.texts import escape_surrogates

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tbwidget.logs import Changes
    from tbwidget.wire.content import Answer

MAX_ID_LENGTH = 100
"""Characters in the id of a view or request; a longer text is no id."""

MAX_VIEWS = 64
"""Views that one message may name, and that are remembered."""

MAX_TAGS = 10_000
"""Tags that a view may report; the rest is ignored."""

_STEP_LIMIT = 2**63


class Announcement(NamedTuple):
    """A page says which of its views are open: "hello", "here" or "resync"."""

    views: tuple[str, ...]
    is_complete: bool
    """The page has seen every message since the last keyframe began."""
    has_arrived: bool
    """The page has just come, or come back."""


class ShortSeries(NamedTuple):
    """Series of one card that a page holds in wider rows than it was sent, because its memory is short."""

    kind: str
    tag: str
    width: int
    """Points in its widest row."""
    rows: int
    """Rows that a detail may have."""


@dataclass(frozen=True, slots=True)
class ViewReport:
    """What is on the screen in one view: "view". Names are spelled as they traveled."""

    view: str
    tags: tuple[str, ...] = ()
    """In the order of the cards."""
    kinds: tuple[str, ...] | None = None
    """None: all kinds."""
    lacking: tuple[tuple[str, str], ...] = ()
    """Kinds and tags that the page holds in less than full detail."""
    seq: int = 0
    """The last message that the page had seen."""
    steps: tuple[float, float] | None = None
    """First and last step on the screen; None: all."""
    near: tuple[str, ...] | None = None
    """Tags that show only those steps; None: all tags."""
    linked: float | None = None
    """The step that all charts point out."""
    runs: tuple[str, ...] | None = None
    """Runs that are shown; None: all, or too many to name."""
    short: tuple[ShortSeries, ...] = ()
    in_window: bool = True
    """False: the view is scrolled out of the browser's window."""


class Bye(NamedTuple):
    """A view was closed: "bye"."""

    view: str


class Drawn(NamedTuple):
    """A page that is behind has drawn message `seq`, `behind` seconds late: "drawn"."""

    seq: int
    behind: float


class Request(NamedTuple):
    """A page asks for what was not pushed: "request". A `name` or `args` that is malformed is None."""

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
    """A sign of life that says nothing else; what is malformed counts as one."""


BrowserMessage = Announcement | ViewReport | Bye | Drawn | Request | Cancel | ScanControl | Other


def parse_message(content: object) -> BrowserMessage:
    """Return the message that a browser sent; `Other` for whatever is malformed."""
    if isinstance(content, dict) and isinstance(kind := content.get("type"), str) and (parse := _PARSERS.get(kind)):
        return parse(content)
    return Other()


def _announcement(fields: dict[str, Any]) -> BrowserMessage:
    views = tuple(filter(_is_id, _texts(fields.get("views"), MAX_VIEWS)))
    is_complete = fields.get("complete") is True
    kind = fields["type"]
    return Announcement(views, is_complete, kind == "hello" or (kind == "here" and not is_complete))


def _view_report(fields: dict[str, Any]) -> BrowserMessage:
    if not _is_id(view := fields.get("view")):
        return Other()
    want, short, seq, steps = (fields.get(name) for name in ("want", "short", "seq", "range"))
    pairs = [_texts(pair) for pair in want[:MAX_TAGS]] if isinstance(want, list) else []
    reduced = [_short_series(one) for one in short[:MAX_TAGS]] if isinstance(short, list) else []
    return ViewReport(
        view=view,
        tags=_texts(fields.get("tags")),
        kinds=None if fields.get("kinds") is None else _texts(fields["kinds"]),
        lacking=tuple((pair[0], pair[1]) for pair in pairs if len(pair) == 2),  # noqa: PLR2004
        seq=seq if isinstance(seq, int) else 0,
        steps=_steps(steps),
        near=None if fields.get("near") is None else _texts(fields["near"]),
        linked=_step(fields.get("linked")),
        runs=_texts(fields["runs"]) if isinstance(fields.get("runs"), list) else None,
        short=tuple(one for one in reduced if one is not None),
        in_window=fields.get("in_window") is not False,
    )


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
    return Cancel(_texts(fields.get("ids")))


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


def _texts(value: object, most: int = MAX_TAGS) -> tuple[str, ...]:
    return tuple(text for text in value[:most] if isinstance(text, str)) if isinstance(value, list) else ()


def _steps(value: object) -> tuple[float, float] | None:
    if isinstance(value, list) and len(value) == 2:  # noqa: PLR2004
        first, last = _step(value[0]), _step(value[1])
        return None if first is None or last is None else (first, last)
    return None


def _step(value: object) -> float | None:
    """Return a step; None if it is no number, or too large to be compared with one."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if isinstance(value, float) or abs(value) < _STEP_LIMIT else None


def _short_series(value: object) -> ShortSeries | None:
    """Return what a report says of series that the page has reduced; None if it is malformed."""
    if not isinstance(value, list) or len(value) != 4:  # noqa: PLR2004
        return None
    kind, tag, width, rows = value
    if not (isinstance(kind, str) and isinstance(tag, str) and _is_count(width) and _is_count(rows)):
        return None
    is_bucket = width > 1 and width & (width - 1) == 0
    return ShortSeries(kind, tag, width, rows) if is_bucket else None


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value < _STEP_LIMIT


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
