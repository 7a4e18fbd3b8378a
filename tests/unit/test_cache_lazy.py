"""A run from the cache is installed when it is first needed, and then has the values of the logs."""

from __future__ import annotations

import weakref
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import tbwidget
from tbwidget.logs.cachefiles import Pack
from tbwidget.logs.engine import cache, eventfile
from tbwidget.logs.engine.catalog import Catalog
from tbwidget.logs.engine.declarations import TagDeclaration, TagDeclarations
from tbwidget.logs.engine.partitioning import TagPartitioner
from tbwidget.records import recordfile
from tbwidget.records.decode import Decoder
from tbwidget.records.values.forms import SIMPLE_VALUE
from tbwidget.records.values.summary import TagTable
from tests.support.cached import cold, contents, keep, settle
from tests.support.changing import append, changes, write_runs
from tests.support.eventfiles import NAME, event, histogram, plugin, simple, write
from tests.support.interrupting import Stopper, interrupted

RUNS = 1000
PARTS = ("engine/entries.py", "engine/eventfile.py", "engine/partitioning.py", "engine/catalog.py", "cachefiles.py")


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Cache in a directory of the test, even small and new files."""
    monkeypatch.setenv("TBWIDGET_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "MIN_READ_S", 0)
    monkeypatch.setattr(cache, "_IDLE_S", 0)
    return tmp_path / "cache"


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count the objects made of a run, and the arrays used of a pack."""
    counts: Counter[str] = Counter()

    def counted(name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def count(*given: Any) -> Any:
            counts[name] += 1
            return original(*given)

        return count

    monkeypatch.setattr(eventfile, "TagPartitioner", counted("partitioners", TagPartitioner))
    monkeypatch.setattr(recordfile, "Decoder", counted("decoders", Decoder))
    monkeypatch.setattr(Pack, "array", counted("arrays", Pack.array))
    return counts


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Write three runs with equal tags some time ago."""
    for run in range(3):
        first = event(1, 0, simple("named", run, plugin("scalars", "a name", "a text")))
        values = [(simple("loss", run + step), histogram("weights", [1.0, 2.0], [1.0, step])) for step in range(20)]
        write(tmp_path / f"logs/run{run}" / NAME, first, *(event(1, step, *each) for step, each in enumerate(values)))
    settle(tmp_path / "logs")
    return tmp_path / "logs"


def test_growth_of_a_run_is_not_shared_with_others() -> None:
    tags = TagTable()
    number = tags.number(b"x")
    shared = TagDeclarations({number: TagDeclaration("scalars", "an x", forms={SIMPLE_VALUE: 0})})
    shared.shared = {}
    files: list[Any] = [SimpleNamespace(declarations=shared, attachments=()) for _ in range(2)]
    first, second = (Catalog(tags, {NAME: file}, {}) for file in files)
    # Grown, and described before the catalog knows it.
    files[0].declarations = shared.own()
    files[0].declarations.of(number).description = "of one run"
    assert [one.description for one in first.described()] == ["of one run"]
    assert [one.description for one in second.described()] == [""]


def test_one_of_many_runs_is_installed_alone(tmp_path: Path, made: Counter[str]) -> None:
    path = tmp_path / "logs"
    write_runs(path, RUNS, steps=2)
    settle(path)
    keep(path)
    made.clear()
    logs = tbwidget.load(path)
    assert len(logs.tags()["scalars"]) == len(logs.source.run_numbers()) == RUNS
    assert not logs.problems
    assert not logs.source.described_tags().by_run
    assert not logs.source.empty_files
    assert not made, "the index says all of this"
    assert logs.scalars("run7", "loss").value.tolist() == [0, 1]
    assert made == {"partitioners": 1, "arrays": 4}
    assert not logs.refresh()
    assert made == {"partitioners": 1, "arrays": 4}
    append(path / "run9" / NAME, event(1, 2, simple("loss", 2)))
    assert logs.refresh()
    assert (made["partitioners"], made["decoders"]) == (3, 1), "one more for numbers, and one for other values"
    assert logs.scalars("run9", "loss").value.tolist() == [0, 1, 2]


def test_problems_are_known_before_anything_is_installed(logs: Path, made: Counter[str]) -> None:
    whole = (logs / "run0" / NAME).read_bytes()
    (logs / "run0" / NAME).write_bytes(whole[:600] + b"?" + whole[601:])
    append(logs / "run1" / NAME, event(1, 20, histogram("named", [1.0, 2.0], [1.0, 1.0])))
    settle(logs)
    expected = keep(logs)["problems"]
    assert {code for _, code, _ in expected} == {"damaged-record", "kind-mismatch"}
    made.clear()
    assert [(each, each.code, each.arguments) for each in tbwidget.load(logs).problems] == expected
    assert not made


def test_damage_that_is_found_late_is_repaired(place: Path, logs: Path) -> None:
    expected = keep(logs)
    (pack,) = place.rglob("pack-*")
    found = tbwidget.load(logs)
    assert found.scalars("run0", "loss").value.tolist() == list(range(20))
    with pack.open("r+b") as file:  # in place, beneath the mapping
        begin = 8 + int.from_bytes(file.read(8), "little")
        size = pack.stat().st_size
        file.seek(begin)
        file.write(b"\xff" * (size - begin))
    # Values handed out before are views of the mapped file, and have changed with it; no real writer changes a pack.
    for run in ("run1", "run2"):
        assert found.scalars(run, "loss").value.tolist() == [int(run[-1]) + step for step in range(20)]
    assert {key: each for key, each in contents(found).items() if "run0" not in key} == {
        key: each for key, each in expected.items() if "run0" not in key
    }
    assert keep(logs) == expected


@pytest.mark.parametrize("count", range(1, 6))
def test_a_run_that_is_not_installed_follows_its_files(logs: Path, count: int) -> None:
    keep(logs)
    found = tbwidget.load(logs)
    made = list(islice(changes(logs), count))
    assert found.refresh()
    # Runs keep their first numbers.
    assert contents(found) | {"numbers": None} == cold(logs) | {"numbers": None}, made


@pytest.mark.parametrize("when", ["before it is opened", "when it is opened", "when it is read"])
@pytest.mark.parametrize(
    "news",
    [
        [simple("new", 1)],
        [simple("named", 1, plugin("text", "other", "other"))],
        [histogram("loss", [1.0, 2.0], [1.0, 1.0]), histogram("named", [1.0, 2.0], [1.0, 1.0])],
        [simple("loss", 1, plugin("images", "shown", "described"))],
    ],
    ids=["a tag", "texts", "mismatches", "a kind"],
)
def test_new_data_of_one_run_appear_in_no_other_run(logs: Path, news: list[Any], when: str) -> None:
    keep(logs)
    if when == "before it is opened":
        append(logs / "run1" / NAME, event(1, 20, *news))
    found = tbwidget.load(logs)
    if when == "when it is read":
        contents(found)
        found.source.described_tags()
    if when != "before it is opened":
        append(logs / "run1" / NAME, event(1, 20, *news))
        assert found.refresh()
    assert contents(found) == cold(logs)
    assert _every_tag(found) == _every_tag(tbwidget.load(logs, cache=False))
    settle(logs)
    assert keep(logs) == cold(logs)


def _every_tag(logs: tbwidget.LogDir) -> Any:
    """Return the kind of each tag in each run, including tags that the run lacks, and all descriptions."""
    kinds = {(run, tag): logs.source.kind(run, tag) for run in logs.runs for tag in ("loss", "named", "new")}
    return kinds, logs.source.described_tags().by_run


def test_a_closed_directory_has_the_runs_that_were_never_asked_for(logs: Path) -> None:
    expected = keep(logs)
    with tbwidget.load(logs) as found:
        pass
    assert contents(found) == expected


def test_no_pack_outlives_its_directory(logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(logs)
    packs: list[weakref.ref[Pack]] = []
    original = Pack.__init__

    def noted(self: Pack, *given: Any) -> None:
        packs.append(weakref.ref(self))
        original(self, *given)

    monkeypatch.setattr(Pack, "__init__", noted)
    with tbwidget.load(logs) as found:
        found.scalars("run0", "loss")
    assert [each() is None for each in packs] == [False]
    del found
    assert [each() is None for each in packs] == [True]


def test_threads_that_ask_at_once_install_each_run_once(logs: Path, made: Counter[str]) -> None:
    keep(logs)
    expected = [tbwidget.load(logs, cache=False).scalars(f"run{run % 3}", "loss").value.tolist() for run in range(24)]
    found = tbwidget.load(logs)
    made.clear()
    with ThreadPoolExecutor(8) as pool:
        series = pool.map(lambda run: found.scalars(f"run{run % 3}", "loss").value.tolist(), range(24))
        assert list(series) == expected
    assert made["partitioners"] == 3


def _series(logs: tbwidget.LogDir) -> list[Any]:
    return [logs.scalars("run1", tag) for tag in ("loss", "named")]


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_an_installation_that_was_interrupted_loses_nothing(logs: Path, error: type[BaseException]) -> None:
    expected = keep(logs)
    at = 1
    while True:
        found = tbwidget.load(logs)
        stopped = interrupted(partial(_series, found), Stopper(at, error(), PARTS))
        assert contents(found) == expected, f"interrupted in line {at}"
        if not stopped:
            break
        at += 3
    assert at > 30
