"""`%load_ext tbwidget` and `%tbwidget`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

import tbwidget
from tbwidget import extension


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> InteractiveShell:
    """Return a shell that leaves nothing in the user's home."""
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    return InteractiveShell(  # type: ignore[no-untyped-call]
        config=Config({"HistoryManager": {"enabled": False}})
    )


def test_show_is_put_at_hand(shell: InteractiveShell) -> None:
    assert shell.extension_manager is not None
    shell.extension_manager.load_extension("tbwidget")
    assert shell.user_ns["show"] is tbwidget.show


def test_a_show_of_the_users_own_stays(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    shell.user_ns["show"] = mine = object()
    tbwidget.load_ipython_extension(shell)
    assert shell.user_ns["show"] is mine
    assert "use tbwidget.show" in capsys.readouterr().out


def test_loading_twice_is_no_conflict(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    tbwidget.load_ipython_extension(shell)
    tbwidget.load_ipython_extension(shell)
    assert capsys.readouterr().out == ""


def test_the_magic_shows_its_directory(
    shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown: list[Any] = []
    monkeypatch.setattr(extension, "show", lambda logs, **_options: shown.append(logs))
    tbwidget.load_ipython_extension(shell)
    shell.run_line_magic("tbwidget", "--logdir 'my runs' --port 6006 --bind_all")
    assert shown == ["my runs"]
    assert "--port, --bind_all have no effect" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("--logdir runs", ("runs", [])),
        ("runs --port 6006", ("runs", ["--port"])),
        ("a,b/c", (["a", "b/c"], [])),
        ("--logdir=a/b", ("a/b", [])),
        ("--logdir runs --reload_interval 5", ("runs", ["--reload_interval"])),
        ("--logdir a,b/c", (["a", "b/c"], [])),
        ("--logdir runs,", ("runs,", [])),
        ("--logdir runs  # it's mine", ("runs", [])),
        ("--logdir run#2 --port 1 # --logdir x", ("run#2", ["--port"])),
        ("--logdir 'my #2 runs'", ("my #2 runs", [])),
        ("--logdir_spec base:a,new:/x/b", ({"base": "a", "new": "/x/b"}, [])),
        ("--logdir_spec /x/a:b,c", (["/x/a:b", "c"], [])),
        ("--logdir_spec one:/x/a,/y/c/", ({"one": "/x/a", "c": "/y/c/"}, [])),
    ],
)
def test_arguments(line: str, expected: tuple[str, list[str]]) -> None:
    assert extension.parse(line)[:2] == expected


def test_a_comma_in_a_name_separates_nothing(tmp_path: Path) -> None:
    both = tmp_path / "a,b"
    both.mkdir()
    assert extension.parse(f"--logdir {both}") == (str(both), [], {})


@pytest.mark.parametrize(
    "line",
    [
        "",
        "runs --logdir runs",
        "my runs",
        "--logdir",
        "--logdir a --made_up 3",
        "--logdir 'a",
        "--logdir a --logdir_spec b:c",
        "--logdir_spec a:x,a:y",
        "--logdir_spec a:x,a/b:y",
        "--logdir_spec ,",
        "--logdir nothing://bucket/runs",
        "--logdir_spec a:x,b:nothing://bucket/runs",
        "--logdir s3://bucket/runs --storage-option anon",
    ],
)
def test_misuse_is_one_line_without_a_traceback(
    line: str, shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(UsageError, match="Usage: %tbwidget DIR, or --logdir DIR"):
        extension.parse(line)
    tbwidget.load_ipython_extension(shell)
    shell.run_cell(f"%tbwidget {line}")  # type: ignore[no-untyped-call]
    said = "".join(capsys.readouterr())
    assert said.startswith("UsageError: %tbwidget: ")
    assert "Traceback" not in said
