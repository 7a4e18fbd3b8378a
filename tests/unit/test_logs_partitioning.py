"""Points partitioned by tag, in any order of arrival and whenever they are requested."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tbwidget.logs.columns import Points, Session
from tbwidget.logs.engine.partitioning import TagPartitioner
from tests.support.eager import eager

TAGS = 12

windows = st.lists(
    st.tuples(
        st.integers(1, 40),
        st.integers(1, TAGS),
        st.sampled_from(["at random", "in turn", "in turn, some twice", "in turn but for one", "as before"]),
        st.booleans(),
        st.booleans(),
        st.booleans(),
    ),
    max_size=12,
)
"""Windows: number of points and of tags, the order of tags; whether a new session begins within it, whether it is the
last for now, and whether the points are requested then."""


def tags_that_come(how: str, count: int, variety: int, random: np.random.Generator) -> npt.NDArray[np.int32]:
    if how == "at random":
        return random.integers(0, variety, count).astype(np.int32)
    turn = random.integers(0, variety, variety + 1) if how == "in turn, some twice" else random.permutation(variety)
    tags = turn[np.arange(count) % len(turn)].astype(np.int32)
    if how == "in turn but for one":
        tags[random.integers(0, count)] = random.integers(0, variety)
    return tags


def points_of(steps: np.ndarray) -> Points:
    return Points(steps.copy(), steps.astype(float), -steps.astype(float))


def together(steps: np.ndarray, variety: int) -> np.ndarray:
    """Return steps that some tags in turn share, as the tags of an event do."""
    return steps // max(1, variety // 2) * max(1, variety // 2)


class Plain:
    """The same partitioning, point by point."""

    def __init__(self) -> None:
        self.steps: dict[int, list[int]] = {}
        self.sessions: dict[int, list[Session]] = {}
        self._last: dict[int, int] = {}

    def add(self, tags: np.ndarray, session: np.ndarray, steps: np.ndarray) -> None:
        for tag, step, its_session in zip(tags.tolist(), steps.tolist(), session.tolist(), strict=True):
            of_tag = self.steps.setdefault(tag, [])
            if self._last.get(tag) != its_session:
                self.sessions.setdefault(tag, []).append(Session(len(of_tag), step))
                self._last[tag] = its_session
            of_tag.append(step)


@given(windows=windows, seed=st.integers(0, 2**32 - 1), early=st.booleans())
def test_each_tag_has_its_points_in_order(
    windows: list[tuple[int, int, str, bool, bool, bool]], seed: int, *, early: bool
) -> None:
    random = np.random.default_rng(seed)
    partitioner, plain, written, session = TagPartitioner(), Plain(), 0, 0
    handed_out: list[tuple[Points, list[int]]] = []

    def ask(tag: int) -> None:
        column = partitioner.column(tag)
        assert (column is None) == (tag not in plain.steps)
        if column is not None:
            assert column.sessions == plain.sessions[tag]
            handed_out.append((column.points(), list(plain.steps[tag])))

    with eager(wanted=early):
        cycle = np.zeros(1, np.int32)
        for count, variety, how, begins, ends, looks in windows:
            if how == "as before":  # the cycle continues where the previous window was cut
                tags = np.resize(cycle, count)
            else:
                tags = tags_that_come(how, count, variety, random)
                cycle = tags[:variety] if how == "in turn" and count >= variety else tags
            cycle = np.roll(cycle, -count)
            steps = together(np.arange(written, written + count), variety)
            its_session = session + (np.arange(count) >= count // 2) * begins
            partitioner.add(tags, its_session if begins else session, points_of(steps))
            plain.add(tags, its_session, steps)
            written, session = written + count, session + begins
            if ends:
                partitioner.finish()
            for tag in random.integers(0, TAGS, 3 * looks).tolist():
                ask(tag)
        partitioner.finish()
        assert partitioner.changed == set(plain.steps)
        for tag in range(TAGS):
            ask(tag)
    for points, expected in handed_out:
        assert points.step.tolist() == expected
        assert (points.value == -points.step).all()
        assert (points.wall_time == points.step).all()
        assert not any(array.flags.writeable for array in points)


@given(
    period=st.integers(2, 5),
    count=st.integers(12, 40),
    cuts=st.lists(st.integers(2, 39), max_size=4),
    changed=st.lists(st.integers(0, 39), max_size=3),
)
def test_tags_share_only_columns_that_are_equal_in_every_event(
    period: int, count: int, cuts: list[int], changed: list[int]
) -> None:
    every = np.arange(count, dtype=np.int32) % period
    steps = np.arange(count) // period
    for place in [*changed, *cuts[:1]]:  # also at the beginning of a window
        steps[place % count] += 1 << 40
    partitioner = TagPartitioner()
    with eager():
        for window in np.split(np.arange(count), sorted({cut for cut in cuts if cut < count})):
            partitioner.add(every[window], 0, points_of(steps[window]))
        partitioner.finish()
    for tag in range(period):
        column = partitioner.column(tag)
        assert column is not None
        points = column.points()
        assert points.step.tolist() == points.wall_time.tolist() == steps[every == tag].tolist()


@pytest.mark.parametrize("asked", [False, True])
def test_cleared_columns_count_as_changed(*, asked: bool) -> None:
    partitioner = TagPartitioner()
    partitioner.add(np.repeat(np.arange(3), 100), 0, points_of(np.arange(300)))
    if asked:
        assert partitioner.column(1) is not None
    partitioner.flush()
    partitioner.changed = set()
    partitioner.clear()
    assert partitioner.changed == {0, 1, 2}
    assert [partitioner.column(tag) for tag in range(3)] == [None] * 3


def test_tags_of_one_event_share_their_steps_and_times() -> None:
    tags, rounds = 8, 2_000
    partitioner = TagPartitioner()
    steps = np.repeat(np.arange(2 * rounds), tags)
    half = rounds * tags + 3  # a window may end within an event
    every = np.tile(np.arange(tags, dtype=np.int32), 2 * rounds)
    values = np.arange(len(steps)).astype(float)
    for window in (slice(half), slice(half, None)):
        partitioner.add(every[window], 0, Points(steps[window], steps[window] / 2, values[window]))
    partitioner.finish()
    columns = [partitioner.column(tag) for tag in range(tags)]
    held = [column.points() for column in columns if column is not None]
    assert len(held) == tags
    assert len({points.step.ctypes.data for points in held}) == 1
    assert len({points.wall_time.ctypes.data for points in held}) == 1
    for tag, points in enumerate(held):
        assert (points.step == np.arange(2 * rounds)).all()
        assert (points.wall_time == points.step / 2).all()
        assert (points.value == values[tag::tags]).all()


def test_a_tag_that_grows_alone_takes_nothing_from_those_it_shared_with() -> None:
    tags, rounds = 3, 4_000
    partitioner = TagPartitioner()
    steps = np.repeat(np.arange(rounds), tags)
    partitioner.add(np.tile(np.arange(tags, dtype=np.int32), rounds), 0, points_of(steps))
    partitioner.finish()
    shared = partitioner.column(0), partitioner.column(1)
    partitioner.add(np.zeros(1, np.int32), 0, points_of(np.array([rounds])))
    partitioner.finish()
    grown, other = (column.points() for column in shared if column is not None)
    assert (grown.step == np.arange(rounds + 1)).all()
    assert (other.step == np.arange(rounds)).all()
    last = partitioner.column(2)
    assert last is not None
    assert (last.points().value == -np.arange(rounds)).all()
