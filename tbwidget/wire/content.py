"""The interface by which a panel puts its data on the wire: series, items and documents.

A `Content` is one kind of data as it travels. There are three sorts, one class each: of series rows are only appended,
items are an index that may change anywhere with blobs behind it, and documents are replaced as a whole. The channel
decides when a key is sent; a content reads the logs and encodes. Contents hold no state: all boards share
them, each with a thread of its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from tbwidget.reasons import text_reason
from tbwidget.texts import escape_surrogates
from tbwidget.wire.columns import Timed

if TYPE_CHECKING:
    from tbwidget.logs.accessors import Logs
    from tbwidget.wire.columns import Columns


class Group(NamedTuple):
    """A kind and a tag: what the runs of one card share."""

    kind: str
    tag: str


class Key(NamedTuple):
    """Names one series, one index of items, or one document."""

    kind: str
    """The kind of a `Content`."""
    run: str
    """Empty for a document of the whole directory (the run of its root is ".")."""
    tag: str
    """Empty for a document of a run or of the whole directory."""

    @property
    def group(self) -> Group:
        """Its kind and tag."""
        return Group(self.kind, self.tag)


class Series(Timed, Protocol):
    """Rows that are only appended as long as `revision` stays the same."""


class Index(Timed, Protocol):
    """The rows of items, which may be inserted into anywhere, and shrink, while `revision` stays the same."""

    @property
    def identity(self) -> Sequence[Hashable]:
        """One a row: the same for the same value, wherever later insertions move it."""


class Document(Protocol):
    """One value that is replaced as a whole."""

    @property
    def revision(self) -> Hashable:
        """Equal as long as the value is."""

    def encode(self) -> bytes:
        """The value as it travels; equal for equal revisions."""


class EncodedDocument(NamedTuple):
    """A document that is its own revision."""

    revision: bytes
    """The document as it travels."""

    def encode(self) -> bytes:
        """Return it."""
        return self.revision


class SeriesCounts(NamedTuple):
    """Number of series: the more they are, the less of each is prefetched."""

    total: int
    """Series of all kinds."""
    runs: int
    """Runs with the same kind and tag."""


class Reduced(NamedTuple):
    """How a browser that is short of memory holds the series of a tag that it shows."""

    width: int
    """Rows of the full version that one of its rows stands for, at most."""
    rows: int
    """Rows that a detail may have."""


class Part(Protocol):
    """A part of a series that is to be sent."""

    @property
    def keep(self) -> int:
        """Rows that the browser keeps of those it has; 0: the part holds all rows."""

    @property
    def sent(self) -> Any:
        """The rows of a client that saw every part. They equal the previous part's when nothing is left to send."""


class Content(ABC):
    """One kind of data on the wire; the base of all three sorts."""

    kind: str
    """Its name on the wire."""
    first_tags: int = 12
    """Tags, in the order of their cards, that travel in full before any other: about a first screen."""
    is_derived: bool = False
    """It is computed from other contents: when it changes, nothing new was read."""
    prefetch_bytes: int
    """Bytes of this content, about, that are sent in full although no view is known to show them."""

    @property
    def sources(self) -> tuple[str, ...]:
        """The kinds of `Logs.tags()` and of `Changes` that it is made of."""
        return (self.kind,)

    def saved(self) -> Content:
        """Return the content for saved pages, which do not tell where the logs are."""
        return self

    def listed(self, logs: Logs) -> Mapping[str, Sequence[str]]:  # noqa: ARG002 (a default)
        """Return by run what it is made of besides its sources: names that only have to differ where it does."""
        return {}

    def key_of(self, run: str, tag: str) -> tuple[str, str]:
        """Run and tag of the key that a listed run and tag belong to: itself, (run, "") or ("", "")."""
        return run, tag


class SeriesContent(Content):
    """Series of one kind. A content has types of its own for series, parts and sent rows.

    Sending parts one after the other always ends in the same rows as sending the grown series at once.
    """

    max_bytes: int
    """Upper bound for a series in a message, in bytes without names: new rows, and the coarse version."""
    cheap_to_read: bool = True
    """Reading a series costs next to nothing, so that those not on the screen may be sent in full again and again."""
    follows_linked_step: bool = False
    """The row of the linked step and its neighbors are worth sending on their own."""

    @abstractmethod
    def read(self, logs: Logs, run: str, tag: str) -> Series:
        """The series. Raises KeyError where it is gone."""

    def prepare(self, many: Sequence[Any], counts: SeriesCounts) -> Sequence[Any]:  # noqa: ARG002 (a default)
        """Return the same series, ready to be sent coarsely from their first row on.

        A content overrides this to compute something for several series at once. If it raises, each is sent as it was
        read.
        """
        return many

    @abstractmethod
    def full_size(self, series: Any) -> int:
        """Bytes that it takes in full, about."""

    def min_interval(self, counts: SeriesCounts) -> float:  # noqa: ARG002 (a default)
        """Seconds between two parts with new rows at least, where reading them costs the cell that trains."""
        return 0.0

    @abstractmethod
    def coarse_is_full(self, series: Any, counts: SeriesCounts) -> bool:
        """Whether its coarse version is its full one."""

    @abstractmethod
    def next_part(self, series: Any, sent: Any, counts: SeriesCounts, *, fine: bool) -> Part | None:
        """Return the part that a client lacks to hold it coarsely, or in full; None when it lacks nothing.

        `sent` tells what the client holds, as the last part has it; None when nothing is certain.
        """

    @abstractmethod
    def entry(self, series: Any, part: Any, columns: Columns, run: str) -> dict[str, Any]:
        """Return the part as it travels, without its names, and add its columns to the message."""

    @abstractmethod
    def detail(
        self, series: Any, sent: Any, inside: range, share: float, reduced: Reduced | None
    ) -> tuple[range, int] | None:
        """Return a segment around the rows `inside`, in narrower rows than the full version has.

        It is given as the range of its rows, and the width of the full version's rows; None where nothing is gained.
        `share` limits it to a part of a detail's usual size, from 0 to 1. `reduced` says how a client that is short of
        memory holds the series.
        """

    def linked_detail(self, series: Any, sent: Any, at: int, share: float) -> tuple[range, int] | None:  # noqa: ARG002
        """Return the linked step's row with its neighbors in the same form: few, as they follow every move."""
        return None

    @abstractmethod
    def detail_entry(self, series: Any, segment: range, columns: Columns, run: str) -> dict[str, Any]:
        """Return a detail as it travels: like a part, but it begins at row `from`, and `total` is its own length."""


class ItemsContent(Content):
    """Items of one kind: an index of rows in order of step, then sample, with one blob a row."""

    @abstractmethod
    def read(self, logs: Logs, run: str, tag: str) -> Index:
        """The index. Raises KeyError where it is gone."""

    @abstractmethod
    def entry(self, index: Any, rows: slice, columns: Columns) -> dict[str, Any]:
        """Columns and fields of these rows, beside step, wall time and id; columns are added to the message's."""

    @abstractmethod
    def blob(self, index: Any, row: int) -> bytes | Callable[[], bytes]:
        """Return the value of a row, or a function that makes it if that takes long, which a worker then calls.

        This may read the disk. An exception is shown in place of the value, a `Refusal` in its own words.
        """

    def reduced(self, blob: bytes) -> bytes | None:  # noqa: ARG002 (a default)
        """Return a smaller blob of the same value, for a saved page without room for the whole one; None for none."""
        return None


class DocumentContent(Content):
    """Documents of one kind: of each tag, each run, or the directory, as `key_of` says."""

    in_background: bool = False
    """To encode one takes long: a worker does that, and the document is named before it is made."""

    @abstractmethod
    def read(self, logs: Logs, run: str, tag: str) -> Document:
        """The document. Raises KeyError where it is gone."""


class Answer(NamedTuple):
    """The answer to a request."""

    value: Any = None
    """Small, as JSON."""
    data: bytes = b""
    """Large, in pieces behind it."""


class Refusal(Exception):  # noqa: N818 (an answer, not an error of the program)
    """A request is not answered; the reason is shown to people."""

    def __init__(self, reason: str) -> None:
        super().__init__(text_reason(reason))


Handler = Callable[["Logs", Mapping[str, Any], Callable[[], bool]], Answer]
"""Answers a request: (logs, args, is_cancelled). An exception refuses the request, with the error's name."""


def from_wire_names(logs: Logs, kind: str, run: str, tag: str) -> tuple[str, str]:
    """Return the names in the logs of a run and tag as a browser spells them; unchanged where there are none."""
    if (run + tag).isascii() and "\\" not in run + tag:
        return run, tag
    tags = logs.tags().get(kind, {})
    runs = [other for other in tags if escape_surrogates(other) == run]
    return next(((other, own) for other in runs for own in tags[other] if escape_surrogates(own) == tag), (run, tag))
