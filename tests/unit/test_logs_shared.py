"""Log directories that several users share."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tbwidget.logs import logdir
from tbwidget.logs.logdir import LogDir, acquire, release
from tests.support.waiting import wait_for


def test_one_place_is_read_once_by_whichever_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "link").symlink_to("runs")
    monkeypatch.chdir(tmp_path)
    first, second, third = acquire("runs"), acquire(tmp_path / "link"), acquire(f"{tmp_path}/link/../runs/.")
    other = acquire(tmp_path)
    assert first is second is third
    assert other is not first
    for logs in (first, first, other):
        release(logs)
    assert first.source._follower is not None
    assert other.source._follower is None
    release(first)
    assert first.source._follower is None
    again = acquire("runs")
    assert again is not first
    release(again)


def test_a_place_that_is_not_there_yet_is_shared_too(tmp_path: Path) -> None:
    first, second = acquire(tmp_path / "later"), acquire(tmp_path / "later")
    assert first is second
    release(first)
    release(second)
    assert first.source._follower is None


def test_a_directory_of_the_user_returns_to_its_former_state(tmp_path: Path) -> None:
    heard: list[object] = []
    logs = LogDir(tmp_path)
    logs.source.subscribe(heard.append)
    assert acquire(logs) is logs
    assert acquire(logs) is logs
    assert logs.source._follower is not None
    release(logs)
    assert logs.source._follower is not None
    release(logs)
    assert logs.source._follower is None
    assert len(logs.source._subscribers) == 1
    logs.follow(3)
    acquire(logs)
    release(logs)
    assert logs.source._follower is not None
    assert logs.source._follower.interval == 3
    logs.close()
    assert logs.source._follower is None


def test_it_stays_open_for_other_users_when_its_owner_closes_it(tmp_path: Path) -> None:
    mine: list[object] = []
    theirs: list[object] = []
    with LogDir(tmp_path) as logs:
        logs.source.subscribe(mine.append)
        logs.follow(3)
        acquire(logs)
        logs.source.subscribe(theirs.append, held=True)
    assert logs.source._follower is not None
    mine.clear()
    theirs.clear()
    (tmp_path / "events.out.tfevents.1").touch()
    logs.refresh()
    wait_for(lambda: theirs)
    assert mine == []
    release(logs)
    assert logs.source._follower is None


def test_a_home_directory_is_understood(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    logs = acquire("~/runs")
    assert logs.path == tmp_path / "runs"
    release(logs)


def test_a_directory_of_the_user_is_not_shared(tmp_path: Path) -> None:
    mine = LogDir(tmp_path)
    acquire(mine)
    theirs = acquire(tmp_path)
    assert theirs is not mine
    release(theirs)
    release(mine)


def test_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NotADirectoryError, match="pass the directory"):
        acquire(tmp_path / "file")


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_opens_its_own(tmp_path: Path) -> None:
    """It does so whatever its parent has open, and even if a thread of the parent was opening it just then."""
    logs = acquire(tmp_path)
    with logdir._lock:
        child = os.fork()
        if not child:
            signal.alarm(20)
            release(logs)  # as a dashboard does when the child collects it
            theirs = acquire(tmp_path)
            followed = theirs is not logs and theirs.source._follower is not None
            release(theirs)
            os._exit(0 if followed and theirs.source._follower is None else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert logs.source._follower is not None
    release(logs)
