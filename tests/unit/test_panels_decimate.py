"""Decimation keeps what the eye would miss, within its bounds, and grows as it would have begun."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tbwidget.panels.decimate import bucket_width, representatives
from tbwidget.panels.scalars import Sent, next_part
from tests.support.feeds import FakeSeries

numbers = st.floats(width=32) | st.sampled_from([0.0, 1.0, np.nan, np.inf, -np.inf])


@pytest.mark.parametrize("limit", [1, 4, 64, 256, 4096])
@pytest.mark.parametrize("count", [0, 1, 3, 4, 5, 63, 64, 65, 4096, 4097, 123_457])
def test_no_more_points_than_the_limit(limit: int, count: int) -> None:
    values = np.sin(np.arange(count) * 0.7)
    values[::5] = np.nan
    width = bucket_width(count, limit)
    assert width == 1 or count > limit
    assert len(representatives(values, width)) <= max(limit, 5)


@given(st.lists(numbers, min_size=1, max_size=300), st.sampled_from([2, 4, 16]))
def test_extremes_and_gaps_of_every_bucket_are_kept(points: list[float], width: int) -> None:
    values = np.array(points)
    chosen = representatives(values, width)
    assert (np.diff(chosen) > 0).all()
    assert {0, len(values) - 1} <= set(chosen.tolist())
    for start in range(0, len(values), width):
        bucket = values[start : start + width]
        kept = values[chosen[(chosen >= start) & (chosen < start + width)]]
        finite = bucket[np.isfinite(bucket)]
        if len(finite):
            assert finite.min() in kept
            assert finite.max() in kept
        assert np.isfinite(bucket).all() == np.isfinite(kept).all()


@given(st.lists(st.lists(numbers, max_size=60), min_size=1, max_size=12), st.sampled_from([5, 16, 40]))
def test_parts_add_up_to_the_whole(appended: list[list[float]], limit: int) -> None:
    """A browser that takes part after part holds what one that comes later gets at once."""
    values = np.empty(0)
    sent: Sent | None = None
    held_steps, held_values = np.empty(0, np.int64), np.empty(0)
    for more in appended:
        values = np.append(values, more)
        series = FakeSeries(np.arange(len(values)) * 3, values)
        part = next_part(series, limit, sent)
        if part is None:
            assert sent is not None
            assert sent.total == len(values)
            continue
        held_steps = np.append(held_steps[: part.keep], part.step)
        held_values = np.append(held_values[: part.keep], part.value)
        sent = part.sent
        at_once = next_part(series, limit, None)
        assert at_once is not None
        np.testing.assert_array_equal(held_steps, at_once.step)
        np.testing.assert_array_equal(held_values, at_once.value)
        assert at_once.sent == part.sent


def test_a_long_series_that_grows_costs_little() -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(size=100_050)
    first = next_part(FakeSeries(np.arange(100_000), values[:100_000]), 4096, None)
    assert first is not None
    then = next_part(FakeSeries(np.arange(100_050), values), 4096, first.sent)
    assert then is not None
    assert then.keep > len(first.step) - 5
    assert len(then.step) < 10


def test_a_new_revision_is_sent_whole() -> None:
    first = next_part(FakeSeries(np.arange(10), np.ones(10)), 4096, None)
    assert first is not None
    again = next_part(FakeSeries(np.arange(12), np.ones(12), revision=1), 4096, first.sent)
    assert again is not None
    assert (again.keep, len(again.step)) == (0, 12)
