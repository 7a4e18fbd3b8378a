"""The state of one channel and of its keys, and the base class of the streams that send them."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tbwidget.wire.keys import NewestRuns
from tbwidget.wire.plan import Priority

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from tbwidget.logs.accessors import Logs
    from tbwidget.wire.columns import Timed
    from tbwidget.wire.content import Group, Key
    from tbwidget.wire.keys import Keys
    from tbwidget.wire.message import Blob, ByteBudget, MessageBuilder
    from tbwidget.wire.plan import Backlog, SendScheduler
    from tbwidget.wire.status import Status
    from tbwidget.wire.worker import Worker, Workers

_AHEAD = 200
"""Keys that are read at once."""

_Read = TypeVar("_Read")


class GoneError(Exception):
    """The logs do not hold a key any more."""


@dataclass(slots=True)
class ChannelState:
    """Owned by the thread that sends."""

    logs: Logs
    keys: Keys
    backlog: Backlog
    scheduler: SendScheduler
    status: Status
    workers: Workers | None
    """Make what takes long; None: it is made where it is sent."""
    budget: ByteBudget
    """Bytes that its messages may take."""
    blobs_until: float = float("inf")
    """When no further blob is to be made for this message; of the real clock."""
    seq: int = 0
    """Number of the last message."""
    keyframe: int = 0
    """Number of the keyframe that began last."""
    full_required_since: int = 0
    """The last keyframe that began for browsers that may hold nothing: everything is to be sent in full again."""
    was_ready: bool = False
    """The first pass over the directory had ended when the last message was composed."""
    series_count: int = 0
    """Series of all kinds."""
    on_screen: Collection[Group] = field(default_factory=dict)
    """Groups of the reported viewports, and the first groups in order."""
    in_view: Collection[Group] = field(default_factory=frozenset)
    """Groups of the reported viewports alone."""
    newest: NewestRuns = field(default_factory=NewestRuns)
    """The runs that are shown first, if there are very many."""
    ahead: dict[Key, Any] = field(default_factory=dict)
    """Series that were read for this message before their turn came."""

    @property
    def visible(self) -> Collection[Group]:
        """Groups on the screen: the reported ones, else the first ones in order."""
        return self.in_view or self.on_screen

    def note_rows(self, key: Key, rows: Timed) -> None:
        """Rows of a key travel."""
        self.status.note_newest(key, rows)
        self.newest.note(key.run, rows)

    def read_ahead(
        self,
        read: Callable[[Logs, str, str], Any],
        key: Key,
        priority: Priority,
        prepare: Callable[[Sequence[Any]], Sequence[Any]],
    ) -> Any:
        """Read a series as `read` does, together with the next ones, because each wait for the reader is long.

        `prepare` makes the series ready to be sent, all at once. Without it, the coarse versions of 2,000 series take
        twice as long while a cell computes in Python.
        """
        if key not in self.ahead and self.backlog[priority]:
            following = [each for each in islice(self.backlog[priority], _AHEAD) if each.kind == key.kind]
            found: dict[Key, Any] = {}
            try:
                with self.logs.source.exclusive():
                    for each in (key, *following):
                        found[each] = read(self.logs, each.run, each.tag)
            except KeyboardInterrupt:
                raise
            except BaseException:  # noqa: BLE001, S110 (what fails is seen when its turn comes)
                pass
            try:
                found = dict(zip(found, prepare(list(found.values())), strict=True))
            except KeyboardInterrupt:
                raise
            except BaseException:  # noqa: BLE001, S110 (each is sent as it was read)
                pass
            self.ahead |= found
        return self.ahead[key] if key in self.ahead else self.read(read, key)

    def read(self, read: Callable[[Logs, str, str], _Read], key: Key) -> _Read:
        """Return what a content's `read` gives of a key. GoneError if it is gone."""
        try:
            return read(self.logs, key.run, key.tag)
        except KeyError as error:
            raise GoneError from error


@dataclass(slots=True)
class KeyState:
    """State of one key: how much of it clients hold if no message was lost, and the blob under way."""

    keyframe: int = 0
    """Last keyframe that began before a series was sent from its first row on, or a document's revision was named."""
    sent_seq: int = 0
    """Last message in which it was sent whole, at its present resolution."""
    open: Blob | None = None
    """Blob whose pieces were not all sent."""


_KeyState = TypeVar("_KeyState", bound=KeyState)


class Stream(Generic[_KeyState]):
    """Sends the keys of one content. Each sort of content has a subclass."""

    prefetch = Priority.NEWEST_BLOB
    """How more of a new key off the screen is sent."""

    def __init__(self, state: ChannelState, new: Callable[[], _KeyState], worker: Worker | None = None) -> None:
        self._state = state
        self._new = new
        self._worker = worker
        self._keys: dict[Key, _KeyState] = {}
        self._prefetched_bytes = 0

    def add(self, key: Key) -> None:
        """Add a key that appeared."""
        self._keys[key] = self._new()

    def remove(self, key: Key) -> None:
        """Remove a key that vanished."""
        self._withdraw(key, self._keys.pop(key))

    def reset(self, key: Key) -> None:
        """Forget what clients hold of a key."""
        self._withdraw(key, self._keys[key])
        self._keys[key] = self._new()

    def send_in_full(self, key: Key) -> None:
        """Send a key in full at once. Only series have another version."""

    def begin_keyframe(self, *, asked: bool, for_new_clients: bool) -> None:
        """Begin a keyframe, which a client asked for, or which clients that hold nothing may need."""

    def may_prefetch(self) -> bool:
        """Whether keys off the screen may be sent now."""
        return True

    def _withdraw(self, key: Key, state: _KeyState) -> None:
        """Make nothing of a key that was not begun."""

    def _send_open(self, builder: MessageBuilder, blob: Blob, *, is_prefetch: bool) -> bool:
        """Add pieces of a blob to the message; return whether the blob is complete then."""
        before = builder.size
        is_complete = blob.send(builder)
        self._prefetched_bytes += builder.size - before if is_prefetch else 0
        return is_complete
