"""How often the follower looks at files."""

from __future__ import annotations

import pytest

from tbwidget.logs.engine.follower import PollCost, Timetable

MOST = 1 / 100
"""Of a core."""


@pytest.mark.parametrize("walk", [0.0002, 0.002, 0.02])
def test_looking_takes_less_than_a_hundredth_of_a_core(walk: float) -> None:
    timetable, news = Timetable(), 0.001
    timetable.after_everywhere(PollCost(1.0, 20.0))
    pause = timetable.after_everywhere(PollCost(walk, news))
    # Of reading only what it takes beyond that: it is done either way.
    share = walk / pause + news / timetable.after_growing(PollCost(0.0, news))
    assert 0.3 * MOST < share < MOST


def test_files_that_grow_are_looked_at_more_often_where_there_are_few() -> None:
    few, many, news = Timetable(), Timetable(), PollCost(0.0001, 0.0013)
    pauses = []
    for timetable, walk in ((few, 0.0002), (many, 0.02)):
        timetable.after_everywhere(PollCost(1.0, 20.0))
        timetable.after_everywhere(PollCost(walk, 0.0014))
        pauses.append(timetable.after_growing(news))
    assert pauses[0] < 0.9 * pauses[1]


def test_what_the_first_reading_takes_is_no_measure() -> None:
    timetable = Timetable()
    assert timetable.after_everywhere(PollCost(1.0, 20.0)) < 1
    assert timetable.after_growing(PollCost(0.0, 0.0001)) < 0.1


@pytest.mark.parametrize("walk", [0.02, 0.2, 60.0])
def test_files_are_looked_at_every_five_seconds_however_many_there_are(walk: float) -> None:
    timetable = Timetable()
    timetable.after_everywhere(PollCost(1.0, 20.0))
    assert timetable.after_everywhere(PollCost(walk, 0.0)) <= 5
