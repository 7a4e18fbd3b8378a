"""Failing disks and changes by people: in the end, a log directory equals a fresh load."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tbwidget
from tbwidget.logs.problems import Problem
from tests.support.eventfiles import NAME, event, plugin, simple, strings, write


def content(begin: int, end: int) -> bytes:
    """Make frame numbers, texts, and large pictures."""
    parts = []
    for n in range(begin, end):
        parts.append(event(100 + n, n, simple("loss", n), strings("note", plugin("text"), b"%d" % n)))
        if n % 7 == 0:
            parts.append(event(100 + n, n, strings("im", plugin("images"), b"1", b"1", b"%d" % n * 30_000)))
    return b"".join(parts)


def seen(logs: tbwidget.LogDir) -> dict[str, Any]:
    """Return all values, and errors of unreadable ones."""
    found: dict[str, Any] = {"problems": logs.problems}
    for kind, runs in logs.tags().items():
        for run, tags in runs.items():
            for tag in tags:
                if kind == "scalars":
                    found[f"{run} {tag}"] = logs.scalars(run, tag).value.tolist()
                else:
                    found[f"{run} {tag}"] = [str(value) for value in logs.source.items(run, tag, kind).values()]
    return found


@pytest.mark.parametrize("seed", range(6))
def test_a_disk_that_fails_now_and_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """Any call may fail: data already read stay, nothing is read twice, and all is complete once the disk works."""
    chance = random.Random(seed)
    paths = [tmp_path / f"run{n}" / NAME for n in range(3)]
    written = [b"".join([content(0, 40), b"garbage" * n, content(40, 80)]) for n in range(3)]
    logs = tbwidget.LogDir(tmp_path)
    real: dict[str, Callable[..., Any]] = {
        name: getattr(os, name) for name in ("open", "pread", "preadv", "stat", "scandir")
    }

    def failing(name: str) -> Callable[..., Any]:
        def call(*arguments: Any, **keywords: Any) -> Any:
            if chance.random() < 0.05:
                raise OSError(5, "Input/output error")
            return real[name](*arguments, **keywords)

        return call

    for turn in range(1, 20):
        for path, whole in zip(paths, written, strict=True):
            write(path, whole[: len(whole) * turn // 19])
        with monkeypatch.context() as patched:
            for name in real:
                patched.setattr(os, name, failing(name))
            for _ in range(3):
                logs.refresh()
        if turn % 5 == 0:
            logs.refresh()
            assert seen(logs) == seen(tbwidget.load(tmp_path))
    logs.refresh()
    assert seen(logs) == seen(tbwidget.load(tmp_path))
    assert logs.scalars("run1", "loss").value.tolist() == list(range(80))


@pytest.mark.parametrize("where", ["file", "directory"])
def test_a_permission_that_is_taken_and_given_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    path = write(tmp_path / "run" / NAME, content(0, 10))
    write(tmp_path / "other" / NAME, content(0, 5))
    logs = tbwidget.load(tmp_path)
    write(path, content(0, 20))
    call, forbidden = ("open", str(path)) if where == "file" else ("scandir", str(path.parent))
    real = getattr(os, call)

    def denied(name: Any, *rest: Any) -> Any:
        if os.fspath(name) == forbidden:
            raise PermissionError(13, "Permission denied")
        return real(name, *rest)

    with monkeypatch.context() as patched:
        patched.setattr(os, call, denied)
        logs.refresh()
        name = f"run/{NAME}" if where == "file" else "run"
        assert Problem(name, None, "Permission denied") in logs.problems
        assert len(logs.scalars("other", "loss")) == 5
    logs.refresh()
    assert seen(logs) == seen(tbwidget.load(tmp_path))
    assert len(logs.scalars("run", "loss")) == 20


def test_directories_renamed_under_a_writer(tmp_path: Path) -> None:
    """The writer keeps its file open and continues, whatever the file's new name is."""
    path = write(tmp_path / "a" / "run" / NAME, content(0, 10))
    logs = tbwidget.load(tmp_path)
    items = logs.source.items("a/run", "note", "text")
    with path.open("ab") as file:
        (tmp_path / "a").rename(tmp_path / "b")
        file.write(content(10, 20))
        file.flush()
        with pytest.raises(ValueError, match="No such file"):
            items.value(0)
        logs.refresh()
        assert logs.runs == ["b/run"]
        (tmp_path / "b").rename(tmp_path / "a")
        file.write(content(20, 30))
    logs.refresh()
    assert logs.runs == ["a/run"]
    assert seen(logs) == seen(tbwidget.load(tmp_path))
    assert len(logs.source.items("a/run", "note", "text")) == 30


def test_500_files_that_grow_at_once(tmp_path: Path) -> None:
    paths = [write(tmp_path / f"run{n}" / NAME, content(0, 3)) for n in range(500)]
    with tbwidget.LogDir(tmp_path) as logs:
        logs.follow()
        deadline = time.monotonic() + 60
        for step in range(3, 9):
            for path in paths:
                with path.open("ab") as file:
                    file.write(content(step, step + 1))
        expected = {f"run{n}": 9 for n in range(500)}
        counts: dict[str, int] = {}
        listed: dict[str, list[str]] = {}
        while counts != expected:
            assert time.monotonic() < deadline
            time.sleep(0.05)
            listed = logs.tags().get("images", {})
            counts = {run: len(logs.source.items(run, "note", "text")) for run in listed}
        assert [len(logs.source.items(run, "im", "images")) for run in listed] == [2] * 500
        assert logs.problems == []
