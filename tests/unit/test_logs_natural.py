"""The natural order of names."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
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


def in_parts(name: str) -> tuple[list[tuple[int, str] | str], str]:
    parts: list[tuple[int, str] | str] = [*re.split(r"([0-9]+)", name)]
    for place in range(1, len(parts), 2):
        number = str(parts[place]).lstrip("0")
        parts[place] = len(number), number
    return parts, name


@given(
    st.lists(st.text(st.sampled_from("0019a\0\1\2\xff\ud800/") | st.characters(codec="utf-8"), max_size=9), max_size=20)
)
@example(["a", "a\0", "a\1", "a0", "a\0" + "1", "a\1" + "1", "a1\0", "a1\1", "a1"])
@example(["9" * 249, "9" * 250, "8" * 250, "9" * 251, "1" * 1000, "0" * 2000 + "7", "\xff"])
def test_text_by_text_and_number_by_number(names: list[str]) -> None:
    assert sorted(names, key=natural_key) == sorted(names, key=in_parts)


@given(st.lists(st.text(st.characters(codec="utf-8") | st.sampled_from("019٣²/")), min_size=2, max_size=2, unique=True))
def test_any_two_names_have_one_order(names: list[str]) -> None:
    one, other = map(natural_key, names)
    assert (one < other) != (other < one)
