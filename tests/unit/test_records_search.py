"""The search behind damage: one piece at a time, with the same result as a search in one go."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tbwidget.records import limits, resync
from tests.support.eventfiles import record
from tests.support.recordfiles import Kept, read, record_file, step
from tests.unit.test_records_damage import body, cold

_PIECE = 1 << 14


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resync.Search.search, "__defaults__", (_PIECE,))
    monkeypatch.setattr(limits, "MAX_SEARCH_BYTES", _PIECE)


def noise(size: int) -> bytes:
    """Make bytes in which no header begins."""
    return b"\xff" * size


def test_a_reading_searches_a_piece_and_the_next_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(record(body(0)) + noise(20 * _PIECE) + record(body(1)) + record(body(2)))
    file, kept, readings = record_file(path), Kept(), 1
    while step(file, kept):
        readings += 1
        assert file.tail is None
    assert readings > 20
    assert kept.records == [body(0), body(1), body(2)]
    assert [place.offset for place in file.damage] == [len(record(body(0)))]


@pytest.mark.parametrize("change", ["grown", "completed", "overwritten", "cut", "replaced"])
def test_a_file_that_changes_during_the_search_ends_as_a_cold_reading(tmp_path: Path, change: str) -> None:
    path = tmp_path / "file"
    first, long = record(body(0)), record(b"x" * 30 * _PIECE)
    begun = long[: 20 * _PIECE] if change == "completed" else noise(20 * _PIECE)
    path.write_bytes(first + begun)
    file, kept = record_file(path), Kept()
    for _ in range(6):
        assert step(file, kept)
    if change == "grown":
        path.write_bytes(first + begun + record(body(1)))
    elif change == "completed":  # the bytes contain something that looks like a record
        path.write_bytes(first + long + record(body(1)))
    elif change == "overwritten":
        path.write_bytes(first + record(body(1)) + noise(20 * _PIECE))
    elif change == "cut":
        path.write_bytes(first + noise(100))
    else:
        path.with_name("other").write_bytes(record(body(7)) + noise(20 * _PIECE) + record(body(1)))
        path.with_name("other").replace(path)
    read(file, kept)
    assert (kept.records, file.damage, file.tail) == cold(path)


def test_searching_a_long_cut_record_in_pieces_gives_the_same_result(tmp_path: Path) -> None:
    path = tmp_path / "file"
    inner = noise(9 * _PIECE) + record(body(1))
    path.write_bytes(record(body(0)) + record(inner + noise(30 * _PIECE))[: 15 * _PIECE])
    assert cold(path)[0] == [body(0), body(1)]


def test_a_hole_costs_nothing(tmp_path: Path) -> None:
    """100 GB that were never written; a valid record behind them is found."""
    path = tmp_path / "file"
    path.write_bytes(record(body(0)) + noise(100))
    os.truncate(path, 100 << 30)
    with path.open("rb") as file:
        tells = hasattr(os, "SEEK_DATA") and os.lseek(file.fileno(), 0, os.SEEK_DATA) == 0
        if not tells or _next_data(file.fileno(), 1 << 20) is not None:
            pytest.skip("this file system does not tell where its holes are")
    records, damage, tail = cold(path)
    assert (records, damage) == ([body(0)], [])
    assert tail is not None
    with path.open("ab") as file:
        file.write(record(body(1)))
    records, damage, tail = cold(path)
    assert (records, len(damage), tail) == ([body(0), body(1)], 1, None)


def _next_data(descriptor: int, offset: int) -> int | None:
    try:
        return os.lseek(descriptor, offset, os.SEEK_DATA)
    except OSError:
        return None
