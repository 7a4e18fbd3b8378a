"""Groups of files that a storage fetches at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from tbwidget.records.files.storage import Range, Storage

_Item = TypeVar("_Item")


def fetch_groups(
    storage: Storage, wanted: Iterable[tuple[_Item, list[Range]]], first: int
) -> Iterator[tuple[list[_Item], list[Range]]]:
    """Group files, each with the ranges to read, as the storage fetches them at once; `first` in the first group."""
    group: list[_Item] = []
    ranges: list[Range] = []
    size, most = 0, first
    for item, more in wanted:
        added = storage.fetch_size(more)
        if group and (len(group) >= most or size + added > storage.bytes_at_once > 0):
            yield group, ranges
            group, ranges, size, most = [], [], 0, storage.files_at_once
        group.append(item)
        ranges += more
        size += added
    if group:
        yield group, ranges
