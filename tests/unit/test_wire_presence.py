"""Whether anybody looks: only time in which the kernel could hear counts."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tbwidget.wire.presence import MOST_VIEWS, SILENCE, IdleClock, Presence


def test_time_in_which_a_cell_runs_does_not_count() -> None:
    ears = IdleClock()
    presence = Presence(ears)
    presence.heard(100)
    assert not presence.gone(1e6)  # the cell that made it
    ears.cell_ends(1e6)
    ears.cell_begins(1e6 + 40)
    ears.cell_begins(1e6 + 50)  # a cell within
    ears.cell_ends(1e6 + 60)
    assert not presence.gone(1e6 + 5000)
    ears.cell_ends(1e6 + 5000)
    assert not presence.gone(1e6 + 5019)
    assert presence.gone(1e6 + 5021)


def test_who_is_heard_is_there() -> None:
    ears = IdleClock()
    ears.cell_ends(0)
    presence = Presence(ears)
    presence.heard(10)
    assert not presence.gone(10 + SILENCE)
    assert presence.gone(11 + SILENCE)
    presence.heard(200)
    assert not presence.gone(200 + SILENCE)


def test_a_cell_that_ends_without_having_begun_changes_nothing() -> None:
    ears = IdleClock()
    ears.cell_ends(0)
    ears.cell_ends(5)
    ears.cell_begins(10)
    assert ears.idle_seconds(100) == 10


class Loop:
    """A loop that answers when it is told to."""

    def __init__(self) -> None:
        self.waiting: list[Callable[[float], None]] = []

    def ask(self, answer: Callable[[float], None]) -> None:
        self.waiting.append(answer)

    def answer(self, now: float) -> None:
        (answer,) = self.waiting
        self.waiting = []
        answer(now)


def test_time_in_which_a_callback_keeps_the_kernel_from_hearing_does_not_count() -> None:
    loop = Loop()
    ears = IdleClock(cell_runs=False, ask=loop.ask)
    presence = Presence(ears)
    presence.heard(0)
    for now in range(0, 60, 5):
        assert not presence.gone(now)
        loop.answer(now + 0.1)
    assert not presence.gone(60)
    for now in range(63, 10_000, 5):  # a button's callback trains
        assert not presence.gone(now)
    assert ears.idle_seconds(10_000) == 60
    loop.answer(10_000)
    assert not presence.gone(10_000)
    loop.answer(10_000.1)
    assert presence.gone(10_000.2), "it could hear, and heard nobody"


def test_a_cell_that_comes_while_the_kernel_does_not_hear() -> None:
    loop = Loop()
    ears = IdleClock(cell_runs=False, ask=loop.ask)
    ears.check(10)
    ears.cell_begins(100)
    assert ears.idle_seconds(150) == 10
    ears.check(150)
    loop.answer(160)  # by a loop that a cell runs in, and awaits something
    ears.cell_ends(200)
    assert ears.idle_seconds(205) == 15
    ears.check(205)
    ears.cell_begins(206)
    ears.cell_ends(300)
    assert ears.idle_seconds(310) == 16, "the question is older than the cell, and not answered yet"
    loop.answer(311)
    assert ears.idle_seconds(320) == 25


def test_a_loop_that_has_ended_is_not_asked_again() -> None:
    asked: list[object] = []

    def ask(answer: object) -> None:
        asked.append(answer)
        raise RuntimeError("it is closed")

    ears = IdleClock(cell_runs=False, ask=ask)
    presence = Presence(ears)
    presence.heard(0)
    assert not presence.gone(0)
    assert presence.gone(1 + SILENCE)
    assert len(asked) == 1


def test_the_browser_speaks_often_enough() -> None:
    source = Path(__file__).resolve().parents[2].joinpath("js/src/wire/heartbeat.ts").read_text("utf-8")
    (here,) = re.findall(r"^export const HERE = (\d+);$", source, re.MULTILINE)
    # Browsers may put off a timer of a page in the background; one that is lost must not count as silence.
    assert 2 * float(here) < SILENCE


def test_who_was_heard_in_a_cell_is_missed_there_too_until_another_page_comes() -> None:
    clock = IdleClock(cell_runs=True)
    presence = Presence(clock)
    presence.heard(5, on_subshell=False)
    assert not presence.gone(1000), "it may be that nobody can be heard"
    presence.heard(1000, on_subshell=True)
    assert not presence.gone(1000 + SILENCE)
    assert presence.gone(1001 + SILENCE)
    presence.heard(2000, on_subshell=True)
    assert not presence.gone(2001)
    presence.connected(2002)
    presence.heard(2010, on_subshell=True)
    assert not presence.gone(9000), "which may not make itself heard"
    presence.heard(9000, {"type": "hello", "views": ["it"], "complete": False}, on_subshell=True)
    clock.cell_ends(9001)
    assert not presence.gone(9000 + SILENCE)
    presence.heard(9010)
    clock.cell_begins(9020)
    assert not presence.gone(9010 + SILENCE)
    assert presence.gone(9011 + SILENCE), "a page that fell asleep in the next cell"


def here(*views: str, complete: bool = True) -> dict[str, object]:
    return {"type": "here", "complete": complete, "views": list(views)}


def test_of_two_pages_the_one_that_is_not_heard_in_cells_is_not_forgotten_with_the_other() -> None:
    clock = IdleClock(cell_runs=False)
    presence = Presence(clock)
    presence.heard(0, here("heard"))
    presence.heard(1, here("mute"))
    clock.cell_begins(10)
    presence.heard(20, here("heard"), on_subshell=True)
    presence.heard(30, {"type": "bye", "view": "heard"}, on_subshell=True)
    assert not presence.gone(9000), "the other one may be there"
    clock.cell_ends(9000)
    assert not presence.gone(9000 + SILENCE - 10)
    assert presence.gone(9001 + SILENCE), "it could be heard again, and was not"


def test_a_view_that_has_ended_is_not_waited_for() -> None:
    clock = IdleClock(cell_runs=False)
    presence = Presence(clock)
    presence.heard(0, here("left", "stays"))
    presence.heard(1, {"type": "bye", "view": "left"})
    clock.cell_begins(2)
    presence.heard(3, here("stays"), on_subshell=True)
    assert not presence.gone(3 + SILENCE)
    assert presence.gone(4 + SILENCE)


@pytest.mark.parametrize("noticed_first", [True, False])
def test_a_page_that_comes_in_a_cell_and_is_heard_is_missed_there(noticed_first: bool) -> None:  # noqa: FBT001
    presence = Presence(IdleClock(cell_runs=True))
    if noticed_first:
        presence.connected(100)
    presence.heard(100, here("a", complete=False), on_subshell=True)
    if not noticed_first:
        presence.connected(100)
    assert not presence.gone(100 + SILENCE)
    assert presence.gone(101 + SILENCE)
    presence.connected(200)
    presence.heard(210, here("a"), on_subshell=True)
    assert not presence.gone(9000), "another one, which is not heard"


def test_views_that_name_themselves_have_an_end() -> None:
    clock = IdleClock(cell_runs=False)
    presence = Presence(clock)
    for number in range(10_000):
        presence.heard(number / 1000, {"type": "view", "view": f"view {number}"})
    presence.heard(10, {"type": "here", "views": [None, 7, "x" * 1_000_000, *"ab"]})
    presence.heard(10, ["bye"])
    assert len(presence._views) == MOST_VIEWS
    assert presence.gone(11 + SILENCE)
