"""Answers to requests about scalars: superseded points, which a series leaves out, and all points as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tbwidget.panels.scalar_buckets import extremes
from tbwidget.panels.tables import POINT_BYTES, Rows, table_of
from tbwidget.reasons import Reason
from tbwidget.records.indices import reduceat
from tbwidget.wire.content import Answer, Refusal, from_wire_names

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from tbwidget.logs.accessors import Logs
    from tbwidget.logs.series import Scalars


_COLUMNS = ("step", "wall_time", "value")

MAX_POINTS = 20_000
"""Upper bound for the points of an answer. Beyond it, minimum and maximum of each bucket are sent."""


def superseded(logs: Logs, args: Mapping[str, Any], _is_cancelled: Callable[[], bool]) -> Answer:
    """Answer with the superseded points of `run` and `tag` in the order written: steps, wall times and values."""
    run, tag = args.get("run"), args.get("tag")
    if not isinstance(run, str) or not isinstance(tag, str):
        raise Refusal(Reason("malformed-request", expected="a series"))
    run, tag = from_wire_names(logs, "scalars", run, tag)
    try:
        written, held = logs.scalars(run, tag, superseded=True), logs.scalars(run, tag)
    except KeyError:
        raise Refusal(Reason("series-gone")) from None
    rows = left_out(written, held)
    few = few_places(written.value[rows], MAX_POINTS)
    rows = rows[few]
    columns = (
        written.step[rows].astype("<i8"),
        written.wall_time[rows].astype("<f8"),
        written.value[rows].astype("<f8"),
    )
    return Answer({"points": len(rows)}, b"".join(column.tobytes() for column in columns))


def left_out(written: Scalars, held: Scalars) -> NDArray[np.intp]:
    """Return the rows of `written` that `held` lacks. `held` is a reordered subset of `written`."""
    columns = [np.concatenate((getattr(written, name), getattr(held, name))).view(np.int64) for name in _COLUMNS]
    # Sort equal points together: within a group, `written` in its order, then `held`.
    order = np.lexsort(columns)
    total = len(written)
    begins = np.zeros(len(order), np.bool_)
    begins[:1] = True
    for column in columns:
        ordered = column[order]
        begins[1:] |= ordered[1:] != ordered[:-1]
    group = np.cumsum(begins) - 1
    of_written = order < total
    first = np.flatnonzero(begins)
    held_alike = reduceat(np.add, ~of_written, first) if len(first) else first
    written_alike = np.diff(np.append(first, len(order))) - held_alike
    # Within a group of equal points, the first ones were superseded.
    place = np.arange(len(order)) - first[group]
    missing = (written_alike - held_alike)[group]
    return np.sort(order[of_written & (place < missing)])


def few_places(values: NDArray[np.float64], most: int) -> NDArray[np.int64]:
    """Return the places of all values or, beyond `most`, of the minimum and maximum of each bucket."""
    if len(values) <= most:
        return np.arange(len(values))
    return extremes(values, -(-len(values) // (most // 2)))


def _rows_of(logs: Logs, run: str, tag: str, first: int, revision: int | None, room: int) -> Rows:
    series = logs.scalars(run, tag)
    first = first if revision == series.revision else 0
    rows = slice(first, first + max(1, room // POINT_BYTES))
    columns = (series.step[rows], series.wall_time[rows], None, (series.value[rows],))
    return Rows(first, len(series), series.revision, *columns)


scalars_table = table_of("scalars", _rows_of)
"""Answers with the points of series; the one column has their values."""
