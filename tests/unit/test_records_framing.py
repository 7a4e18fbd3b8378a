"""Framing finds the same records as a plain walk, and stops at the same place."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tbwidget.records.files.checksums import masked_checksum
from tbwidget.records.files.framing import frame, period_of
from tests.support.eager import eager
from tests.support.eventfiles import record
from tests.support.examples import examples


def one_by_one(data: bytes) -> tuple[list[int], list[int], int, bool]:
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
    assert (frames.starts.tolist(), frames.lengths.tolist(), frames.end, frames.damaged) == one_by_one(data)


# A training loop that writes `inner` records a step, and a longer one now and then.
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


@examples(60)
@given(shapes)
def test_whole_files(shape: tuple[list[int], int, list[tuple[int, int]]]) -> None:
    check(build(shape))


@examples(60)
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


def test_starts_at_the_given_offset() -> None:
    data = record(b"one") + record(b"three")
    assert frame(data, 19).starts.tolist() == [19]


@given(st.lists(st.integers(0, 2), min_size=1, max_size=40))
def test_the_period_is_the_one_that_matches_most(numbers: list[int]) -> None:
    def matches(period: int) -> int:
        """Return how many of the last numbers repeat the period; none if the period occurred only once."""
        last = numbers[-period:] * len(numbers)
        alike = next((n for n, number in enumerate(reversed(numbers)) if number != last[-1 - n]), len(numbers))
        return alike if alike >= 2 * period else 0

    best = max(range(1, len(numbers) + 1), key=matches)
    assert period_of(np.array(numbers)) == (best if matches(best) else 0)


@pytest.mark.parametrize(
    "lengths",
    [[40] * 10 + [41] * 10, [40] * 90 + [41] * 10, [40] * 300 + [120], [40, 41, 45] * 100 + [120]],
    ids=["short runs", "long runs", "one now and then", "one among several"],
)
def test_a_period_that_holds_shorter_ones_is_found(lengths: list[int]) -> None:
    data = b"".join(record(bytes(length)) for length in lengths) * 20
    check(data)
    longest = max(frame(data).repeats, key=lambda repeat: repeat.end - repeat.begin)
    assert longest.end - longest.begin > 15 * len(lengths)
