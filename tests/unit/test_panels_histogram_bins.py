"""Bins on the wire take few bytes, and survive encoding and decoding."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tbwidget.panels.histogram_bins import MAX_BINS, POWERS, Bins, chosen, compact, entry_of, moments
from tbwidget.wire.columns import Columns

Histogram = tuple[list[float], list[float], list[float]]
NOTHING = np.empty(0)


def bins_of(*histograms: Histogram) -> Bins:
    left, right, counts = (np.concatenate([NOTHING, *(np.asarray(h[i], float) for h in histograms)]) for i in range(3))
    ambiguous = np.full(len(histograms), np.nan)
    return Bins(np.array([len(h[0]) for h in histograms], np.int64), left, right, counts, ambiguous, ambiguous)


def contiguous(edges: Any, counts: Any) -> Histogram:
    return list(edges[:-1]), list(edges[1:]), list(counts)


def column(columns: Columns, row: int) -> NDArray[Any]:
    """Return a column as the browser reads it."""
    name, count, *rest = columns.table[row]
    if name == "range":
        return np.array([rest[0] + rest[1] * i for i in range(count)], float)
    types = {"u1": "u1", "u2": "<u2", "f4": "<f4", "f8": "<f8"}
    return np.frombuffer(columns.buffer(), types[name], count, rest[0]).astype(float)


def decoded(bins: Bins) -> list[Histogram]:
    """Decode the entry of these bins as docs/wire.md describes it."""
    columns = Columns()
    entry = entry_of(bins, columns)
    lengths = column(columns, entry["bins"]).astype(int)
    counts = np.split(column(columns, entry["count"]), np.cumsum(lengths)[:-1])
    if "left" in entry:
        left, right = (np.split(column(columns, entry[name]), np.cumsum(lengths)[:-1]) for name in ("left", "right"))
        return [tuple(map(list, row)) for row in zip(left, right, counts, strict=True)]  # type: ignore[misc]
    low, high = column(columns, entry["low"]), column(columns, entry["high"])
    found = []
    begin = 0
    for i, length in enumerate(lengths):
        if "at" in entry:
            grid = column(columns, entry["grid"]) if "grid" in entry else POWERS
            at = int(column(columns, entry["at"])[i])
            inner = grid[at : at + max(0, length - 1)]
        elif "edge" in entry:
            inner = column(columns, entry["edge"])[begin : begin + max(0, length - 1)]
            begin += max(0, length - 1)
        else:
            inner = low[i] + (high[i] - low[i]) * np.arange(1, length) / max(1, length)
        edges = [low[i], *inner, high[i]] if length else []
        found.append((edges[:-1], edges[1:], list(counts[i])))
    return found


def expect_same(bins: Bins, *, exact: bool = True) -> None:
    kept = compact(bins)
    columns = (np.split(c, np.cumsum(kept.lengths)[:-1]) for c in (kept.left, kept.right, kept.counts))
    for (left, right, counts), read in zip(zip(*columns, strict=True), decoded(kept), strict=True):
        tolerance = 0 if exact else 2e-3 * float(np.max(right - left, initial=0))
        np.testing.assert_allclose(read[0], left, rtol=0, atol=tolerance)
        np.testing.assert_allclose(read[1], right, rtol=0, atol=tolerance)
        np.testing.assert_array_equal(read[2], counts)


def samples(seed: int, scale: float = 0.1, count: int = 1000) -> NDArray[np.float64]:
    return np.random.default_rng(seed).normal(0, scale, count)


def even(seed: int, bins: int = 30, dtype: str = "f8") -> Histogram:
    values = samples(seed)
    counts, edges = np.histogram(values, np.linspace(values.min(), values.max(), bins + 1).astype(dtype).astype(float))
    return contiguous(edges, counts)


def along_powers(seed: int) -> Histogram:
    values = samples(seed)
    counts, _ = np.histogram(values, POWERS)
    full = np.flatnonzero(counts)
    edges = POWERS[full[0] : full[-1] + 2].copy()
    edges[0], edges[-1] = values.min(), values.max()
    return contiguous(edges, counts[full[0] : full[-1] + 1])


def test_even_bins_need_their_ends_only() -> None:
    bins = bins_of(*(even(seed) for seed in range(50)))
    assert bins.encoding.edge_bytes == 0
    assert bins.encoding.at is None
    expect_same(bins, exact=False)


def test_even_bins_of_single_precision_do_too() -> None:
    bins = bins_of(*(even(seed, dtype="f4") for seed in range(50)))
    assert bins.encoding.edge_bytes == 0
    expect_same(bins, exact=False)


def test_the_grid_of_the_writers_is_known_on_both_sides() -> None:
    assert len(POWERS) == 1549
    bins = bins_of(*(along_powers(seed) for seed in range(20)))
    cut = bins.encoding
    assert cut.at is not None
    assert cut.grid is None
    expect_same(bins)


def test_edges_that_steps_share_travel_once() -> None:
    edges = np.cumsum(np.random.default_rng(0).random(101))
    bins = bins_of(*(contiguous(edges, np.random.default_rng(i).integers(1, 9, 100)) for i in range(9)))
    assert bins.encoding.grid is not None
    columns = Columns()
    entry_of(bins, columns)
    assert columns.size < 100 * 8 + 900 + 500
    expect_same(bins)


def test_edges_of_their_own_travel_as_they_are() -> None:
    rng = np.random.default_rng(0)
    bins = bins_of(*(contiguous(np.cumsum(rng.random(8)), rng.integers(1, 9, 7)) for _ in range(5)))
    assert bins.encoding.inner_edges is not None
    expect_same(bins)


def test_bins_may_overlap_or_leave_gaps() -> None:
    bins = bins_of(([0, 1, 5], [2, 3, 6], [1, 2, 3]), ([0], [1], [4]))
    assert bins.encoding.low is None
    expect_same(bins)


def test_all_the_forms_that_are_hard() -> None:
    expect_same(
        bins_of(
            ([], [], []),
            ([2.0], [2.0], [9]),
            contiguous([1.0] * 31, [0] * 29 + [40]),
            ([-np.inf, 0], [0, np.nan], [1, 1]),
            ([0, 1], [1, 4], [0.25, -3]),
        )
    )
    expect_same(bins_of(([], [], [])))
    expect_same(bins_of(([0], [1], [0])))


def test_empty_ends_are_left_out_and_empty_middles_kept() -> None:
    kept = compact(bins_of(contiguous(range(7), [0, 0, 3, 0, 5, 0]), ([0], [1], [0])))
    assert kept.lengths.tolist() == [3, 0]
    assert (kept.left.tolist(), kept.right.tolist(), kept.counts.tolist()) == ([2, 3, 4], [3, 4, 5], [3, 0, 5])


def test_joined_bins_ignore_invalid_counts() -> None:
    counts = np.ones(4096)
    counts[[0, 10, 20]] = np.nan, -5, np.inf
    counts[[30, 31]] = 1.7e308
    kept = compact(bins_of(contiguous(np.arange(4097.0), counts)))
    assert kept.counts[[0, 5, 10, 15, 16]].tolist() == [1, 1, 1, np.inf, 2]


def test_monstrous_histograms_are_joined() -> None:
    monster = contiguous(np.arange(100_001.0), np.ones(100_000))
    kept = compact(bins_of(even(0), monster, ([], [], [])))
    assert kept.lengths[1] <= MAX_BINS
    assert kept.counts.sum() == 101_000
    assert kept.left[30] == 0
    assert kept.right[-1] == 100_000
    np.testing.assert_array_equal(kept.left[31:], kept.right[30:-1])


def test_counts_travel_in_the_shortest_type() -> None:
    for count, size in ((255, 1), (256, 2), (65_536, 4), (2**24 + 1, 8), (0.5, 4), (0.1, 8), (-1, 4), (np.nan, 4)):
        bins = bins_of(([0], [1], [count]), ([0], [1], [1]))
        columns = Columns()
        name = columns.table[entry_of(bins, columns)["count"]][0]
        assert {"u1": 1, "u2": 2, "f4": 4, "f8": 8}[name] == size, count
        expect_same(bins)


def test_sizes_are_not_exceeded() -> None:
    for histograms in ([even(s) for s in range(30)], [along_powers(s) for s in range(30)], [even(1), along_powers(1)]):
        bins = bins_of(*histograms)
        columns = Columns()
        entry_of(bins, columns)
        assert columns.size <= bins.size + 8 * len(columns.table)


def test_some_of_the_histograms() -> None:
    rows = np.array([0, 2])
    some = chosen(bins_of(even(0), even(1, 7), even(2)), rows)
    assert some.lengths.tolist() == [30, 30]
    assert some.counts.tolist() == [*even(0)[2], *even(2)[2]]


def test_moments() -> None:
    values = samples(3)
    num, total, squares = (np.array([f]) for f in (float(len(values)), values.sum(), (values**2).sum()))
    mean, deviation = moments(num, total, squares)
    assert mean[0] == pytest.approx(values.mean())
    assert deviation[0] == pytest.approx(values.std())
    mean, deviation = moments(np.array([0.0, 3.0, np.nan]), np.array([0.0, 0.3, 1]), np.array([0.0, 0.03, 1]))
    assert np.isnan(mean[[0, 2]]).all()
    assert deviation[1] == pytest.approx(0, abs=1e-8)


histograms = st.lists(
    st.lists(st.tuples(*(st.floats(width=32) | st.integers(-3, 3).map(float) for _ in range(3))), max_size=6).map(
        lambda rows: tuple(map(list, zip(*rows, strict=True))) or ([], [], [])
    ),
    max_size=5,
)


@given(histograms)
def test_any_histograms_are_read_back(written: list[Histogram]) -> None:
    bins = bins_of(*written)
    if compact(bins).encoding.low is None:
        expect_same(bins)
    else:
        decoded(compact(bins))
