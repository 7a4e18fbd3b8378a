"""Points sorted by tag, however they come and whenever somebody asks for them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tbwidget.logs.columns import Points, Stretch
from tbwidget.logs.sorting import Sorter
from tests.support.eager import eager

TAGS = 12

windows = st.lists(
    st.tuples(
        st.integers(1, 40),
        st.integers(1, TAGS),
        st.sampled_from(["at random", "in turn", "in turn, some twice", "in turn but for one"]),
        st.booleans(),
        st.booleans(),
        st.booleans(),
    ),
    max_size=12,
)
"""Of each: points, tags, and how these come; whether it begins a new stretch in its midst, is the last for now, and
somebody looks then."""


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


class Plain:
    """The same, point by point."""

    def __init__(self) -> None:
        self.steps: dict[int, list[int]] = {}
        self.stretches: dict[int, list[Stretch]] = {}
        self._last: dict[int, int] = {}

    def add(self, tags: np.ndarray, stretch: np.ndarray, steps: np.ndarray) -> None:
        for tag, step, its_stretch in zip(tags.tolist(), steps.tolist(), stretch.tolist(), strict=True):
            of_tag = self.steps.setdefault(tag, [])
            if self._last.get(tag) != its_stretch:
                self.stretches.setdefault(tag, []).append(Stretch(len(of_tag), step))
                self._last[tag] = its_stretch
            of_tag.append(step)


@given(windows=windows, seed=st.integers(0, 2**32 - 1), early=st.booleans())
def test_each_tag_has_its_points_in_order(
    windows: list[tuple[int, int, str, bool, bool, bool]], seed: int, *, early: bool
) -> None:
    random = np.random.default_rng(seed)
    sorter, plain, written, stretch = Sorter(), Plain(), 0, 0
    handed_out: list[tuple[Points, list[int]]] = []

    def ask(tag: int) -> None:
        column = sorter.column(tag)
        assert (column is None) == (tag not in plain.steps)
        if column is not None:
            assert column.stretches == plain.stretches[tag]
            handed_out.append((column.points(), list(plain.steps[tag])))

    with eager(wanted=early):
        for count, variety, how, begins, ends, looks in windows:
            tags = tags_that_come(how, count, variety, random)
            steps = np.arange(written, written + count)
            its_stretch = stretch + (np.arange(count) >= count // 2) * begins
            sorter.add(tags, its_stretch if begins else stretch, points_of(steps))
            plain.add(tags, its_stretch, steps)
            written, stretch = written + count, stretch + begins
            if ends:
                sorter.finish()
            for tag in random.integers(0, TAGS, 3 * looks).tolist():
                ask(tag)
        sorter.finish()
        assert sorter.changed == set(plain.steps)
        for tag in range(TAGS):
            ask(tag)
    for points, expected in handed_out:
        assert points.step.tolist() == expected
        assert (points.value == -points.step).all()
        assert (points.wall_time == points.step).all()
        assert not any(array.flags.writeable for array in points)


@pytest.mark.parametrize("asked", [False, True])
def test_what_is_cleared_has_changed(*, asked: bool) -> None:
    sorter = Sorter()
    sorter.add(np.repeat(np.arange(3), 100), 0, points_of(np.arange(300)))
    if asked:
        assert sorter.column(1) is not None
    sorter.settle()
    sorter.changed = set()
    sorter.clear()
    assert sorter.changed == {0, 1, 2}
    assert [sorter.column(tag) for tag in range(3)] == [None] * 3
