"""The decimated points of a line: extremes and gaps are preserved."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tbwidget.figures.scalar import MAX_BREAKS, breaks_of, few_places, in_pieces

NO_BREAKS = np.empty(0, np.int64)
VALUES = st.lists(
    st.one_of(st.floats(-1e300, 1e300), st.sampled_from([np.nan, np.inf, -np.inf])), min_size=1, max_size=400
)


@given(VALUES, st.integers(8, 60), st.integers(0, 400), st.integers(0, 400))
def test_extremes_and_ends_stay(values: list[float], most: int, first: int, last: int) -> None:
    column, x = np.array(values), np.arange(len(values), dtype=np.float64)
    visible = (min(first, last), max(first, last)) if first % 2 else None
    places = few_places(x, column, most, visible)
    assert len(places) <= most
    assert (np.diff(places) > 0).all()
    assert places[0] == 0
    assert places[-1] == len(values) - 1
    finite = column[np.isfinite(column)]
    if len(finite) and most >= 20 and visible is None:
        held = column[places]
        assert (np.nanmin(held[np.isfinite(held)]), np.nanmax(held[np.isfinite(held)])) == (finite.min(), finite.max())


def test_the_visible_range_has_most_of_the_points() -> None:
    x = np.arange(100_000, dtype=np.float64)
    values = np.sin(x / 50)
    values[[7, 51_234, 99_990]] = 5, 9, -7
    everything, zoomed = few_places(x, values, 1000), few_places(x, values, 1000, (51_000, 51_600))
    assert max(len(everything), len(zoomed)) <= 1000
    assert {7, 51_234, 99_990} <= set(everything.tolist()) & set(zoomed.tolist())
    assert set(range(51_000, 51_601)) <= set(zoomed.tolist())
    assert np.count_nonzero((everything >= 51_000) & (everything <= 51_600)) < 20
    assert few_places(x, values, 1000, (2e5, 3e5)).tolist() == everything.tolist()


def test_stretches_without_values_are_gaps() -> None:
    values = np.zeros(4_000)
    values[1_000:2_000] = np.nan
    x, y = in_pieces(np.arange(4_000.0), values, few_places(np.arange(4_000.0), values, 100), NO_BREAKS)
    assert np.isnan(y[(x > 1_050) & (x < 1_950)]).all()
    assert not np.isnan(y[(x < 950) | (x > 2_050)]).any()


def test_lines_end_where_steps_go_back() -> None:
    step: NDArray[np.int64] = np.array([0, 1, 2, 1, 2, 3])
    breaks = breaks_of(step)
    assert breaks.tolist() == [3]
    x, y = in_pieces(step.astype(float), np.arange(6.0), np.arange(6), breaks)
    assert x.tolist() == [0, 1, 2, 1, 1, 2, 3]
    assert np.isnan(y).tolist() == [False, False, False, True, False, False, False]
    assert len(breaks_of(np.tile([1, 0], MAX_BREAKS + 2))) == 0
