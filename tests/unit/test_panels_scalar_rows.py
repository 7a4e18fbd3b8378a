"""Buckets computed for many series at once equal the buckets of each alone, and one failing series fails alone."""

from __future__ import annotations

import tracemalloc
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tbwidget.logs.series import Scalars
from tbwidget.panels import scalar_rows
from tbwidget.panels.scalar_rows import BucketedSeries, ScalarSeries, rows_entry, with_buckets
from tbwidget.panels.scalars import SCALARS, ScalarsContent
from tbwidget.wire.columns import Columns
from tbwidget.wire.content import SeriesCounts
from tests.support.feeds import FakeSeries, FakeSource, channel_of, drain
from tests.unit.test_wire_columns import read

numbers = st.floats() | st.floats(width=32) | st.sampled_from([0.0, -0.0, np.nan, np.inf, -np.inf, 1.7e308, 0.1])


def _series(values: Sequence[float], begun: int = 0) -> FakeSeries:
    return FakeSeries(np.arange(begun, begun + len(values)) ** 2, np.array(values, float))


def _traveled(series: ScalarSeries, width: int) -> dict[str, Any]:
    """Return the columns of all rows after decoding; values as their bits."""
    columns = Columns()
    entry = rows_entry(series, range(0, len(series), width), columns, "run")
    read_columns = {name: read(columns, entry[name]) for name in entry if name not in ("revision", "width", "start")}
    return {name: (column.dtype, column.tobytes()) for name, column in read_columns.items()}


def test_the_last_bucket_of_a_long_series_costs_no_copy_of_it() -> None:
    """The series may contain a value that is not finite."""
    count = 1 << 18
    values = np.ones(count)
    values[-1] = np.nan
    series = Scalars(np.arange(count), 1.7e9 + np.zeros(count), values)
    tracemalloc.start()
    rows_entry(series, range(count - 100, count, 128), Columns(), "run")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < count


@given(
    st.lists(st.lists(numbers, min_size=1, max_size=60), max_size=12),
    st.sampled_from([1, 2, 4, 16]),
    st.integers(1, 100),
)
def test_buckets_of_many_series_equal_those_of_single_ones(many: list[list[float]], width: int, at_once: int) -> None:
    series = [_series(values) for values in many]
    before = scalar_rows._BATCH_POINTS
    try:
        scalar_rows._BATCH_POINTS = at_once
        found = with_buckets(series, lambda _: width)
    finally:
        scalar_rows._BATCH_POINTS = before
    assert [len(each) for each in found] == [len(each) for each in series]
    for known, alone in zip(found, series, strict=True):
        assert isinstance(known, BucketedSeries) == (width > 1 and len(alone) < at_once)
        assert _traveled(known, width) == _traveled(alone, width)
        # Rows of another width are not confused with these.
        assert _traveled(known, 2 * width) == _traveled(alone, 2 * width)


def test_few_points_are_worked_out_before_the_first_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scalar_rows, "_MAX_PREPARED_POINTS", 250)
    found = with_buckets([_series([1.0] * 100) for _ in range(5)], lambda _: 10)
    assert [isinstance(each, BucketedSeries) for each in found] == [True, True, False, False, False]


def test_series_that_share_their_memory_share_columns_and_no_others_do() -> None:
    steps, times = np.arange(1000) ** 2, np.arange(1000.0) ** 1.5
    columns = Columns()

    def entry(each: FakeSeries, run: str = "run") -> dict[str, Any]:
        class Shared(FakeSeries):
            wall_time = times

        shared = Shared(each.step, each.value)
        return rows_entry(shared, range(0, len(shared), 16), columns, run)

    first = entry(FakeSeries(steps, np.zeros(1000)))
    again = entry(FakeSeries(steps, np.ones(1000)))
    assert [first[name] == again[name] for name in ("first", "step", "wall")] == [True] * 3
    assert first["value"] != again["value"]
    other = entry(FakeSeries(steps + 1, np.ones(1000)))
    assert [first[name] == other[name] for name in ("first", "step")] == [False] * 2
    assert read(columns, other["first"]).tolist() == (steps + 1)[::16].tolist()
    mark = columns.savepoint()
    tripled = 3 * steps
    gone = entry(FakeSeries(tripled, np.ones(1000)), "other")
    columns.rollback(mark)
    columns.add_steps(7 * steps)
    back = entry(FakeSeries(tripled, np.ones(1000)), "other")
    assert gone["first"] < len(columns.table)
    assert read(columns, back["first"]).tolist() == tripled[::16].tolist()


def test_one_that_cannot_be_worked_out_keeps_no_other_from_arriving(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def prepare(_self: ScalarsContent, many: Sequence[ScalarSeries], _counts: SeriesCounts) -> Sequence[ScalarSeries]:
        calls.append(len(many))
        return with_buckets(many, lambda _: 16)

    class Broken(FakeSeries):
        """A series whose values cannot be read."""

        @property
        def value(self) -> Any:
            raise SystemExit("no value")

        @value.setter
        def value(self, _: Any) -> None: ...

    monkeypatch.setattr(ScalarsContent, "prepare", prepare)
    logs = FakeSource()
    for number in range(300):
        make = Broken if number == 70 else FakeSeries
        logs.series["a", f"x{number}"] = make(np.arange(100), np.arange(100.0))
    messages = drain(channel_of(logs), 0, 0.9)
    came = {message.header["tags"][entry["tag"]] for _, message in messages for entry in message.header["series"]}
    assert calls
    assert came == {f"x{number}" for number in range(300)} - {"x70"}
    assert logs.failures == {("scalars", "a", "x70"): "SystemExit: no value"}


def test_series_wait_coarsely_with_their_buckets() -> None:
    many = [_series(list(range(500))), _series([1.0] * 10)]
    long, short = SCALARS.prepare(many, SeriesCounts(2, 1))
    assert isinstance(long, BucketedSeries)
    assert long.width == 8
    assert short is many[1]
