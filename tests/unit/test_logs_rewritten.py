"""Files that are changed without growing: what nothing but their times tell is noticed by `refresh`."""

from __future__ import annotations

import os
from pathlib import Path

import tbwidget
from tbwidget.records.framing import FRAME
from tests.support.eventfiles import NAME, event, plugin, points, strings, write


def flip(path: Path, offset: int) -> None:
    """Change a byte in place, as a failing disk does."""
    with path.open("r+b") as file:
        file.seek(offset)
        byte = file.read(1)[0]
        file.seek(offset)
        file.write(bytes([byte ^ 1]))


def later(path: Path, seconds: int) -> None:
    """Let the last change be some time away from the one before, whatever the file system's clock."""
    status = path.stat()
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + seconds * 10**9))


def steps(logs: tbwidget.LogDir) -> list[int]:
    found: list[int] = logs.scalars(".", "a").step.tolist()
    return found


def test_a_byte_in_the_middle_is_noticed(tmp_path: Path) -> None:
    before = points("a", list(range(150)), 1.0)
    path = write(tmp_path / NAME, before, points("a", list(range(150, 300)), 50.0))
    logs = tbwidget.load(tmp_path)
    flip(path, len(before) + FRAME)
    later(path, 1)
    assert logs.refresh()
    assert steps(logs) == [step for step in range(300) if step != 150]
    assert logs.problems == tbwidget.load(tmp_path).problems != []
    flip(path, len(before) + FRAME)
    later(path, 2)
    assert logs.refresh()
    assert (steps(logs), logs.problems) == (list(range(300)), [])
    assert not logs.refresh()


def test_what_was_read_meanwhile_by_others_is_noticed_too(tmp_path: Path) -> None:
    """The follower looks at a file that was changed, too, and does not read it again: it is one that is written to."""
    path = write(tmp_path / NAME, points("a", list(range(1, 31)), 1.0))
    logs = tbwidget.load(tmp_path)
    path.write_bytes(points("a", [*range(64, 93), 30], 1.0))
    later(path, 1)
    logs.look(everywhere=True)
    assert steps(logs)[:2] == [1, 2]
    assert logs.refresh()
    assert steps(logs) == [*range(64, 93), 30]


def test_a_value_that_was_changed_is_another(tmp_path: Path) -> None:
    path = write(tmp_path / NAME, event(1, 0, strings("t", plugin("text"), b"old")), points("a", [1], 2.0))
    logs = tbwidget.load(tmp_path)
    before = logs.text(".", "t")
    write(path, event(1, 0, strings("t", plugin("text"), b"new")), points("a", [1], 2.0))
    later(path, 1)
    assert logs.refresh()
    after = logs.text(".", "t")
    assert (after[0].value.item(), after.revision != before.revision) == ("new", True)
