"""The visible rows are found while they arrive, with the same result as if all had been there at once."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tbwidget.wire.series_stream import VisibleRows
from tests.support.feeds import FakeSeries

steps = st.lists(st.integers(-4, 12) | st.sampled_from([-(2**63), 2**63 - 1]), max_size=30)


def series_of(step: list[int]) -> FakeSeries:
    return FakeSeries(np.array(step, np.int64), np.ones(len(step)))


@given(steps, st.data())
def test_added_rows_are_found_as_by_a_full_search(step: list[int], data: st.DataObject) -> None:
    first, last, linked = (data.draw(st.integers(-5, 13)) for _ in range(3))
    visible = VisibleRows()
    for end in [*sorted(data.draw(st.lists(st.integers(0, len(step)), max_size=4))), len(step)]:
        visible.update(series_of(step[:end]), (first, last), linked)
    inside = [i for i, one in enumerate(step) if first <= one <= last]
    assert visible.inside == (range(inside[0], inside[-1] + 1) if inside else None)
    up_to = [(one, i) for i, one in enumerate(step) if one <= linked]
    assert visible.at == (max(up_to)[1] if up_to else None)


def test_each_row_is_searched_once() -> None:
    held = series_of([1, 2, 3])
    visible = VisibleRows()
    visible.update(held, (1, 3), 3)
    held.step[:] = 9
    visible.update(held, (1, 3), 3)
    assert (visible.inside, visible.at) == (range(3), 2)


def test_a_rewritten_series_is_searched_again() -> None:
    held = series_of([1, 2, 3])
    visible = VisibleRows()
    visible.update(held, (2, 3), 2)
    changed = series_of([5, 2])
    changed.revision = held.revision + 1
    visible.update(changed, (2, 3), 2)
    assert (visible.inside, visible.at) == (range(1, 2), 1)
    visible.update(changed, None, None)
