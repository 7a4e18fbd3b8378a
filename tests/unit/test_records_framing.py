"""Framing finds what a plain walk over the records finds, and stops where that must stop."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tbwidget.records.checksums import masked_checksum
from tbwidget.records.framing import frame
from tests.support.eager import eager
from tests.support.eventfiles import record


def plain(data: bytes) -> tuple[list[int], list[int], int, bool]:
    """Walk record by record."""
    starts: list[int] = []
    lengths: list[int] = []
    position = 0
    while position + 12 <= len(data):
        length, checksum = struct.unpack_from("<QI", data, position)
        if masked_checksum(data[position : position + 8]) != checksum:
            return starts, lengths, position, True
        if position + 16 + length > len(data):
            break
        starts.append(position)
        lengths.append(length)
        position += 16 + length
    return starts, lengths, position, False


def check(data: bytes) -> None:
    frames = frame(data)
    assert (frames.starts.tolist(), frames.lengths.tolist(), frames.end, frames.damaged) == plain(data)


# A loop that writes `inner` records a step, with something longer now and then, as training does.
shapes = st.tuples(
    st.lists(st.integers(0, 300), min_size=1, max_size=40),
    st.integers(1, 400),
    st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 5000)), max_size=5),
)


def build(shape: tuple[list[int], int, list[tuple[int, int]]]) -> bytes:
    inner, turns, interruptions = shape
    lengths = inner * turns
    for place, length in interruptions:
        lengths.insert(place % (len(lengths) + 1), length)
    return b"".join(record(bytes(length)) for length in lengths[:6000])


@settings(max_examples=60)
@given(shapes)
def test_whole_files(shape: tuple[list[int], int, list[tuple[int, int]]]) -> None:
    check(build(shape))


@settings(max_examples=60)
@given(shapes, st.data())
def test_cut_and_changed_files(shape: tuple[list[int], int, list[tuple[int, int]]], data: st.DataObject) -> None:
    content = bytearray(build(shape))
    for _ in range(data.draw(st.integers(0, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    with eager(wanted=data.draw(st.booleans())):
        check(bytes(content[: data.draw(st.integers(0, len(content)))]))


@pytest.mark.parametrize("content", [b"", b"\0", bytes(11), bytes(12), bytes(5000), b"\xff" * 100, b"text " * 50])
def test_no_records_at_all(content: bytes) -> None:
    check(content)


def test_starts_where_told() -> None:
    data = record(b"one") + record(b"three")
    assert frame(data, 19).starts.tolist() == [19]
