"""Keep track of the open views: what each shows, and whether any is still there."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tbwidget.wire.content import Reduced
from tbwidget.wire.inbox import MAX_TAGS, MAX_VIEWS, Announcement, BrowserMessage, Bye, ViewReport, texts_in
from tbwidget.wire.keys import Group

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tbwidget.wire.idle_clock import IdleClock
    from tbwidget.wire.keys import Keys

SILENCE_S = 60.0
"""Seconds in which the kernel could hear a client and did not, after which the client is gone."""

ARRIVAL_S = 2.0
"""Seconds within which a page that connects may be heard before its connection is noticed."""

_STEP_LIMIT = 2**63


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


def viewport_of(fields: Mapping[str, Any], keys: Keys, *, on_subshell: bool = False) -> Viewport:
    """Return what a report of a view says, by the names of the logs; whatever is malformed counts as absent."""
    kinds = None if fields.get("kinds") is None else texts_in(fields["kinds"])
    groups = tuple(keys.groups_named(texts_in(fields.get("tags")), kinds))
    near = groups if fields.get("near") is None else keys.groups_named(texts_in(fields["near"]), kinds)
    lacking = (pair for one in _list(fields.get("want")) if len(pair := texts_in(one)) == 2)  # noqa: PLR2004
    reduced = (found for one in _list(fields.get("short")) if (found := _reduced(one)) is not None)
    seq, runs, steps = fields.get("seq"), fields.get("runs"), _steps(fields.get("range"))
    return Viewport(
        groups=groups,
        lacking=frozenset(group for kind, tag in lacking for group in keys.groups_named([tag], [kind])),
        reduced={group: one for kind, tag, one in reduced for group in keys.groups_named([tag], [kind])},
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
            if message.has_arrived:
                self._page_arrived(now)
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

    @property
    def groups(self) -> dict[Group, None]:
        """The groups that any view shows."""
        return dict.fromkeys(group for viewport in self.viewports for group in viewport.groups)

    def _client(self, view: str) -> _Client:
        if view not in self._views:
            if len(self._views) >= MAX_VIEWS:
                del self._views[min(self._views, key=lambda other: self._views[other].heard_at)]
            self._views[view] = _Client(self._anyone.idle_before, self._anyone.heard_at)
        return self._views[view]

    def _page_arrived(self, now: float) -> None:
        if self._unheard:
            self._unheard -= 1
        else:
            self._arrived_at = now


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
