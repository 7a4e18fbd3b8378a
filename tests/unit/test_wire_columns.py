"""Columns are decoded without loss, and encoded in no more bytes than needed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tbwidget.wire.columns import ALIGNMENT, EXACT_INTEGER, Columns, type_names

int64s = st.integers(-(2**63), 2**63 - 1)


def read(columns: Columns, index: int) -> NDArray[Any]:
    kind, count, *rest = columns.table[index]
    if kind == "range":
        start, stride = rest
        whole = isinstance(start, int) and isinstance(stride, int)
        return np.array([start + stride * i for i in range(count)], np.int64 if whole else float)
    assert rest[0] % ALIGNMENT == 0
    return np.frombuffer(columns.buffer(), type_names[kind], count, rest[0])


@given(st.lists(st.lists(int64s, max_size=20) | st.lists(st.integers(0, 5), max_size=20), max_size=5))
def test_steps_are_never_rounded(lists: list[list[int]]) -> None:
    columns = Columns()
    rows = [columns.add_steps(np.array(steps, np.int64)) for steps in lists]
    for row, steps in zip(rows, lists, strict=True):
        assert [int(step) for step in read(columns, row)] == steps


@given(st.lists(st.floats() | st.floats(width=32), max_size=20))
def test_values_are_never_rounded(values: list[float]) -> None:
    columns = Columns()
    row = columns.add_values(np.array(values))
    np.testing.assert_array_equal(read(columns, row).astype(float), np.array(values))


@pytest.mark.parametrize(
    ("steps", "kind"),
    [
        ([], "range"),
        ([7], "range"),
        ([5, 5, 5], "range"),
        ([30, 20, 10], "range"),
        ([1, 2, 4], "f8"),
        ([EXACT_INTEGER, 0], "range"),
        ([EXACT_INTEGER + 1], "i8"),
        ([-(2**63), 2**63 - 1], "i8"),
        ([0, 2**63 - 1, -2], "i8"),
    ],
)
def test_steps_take_the_smallest_type_that_is_exact(steps: list[int], kind: str) -> None:
    columns = Columns()
    columns.add_steps(np.array(steps, np.int64))
    assert columns.table[0][0] == kind


@pytest.mark.parametrize(
    ("values", "kind"),
    [([0.5, np.nan, np.inf], "f4"), ([0.1], "f8"), ([1e300], "f8"), ([3.4028234663852886e38], "f4"), ([5e-324], "f8")],
)
def test_values_are_narrow_where_that_changes_nothing(values: list[float], kind: str) -> None:
    columns = Columns()
    columns.add_values(np.array(values))
    assert columns.table[0][0] == kind


def test_equal_steps_travel_once() -> None:
    columns = Columns()
    steps = np.array([1, 2, 4])
    assert columns.add_steps(steps) == columns.add_steps(steps.copy())
    assert columns.size == 24


TIMES = np.array([0, 1, 5, 6, 1000.0])


@pytest.mark.parametrize(
    ("jitter", "shared"),
    [(np.zeros(5), True), (np.array([0, 0.01, 0, -0.01, 0]), True), (np.array([0, 0.1, 0, 0, 0]), False)],
)
def test_times_that_look_alike_travel_once(jitter: NDArray[np.float64], shared: bool) -> None:  # noqa: FBT001
    columns = Columns()
    first = columns.add_times(TIMES, 1000, "run")
    assert columns.table[first][0] == "f4"
    assert (columns.add_times(TIMES + jitter, 1000, "run") == first) == shared
    np.testing.assert_allclose(read(columns, first), TIMES, atol=1000 / 65536)


def test_regular_times_need_no_bytes() -> None:
    columns = Columns()
    row = columns.add_times(np.arange(100) * 0.5 + np.random.default_rng(0).uniform(0, 1e-4, 100), 50, "run")
    assert columns.table[row][0] == "range"
    np.testing.assert_allclose(read(columns, row), np.arange(100) * 0.5, atol=1e-3)


@pytest.mark.parametrize("span", [np.nan, np.inf, 0.0])
def test_a_span_that_is_none_hides_nothing(span: float) -> None:
    columns = Columns()
    np.testing.assert_array_equal(read(columns, columns.add_times(TIMES, span, "run")), TIMES)


def test_means_are_narrow_where_no_eye_could_tell() -> None:
    columns = Columns()
    values = np.array([0.1, 0.7])
    assert columns.table[columns.add_values(values, spread=0.6)][0] == "f4"
    assert columns.table[columns.add_values(values + 1e9, spread=0.6)][0] == "f8"
