"""The state that the streams of one channel share."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from tbwidget.wire.keys import NewestRuns

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from tbwidget.logs.accessors import Logs
    from tbwidget.wire.columns import Timed
    from tbwidget.wire.content import Key
    from tbwidget.wire.keys import Group, Keys
    from tbwidget.wire.message import ByteBudget
    from tbwidget.wire.plan import Backlog, Priority
    from tbwidget.wire.scheduler import SendScheduler
    from tbwidget.wire.status import Status
    from tbwidget.wire.worker import Workers

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
    """Data that were read for this message before their turn came."""

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
        prepare: Callable[[Sequence[Any]], Sequence[Any]] | None = None,
    ) -> Any:
        """Read a key as `read` does, together with the next keys, because each wait for the reader is long.

        `prepare` makes the read series ready to be sent, all at once.
        """
        if key not in self.ahead and self.backlog[priority]:
            following = [each for each in islice(self.backlog[priority], _AHEAD) if each.kind == key.kind]
            found: dict[Key, Any] = {}
            with self.logs.source.exclusive():
                for each in (key, *following):
                    try:
                        found[each] = read(self.logs, each.run, each.tag)
                    except KeyboardInterrupt:
                        raise
                    except BaseException:  # noqa: BLE001 (what fails is seen when its turn comes)
                        break
            if prepare is not None:
                try:
                    found = dict(zip(found, prepare(list(found.values())), strict=True))
                except KeyboardInterrupt:
                    raise
                except BaseException:  # noqa: BLE001, S110 (likewise: each is sent as it was read)
                    pass
            self.ahead |= found
        return self.ahead[key] if key in self.ahead else self.read(read, key)

    def read(self, read: Callable[[Logs, str, str], _Read], key: Key) -> _Read:
        """Return what a content's `read` gives of a key. GoneError if it is gone."""
        try:
            return read(self.logs, key.run, key.tag)
        except KeyError as error:
            raise GoneError from error
