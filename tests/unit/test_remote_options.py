"""URLs and `storage_options` wherever a log directory is named; none of the options leaks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem
from IPython.core.error import UsageError

import tbwidget
from tbwidget import __main__ as shell
from tbwidget import extension
from tbwidget.doctor import report
from tbwidget.logs.roots import parsed_options
from tests.support.eventfiles import NAME, event, simple, write
from tests.support.stores import upload
from tests.support.waiting import wait_for

SECRET = "pa55-word"  # noqa: S105 (of nothing)
URL = f"guarded://someone:{SECRET}@logs?sig={SECRET}"
OPTIONS = {"token": SECRET, "nested": {"keys": [SECRET]}}
SHOWN = "guarded://logs"


class Guarded(MemoryFileSystem):  # type: ignore[misc]
    """A file system in memory whose files only open with the options."""

    protocol = "guarded"
    store: dict[str, Any] = MemoryFileSystem.store

    def __init__(self, token: str = "", **options: Any) -> None:
        super().__init__(**options)
        if token != SECRET:
            raise PermissionError(f"{token} is not {SECRET}")

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        place = path.removeprefix("guarded://").partition("?")[0].rpartition("@")[2]
        return f"/{place.strip('/')}"


@pytest.fixture(autouse=True)
def _logs(tmp_path: Path) -> Iterator[None]:
    fsspec.register_implementation("guarded", Guarded, clobber=True)
    fsspec.filesystem("memory").store.clear()
    for run in ("a", "b"):
        write(tmp_path / run / NAME, *(event(1, step, simple("loss", step)) for step in range(30)), b"garbage" * 9)
    upload(tmp_path, "logs")
    yield
    fsspec.filesystem("memory").store.clear()


def test_a_dashboard_of_a_url(tmp_path: Path) -> None:
    board: Any = tbwidget.Dashboard(URL, storage_options=OPTIONS, headline_tag="loss")
    try:
        wait_for(lambda: board._logs.source.ready)
        assert board._logs.runs == ["a", "b"]
        page = board.save(tmp_path / "page.html")
        with_paths = board.save(tmp_path / "paths.html", paths=True)
        said = [repr(board), repr(board.get_state()), repr(board.profile), page.read_text(), with_paths.read_text()]
        assert SHOWN in said[-1]
        assert SHOWN in said[0]
    finally:
        board.close()
    assert not [text for text in said if SECRET in text or "someone" in text]
    view: Any = tbwidget.ScalarsView(URL, storage_options={"token": "other"})
    try:
        wait_for(lambda: view._logs.source.ready)
        assert [problem.message for problem in view._logs.problems] == [
            f"access to {SHOWN} was refused: check the credentials and their permissions"
        ]
    finally:
        view.close()


def test_a_figure_and_a_page(tmp_path: Path) -> None:
    figure = tbwidget.figure(URL, "loss", storage_options=OPTIONS)
    try:
        assert len(figure.marks) == 2
        assert SECRET not in repr(figure) + repr(figure.get_state())
    finally:
        figure.close()
    assert SECRET not in tbwidget.export_html(URL, tmp_path / "p.html", storage_options=OPTIONS).read_text()


def test_where_options_do_not_belong(tmp_path: Path) -> None:
    with tbwidget.load(URL, storage_options=OPTIONS) as logs, pytest.raises(ValueError, match="are open already"):
        tbwidget.Dashboard(logs, storage_options=OPTIONS)
    with pytest.raises(ValueError, match="storage_options are for URLs"):
        tbwidget.ScalarsView(tmp_path, storage_options=OPTIONS)
    with pytest.raises(TypeError, match="must be a dict"):
        tbwidget.figure(URL, storage_options=SECRET)


@pytest.mark.parametrize(
    "arguments",
    [["ls"], ["export", "-o", "loss.csv"], ["doctor"], ["html", "-o", "page.html"]],
    ids=lambda given: given[0],
)
def test_the_shell(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert shell.main([*arguments, URL, "--storage-option", f"token={SECRET}"]) == 0
    output = capsys.readouterr()
    assert "loss" in output.out or arguments[0] != "ls"
    assert SECRET not in output.out + output.err
    shell.main([*arguments, URL, "--storage-option", f"token=x{SECRET}"])
    output = capsys.readouterr()
    assert "was refused" in output.out + output.err
    assert SECRET not in output.out + output.err


def test_the_magic(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Any] = []
    monkeypatch.setattr(extension, "show", lambda *given, **options: shown.append((given, options)))
    extension.tbwidget_magic(f"--logdir {SHOWN} --storage-option token={SECRET} --storage-option anon=true")
    assert shown == [((SHOWN,), {"storage_options": {"token": SECRET, "anon": True}})]
    with pytest.raises(UsageError) as raised:
        extension.tbwidget_magic(f"--logdir {SHOWN} --storage-option {SECRET}")
    assert "KEY=VALUE" in str(raised.value)
    assert SECRET not in str(raised.value)


def test_the_magic_takes_both_spellings_and_repeats_no_credentials() -> None:
    assert extension.parse("--logdir s3://b --storage_option anon=true")[2] == {"anon": True}
    for line in (f"--storage_options key={SECRET}", f"--storage-opt 'a b=x {SECRET}'", f"s3://me:{SECRET}@b/x"):
        with pytest.raises(UsageError, match="unrecognized arguments") as raised:
            extension.parse(f"--logdir s3://b/x {line}")
        assert SECRET not in str(raised.value)


def test_quotation_marks_of_the_magic() -> None:
    words = ["--logdir", r"C:\my logs", "--storage-option", 'password="1 2"']
    line = """--logdir "C:\\my logs" --storage-option 'password="1 2"'"""
    assert extension._words(line, is_windows=True) == words
    assert extension._words(line, is_windows=False) == words


def test_the_doctor_gives_options_to_urls_alone(tmp_path: Path) -> None:
    lines = list(report([str(tmp_path), URL], OPTIONS))
    assert f"{tmp_path}: 2 runs, 2 event files" in lines
    assert f"{SHOWN}: 2 runs, 2 event files" in lines
    with pytest.raises(ValueError, match="storage_options are for URLs"):
        list(report([str(tmp_path)], OPTIONS))


@pytest.mark.parametrize("url", ["MEMORY://logs", "Memory://logs"])
def test_a_scheme_may_have_capital_letters(url: str) -> None:
    logs = tbwidget.load(url)
    assert (logs.runs, logs.path) == (["a", "b"], url)


def test_options_as_texts() -> None:
    given = ["anon=true", "port=22", 'password="22"', "key=AKID=", 'client_kwargs={"endpoint_url": "http://x"}', "e="]
    assert parsed_options(given) == {
        "anon": True,
        "port": 22,
        "password": "22",
        "key": "AKID=",
        "client_kwargs": {"endpoint_url": "http://x"},
        "e": "",
    }
