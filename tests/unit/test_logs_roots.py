"""Several log directories as one: names, data below each, missing ones, sharing."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tbwidget
from tbwidget.logs.logdir import acquire, release
from tbwidget.logs.roots import name_here, roots_of, title
from tests.support.eventfiles import NAME, event, points, simple, write


@pytest.mark.parametrize(
    ("given", "names"),
    [
        (["/x/a", "/x/b"], ["a", "b"]),
        (["/x/a/"], ["a"]),
        (["/one/runs", "/two/runs", "/x/c"], ["one/runs", "two/runs", "c"]),
        (["/w/a", "/w/a/a"], ["w/a", "a/a"]),
        (["/x/a", "/x/../x/a", "/x/b"], ["a", "b"]),
        ({"base": "/x/a", "lr/0.1": "/x/a"}, ["base", "lr/0.1"]),
        ("/x/a", [""]),
        (Path("/x/a"), [""]),
    ],
)
def test_names(given: Any, names: list[str]) -> None:
    assert [root.name for root in roots_of(given)] == names


def test_names_are_distinct_wherever_they_lie() -> None:
    names = [root.name for root in roots_of(["/", "/a", "/a/a", "/root"])]
    assert len({name.split("/")[0] for name in names}) == len(names)


def test_titles() -> None:
    assert title(roots_of("/x/a")) == "/x/a"
    assert title(roots_of(["/x/a", "/x/b"])) == "/x/{a, b}"
    assert title(roots_of({"old": "/x/a", "b": "/x/b"})) == "/x/{old: a, b}"
    assert title(roots_of(["/a", "/x/y/b"])) == "/{a, b: x/y/b}"


def test_names_for_people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert name_here(tmp_path / "a" / "runs") == str(Path("a", "runs"))
    assert name_here(tmp_path.parent / "runs") == "runs"
    assert name_here("~nobody-of-this-name/runs") == str(Path("~nobody-of-this-name/runs"))


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ([], ValueError, "no log directory"),
        ({}, ValueError, "no log directory"),
        ({"a": "x", "a/b": "y"}, ValueError, "would have the same names"),
        ({"": "x"}, ValueError, "cannot be the name"),
        ({"a/../b": "x"}, ValueError, "cannot be the name"),
        ({1: "x"}, TypeError, "a str, not 1"),
        ({"a": 1}, TypeError, "must be a str or os.PathLike"),
        ([b"x"], TypeError, "must be a str or os.PathLike"),
        (3, TypeError, "must be a str or os.PathLike"),
        ([tbwidget.LogDir("x"), "y"], TypeError, "not a LogDir"),
    ],
)
def test_invalid_directories_and_names(given: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        tbwidget.LogDir(given)


def two(folder: Path) -> tuple[Path, Path]:
    old, new = folder / "old", folder / "new"
    write(old / NAME, points("loss", [0, 1, 2], 1))
    write(old / "run10" / NAME, points("loss", [0, 1], 10))
    write(new / "run2" / NAME, points("loss", [0, 1, 2, 3], 20))
    return old, new


def test_everything_is_found_under_the_names(tmp_path: Path) -> None:
    old, new = two(tmp_path)
    logs = tbwidget.load({"baseline": old, "new": new})
    assert logs.runs == ["baseline", "baseline/run10", "new/run2"]
    assert logs.tags() == {"scalars": {run: ["loss"] for run in logs.runs}}
    assert len(logs.scalars("baseline", "loss")) == 3
    assert len(logs.scalars("new/run2", "loss")) == 4
    assert logs.source.run_numbers() == {"baseline": 0, "baseline/run10": 1, "new/run2": 2}
    assert logs.paths == {"baseline": old, "new": new}
    assert (logs.path, logs.exists, logs.problems) == (tmp_path, True, [])
    assert repr(logs) == f"LogDir({{'baseline': {str(old)!r}, 'new': {str(new)!r}}}, 3 runs)"
    assert logs.frame(runs=re.compile("^new"))["run"].unique().tolist() == ["new/run2"]
    assert tbwidget.load(old, new).runs == ["new/run2", "old", "old/run10"]
    assert tbwidget.load([old]).runs == ["old", "old/run10"]
    assert tbwidget.load(old).runs == [".", "run10"]
    with pytest.raises(KeyError, match=r"no run 'baseline/run1' in .*; did you mean 'baseline/run10'\?"):
        logs.scalars("baseline/run1", "loss")


def test_each_supersedes_for_itself(tmp_path: Path) -> None:
    """Within one run, the files of these two directories would be restarts of one another."""
    for name, wall in (("a", 0.0), ("b", 100.0)):
        write(tmp_path / name / "events.out.tfevents.1.x", *(event(wall + s, s, simple("loss", s)) for s in range(5)))
        write(
            tmp_path / name / "events.out.tfevents.2.x", *(event(wall + 50 + s, s, simple("loss", s)) for s in (3, 4))
        )
    logs = tbwidget.load(tmp_path / "a", tmp_path / "b")
    for run in ("a", "b"):
        assert logs.scalars(run, "loss").step.tolist() == [0, 1, 2, 3, 4]
        assert logs.scalars(run, "loss").superseded == 2


def test_later_data_are_read(tmp_path: Path) -> None:
    old, new = two(tmp_path)
    later = tmp_path / "later"
    logs = tbwidget.LogDir({"baseline": old, "new": new, "later": later})
    assert logs.refresh()
    (missing,) = logs.problems
    assert (missing.path, missing.offset) == ("later", None)
    assert "does not exist yet" in missing.message
    assert not logs.refresh()
    write(later / "x" / NAME, points("loss", [0], 30))
    write(new / "run2" / NAME, points("loss", list(range(9)), 20))
    assert logs.refresh()
    assert logs.runs == ["baseline", "baseline/run10", "later/x", "new/run2"]
    assert len(logs.scalars("new/run2", "loss")) == 9
    assert logs.problems == []
    assert logs.source.run_numbers()["later/x"] == 3
    for path in (old / NAME, old / "run10" / NAME):
        path.unlink()
    assert logs.refresh()
    assert logs.runs == ["later/x", "new/run2"]


def test_problems_and_failures_are_named(tmp_path: Path) -> None:
    old, new = two(tmp_path)
    damaged = new / "run2" / NAME
    content = bytearray(damaged.read_bytes())
    content[-1] ^= 1
    damaged.write_bytes(content)
    os.symlink(tmp_path / "nowhere", old / "events.out.tfevents.9.x")  # noqa: PTH211 (target first, as of ln)
    logs = tbwidget.load({"baseline": old, "new": new})
    assert [problem.path for problem in logs.problems] == ["baseline/events.out.tfevents.9.x", f"new/run2/{NAME}"]
    logs.source.report_failure("scalars", "new/run2", "loss", "why")
    logs.source.report_failure("scalars", "new/run3", "loss", "why")
    assert [problem.path for problem in logs.problems if "why" in problem.message] == ["new/run2"]


def test_nothing_leads_from_one_into_another(tmp_path: Path) -> None:
    """The projector's configuration of one directory names a file of another."""
    for name in ("a", "b"):
        write(tmp_path / name / NAME, points("loss", [0], 1))
        np.savetxt(tmp_path / name / "v.tsv", np.ones((2, 2)), delimiter="\t")
    text = 'embeddings { tensor_name: "%s" tensor_path: "%s" }'
    (tmp_path / "a" / "projector_config.pbtxt").write_text(text % ("e", "../b/v.tsv"))
    (tmp_path / "b" / "projector_config.pbtxt").write_text(text % ("f", "v.tsv"))
    logs = tbwidget.load(tmp_path / "a", tmp_path / "b")
    (fine,) = logs.embeddings("b")
    assert fine.vectors.shape == (2, 2)
    (wrong,) = logs.embeddings("a")
    with pytest.raises(ValueError, match="outside the log directory"):
        _ = wrong.vectors


@pytest.mark.parametrize("names", [None, ("x", "y")])
def test_dashboards_of_the_same_directories_share_a_reader(tmp_path: Path, names: Sequence[str] | None) -> None:
    old, new = two(tmp_path)
    link = tmp_path / "link"
    link.symlink_to(old)

    def given(*paths: Path) -> list[Path] | Mapping[str, Path]:
        return list(paths) if names is None else dict(zip(names, paths, strict=True))

    first, second, other = acquire(given(old, new)), acquire(given(old, new)), acquire(given(new, old))
    linked = acquire(given(link, new))
    assert first is second
    assert other is not first
    assert (linked is first) == (names is not None)  # by default, it takes the name of the link
    for logs in (first, second, other, linked):
        release(logs)
    with pytest.raises(NotADirectoryError, match="is a file"):
        acquire(given(old, new / "run2" / NAME))


def test_load_says_which_is_missing(tmp_path: Path) -> None:
    old, _ = two(tmp_path)
    with pytest.raises(FileNotFoundError, match="gone"):
        tbwidget.load(old, tmp_path / "gone")
    with pytest.raises(NotADirectoryError, match="is a file"):
        tbwidget.load({"a": old, "b": old / NAME})


def test_a_missing_directory_is_said_with_the_one_that_is_meant(tmp_path: Path) -> None:
    for name in ("mixed", "other"):
        (tmp_path / name).mkdir()
    (tmp_path / "mixxe").write_text("a file is no directory")

    def said(path: Path) -> str:
        with pytest.raises(FileNotFoundError) as caught:
            tbwidget.load(path)
        return str(caught.value)

    assert said(tmp_path / "mixxed") == f"no such log directory: {tmp_path / 'mixxed'}; did you mean 'mixed'?"
    for far in ("unlike", "none/mixed"):
        assert said(tmp_path / far) == f"no such log directory: {tmp_path / far}"
    for number in range(1_000):
        (tmp_path / f"n{number}").touch()
    assert said(tmp_path / "mixxed") == f"no such log directory: {tmp_path / 'mixxed'}", "too many are not searched"


def test_names_of_very_many_directories() -> None:
    """The time is linear in their number: quadratic time was minutes."""
    paths = [f"/logs/{n % 100}/run{n // 100}" for n in range(20_000)]
    names = [root.name for root in roots_of(paths)]
    assert len(set(names)) == len(names)
    assert names[0] == "0/run0"
    assert [root.name for root in roots_of(["/a/b", "/b", "/b/c"])] == ["a/b", "b", "c"]
