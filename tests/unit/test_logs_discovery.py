"""The directories that are runs, whatever else is in the tree."""

from __future__ import annotations

import os
import shutil
import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tbwidget
from tbwidget.logs.engine.discovery import Discovery
from tbwidget.logs.roots import roots_of
from tbwidget.records import limits
from tbwidget.records.files.storage import LOCAL
from tests.support.eventfiles import NAME, points, write

CONTENT = points("loss", [0, 1], 100)


def messages(logs: tbwidget.LogDir) -> dict[str, str]:
    return {problem.path: problem.message for problem in logs.problems}


def test_runs_in_natural_order(tmp_path: Path) -> None:
    for run in ("run10", "run2", "Run3", "a/b", "a", "run2/x", "run2/x10", "run2/x9", "run007"):
        write(tmp_path / run / NAME, CONTENT)
    write(tmp_path / NAME, CONTENT)
    assert tbwidget.load(tmp_path).runs == [
        ".", "Run3", "a", "a/b", "run2", "run2/x", "run2/x9", "run2/x10", "run007", "run10",
    ]  # fmt: skip


def test_directories_that_are_runs_and_others(tmp_path: Path) -> None:
    write(tmp_path / "odd" / "my.tfevents.backup", CONTENT)
    write(tmp_path / "empty" / NAME)
    write(tmp_path / "profile" / "events.out.tfevents.1.profile-empty")
    write(tmp_path / "text" / "notes.txt", b"tfevents")
    (tmp_path / "directory" / NAME).mkdir(parents=True)
    assert tbwidget.load(tmp_path).runs == ["empty", "odd"]


def test_links_are_followed_once_and_never_upwards(tmp_path: Path) -> None:
    root = tmp_path / "above" / "logs"
    write(root / "run" / NAME, CONTENT)
    (root / "a_link_to_run").symlink_to("run")  # sorts first; the directory itself has the name
    (root / "run" / "up").symlink_to("..")
    (root / "run" / "self").symlink_to(".")
    (root / "top").symlink_to("/")
    (root / "above").symlink_to(tmp_path / "above")
    outside = tmp_path / "outside"
    write(outside / "deep" / NAME, CONTENT)
    (outside / "back").symlink_to(root)
    (root / "x1").symlink_to(outside)
    (root / "x2").symlink_to(outside)
    (root / "file").mkdir()
    (root / "file" / NAME).symlink_to(tmp_path / "elsewhere" / NAME)
    (root / "same file").mkdir()
    (root / "same file" / NAME).symlink_to(tmp_path / "elsewhere" / NAME)
    write(tmp_path / "elsewhere" / NAME, CONTENT)
    logs = tbwidget.load(root)
    assert logs.runs == ["file", "run", "x1/deep"]
    assert messages(logs) == {}


def test_a_log_directory_that_is_a_link(tmp_path: Path) -> None:
    write(tmp_path / "real" / "run" / NAME, CONTENT)
    (tmp_path / "link").symlink_to("real")
    assert tbwidget.load(tmp_path / "link").runs == ["run"]


def test_entries_that_are_no_files_are_problems_and_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "good" / NAME, CONTENT)
    for name in ("fifo", "socket", "zero", "nowhere", "itself"):
        (tmp_path / name).mkdir()
    os.mkfifo(tmp_path / "fifo" / NAME)
    monkeypatch.chdir(tmp_path / "socket")
    with socket.socket(socket.AF_UNIX) as unix:
        unix.bind(NAME)  # paths of sockets must be short
    (tmp_path / "zero" / NAME).symlink_to("/dev/zero")
    (tmp_path / "nowhere" / NAME).symlink_to("missing")
    (tmp_path / "itself" / NAME).symlink_to(NAME)
    logs = tbwidget.load(tmp_path)
    assert logs.runs == ["good"]
    assert messages(logs).keys() == {f"{name}/{NAME}" for name in ("fifo", "socket", "zero", "nowhere", "itself")}


def test_names_that_are_not_utf8(tmp_path: Path) -> None:
    write(tmp_path / os.fsdecode(b"run\xff") / NAME, CONTENT)
    logs = tbwidget.load(tmp_path)
    assert logs.runs == ["run\udcff"]
    assert len(logs.scalars("run\udcff", "loss")) == 2


@pytest.mark.parametrize("levels", [64, 65])
def test_depth(tmp_path: Path, levels: int) -> None:
    write(tmp_path.joinpath(*["d"] * levels) / NAME, CONTENT)
    logs = tbwidget.load(tmp_path)
    assert logs.runs == (["/".join("d" * levels)] if levels == 64 else [])
    assert len(logs.problems) == levels - 64


def test_too_many_entries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_ENTRIES", 20)
    write(tmp_path / "a" / NAME, CONTENT)
    for number in range(30):
        write(tmp_path / "b" / f"unrelated{number}")
    logs = tbwidget.load(tmp_path)
    assert logs.runs == ["a"]
    assert "more than 20 entries" in messages(logs)["b"]


def test_directories_and_files_without_permission(tmp_path: Path) -> None:
    write(tmp_path / "shut" / NAME, CONTENT)
    write(tmp_path / "open" / NAME, CONTENT)
    (tmp_path / "open" / NAME).chmod(0)
    (tmp_path / "shut").chmod(0)
    may_read_all = os.access(tmp_path / "shut", os.R_OK)  # root, as a rule
    try:
        logs = tbwidget.load(tmp_path)
        if may_read_all:
            assert (logs.runs, messages(logs)) == (["open", "shut"], {})
        else:
            assert (logs.runs, set(messages(logs))) == (["open"], {"shut", f"open/{NAME}"})
        assert logs.tags().get("scalars", {}).keys() == ({"open", "shut"} if may_read_all else set())
    finally:
        (tmp_path / "shut").chmod(0o700)
    (tmp_path / "open" / NAME).chmod(0o600)
    logs.refresh()
    assert (logs.runs, messages(logs)) == (["open", "shut"], {})
    assert len(logs.scalars("open", "loss")) == 2


def test_projector_configurations_list_embeddings(tmp_path: Path) -> None:
    config = b'embeddings { tensor_name: "words:00001" tensor_path: "00001/words/tensors.tsv" unknown: 3 }\n'
    write(tmp_path / "run" / NAME, CONTENT)
    write(tmp_path / "run" / "projector_config.pbtxt", config, b'embeddings { tensor_name: "only a checkpoint" }')
    write(tmp_path / "assets" / NAME, CONTENT)
    write(tmp_path / "assets/plugins/org_tensorflow_tensorboard_projector/projector_config.pbtxt", config)
    write(tmp_path / "bad" / NAME, CONTENT)
    write(tmp_path / "bad" / "projector_config.pbtxt", b"no such {{{")
    write(tmp_path / "x" / NAME, CONTENT)
    write(tmp_path / "xplugins/org_tensorflow_tensorboard_projector/projector_config.pbtxt", config)
    write(tmp_path / "x" / "my_projector_config.pbtxt", config)
    logs = tbwidget.load(tmp_path)
    assert logs.tags()["embeddings"] == {
        "run": ["only a checkpoint", "words:00001"],
        "assets": ["words:00001"],
        "bad": ["projector_config.pbtxt"],
        "xplugins/org_tensorflow_tensorboard_projector": ["words:00001"],
    }
    assert messages(logs).keys() == {"bad/projector_config.pbtxt"}
    assert logs.metadata("run", "words:00001").plugin == "projector"
    assert not logs.refresh()
    write(tmp_path / "bad" / "projector_config.pbtxt", config)
    assert logs.refresh()
    assert logs.tags()["embeddings"]["bad"] == ["words:00001"]
    assert logs.problems == []


def test_a_run_that_appears_below_the_root_is_found_without_a_walk(tmp_path: Path) -> None:
    write(tmp_path / "a" / NAME, CONTENT)
    found = Discovery(roots_of(tmp_path))
    assert found.walk_new() is None, "nothing is known before the first walk"
    listing = found.walk()
    assert found.walk_new() is listing
    (tmp_path / "b").mkdir()
    assert found.walk_new() is listing
    write(tmp_path / "b" / "deep" / NAME, CONTENT)  # a moment later
    write(tmp_path / "c" / NAME, CONTENT)
    newer = found.walk_new()
    assert newer is not None
    assert list(newer.runs) == ["a", "b/deep", "c"]
    assert newer.runs["a"] == listing.runs["a"]
    assert found.walk_new() is newer
    assert found.walk().runs == newer.runs


def test_links_are_left_to_a_walk(tmp_path: Path) -> None:
    write(tmp_path / "logs" / "a" / NAME, CONTENT)
    write(tmp_path / "elsewhere" / NAME, CONTENT)
    found = Discovery(roots_of(tmp_path / "logs"))
    found.walk()
    (tmp_path / "logs" / "b").mkdir()
    (tmp_path / "logs" / "b" / "link").symlink_to(tmp_path / "elsewhere")
    assert found.walk_new() is None
    assert list(found.walk().runs) == ["a", "b/link"]


def test_each_of_several_roots_reports_new_runs(tmp_path: Path) -> None:
    write(tmp_path / "x" / "a" / NAME, CONTENT)
    several = Discovery(roots_of({"x": tmp_path / "x", "y": tmp_path / "y"}))
    assert several.walk_new() is None
    listing = several.walk()
    assert several.walk_new() is listing
    write(tmp_path / "x" / "b" / NAME, CONTENT)
    newer = several.walk_new()
    assert newer is not None
    assert list(newer.runs) == ["x/a", "x/b"]
    assert [problem.path for problem in newer.problems] == ["y"]
    assert Discovery(roots_of(tmp_path / "missing")).walk_new() is None


@given(
    st.lists(
        st.tuples(st.sampled_from(["run", "file", "deeper", "empty", "gone", "other"]), st.integers(0, 3)), max_size=12
    )
)
def test_walks_find_everything_also_after_runs_found_in_between(
    tmp_path_factory: pytest.TempPathFactory, actions: list[tuple[str, int]]
) -> None:
    root = tmp_path_factory.mktemp("logs")
    found = Discovery(roots_of(root))
    found.walk()
    for action, which in actions:
        run = root / f"run{which}"
        if action in ("run", "file"):
            write(run / f"{NAME}{action}", CONTENT)
        elif action == "deeper":
            write(run / "deeper" / NAME, CONTENT)
        elif action == "empty":
            run.mkdir(exist_ok=True)
        elif action == "gone":
            shutil.rmtree(run, ignore_errors=True)
        else:
            write(root / f"other{which}", b"")
        listing = found.walk_new()
        if listing is None or which == 0:
            listing = found.walk()
            assert listing.runs == Discovery(roots_of(root)).walk().runs
    assert found.walk().runs == Discovery(roots_of(root)).walk().runs


def test_a_walk_over_links_that_finds_the_same_returns_the_same(tmp_path: Path) -> None:
    root = tmp_path / "logs"
    write(root / "run" / NAME)
    for name in ("one", "two"):
        write(tmp_path / name / NAME)
    (root / "link").symlink_to(tmp_path / "one")
    scanner = LOCAL.scanner(str(root), lambda name: name == NAME)
    first = scanner.walk()
    assert first.files.keys() == {f"run/{NAME}", f"link/{NAME}"}
    assert scanner.walk() is first
    assert scanner.walk(force=True) is first
    # The names are the same, but their targets are not: a link may now lead out of the root.
    (root / "link").unlink()
    (root / "link").symlink_to(tmp_path / "two")
    second = scanner.walk()
    assert second.files == first.files
    assert second is not first
    assert scanner.walk() is second
