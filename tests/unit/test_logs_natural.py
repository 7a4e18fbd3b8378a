"""The natural order of names."""

from __future__ import annotations

import re
import string
from fractions import Fraction

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
        ["lr=0", "lr=1e-10", "lr=0.00001", "lr=1e-05", "lr=5e-05", "lr=0.0001", "lr=0.01", "lr=0.1", "lr=1.5", "lr=10"],
        ["sweep/lr0.001", "sweep/lr0.001_2", "sweep/lr0.0015_1", "sweep/lr0.01_1", "sweep/lr0.5"],
        ["layer1.9", "layer1.9.weight", "layer1.10", "layer1.10.weight"],
        ["blocks.0.9", "blocks.0.10", "blocks.1.0"],
        ["0.9.weight", "0.10.weight"],
        ["v1.2.9", "v1.2.10", "v1.9", "v1.10"],
        ["v" + "1" * 6000, "v" + "2" * 6000, "v" + "1" * 6001],
    ],
)
def test_order(ordered: list[str]) -> None:
    shuffled = ordered[::-1]
    assert sorted(shuffled, key=natural_key) == ordered


def is_decimal(before: str, whole: str, after: str) -> bool:
    """Return whether the dot between these is a decimal point."""
    fraction = re.match("[0-9]+", after)
    if fraction is None or before.endswith("."):
        return False
    after_letter = before != "" and before[-1] in string.ascii_letters
    left = after[fraction.end() :]
    is_path = left[:1] == "." and left[1:2] != "" and left[1] in string.ascii_letters + string.digits
    return not is_path and (whole == "0" or not after_letter)


def in_parts(name: str) -> tuple[list[str | Fraction], str]:
    """Return text, number, text and so on, and then the name: read character by character."""
    parts: list[str | Fraction] = []
    text = ""
    at = 0
    while at < len(name):
        if name[at] not in string.digits:
            text += name[at]
            at += 1
            continue
        start = at
        while name[at : at + 1] and name[at] in string.digits:
            at += 1
        if name[at : at + 1] == "." and is_decimal(name[:start], name[start:at], name[at + 1 :]):
            at += 1
            while name[at : at + 1] and name[at] in string.digits:
                at += 1
        number = Fraction(name[start:at])
        exponent = re.match("e-([0-9]{1,3})(?![0-9A-Za-z])", name[at:])
        if exponent is not None:
            at += exponent.end()
            number /= 10 ** int(exponent[1])
        parts += [text, number]
        text = ""
    return [*parts, text], name


@given(
    st.lists(
        st.text(st.sampled_from("0019ae.-\0\1\2\xff\ud800/") | st.characters(codec="utf-8"), max_size=9), max_size=20
    )
)
@example(["a", "a\0", "a\1", "a0", "a\0" + "1", "a\1" + "1", "a1\0", "a1\1", "a1"])
@example(["9" * 249, "9" * 250, "8" * 250, "9" * 251, "1" * 1000, "0" * 2000 + "7", "\xff"])
@example(
    ["0." + "0" * zeros + "1" for zeros in (0, 90, 99, 100, 101, 102, 200)] + ["1e-100", "1e-101", "1e-999", "0e-999"]
)
@example(
    [
        "0.1_",
        "0.1/",
        "0.1.",
        "0.15",
        "0.1 ",
        "0.1",
        "0.10",
        "0.1\0",
        "0.1\1",
        "0.1.a",
        "0.1-",
        "x0.1",
        "x1.1",
        "0.1e-2a",
    ]
)
def test_text_by_text_and_number_by_number(names: list[str]) -> None:
    assert sorted(names, key=natural_key) == sorted(names, key=in_parts)


@given(st.lists(st.text(st.characters(codec="utf-8") | st.sampled_from("019٣²/")), min_size=2, max_size=2, unique=True))
def test_any_two_names_have_one_order(names: list[str]) -> None:
    one, other = map(natural_key, names)
    assert (one < other) != (other < one)
