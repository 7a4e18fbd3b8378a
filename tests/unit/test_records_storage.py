"""Reading without the calls that Windows lacks, as far as other systems can test that."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

import tbwidget
from tbwidget.records.files.storage import LOCAL
from tests.support.eventfiles import NAME, write
from tests.unit import test_records_damage
from tests.unit.test_logs_hazards import content, seen

DATA = Path(__file__).parents[1] / "data"
_MISSING = ("pread", "preadv", "SEEK_DATA", "register_at_fork", "O_CLOEXEC", "O_NONBLOCK", "O_NOCTTY", "fork", "mkfifo")


@pytest.fixture
def few_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in _MISSING:
        monkeypatch.delattr(os, name, raising=False)


def test_the_whole_corpus_is_read(request: pytest.FixtureRequest) -> None:
    expected = values(tbwidget.load(DATA))
    request.getfixturevalue("few_calls")
    assert values(tbwidget.load(DATA)) == expected
    assert len({kind for kind, *_ in expected}) > 8


def values(logs: tbwidget.LogDir) -> dict[tuple[str, str, str], list[str]]:
    """Return all values of all kinds, as text."""
    found: dict[tuple[str, str, str], list[str]] = {("problems", "", ""): list(map(str, logs.problems))}
    for kind, runs in logs.tags().items():
        for run, tags in runs.items():
            for tag in tags:
                if kind == "scalars":
                    texts = list(map(str, logs.scalars(run, tag)))
                elif kind == "graphs":
                    texts = logs.graph(run, tag).names
                elif kind == "embeddings":
                    texts = [str(each.vectors) for each in logs.embeddings(run)]
                elif kind == "run_metadata":
                    texts = [str(logs.run_metadata(run, tag).data)]
                else:
                    texts = list(map(str, logs.source.items(run, tag, kind).values()))
                found[kind, run, tag] = texts
    return found


@pytest.mark.usefixtures("few_calls")
@pytest.mark.parametrize("kind", test_records_damage.KINDS)
def test_damage_is_passed_over(tmp_path: Path, kind: str) -> None:
    test_records_damage.test_reading_goes_on_behind_damage(tmp_path, kind)


@pytest.mark.usefixtures("few_calls")
def test_growing_files_are_followed(tmp_path: Path) -> None:
    path, whole = tmp_path / "run" / NAME, content(0, 40) + b"garbage" + content(40, 80)
    logs = tbwidget.LogDir(tmp_path)
    for turn in range(1, 8):
        write(path, whole[: len(whole) * turn // 7])
        logs.refresh()
        assert seen(logs) == seen(tbwidget.load(tmp_path))
    assert logs.scalars("run", "loss").value.tolist() == list(range(80))


@pytest.mark.usefixtures("few_calls")
def test_large_damage_is_passed_over(tmp_path: Path) -> None:
    test_records_damage.test_large_records_and_many_damaged_places(tmp_path)


def test_a_process_without_these_calls(tmp_path: Path) -> None:
    """They are removed before anything is imported, as on Windows."""
    write(tmp_path / "run" / NAME, content(0, 20))
    program = f"""
import os, sys, time
for name in {_MISSING!r}:
    if hasattr(os, name):
        delattr(os, name)
import tbwidget
with tbwidget.LogDir(sys.argv[1]) as logs:
    logs.follow()
    while not logs.source.ready:
        time.sleep(0.01)
    print(len(logs.scalars("run", "loss")), logs.images("run", "im")[0].format, logs.problems)
"""
    done = subprocess.run([sys.executable, "-c", program, tmp_path], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("20 None []\n", "")


@pytest.mark.parametrize("positioned", [True, False])
def test_bytes_are_unchanged(tmp_path: Path, request: pytest.FixtureRequest, positioned: bool) -> None:  # noqa: FBT001
    """Line ends and Ctrl-Z are kept, too; reading at an offset does not depend on earlier reads."""
    if not positioned:
        request.getfixturevalue("few_calls")
    data = b"\r\n\x1a\n" * 5000
    path = tmp_path / "file"
    path.write_bytes(data)
    with closing(LOCAL.open(str(path))) as file:
        buffer = bytearray(9)
        for offset in (4, 19_995, 0, 30_000):
            assert file.read_at(offset, 9) == data[offset : offset + 9]
            count = file.read_into(offset, memoryview(buffer))
            assert bytes(buffer[:count]) == data[offset : offset + 9]
        assert file.next_data(5, len(data)) == 5
