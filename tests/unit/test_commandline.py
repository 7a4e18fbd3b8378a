"""`python -m tbwidget`, as a process: what it prints, writes and refuses."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import math
import os
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import tbwidget
from tbwidget import __main__ as shell
from tbwidget import doctor
from tbwidget.__main__ import main, visible
from tbwidget.export.atomic_write import atomic_write
from tbwidget.logs.engine import cache
from tbwidget.logs.source import Progress
from tests.support.cached import settle
from tests.support.eventfiles import NAME, event, histogram, plugin, simple, strings, write
from tests.support.trials import started

VALUES = [0.1, np.nan, np.inf, -np.inf, -0.0, 1 / 3]


Run = Callable[..., str]
"""Runs a command that exits with `code`; returns its output, and checks that nothing is on the other stream."""


def printed(output: bytes, errors: bytes, ended: int | str | None, code: int) -> str:
    """Return standard output if `code` is 0, else standard error; the other one must be empty."""
    out, err = output.decode("utf-8", "surrogateescape"), errors.decode()
    assert ended == code, err
    assert (out if code else err) == ""
    return err if code else out


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Run in this process: a new one takes half a second to start."""

    def run(*arguments: str | Path, code: int = 0) -> str:
        capfdbinary.readouterr()
        ended: int | str | None
        try:
            ended = main([str(each) for each in arguments])
        except SystemExit as exit_:  # argparse
            ended = exit_.code
        return printed(*capfdbinary.readouterr(), ended, code)

    return run


def run_process(*arguments: str | Path, code: int = 0) -> str:
    done = subprocess.run([sys.executable, "-m", "tbwidget", *map(str, arguments)], capture_output=True, check=False)
    return printed(done.stdout, done.stderr, done.returncode, code)


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    for name in ("a", "b10", "b9"):
        values = [event(1.7e9 + i / 3, 2**40 + i, simple("x", value)) for i, value in enumerate(VALUES)]
        others = event(1, 0, started(rate=len(name))), event(2, 7, strings("t", plugin("text"), b"words, and\nlines"))
        write(tmp_path / "logs" / name / NAME, *others, *values, event(3, 4, histogram("h", [1, 2], [1, 1])))
    write(tmp_path / "logs" / "b9" / "below" / NAME, event(1, 1, simple("x", 1)))
    return tmp_path / "logs"


def test_ls_lists_runs_and_tags(run: Run, logs: Path) -> None:
    lines = run("ls", logs, "--run-filter", "^b").splitlines()
    assert lines[0].split() == ["run", "kind", "tag", "points", "last", "step"]
    assert [line.split() for line in lines[1:4]] == [
        ["b9", "scalars", "x", "6", str(2**40 + 5)],
        ["b9", "histograms", "h", "1", "4"],
        ["b9", "text", "t", "1", "7"],
    ]
    assert len({len(line) for line in lines}) == 1, "columns are aligned"
    assert run("ls", logs, "--kind", "text", "--tag", "t").count("\n") == 4


def test_csv_has_every_bit(run: Run, logs: Path, tmp_path: Path) -> None:
    assert run("export", logs, "--csv", "-o", tmp_path / "x.csv") == ""
    written = (tmp_path / "x.csv").read_text("utf-8")
    assert run("export", logs, "--csv") == written
    rows = list(csv.DictReader(written.splitlines()))
    read = tbwidget.load(logs)
    for name in ("a", "b9", "b10"):
        held = read.scalars(name, "x")
        own = [row for row in rows if row["run"] == name]
        assert [int(row["step"]) for row in own] == held.step.tolist()
        assert np.array([float(row["value"]) for row in own]).tobytes() == held.value.tobytes()
        assert np.array([float(row["wall_time"]) for row in own]).tobytes() == held.wall_time.tobytes()
    assert list(dict.fromkeys(row["run"] for row in rows)) == ["a", "b9", "b9/below", "b10"]


def test_json_has_every_bit(run: Run, logs: Path) -> None:
    rows = json.loads(run("export", logs, "--json", "--run", "a", "--hparams"))
    assert [row["value"] for row in rows[1:4]] == ["NaN", "Infinity", "-Infinity"]
    assert rows[5]["value"] == float(np.float32(1 / 3))
    assert math.copysign(1, rows[4]["value"]) == -1
    assert (rows[0]["step"], rows[0]["hparam/rate"]) == (2**40, 1.0)
    assert json.loads(run("export", logs, "--json", "--kind", "text", "--run", "a"))[0]["value"] == "words, and\nlines"
    assert json.loads(run("export", logs, "--json", "--kind", "hparams"))[0]["hparam/rate"] == 1
    assert json.loads(run("export", logs, "--json", "--kind", "images")) == []


def test_runs_with_other_hyperparameters_have_the_same_columns(run: Run, tmp_path: Path) -> None:
    for name, trial in (("a", started(rate=0.5)), ("b", started(depth=3, rate=0.25)), ("c", started())):
        write(tmp_path / name / NAME, event(1, 0, trial), event(1, 1, simple("x", 1)))
    rows = list(csv.DictReader(run("export", tmp_path, "--csv", "--hparams").splitlines()))
    assert [(row["run"], row["hparam/depth"], row["hparam/rate"]) for row in rows] == [
        ("a", "NaN", "0.5"),
        ("b", "3.0", "0.25"),
        ("c", "NaN", "NaN"),
    ]


def test_a_file_is_written_whole_or_not_at_all(run: Run, logs: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    target, link = folder / "x.csv", folder / "link.csv"
    target.write_text("before")
    link.symlink_to(target)
    with contextlib.suppress(KeyboardInterrupt), atomic_write(link) as file:
        file.write_text("half")
        raise KeyboardInterrupt
    assert (target.read_text(), sorted(folder.iterdir())) == ("before", [link, target])
    assert run("export", logs, "--csv", "-o", link) == ""
    written = target.read_text("utf-8")
    assert written == run_process("export", logs, "--csv") == run_process("export", logs, "--csv", "-o", "/dev/stdout")
    assert link.is_symlink()
    assert sorted(folder.iterdir()) == [link, target]
    (folder / "new").touch()
    assert target.stat().st_mode == (folder / "new").stat().st_mode


def test_several_directories(run: Run, logs: Path) -> None:
    assert run("export", logs / "a", logs / "b9", "--csv", "--run", "b9/below").splitlines()[1:] == [
        "b9/below,x,1,1.0,1.0"
    ]


def test_errors_are_printed_on_standard_error(run: Run, logs: Path, tmp_path: Path) -> None:
    assert run("ls", tmp_path / "missing", code=2).startswith("tbwidget: no such log directory: ")
    near = logs.with_name(f"{logs.name}s")
    assert run("ls", near, code=2).endswith(f"/{near.name}; did you mean {logs.name!r}?\n")
    assert "here: tbwidget html DIR -o page.html" in run("show", logs, code=2)
    assert "no run 'c'; the runs are" in run("ls", logs, "--run", "c", code=2)
    assert "no tag 'y' of these runs" in run("export", logs, "--tag", "y", code=2)
    assert "--filter: '(' is not a valid regular expression" in run("ls", logs, "--filter", "(", code=2)
    assert "--run-filter: '(' is no" in run("ls", logs, "--run-filter", "(", code=2)
    assert "no data of kind 'meshes'" in run("ls", logs, "--kind", "meshes", code=2)
    for option in ("--tag", "--filter"):
        said = run("export", logs, "--kind", "hparams", option, "x", code=2)
        assert "--tag and --filter have no effect" in said
    assert "No such file" in run("export", logs, "--csv", "-o", tmp_path / "no" / "x", code=2)
    assert "not allowed with argument --json" in run("export", logs, "--json", "--parquet", code=2)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_line_of_progress_fits_a_terminal_in_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(shell, "_PROGRESS_DELAY_S", 0.0)
    monkeypatch.setenv("COLUMNS", "10")
    texts = iter(["목록 작성 중", "가", "abcdefghijkl"])
    monkeypatch.setattr(shell, "describe", lambda *_, **__: next(texts))
    with shell._progress_line() as show:
        assert show is not None
        for _ in range(3):
            show(Progress("reading"))
    # Nine columns: Hangul takes two, and spaces erase the rest of the previous line.
    assert terminal.getvalue().split("\r")[1:] == ["목록 작성", "가" + " " * 7, "abcdefghi", " " * 9, ""]


def test_names_and_filters_are_joined(run: Run, logs: Path) -> None:
    def listed(*options: str) -> list[list[str]]:
        return [line.split()[:3] for line in run("ls", logs, "--kind", "scalars", *options).splitlines()[1:]]

    assert listed("--run", "a", "--run", "b10") == [["a", "scalars", "x"], ["b10", "scalars", "x"]]
    assert listed("--run", "a", "--run-filter", "below") == [["a", "scalars", "x"], ["b9/below", "scalars", "x"]]
    assert listed("--run-filter", "none") == []
    assert len(listed("--filter", "^x$")) == 4
    assert "no run '^b'; a regular expression" in run("ls", logs, "--run", "^b", code=2)


def test_doctor_prints_the_data_that_support_needs(run: Run, logs: Path, tmp_path: Path) -> None:
    (tmp_path / "logs" / "late").mkdir()
    (tmp_path / "logs" / "late" / NAME).touch()
    said = run("doctor", logs, tmp_path / "none").splitlines()
    assert said[0].startswith(f"tbwidget {tbwidget.__version__} on Python 3.")
    assert any(line.startswith("packages: anywidget ") for line in said)
    assert "bundle: complete" in said
    assert any(line.startswith("extension of JupyterLab: ") for line in said)
    assert any(line.startswith("writer: tensorboardX holds values back for up to 120 s") for line in said)
    assert f"{logs}: 5 runs, 5 event files" in said
    assert "  1 event file without data yet: the writer may hold it back" in said
    assert "  scalars: 4 tags" in said
    assert said[-1] == f"{tmp_path / 'none'}: this directory does not exist"
    assert run("doctor").splitlines()[0] == said[0]


@pytest.mark.parametrize(
    ("package", "words"),
    [
        (f'{{"version": "{tbwidget.__version__}"}}', "found, same version"),
        ('{"version": "0.0.1"}', f"version 0.0.1, but the kernel has {tbwidget.__version__}: install the same"),
        ("[]", "version None"),
        ("{", "damaged"),
    ],
)
def test_doctor_compares_the_versions_of_both_halves(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, package: str, words: str
) -> None:
    place = tmp_path / doctor.EXTENSION
    place.parent.mkdir(parents=True)
    place.write_text(package)
    folders = [str(tmp_path / "none"), str(tmp_path)]
    paths = types.SimpleNamespace(jupyter_path=lambda: folders)
    monkeypatch.setitem(sys.modules, "jupyter_core", types.SimpleNamespace(paths=paths))
    monkeypatch.setitem(sys.modules, "jupyter_core.paths", paths)
    assert any(words in line for line in doctor.report([]))


def test_csv_is_the_default(run: Run, logs: Path) -> None:
    assert run("export", logs) == run("export", logs, "--csv")


def test_without_a_command_it_prints_help_with_examples(run: Run) -> None:
    said = run()
    assert said == run_process()
    assert said.startswith("usage: tbwidget ")
    assert "tbwidget export runs --filter loss -o loss.csv" in said


def test_a_reader_that_has_seen_enough(tmp_path: Path) -> None:
    write(tmp_path / NAME, *(event(1, i, simple("x", i)) for i in range(50_000)))
    command = [sys.executable, "-m", "tbwidget", "export", str(tmp_path), "--csv"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 1


def test_names_steer_no_terminal_and_keep_their_bytes(run: Run, tmp_path: Path) -> None:
    write(tmp_path / NAME, event(1, 1, simple("\x1b[31mred\n\udcff", 1)))
    assert "\\x1b[31mred\\n\\udcff" in run("ls", tmp_path)
    assert "\x1b[31mred\n\udcff" in run("export", tmp_path, "--csv")
    assert visible("Verlust, 損失") == "Verlust, 損失"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_nothing_in_the_logs_controls_a_terminal(tmp_path: Path) -> None:
    import pty  # noqa: PLC0415 (not on Windows)

    hostile = "\x1b[31mred\x1b]0;title\x07\r\x9b"
    texts = event(1, 1, strings(f"t{hostile}", plugin("text"), f"one{hostile}\ntwo".encode()))
    write(tmp_path / NAME, event(1, 0, started(**{hostile: hostile})), event(1, 1, simple(hostile, 1)), texts)
    kinds = [["export", "--csv", "--kind", kind] for kind in ("scalars", "text", "hparams")]
    commands = [*kinds, ["export", "--hparams"], ["export", "--json"], ["ls"], ["doctor"]]
    program = f"from tbwidget.__main__ import main\nfor one in {commands}: assert main([*one, {str(tmp_path)!r}]) == 0"
    ours, theirs = pty.openpty()
    with subprocess.Popen([sys.executable, "-c", program], stdout=theirs) as process:
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # as a terminal ends
            while part := os.read(ours, 65_536):
                shown += part
    os.close(ours)
    assert process.returncode == 0
    assert shown.decode().count("\\x1b[31mred") >= len(kinds) + 3
    assert not set("\x1b\x07\x9b") & set(shown.decode())
    assert b"\r" not in shown.replace(b"\r\n", b"")  # as a terminal ends its lines


def test_one_long_name_does_not_widen_the_rows_of_others(run: Run, tmp_path: Path) -> None:
    long = "scope/" * 100 + "loss"
    write(tmp_path / NAME, event(1, 1, simple("loss", 1)), event(1, 2, simple(long, 1)))
    head, *rows = run("ls", tmp_path).splitlines()
    assert len(head) < 100
    assert min(len(row) for row in rows) < 100
    assert any(f"{long}  " in row for row in rows)


def test_damage_is_reported_and_the_rest_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = [event(1, i, simple("x", i)) for i in range(3)]
    damaged = bytearray(whole[1])
    damaged[-6] ^= 1
    write(tmp_path / "logs" / NAME, whole[0], bytes(damaged), whole[2])
    assert main(["export", str(tmp_path / "logs"), "--csv", "-o", str(tmp_path / "x")]) == 0
    assert (tmp_path / "x").read_text().splitlines()[1:] == [".,x,0,1.0,0.0", ".,x,2,1.0,2.0"]
    assert "1 problem, skipped:" in capsys.readouterr().err


def test_help_lists_the_commands(run: Run) -> None:
    text = run("--help")
    assert all(command in text for command in ("ls", "export"))
    assert "--parquet" in run("export", "--help")
    assert run_process("--version") == f"tbwidget {tbwidget.__version__}\n"


def test_writes_a_page(run: Run, logs: Path, tmp_path: Path) -> None:
    assert run("html", logs, "-o", tmp_path / "page.html", "--panels", "scalars") == ""
    page = (tmp_path / "page.html").read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert str(tmp_path) not in page
    assert "no panel" in run("html", logs, "-o", tmp_path / "none.html", "--panels", "nothing", code=2)
    assert not (tmp_path / "none.html").exists()


def test_the_cache_is_listed_and_removed(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TBWIDGET_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "MIN_READ_S", 0)
    monkeypatch.setattr(cache, "_IDLE_S", -3600)
    assert run("cache", "ls").split() == ["log", "directory", "last", "used", "size"]
    for name in "ab":
        write(tmp_path / name / NAME, *(event(1, step, simple("loss", step)) for step in range(20)))
        settle(tmp_path / name)
        run("ls", tmp_path / name)
    lines = run("cache", "ls").splitlines()[1:]
    assert sorted(line.split()[0] for line in lines) == [str(tmp_path / name) for name in "ab"]
    assert all(line.split()[-1] == "kB" for line in lines)
    assert run("cache", "clear", tmp_path / "c", code=2) == f"tbwidget: nothing is kept of {tmp_path / 'c'}\n"
    assert run("cache", "clear", tmp_path / "a").startswith("removed 1 cache, ")
    assert len(run("cache", "ls").splitlines()) == 2
    assert run("cache", "clear").startswith("removed 1 cache, ")
    assert run("cache", "clear").startswith("removed 0 caches, ")
    assert run("ls", tmp_path / "a").splitlines()[1].split() == [".", "scalars", "loss", "20", "19"]
