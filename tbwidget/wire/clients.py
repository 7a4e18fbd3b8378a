"""Hear the clients of a dashboard: parse what they send, and track what each view shows and whether it is still there.

Plain arithmetic on times handed in. Only the inbox and the idle clock are for any thread.
"""

from __future__ import annotations

import math
import threading
from collections import deque
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeGuard

from tbwidget.texts import escape_surrogates
from tbwidget.wire.content import Group, Reduced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

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
    fields = content if isinstance(content, dict) else {}
    match fields:
        case {"type": "hello" | "here" | "resync" as kind}:
            views = tuple(filter(_is_id, texts_in(fields.get("views"), MAX_VIEWS)))
            is_complete = fields.get("complete") is True
            return Announcement(views, is_complete, kind == "hello" or (kind == "here" and not is_complete))
        case {"type": "view", "view": view} if _is_id(view):
            return ViewReport(view, fields)
        case {"type": "bye", "view": view} if _is_id(view):
            return Bye(view)
        case {"type": "drawn", "seq": int(seq), "behind": int() | float() as behind} if not isinstance(seq, bool):
            return Drawn(seq, behind)
        case {"type": "request", "id": request} if _is_id(request) and request == escape_surrogates(request) != "":
            name, args = fields.get("name"), fields.get("args")
            args = {} if args is None else args
            return Request(request, name if isinstance(name, str) else None, args if isinstance(args, dict) else None)
        case {"type": "cancel"}:
            return Cancel(texts_in(fields.get("ids")))
        case {"type": "stop" | "resume" as kind}:
            return ScanControl(goes_on=kind == "resume")
    return Other()


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
    connections: int = 0
    """Pages that connected, which may have nothing yet, and may not make themselves heard."""


class Inbox:
    """Posting costs next to nothing, and waits for nothing but a lock that is held as briefly. From any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._post = Post()

    @contextmanager
    def opened(self) -> Iterator[Post]:
        """Hold the lock to write into the post."""
        with self._lock:
            yield self._post

    @property
    def has_client(self) -> bool:
        """Whether a client sent something, or connected, since the last time."""
        with self._lock:
            return bool(self._post.messages or self._post.connections)

    def drain(self) -> Post:
        """Return everything that was posted since the last time."""
        with self._lock:
            post, self._post = self._post, Post()
        return post


PROMPT_S = 2.0
"""Seconds within which a kernel that can hear answers itself."""

ASK_INTERVAL_S = 5.0
"""Seconds between two such questions at least."""


class IdleClock:
    """Counts the seconds in which no cell runs and the kernel answers itself: only then is it sure to hear the browser.

    Times are of one monotonic clock. It is shared by the dashboards of a kernel; methods may be called from any thread.
    """

    def __init__(
        self,
        *,
        cell_runs: bool | None = True,
        ask: Callable[[Callable[[float], None]], object] | None = None,
    ) -> None:
        """`cell_runs`: whether a cell runs now; None if that cannot be known, which counts as a cell that never ends.

        `ask` has the kernel's main loop call a function with the time; None for a kernel without a main loop. It finds
        out whether a button's callback keeps the loop, which then hears no client although no cell runs. Once `ask`
        has raised, it is not called again, and all time without a cell counts: that loop has ended, or a window
        system's loop (`%gui qt`) replaces it. There callbacks wait for messages, so a late answer means nothing.
        """
        self._known = cell_runs is not None
        self._running = 0 if cell_runs is False else 1
        """Cells that run, one within the other."""
        self._idle = 0.0
        self._idle_since = 0.0
        self._changed_at = float("-inf")
        self._ask = ask
        self._asked_at: float | None = None
        """When a question was put that is not answered yet."""
        self._ask_again_at = float("-inf")
        self._lock = threading.Lock()
        self._listeners: list[Callable[[], None]] = []

    def cell_begins(self, now: float) -> None:
        """A cell begins, perhaps one that another one runs."""
        with self._lock:
            if self._running == 0:
                self._idle += self._heard_until(now) - self._idle_since
                self._changed_at = now
            self._known = True
            self._running += 1
        self._notify()

    def cell_ends(self, now: float) -> None:
        """A cell ends; some end without having begun, because they were empty."""
        with self._lock:
            if self._running == 1:
                self._idle_since = self._changed_at = now
            self._known = True
            self._running = max(0, self._running - 1)
        self._notify()

    def idle_seconds(self, now: float) -> float:
        """Seconds so far in which no cell ran and the kernel could hear."""
        with self._lock:
            return self._idle if self._running else self._idle + self._heard_until(now) - self._idle_since

    def check(self, now: float) -> None:
        """Find out whether the kernel can hear, if that is worth asking."""
        with self._lock:
            ask = self._ask
            if ask is None or self._running or self._asked_at is not None or now < self._ask_again_at:
                return
            self._asked_at, self._ask_again_at = now, now + ASK_INTERVAL_S
        try:
            ask(self._answered)
        except Exception:  # noqa: BLE001 (whatever a kernel that ends raises)
            with self._lock:
                self._ask = self._asked_at = None

    def _answered(self, now: float) -> None:
        with self._lock:
            if not self._running:
                self._idle_since += now - self._heard_until(now)
            self._asked_at = None

    def _heard_until(self, now: float) -> float:
        """Until when, of the time since no cell ran, the kernel is taken to have heard. With the lock."""
        if self._asked_at is None or now - self._asked_at <= PROMPT_S:
            return now
        return max(self._asked_at, self._idle_since)

    @property
    def cell_runs(self) -> bool | None:
        """Whether a cell runs now; None if that is unknown."""
        return bool(self._running) if self._known else None

    def settled_for(self, now: float) -> float:
        """Seconds since that changed."""
        return now - self._changed_at

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call back, from the thread of the cell, when a cell begins or ends; returns how to end that."""
        self._listeners.append(callback)
        return lambda: self._listeners.remove(callback)

    def _notify(self) -> None:
        for callback in list(self._listeners):
            callback()


SILENCE_S = 60.0
"""Seconds in which the kernel could hear a client and did not, after which the client is gone."""

ARRIVAL_S = 2.0
"""Seconds within which a page that connects may be heard before its connection is noticed."""

_STEP_LIMIT = 2**63


GroupsNamed: TypeAlias = "Callable[[Iterable[str], Iterable[str] | None], list[Group]]"
"""Returns the groups of some tags and kinds (None: of all), as `Keys.groups_named` does."""


@dataclass(frozen=True, slots=True)
class Viewport:
    """The part of a dashboard that one view shows, by the names of the logs."""

    groups: tuple[Group, ...] = ()
    """In the order of its cards."""
    lacking: frozenset[Group] = frozenset()
    """Groups that the page holds in less than full detail."""
    reduced: Mapping[Group, Reduced] = field(default_factory=dict)
    """Groups that the page holds in wider rows than it was sent, because its memory is short."""
    seq: int = 0
    """The last message that the page had seen."""
    steps: tuple[float, float] | None = None
    """First and last step on the screen; None: all."""
    near: frozenset[Group] = frozenset()
    """Groups that show only those steps."""
    linked: float | None = None
    """The step that all charts point out."""
    runs: frozenset[str] | None = None
    """Runs that are shown, as the browser spells them; None: all, or too many to name."""
    in_window: bool = True
    """False: the view is scrolled out of the browser's window."""
    on_subshell: bool = False
    """The report came on a subshell, so the view is heard while a cell runs."""


def viewport_of(fields: Mapping[str, Any], groups_named: GroupsNamed, *, on_subshell: bool = False) -> Viewport:
    """Return what a report of a view says, by the names of the logs; whatever is malformed counts as absent."""
    kinds = None if fields.get("kinds") is None else texts_in(fields["kinds"])
    groups = tuple(groups_named(texts_in(fields.get("tags")), kinds))
    near = groups if fields.get("near") is None else groups_named(texts_in(fields["near"]), kinds)
    lacking = (pair for one in _list(fields.get("want")) if len(pair := texts_in(one)) == 2)  # noqa: PLR2004
    reduced = (found for one in _list(fields.get("short")) if (found := _reduced(one)) is not None)
    seq, runs, steps = fields.get("seq"), fields.get("runs"), _steps(fields.get("range"))
    return Viewport(
        groups=groups,
        lacking=frozenset(group for kind, tag in lacking for group in groups_named([tag], [kind])),
        reduced={group: one for kind, tag, one in reduced for group in groups_named([tag], [kind])},
        seq=seq if isinstance(seq, int) else 0,
        steps=steps,
        near=frozenset(near) if steps is not None else frozenset(),
        linked=_step(fields.get("linked")),
        runs=frozenset(texts_in(runs)) if isinstance(runs, list) else None,
        in_window=fields.get("in_window") is not False,
        on_subshell=on_subshell,
    )


def _list(value: object) -> list[object]:
    return value[:MAX_TAGS] if isinstance(value, list) else []


def _steps(value: object) -> tuple[float, float] | None:
    if not isinstance(value, list) or len(value) != 2:  # noqa: PLR2004
        return None
    first, last = map(_step, value)
    return None if first is None or last is None else (first, last)


def _step(value: object) -> float | None:
    """Return a step; None if it is no number, or too large to be compared with one."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if isinstance(value, float) or abs(value) < _STEP_LIMIT else None


def _reduced(value: object) -> tuple[str, str, Reduced] | None:
    """Return kind, tag, and how the page holds their series; None if that is malformed."""
    match value:
        case [str(kind), str(tag), int(width), int(rows)] if not isinstance(rows, bool):
            # The width of a bucket is a power of two; True is 1.
            if 1 < width < _STEP_LIMIT and width & (width - 1) == 0 and 0 < rows < _STEP_LIMIT:
                return kind, tag, Reduced(width, rows)
    return None


@dataclass(slots=True)
class _Client:
    """When a client was heard last, and what it shows."""

    idle_before: float = 0.0
    """Seconds of the idle clock when it was heard."""
    heard_at: float = 0.0
    is_heard_in_cells: bool = False
    """It was heard while a cell ran, and would be again."""
    viewport: Viewport | None = None

    def hear(self, now: float, idle: float, *, in_cell: bool) -> None:
        self.idle_before, self.heard_at = idle, now
        self.is_heard_in_cells |= in_cell

    def is_silent(self, now: float, idle: float, *, cell_runs: bool) -> bool:
        if self.is_heard_in_cells and cell_runs:
            return now - self.heard_at > SILENCE_S
        return idle - self.idle_before > SILENCE_S


class Clients:
    """The clients of one dashboard. Times are seconds of one monotonic clock.

    Some pages may be heard while a cell runs, and others not. So each view is missed by itself, once it
    could have been heard for `SILENCE_S` and was not.
    """

    def __init__(self, clock: IdleClock) -> None:
        self._clock = clock
        self._anyone = _Client()
        """When anything at all was heard."""
        self._views: dict[str, _Client] = {}
        """By the id of the view; the viewport that changed last comes last."""
        self._unheard = 0
        """Pages that connected while a cell ran and were not heard since."""
        self._connected = _Client()
        """When the last of these connected."""
        self._arrived_at = float("-inf")
        """When a page was heard whose connection had not been noticed yet."""

    def hear(self, now: float, message: BrowserMessage | None = None, *, on_subshell: bool = False) -> bool:
        """Note that a browser sent a message, or (None) another sign of life; return whether a viewport ended."""
        idle, in_cell = self._clock.idle_seconds(now), on_subshell and self._clock.cell_runs is True
        self._anyone.hear(now, idle, in_cell=in_cell)
        before = len(self.viewports)
        views: tuple[str, ...] = ()
        if isinstance(message, Bye):
            self._views.pop(message.view, None)
        elif isinstance(message, Announcement):
            views = message.views
            if message.has_arrived and self._unheard:
                self._unheard -= 1
            elif message.has_arrived:
                self._arrived_at = now
        elif isinstance(message, ViewReport):
            views = (message.view,)
        for view in views:
            self._client(view).hear(now, idle, in_cell=in_cell)
        return len(self.viewports) < before  # also where a new view has taken the place of one

    def show(self, view: str, viewport: Viewport) -> None:
        """Note what a view shows that was just heard."""
        client = self._client(view)
        client.viewport = viewport
        self._views[view] = self._views.pop(view)

    def connect(self, now: float) -> None:
        """Note that a page connected, which may not make itself heard before the cell ends."""
        if now - self._arrived_at <= ARRIVAL_S:
            self._arrived_at = float("-inf")
        else:
            self._unheard += 1
            self._connected = _Client(self._clock.idle_seconds(now), now)

    def are_gone(self, now: float) -> bool:
        """Whether nothing was heard for long, although the kernel would have heard."""
        self._clock.check(now)
        idle, cell_runs = self._clock.idle_seconds(now), self._clock.cell_runs is True
        if self._connected.is_silent(now, idle, cell_runs=cell_runs):
            self._unheard = 0
        clients = [self._anyone, *self._views.values()]
        return not self._unheard and all(client.is_silent(now, idle, cell_runs=cell_runs) for client in clients)

    def expire(self, now: float) -> bool:
        """Forget the views that no page named for long while no cell ran; return whether a viewport was among them."""
        idle = self._clock.idle_seconds(now)
        old = [view for view, client in self._views.items() if idle - client.idle_before > SILENCE_S]
        forgotten = [self._views.pop(view) for view in old]
        return any(client.viewport is not None for client in forgotten)

    @property
    def viewports(self) -> list[Viewport]:
        """The viewport that changed last comes first."""
        return [client.viewport for client in reversed(self._views.values()) if client.viewport is not None]

    @property
    def are_out_of_window(self) -> bool:
        """Whether every view is scrolled out of the window, and is heard when it comes back."""
        views, cell_runs = self.viewports, self._clock.cell_runs is not False
        return bool(views) and not any(view.in_window or (cell_runs and not view.on_subshell) for view in views)

    def _client(self, view: str) -> _Client:
        if view not in self._views:
            if len(self._views) >= MAX_VIEWS:
                del self._views[min(self._views, key=lambda other: self._views[other].heard_at)]
            self._views[view] = _Client(self._anyone.idle_before, self._anyone.heard_at)
        return self._views[view]


@dataclass(frozen=True, slots=True)
class Focus:
    """The part of a series that a viewport shows in detail."""

    steps: tuple[float, float] | None = None
    """First and last step on the screen; None: all."""
    linked: float | None = None
    """The step that is pointed out."""
    reduced: Reduced | None = None
    """Set if a browser holds the series in wider rows than it was sent."""


def focus_of(viewports: Iterable[Viewport]) -> dict[Group, Focus]:
    """Return what the viewports show in detail: the steps from the first to the last in any of them."""
    steps: dict[Group, tuple[float, float]] = {}
    linked: dict[Group, float] = {}
    reduced: dict[Group, Reduced] = {}
    for viewport in viewports:
        for group in viewport.near if viewport.steps is not None else ():
            first, last = viewport.steps or (0.0, 0.0)
            begin, end = steps.get(group, (math.inf, -math.inf))
            steps[group] = min(begin, first), max(end, last)
        for group in viewport.groups if viewport.linked is not None else ():
            linked.setdefault(group, viewport.linked or 0.0)
        for group, one in viewport.reduced.items():
            before = reduced.get(group, one)
            reduced[group] = Reduced(max(before.width, one.width), min(before.rows, one.rows))
    closer = dict.fromkeys((*steps, *linked))
    return {group: Focus(steps.get(group), linked.get(group), reduced.get(group)) for group in closer}
