"""Decimation keeps the visible features, within its bounds; growth gives the same buckets as a fresh start."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tbwidget.panels.scalar_buckets import Buckets, bucket_width, buckets_from
from tbwidget.panels.scalars import (
    COARSE_ROWS,
    FINE_ROWS,
    SCALARS,
    Sent,
    coarse_width,
    detail_entry,
    detail_of,
    entry_of,
    fine_width,
    next_part,
)
from tbwidget.wire.columns import Columns
from tbwidget.wire.content import Reduced
from tbwidget.wire.series_stream import VisibleRows
from tests.support.feeds import FakeSeries
from tests.unit.test_wire_columns import read

numbers = st.floats(width=32) | st.sampled_from([0.0, 1.0, np.nan, np.inf, -np.inf, 1.7e308, -1.7e308])


@pytest.mark.parametrize("count", [0, 1, 63, 64, 65, 2048, 4096, 4097, 123_457])
def test_no_more_rows_than_wanted_and_not_many_fewer(count: int) -> None:
    for width, rows in ((coarse_width(count), COARSE_ROWS), (fine_width(count), FINE_ROWS)):
        assert width == 1 or rows / 2 <= -(-count // width) <= rows
    assert coarse_width(count) % fine_width(count) == 0
    assert bucket_width(count, 1) >= count


def buckets(values: NDArray[np.float64], width: int) -> Buckets:
    begin = np.arange(0, len(values), width)
    return buckets_from(values, begin, np.minimum(begin + width, len(values)) - 1)


@given(st.lists(numbers, min_size=1, max_size=200), st.sampled_from([2, 4, 16]))
def test_a_bucket_describes_its_points(points: list[float], width: int) -> None:
    values = np.array(points)
    few = buckets(values, width)
    assert few.begin.tolist() == list(range(0, len(values), width))
    for row, begin in enumerate(few.begin):
        bucket = values[begin : begin + width]
        assert few.end[row] == begin + len(bucket) - 1
        finite = bucket[np.isfinite(bucket)]
        assert few.gaps[row] == len(bucket) - len(finite)
        if len(finite):
            assert (few.smallest[row], few.largest[row]) == (finite.min(), finite.max())
            assert few.smallest[row] <= few.mean[row] <= few.largest[row]
            expected = math.fsum(value / len(finite) for value in finite)
            assert few.mean[row] == pytest.approx(expected, rel=1e-9, abs=1e-9 * np.abs(finite).max())
        else:
            assert np.isnan([few.mean[row], few.smallest[row], few.largest[row]]).all()


def test_equal_values_have_that_value_for_a_mean() -> None:
    few = buckets(np.full(1000, 0.1), 64)
    assert set(few.mean.tolist()) == {0.1}


class Browser:
    """Takes part after part, like the page."""

    def __init__(self) -> None:
        self.columns: dict[str, NDArray[Any]] = {}

    def take(self, entry: dict[str, Any], columns: Columns) -> None:
        names = ["step", "wall", "value"] + (["first", "min", "max", "gaps"] if entry["width"] > 1 else [])
        held = self.columns if entry["keep"] else {}
        kept = {name: held[name][: entry["keep"]] if held else np.empty(0) for name in names}
        assert all(len(column) == entry["keep"] for column in kept.values())
        self.columns = {
            name: np.append(kept[name], read(columns, entry[name]).astype(np.float64, copy=False)) for name in names
        }


@given(st.lists(st.lists(numbers, max_size=60), min_size=1, max_size=12), st.sampled_from([5, 16, 40]))
def test_parts_add_up_to_the_whole(appended: list[list[float]], rows: int) -> None:
    """A browser that takes part after part has the same data as one that gets all at once later."""
    values = np.empty(0)
    sent: Sent | None = None
    browser = Browser()
    for more in appended:
        values = np.append(values, more)
        series = FakeSeries(np.arange(len(values)) * 3, values)
        width = bucket_width(len(values), rows)
        part = next_part(series, width, sent)
        if part is None:
            assert sent is not None
            assert sent.total == len(values)
            continue
        columns = Columns()
        browser.take(entry_of(series, part, columns, "run"), columns)
        sent = part.sent
        late, columns = Browser(), Columns()
        whole = next_part(series, width, None)
        assert whole is not None
        assert whole.sent == part.sent
        late.take(entry_of(series, whole, columns, "run"), columns)
        for name, column in late.columns.items():
            # A mean may be float32 in one message and float64 in another; the difference is invisible.
            np.testing.assert_allclose(browser.columns[name], column, rtol=1e-6 if name == "value" else 0, atol=1e-4)


def test_a_long_series_that_grows_costs_little() -> None:
    values = np.random.default_rng(0).normal(size=100_050)
    width = fine_width(100_000)
    first = next_part(FakeSeries(np.arange(100_000), values[:100_000]), width, None)
    assert first is not None
    then = next_part(FakeSeries(np.arange(100_050), values), width, first.sent)
    assert then is not None
    assert then.start == then.keep * width
    assert 100_050 - then.start <= 50 + width


def test_a_new_revision_is_sent_whole() -> None:
    first = next_part(FakeSeries(np.arange(10), np.ones(10)), 1, None)
    assert first is not None
    again = next_part(FakeSeries(np.arange(12), np.ones(12), revision=1), 1, first.sent)
    assert again is not None
    assert (again.keep, again.start) == (0, 0)


@pytest.mark.parametrize("odd", [np.nan, np.inf, -1e300])
def test_times_that_are_none_leave_the_others_alone(odd: float) -> None:
    times = np.array([0.0, 1.5, odd, 7.0])
    series = FakeSeries(np.arange(4), np.ones(4), times=times)
    part = next_part(series, 1, None)
    assert part is not None
    columns = Columns()
    entry = entry_of(series, part, columns, "run")
    offsets = read(columns, entry["wall"])
    assert entry["start"] == 1.7e9
    assert offsets[[0, 1, 3]].tolist() == [0, 1.5, 7]
    assert not np.isfinite(offsets[2])


def rows_of(series: FakeSeries, steps: tuple[float, float]) -> range | None:
    visible = VisibleRows()
    visible.update(series, steps, None)
    return visible.inside


LONG = FakeSeries(np.arange(100_000) * 10, np.sin(np.arange(100_000)))


@pytest.mark.parametrize(
    ("steps", "rows", "expected"),
    [
        ((200_000, 210_000), 4096, range(19_904, 21_120, 1)),  # whole buckets of 64 points, and one more on either side
        ((-5e300, 1e300), 4096, None),  # the whole series
        ((0, 400_000), 4096, range(0, 40_128, 32)),
        ((990_000, 1e9), 4096, range(98_880, 100_000, 1)),
        ((3, 7), 4096, None),  # between two points
        ((200_000, 210_000), 256, range(19_904, 21_120, 16)),
    ],
)
def test_a_zoomed_range_is_sent_in_detail(steps: tuple[float, float], rows: int, expected: range | None) -> None:
    assert fine_width(len(LONG)) == 64
    inside = rows_of(LONG, steps)
    assert (inside and detail_of(len(LONG), inside, rows)) == expected
    if expected is not None:
        columns = Columns()
        entry = detail_entry(LONG, expected, columns, "run")
        assert (entry["from"], entry["total"]) == (expected.start, expected.stop - expected.start)
        last = read(columns, entry["step"])
        assert len(last) == len(expected) <= rows
        assert last[-1] == LONG.step[expected.stop - 1]


@pytest.mark.parametrize("newest", [0.1, -0.0, np.nan, np.inf, -np.inf, 5e-324])
def test_buckets_carry_the_newest_value_as_it_was_written(newest: float) -> None:
    values = np.append(np.ones(5000), newest)
    series = FakeSeries(np.arange(5001), values)
    part = next_part(series, fine_width(5001), None)
    assert part is not None
    columns = Columns()
    traveled = json.loads(json.dumps(entry_of(series, part, columns, "run"), allow_nan=False))
    assert np.array(float(traveled["last"])).tobytes() == np.array(newest).tobytes()
    points = next_part(series, 1, None)
    assert points is not None
    assert "last" not in entry_of(series, points, columns, "run")


@pytest.mark.parametrize("width", [fine_width(5000), coarse_width(5000)])
def test_long_series_say_whether_smoothing_helps_them(width: int) -> None:
    def said(values: NDArray[np.float64]) -> Any:
        series = FakeSeries(np.arange(len(values)), values)
        part = next_part(series, width, None)
        assert part is not None
        return json.loads(json.dumps(entry_of(series, part, Columns(), "run"))).get("smoothable")

    steps = np.arange(5000)
    assert said(np.sin(steps * 12.9898)) is True
    assert said(np.floor(steps / 7)) is False
    assert said(np.floor(np.sin(steps // 20 * 12.9898) * 5)) is False
    assert said(np.arange(4096.0)) is None


def test_details_for_a_page_with_wider_buckets_than_were_sent() -> None:
    reduced = Reduced(64, 600)
    found = SCALARS.detail(FakeSeries(np.arange(4000), np.ones(4000)), None, range(1000, 1200), 1.0, reduced)
    assert found == (range(896, 1280, 1), 64), "whole buckets of the browser's, one more on either side"
    # No more rows than the page has room for.
    found = SCALARS.detail(FakeSeries(np.arange(4000), np.ones(4000)), None, range(1000, 3000), 1.0, reduced)
    assert found == (range(896, 3072, 8), 64)
    assert SCALARS.detail(FakeSeries(np.arange(4000), np.ones(4000)), None, range(1000, 1200), 1.0, None) is None
    assert SCALARS.detail(LONG, None, range(1000, 1200), 1.0, reduced) == SCALARS.detail(
        LONG, None, range(1000, 1200), 600 / 4096, None
    )


def test_short_series_have_no_more_detail() -> None:
    assert detail_of(4096, range(11), 4096) is None
    assert rows_of(FakeSeries(np.arange(0), np.ones(0)), (0, 10)) is None
