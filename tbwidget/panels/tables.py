"""Series as tables, bit for bit as in the logs. The browser requests them to save a file.

An answer holds as much as fits. The browser asks again for the rest, and starts over if the series was replaced.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from tbwidget.panels.answer_list import Entry, answer_list
from tbwidget.reasons import Reason
from tbwidget.wire.content import Answer, Handler, Refusal, from_wire_names

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from tbwidget.logs.accessors import Logs

ANSWER_BYTES = 4_000_000
"""Size at which an answer is full; the browser asks again for the rest."""

POINT_BYTES = 24
"""Bytes of a row of one cell."""


class Rows(NamedTuple):
    """Consecutive rows of a series."""

    first: int
    """Index of the first row."""
    total: int
    """Rows of the whole series."""
    revision: int
    """Revision of the series. While it stays the same, rows are only appended."""
    step: NDArray[np.int64]
    wall_time: NDArray[np.float64]
    lengths: NDArray[np.int64] | None
    """Number of cells of each row; None if each has one."""
    columns: Sequence[NDArray[np.float64]]


Read: TypeAlias = "Callable[[Logs, str, str, int, int | None, int], Rows]"
"""Reads rows. Takes logs, run, tag, the first row, the revision that this index belongs to, and a byte budget."""


def table_of(kind: str, read: Read) -> Handler:
    """Return a handler that answers with rows of one kind of series.

    `series`: a list of [run, tag, first row, revision]. With an outdated revision, or null, rows begin at 0. The answer
    is a list, see `answer_list`. The entry of a series is {"first", "rows", "cells", "total", "revision"}, where
    `cells` is the number of cells of all its rows in each column. Its data are little-endian columns: steps as int64;
    wall times as float64; if rows have several cells, their numbers as int64; then the values as float64.
    """

    def table(logs: Logs, args: Mapping[str, Any], is_cancelled: Callable[[], bool]) -> Answer:
        wanted = args.get("series")
        if not isinstance(wanted, list):
            raise Refusal(Reason("malformed-request", expected="a list of series"))
        return answer_list(
            wanted, lambda series, room: _entry(_requested(logs, kind, read, series, room)), is_cancelled, ANSWER_BYTES
        )

    return table


def _requested(logs: Logs, kind: str, read: Read, series: object, room: int) -> Rows:
    match series:
        case [str(run), str(tag), int(first), int() | None as revision] if first >= 0:
            return read(logs, *from_wire_names(logs, kind, run, tag), first, revision, room)
        case _:
            raise ValueError(Reason("malformed-request", expected="run, tag, first row and revision"))


def _entry(rows: Rows) -> Entry:
    fields = {
        "first": rows.first,
        "rows": len(rows.step),
        "cells": len(rows.columns[0]),
        "total": rows.total,
        "revision": rows.revision,
    }
    return fields, _bytes_of(rows)


def _bytes_of(rows: Rows) -> bytes:
    lengths = [] if rows.lengths is None else [rows.lengths.astype("<i8")]
    columns = [rows.step.astype("<i8"), rows.wall_time.astype("<f8"), *lengths]
    return b"".join(column.tobytes() for column in (*columns, *(one.astype("<f8") for one in rows.columns)))
