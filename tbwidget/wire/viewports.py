"""What is on the screen, as the browsers report it: one viewport for each view that is open somewhere."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tbwidget.wire.content import Reduced
from tbwidget.wire.listing import Group

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tbwidget.wire.listing import Listing

EXPIRES_AFTER = 60.0
"""Seconds, in which the kernel was sure to hear, after which a viewport that no page names is forgotten."""

MOST_VIEWPORTS = 64
"""Of more, the one that was named longest ago is forgotten."""

MOST_TAGS = 10_000
"""Tags of one viewport; of more the first."""

LONGEST_ID = 100
"""Characters of a view's id."""

_STEPS_END = 2**63


@dataclass(frozen=True, slots=True)
class Viewport:
    """What one view shows."""

    groups: tuple[Group, ...] = ()
    """In the order of its cards."""
    lacking: frozenset[Group] = frozenset()
    """Of those, what it holds in less than full detail."""
    reduced: Mapping[Group, Reduced] = field(default_factory=dict)
    """Groups that it holds in wider rows than it was sent, because its memory is short."""
    seq: int = 0
    """The last message that it had seen."""
    steps: tuple[float, float] | None = None
    """The first and the last step in sight; None: all."""
    near: frozenset[Group] = frozenset()
    """The groups that show only those steps."""
    linked: float | None = None
    """The step that all its charts point out."""
    runs: frozenset[str] | None = None
    """The runs that it shows, as the browser calls them; None: all, or too many to be named."""
    in_window: bool = True
    """False: the view is scrolled out of the browser's window."""
    on_subshell: bool = False
    """The report came on a subshell, so the view is heard while a cell runs."""


def parse_viewport(message: dict[str, Any], listing: Listing, *, on_subshell: bool = False) -> Viewport:
    """A viewport from a message of the type "view"; what is malformed in it counts as not there."""
    kinds = None if message.get("kinds") is None else _texts(message["kinds"])
    groups = tuple(listing.groups_named(_texts(message.get("tags")), kinds))
    steps = _steps(message.get("range"))
    near = groups if message.get("near") is None else listing.groups_named(_texts(message["near"]), kinds)
    want = message.get("want")
    pairs = [_texts(pair) for pair in want[:MOST_TAGS]] if isinstance(want, list) else []
    lacking = {group for pair in pairs if len(pair) == 2 for group in listing.groups_named(pair[1:], pair[:1])}  # noqa: PLR2004
    seq = message.get("seq")
    short = message.get("short")
    reduced = {
        group: Reduced(width, rows)
        for kind, tag, width, rows in (_reduced(one) for one in (short[:MOST_TAGS] if isinstance(short, list) else []))
        for group in listing.groups_named([tag], [kind])
        if width > 1
    }
    return Viewport(
        groups=groups,
        lacking=frozenset(lacking),
        reduced=reduced,
        seq=seq if isinstance(seq, int) else 0,
        steps=steps,
        near=frozenset(near) if steps is not None else frozenset(),
        linked=_number(message.get("linked")),
        runs=frozenset(_texts(message["runs"])) if isinstance(message.get("runs"), list) else None,
        in_window=message.get("in_window") is not False,
        on_subshell=on_subshell,
    )


class Viewports:
    """Viewports by the id of their view. Times are idle seconds of the kernel."""

    def __init__(self) -> None:
        self._held: dict[str, Viewport] = {}
        """The one that changed last comes last."""
        self._named_at: dict[str, float] = {}

    def report(self, view: object, viewport: Viewport, idle: float) -> bool:
        """A view shows this now; False where that is no id of a view."""
        if not isinstance(view, str) or len(view) > LONGEST_ID:
            return False
        self._held.pop(view, None)
        if len(self._held) >= MOST_VIEWPORTS:
            self._forget(min(self._named_at, key=self._named_at.__getitem__))
        self._held[view], self._named_at[view] = viewport, idle
        return True

    def keep(self, views: object, idle: float) -> None:
        """A page says that these views are open."""
        for view in _texts(views):
            if view in self._named_at:
                self._named_at[view] = idle

    def end(self, view: object) -> bool:
        """A view was closed; whether it was known."""
        if not isinstance(view, str) or view not in self._held:
            return False
        self._forget(view)
        return True

    def expire(self, idle: float) -> bool:
        """Forget those that no page has named for long; whether there were any."""
        if not self._held:
            return False
        old = [view for view, at in self._named_at.items() if idle - at > EXPIRES_AFTER]
        for view in old:
            self._forget(view)
        return bool(old)

    @property
    def all(self) -> list[Viewport]:
        """The one that changed last comes first."""
        return list(reversed(self._held.values()))

    def are_out_of_window(self, *, cell_runs: bool) -> bool:
        """Whether every view is scrolled out of the window, and is heard when it comes back."""
        views = self._held.values()
        return bool(views) and not any(view.in_window or (cell_runs and not view.on_subshell) for view in views)

    def groups(self) -> dict[Group, None]:
        """What any of them shows."""
        return dict.fromkeys(group for viewport in self.all for group in viewport.groups)

    def _forget(self, view: str) -> None:
        del self._held[view], self._named_at[view]


@dataclass(frozen=True, slots=True)
class Focus:
    """What of a series is looked at closely."""

    steps: tuple[float, float] | None = None
    """From the first to the last step in sight; None where all are."""
    linked: float | None = None
    """The step that is pointed out."""
    reduced: Reduced | None = None
    """Set where a browser holds the series in wider rows than it was sent."""


def focus_of(viewports: Iterable[Viewport]) -> dict[Group, Focus]:
    """What is looked at closely in any of the viewports: the steps from the first to the last in any of them."""
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


def _texts(value: object) -> list[str]:
    return [text for text in value[:MOST_TAGS] if isinstance(text, str)] if isinstance(value, list) else []


def _steps(value: object) -> tuple[float, float] | None:
    if isinstance(value, list) and len(value) == 2:  # noqa: PLR2004
        first, last = _number(value[0]), _number(value[1])
        return None if first is None or last is None else (first, last)
    return None


def _reduced(value: object) -> tuple[str, str, int, int]:
    """Kind, tag, width and rows; a width of 0 where it is malformed."""
    if isinstance(value, list) and len(value) == 4:  # noqa: PLR2004
        kind, tag, width, rows = value
        if isinstance(kind, str) and isinstance(tag, str) and _is_count(width) and _is_count(rows):
            return kind, tag, width if width & (width - 1) == 0 else 0, rows
    return "", "", 0, 0


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value < _STEPS_END


def _number(value: object) -> float | None:
    """A step; None where it is no number, or too large to be compared with one."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if isinstance(value, float) or abs(value) < _STEPS_END else None
