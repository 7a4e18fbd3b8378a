"""`%load_ext tbwidget` and `%tbwidget`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

import tbwidget
from tbwidget import extension


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> InteractiveShell:
    """A shell that leaves nothing in the user's home."""
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
    monkeypatch.setattr(extension, "show", shown.append)
    tbwidget.load_ipython_extension(shell)
    shell.run_line_magic("tbwidget", "--logdir 'my runs' --port 6006 --bind_all")
    assert shown == ["my runs"]
    assert "--port, --bind_all have no effect" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("--logdir runs", ("runs", [])),
        ("--logdir=a/b", ("a/b", [])),
        ("--logdir runs --reload_interval 5", ("runs", ["--reload_interval"])),
    ],
)
def test_arguments(line: str, expected: tuple[str, list[str]]) -> None:
    assert extension.parse(line) == expected


@pytest.mark.parametrize("line", ["", "runs", "--logdir", "--logdir a --made_up 3", "--logdir 'a"])
def test_misuse_is_an_error_of_the_cell(line: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        extension.parse(line)
