"""Even bins preserve the counts; percentiles are placed according to the counts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tbwidget.figures.bins import BASIS_POINTS, MEDIAN, counted_bins, even_counts, even_edges, percentiles
from tbwidget.logs.kinds.histograms import Buckets

EDGES = st.lists(st.integers(-1_000, 1_000), min_size=2, max_size=20, unique=True).map(sorted)


@given(EDGES, st.integers(1, 60))
def test_even_bins_hold_all_counts(edges: list[int], bins: int) -> None:
    left, right = np.array(edges[:-1], float), np.array(edges[1:], float)
    counts = np.arange(1.0, len(left) + 1)
    even = even_edges(left[0], right[-1], bins)
    assert even[0] <= left[0]
    assert even[-1] >= right[-1]
    assert len(even) - 1 <= bins + 2
    np.testing.assert_allclose(np.diff(even), even[1] - even[0])
    assert even_counts(left, right, counts, even).sum() == pytest.approx(counts.sum())


def test_a_bin_without_width_is_in_one_even_bin() -> None:
    at = np.array([0.0, 1.0, 2.0])
    assert even_counts(at, at, np.array([1.0, 2.0, 4.0]), np.array([0.0, 1.0, 2.0])).tolist() == [1, 6]
    assert even_counts(at[:1], at[2:], np.array([4.0]), np.array([0.0, 0.5, 2.0])).tolist() == [1, 3]


def test_edges_are_round() -> None:
    assert even_edges(0, 1, 10).tolist() == [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]
    assert len(even_edges(3, 3, 10)) > 5
    assert np.isfinite(even_edges(-1.7e308, 1.7e308, 10)).all()
    assert (np.diff(even_edges(1e15, 1e15 + 1, 30)) >= 0).all()


@pytest.mark.parametrize("high", [5e-324, 1e-322, 1e-310])
def test_edges_of_the_least_numbers(high: float) -> None:
    with np.errstate(all="raise", under="ignore"):
        edges = even_edges(0, high, 30)
        counts = even_counts(np.array([0.0]), np.array([high]), np.array([4.0]), edges)
    assert (edges[0] <= 0, edges[-1] >= high) == (True, True)
    assert (np.diff(edges) > 0).all()
    assert counts.sum() == 4


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(1, 9)), min_size=1, max_size=20))
def test_percentiles_ascend_between_least_and_greatest(bins: list[tuple[int, int]]) -> None:
    widths, counts = (np.array(column, float) for column in zip(*bins, strict=True))
    right = np.cumsum(widths)
    found = percentiles(right - widths, right, counts)
    assert found[0] == right[0] - widths[0]
    assert found[-1] == right[-1]
    assert (np.diff(found) >= -1e-9).all()


def test_percentiles_of_an_even_spread() -> None:
    found = percentiles(np.array([0.0, 50.0]), np.array([50.0, 100.0]), np.array([5.0, 5.0]))
    np.testing.assert_allclose(found, np.array(BASIS_POINTS) / 100)
    assert found[MEDIAN] == 50
    assert np.isnan(percentiles(*(np.empty(0),) * 3)).all()


def test_bins_that_cannot_be_drawn_are_left_out() -> None:
    left, right = np.array([-1.8e308, 0, 1, 5, 7]), np.array([0, 1, 1.8e308, 4, 8])
    counts = np.array([1, -2, 3, 4, np.nan])
    buckets = Buckets(np.array([0, 5]), left, right, counts, *np.full((3, 1), np.nan))
    drawn = [column.tolist() for column in counted_bins(buckets, 0)]
    assert drawn == [[0, 1, 4], [0, 1, 5], [1, 3, 4]]
