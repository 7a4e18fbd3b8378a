"""The natural order of names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tbwidget.logs.natural import natural_key


@pytest.mark.parametrize(
    "ordered",
    [
        ["layer2", "layer10", "layer10/a", "layer11"],
        ["", "2", "10", "a"],
        ["a1b2", "a1b10", "a2b1"],
        ["x001", "x01", "x1", "x2"],
        ["v" + "1" * 6000, "v" + "2" * 6000, "v" + "1" * 6001],
    ],
)
def test_order(ordered: list[str]) -> None:
    shuffled = ordered[::-1]
    assert sorted(shuffled, key=natural_key) == ordered


@given(st.lists(st.text(st.characters(codec="utf-8") | st.sampled_from("019٣²/")), min_size=2, max_size=2, unique=True))
def test_any_two_names_have_one_order(names: list[str]) -> None:
    one, other = map(natural_key, names)
    assert (one < other) != (other < one)
