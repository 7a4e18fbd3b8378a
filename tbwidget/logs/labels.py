"""Labels of the vectors of an embedding, as tab-separated text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

_CHUNK_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Labels:
    """Labels of n vectors."""

    columns: tuple[str, ...]
    """Names of the columns; empty without a header, which only several columns have."""
    rows: list[str] | list[tuple[str, ...]] = field(repr=False)
    """One a vector; tuples if the columns have names."""


@dataclass(frozen=True, slots=True)
class FirstLabels:
    """The beginning of metadata, and the size of the whole."""

    labels: Labels
    """The first rows, with the first cells of each."""
    row_count: int
    """Rows of the whole."""
    column_count: int
    """Names of columns in the header; 0 without one."""
    is_ragged: bool
    """Some of the first rows have more or fewer cells than the header."""


def parse_labels(data: bytes, most_rows: int | None, most_columns: int | None) -> FirstLabels:
    """Parse the first rows and columns of tab-separated text; None: all.

    The first line names the columns if it has a tab (tensorboard/plugins/projector/vz_projector/data-provider.ts).
    """
    is_ended = data in (b"", b"\r") or data.endswith((b"\n", b"\n\r"))
    count = data.count(b"\n") + (0 if is_ended else 1)
    has_header = data.find(b"\t", 0, data.find(b"\n") if b"\n" in data else None) >= 0
    row_count = count - has_header
    rows = row_count if most_rows is None else min(row_count, most_rows)
    lines = islice(_lines(data), rows + has_header)
    if not has_header:
        return FirstLabels(Labels((), list(lines)), row_count, 0, is_ragged=False)
    most, is_ragged = -1 if most_columns is None else most_columns, False
    found: list[tuple[str, ...]] = []
    header = next(lines)
    tabs = header.count("\t")
    for line in lines:
        is_ragged = is_ragged or line.count("\t") != tabs
        found.append(_cells(line, most))
    return FirstLabels(Labels(_cells(header, most), found), row_count, tabs + 1, is_ragged)


def _cells(line: str, most: int) -> tuple[str, ...]:
    return tuple(line.split("\t", most)[: most if most >= 0 else None])


def _lines(data: bytes) -> Iterator[str]:
    # In chunks, between which other threads run.
    for chunk in _text_chunks(data):
        for line in chunk.decode("utf-8", "surrogateescape").split("\n"):
            yield line.removesuffix("\r")


def _text_chunks(data: bytes) -> Iterator[bytes]:
    """Pieces of a text that end before a line break, which is left out."""
    begin = 0
    while begin <= len(data):
        end = data.find(b"\n", begin + _CHUNK_BYTES)
        end = len(data) if end < 0 else end
        yield data[begin:end]
        begin = end + 1
