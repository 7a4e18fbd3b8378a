"""Series as tables, bit for bit as the logs hold them: what the browser asks for to save them as a file.

An answer holds as much as fits; the browser asks for the rest, and begins again where the series is another by then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from tbwidget.reasons import Reason, plain_reason
from tbwidget.wire.content import Answer, Handler, Refusal, from_wire_names
from tbwidget.wire.message import wire_reason

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from tbwidget.logs.accessors import Logs

ANSWER_BYTES = 4_000_000
"""What an answer grows to, about; what is left then is to be asked for again."""

ANSWER_SERIES = 256
"""And series of one answer at most."""

POINT_BYTES = 24
"""What a row of one cell takes."""

_LONGEST_REASON = 300


class Rows(NamedTuple):
    """Consecutive rows of a series."""

    first: int
    """Place of the first one."""
    total: int
    """Rows of the whole series."""
    revision: int
    """While it stays the same, rows were only appended."""
    step: NDArray[np.int64]
    wall_time: NDArray[np.float64]
    lengths: NDArray[np.int64] | None
    """Cells of each row in the columns; None for one each."""
    columns: Sequence[NDArray[np.float64]]


Read: TypeAlias = "Callable[[Logs, str, str, int, int | None, int], Rows]"
"""Takes logs, run, tag, the first row, the revision that this counts for, and how many bytes there is room for."""


def table_of(kind: str, read: Read) -> Handler:
    """Make what answers for one kind of series.

    `series`: a list of [run, tag, first row, revision]; with another revision than this one, or with null, all begins
    at row 0. The answer's value has an entry for each: {"first", "rows", "cells", "total", "revision"}, where `cells`
    are those of all its rows in each column, {"reason": text} where there is none, or {"later": true} where the answer
    has grown too large. Its data are, for each entry in turn, the columns one after the other in little-endian: steps
    as int64, wall times as float64, where a row has several cells their numbers as int64, then the values as float64.
    """

    def table(logs: Logs, args: Mapping[str, Any], is_cancelled: Callable[[], bool]) -> Answer:
        wanted = args.get("series")
        if not isinstance(wanted, list):
            raise Refusal(Reason("malformed-request", expected="a list of series"))
        entries: list[dict[str, Any]] = []
        parts: list[bytes] = []
        size = 0
        for number, asked in enumerate(wanted):
            if is_cancelled():
                raise Refusal(Reason("canceled"))
            if size >= ANSWER_BYTES or number >= ANSWER_SERIES:
                entries.extend({"later": True} for _ in wanted[number:])
                break
            try:
                rows = _asked(logs, kind, read, asked, ANSWER_BYTES - size)
            except (KeyError, ValueError) as error:
                entries.append(wire_reason(plain_reason(error)))
                continue
            entries.append(
                {
                    "first": rows.first,
                    "rows": len(rows.step),
                    "cells": len(rows.columns[0]),
                    "total": rows.total,
                    "revision": rows.revision,
                }
            )
            part = _bytes_of(rows)
            parts.append(part)
            size += len(part)
        return Answer(entries, b"".join(parts))

    return table


def _asked(logs: Logs, kind: str, read: Read, asked: object, room: int) -> Rows:
    match asked:
        case [str(run), str(tag), int(first), int() | None as revision] if first >= 0:
            return read(logs, *from_wire_names(logs, kind, run, tag), first, revision, room)
        case _:
            raise ValueError(Reason("malformed-request", expected="run, tag, first row and revision"))


def _bytes_of(rows: Rows) -> bytes:
    lengths = [] if rows.lengths is None else [rows.lengths.astype("<i8")]
    columns = [rows.step.astype("<i8"), rows.wall_time.astype("<f8"), *lengths]
    return b"".join(column.tobytes() for column in (*columns, *(one.astype("<f8") for one in rows.columns)))
