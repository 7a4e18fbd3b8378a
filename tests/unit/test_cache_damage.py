"""The cache of columns, damaged, contended, or without a directory: the logs are read instead, and nothing raises."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tbwidget
from tbwidget.logs import cachefiles
from tbwidget.logs.engine import cache
from tests.support.cached import cold, contents, keep, settle
from tests.support.changing import append, write_runs
from tests.support.eventfiles import NAME, event, histogram, simple, write


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Cache in a directory of the test, even small and new files."""
    monkeypatch.setenv("TBWIDGET_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "MIN_READ_S", 0)
    monkeypatch.setattr(cache, "_IDLE_S", 0)
    return tmp_path / "cache"


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Write two runs with numbers and histograms some time ago."""
    for run in range(2):
        values = [(simple("loss", step), histogram("weights", [1.0, 2.0], [1.0, float(step)])) for step in range(5)]
        write(tmp_path / f"logs/run{run}" / NAME, *(event(1, step, *each) for step, each in enumerate(values)))
    settle(tmp_path / "logs")
    return tmp_path / "logs"


def kept(place: Path, logs: Path) -> tuple[Path, Path]:
    """Cache logs; return the index and the only pack."""
    keep(logs)
    (index,) = place.rglob("index")
    (pack,) = index.parent.glob("pack-*")
    return index, pack


def flipped(path: Path, places: Iterator[int] | range) -> Iterator[int]:
    """Flip each of these bytes, one at a time, in a new copy of the file; the original file is restored afterwards."""
    data = path.read_bytes()
    for at in places:
        path.unlink(missing_ok=True)
        path.write_bytes(data[:at] + bytes([data[at] ^ 0x01]) + data[at + 1 :])
        yield at
    path.unlink(missing_ok=True)
    path.write_bytes(data)


def test_any_byte_of_an_index(place: Path, logs: Path) -> None:
    index, _ = kept(place, logs)
    expected = cold(logs)
    for at in flipped(index, range(index.stat().st_size)):
        assert contents(tbwidget.load(logs)) == expected, at


def test_any_byte_of_the_header_of_a_pack(place: Path, logs: Path) -> None:
    index, pack = kept(place, logs)
    expected, text = cold(logs), index.read_bytes()
    for at in flipped(pack, range(8 + int.from_bytes(pack.read_bytes()[:8], "little"))):
        index.write_bytes(text)  # it was deleted
        assert contents(tbwidget.load(logs)) == expected, at


def test_the_first_and_last_byte_of_each_array(place: Path, logs: Path) -> None:
    index, pack = kept(place, logs)
    expected, text, data = cold(logs), index.read_bytes(), pack.read_bytes()
    begin = 8 + int.from_bytes(data[:8], "little")
    arrays = json.loads(data[8:begin])
    arrays.pop("__metadata__")
    assert len(arrays) > 10
    places = [begin + at for each in arrays.values() for at in (each["data_offsets"][0], each["data_offsets"][1] - 1)]
    for at in flipped(pack, iter(places)):
        index.write_bytes(text)
        with tbwidget.load(logs) as found:
            assert contents(found) == expected, at
            assert not index.exists(), "it is not used again"
            assert not found.refresh()
            assert contents(found) == expected, at


def test_a_damaged_array_of_a_file_that_grows(place: Path, logs: Path) -> None:
    _, pack = kept(place, logs)
    append(logs / "run0" / NAME, event(1, 5, simple("loss", 5)))
    for at in flipped(pack, range(pack.stat().st_size - 1, pack.stat().st_size - 300, -7)):
        assert contents(tbwidget.load(logs)) == cold(logs), at
        settle(logs)


def test_a_pack_that_is_cut_or_missing(place: Path, logs: Path) -> None:
    index, pack = kept(place, logs)
    expected, text, data = cold(logs), index.read_bytes(), pack.read_bytes()
    for size in (0, 1, 8, 100, len(data) // 2, len(data) - 1):
        pack.write_bytes(data[:size])
        index.write_bytes(text)
        assert contents(tbwidget.load(logs)) == expected, size
    pack.unlink()
    assert contents(tbwidget.load(logs)) == expected
    assert keep(logs) == expected


def test_a_pack_that_is_cut_after_it_was_mapped(place: Path, logs: Path) -> None:
    """Touching a missing page would end the process."""
    write_runs(logs, 2, steps=2000)
    settle(logs)
    _, pack = kept(place, logs)
    found = tbwidget.load(logs)
    found.scalars("run0", "loss")
    os.truncate(pack, 10)
    assert found.scalars("run1", "loss").value.tolist() == list(range(2000))


def test_a_pack_that_is_removed_after_it_was_mapped(place: Path, logs: Path) -> None:
    kept(place, logs)
    found = tbwidget.load(logs)
    shutil.rmtree(place)
    assert contents(found) == cold(logs)


@pytest.mark.parametrize("body", [b"", b"\n", b"{}\n{}", b"[]", b"\xff" * 100, b'{"format": 1}\n[]'])
def test_something_else_instead_of_an_index(place: Path, logs: Path, body: bytes) -> None:
    index, _ = kept(place, logs)
    index.write_bytes(body)
    assert keep(logs) == cold(logs)
    assert keep(logs) == cold(logs)


@pytest.mark.parametrize(
    "wrong", [None, [], {}, {"versions": 1}, {"packs": 3}, {"files": {"run0/" + NAME: {}}}, "entries"]
)
def test_an_index_with_another_meaning(place: Path, logs: Path, wrong: Any) -> None:
    """The checksums are valid, as if another program had written it."""
    index, _ = kept(place, logs)
    directory = cachefiles.CacheDirectory(index.parent, str(logs))
    body = directory.read_index()
    if wrong == "entries":  # some entries are installed before the error is noticed
        for entry in body["files"].values():
            entry["unreadable"], entry["offset"] = 7, 3
        wrong = body
    text = json.dumps({**body, **wrong} if wrong else wrong).encode()
    directory._write("index", [json.dumps(directory._head(text)).encode(), b"\n"], iter([text]))
    assert contents(tbwidget.load(logs)) == cold(logs)
    assert keep(logs) == cold(logs)


def test_the_cache_of_another_decoder(place: Path, logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept(place, logs)
    monkeypatch.setattr(cache, "DECODER", cache.DECODER + 1)
    found = tbwidget.load(logs)
    assert found.source._reader._cache is not None
    assert not found.source._reader._cache._directories[found.source.roots[0]]._entries  # type: ignore[index]
    assert contents(found) == cold(logs)


_WRITER = """
import sys, time, pathlib, tbwidget
from tbwidget.logs.engine import cache
cache.MIN_READ_S = cache._IDLE_S = 0
logs, rounds = sys.argv[1], int(sys.argv[2])
print("ready", flush=True)
sys.stdin.readline()
for _ in range(rounds):
    with tbwidget.load(logs) as found:
        for run in found.runs:
            assert found.scalars(run, "loss").value.tolist() == list(range(20)), run
        # As if all of it had been read anew.
        for directory in (found.source._reader._cache._directories or {}).values():
            directory._entries = {}
"""


def test_two_processes_that_write_at_once(place: Path, tmp_path: Path) -> None:
    logs = tmp_path / "many"
    write_runs(logs, 30)
    settle(logs)
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(logs), "30"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for each in writers:
        assert each.stdout is not None
        assert each.stdout.readline() == "ready\n"
    for each in writers:
        assert each.stdin is not None
        each.stdin.write("\n")
        each.stdin.flush()
    expected = cold(logs)
    while any(each.poll() is None for each in writers):
        assert contents(tbwidget.load(logs)) == expected
    for each in writers:
        _, errors = each.communicate()
        assert (each.returncode, errors) == (0, "")
    assert list(place.rglob("index"))
    assert contents(tbwidget.load(logs)) == expected


_LIMITED = """
import resource, sys, tbwidget
from tbwidget.logs.engine import cache
cache.MIN_READ_S = cache._IDLE_S = 0
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
with tbwidget.load(sys.argv[1]) as logs:
    print([logs.scalars(run, "loss").value.tolist() for run in logs.runs])
"""


@pytest.mark.parametrize("limit", [0, 100, 2000])
def test_a_disk_that_is_full(place: Path, logs: Path, limit: int) -> None:
    """A limit on the size of files stops a write as a full disk does: in the middle, with an OSError."""
    done = subprocess.run(
        [sys.executable, "-c", _LIMITED, str(logs), str(limit)], capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == (f"{[[0.0, 1.0, 2.0, 3.0, 4.0]] * 2}\n", "")
    assert not list(place.rglob("index"))
    assert not list(place.rglob(".*")), "nothing half written stays"
    assert keep(logs) == cold(logs)


def test_a_place_that_cannot_be_written(tmp_path: Path, logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("x")
    for where in (tmp_path / "file", Path("/proc/nowhere"), Path("/dev/null")):
        monkeypatch.setenv("TBWIDGET_CACHE", str(where))
        assert keep(logs) == cold(logs)


def test_a_home_that_is_none(tmp_path: Path, logs: Path) -> None:
    (tmp_path / "file").write_text("x")
    environment = {key: value for key, value in os.environ.items() if key not in ("TBWIDGET_CACHE", "XDG_CACHE_HOME")}
    done = subprocess.run(
        [sys.executable, "-c", _LIMITED, str(logs), "1000000"],
        env={**environment, "HOME": str(tmp_path / "file")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == (f"{[[0.0, 1.0, 2.0, 3.0, 4.0]] * 2}\n", "")


def test_a_place_that_is_read_only(place: Path, logs: Path) -> None:
    """Root can write there anyway, and the values must be correct then, too."""
    index, _ = kept(place, logs)
    append(logs / "run0" / NAME, event(1, 5, simple("loss", 5)))
    settle(logs)
    for path in (index, *index.parents[:3]):
        path.chmod(0o500)
    try:
        assert keep(logs) == cold(logs)
    finally:
        for path in (*index.parents[:3],):
            path.chmod(0o700)


def test_it_is_for_the_user_alone(place: Path, logs: Path) -> None:
    index, pack = kept(place, logs)
    assert [path.stat().st_mode & 0o777 for path in (index, pack)] == [0o600] * 2
    assert [path.stat().st_mode & 0o777 for path in index.parents[:3]] == [0o700] * 3


def test_a_pack_has_the_layout_of_safetensors(place: Path, logs: Path) -> None:
    """The layout follows the format's specification: no gap, each array at its offsets, aligned."""
    _, pack = kept(place, logs)
    data = pack.read_bytes()
    begin = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:begin])
    assert set(map(type, header.pop("__metadata__").values())) == {str}
    end = 0
    for entry in header.values():
        first, last = entry["data_offsets"]
        size = {"I64": 8, "F64": 8, "U8": 1}[entry["dtype"]]
        count = 1
        for length in entry["shape"]:
            count *= length
        assert (first, last) == (end, end + size * count)
        assert (begin + first) % size == 0
        end = last
    assert begin + end == len(data)


def test_caches_that_are_old_or_too_large_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        write_runs(tmp_path / f"logs{number}", 1)
        settle(tmp_path / f"logs{number}")
        keep(tmp_path / f"logs{number}")
    found = {each.root: each for each in cachefiles.cached_directories()}
    assert sorted(found) == [str(tmp_path / f"logs{number}") for number in range(5)]
    now = time.time()
    for number in range(5):
        used = now - (86400 * 31 if number == 3 else 3600 * number)
        os.utime(found[str(tmp_path / f"logs{number}")].path / "index", (used, used))
    last = found[str(tmp_path / "logs4")].path
    monkeypatch.setattr(cachefiles, "_MAX_BYTES", 5 * found[str(tmp_path / "logs0")].size // 2)
    cachefiles.evict(last)
    left = [Path(each.root).name for each in cachefiles.cached_directories()]
    assert left == ["logs0", "logs4"]
    cachefiles.clear(cachefiles.cached_directories())
    assert cachefiles.cached_directories() == []


def test_more_than_there_is_room_for_is_not_written(place: Path, logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cachefiles, "_MAX_BYTES", 100)
    keep(logs)
    assert not list(place.rglob("index"))


def test_a_file_rewritten_in_place_with_its_size_and_time_is_read(logs: Path) -> None:
    keep(logs)
    path = logs / "run0" / NAME
    before, data = path.stat(), path.read_bytes()
    last = event(1, 4, simple("loss", 4), histogram("weights", [1.0, 2.0], [1.0, 4.0]))
    assert data.endswith(last)
    write(path, *(event(1, step, simple("loss", 99), histogram("weights", [1, 2], [1, step])) for step in range(4)))
    path.write_bytes(path.read_bytes() + last)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_ino) == (before.st_size, before.st_ino)
    assert tbwidget.load(logs).scalars("run0", "loss").value.tolist() == [99, 99, 99, 99, 4]


def test_a_cache_that_fails_or_is_too_large_leaves_no_packs(
    place: Path, logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(cache, "_PACK_BYTES", 0)
        patch.setattr(cachefiles.CacheDirectory, "write_index", lambda *_: json.loads("no"))
        keep(logs)
    assert not [*place.rglob("pack-*"), *place.rglob("index")]
    keep(logs)
    (size,) = [path.stat().st_size for path in place.rglob("pack-*")]
    shutil.rmtree(place)
    with monkeypatch.context() as patch:
        patch.setattr(cache, "_PACK_BYTES", 0)
        patch.setattr(cachefiles, "_MAX_BYTES", int(0.7 * size))  # one pack of a run fits, two do not
        keep(logs)
    assert not [*place.rglob("pack-*"), *place.rglob("index")]


def test_nothing_but_caches_is_removed(place: Path, logs: Path, tmp_path: Path) -> None:
    index, _ = kept(place, logs)
    mine = index.parent.parent / "my results"
    mine.mkdir()
    (index.parent / "thesis.tex").write_text("mine")
    for path in (mine, index.parent / "thesis.tex"):
        os.utime(path, (0, 0))
    append(logs / "run0" / NAME, event(1, 9, simple("loss", 9)))
    settle(logs)
    keep(logs)
    assert mine.exists()
    assert (index.parent / "thesis.tex").exists()
    cachefiles.clear(cachefiles.cached_directories())
    assert mine.exists()
    assert not index.exists()
    # A link is neither followed nor written to.
    (tmp_path / "elsewhere").mkdir(mode=0o755)
    index.parent.symlink_to(tmp_path / "elsewhere")
    keep(logs)
    assert not list((tmp_path / "elsewhere").iterdir())
    assert (tmp_path / "elsewhere").stat().st_mode & 0o777 == 0o755
    assert cachefiles.cached_directories() == []


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="users are those of POSIX")
def test_a_cache_in_which_others_may_write_is_not_used(place: Path, logs: Path) -> None:
    index, _ = kept(place, logs)
    assert cachefiles.CacheDirectory(index.parent, str(logs)).read_index() is not None
    index.parent.chmod(0o777)
    assert cachefiles.CacheDirectory(index.parent, str(logs)).read_index() is None
    assert contents(tbwidget.load(logs)) == cold(logs)


@pytest.mark.parametrize("head", ["[]", "[" * 60_000, "3", '{"root": {}}'])
def test_an_odd_index_is_listed_and_removed(place: Path, logs: Path, head: str) -> None:
    index, _ = kept(place, logs)
    index.write_text(head)
    (found,) = cachefiles.cached_directories()
    assert contents(tbwidget.load(logs)) == cold(logs)
    cachefiles.clear([found])
    assert not index.exists()


def test_a_place_of_a_user_who_does_not_exist(logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TBWIDGET_CACHE", "~nosuchuser/x")
    assert cachefiles.cached_directories() == []
    assert keep(logs) == cold(logs)
