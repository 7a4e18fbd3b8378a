"""Put keys into the backlog: when they appear, when a keyframe begins, and when a viewport shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tbwidget.reasons import Reason
from tbwidget.texts import escape_surrogates
from tbwidget.wire.clients import focus_of
from tbwidget.wire.content import DocumentContent, ItemsContent, SeriesContent
from tbwidget.wire.document_stream import DocumentStream
from tbwidget.wire.items_stream import ItemsStream
from tbwidget.wire.keys import Failures, RunNumbers, longest_name
from tbwidget.wire.message import MAX_CONTENT_BYTES, MAX_NAME_BYTES, MessageBuilder
from tbwidget.wire.plan import Priority
from tbwidget.wire.series_stream import DetailTracker, SeriesStream

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tbwidget.wire.clients import Clients, Viewport
    from tbwidget.wire.content import Content, Group, Key
    from tbwidget.wire.keys import ChannelState

FIRST_KEYS = 1_000
"""Keys that a keyframe names before those that were never sent: the series of the first cards."""

OFF_SCREEN_TURN = 4
"""Every Nth message serves blobs off the screen first, in case our viewport information is stale."""


class Planner:
    """Decides which keys wait, and with which priority."""

    def __init__(self, contents: Sequence[Content], state: ChannelState) -> None:
        self._contents = contents
        self._state = state
        self._backlog = state.backlog
        self._keys = state.keys
        self.details = DetailTracker()
        self.streams = {content.kind: self._stream(content) for content in contents}
        self.failures = Failures(state.logs.source if state.budget.blob_share is None else None)
        self.numbers = RunNumbers(state.logs.source)
        self._is_ordered = True
        """Keys that wait to be sent in full are in the order of the runs that are shown first."""

    def begin_message(self) -> MessageBuilder:
        """Begin a message, and drop the series that were read ahead for the last one.

        It names the runs whose numbers changed: until the next keyframe their lines had others' colors.
        """
        self._state.ahead.clear()
        builder = MessageBuilder(self.numbers.of)
        for run in list(self.numbers.changed):
            if builder.space < MAX_CONTENT_BYTES / 2:
                break
            builder.add_run(run)
        return builder

    def list_keys(self, *, ready: bool) -> None:
        """Compare the keys of the logs with ours, and sort the backlog."""
        all_tags = self._state.logs.tags()
        listed = {content.kind: content.listed(self._state.logs) for content in self._contents}
        own = {kind: names for kind, names in listed.items() if names}
        new, gone, changed = self._keys.compare({**all_tags, **own})
        self._is_ordered = False
        for key in gone:
            self.remove(key)
        for key in changed:
            self._backlog.add(Priority.UPDATE, key)
        self.add(new, ready=ready)
        for priority in (Priority.NEW, Priority.PREFETCH, Priority.NEWEST_BLOB):
            self._backlog.set(priority, self._keys.sorted(self._backlog[priority]))
        visible = self._backlog[Priority.VISIBLE]
        self._backlog.set(Priority.VISIBLE, [key for key in self._keys_on_screen() if key in visible])
        self._state.status.catalog_changed(list(all_tags))

    def add(self, keys: Iterable[Key], *, ready: bool) -> None:
        """Add new keys to the backlog: coarsely soon, in full later."""
        new = self._keys.add(keys)
        for key in self._keys.long_names:  # they never fit into a message, and are problems
            if self.failures.get(key) is None:
                reason = Reason("long-name", bytes=longest_name(key), most=MAX_NAME_BYTES)
                self.failures.add(key, ValueError(reason), float("-inf"))
        self._is_ordered = False
        for key in new:
            self.streams[key.kind].add(key)
        self.numbers.update(self._keys.runs, ready=ready)
        on_screen = self._state.on_screen = self._groups_on_screen()
        for key in new:
            self._backlog.add(Priority.NEW, key)
            is_first = key.kind in self._keys.series and key.group in on_screen
            self._backlog.add(Priority.VISIBLE if is_first else self.streams[key.kind].prefetch, key)

    def remove(self, key: Key) -> None:
        """Remove a key that vanished. Only a keyframe tells browsers."""
        self._keys.remove(key)
        self.streams[key.kind].remove(key)
        self._backlog.remove(key)
        self.failures.clear(key)
        self._state.scheduler.is_keyframe_required = True

    def refuse(self, priority: Priority, key: Key) -> None:
        """Send nothing more of a key: it does not fit into the budget."""
        self._state.budget.refused[key] = priority not in (Priority.KEYFRAME, Priority.NEW)
        self.streams[key.kind].reset(key)
        self._backlog.remove(key)

    def begin_keyframe(self, now: float) -> None:
        """Name everything."""
        state, queue = self._state, self._backlog
        asked = state.scheduler.is_keyframe_asked
        for_new_clients = asked or not state.scheduler.is_heard
        state.keyframe += 1
        state.scheduler.keyframe_begun(now)
        state.status.forget()
        self._is_ordered = False
        order = self._keys.order()
        # Keys that were never sent follow the first screen, or repeated keyframes would starve them.
        queue.set(Priority.KEYFRAME, (*order[:FIRST_KEYS], *queue[Priority.NEW], *order))
        queue.set(Priority.NEW, ())
        # A client that may hold nothing gets everything in full; one that is only assured of what it holds does not.
        if for_new_clients:
            for stream in self.streams.values():
                stream.restart()
            state.full_required_since = state.keyframe
            queue.set(Priority.VISIBLE, [key for key in self._keys_on_screen() if key.kind in self._keys.series])
        if asked:
            queue.set(Priority.DETAIL, self._in_detail())
            others = (key for key in order if key.kind in self._keys.series and key not in queue[Priority.VISIBLE])
            queue.set(Priority.PREFETCH, others)

    def apply_viewports(self, clients: Clients) -> None:
        """Follow the viewports, which have changed."""
        state, before = self._state, self._state.in_view
        state.in_view = dict.fromkeys(group for viewport in clients.viewports for group in viewport.groups)
        if any(group not in before for group in state.in_view):
            state.scheduler.backs_off_until = float("-inf")  # a user opens something else, and waits for it
        state.on_screen = self._groups_on_screen()
        self._backlog.resume_at = float("-inf")  # deferred updates may be on the screen now
        self.details.focus = focus_of(clients.viewports)
        self._backlog.set(Priority.DETAIL, self._in_detail())

    def put_newest_first(self) -> None:
        """Send the newest of very many runs first, which the browser shows until the user chooses others.

        It is known which these are once every key was named.
        """
        queue = self._backlog
        if self._is_ordered or queue[Priority.KEYFRAME] or queue[Priority.NEW]:
            return
        self._is_ordered = True
        newest = self._state.newest.among(self._keys.runs)
        if newest is not None:
            for priority in (Priority.VISIBLE, Priority.PREFETCH):
                queue.set(priority, sorted(queue[priority], key=lambda key: key.run not in newest))

    def want(self, viewport: Viewport) -> None:
        """Send the keys of a viewport before all others."""
        queue, in_view = self._backlog, self._state.in_view
        wanted: dict[Priority, list[Key]] = {Priority.VISIBLE: [], Priority.VISIBLE_BLOB: []}
        for group in viewport.groups:
            for key in self._keys.of(group):
                for priority in self.streams[key.kind].wanted(key, viewport.seq, lacking=group in viewport.lacking):
                    wanted[priority].append(key)
        if (runs := viewport.runs) is not None:
            for keys in wanted.values():
                keys.sort(key=lambda key: escape_surrogates(key.run) not in runs)
        for priority, later in ((Priority.VISIBLE, Priority.PREFETCH), (Priority.VISIBLE_BLOB, Priority.NEWEST_BLOB)):
            others = list(queue[priority])
            queue.set(priority, [*wanted[priority], *(key for key in others if key.group in in_view)])
            queue.set(later, [*(key for key in others if key not in queue[priority]), *queue[later]])

    def next_key(self, priority: Priority) -> Key | None:
        """Return the next key of a priority for which some wait; None if none of them may be sent now."""
        queue = self._backlog[priority]
        if priority == Priority.UPDATE_BLOB:
            is_visible, in_view = self._state.seq % OFF_SCREEN_TURN != 0, self._state.in_view
            found = (key for key in queue if (key.group in in_view) == is_visible)
            return next(found, next(iter(queue)))
        if priority >= Priority.NEWEST_BLOB:
            return next((key for key in queue if self.streams[key.kind].may_prefetch()), None)
        return next(iter(queue))

    def _in_detail(self) -> Iterable[Key]:
        """Return the series that a viewport shows in detail."""
        series = [group for group in self._state.in_view if group.kind in self._keys.series]
        return self.details.line_up(series, self._keys)

    def _groups_on_screen(self) -> dict[Group, None]:
        return dict.fromkeys((*self._state.in_view, *self._keys.first_groups()))

    def _keys_on_screen(self) -> list[Key]:
        return [key for group in self._groups_on_screen() for key in self._keys.of(group)]

    def _stream(self, content: Content) -> SeriesStream | ItemsStream | DocumentStream:
        if isinstance(content, SeriesContent):
            return SeriesStream(content, self._state, self.details)
        if isinstance(content, ItemsContent):
            return ItemsStream(content, self._state)
        if isinstance(content, DocumentContent):
            return DocumentStream(content, self._state)
        raise TypeError(f"{content!r} is of none of the three sorts of content")
