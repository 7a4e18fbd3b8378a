"""The points of scalars as a table, for saving as a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tbwidget.panels.tables import POINT_BYTES, Rows, table_of

if TYPE_CHECKING:
    from tbwidget.logs.accessors import Logs


def _rows_of(logs: Logs, run: str, tag: str, first: int, revision: int | None, room: int) -> Rows:
    series = logs.scalars(run, tag)
    first = first if revision == series.revision else 0
    rows = slice(first, first + max(1, room // POINT_BYTES))
    columns = (series.step[rows], series.wall_time[rows], None, (series.value[rows],))
    return Rows(first, len(series), series.revision, *columns)


scalars_table = table_of("scalars", _rows_of)
"""Answers with the points of series; the one column has their values."""
