"""Presence of a client: only time in which the kernel can handle messages counts."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tbwidget.wire.clients import MAX_VIEWS, SILENCE_S, BrowserMessage, Clients, IdleClock, parse_message


def test_time_in_which_a_cell_runs_does_not_count() -> None:
    clock = IdleClock()
    clients = Clients(clock)
    clients.hear(100)
    assert not clients.are_gone(1e6)  # the cell that made the dashboard still runs
    clock.cell_ends(1e6)
    clock.cell_begins(1e6 + 40)
    clock.cell_begins(1e6 + 50)  # a nested cell
    clock.cell_ends(1e6 + 60)
    assert not clients.are_gone(1e6 + 5000)
    clock.cell_ends(1e6 + 5000)
    assert not clients.are_gone(1e6 + 5019)
    assert clients.are_gone(1e6 + 5021)


def test_a_client_that_is_heard_is_present() -> None:
    clock = IdleClock()
    clock.cell_ends(0)
    clients = Clients(clock)
    clients.hear(10)
    assert not clients.are_gone(10 + SILENCE_S)
    assert clients.are_gone(11 + SILENCE_S)
    clients.hear(200)
    assert not clients.are_gone(200 + SILENCE_S)


def test_a_cell_that_ends_without_having_begun_changes_nothing() -> None:
    clock = IdleClock()
    clock.cell_ends(0)
    clock.cell_ends(5)
    clock.cell_begins(10)
    assert clock.idle_seconds(100) == 10


class Loop:
    """A loop that answers on request."""

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
    clock = IdleClock(cell_runs=False, ask=loop.ask)
    clients = Clients(clock)
    clients.hear(0)
    for now in range(0, 60, 5):
        assert not clients.are_gone(now)
        loop.answer(now + 0.1)
    assert not clients.are_gone(60)
    for now in range(63, 10_000, 5):  # a button's callback trains
        assert not clients.are_gone(now)
    assert clock.idle_seconds(10_000) == 60
    loop.answer(10_000)
    assert not clients.are_gone(10_000)
    loop.answer(10_000.1)
    assert clients.are_gone(10_000.2), "it could hear, and heard nobody"


def test_a_cell_that_comes_while_the_kernel_does_not_hear() -> None:
    loop = Loop()
    clock = IdleClock(cell_runs=False, ask=loop.ask)
    clock.check(10)
    clock.cell_begins(100)
    assert clock.idle_seconds(150) == 10
    clock.check(150)
    loop.answer(160)  # from a loop that a cell runs, while the cell awaits something
    clock.cell_ends(200)
    assert clock.idle_seconds(205) == 15
    clock.check(205)
    clock.cell_begins(206)
    clock.cell_ends(300)
    assert clock.idle_seconds(310) == 16, "the question is older than the cell, and not answered yet"
    loop.answer(311)
    assert clock.idle_seconds(320) == 25


def test_a_loop_that_has_ended_is_not_asked_again() -> None:
    asked: list[object] = []

    def ask(answer: object) -> None:
        asked.append(answer)
        raise RuntimeError("it is closed")

    clock = IdleClock(cell_runs=False, ask=ask)
    clients = Clients(clock)
    clients.hear(0)
    assert not clients.are_gone(0)
    assert clients.are_gone(1 + SILENCE_S)
    assert len(asked) == 1


def test_the_browser_speaks_often_enough() -> None:
    source = Path(__file__).resolve().parents[2].joinpath("js/src/wire/connection.ts").read_text("utf-8")
    (here,) = re.findall(r"^export const HERE = (\d+);$", source, re.MULTILINE)
    # Browsers may delay a timer of a background page; a single lost one must not count as silence.
    assert 2 * float(here) < SILENCE_S


def test_a_client_heard_in_a_cell_is_missed_there_too_until_another_page_comes() -> None:
    clock = IdleClock(cell_runs=True)
    clients = Clients(clock)
    clients.hear(5, on_subshell=False)
    assert not clients.are_gone(1000), "it may be that nobody can be heard"
    clients.hear(1000, on_subshell=True)
    assert not clients.are_gone(1000 + SILENCE_S)
    assert clients.are_gone(1001 + SILENCE_S)
    clients.hear(2000, on_subshell=True)
    assert not clients.are_gone(2001)
    clients.connect(2002)
    clients.hear(2010, on_subshell=True)
    assert not clients.are_gone(9000), "which may not make itself heard"
    clients.hear(9000, parse_message({"type": "hello", "views": ["it"], "complete": False}), on_subshell=True)
    clock.cell_ends(9001)
    assert not clients.are_gone(9000 + SILENCE_S)
    clients.hear(9010)
    clock.cell_begins(9020)
    assert not clients.are_gone(9010 + SILENCE_S)
    assert clients.are_gone(9011 + SILENCE_S), "a page that fell asleep in the next cell"


def here(*views: str, complete: bool = True) -> BrowserMessage:
    return parse_message({"type": "here", "complete": complete, "views": list(views)})


def test_a_page_that_is_not_heard_in_cells_is_not_forgotten_with_another() -> None:
    clock = IdleClock(cell_runs=False)
    clients = Clients(clock)
    clients.hear(0, here("heard"))
    clients.hear(1, here("mute"))
    clock.cell_begins(10)
    clients.hear(20, here("heard"), on_subshell=True)
    clients.hear(30, parse_message({"type": "bye", "view": "heard"}), on_subshell=True)
    assert not clients.are_gone(9000), "the other one may be there"
    clock.cell_ends(9000)
    assert not clients.are_gone(9000 + SILENCE_S - 10)
    assert clients.are_gone(9001 + SILENCE_S), "it could be heard again, and was not"


def test_a_view_that_has_ended_is_not_waited_for() -> None:
    clock = IdleClock(cell_runs=False)
    clients = Clients(clock)
    clients.hear(0, here("left", "stays"))
    clients.hear(1, parse_message({"type": "bye", "view": "left"}))
    clock.cell_begins(2)
    clients.hear(3, here("stays"), on_subshell=True)
    assert not clients.are_gone(3 + SILENCE_S)
    assert clients.are_gone(4 + SILENCE_S)


@pytest.mark.parametrize("noticed_first", [True, False])
def test_a_page_that_comes_in_a_cell_and_is_heard_is_missed_there(noticed_first: bool) -> None:  # noqa: FBT001
    clients = Clients(IdleClock(cell_runs=True))
    if noticed_first:
        clients.connect(100)
    clients.hear(100, here("a", complete=False), on_subshell=True)
    if not noticed_first:
        clients.connect(100)
    assert not clients.are_gone(100 + SILENCE_S)
    assert clients.are_gone(101 + SILENCE_S)
    clients.connect(200)
    clients.hear(210, here("a"), on_subshell=True)
    assert not clients.are_gone(9000), "another one, which is not heard"


def test_views_that_name_themselves_have_an_end() -> None:
    clock = IdleClock(cell_runs=False)
    clients = Clients(clock)
    for number in range(10_000):
        clients.hear(number / 1000, parse_message({"type": "view", "view": f"view {number}"}))
    clients.hear(10, parse_message({"type": "here", "views": [None, 7, "x" * 1_000_000, *"ab"]}))
    clients.hear(10, parse_message(["bye"]))
    assert len(clients._views) == MAX_VIEWS
    assert clients.are_gone(11 + SILENCE_S)
