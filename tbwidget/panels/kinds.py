"""The kinds of series that travel. Which series says something next, the feed decides; what it says, its kind.

A kind is registered here, and in js/src/wire/kinds.ts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from tbwidget.panels.histograms import HistogramsKind
from tbwidget.panels.scalars import ScalarsKind

if TYPE_CHECKING:
    from tbwidget.logs import LogDir
    from tbwidget.panels.columns import Columns
    from tbwidget.panels.times import Timed


class Crowd(NamedTuple):
    """How many series there are: in a crowd each says less."""

    series: int
    """Of all kinds."""
    runs: int
    """Under the same tag."""


class Part(Protocol):
    """What a series has to say."""

    @property
    def keep(self) -> int:
        """Rows that the browser keeps of those it has; 0: this is all."""

    @property
    def sent(self) -> Any:
        """What the browser holds then, if it saw every message; equal to what it holds when there is no more to say."""


class Kind(Protocol):
    """One kind of series, as `LogDir.tags` names it. Series, parts and what was sent are its own."""

    most_bytes: int
    """What a series takes in a message at most, without names: something new, and once more coarsely."""
    unasked_bytes: int
    """Series that nobody is known to look at travel in full until about this much has gone; the others stay coarse."""
    is_cheap: bool
    """To read a series costs next to nothing: what is not looked at may be sent in full over and over."""
    first_tags: int
    """Tags, in natural order, that travel in full before any other: about a first screen."""

    links: bool
    """The row of the step that is pointed out, and its neighbours, are worth sending on their own."""

    def read(self, logs: LogDir, run: str, tag: str) -> Timed:
        """The series; raises KeyError."""

    def weight(self, series: Any) -> int:
        """Bytes that it takes in full, about."""

    def rest(self, crowd: Crowd) -> float:
        """Seconds between two news of it at least, where to read them costs the cell that trains something."""

    def is_small(self, series: Any, crowd: Crowd) -> bool:
        """Whether its coarse version is its full one."""

    def next_part(self, series: Any, sent: Any, crowd: Crowd, *, fine: bool) -> Part | None:
        """What to send so that the browser holds it coarsely, or in full; None when it already does.

        `sent` is what it holds, None when nothing (or nothing certain). Sending parts one after the other always ends
        in the same rows as sending the grown series at once.
        """

    def entry(self, series: Any, part: Any, columns: Columns, run: str) -> dict[str, Any]:
        """The part as it travels, without its names; its columns are added to those of the message."""

    def stretch(self, series: Any, sent: Any, inside: range, share: float) -> tuple[range, int] | None:
        """A stretch of a long series that holds the rows `inside`, closer than its full version has it.

        Returns the range of its rows, and how far rows of the full version are apart; None where there is nothing to
        gain. `share` is that of a stretch's usual size that it may have, from 0 to 1.
        """

    def around(self, series: Any, sent: Any, at: int, share: float) -> tuple[range, int] | None:
        """The row at that place and its neighbours, likewise: few, as they follow the step that the user points out."""

    def stretch_entry(self, series: Any, stretch: range, columns: Columns, run: str) -> dict[str, Any]:
        """A stretch as it travels: like a part, but that it begins at place `from`, and `total` is its own length."""


KINDS: dict[str, Kind] = {"scalars": ScalarsKind(), "histograms": HistogramsKind()}
"""In the order in which they travel, by the names that `LogDir.tags` gives them."""
