"""Files that only one kind reads: made-up profiler traces, which are known only by their declaration."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

import pytest

import tbwidget
from tbwidget.logs.kinds import registry
from tbwidget.logs.kinds.declare import Files, FoundFile
from tbwidget.logs.problems import Problem
from tbwidget.reasons import Reason
from tbwidget.records.files.storage import Range, Status
from tests.support.eventfiles import NAME, points, write

KIND = "run_metadata"
"""The kind of every listed tag."""


class Trace:
    """One file of a profile, which contains the name of its host."""

    def __init__(self, found: FoundFile) -> None:
        self.found = found
        self.tags: list[str] = []
        self._status: Status | None = None

    def ranges(self) -> list[Range]:
        status = self.found.storage.status(self.found.path)
        return [] if status == self._status else [Range(self.found.path, 0, status.size)]

    def refresh(self) -> bool:
        status = self.found.storage.status(self.found.path)
        if status == self._status:
            return False
        with closing(self.found.storage.open(self.found.path, fetched=True)) as file:
            self.tags = [file.read_at(0, status.size).decode()]
        self._status = status
        return True

    def problems(self) -> list[Problem]:
        return [Problem(self.found.name, None, Reason("text", text=tag)) for tag in self.tags if tag == "bad"]


@pytest.fixture
def traces(monkeypatch: pytest.MonkeyPatch) -> None:
    files = Files(
        endings=(".xplane.pb",),
        pattern=re.compile(r"/plugins/profile/[^/]+/[^/]+$"),
        read=Trace,
        plugin="profile",
    )
    monkeypatch.setitem(registry.FILES, KIND, files)


@pytest.mark.usefixtures("traces")
def test_a_kind_has_files_in_folders_of_a_run(tmp_path: Path) -> None:
    for run in ("a", "b", "."):
        write(tmp_path / run / NAME, points("loss", [0], 1))
    write(tmp_path / "a/plugins/profile/2026_01_01/host1.xplane.pb", b"one")
    write(tmp_path / "a/plugins/profile/2026_01_02/host1.xplane.pb", b"two")
    write(tmp_path / "plugins/profile/2026_01_01/host.xplane.pb", b"bad")
    write(tmp_path / "no run/plugins/profile/2026_01_01/host.xplane.pb", b"four")
    write(tmp_path / "b/elsewhere.xplane.pb", b"five")
    logs = tbwidget.load({"x": tmp_path, "y": tmp_path / "b"})
    assert logs.runs == ["x", "x/a", "x/b", "y"]
    assert logs.tags()[KIND] == {"x": ["bad"], "x/a": ["one", "two"]}
    assert [(problem.path, problem.message) for problem in logs.problems] == [
        ("x/plugins/profile/2026_01_01/host.xplane.pb", "bad")
    ]
    write(tmp_path / "a/plugins/profile/2026_01_02/host1.xplane.pb", b"three")
    write(tmp_path / "b/plugins/profile/2026_01_02/host1.xplane.pb", b"new")
    assert logs.refresh()
    assert logs.tags()[KIND] == {"x": ["bad"], "x/a": ["one", "three"], "x/b": ["new"], "y": ["new"]}
    assert not logs.refresh()
