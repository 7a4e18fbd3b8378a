"""Which keys wait for what: when they appear, when a keyframe begins, and when a viewport shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tbwidget.reasons import Reason
from tbwidget.texts import escape_surrogates
from tbwidget.wire.clients import focus_of
from tbwidget.wire.content import DocumentContent, ItemsContent, SeriesContent
from tbwidget.wire.document_stream import DocumentStream
from tbwidget.wire.draft import CONTENT_BYTES, LONGEST_NAME, Draft
from tbwidget.wire.failures import Failures
from tbwidget.wire.items_stream import ItemsStream
from tbwidget.wire.keys import Catalog, RunNumbers, longest_name
from tbwidget.wire.queue import Urgency
from tbwidget.wire.series_stream import SeriesStream

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tbwidget.wire.clients import Clients, Viewport
    from tbwidget.wire.content import Content, Key
    from tbwidget.wire.keys import Group
    from tbwidget.wire.state import ChannelState, Stream

FEW_KEYS = 200
"""Up to this many keys travel in full at once, if they fit into one message."""

FIRST_KEYS = 1_000
"""So many begin a keyframe before those that were never sent: the series of the first cards."""

UNSEEN_NEWS = 4
"""Of so many messages, one has news of what is not in sight before those of what is: that may have changed unheard."""


class Schedule:
    """The keys of one channel, and the queue of what is to be sent of them."""

    def __init__(self, contents: Sequence[Content], state: ChannelState, clients: Clients, *, reports: bool) -> None:
        """`reports`: what fails is listed among the problems of the logs."""
        self._state = state
        self._queue = state.queue
        self._listing = state.listing
        self.catalog = Catalog(contents, state.listing)
        self.streams = {content.kind: _stream(content, state) for content in contents}
        self._series = {kind for kind, stream in self.streams.items() if isinstance(stream, SeriesStream)}
        self.failures = Failures(state.logs.source if reports else None)
        self.numbers = RunNumbers(state.logs.source)
        self._clients = clients
        self._is_ordered = True
        """What waits to be sent in full comes in order of the runs that are shown first."""

    def draft(self) -> Draft:
        """A message that is begun: what was read for the one before may have changed.

        It names the runs whose numbers changed: until the next keyframe their lines had others' colors.
        """
        self._state.ahead.clear()
        draft = Draft(self.numbers.of)
        for run in list(self.numbers.changed):
            if draft.space < CONTENT_BYTES / 2:
                break
            draft.add_run(run)
        return draft

    def list_keys(self, *, ready: bool) -> list[str]:
        """Compare the logs' keys with ours, and put in order all that waits; returns the kinds that have data."""
        all_tags = self._state.logs.tags()
        new, gone, changed = self.catalog.compare(all_tags)
        self._is_ordered = False
        for key in gone:
            self.remove(key)
        for key in changed:
            self._queue.add(Urgency.NEWS, key)
        self.add(new, ready=ready)
        queue = self._queue
        for urgency in (Urgency.NEW, Urgency.UNASKED, Urgency.NEWEST_BLOB):
            queue.set(urgency, self._listing.sorted(queue[urgency]))
        queue.set(Urgency.WANTED, [key for key in self._keys_on_screen() if key in queue[Urgency.WANTED]])
        return list(all_tags)

    def add(self, keys: Iterable[Key], *, ready: bool) -> None:
        """Line up new keys: coarsely soon, in full later."""
        new = self.catalog.add(keys)
        self._report_long_names()
        self._is_ordered = False
        for key in new:
            self.streams[key.kind].add(key, fine=False)
        self.numbers.update(self.catalog.runs, ready=ready)
        few = self._few()
        on_screen = self._state.on_screen = self._groups_on_screen()
        for key in new:
            if key in self.catalog.keys:  # what turns out to be gone is removed on the way
                stream = self.streams[key.kind]
                if few:
                    stream.add(key, fine=True)
                self._queue.add(Urgency.NEW, key)
                unasked = stream.unasked()
                is_first = key.kind in self._series and (key.kind, key.tag) in on_screen
                self._queue.add(Urgency.WANTED if is_first else unasked, key)

    def _report_long_names(self) -> None:
        """Make problems of keys that never fit into a message because of their names."""
        for key in self.catalog.long_names:
            if self.failures.get(key) is None:
                reason = Reason("long-name", bytes=longest_name(key), most=LONGEST_NAME)
                self.failures.add(key, ValueError(reason), float("-inf"))

    def remove(self, key: Key) -> None:
        """A key vanished, which only a keyframe tells."""
        self.catalog.remove(key)
        self.streams[key.kind].remove(key)
        self._queue.remove(key)
        self.failures.clear(key)
        self._state.pace.relist()

    def refuse(self, urgency: Urgency, key: Key) -> None:
        """There is no room for what was to be sent of a key: nothing more of it is sent."""
        self._state.room.refuse(key, is_named=urgency not in (Urgency.KEYFRAME, Urgency.NEW))
        self.streams[key.kind].reset(key)
        self._queue.remove(key)

    def begin_keyframe(self, *, asked: bool, known: bool) -> None:
        """Everything is to be named. `asked`: by one who may hold nothing; `known`: some browser was heard."""
        state, queue = self._state, self._queue
        self._is_ordered = False
        few = self._few()
        order = self._listing.order()
        # Behind the first screen comes what was never sent: not again and again only what was.
        queue.set(Urgency.KEYFRAME, (*order[:FIRST_KEYS], *queue[Urgency.NEW], *order))
        queue.set(Urgency.NEW, ())
        for stream in self.streams.values():
            stream.begin_keyframe(few=few, asked=asked)
        # A browser that may hold nothing gets everything in full; one that is only assured of what it holds does not.
        if asked or not known:
            state.needed_since = state.keyframe
            queue.set(Urgency.WANTED, [key for key in self._keys_on_screen() if key.kind in self._series])
        if asked:
            state.zoom.forget()
            queue.set(Urgency.DETAIL, self._in_detail())
            unasked = [key for key in order if key.kind in self._series and key not in queue[Urgency.WANTED]]
            queue.set(Urgency.UNASKED, unasked)

    def apply_viewports(self) -> None:
        """The viewports are others than before."""
        state, before = self._state, self._state.in_view
        state.in_view = self._clients.groups
        if any(group not in before for group in state.in_view):
            state.pace.end_rest()
        state.on_screen = self._groups_on_screen()
        self._queue.resume_all()
        state.zoom.set_focus(focus_of(self._clients.viewports))
        self._queue.set(Urgency.DETAIL, self._in_detail())

    def put_newest_first(self) -> None:
        """Of very many runs send those in full first that are shown until somebody chooses.

        Called once all is named: until then it is not known which these are.
        """
        queue = self._queue
        if self._is_ordered or queue[Urgency.KEYFRAME] or queue[Urgency.NEW]:
            return
        self._is_ordered = True
        newest = self._state.newest.among(self.catalog.runs)
        if newest is not None:
            for urgency in (Urgency.WANTED, Urgency.UNASKED):
                queue.set(urgency, sorted(queue[urgency], key=lambda key: key.run not in newest))

    def want(self, viewport: Viewport) -> None:
        """Send what a viewport shows before all that nobody looks at any more."""
        queue, in_view = self._queue, self._state.in_view
        wanted: dict[Urgency, list[Key]] = {Urgency.WANTED: [], Urgency.WANTED_BLOB: []}
        for group in viewport.groups:
            for key in self._listing.of(group):
                for urgency in self.streams[key.kind].wanted(key, viewport.seq, lacking=group in viewport.lacking):
                    wanted[urgency].append(key)
        if (runs := viewport.runs) is not None:
            for keys in wanted.values():
                keys.sort(key=lambda key: escape_surrogates(key.run) not in runs)
        for urgency, later in ((Urgency.WANTED, Urgency.UNASKED), (Urgency.WANTED_BLOB, Urgency.NEWEST_BLOB)):
            others = list(queue[urgency])
            queue.set(urgency, [*wanted[urgency], *(key for key in others if (key.kind, key.tag) in in_view)])
            queue.prepend(later, [key for key in others if key not in queue[urgency]])

    def first_news_blob(self) -> Key:
        """The first that is in sight, as far as is known, but of each fourth message one that is not."""
        queue, in_view = self._queue[Urgency.NEWS_BLOB], self._state.in_view
        in_sight = self._state.seq % UNSEEN_NEWS != 0
        found = (key for key in queue if ((key.kind, key.tag) in in_view) == in_sight)
        return next(found, next(iter(queue)))

    def _in_detail(self) -> Iterable[Key]:
        """The series that a viewport looks at closely."""
        series = [group for group in self._state.in_view if group.kind in self._series]
        return self._state.zoom.line_up(series, self._listing)

    def _groups_on_screen(self) -> dict[Group, None]:
        return dict.fromkeys((*self._state.in_view, *self._listing.first_groups()))

    def _keys_on_screen(self) -> list[Key]:
        return [key for group in self._groups_on_screen() for key in self._listing.of(group)]

    def _few(self) -> bool:
        """All that there is fits into one message."""
        keys = self.catalog.keys
        if len(keys) > FEW_KEYS:
            return False
        try:
            sizes = [self.streams[key.kind].size(key) for key in list(keys) if self.failures.get(key) is None]
        except KeyboardInterrupt:
            raise
        except BaseException:  # noqa: BLE001 (which of them fails is seen when it is sent)
            return False
        return sum(sizes) < self._state.room.few


def _stream(content: Content, state: ChannelState) -> Stream:
    if isinstance(content, SeriesContent):
        return SeriesStream(content, state)
    if isinstance(content, ItemsContent):
        return ItemsStream(content, state)
    if isinstance(content, DocumentContent):
        return DocumentStream(content, state)
    raise TypeError(f"{content!r} is of none of the three sorts of content")
