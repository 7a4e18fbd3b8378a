"""The scalars panel: a series and what the browser already holds of it, in; the points to send, out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from tbwidget.panels.decimate import bucket_width, representatives

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WHOLE_SERIES = 4096
"""A series of up to this many points travels whole; a longer one as the extremes of buckets, no more than these."""


class Series(Protocol):
    """What is needed of `tbwidget.logs.Scalars`."""

    @property
    def step(self) -> NDArray[np.int64]:
        """Steps, in the order written."""

    @property
    def value(self) -> NDArray[np.float64]:
        """Values, as many."""

    @property
    def revision(self) -> int:
        """Changes when points did that were there before."""

    @property
    def superseded(self) -> int:
        """Points left out because a restart wrote them anew."""

    def __len__(self) -> int:
        """Points."""


@dataclass(frozen=True, slots=True)
class Sent:
    """What the browser holds of a series, if no message was lost."""

    revision: int
    total: int
    """Points of the series itself."""
    width: int
    """Points a bucket; 1 when the series travelled whole."""
    settled: int
    """Points held by the browser that further points of the series leave as they are."""
    points: int
    """Points held by the browser."""


@dataclass(frozen=True, slots=True)
class Part:
    """Points for the browser: it keeps the first `keep` of those it has and appends these."""

    keep: int
    step: NDArray[np.int64]
    value: NDArray[np.float64]
    sent: Sent


def next_part(series: Series, limit: int, sent: Sent | None) -> Part | None:
    """What to send so that the browser holds `series` in at most `limit` points; None when it already does.

    `sent` is what it holds, None when nothing (or nothing certain). Sending parts one after the other always ends in
    the same points as sending the grown series at once.
    """
    total = len(series)
    width = bucket_width(total, limit)
    continues = sent is not None and sent.revision == series.revision and sent.width == width and sent.total <= total
    if sent is not None and continues:
        if sent.total == total:
            return None
        start, keep = _open_bucket(sent.total, width), sent.settled
    else:
        start, keep = 0, 0
    chosen = representatives(series.value, width, start)
    open_from = _open_bucket(total, width)
    settled = keep + int(chosen.searchsorted(open_from))
    held = Sent(series.revision, total, width, settled, keep + len(chosen))
    return Part(keep, series.step[chosen], series.value[chosen], held)


def _open_bucket(total: int, width: int) -> int:
    """Index where the bucket begins that the next point may still change.

    A full last bucket counts as open too: it carries the last point of the series, which need not be an extreme.
    """
    return total if width == 1 else max(0, total - 1) // width * width
