"""Metadata of points by columns, as they travel: numbers, or texts by their first appearance."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tbwidget.logs.vectors import Labels
from tbwidget.texts import escape_surrogates, shorten

MAX_COLUMNS = 1_000
MAX_CHARACTERS = 1_000
"""Characters of a text, or of a column's name; the rest is cut."""

ONLY_COLUMN = "label"
"""Name of a single column, whose file has no line of names."""

_TEXTS_AT_ONCE = 10_000  # that become JSON by one call, for which other threads wait


@dataclass(frozen=True)
class Column:
    """One column: its fields as JSON but `offset`, without the braces, and its array."""

    head: str
    array: npt.NDArray[np.float64] | npt.NDArray[np.uint32]

    @property
    def size(self) -> int:
        """Bytes, about."""
        return len(self.head) + self.array.nbytes


def columns_of(labels: Labels, points: int, max_bytes: int) -> tuple[list[Column], int]:
    """Return the columns that fit into `max_bytes`, a cell for each of the `points`, and how many are left out.

    Points beyond the rows have empty cells.
    """
    names = _names(labels.columns or (ONLY_COLUMN,))
    found: list[Column] = []
    for place, name in enumerate(names):
        if max_bytes < 8 * points:
            break
        column = _column(name, _Cells(labels, place, points))
        if column.size <= max_bytes:
            found.append(column)
            max_bytes -= column.size
    return found, max(1, len(labels.columns)) - len(found)


def _names(written: Sequence[str]) -> list[str]:
    """The names of the columns that are sent, by which the page tells them apart: none is blank, none comes twice."""
    taken: set[str] = set()
    names = []
    for place, name in enumerate(written[:MAX_COLUMNS]):
        own = escape_surrogates(shorten(name, MAX_CHARACTERS))
        own = own if own.strip() else f"column {place + 1}"
        unique, times = own, 1
        while unique in taken:
            times += 1
            unique = f"{own} ({times})"
        taken.add(unique)
        names.append(unique)
    return names


class _Cells:
    """The cells of one column, one a point."""

    def __init__(self, labels: Labels, place: int, points: int) -> None:
        self._rows: Sequence[str | tuple[str, ...]] = labels.rows
        self._place, self.points = place, points

    def __iter__(self) -> Iterator[str]:
        """Go through them in Python, where other threads come in between."""
        place, rows = self._place, self._rows
        for number in range(min(self.points, len(rows))):
            row = rows[number]
            if isinstance(row, str):
                yield row
            else:
                yield row[place] if place < len(row) else ""
        for _ in range(self.points - len(rows)):
            yield ""


def _column(name: str, cells: _Cells) -> Column:
    numbers = _numbers(cells)
    if numbers is not None:
        return Column(f'"name":{json.dumps(name)},"sort":"number"', numbers)
    places: dict[str, int] = {}
    codes = np.fromiter((places.setdefault(cell, len(places)) for cell in cells), np.uint32, cells.points)
    texts = [escape_surrogates(shorten(text, MAX_CHARACTERS)) for text in places]
    parts = [
        json.dumps(texts[begin : begin + _TEXTS_AT_ONCE], separators=(",", ":"))[1:-1]
        for begin in range(0, len(texts), _TEXTS_AT_ONCE)
    ]
    return Column(f'"name":{json.dumps(name)},"sort":"text","values":[{",".join(parts)}]', codes)


def _numbers(cells: _Cells) -> npt.NDArray[np.float64] | None:
    """The cells as numbers, NaN where they are empty; None where one is none, or none is a number."""
    made = np.full(cells.points, np.nan)
    is_any = False
    for number, cell in enumerate(cells):
        if not cell:
            continue
        try:
            value = float(cell)
        except ValueError:
            return None
        if not math.isfinite(value) or "_" in cell:
            return None
        made[number] = value
        is_any = True
    return made if is_any else None
