"""Whether anybody looks: only time in which the kernel could hear counts."""

from __future__ import annotations

import re
from pathlib import Path

from tbwidget.wire.presence import SILENCE, IdleClock, Presence


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


def test_the_browser_speaks_often_enough() -> None:
    source = Path(__file__).resolve().parents[2].joinpath("js/src/wire/heartbeat.ts").read_text("utf-8")
    (here,) = re.findall(r"^export const HERE = (\d+);$", source, re.MULTILINE)
    # Browsers may put off a timer of a page in the background; one that is lost must not count as silence.
    assert 2 * float(here) < SILENCE
