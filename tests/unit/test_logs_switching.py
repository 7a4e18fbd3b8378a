"""A shorter switch interval of threads while logs are read, and its restoration."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from queue import Queue

import pytest

from tbwidget.logs.logdir import LogDir
from tbwidget.logs.source import Changes
from tbwidget.logs.threads import short_switch_interval
from tests.support.eventfiles import points, write
from tests.support.waiting import PATIENCE


@pytest.fixture(autouse=True)
def turns() -> Iterator[float]:
    """Set 5 ms for the test, and restore the former interval after it."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(0.005)
    yield 0.005
    sys.setswitchinterval(before)


def test_the_switch_interval_is_short_while_any_user_wants_it(turns: float) -> None:
    with short_switch_interval():
        with short_switch_interval():
            assert sys.getswitchinterval() < turns / 2
        assert sys.getswitchinterval() < turns / 2
    assert sys.getswitchinterval() == turns


def test_an_interval_that_others_set_stays() -> None:
    with short_switch_interval():
        sys.setswitchinterval(0.002)
    assert sys.getswitchinterval() == pytest.approx(0.002)
    sys.setswitchinterval(0.00005)
    shorter = sys.getswitchinterval()
    with short_switch_interval():
        assert sys.getswitchinterval() == shorter
    assert sys.getswitchinterval() == shorter


def test_only_the_initial_scan_has_a_short_interval(tmp_path: Path, turns: float) -> None:
    path = write(tmp_path / "run/events.out.tfevents.1", points("loss", [1], 10.0))
    seen: Queue[float] = Queue()

    def note(changes: Changes) -> None:
        if changes.series:
            seen.put(sys.getswitchinterval())

    with LogDir(tmp_path) as logs:
        logs.source.subscribe(note)
        logs.follow(0.01)
        assert seen.get(timeout=PATIENCE) < turns / 2
        while not logs.source.ready:
            time.sleep(0.01)
        with path.open("ab") as file:
            file.write(points("loss", [2], 11.0))
        assert seen.get(timeout=PATIENCE) == turns


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_has_the_former_interval(turns: float) -> None:
    with short_switch_interval():
        child = os.fork()
        if not child:
            signal.alarm(20)
            long = sys.getswitchinterval() == turns
            with short_switch_interval():
                short = sys.getswitchinterval() < turns / 2
            os._exit(0 if long and short and sys.getswitchinterval() == turns else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert sys.getswitchinterval() == turns
