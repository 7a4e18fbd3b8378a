"""Log directories in use by several at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tbwidget.logs import LogDir
from tbwidget.logs.shared import borrow, give_back


def test_one_place_is_read_once_by_whichever_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "link").symlink_to("runs")
    monkeypatch.chdir(tmp_path)
    first, second, third = borrow("runs"), borrow(tmp_path / "link"), borrow(f"{tmp_path}/link/../runs/.")
    other = borrow(tmp_path)
    assert first is second is third
    assert other is not first
    for logs in (first, first, other):
        give_back(logs)
    assert first._follower is not None
    assert other._follower is None
    give_back(first)
    assert first._follower is None
    again = borrow("runs")
    assert again is not first
    give_back(again)


def test_a_place_that_is_not_there_yet_is_shared_too(tmp_path: Path) -> None:
    first, second = borrow(tmp_path / "later"), borrow(tmp_path / "later")
    assert first is second
    give_back(first)
    give_back(second)
    assert first._follower is None


def test_what_is_handed_in_goes_back_to_what_it_was(tmp_path: Path) -> None:
    heard: list[object] = []
    logs = LogDir(tmp_path)
    logs.subscribe(heard.append)
    assert borrow(logs) is logs
    assert borrow(logs) is logs
    assert logs._follower is not None
    give_back(logs)
    assert logs._follower is not None
    give_back(logs)
    assert logs._follower is None
    assert len(logs._subscribers) == 1
    logs.follow(3)
    borrow(logs)
    give_back(logs)
    assert logs._follower is not None
    assert logs._follower.interval == 3
    logs.close()
    assert logs._follower is None


def test_it_goes_on_for_those_who_borrowed_it_when_its_owner_closes_it(tmp_path: Path) -> None:
    mine: list[object] = []
    theirs: list[object] = []
    with LogDir(tmp_path) as logs:
        logs.subscribe(mine.append)
        logs.follow(3)
        borrow(logs)
        logs.subscribe(theirs.append, held=True)
    assert logs._follower is not None
    mine.clear()
    theirs.clear()
    (tmp_path / "events.out.tfevents.1").touch()
    logs.refresh()
    assert (bool(mine), bool(theirs)) == (False, True)
    give_back(logs)
    assert logs._follower is None


def test_a_home_directory_is_understood(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    logs = borrow("~/runs")
    assert logs.path == tmp_path / "runs"
    give_back(logs)


def test_what_is_handed_in_is_not_given_to_others(tmp_path: Path) -> None:
    mine = LogDir(tmp_path)
    borrow(mine)
    theirs = borrow(tmp_path)
    assert theirs is not mine
    give_back(theirs)
    give_back(mine)


def test_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NotADirectoryError, match="give the directory"):
        borrow(tmp_path / "file")
