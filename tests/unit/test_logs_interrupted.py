"""Interrupted anywhere, by Ctrl-C or for want of memory: nothing is lost for good, and nothing is there twice."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import tbwidget
from tests.support.eager import eager
from tests.support.eventfiles import NAME, event, simple

PARTS = (
    "logs/sorting.py",
    "logs/bundles.py",
    "logs/columns.py",
    "logs/eventfile.py",
    "records/layouts.py",
    "records/places.py",
    "records/values.py",
)
TAGS, EVERY = 7, 3
Values = dict[str, list[float]]


class Stopper:
    """Raises in the line of some modules that is executed as number `at`."""

    def __init__(self, at: int) -> None:
        self.left = at

    def __call__(self, frame: FrameType, _what: str, _argument: object) -> Callable[..., Any] | None:
        return self.line if frame.f_code.co_filename.endswith(PARTS) else None

    def line(self, _frame: FrameType, what: str, _argument: object) -> Callable[..., Any]:
        if what == "line":
            self.left -= 1
            if not self.left:
                raise KeyboardInterrupt
        return self.line


def interrupted(work: Callable[[], object], at: int) -> bool:
    stopper = Stopper(at)
    before = sys.gettrace()
    sys.settrace(stopper)
    try:
        work()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


def events(first: int, last: int) -> bytes:
    return b"".join(
        event(1.7e9 + n, n, simple(f"tag{number}", n + number / 10))
        for n in range(first, last)
        for number in range(TAGS)
    )


def values(logs: tbwidget.LogDir) -> Values:
    return {tag: logs.scalars(".", tag).value.tolist() for tag in logs.tags()["scalars"]["."]}


@pytest.mark.parametrize("asking", [False, True])
def test_what_was_interrupted_is_made_good(tmp_path: Path, *, asking: bool) -> None:
    at, interruptions = 1, 0
    path = tmp_path / NAME
    with eager():
        while True:
            path.write_bytes(events(0, 12))
            logs = tbwidget.load(tmp_path)
            logs.scalars(".", "tag3")
            with path.open("ab") as file:
                file.write(events(12, 30))
            if asking:
                logs.refresh()
            work = (lambda logs=logs: values(logs)) if asking else logs.refresh
            stopped = interrupted(work, at)
            if not asking:
                logs.refresh()
            assert values(logs) == values(tbwidget.load(tmp_path)), f"interrupted in line {at}"
            if not stopped:
                break
            at += EVERY
            interruptions += 1
    assert interruptions > 10
