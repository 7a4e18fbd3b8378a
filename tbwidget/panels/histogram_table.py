"""The bins of histograms as a table, for saving as a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tbwidget.panels.tables import POINT_BYTES, Rows, table_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tbwidget.logs.accessors import Logs

_READ_HISTOGRAMS = 32
"""Histograms to read at once. More of them, with a hundred thousand bins each, would fill the memory."""


def _rows_of(logs: Logs, run: str, tag: str, first: int, revision: int | None, room: int) -> Rows:
    series = logs.histograms(run, tag)
    first = first if revision == series.revision else 0
    total = len(series)
    end, size = first, 0
    lengths: list[NDArray[np.int64]] = [np.empty(0, np.int64)]
    columns: list[list[NDArray[np.float64]]] = [[np.empty(0)], [np.empty(0)], [np.empty(0)]]
    while end < total and size < room:
        few = range(end, min(total, end + _READ_HISTOGRAMS))
        held = series.decode(few)
        lengths.append(np.diff(held.offsets))
        for column, more in zip(columns, (held.left, held.right, held.counts), strict=True):
            column.append(more)
        size += POINT_BYTES * (len(few) + len(held.counts))
        end = few.stop
    cells = [np.concatenate(column) for column in columns]
    step, wall_time = series.step[first:end], series.wall_time[first:end]
    return Rows(first, total, series.revision, step, wall_time, np.concatenate(lengths), cells)


histograms_table = table_of("histograms", _rows_of)
"""Answers with the bins of histograms; columns: left edges, right edges, counts. An unreadable one has no bins."""
