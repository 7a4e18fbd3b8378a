"""How often the follower polls files."""

from __future__ import annotations

import pytest

from tbwidget.logs.engine.follower import PollCost, Timetable

MAX_SHARE = 1 / 100
"""Upper bound for the follower's share of a core."""


@pytest.mark.parametrize("walk", [0.0002, 0.002, 0.02])
def test_polling_takes_less_than_a_hundredth_of_a_core(walk: float) -> None:
    timetable, news = Timetable(), 0.001
    timetable.after_everywhere(PollCost(1.0, 20.0))
    pause = timetable.after_everywhere(PollCost(walk, news))
    # The cost of reading counts only as far as it depends on the interval: all data are read in any case.
    share = walk / pause + news / timetable.after_growing(PollCost(0.0, news))
    assert 0.3 * MAX_SHARE < share < MAX_SHARE


def test_growing_files_are_polled_more_often_where_few_exist() -> None:
    few, many, news = Timetable(), Timetable(), PollCost(0.0001, 0.0013)
    pauses = []
    for timetable, walk in ((few, 0.0002), (many, 0.02)):
        timetable.after_everywhere(PollCost(1.0, 20.0))
        timetable.after_everywhere(PollCost(walk, 0.0014))
        pauses.append(timetable.after_growing(news))
    assert pauses[0] < 0.9 * pauses[1]


def test_the_cost_of_the_initial_scan_does_not_count() -> None:
    timetable = Timetable()
    assert timetable.after_everywhere(PollCost(1.0, 20.0)) < 1
    assert timetable.after_growing(PollCost(0.0, 0.0001)) < 0.1


@pytest.mark.parametrize("walk", [0.02, 0.2, 60.0])
def test_any_number_of_files_is_polled_every_five_seconds(walk: float) -> None:
    timetable = Timetable()
    timetable.after_everywhere(PollCost(1.0, 20.0))
    assert timetable.after_everywhere(PollCost(walk, 0.0)) <= 5
