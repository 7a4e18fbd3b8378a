"""Smoothed lines: the formulas in the documentation of `Dashboard.smoothing_kind`, value by value."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tbwidget.figures.smoothing import Smoothing, smoothed
from tbwidget.panels.scalar_options import is_smoothable

NO_BREAKS = np.empty(0, np.int64)
VALUES = st.lists(st.one_of(st.floats(-1e6, 1e6), st.sampled_from([np.nan, np.inf])), min_size=1, max_size=50)


def plainly_averaged(values: list[float], weight: float) -> list[float]:
    last, bias, result = 0.0, 1.0, []
    for value in values:
        if not np.isfinite(value):
            result.append(value)
            continue
        last, bias = weight * last + (1 - weight) * value, bias * weight
        result.append(last / (1 - bias))
    return result


def plain_mean(values: list[float], count: int) -> list[float]:
    windows = [[one for one in values[max(0, i - count + 1) : i + 1] if np.isfinite(one)] for i in range(len(values))]
    return [
        sum(window) / len(window) if np.isfinite(value) else value
        for value, window in zip(values, windows, strict=True)
    ]


def plain_gaussian(values: list[float], count: int) -> list[float]:
    result = []
    for i, value in enumerate(values):
        near = [j for j, one in enumerate(values) if abs(j - i) <= count / 2 and np.isfinite(one)]
        weights = [float(np.exp(-((j - i) ** 2) / (2 * (count / 6) ** 2))) for j in near]
        total = sum(weight * values[j] for weight, j in zip(weights, near, strict=True))
        result.append(total / sum(weights) if np.isfinite(value) else value)
    return result


@given(VALUES, st.sampled_from(["ema", "mean", "gaussian"]), st.floats(0.01, 0.99), st.integers(2, 60))
def test_each_piece_by_the_stated_formula(values: list[float], kind: str, weight: float, count: int) -> None:
    cut = len(values) // 2
    breaks = np.array([cut], np.int64) if cut else NO_BREAKS
    pieces = [values[:cut], values[cut:]]
    if kind == "ema":
        wanted = [plainly_averaged(piece, weight) for piece in pieces]
    else:
        wanted = [(plain_mean if kind == "mean" else plain_gaussian)(piece, count) for piece in pieces]
    found = smoothed(np.array(values), Smoothing(kind, weight if kind == "ema" else count), breaks)
    np.testing.assert_allclose(found, [*wanted[0], *wanted[1]], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("smoothing", [Smoothing("ema", 0.9), Smoothing("mean", 7), Smoothing("gaussian", 7)])
def test_constants_and_the_largest_numbers(smoothing: Smoothing) -> None:
    assert set(smoothed(np.full(1_000, 0.1), smoothing, NO_BREAKS)) == {0.1}
    assert np.isnan(smoothed(np.full(3, np.nan), smoothing, NO_BREAKS)).all()
    largest = np.array([1.7e308, 1.6e308] * 500)
    found = smoothed(largest, smoothing, NO_BREAKS)
    assert found.min() >= 1.6e308
    assert found.max() <= 1.7e308
    values = np.array([1.0, 3.0, 1e250, 2.0])
    assert smoothed(values, Smoothing("none", 0.9), NO_BREAKS) is values
    assert smoothed(values, smoothing, NO_BREAKS)[0] == pytest.approx(1.0) or smoothing.kind == "gaussian"


def test_digits_that_are_far_apart_are_kept() -> None:
    """A running sum that subtracts old values would lose the small values after a large one."""
    values = np.concatenate([[1e200], np.tile([1.0, 3.0], 50)])
    assert smoothed(values, Smoothing("mean", 10), NO_BREAKS)[-80:].tolist() == [2.0] * 80


def waves(count: int) -> list[float]:
    return [10 + 5 * np.sin(i) + i % 3 for i in range(count)]


@pytest.mark.parametrize(
    ("values", "smoothable"),
    [
        (waves(29), False),
        (waves(30), True),
        ([i / 7 for i in range(300)], False),
        ([-i / 7 for i in range(300)], False),
        ([*(i / 7 for i in range(300)), 0.0], True),
        ([np.nan if i % 9 == 5 else i / 7 for i in range(300)], False),
        ([0.1 ** (i // 10 % 3) for i in range(300)], False),
        ([0.1 ** (i // 3 % 3) for i in range(300)], True),
    ],
)
def test_short_monotone_and_step_like_series_are_drawn_as_they_are(values: list[float], *, smoothable: bool) -> None:
    """js/tests/lines/curve.test.ts has the same cases."""
    assert is_smoothable(np.array(values, float)) is smoothable


def test_the_verdict_on_a_long_series_is_that_on_its_parts() -> None:
    steps = np.arange(100_000)
    memory = np.floor(np.sin(steps // 20 * 12.9898) * 5)  # constant for twenty points, then jumps
    assert not is_smoothable(memory)
    assert not is_smoothable(steps / 7)
    assert not is_smoothable(-steps / 7)
    assert is_smoothable(np.sin(steps * 12.9898))
    assert is_smoothable(np.where(steps % 9 == 5, np.nan, np.sin(steps * 12.9898)))
    verdicts = {is_smoothable(memory[:count]) for count in range(5_000, 100_000, 997)}
    assert verdicts == {False}
