"""Files that change in the middle, with or without growing: `refresh` notices."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import tbwidget
from tbwidget.logs.engine.follower import poll
from tbwidget.records.files.framing import FRAME
from tests.support.eventfiles import NAME, event, plugin, points, strings, write


def flip(path: Path, offset: int) -> None:
    """Change a byte in place, as a failing disk does."""
    with path.open("r+b") as file:
        file.seek(offset)
        byte = file.read(1)[0]
        file.seek(offset)
        file.write(bytes([byte ^ 1]))


def later(path: Path, seconds: int) -> None:
    """Separate the last change from the one before by enough time for any file system's clock."""
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


def test_a_change_that_the_follower_polled_is_noticed_too(tmp_path: Path) -> None:
    """The follower also polls a changed file, but does not reread it: it assumes that the file is being written."""
    path = write(tmp_path / NAME, points("a", list(range(1, 31)), 1.0))
    logs = tbwidget.load(tmp_path)
    path.write_bytes(points("a", [*range(64, 93), 30], 1.0))
    later(path, 1)
    poll(logs.source, everywhere=True)
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


def appended(path: Path, *parts: bytes) -> None:
    with path.open("ab") as file:
        file.writelines(parts)


def replaced(path: Path, old: bytes, new: bytes) -> None:
    """Overwrite bytes in place."""
    data = path.read_bytes()
    assert len(old) == len(new)
    with path.open("r+b") as file:
        file.seek(data.index(old))
        file.write(new)


@pytest.mark.parametrize("age", [0, 3600])
def test_an_overwrite_before_an_append_is_noticed(tmp_path: Path, age: int) -> None:
    """The file was growing when it was read, or unchanged for an hour."""
    path = write(tmp_path / NAME, points("a", list(range(200)), 1.0))
    later(path, -age)
    logs = tbwidget.load(tmp_path)
    revision = logs.scalars(".", "a").revision
    replaced(path, points("a", [7], 1.0 + 7 * 0.1), points("a", [99], 1.0 + 7 * 0.1))
    appended(path, points("a", [200], 100.0))
    assert logs.refresh()
    assert steps(logs) == steps(tbwidget.load(tmp_path)) == [*range(7), 99, *range(8, 201)]
    assert logs.scalars(".", "a").revision != revision
    revision = logs.scalars(".", "a").revision
    appended(path, points("a", [201], 101.0))
    assert logs.refresh()
    assert logs.scalars(".", "a").revision == revision


def test_only_appended_bytes_are_read_if_nothing_else_has_changed(tmp_path: Path) -> None:
    path = write(tmp_path / NAME, points("a", list(range(200)), 1.0), b"garbage", points("a", [200], 90.0))
    logs = tbwidget.load(tmp_path)
    revision = logs.scalars(".", "a").revision
    for step in range(201, 204):
        appended(path, points("a", [step], float(step)))
        assert logs.refresh()
    assert (steps(logs), logs.scalars(".", "a").revision) == (list(range(204)), revision)


def test_refresh_verifies_data_that_the_follower_has_read(tmp_path: Path) -> None:
    path = write(tmp_path / NAME, points("a", list(range(50)), 1.0))
    logs = tbwidget.load(tmp_path)
    replaced(path, points("a", [7], 1.0 + 7 * 0.1), points("a", [99], 1.0 + 7 * 0.1))
    appended(path, points("a", [50], 100.0))
    poll(logs.source, everywhere=True)
    assert steps(logs) == list(range(51))
    assert logs.refresh()
    assert steps(logs) == [*range(7), 99, *range(8, 51)]
    assert not logs.refresh()


def test_a_large_value_and_a_damaged_place_that_change_before_something_is_appended(tmp_path: Path) -> None:
    large = [event(1, 0, strings("t", plugin("text"), letter * 100_000)) for letter in (b"o", b"n")]
    good, bad = points("a", [2], 3.0), bytearray(points("a", [2], 3.0))
    bad[-1] ^= 1
    path = write(tmp_path / NAME, large[0], points("a", [1], 2.0), bytes(bad), points("a", [3], 4.0))
    logs = tbwidget.load(tmp_path)
    before = logs.text(".", "t").revision
    assert (steps(logs), len(logs.problems)) == ([1, 3], 1)
    replaced(path, large[0], large[1])
    appended(path, points("a", [4], 5.0))
    assert logs.refresh()
    assert (logs.text(".", "t")[0].value.item()[:2], logs.text(".", "t").revision != before) == ("nn", True)
    replaced(path, bytes(bad), good)
    appended(path, points("a", [5], 6.0))
    assert logs.refresh()
    assert (steps(logs), logs.problems) == ([1, 2, 3, 4, 5], [])
